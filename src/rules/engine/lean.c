/* The lean engine (the default): one diagram T(S,R) = predicate and not higher for each rule of a
 * state, one Enabled(S), no bits for states or rules, reachability over live edges.
 *
 * Each state is analysed in a window of the variables that its own rules and those of its
 * successors use (diagram.h), in the order in which they are met: the triggers of the state
 * depend on the top of the order, what its successors add lies below, so the diagrams grow by sums
 * and not by products, and counts are exact for any number of variables. Rule sets of few variables
 * share one whole window, where every predicate is translated once.
 *
 * Cost: linear in the edges, each with the size of its window. */
#include "rules/engine/lean.h"
#include "base/check.h"
#include "rules/edges.h"
#include <stdlib.h>

#define WHOLE_WINDOW 64    /* variables up to which there is one window */
#define WIDE_COMPONENT 256 /* constraints that tie more than this make small windows useless */

static void open_state_window(struct lean *l, uint32_t s)
{
    assert(!l->whole && s < l->run->rules->state_count);
    const tac_rules *rules = l->run->rules;
    const tac_rules_state *state = &rules->states[s];
    uint32_t end = state->first_edge + state->edge_count;
    rules_window_clear(&l->window);
    for (uint32_t e = state->first_edge; e < end; e++) {
        const tac_rules_rule *rule = &rules->rules[rules->edges[e].rule];
        rules_window_add_rule(&l->window, rules->edges[e].rule);
        for (uint32_t a = 0; a < rule->action_count; a++)
            rules_window_add_variable(&l->window, rules->actions[rule->first_action + a].variable);
    }
    for (uint32_t e = state->first_edge; e < end; e++) {
        for_each_edge (n, &rules->states[rules->rules[rules->edges[e].rule].to])
            rules_window_add_rule(&l->window, rules->edges[n].rule);
    }
    rules_window_seal(&l->window);
}

/* The inputs that trigger anything in the state. */
static tac_bdd enabled_in(struct lean *l, uint32_t s)
{
    assert(s < l->run->rules->state_count);
    if (l->enabled_stamp[s] == l->window.stamp)
        return l->enabled[s];
    size_t scope = tac_bdd_scope();
    tac_bdd any = TAC_BDD_FALSE;
    for_each_edge (e, &l->run->rules->states[s])
        any = tac_bdd_or(any, rules_window_rule(&l->window, l->run->rules->edges[e].rule));
    any = tac_bdd_keep(tac_bdd_and(any, l->window.valid));
    tac_bdd_leave(scope);
    tac_vec_push(&l->window.scratch, any);
    l->enabled[s] = any;
    l->enabled_stamp[s] = l->window.stamp;
    return any;
}

/* Triggers of all edges of the state, level by level; clashes within a level. */
static void trigger_state(struct lean *l, uint32_t s)
{
    assert(s < l->run->rules->state_count);
    const tac_rules *rules = l->run->rules;
    const tac_rules_state *state = &rules->states[s];
    uint32_t end = state->first_edge + state->edge_count;
    tac_bdd higher = TAC_BDD_FALSE, clash = TAC_BDD_FALSE;
    for (uint32_t first = state->first_edge, next; first < end; first = next) {
        tac_bdd level = TAC_BDD_FALSE, level_clash = TAC_BDD_FALSE;
        for (next = first; next < end && same_level(rules, first, next); next++) {
            tac_bdd wanted = tac_bdd_and(l->window.valid,
                                         rules_window_rule(&l->window, rules->edges[next].rule));
            tac_bdd fires = tac_bdd_diff(wanted, higher);
            l->trigger[next] = fires;
            l->live[next] = fires != TAC_BDD_FALSE;
            if (!l->live[next])
                rules_report_dead_rule(l->run, s, rules->edges[next].rule);
            if (level != TAC_BDD_FALSE)
                level_clash = tac_bdd_or(level_clash, tac_bdd_and(level, fires));
            level = tac_bdd_or(level, fires);
        }
        if (level_clash != TAC_BDD_FALSE && !tac_bdd_failed())
            rules_report_clashes(l->run, &l->window, first, next, l->trigger);
        clash = tac_bdd_or(clash, level_clash);
        higher = tac_bdd_or(higher, level);
    }
    rules_window_count(&l->window, clash, &l->run->out->states[s].nondeterministic);
}

