/* Counting = listing = the slow reference, on seeded random models: calls, reuse, no auto-return,
 * activities as call targets, several starts, two devices with channels; with and without
 * requirements, witnesses, all interleavings and folding. */
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/cover/cover.h"
#include "flow_helpers.h"
#include "random_models.h"
#include "reference_flows.h"
#include "tactus_test.h"

struct collecting {
    tac_flow_engine *engine;
    string_list list;
};

static bool collect(void *context, const tac_flow_path *path)
{
    struct collecting *in = context;
    string_list_add(&in->list, text_of_flow(tac_flow_describe(in->engine, path)));
    return true;
}

static uint64_t counted(tac_flow_engine *engine, const char *kind)
{
    tac_flow_counts counts;
    tac_flow_counts_init(&counts);
    CHECK_EQ(tac_flow_count(engine, &counts, NULL), TAC_OK);
    uint64_t result = !strcmp(kind, "exit")        ? mpz_get_ui(counts.exit)
                      : !strcmp(kind, "stuck")     ? mpz_get_ui(counts.stuck)
                      : !strcmp(kind, "truncated") ? mpz_get_ui(counts.truncated)
                                                   : mpz_get_ui(counts.flows);
    tac_flow_counts_clear(&counts);
    return result;
}

static size_t of_kind(const string_list *list, const char *kind)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += !strncmp(list->at[i], kind, strlen(kind));
    return count;
}

/* Everything the engine says about one question against the sorted reference. */
static void compare(const tac_model *model, const tac_flow_options *options,
                    const string_list *wanted, unsigned long long seed)
{
    struct collecting in = {.engine = new_engine(model, options)};
    uint64_t listed;
    CHECK_EQ(counted(in.engine, "flows"), wanted->count);
    CHECK_EQ(counted(in.engine, "exit"), of_kind(wanted, "exit"));
    CHECK_EQ(counted(in.engine, "stuck"), of_kind(wanted, "stuck"));
    CHECK_EQ(counted(in.engine, "truncated"), of_kind(wanted, "truncated"));
    CHECK_EQ(tac_flow_list(in.engine, 0, collect, &in, &listed, NULL), TAC_OK);
    CHECK_EQ(listed, wanted->count);
    string_list_sort(&in.list);
    for (size_t i = 0; i < wanted->count && i < in.list.count; i++)
        if (strcmp(in.list.at[i], wanted->at[i])) {
            test_fail(__FILE__, __LINE__, "seed %llu: '%s' instead of '%s'", seed, in.list.at[i],
                      wanted->at[i]);
            break;
        }
    string_list_free(&in.list);
    tac_flow_engine_free(in.engine);
}

/* The longest bound up to `most` at which the reference stays small; its flows in out. */
static uint32_t reference_within(const tac_model *model, reference_options *options, uint32_t most,
                                 string_list *out)
{
    options->give_up = 4000;
    for (options->length = most; options->length > 0; options->length--) {
        if (reference_list(model, options, out))
            break;
        string_list_free(out);
    }
    if (!options->length)
        reference_list(model, options, out);
    return options->length;
}

/* What some flow has does not depend on which of its orders are listed, and a requirement that is
 * met in some order is met. */
static void compare_feasible(const tac_model *model, tac_flow_options options)
{
    size_t total[2];
    uint64_t flows[2];
    for (int all = 0; all < 2; all++) {
        options.all_interleavings = all;
        tac_flow_engine *engine = new_engine(model, &options);
        tac_cover_suite suite;
        flows[all] = counted(engine, "flows");
        CHECK_EQ(
            tac_flow_cover(engine, &(tac_cover_options){.goal = TAC_COVER_EDGES}, &suite, NULL),
            TAC_OK);
        CHECK_EQ(suite.covered, suite.total);
        total[all] = suite.total;
        tac_cover_suite_free(&suite);
        tac_flow_engine_free(engine);
    }
    CHECK_EQ(total[0], total[1]);
    CHECK_EQ(flows[0] > 0, flows[1] > 0);
}

typedef tac_requirement *requirement_maker(tac_random *random, const tac_model *model);

static void compare_all(uint64_t seed, const random_model_options *kind, requirement_maker *make)
{
    bool with_requirement = make != NULL;
    tac_random random;
    tac_random_seed(&random, seed);
    tac_model *model = random_model(&random, kind);
    tac_requirement *requirement = make ? make(&random, model) : NULL;
    const tac_requirement *const requirements[] = {requirement};
    for (int mode = 0; mode < (with_requirement ? 3 : 2); mode++) {
        reference_options reference = {
            .requirement = requirement, .all_interleavings = mode == 1, .witness = mode == 2};
        if (mode == 1 && model->device_count == 1)
            continue;
        string_list wanted = {0};
        tac_flow_options options = {.length = reference_within(model, &reference, 6, &wanted),
                                    .requirements = requirements,
                                    .requirement_count = with_requirement,
                                    .all_interleavings = mode == 1,
                                    .witness = mode == 2};
        compare(model, &options, &wanted, (unsigned long long)seed);
        if (mode == 0 && with_requirement && model->device_count > 1)
            compare_feasible(model, options);
        string_list_free(&wanted);
    }
    tac_requirement_free(requirement);
    tac_model_free(model);
}

/* The lines of a listing, sorted. */
static string_list lines_of(tac_flow_engine *engine)
{
    string_list list = {0};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    CHECK_EQ(tac_flow_list_text(engine, 0, out, NULL, NULL), TAC_OK);
    fclose(out);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        string_list_add(&list, tac_strdup(line));
    }
    free(text);
    string_list_sort(&list);
    return list;
}

