/* The model as an oracle: does the screen that a step led to show what the model's state has?
 *
 * Screens are compared as exploration tells them apart, by the controls they offer: a control that
 * the state's transitions act on and that is not there is missing; one that is there and that none
 * of them acts on is new. Items of lists beyond the first, and what leads out of the app, are data
 * and not compared; a state that exploration did not go into (none of its transitions acts on an
 * element) says nothing about what is new, and what exploration saw there and left alone is not.
 *
 * Where the model has several ways for one event, the app chooses: a screen that is another of them
 * is as the model says, but not on the flow, which ends there. Questions for permissions are
 * answered as exploration answers them, because the model has the screens behind them.
 *
 * What a page shows under the pointer only is a difference when it is one wherever the pointer is.
 */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "device/hierarchy.h"
#include "explore/permission.h"
#include "explore/screen_class.h"
#include "run/run_one.h"
#include <string.h>

enum { SHOWN = 5 };

/* A screen that is compared with states. */
struct conform_screen {
    const tac_ui *ui;
    struct ui_document *document;
};

struct difference {
    tac_str missing, added;
    size_t missing_count, added_count;
};

static void note(tac_str *list, size_t *count, const char *what)
{
    if (++*count <= SHOWN)
        tac_str_addf(list, "%s%.200s", *count > 1 ? ", " : "", what);
}

/* Looks for what the state's transitions act on, until so many are missing; known: the nodes that
 * they found. */
static size_t look_for_known(const tac_model *model, uint32_t node, struct ui_document *screen,
                             size_t most_missing, bool *known, struct difference *out)
{
    const tac_model_node *state = &model->nodes[node];
    size_t elements = 0;
    for (uint32_t i = 0; i < state->out_count && out->missing_count < most_missing; i++) {
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
        if (ui_document_find(screen, &selector, &found, &ignored) != TAC_OK || found == TAC_UI_NONE)
            note(&out->missing, &out->missing_count,
                 tac_selector_text(&selector, name, sizeof name));
        else
            known[found] = true;
    }
    return elements;
}

/* What was on the screen and was not acted on is not new. How many of these are there again; what
 * exploring was told to ignore may come and go. */
static size_t mark_untried(const tac_model *model, uint32_t node, struct ui_document *screen,
                           bool *known, bool *whole)
{
    const tac_model_node *state = &model->nodes[node];
    const char *at = state->untried == TAC_MODEL_NONE ? "" : model->notes[state->untried];
    static const char inside[] = "/descendant-or-self::node";
    size_t again = 0;
    *whole = true;
    while (*at) {
        size_t length = strcspn(at, "\n");
        char *xpath = tac_strndup(at, length);
        tac_error ignored;
        bool asked =
            length < sizeof inside || strcmp(xpath + length + 1 - sizeof inside, inside) != 0;
        bool found = false;
        if (ui_document_mark(screen, xpath, known, &found, &ignored) != TAC_OK)
            found = false;
        *whole = *whole && (found || !asked);
        again += found && asked;
        free(xpath);
        at += length + (at[length] == '\n');
    }
    return again;
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
        char *xpath = out->added_count < SHOWN ? tac_ui_xpath(ui, i) : NULL;
        note(&out->added, &out->added_count, xpath);
        free(xpath);
    }
    free(skipped);
}

/* " and 2 more" behind the list; the buffer, or "". */
static const char *and_more(size_t count, char *buffer, size_t size)
{
    *buffer = '\0';
    if (count > SHOWN)
        snprintf(buffer, size, " and %zu more", count - SHOWN);
    return buffer;
}

