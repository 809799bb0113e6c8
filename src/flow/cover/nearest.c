/* Suites for any goal and any length: from where the walk is, take the nearest arc with an item
 * that is left; start again when that is nearer, the restart's cost included, or when the length is
 * used up. Every item within reach of a start is taken, each by a shortest way from some place of
 * the suite, so what is left at the end cannot be had within the length at all.
 *
 * Cost: O(arcs) per search, at most one search per item and start; mostly far less, as the nearest
 * item is near. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/cover/walks.h"

struct search {
    const struct walk_graph *graph;
    uint64_t *covered; /* items */
    size_t done;
    uint32_t *by;    /* node: arc by which it was reached */
    uint32_t *stamp; /* node: the search in which it was */
    uint32_t round;
    u32_vec queue, depth, way;
};

static void enter(struct search *s, uint32_t node, uint32_t by, uint32_t depth)
{
    if (s->stamp[node] == s->round)
        return;
    assert(node < s->graph->nodes && (by == TAC_NONE || s->graph->arcs.at[by].to == node));
    s->stamp[node] = s->round;
    s->by[node] = by;
    tac_vec_push(&s->queue, node);
    tac_vec_push(&s->depth, depth);
}

static void begin_search(struct search *s)
{
    s->round++;
    s->queue.count = s->depth.count = 0;
}

/* The way to the nearest uncovered item from the nodes entered, at most `most` steps, the item's
 * arc included; its length, or TAC_NONE. s->way is in order. */
static uint32_t find_item(struct search *s, uint32_t most)
{
    const struct walk_graph *graph = s->graph;
    for (size_t i = 0; i < s->queue.count && s->depth.at[i] < most; i++) {
        uint32_t node = s->queue.at[i];
        for (uint32_t a = graph->first_arc.at[node]; a < graph->first_arc.at[node + 1]; a++) {
            const struct walk_arc *arc = &graph->arcs.at[a];
            if (arc->item != TAC_NONE && !tac_bits_get(s->covered, arc->item)) {
                uint32_t length = s->depth.at[i] + 1;
                s->way.count = 0;
                tac_vec_reserve(&s->way, length);
                s->way.count = length;
                s->way.at[length - 1] = a;
                for (uint32_t k = length - 1; k-- > 0; node = graph->arcs.at[s->by[node]].from)
                    s->way.at[k] = s->by[node];
                assert(length <= most);
                return length;
            }
            enter(s, arc->to, a, s->depth.at[i] + 1);
        }
    }
    return TAC_NONE;
}

static uint32_t find_item_from(struct search *s, uint32_t node, uint32_t most)
{
    begin_search(s);
    enter(s, node, TAC_NONE, 0);
    return find_item(s, most);
}

static uint32_t find_item_from_roots(struct search *s, uint32_t most)
{
    begin_search(s);
    for (size_t r = 0; r < s->graph->roots.count; r++)
        enter(s, s->graph->roots.at[r].node, TAC_NONE, 0);
    return find_item(s, most);
}

static void take(struct search *s, uint32_t arc, struct walks *out)
{
    uint32_t item = s->graph->arcs.at[arc].item;
    walks_step(out, arc);
    if (item != TAC_NONE && !tac_bits_get(s->covered, item)) {
        tac_bits_set(s->covered, item);
        s->done++;
        assert(s->done <= s->graph->items->keys.count);
    }
}

static uint32_t take_way(struct search *s, struct walks *out)
{
    assert(s->way.count > 0);
    u32_vec way = {0};
    tac_vec_append(&way, s->way.at, s->way.count);
    for (size_t i = 0; i < way.count; i++)
        take(s, way.at[i], out);
    uint32_t node = s->graph->arcs.at[tac_vec_last(&way)].to;
    tac_vec_free(&way);
    return node;
}

