/* tactus model abstract MODEL --classes FILE */
#include "cli/model_io.h"
#include "model/tools.h"

static int model_abstract_run(struct invocation *in)
{
    int code = 0;
    tac_model *model = load_models(in, in->args, 1, &code);
    if (!model)
        return code;
    tac_diagnostics findings = {0};
    tac_model *folded = NULL;
    tac_error err;
    tac_status status =
        tac_model_abstract(model, option_text(in, "classes"), &findings, &folded, &err);
    print_findings(in, &findings);
    if (status == TAC_OK) {
        code = finish_model(in, folded, tac_model_write);
        if (code == 0)
            fprintf(stderr, "%u events and %u transitions became %u and %u\n", model->event_count,
                    model->transition_count, folded->event_count, folded->transition_count);
    } else {
        code = fail(in, &err);
    }
    tac_diagnostics_free(&findings);
    tac_model_free(folded);
    tac_model_free(model);
    return code;
}

static const struct option model_abstract_options[] = {
    PATH("classes", "FILE", "lines 'CLASS: EVENT EVENT ...'; '*' in an event stands for any text",
         .required = true),
    {0},
};

const struct command cmd_model_abstract = {
    .noun = "model",
    .verb = "abstract",
    .group = GROUP_MODELS,
    .args = "MODEL",
    .summary = "fold equivalent controls into one event",
    .description = "Events of one class become one event (ten digits of a calculator: one event "
                   "'digit'); transitions that are then equal become one, whose weight is the sum "
                   "and whose action is that of the first.\n\n"
                   "A class that leads from one state to several, and a pattern that fits no "
                   "event, are reported.",
    .example = "printf 'skip: skipNext skipPrev\\n' > skip.classes\n"
               "tactus model abstract examples/uamp/uamp.model.xml --classes skip.classes "
               "-o folded.xml",
    .options = model_abstract_options,
    .common = HAS_OUTPUT | HAS_VERBOSE,
    .run = model_abstract_run,
};
