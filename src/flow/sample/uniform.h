/* Flows drawn with equal chance, step by step.
 *
 * At a node with k steps left the next edge is taken with the chance (completions behind it with
 * k - 1 steps left) / (completions of the node), so every flow has the same chance. The numbers of
 * completions have thousands of digits; a table holds them as floating-point numbers with their own
 * exponents and a bound on their error. A random real number is drawn, its first 53 bits at once;
 * where they lie so near a border between two edges that the error could matter, the exact numbers
 * are computed for that one step (exact.c) and further bits are drawn as needed. So the chances are
 * exact, and the exact numbers hardly ever needed: for 1,000 flows of 1,000 events with 70 edges a
 * state, about once in 500 runs.
 *
 * Memory: 12 bytes for each node and number of steps left. Cost of a step: its edges. */
#pragma once

#include "base/data/random.h"
#include "flow/space/engine.h"

struct uniform {
    const struct tac_flow_engine *engine;
    const struct graph *graph;
    uint32_t length;
    size_t nodes;
    double *mantissa; /* [left * nodes + node]: completions are mantissa * 2^exponent */
    int32_t *exponent;
    uint32_t most_edges;
    u32_vec options;   /* of the choice at hand: the nodes that it can lead to */
    mp_limb_t *row;    /* exact numbers for row_left steps left, or NULL */
    uint32_t row_left; /* when row */
    size_t limbs;      /* of each of its numbers */
    tac_random random;
};

/* What may come next: to end here (option 0, when ends), or one of the options' nodes, behind which
 * `left` steps are left. */
struct uniform_choice {
    bool ends;
    uint32_t left;
};

/* Kinds in which a flow ends at a node with so many steps left. */
unsigned uniform_ends(const struct uniform *in, uint32_t node, uint32_t left);

/* engine_prune has been done. */
tac_status uniform_open(const struct tac_flow_engine *engine, uint64_t seed, struct uniform *out,
                        tac_error *err);
void uniform_close(struct uniform *in);
/* False when there is no flow. */
bool uniform_any(const struct uniform *in);
/* A flow; edges has room for the bound. */
tac_status uniform_draw(struct uniform *in, uint32_t *edges, tac_flow_path *out, tac_error *err);

/* The option that the real number with these first 53 bits (an integer) falls on; false when they
 * do not decide it for certain. */
bool uniform_choose(const struct uniform *in, struct uniform_choice choice, uint64_t bits,
                    size_t *option);
/* The same exactly, with further bits from in->random. */
tac_status uniform_choose_exactly(struct uniform *in, struct uniform_choice choice, uint64_t bits,
                                  size_t *option, tac_error *err);
