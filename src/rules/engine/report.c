/* Reporting, shared by the engines: pairs, groups, dead rules, reachability. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "rules/edges.h"
#include "rules/engine/engine.h"
#include <time.h>

#define MAX_GROUPS 200 /* of one state */
#define MANY_VARIABLES 1000
#define DETAILED_PAIRS 50 /* cubes and examples of so many pairs when there are many variables */

double rules_now(void)
{
    return (double)tac_clock(CLOCK_PROCESS_CPUTIME_ID) * 1e-9;
}

uint64_t rules_work_now(void)
{
    tac_bdd_statistics statistics;
    tac_bdd_statistics_now(&statistics);
    return statistics.produced;
}

size_t rules_exact_nodes(const struct rules_run *run)
{
    if (run->options->work)
        return run->work < SIZE_MAX / 64 ? (size_t)run->work : SIZE_MAX / 64;
    return run->work < EXACT_NODES ? (size_t)run->work : EXACT_NODES;
}

bool rules_exact_worthwhile(const struct rules_run *run, size_t states, size_t variables)
{
    return run->options->work || states <= 1 || states * variables <= EXACT_SIZE;
}

bool rules_within_budget(struct rules_run *run, uint64_t start, uint64_t work)
{
    if (++run->asked % 64 == 0 && !run->interrupted &&
        !tac_watch_tick(run->options->watch, "exact sets", run->asked, 0))
        run->interrupted = true;
    return !run->interrupted && !tac_bdd_failed() && rules_work_now() - start <= work;
}

static void fill_inputs(struct rules_run *run, const struct window *window, tac_bdd set,
                        size_t already, tac_rules_inputs *inputs)
{
    if (run->rules->variable_count <= MANY_VARIABLES || already < DETAILED_PAIRS) {
        double start = rules_now();
        rules_window_inputs(window, set, 0, inputs);
        run->out->statistics.describe_ms += (rules_now() - start) * 1e3;
        return;
    }
    *inputs = (tac_rules_inputs){0};
    rules_count_init(&inputs->count);
    rules_window_count(window, set, &inputs->count);
}

void rules_report_pair(struct rules_run *run, const struct window *window, uint32_t state,
                       uint32_t rule_a, uint32_t rule_b, tac_bdd inputs)
{
    assert(inputs != TAC_BDD_FALSE && rule_a != rule_b);
    tac_rules_clash pair = {.state = state, .rule_count = 2};
    pair.rules = tac_calloc(2, sizeof *pair.rules);
    pair.rules[0] = rule_a;
    pair.rules[1] = rule_b;
    fill_inputs(run, window, inputs, run->out->pair_count, &pair.inputs);
    FINDINGS_PUSH(run->out, pairs, pair_count, pair);
    run->out->deterministic = false;
}

struct grouping {
    struct rules_run *run;
    const struct window *window;
    const tac_bdd *trigger;
    uint32_t end; /* of the edges */
    size_t found;
    TAC_VEC(uint32_t) chosen;
};

/* Splits `inputs` by whether edge `next` is taken: each leaf is one exact set of rules. */
static void split(struct grouping *g, uint32_t next, tac_bdd inputs)
{
    assert(next <= g->end);
    if (inputs == TAC_BDD_FALSE || g->chosen.count + (g->end - next) < 2 || g->found > MAX_GROUPS)
        return;
    const tac_rules_edge *edges = g->run->rules->edges;
    if (next == g->end) {
        if (g->found++ == MAX_GROUPS)
            return;
        tac_rules_clash group = {.state = edges[next - 1].state, .rule_count = g->chosen.count};
        group.rules = tac_calloc(group.rule_count, sizeof *group.rules);
        memcpy(group.rules, g->chosen.at, group.rule_count * sizeof *group.rules);
        fill_inputs(g->run, g->window, inputs, g->run->out->group_count, &group.inputs);
        FINDINGS_PUSH(g->run->out, groups, group_count, group);
        return;
    }
    size_t scope = tac_bdd_scope();
    tac_vec_push(&g->chosen, edges[next].rule);
    split(g, next + 1, tac_bdd_and(inputs, g->trigger[next]));
    g->chosen.count--;
    split(g, next + 1, tac_bdd_diff(inputs, g->trigger[next]));
    tac_bdd_leave(scope);
}

void rules_report_groups(struct rules_run *run, const struct window *window, uint32_t first,
                         uint32_t end, const tac_bdd *trigger)
{
    struct grouping g = {.run = run, .window = window, .trigger = trigger, .end = end};
    split(&g, first, window->valid);
    if (g.found > MAX_GROUPS) {
        run->out->groups_known = false;
        run->out->truncated = true;
    }
    tac_vec_free(&g.chosen);
}

