/* Explicit sets of inputs: see matrix.h. */
#include "rules/engine/matrix.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/edges.h"
#include "rules/language/operator.h"
#include <string.h>

/* Truth of variable v on the inputs 64*word .. 64*word+63. */
static uint64_t variable_word(uint32_t v, size_t word)
{
    static const uint64_t patterns[] = {0xaaaaaaaaaaaaaaaau, 0xccccccccccccccccu,
                                        0xf0f0f0f0f0f0f0f0u, 0xff00ff00ff00ff00u,
                                        0xffff0000ffff0000u, 0xffffffff00000000u};
    if (v < 6)
        return patterns[v];
    return word >> (v - 6) & 1 ? UINT64_MAX : 0;
}

static const uint64_t *rule_set(struct matrix *m, uint32_t rule)
{
    assert(rule < m->rules->rule_count);
    if (!m->rule[rule])
        m->rule[rule] = rules_matrix_predicate(m, m->rules->rules[rule].when);
    return m->rule[rule];
}

static uint64_t evaluate(const struct matrix *m, tac_rules_predicate predicate, size_t word,
                         uint64_t *truth)
{
    for (uint32_t i = predicate.first; i <= predicate.root; i++) {
        tac_rules_node node = m->rules->nodes[i];
        uint8_t operands = rules_operators[node.op].operands;
        uint64_t value;
        if (node.op == TAC_RULES_VARIABLE)
            value = variable_word(node.left, word);
        else if (node.op == TAC_RULES_RULE)
            value = m->rule[node.left][word];
        else
            value =
                rules_operator_word(node.op, operands > 0 ? truth[node.left - predicate.first] : 0,
                                    operands > 1 ? truth[node.right - predicate.first] : 0);
        truth[i - predicate.first] = value;
    }
    return truth[predicate.root - predicate.first];
}

uint64_t *rules_matrix_predicate(struct matrix *m, tac_rules_predicate predicate)
{
    assert(predicate.first <= predicate.root && predicate.root < m->rules->node_count);
    uint32_t count = predicate.root - predicate.first + 1;
    uint64_t *truth = tac_calloc(count, sizeof *truth);
    uint64_t *set = tac_bits_new(m->words * 64);
    for (uint32_t i = predicate.first; i <= predicate.root; i++)
        if (m->rules->nodes[i].op == TAC_RULES_RULE)
            rule_set(m, m->rules->nodes[i].left);
    for (size_t word = 0; word < m->words; word++)
        set[word] = evaluate(m, predicate, word, truth);
    if (m->inputs < 64)
        set[0] &= ((uint64_t)1 << m->inputs) - 1;
    free(truth);
    return set;
}

tac_status rules_matrix_open(struct matrix *m, const tac_rules *rules, bool ignore_constraints,
                             size_t max_bytes, size_t extra_bytes, tac_error *err)
{
    memset(m, 0, sizeof *m);
    size_t limit = max_bytes ? max_bytes : MATRIX_DEFAULT_BYTES;
    if (rules->variable_count > MATRIX_MAX_VARIABLES)
        return tac_fail(err, TAC_E_LIMIT,
                        "looking at every input one by one is possible up to %u variables, and "
                        "there are %u",
                        MATRIX_MAX_VARIABLES, rules->variable_count);
    m->rules = rules;
    m->variables = rules->variable_count;
    m->inputs = (uint64_t)1 << m->variables;
    m->words = (size_t)((m->inputs + 63) / 64);
    double bytes =
        (double)m->words * 8 * (rules->rule_count + 8) + (double)extra_bytes * (double)m->inputs;
    if (bytes > (double)limit)
        return tac_fail(err, TAC_E_LIMIT,
                        "looking at every input one by one needs %.0f MB here, and %.0f MB are "
                        "allowed",
                        bytes / 1e6, (double)limit / 1e6);
    m->rule = tac_calloc(rules->rule_count + 1, sizeof *m->rule);
    for (uint32_t r = 0; r < rules->rule_count; r++)
        rule_set(m, r);
    m->valid = tac_bits_new(m->words * 64);
    memset(m->valid, 0xff, m->words * 8);
    if (m->inputs < 64)
        m->valid[0] &= ((uint64_t)1 << m->inputs) - 1;
    for (uint32_t i = 0; i < rules->constraint_count && !ignore_constraints; i++) {
        uint64_t *holds = rules_matrix_predicate(m, rules->constraints[i].holds);
        for (size_t word = 0; word < m->words; word++)
            m->valid[word] &= holds[word];
        free(holds);
    }
    return TAC_OK;
}

void rules_matrix_close(struct matrix *m)
{
    for (uint32_t r = 0; m->rule && r < m->rules->rule_count; r++)
        free(m->rule[r]);
    free(m->rule);
    free(m->valid);
    free(m->target);
    memset(m, 0, sizeof *m);
}

static uint64_t rules_matrix_apply(const tac_rules *rules, const tac_rules_rule *rule,
                                   uint64_t input)
{
    assert(rule->first_action + rule->action_count <= rules->action_count);
    for (uint32_t i = 0; i < rule->action_count; i++) {
        const tac_rules_action *action = &rules->actions[rule->first_action + i];
        uint64_t bit = (uint64_t)1 << action->variable;
        input = action->value ? input | bit : input & ~bit;
    }
    return input;
}

size_t rules_matrix_fired(const struct matrix *m, uint64_t pair, uint32_t *edges)
{
    const tac_rules *rules = m->rules;
    size_t count = 0;
    for_each_edge (e, &rules->states[pair / m->inputs]) {
        const tac_rules_rule *rule = &rules->rules[rules->edges[e].rule];
        if (count && rule->priority != rules->rules[rules->edges[edges[0]].rule].priority)
            break;
        if (tac_bits_get(m->rule[rules->edges[e].rule], pair % m->inputs))
            edges[count++] = e;
    }
    return count;
}

uint64_t rules_matrix_after(const struct matrix *m, uint64_t pair, uint32_t edge)
{
    const tac_rules_rule *rule = &m->rules->rules[m->rules->edges[edge].rule];
    return rule->to * m->inputs + rules_matrix_apply(m->rules, rule, pair % m->inputs);
}
