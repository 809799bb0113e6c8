/* One property's result as fields. */
#ifndef TAC_PROPERTY_WIRE_RESULT_H
#define TAC_PROPERTY_WIRE_RESULT_H

#include "property/check/wire_field.h"
#include "tactus/property.h"

void wire_put_result(tac_str *out, const tac_property_result *result);
/* What it points to is in the arena. */
tac_property_result wire_take_result(struct wire_reader *reader, tac_arena *arena);

#endif
