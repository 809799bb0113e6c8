/* Adaptive covering of an app that answers by chance: everything is covered, in fewer events than a
 * random walk and than fixed suites played over and over, on 20 seeds. */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "flow/adaptive.h"
#include "flow_helpers.h"
#include "model/model.h"

/* A quiz: an answer is right or wrong by chance, a bonus round comes rarely. */
static const struct {
    const char *from, *event, *to;
    double chance;
} quiz[] = {
    {"menu", "play", "q1", 1},   {"menu", "help", "help", 1},  {"help", "back", "menu", 1},
    {"q1", "answer", "q2", .6},  {"q1", "answer", "lost", .4}, {"q1", "skip", "q2", 1},
    {"q2", "answer", "q3", .5},  {"q2", "answer", "lost", .5}, {"q2", "skip", "q3", 1},
    {"q3", "answer", "won", .4}, {"q3", "answer", "lost", .5}, {"q3", "answer", "bonus", .1},
    {"q3", "quit", "menu", 1},   {"bonus", "take", "won", .7}, {"bonus", "take", "lost", .3},
    {"lost", "again", "q1", 1},  {"lost", "menu", "menu", 1},  {"won", "share", "shared", 1},
    {"won", "menu", "menu", 1},  {"shared", "back", "won", 1}, {"shared", "like", "shared", 1},
};
enum { STEPS = sizeof quiz / sizeof *quiz };

static tac_model *quiz_model(void)
{
    static const char *const states[] = {"menu", "q1",   "q2",   "q3",    "bonus",
                                         "won",  "lost", "help", "shared"};
    tac_model_builder *builder = tac_model_builder_new("quiz", "");
    uint32_t device = tac_build_device(builder, "d", NULL, 0);
    uint32_t application = tac_build_application(builder, device, "a", NULL, NULL, true, 0);
    uint32_t activity = tac_build_activity(builder, application, "v", true, 0);
    uint32_t machine = tac_build_machine(builder, activity, "m", true, 0);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        tac_build_node(builder, machine, TAC_NODE_STATE, states[i], 0);
    tac_build_initial(builder, machine, "menu", 0);
    for (size_t i = 0; i < STEPS; i++)
        tac_build_transition(builder, machine, quiz[i].from, quiz[i].event, quiz[i].to, 0, -1, 1,
                             NULL, NULL, 0);
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    CHECK_EQ(tac_model_builder_finish(builder, &findings, &model, NULL), TAC_OK);
    tac_diagnostics_free(&findings);
    return model;
}

struct app {
    const char *at;
    tac_random random;
    bool covered[STEPS];
    size_t left;
};

static void reset(struct app *app, uint64_t seed)
{
    *app = (struct app){.at = "menu", .left = STEPS};
    tac_random_seed(&app->random, seed);
}

/* Performs an event as chance has it; false when it is not possible here. */
static bool perform(struct app *app, const char *event)
{
    double drawn = tac_random_unit(&app->random);
    for (size_t i = 0; i < STEPS; i++) {
        if (strcmp(quiz[i].from, app->at) || strcmp(quiz[i].event, event))
            continue;
        drawn -= quiz[i].chance;
        if (drawn >= 0)
            continue;
        app->left -= !app->covered[i];
        app->covered[i] = true;
        app->at = quiz[i].to;
        return true;
    }
    return false;
}

static uint32_t node_named(const tac_model *model, const char *name)
{
    for (uint32_t n = 0; n < model->node_count; n++)
        if (!strcmp(model->nodes[n].name, name))
            return n;
    return TAC_MODEL_NONE;
}

static uint64_t adaptively(const tac_model *model, uint64_t seed)
{
    struct app app;
    tac_adaptive *planner;
    reset(&app, seed);
    REQUIRE(tac_adaptive_new(model, 0, &planner, NULL) == TAC_OK);
    tac_adaptive_figures figures = {0};
    for (;;) {
        uint32_t transition;
        tac_adaptive_step step = tac_adaptive_next(planner, &transition);
        tac_adaptive_report(planner, &figures);
        if (step == TAC_ADAPTIVE_COVERED || step == TAC_ADAPTIVE_OVER || figures.events > 100000)
            break;
        if (step == TAC_ADAPTIVE_START)
            app.at = "menu";
        else
            CHECK(perform(&app, model->events[model->transitions[transition].event]));
        CHECK(tac_adaptive_landed(planner, node_named(model, app.at)));
    }
    CHECK_EQ(figures.covered, STEPS);
    CHECK_EQ(app.left, 0);
    tac_adaptive_free(planner);
    return figures.events;
}

