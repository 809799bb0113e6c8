/* Minimum cost flow by the primal-dual method: potentials keep every reduced cost at zero or above;
 * each phase finds the distances from all nodes with something to give (Dijkstra), then sends as
 * much as fits along arcs of reduced cost zero (a blocking flow, depth first). Distances of phases
 * grow, so there are at most (longest distance) phases; with unit costs that is few.
 *
 * Cost: phases * (arcs * log(nodes) + units sent * path length). */
#include "flow/cover/mincost.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <string.h>

#define FAR INT64_MAX

struct heap_entry {
    int64_t distance;
    uint32_t node;
};

struct solving {
    struct mincost *problem;
    uint32_t *first, *at; /* residual arcs by node: 2 * arc, + 1 when walked backward */
    int64_t *potential, *distance;
    uint32_t *next; /* node: where its scan of the phase goes on */
    bool *on_path;
    TAC_VEC(struct heap_entry) heap;
    TAC_VEC(uint32_t) path; /* residual arcs */
};

void mincost_init(struct mincost *problem, uint32_t nodes)
{
    *problem = (struct mincost){.nodes = nodes};
    problem->balance = tac_calloc((size_t)nodes + 1, sizeof *problem->balance);
}

void mincost_free(struct mincost *problem)
{
    free(problem->balance);
    tac_vec_free(&problem->arcs);
}

uint32_t mincost_arc(struct mincost *problem, uint32_t from, uint32_t to, uint32_t cost,
                     uint32_t room)
{
    assert(from < problem->nodes && to < problem->nodes);
    tac_vec_push(&problem->arcs, (struct cost_arc){from, to, cost, room, 0});
    return (uint32_t)(problem->arcs.count - 1);
}

static void index_arcs(struct solving *s)
{
    const struct mincost *p = s->problem;
    size_t nodes = p->nodes;
    s->first = tac_calloc(nodes + 2, sizeof *s->first);
    s->at = tac_alloc((2 * p->arcs.count + 1) * sizeof *s->at);
    for (size_t a = 0; a < p->arcs.count; a++) {
        s->first[p->arcs.at[a].from + 1]++;
        s->first[p->arcs.at[a].to + 1]++;
    }
    for (size_t n = 0; n < nodes; n++)
        s->first[n + 1] += s->first[n];
    uint32_t *fill = tac_alloc((nodes + 1) * sizeof *fill);
    memcpy(fill, s->first, (nodes + 1) * sizeof *fill);
    for (uint32_t a = 0; a < p->arcs.count; a++) {
        s->at[fill[p->arcs.at[a].from]++] = 2 * a;
        s->at[fill[p->arcs.at[a].to]++] = 2 * a + 1;
    }
    free(fill);
}

static void push_heap(struct solving *s, int64_t distance, uint32_t node)
{
    tac_vec_push(&s->heap, (struct heap_entry){distance, node});
    size_t i = s->heap.count - 1;
    for (; i && s->heap.at[(i - 1) / 2].distance > distance; i = (i - 1) / 2)
        s->heap.at[i] = s->heap.at[(i - 1) / 2];
    s->heap.at[i] = (struct heap_entry){distance, node};
}

static struct heap_entry pop_heap(struct solving *s)
{
    struct heap_entry top = s->heap.at[0], last = tac_vec_pop(&s->heap);
    size_t count = s->heap.count, i = 0;
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && s->heap.at[child + 1].distance < s->heap.at[child].distance)
            child++;
        if (s->heap.at[child].distance >= last.distance)
            break;
        s->heap.at[i] = s->heap.at[child];
    }
    if (count)
        s->heap.at[i] = last;
    return top;
}

/* Room on a residual arc, where it leads, and its cost seen from the potentials. */
static uint32_t room_on(const struct solving *s, uint32_t residual)
{
    const struct cost_arc *arc = &s->problem->arcs.at[residual / 2];
    if (residual & 1)
        return arc->carries;
    return arc->room == UNLIMITED ? UNLIMITED : arc->room - arc->carries;
}

static uint32_t head_of(const struct solving *s, uint32_t residual)
{
    const struct cost_arc *arc = &s->problem->arcs.at[residual / 2];
    return residual & 1 ? arc->from : arc->to;
}

static int64_t reduced_cost(const struct solving *s, uint32_t from, uint32_t residual)
{
    int64_t cost = s->problem->arcs.at[residual / 2].cost;
    return (residual & 1 ? -cost : cost) + s->potential[from] - s->potential[head_of(s, residual)];
}

