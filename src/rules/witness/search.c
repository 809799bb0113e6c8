/* Searching runs of a given length from one state.
 *
 * Paths of the graph are walked depth first, bounded by the lengths that graph.c proves. Only a
 * path that would end as wished is looked at closely: the sets of inputs that take it are built
 * edge by edge, in a window of the variables that the states on it use, in the order in which they
 * are met (diagrams grow by sums there). The sets of the common first part of two paths are kept,
 * and when one of them is empty everything behind it is left at once.
 *
 * Actions change the input: along a path it is the first input with some variables overridden, and
 * the state has come again when those first inputs already had the values that were set in between.
 * A shortest run visits no (state, input) twice, but for a race of a nondeterministic rule set that
 * returns to its start and then rests after one more transition. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/edges.h"
#include "rules/witness/witness.h"
#include <string.h>

#define VARIABLES_AT_ONCE 256u
#define STEPS_FOR_NODE 25 /* steps in the graph that cost as much as making one diagram node */

static uint32_t target(const struct witness_search *x, uint32_t e)
{
    return x->rules->rules[x->rules->edges[e].rule].to;
}

/* --- Sets ------------------------------------------------------------------------------------- */

/* Takes the variables of the state's rules into the window, with their constraints. */
static void add_state(struct witness_search *x, uint32_t s)
{
    for_each_edge (e, &x->rules->states[s]) {
        const tac_rules_rule *rule = &x->rules->rules[x->rules->edges[e].rule];
        rules_window_add_rule(&x->window, x->rules->edges[e].rule);
        for (uint32_t a = 0; a < rule->action_count; a++)
            rules_window_add_variable(&x->window,
                                      x->rules->actions[rule->first_action + a].variable);
    }
    size_t needed = x->window.variable_of.count;
    if (needed > tac_bdd_variable_count())
        tac_bdd_more_variables((needed / VARIABLES_AT_ONCE + 1) * VARIABLES_AT_ONCE);
    rules_window_extend(&x->window);
}

static tac_bdd keep_in_window(struct witness_search *x, tac_bdd set)
{
    tac_vec_push(&x->window.scratch, tac_bdd_keep(set));
    return set;
}

/* Triggers of all edges of the state, constraints left out. */
static void know_state(struct witness_search *x, uint32_t s)
{
    if (x->stamp[s] == x->window.stamp)
        return;
    x->stamp[s] = x->window.stamp;
    add_state(x, s);
    const tac_rules *rules = x->rules;
    const tac_rules_state *state = &rules->states[s];
    size_t scope = tac_bdd_scope();
    tac_bdd higher = TAC_BDD_FALSE, level = TAC_BDD_FALSE;
    for_each_edge (e, state) {
        uint32_t rule = rules->edges[e].rule;
        if (e > state->first_edge &&
            rules->rules[rules->edges[e - 1].rule].priority != rules->rules[rule].priority)
            higher = level;
        tac_bdd wanted = rules_window_rule(&x->window, rule);
        level = tac_bdd_or(level, wanted);
        x->trigger[e] = keep_in_window(x, tac_bdd_diff(wanted, higher));
    }
    x->enabled[s] = keep_in_window(x, level);
    tac_bdd_leave(scope);
}

/* The overrides after an action: its literals replace older ones of the same variables. */
static tac_bdd override(struct witness_search *x, tac_bdd cube, uint32_t edge)
{
    const tac_rules_rule *rule = &x->rules->rules[x->rules->edges[edge].rule];
    for (uint32_t i = 0; i < rule->action_count; i++) {
        uint32_t variable = x->window.local_of[x->rules->actions[rule->first_action + i].variable];
        cube = tac_bdd_exists(cube, tac_bdd_var(variable));
    }
    return rule->action_count ? tac_bdd_and(cube, rules_window_action(&x->window, rule)) : cube;
}

static tac_bdd under(tac_bdd set, tac_bdd cube)
{
    return cube == TAC_BDD_TRUE ? set : tac_bdd_restrict(set, cube);
}

