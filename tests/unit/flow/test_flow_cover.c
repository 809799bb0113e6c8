/* Suites: golden bounds, and every claim re-checked on the described flows by an independent reader
 * of their states and events. */
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/str.h"
#include "flow/requirement.h"
#include "flow_helpers.h"
#include "random_models.h"
#include "reference_flows.h"
#include "tactus_test.h"

/* What a flow covers, as texts, from its description alone. A transition is told by where it
 * started, its event and the first node it passed. */
static void note_items(const tac_flow *flow, tac_cover_goal goal, uint32_t tuple, tac_names *out)
{
    const char *at[REFERENCE_MAX_DEVICES] = {0};
    tac_str steps[64] = {0};
    for (size_t d = 0; d < flow->start_count; d++) {
        at[d] = flow->starts[d].states[flow->starts[d].state_count - 1];
        if (goal == TAC_COVER_STATES)
            tac_names_intern(out, at[d]);
    }
    for (size_t i = 0; i < flow->step_count; i++) {
        const tac_flow_step *step = &flow->steps[i];
        size_t d = 0;
        while (strcmp(flow->starts[d].device, step->device))
            d++;
        tac_str_addf(&steps[i], "%s %s %s;", at[d], step->event, step->states[0]);
        at[d] = step->states[step->state_count - 1];
        if (goal == TAC_COVER_STATES)
            tac_names_intern(out, at[d]);
        if (goal == TAC_COVER_STATES || i + 1 < tuple)
            continue;
        tac_str item = {0};
        for (size_t k = i + 1 - tuple; k <= i; k++)
            tac_str_add(&item, tac_str_text(&steps[k]));
        tac_names_intern(out, tac_str_text(&item));
        tac_str_free(&item);
    }
    for (size_t i = 0; i < flow->step_count; i++)
        tac_str_free(&steps[i]);
}

struct noting {
    tac_flow_engine *engine;
    tac_cover_goal goal;
    uint32_t tuple;
    tac_names items;
};

static bool note_path(void *context, const tac_flow_path *path)
{
    struct noting *in = context;
    note_items(tac_flow_describe(in->engine, path), in->goal, in->tuple, &in->items);
    return true;
}

/* States that are final are no items; a final's name starts with 'f' or "end" in our models. */
static size_t count_states(const tac_names *items, bool states)
{
    size_t count = 0;
    for (size_t i = 0; i < items->count; i++) {
        const char *slash = strrchr(items->text[i], '/');
        count += !states || !slash || (slash[1] != 'f' && strncmp(slash + 1, "end", 3) != 0);
    }
    return count;
}

/* The suite covers what it says, and its total is what all flows together have. */
static void check_suite(tac_flow_engine *engine, const tac_cover_suite *suite,
                        const tac_cover_options *options)
{
    bool states = options->goal == TAC_COVER_STATES;
    uint32_t tuple = options->goal == TAC_COVER_TUPLES ? options->tuple : 1;
    struct noting all = {.engine = engine, .goal = options->goal, .tuple = tuple};
    struct noting some = all;
    size_t events = 0;
    CHECK_EQ(tac_flow_list(engine, 0, note_path, &all, NULL, NULL), TAC_OK);
    for (size_t i = 0; i < suite->flow_count; i++) {
        note_path(&some, &suite->flows[i].path);
        events += suite->flows[i].path.length;
    }
    CHECK_EQ(suite->total, count_states(&all.items, states));
    CHECK_EQ(suite->covered, count_states(&some.items, states));
    CHECK_EQ(suite->events, events);
    tac_names_free(&all.items);
    tac_names_free(&some.items);
}

static void cover_uamp(tac_cover_options options, size_t total, size_t flows, size_t events)
{
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 10});
    tac_cover_suite suite;
    options.seed = 1;
    REQUIRE(tac_flow_cover(engine, &options, &suite, NULL) == TAC_OK);
    CHECK_EQ(suite.total, total);
    CHECK_EQ(suite.covered, total);
    CHECK(suite.flow_count <= flows);
    CHECK(suite.events <= events);
    if (options.goal != TAC_COVER_EDGES)
        check_suite(engine, &suite, &options);
    tac_cover_suite_free(&suite);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

TEST(all_states_of_uamp_in_3_flows)
{
    cover_uamp((tac_cover_options){.goal = TAC_COVER_STATES}, 13, 3, 30);
}

