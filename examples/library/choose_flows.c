/* Chooses flows of a model that cover what is asked for and meet a requirement, as a document.
 *
 *     cc choose_flows.c $(pkg-config --cflags --libs tactus) -o choose_flows
 *     ./choose_flows examples/demo/model.xml examples/demo/playback.req.xml 8 transitions */
#include <stdio.h>
#include <stdlib.h>
#include <tactus/flow.h>
#include <tactus/verdict.h>

static void print(const tac_flow_engine *engine, const tac_flow_path *path)
{
    for (uint32_t i = 0; i < path->length; i++)
        printf("%s%s", i ? " " : "", tac_flow_path_event(engine, path, i));
    printf("\n");
}

static bool print_sampled(void *engine, const tac_flow_path *path)
{
    printf("sampled: ");
    print(engine, path);
    return true;
}

/* A suite, as a document and flow by flow, then three flows drawn at random. */
static tac_status choose(tac_flow_engine *engine, const tac_flow_goal *goal, const char *name,
                         tac_error *err)
{
    tac_cover_suite suite;
    tac_status status = tac_flow_cover(engine, &goal->cover, &suite, err);
    if (status != TAC_OK)
        return status;
    json_t *document = tac_cover_suite_json(&suite, name);
    json_dumpf(json_object_get(document, "covered"), stdout, JSON_ENCODE_ANY);
    printf(" of %zu covered by %zu flows\n", suite.total, suite.flow_count);
    json_decref(document);
    for (size_t i = 0; i < suite.flow_count; i++)
        print(suite.engine, &suite.flows[i].path);
    tac_cover_suite_free(&suite);
    const tac_flow_sampling sampling = {.count = 3, .seed = 1};
    return tac_flow_sample(engine, &sampling, print_sampled, engine, err);
}

static tac_status run(char **words, tac_error *err)
{
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_requirement *requirement = NULL;
    tac_flow_engine *engine = NULL;
    tac_flow_goal goal;
    tac_status status = tac_flow_goal_parse(words[4], &goal, err);
    if (status == TAC_OK)
        status = tac_model_load(words[1], &findings, &model, err);
    if (status == TAC_OK)
        status = tac_requirement_load(words[2], &findings, &requirement, err);
    const tac_requirement *const requirements[] = {requirement};
    const tac_flow_options options = {.length = (uint32_t)strtoul(words[3], NULL, 10),
                                      .requirements = requirements,
                                      .requirement_count = 1};
    if (status == TAC_OK)
        status = tac_flow_engine_new(model, &options, &findings, &engine, err);
    if (status == TAC_OK)
        status = choose(engine, &goal, words[4], err);
    tac_flow_engine_free(engine);
    tac_requirement_free(requirement);
    tac_model_free(model);
    tac_diagnostics_free(&findings);
    return status;
}

int main(int argc, char **argv)
{
    tac_error err;
    if (argc != 5) {
        fprintf(stderr, "usage: choose_flows MODEL REQUIREMENT LENGTH GOAL\n");
        return 2;
    }
    tac_status status = run(argv, &err);
    if (status != TAC_OK) {
        char text[2048];
        fprintf(stderr, "%s\n", tac_error_text(&err, text, sizeof text));
    }
    return tac_exit_code(status, TAC_HOLDS);
}
