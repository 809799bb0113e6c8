/* Counting by forward dynamic programming.
 *
 * Layer d holds, for each node that some prefix of d events reaches, the number of those prefixes.
 * A layer only needs the one before it, so memory does not grow with the length. Numbers of one
 * layer have one fixed width: the number of prefixes of d + 1 events is at most that of d events
 * times the greatest out-degree met, which gives a bound in bits. They lie in one flat array and
 * are added by mpn functions, so nothing is allocated per number. Cost: O(length * edges within the
 * bound) additions. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "flow/space/engine.h"
#include <math.h>
#include <string.h>

struct layer {
    u32_vec nodes;
    mp_limb_t *numbers; /* nodes.count numbers of `limbs` limbs each */
    size_t limbs;
};

struct counting {
    struct graph *graph;
    uint32_t length;
    unsigned wanted;
    struct layer now, next;
    double log2_bound; /* of the number of prefixes in `now` */
    uint32_t *slot_of; /* node: its place in `next` if next.nodes agrees */
    size_t slot_capacity;
    tac_flow_counts *counts;
    uint32_t depth; /* of `now` */
};

static void new_numbers(struct layer *layer, double log2_bound)
{
    layer->limbs = (size_t)(log2_bound / GMP_NUMB_BITS) + 1;
    assert(log2_bound >= 0);
    free(layer->numbers);
    layer->numbers = tac_calloc(layer->nodes.count * layer->limbs + 1, sizeof *layer->numbers);
}

/* The place of a node in the next layer, added when it is not there yet. slot_of is never cleared:
 * an entry counts only if next.nodes points back to the node. */
static size_t slot_of(struct counting *in, uint32_t node)
{
    if (in->slot_capacity <= node) {
        size_t old = in->slot_capacity;
        in->slot_capacity = tac_vec_next_capacity(old, in->graph->nodes.count + 1);
        in->slot_of = tac_realloc(in->slot_of, in->slot_capacity, sizeof *in->slot_of);
        memset(in->slot_of + old, 0, (in->slot_capacity - old) * sizeof *in->slot_of);
    }
    uint32_t slot = in->slot_of[node];
    if (slot < in->next.nodes.count && in->next.nodes.at[slot] == node)
        return slot;
    in->slot_of[node] = (uint32_t)in->next.nodes.count;
    assert(node < in->graph->nodes.count && node < in->slot_capacity);
    tac_vec_push(&in->next.nodes, node);
    return in->slot_of[node];
}

/* Adds up the numbers of the nodes that end in one of the kinds. */
static void add_ends(struct counting *in, unsigned kinds, bool at_bound, mpz_t total)
{
    const struct layer *now = &in->now;
    mp_limb_t *sum = tac_calloc(now->limbs, sizeof *sum);
    assert(now->limbs > 0);
    for (size_t i = 0; i < now->nodes.count; i++) {
        const struct graph_node *node = &in->graph->nodes.at[now->nodes.at[i]];
        if ((node->ends | (at_bound ? node->ends_at_bound : 0)) & kinds)
            mpn_add_n(sum, sum, now->numbers + i * now->limbs, (mp_size_t)now->limbs);
    }
    mpz_t view;
    mpz_add(total, total, mpz_roinit_n(view, sum, (mp_size_t)now->limbs));
    free(sum);
}

static void add_prefixes(struct counting *in)
{
    const struct layer *now = &in->now;
    mp_limb_t *sum = tac_calloc(now->limbs + 1, sizeof *sum);
    mpz_t view;
    for (size_t i = 0; i < now->nodes.count; i++)
        mpn_add(sum, sum, (mp_size_t)now->limbs + 1, now->numbers + i * now->limbs,
                (mp_size_t)now->limbs);
    mpz_add(in->counts->prefixes, in->counts->prefixes,
            mpz_roinit_n(view, sum, (mp_size_t)now->limbs + 1));
    free(sum);
}

static void add_all_ends(struct counting *in, bool at_bound)
{
    bool any = false;
    add_prefixes(in);
    for (size_t i = 0; i < in->now.nodes.count && !any; i++) {
        const struct graph_node *node = &in->graph->nodes.at[in->now.nodes.at[i]];
        any = node->ends || (at_bound && node->ends_at_bound);
    }
    if (!any)
        return;
    add_ends(in, in->wanted, at_bound, in->counts->flows);
    add_ends(in, TAC_FLOW_EXIT, at_bound, in->counts->exit);
    add_ends(in, TAC_FLOW_STUCK, at_bound, in->counts->stuck);
    add_ends(in, TAC_FLOW_TRUNCATED, at_bound, in->counts->truncated);
    add_ends(in, TAC_FLOW_WITNESS, at_bound, in->counts->witnesses);
    assert(mpz_cmp(in->counts->flows, in->counts->prefixes) <=
           0); /* a flow is a prefix that ends */
    assert(mpz_cmp(in->counts->witnesses, in->counts->prefixes) <= 0);
}

