/* tactus model export MODEL... --to FORMAT */
#include "cli/model_io.h"
#include "tactus/model_tools.h"
#include <string.h>

static const struct {
    const char *name;
    tac_status (*write)(const tac_model *model, FILE *out, tac_error *err);
} formats[] = {
    {"graphwalker", tac_model_write_graphwalker},
    {"dot", tac_model_write_dot},
    {"svg", tac_model_write_svg},
    {"xml", tac_model_write},
};

static int model_export_run(struct invocation *in)
{
    const char *to = option_text(in, "to");
    int code = 0;
    tac_model *model = load_models(in, in->args, in->arg_count, &code);
    if (!model)
        return code;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(to, formats[i].name) == 0)
            code = finish_model(in, model, formats[i].write);
    tac_model_free(model);
    return code;
}

static const struct option model_export_options[] = {
    {.name = "to",
     .kind = OPTION_CHOICE,
     .argument = "FORMAT",
     .choices = "graphwalker|dot|svg|xml",
     .help = "the format to write; xml is the model file itself, combined and in order",
     .required = true},
    {0},
};

const struct command cmd_model_export = {
    .noun = "model",
    .verb = "export",
    .args = "MODEL...",
    .least_args = 1,
    .most_args = SIZE_MAX,
    .summary = "write interaction models in the formats of other tools",
    .description =
        "graphwalker writes GraphWalker JSON: one model per state machine, calls and returns as "
        "shared states. GraphWalker has no stack, so its walks may return to another caller; "
        "times, actions, channels and calls are kept in \"properties\", and 'tactus model import' "
        "reads them back unchanged.",
    .example = "tactus model export examples/uamp/uamp.model.xml --to graphwalker -o uamp.json",
    .options = model_export_options,
    .common = HAS_OUTPUT,
    .run = model_export_run,
};
