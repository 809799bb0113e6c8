/* Running rules on one input. Predicates are evaluated operands first; a run that never ends is
 * found by Brent's algorithm, so memory does not grow with its length. */
#include "rules/engine/simulate.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/edges.h"
#include "rules/language/operator.h"
#include <string.h>

bool rules_predicate_holds(const tac_rules *rules, tac_rules_predicate predicate,
                           const char *values)
{
    assert(predicate.first <= predicate.root && predicate.root < rules->node_count);
    bool small[256];
    uint32_t count = predicate.root - predicate.first + 1;
    bool *truth = count <= 256 ? small : tac_alloc(count * sizeof *truth);
    for (uint32_t i = 0; i < count; i++) {
        tac_rules_node node = rules->nodes[predicate.first + i];
        uint8_t operands = rules_operators[node.op].operands;
        if (node.op == TAC_RULES_VARIABLE)
            truth[i] = values[node.left] == '1';
        else if (node.op == TAC_RULES_RULE)
            truth[i] = rules_predicate_holds(rules, rules->rules[node.left].when, values);
        else
            truth[i] =
                rules_operator_holds(node.op, operands > 0 && truth[node.left - predicate.first],
                                     operands > 1 && truth[node.right - predicate.first]);
    }
    bool result = truth[count - 1];
    if (truth != small)
        free(truth);
    return result;
}

bool rules_input_is_valid(const tac_rules *rules, const char *values)
{
    for (uint32_t i = 0; i < rules->constraint_count; i++)
        if (!rules_predicate_holds(rules, rules->constraints[i].holds, values))
            return false;
    return true;
}

uint32_t rules_triggered_edge(const tac_rules *rules, uint32_t state, const char *values)
{
    assert(state < rules->state_count);
    for_each_edge (e, &rules->states[state])
        if (rules_predicate_holds(rules, rules->rules[rules->edges[e].rule].when, values))
            return e;
    return TAC_RULES_NONE;
}

void rules_apply_action(const tac_rules *rules, const tac_rules_rule *rule, char *values)
{
    assert(rule->first_action + rule->action_count <= rules->action_count);
    for (uint32_t i = 0; i < rule->action_count; i++) {
        const tac_rules_action *action = &rules->actions[rule->first_action + i];
        values[action->variable] = action->value ? '1' : '0';
    }
}

bool rules_settle(const tac_rules *rules, uint32_t *state, char *values)
{
    assert(*state < rules->state_count && strlen(values) == rules->variable_count);
    uint32_t seen_state = *state;
    char *seen = tac_strdup(values);
    bool stable = false;
    for (uint64_t steps = 0, next_mark = 1;; steps++) {
        uint32_t edge = rules_triggered_edge(rules, *state, values);
        if (edge == TAC_RULES_NONE) {
            stable = true;
            break;
        }
        const tac_rules_rule *rule = &rules->rules[rules->edges[edge].rule];
        rules_apply_action(rules, rule, values);
        *state = rule->to;
        if (*state == seen_state && strcmp(values, seen) == 0)
            break;
        if (steps + 1 == next_mark) {
            next_mark *= 2;
            seen_state = *state;
            strcpy(seen, values);
        }
    }
    free(seen);
    return stable;
}
