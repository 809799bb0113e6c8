/* A shortest tour over all configuration edges: the directed Chinese postman with a restart cost.
 *
 * Every edge has to be walked at least once. Walking back to where edges are left costs one per
 * event; leaving the app and starting again costs the restart. A hub stands for "not running": an
 * arc leads from it to every start for free, and one from every node where the app was left or
 * nothing can happen to it at the restart cost (from every node, if some part of the graph cannot
 * be left otherwise). The cheapest set of repetitions that balances arrivals and departures at
 * every node is a minimum cost flow (successive shortest paths); the balanced graph has an Euler
 * circuit (Hierholzer), and cutting it at the hub gives the flows.
 *
 * Cost: O(edges) shortest paths of O(nodes * edges) in the worst case; only for graphs of up to
 * MOST_ARCS edges. Optimal in events + restart cost * flows among all suites without a bound on the
 * length; it fits if no flow is longer than the bound. */
#include "base/data/alloc.h"
#include "flow/cover/cover.h"
#include <string.h>

#define MOST_ARCS 20000

struct arc {
    uint32_t from, to, cost;
    uint32_t edge;  /* of the graph, or TAC_NONE at the hub */
    uint32_t extra; /* repetitions beyond the one that is due */
};

struct tour {
    struct graph *graph;
    uint32_t nodes, hub; /* the hub is the last node */
    TAC_VEC(struct arc) arcs;
    int64_t *balance;          /* arrivals minus departures still to be evened out */
    uint32_t *first_out, *out; /* arcs by source */
    uint32_t *first_in, *in;   /* arcs by target */
    int64_t *distance;
    uint32_t *via; /* arc by which the shortest path arrives; high bit: backward */
    bool *queued;
    u32_vec queue;
};

#define BACKWARD UINT32_C(0x80000000)
#define UNREACHED INT64_MAX

/* Expands everything reachable; false when it is too large (or endless). */
static tac_status close_graph(struct graph *graph, bool *closed, tac_error *err)
{
    for (uint32_t node = 0; node < graph->nodes.count; node++) {
        if (graph->edges.count > MOST_ARCS) {
            *closed = false;
            return TAC_OK;
        }
        tac_status status = graph_expand(graph, node, err);
        if (status != TAC_OK)
            return status;
    }
    *closed = true;
    return TAC_OK;
}

static void add_arcs(struct tour *t, uint32_t restart_cost, bool leave_anywhere)
{
    const struct graph *graph = t->graph;
    for (uint32_t node = 0; node < t->hub; node++) {
        struct graph_node at = graph->nodes.at[node];
        for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++)
            tac_vec_push(&t->arcs, (struct arc){node, graph->edges.at[e].target, 1, e, 0});
        if (!at.edge_count || leave_anywhere)
            tac_vec_push(&t->arcs, (struct arc){node, t->hub, restart_cost, TAC_NONE, 0});
    }
    for (size_t i = 0; i < graph->roots.count; i++)
        tac_vec_push(&t->arcs, (struct arc){t->hub, graph->roots.at[i], 0, TAC_NONE, 0});
}

static void index_arcs(struct tour *t)
{
    size_t arcs = t->arcs.count;
    t->balance = tac_calloc(t->nodes, sizeof *t->balance);
    t->first_out = tac_calloc((size_t)t->nodes + 2, sizeof *t->first_out);
    t->first_in = tac_calloc((size_t)t->nodes + 2, sizeof *t->first_in);
    t->out = tac_alloc((arcs + 1) * sizeof *t->out);
    t->in = tac_alloc((arcs + 1) * sizeof *t->in);
    for (size_t a = 0; a < arcs; a++) {
        const struct arc *arc = &t->arcs.at[a];
        t->first_out[arc->from + 2]++;
        t->first_in[arc->to + 2]++;
        if (arc->edge != TAC_NONE) {
            t->balance[arc->to]++;
            t->balance[arc->from]--;
        }
    }
    for (size_t n = 2; n < (size_t)t->nodes + 2; n++) {
        t->first_out[n] += t->first_out[n - 1];
        t->first_in[n] += t->first_in[n - 1];
    }
    for (uint32_t a = 0; a < arcs; a++) {
        t->out[t->first_out[t->arcs.at[a].from + 1]++] = a;
        t->in[t->first_in[t->arcs.at[a].to + 1]++] = a;
    }
    t->distance = tac_alloc(t->nodes * sizeof *t->distance);
    t->via = tac_alloc(t->nodes * sizeof *t->via);
    t->queued = tac_calloc(t->nodes, sizeof *t->queued);
}