/* First inputs for which the input at place `older` of the path is the input at place `newer`. */
static tac_bdd same_input(const struct witness_search *x, size_t older, size_t newer)
{
    tac_bdd a = x->cubes.at[older], b = x->cubes.at[newer];
    if (a == b)
        return TAC_BDD_TRUE;
    return tac_bdd_disjoint(a, b) ? TAC_BDD_FALSE : tac_bdd_restrict(b, a);
}

static void push_set(struct witness_search *x, tac_bdd set, tac_bdd cube)
{
    tac_vec_push(&x->sets, tac_bdd_keep(set));
    tac_vec_push(&x->cubes, tac_bdd_keep(cube));
}

static void forget_sets(struct witness_search *x, size_t built)
{
    while (x->sets.count > built + 1) {
        tac_bdd_drop(x->sets.at[--x->sets.count]);
        tac_bdd_drop(x->cubes.at[--x->cubes.count]);
    }
    if (x->built > built)
        x->built = built;
}

/* Builds the sets of the whole path. False when no input takes it: then `built` is the number of
 * edges that some input does take. */
static bool build(struct witness_search *x)
{
    assert(x->sets.count == x->built + 1 && x->cubes.count == x->sets.count);
    while (x->built < x->edges.count) {
        uint32_t e = x->edges.at[x->built];
        size_t scope = tac_bdd_scope();
        know_state(x, x->states.at[x->built]);
        tac_bdd cube = tac_vec_last(&x->cubes);
        tac_bdd set = tac_bdd_and(tac_vec_last(&x->sets), under(x->trigger[e], cube));
        set = tac_bdd_and(set, x->window.valid);
        if (cube != TAC_BDD_TRUE)
            set = tac_bdd_and(set, under(x->window.valid, cube));
        bool empty = set == TAC_BDD_FALSE;
        x->stopped = x->stopped || rules_work_now() - x->start > x->most_nodes;
        if (!empty && !x->stopped)
            push_set(x, set, override(x, cube, e));
        tac_bdd_leave(scope);
        if (empty || x->stopped || tac_bdd_failed()) {
            x->cut = x->built;
            return false;
        }
        x->built++;
    }
    return true;
}

/* The last set becomes the inputs that also close the run, or rest behind it. */
static bool narrow(struct witness_search *x, tac_bdd by)
{
    tac_bdd *last = &tac_vec_last(&x->sets);
    size_t scope = tac_bdd_scope();
    tac_bdd set = tac_bdd_and(*last, by);
    bool some = set != TAC_BDD_FALSE && !tac_bdd_failed();
    if (some)
        tac_bdd_hold(last, set);
    tac_bdd_leave(scope);
    return some;
}

static bool closes(struct witness_search *x, size_t place)
{
    if (!build(x))
        return false;
    size_t scope = tac_bdd_scope();
    bool some = narrow(x, same_input(x, place, x->edges.count));
    tac_bdd_leave(scope);
    x->loop = place;
    return some;
}

static bool rests(struct witness_search *x)
{
    if (!build(x))
        return false;
    uint32_t last = tac_vec_last(&x->states);
    size_t scope = tac_bdd_scope();
    know_state(x, last);
    tac_bdd cube = tac_vec_last(&x->cubes);
    tac_bdd fires = tac_bdd_and(under(x->enabled[last], cube), under(x->window.valid, cube));
    bool some = narrow(x, tac_bdd_diff(x->window.valid, fires));
    tac_bdd_leave(scope);
    return some;
}

/* --- Paths ------------------------------------------------------------------------------------ */

static bool spent(struct witness_search *x)
{
    if (!x->stopped && (tac_bdd_failed() || ++x->steps > x->most_steps ||
                        (x->steps % 16 == 0 &&
                         rules_work_now() - x->start + x->steps / STEPS_FOR_NODE > x->most_nodes)))
        x->stopped = true;
    return x->stopped;
}

static void push_edge(struct witness_search *x, uint32_t e)
{
    uint32_t to = target(x, e);
    assert(tac_vec_last(&x->states) == x->rules->edges[e].state);
    tac_vec_push(&x->edges, e);
    tac_vec_push(&x->states, to);
}

