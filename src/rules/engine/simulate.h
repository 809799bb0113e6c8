/* Private: running rules on one input, step by step. */
#pragma once

#include "tactus/rules.h"

/* values: one '0' or '1' per variable. */
bool rules_predicate_holds(const tac_rules *rules, tac_rules_predicate predicate,
                           const char *values);
bool rules_input_is_valid(const tac_rules *rules, const char *values);
/* The first triggered edge of the state (the others have the same priority), or TAC_RULES_NONE. */
uint32_t rules_triggered_edge(const tac_rules *rules, uint32_t state, const char *values);
/* Applies the action of the rule to values. */
void rules_apply_action(const tac_rules *rules, const tac_rules_rule *rule, char *values);
/* Runs to stability, changing *state and values; false when the run never ends. Constraints play no
 * part. Visits at most max_steps transitions (enough = never stable). */
bool rules_settle(const tac_rules *rules, uint32_t *state, char *values);