static void relax(struct tour *t, uint32_t from, uint32_t to, int64_t cost, uint32_t via)
{
    if (t->distance[from] + cost >= t->distance[to])
        return;
    t->distance[to] = t->distance[from] + cost;
    t->via[to] = via;
    if (!t->queued[to]) {
        t->queued[to] = true;
        tac_vec_push(&t->queue, to);
    }
}

/* Shortest paths from every node with arrivals to spare (Bellman-Ford with a queue); the nearest
 * node that lacks arrivals, or TAC_NONE. */
static uint32_t nearest_lack(struct tour *t)
{
    uint32_t nearest = TAC_NONE;
    t->queue.count = 0;
    for (uint32_t n = 0; n < t->nodes; n++) {
        t->distance[n] = t->balance[n] > 0 ? 0 : UNREACHED;
        t->via[n] = TAC_NONE;
        if (t->balance[n] > 0) {
            t->queued[n] = true;
            tac_vec_push(&t->queue, n);
        }
    }
    for (size_t i = 0; i < t->queue.count; i++) {
        uint32_t node = t->queue.at[i];
        t->queued[node] = false;
        for (uint32_t k = t->first_out[node]; k < t->first_out[node + 1]; k++)
            relax(t, node, t->arcs.at[t->out[k]].to, t->arcs.at[t->out[k]].cost, t->out[k]);
        for (uint32_t k = t->first_in[node]; k < t->first_in[node + 1]; k++)
            if (t->arcs.at[t->in[k]].extra)
                relax(t, node, t->arcs.at[t->in[k]].from, -(int64_t)t->arcs.at[t->in[k]].cost,
                      t->in[k] | BACKWARD);
    }
    for (uint32_t n = 0; n < t->nodes; n++)
        if (t->balance[n] < 0 && t->distance[n] != UNREACHED &&
            (nearest == TAC_NONE || t->distance[n] < t->distance[nearest]))
            nearest = n;
    return nearest;
}

/* Evens out all balances at the least cost; false when some node cannot be reached. */
static bool even_out(struct tour *t)
{
    for (;;) {
        uint32_t to = nearest_lack(t), node = to;
        if (to == TAC_NONE)
            break;
        while (t->via[node] != TAC_NONE) {
            struct arc *arc = &t->arcs.at[t->via[node] & ~BACKWARD];
            bool backward = t->via[node] & BACKWARD;
            arc->extra += backward ? (uint32_t)-1 : 1;
            node = backward ? arc->to : arc->from;
        }
        t->balance[node]--;
        t->balance[to]++;
    }
    for (uint32_t n = 0; n < t->nodes; n++)
        if (t->balance[n])
            return false;
    return true;
}

/* The Euler circuit from a node: arcs in order, appended to out. */
static void euler(struct tour *t, uint32_t start, uint32_t *left, uint32_t *next, u32_vec *out)
{
    u32_vec stack = {0}, by = {0}, reversed = {0};
    tac_vec_push(&stack, start);
    tac_vec_push(&by, TAC_NONE);
    while (stack.count) {
        uint32_t node = tac_vec_last(&stack);
        while (next[node] < t->first_out[node + 1] && !left[t->out[next[node]]])
            next[node]++;
        if (next[node] < t->first_out[node + 1]) {
            uint32_t arc = t->out[next[node]];
            left[arc]--;
            tac_vec_push(&stack, t->arcs.at[arc].to);
            tac_vec_push(&by, arc);
        } else {
            stack.count--;
            uint32_t arc = tac_vec_pop(&by);
            if (arc != TAC_NONE)
                tac_vec_push(&reversed, arc);
        }
    }
    for (size_t i = reversed.count; i-- > 0;)
        tac_vec_push(out, reversed.at[i]);
    tac_vec_free(&stack);
    tac_vec_free(&by);
    tac_vec_free(&reversed);
}

