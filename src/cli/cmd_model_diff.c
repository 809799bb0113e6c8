/* tactus model diff A B */
#include "base/data/text.h"
#include "base/print/print.h"
#include "cli/model_io.h"
#include "model/described.h"
#include "model/tools.h"

struct diff_text {
    const tac_model_differences *diff;
    const char *const *files;
    bool verbose;
};

enum { SHOWN = 20 };

/* A part of the model as a person would name it. */
static void write_part(FILE *out, const tac_model *model, tac_model_part part, uint32_t index)
{
    if (part == TAC_PART_MACHINE || part == TAC_PART_MODEL) {
        fputs(part == TAC_PART_MODEL ? model->name : model->machines[index].name, out);
        return;
    }
    const tac_model_transition *transition =
        part == TAC_PART_TRANSITION ? &model->transitions[index] : NULL;
    const tac_model_node *node = &model->nodes[transition ? transition->from : index];
    tac_print(out, "%s/%s", model->machines[node->machine].name, node->name);
    if (transition)
        tac_print(out, " --%s--> %s", model->events[transition->event],
                  model->nodes[transition->to].name);
}

static void write_only(FILE *out, const struct diff_text *text, const tac_model *model,
                       const tac_model_only *only, const char *file)
{
    const struct {
        const char *one;
        tac_model_part part;
        const tac_model_indices *list;
    } kinds[] = {{"machine", TAC_PART_MACHINE, &only->machines},
                 {"state", TAC_PART_NODE, &only->states},
                 {"connection", TAC_PART_NODE, &only->connections},
                 {"final", TAC_PART_NODE, &only->finals},
                 {"transition", TAC_PART_TRANSITION, &only->transitions}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t count = kinds[k].list->count;
        size_t shown = text->verbose || count < SHOWN ? count : SHOWN;
        for (size_t i = 0; i < shown; i++) {
            tac_print(out, "only in %s: %s ", file, kinds[k].one);
            write_part(out, model, kinds[k].part, kinds[k].list->at[i]);
            fputc('\n', out);
        }
        if (shown < count)
            tac_print(out, "only in %s: %zu more %ss (--verbose shows all)\n", file, count - shown,
                      kinds[k].one);
    }
}

static void write_diff(FILE *out, void *context)
{
    const struct diff_text *text = context;
    const tac_model_differences *diff = text->diff;
    char subject[256];
    snprintf(subject, sizeof subject, "%.120s and %.120s", tac_base_name(text->files[0]),
             tac_base_name(text->files[1]));
    tac_verdict verdict;
    tac_model_diff_verdict(diff, subject, &verdict);
    tac_verdict_text(&verdict, out);
    tac_verdict_free(&verdict);
    write_only(out, text, diff->first, &diff->only_first, tac_base_name(text->files[0]));
    write_only(out, text, diff->second, &diff->only_second, tac_base_name(text->files[1]));
    for (size_t i = 0; i < diff->change_count; i++) {
        const tac_model_change *change = &diff->changes[i];
        fputs("changed: ", out);
        write_part(out, diff->first, change->part, change->index);
        tac_print(out, ": %s is \"%s\" and \"%s\"\n", change->what, change->first, change->second);
    }
}

static int model_diff_run(struct invocation *in)
{
    int code = 0;
    tac_model *first = load_models(in, &in->args[0], 1, &code);
    tac_model *second = first ? load_models(in, &in->args[1], 1, &code) : NULL;
    if (second) {
        tac_model_differences *diff = tac_model_diff(first, second);
        struct diff_text text = {diff, in->args, in->verbose};
        int exit_code = tac_exit_code(TAC_OK, diff->count ? TAC_VIOLATED : TAC_HOLDS);
        code = in->json ? finish_json(in, tac_model_differences_json(diff), exit_code)
                        : finish_text(in, write_diff, &text, exit_code);
        tac_model_differences_free(diff);
    }
    tac_model_free(first);
    tac_model_free(second);
    return code;
}

const struct command cmd_model_diff = {
    .noun = "model",
    .verb = "diff",
    .group = GROUP_MODELS,
    .args = "FIRST SECOND",
    .summary = "compare two models up to names",
    .description =
        "States and state machines correspond by the events that lead to them from the starts, "
        "whatever they are called; events and channels must have the same names. Compared are "
        "states, transitions, calls, accessibility, times, kinds and channels, and the texts of "
        "guards, updates and the setup; not weights, actions and notes.\n\n"
        "Exit code 0 when the models are equal, 1 when they differ. 'Equal' is certain; "
        "'different' is certain where no state has two transitions of one event, and guards that "
        "are written differently may mean the same.",
    .example = "tactus model diff examples/uamp/uamp.model.xml examples/uamp/uamp.model.xml",
    .documents = DOCUMENTS(&model_differences_described),
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE,
    .run = model_diff_run,
};