static void pop_edge(struct witness_search *x)
{
    x->edges.count--;
    x->states.count--;
    forget_sets(x, x->edges.count);
}

static bool has_actions(const struct witness_search *x, size_t from)
{
    for (size_t i = from; i < x->edges.count; i++)
        if (x->rules->rules[x->rules->edges[x->edges.at[i]].rule].action_count)
            return true;
    return false;
}

static bool walk(struct witness_search *x, bool closable);

/* Behind the last edge of a race. `place` is 1 + where the state stood before. */
static bool arrive_in_race(struct witness_search *x, uint32_t place)
{
    const struct witness_graph *g = x->graph;
    uint32_t depth = (uint32_t)x->edges.count, s = tac_vec_last(&x->states);
    if (depth == x->limit) {
        x->limited = x->limited || g->goes_on[tac_vec_last(&x->edges)];
        return g->can_rest[s] && rests(x);
    }
    if (place && !has_actions(x, place - 1)) {
        /* The start again: one more transition may end a race that chance kept going. */
        bool returns = place == 1 && !x->run->out->deterministic;
        return returns && depth + 1 == x->limit && walk(x, false);
    }
    if (g->rest[s] == NO_LENGTH)
        return false;
    if (depth + g->rest[s] <= x->limit)
        return walk(x, false);
    x->limited = true;
    return false;
}

/* Behind the last edge: is it the end, and may it go on? */
static bool arrive(struct witness_search *x, uint32_t place, bool closable)
{
    const struct witness_graph *g = x->graph;
    uint32_t depth = (uint32_t)x->edges.count, s = tac_vec_last(&x->states);
    bool same = place && !has_actions(x, place - 1);
    if (place && depth == x->limit && closes(x, place - 1))
        return true;
    if (same || g->lasso[s] == NO_LENGTH)
        return false; /* closed by fewer transitions, which was asked before, or never */
    closable = closable || (g->girth[s] != NO_LENGTH && depth + g->girth[s] <= x->limit);
    if (depth < x->limit && (closable || depth + g->lasso[s] <= x->limit))
        return walk(x, closable);
    x->limited = true;
    return false;
}

/* Where actions are about, every earlier visit of the state may be the one that has come again. */
static bool closes_earlier(struct witness_search *x, uint32_t place)
{
    if (x->rules->action_count && x->edges.count == x->limit)
        for (size_t i = place ? place - 1 : 0; i-- > 0;)
            if (x->states.at[i] == tac_vec_last(&x->states) && closes(x, i))
                return true;
    return false;
}

/* Extends the path; true when a run was found, which then stands in x. */
static bool walk(struct witness_search *x, bool closable)
{
    uint32_t s = tac_vec_last(&x->states), before = x->place[s];
    bool last = x->edges.count + 1 == x->limit;
    x->place[s] = (uint32_t)x->states.count;
    for_each_edge (e, &x->rules->states[s]) {
        if (!(x->race && last ? x->graph->live[e] : x->graph->goes_on[e]) || spent(x))
            continue;
        push_edge(x, e);
        uint32_t place = x->place[target(x, e)];
        if (x->race ? arrive_in_race(x, place)
                    : closes_earlier(x, place) || arrive(x, place, closable))
            return true;
        pop_edge(x);
        if (x->cut < x->edges.count)
            break; /* no input takes the path even up to an edge before this one */
        x->cut = SIZE_MAX;
    }
    x->place[s] = before;
    return false;
}

/* --- The search of one start state ------------------------------------------------------------ */

static void forget_path(struct witness_search *x)
{
    for (size_t i = 0; i < x->states.count; i++)
        x->place[x->states.at[i]] = 0;
    x->edges.count = 0;
    x->states.count = x->states.count ? 1 : 0;
    forget_sets(x, 0);
    x->cut = SIZE_MAX;
}