/* Adds one flow; a flow that ends where the app goes on is completed by further steps. */
static bool add_flow(struct tour *t, uint32_t length, uint32_t start, u32_vec *edges,
                     struct pool *pool)
{
    const struct graph *graph = t->graph;
    if (!edges->count)
        return true;
    uint32_t node = graph->edges.at[tac_vec_last(edges)].target;
    while (graph->nodes.at[node].edge_count && edges->count < length) {
        tac_vec_push(edges, graph->nodes.at[node].first_edge);
        node = graph->edges.at[tac_vec_last(edges)].target;
    }
    if (edges->count > length)
        return false;
    unsigned mask = graph->nodes.at[node].ends | graph->nodes.at[node].ends_at_bound;
    tac_flow_path path = {(tac_flow_kind)(mask & -mask), 0, (uint32_t)edges->count, edges->at};
    for (uint32_t root = 0; root < graph->roots.count; root++)
        if (graph->roots.at[root] == start)
            path.root = root;
    pool_add(pool, &path, true);
    edges->count = 0;
    return true;
}

/* Cuts the circuit at the hub. */
static bool cut(struct tour *t, uint32_t length, const u32_vec *circuit, struct pool *pool)
{
    u32_vec edges = {0};
    uint32_t start = 0;
    bool fits = true;
    for (size_t i = 0; i < circuit->count && fits; i++) {
        const struct arc *arc = &t->arcs.at[circuit->at[i]];
        if (!edges.count && arc->edge != TAC_NONE)
            start = arc->from;
        if (arc->edge != TAC_NONE)
            tac_vec_push(&edges, arc->edge);
        else if (arc->to == t->hub)
            fits = add_flow(t, length, start, &edges, pool);
    }
    fits = fits && add_flow(t, length, start, &edges, pool);
    tac_vec_free(&edges);
    return fits;
}

static bool walk_circuits(struct tour *t, uint32_t length, struct pool *pool)
{
    uint32_t *left = tac_alloc((t->arcs.count + 1) * sizeof *left);
    uint32_t *next = tac_alloc((size_t)t->nodes * sizeof *next);
    u32_vec circuit = {0};
    bool fits = true;
    for (size_t a = 0; a < t->arcs.count; a++)
        left[a] = t->arcs.at[a].extra + (t->arcs.at[a].edge != TAC_NONE);
    memcpy(next, t->first_out, t->nodes * sizeof *next);
    euler(t, t->hub, left, next, &circuit);
    fits = cut(t, length, &circuit, pool);
    for (size_t i = 0; i < t->graph->roots.count && fits; i++) {
        circuit.count = 0;
        euler(t, t->graph->roots.at[i], left, next, &circuit);
        fits = cut(t, length, &circuit, pool);
    }
    tac_vec_free(&circuit);
    free(left);
    free(next);
    return fits;
}

static void tour_free(struct tour *t)
{
    tac_vec_free(&t->arcs);
    tac_vec_free(&t->queue);
    free(t->balance);
    free(t->first_out);
    free(t->out);
    free(t->first_in);
    free(t->in);
    free(t->distance);
    free(t->via);
    free(t->queued);
    *t = (struct tour){0};
}

tac_status tour_edges(struct tac_flow_engine *engine, uint32_t restart_cost, struct pool *pool,
                      bool *fits, tac_error *err)
{
    struct graph *graph = &engine->space->graph;
    bool closed = false;
    *fits = false;
    if (engine_needs_pruning(engine) || !graph->roots.count)
        return TAC_OK;
    tac_status status = close_graph(graph, &closed, err);
    for (int anywhere = 0; anywhere < 2 && status == TAC_OK && closed && !*fits; anywhere++) {
        struct tour t = {.graph = graph,
                         .nodes = (uint32_t)graph->nodes.count + 1,
                         .hub = (uint32_t)graph->nodes.count};
        add_arcs(&t, restart_cost, anywhere);
        index_arcs(&t);
        if (even_out(&t)) {
            *fits = walk_circuits(&t, engine->options.length, pool);
            anywhere = 1;
        }
        tour_free(&t);
    }
    return status;
}
