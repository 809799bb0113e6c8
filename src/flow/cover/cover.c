/* Covering suites: collects candidate flows, then chooses among them. cover.h has the parts.
 *
 * If the flows are few they are all candidates; otherwise the feasible items are found first, so
 * that "unreachable" is known before any search, and a beam search supplies candidates. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/cover/requirements.h"
#include <math.h>

#define MOST_FLOWS 200000 /* that are looked at one by one */
#define MOST_STEPS 4000000
#define DIVERSE_SAMPLE 20000

struct tac_cover_storage {
    struct items items;
    struct pool pool;
    struct walking walking;
};

static bool add_to_pool(void *context, const tac_flow_path *path)
{
    pool_add(context, path, true);
    return true;
}

static bool add_known_to_pool(void *context, const tac_flow_path *path)
{
    pool_add(context, path, false);
    return true;
}

/* True when every flow can be a candidate. */
static tac_status are_flows_few(struct tac_flow_engine *engine, bool *few, tac_error *err)
{
    tac_flow_counts counts;
    tac_flow_counts_init(&counts);
    tac_status status = tac_flow_count(engine, &counts, err);
    uint64_t length = engine->options.length + (uint64_t)1;
    *few = mpz_cmp_ui(counts.flows, MOST_FLOWS) <= 0 &&
           mpz_get_ui(counts.flows) * length <= MOST_STEPS;
    tac_flow_counts_clear(&counts);
    return status;
}

static tac_status collect_by_search(struct tac_flow_engine *engine,
                                    const tac_cover_options *options, struct pool *pool,
                                    tac_error *err)
{
    struct reach reach;
    struct occurrences occurrences = {0};
    tac_status status = reach_new(engine, &reach, err);
    if (status != TAC_OK)
        return status;
    status = reach_items(&reach, pool->items, &occurrences, err);
    if (status == TAC_OK)
        status = beam_fill(&reach, pool->items, &occurrences, options->seed, pool, err);
    if (status == TAC_OK && options->diverse) {
        tac_flow_sampling sampling = {.count = DIVERSE_SAMPLE, .seed = options->seed};
        status = tac_flow_sample(engine, &sampling, add_known_to_pool, pool, err);
    }
    occurrences_free(&occurrences);
    reach_free(&reach);
    return status;
}

static uint32_t restart_cost_of(const tac_cover_options *options)
{
    return options->restart_cost ? options->restart_cost : 10;
}

static tac_status collect(struct tac_flow_engine *engine, const tac_cover_options *options,
                          struct tac_cover_storage *storage, tac_error *err)
{
    struct pool *pool = &storage->pool;
    tac_status status = TAC_OK;
    bool few;
    if (!options->diverse && !(options->budget > 0))
        status = cover_by_walking(engine, options, restart_cost_of(options), pool,
                                  &storage->walking, err);
    if (status == TAC_OK && !storage->walking.done)
        status = are_flows_few(engine, &few, err);
    if (status != TAC_OK || storage->walking.done)
        return status;
    pool->keep_all = options->diverse && few;
    return few ? tac_flow_list(engine, 0, add_to_pool, pool, NULL, err)
               : collect_by_search(engine, options, pool, err);
}

/* --- The suite --- */

static void fill_suite(tac_cover_suite *suite, const struct pool *pool, size_t items,
                       const u32_vec *chosen)
{
    uint64_t *covered = tac_bits_new(items);
    assert(!suite->flows && suite->covered == 0);
    suite->flows = tac_calloc(chosen->count + 1, sizeof *suite->flows);
    suite->flow_count = chosen->count;
    for (size_t i = 0; i < chosen->count; i++) {
        const struct candidate *flow = &pool->flows.at[chosen->at[i]];
        tac_cover_flow *out = &suite->flows[i];
        out->path = pool_path(pool, chosen->at[i]);
        out->seconds = flow->seconds;
        for (uint32_t k = 0; k < flow->item_count; k++) {
            uint32_t item = pool_items(pool, chosen->at[i])[k];
            out->gain += !tac_bits_get(covered, item);
            tac_bits_set(covered, item);
        }
        suite->covered += out->gain;
        suite->events += flow->length;
        suite->seconds += flow->seconds;
    }
    assert(suite->covered <= items);
    free(covered);
}

static tac_status choose(struct tac_flow_engine *engine, const tac_cover_options *options,
                         tac_cover_suite *suite, u32_vec *chosen, tac_error *err)
{
    struct pool *pool = &suite->storage->pool;
    size_t total = suite->storage->items.keys.count;
    double percent = options->percent > 0 && options->percent < 100 ? options->percent : 100;
    size_t enough = (size_t)ceil((double)total * percent / 100 - 1e-9);
    assert(enough <= total);
    suite->total = total;
    suite->method = "greedy";
    if (suite->storage->walking.done) {
        for (uint32_t f = 0; f < pool->flows.count; f++)
            tac_vec_push(chosen, f);
        suite->method = suite->storage->walking.bound ? "postman" : "walk";
    } else if (options->diverse) {
        cover_diverse(pool, options->diverse, chosen);
    } else if (options->budget > 0) {
        cover_within_budget(pool, total, options->budget, chosen);
    } else {
        if (!cover_smallest(pool, total, enough, options->seed, chosen))
            return tac_fail(err, TAC_E_INTERRUPTED, "covering was stopped");
        if (!engine_needs_pruning(engine))
            trim_flows(pool, total, chosen);
    }
    return TAC_OK;
}

/* What any suite costs at least: known from the postman, or one event per item that a start does
 * not have by itself (a tuple takes the events before it, too). */
