/* The cheapest suite that takes every item: the directed Chinese postman with a restart cost.
 *
 * A hub stands for "not running". An arc leads from it to every start, at the restart cost, and one
 * to it, free, from every node where a flow may end and an item has just been taken. Each part of
 * the graph that hangs together is started once, free of charge, since that cannot be saved. Every
 * arc with an item is walked once; the cheapest repetitions that balance arrivals and departures
 * everywhere are a minimum cost flow (mincost.c); the balanced graph has an Euler circuit
 * (Hierholzer), and cutting it at the hub gives the walks. Optimal, since any suite is such a
 * balanced set.
 *
 * Where one item is completed by several arcs (a transition in several configurations, under
 * several values of a guard's variables), nodes are folded until each item is one arc: the sources
 * of its arcs become one node, and their targets. Every suite of the graph is one of the folded
 * graph, so the folded optimum is a lower bound; realise.c tries to walk it for real. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/forest.h"
#include "flow/cover/mincost.h"
#include "flow/cover/walks.h"
#include <string.h>

struct folded_arc {
    uint32_t from, to; /* classes */
    uint32_t arc;      /* some arc of the graph */
    uint32_t times;    /* 1 with an item, 0 without */
};

struct folding {
    const struct walk_graph *graph;
    uint32_t *class_of; /* node: its class */
    uint32_t classes;
    TAC_VEC(struct folded_arc) arcs; /* one per item, and those without */
    size_t items;
    bool exact; /* nothing was folded */
};

static void fold(struct folding *f)
{
    const struct walk_graph *graph = f->graph;
    size_t items = graph->items->keys.count;
    uint32_t *forest = tac_alloc(((size_t)graph->nodes + 1) * sizeof *forest);
    uint32_t *first = tac_alloc((items + 1) * sizeof *first);
    memset(first, 0xff, (items + 1) * sizeof *first);
    for (uint32_t n = 0; n < graph->nodes; n++)
        forest[n] = n;
    f->exact = true;
    for (uint32_t a = 0; a < graph->arcs.count; a++) {
        const struct walk_arc *arc = &graph->arcs.at[a];
        assert(arc->item < items || graph->early.at[arc->from]);
        if (arc->item == TAC_NONE)
            continue;
        if (first[arc->item] == TAC_NONE) {
            first[arc->item] = a;
            continue;
        }
        const struct walk_arc *other = &graph->arcs.at[first[arc->item]];
        f->exact = false;
        tac_forest_join(forest, other->from, arc->from);
        tac_forest_join(forest, other->to, arc->to);
    }
    f->class_of = tac_alloc(((size_t)graph->nodes + 1) * sizeof *f->class_of);
    for (uint32_t n = 0; n < graph->nodes; n++)
        f->class_of[n] = tac_forest_root(forest, n) == n ? f->classes++
                                                         : f->class_of[tac_forest_root(forest, n)];
    for (size_t i = 0; i < items; i++) {
        if (first[i] == TAC_NONE)
            continue; /* an item of a start alone */
        const struct walk_arc *arc = &graph->arcs.at[first[i]];
        tac_vec_push(&f->arcs, (struct folded_arc){f->class_of[arc->from], f->class_of[arc->to],
                                                   first[i], 1});
    }
    f->items = f->arcs.count;
    assert(f->items <= items && f->classes <= graph->nodes);
    for (uint32_t a = 0; a < graph->arcs.count; a++)
        if (graph->arcs.at[a].item == TAC_NONE)
            tac_vec_push(&f->arcs, (struct folded_arc){f->class_of[graph->arcs.at[a].from],
                                                       f->class_of[graph->arcs.at[a].to], a, 0});
    free(forest);
    free(first);
}

/* Parts of the folded graph that hang together: part_of by class; returns how many. */
static uint32_t find_parts(const struct folding *f, uint32_t *part_of)
{
    uint32_t *forest = tac_alloc(((size_t)f->classes + 1) * sizeof *forest), parts = 0;
    for (uint32_t c = 0; c < f->classes; c++)
        forest[c] = c;
    for (size_t a = 0; a < f->arcs.count; a++)
        tac_forest_join(forest, f->arcs.at[a].from, f->arcs.at[a].to);
    for (uint32_t c = 0; c < f->classes; c++)
        part_of[c] =
            tac_forest_root(forest, c) == c ? parts++ : part_of[tac_forest_root(forest, c)];
    assert(parts <= f->classes);
    free(forest);
    return parts;
}

/* Nodes of the flow problem: classes, the hub, one free start per part. */
struct problem {
    struct mincost flow;
    uint32_t hub, parts, busy_parts; /* busy: has an arc */
    uint32_t *part_of;
    bool *busy;
    uint32_t first_start; /* arcs from here on leave the hub or a part's free start: by root, first
                             the one that costs, then the free one */
};

