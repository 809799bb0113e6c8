/* Subset construction, lazily. Cost of a node: O(edges of its members * log). */
#include "flow/space/distinct.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/order.h"
#include <string.h>

static size_t size_of(const struct distinct *distinct, uint32_t node)
{
    return distinct->sets.length[node] / sizeof(uint32_t);
}

static uint32_t member(const struct distinct *distinct, uint32_t node, size_t i)
{
    uint32_t value;
    assert(i < size_of(distinct, node));
    memcpy(&value, distinct->sets.text[node] + i * sizeof value, sizeof value);
    return value;
}

/* What makes equal sets equal bytes; for the checking build. */
static inline bool is_ascending(const uint32_t *members, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (members[i - 1] >= members[i])
            return false;
    return true;
}

/* Interns a sorted set and, when it is new, gathers how its members end. */
static uint32_t node_of_set(struct distinct *distinct, const uint32_t *members, size_t count)
{
    uint32_t id = tac_names_intern_bytes(&distinct->sets, members, count * sizeof *members);
    assert(count > 0);
    assert_costly(is_ascending(members, count));
    if (id == distinct->graph.nodes.count) {
        struct graph_node node = {.first_edge = NOT_EXPANDED};
        for (size_t i = 0; i < count; i++) {
            node.ends |= distinct->space->graph.nodes.at[members[i]].ends;
            node.ends_at_bound |= distinct->space->graph.nodes.at[members[i]].ends_at_bound;
        }
        tac_vec_push(&distinct->graph.nodes, node);
    }
    return id;
}

struct labelled_target {
    uint32_t label, target;
};

static int by_label_then_target(const void *a, const void *b)
{
    const struct labelled_target *x = a, *y = b;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    return x->target < y->target ? -1 : x->target > y->target;
}

typedef TAC_VEC(struct labelled_target) target_vec;

static tac_status gather(struct distinct *distinct, uint32_t node, target_vec *out, tac_error *err)
{
    struct space *space = distinct->space;
    for (size_t i = 0; i < size_of(distinct, node); i++) {
        uint32_t from = member(distinct, node, i);
        tac_status status = graph_expand(&space->graph, from, err);
        if (status != TAC_OK)
            return status;
        struct graph_node at = space->graph.nodes.at[from];
        for (uint32_t e = 0; e < at.edge_count; e++) {
            struct graph_edge edge = space->graph.edges.at[at.first_edge + e];
            tac_vec_push(out,
                         (struct labelled_target){space->label_class[edge.label], edge.target});
        }
    }
    return TAC_OK;
}

static tac_status expand(struct graph *graph, uint32_t node, tac_error *err)
{
    struct distinct *distinct = (struct distinct *)graph;
    target_vec found = {0};
    u32_vec members = {0};
    tac_status status = gather(distinct, node, &found, err);
    if (status != TAC_OK) {
        tac_vec_free(&found);
        return status;
    }
    size_t first = graph->edges.count;
    if (found.count)
        qsort(found.at, found.count, sizeof *found.at, by_label_then_target);
    for (size_t i = 0; i < found.count;) {
        uint32_t label = found.at[i].label;
        members.count = 0;
        for (; i < found.count && found.at[i].label == label; i++)
            if (!members.count || tac_vec_last(&members) != found.at[i].target)
                tac_vec_push(&members, found.at[i].target);
        tac_vec_push(&graph->edges,
                     (struct graph_edge){node_of_set(distinct, members.at, members.count), label});
    }
    tac_vec_free(&found);
    tac_vec_free(&members);
    if (distinct->sets.arena.used > distinct->memory_limit)
        return tac_fail(err, TAC_E_LIMIT,
                        "folding equal event sequences needs over %zu MB here; shorten the "
                        "flows, or list them unfolded",
                        distinct->memory_limit >> 20);
    graph->nodes.at[node].first_edge = (uint32_t)first;
    graph->nodes.at[node].edge_count = (uint32_t)(graph->edges.count - first);
    return TAC_OK;
}