static uint64_t by_random_walk(uint64_t seed)
{
    struct app app;
    uint64_t events = 0;
    for (reset(&app, seed); app.left && events < 100000; events++) {
        const char *possible[STEPS];
        size_t count = 0;
        for (size_t i = 0; i < STEPS; i++) {
            bool known = strcmp(quiz[i].from, app.at) != 0;
            for (size_t k = 0; k < count && !known; k++)
                known = !strcmp(possible[k], quiz[i].event);
            if (!known)
                possible[count++] = quiz[i].event;
        }
        perform(&app, possible[tac_random_below(&app.random, count)]);
    }
    return events;
}

/* The tour, from the start each time; a flow ends where its next event is not possible. */
static uint64_t by_fixed_suite(const tac_model *model, uint64_t seed)
{
    struct app app;
    uint64_t events = 0;
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = TAC_FLOW_UNBOUNDED});
    tac_cover_options options = {.goal = TAC_COVER_TRANSITIONS};
    tac_cover_suite suite;
    REQUIRE(tac_flow_cover(engine, &options, &suite, NULL) == TAC_OK);
    for (reset(&app, seed); app.left && events < 100000;)
        for (size_t f = 0; f < suite.flow_count && app.left; f++) {
            app.at = "menu";
            for (uint32_t i = 0; i < suite.flows[f].path.length && app.left; i++) {
                if (!perform(&app, tac_flow_path_event(engine, &suite.flows[f].path, i)))
                    break;
                events++;
            }
        }
    tac_cover_suite_free(&suite);
    tac_flow_engine_free(engine);
    return events;
}

TEST(an_app_with_chance_is_covered_sooner_than_by_walks_and_suites)
{
    tac_model *model = quiz_model();
    uint64_t adaptive = 0, walk = 0, suite = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        adaptive += adaptively(model, seed);
        walk += by_random_walk(seed);
        suite += by_fixed_suite(model, seed);
    }
    printf("  20 seeds: %llu events adaptively, %llu by random walks, %llu by the tour\n",
           (unsigned long long)adaptive, (unsigned long long)walk, (unsigned long long)suite);
    CHECK(adaptive < walk);
    CHECK(adaptive < suite);
    tac_model_free(model);
}

TEST(what_cannot_be_performed_is_given_up)
{
    tac_model *model = quiz_model();
    tac_adaptive *planner;
    struct app app;
    reset(&app, 7);
    REQUIRE(tac_adaptive_new(model, 0, &planner, NULL) == TAC_OK);
    tac_adaptive_step step;
    uint32_t transition;
    uint64_t rounds = 0;
    while ((step = tac_adaptive_next(planner, &transition)) != TAC_ADAPTIVE_OVER &&
           step != TAC_ADAPTIVE_COVERED && ++rounds < 10000) {
        if (step == TAC_ADAPTIVE_START) {
            app.at = "menu";
        } else if (!strcmp(model->events[model->transitions[transition].event], "share")) {
            tac_adaptive_refused(planner); /* the button is never there */
            continue;
        } else {
            perform(&app, model->events[model->transitions[transition].event]);
        }
        tac_adaptive_landed(planner, node_named(model, app.at));
    }
    CHECK_EQ(step, TAC_ADAPTIVE_OVER);
    tac_adaptive_figures figures;
    tac_adaptive_report(planner, &figures);
    CHECK_EQ(figures.covered, STEPS - 3); /* share, back and like of the shared screen */
    tac_adaptive_free(planner);
    tac_model_free(model);
}

TEST(a_surprise_is_counted_and_planned_from)
{
    tac_model *model = quiz_model();
    tac_adaptive *planner;
    uint32_t transition;
    REQUIRE(tac_adaptive_new(model, 0, &planner, NULL) == TAC_OK);
    CHECK_EQ(tac_adaptive_next(planner, &transition), TAC_ADAPTIVE_START);
    CHECK(tac_adaptive_landed(planner, node_named(model, "menu")));
    CHECK_EQ(tac_adaptive_next(planner, &transition), TAC_ADAPTIVE_EVENT);
    CHECK(!tac_adaptive_landed(planner,
                               node_named(model, "won"))); /* neither play nor help do that */
    CHECK_EQ(tac_adaptive_next(planner, &transition), TAC_ADAPTIVE_EVENT);
    CHECK_EQ(model->transitions[transition].from, node_named(model, "won"));
    CHECK(!tac_adaptive_landed(planner, TAC_MODEL_NONE)); /* a screen from elsewhere */
    CHECK_EQ(tac_adaptive_next(planner, &transition), TAC_ADAPTIVE_START);
    tac_adaptive_figures figures;
    tac_adaptive_report(planner, &figures);
    CHECK_EQ(figures.unmodelled, 2);
    CHECK_EQ(figures.covered, 0);
    tac_adaptive_free(planner);
    tac_model_free(model);
}