void rules_search_begin(struct witness_search *x, uint32_t start, bool race)
{
    assert(start < x->rules->state_count);
    forget_path(x);
    x->states.count = 0;
    tac_vec_push(&x->states, start);
    if (x->begun != start + 1) {
        if (x->sets.count) {
            tac_bdd_drop(x->sets.at[0]);
            tac_bdd_drop(x->cubes.at[0]);
        }
        x->sets.count = x->cubes.count = 0;
        rules_window_clear(&x->window);
        rules_window_seal(&x->window);
        push_set(x, TAC_BDD_TRUE, TAC_BDD_TRUE);
        x->begun = start + 1;
    }
    x->race = race;
    x->steps = 0;
    x->start = rules_work_now();
    x->stopped = false;
}

enum search_result rules_search(struct witness_search *x, uint32_t length)
{
    assert(length > 0 && x->states.count > 0);
    forget_path(x);
    x->limit = length;
    x->limited = false;
    uint32_t start = x->states.at[0];
    bool closable = x->graph->girth[start] != NO_LENGTH && x->graph->girth[start] <= length;
    if (walk(x, closable))
        return SEARCH_FOUND;
    if (x->stopped)
        return SEARCH_STOPPED;
    return x->limited ? SEARCH_NONE : SEARCH_NEVER;
}

bool rules_search_accepts(struct witness_search *x, const uint32_t *edges, size_t count)
{
    forget_path(x);
    for (size_t i = 0; i < count; i++)
        push_edge(x, edges[i]);
    if (x->race)
        return rests(x);
    for (size_t i = count; i-- > 0;)
        if (x->states.at[i] == tac_vec_last(&x->states) && closes(x, i))
            return true;
    return false;
}

void rules_search_take(struct witness_search *x, tac_rules_witness *out)
{
    tac_bdd inputs = tac_vec_last(&x->sets);
    assert(x->built == x->edges.count && inputs != TAC_BDD_FALSE);
    assert(x->race || x->states.at[x->loop] == tac_vec_last(&x->states));
    out->exists = TAC_RULES_YES;
    out->length = x->edges.count;
    out->loop = x->race ? 0 : x->loop;
    out->states = tac_calloc(out->length + 1, sizeof *out->states);
    out->rules = tac_calloc(out->length + 1, sizeof *out->rules);
    memcpy(out->states, x->states.at, (out->length + 1) * sizeof *out->states);
    for (size_t i = 0; i < out->length; i++)
        out->rules[i] = x->rules->edges[x->edges.at[i]].rule;
    rules_window_count(&x->window, inputs, &out->inputs);
    signed char *values = tac_alloc(tac_bdd_variable_count() + 1);
    tac_bdd_first(inputs, values);
    size_t variables = x->window.variable_of.count;
    out->variables = tac_calloc(variables + 1, sizeof *out->variables);
    out->values = tac_calloc(variables + 1, sizeof *out->values);
    for (size_t i = 0; i < variables; i++)
        if (values[i] >= 0) {
            out->variables[out->literal_count] = x->window.variable_of.at[i];
            out->values[out->literal_count++] = values[i] == 1;
        }
    free(values);
}

void rules_search_open(struct witness_search *x, struct rules_run *run,
                       const struct witness_graph *graph)
{
    const tac_rules *rules = run->rules;
    *x = (struct witness_search){.run = run, .graph = graph, .rules = rules, .cut = SIZE_MAX};
    x->trigger = tac_arena_calloc(&x->memory, (size_t)rules->edge_count + 1, sizeof *x->trigger);
    x->enabled = tac_arena_calloc(&x->memory, (size_t)rules->state_count + 1, sizeof *x->enabled);
    x->stamp = tac_arena_calloc(&x->memory, (size_t)rules->state_count + 1, sizeof *x->stamp);
    x->place = tac_arena_calloc(&x->memory, (size_t)rules->state_count + 1, sizeof *x->place);
    rules_window_open(&x->window, rules, run->components);
}

void rules_search_close(struct witness_search *x)
{
    forget_sets(x, 0);
    if (x->sets.count) {
        tac_bdd_drop(x->sets.at[0]);
        tac_bdd_drop(x->cubes.at[0]);
    }
    rules_window_close(&x->window);
    tac_vec_free(&x->sets);
    tac_vec_free(&x->cubes);
    tac_vec_free(&x->states);
    tac_vec_free(&x->edges);
    tac_arena_free(&x->memory);
}
