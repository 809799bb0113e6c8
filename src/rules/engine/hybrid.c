/* The paper's hybrid algorithms (7, 9, 11, 13) on one activation diagram per state, corrected:
 * Algorithm 7 walks the rules not yet explored; races and cycles are exact sets instead of pairs of
 * states. The peer that the lean engine is measured against. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/edges.h"
#include "rules/engine/activation.h"

/* The inputs of the state in which the rule is triggered, decoded from the activation. */
static void decode_state(struct activation *a, uint32_t s)
{
    assert(s < a->run->rules->state_count);
    const tac_rules *rules = a->run->rules;
    for_each_edge (e, &rules->states[s]) {
        size_t scope = tac_bdd_scope();
        tac_bdd rule = rules_encode_rule(a, rules->edges[e].rule);
        tac_bdd_hold(&a->trigger[e], tac_bdd_and_exists(a->of[s], rule, a->after_set));
        tac_bdd_leave(scope);
    }
    size_t scope = tac_bdd_scope();
    tac_bdd_hold(&a->enabled[s], tac_bdd_exists(a->of[s], a->after_set));
    tac_bdd_leave(scope);
}

/* Rules of one priority, as the groups that fire together. */
static void find_groups(struct activation *a, uint32_t s)
{
    const tac_rules *rules = a->run->rules;
    const tac_rules_state *state = &rules->states[s];
    uint32_t end = state->first_edge + state->edge_count;
    for (uint32_t first = state->first_edge, next; first < end; first = next) {
        for (next = first; next < end && same_level(rules, first, next); next++)
            ;
        rules_report_groups(a->run, &a->window, first, next, a->trigger);
    }
}

/* Algorithm 7: all pairs of rules of the state. */
static void find_nondeterminism(struct activation *a, uint32_t s)
{
    const tac_rules *rules = a->run->rules;
    const tac_rules_state *state = &rules->states[s];
    uint32_t end = state->first_edge + state->edge_count;
    tac_bdd clash = TAC_BDD_FALSE;
    size_t scope = tac_bdd_scope();
    for (uint32_t x = state->first_edge; x < end; x++)
        for (uint32_t y = x + 1; y < end; y++) {
            uint32_t r1 = rules->edges[x].rule, r2 = rules->edges[y].rule;
            assert(r1 < rules->rule_count && r2 < rules->rule_count);
            if (!same_level(rules, x, y))
                continue;
            tac_bdd overlap =
                tac_bdd_and(rules_window_rule(&a->window, r1), rules_window_rule(&a->window, r2));
            tac_bdd fault = tac_bdd_and(tac_bdd_and(overlap, a->of[s]), rules_encode_rule(a, r1));
            if (fault == TAC_BDD_FALSE)
                continue;
            tac_bdd inputs = tac_bdd_exists(fault, a->after_set);
            rules_report_pair(a->run, &a->window, s, r1, r2, inputs);
            clash = tac_bdd_or(clash, inputs);
        }
    if (clash != TAC_BDD_FALSE)
        find_groups(a, s);
    rules_window_count(&a->window, clash, &a->run->out->states[s].nondeterministic);
    tac_bdd_leave(scope);
}

/* Algorithm 9. */
static void find_dead(struct activation *a, uint32_t s, bool *live)
{
    const tac_rules *rules = a->run->rules;
    for_each_edge (e, &rules->states[s]) {
        size_t scope = tac_bdd_scope();
        live[e] =
            tac_bdd_and(a->of[s], rules_encode_rule(a, rules->edges[e].rule)) != TAC_BDD_FALSE;
        tac_bdd_leave(scope);
        if (!live[e])
            rules_report_dead_rule(a->run, s, rules->edges[e].rule);
    }
}

/* Algorithm 11: what the rule leads to is compared with the activation of the next state. */
static void find_unstable(struct activation *a, uint32_t s, tac_bdd *unstable)
{
    const tac_rules *rules = a->run->rules;
    for_each_edge (e, &rules->states[s]) {
        uint32_t r = rules->edges[e].rule;
        size_t scope = tac_bdd_scope();
        tac_bdd taken = tac_bdd_and(a->of[s], rules_encode_rule(a, r));
        tac_bdd future = tac_bdd_rename(a->enabled[rules->rules[r].to], a->advance);
        tac_bdd_hold(&unstable[e], tac_bdd_and_exists(taken, future, a->after_set));
        tac_bdd_leave(scope);
    }
}

/* Algorithm 13. */
static void find_unreachable(struct activation *a, const bool *live)
{
    const tac_rules *rules = a->run->rules;
    uint32_t count = rules->state_count;
    bool *unreached = tac_calloc(count + 1, sizeof *unreached);
    uint32_t *queue = tac_calloc(count + 1, sizeof *queue);
    size_t head = 0, tail = 0;
    for (uint32_t s = 0; s < count; s++)
        unreached[s] = s != rules->initial;
    queue[tail++] = rules->initial;
    while (head < tail) {
        assert(tail <= count);
        uint32_t s = queue[head++];
        for (uint32_t k = 0; k < count; k++) {
            if (!unreached[k])
                continue;
            size_t scope = tac_bdd_scope();
            if (tac_bdd_and(a->of[s], rules_encode_next(a, k)) != TAC_BDD_FALSE) {
                unreached[k] = false;
                queue[tail++] = k;
            }
            tac_bdd_leave(scope);
        }
    }
    rules_report_reachability(a->run, live);
    for (uint32_t s = 0; s < count; s++)
        a->run->out->states[s].unreachable = unreached[s];
    free(unreached);
    free(queue);
}