/* What happens after one transition: stable, one, and the unstable triples. */
static void follow_state(struct lean *l, uint32_t s)
{
    assert(s < l->run->rules->state_count);
    const tac_rules *rules = l->run->rules;
    const tac_rules_state *state = &rules->states[s];
    for_each_edge (e, state) {
        const tac_rules_rule *rule = &rules->rules[rules->edges[e].rule];
        l->unstable[e] = TAC_BDD_FALSE;
        if (!l->live[e])
            continue;
        tac_bdd after = enabled_in(l, rule->to);
        if (rule->action_count) {
            tac_bdd action = rules_window_action(&l->window, rule);
            after = tac_bdd_restrict(after, action);
            rules_report_breach(l->run, &l->window, e, l->trigger[e], action);
        }
        l->unstable[e] = tac_bdd_and(l->trigger[e], after);
    }
    rules_report_transitions(l->run, &l->window, s, l->trigger, l->unstable);
}

static tac_status detect(struct lean *l, tac_error *err)
{
    const tac_rules *rules = l->run->rules;
    for (uint32_t s = 0; s < rules->state_count; s++) {
        const tac_rules_state *state = &rules->states[s];
        size_t scope = tac_bdd_scope();
        if (!l->whole)
            open_state_window(l, s);
        trigger_state(l, s);
        follow_state(l, s);
        for (uint32_t e = state->first_edge; l->whole && e < state->first_edge + state->edge_count;
             e++) {
            tac_bdd_keep(l->trigger[e]);
            tac_bdd_keep(l->unstable[e]);
        }
        for_each_edge (e, state)
            l->goes_on[e] = l->unstable[e] != TAC_BDD_FALSE;
        tac_bdd_leave(scope);
        tac_status status = tac_bdd_check("the analysis of the rules", err);
        if (status)
            return status;
        if (s % 64 == 0 && !tac_watch_tick(l->run->options->watch, "states", s, rules->state_count))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    }
    rules_report_reachability(l->run, l->live);
    return TAC_OK;
}

tac_status rules_engine_lean(struct rules_run *run, tac_error *err)
{
    const tac_rules *rules = run->rules;
    struct lean l = {.run = run};
    l.whole =
        rules->variable_count <= WHOLE_WINDOW || rules_components_widest(rules) > WIDE_COMPONENT;
    l.trigger = tac_arena_calloc(&l.memory, rules->edge_count + 1, sizeof *l.trigger);
    l.unstable = tac_arena_calloc(&l.memory, rules->edge_count + 1, sizeof *l.unstable);
    l.live = tac_arena_calloc(&l.memory, rules->edge_count + 1, sizeof *l.live);
    l.goes_on = tac_arena_calloc(&l.memory, rules->edge_count + 1, sizeof *l.goes_on);
    l.enabled = tac_arena_calloc(&l.memory, rules->state_count + 1, sizeof *l.enabled);
    l.enabled_stamp = tac_arena_calloc(&l.memory, rules->state_count + 1, sizeof *l.enabled_stamp);
    rules_window_open(&l.window, rules, run->components);
    double start = rules_now();
    if (l.whole)
        rules_window_seal_all(&l.window);
    tac_status status = detect(&l, err);
    run->out->statistics.detect_ms = (rules_now() - start) * 1e3 - run->out->statistics.describe_ms;
    start = rules_now();
    if (!status)
        rules_lean_exact(&l);
    run->out->statistics.exact_ms = (rules_now() - start) * 1e3;
    for (uint32_t e = 0; e < rules->edge_count && l.whole; e++) {
        tac_bdd_drop(l.trigger[e]);
        tac_bdd_drop(l.unstable[e]);
    }
    rules_window_close(&l.window);
    tac_arena_free(&l.memory);
    return status;
}