TEST(all_transitions_of_uamp_in_8_flows_and_78_events)
{
    cover_uamp((tac_cover_options){.goal = TAC_COVER_TRANSITIONS}, 37, 8, 78);
}

TEST(all_feasible_pairs_of_uamp_in_47_flows)
{
    cover_uamp((tac_cover_options){.goal = TAC_COVER_TUPLES, .tuple = 2}, 144, 47, 470);
}

TEST(all_configuration_edges_of_uamp)
{
    cover_uamp((tac_cover_options){.goal = TAC_COVER_EDGES}, 52, 12, 120);
}

/* Long flows are too many to be looked at: the search by beams must find everything feasible. */
TEST(suites_of_long_flows_cover_everything)
{
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 30});
    static const struct {
        tac_cover_options options;
        size_t total, flows;
    } cases[] = {{{.goal = TAC_COVER_STATES}, 13, 1},
                 {{.goal = TAC_COVER_TRANSITIONS}, 37, 4},
                 {{.goal = TAC_COVER_TUPLES, .tuple = 2}, 144, 20},
                 {{.goal = TAC_COVER_EDGES}, 52, 5}};
    for (size_t i = 0; i < 4; i++) {
        tac_cover_suite suite;
        REQUIRE(tac_flow_cover(engine, &cases[i].options, &suite, NULL) == TAC_OK);
        CHECK_EQ(suite.total, cases[i].total);
        CHECK_EQ(suite.covered, cases[i].total);
        CHECK(suite.flow_count <= cases[i].flows);
        for (size_t f = 0; f < suite.flow_count; f++)
            CHECK(suite.flows[f].path.length <= 30);
        tac_cover_suite_free(&suite);
    }
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

/* Euler: a tour that fits uses each edge at least once and no cheaper suite exists; on UAMP the
 * cheapest is known from the balance of arrivals and departures. */
TEST(a_tour_over_all_edges_is_not_longer_than_greedy)
{
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 200});
    tac_cover_suite suite;
    tac_cover_options options = {.goal = TAC_COVER_EDGES};
    REQUIRE(tac_flow_cover(engine, &options, &suite, NULL) == TAC_OK);
    CHECK_EQ(suite.covered, 52);
    CHECK_EQ(suite.flow_count, 2); /* two final configurations, each ends a flow */
    CHECK(suite.events <= 62);
    tac_cover_suite_free(&suite);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

TEST(a_budget_is_kept_and_diverse_flows_differ)
{
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 10});
    tac_cover_suite suite;
    tac_cover_options options = {.goal = TAC_COVER_TRANSITIONS, .budget = 25};
    REQUIRE(tac_flow_cover(engine, &options, &suite, NULL) == TAC_OK);
    CHECK(suite.seconds <= 25 && suite.covered >= 18 && suite.covered < 37);
    check_suite(engine, &suite, &options);
    tac_cover_suite_free(&suite);
    options = (tac_cover_options){.goal = TAC_COVER_TRANSITIONS, .diverse = 5};
    REQUIRE(tac_flow_cover(engine, &options, &suite, NULL) == TAC_OK);
    CHECK_EQ(suite.flow_count, 5);
    for (size_t a = 0; a < 5; a++)
        for (size_t b = 0; b < a; b++)
            CHECK(suite.flows[a].path.length != suite.flows[b].path.length ||
                  memcmp(suite.flows[a].path.edges, suite.flows[b].path.edges,
                         4 * suite.flows[a].path.length));
    tac_cover_suite_free(&suite);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

TEST(what_cannot_be_reached_is_reported)
{
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 3});
    tac_cover_suite suite;
    tac_error err;
    tac_cover_options options = {.goal = TAC_COVER_STATES};
    REQUIRE(tac_flow_cover(engine, &options, &suite, NULL) == TAC_OK);
    CHECK_EQ(suite.total, 7);
    CHECK_EQ(suite.infeasible_count, 6);
    CHECK_STR(suite.infeasible[5], "FullScreenPlayerActivity_0/S12");
    tac_cover_suite_free(&suite);
    options.only = "S12";
    CHECK_EQ(tac_flow_cover(engine, &options, &suite, &err), TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "cannot be reached");
    options.only = "S122";
    CHECK_EQ(tac_flow_cover(engine, &options, &suite, &err), TAC_E_USAGE);
    CHECK_CONTAINS(err.message, "did you mean");
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

