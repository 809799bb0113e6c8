/* Private: a whole analysis, and the findings it adds after the engine. */
#pragma once

#include "rules/engine/engine.h"

/* The findings without paths. */
tac_status rules_check_sets(const tac_rules *rules, const tac_rules_options *options,
                            tac_rules_findings **out, tac_error *err);

tac_status rules_explain_dead_rules(struct rules_run *run, tac_error *err);
void rules_check_expectations(struct rules_run *run);
/* Asynchronous hazards into run->out->hazards (hazards.c). */
tac_status rules_check_hazards(struct rules_run *run, tac_error *err);
/* Races and cycles counted as in the paper's Table 2 (table2.c); the engine has run with the
 * constraints ignored. */
tac_status rules_count_table2(struct rules_run *run, tac_error *err);