void rules_report_clashes(struct rules_run *run, const struct window *window, uint32_t first,
                          uint32_t end, const tac_bdd *trigger)
{
    const tac_rules_edge *edges = run->rules->edges;
    assert(first < end && end <= run->rules->edge_count);
    for (uint32_t a = first; a < end; a++)
        for (uint32_t b = a + 1; b < end; b++) {
            size_t scope = tac_bdd_scope();
            tac_bdd both = tac_bdd_and(trigger[a], trigger[b]);
            if (both != TAC_BDD_FALSE)
                rules_report_pair(run, window, edges[a].state, edges[a].rule, edges[b].rule, both);
            tac_bdd_leave(scope);
        }
    rules_report_groups(run, window, first, end, trigger);
}

void rules_report_breach(struct rules_run *run, const struct window *window, uint32_t edge,
                         tac_bdd trigger, tac_bdd action)
{
    size_t scope = tac_bdd_scope();
    tac_bdd broken = tac_bdd_diff(trigger, tac_bdd_restrict(window->valid, action));
    if (broken != TAC_BDD_FALSE) {
        tac_rules_breach breach = {.state = run->rules->edges[edge].state,
                                   .rule = run->rules->edges[edge].rule};
        rules_window_inputs(window, broken, 0, &breach.inputs);
        FINDINGS_PUSH(run->out, breaches, breach_count, breach);
    }
    tac_bdd_leave(scope);
}

static void report_rest_by_sets(struct rules_run *run, const struct window *window, uint32_t s,
                                const tac_bdd *trigger, const tac_bdd *unstable)
{
    tac_rules_state_findings *found = &run->out->states[s];
    size_t scope = tac_bdd_scope();
    tac_bdd enabled = TAC_BDD_FALSE, again = TAC_BDD_FALSE;
    for_each_edge (e, &run->rules->states[s]) {
        enabled = tac_bdd_or(enabled, trigger[e]);
        again = tac_bdd_or(again, unstable[e]);
    }
    rules_window_count(window, tac_bdd_diff(window->valid, enabled), &found->stable);
    rules_window_count(window, tac_bdd_diff(enabled, again), &found->one);
    tac_bdd_leave(scope);
}

void rules_report_transitions(struct rules_run *run, const struct window *window, uint32_t s,
                              const tac_bdd *trigger, const tac_bdd *unstable)
{
    assert(s < run->rules->state_count);
    const tac_rules_state *state = &run->rules->states[s];
    for_each_edge (e, state) {
        if (unstable[e] == TAC_BDD_FALSE)
            continue;
        uint32_t rule = run->rules->edges[e].rule;
        tac_rules_unstable triple = {.state = s, .rule = rule, .next = run->rules->rules[rule].to};
        rules_count_init(&triple.inputs);
        rules_window_count(window, unstable[e], &triple.inputs);
        FINDINGS_PUSH(run->out, unstable, unstable_count, triple);
    }
    tac_rules_state_findings *found = &run->out->states[s];
    if (!rules_count_is_zero(&found->nondeterministic)) {
        report_rest_by_sets(run, window, s, trigger, unstable);
        return;
    }
    tac_rules_count count;
    rules_count_init(&count);
    rules_count_copy(&found->stable, &run->out->valid_inputs);
    rules_count_set_u64(&found->one, 0);
    for_each_edge (e, state) {
        rules_window_count(window, trigger[e], &count);
        rules_count_subtract(&found->stable, &count);
        rules_count_add(&found->one, &count);
    }
    rules_count_clear(&count);
    const tac_rules_unstable *triples = run->out->unstable;
    for (size_t i = run->out->unstable_count; i > 0 && triples[i - 1].state == s; i--)
        rules_count_subtract(&found->one, &triples[i - 1].inputs);
}

void rules_report_dead_rule(struct rules_run *run, uint32_t state, uint32_t rule)
{
    assert(state < run->rules->state_count && rule < run->rules->rule_count);
    tac_rules_dead_rule dead = {.state = state, .rule = rule};
    FINDINGS_PUSH(run->out, dead_rules, dead_rule_count, dead);
    run->out->states[state].dead_rules++;
}

void rules_report_reachability(struct rules_run *run, const bool *live)
{
    assert(run->rules->initial < run->rules->state_count);
    const tac_rules *rules = run->rules;
    bool *reached = tac_calloc(rules->state_count + 1, sizeof *reached);
    uint32_t *queue = tac_calloc(rules->state_count + 1, sizeof *queue);
    size_t head = 0, tail = 0;
    reached[rules->initial] = true;
    queue[tail++] = rules->initial;
    while (head < tail) {
        for_each_edge (e, &rules->states[queue[head++]]) {
            uint32_t to = rules->rules[rules->edges[e].rule].to;
            if (live[e] && !reached[to]) {
                reached[to] = true;
                queue[tail++] = to;
            }
        }
    }
    for (uint32_t s = 0; s < rules->state_count; s++) {
        run->out->states[s].unreachable = !reached[s];
        run->out->states[s].dead = rules->states[s].edge_count &&
                                   run->out->states[s].dead_rules == rules->states[s].edge_count;
    }
    free(reached);
    free(queue);
}
