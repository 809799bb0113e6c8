/* Candidates when there are too many flows to look at all of them.
 *
 * Several suites are built, with other ties each: as long as something is uncovered, a beam search
 * walks the layers of the graph and keeps, per layer, the prefixes with the most new items, among
 * equals those nearest to something uncovered, and only a few per node. If it comes back with
 * nothing new, the earliest path to some uncovered item is taken and completed, so every round
 * covers an item and the search ends. Graphs too large for beams use such paths alone. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/cover/cover.h"
#include <string.h>

#define BEAM_WIDTH 96
#define BEAM_PER_NODE 6
#define LARGE_GRAPH 100000 /* edges */
#define FAR UINT32_MAX

struct entry {
    uint32_t parent, edge, node;
    uint32_t gain, item; /* item: the new one of this step, or TAC_NONE */
    uint32_t last_gain;  /* nearest entry up the path that has an item, itself included */
    uint64_t score;
};

struct beam {
    const struct reach *reach;
    const struct graph *graph;
    struct items *items;
    const struct occurrences *occurrences;
    struct pool *pool;
    uint64_t *covered; /* items of the current suite */
    size_t uncovered;
    uint32_t *distance; /* node: steps to the nearest uncovered item */
    u32_vec queue;
    TAC_VEC(struct entry) entries;
    TAC_VEC(struct entry) fresh;           /* extensions of one layer */
    uint32_t *kept_of, *kept_round, round; /* entries kept of each node in this layer */
    uint32_t *path;
    tac_random random;
};

static bool is_new_item(const struct beam *b, uint32_t item)
{
    return item != TAC_NONE && !tac_bits_get(b->covered, item);
}

/* Distances to the places of uncovered items, breadth first backward. */
static void measure(struct beam *b)
{
    memset(b->distance, 0xff, b->graph->nodes.count * sizeof *b->distance);
    b->queue.count = 0;
    for (uint32_t item = 0; item < b->occurrences->of.count; item++) {
        uint32_t node = b->occurrences->of.at[item].node;
        if (!tac_bits_get(b->covered, item) && b->distance[node] == FAR) {
            b->distance[node] = 0;
            tac_vec_push(&b->queue, node);
        }
    }
    for (size_t i = 0; i < b->queue.count; i++) {
        uint32_t node = b->queue.at[i];
        for (uint32_t k = b->reach->first_in[node]; k < b->reach->first_in[node + 1]; k++) {
            uint32_t from = b->reach->source_of[b->reach->in_edges[k]];
            if (b->distance[from] == FAR) {
                b->distance[from] = b->distance[node] + 1;
                tac_vec_push(&b->queue, from);
            }
        }
    }
}

static bool has_item(const struct beam *b, uint32_t entry, uint32_t item)
{
    for (entry = b->entries.at[entry].last_gain; entry != TAC_NONE;) {
        const struct entry *at = &b->entries.at[entry];
        if (at->item == item)
            return true;
        entry = at->parent == TAC_NONE ? TAC_NONE : b->entries.at[at->parent].last_gain;
    }
    return false;
}

/* The item of extending an entry at `depth` by an edge. */
static uint32_t item_of(struct beam *b, uint32_t entry, uint32_t depth, uint32_t edge)
{
    uint32_t window[64], count = b->items->tuple, at = entry;
    assert(count >= 1 && count <= 64);
    if (depth + 1 < count)
        return TAC_NONE;
    window[count - 1] = edge;
    for (uint32_t i = count - 1; i-- > 0;) {
        window[i] = b->entries.at[at].edge;
        at = b->entries.at[at].parent;
    }
    return items_of_step(b->items, window, count, b->entries.at[entry].node, false);
}

static uint64_t score_of(struct beam *b, uint32_t gain, uint32_t node)
{
    uint64_t far = b->distance[node] < 4095 ? b->distance[node] : 4095;
    return (uint64_t)gain << 32 | (4095 - far) << 16 | tac_random_below(&b->random, 65536);
}

static int by_score(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;
    return a->score > b->score ? -1 : a->score < b->score;
}

