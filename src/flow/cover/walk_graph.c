/* Builds the walk graph (walks.h) breadth first, and what walks through it share.
 *
 * The key of a node is the node of the space and the window of edges before it. Nodes that cannot
 * end a flow any more (a requirement that can no longer be met) are dropped with their arcs, so
 * every walk can be completed. Cost: O(arcs * tuple). */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/cover/walks.h"
#include <string.h>

#define MOST_ARCS 600000
#define MOST_COUNTED 60000 /* of models whose variables may count without end */
#define MOST_WINDOW 16

struct building {
    struct walk_graph *graph;
    tac_names keys; /* space node, then the window */
    TAC_VEC(struct walk_arc) arcs;
    u32_vec first;
};

static uint32_t node_of(struct building *in, const uint32_t *key, size_t words)
{
    return tac_names_intern_bytes(&in->keys, key, words * sizeof *key);
}

static size_t read_key(const struct building *in, uint32_t node, uint32_t *key)
{
    size_t words = in->keys.length[node] / sizeof *key;
    assert(words >= 1 && words <= MOST_WINDOW);
    memcpy(key, in->keys.text[node], words * sizeof *key);
    return words;
}

static tac_status expand_node(struct building *in, uint32_t node, tac_error *err)
{
    struct graph *space = &in->graph->engine->space->graph;
    uint32_t key[MOST_WINDOW], next[MOST_WINDOW], keep = in->graph->items->tuple - 1;
    size_t words = read_key(in, node, key);
    tac_status status = graph_expand(space, key[0], err);
    if (status != TAC_OK)
        return status;
    struct graph_node at = space->nodes.at[key[0]];
    for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++) {
        size_t window = words - 1, drop = window + 1 > keep ? window + 1 - keep : 0;
        next[0] = space->edges.at[e].target;
        for (size_t i = drop; i < window; i++)
            next[1 + i - drop] = key[1 + i];
        if (keep)
            next[1 + window - drop] = e;
        uint32_t to = node_of(in, next, 1 + window + 1 - drop);
        tac_vec_push(&in->arcs, (struct walk_arc){node, to, e, TAC_NONE});
    }
    return TAC_OK;
}

static tac_status expand_all(struct building *in, bool *closed, tac_error *err)
{
    *closed = true;
    for (uint32_t node = 0; node < in->keys.count; node++) {
        tac_vec_push(&in->first, (uint32_t)in->arcs.count);
        tac_status status = expand_node(in, node, err);
        if (status != TAC_OK)
            return status;
        bool counts = in->graph->engine->space->scripted != NULL;
        if (counts && in->arcs.count > MOST_COUNTED) {
            in->graph->partial = true; /* what lies farther is left: nodes without arcs */
            while (in->first.count < in->keys.count)
                tac_vec_push(&in->first, (uint32_t)in->arcs.count);
            break;
        }
        if (in->arcs.count > MOST_ARCS) {
            *closed = false;
            return TAC_OK;
        }
        if (node % 1024 == 0 &&
            !tac_watch_tick(in->graph->engine->options.watch, "looking at all steps", node, 0))
            return tac_fail(err, TAC_E_INTERRUPTED, "covering was stopped");
    }
    tac_vec_push(&in->first, (uint32_t)in->arcs.count);
    return TAC_OK;
}

static uint8_t ends_of(const struct building *in, uint32_t node)
{
    uint32_t space_node;
    memcpy(&space_node, in->keys.text[node], sizeof space_node);
    const struct tac_flow_engine *engine = in->graph->engine;
    const struct graph_node *at = &engine->space->graph.nodes.at[space_node];
    return (uint8_t)((at->ends | at->ends_at_bound) & engine->wanted);
}

