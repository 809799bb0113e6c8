/* The values of a batterystats dump beside its history. */
#ifndef TAC_FACTS_POWER_H
#define TAC_FACTS_POWER_H

#include "facts/kind.h"

tac_status power_facts(const struct facts_input *input, tac_facts *facts, tac_error *err);

#endif