static void say(struct run_context *context, const char *path, size_t step,
                const struct difference *found)
{
    char missing[40], added[40];
    context->end = RUN_FAIL;
    context->failed_member = 0;
    snprintf(context->message, sizeof context->message,
             "step %zu: the screen is not '%s' of the model: %s%s%s%s%s%s%s", step, path,
             found->missing_count ? "missing " : "", tac_str_text(&found->missing),
             and_more(found->missing_count, missing, sizeof missing),
             found->missing_count && found->added_count ? "; " : "",
             found->added_count ? "new " : "", tac_str_text(&found->added),
             and_more(found->added_count, added, sizeof added));
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

/* How the screen differs from the state. */
static void compare(const tac_model *model, uint32_t node, const struct conform_screen *screen,
                    struct difference *out)
{
    bool *known = tac_calloc((size_t)screen->ui->count + 1, sizeof *known);
    *out = (struct difference){0};
    size_t elements = look_for_known(model, node, screen->document, SIZE_MAX, known, out);
    bool whole;
    if (elements) {
        mark_untried(model, node, screen->document, known, &whole);
        look_for_new(screen->ui, known, out);
    }
    assert(elements >= out->missing_count);
    free(known);
}

static void difference_free(struct difference *difference)
{
    tac_str_free(&difference->missing);
    tac_str_free(&difference->added);
}

/* Whether the screen can be told to be the state: all that was there is there again, and nothing
 * else. A state of which nothing is known is no screen that one could recognise. */
static bool fits(const tac_model *model, uint32_t node, const struct conform_screen *screen)
{
    struct difference found = {0};
    if (model->nodes[node].kind != TAC_NODE_STATE)
        return false;
    bool *known = tac_calloc((size_t)screen->ui->count + 1, sizeof *known);
    bool whole = false;
    size_t elements = look_for_known(model, node, screen->document, 1, known, &found);
    if (!found.missing_count) {
        elements += mark_untried(model, node, screen->document, known, &whole);
        look_for_new(screen->ui, known, &found);
    }
    bool same = elements && whole && !found.missing_count && !found.added_count;
    difference_free(&found);
    free(known);
    return same;
}

/* The state that the transition leads to and that the screen is: a state, the first one of a called
 * machine, or one that a caller goes on with. TAC_MODEL_NONE when it is none of them. */
static uint32_t fitting_end(const tac_model *model, const tac_model_transition *t,
                            const struct conform_screen *screen)
{
    const tac_model_node *to = &model->nodes[t->to];
    const tac_model_call *call = to->kind == TAC_NODE_CONNECTION ? &model->calls[to->call] : NULL;
    uint32_t end = to->kind == TAC_NODE_STATE ? t->to : TAC_MODEL_NONE;
    if (call && call->enters != TAC_MODEL_NONE)
        end = call->enters;
    else if (call && call->machine != TAC_MODEL_NONE)
        end = model->machines[call->machine].initial;
    if (end != TAC_MODEL_NONE && fits(model, end, screen))
        return end;
    uint32_t machine = model->nodes[t->from].machine;
    for (uint32_t c = 0; to->kind == TAC_NODE_FINAL && !to->leaves && c < model->call_count; c++)
        if (model->calls[c].machine == machine && fits(model, model->calls[c].returns, screen))
            return model->calls[c].returns;
    return TAC_MODEL_NONE;
}

static bool goes_back(const tac_model *model, const tac_model_transition *t)
{
    return t->action_count && model->actions[t->first_action].kind == TAC_ACTION_BACK;
}

/* The state that the screen is when the event led elsewhere in the model: from the same state, or,
 * because what an app keeps to itself may decide where it goes, from another one where the same
 * control was used. Where `back` goes is a matter of the state alone. */
static uint32_t other_way(const tac_model *model, const struct run_move *move,
                          const struct conform_screen *screen)
{
    uint32_t found = TAC_MODEL_NONE;
    if (move->from == TAC_MODEL_NONE || !move->event)
        return TAC_MODEL_NONE;
    for (int anywhere = 0; anywhere < 2 && found == TAC_MODEL_NONE; anywhere++)
        for (uint32_t i = 0; i < model->transition_count && found == TAC_MODEL_NONE; i++) {
            const tac_model_transition *t = &model->transitions[i];
            bool asked = anywhere ? !goes_back(model, t) : t->from == move->from;
            if (asked && !strcmp(model->events[t->event], move->event))
                found = fitting_end(model, t, screen);
        }
    return found;
}

static void say_other_way(struct run_context *context, uint32_t node, size_t step)
{
    const tac_model *model = context->model;
    context->elsewhere = true;
    snprintf(
        context->message, sizeof context->message,
        "step %zu: the app went another way that the model has, to '%s/%s'; the flow ends there",
        step, model->machines[model->nodes[node].machine].name, model->nodes[node].name);
}

tac_status run_answer_questions(struct run_context *context, size_t member, tac_error *err)
{
    tac_device *device = context->team->members[member].device;
    bool answered = context->model || context->expectations || context->options->adaptive;
    tac_status status = TAC_OK;
    for (int i = 0; i < 5 && answered && status == TAC_OK; i++)
        status = permission_answer(device, context->deadline, &answered, err);
    return status == TAC_E_LIMIT ? TAC_OK : status;
}

/* What was found out about the screen so far: looked at with the pointer at one place after the
 * other. */
struct comparison {
    bool same;
    struct difference least; /* the smallest one that was seen */
    uint32_t other;          /* another way of the model, or TAC_MODEL_NONE */
};

static size_t size_of(const struct difference *difference)
{
    return difference->missing_count + difference->added_count;
}

static tac_status look(struct run_context *context, const struct run_move *move, bool first,
                       struct comparison *out, tac_error *err)
{
    const tac_ui *ui;
    struct difference found;
    tac_status status = tac_device_snapshot(context->team->members[0].device, 0, &ui, err);
    if (status != TAC_OK)
        return status;
    struct conform_screen screen = {ui, ui_document_new(ui)};
    compare(context->model, move->to, &screen, &found);
    out->same = !size_of(&found);
    if (!out->same && out->other == TAC_MODEL_NONE)
        out->other = other_way(context->model, move, &screen);
    ui_document_free(screen.document);
    if (first || size_of(&found) < size_of(&out->least)) {
        difference_free(&out->least);
        out->least = found;
    } else {
        difference_free(&found);
    }
    return TAC_OK;
}

/* Where the screen differs it may be for the pointer, which pages show some controls under: it is
 * the model's state if it is so with the pointer away, or where the last touch was. There it stays,
 * because the flow goes on from the screen that the model has. */
static tac_status look_everywhere(struct run_context *context, const struct run_move *move,
                                  struct comparison *out, tac_error *err)
{
    static const tac_pointer_place places[] = {TAC_POINTER_AWAY, TAC_POINTER_TOUCHED};
    tac_device *device = context->team->members[0].device;
    bool moved = true;
    tac_status status = look(context, move, true, out, err);
    for (size_t i = 0; i < 2 && moved && status == TAC_OK && !out->same; i++) {
        status = tac_device_point(device, places[i], 0, &moved, err);
        if (status == TAC_OK && moved)
            status = look(context, move, false, out, err);
        if (status == TAC_E_LIMIT) { /* it does not come to rest there: the difference stands */
            status = TAC_OK;
            moved = false;
        }
    }
    return status;
}

tac_status run_conform(struct run_context *context, const struct run_move *move, const char *path,
                       size_t step, tac_error *err)
{
    const tac_model *model = context->model;
    if (!model || context->end != RUN_PASS)
        return TAC_OK;
    assert(context->team->count == 1);
    uint32_t node = move->to;
    if (node == TAC_MODEL_NONE || model->nodes[node].kind != TAC_NODE_STATE)
        return TAC_OK;
    struct comparison seen = {.same = true, .other = TAC_MODEL_NONE};
    bool covered;
    tac_status status = is_covered(context, &covered, err);
    if (status == TAC_OK && !covered)
        status = look_everywhere(context, move, &seen, err);
    if (status == TAC_OK && !seen.same && seen.other != TAC_MODEL_NONE)
        say_other_way(context, seen.other, step);
    else if (status == TAC_OK && !seen.same)
        say(context, path, step, &seen.least);
    difference_free(&seen.least);
    /* never at rest (media plays): nothing can be compared */
    return status == TAC_E_LIMIT ? TAC_OK : status;
}