/* --- Races and cycles ------------------------------------------------------------------------- */

/* The next states' sets as one relation over next state and next input. */
static tac_bdd next_relation(struct activation *a, const tac_bdd *sets, uint64_t start)
{
    size_t scope = tac_bdd_scope();
    tac_bdd relation = TAC_BDD_FALSE;
    for (uint32_t s = 0;
         s < a->run->rules->state_count && rules_within_budget(a->run, start, a->run->work); s++) {
        tac_bdd here = tac_bdd_and(rules_encode_next(a, s), tac_bdd_rename(sets[s], a->advance));
        relation = tac_bdd_leave_with(scope, tac_bdd_or(relation, here));
    }
    return relation;
}

/* One step back from `sets` in every state; false when the budget is spent. */
static bool step_back(struct activation *a, const tac_bdd *sets, tac_bdd *out, bool or_resting,
                      uint64_t start, bool *changed)
{
    size_t scope = tac_bdd_scope();
    tac_bdd relation = next_relation(a, sets, start);
    *changed = false;
    for (uint32_t s = 0;
         s < a->run->rules->state_count && rules_within_budget(a->run, start, a->run->work); s++) {
        size_t inner = tac_bdd_scope();
        tac_bdd back = tac_bdd_and_exists(a->of[s], relation, a->after_set);
        if (or_resting)
            back = tac_bdd_or(back, tac_bdd_not(a->enabled[s]));
        *changed = *changed || back != out[s];
        tac_bdd_hold(&out[s], back);
        tac_bdd_leave(inner);
    }
    tac_bdd_leave(scope);
    return rules_within_budget(a->run, start, a->run->work);
}

static bool solve(struct activation *a, tac_bdd *cycle, tac_bdd *ends, tac_bdd *more, tac_bdd *race)
{
    uint64_t start = rules_work_now();
    assert(cycle != ends && more != race);
    bool changed = true, fine = true;
    for (uint32_t s = 0; s < a->run->rules->state_count; s++) {
        tac_bdd_hold(&cycle[s], a->enabled[s]);
        size_t scope = tac_bdd_scope();
        tac_bdd_hold(&ends[s], tac_bdd_not(a->enabled[s]));
        tac_bdd_leave(scope);
    }
    while (changed && fine)
        fine = step_back(a, cycle, cycle, false, start, &changed);
    for (changed = true; changed && fine;)
        fine = step_back(a, ends, ends, true, start, &changed);
    fine = fine && step_back(a, ends, more, false, start, &changed);
    return fine && step_back(a, more, race, false, start, &changed);
}

static void find_races(struct activation *a)
{
    uint32_t count = a->run->rules->state_count;
    tac_bdd *sets[4];
    for (int i = 0; i < 4; i++)
        sets[i] = tac_bdd_places(count);
    tac_bdd_budget(rules_exact_nodes(a->run));
    bool fine = rules_activation_worthwhile(a) && solve(a, sets[0], sets[1], sets[2], sets[3]);
    for (uint32_t s = 0; s < count && fine; s++) {
        rules_window_count(&a->window, sets[3][s], &a->run->out->states[s].race);
        rules_window_count(&a->window, sets[0][s], &a->run->out->states[s].cycle);
    }
    tac_bdd_recover();
    for (int i = 0; i < 4; i++)
        tac_bdd_places_free(sets[i], count);
    rules_activation_paths(a, fine);
    tac_bdd_budget(0);
}

static tac_status detect(struct activation *a, bool *live, tac_bdd *unstable, tac_error *err)
{
    const tac_rules *rules = a->run->rules;
    for (uint32_t s = 0; s < rules->state_count && !tac_bdd_failed(); s++)
        decode_state(a, s);
    for (uint32_t s = 0; s < rules->state_count && !tac_bdd_failed(); s++) {
        find_nondeterminism(a, s);
        find_dead(a, s, live);
        find_unstable(a, s, unstable);
        rules_activation_report(a, s, unstable);
        if (!tac_watch_tick(a->run->options->watch, "states", s, rules->state_count))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    }
    if (!tac_bdd_failed())
        find_unreachable(a, live);
    return tac_bdd_check("the hybrid analysis", err);
}

tac_status rules_engine_hybrid(struct rules_run *run, tac_error *err)
{
    struct activation a;
    const tac_rules *rules = run->rules;
    bool *live = tac_calloc(rules->edge_count + 1, sizeof *live);
    tac_bdd *unstable = tac_bdd_places(rules->edge_count);
    double start = rules_now();
    tac_status status = rules_activation_open(&a, run, err);
    if (!status)
        status = detect(&a, live, unstable, err);
    run->out->statistics.activation_nodes = (double)a.nodes / rules->state_count;
    run->out->statistics.activation_paths = a.paths / rules->state_count;
    run->out->statistics.detect_ms = (rules_now() - start) * 1e3 - run->out->statistics.describe_ms;
    start = rules_now();
    if (!status)
        find_races(&a);
    run->out->statistics.exact_ms = (rules_now() - start) * 1e3;
    tac_bdd_places_free(unstable, rules->edge_count);
    rules_activation_close(&a);
    free(live);
    return status;
}
