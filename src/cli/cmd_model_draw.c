/* tactus model draw MODEL... -o OUT.svg */
#include "base/data/text.h"
#include "base/io/output.h"
#include "cli/model_io.h"
#include "model/tools.h"

#define MANY_STATES 40 /* more do not fit on a page */

/* A part when one is asked for, or when the whole does not fit on a page. */
static bool draws_part(const struct invocation *in, const tac_model *model, tac_model_view *out)
{
    tac_model_statistics statistics;
    tac_model_count(model, &statistics);
    *out = (tac_model_view){.activity = option_text(in, "activity"),
                            .focus = option_text(in, "focus"),
                            .engine = option_text(in, "engine"),
                            .most_states = option_flag(in, "all-states") ? 0 : MANY_STATES,
                            .collapsed = option_flag(in, "collapse")};
    bool asked = out->activity || out->focus || out->collapsed;
    if (asked || option_flag(in, "all-states") || statistics.states <= MANY_STATES)
        return asked || out->engine;
    fprintf(stderr,
            "%u states do not fit on a page: those nearest to the start are drawn; --activity, "
            "--focus and --collapse draw other parts, --all-states everything\n",
            statistics.states);
    return true;
}

static int model_draw_run(struct invocation *in)
{
    int code = 0;
    bool svg = option_choice(in, "format", in->output && tac_ends_with(in->output, ".svg"));
    if (option_flag(in, "collapse") && option_flag(in, "focus"))
        return fail_usage(in, "--collapse draws no state, so there is none for --focus");
    if (option_flag(in, "pages") && !in->output)
        return fail_usage(in, "--pages needs a folder for the drawings: -o DIR");
    tac_model *model = load_models(in, in->args, in->arg_count, &code);
    if (!model)
        return code;
    if (option_flag(in, "pages")) {
        tac_error problem;
        if (tac_model_draw_pages(model, in->output, &problem) != TAC_OK)
            code = fail(in, &problem);
        tac_model_free(model);
        return code;
    }
    tac_model_view view;
    if (!draws_part(in, model, &view)) {
        code = finish_model(in, model, svg ? tac_model_write_svg : tac_model_write_dot);
        tac_model_free(model);
        return code;
    }
    tac_output output;
    tac_error err;
    tac_status status = tac_output_open(&output, in->output, &err);
    if (status == TAC_OK) {
        status = svg ? tac_model_write_view_svg(model, &view, output.file, &err)
                     : tac_model_write_view_dot(model, &view, output.file, &err);
        status = tac_output_close(&output, status, &err);
    }
    if (status != TAC_OK)
        code = fail(in, &err);
    tac_model_free(model);
    return code;
}

static const struct option model_draw_options[] = {
    CHOICE("format", "FORMAT", CHOICES({"svg", true}, {"dot", false}),
           "svg or dot; by default what the name after -o says, else dot",
           .meaning = "how the result is shown"),
    TEXT("activity", "NAME", "the states of this activity; the others as boxes"),
    TEXT("focus", "STATE", "this state (STATE or MACHINE/STATE) and those around it",
         .meaning = "the state whose surroundings are drawn"),
    FLAG("collapse", "a box for each state machine"),
    FLAG("pages",
         "into the folder after -o: index.svg with all activities, and a linked drawing of "
         "each, with the pictures of its states"),
    FLAG("all-states", "every state, however many; by default at most 40",
         .meaning = "draw every state, however many", .synonyms = "all"),
    CHOICE("engine", "ENGINE",
           CHOICES({"dot", 0}, {"neato", 0}, {"fdp", 0}, {"sfdp", 0}, {"circo", 0}, {"twopi", 0}),
           "how graphviz lays the drawing out (default dot)",
           .meaning = "how the answer is computed"),
    {0},
};

const struct command cmd_model_draw = {
    .noun = "model",
    .verb = "draw",
    .group = GROUP_MODELS,
    .args = "MODEL...",
    .summary = "draw interaction models as SVG or DOT",
    .description =
        "Draws devices, applications, activities and state machines as nested boxes, states as "
        "rounded rectangles, connections as small circles with dashed arrows to what they call and "
        "where they return, finals as crossed circles.\n\n"
        "Above 40 states the whole is not readable on a page: the states nearest to the start are "
        "drawn one by one, the rest of each state machine as a box that says how many there are. "
        "--activity, --focus and --collapse choose other parts. As SVG, fewer states are drawn "
        "until the picture is a page wide. --pages draws everything: an overview of the "
        "activities, "
        "and one drawing for each, in which events that stay in a state stand below its name.\n\n"
        "SVG needs the program dot (Debian package graphviz); DOT needs nothing.",
    .example = "tactus model draw examples/uamp/uamp.model.xml -o uamp.dot",
    .options = model_draw_options,
    .common = HAS_OUTPUT,
    .run = model_draw_run,
};
