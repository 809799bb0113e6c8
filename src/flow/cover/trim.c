/* Cuts the ends of flows that add nothing to a suite.
 *
 * A flow is needed up to the step that first has the last of the items which no other flow of the
 * suite has. Flows are cut one after the other, so what one keeps another may lose. Cost: O(events)
 * and one look-up per step. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "flow/cover/cover.h"

static void count_items(const struct pool *pool, uint32_t flow, uint32_t *times, int by)
{
    for (uint32_t i = 0; i < pool->flows.at[flow].item_count; i++)
        times[pool_items(pool, flow)[i]] += (uint32_t)by;
}

/* How many events of the flow the suite needs. */
static uint32_t needed_length(const struct pool *pool, uint32_t flow, uint32_t *times)
{
    struct items *items = pool->items;
    tac_flow_path path = pool_path(pool, flow);
    const struct graph *graph = &items->engine->space->graph;
    uint32_t node = graph->roots.at[path.root], needed = 0;
    u32_vec seen = {0}; /* own items met, put back afterwards */
    for (uint32_t i = 0; i < path.length; i++) {
        uint32_t item = items_of_step(items, path.edges, i + 1, node, false);
        if (item != TAC_NONE && times[item] == 1) {
            needed = i + 1;
            times[item] = 0;
            tac_vec_push(&seen, item);
        }
        node = graph->edges.at[path.edges[i]].target;
    }
    for (size_t i = 0; i < seen.count; i++)
        times[seen.at[i]] = 1;
    tac_vec_free(&seen);
    return needed;
}

/* Items that the start alone has must not be what the last step is kept for. */
static void forget_start(struct items *items, uint32_t root, uint32_t *times, u32_vec *forgotten)
{
    forgotten->count = 0;
    items_of_root(items, root, false, forgotten);
    for (size_t i = 0; i < forgotten->count; i++)
        times[forgotten->at[i]] += 1;
}

void trim_flows(struct pool *pool, size_t item_count, const u32_vec *chosen)
{
    uint32_t *times = tac_calloc(item_count + 1, sizeof *times);
    u32_vec start = {0};
    for (size_t i = 0; i < chosen->count; i++)
        count_items(pool, chosen->at[i], times, 1);
    for (size_t i = chosen->count; i-- > 0;) {
        uint32_t flow = chosen->at[i];
        assert(flow < pool->flows.count);
        forget_start(pool->items, pool->flows.at[flow].root, times, &start);
        uint32_t length = needed_length(pool, flow, times);
        for (size_t k = 0; k < start.count; k++)
            times[start.at[k]] -= 1;
        if (length == pool->flows.at[flow].length)
            continue;
        count_items(pool, flow, times, -1);
        pool_cut(pool, flow, length);
        count_items(pool, flow, times, 1);
    }
    tac_vec_free(&start);
    free(times);
}
