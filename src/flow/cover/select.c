/* Suites under a budget of time, and diverse suites. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/cover/cover.h"
#include <math.h>

static uint32_t new_items(const struct pool *pool, const uint64_t *covered, size_t flow)
{
    uint32_t gain = 0;
    for (uint32_t i = 0; i < pool->flows.at[flow].item_count; i++)
        gain += !tac_bits_get(covered, pool_items(pool, flow)[i]);
    return gain;
}

static void mark(const struct pool *pool, uint64_t *covered, size_t flow)
{
    for (uint32_t i = 0; i < pool->flows.at[flow].item_count; i++)
        tac_bits_set(covered, pool_items(pool, flow)[i]);
}

/* The flow with the most new items for its time that fits, or TAC_NONE. With power 0 time does not
 * count, with 1 it is items per second. */
static uint32_t best_fitting(const struct pool *pool, const uint64_t *covered, double left,
                             double power, uint32_t *gain_out)
{
    uint32_t best = TAC_NONE;
    double best_value = 0;
    for (size_t f = 0; f < pool->flows.count; f++) {
        const struct candidate *flow = &pool->flows.at[f];
        if (flow->seconds > left)
            continue;
        uint32_t gain = new_items(pool, covered, f);
        double value = gain / pow(flow->seconds + 1e-9, power);
        if (gain && value > best_value) {
            best_value = value;
            best = (uint32_t)f;
            *gain_out = gain;
        }
    }
    return best;
}

/* Adds flows while one fits and has something new; returns how many items they add. */
static uint32_t fill_budget(const struct pool *pool, uint64_t *covered, double left, double power,
                            u32_vec *out)
{
    uint32_t gain = 0, total = 0;
    for (;;) {
        uint32_t flow = best_fitting(pool, covered, left, power, &gain);
        if (flow == TAC_NONE)
            return total;
        mark(pool, covered, flow);
        left -= pool->flows.at[flow].seconds;
        assert(left >= 0);
        total += gain;
        tac_vec_push(out, flow);
    }
}

/* Takes out one flow and fills up again, as long as that covers more. */
static uint32_t improve(const struct pool *pool, size_t item_count, double budget, double power,
                        uint32_t total, u32_vec *suite)
{
    u32_vec other = {0};
    for (size_t out = 0; out < suite->count; out++) {
        uint64_t *covered = tac_bits_new(item_count);
        double left = budget;
        uint32_t kept = 0;
        other.count = 0;
        for (size_t i = 0; i < suite->count; i++) {
            if (i == out)
                continue;
            kept += new_items(pool, covered, suite->at[i]);
            mark(pool, covered, suite->at[i]);
            left -= pool->flows.at[suite->at[i]].seconds;
            tac_vec_push(&other, suite->at[i]);
        }
        kept += fill_budget(pool, covered, left, power, &other);
        free(covered);
        if (kept > total) {
            total = kept;
            suite->count = 0;
            tac_vec_append(suite, other.at, other.count);
            out = SIZE_MAX; /* start over */
        }
    }
    tac_vec_free(&other);
    return total;
}

/* Greedy by items per second prefers many short flows, greedy by items few long ones; which of them
 * is better depends on the times, so both and one between are tried, and each is improved by single
 * exchanges. */
void cover_within_budget(const struct pool *pool, size_t item_count, double budget, u32_vec *out)
{
    static const double powers[] = {1, 0.5, 0};
    uint32_t best = 0;
    u32_vec suite = {0};
    out->count = 0;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        uint64_t *covered = tac_bits_new(item_count);
        suite.count = 0;
        uint32_t total = fill_budget(pool, covered, budget, powers[i], &suite);
        free(covered);
        total = improve(pool, item_count, budget, powers[i], total, &suite);
        if (total > best) {
            best = total;
            out->count = 0;
            tac_vec_append(out, suite.at, suite.count);
        }
    }
    tac_vec_free(&suite);
}

/* Edit distance of the transitions of two flows, as a share of the longer one. */
static double distance(const struct pool *pool, size_t a, size_t b, uint32_t *row)
{
    const struct graph_edge *edges = pool->items->engine->space->graph.edges.at;
    const struct candidate *x = &pool->flows.at[a], *y = &pool->flows.at[b];
    uint32_t longer = x->length > y->length ? x->length : y->length;
    assert(a < pool->flows.count && b < pool->flows.count);
    for (uint32_t k = 0; k <= y->length; k++)
        row[k] = k;
    for (uint32_t i = 1; i <= x->length; i++) {
        uint32_t diagonal = row[0], left = edges[pool->edges.at[x->first_edge + i - 1]].label;
        row[0] = i;
        for (uint32_t k = 1; k <= y->length; k++) {
            uint32_t right = edges[pool->edges.at[y->first_edge + k - 1]].label;
            uint32_t change = diagonal + (left != right);
            diagonal = row[k];
            uint32_t shorter = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
            row[k] = change < shorter ? change : shorter;
        }
    }
    return longer ? (double)row[y->length] / longer : 0;
}

void cover_diverse(const struct pool *pool, uint32_t count, u32_vec *out)
{
    size_t flows = pool->flows.count;
    double *nearest = tac_alloc((flows + 1) * sizeof *nearest);
    uint32_t most = 0, chosen = 0;
    out->count = 0;
    for (size_t f = 0; f < flows; f++) {
        nearest[f] = 2;
        most = pool->flows.at[f].length > most ? pool->flows.at[f].length : most;
        if (pool->flows.at[f].item_count > pool->flows.at[chosen].item_count)
            chosen = (uint32_t)f;
    }
    uint32_t *row = tac_alloc(((size_t)most + 1) * sizeof *row);
    while (flows && out->count < count && nearest[chosen] > 0) {
        tac_vec_push(out, chosen);
        for (size_t f = 0; f < flows; f++) {
            double d = nearest[f] > 0 ? distance(pool, chosen, f, row) : 0;
            if (d < nearest[f])
                nearest[f] = d;
        }
        uint32_t farthest = chosen;
        for (size_t f = 0; f < flows; f++)
            if (nearest[f] > nearest[farthest] ||
                (nearest[f] == nearest[farthest] &&
                 pool->flows.at[f].item_count > pool->flows.at[farthest].item_count))
                farthest = (uint32_t)f;
        chosen = farthest;
    }
    free(nearest);
    free(row);
    assert(out->count <= count);
}
