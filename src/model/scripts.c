/* Checks the guards and updates of a model: that they are understood, and that every variable a
 * guard looks at is set somewhere. Each distinct text is parsed once. */
#include "base/data/bits.h"
#include "model/builder.h"
#include "model/script/script.h"

struct checking {
    struct finishing *work;
    struct scripts scripts;
    uint64_t *known; /* notes already parsed */
};

static void check_text(struct checking *in, uint32_t note, bool guard,
                       const tac_model_transition *transition)
{
    const tac_model *model = in->work->model;
    char message[SCRIPT_MESSAGE];
    script parsed;
    if (note == TAC_MODEL_NONE || tac_bits_get(in->known, note))
        return;
    tac_bits_set(in->known, note);
    if (!script_parse(&in->scripts, model->notes[note], guard, &parsed, message))
        tac_model_report(in->work, TAC_ERROR,
                         tac_model_application_of(in->work, model->nodes[transition->from].machine),
                         transition->line, "the %s '%.80s' of '%s': %s", guard ? "guard" : "update",
                         model->notes[note], model->events[transition->event], message);
}

void tac_model_check_scripts(struct finishing *work)
{
    const tac_model *model = work->model;
    const char *setup = tac_model_name_text(work, work->builder->setup);
    struct checking in = {.work = work, .known = tac_bits_new(model->note_count)};
    char message[SCRIPT_MESSAGE];
    script parsed;
    if (*setup && !script_parse(&in.scripts, setup, false, &parsed, message))
        tac_model_report(work, TAC_ERROR, TAC_NONE, 0, "the setup '%.80s': %s", setup, message);
    for (uint32_t t = 0; t < model->transition_count; t++) {
        check_text(&in, model->transitions[t].update, false, &model->transitions[t]);
        check_text(&in, model->transitions[t].guard, true, &model->transitions[t]);
    }
    for (size_t v = 0; v < in.scripts.variables.count; v++)
        if (!in.scripts.assigned.at[v])
            tac_model_report(work, TAC_WARNING, TAC_NONE, 0,
                             "the variable '%s' of the guards is never set: it is undefined",
                             in.scripts.variables.text[v]);
    scripts_free(&in.scripts);
    free(in.known);
}
