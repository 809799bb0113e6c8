/* The enumerative engine: the paper's Algorithms 2 to 5 on explicit state matrices, with their
 * errors corrected (two transitions make a race; several triggered rules are all followed).
 *
 * The state matrix of a state gives for every input the set of triggered edges, as a number into a
 * table of the distinct sets of that state. What is known about a pair of state and input (ends,
 * never ends, both) is swept to its fixpoint (runs.c). Which inputs clash, break a constraint or
 * take a path is described by diagrams, as by the other engines. */
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

/* Algorithms 2 and 3. */
static void analyse_state(struct enumeration *x, uint32_t s)
{
    assert(s < x->run->rules->state_count);
    const tac_rules_state *state = &x->run->rules->states[s];
    uint64_t clashing = 0;
    for (uint64_t input = 0; input < x->m.inputs; input++) {
        size_t count;
        const uint32_t *edges = rules_fired_edges(x, s * x->m.inputs + input, &count);
        clashing += count > 1;
        for (size_t i = 0; i < count; i++)
            x->live[edges[i]] = true;
    }
    rules_count_set_u64(&x->run->out->states[s].nondeterministic, clashing);
    if (clashing)
        rules_report_clashes(x->run, &x->window, state->first_edge,
                             state->first_edge + state->edge_count, x->edges.trigger);
    for_each_edge (e, state)
        if (!x->live[e])
            rules_report_dead_rule(x->run, s, x->run->rules->edges[e].rule);
}

/* --- One transition --------------------------------------------------------------------------- */

/* Inputs of edge e after which something fires. */
static void follow_edge(struct enumeration *x, uint32_t s, uint32_t e)
{
    assert(x->run->rules->edges[e].state == s && x->live[e]);
    const tac_rules *rules = x->run->rules;
    const tac_rules_rule *rule = &rules->rules[rules->edges[e].rule];
    uint64_t unstable = 0;
    for (uint64_t input = 0; input < x->m.inputs; input++) {
        size_t count, next_count;
        const uint32_t *edges = rules_fired_edges(x, s * x->m.inputs + input, &count);
        bool fires = false;
        for (size_t i = 0; i < count; i++)
            fires = fires || edges[i] == e;
        if (!fires)
            continue;
        rules_fired_edges(x, rules_matrix_after(&x->m, s * x->m.inputs + input, e), &next_count);
        unstable += next_count > 0;
    }
    if (rule->action_count)
        rules_report_breach(x->run, &x->window, e, x->edges.trigger[e], x->edges.action[e]);
    if (unstable) {
        tac_rules_unstable triple = {.state = s, .rule = rules->edges[e].rule, .next = rule->to};
        rules_count_init(&triple.inputs);
        rules_count_set_u64(&triple.inputs, unstable);
        FINDINGS_PUSH(x->run->out, unstable, unstable_count, triple);
    }
}

/* What triggers each edge, as diagrams. */
static void make_sets(struct enumeration *x)
{
    const tac_rules *rules = x->run->rules;
    x->edges = (struct edge_sets){.window = &x->window,
                                  .trigger = tac_bdd_places(rules->edge_count),
                                  .enabled = tac_bdd_places(rules->state_count),
                                  .action = tac_bdd_places(rules->edge_count)};
    for (uint32_t s = 0; s < rules->state_count; s++) {
        size_t scope = tac_bdd_scope();
        struct firing firing = {TAC_BDD_FALSE, TAC_BDD_FALSE};
        for_each_edge (e, &rules->states[s]) {
            const tac_rules_rule *rule = &rules->rules[rules->edges[e].rule];
            tac_bdd_hold(&x->edges.trigger[e],
                         rules_window_trigger(&x->window, &rules->states[s], e, &firing));
            tac_bdd_hold(&x->edges.action[e], rules_window_action(&x->window, rule));
        }
        tac_bdd_hold(&x->edges.enabled[s], firing.level);
        tac_bdd_leave(scope);
    }
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
    make_sets(&x);
    double start = rules_now();
    tac_status status = prepare(&x, err);
    run->out->statistics.prepare_ms = (rules_now() - start) * 1e3;
    start = rules_now();
    for (uint32_t s = 0; s < rules->state_count && !status; s++)
        analyse_state(&x, s);
    for (uint32_t e = 0; e < rules->edge_count && !status; e++)
        if (x.live[e])
            follow_edge(&x, rules->edges[e].state, e);
    if (!status)
        rules_report_reachability(run, x.live);
    run->out->statistics.detect_ms = (rules_now() - start) * 1e3;
    start = rules_now();
    if (!status)
        status = rules_enumerate_runs(&x, err);
    run->out->statistics.exact_ms = (rules_now() - start) * 1e3;
    tac_bdd_places_free(x.edges.trigger, rules->edge_count);
    tac_bdd_places_free(x.edges.enabled, rules->state_count);
    tac_bdd_places_free(x.edges.action, rules->edge_count);
    rules_window_close(&x.window);
    rules_matrix_close(&x.m);
    tac_names_free(&x.sets);
    free(x.live);
    return status;
}
