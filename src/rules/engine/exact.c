/* The lean engine's exact race and cycle sets.
 *
 * Only edges after which something fires again can be part of a longer run. Their graph is cut into
 * strongly connected components (Tarjan), taken successors first:
 *
 *   cycle(S)  inputs with a run that never ends: the greatest solution of
 *             X(S) = union over its edges of T(S,R) and X(next)[action]
 *   ends(S)   inputs with a run that ends: the least solution of
 *             E(S) = not Enabled(S), or the union of T(S,R) and E(next)[action]
 *   race(S)   a first transition, then one or more, then the end.
 *
 * On a deterministic rule set a run that goes on either ends or not, so race(S) is the rest and
 * `ends` is not needed. The sets can explode; past the budget the states that are left stay
 * unknown, those already done are exact. */
#include "base/check.h"
#include "rules/edges.h"
#include "rules/engine/lean.h"
#include <stdlib.h>

struct exact {
    struct lean *l;
    const tac_rules *rules;
    tac_bdd *action;              /* by edge: cube, or TRUE */
    tac_bdd *cycle, *ends, *more; /* by state, kept; more = a transition, then the end */
    bool *done;                   /* by state */
    bool *attempt;                /* by state: its sets may fit, and those it depends on */
    bool planning;                /* components are looked at only */
    uint32_t *variable_stamp, *rule_stamp, stamp;
    bool failed;
    uint64_t start;
    /* Tarjan */
    uint32_t *order, *low, *stack, next_order;
    size_t depth;
    bool *on_stack;
    tac_arena memory; /* of these arrays */
};

static tac_bdd before(const struct exact *x, uint32_t e, tac_bdd set)
{
    assert(e < x->rules->edge_count);
    return x->action[e] == TAC_BDD_TRUE ? set : tac_bdd_restrict(set, x->action[e]);
}

static tac_bdd step_cycle(const struct exact *x, uint32_t s)
{
    assert(s < x->rules->state_count);
    size_t scope = tac_bdd_scope();
    tac_bdd set = TAC_BDD_FALSE;
    for_each_edge (e, &x->rules->states[s])
        if (x->l->goes_on[e]) {
            uint32_t to = x->rules->rules[x->rules->edges[e].rule].to;
            tac_bdd again = tac_bdd_and(x->l->trigger[e], before(x, e, x->cycle[to]));
            set = tac_bdd_leave_with(scope, tac_bdd_or(set, again));
        }
    return set;
}

static tac_bdd step_more(const struct exact *x, uint32_t s)
{
    assert(s < x->rules->state_count);
    size_t scope = tac_bdd_scope();
    tac_bdd set = TAC_BDD_FALSE;
    for_each_edge (e, &x->rules->states[s]) {
        uint32_t to = x->rules->rules[x->rules->edges[e].rule].to;
        tac_bdd end = x->l->trigger[e];
        if (x->l->goes_on[e])
            end = tac_bdd_and(end, before(x, e, x->ends[to]));
        set = tac_bdd_leave_with(scope, tac_bdd_or(set, end));
    }
    return set;
}

static bool affordable(struct exact *x)
{
    if (!x->failed && !rules_within_budget(x->l->run, x->start, x->l->run->work))
        x->failed = true;
    return !x->failed;
}

static tac_bdd union_of_unstable(const struct exact *x, uint32_t s)
{
    size_t scope = tac_bdd_scope();
    tac_bdd set = TAC_BDD_FALSE;
    for_each_edge (e, &x->rules->states[s])
        if (x->l->goes_on[e])
            set = tac_bdd_leave_with(scope, tac_bdd_or(set, x->l->unstable[e]));
    return set;
}

