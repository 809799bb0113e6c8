/* The enumerative engine: the paper's Algorithms 2 to 5 on explicit state matrices, with their
 * errors corrected (the loop of Algorithm 4 runs while there is a next state *and* it is new; two
 * transitions make a race; several triggered rules are all followed).
 *
 * The state matrix of a state gives for every input the set of triggered edges, as a number into a
 * table of the distinct sets of that state. Runs are followed over (state, input) pairs; what is
 * known about a pair (ends, never ends, both) is computed once, by a depth-first search with an
 * explicit stack over the strongly connected components of pairs. */
#include "rules/engine/enumerate.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "rules/edges.h"
#include <stdlib.h>
#include <string.h>

/* --- The state matrices ----------------------------------------------------------------------- */

/* Triggered edges of (state, input) as a set number; set 0 is empty. */
static void fill_state(struct enumeration *x, uint32_t s)
{
    assert(s < x->run->rules->state_count);
    uint32_t *fired = tac_calloc((size_t)x->run->rules->states[s].edge_count + 1, sizeof *fired);
    uint64_t first = s * x->m.inputs;
    for (uint64_t input = 0; input < x->m.inputs; input++) {
        size_t count =
            tac_bits_get(x->m.valid, input) ? rules_matrix_fired(&x->m, first + input, fired) : 0;
        x->m.target[first + input] = tac_names_intern_bytes(&x->sets, fired, count * sizeof *fired);
    }
    free(fired);
}

const uint32_t *rules_fired_edges(const struct enumeration *x, uint64_t pair, size_t *count)
{
    assert(pair < x->run->rules->state_count * x->m.inputs);
    uint32_t id = x->m.target[pair];
    *count = x->sets.length[id] / sizeof(uint32_t);
    return (const uint32_t *)(const void *)x->sets.text[id];
}

/* --- Nondeterminism, dead rules --------------------------------------------------------------- */

static tac_bdd diagram(struct enumeration *x, const uint64_t *set)
{
    return rules_matrix_diagram(&x->m, set);
}

static void report_clash(struct enumeration *x, uint32_t s, const uint32_t *edges, size_t count,
                         const uint64_t *set, bool group)
{
    assert(count >= 2);
    tac_rules_clash clash = {.state = s, .rule_count = count};
    clash.rules = tac_calloc(count, sizeof *clash.rules);
    for (size_t i = 0; i < count; i++)
        clash.rules[i] = x->run->rules->edges[edges[i]].rule;
    size_t scope = tac_bdd_scope();
    rules_window_inputs(&x->window, diagram(x, set), 0, &clash.inputs);
    tac_bdd_leave(scope);
    if (group)
        FINDINGS_PUSH(x->run->out, groups, group_count, clash);
    else
        FINDINGS_PUSH(x->run->out, pairs, pair_count, clash);
    x->run->out->deterministic = false;
}

/* Inputs of the state whose set of triggered edges contains a and b. */
static bool collect_pair(struct enumeration *x, uint32_t s, uint32_t a, uint32_t b, uint64_t *set)
{
    assert(a < b && b < x->run->rules->edge_count);
    bool any = false;
    memset(set, 0, x->m.words * 8);
    for (uint64_t input = 0; input < x->m.inputs; input++) {
        size_t count, both = 0;
        const uint32_t *edges = rules_fired_edges(x, s * x->m.inputs + input, &count);
        for (size_t i = 0; i < count; i++)
            both += edges[i] == a || edges[i] == b;
        if (both == 2) {
            tac_bits_set(set, input);
            any = true;
        }
    }
    return any;
}

static void find_clashes(struct enumeration *x, uint32_t s, const bool *used)
{
    const tac_rules_state *state = &x->run->rules->states[s];
    uint32_t end = state->first_edge + state->edge_count;
    uint64_t *set = tac_bits_new(x->m.words * 64);
    for (uint32_t a = state->first_edge; a < end; a++)
        for (uint32_t b = a + 1; b < end; b++)
            if (collect_pair(x, s, a, b, set))
                report_clash(x, s, (uint32_t[]){a, b}, 2, set, false);
    for (uint32_t id = 1; id < x->sets.count; id++) {
        size_t count = x->sets.length[id] / sizeof(uint32_t);
        if (!used[id] || count < 2)
            continue;
        memset(set, 0, x->m.words * 8);
        for (uint64_t input = 0; input < x->m.inputs; input++)
            if (x->m.target[(size_t)s * x->m.inputs + input] == id)
                tac_bits_set(set, input);
        report_clash(x, s, (const uint32_t *)(const void *)x->sets.text[id], count, set, true);
    }
    free(set);
}

