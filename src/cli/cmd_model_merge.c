/* tactus model merge MODEL... [--common K] */
#include "base/data/alloc.h"
#include "cli/model_io.h"
#include "model/tools.h"

static int merge_models(struct invocation *in, tac_model **models)
{
    tac_merge_options options = {.common = (uint32_t)option_number(in, "common", 1),
                                 .by_shape = option_choice(in, "match", false)};
    tac_diagnostics findings = {0};
    tac_merge_figures figures;
    tac_model *merged = NULL;
    tac_error err;
    tac_status status = tac_model_merge((const tac_model *const *)models, in->arg_count, &options,
                                        &findings, &figures, &merged, &err);
    print_findings(in, &findings);
    int code;
    if (status == TAC_OK) {
        code = finish_model(in, merged, tac_model_write);
        if (code == 0)
            fprintf(stderr, "%zu models: %zu different transitions, %zu in all of them, %zu kept\n",
                    in->arg_count, figures.transitions, figures.in_all, figures.kept);
        if (code == 0 && !figures.in_all && !options.by_shape)
            fputs("The models share no transition by name; try --match events\n", stderr);
    } else {
        code = fail(in, &err);
    }
    tac_diagnostics_free(&findings);
    tac_model_free(merged);
    return code;
}

static int model_merge_run(struct invocation *in)
{
    tac_model **models = tac_calloc(in->arg_count, sizeof *models);
    int code = 0;
    size_t loaded = 0;
    while (loaded < in->arg_count &&
           (models[loaded] = load_models(in, &in->args[loaded], 1, &code)))
        loaded++;
    if (loaded == in->arg_count)
        code = merge_models(in, models);
    for (size_t i = 0; i < loaded; i++)
        tac_model_free(models[i]);
    free(models);
    return code;
}

static const struct option model_merge_options[] = {
    NUMBER("common", "K", 1, 1000000,
           "keep what is in at least K of the models (default 1: everything)"),
    CHOICE("match", "HOW", CHOICES({"names", false}, {"events", true}),
           "what makes two states one: their names (default), or the events that lead to them"),
    {0},
};

const struct command cmd_model_merge = {
    .noun = "model",
    .verb = "merge",
    .group = GROUP_MODELS,
    .args = "MODEL MODEL...",
    .summary = "merge several extractions of one app",
    .description = "Writes one model with the states and transitions of all models. The weight of "
                   "a transition is the sum of its weights, so it tells how often it was seen.\n\n"
                   "Extractions that were named independently are merged with --match events: "
                   "states are the same when the same events lead to them from the start.",
    .example = "tactus model merge examples/uamp/uamp.model.xml examples/uamp/uamp.model.xml -o "
               "merged.xml",
    .options = model_merge_options,
    .common = HAS_OUTPUT | HAS_VERBOSE,
    .run = model_merge_run,
};