/* Greatest (cycle) or least (ends) solution over one component. */
static void solve(struct exact *x, const uint32_t *states, size_t count, bool cycles)
{
    bool changed = true;
    while (changed && affordable(x)) {
        changed = false;
        for (size_t i = 0; i < count && affordable(x); i++) {
            uint32_t s = states[i];
            size_t scope = tac_bdd_scope();
            tac_bdd *place = cycles ? &x->cycle[s] : &x->ends[s];
            tac_bdd next = cycles ? step_cycle(x, s)
                                  : tac_bdd_or(tac_bdd_not(x->l->enabled[s]), step_more(x, s));
            if (next != *place) {
                tac_bdd_hold(place, next);
                changed = true;
            }
            tac_bdd_leave(scope);
        }
    }
}

static tac_bdd race_of(const struct exact *x, uint32_t s)
{
    if (x->l->run->out->deterministic)
        return tac_bdd_diff(union_of_unstable(x, s), x->cycle[s]);
    tac_bdd set = TAC_BDD_FALSE;
    for_each_edge (e, &x->rules->states[s])
        if (x->l->goes_on[e]) {
            uint32_t to = x->rules->rules[x->rules->edges[e].rule].to;
            set = tac_bdd_or(set, tac_bdd_and(x->l->trigger[e], before(x, e, x->more[to])));
        }
    return set;
}

static void finish_state(struct exact *x, uint32_t s)
{
    assert(!x->done[s]);
    tac_rules_state_findings *found = &x->l->run->out->states[s];
    size_t scope = tac_bdd_scope();
    tac_bdd race = race_of(x, s);
    if (affordable(x)) {
        rules_window_count(&x->l->window, race, &found->race);
        rules_window_count(&x->l->window, x->cycle[s], &found->cycle);
        x->done[s] = true;
    }
    tac_bdd_leave(scope);
}

static void solve_component(struct exact *x, const uint32_t *states, size_t count)
{
    assert(count > 0 && count <= x->rules->state_count);
    for (size_t i = 0; i < count && affordable(x); i++) {
        size_t scope = tac_bdd_scope();
        tac_bdd_hold(&x->cycle[states[i]], union_of_unstable(x, states[i]));
        if (!x->l->run->out->deterministic)
            tac_bdd_hold(&x->ends[states[i]], tac_bdd_not(x->l->enabled[states[i]]));
        tac_bdd_leave(scope);
    }
    solve(x, states, count, true);
    if (!x->l->run->out->deterministic) {
        solve(x, states, count, false);
        for (size_t i = 0; i < count && affordable(x); i++) {
            size_t scope = tac_bdd_scope();
            tac_bdd_hold(&x->more[states[i]], step_more(x, states[i]));
            tac_bdd_leave(scope);
        }
    }
    for (size_t i = 0; i < count && affordable(x); i++)
        finish_state(x, states[i]);
}

/* --- What is worth an attempt ----------------------------------------------------------------- */

static size_t mark_variables(struct exact *x, tac_rules_predicate predicate)
{
    size_t fresh = 0;
    for (uint32_t i = predicate.first; i <= predicate.root; i++) {
        tac_rules_node node = x->rules->nodes[i];
        if (node.op == TAC_RULES_VARIABLE && x->variable_stamp[node.left] != x->stamp) {
            x->variable_stamp[node.left] = x->stamp;
            fresh++;
        } else if (node.op == TAC_RULES_RULE && x->rule_stamp[node.left] != x->stamp) {
            x->rule_stamp[node.left] = x->stamp;
            fresh += mark_variables(x, x->rules->rules[node.left].when);
        }
    }
    return fresh;
}

/* Its states lead into each other; what they lead to besides has been planned before. */
static void plan_component(struct exact *x, const uint32_t *states, size_t count)
{
    bool attempt = true;
    size_t variables = 0;
    x->stamp++;
    for (size_t i = 0; i < count; i++)
        x->attempt[states[i]] = true; /* for the edges inside */
    for (size_t i = 0; i < count && attempt; i++) {
        for_each_edge (e, &x->rules->states[states[i]]) {
            const tac_rules_rule *rule = &x->rules->rules[x->rules->edges[e].rule];
            variables += mark_variables(x, rule->when);
            attempt = attempt && (!x->l->goes_on[e] || x->attempt[rule->to]);
        }
        attempt = attempt && rules_exact_worthwhile(x->l->run, count, variables);
    }
    for (size_t i = 0; i < count; i++)
        x->attempt[states[i]] = attempt;
}

