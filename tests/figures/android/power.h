/* The values of a batterystats dump beside its history. */
#ifndef TAC_FACTS_POWER_H
#define TAC_FACTS_POWER_H

#include "figures/kind.h"

tac_status power_facts(const struct figures_input *input, struct figures *facts, tac_error *err);

#endif
