/* tactus model draw MODEL... -o OUT.svg */
#include "base/data/text.h"
#include "cli/model_io.h"
#include "tactus/model_tools.h"
#include <string.h>

static int model_draw_run(struct invocation *in)
{
    const char *format = option_text(in, "format");
    if (!format)
        format = in->output && tac_ends_with(in->output, ".svg") ? "svg" : "dot";
    int code = 0;
    tac_model *model = load_models(in, in->args, in->arg_count, &code);
    if (!model)
        return code;
    code = finish_model(in, model,
                        strcmp(format, "svg") == 0 ? tac_model_write_svg : tac_model_write_dot);
    tac_model_free(model);
    return code;
}

static const struct option model_draw_options[] = {
    {.name = "format",
     .meaning = "how the result is shown",
     .kind = OPTION_CHOICE,
     .argument = "FORMAT",
     .choices = "svg|dot",
     .help = "svg or dot; by default what the name after -o says, else dot"},
    {0},
};

const struct command cmd_model_draw = {
    .noun = "model",
    .verb = "draw",
    .args = "MODEL...",
    .least_args = 1,
    .most_args = SIZE_MAX,
    .summary = "draw interaction models as SVG or DOT",
    .description =
        "Draws devices, applications, activities and state machines as nested boxes, states as "
        "rounded rectangles, connections as small circles with dashed arrows to what they call and "
        "where they return, finals as crossed circles.\n\n"
        "SVG needs the program dot (Debian package graphviz); DOT needs nothing.",
    .example = "tactus model draw examples/uamp/uamp.model.xml -o uamp.dot",
    .options = model_draw_options,
    .common = HAS_OUTPUT,
    .run = model_draw_run,
};