static void extend_layer(struct beam *b, size_t first, size_t end, uint32_t depth)
{
    assert(first <= end && end <= b->entries.count && depth < b->reach->length);
    b->fresh.count = 0;
    for (size_t i = first; i < end; i++) {
        struct entry from = b->entries.at[i];
        struct graph_node at = b->graph->nodes.at[from.node];
        for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++) {
            uint32_t target = b->graph->edges.at[e].target;
            if (!reach_alive(b->reach, target, depth + 1))
                continue;
            uint32_t item = item_of(b, (uint32_t)i, depth, e);
            if (!is_new_item(b, item) || has_item(b, (uint32_t)i, item))
                item = TAC_NONE;
            uint32_t gain = from.gain + (item != TAC_NONE);
            tac_vec_push(&b->fresh, (struct entry){(uint32_t)i, e, target, gain, item,
                                                   from.last_gain, score_of(b, gain, target)});
        }
    }
    if (b->fresh.count)
        qsort(b->fresh.at, b->fresh.count, sizeof *b->fresh.at, by_score);
    b->round++;
    size_t kept = 0;
    for (size_t i = 0; i < b->fresh.count && kept < BEAM_WIDTH; i++) {
        struct entry entry = b->fresh.at[i];
        if (b->kept_round[entry.node] != b->round) {
            b->kept_round[entry.node] = b->round;
            b->kept_of[entry.node] = 0;
        }
        if (b->kept_of[entry.node]++ >= BEAM_PER_NODE)
            continue;
        if (entry.item != TAC_NONE)
            entry.last_gain = (uint32_t)b->entries.count;
        tac_vec_push(&b->entries, entry);
        kept++;
    }
}

static void start_layer(struct beam *b)
{
    u32_vec found = {0};
    b->entries.count = 0;
    for (uint32_t root = 0; root < b->graph->roots.count; root++) {
        uint32_t node = b->graph->roots.at[root], gain = 0;
        if (!reach_alive(b->reach, node, 0))
            continue;
        found.count = 0;
        items_of_root(b->items, root, false, &found);
        uint32_t item = TAC_NONE;
        for (size_t i = 0; i < found.count; i++)
            if (is_new_item(b, found.at[i])) {
                item = found.at[i];
                gain++;
            }
        /* the root's number travels in `edge`; of several devices' first states the last one is
           remembered, so a return to another may count twice: the score is a heuristic */
        uint32_t self = item == TAC_NONE ? TAC_NONE : (uint32_t)b->entries.count;
        tac_vec_push(&b->entries, (struct entry){TAC_NONE, root, node, gain, item, self,
                                                 score_of(b, gain, node)});
    }
    tac_vec_free(&found);
}

static unsigned ends_of(const struct beam *b, uint32_t node, uint32_t depth)
{
    const struct graph_node *at = &b->graph->nodes.at[node];
    return (at->ends | (depth == b->reach->length ? at->ends_at_bound : 0)) &
           b->reach->engine->wanted;
}

static tac_flow_path path_to(struct beam *b, uint32_t entry, uint32_t length)
{
    tac_flow_path path = {.length = length, .edges = b->path};
    unsigned mask = ends_of(b, b->entries.at[entry].node, length);
    assert(mask != 0);
    path.kind = (tac_flow_kind)(mask & -mask);
    while (length > 0) {
        b->path[--length] = b->entries.at[entry].edge;
        entry = b->entries.at[entry].parent;
    }
    path.root = b->entries.at[entry].edge;
    assert(b->entries.at[entry].parent == TAC_NONE && path.root < b->graph->roots.count);
    return path;
}

/* The best flow the beam finds; false when it has nothing new. */
static bool search(struct beam *b, tac_flow_path *out)
{
    uint32_t best = TAC_NONE, best_depth = 0;
    size_t first = 0;
    measure(b);
    start_layer(b);
    for (uint32_t depth = 0; depth <= b->reach->length; depth++) {
        size_t end = b->entries.count;
        for (size_t i = first; i < end; i++)
            if (ends_of(b, b->entries.at[i].node, depth) &&
                (best == TAC_NONE || b->entries.at[i].gain > b->entries.at[best].gain)) {
                best = (uint32_t)i;
                best_depth = depth;
            }
        if (depth == b->reach->length || first == end ||
            (best != TAC_NONE && b->entries.at[best].gain >= b->uncovered))
            break;
        extend_layer(b, first, end, depth);
        first = end;
    }
    if (best == TAC_NONE || !b->entries.at[best].gain)
        return false;
    *out = path_to(b, best, best_depth);
    return true;
}

