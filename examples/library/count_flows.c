/* Counts the app user flows of a model, exactly.
 *
 *     cc count_flows.c $(pkg-config --cflags --libs tactus) -o count_flows
 *     ./count_flows examples/uamp/uamp.model.xml 10 */
#include <stdio.h>
#include <stdlib.h>
#include <tactus/flow.h>
#include <tactus/model.h>
#include <tactus/verdict.h>

static tac_status count(const char *path, uint32_t length, tac_error *err)
{
    const char *const paths[] = {path};
    const tac_flow_options options = {.length = length};
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_flow_engine *engine = NULL;
    tac_flow_counts counts;
    tac_flow_counts_init(&counts);
    tac_status status = tac_model_load_many(paths, 1, &findings, &model, err);
    if (status == TAC_OK)
        status = tac_flow_engine_new(model, &options, &findings, &engine, err);
    if (status == TAC_OK)
        status = tac_flow_count(engine, &counts, err);
    if (status == TAC_OK)
        gmp_printf("%Zd flows of at most %u events\n", counts.flows, length);
    tac_flow_counts_clear(&counts);
    tac_flow_engine_free(engine);
    tac_model_free(model);
    tac_diagnostics_free(&findings);
    return status;
}

int main(int argc, char **argv)
{
    tac_error err;
    if (argc != 3) {
        fprintf(stderr, "usage: count_flows MODEL LENGTH\n");
        return 2;
    }
    tac_status status = count(argv[1], (uint32_t)strtoul(argv[2], NULL, 10), &err);
    if (status != TAC_OK) {
        char text[2048];
        fprintf(stderr, "%s\n", tac_error_text(&err, text, sizeof text));
    }
    return tac_exit_code(status, TAC_HOLDS);
}
