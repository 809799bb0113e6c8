/* tactus model import FILE --from FORMAT -o MODEL.xml */
#include "cli/model_io.h"
#include "model/tools.h"

static int model_import_run(struct invocation *in)
{
    tac_import_options options = {.format = option_text(in, "input-format"),
                                  .without_guards = option_flag(in, "without-guards")};
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_error err;
    tac_status status =
        tac_model_import_files(in->args, in->arg_count, &options, &findings, &model, &err);
    print_findings(in, &findings);
    int code = status == TAC_OK ? finish_model(in, model, tac_model_write) : fail(in, &err);
    tac_diagnostics_free(&findings);
    tac_model_free(model);
    return code;
}

static const struct option model_import_options[] = {
    CHOICE("input-format", "FORMAT",
           CHOICES({"droidbot", 0}, {"graphwalker", 0}, {"graphml", 0}, {"dot", 0}),
           "the tool that wrote FILE (default: recognised by its content)",
           .meaning = "the format of the input", .synonyms = "from"),
    FLAG("without-guards",
         "keep GraphWalker's guards and actions as notes instead of evaluating them"),
    {0},
};

const struct command cmd_model_import = {
    .noun = "model",
    .verb = "import",
    .group = GROUP_MODELS,
    .args = "FILE|FOLDER...",
    .summary = "read models of DroidBot and GraphWalker",
    .description =
        "droidbot reads the output folder of a DroidBot run, or its utg.js and what lies beside "
        "it: each screen of the app is a state, each activity a state machine, each event a "
        "transition with its action, weighted by how often it was seen. The records of the events "
        "and the trees of the screens give every action a locator that selects one element; where "
        "several are alike it says which by its place. A step to a screen of another package "
        "leaves the app. Without a utg.js the graph is made of events/ and states/. Kept: screens, "
        "pictures, events, how often; dropped: events that changed nothing, and those inside other "
        "packages.\n\n"
        "graphwalker (JSON), graphml (as drawn in yEd) and dot: several files make one project; "
        "models that are linked by shared states become one state machine. Guards and actions in "
        "the common part of JavaScript (numbers, truth values, texts, operators, assignments) are "
        "evaluated step by step; functions, objects and arrays are refused by name. Kept: names, "
        "guards, actions, shared states, weights, requirement tags, dependencies. Dropped: "
        "generators, predefined paths, blocked elements, positions, colours, comments.\n\n"
        "What was left out or changed is listed on standard error (all of it with --verbose). A "
        "GraphWalker file that 'tactus model export' wrote gives back the model it came from.",
    .example = "tactus model export examples/uamp/uamp.model.xml --to graphwalker -o uamp.json\n"
               "tactus model import uamp.json --from graphwalker -o uamp.xml",
    .options = model_import_options,
    .common = HAS_OUTPUT | HAS_VERBOSE,
    .run = model_import_run,
};
