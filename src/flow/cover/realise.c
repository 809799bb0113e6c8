/* Walks that take every item as often as asked: depth first with backtracking.
 *
 * Which arcs an item has depends on what happened before (the back stack, the variables of guards),
 * so not every order of a folded tour can be walked. The search takes arcs whose items are still
 * owed, those first from whose target the most is owed; places that failed with the same items left
 * are not entered twice (by hash). Work is bounded: it gives up, and never answers wrongly. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "flow/cover/walks.h"

#define MOST_STEPS 1500000
#define MOST_DEPTH 20000

struct realising {
    const struct walk_graph *graph;
    uint32_t *left; /* item: times owed */
    uint64_t owed;  /* all together */
    uint64_t hash;  /* of left */
    uint64_t steps;
    uint32_t starts;
    tac_u64map failed;
    struct walks *out;
    u32_vec choices; /* of all levels, one after the other */
};

static uint64_t hash_of(uint32_t item, uint32_t left)
{
    return tac_hash_u64((uint64_t)item << 32 | left);
}

static void change(struct realising *r, uint32_t item, uint32_t to)
{
    assert(r->owed >= r->left[item]);
    r->owed = r->owed - r->left[item] + to;
    r->hash ^= hash_of(item, r->left[item]) ^ hash_of(item, to);
    r->left[item] = to;
}

static uint32_t owed_on(const struct realising *r, uint32_t arc)
{
    uint32_t item = r->graph->arcs.at[arc].item;
    return item == TAC_NONE ? 0 : r->left[item];
}

static uint64_t owed_from(const struct realising *r, uint32_t node)
{
    uint64_t sum = 0;
    const uint32_t *first = r->graph->first_arc.at;
    for (uint32_t a = first[node]; a < first[node + 1]; a++)
        sum += owed_on(r, a);
    return sum;
}

/* The arcs out of a node whose items are owed, the most promising first. */
static size_t push_choices(struct realising *r, uint32_t node)
{
    const uint32_t *first = r->graph->first_arc.at;
    size_t begin = r->choices.count;
    for (uint32_t a = first[node]; a < first[node + 1]; a++) {
        if (!owed_on(r, a) && !r->graph->early.at[node])
            continue;
        tac_vec_push(&r->choices, a);
        uint64_t here = owed_from(r, r->graph->arcs.at[a].to);
        size_t i = r->choices.count - 1;
        while (i > begin && owed_from(r, r->graph->arcs.at[r->choices.at[i - 1]].to) < here) {
            r->choices.at[i] = r->choices.at[i - 1];
            i--;
        }
        r->choices.at[i] = a;
    }
    return r->choices.count - begin;
}

static bool go_on(struct realising *r, uint32_t node);

static bool start_again(struct realising *r)
{
    struct walk kept = {0};
    for (uint32_t root = 0; root < r->graph->roots.count && r->out->count < r->starts; root++) {
        uint32_t node = r->graph->roots.at[root].node;
        if (!owed_from(r, node) && !r->graph->early.at[node])
            continue;
        walks_begin(r->out, root);
        if (go_on(r, r->graph->roots.at[root].node))
            return true;
        kept = tac_vec_pop(r->out);
        r->out->arcs.count = kept.first;
    }
    return false;
}

static bool try_arc(struct realising *r, uint32_t a)
{
    const struct walk_arc *arc = &r->graph->arcs.at[a];
    uint32_t owed = owed_on(r, a);
    if (owed)
        change(r, arc->item, owed - 1);
    walks_step(r->out, a);
    if (go_on(r, arc->to))
        return true;
    r->out->arcs.count--;
    tac_vec_last(r->out).count--;
    if (owed)
        change(r, arc->item, owed);
    return false;
}

static bool go_on(struct realising *r, uint32_t node)
{
    assert(node < r->graph->nodes);
    if (!r->owed)
        return r->graph->ends.at[node] != 0;
    if (++r->steps > MOST_STEPS)
        return false;
    uint64_t key = tac_hash_u64(r->hash ^ ((uint64_t)node << 20) ^ r->out->count);
    if (tac_u64map_find(&r->failed, key))
        return false;
    size_t begin = r->choices.count, count = push_choices(r, node);
    for (size_t i = 0; i < count; i++)
        if (try_arc(r, r->choices.at[begin + i]))
            return true;
    r->choices.count = begin;
    if (r->graph->ends.at[node] && start_again(r))
        return true;
    if (r->steps <= MOST_STEPS)
        tac_u64map_at(&r->failed, key, 1, NULL);
    return false;
}

bool realise(const struct walk_graph *graph, const uint32_t *times, uint32_t starts,
             struct walks *out)
{
    struct realising r = {.graph = graph, .starts = starts, .out = out};
    size_t items = graph->items->keys.count;
    r.left = tac_calloc(items + 1, sizeof *r.left);
    for (uint32_t i = 0; i < items; i++)
        change(&r, i, times[i]);
    bool found = r.owed <= MOST_DEPTH && start_again(&r);
    assert(!found || r.owed == 0); /* the suite takes what it claims */
    assert(!found || out->count <= starts);
    if (!found)
        out->count = out->arcs.count = 0;
    free(r.left);
    tac_u64map_free(&r.failed);
    tac_vec_free(&r.choices);
    return found;
}
