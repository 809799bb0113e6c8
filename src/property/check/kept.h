/* Results that outlive the monitor that gave them. */
#ifndef TAC_PROPERTY_KEPT_H
#define TAC_PROPERTY_KEPT_H

#include "base/data/arena.h"
#include "tactus/property.h"

/* A copy whose texts, witnesses and comparisons are in the arena. */
tac_property_result result_keep(tac_arena *arena, const tac_property_result *result);

#endif