/* Goes on to where a flow may end. */
static void complete(struct search *s, uint32_t node, struct walks *out)
{
    const struct walk_graph *graph = s->graph;
    begin_search(s);
    enter(s, node, TAC_NONE, 0);
    for (size_t i = 0; i < s->queue.count; i++) {
        uint32_t at = s->queue.at[i];
        if (graph->ends.at[at]) {
            s->way.count = 0;
            for (; at != node; at = graph->arcs.at[s->by[at]].from)
                tac_vec_push(&s->way, s->by[at]);
            for (size_t k = s->way.count; k-- > 0;)
                take(s, s->way.at[k], out);
            return;
        }
        for (uint32_t a = graph->first_arc.at[at]; a < graph->first_arc.at[at + 1]; a++)
            enter(s, graph->arcs.at[a].to, a, 0);
    }
    assert(false && "every node of the walk graph can end a flow");
}

static uint32_t root_at(const struct walk_graph *graph, uint32_t node)
{
    uint32_t r = 0;
    while (r < graph->roots.count && graph->roots.at[r].node != node)
        r++;
    assert(r < graph->roots.count); /* ways begin at starts */
    return r;
}

/* A new walk; its start covers what it covers. */
static void begin_at(struct search *s, uint32_t root, struct walks *out)
{
    u32_vec items = {0};
    items_of_root(s->graph->items, s->graph->roots.at[root].root, false, &items);
    for (size_t i = 0; i < items.count; i++) {
        s->done += !tac_bits_get(s->covered, items.at[i]);
        tac_bits_set(s->covered, items.at[i]);
    }
    tac_vec_free(&items);
    walks_begin(out, root);
}

static bool start_has_more(struct search *s, uint32_t root)
{
    u32_vec items = {0};
    bool more = false;
    items_of_root(s->graph->items, s->graph->roots.at[root].root, false, &items);
    for (size_t i = 0; i < items.count; i++)
        more = more || !tac_bits_get(s->covered, items.at[i]);
    tac_vec_free(&items);
    return more;
}

static tac_status walk_all(struct search *s, uint32_t length, size_t enough, uint32_t restart_cost,
                           struct walks *out, tac_error *err)
{
    uint32_t node = TAC_NONE;
    while (s->done < enough) {
        uint32_t used = node == TAC_NONE ? length : tac_vec_last(out).count;
        uint32_t here = used < length ? find_item_from(s, node, length - used) : TAC_NONE;
        if (here == TAC_NONE || here > restart_cost) {
            uint32_t most = here == TAC_NONE ? length : here - restart_cost;
            uint32_t there = find_item_from_roots(s, most < length ? most : length);
            if (there == TAC_NONE && here == TAC_NONE)
                break;
            if (there != TAC_NONE) {
                u32_vec way = s->way;
                s->way = (u32_vec){0};
                if (node != TAC_NONE)
                    complete(s, node, out);
                tac_vec_free(&s->way);
                s->way = way;
                begin_at(s, root_at(s->graph, s->graph->arcs.at[way.at[0]].from), out);
            } else {
                find_item_from(s, node, length - used);
            }
        }
        node = take_way(s, out);
        if (!tac_watch_tick(s->graph->engine->options.watch, "covering", s->done, enough))
            return tac_fail(err, TAC_E_INTERRUPTED, "covering was stopped");
    }
    if (node != TAC_NONE)
        complete(s, node, out);
    return TAC_OK;
}

tac_status nearest_walks(const struct walk_graph *graph, uint32_t length, size_t enough,
                         uint32_t restart_cost, struct walks *out, tac_error *err)
{
    struct search s = {.graph = graph};
    s.covered = tac_bits_new(graph->items->keys.count);
    s.by = tac_calloc((size_t)graph->nodes + 1, sizeof *s.by);
    s.stamp = tac_calloc((size_t)graph->nodes + 1, sizeof *s.stamp);
    tac_status status = walk_all(&s, length, enough, restart_cost, out, err);
    for (uint32_t r = 0; status == TAC_OK && r < graph->roots.count && s.done < enough; r++)
        if (start_has_more(&s, r) && graph->ends.at[graph->roots.at[r].node])
            begin_at(&s, r, out);
    free(s.covered);
    free(s.by);
    free(s.stamp);
    tac_vec_free(&s.queue);
    tac_vec_free(&s.depth);
    tac_vec_free(&s.way);
    return status;
}