/* alive[node]: a flow can still end; backward from the nodes where one may. */
static uint64_t *find_alive(const struct building *in)
{
    size_t nodes = in->keys.count;
    uint64_t *alive = tac_bits_new(nodes);
    uint32_t *first_in = tac_calloc(nodes + 2, sizeof *first_in);
    uint32_t *arcs_in = tac_alloc((in->arcs.count + 1) * sizeof *arcs_in);
    u32_vec queue = {0};
    for (size_t a = 0; a < in->arcs.count; a++)
        first_in[in->arcs.at[a].to + 2]++;
    for (size_t n = 2; n < nodes + 2; n++)
        first_in[n] += first_in[n - 1];
    for (uint32_t a = 0; a < in->arcs.count; a++)
        arcs_in[first_in[in->arcs.at[a].to + 1]++] = a;
    for (uint32_t n = 0; n < nodes; n++)
        if (ends_of(in, n)) {
            tac_bits_set(alive, n);
            tac_vec_push(&queue, n);
        }
    for (size_t i = 0; i < queue.count; i++)
        for (uint32_t k = first_in[queue.at[i]]; k < first_in[queue.at[i] + 1]; k++) {
            uint32_t from = in->arcs.at[arcs_in[k]].from;
            if (tac_bits_get(alive, from))
                continue;
            tac_bits_set(alive, from);
            tac_vec_push(&queue, from);
        }
    tac_vec_free(&queue);
    free(first_in);
    free(arcs_in);
    return alive;
}

static uint32_t item_of_arc(struct building *in, uint32_t from, uint32_t edge)
{
    uint32_t key[MOST_WINDOW + 1];
    size_t words = read_key(in, from, key);
    key[words] = edge;
    return items_of_step(in->graph->items, key + 1, (uint32_t)words, key[0], true);
}

/* Keeps what is alive, numbers the items. */
static void keep_alive(struct building *in, const uint64_t *alive)
{
    struct walk_graph *graph = in->graph;
    uint32_t *place = tac_alloc((in->keys.count + 1) * sizeof *place);
    for (uint32_t n = 0; n < in->keys.count; n++)
        place[n] = tac_bits_get(alive, n) ? graph->nodes++ : TAC_NONE;
    for (size_t r = 0; r < graph->roots.count; r++)
        items_of_root(graph->items, graph->roots.at[r].root, true, &graph->at_roots);
    for (uint32_t n = 0; n < in->keys.count; n++) {
        if (place[n] == TAC_NONE)
            continue;
        tac_vec_push(&graph->first_arc, (uint32_t)graph->arcs.count);
        tac_vec_push(&graph->ends, ends_of(in, n));
        tac_vec_push(&graph->early, in->keys.length[n] / sizeof(uint32_t) < graph->items->tuple);
        for (uint32_t a = in->first.at[n]; a < in->first.at[n + 1]; a++) {
            struct walk_arc arc = in->arcs.at[a];
            if (place[arc.to] == TAC_NONE)
                continue;
            arc.item = item_of_arc(in, n, arc.edge);
            arc.from = place[n];
            arc.to = place[arc.to];
            tac_vec_push(&graph->arcs, arc);
        }
    }
    tac_vec_push(&graph->first_arc, (uint32_t)graph->arcs.count);
    size_t kept = 0;
    for (size_t r = 0; r < graph->roots.count; r++)
        if (place[graph->roots.at[r].node] != TAC_NONE)
            graph->roots.at[kept++] =
                (struct walk_root){place[graph->roots.at[r].node], graph->roots.at[r].root};
    graph->roots.count = kept;
    assert(graph->first_arc.count == (size_t)graph->nodes + 1);
    free(place);
}

tac_status walk_graph_new(struct tac_flow_engine *engine, struct items *items,
                          struct walk_graph *out, bool *closed, tac_error *err)
{
    struct building in = {.graph = out};
    *out = (struct walk_graph){.engine = engine, .items = items};
    assert(items->tuple >= 1 && items->tuple <= MOST_WINDOW);
    const struct graph *space = &engine->space->graph;
    for (uint32_t r = 0; r < space->roots.count; r++) {
        uint32_t node = node_of(&in, &space->roots.at[r], 1);
        tac_vec_push(&out->roots, (struct walk_root){node, r});
    }
    tac_status status = expand_all(&in, closed, err);
    if (status == TAC_OK && *closed) {
        uint64_t *alive = find_alive(&in);
        keep_alive(&in, alive);
        free(alive);
    }
    tac_names_free(&in.keys);
    tac_vec_free(&in.arcs);
    tac_vec_free(&in.first);
    if (status != TAC_OK || !*closed)
        walk_graph_free(out);
    return status;
}

