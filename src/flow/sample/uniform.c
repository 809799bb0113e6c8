/* The table of approximate numbers and the draw by it; see uniform.h. */
#include "flow/sample/uniform.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include <math.h>
#include <string.h>

#define UNIT 0x1p-53 /* half the distance of 1 to the next number */

struct scaled {
    double mantissa; /* 0, or from 0.5 to below 1 */
    int32_t exponent;
};

/* x / 2^n for a normal x and n from 0 to 1000, exactly but for results below the normal ones. */
static double halved(double x, int32_t n)
{
    uint64_t bits = (uint64_t)(1023 - n) << 52;
    double power;
    assert(n >= 0 && n <= 1000);
    memcpy(&power, &bits, sizeof power);
    return x * power;
}

static struct scaled add(struct scaled a, struct scaled b)
{
    if (a.mantissa == 0 || b.mantissa == 0)
        return a.mantissa != 0 ? a : b;
    struct scaled big = a.exponent >= b.exponent ? a : b, small = a.exponent >= b.exponent ? b : a;
    int32_t apart = big.exponent - small.exponent;
    int shift;
    double sum = big.mantissa + (apart > 200 ? 0 : halved(small.mantissa, apart));
    sum = frexp(sum, &shift);
    return (struct scaled){sum, big.exponent + shift};
}

unsigned uniform_ends(const struct uniform *in, uint32_t node, uint32_t left)
{
    const struct graph_node *at = &in->graph->nodes.at[node];
    return (at->ends | (left ? 0 : at->ends_at_bound)) & in->engine->wanted;
}

static struct scaled number(const struct uniform *in, uint32_t left, uint32_t node)
{
    size_t at = (size_t)left * in->nodes + node;
    return (struct scaled){in->mantissa[at], in->exponent[at]};
}

static void fill_row(struct uniform *in, uint32_t left)
{
    for (uint32_t node = 0; node < in->nodes; node++) {
        struct graph_node at = in->graph->nodes.at[node];
        struct scaled sum = {0};
        if (uniform_ends(in, node, left))
            sum = (struct scaled){0.5, 1};
        bool goes_on = left && tac_bits_get(in->engine->alive[left], node);
        assert(!goes_on || at.first_edge != NOT_EXPANDED);
        for (uint32_t e = 0; goes_on && e < at.edge_count; e++)
            sum = add(sum, number(in, left - 1, in->graph->edges.at[at.first_edge + e].target));
        in->mantissa[(size_t)left * in->nodes + node] = sum.mantissa;
        in->exponent[(size_t)left * in->nodes + node] = sum.exponent;
    }
}

tac_status uniform_open(const struct tac_flow_engine *engine, uint64_t seed, struct uniform *out,
                        tac_error *err)
{
    *out = (struct uniform){
        .engine = engine, .graph = engine->graph, .length = engine->options.length};
    out->nodes = engine->graph->nodes.count;
    tac_random_seed(&out->random, seed);
    double bytes = 12.0 * (double)out->nodes * ((double)out->length + 1);
    double limit = engine->options.memory_limit ? (double)engine->options.memory_limit : 0x1p30;
    if (bytes > limit)
        return tac_fail(err, TAC_E_LIMIT,
                        "uniform sampling would need %.0f MB for its table; shorten the flows or "
                        "walk by weights",
                        bytes / 0x1p20);
    for (size_t i = 0; i < out->nodes; i++)
        if (engine->graph->nodes.at[i].first_edge != NOT_EXPANDED &&
            engine->graph->nodes.at[i].edge_count > out->most_edges)
            out->most_edges = engine->graph->nodes.at[i].edge_count;
    size_t places = out->nodes * ((size_t)out->length + 1) + 1;
    out->mantissa = tac_alloc(places * sizeof *out->mantissa);
    out->exponent = tac_alloc(places * sizeof *out->exponent);
    for (uint32_t left = 0; left <= out->length; left++) {
        fill_row(out, left);
        if (!tac_watch_tick(out->graph->watch, "counting completions", left, out->length))
            return tac_fail(err, TAC_E_INTERRUPTED, "sampling was stopped");
    }
    return TAC_OK;
}

