/* The variables of guards along a flow. A valuation is interned as bytes, so that equal ones are
 * one word of a node; guards and updates are parsed once per distinct text. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "flow/space/space.h"
#include "model/script/script.h"
#include <string.h>

struct scripted {
    const tac_model *model;
    struct scripts scripts;
    script *guard_of, *update_of; /* by transition; NO_SCRIPT = none */
    script setup;
    tac_names valuations;
    struct script_value *values; /* scratch: one valuation */
    size_t size;                 /* of a valuation in bytes */
};

bool scripted_needed(const tac_model *model)
{
    bool any = *model->setup;
    for (uint32_t t = 0; t < model->transition_count && !any; t++)
        any = model->transitions[t].guard != TAC_MODEL_NONE ||
              model->transitions[t].update != TAC_MODEL_NONE;
    return any;
}

static script parsed(struct scripted *scripted, const char *text, bool guard)
{
    char message[SCRIPT_MESSAGE];
    script out = NO_SCRIPT;
    bool understood = script_parse(&scripted->scripts, text, guard, &out, message);
    assert(understood); /* loading checks */
    (void)understood;
    return out;
}

/* Each note is parsed once; known[note] holds the script. */
static script script_of(struct scripted *scripted, script *known, uint32_t note, bool guard)
{
    if (note == TAC_MODEL_NONE)
        return NO_SCRIPT;
    if (known[note] == NO_SCRIPT)
        known[note] = parsed(scripted, scripted->model->notes[note], guard);
    return known[note];
}

struct scripted *scripted_new(const tac_model *model)
{
    if (!scripted_needed(model))
        return NULL;
    struct scripted *scripted = tac_calloc(1, sizeof *scripted);
    size_t notes = (size_t)model->note_count + 1, transitions = (size_t)model->transition_count + 1;
    script *guards = tac_alloc(notes * sizeof *guards),
           *updates = tac_alloc(notes * sizeof *guards);
    memset(guards, 0xff, notes * sizeof *guards);
    memset(updates, 0xff, notes * sizeof *updates);
    scripted->model = model;
    scripted->guard_of = tac_alloc(transitions * sizeof *scripted->guard_of);
    scripted->update_of = tac_alloc(transitions * sizeof *scripted->update_of);
    scripted->setup = *model->setup ? parsed(scripted, model->setup, false) : NO_SCRIPT;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        scripted->guard_of[t] = script_of(scripted, guards, model->transitions[t].guard, true);
        scripted->update_of[t] = script_of(scripted, updates, model->transitions[t].update, false);
    }
    free(guards);
    free(updates);
    size_t variables = scripted->scripts.variables.count + 1; /* never empty */
    scripted->size = variables * sizeof *scripted->values;
    scripted->values = tac_calloc(variables, sizeof *scripted->values);
    return scripted;
}

void scripted_free(struct scripted *scripted)
{
    if (!scripted)
        return;
    scripts_free(&scripted->scripts);
    tac_names_free(&scripted->valuations);
    free(scripted->guard_of);
    free(scripted->update_of);
    free(scripted->values);
    free(scripted);
}

size_t scripted_memory(const struct scripted *scripted)
{
    return scripted ? scripted->valuations.arena.used + scripted->valuations.capacity * 24 : 0;
}

static void load(struct scripted *scripted, uint32_t values)
{
    assert(values < scripted->valuations.count);
    assert(scripted->valuations.length[values] == scripted->size);
    memcpy(scripted->values, scripted->valuations.text[values], scripted->size);
}

uint32_t scripted_start(struct scripted *scripted)
{
    memset(scripted->values, 0, scripted->size);
    if (scripted->setup != NO_SCRIPT)
        script_run(&scripted->scripts, scripted->setup, scripted->values);
    return tac_names_intern_bytes(&scripted->valuations, scripted->values, scripted->size);
}

bool scripted_allows(struct scripted *scripted, uint32_t values, uint32_t transition)
{
    if (scripted->guard_of[transition] == NO_SCRIPT)
        return true;
    load(scripted, values);
    return script_holds(&scripted->scripts, scripted->guard_of[transition], scripted->values);
}

uint32_t scripted_after(struct scripted *scripted, uint32_t values, uint32_t transition)
{
    if (scripted->update_of[transition] == NO_SCRIPT)
        return values;
    load(scripted, values);
    script_run(&scripted->scripts, scripted->update_of[transition], scripted->values);
    return tac_names_intern_bytes(&scripted->valuations, scripted->values, scripted->size);
}