static void pose(const struct folding *f, uint32_t restart_cost, struct problem *p)
{
    const struct walk_graph *graph = f->graph;
    uint8_t *has_end = tac_calloc((size_t)f->classes + 1, 1);
    p->part_of = tac_calloc((size_t)f->classes + 1, sizeof *p->part_of);
    p->parts = find_parts(f, p->part_of);
    p->busy = tac_calloc((size_t)p->parts + 1, sizeof *p->busy);
    for (size_t a = 0; a < f->items; a++) {
        bool *busy = &p->busy[p->part_of[f->arcs.at[a].from]];
        p->busy_parts += !*busy;
        *busy = true;
    }
    assert(p->busy_parts <= p->parts);
    p->hub = f->classes;
    mincost_init(&p->flow, f->classes + 1 + p->parts);
    p->flow.watch = graph->engine->options.watch;
    for (size_t a = 0; a < f->arcs.count; a++) {
        const struct folded_arc *arc = &f->arcs.at[a];
        p->flow.balance[arc->to] += arc->times;
        p->flow.balance[arc->from] -= arc->times;
        mincost_arc(&p->flow, arc->from, arc->to, 1, UNLIMITED);
    }
    for (size_t a = 0; a < graph->arcs.count; a++)
        if (graph->arcs.at[a].item != TAC_NONE && graph->ends.at[graph->arcs.at[a].to])
            has_end[f->class_of[graph->arcs.at[a].to]] = 1;
    for (uint32_t c = 0; c < f->classes; c++)
        if (has_end[c])
            mincost_arc(&p->flow, c, p->hub, 0, UNLIMITED);
    p->first_start = (uint32_t)p->flow.arcs.count;
    for (size_t r = 0; r < graph->roots.count; r++) {
        uint32_t class = f->class_of[graph->roots.at[r].node];
        mincost_arc(&p->flow, p->hub, class, restart_cost, UNLIMITED);
        mincost_arc(&p->flow, p->hub + 1 + p->part_of[class], class, 0, 1);
    }
    for (uint32_t part = 0; part < p->parts; part++)
        if (p->busy[part]) {
            p->flow.balance[p->hub + 1 + part]++;
            p->flow.balance[p->hub]--;
        }
    free(has_end);
}

/* --- From repetitions to walks --- */

struct euler {
    const struct folding *f;
    uint32_t *first, *at; /* folded arcs by class */
    uint32_t *left;       /* folded arc: times still to be walked */
    uint32_t *next;       /* class: where its scan stands */
};

static void index_folded(struct euler *e)
{
    const struct folding *f = e->f;
    e->first = tac_calloc((size_t)f->classes + 2, sizeof *e->first);
    e->at = tac_alloc((f->arcs.count + 1) * sizeof *e->at);
    for (size_t a = 0; a < f->arcs.count; a++)
        e->first[f->arcs.at[a].from + 1]++;
    for (uint32_t c = 0; c < f->classes; c++)
        e->first[c + 1] += e->first[c];
    e->next = tac_alloc(((size_t)f->classes + 1) * sizeof *e->next);
    memcpy(e->next, e->first, f->classes * sizeof *e->next);
    for (uint32_t a = 0; a < f->arcs.count; a++)
        e->at[e->next[f->arcs.at[a].from]++] = a;
    memcpy(e->next, e->first, f->classes * sizeof *e->next);
}

/* Hierholzer from a class, down to where nothing is left: the arcs of one walk in order. A walk
 * that must end elsewhere than it began ends where the balance says. */
static void circuit(struct euler *e, uint32_t start, u32_vec *out)
{
    u32_vec nodes = {0}, by = {0};
    tac_vec_push(&nodes, start);
    tac_vec_push(&by, TAC_NONE);
    out->count = 0;
    while (nodes.count) {
        uint32_t node = tac_vec_last(&nodes);
        while (e->next[node] < e->first[node + 1] && !e->left[e->at[e->next[node]]])
            e->next[node]++;
        if (e->next[node] < e->first[node + 1]) {
            uint32_t arc = e->at[e->next[node]];
            e->left[arc]--;
            tac_vec_push(&nodes, e->f->arcs.at[arc].to);
            tac_vec_push(&by, arc);
        } else {
            nodes.count--;
            uint32_t arc = tac_vec_pop(&by);
            if (arc != TAC_NONE)
                tac_vec_push(out, arc);
        }
    }
    for (size_t i = 0, k = out->count; i + 1 < k; i++, k--) {
        uint32_t other = out->at[i];
        out->at[i] = out->at[k - 1];
        out->at[k - 1] = other;
    }
    tac_vec_free(&nodes);
    tac_vec_free(&by);
}

