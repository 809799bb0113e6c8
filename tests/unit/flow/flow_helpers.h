/* Small helpers of the flow tests. */
#ifndef FLOW_HELPERS_H
#define FLOW_HELPERS_H

#include "tactus/flow.h"
#include "tactus_test.h"
#include <string.h>

__attribute__((unused)) static tac_model *load_model(const char *path)
{
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_error err;
    if (tac_model_load(path, &findings, &model, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", path, err.message);
    tac_diagnostics_free(&findings);
    return model;
}

__attribute__((unused)) static tac_requirement *load_requirement(const char *path)
{
    tac_diagnostics findings = {0};
    tac_requirement *requirement = NULL;
    tac_error err;
    if (tac_requirement_load(path, &findings, &requirement, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", path, err.message);
    tac_diagnostics_free(&findings);
    return requirement;
}

__attribute__((unused)) static tac_flow_engine *new_engine(const tac_model *model,
                                                           const tac_flow_options *options)
{
    tac_diagnostics findings = {0};
    tac_flow_engine *engine = NULL;
    tac_error err;
    if (tac_flow_engine_new(model, options, &findings, &engine, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "no engine: %s", err.message);
    tac_diagnostics_free(&findings);
    return engine;
}

/* "flows exit stuck truncated witnesses" */
__attribute__((unused)) static const char *counts_text(tac_flow_engine *engine)
{
    static char text[1200];
    tac_flow_counts counts;
    tac_error err = {0};
    tac_flow_counts_init(&counts);
    if (tac_flow_count(engine, &counts, &err) != TAC_OK)
        snprintf(text, sizeof text, "failed: %s", err.message);
    else
        gmp_snprintf(text, sizeof text, "%Zd %Zd %Zd %Zd %Zd", counts.flows, counts.exit,
                     counts.stuck, counts.truncated, counts.witnesses);
    tac_flow_counts_clear(&counts);
    return text;
}

/* What tac_flow_list_text prints; the caller's. */
__attribute__((unused)) static char *listed_text(tac_flow_engine *engine, uint64_t limit)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    CHECK_EQ(tac_flow_list_text(engine, limit, out, NULL, NULL), TAC_OK);
    fclose(out);
    return text;
}

#endif
