/* tactus model export MODEL... --to FORMAT */
#include "base/check.h"
#include "base/io/output.h"
#include "cli/model_io.h"
#include "flow/export.h"
#include "model/tools.h"

enum exported { TO_PROMELA, TO_GRAPHWALKER, TO_DOT, TO_SVG, TO_XML };

static tac_status (*const writers[])(const tac_model *model, FILE *out, tac_error *err) = {
    [TO_PROMELA] = NULL, /* by itself */
    [TO_GRAPHWALKER] = tac_model_write_graphwalker,
    [TO_DOT] = tac_model_write_dot,
    [TO_SVG] = tac_model_write_svg,
    [TO_XML] = tac_model_write};
TABLE_COVERS(writers, TO_XML);

/* SPIN enumerates the flows of the exported model, or with a requirement its witnesses. */
static int export_promela_model(struct invocation *in, const tac_model *model)
{
    const char *path = option_text(in, "require");
    tac_diagnostics findings = {0};
    tac_requirement *requirement = NULL;
    tac_output output = {0};
    tac_error err;
    tac_status status = TAC_OK;
    if (path)
        status = tac_requirement_load(path, &findings, &requirement, &err);
    if (status == TAC_OK)
        status = tac_output_open(&output, in->output, &err);
    if (status == TAC_OK) {
        status = tac_promela_write(model, (uint32_t)option_number(in, "length", 10), requirement,
                                   &findings, output.file, &err);
        status = tac_output_close(&output, status, &err);
    }
    print_diagnostics(&findings);
    int code = status == TAC_OK ? 0 : fail(in, &err);
    tac_diagnostics_free(&findings);
    tac_requirement_free(requirement);
    return code;
}

static int model_export_run(struct invocation *in)
{
    int to = option_choice(in, "to", TO_XML);
    int code = 0;
    tac_model *model = load_models(in, in->args, in->arg_count, &code);
    if (!model)
        return code;
    code = writers[to] ? finish_model(in, model, writers[to]) : export_promela_model(in, model);
    tac_model_free(model);
    return code;
}

static const struct option model_export_options[] = {
    CHOICE("to", "FORMAT",
           CHOICES({"promela", TO_PROMELA}, {"graphwalker", TO_GRAPHWALKER}, {"dot", TO_DOT},
                   {"svg", TO_SVG}, {"xml", TO_XML}),
           "the format to write; xml is the model file itself, combined and in order",
           .meaning = "the format to convert to", .required = true),
    NUMBER("length", "N", 0, 1000, "promela: at most N events per flow (default 10)", .letter = 'n',
           .meaning = "at most N events per flow"),
    PATH("require", "R.xml", "promela: a requirement, as a pruning never claim", .letter = 'r',
         .meaning = "a requirement on flows"),
    {0},
};

const struct command cmd_model_export = {
    .noun = "model",
    .verb = "export",
    .group = GROUP_MODELS,
    .args = "MODEL...",
    .summary = "write interaction models in the formats of other tools",
    .description = "graphwalker writes GraphWalker JSON: one model per state machine, calls and "
                   "returns as shared states. GraphWalker has no stack, so its walks may return to "
                   "another caller and never reuse; times, actions, channels and calls are kept in "
                   "\"properties\", and 'tactus model import' reads them back unchanged.\n\n"
                   "promela writes one process per device; SPIN, run as the first lines of the "
                   "output say, prints every flow of up to --length events. With --require it ends "
                   "with a never claim and SPIN prints every witness.",
    .example = "tactus model export examples/uamp/uamp.model.xml --to graphwalker -o uamp.json",
    .options = model_export_options,
    .common = HAS_OUTPUT,
    .run = model_export_run,
};