/* --- Components, successors first ------------------------------------------------------------- */

struct component_visit {
    uint32_t state, edge;
};

static void enter(struct exact *x, uint32_t s)
{
    assert(x->order[s] == 0 && x->depth < x->rules->state_count);
    x->order[s] = x->low[s] = ++x->next_order;
    x->stack[x->depth++] = s;
    x->on_stack[s] = true;
}

static void pop_component(struct exact *x, uint32_t root)
{
    assert(x->depth > 0 && x->on_stack[root]);
    size_t first = x->depth;
    do
        x->on_stack[x->stack[--first]] = false;
    while (x->stack[first] != root);
    if (x->planning)
        plan_component(x, x->stack + first, x->depth - first);
    else if (x->attempt[root] && affordable(x))
        solve_component(x, x->stack + first, x->depth - first);
    x->depth = first;
}

static void search_from(struct exact *x, uint32_t root)
{
    TAC_VEC(struct component_visit) frames = {0};
    enter(x, root);
    tac_vec_push(&frames, (struct component_visit){root, x->rules->states[root].first_edge});
    while (frames.count) {
        struct component_visit *top = &tac_vec_last(&frames);
        const tac_rules_state *state = &x->rules->states[top->state];
        if (top->edge < state->first_edge + state->edge_count) {
            uint32_t e = top->edge++;
            uint32_t to = x->rules->rules[x->rules->edges[e].rule].to;
            if (!x->l->goes_on[e])
                continue;
            if (!x->order[to]) {
                enter(x, to);
                tac_vec_push(&frames,
                             (struct component_visit){to, x->rules->states[to].first_edge});
            } else if (x->on_stack[to] && x->order[to] < x->low[top->state]) {
                x->low[top->state] = x->order[to];
            }
            continue;
        }
        uint32_t s = top->state;
        frames.count--;
        if (x->low[s] == x->order[s])
            pop_component(x, s);
        if (frames.count && x->low[s] < x->low[tac_vec_last(&frames).state])
            x->low[tac_vec_last(&frames).state] = x->low[s];
    }
    tac_vec_free(&frames);
}

/* --- Preparation ------------------------------------------------------------------------------ */

static bool goes_on_anywhere(const struct lean *l)
{
    for (uint32_t e = 0; e < l->run->rules->edge_count; e++)
        if (l->goes_on[e])
            return true;
    return false;
}

/* In the whole window: triggers and enabled sets of every state that a longer run can visit. With
 * small windows they have to be made again. */
static void make_sets(struct exact *x)
{
    struct lean *l = x->l;
    rules_window_clear(&l->window);
    rules_window_seal_all(&l->window);
    for (uint32_t s = 0; s < x->rules->state_count && affordable(x); s++) {
        const tac_rules_state *state = &x->rules->states[s];
        if (!x->attempt[s])
            continue;
        size_t scope = tac_bdd_scope();
        struct firing firing = {TAC_BDD_FALSE, TAC_BDD_FALSE};
        for_each_edge (e, state)
            l->trigger[e] = tac_bdd_keep(rules_window_trigger(&l->window, state, e, &firing));
        l->enabled[s] = tac_bdd_keep(firing.level);
        tac_vec_push(&l->window.scratch, firing.level);
        l->enabled_stamp[s] = l->window.stamp;
        tac_bdd_leave(scope);
    }
    for (uint32_t e = 0; e < x->rules->edge_count && affordable(x); e++) {
        if (!x->attempt[x->rules->edges[e].state] || !l->goes_on[e])
            continue;
        size_t scope = tac_bdd_scope();
        const tac_rules_rule *rule = &x->rules->rules[x->rules->edges[e].rule];
        tac_bdd after =
            tac_bdd_restrict(l->enabled[rule->to], rules_window_action(&l->window, rule));
        l->unstable[e] = tac_bdd_keep(tac_bdd_and(l->trigger[e], after));
        tac_bdd_leave(scope);
    }
    l->whole = true;
}

