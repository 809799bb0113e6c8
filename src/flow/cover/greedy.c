/* The smallest suite of a pool: greedy cover with lazy gains, redundant flows dropped, and other
 * ties tried; then parts of the best suite are thrown away and covered again (large neighbourhood
 * search).
 *
 * A gain never grows while flows are chosen, so a candidate whose old gain is the largest is chosen
 * at once if its gain is still the same (lazy greedy). Work is counted and bounded instead of time,
 * so that the result depends on the seed alone. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "flow/cover/cover.h"
#include <string.h>

#define MOST_WORK UINT64_C(400000000) /* item look-ups of all rounds together */
#define GREEDY_ROUNDS 12
#define MOST_STALE 600 /* neighbours tried without an improvement */

struct solver {
    const struct pool *pool;
    size_t items, enough;
    uint32_t *first_flow, *flow_of; /* candidates by item */
    uint32_t *times;                /* how often the current suite covers an item */
    size_t covered;
    uint32_t *stamp; /* by candidate: the round in which it was looked at */
    uint32_t round;
    u32_vec *buckets; /* candidates by gain */
    u32_vec order, touched, best;
    tac_random random;
    uint64_t work;
    tac_watch *watch;
    bool stopped; /* by the watch */
};

static uint32_t events_of(const struct solver *s, const u32_vec *suite)
{
    uint32_t events = 0;
    for (size_t i = 0; i < suite->count; i++)
        events += s->pool->flows.at[suite->at[i]].length;
    return events;
}

static bool is_better(const struct solver *s, const u32_vec *a, const u32_vec *b)
{
    if (a->count != b->count)
        return a->count < b->count;
    return events_of(s, a) < events_of(s, b);
}

static void add_flow(struct solver *s, uint32_t flow)
{
    const uint32_t *covers = pool_items(s->pool, flow);
    for (uint32_t i = 0; i < s->pool->flows.at[flow].item_count; i++)
        s->covered += s->times[covers[i]]++ == 0;
    assert(s->covered <= s->items);
}

static void drop_flow(struct solver *s, uint32_t flow)
{
    assert(flow < s->pool->flows.count);
    const uint32_t *covers = pool_items(s->pool, flow);
    for (uint32_t i = 0; i < s->pool->flows.at[flow].item_count; i++)
        s->covered -= --s->times[covers[i]] == 0;
}

static uint32_t gain_of(struct solver *s, uint32_t flow)
{
    const uint32_t *covers = pool_items(s->pool, flow);
    uint32_t count = s->pool->flows.at[flow].item_count, gain = 0;
    for (uint32_t i = 0; i < count; i++)
        gain += s->times[covers[i]] == 0;
    s->work += count;
    return gain;
}

static void shuffle(struct solver *s, u32_vec *list)
{
    for (size_t i = list->count; i > 1; i--) {
        size_t k = tac_random_below(&s->random, i);
        uint32_t other = list->at[k];
        list->at[k] = list->at[i - 1];
        list->at[i - 1] = other;
    }
}

/* Drops every flow whose items the others cover, those with the most events first. */
static void drop_redundant(struct solver *s, u32_vec *suite)
{
    shuffle(s, suite);
    for (size_t i = 1; i < suite->count; i++)
        for (size_t k = i; k > 0 && s->pool->flows.at[suite->at[k]].length >
                                        s->pool->flows.at[suite->at[k - 1]].length;
             k--) {
            uint32_t other = suite->at[k];
            suite->at[k] = suite->at[k - 1];
            suite->at[k - 1] = other;
        }
    size_t kept = 0;
    for (size_t i = 0; i < suite->count; i++) {
        drop_flow(s, suite->at[i]);
        if (s->covered < s->enough) {
            add_flow(s, suite->at[i]);
            suite->at[kept++] = suite->at[i];
        }
    }
    suite->count = kept;
}