/* Distances from all givers; the distance of the nearest taker, or FAR. */
static int64_t measure(struct solving *s)
{
    const struct mincost *p = s->problem;
    int64_t nearest = FAR;
    s->heap.count = 0;
    for (uint32_t n = 0; n < p->nodes; n++) {
        s->distance[n] = p->balance[n] > 0 ? 0 : FAR;
        if (p->balance[n] > 0)
            push_heap(s, 0, n);
    }
    while (s->heap.count) {
        struct heap_entry entry = pop_heap(s);
        uint32_t node = entry.node;
        if (entry.distance > s->distance[node])
            continue;
        if (entry.distance > nearest)
            break;
        if (p->balance[node] < 0 && entry.distance < nearest)
            nearest = entry.distance;
        for (uint32_t k = s->first[node]; k < s->first[node + 1]; k++) {
            uint32_t residual = s->at[k], to = head_of(s, residual);
            if (!room_on(s, residual))
                continue;
            int64_t step = reduced_cost(s, node, residual);
            assert(step >= 0);
            if (entry.distance + step < s->distance[to]) {
                s->distance[to] = entry.distance + step;
                push_heap(s, s->distance[to], to);
            }
        }
    }
    return nearest;
}

/* Beyond the nearest taker distances are not final, so they count as its distance. */
static void raise_potentials(struct solving *s, int64_t nearest)
{
    for (uint32_t n = 0; n < s->problem->nodes; n++)
        s->potential[n] += s->distance[n] < nearest ? s->distance[n] : nearest;
}

/* A path of reduced cost 0 from a giver to a taker into s->path; false when there is none left. */
static bool find_path(struct solving *s, uint32_t from)
{
    s->path.count = 0;
    s->on_path[from] = true;
    uint32_t node = from;
    for (;;) {
        if (s->problem->balance[node] < 0)
            return true;
        bool forward = false;
        for (; s->next[node] < s->first[node + 1] && !forward; s->next[node]++) {
            uint32_t residual = s->at[s->next[node]], to = head_of(s, residual);
            if (s->on_path[to] || !room_on(s, residual) || reduced_cost(s, node, residual) != 0)
                continue;
            tac_vec_push(&s->path, residual);
            s->on_path[to] = true;
            node = to;
            forward = true;
            break; /* its place stays: the arc may be walked again */
        }
        if (forward)
            continue;
        s->on_path[node] = false;
        if (node == from)
            return false;
        uint32_t back = tac_vec_pop(&s->path);
        node = head_of(s, back ^ 1);
        s->next[node]++; /* it led nowhere */
    }
}

static void send_along(struct solving *s, uint32_t from)
{
    struct mincost *p = s->problem;
    uint32_t to = head_of(s, tac_vec_last(&s->path));
    int64_t units = p->balance[from] < -p->balance[to] ? p->balance[from] : -p->balance[to];
    for (size_t i = 0; i < s->path.count; i++)
        if (room_on(s, s->path.at[i]) < units)
            units = room_on(s, s->path.at[i]);
    assert(units > 0);
    s->on_path[from] = false;
    for (size_t i = 0; i < s->path.count; i++) {
        struct cost_arc *arc = &p->arcs.at[s->path.at[i] / 2];
        bool backward = s->path.at[i] & 1;
        arc->carries = backward ? arc->carries - (uint32_t)units : arc->carries + (uint32_t)units;
        p->cost += backward ? -units * arc->cost : units * arc->cost;
        s->on_path[head_of(s, s->path.at[i])] = false;
    }
    p->balance[from] -= units;
    p->balance[to] += units;
}

static bool is_even(const struct mincost *p)
{
    for (uint32_t n = 0; n < p->nodes; n++)
        if (p->balance[n])
            return false;
    return true;
}

static enum mincost_end run_phases(struct solving *s)
{
    struct mincost *p = s->problem;
    for (uint64_t phase = 0;; phase++) {
        int64_t nearest = measure(s);
        if (nearest == FAR)
            return is_even(p) ? MINCOST_SOLVED : MINCOST_INFEASIBLE;
        if (!tac_watch_tick(p->watch, "evening out the tour", phase, 0))
            return MINCOST_STOPPED;
        raise_potentials(s, nearest);
        memcpy(s->next, s->first, p->nodes * sizeof *s->next);
        for (uint32_t n = 0; n < p->nodes; n++)
            while (p->balance[n] > 0 && find_path(s, n))
                send_along(s, n);
    }
}

enum mincost_end mincost_solve(struct mincost *problem)
{
    struct solving s = {.problem = problem};
    size_t nodes = (size_t)problem->nodes + 1;
    int64_t sum = 0;
    for (uint32_t n = 0; n < problem->nodes; n++)
        sum += problem->balance[n];
    assert(sum == 0);
    index_arcs(&s);
    s.potential = tac_calloc(nodes, sizeof *s.potential);
    s.distance = tac_calloc(nodes, sizeof *s.distance);
    s.next = tac_calloc(nodes, sizeof *s.next);
    s.on_path = tac_calloc(nodes, sizeof *s.on_path);
    problem->cost = 0;
    enum mincost_end end = run_phases(&s);
    free(s.first);
    free(s.at);
    free(s.potential);
    free(s.distance);
    free(s.next);
    free(s.on_path);
    tac_vec_free(&s.heap);
    tac_vec_free(&s.path);
    return end;
}
