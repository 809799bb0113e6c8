/* Why a rule is dead, and which expectations are not met. Both work on diagrams of their own, after
 * the engine has found the facts.
 *
 * A dead rule is unsatisfiable, or pre-empted: then a set of higher rules is sought that covers its
 * predicate and loses that if any one of them is left out.
 *
 * expect STATE when P: A(S), the inputs from which every run ends in STATE, is the least solution
 * of A(S) = (S is STATE and nothing fires) or (something fires, and every triggered edge leads to
 * A(next)[action]). Valid inputs of P outside A(S) are reported for every state S. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/check/check.h"
#include "rules/edges.h"
#include "rules/engine/simulate.h"
#include <string.h>

/* --- Dead rules ------------------------------------------------------------------------------- */

static bool covered(struct window *window, const uint32_t *by, size_t count, size_t without,
                    tac_bdd wanted)
{
    assert(without < count);
    size_t scope = tac_bdd_scope();
    for (size_t i = 0; i < count; i++)
        if (i != without)
            wanted = tac_bdd_diff(wanted, rules_window_rule(window, by[i]));
    tac_bdd_leave(scope);
    return wanted == TAC_BDD_FALSE;
}

static void explain_dead_rule(struct rules_run *run, struct window *window,
                              tac_rules_dead_rule *dead)
{
    assert(dead->state < run->rules->state_count && dead->rule < run->rules->rule_count);
    const tac_rules *rules = run->rules;
    const tac_rules_state *state = &rules->states[dead->state];
    uint32_t priority = rules->rules[dead->rule].priority, end = state->first_edge;
    while (rules->rules[rules->edges[end].rule].priority < priority)
        end++;
    rules_window_clear(window);
    rules_window_add_rule(window, dead->rule);
    for (uint32_t e = state->first_edge; e < end; e++)
        rules_window_add_rule(window, rules->edges[e].rule);
    rules_window_seal(window);
    size_t scope = tac_bdd_scope();
    tac_bdd wanted = tac_bdd_and(window->valid, rules_window_rule(window, dead->rule));
    dead->unsatisfiable = wanted == TAC_BDD_FALSE;
    dead->by = tac_calloc((size_t)state->edge_count + 1, sizeof *dead->by);
    for (uint32_t e = state->first_edge; e < end && !dead->unsatisfiable; e++)
        if (!tac_bdd_disjoint(wanted, rules_window_rule(window, rules->edges[e].rule)))
            dead->by[dead->by_count++] = rules->edges[e].rule;
    for (size_t i = 0; i < dead->by_count && dead->by_count > 1;)
        if (covered(window, dead->by, dead->by_count, i, wanted)) {
            memmove(dead->by + i, dead->by + i + 1, (dead->by_count - i - 1) * sizeof *dead->by);
            dead->by_count--;
        } else {
            i++;
        }
    tac_bdd_leave(scope);
}

tac_status rules_explain_dead_rules(struct rules_run *run, tac_error *err)
{
    struct window window;
    rules_window_open(&window, run->rules, run->components);
    for (size_t i = 0; i < run->out->dead_rule_count && !tac_bdd_failed(); i++)
        explain_dead_rule(run, &window, &run->out->dead_rules[i]);
    rules_window_close(&window);
    return tac_bdd_check("explaining the dead rules", err);
}

/* --- Expectations ----------------------------------------------------------------------------- */

struct settling {
    struct rules_run *run;
    struct window window;
    tac_bdd *trigger, *action; /* by edge, kept */
    tac_bdd *enabled, *all;    /* by state, kept */
    uint64_t start;
};

static void make_triggers(struct settling *s)
{
    const tac_rules *rules = s->run->rules;
    for (uint32_t i = 0; i < rules->state_count; i++) {
        const tac_rules_state *state = &rules->states[i];
        size_t scope = tac_bdd_scope();
        struct firing firing = {TAC_BDD_FALSE, TAC_BDD_FALSE};
        for_each_edge (e, state) {
            const tac_rules_rule *rule = &rules->rules[rules->edges[e].rule];
            tac_bdd_hold(&s->trigger[e], rules_window_trigger(&s->window, state, e, &firing));
            tac_bdd_hold(&s->action[e], rules_window_action(&s->window, rule));
        }
        tac_bdd_hold(&s->enabled[i], firing.level);
        tac_bdd_leave(scope);
    }
}