/* Lazy greedy from nothing, in the order of s->order among equal gains. */
static void greedy(struct solver *s, u32_vec *suite)
{
    uint32_t most = 0;
    for (size_t i = 0; i < s->order.count; i++) {
        uint32_t flow = s->order.at[i], size = s->pool->flows.at[flow].item_count;
        tac_vec_push(&s->buckets[size], flow);
        most = size > most ? size : most;
    }
    suite->count = 0;
    for (uint32_t level = most; level > 0; level--) {
        u32_vec *bucket = &s->buckets[level];
        while (bucket->count && s->covered < s->enough) {
            uint32_t flow = tac_vec_pop(bucket), gain = gain_of(s, flow);
            if (gain == level) {
                add_flow(s, flow);
                tac_vec_push(suite, flow);
            } else if (gain) {
                tac_vec_push(&s->buckets[gain], flow);
            }
        }
        bucket->count = 0;
    }
}

/* The candidate with the largest gain among those that have an uncovered item. */
static uint32_t best_repair(struct solver *s, const u32_vec *lost)
{
    uint32_t best = TAC_NONE, best_gain = 0, ties = 0;
    s->round++;
    for (size_t i = 0; i < lost->count; i++) {
        if (s->times[lost->at[i]])
            continue;
        for (uint32_t k = s->first_flow[lost->at[i]]; k < s->first_flow[lost->at[i] + 1]; k++) {
            uint32_t flow = s->flow_of[k];
            if (s->stamp[flow] == s->round)
                continue;
            s->stamp[flow] = s->round;
            uint32_t gain = gain_of(s, flow);
            bool better = gain > best_gain ||
                          (gain == best_gain &&
                           s->pool->flows.at[flow].length < s->pool->flows.at[best].length);
            bool tie = !better && gain == best_gain &&
                       s->pool->flows.at[flow].length == s->pool->flows.at[best].length;
            ties = better ? 1 : ties + tie;
            if (better || (tie && tac_random_below(&s->random, ties) == 0)) {
                best = flow;
                best_gain = gain;
            }
        }
    }
    return best;
}

/* Throws away a few flows of the best suite and covers again what was lost. */
static void try_neighbour(struct solver *s, u32_vec *suite)
{
    suite->count = 0;
    tac_vec_append(suite, s->best.at, s->best.count);
    shuffle(s, suite);
    size_t away = 1 + tac_random_below(&s->random, suite->count < 6 ? suite->count : 6);
    assert(away <= suite->count);
    s->touched.count = 0;
    for (size_t i = 0; i < away; i++) {
        uint32_t flow = tac_vec_pop(suite);
        drop_flow(s, flow);
        tac_vec_append(&s->touched, pool_items(s->pool, flow), s->pool->flows.at[flow].item_count);
    }
    while (s->covered < s->enough) {
        uint32_t flow = best_repair(s, &s->touched);
        if (flow == TAC_NONE)
            break;
        add_flow(s, flow);
        tac_vec_push(suite, flow);
    }
    drop_redundant(s, suite);
}

static void keep_if_better(struct solver *s, const u32_vec *suite, bool sideways)
{
    bool complete = s->covered >= s->enough;
    if (complete && (!s->best.count || is_better(s, suite, &s->best) ||
                     (sideways && !is_better(s, &s->best, suite)))) {
        s->best.count = 0;
        tac_vec_append(&s->best, suite->at, suite->count);
    }
}

static void set_suite(struct solver *s, const u32_vec *suite)
{
    assert(suite->count > 0);
    memset(s->times, 0, s->items * sizeof *s->times);
    s->covered = 0;
    for (size_t i = 0; i < suite->count; i++)
        add_flow(s, suite->at[i]);
}

