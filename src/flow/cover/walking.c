/* Suites by walking: the postman where every step counts, the nearest item otherwise.
 *
 * With a bound on the length the postman's suite is taken if its flows are short enough; if not,
 * and the search for the smallest suite of that length is too large, items are taken within the
 * length, nearest first. Without a bound something is always found, if the graph has an end. Where
 * variables count on the graph is cut: within a length it then says nothing about what is feasible
 * and is not used; without one the suite is for what was found, and the cut is told. */
#include "base/check.h"
#include "flow/cover/walks.h"
#include <math.h>

#define SMALL_SEARCH 1000000 /* edges * items that the search for smallest suites may have */

static bool every_arc_counts(const struct walk_graph *graph)
{
    for (size_t a = 0; a < graph->arcs.count; a++)
        if (graph->arcs.at[a].item == TAC_NONE && !graph->early.at[graph->arcs.at[a].from])
            return false;
    return graph->items->goal != TAC_COVER_STATES && graph->arcs.count;
}

static size_t share_of(size_t total, double percent)
{
    double share = percent > 0 && percent < 100 ? percent : 100;
    return (size_t)ceil((double)total * share / 100 - 1e-9);
}

/* Within a length only what the suite has is feasible; the numbers of the rest are forgotten. */
static void hand_over(const struct walk_graph *graph, const struct walks *walks, bool bounded,
                      struct pool *pool, struct walking *out)
{
    pool->keep_all = true;
    if (bounded)
        items_forget(pool->items);
    walks_to_pool(graph, walks, pool);
    out->total = pool->items->keys.count;
    out->done = true;
}

static tac_status walk(const struct walk_graph *graph, const tac_cover_options *options,
                       uint32_t restart_cost, struct pool *pool, struct walking *out,
                       tac_error *err)
{
    uint32_t length = graph->engine->options.length;
    size_t total = pool->items->keys.count, enough = share_of(total, options->percent);
    struct walks walks = {0};
    bool found = false, bounded = length != TAC_FLOW_UNBOUNDED;
    tac_status status = TAC_OK;
    if (every_arc_counts(graph) && enough == total)
        status = postman(graph, restart_cost, &walks, &found, &out->bound, err);
    out->bound_items = total;
    if (status == TAC_OK && found) {
        walks_trim(graph, &walks);
        found = walks_longest(&walks) <= length;
    }
    if (status == TAC_OK && !found && bounded && graph->arcs.count * total <= SMALL_SEARCH) {
        walks_free(&walks);
        return TAC_OK;
    }
    if (status == TAC_OK && !found) {
        walks.count = walks.arcs.count = 0;
        status = nearest_walks(graph, length, enough, restart_cost, &walks, err);
        walks_trim(graph, &walks);
    }
    if (status == TAC_OK)
        hand_over(graph, &walks, bounded && enough == total, pool, out);
    walks_free(&walks);
    return status;
}

tac_status cover_by_walking(struct tac_flow_engine *engine, const tac_cover_options *options,
                            uint32_t restart_cost, struct pool *pool, struct walking *out,
                            tac_error *err)
{
    bool bounded = engine->options.length != TAC_FLOW_UNBOUNDED, closed = false;
    struct walk_graph graph;
    *out = (struct walking){0};
    if (bounded && engine_needs_pruning(engine))
        return TAC_OK;
    tac_status status = walk_graph_new(engine, pool->items, &graph, &closed, err);
    if (status != TAC_OK)
        return status;
    if (!closed)
        return bounded ? TAC_OK
                       : tac_fail(err, TAC_E_LIMIT,
                                  "the flows have no end of different steps (calls that nest for "
                                  "ever, counters that grow); bound their length");
    if (!graph.partial || !bounded)
        status = walk(&graph, options, restart_cost, pool, out, err);
    out->cut = graph.partial && out->done;
    walk_graph_free(&graph);
    assert(status != TAC_OK || out->done || bounded);
    if (status == TAC_OK && !out->done)
        items_forget(pool->items);
    return status;
}
