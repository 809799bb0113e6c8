/* Sampling until something is covered: GraphWalker's random(edge_coverage(N)) and its like. */
#include "base/data/bits.h"
#include "flow/cover/cover.h"
#include <math.h>

#define MOST_DRAWS 1000000

struct until {
    struct items items;
    uint64_t *covered;
    size_t done, enough;
    uint64_t flows;
    u32_vec scratch;
    tac_flow_visit visit;
    void *context;
};

static bool draw(void *context, const tac_flow_path *path)
{
    struct until *in = context;
    in->flows++;
    items_of_path(&in->items, path, false, &in->scratch);
    for (size_t i = 0; i < in->scratch.count; i++) {
        in->done += !tac_bits_get(in->covered, in->scratch.at[i]);
        tac_bits_set(in->covered, in->scratch.at[i]);
    }
    return in->visit(in->context, path) && in->done < in->enough;
}

static void tell(const struct until *in, tac_sample_coverage *out)
{
    name_vec missing = {0};
    items_missing(&in->items, &missing);
    *out = (tac_sample_coverage){.flows = in->flows,
                                 .covered = in->done,
                                 .enough = in->enough,
                                 .total = in->items.keys.count,
                                 .infeasible = missing.at,
                                 .infeasible_count = missing.count};
}

tac_status tac_flow_sample_covering(tac_flow_engine *engine, const tac_flow_sampling *sampling,
                                    const tac_cover_options *goal, tac_flow_visit visit,
                                    void *context, tac_sample_coverage *out, tac_error *err)
{
    struct reach reach;
    struct occurrences occurrences = {0};
    struct until in = {.visit = visit, .context = context};
    if (goal->goal == TAC_COVER_REQUIREMENTS || engine->distinct || engine->space->witness)
        return tac_fail(err, TAC_E_USAGE,
                        "sampling stops at states, transitions or tuples of "
                        "whole flows");
    tac_status status = engine_begin(engine, "sampling", err);
    if (status == TAC_OK)
        status = reach_new(engine, &reach, err);
    if (status != TAC_OK)
        return status;
    items_init(&in.items, engine, goal);
    status = goal->only ? items_find_only(&in.items, goal->only, err) : TAC_OK;
    if (status == TAC_OK)
        status = reach_items(&reach, &in.items, &occurrences, err);
    double percent = goal->percent > 0 ? goal->percent : 100;
    in.enough = (size_t)ceil((double)in.items.keys.count * percent / 100 - 1e-9);
    in.covered = tac_bits_new(in.items.keys.count);
    if (status == TAC_OK && goal->only && !in.items.keys.count)
        status = tac_fail(err, TAC_E_INPUT, "'%s' cannot be reached by a flow of %u events",
                          goal->only, engine->options.length);
    if (status == TAC_OK) {
        tac_flow_sampling draws = *sampling;
        if (!draws.count)
            draws.count = MOST_DRAWS;
        status = tac_flow_sample(engine, &draws, draw, &in, err);
    }
    if (status == TAC_OK)
        tell(&in, out);
    occurrences_free(&occurrences);
    reach_free(&reach);
    items_free(&in.items);
    tac_vec_free(&in.scratch);
    free(in.covered);
    return status;
}

void tac_sample_coverage_free(tac_sample_coverage *coverage)
{
    for (size_t i = 0; i < coverage->infeasible_count; i++)
        free(coverage->infeasible[i]);
    free(coverage->infeasible);
    *coverage = (tac_sample_coverage){0};
}