static void index_by_item(struct solver *s)
{
    const struct pool *pool = s->pool;
    s->first_flow = tac_calloc(s->items + 2, sizeof *s->first_flow);
    s->flow_of = tac_alloc((pool->covers.count + 1) * sizeof *s->flow_of);
    for (size_t i = 0; i < pool->covers.count; i++)
        s->first_flow[pool->covers.at[i] + 2]++;
    for (size_t i = 2; i < s->items + 2; i++)
        s->first_flow[i] += s->first_flow[i - 1];
    for (size_t f = 0; f < pool->flows.count; f++)
        for (uint32_t i = 0; i < pool->flows.at[f].item_count; i++)
            s->flow_of[s->first_flow[pool_items(pool, f)[i] + 1]++] = (uint32_t)f;
}

/* True as long as there is work left to spend and nobody says stop. */
static bool goes_on(struct solver *s, uint64_t most)
{
    s->stopped = s->stopped || !tac_watch_tick(s->watch, "choosing flows", s->work, MOST_WORK);
    return !s->stopped && s->work < most;
}

static void search(struct solver *s)
{
    u32_vec suite = {0};
    for (int round = 0; round < GREEDY_ROUNDS && goes_on(s, MOST_WORK / 2); round++) {
        if (round)
            shuffle(s, &s->order);
        memset(s->times, 0, s->items * sizeof *s->times);
        s->covered = 0;
        greedy(s, &suite);
        drop_redundant(s, &suite);
        keep_if_better(s, &suite, false);
    }
    for (size_t stale = 0; s->best.count > 1 && stale < MOST_STALE && goes_on(s, MOST_WORK);
         stale++) {
        set_suite(s, &s->best);
        try_neighbour(s, &suite);
        if (s->covered >= s->enough && is_better(s, &suite, &s->best))
            stale = 0;
        keep_if_better(s, &suite, true);
        s->work += s->items;
    }
    tac_vec_free(&suite);
}

/* Most useful first: the order in which the gains of the suite fall fastest. */
static void order_by_gain(struct solver *s, u32_vec *suite)
{
    memset(s->times, 0, s->items * sizeof *s->times);
    s->covered = 0;
    for (size_t i = 0; i < suite->count; i++) {
        size_t best = i;
        uint32_t best_gain = 0;
        for (size_t k = i; k < suite->count; k++) {
            uint32_t gain = gain_of(s, suite->at[k]);
            if (gain > best_gain || (gain == best_gain && suite->at[k] < suite->at[best])) {
                best_gain = gain;
                best = k;
            }
        }
        uint32_t chosen = suite->at[best];
        suite->at[best] = suite->at[i];
        suite->at[i] = chosen;
        add_flow(s, chosen);
    }
}

bool cover_smallest(const struct pool *pool, size_t item_count, size_t enough, uint64_t seed,
                    u32_vec *out)
{
    struct solver s = {.pool = pool,
                       .items = item_count,
                       .enough = enough,
                       .watch = pool->items->engine->options.watch};
    uint32_t most = 0;
    tac_random_seed(&s.random, seed);
    s.times = tac_calloc(item_count + 1, sizeof *s.times);
    s.stamp = tac_calloc(pool->flows.count + 1, sizeof *s.stamp);
    for (size_t f = 0; f < pool->flows.count; f++) {
        tac_vec_push(&s.order, (uint32_t)(pool->flows.count - 1 - f));
        most = pool->flows.at[f].item_count > most ? pool->flows.at[f].item_count : most;
    }
    s.buckets = tac_calloc((size_t)most + 1, sizeof *s.buckets);
    index_by_item(&s);
    assert(enough <= item_count);
    search(&s);
    order_by_gain(&s, &s.best);
    assert_costly(s.stopped || !s.best.count ||
                  s.covered >= enough); /* the suite covers what it claims */
    out->count = 0;
    tac_vec_append(out, s.best.at, s.best.count);
    for (uint32_t i = 0; i <= most; i++)
        tac_vec_free(&s.buckets[i]);
    free(s.buckets);
    free(s.first_flow);
    free(s.flow_of);
    free(s.times);
    free(s.stamp);
    tac_vec_free(&s.order);
    tac_vec_free(&s.touched);
    tac_vec_free(&s.best);
    return !s.stopped;
}
