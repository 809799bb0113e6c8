/* Every race and cycle path with its exact set of inputs, by depth-first search from every state.
 *
 * A run is over (state, input), and actions change the input: along a path the input is the first
 * one with some variables overridden by constants. So the search carries the set of first inputs
 * that take this path, and the overrides as a cube; triggers are cofactors by the cube. The state
 * repeats with the same input exactly for those first inputs that already have the values which
 * were overridden in between: they close a cycle, the others go on.
 *
 * One budget for paths, depth and work; past it the number of paths is unknown. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "rules/edges.h"
#include "rules/engine/engine.h"
#include <string.h>

#define CUBES_OF_A_PATH 64
#define DESCRIBED_PATHS 200 /* so many get a cube even when paths are not asked for */

struct path_search {
    struct rules_run *run;
    const tac_rules *rules;
    const struct edge_sets *sets;
    TAC_VEC(uint32_t) states, edges; /* the present path; states has one more */
    TAC_VEC(tac_bdd) overrides;      /* by place on the path */
    uint64_t start, most;
    bool stopped;
    tac_names cycle_names;       /* canonical cycles, as bytes */
    TAC_VEC(tac_bdd) cycle_sets; /* kept */
};

static void keep_path(struct path_search *d, tac_bdd inputs, bool cycle, size_t loop)
{
    assert(d->states.count == d->edges.count + 1);
    assert(inputs != TAC_BDD_FALSE && loop <= d->edges.count);
    tac_rules_findings *out = d->run->out;
    if (out->path_count >= d->most) {
        d->stopped = true;
        return;
    }
    *(cycle ? &out->cycle_paths : &out->race_paths) += 1;
    tac_rules_path path = {.length = d->edges.count, .cycle = cycle, .loop = loop};
    path.states = tac_calloc(path.length + 1, sizeof *path.states);
    path.rules = tac_calloc(path.length + 1, sizeof *path.rules);
    memcpy(path.states, d->states.at, (path.length + 1) * sizeof *path.states);
    for (size_t i = 0; i < path.length; i++)
        path.rules[i] = d->rules->edges[d->edges.at[i]].rule;
    if (d->run->options->paths || out->path_count < DESCRIBED_PATHS) {
        rules_window_inputs(d->sets->window, inputs, d->run->options->paths ? CUBES_OF_A_PATH : 0,
                            &path.inputs);
    } else {
        rules_count_init(&path.inputs.count);
        rules_window_count(d->sets->window, inputs, &path.inputs.count);
        path.inputs.example = rules_window_example(d->sets->window, inputs);
    }
    FINDINGS_PUSH(out, paths, path_count, path);
}

/* The states of a cycle, the alphabetically first one first: it stands at *first; the caller's. */
static uint32_t *turned_states(const tac_rules *rules, const uint32_t *states, size_t length,
                               size_t *first)
{
    uint32_t *turned = tac_calloc(length + 1, sizeof *turned);
    *first = 0;
    for (size_t i = 1; i < length; i++)
        if (strcmp(rules->states[states[i]].name, rules->states[states[*first]].name) < 0)
            *first = i;
    for (size_t i = 0; i < length; i++)
        turned[i] = states[(*first + i) % length];
    return turned;
}

/* The cycle is named by its states, turned to the alphabetically first one. The search starts in
 * every state, so each cycle is also met from there with nothing leading in: those inputs count. */
static void keep_cycle(struct path_search *d, tac_bdd inputs, size_t loop)
{
    assert(loop + 1 < d->states.count && d->states.at[loop] == tac_vec_last(&d->states));
    size_t length = d->states.count - 1 - loop, first;
    uint32_t *turned = turned_states(d->rules, d->states.at + loop, length, &first);
    uint32_t id = tac_names_intern_bytes(&d->cycle_names, turned, length * sizeof *turned);
    if (id == d->cycle_sets.count) {
        tac_vec_push(&d->cycle_sets, TAC_BDD_FALSE);
        tac_rules_cycle cycle = {.states = turned, .length = length};
        FINDINGS_PUSH(d->run->out, cycles, cycle_count, cycle);
    } else {
        free(turned);
    }
    if (loop != 0 || first != 0)
        return;
    size_t scope = tac_bdd_scope();
    tac_bdd_hold(&d->cycle_sets.at[id], tac_bdd_or(d->cycle_sets.at[id], inputs));
    tac_bdd_leave(scope);
}

/* The overrides after an action: its literals replace older ones of the same variables. */
static tac_bdd override(const struct path_search *d, tac_bdd cube, uint32_t edge)
{
    const tac_rules_rule *rule = &d->rules->rules[d->rules->edges[edge].rule];
    if (rule->action_count == 0)
        return cube;
    for (uint32_t i = 0; i < rule->action_count; i++) {
        uint32_t variable =
            d->sets->window->local_of[d->rules->actions[rule->first_action + i].variable];
        cube = tac_bdd_exists(cube, tac_bdd_var(variable));
    }
    return tac_bdd_and(cube, d->sets->action[edge]);
}

/* First inputs for which the input under `older` equals the input under `newer`. older's variables
 * are among newer's. */
