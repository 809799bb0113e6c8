/* Large and endless models: counted within the bound, nothing built before it is needed. */
#include "flow_helpers.h"
#include "model/model.h"
#include "tactus_test.h"

struct sketch {
    tac_model_builder *builder;
    uint32_t activity;
};

static struct sketch begin_model(const char *name)
{
    struct sketch sketch = {.builder = tac_model_builder_new(name, "")};
    uint32_t device = tac_build_device(sketch.builder, "d", NULL, 1);
    uint32_t app = tac_build_application(sketch.builder, device, "a", "a", NULL, true, 1);
    sketch.activity = tac_build_activity(sketch.builder, app, "v", true, 1);
    return sketch;
}

static tac_model *finish_model(struct sketch *sketch)
{
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_error err;
    if (tac_model_builder_finish(sketch->builder, &findings, &model, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s", err.message);
    tac_diagnostics_free(&findings);
    return model;
}

/* A complete binary tree: 2^20 leaves are reached at length 20. */
TEST(a_million_states_are_counted_at_length_20)
{
    struct sketch sketch = begin_model("tree");
    uint32_t machine = tac_build_machine(sketch.builder, sketch.activity, "m", true, 1);
    uint32_t levels = test_scale(100) == 100 ? 20 : 12, nodes = (2u << levels) - 1;
    char from[16], to[16];
    for (uint32_t i = 0; i < nodes; i++) {
        snprintf(from, sizeof from, "s%u", i);
        tac_build_node(sketch.builder, machine, TAC_NODE_STATE, from, 1);
    }
    tac_build_initial(sketch.builder, machine, "s0", 1);
    for (uint32_t i = 0; i < nodes / 2; i++)
        for (uint32_t k = 1; k <= 2; k++) {
            snprintf(from, sizeof from, "s%u", i);
            snprintf(to, sizeof to, "s%u", 2 * i + k);
            tac_build_transition(sketch.builder, machine, from, k == 1 ? "left" : "right", to, -1,
                                 -1, 1, NULL, NULL, 1);
        }
    tac_model *model = finish_model(&sketch);
    REQUIRE(model);
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 20});
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%u 0 %u 0 0", 1u << levels, 1u << levels);
    CHECK_STR(counts_text(engine), wanted);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

/* A machine that calls itself without reuse: infinitely many configurations. */
TEST(a_call_to_itself_is_finite_within_the_bound)
{
    struct sketch sketch = begin_model("endless");
    uint32_t machine = tac_build_machine(sketch.builder, sketch.activity, "m", true, 1);
    tac_build_node(sketch.builder, machine, TAC_NODE_STATE, "s", 1);
    tac_build_node(sketch.builder, machine, TAC_NODE_FINAL, "f", 1);
    uint32_t again = tac_build_node(sketch.builder, machine, TAC_NODE_CONNECTION, "c", 1);
    tac_build_call(sketch.builder, again, "m", "s", false, true);
    tac_build_initial(sketch.builder, machine, "s", 1);
    tac_build_transition(sketch.builder, machine, "s", "deeper", "c", -1, -1, 1, NULL, NULL, 1);
    tac_build_transition(sketch.builder, machine, "s", "back", "f", -1, -1, 1, NULL, NULL, 1);
    tac_model *model = finish_model(&sketch);
    REQUIRE(model);
    /* depth + 1 is a walk that starts at 1 and ends at 0: exits are counted by Catalan numbers,
       1 + 1 + 2 + 5 + 14 of length up to 9 */
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 9});
    CHECK(strstr(counts_text(engine), " 23 0 "));
    tac_flow_engine_free(engine);
    engine = new_engine(model, &(tac_flow_options){.length = 2000});
    const char *text = counts_text(engine);
    CHECK(strncmp(text, "failed", 6) && strlen(text) > 100);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

TEST(configurations_without_bound_stop_at_the_memory_limit)
{
    struct sketch sketch = begin_model("wide");
    uint32_t machine = tac_build_machine(sketch.builder, sketch.activity, "m", true, 1);
    tac_build_node(sketch.builder, machine, TAC_NODE_STATE, "s", 1);
    tac_build_node(sketch.builder, machine, TAC_NODE_STATE, "t", 1);
    tac_build_initial(sketch.builder, machine, "s", 1);
    for (int i = 0; i < 2; i++) {
        uint32_t call =
            tac_build_node(sketch.builder, machine, TAC_NODE_CONNECTION, i ? "c1" : "c0", 1);
        tac_build_call(sketch.builder, call, "m", i ? "t" : "s", false, true);
        tac_build_transition(sketch.builder, machine, "s", i ? "b" : "a", i ? "c1" : "c0", -1, -1,
                             1, NULL, NULL, 1);
    }
    tac_build_transition(sketch.builder, machine, "t", "c", "s", -1, -1, 1, NULL, NULL, 1);
    tac_model *model = finish_model(&sketch);
    REQUIRE(model);
    tac_flow_engine *engine =
        new_engine(model, &(tac_flow_options){.length = 60, .memory_limit = 8 << 20});
    CHECK_CONTAINS(counts_text(engine), "failed: over");
    tac_flow_engine_free(engine);
    engine = new_engine(model, &(tac_flow_options){.length = 60, .memory_limit = 8 << 20});
    char *text = listed_text(engine, 3); /* listing needs one path at a time */
    CHECK(strlen(text) > 100);
    free(text);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

TEST(a_hundred_thousand_machines)
{
    struct sketch sketch = begin_model("many");
    uint32_t count = (uint32_t)test_scale(100000);
    char name[16], next[16];
    for (uint32_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "m%u", i);
        snprintf(next, sizeof next, "m%u", (i + 1) % count);
        uint32_t machine = tac_build_machine(sketch.builder, sketch.activity, name, i == 0, 1);
        tac_build_node(sketch.builder, machine, TAC_NODE_STATE, "s", 1);
        uint32_t call = tac_build_node(sketch.builder, machine, TAC_NODE_CONNECTION, "c", 1);
        tac_build_call(sketch.builder, call, next, "s", true, true);
        tac_build_initial(sketch.builder, machine, "s", 1);
        tac_build_transition(sketch.builder, machine, "s", "on", "c", -1, -1, 1, NULL, NULL, 1);
    }
    tac_model *model = finish_model(&sketch);
    REQUIRE(model);
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 50});
    CHECK_STR(counts_text(engine), "1 0 0 1 0");
    tac_flow_engine_free(engine);
    tac_model_free(model);
}
