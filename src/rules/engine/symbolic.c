/* The paper's fully symbolic algorithms (6, 8, 10, 12) on one global activation diagram over state,
 * context, rule, next state and next context, corrected: Algorithm 6 reports a rule that has one
 * other beside it; Algorithm 10 compares with the activations of the next state; races and cycles
 * are exact sets. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/edges.h"
#include "rules/engine/activation.h"

struct symbolic {
    struct activation a;
    tac_bdd global;  /* the global activation; kept */
    tac_bdd enabled; /* over state and context; kept */
    bool *live;
    tac_bdd *unstable; /* by edge; kept */
};

static void build_global(struct symbolic *y)
{
    struct activation *a = &y->a;
    size_t scope = tac_bdd_scope();
    tac_bdd global = TAC_BDD_FALSE;
    for (uint32_t s = 0; s < a->run->rules->state_count && !tac_bdd_failed(); s++) {
        tac_bdd here = tac_bdd_and(rules_encode_state(a, s), a->of[s]);
        global = tac_bdd_leave_with(scope, tac_bdd_or(global, here));
    }
    tac_bdd_hold(&y->global, global);
    tac_bdd_hold(&y->enabled, tac_bdd_exists(global, a->after_set));
    tac_bdd_leave(scope);
}

/* The part of a set over (state, context) that belongs to the state, over the context. */
static tac_bdd in_state(const struct symbolic *y, tac_bdd set, uint32_t s)
{
    assert(s < y->a.run->rules->state_count);
    return tac_bdd_and_exists(set, rules_encode_state(&y->a, s), y->a.state_set);
}

/* Algorithm 6. The activation in the state keeps the rule bits; a pair is reported once. */
static void find_nondeterminism(struct symbolic *y, uint32_t s, tac_bdd without_next)
{
    struct activation *a = &y->a;
    const tac_rules *rules = a->run->rules;
    const tac_rules_state *state = &rules->states[s];
    uint32_t end = state->first_edge + state->edge_count;
    size_t scope = tac_bdd_scope();
    tac_bdd here = in_state(y, without_next, s), clash = TAC_BDD_FALSE;
    for (uint32_t e = state->first_edge; e < end; e++) {
        size_t inner = tac_bdd_scope();
        tac_bdd rule = rules_encode_rule(a, rules->edges[e].rule);
        tac_bdd_hold(&a->trigger[e], tac_bdd_and_exists(here, rule, a->rule_set));
        tac_bdd_leave(inner);
    }
    tac_bdd_hold(&a->enabled[s], tac_bdd_exists(here, a->rule_set));
    for (uint32_t e = state->first_edge; e < end; e++) {
        tac_bdd with_rule = tac_bdd_and(here, a->trigger[e]);
        for (uint32_t other = e + 1; other < end; other++) {
            tac_bdd overlap =
                tac_bdd_and(with_rule, rules_encode_rule(a, rules->edges[other].rule));
            if (overlap == TAC_BDD_FALSE)
                continue;
            tac_bdd inputs = tac_bdd_exists(overlap, a->rule_set);
            rules_report_pair(a->run, &a->window, s, rules->edges[e].rule, rules->edges[other].rule,
                              inputs);
            clash = tac_bdd_or(clash, inputs);
        }
    }
    if (clash != TAC_BDD_FALSE)
        rules_report_groups(a->run, &a->window, state->first_edge, end, a->trigger);
    rules_window_count(&a->window, clash, &a->run->out->states[s].nondeterministic);
    tac_bdd_leave(scope);
}

/* Algorithm 8. */
static void find_dead(struct symbolic *y, uint32_t s)
{
    struct activation *a = &y->a;
    const tac_rules *rules = a->run->rules;
    size_t scope = tac_bdd_scope();
    tac_bdd here = tac_bdd_and(y->global, rules_encode_state(a, s));
    for_each_edge (e, &rules->states[s]) {
        tac_bdd rule = rules_encode_rule(a, rules->edges[e].rule);
        y->live[e] = tac_bdd_and(here, rule) != TAC_BDD_FALSE;
        if (!y->live[e])
            rules_report_dead_rule(a->run, s, rules->edges[e].rule);
    }
    tac_bdd_leave(scope);
}

/* Algorithm 10: the transitions after which something fires, decoded by state and rule. */
static void find_unstable(struct symbolic *y)
{
    struct activation *a = &y->a;
    const tac_rules *rules = a->run->rules;
    size_t scope = tac_bdd_scope();
    tac_bdd future = tac_bdd_rename(y->enabled, a->advance);
    tac_bdd fault = tac_bdd_and_exists(y->global, future, tac_bdd_and(a->next_set, a->copy_set));
    for (uint32_t s = 0; s < rules->state_count && !tac_bdd_failed(); s++) {
        size_t inner = tac_bdd_scope();
        tac_bdd here = in_state(y, fault, s);
        for_each_edge (e, &rules->states[s]) {
            tac_bdd rule = rules_encode_rule(a, rules->edges[e].rule);
            tac_bdd_hold(&y->unstable[e], tac_bdd_and_exists(here, rule, a->rule_set));
        }
        tac_bdd_leave(inner);
        rules_activation_report(a, s, y->unstable);
    }
    tac_bdd_leave(scope);
}

