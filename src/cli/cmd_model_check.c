/* tactus model check MODEL...: schema and meaning, every finding with its line. */
#include "cli/command.h"
#include "tactus/model_tools.h"

struct check_result {
    const tac_model *model;
    const tac_diagnostics *findings;
};

static void write_check(FILE *out, void *context)
{
    const struct check_result *result = context;
    tac_verdict verdict;
    tac_model_check_verdict(result->model, result->findings, &verdict);
    tac_verdict_text(&verdict, out);
    tac_verdict_free(&verdict);
}

static json_t *check_document(const tac_model *model, const tac_diagnostics *findings)
{
    json_t *document = model ? tac_model_statistics_json(model) : json_object();
    json_object_set_new(document, "errors", diagnostics_json(findings, TAC_ERROR));
    json_object_set_new(document, "warnings", diagnostics_json(findings, TAC_WARNING));
    return document;
}

static int model_check_run(struct invocation *in)
{
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_error err;
    tac_status status = tac_model_load_many(in->args, in->arg_count, &findings, &model, &err);
    int code;
    if (status != TAC_OK && !findings.errors) {
        code = fail(in, &err);
    } else {
        int exit_code = tac_exit_code(status, TAC_HOLDS);
        if (in->json) {
            code = finish_json(in, check_document(model, &findings), exit_code);
        } else {
            print_diagnostics(&findings);
            if (model) {
                code = finish_text(in, write_check, &(struct check_result){model, &findings},
                                   exit_code);
            } else {
                tac_fail(&err, TAC_E_INPUT, "%zu error%s: the model cannot be used",
                         findings.errors, findings.errors == 1 ? "" : "s");
                code = fail(in, &err);
            }
        }
    }
    tac_diagnostics_free(&findings);
    tac_model_free(model);
    return code;
}

const struct command cmd_model_check = {
    .noun = "model",
    .verb = "check",
    .args = "MODEL...",
    .least_args = 1,
    .most_args = SIZE_MAX,
    .summary = "check interaction models: schema, names, starts, cycles, reachability",
    .description =
        "Reads the model files (several are combined, as for the flow commands) and lists every "
        "error and warning with its line, then the size of the model.\n\n"
        "Errors are: a file that does not fit the schema, unknown or repeated names, a state "
        "machine without initial, a device without an externally accessible start, a connection "
        "that returns to a connection, and calls that turn in a circle without reaching a state. "
        "Warnings are: states that no flow can reach, repeated transitions, channels on which "
        "nothing is sent. Exit code 4 when there is an error.",
    .example = "tactus model check examples/uamp/uamp.model.xml",
    .common = HAS_JSON | HAS_OUTPUT,
    .run = model_check_run,
};
