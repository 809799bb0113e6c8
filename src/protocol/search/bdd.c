/* Symbolic search in two passes. First everything reachable, event after event on the growing set
 * (chaining needs far fewer rounds than levels): it tells which targets are safe. Then, only if
 * some are not, level by level until each of those is hit: the first hit is a shortest witness, and
 * the levels are kept to walk back from it.
 *
 * Used where a cone has more states than the explicit search may hold: many independent objects
 * multiply states but not diagrams. If memory runs out the verdicts stay unknown. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "base/data/order.h"
#include "protocol/search/search.h"
#include "protocol/system/event_bdd.h"
#include <math.h>
#include <string.h>

#define BDD_MEMORY ((size_t)160 << 20)
#define BDD_FIRST_NODES 50000

struct symbolic_search {
    const struct cone *cone;
    uint32_t *place;
    struct event_relation *relations;
    TAC_VEC(tac_bdd) levels; /* kept; level i: states first reached by i events */
    tac_bdd all;             /* kept; every reachable state */
    tac_bdd reached;         /* kept; the union of the levels */
    signed char *values;     /* per variable */
};

static tac_bdd state_cube(const struct symbolic_search *y, const uint64_t *state)
{
    size_t n = y->cone->state_bits;
    uint32_t *variables = tac_alloc((n + 1) * sizeof *variables);
    bool *values = tac_alloc(n + 1);
    for (uint32_t i = 0; i < n; i++) {
        variables[i] = 2 * y->place[i];
        values[i] = tac_bits_get(state, i);
    }
    tac_bdd cube = tac_bdd_cube(variables, values, n);
    free(variables);
    free(values);
    return cube;
}

static tac_bdd image(const struct event_relation *r, tac_bdd from)
{
    size_t scope = tac_bdd_scope();
    tac_bdd to = tac_bdd_rename(tac_bdd_and_exists(from, r->relation, r->current), r->to_current);
    return tac_bdd_leave_with(scope, to);
}

/* Some state of the set, packed. */
static void pick_state(struct symbolic_search *y, tac_bdd set, uint64_t *state)
{
    memset(state, 0, y->cone->words * sizeof *state);
    assert(set != TAC_BDD_FALSE || tac_bdd_failed());
    tac_bdd_first(set, y->values);
    for (uint32_t i = 0; i < y->cone->state_bits; i++)
        if (y->values[2 * y->place[i]] == 1)
            tac_bits_set(state, i);
}

/* The states from which the event leads to `state`, within `within`. */
static tac_bdd before(const struct symbolic_search *y, const struct event_relation *r,
                      const uint64_t *state, tac_bdd within)
{
    size_t n = y->cone->state_bits, k = 0;
    size_t scope = tac_bdd_scope();
    uint32_t *variables = tac_alloc((n + 1) * sizeof *variables);
    bool *values = tac_alloc(n + 1);
    uint8_t *changed = tac_calloc(n + 1, 1);
    for (size_t i = 0; i < r->changed.count; i++)
        changed[r->changed.at[i]] = 1;
    for (uint32_t i = 0; i < n; i++) { /* changed bits by their next value, others as they are */
        variables[k] = 2 * y->place[i] + changed[i];
        values[k++] = tac_bits_get(state, i);
    }
    assert(k == n);
    tac_bdd cube = tac_bdd_cube(variables, values, n);
    tac_bdd pre = tac_bdd_and(tac_bdd_restrict(tac_bdd_and(r->relation, within), cube), within);
    /* restrict drops the unchanged bits from the result: put them back as conditions */
    k = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!changed[i]) {
            variables[k] = 2 * y->place[i];
            values[k++] = tac_bits_get(state, i);
        }
    pre = tac_bdd_and(pre, tac_bdd_cube(variables, values, k));
    free(variables);
    free(values);
    free(changed);
    return tac_bdd_leave_with(scope, pre);
}

/* Walks back through the levels from a state that makes the last event violate. */
static void set_witness(struct symbolic_search *y, const struct event_relation *last,
                        const struct event_hit *hit, struct target_result *target)
{
    const struct cone *cone = y->cone;
    size_t depth = y->levels.count - 1, scope = tac_bdd_scope();
    uint64_t *state = tac_alloc((cone->words + 1) * sizeof *state);
    u32_vec *events = &target->events;
    assert(events->count == 0 && y->levels.count > 0);
    tac_vec_push(events, cone->programs.at[last->program].event);
    pick_state(y, tac_bdd_and(y->levels.at[depth], hit->when), state);
    while (depth-- > 0)
        for (size_t p = 0; p < cone->programs.count; p++) {
            tac_bdd pre = before(y, &y->relations[p], state, y->levels.at[depth]);
            if (pre == TAC_BDD_FALSE)
                continue;
            pick_state(y, pre, state);
            tac_vec_push(events, cone->programs.at[p].event);
            break;
        }
    tac_reverse(events->at, events->count);
    target->position = hit->position;
    assert(tac_bdd_failed() || events->count == y->levels.count);
    target->verdict = SEARCH_UNSAFE;
    free(state);
    tac_bdd_leave(scope);
}

