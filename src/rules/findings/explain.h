/* Private: findings added after the engine. */
#ifndef TAC_RULES_EXPLAIN_H
#define TAC_RULES_EXPLAIN_H

#include "rules/engine/engine.h"

tac_status rules_explain_dead_rules(struct run *run, tac_error *err);
void rules_check_expectations(struct run *run);
/* Asynchronous hazards into run->out->hazards (rules_hazards.c). */
tac_status rules_check_hazards(struct run *run, tac_error *err);
/* Races and cycles counted as in the paper's Table 2 (rules_table2.c); the engine has run with the
 * constraints ignored. */
tac_status rules_count_table2(struct run *run, tac_error *err);

#endif