/* All walks as one circuit through the hub: the hub becomes one more class, and starts and ends
 * become arcs of it, so that no walk can end where another still has to pass. */
static void add_hub(struct folding *f, const struct problem *p, u32_vec *root_of)
{
    size_t inner = f->arcs.count;
    uint32_t ends = (uint32_t)inner;
    for (size_t a = 0; a < inner; a++)
        f->arcs.at[a].times += p->flow.arcs.at[a].carries;
    uint32_t *starts = tac_calloc(f->graph->roots.count + 1, sizeof *starts);
    for (size_t r = 0; r < f->graph->roots.count; r++) {
        const struct cost_arc *paid = &p->flow.arcs.at[p->first_start + 2 * r];
        starts[r] = paid->carries + paid[1].carries;
    }
    for (; ends < p->first_start; ends++) {
        const struct cost_arc *arc = &p->flow.arcs.at[ends];
        if (arc->carries)
            tac_vec_push(&f->arcs, (struct folded_arc){arc->from, p->hub, TAC_NONE, arc->carries});
    }
    for (uint32_t r = 0; r < f->graph->roots.count; r++) {
        uint32_t class = f->class_of[f->graph->roots.at[r].node];
        if (starts[r])
            tac_vec_push(&f->arcs, (struct folded_arc){p->hub, class, TAC_NONE, starts[r]});
        for (; root_of->count < f->arcs.count;)
            tac_vec_push(root_of, r);
    }
    assert(root_of->count == f->arcs.count && p->hub == f->classes);
    f->classes++;
    free(starts);
}

static void cut_at_hub(const struct folding *f, uint32_t hub, const u32_vec *root_of,
                       const u32_vec *round, struct walks *out)
{
    for (size_t i = 0; i < round->count; i++) {
        const struct folded_arc *arc = &f->arcs.at[round->at[i]];
        if (arc->from == hub)
            walks_begin(out, root_of->at[round->at[i]]);
        else if (arc->to != hub)
            walks_step(out, arc->arc);
    }
}

static bool walk_exact(struct folding *f, const struct problem *p, struct walks *out)
{
    u32_vec root_of = {0}, round = {0};
    add_hub(f, p, &root_of);
    struct euler e = {.f = f};
    e.left = tac_calloc(f->arcs.count + 1, sizeof *e.left);
    size_t total = 0;
    for (size_t a = 0; a < f->arcs.count; a++)
        total += e.left[a] = f->arcs.at[a].times;
    index_folded(&e);
    circuit(&e, p->hub, &round);
    assert(round.count <= total); /* every arc as often as asked at most */
    bool whole = round.count == total;
    if (whole)
        cut_at_hub(f, p->hub, &root_of, &round, out);
    free(e.first);
    free(e.at);
    free(e.left);
    free(e.next);
    tac_vec_free(&root_of);
    tac_vec_free(&round);
    return whole;
}

static bool walk_folded(const struct folding *f, const struct problem *p, struct walks *out)
{
    const struct walk_graph *graph = f->graph;
    uint32_t *times = tac_calloc(graph->items->keys.count + 1, sizeof *times), starts = 0;
    for (size_t a = 0; a < f->arcs.count; a++)
        if (a < f->items)
            times[graph->arcs.at[f->arcs.at[a].arc].item] = 1 + p->flow.arcs.at[a].carries;
    for (size_t r = 0; r < graph->roots.count; r++)
        starts += p->flow.arcs.at[p->first_start + 2 * r].carries +
                  p->flow.arcs.at[p->first_start + 2 * r + 1].carries;
    bool found = realise(graph, times, starts > p->busy_parts ? starts : p->busy_parts, out);
    free(times);
    return found;
}

tac_status postman(const struct walk_graph *graph, uint32_t restart_cost, struct walks *out,
                   bool *found, uint64_t *bound, tac_error *err)
{
    struct folding f = {.graph = graph};
    struct problem p = {0};
    *found = false;
    *bound = 0;
    fold(&f);
    pose(&f, restart_cost, &p);
    enum mincost_end end = mincost_solve(&p.flow);
    if (end == MINCOST_SOLVED) {
        *bound = f.items + (uint64_t)p.flow.cost +
                 (p.busy_parts > 1 ? (uint64_t)(p.busy_parts - 1) * restart_cost : 0);
        *found = f.exact ? walk_exact(&f, &p, out) : walk_folded(&f, &p, out);
    }
    mincost_free(&p.flow);
    free(p.part_of);
    free(p.busy);
    free(f.class_of);
    tac_vec_free(&f.arcs);
    return end == MINCOST_STOPPED ? tac_fail(err, TAC_E_INTERRUPTED, "covering was stopped")
                                  : TAC_OK;
}