TEST(requirements_are_covered_together)
{
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    tac_requirement *list[4] = {load_requirement(test_source("examples/uamp/uamp.req1.xml")),
                                load_requirement(test_source("examples/uamp/uamp.req2.xml")),
                                load_requirement(test_source("examples/uamp/uamp.req3.xml")),
                                tac_requirement_start_stop("seek", "allMusic")};
    tac_flow_engine *engine =
        new_engine(model, &(tac_flow_options){.length = 10,
                                              .requirements = (const tac_requirement *const *)list,
                                              .requirement_count = 4});
    tac_cover_suite suite;
    tac_cover_options options = {.goal = TAC_COVER_REQUIREMENTS};
    REQUIRE(tac_flow_cover(engine, &options, &suite, NULL) == TAC_OK);
    CHECK_EQ(suite.total + suite.infeasible_count, 4);
    CHECK_EQ(suite.covered, suite.total);
    CHECK(suite.flow_count >= 2 && suite.flow_count <= 3);
    tac_cover_suite_free(&suite);
    tac_flow_engine_free(engine);
    for (int i = 0; i < 4; i++)
        tac_requirement_free(list[i]);
    tac_model_free(model);
}

TEST(random_models_are_covered_completely)
{
    for (uint64_t seed = 5001; seed <= 5000 + test_scale(150) && !test_failed; seed++) {
        tac_random random;
        tac_random_seed(&random, seed);
        tac_model *model =
            random_model(&random, &(random_model_options){.most_devices = 2, .channels = seed % 2});
        tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 4});
        static const tac_cover_options goals[] = {{.goal = TAC_COVER_STATES},
                                                  {.goal = TAC_COVER_TRANSITIONS},
                                                  {.goal = TAC_COVER_TUPLES, .tuple = 2}};
        for (size_t g = 0; g < 3; g++) {
            tac_cover_suite suite;
            REQUIRE(tac_flow_cover(engine, &goals[g], &suite, NULL) == TAC_OK);
            CHECK_EQ(suite.covered, suite.total);
            if (goals[g].goal == TAC_COVER_STATES)
                check_suite(engine, &suite, &goals[g]);
            tac_cover_suite_free(&suite);
        }
        tac_flow_engine_free(engine);
        tac_model_free(model);
    }
}

TEST(goals_and_graphwalker_strings)
{
    tac_flow_goal goal;
    tac_error err;
    REQUIRE(tac_flow_goal_parse("tuples:3", &goal, &err) == TAC_OK);
    CHECK_EQ(goal.cover.goal, TAC_COVER_TUPLES);
    CHECK_EQ(goal.cover.tuple, 3);
    REQUIRE(tac_flow_goal_parse("pairs", &goal, &err) == TAC_OK);
    CHECK_EQ(goal.cover.tuple, 2);
    REQUIRE(tac_flow_goal_parse("random(edge_coverage(80))", &goal, &err) == TAC_OK);
    CHECK_EQ(goal.cover.goal, TAC_COVER_TRANSITIONS);
    CHECK_NEAR(goal.cover.percent, 80, 0);
    REQUIRE(tac_flow_goal_parse("weighted_random( vertex_coverage(100) && length(20) )", &goal,
                                &err) == TAC_OK);
    CHECK(goal.weighted && goal.length == 20 && goal.cover.goal == TAC_COVER_STATES);
    REQUIRE(tac_flow_goal_parse("a_star(reached_vertex(S6))", &goal, &err) == TAC_OK);
    CHECK_STR(goal.cover.only, "S6");
    REQUIRE(tac_flow_goal_parse("directed_chinese_postman(edge_coverage(100))", &goal, &err) ==
            TAC_OK);
    CHECK_EQ(goal.cover.goal, TAC_COVER_EDGES);
    CHECK_EQ(tac_flow_goal_parse("transition", &goal, &err), TAC_E_USAGE);
    CHECK_CONTAINS(err.message, "did you mean 'transitions'?");
    CHECK_EQ(tac_flow_goal_parse("random(edge_coverage(101))", &goal, &err), TAC_E_USAGE);
    CHECK_EQ(tac_flow_goal_parse("random(edge_coverage(100)", &goal, &err), TAC_E_USAGE);
    CHECK_EQ(tac_flow_goal_parse("tuples:17", &goal, &err), TAC_E_USAGE);
    CHECK_EQ(tac_flow_goal_parse("", &goal, &err), TAC_E_USAGE);
}