tac_status distinct_new(struct space *space, size_t memory_limit, struct distinct **out,
                        tac_error *err)
{
    (void)err;
    struct distinct *distinct = tac_calloc(1, sizeof *distinct);
    distinct->space = space;
    distinct->memory_limit = memory_limit ? memory_limit : (size_t)1 << 30;
    distinct->graph.expand = expand;
    distinct->graph.watch = space->graph.watch;
    distinct->graph.every_prefix_completes = space->graph.every_prefix_completes;
    distinct->labels = tac_calloc(space->label_texts.count + 1, sizeof *distinct->labels);
    for (size_t i = 0; i < space->label_texts.count; i++)
        distinct->labels[i] = (struct graph_label){space->label_texts.text[i],
                                                   (uint32_t)space->label_texts.length[i]};
    distinct->graph.labels = distinct->labels;
    u32_vec roots = {0}, unique = {0};
    tac_vec_append(&roots, space->graph.roots.at, space->graph.roots.count);
    if (roots.count) {
        qsort(roots.at, roots.count, sizeof *roots.at, tac_order_u32);
        for (size_t i = 0; i < roots.count; i++)
            if (!unique.count || tac_vec_last(&unique) != roots.at[i])
                tac_vec_push(&unique, roots.at[i]);
        tac_vec_push(&distinct->graph.roots, node_of_set(distinct, unique.at, unique.count));
    }
    tac_vec_free(&roots);
    tac_vec_free(&unique);
    *out = distinct;
    return TAC_OK;
}

void distinct_free(struct distinct *distinct)
{
    if (!distinct)
        return;
    tac_names_free(&distinct->sets);
    tac_vec_free(&distinct->graph.nodes);
    tac_vec_free(&distinct->graph.edges);
    tac_vec_free(&distinct->graph.roots);
    free(distinct->labels);
    free(distinct);
}

/* A member of `set` with an edge of this label to `target`; returns the edge. */
static uint32_t edge_into(const struct distinct *distinct, uint32_t set, uint32_t label,
                          uint32_t target, uint32_t *from)
{
    const struct space *space = distinct->space;
    for (size_t i = 0; i < size_of(distinct, set); i++) {
        *from = member(distinct, set, i);
        struct graph_node at = space->graph.nodes.at[*from];
        for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++)
            if (space->graph.edges.at[e].target == target &&
                space->label_class[space->graph.edges.at[e].label] == label)
                return e;
    }
    return TAC_NONE;
}

void distinct_lift(const struct distinct *distinct, const uint32_t *edges, uint32_t length,
                   unsigned wanted, bool at_bound, uint32_t *root, uint32_t *space_edges)
{
    const struct space *space = distinct->space;
    uint32_t last =
        length ? distinct->graph.edges.at[edges[length - 1]].target : distinct->graph.roots.at[0];
    uint32_t node = member(distinct, last, 0);
    assert(distinct->graph.roots.count == 1);
    for (size_t i = 0; i < size_of(distinct, last); i++) {
        const struct graph_node *at = &space->graph.nodes.at[member(distinct, last, i)];
        if ((at->ends | (at_bound ? at->ends_at_bound : 0)) & wanted) {
            node = member(distinct, last, i);
            break;
        }
    }
    for (uint32_t i = length; i-- > 0;) {
        uint32_t set =
            i ? distinct->graph.edges.at[edges[i - 1]].target : distinct->graph.roots.at[0];
        space_edges[i] =
            edge_into(distinct, set, distinct->graph.edges.at[edges[i]].label, node, &node);
        assert(space_edges[i] != TAC_NONE);
    }
    *root = 0;
    for (size_t i = 0; i < space->graph.roots.count; i++)
        if (space->graph.roots.at[i] == node)
            *root = (uint32_t)i;
}
