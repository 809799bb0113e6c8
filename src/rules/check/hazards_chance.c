/* Hazards of rule sets in which chance decides.
 *
 * An order of refreshes then has a set of ways to end; a hazard is a change for which two orders do
 * not have the same set, "never stable" being one way to end. A set of pairs (state, input) is kept
 * once and known by its number. The sets in which each pair can end are computed once, by following
 * every rule that fires; for a change, the numbers that orders of a subset of the changed groups
 * lead to come from those of the smaller subsets. On a deterministic rule set every set has one
 * element, and this is what hazards_explicit.c counts. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/order.h"
#include "rules/check/hazards_changes.h"
#include <string.h>

#define MAX_WORK 400000000.0 /* changes times subsets of groups */
#define MAX_PAIRS 4000000.0
#define MOST_GROUPS 12

struct chance {
    struct changes c; /* first: an ending is the number of a set of pairs */
    bool *loops;      /* by pair: some run never ends */
    uint32_t *seen, stamp;
    tac_names sets;
    ending_list room;
};

/* The number of the set of the pairs in the list, which is sorted here. */
static uint64_t set_of(struct chance *x, ending_list *list)
{
    size_t kept = 0;
    qsort(list->at, list->count, sizeof *list->at, tac_order_u64);
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || list->at[i] != list->at[kept - 1])
            list->at[kept++] = list->at[i];
    assert(kept > 0);
    return tac_names_intern_bytes(&x->sets, list->at, kept * sizeof *list->at);
}

static const uint64_t *elements(const struct chance *x, uint64_t set, size_t *count)
{
    assert(set < x->sets.count);
    *count = x->sets.length[set] / sizeof(uint64_t);
    return (const uint64_t *)(const void *)x->sets.text[set];
}

static void find_loops(struct chance *x)
{
    const struct changes *c = &x->c;
    for (uint64_t p = 0; p < c->pairs; p++)
        x->loops[p] = rules_matrix_fired(&c->m, p, c->edges) > 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint64_t p = c->pairs; p-- > 0;) {
            bool again = false;
            size_t count = x->loops[p] ? rules_matrix_fired(&c->m, p, c->edges) : 0;
            for (size_t i = 0; i < count; i++)
                again = again || x->loops[rules_matrix_after(&c->m, p, c->edges[i])];
            changed = changed || again != x->loops[p];
            x->loops[p] = again;
        }
    }
}

static void find_ends(struct chance *x, uint64_t pair)
{
    const struct changes *c = &x->c;
    ending_list ends = {0};
    x->room.count = 0;
    x->stamp++;
    x->seen[pair] = x->stamp;
    tac_vec_push(&x->room, pair);
    if (x->loops[pair])
        tac_vec_push(&ends, NEVER);
    for (size_t head = 0; head < x->room.count; head++) {
        size_t count = rules_matrix_fired(&c->m, x->room.at[head], c->edges);
        if (count == 0)
            tac_vec_push(&ends, x->room.at[head]);
        for (size_t i = 0; i < count; i++) {
            uint64_t next = rules_matrix_after(&c->m, x->room.at[head], c->edges[i]);
            if (x->seen[next] == x->stamp)
                continue;
            x->seen[next] = x->stamp;
            tac_vec_push(&x->room, next);
        }
    }
    assert(x->room.count <= c->pairs && ends.count > 0);
    c->ends[pair] = set_of(x, &ends);
    tac_vec_free(&ends);
}

/* Where the pairs of a set can end when the variables of the mask are read. */
static uint64_t commit(struct changes *c, uint64_t set, uint64_t mask, uint64_t input)
{
    struct chance *x = (struct chance *)c;
    size_t count;
    const uint64_t *from = elements(x, set, &count);
    if (count == 1)
        return from[0] == NEVER ? set : c->ends[(from[0] & ~mask) | (input & mask)];
    x->room.count = 0;
    for (size_t i = 0; i < count; i++) {
        if (from[i] == NEVER) {
            tac_vec_push(&x->room, NEVER);
            continue;
        }
        size_t more;
        const uint64_t *to = elements(x, c->ends[(from[i] & ~mask) | (input & mask)], &more);
        tac_vec_append(&x->room, to, more);
    }
    return set_of(x, &x->room);
}

/* --- An example ------------------------------------------------------------------------------- */

struct chance_order {
    struct changes *c;
    uint64_t input;
    const uint32_t *changed;
    uint32_t count, order[32], first[32];
    uint64_t first_set, second_set;
    bool has_first;
    uint64_t tried;
};