/* Expands the layer and collects the nodes of the next one; *degree is the greatest out-degree. */
static tac_status collect_next(struct counting *in, uint32_t *degree, tac_error *err)
{
    *degree = 1;
    in->next.nodes.count = 0;
    for (size_t i = 0; i < in->now.nodes.count; i++) {
        uint32_t from = in->now.nodes.at[i];
        tac_status status = graph_expand(in->graph, from, err);
        if (status != TAC_OK)
            return status;
        struct graph_node node = in->graph->nodes.at[from];
        assert(node.first_edge + (size_t)node.edge_count <= in->graph->edges.count);
        for (uint32_t e = 0; e < node.edge_count; e++)
            slot_of(in, in->graph->edges.at[node.first_edge + e].target);
        if (node.edge_count > *degree)
            *degree = node.edge_count;
        if (i % 4096 == 4095 && !tac_watch_tick(in->graph->watch, "counting flows", i, 0))
            return tac_fail(err, TAC_E_INTERRUPTED, "counting was stopped");
    }
    return TAC_OK;
}

static void add_numbers(struct counting *in)
{
    size_t limbs = in->now.limbs, next_limbs = in->next.limbs;
    assert(limbs <= next_limbs); /* numbers only grow */
    for (size_t i = 0; i < in->now.nodes.count; i++) {
        struct graph_node node = in->graph->nodes.at[in->now.nodes.at[i]];
        const mp_limb_t *number = in->now.numbers + i * limbs;
        for (uint32_t e = 0; e < node.edge_count; e++) {
            uint32_t target = in->graph->edges.at[node.first_edge + e].target;
            mp_limb_t *sum = in->next.numbers + in->slot_of[target] * next_limbs;
            if (next_limbs == 1)
                *sum += *number;
            else
                mpn_add(sum, sum, (mp_size_t)next_limbs, number, (mp_size_t)limbs);
        }
    }
}

static void start_layer(struct counting *in)
{
    for (size_t i = 0; i < in->graph->roots.count; i++)
        slot_of(in, in->graph->roots.at[i]);
    in->log2_bound = log2((double)in->graph->roots.count + 1);
    new_numbers(&in->next, in->log2_bound);
    for (size_t i = 0; i < in->graph->roots.count; i++)
        in->next.numbers[in->slot_of[in->graph->roots.at[i]] * in->next.limbs]++;
}

static void swap_layers(struct counting *in)
{
    struct layer done = in->now;
    in->now = in->next;
    in->next = done;
}

static tac_status run_layers(struct counting *in, tac_error *err)
{
    start_layer(in);
    swap_layers(in);
    assert(in->now.nodes.count <= in->graph->roots.count);
    for (uint32_t depth = 0; in->now.nodes.count; depth++) {
        uint32_t degree;
        in->depth = depth;
        add_all_ends(in, depth == in->length);
        if (depth == in->length)
            break;
        tac_status status = collect_next(in, &degree, err);
        if (status != TAC_OK)
            return status;
        in->log2_bound += log2(degree) + 1e-9;
        new_numbers(&in->next, in->log2_bound);
        add_numbers(in);
        swap_layers(in);
        if (!tac_watch_tick(in->graph->watch, "counting flows", depth, in->length))
            return tac_fail(err, TAC_E_INTERRUPTED, "counting was stopped at length %u", depth);
    }
    return TAC_OK;
}

void tac_flow_counts_init(tac_flow_counts *counts)
{
    mpz_inits(counts->flows, counts->exit, counts->stuck, counts->truncated, counts->witnesses,
              counts->prefixes, NULL);
}

void tac_flow_counts_clear(tac_flow_counts *counts)
{
    mpz_clears(counts->flows, counts->exit, counts->stuck, counts->truncated, counts->witnesses,
               counts->prefixes, NULL);
}

tac_status tac_flow_count(tac_flow_engine *engine, tac_flow_counts *counts, tac_error *err)
{
    struct counting in = {.graph = engine->graph,
                          .length = engine->options.length,
                          .wanted = engine->wanted,
                          .counts = counts};
    mpz_set_ui(counts->flows, 0);
    mpz_set_ui(counts->exit, 0);
    mpz_set_ui(counts->stuck, 0);
    mpz_set_ui(counts->truncated, 0);
    mpz_set_ui(counts->witnesses, 0);
    mpz_set_ui(counts->prefixes, 0);
    double began = tac_now();
    tac_status status = engine_begin(engine, "counting flows", err);
    if (status == TAC_OK)
        status = run_layers(&in, err);
    engine->effort_depth = in.depth;
    engine->effort_seconds = tac_now() - began;
    tac_vec_free(&in.now.nodes);
    tac_vec_free(&in.next.nodes);
    free(in.now.numbers);
    free(in.next.numbers);
    free(in.slot_of);
    return status;
}

void tac_flow_effort_of(const tac_flow_engine *engine, tac_flow_effort *effort)
{
    size_t row = sizeof *engine->graph->nodes.at;
    *effort = (tac_flow_effort){
        .state_bytes = row + engine->space->width * sizeof(uint32_t) +
                       (engine->space->width == 1 ? sizeof(struct config) : 0),
        .depth = engine->effort_depth,
        .states = engine->graph->nodes.count,
        .steps = engine->graph->edges.count,
        .memory = space_memory(engine->space) +
                  (engine->distinct ? engine->distinct->sets.arena.used : 0),
        .seconds = engine->effort_seconds,
    };
}
