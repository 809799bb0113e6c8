/* Sampling: repeatable, uniform, by weight, and only flows that exist. */
#include "base/data/bits.h"
#include "base/data/map.h"
#include "base/data/str.h"
#include "flow/sample/uniform.h"
#include "flow_helpers.h"
#include "random_models.h"
#include "tactus_test.h"

struct tally {
    tac_flow_engine *engine;
    tac_names lines;
    uint64_t count[4096];
    tac_str text;
};

static void path_text(const tac_flow_engine *engine, const tac_flow_path *path, tac_str *out)
{
    tac_str_clear(out);
    tac_str_addf(out, "%u:", path->root);
    for (uint32_t i = 0; i < path->length; i++)
        tac_str_addf(out, " %u", path->edges[i]);
    (void)engine;
}

static bool tally_path(void *context, const tac_flow_path *path)
{
    struct tally *in = context;
    path_text(in->engine, path, &in->text);
    in->count[tac_names_intern(&in->lines, tac_str_text(&in->text)) % 4096]++;
    return true;
}

/* Chi square over all flows: for d degrees of freedom the value is about d +- 5 sqrt(2 d). */
TEST(uniform_sampling_is_uniform)
{
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 6});
    struct tally *tally = calloc(1, sizeof *tally);
    tally->engine = engine;
    uint64_t draws = 146 * 100;
    CHECK_EQ(tac_flow_sample(engine, &(tac_flow_sampling){.count = draws, .seed = 3}, tally_path,
                             tally, NULL),
             TAC_OK);
    CHECK_EQ(tally->lines.count, 146);
    double square = 0;
    for (size_t i = 0; i < 146; i++)
        square += ((double)tally->count[i] - 100) * ((double)tally->count[i] - 100) / 100;
    CHECK(square > 145 - 5 * sqrt(290) && square < 145 + 5 * sqrt(290));
    tac_names_free(&tally->lines);
    tac_str_free(&tally->text);
    free(tally);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

static bool append_path(void *context, const tac_flow_path *path)
{
    tac_str line = {0}, *out = context;
    path_text(NULL, path, &line);
    tac_str_addf(out, "%s\n", tac_str_text(&line));
    tac_str_free(&line);
    return true;
}

TEST(the_seed_decides)
{
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 40});
    tac_str a = {0}, b = {0}, c = {0};
    for (int weighted = 0; weighted < 2; weighted++) {
        tac_str_clear(&a);
        tac_str_clear(&b);
        tac_str_clear(&c);
        tac_flow_sampling sampling = {.count = 20, .seed = 9, .weighted = weighted};
        CHECK_EQ(tac_flow_sample(engine, &sampling, append_path, &a, NULL), TAC_OK);
        CHECK_EQ(tac_flow_sample(engine, &sampling, append_path, &b, NULL), TAC_OK);
        sampling.seed = 10;
        CHECK_EQ(tac_flow_sample(engine, &sampling, append_path, &c, NULL), TAC_OK);
        CHECK_STR(tac_str_text(&a), tac_str_text(&b));
        CHECK(strcmp(tac_str_text(&a), tac_str_text(&c)));
    }
    tac_str_free(&a);
    tac_str_free(&b);
    tac_str_free(&c);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

static bool count_heavy(void *context, const tac_flow_path *path)
{
    uint64_t *counts = context;
    counts[path->kind == TAC_FLOW_EXIT]++;
    return true;
}