/* An edge from which a flow can still complete, preferably one with something new. */
static uint32_t next_edge(struct beam *b, uint32_t node, uint32_t depth)
{
    struct graph_node at = b->graph->nodes.at[node];
    uint32_t chosen = TAC_NONE, ties = 0;
    for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++) {
        if (!reach_alive(b->reach, b->graph->edges.at[e].target, depth + 1))
            continue;
        b->path[depth] = e;
        uint32_t item = items_of_step(b->items, b->path, depth + 1, node, false);
        if (is_new_item(b, item))
            return e;
        if (tac_random_below(&b->random, ++ties) == 0)
            chosen = e;
    }
    return chosen;
}

/* The earliest path to an item, then on until a flow completes. */
static tac_flow_path path_through(struct beam *b, uint32_t item)
{
    struct occurrence at = b->occurrences->of.at[item];
    assert(item < b->occurrences->of.count);
    tac_flow_path path = {.edges = b->path, .length = at.depth + at.edge_count};
    path.root = reach_prefix(b->reach, at.node, at.depth, b->path);
    if (at.edge_count)
        memcpy(b->path + at.depth, b->occurrences->edges.at + at.first_edge,
               at.edge_count * sizeof *b->path);
    uint32_t node = path.length ? b->graph->edges.at[b->path[path.length - 1]].target
                                : b->graph->roots.at[path.root];
    while (!ends_of(b, node, path.length)) {
        uint32_t edge = next_edge(b, node, path.length);
        if (edge == TAC_NONE)
            break;
        b->path[path.length++] = edge;
        node = b->graph->edges.at[edge].target;
    }
    unsigned mask = ends_of(b, node, path.length);
    path.kind = (tac_flow_kind)(mask & -mask);
    return path;
}

static void take(struct beam *b, const tac_flow_path *path)
{
    u32_vec covers = {0};
    items_of_path(b->items, path, false, &covers);
    for (size_t i = 0; i < covers.count; i++)
        if (is_new_item(b, covers.at[i])) {
            tac_bits_set(b->covered, covers.at[i]);
            assert(b->uncovered > 0);
            b->uncovered--;
        }
    tac_vec_free(&covers);
    pool_add(b->pool, path, false);
}

/* One suite that covers everything. */
static tac_status build_suite(struct beam *b, bool large, tac_error *err)
{
    size_t total = b->occurrences->of.count;
    memset(b->covered, 0, tac_bits_words(total) * 8);
    b->uncovered = total;
    for (uint32_t at = (uint32_t)total; b->uncovered;) {
        tac_flow_path path;
        if (large || !search(b, &path)) {
            while (at > 0 && tac_bits_get(b->covered, at - 1))
                at--; /* items of late places last found: their paths pass many others */
            if (!at)
                break;
            path = path_through(b, at - 1);
        }
        take(b, &path);
        if (!tac_watch_tick(b->graph->watch, "covering", total - b->uncovered, total))
            return tac_fail(err, TAC_E_INTERRUPTED, "covering was stopped");
    }
    return TAC_OK;
}

tac_status beam_fill(const struct reach *reach, struct items *items,
                     const struct occurrences *occurrences, uint64_t seed, struct pool *pool,
                     tac_error *err)
{
    const struct graph *graph = &reach->engine->space->graph;
    struct beam b = {
        .reach = reach, .graph = graph, .items = items, .occurrences = occurrences, .pool = pool};
    size_t nodes = graph->nodes.count + 1;
    bool large = graph->edges.count > LARGE_GRAPH;
    size_t work = (graph->edges.count + 10 * (size_t)reach->length) * occurrences->of.count;
    int suites = large ? 1 : work < 200000 ? 24 : work < 2000000 ? 8 : 2;
    tac_status status = TAC_OK;
    tac_random_seed(&b.random, seed ^ 0xbea);
    b.covered = tac_bits_new(occurrences->of.count);
    b.distance = tac_alloc(nodes * sizeof *b.distance);
    b.kept_of = tac_calloc(nodes, sizeof *b.kept_of);
    b.kept_round = tac_calloc(nodes, sizeof *b.kept_round);
    b.path = tac_calloc((size_t)reach->length + 1, sizeof *b.path);
    for (int i = 0; i < suites && status == TAC_OK; i++)
        status = build_suite(&b, large, err);
    free(b.covered);
    free(b.distance);
    free(b.kept_of);
    free(b.kept_round);
    free(b.path);
    tac_vec_free(&b.queue);
    tac_vec_free(&b.entries);
    tac_vec_free(&b.fresh);
    return status;
}