/* Algorithms 2 and 3. */
static void analyse_state(struct enumeration *x, uint32_t s)
{
    assert(s < x->run->rules->state_count);
    bool *used = tac_calloc(x->sets.count + 1, sizeof *used);
    uint64_t clashing = 0;
    for (uint64_t input = 0; input < x->m.inputs; input++) {
        size_t count;
        const uint32_t *edges = rules_fired_edges(x, s * x->m.inputs + input, &count);
        used[x->m.target[(size_t)s * x->m.inputs + input]] = true;
        clashing += count > 1;
        for (size_t i = 0; i < count; i++)
            x->live[edges[i]] = true;
    }
    rules_count_set_u64(&x->run->out->states[s].nondeterministic, clashing);
    if (clashing)
        find_clashes(x, s, used);
    for_each_edge (e, &x->run->rules->states[s])
        if (!x->live[e])
            rules_report_dead_rule(x->run, s, x->run->rules->edges[e].rule);
    free(used);
}

/* --- One transition --------------------------------------------------------------------------- */

static void report_breach(struct enumeration *x, uint32_t s, uint32_t e, const uint64_t *set)
{
    tac_rules_breach breach = {.state = s, .rule = x->run->rules->edges[e].rule};
    size_t scope = tac_bdd_scope();
    rules_window_inputs(&x->window, diagram(x, set), 0, &breach.inputs);
    tac_bdd_leave(scope);
    FINDINGS_PUSH(x->run->out, breaches, breach_count, breach);
}

/* Inputs of edge e after which something fires (counted), and those whose action breaks a
 * constraint (reported). */
static void follow_edge(struct enumeration *x, uint32_t s, uint32_t e, uint64_t *broken)
{
    assert(x->run->rules->edges[e].state == s && x->live[e]);
    const tac_rules *rules = x->run->rules;
    const tac_rules_rule *rule = &rules->rules[rules->edges[e].rule];
    uint64_t unstable = 0, breaks = 0;
    memset(broken, 0, x->m.words * 8);
    for (uint64_t input = 0; input < x->m.inputs; input++) {
        size_t count, next_count;
        const uint32_t *edges = rules_fired_edges(x, s * x->m.inputs + input, &count);
        bool fires = false;
        for (size_t i = 0; i < count; i++)
            fires = fires || edges[i] == e;
        if (!fires)
            continue;
        uint64_t next = rules_matrix_after(&x->m, s * x->m.inputs + input, e);
        rules_fired_edges(x, next, &next_count);
        unstable += next_count > 0;
        if (!tac_bits_get(x->m.valid, next % x->m.inputs)) {
            tac_bits_set(broken, input);
            breaks++;
        }
    }
    if (breaks)
        report_breach(x, s, e, broken);
    if (unstable) {
        tac_rules_unstable triple = {.state = s, .rule = rules->edges[e].rule, .next = rule->to};
        rules_count_init(&triple.inputs);
        rules_count_set_u64(&triple.inputs, unstable);
        FINDINGS_PUSH(x->run->out, unstable, unstable_count, triple);
    }
}

static void follow_state(struct enumeration *x, uint32_t s)
{
    uint64_t *broken = tac_bits_new(x->m.words * 64);
    for_each_edge (e, &x->run->rules->states[s])
        if (x->live[e])
            follow_edge(x, s, e, broken);
    free(broken);
}

static tac_status prepare(struct enumeration *x, tac_error *err)
{
    const tac_rules *rules = x->run->rules;
    tac_status status =
        rules_matrix_open(&x->m, rules, x->run->ignore_constraints, x->run->options->max_bytes,
                          (size_t)rules->state_count * 32, err);
    if (status)
        return status;
    tac_names_intern_bytes(&x->sets, "", 0); /* the empty set is 0 */
    x->m.target = tac_calloc((size_t)rules->state_count * x->m.inputs + 1, sizeof *x->m.target);
    for (uint32_t s = 0; s < rules->state_count; s++) {
        fill_state(x, s);
        if (!tac_watch_tick(x->run->options->watch, "state matrices", s, rules->state_count))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    }
    return TAC_OK;
}

tac_status rules_engine_enumerative(struct rules_run *run, tac_error *err)
{
    const tac_rules *rules = run->rules;
    struct enumeration x = {.run = run};
    x.live = tac_calloc(rules->edge_count + 1, sizeof *x.live);
    rules_window_open(&x.window, rules, run->components);
    rules_window_seal_all(&x.window);
    double start = rules_now();
    tac_status status = prepare(&x, err);
    run->out->statistics.prepare_ms = (rules_now() - start) * 1e3;
    start = rules_now();
    for (uint32_t s = 0; s < rules->state_count && !status; s++)
        analyse_state(&x, s);
    for (uint32_t s = 0; s < rules->state_count && !status; s++)
        follow_state(&x, s);
    if (!status)
        rules_report_reachability(run, x.live);
    run->out->statistics.detect_ms = (rules_now() - start) * 1e3;
    start = rules_now();
    if (!status)
        status = rules_enumerate_runs(&x, err);
    run->out->statistics.exact_ms = (rules_now() - start) * 1e3;
    rules_window_close(&x.window);
    rules_matrix_close(&x.m);
    tac_names_free(&x.sets);
    free(x.live);
    return status;
}
