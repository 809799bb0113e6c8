/* Candidates for the goal "requirements": flows that meet as many requirements at once as they can.
 *
 * All requirements watch the same flow without restricting it. What a completed flow meets depends
 * only on the node where it ends, so one shortest flow per set of requirements met is enough: the
 * nodes of the unrolled graph are looked at by depth, and the first of each set is kept. */
#include "flow/cover/requirements.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"

static void met_at(const struct space *space, uint32_t node, uint32_t *words, u32_vec *out)
{
    assert(space->watch_only);
    out->count = 0;
    space_words(space, node, words);
    for (uint32_t i = 0; i < space->watcher_count; i++) {
        uint32_t state = words[space->at_watcher + i];
        if (state != WATCHER_REJECTS && watcher_accepts(space->watchers[i], state))
            tac_vec_push(out, i);
    }
}

/* A candidate that ends in the node after `depth` events and meets the requirements of `met`. */
static void add_candidate(const struct reach *reach, struct pool *pool, uint32_t node,
                          uint32_t depth, const u32_vec *met)
{
    const struct graph *graph = &reach->engine->space->graph;
    uint32_t *edges = tac_alloc(((size_t)depth + 1) * sizeof *edges);
    unsigned mask = graph->nodes.at[node].ends |
                    (depth == reach->length ? graph->nodes.at[node].ends_at_bound : 0);
    tac_flow_path path = {(tac_flow_kind)(mask & -mask), 0, depth, edges};
    assert(mask != 0);
    path.root = reach_prefix(reach, node, depth, edges);
    pool_add_covering(pool, &path, met);
    free(edges);
}

static void collect(const struct reach *reach, struct items *items, struct pool *pool)
{
    const struct space *space = reach->engine->space;
    size_t bits = space->graph.nodes.count;
    uint32_t *words = tac_alloc((space->width + 1) * sizeof *words);
    u32_vec met = {0};
    tac_names sets = {0};
    for (uint32_t depth = 0; depth <= reach->length; depth++)
        for (size_t n = tac_bits_next(reach->at[depth], bits, 0); n < bits;
             n = tac_bits_next(reach->at[depth], bits, n + 1)) {
            const struct graph_node *at = &space->graph.nodes.at[n];
            if (!at->ends && !(depth == reach->length && at->ends_at_bound))
                continue;
            met_at(space, (uint32_t)n, words, &met);
            size_t known = sets.count;
            if (!met.count ||
                tac_names_intern_bytes(&sets, met.at, met.count * sizeof *met.at) < known)
                continue;
            for (size_t i = 0; i < met.count; i++)
                met.at[i] = tac_names_intern_bytes(&items->keys, &met.at[i], sizeof met.at[i]);
            add_candidate(reach, pool, (uint32_t)n, depth, &met);
        }
    tac_vec_free(&met);
    tac_names_free(&sets);
    free(words);
}

tac_status cover_requirements(struct tac_flow_engine *engine, struct items *items,
                              struct pool *pool, struct tac_flow_engine **watching, tac_error *err)
{
    tac_diagnostics findings = {0};
    tac_flow_options options = engine->options;
    struct reach reach;
    options.requirements_watch_only = true;
    tac_status status = tac_flow_engine_new(engine->model, &options, &findings, watching, err);
    tac_diagnostics_free(&findings);
    if (status != TAC_OK)
        return status;
    items->engine = *watching;
    status = reach_new(*watching, &reach, err);
    if (status != TAC_OK)
        return status;
    collect(&reach, items, pool);
    reach_free(&reach);
    return TAC_OK;
}