/* Algorithm 12. */
static void find_unreachable(struct symbolic *y)
{
    struct activation *a = &y->a;
    const tac_rules *rules = a->run->rules;
    size_t scope = tac_bdd_scope();
    tac_bdd rest = tac_bdd_and(a->context_set, tac_bdd_and(a->rule_set, a->copy_set));
    tac_bdd moves = tac_bdd_exists(y->global, rest);
    tac_bdd explore = rules_encode_state(a, rules->initial), unexplored = TAC_BDD_TRUE;
    while (explore != TAC_BDD_FALSE && !tac_bdd_failed()) {
        unexplored = tac_bdd_diff(unexplored, explore);
        tac_bdd next = tac_bdd_and_exists(moves, explore, a->state_set);
        explore = tac_bdd_and(tac_bdd_rename(next, a->go_back), unexplored);
    }
    rules_report_reachability(a->run, y->live);
    for (uint32_t s = 0; s < rules->state_count; s++)
        a->run->out->states[s].unreachable =
            tac_bdd_and(unexplored, rules_encode_state(a, s)) != TAC_BDD_FALSE;
    tac_bdd_leave(scope);
}

/* --- Races and cycles ------------------------------------------------------------------------- */

static tac_bdd step_back(const struct symbolic *y, tac_bdd set)
{
    return tac_bdd_and_exists(y->global, tac_bdd_rename(set, y->a.advance), y->a.after_set);
}

/* cycle: greatest solution of X = back(X); ends: least solution of X = resting or back(X). */
static bool solve(struct symbolic *y, tac_bdd *cycle, tac_bdd *race)
{
    uint64_t start = rules_work_now();
    tac_bdd resting = tac_bdd_not(y->enabled), old, set = y->enabled;
    do {
        old = set;
        set = step_back(y, old);
    } while (set != old && rules_within_budget(y->a.run, start, y->a.run->work));
    *cycle = set;
    /* what never rests can take a step */
    assert_costly(tac_bdd_failed() || tac_bdd_diff(set, y->enabled) == TAC_BDD_FALSE);
    tac_bdd ends = resting;
    do {
        old = ends;
        ends = tac_bdd_or(resting, step_back(y, old));
    } while (ends != old && rules_within_budget(y->a.run, start, y->a.run->work));
    *race = step_back(y, step_back(y, ends));
    return rules_within_budget(y->a.run, start, y->a.run->work);
}

static void find_races(struct symbolic *y)
{
    struct activation *a = &y->a;
    tac_bdd cycle, race;
    size_t scope = tac_bdd_scope();
    tac_bdd_budget(rules_exact_nodes(a->run));
    bool fine = rules_activation_worthwhile(a) && solve(y, &cycle, &race);
    for (uint32_t s = 0; s < a->run->rules->state_count && fine; s++) {
        size_t inner = tac_bdd_scope();
        rules_window_count(&a->window, in_state(y, race, s), &a->run->out->states[s].race);
        rules_window_count(&a->window, in_state(y, cycle, s), &a->run->out->states[s].cycle);
        tac_bdd_leave(inner);
    }
    tac_bdd_leave(scope);
    tac_bdd_recover();
    rules_activation_paths(a, fine);
    tac_bdd_budget(0);
}

static tac_status detect(struct symbolic *y, tac_error *err)
{
    struct activation *a = &y->a;
    const tac_rules *rules = a->run->rules;
    build_global(y);
    a->run->out->statistics.activation_nodes = (double)tac_bdd_node_count(y->global);
    a->run->out->statistics.activation_paths = tac_bdd_path_count(y->global);
    size_t scope = tac_bdd_scope();
    tac_bdd without_next = tac_bdd_exists(y->global, tac_bdd_and(a->next_set, a->copy_set));
    for (uint32_t s = 0; s < rules->state_count && !tac_bdd_failed(); s++) {
        find_nondeterminism(y, s, without_next);
        find_dead(y, s);
        if (!tac_watch_tick(a->run->options->watch, "states", s, rules->state_count))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    }
    tac_bdd_leave(scope);
    if (!tac_bdd_failed())
        find_unstable(y);
    if (!tac_bdd_failed())
        find_unreachable(y);
    return tac_bdd_check("the symbolic analysis", err);
}

tac_status rules_engine_symbolic(struct rules_run *run, tac_error *err)
{
    struct symbolic y = {0};
    const tac_rules *rules = run->rules;
    y.live = tac_calloc(rules->edge_count + 1, sizeof *y.live);
    y.unstable = tac_bdd_places(rules->edge_count);
    double start = rules_now();
    tac_status status = rules_activation_open(&y.a, run, err);
    if (!status)
        status = detect(&y, err);
    run->out->statistics.detect_ms = (rules_now() - start) * 1e3 - run->out->statistics.describe_ms;
    start = rules_now();
    if (!status)
        find_races(&y);
    run->out->statistics.exact_ms = (rules_now() - start) * 1e3;
    tac_bdd_places_free(y.unstable, rules->edge_count);
    tac_bdd_drop(y.global);
    tac_bdd_drop(y.enabled);
    rules_activation_close(&y.a);
    free(y.live);
    return status;
}
