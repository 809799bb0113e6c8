/* Merging extractions of one app, and folding equivalent controls. Both are unions (union.h):
 * merging of several models, abstracting of one model with its events renamed. */
#include "base/data/map.h"
#include "model/compare/match.h"
#include "model/compare/union.h"
#include "model/event_classes.h"
#include "model/tools.h"

/* Adds a model under the names of what corresponds to it in the union so far. */
static tac_status add_by_shape(struct model_union *all, const tac_model *model,
                               tac_diagnostics *diagnostics, tac_error *err)
{
    tac_model *merged = NULL;
    tac_diagnostics ignored = {0}; /* warnings of an unfinished union concern nobody */
    tac_status status = tac_model_union_finish(all, 1, &ignored, &merged, err);
    tac_diagnostics_free(&ignored);
    if (status != TAC_OK)
        return status;
    struct model_match match;
    tac_model_match_shape(merged, model, &match);
    struct model_renaming renaming = {
        .merged = merged, .machines = match.second_machine, .nodes = match.second_node};
    tac_model_union_add(all, model, &renaming, diagnostics);
    tac_model_match_free(&match);
    tac_model_free(merged);
    return TAC_OK;
}

tac_status tac_model_merge(const tac_model *const *models, size_t count,
                           const tac_merge_options *options, tac_diagnostics *diagnostics,
                           tac_merge_figures *figures, tac_model **out, tac_error *err)
{
    if (!count)
        return tac_fail(err, TAC_E_USAGE, "no models to merge");
    uint32_t common = options->common ? options->common : 1;
    if (common > count)
        return tac_fail(err, TAC_E_USAGE, "nothing can be in %u of %zu models", common, count);
    struct model_union *all = tac_model_union_new(models[0]->name, models[0]->file);
    tac_status status = TAC_OK;
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        if (i > 0 && options->by_shape)
            status = add_by_shape(all, models[i], diagnostics, err);
        else
            tac_model_union_add(all, models[i], NULL, diagnostics);
    }
    if (status == TAC_OK)
        status = tac_model_union_finish(all, common, diagnostics, out, err);
    if (status == TAC_OK && figures) {
        tac_model_union_count(all, 1, &figures->in_all, &figures->transitions);
        tac_model_union_count(all, common, &figures->in_all, &figures->kept);
    }
    tac_model_union_free(all);
    return status;
}

/* Folding may make a model nondeterministic: one class event, several targets in one state. */
static void warn_of_choices(const tac_model *model, const struct event_classes *classes,
                            tac_diagnostics *diagnostics)
{
    tac_names class_names = {0};
    for (size_t i = 0; i < classes->patterns.count; i++)
        tac_names_intern(&class_names, classes->patterns.at[i].class_name);
    uint32_t *last_node = tac_calloc((size_t)model->event_count + 1, sizeof *last_node);
    size_t choices = 0;
    uint32_t example = TAC_MODEL_NONE;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const tac_model_transition *transition = &model->transitions[t];
        bool again = last_node[transition->event] == transition->from + 1;
        last_node[transition->event] = transition->from + 1;
        if (!again || tac_names_find(&class_names, model->events[transition->event]) == TAC_NONE)
            continue;
        example = choices++ ? example : t;
    }
    if (choices)
        tac_diagnostics_add(
            diagnostics, TAC_WARNING, classes->file, 0, 0,
            "%zu time%s a class leads from one state to several, for example '%s' from '%s': "
            "the folded controls are not equivalent there",
            choices, choices == 1 ? "" : "s", model->events[model->transitions[example].event],
            model->nodes[model->transitions[example].from].name);
    free(last_node);
    tac_names_free(&class_names);
}

tac_status tac_model_abstract(const tac_model *model, const char *classes_path,
                              tac_diagnostics *diagnostics, tac_model **out, tac_error *err)
{
    struct event_classes classes;
    tac_status status = tac_event_classes_load(classes_path, &classes, err);
    if (status != TAC_OK)
        return status;
    const char **events = tac_calloc((size_t)model->event_count + 1, sizeof *events);
    status = tac_event_classes_apply(&classes, model, diagnostics, events, err);
    if (status == TAC_OK) {
        struct model_union *all = tac_model_union_new(model->name, model->file);
        struct model_renaming renaming = {.events = events};
        tac_model_union_add(all, model, &renaming, diagnostics);
        status = tac_model_union_finish(all, 1, diagnostics, out, err);
        tac_model_union_free(all);
    }
    if (status == TAC_OK)
        warn_of_choices(*out, &classes, diagnostics);
    free(events);
    tac_event_classes_free(&classes);
    return status;
}