static bool try_orders(struct chance_order *o, uint32_t depth, uint32_t used, uint64_t set)
{
    if (depth == o->count) {
        if (o->has_first) {
            o->second_set = set;
            return set != o->first_set;
        }
        o->has_first = true;
        o->first_set = set;
        memcpy(o->first, o->order, sizeof o->first);
        return false;
    }
    for (uint32_t k = 0; k < o->count && o->tried++ < 1000000; k++) {
        if (used >> k & 1)
            continue;
        o->order[depth] = o->changed[k];
        uint64_t next = commit(o->c, set, o->c->group_mask[o->changed[k]], o->input);
        if (try_orders(o, depth + 1, used | 1u << k, next))
            return true;
    }
    return false;
}

/* A way to end that the one set has and the other has not, if there is one, else any. */
static uint32_t way_to_end(const struct chance *x, uint64_t set, uint64_t other)
{
    size_t count, others;
    const uint64_t *mine = elements(x, set, &count), *theirs = elements(x, other, &others);
    uint64_t chosen = mine[0];
    for (size_t i = 0; i < count; i++) {
        bool shared = false;
        for (size_t k = 0; k < others; k++)
            shared = shared || theirs[k] == mine[i];
        if (!shared)
            chosen = mine[i];
    }
    return chosen == NEVER ? TAC_RULES_NONE : (uint32_t)(chosen / x->c.m.inputs);
}

/* In any two orders, or in the first that the rates allow and in order `other`. */
static void show(struct changes *c, uint64_t pair, uint64_t input, const uint32_t *changed,
                 uint32_t count, size_t other)
{
    const struct chance *x = (const struct chance *)c;
    tac_rules_hazards *out = c->run->out->hazards;
    struct chance_order o = {.c = c, .input = input, .changed = changed, .count = count};
    if (other) {
        o.first_set = rules_changes_end(c, &c->orders.at[0], pair, input);
        o.second_set = rules_changes_end(c, &c->orders.at[other], pair, input);
        rules_hazard_order(c->rules, out, 0, &c->orders.at[0]);
        rules_hazard_order(c->rules, out, 1, &c->orders.at[other]);
    } else if (try_orders(&o, 0, 0, c->ends[pair])) {
        out->order_count = count;
        for (int i = 0; i < 2; i++) {
            out->order[i] = tac_calloc((size_t)count + 1, sizeof(uint32_t));
            memcpy(out->order[i], i ? o.order : o.first, count * sizeof(uint32_t));
        }
    } else {
        return;
    }
    out->has_example = true;
    out->ends[0] = way_to_end(x, o.first_set, o.second_set);
    out->ends[1] = way_to_end(x, o.second_set, o.first_set);
}

tac_status rules_chance_hazards(struct rules_run *run, tac_error *err)
{
    const tac_rules *rules = run->rules;
    struct chance x = {.c = {.commit = commit, .show = show}};
    struct changes *c = &x.c;
    run->out->hazards->chance = true;
    double changes = run->out->valid_inputs.known && run->out->valid_inputs.shift < 40
                         ? mpz_get_d(run->out->valid_inputs.mantissa) *
                               (double)((uint64_t)1 << run->out->valid_inputs.shift)
                         : 1e18;
    changes *= changes * rules->state_count;
    tac_status status = TAC_OK;
    bool small =
        rules->variable_count <= MATRIX_MAX_VARIABLES && rules->group_count <= MOST_GROUPS &&
        changes * (double)(1u << (rules->group_count & 15)) <= MAX_WORK &&
        rules->state_count * (double)((uint64_t)1 << (rules->variable_count & 63)) <= MAX_PAIRS;
    if (!small) {
        run->out->truncated = true; /* hazards stay unknown */
        return TAC_OK;
    }
    status = rules_changes_open(c, run, 13, rules->group_count, err);
    if (status)
        return status;
    x.loops = tac_calloc(c->pairs + 1, sizeof *x.loops);
    x.seen = tac_calloc(c->pairs + 1, sizeof *x.seen);
    find_loops(&x);
    for (uint64_t pair = 0; pair < c->pairs; pair++)
        find_ends(&x, pair);
    status = rules_changes_count(c, err);
    free(x.loops);
    free(x.seen);
    tac_vec_free(&x.room);
    tac_names_free(&x.sets);
    rules_changes_close(c);
    return status;
}