void walk_graph_free(struct walk_graph *graph)
{
    tac_vec_free(&graph->arcs);
    tac_vec_free(&graph->first_arc);
    tac_vec_free(&graph->roots);
    tac_vec_free(&graph->ends);
    tac_vec_free(&graph->early);
    tac_vec_free(&graph->at_roots);
}

/* --- Walks --- */

void walks_free(struct walks *walks)
{
    tac_vec_free(walks);
    tac_vec_free(&walks->arcs);
}

void walks_begin(struct walks *walks, uint32_t root)
{
    tac_vec_push(walks, (struct walk){root, (uint32_t)walks->arcs.count, 0});
}

void walks_step(struct walks *walks, uint32_t arc)
{
    assert(walks->count > 0);
    tac_vec_push(&walks->arcs, arc);
    tac_vec_last(walks).count++;
}

uint32_t walks_longest(const struct walks *walks)
{
    uint32_t longest = 0;
    for (size_t w = 0; w < walks->count; w++)
        longest = walks->at[w].count > longest ? walks->at[w].count : longest;
    return longest;
}

/* Items of starts count too: where there are any, no walk is dropped, and a state that a walk
 * starts in is not what another is cut for. */
void walks_trim(const struct walk_graph *graph, struct walks *walks)
{
    uint32_t *times = tac_calloc(graph->items->keys.count + 1, sizeof *times);
    size_t kept = 0;
    for (size_t i = 0; i < walks->arcs.count; i++)
        if (graph->arcs.at[walks->arcs.at[i]].item != TAC_NONE)
            times[graph->arcs.at[walks->arcs.at[i]].item]++;
    for (size_t w = 0; w < walks->count; w++) {
        struct walk walk = walks->at[w];
        uint32_t end = walk.count;
        while (end) {
            const struct walk_arc *arc = &graph->arcs.at[walks->arcs.at[walk.first + end - 1]];
            if (arc->item != TAC_NONE && times[arc->item] == 1)
                break;
            if (arc->item != TAC_NONE)
                times[arc->item]--;
            end--;
        }
        /* back to where a flow may end; the steps between count again */
        for (; end < walk.count && end; end++) {
            const struct walk_arc *last = &graph->arcs.at[walks->arcs.at[walk.first + end - 1]];
            if (graph->ends.at[last->to])
                break;
            uint32_t item = graph->arcs.at[walks->arcs.at[walk.first + end]].item;
            if (item != TAC_NONE)
                times[item]++;
        }
        walk.count = end;
        if (end || graph->at_roots.count)
            walks->at[kept++] = walk;
    }
    walks->count = kept;
    free(times);
}

void walks_to_pool(const struct walk_graph *graph, const struct walks *walks, struct pool *pool)
{
    u32_vec edges = {0};
    for (size_t w = 0; w < walks->count; w++) {
        const struct walk *walk = &walks->at[w];
        const struct walk_root *root = &graph->roots.at[walk->root];
        uint32_t node = root->node;
        edges.count = 0;
        for (uint32_t i = 0; i < walk->count; i++) {
            const struct walk_arc *arc = &graph->arcs.at[walks->arcs.at[walk->first + i]];
            assert(arc->from == node);
            node = arc->to;
            tac_vec_push(&edges, arc->edge);
        }
        unsigned mask = graph->ends.at[node];
        assert(mask != 0);
        tac_flow_path path = {(tac_flow_kind)(mask & -mask), root->root, walk->count, edges.at};
        pool_add(pool, &path, true);
    }
    tac_vec_free(&edges);
}
