/* Sampling: uniform over all flows (uniform.h), or a random walk by weights.
 *
 * Weighted: from a start chosen with equal chance, each step takes an edge with the chance of its
 * transition's weight among the edges from which a wanted flow can still complete; a call that may
 * enter several machines shares its weight among them. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/sample/uniform.h"

#define DRAWN_BETWEEN_TICKS 100000

struct sampling {
    struct tac_flow_engine *engine;
    struct graph *graph;
    uint32_t length;
    uint32_t *path;
    uint64_t drawn; /* events since the watch was asked */
    tac_random random;
};

static unsigned end_mask(const struct sampling *s, uint32_t node, uint32_t left)
{
    const struct graph_node *at = &s->graph->nodes.at[node];
    return (at->ends | (left ? 0 : at->ends_at_bound)) & s->engine->wanted;
}

/* Asks the watch now and then, by the number of events drawn. */
static tac_status ask_between(struct sampling *s, uint64_t done, uint64_t count, tac_error *err)
{
    s->drawn += (uint64_t)s->length + 1;
    if (s->drawn < DRAWN_BETWEEN_TICKS)
        return TAC_OK;
    s->drawn = 0;
    return tac_watch_tick(s->graph->watch, "sampling", done, count)
               ? TAC_OK
               : tac_fail(err, TAC_E_INTERRUPTED, "sampling was stopped");
}

static tac_status sample_uniformly(struct sampling *s, uint64_t seed, uint64_t count,
                                   tac_flow_visit visit, void *context, tac_error *err)
{
    struct uniform uniform;
    tac_status status = uniform_open(s->engine, seed, &uniform, err);
    for (uint64_t i = 0; status == TAC_OK && uniform_any(&uniform) && i < count; i++) {
        tac_flow_path path;
        status = uniform_draw(&uniform, s->path, &path, err);
        if (status == TAC_OK && !visit(context, &path))
            break;
        if (status == TAC_OK)
            status = ask_between(s, i, count, err);
    }
    uniform_close(&uniform);
    return status;
}

/* The weight of an edge: its transition's, shared among the branches of the same call. */
static double weight_of(const struct sampling *s, uint32_t node, uint32_t edge)
{
    const struct graph *graph = s->graph;
    struct graph_node at = graph->nodes.at[node];
    uint32_t label = graph->edges.at[edge].label, sharing = 0;
    if (s->engine->distinct)
        return 1;
    for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++)
        sharing += graph->edges.at[e].label == label;
    return s->engine->model->transitions[label].weight / sharing;
}

static bool may_take(const struct sampling *s, uint32_t edge, uint32_t left_after)
{
    uint64_t *const *alive = s->engine->alive;
    return !alive || tac_bits_get(alive[left_after], s->graph->edges.at[edge].target);
}

/* An edge by weight, or TAC_NONE when none may be taken. */
static uint32_t draw_edge(struct sampling *s, uint32_t node, uint32_t left_after)
{
    struct graph_node at = s->graph->nodes.at[node];
    double total = 0;
    assert(at.first_edge != NOT_EXPANDED);
    uint32_t last = TAC_NONE;
    for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++)
        if (may_take(s, e, left_after))
            total += weight_of(s, node, e);
    double drawn = tac_random_unit(&s->random) * total;
    for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++) {
        if (!may_take(s, e, left_after) || !(weight_of(s, node, e) > 0))
            continue;
        last = e;
        drawn -= weight_of(s, node, e);
        if (drawn < 0)
            break;
    }
    return last;
}

static tac_status walk_once(struct sampling *s, const u32_vec *roots, tac_flow_path *path,
                            bool *found, tac_error *err)
{
    path->edges = s->path;
    path->length = 0;
    assert(roots->count > 0);
    path->root = roots->at[tac_random_below(&s->random, roots->count)];
    uint32_t node = s->graph->roots.at[path->root];
    for (;; path->length++) {
        uint32_t left = s->length - path->length;
        unsigned mask = end_mask(s, node, left);
        *found = mask != 0;
        path->kind = (tac_flow_kind)(mask & -mask);
        if (!left)
            return TAC_OK;
        tac_status status = graph_expand(s->graph, node, err);
        if (status != TAC_OK)
            return status;
        uint32_t edge = draw_edge(s, node, left - 1);
        if (edge == TAC_NONE)
            return TAC_OK;
        s->path[path->length] = edge;
        assert(path->length < s->length && edge < s->graph->edges.count);
        node = s->graph->edges.at[edge].target;
    }
}

static tac_status sample_by_weight(struct sampling *s, uint64_t count, tac_flow_visit visit,
                                   void *context, tac_error *err)
{
    tac_status status = TAC_OK;
    u32_vec roots = {0};
    for (uint32_t i = 0; i < s->graph->roots.count; i++)
        if (!s->engine->alive || tac_bits_get(s->engine->alive[s->length], s->graph->roots.at[i]))
            tac_vec_push(&roots, i);
    for (uint64_t i = 0; roots.count && i < count && status == TAC_OK; i++) {
        tac_flow_path path;
        bool found;
        status = walk_once(s, &roots, &path, &found, err);
        if (status == TAC_OK && !found)
            status = tac_fail(err, TAC_E_INPUT,
                              "a walk came to a state whose transitions all have weight 0");
        else if (status == TAC_OK && !visit(context, &path))
            break;
        if (status == TAC_OK)
            status = ask_between(s, i, count, err);
    }
    tac_vec_free(&roots);
    return status;
}

tac_status tac_flow_sample(tac_flow_engine *engine, const tac_flow_sampling *sampling,
                           tac_flow_visit visit, void *context, tac_error *err)
{
    struct sampling s = {
        .engine = engine, .graph = engine->graph, .length = engine->options.length};
    tac_status status = engine_begin(engine, "sampling", err);
    tac_random_seed(&s.random, sampling->seed);
    if (status == TAC_OK && (!sampling->weighted || engine_needs_pruning(engine)))
        status = engine_prune(engine, err);
    if (status != TAC_OK)
        return status;
    s.path = tac_calloc((size_t)s.length + 1, sizeof *s.path);
    if (sampling->weighted)
        status = sample_by_weight(&s, sampling->count, visit, context, err);
    else
        status = sample_uniformly(&s, sampling->seed, sampling->count, visit, context, err);
    free(s.path);
    return status;
}