/* `sort -u` of the plain listing is the folded listing, for each selection of kinds. */
TEST(folding_equals_sort_u)
{
    for (uint64_t seed = 6001; seed <= 6000 + test_scale(300) && !test_failed; seed++) {
        tac_random random;
        tac_random_seed(&random, seed);
        tac_model *model =
            random_model(&random, &(random_model_options){.most_devices = 2, .channels = seed % 2});
        tac_requirement *requirement = random_requirement(&random, model);
        const tac_requirement *const list[] = {requirement};
        for (unsigned kinds = 1; kinds <= 8; kinds++) {
            tac_flow_options options = {.length = 3,
                                        .kinds = kinds & 7,
                                        .requirements = list,
                                        .requirement_count = seed % 3 == 0,
                                        .witness = kinds == 8 && seed % 3 == 0};
            tac_flow_engine *plain = new_engine(model, &options);
            options.distinct = true;
            tac_flow_engine *folded = new_engine(model, &options);
            string_list all = lines_of(plain), unique = lines_of(folded);
            size_t distinct = 0;
            for (size_t i = 0; i < all.count; i++)
                if (!i || strcmp(all.at[i], all.at[i - 1])) {
                    CHECK(distinct < unique.count && !strcmp(unique.at[distinct], all.at[i]));
                    distinct++;
                }
            CHECK_EQ(unique.count, distinct);
            CHECK_EQ(counted(folded, "flows"), distinct);
            struct collecting in = {.engine = folded};
            CHECK_EQ(tac_flow_list(folded, 0, collect, &in, NULL, NULL), TAC_OK);
            CHECK_EQ(in.list.count, distinct);
            string_list_free(&in.list);
            string_list_free(&all);
            string_list_free(&unique);
            tac_flow_engine_free(plain);
            tac_flow_engine_free(folded);
        }
        tac_requirement_free(requirement);
        tac_model_free(model);
    }
}

struct marking {
    tac_flow_engine *engine;
    tac_u64map on_a_flow; /* depth << 32 | node */
};

static bool mark(void *context, const tac_flow_path *path)
{
    struct marking *in = context;
    uint32_t node = in->engine->graph->roots.at[path->root];
    tac_u64map_at(&in->on_a_flow, node, 1, NULL);
    for (uint32_t i = 0; i < path->length; i++) {
        node = in->engine->graph->edges.at[path->edges[i]].target;
        tac_u64map_at(&in->on_a_flow, (uint64_t)(i + 1) << 32 | node, 1, NULL);
    }
    return true;
}

/* Every node that the walk may enter at some depth lies on a flow at that depth. */
TEST(pruning_is_perfect)
{
    size_t entered = 0;
    for (uint64_t seed = 8001; seed <= 8000 + test_scale(300) && !test_failed; seed++) {
        tac_random random;
        tac_random_seed(&random, seed);
        tac_model *model =
            random_model(&random, &(random_model_options){.most_devices = 2, .channels = true});
        tac_requirement *requirement = random_requirement(&random, model);
        const tac_requirement *const list[] = {requirement};
        struct marking in = {
            .engine = new_engine(model, &(tac_flow_options){.length = 4,
                                                            .kinds = (unsigned)(1 + seed % 7),
                                                            .requirements = list,
                                                            .requirement_count = seed % 2})};
        struct reach reach;
        CHECK_EQ(tac_flow_list(in.engine, 0, mark, &in, NULL, NULL), TAC_OK);
        REQUIRE(reach_new(in.engine, &reach, NULL) == TAC_OK);
        for (uint32_t depth = 0; depth <= 4; depth++)
            for (uint32_t node = 0; node < in.engine->graph->nodes.count; node++)
                if (tac_bits_get(reach.at[depth], node)) {
                    CHECK(tac_u64map_find(&in.on_a_flow, (uint64_t)depth << 32 | node));
                    entered++;
                }
        reach_free(&reach);
        tac_u64map_free(&in.on_a_flow);
        tac_flow_engine_free(in.engine);
        tac_requirement_free(requirement);
        tac_model_free(model);
    }
    CHECK(entered > 100);
}

TEST(one_device_equals_the_reference)
{
    for (uint64_t seed = 1; seed <= test_scale(500) && !test_failed; seed++)
        compare_all(seed, &(random_model_options){.most_devices = 1}, NULL);
}

TEST(two_devices_with_channels_equal_the_reference)
{
    for (uint64_t seed = 1001; seed <= 1000 + test_scale(500) && !test_failed; seed++)
        compare_all(seed, &(random_model_options){.most_devices = 2, .channels = true}, NULL);
}

TEST(requirements_equal_the_reference)
{
    for (uint64_t seed = 2001; seed <= 2000 + test_scale(1000) && !test_failed; seed++)
        compare_all(
            seed, &(random_model_options){.most_devices = 1 + seed % 2, .channels = seed % 4 == 1},
            random_requirement);
}

/* A tenth, or all in `make sweep`. */
static size_t cases(size_t full)
{
    return getenv("TACTUS_SWEEP") ? full : test_scale(full / 10);
}

/* One to three devices, and what `tactus flow require` writes. */
TEST(templates_over_several_devices_equal_the_reference)
{
    for (uint64_t seed = 6001; seed <= 6000 + cases(1000) && !test_failed; seed++)
        compare_all(seed,
                    &(random_model_options){
                        .most_devices = 3, .channels = seed % 2, .leaving = seed % 4 > 1},
                    seed % 3 ? random_template : random_requirement);
}
