/* Reading and writing models for commands: see model_io.h. */
#include "cli/model_io.h"
#include "base/io/output.h"

tac_model *load_models(const struct invocation *in, const char *const *paths, size_t count,
                       int *exit_code)
{
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_error err;
    tac_status status = tac_model_load_many(paths, count, &findings, &model, &err);
    if (status != TAC_OK && findings.errors > 1) {
        print_diagnostics(&findings);
        tac_fail(&err, TAC_E_INPUT, "%zu errors: the model cannot be used", findings.errors);
    }
    if (status != TAC_OK)
        *exit_code = fail(in, &err);
    tac_diagnostics_free(&findings);
    return model;
}

void print_findings(const struct invocation *in, tac_diagnostics *findings)
{
    enum { FEW = 12 };
    size_t kept = findings->count;
    if (!in->verbose && !findings->errors && kept > FEW)
        findings->count = FEW; /* print_diagnostics counts the others */
    print_diagnostics(findings);
    findings->count = kept;
}

int finish_model(const struct invocation *in, const tac_model *model,
                 tac_status (*write)(const tac_model *model, FILE *out, tac_error *err))
{
    tac_output output;
    tac_error err;
    tac_status status = tac_output_open(&output, in->output, &err);
    if (status == TAC_OK) {
        status = write(model, output.file, &err);
        status = tac_output_close(&output, status, &err);
    }
    return status == TAC_OK ? 0 : fail(in, &err);
}