/* Targets that the newest level can hit; the number found for the first time. */
static size_t find_hits(struct symbolic_search *y, struct target_result *targets)
{
    size_t found = 0;
    assert(y->levels.count > 0);
    tac_bdd level = tac_vec_last(&y->levels);
    for (size_t p = 0; p < y->cone->programs.count; p++)
        for (size_t h = 0; h < y->relations[p].hits.count; h++) {
            const struct event_hit *hit = &y->relations[p].hits.at[h];
            for (size_t t = 0; t < y->cone->targets.count; t++) {
                if (targets[t].bit != hit->bit || targets[t].verdict == SEARCH_UNSAFE ||
                    tac_bdd_disjoint(level, hit->when))
                    continue;
                set_witness(y, &y->relations[p], hit, &targets[t]);
                if (tac_bdd_failed()) { /* memory ran out on the way back: no witness */
                    targets[t].verdict = SEARCH_UNKNOWN;
                    targets[t].events.count = 0;
                    return found;
                }
                found++;
            }
        }
    return found;
}

/* One more level; false when nothing new is reached. */
static bool next_level(struct symbolic_search *y)
{
    size_t scope = tac_bdd_scope();
    tac_bdd fresh = TAC_BDD_FALSE, level = tac_vec_last(&y->levels);
    for (size_t p = 0; p < y->cone->programs.count; p++)
        fresh = tac_bdd_or(fresh, image(&y->relations[p], level));
    fresh = tac_bdd_diff(fresh, y->reached);
    bool any = fresh != TAC_BDD_FALSE && !tac_bdd_failed();
    if (any) {
        tac_bdd_hold(&y->reached, tac_bdd_or(y->reached, fresh));
        tac_vec_push(&y->levels, tac_bdd_keep(fresh));
    }
    tac_bdd_leave(scope);
    return any;
}

static double count_states(const struct symbolic_search *y)
{
    mpz_t mantissa;
    uint64_t shift;
    size_t n = y->cone->state_bits;
    mpz_init(mantissa);
    tac_bdd_count(y->all, 2 * n, mantissa, &shift);
    double count = ldexp(mpz_get_d(mantissa), (int)shift - (int)n);
    mpz_clear(mantissa);
    return count;
}

/* All reachable states, by chaining. */
static tac_status reach_all(struct symbolic_search *y, tac_watch *watch, tac_error *err)
{
    size_t count = y->cone->programs.count, quiet = 0, rounds = 0;
    for (size_t p = 0; quiet < count && !tac_bdd_failed(); p = (p + 1) % count) {
        size_t scope = tac_bdd_scope();
        tac_bdd more = tac_bdd_or(y->all, image(&y->relations[p], y->all));
        quiet = more == y->all ? quiet + 1 : 1;
        tac_bdd_hold(&y->all, more);
        tac_bdd_leave(scope);
        if (!tac_watch_tick(watch, "symbolic images", ++rounds, 0))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted while searching");
    }
    return TAC_OK;
}

/* How many targets some reachable state hits. */
static size_t count_unsafe(const struct symbolic_search *y, const struct target_result *targets)
{
    size_t unsafe = 0;
    for (size_t t = 0; t < y->cone->targets.count; t++) {
        bool hit = false;
        for (size_t p = 0; p < y->cone->programs.count && !hit; p++)
            for (size_t h = 0; h < y->relations[p].hits.count && !hit; h++) {
                const struct event_hit *e = &y->relations[p].hits.at[h];
                hit = e->bit == targets[t].bit && !tac_bdd_disjoint(y->all, e->when);
            }
        unsafe += hit && targets[t].verdict != SEARCH_UNSAFE;
    }
    return unsafe;
}

static tac_status run_search(struct symbolic_search *y, tac_watch *watch,
                             struct target_result *targets, tac_error *err)
{
    for (size_t p = 0; p < y->cone->programs.count; p++)
        event_relation_build(y->cone, y->place, (uint32_t)p, &y->relations[p]);
    size_t scope = tac_bdd_scope();
    tac_bdd start = state_cube(y, y->cone->initial);
    tac_vec_push(&y->levels, tac_bdd_keep(start));
    y->reached = tac_bdd_keep(start);
    y->all = tac_bdd_keep(start);
    tac_bdd_leave(scope);
    tac_status status = reach_all(y, watch, err);
    if (status != TAC_OK || tac_bdd_failed())
        return status;
    for (size_t open = count_unsafe(y, targets); open && !tac_bdd_failed();) {
        open -= find_hits(y, targets);
        if (!tac_watch_tick(watch, "levels", y->levels.count, 0))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted while searching");
        if (!open || !next_level(y))
            break;
    }
    return TAC_OK;
}

tac_status search_bdd(const struct cone *cone, tac_watch *watch, struct target_result *targets,
                      bool *complete, double *reached, tac_error *err)
{
    tac_bdd_limits limits = {
        .variables = 2 * cone->state_bits, .first_nodes = BDD_FIRST_NODES, .max_bytes = BDD_MEMORY};
    tac_status status = tac_bdd_start(&limits, err);
    if (status != TAC_OK)
        return status;
    struct symbolic_search y = {.cone = cone, .place = event_bdd_order(cone)};
    y.relations = tac_calloc(cone->programs.count + 1, sizeof *y.relations);
    y.values = tac_calloc(2 * cone->state_bits + 2, 1);
    *complete = true;
    if (!cone->blocked_at_start)
        status = run_search(&y, watch, targets, err);
    bool failed = tac_bdd_failed();
    *complete = status == TAC_OK && !failed;
    for (size_t i = 0; i < cone->targets.count && *complete; i++)
        if (targets[i].verdict == SEARCH_UNKNOWN)
            targets[i].verdict = SEARCH_SAFE;
    if (*complete && y.levels.count)
        *reached += count_states(&y);
    for (size_t p = 0; p < cone->programs.count; p++)
        event_relation_free(&y.relations[p]);
    tac_vec_free(&y.levels);
    free(y.relations);
    free(y.place);
    free(y.values);
    tac_bdd_stop();
    return status;
}