TEST(weights_decide_the_walk)
{
    tac_model_builder *builder = tac_model_builder_new("weights", "");
    uint32_t device = tac_build_device(builder, "d", NULL, 1);
    uint32_t app = tac_build_application(builder, device, "a", "a", NULL, true, 1);
    uint32_t machine =
        tac_build_machine(builder, tac_build_activity(builder, app, "v", true, 1), "m", true, 1);
    tac_build_node(builder, machine, TAC_NODE_STATE, "s", 1);
    tac_build_node(builder, machine, TAC_NODE_FINAL, "f", 1);
    tac_build_initial(builder, machine, "s", 1);
    tac_build_transition(builder, machine, "s", "stay", "s", -1, -1, 3, NULL, NULL, 1);
    tac_build_transition(builder, machine, "s", "leave", "f", -1, -1, 1, NULL, NULL, 1);
    tac_model *model;
    tac_diagnostics findings = {0};
    REQUIRE(tac_model_builder_finish(builder, &findings, &model, NULL) == TAC_OK);
    tac_diagnostics_free(&findings);
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 1});
    uint64_t counts[2] = {0};
    CHECK_EQ(
        tac_flow_sample(engine, &(tac_flow_sampling){40000, 5, true}, count_heavy, counts, NULL),
        TAC_OK);
    CHECK_NEAR((double)counts[1] / 40000, 0.25, 0.015);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

struct membership {
    tac_names listed;
    size_t strangers;
};

static bool remember(void *context, const tac_flow_path *path)
{
    struct membership *in = context;
    tac_str line = {0};
    path_text(NULL, path, &line);
    tac_names_intern(&in->listed, tac_str_text(&line));
    tac_str_free(&line);
    return true;
}

static bool look_up(void *context, const tac_flow_path *path)
{
    struct membership *in = context;
    tac_str line = {0};
    path_text(NULL, path, &line);
    in->strangers += tac_names_find(&in->listed, tac_str_text(&line)) == TAC_NONE;
    tac_str_free(&line);
    return true;
}

/* After "a" one path has left the app and another goes on: folded, the set both ends and continues.
 */
TEST(folded_flows_are_sampled_uniformly)
{
    tac_model_builder *builder = tac_model_builder_new("folded", "");
    uint32_t device = tac_build_device(builder, "d", NULL, 1);
    uint32_t app = tac_build_application(builder, device, "a", "a", NULL, true, 1);
    uint32_t machine =
        tac_build_machine(builder, tac_build_activity(builder, app, "v", true, 1), "m", true, 1);
    tac_build_node(builder, machine, TAC_NODE_STATE, "s", 1);
    tac_build_node(builder, machine, TAC_NODE_STATE, "t", 1);
    tac_build_node(builder, machine, TAC_NODE_FINAL, "f", 1);
    tac_build_initial(builder, machine, "s", 1);
    tac_build_transition(builder, machine, "s", "a", "f", -1, -1, 1, NULL, NULL, 1);
    tac_build_transition(builder, machine, "s", "a", "t", -1, -1, 1, NULL, NULL, 1);
    tac_build_transition(builder, machine, "t", "b", "f", -1, -1, 1, NULL, NULL, 1);
    tac_build_transition(builder, machine, "t", "c", "f", -1, -1, 1, NULL, NULL, 1);
    tac_model *model;
    tac_diagnostics findings = {0};
    REQUIRE(tac_model_builder_finish(builder, &findings, &model, NULL) == TAC_OK);
    tac_diagnostics_free(&findings);
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 5, .distinct = true});
    struct tally *tally = calloc(1, sizeof *tally);
    CHECK_EQ(tac_flow_sample(engine, &(tac_flow_sampling){.count = 30000, .seed = 8}, tally_path,
                             tally, NULL),
             TAC_OK);
    CHECK_EQ(tally->lines.count, 3);
    struct membership in = {0};
    CHECK_EQ(tac_flow_list(engine, 0, remember, &in, NULL, NULL), TAC_OK);
    CHECK_EQ(
        tac_flow_sample(engine, &(tac_flow_sampling){.count = 100, .seed = 8}, look_up, &in, NULL),
        TAC_OK);
    CHECK_EQ(in.strangers, 0);
    tac_names_free(&in.listed);
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR((double)tally->count[i] / 30000, 1.0 / 3, 0.015);
    tac_names_free(&tally->lines);
    tac_str_free(&tally->text);
    free(tally);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