/* Inputs from which one round of triggered edges leads into `all`, or that already rest there. */
static tac_bdd step(const struct settling *s, uint32_t i, uint32_t target)
{
    assert(i < s->run->rules->state_count && target < s->run->rules->state_count);
    const tac_rules *rules = s->run->rules;
    tac_bdd good = s->enabled[i];
    for_each_edge (e, &rules->states[i]) {
        uint32_t to = rules->rules[rules->edges[e].rule].to;
        tac_bdd stray = tac_bdd_diff(s->trigger[e], tac_bdd_restrict(s->all[to], s->action[e]));
        good = tac_bdd_diff(good, stray);
    }
    return i == target ? tac_bdd_or(good, tac_bdd_not(s->enabled[i])) : good;
}

static void report_unmet(struct settling *s, uint32_t expectation)
{
    const tac_rules *rules = s->run->rules;
    const tac_rules_expectation *expected = &rules->expectations[expectation];
    size_t scope = tac_bdd_scope();
    tac_bdd when = tac_bdd_and(s->window.valid, rules_window_predicate(&s->window, expected->when));
    for (uint32_t i = 0; i < rules->state_count; i++) {
        tac_bdd stray = tac_bdd_diff(when, s->all[i]);
        if (stray == TAC_BDD_FALSE)
            continue;
        tac_rules_unmet unmet = {.expectation = expectation, .state = i, .ends_in = i};
        rules_window_inputs(&s->window, stray, 0, &unmet.inputs);
        char *values = tac_strdup(unmet.inputs.example);
        if (!rules_settle(rules, &unmet.ends_in, values))
            unmet.ends_in = TAC_RULES_NONE;
        free(values);
        FINDINGS_PUSH(s->run->out, unmet, unmet_count, unmet);
    }
    tac_bdd_leave(scope);
}

static bool check_expectation(struct settling *s, uint32_t expectation)
{
    assert(expectation < s->run->rules->expectation_count);
    const tac_rules *rules = s->run->rules;
    for (uint32_t i = 0; i < rules->state_count; i++)
        tac_bdd_hold(&s->all[i], TAC_BDD_FALSE);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < rules->state_count; i++) {
            if (!rules_within_budget(s->run, s->start, s->run->work))
                return false;
            size_t scope = tac_bdd_scope();
            tac_bdd next = step(s, i, rules->expectations[expectation].state);
            if (next != s->all[i]) {
                tac_bdd_hold(&s->all[i], next);
                changed = true;
            }
            tac_bdd_leave(scope);
        }
    }
    report_unmet(s, expectation);
    return !tac_bdd_failed();
}

void rules_check_expectations(struct rules_run *run)
{
    const tac_rules *rules = run->rules;
    if (rules->expectation_count == 0)
        return;
    struct settling s = {.run = run, .start = rules_work_now()};
    s.trigger = tac_bdd_places(rules->edge_count);
    s.action = tac_bdd_places(rules->edge_count);
    s.enabled = tac_bdd_places(rules->state_count);
    s.all = tac_bdd_places(rules->state_count);
    rules_window_open(&s.window, rules, run->components);
    rules_window_seal_all(&s.window);
    tac_bdd_budget(EXACT_NODES);
    make_triggers(&s);
    for (uint32_t i = 0; i < rules->expectation_count && run->out->unmet_known; i++)
        if (!check_expectation(&s, i))
            run->out->unmet_known = false;
    tac_bdd_recover();
    tac_bdd_budget(0);
    run->out->truncated = run->out->truncated || !run->out->unmet_known;
    tac_bdd_places_free(s.trigger, rules->edge_count);
    tac_bdd_places_free(s.action, rules->edge_count);
    tac_bdd_places_free(s.enabled, rules->state_count);
    tac_bdd_places_free(s.all, rules->state_count);
    rules_window_close(&s.window);
}
