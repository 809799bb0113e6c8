/* Writing and reading back: every model comes back equal, whatever order it was built in. */
#include "model/model.h"
#include "model_support.h"
#include "tactus_test.h"
#include <stdlib.h>

static void check_round_trip(const tac_model *model)
{
    char *text = model_text(model);
    tac_model *again = model_of(text, NULL);
    REQUIRE(again != NULL);
    const char *why;
    bool equal = models_equal(model, again, &why);
    CHECK_STR(why, "");
    CHECK(equal);
    char *second = model_text(again);
    CHECK_STR(second, text);
    free(text);
    free(second);
    tac_model_free(again);
}

TEST(random_models_survive_writing_and_reading)
{
    for (uint64_t seed = 1; seed <= test_scale(1000); seed++) {
        random_model_options options = {
            .devices = 1 + (unsigned)(seed % 3), .decorated = true, .shuffled = seed % 2};
        tac_model *model = random_model(seed, &options);
        check_round_trip(model);
        tac_model_free(model);
    }
}

TEST(the_order_of_building_does_not_matter)
{
    for (uint64_t seed = 1; seed <= test_scale(500); seed++) {
        random_model_options options = {.devices = 2, .decorated = true};
        tac_model *straight = random_model(seed, &options);
        options.shuffled = true;
        tac_model *shuffled = random_model(seed, &options);
        const char *why;
        CHECK(models_equal(straight, shuffled, &why));
        CHECK_STR(why, "");
        tac_model_free(straight);
        tac_model_free(shuffled);
    }
}

TEST(the_examples_survive_writing_and_reading)
{
    static const char *const files[] = {"examples/uamp/uamp.model.xml",
                                        "examples/chat/chat.model.xml"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        tac_diagnostics findings = {0};
        tac_error err;
        tac_model *model;
        REQUIRE(tac_model_load(test_source(files[i]), &findings, &model, &err) == TAC_OK);
        CHECK_EQ(findings.count, 0);
        check_round_trip(model);
        tac_model_free(model);
        tac_diagnostics_free(&findings);
    }
}

TEST(children_of_one_parent_are_consecutive)
{
    random_model_options options = {.devices = 3, .shuffled = true, .decorated = true};
    for (uint64_t seed = 1; seed <= test_scale(200); seed++) {
        tac_model *model = random_model(seed, &options);
        uint32_t nodes = 0, transitions = 0, machines = 0;
        for (uint32_t a = 0; a < model->activity_count; a++) {
            CHECK_EQ(model->activities[a].first_machine, machines);
            machines += model->activities[a].machine_count;
        }
        for (uint32_t m = 0; m < model->machine_count; m++) {
            CHECK_EQ(model->machines[m].first_node, nodes);
            nodes += model->machines[m].node_count;
            if (model->machines[m].transition_count)
                CHECK_EQ(model->machines[m].first_transition, transitions);
            transitions += model->machines[m].transition_count;
        }
        CHECK_EQ(nodes, model->node_count);
        CHECK_EQ(transitions, model->transition_count);
        for (uint32_t n = 0; n < model->node_count; n++)
            for (uint32_t i = 0; i < model->nodes[n].out_count; i++)
                CHECK_EQ(model->transitions[model->nodes[n].first_out + i].from, n);
        tac_model_free(model);
    }
}

TEST(action_kinds_have_names_and_back)
{
    for (int kind = 0; kind <= TAC_ACTION_WAIT; kind++) {
        tac_action_kind back;
        CHECK(tac_action_kind_parse(tac_action_kind_name((tac_action_kind)kind), &back));
        CHECK_EQ(back, kind);
    }
    tac_action_kind kind;
    CHECK(!tac_action_kind_parse("tap", &kind));
}
