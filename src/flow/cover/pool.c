/* Candidate flows. Of the flows with one and the same set of items only a shortest is kept: no
 * other can be better in a suite. */
#include "base/check.h"
#include "flow/cover/cover.h"

#define UNTIMED_STEP_SECONDS 1.0

void pool_init(struct pool *pool, struct items *items)
{
    *pool = (struct pool){.items = items};
}

void pool_free(struct pool *pool)
{
    tac_vec_free(&pool->flows);
    tac_vec_free(&pool->edges);
    tac_vec_free(&pool->covers);
    tac_vec_free(&pool->scratch);
    tac_names_free(&pool->known);
}

static double seconds_of(const struct pool *pool, const tac_flow_path *path)
{
    const struct space *space = pool->items->engine->space;
    double seconds = 0;
    for (uint32_t i = 0; i < path->length; i++) {
        double time = space_time_of(space, space->graph.edges.at[path->edges[i]].label);
        seconds += time >= 0 ? time : UNTIMED_STEP_SECONDS;
    }
    return seconds;
}

static void set_path(struct pool *pool, struct candidate *flow, const tac_flow_path *path)
{
    flow->root = path->root;
    flow->length = path->length;
    flow->kind = path->kind;
    flow->seconds = seconds_of(pool, path);
    flow->first_edge = (uint32_t)pool->edges.count;
    assert(path->length <= pool->items->engine->options.length);
    tac_vec_append(&pool->edges, path->edges, path->length);
}

void pool_add(struct pool *pool, const tac_flow_path *path, bool add_items)
{
    u32_vec *covers = &pool->scratch;
    items_of_path(pool->items, path, add_items, covers);
    if (!pool->keep_all) {
        uint32_t set =
            tac_names_intern_bytes(&pool->known, covers->count ? (const void *)covers->at : "",
                                   covers->count * sizeof *covers->at);
        if (set < pool->flows.count) {
            struct candidate *known = &pool->flows.at[set];
            assert(known->item_count == covers->count);
            if (path->length < known->length)
                set_path(pool, known, path);
            return;
        }
    }
    pool_add_covering(pool, path, covers);
}

void pool_add_covering(struct pool *pool, const tac_flow_path *path, const u32_vec *covers)
{
    struct candidate flow = {.first_item = (uint32_t)pool->covers.count,
                             .item_count = (uint32_t)covers->count};
    tac_vec_append(&pool->covers, covers->at, covers->count);
    set_path(pool, &flow, path);
    tac_vec_push(&pool->flows, flow);
}

tac_flow_path pool_path(const struct pool *pool, size_t flow)
{
    const struct candidate *at = &pool->flows.at[flow];
    assert(flow < pool->flows.count);
    assert(at->first_edge + (size_t)at->length <= pool->edges.count);
    const uint32_t *edges = at->length ? pool->edges.at + at->first_edge : NULL;
    return (tac_flow_path){at->kind, at->root, at->length, edges};
}

void pool_cut(struct pool *pool, size_t flow, uint32_t length)
{
    struct candidate *cut = &pool->flows.at[flow];
    const struct graph *graph = &pool->items->engine->space->graph;
    assert(length <= cut->length);
    tac_flow_path path = pool_path(pool, flow);
    path.length = length;
    uint32_t node =
        length ? graph->edges.at[path.edges[length - 1]].target : graph->roots.at[path.root];
    unsigned mask = graph->nodes.at[node].ends | graph->nodes.at[node].ends_at_bound;
    assert(mask != 0);
    cut->length = length;
    cut->kind = (tac_flow_kind)(mask & -mask);
    cut->seconds = seconds_of(pool, &path);
    items_of_path(pool->items, &path, false, &pool->scratch);
    cut->first_item = (uint32_t)pool->covers.count;
    cut->item_count = (uint32_t)pool->scratch.count;
    tac_vec_append(&pool->covers, pool->scratch.at, pool->scratch.count);
}