void uniform_close(struct uniform *in)
{
    free(in->mantissa);
    free(in->exponent);
    free(in->row);
    tac_vec_free(&in->options);
}

bool uniform_any(const struct uniform *in)
{
    for (size_t i = 0; i < in->graph->roots.count; i++)
        if (number(in, in->length, in->graph->roots.at[i]).mantissa != 0)
            return true;
    return false;
}

/* How far a border between two options, as a share of all, may be off. Each number of the table is
 * a sum of sums, `left` levels of at most most_edges + 1 terms, each addition off by a unit. */
static double doubt_of(const struct uniform *in, uint32_t left, size_t options)
{
    double number = 1.01 * UNIT * ((double)left + 1) * ((double)in->most_edges + 2);
    return 2 * number + 8 * UNIT * ((double)options + 4);
}

bool uniform_choose(const struct uniform *in, struct uniform_choice choice, uint64_t bits,
                    size_t *option)
{
    size_t count = in->options.count + choice.ends;
    double drawn = (double)bits * UNIT, doubt = doubt_of(in, choice.left, count), total = 0;
    int32_t largest = choice.ends ? 1 : INT32_MIN;
    assert(bits < (uint64_t)1 << 53);
    for (size_t i = 0; i < in->options.count; i++) {
        struct scaled term = number(in, choice.left, in->options.at[i]);
        if (term.mantissa != 0 && term.exponent > largest)
            largest = term.exponent;
    }
    assert(largest != INT32_MIN); /* there is something to choose from */
    for (int pass = 0; pass < 2; pass++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            struct scaled term = choice.ends && i == 0
                                     ? (struct scaled){0.5, 1}
                                     : number(in, choice.left, in->options.at[i - choice.ends]);
            int32_t apart = largest - term.exponent;
            sum += term.mantissa == 0 || apart > 1000 ? 0 : halved(term.mantissa, apart);
            if (!pass || drawn - doubt > sum / total)
                continue;
            *option = i;
            return drawn + UNIT * 2 + doubt < sum / total || i + 1 == count;
        }
        total = sum;
    }
    *option = count - 1;
    return true;
}

static tac_status choose(struct uniform *in, struct uniform_choice choice, size_t *option,
                         tac_error *err)
{
    uint64_t bits = tac_random_next(&in->random) >> 11;
    return uniform_choose(in, choice, bits, option)
               ? TAC_OK
               : uniform_choose_exactly(in, choice, bits, option, err);
}

static tac_status draw_root(struct uniform *in, uint32_t *root, tac_error *err)
{
    size_t option = 0;
    in->options.count = 0;
    for (size_t i = 0; i < in->graph->roots.count; i++)
        tac_vec_push(&in->options, in->graph->roots.at[i]);
    tac_status status = choose(in, (struct uniform_choice){.left = in->length}, &option, err);
    assert(status != TAC_OK || option < in->graph->roots.count);
    *root = (uint32_t)option;
    return status;
}

tac_status uniform_draw(struct uniform *in, uint32_t *edges, tac_flow_path *out, tac_error *err)
{
    *out = (tac_flow_path){.edges = edges};
    tac_status status = draw_root(in, &out->root, err);
    uint32_t node = in->graph->roots.at[out->root];
    for (; status == TAC_OK; out->length++) {
        uint32_t left = in->length - out->length;
        unsigned ends = uniform_ends(in, node, left);
        struct graph_node at = in->graph->nodes.at[node];
        size_t option = 0;
        out->kind = (tac_flow_kind)(ends & -ends);
        in->options.count = 0;
        for (uint32_t e = 0; left && at.first_edge != NOT_EXPANDED && e < at.edge_count; e++)
            tac_vec_push(&in->options, in->graph->edges.at[at.first_edge + e].target);
        assert(ends || in->options.count);
        if (!in->options.count)
            break;
        status =
            choose(in, (struct uniform_choice){.ends = ends != 0, .left = left - 1}, &option, err);
        if (status != TAC_OK || (ends && option == 0))
            break;
        assert(out->length < in->length && option - (ends != 0) < at.edge_count);
        edges[out->length] = at.first_edge + (uint32_t)option - (ends != 0);
        node = in->graph->edges.at[edges[out->length]].target;
    }
    return status;
}
