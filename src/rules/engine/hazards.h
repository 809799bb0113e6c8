/* Private to the files about hazards. */
#ifndef TAC_RULES_HAZARDS_H
#define TAC_RULES_HAZARDS_H

#include "rules/findings/explain.h"

/* Every change one by one. */
tac_status rules_explicit_hazards(struct rules_run *run, tac_error *err);
/* Given out->before and out->after: two orders of the changed groups that end differently. */
void rules_hazard_example(const tac_rules *rules, tac_rules_hazards *out, uint32_t state);

#endif
