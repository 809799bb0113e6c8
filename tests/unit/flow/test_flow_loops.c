/* Loop bounds counted along the walk give the flows that the graph of all prefixes gives, in the
 * same order; and a listing that would not fit in memory begins at once. */
#include "base/data/str.h"
#include "flow/loops.h"
#include "flow_helpers.h"
#include "random_models.h"
#include "tactus_test.h"

struct listed {
    tac_flow_engine *engine;
    tac_str text;
};

static bool write_down(void *context, const tac_flow_path *path)
{
    struct listed *in = context;
    const tac_flow *flow = tac_flow_describe(in->engine, path);
    tac_str_addf(&in->text, "%d %u:", (int)path->kind, path->root);
    for (uint32_t i = 0; i < path->length; i++)
        tac_str_addf(&in->text, " %s>%s", tac_flow_path_event(in->engine, path, i),
                     flow->steps[i].states[flow->steps[i].state_count - 1]);
    tac_str_add(&in->text, "\n");
    return true;
}

static void compare(uint64_t seed, size_t *flows)
{
    tac_random random;
    tac_random_seed(&random, seed);
    tac_model *model = random_model(
        &random, &(random_model_options){.most_devices = 1 + seed % 2, .channels = seed % 4 == 1});
    tac_requirement *first = random_requirement(&random, model);
    tac_requirement *second = tac_requirement_new("loops", NULL);
    tac_requirement_limit_loops(second, seed % 3 ? TAC_LOOP_TRANSITION : TAC_LOOP_STATE,
                                (uint32_t)(seed % 2),
                                seed % 5 ? (uint32_t)(seed % 4) : TAC_UNBOUNDED);
    const tac_requirement *list[] = {second, first};
    tac_flow_options options = {.length = 5,
                                .requirements = list,
                                .requirement_count = 1 + seed % 2,
                                .witness = seed % 7 == 0,
                                .all_interleavings = seed % 11 == 0};
    if (seed % 3 == 1 && !options.witness)
        options.kinds = TAC_FLOW_EXIT | TAC_FLOW_STUCK;
    struct listed a = {.engine = new_engine(model, &options)};
    struct listed b = {.engine = new_engine(model, &options)};
    uint64_t few = 0;
    b.engine->always_loops = true;
    CHECK_EQ(tac_flow_list(a.engine, 0, write_down, &a, NULL, NULL), TAC_OK);
    CHECK_EQ(flow_list_stream(b.engine, 0, write_down, &b, &few, NULL), TAC_OK);
    CHECK_STR(tac_str_text(&b.text), tac_str_text(&a.text));
    *flows += few;
    /* the engine is as it was before */
    tac_str_clear(&b.text);
    CHECK_EQ(tac_flow_list(b.engine, 0, write_down, &b, NULL, NULL), TAC_OK);
    CHECK_STR(tac_str_text(&b.text), tac_str_text(&a.text));
    tac_str_free(&a.text);
    tac_str_free(&b.text);
    tac_flow_engine_free(a.engine);
    tac_flow_engine_free(b.engine);
    tac_requirement_free(first);
    tac_requirement_free(second);
    tac_model_free(model);
}

TEST(both_ways_list_the_same_flows)
{
    size_t flows = 0;
    for (uint64_t seed = 9101; seed <= 9100 + test_scale(300) && !test_failed; seed++)
        compare(seed, &flows);
    CHECK(flows > 1000);
}

/* A clique of 40 states: sets of used transitions are beyond any memory, five flows are not. */
TEST(a_few_flows_come_at_once)
{
    enum { STATES = 40 };
    tac_model_builder *builder = tac_model_builder_new("clique", "");
    uint32_t device = tac_build_device(builder, "d", NULL, 1);
    uint32_t app = tac_build_application(builder, device, "a", "a", NULL, true, 1);
    uint32_t machine =
        tac_build_machine(builder, tac_build_activity(builder, app, "v", true, 1), "m", true, 1);
    char from[16], to[16];
    for (int i = 0; i < STATES; i++) {
        snprintf(from, sizeof from, "s%d", i);
        tac_build_node(builder, machine, TAC_NODE_STATE, from, 1);
        for (int k = 0; k < STATES; k++) {
            snprintf(to, sizeof to, "s%d", k);
            tac_build_transition(builder, machine, from, to, to, -1, -1, 1, NULL, NULL, 1);
        }
    }
    tac_build_initial(builder, machine, "s0", 1);
    tac_model *model = NULL;
    tac_diagnostics findings = {0};
    REQUIRE(tac_model_builder_finish(builder, &findings, &model, NULL) == TAC_OK);
    tac_diagnostics_free(&findings);
    tac_requirement *requirement = tac_requirement_new("loops", NULL);
    tac_requirement_limit_loops(requirement, TAC_LOOP_TRANSITION, 0, 2);
    const tac_requirement *list[] = {requirement};
    tac_flow_engine *engine =
        new_engine(model, &(tac_flow_options){.length = 60,
                                              .requirements = list,
                                              .requirement_count = 1,
                                              .memory_limit = (size_t)8 << 20});
    FILE *out = tmpfile();
    uint64_t listed = 0;
    CHECK_EQ(tac_flow_list_text(engine, 5, out, &listed, NULL), TAC_OK);
    CHECK_EQ(listed, 5);
    fclose(out);
    tac_flow_engine_free(engine);
    tac_requirement_free(requirement);
    tac_model_free(model);
}