TEST(samples_are_flows_of_the_listing)
{
    for (uint64_t seed = 7001; seed <= 7000 + test_scale(100); seed++) {
        tac_random random;
        tac_random_seed(&random, seed);
        tac_model *model =
            random_model(&random, &(random_model_options){.most_devices = 2, .channels = true});
        tac_requirement *requirement = random_requirement(&random, model);
        const tac_requirement *list[] = {requirement};
        tac_flow_engine *engine = new_engine(
            model, &(tac_flow_options){.length = 4, .requirements = list, .requirement_count = 1});
        struct membership in = {0};
        CHECK_EQ(tac_flow_list(engine, 0, remember, &in, NULL, NULL), TAC_OK);
        for (int weighted = 0; weighted < 2; weighted++)
            CHECK_EQ(tac_flow_sample(engine, &(tac_flow_sampling){50, seed, weighted}, look_up, &in,
                                     NULL),
                     TAC_OK);
        CHECK_EQ(in.strangers, 0);
        tac_names_free(&in.listed);
        tac_flow_engine_free(engine);
        tac_requirement_free(requirement);
        tac_model_free(model);
    }
}

/* The choice by approximate numbers is the exact one wherever it is called certain: for random bits
 * and for the bits around every border, where it must not be certain too often either. */
static void compare_choice(struct uniform *in, struct uniform_choice choice, uint64_t bits,
                           size_t *wrong, size_t *sure)
{
    size_t quick = 0, exact = 0;
    bool certain = uniform_choose(in, choice, bits, &quick);
    CHECK_EQ(uniform_choose_exactly(in, choice, bits, &exact, NULL), TAC_OK);
    *sure += certain;
    *wrong += certain && quick != exact;
}

static uint64_t border_between(struct uniform *in, struct uniform_choice choice, size_t option)
{
    uint64_t low = 0, high = ((uint64_t)1 << 53) - 1;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        size_t found = 0;
        uniform_choose(in, choice, middle, &found);
        if (found > option)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void compare_choices(struct uniform *in, uint32_t node, tac_random *random, size_t *wrong,
                            size_t *sure)
{
    struct graph_node at = in->graph->nodes.at[node];
    for (uint32_t left = 1; left <= in->length; left += 80) {
        struct uniform_choice choice = {uniform_ends(in, node, left) != 0, left - 1};
        in->options.count = 0;
        for (uint32_t e = 0; at.first_edge != NOT_EXPANDED && e < at.edge_count; e++)
            tac_vec_push(&in->options, in->graph->edges.at[at.first_edge + e].target);
        if (!tac_bits_get(in->engine->alive[left], node) || !in->options.count)
            continue;
        for (int i = 0; i < 3; i++)
            compare_choice(in, choice, tac_random_next(random) >> 11, wrong, sure);
        for (size_t option = 0; option + 1 < in->options.count && option < 3; option++) {
            uint64_t border = border_between(in, choice, option);
            size_t none = 0;
            for (uint64_t b = border < 3 ? 0 : border - 3; b <= border + 3 && b >> 53 == 0; b++)
                compare_choice(in, choice, b, wrong, &none);
            for (uint64_t far = 1000; far <= 1000000 && border > far; far *= 10)
                compare_choice(in, choice, border - far, wrong, &none);
        }
    }
}

TEST(quick_choices_are_the_exact_ones)
{
    size_t wrong = 0, sure = 0;
    for (uint64_t seed = 7301; seed <= 7300 + test_scale(12); seed++) {
        tac_random random;
        tac_random_seed(&random, seed);
        tac_model *model = random_model(&random, &(random_model_options){.most_devices = 1});
        tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 401});
        struct uniform uniform = {0};
        REQUIRE(engine_prune(engine, NULL) == TAC_OK);
        REQUIRE(uniform_open(engine, seed, &uniform, NULL) == TAC_OK);
        for (uint32_t node = 0; node < uniform.nodes && node < 40; node++)
            compare_choices(&uniform, node, &random, &wrong, &sure);
        uniform_close(&uniform);
        tac_flow_engine_free(engine);
        tac_model_free(model);
    }
    CHECK_EQ(wrong, 0);
    CHECK(sure > 300);
}
