/* The model as an oracle: does the screen that a step led to show what the model's state has?
 *
 * Screens are compared as exploration tells them apart, by the controls they offer: a control that
 * the state's transitions act on and that is not there is missing; one that is there and that none
 * of them acts on is new. Items of lists beyond the first, and what leads out of the app, are data
 * and not compared; a state that exploration did not go into (none of its transitions acts on an
 * element) says nothing about what is new. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "explore/screen_class.h"
#include "run/run_one.h"
#include <string.h>

enum { SHOWN = 5 };

struct difference {
    tac_str missing, added;
    size_t missing_count, added_count;
};

static void note(tac_str *list, size_t *count, const char *what)
{
    if (++*count <= SHOWN)
        tac_str_addf(list, "%s%.200s", *count > 1 ? ", " : "", what);
}

/* Looks for what the state's transitions act on; known: the nodes that they found. */
static size_t look_for_known(const tac_model *model, uint32_t node, const tac_ui *ui, bool *known,
                             struct difference *out)
{
    const tac_model_node *state = &model->nodes[node];
    size_t elements = 0;
    for (uint32_t i = 0; i < state->out_count; i++) {
        const tac_model_transition *t = &model->transitions[state->first_out + i];
        const tac_model_action *action = &model->actions[t->first_action];
        if (t->kind != TAC_EVENT_USER || !t->action_count ||
            !(action->xpath || action->resource_id || action->text))
            continue;
        tac_selector selector = {action->xpath, action->resource_id, action->text};
        uint32_t found = TAC_UI_NONE;
        tac_error ignored;
        char name[256];
        elements++;
        if (tac_ui_find(ui, &selector, &found, &ignored) != TAC_OK || found == TAC_UI_NONE)
            note(&out->missing, &out->missing_count,
                 tac_selector_text(&selector, name, sizeof name));
        else
            known[found] = true;
    }
    return elements;
}

static void look_for_new(const tac_ui *ui, const bool *known, struct difference *out)
{
    bool *skipped = tac_calloc((size_t)ui->count + 1, sizeof *skipped);
    screen_skip_items(ui, 1, skipped);
    for (uint32_t i = 0; i < ui->count; i++) {
        bool control = tac_ui_gestures(&ui->nodes[i]) & 1u << TAC_ACTION_CLICK &&
                       !(ui->nodes[i].flags & TAC_UI_EDITABLE);
        if (!control || known[i] || skipped[i] || ui->nodes[i].flags & TAC_UI_LEAVES)
            continue;
        char *xpath = tac_ui_xpath(ui, i);
        note(&out->added, &out->added_count, xpath);
        free(xpath);
    }
    free(skipped);
}

static void say(struct run_context *context, const char *path, size_t step,
                const struct difference *found)
{
    context->end = RUN_FAIL;
    context->failed_member = 0;
    snprintf(context->message, sizeof context->message,
             "step %zu: the screen is not '%s' of the model: %s%s%s%s%s", step, path,
             found->missing_count ? "missing " : "", tac_str_text(&found->missing),
             found->missing_count && found->added_count ? "; " : "",
             found->added_count ? "new " : "", tac_str_text(&found->added));
}

/* A question of the system, or another app, is in front: the model's state is behind it. */
static tac_status is_covered(const struct run_context *context, bool *out, tac_error *err)
{
    const tac_model *model = context->model;
    tac_foreground front;
    bool any = false, own = false;
    tac_status status = tac_device_foreground(context->team->members[0].device, 0, &front, err);
    for (uint32_t a = 0; status == TAC_OK && a < model->application_count; a++) {
        any = any || *model->applications[a].package;
        own = own || !strcmp(model->applications[a].package, front.package);
    }
    *out = any && !own;
    return status;
}

tac_status run_conform(struct run_context *context, const char *path, size_t step, tac_error *err)
{
    const tac_model *model = context->model;
    uint32_t node = model && path ? model_node_at(model, path) : TAC_MODEL_NONE;
    if (node == TAC_MODEL_NONE || model->nodes[node].kind != TAC_NODE_STATE ||
        context->end != RUN_PASS || context->team->count > 1)
        return TAC_OK;
    const tac_ui *ui;
    bool covered;
    tac_status covers = is_covered(context, &covered, err);
    if (covers != TAC_OK || covered)
        return covers;
    tac_status status = tac_device_snapshot(context->team->members[0].device, 0, &ui, err);
    if (status == TAC_E_LIMIT) /* never at rest (media plays): nothing can be compared */
        return TAC_OK;
    if (status != TAC_OK)
        return status;
    struct difference found = {0};
    bool *known = tac_calloc((size_t)ui->count + 1, sizeof *known);
    size_t elements = look_for_known(model, node, ui, known, &found);
    if (elements)
        look_for_new(ui, known, &found);
    assert(elements >= found.missing_count);
    if (found.missing_count || found.added_count)
        say(context, path, step, &found);
    free(known);
    tac_str_free(&found.missing);
    tac_str_free(&found.added);
    return TAC_OK;
}