static tac_bdd same_input(tac_bdd older, tac_bdd newer)
{
    if (older == newer)
        return TAC_BDD_TRUE;
    if (tac_bdd_disjoint(older, newer))
        return TAC_BDD_FALSE;
    return tac_bdd_restrict(newer, older);
}

static void visit(struct path_search *d, tac_bdd inputs);

static void take(struct path_search *d, uint32_t edge, tac_bdd inputs)
{
    assert(inputs != TAC_BDD_FALSE);
    assert(d->rules->edges[edge].state == tac_vec_last(&d->states));
    uint32_t to = d->rules->rules[d->rules->edges[edge].rule].to;
    tac_bdd cube = override(d, tac_vec_last(&d->overrides), edge);
    tac_vec_push(&d->edges, edge);
    tac_vec_push(&d->states, to);
    for (size_t i = 0; i + 1 < d->states.count && inputs != TAC_BDD_FALSE; i++) {
        if (d->states.at[i] != to)
            continue;
        tac_bdd again = tac_bdd_and(inputs, same_input(d->overrides.at[i], cube));
        if (again == TAC_BDD_FALSE)
            continue;
        keep_path(d, again, true, i);
        keep_cycle(d, again, i);
        inputs = tac_bdd_diff(inputs, again);
    }
    if (inputs != TAC_BDD_FALSE) {
        tac_vec_push(&d->overrides, cube);
        visit(d, inputs);
        d->overrides.count--;
    }
    d->edges.count--;
    d->states.count--;
}

static void visit(struct path_search *d, tac_bdd inputs)
{
    assert(d->states.count == d->overrides.count);
    tac_bdd cube = tac_vec_last(&d->overrides);
    if (d->stopped || d->edges.count > MAX_DEPTH_OF_PATHS ||
        !rules_within_budget(d->run, d->start, d->run->work)) {
        d->stopped = true;
        return;
    }
    size_t scope = tac_bdd_scope();
    if (d->edges.count >= 2) {
        tac_bdd enabled = tac_bdd_restrict(d->sets->enabled[tac_vec_last(&d->states)], cube);
        tac_bdd ends = tac_bdd_diff(inputs, enabled);
        if (ends != TAC_BDD_FALSE)
            keep_path(d, ends, false, 0);
    }
    for_each_edge (e, &d->rules->states[tac_vec_last(&d->states)]) {
        size_t inner = tac_bdd_scope();
        tac_bdd taken = tac_bdd_and(inputs, tac_bdd_restrict(d->sets->trigger[e], cube));
        if (taken != TAC_BDD_FALSE)
            take(d, e, taken);
        tac_bdd_leave(inner);
    }
    tac_bdd_leave(scope);
}

/* Raising a rising (lowering a falling) variable in some input of the set must stay in the set. */
static void judge_persistence(struct path_search *d, tac_bdd set, tac_rules_cycle *cycle)
{
    const struct window *window = d->sets->window;
    cycle->persists = true;
    for (uint32_t v = 0; v < d->rules->variable_count; v++) {
        tac_monotone monotone = d->rules->variables[v].monotone;
        if (!monotone)
            continue;
        size_t scope = tac_bdd_scope();
        uint32_t local = window->local_of[v];
        tac_bdd low = tac_bdd_not_var(local), high = tac_bdd_var(local);
        tac_bdd from = monotone == TAC_MONOTONE_RISING ? low : high;
        tac_bdd to = monotone == TAC_MONOTONE_RISING ? high : low;
        tac_bdd moved = tac_bdd_and(tac_bdd_restrict(set, from), to);
        moved = tac_bdd_and(moved, window->valid);
        cycle->monotone_relevant = true;
        if (!tac_bdd_subset(moved, set))
            cycle->persists = false;
        tac_bdd_leave(scope);
    }
}

static void finish_cycles(struct path_search *d)
{
    for (size_t i = 0; i < d->cycle_sets.count; i++) {
        tac_rules_cycle *cycle = &d->run->out->cycles[i];
        rules_window_inputs(d->sets->window, d->cycle_sets.at[i], 0, &cycle->inputs);
        judge_persistence(d, d->cycle_sets.at[i], cycle);
        tac_bdd_drop(d->cycle_sets.at[i]);
    }
}

void rules_enumerate_paths(struct rules_run *run, const struct edge_sets *sets)
{
    struct path_search d = {.run = run, .rules = run->rules, .sets = sets};
    d.start = rules_work_now();
    d.most = run->options->max_paths ? run->options->max_paths : DEFAULT_PATHS;
    for (uint32_t s = 0; s < run->rules->state_count && !d.stopped; s++) {
        size_t scope = tac_bdd_scope();
        tac_vec_push(&d.states, s);
        tac_vec_push(&d.overrides, TAC_BDD_TRUE);
        visit(&d, sets->window->valid);
        d.states.count = d.overrides.count = 0;
        tac_bdd_leave(scope);
    }
    if (d.stopped) {
        tac_bdd_recover();
        run->out->paths_known = run->out->cycles_known = false;
        run->out->truncated = true;
    }
    finish_cycles(&d);
    tac_names_free(&d.cycle_names);
    tac_vec_free(&d.cycle_sets);
    tac_vec_free(&d.states);
    tac_vec_free(&d.edges);
    tac_vec_free(&d.overrides);
}