static void set_bound(tac_cover_suite *suite, const tac_cover_options *options)
{
    uint64_t restarts = suite->flow_count ? suite->flow_count - 1 : 0;
    suite->cost = suite->events + restarts * restart_cost_of(options);
    const struct walking *walking = &suite->storage->walking;
    bool bound_known = walking->bound_items == suite->total && !walking->cut;
    suite->lower_bound = bound_known ? walking->bound : 0;
    if (!suite->lower_bound && suite->covered == suite->total &&
        options->goal != TAC_COVER_REQUIREMENTS) {
        size_t starts = suite->engine->space->devices.count;
        bool states = options->goal == TAC_COVER_STATES;
        size_t given = states ? starts * suite->engine->space->graph.roots.count : 0;
        suite->lower_bound = suite->total > given ? suite->total - given : 0;
        if (options->goal == TAC_COVER_TUPLES && suite->total)
            suite->lower_bound += options->tuple - 1;
    }
    suite->optimal =
        !suite->cut && suite->covered == suite->total && suite->cost == suite->lower_bound;
    assert(suite->covered < suite->total || options->percent > 0 ||
           suite->cost >= suite->lower_bound);
}

/* What a cut search did not find may be feasible. When it found every state or transition of the
 * model, nothing is left to find, and the cut does not matter. */
static void list_missing(tac_cover_suite *suite, const tac_cover_options *options)
{
    name_vec missing = {0};
    items_missing(&suite->storage->items, &missing);
    bool listed = options->goal == TAC_COVER_STATES ||
                  (options->goal == TAC_COVER_TRANSITIONS && !options->only);
    suite->cut = suite->storage->walking.cut && (missing.count || !listed);
    if (suite->cut) {
        suite->not_found = missing.at;
        suite->not_found_count = missing.count;
    } else {
        suite->infeasible = missing.at;
        suite->infeasible_count = missing.count;
    }
}

static tac_status only_is_missing(const struct tac_flow_engine *engine, const char *only, bool cut,
                                  tac_error *err)
{
    if (cut)
        return tac_fail(err, TAC_E_LIMIT,
                        "'%s' was not found: variables count on, and the search was cut before "
                        "all steps were seen; bound the length",
                        only);
    if (engine->options.length == TAC_FLOW_UNBOUNDED)
        return tac_fail(err, TAC_E_INPUT, "'%s' cannot be reached by a flow of any length", only);
    return tac_fail(err, TAC_E_INPUT, "'%s' cannot be reached by a flow of %u events", only,
                    engine->options.length);
}

static tac_status cover_items(struct tac_flow_engine *engine, const tac_cover_options *options,
                              tac_cover_suite *suite, tac_error *err)
{
    struct tac_cover_storage *storage = suite->storage;
    tac_status status = TAC_OK;
    if (options->only)
        status = items_find_only(&storage->items, options->only, err);
    if (status == TAC_OK && options->goal == TAC_COVER_REQUIREMENTS) {
        status = cover_requirements(engine, &storage->items, &storage->pool, &suite->engine, err);
        suite->owns_engine = suite->engine != engine;
    } else if (status == TAC_OK) {
        status = collect(engine, options, storage, err);
    }
    if (status == TAC_OK && options->only && !storage->items.keys.count)
        status = only_is_missing(engine, options->only, storage->walking.cut, err);
    u32_vec chosen = {0};
    if (status == TAC_OK)
        status = choose(engine, options, suite, &chosen, err);
    if (status == TAC_OK) {
        fill_suite(suite, &storage->pool, storage->items.keys.count, &chosen);
        list_missing(suite, options);
        set_bound(suite, options);
    }
    tac_vec_free(&chosen);
    return status;
}

tac_status tac_flow_cover(tac_flow_engine *engine, const tac_cover_options *options,
                          tac_cover_suite *suite, tac_error *err)
{
    *suite = (tac_cover_suite){.engine = engine};
    tac_status asked = engine_ask(engine, "covering", err);
    if (asked != TAC_OK)
        return asked;
    if (options->goal == TAC_COVER_TUPLES && (options->tuple < 1 || options->tuple > 16))
        return tac_fail(err, TAC_E_USAGE, "tuples of 1 to 16 transitions can be covered");
    bool whole = options->diverse || options->budget > 0 || options->goal == TAC_COVER_REQUIREMENTS;
    if (engine->options.length == TAC_FLOW_UNBOUNDED && whole)
        return tac_fail(err, TAC_E_USAGE,
                        "a budget, diverse flows and requirements need a bound on the length");
    if (engine->distinct || engine->space->witness)
        return tac_fail(err, TAC_E_USAGE,
                        "covering needs whole flows: neither distinct nor "
                        "witnesses");
    suite->storage = tac_calloc(1, sizeof *suite->storage);
    items_init(&suite->storage->items, engine, options);
    pool_init(&suite->storage->pool, &suite->storage->items);
    tac_status status = cover_items(engine, options, suite, err);
    if (status != TAC_OK)
        tac_cover_suite_free(suite);
    return status;
}

void tac_cover_suite_free(tac_cover_suite *suite)
{
    if (suite->storage) {
        pool_free(&suite->storage->pool);
        items_free(&suite->storage->items);
    }
    free(suite->storage);
    for (size_t i = 0; i < suite->infeasible_count; i++)
        free(suite->infeasible[i]);
    free(suite->infeasible);
    for (size_t i = 0; i < suite->not_found_count; i++)
        free(suite->not_found[i]);
    free(suite->not_found);
    free(suite->flows);
    if (suite->owns_engine)
        tac_flow_engine_free(suite->engine);
    *suite = (tac_cover_suite){0};
}