static void search_all(struct exact *x, bool planning)
{
    uint32_t states = x->rules->state_count;
    x->planning = planning;
    x->next_order = 0;
    memset(x->order, 0, states * sizeof *x->order);
    for (uint32_t s = 0; s < states; s++)
        if (!x->order[s])
            search_from(x, s);
    assert(x->depth == 0);
}

/* False when nothing is worth an attempt. */
static bool plan(struct exact *x)
{
    size_t states = (size_t)x->rules->state_count + 1;
    bool any = false;
    x->done = tac_arena_calloc(&x->memory, states, sizeof *x->done);
    x->attempt = tac_arena_calloc(&x->memory, states, sizeof *x->attempt);
    x->order = tac_arena_calloc(&x->memory, states, sizeof *x->order);
    x->low = tac_arena_calloc(&x->memory, states, sizeof *x->low);
    x->stack = tac_arena_calloc(&x->memory, states, sizeof *x->stack);
    x->on_stack = tac_arena_calloc(&x->memory, states, sizeof *x->on_stack);
    x->variable_stamp = tac_arena_calloc(&x->memory, (size_t)x->rules->variable_count + 1,
                                         sizeof *x->variable_stamp);
    x->rule_stamp =
        tac_arena_calloc(&x->memory, (size_t)x->rules->rule_count + 1, sizeof *x->rule_stamp);
    search_all(x, true);
    for (uint32_t s = 0; s < x->rules->state_count; s++)
        any = any || x->attempt[s];
    return any;
}

static void prepare(struct exact *x)
{
    struct lean *l = x->l;
    size_t edges = (size_t)x->rules->edge_count + 1;
    x->start = rules_work_now();
    x->action = tac_bdd_places(x->rules->edge_count);
    x->cycle = tac_bdd_places(x->rules->state_count);
    x->ends = tac_bdd_places(x->rules->state_count);
    x->more = tac_bdd_places(x->rules->state_count);
    if (!l->whole) {
        memset(l->trigger, 0, edges * sizeof *l->trigger);
        memset(l->unstable, 0, edges * sizeof *l->unstable);
        make_sets(x);
    }
    for (uint32_t e = 0; e < x->rules->edge_count; e++) {
        const tac_rules_rule *rule = &x->rules->rules[x->rules->edges[e].rule];
        x->action[e] =
            rule->action_count ? tac_bdd_keep(rules_window_action(&l->window, rule)) : TAC_BDD_TRUE;
    }
}

static void release(struct exact *x)
{
    tac_bdd_places_free(x->action, x->rules->edge_count);
    tac_bdd_places_free(x->cycle, x->rules->state_count);
    tac_bdd_places_free(x->ends, x->rules->state_count);
    tac_bdd_places_free(x->more, x->rules->state_count);
    tac_arena_free(&x->memory);
}

static void all_stable_after_one(struct rules_run *run)
{
    for (uint32_t s = 0; s < run->rules->state_count; s++) {
        rules_count_set_u64(&run->out->states[s].race, 0);
        rules_count_set_u64(&run->out->states[s].cycle, 0);
    }
}

void rules_lean_exact(struct lean *l)
{
    struct rules_run *run = l->run;
    if (!goes_on_anywhere(l)) {
        all_stable_after_one(run);
        return;
    }
    struct exact x = {.l = l, .rules = run->rules};
    if (plan(&x)) {
        tac_bdd_budget(rules_exact_nodes(run));
        prepare(&x);
        search_all(&x, false);
        tac_bdd_recover();
    }
    for (uint32_t s = 0; s < run->rules->state_count; s++)
        run->out->truncated = run->out->truncated || !x.done[s];
    if (run->out->truncated) {
        run->out->paths_known = run->out->cycles_known = false;
    } else if (!run->sets_only) {
        struct edge_sets sets = {&l->window, l->trigger, l->enabled, x.action};
        rules_enumerate_paths(run, &sets);
    }
    release(&x);
    tac_bdd_budget(0);
}
