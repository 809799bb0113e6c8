/* What a model expects of its screens. Every condition is judged at every step, so that `previous`
 * is the screen before the step; only those of the reached state and of the transition that led
 * there count. A condition that needs something that is not on the screen says nothing. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "model/text/expect_place.h"
#include "run/run_one.h"
#include <string.h>

/* --- The conditions of a model ---------------------------------------------------------------- */

struct expectation_reader {
    struct expectations *out;
    const tac_model *model;
    tac_diagnostics *diagnostics;
    struct expect_places places;
};

/* With the place of the <expect>, or at least of the element around it. */
static void refuse(struct expectation_reader *reader, const char *condition, size_t line,
                   const tac_error *problem)
{
    size_t column = 0;
    expect_place_find(&reader->places, reader->model->file, line, condition, &line, &column);
    tac_diagnostics_add(reader->diagnostics, TAC_ERROR, reader->model->file, line, column,
                        "the expectation '%.200s' cannot be read: %s", condition, problem->message);
}

static void add_conditions(struct expectation_reader *reader, struct expectation place,
                           uint32_t note, uint32_t line)
{
    struct expectations *out = reader->out;
    const tac_model *model = reader->model;
    for (const char *at = note == TAC_MODEL_NONE ? "" : model->notes[note]; *at;) {
        size_t length = strcspn(at, "\n");
        tac_error problem;
        tac_status status =
            tac_condition_parse(model->file, at, length, line, 1, &place.condition, &problem);
        if (status != TAC_OK) {
            char *condition = tac_strndup(at, length);
            refuse(reader, condition, line, &problem);
            free(condition);
        } else {
            place.first_observable = out->observables.count;
            for (size_t i = 0; i < tac_condition_observables(place.condition); i++)
                tac_vec_push(&out->observables, *tac_condition_observable(place.condition, i));
            tac_vec_push(&out->all, place);
        }
        at += length + (at[length] == '\n');
    }
}

struct expectations *expectations_new(const tac_model *model, tac_diagnostics *diagnostics)
{
    struct expectations *out = tac_calloc(1, sizeof *out);
    struct expectation_reader reader = {.out = out, .model = model, .diagnostics = diagnostics};
    for (uint32_t n = 0; n < model->node_count; n++)
        add_conditions(&reader, (struct expectation){.node = n, .transition = TAC_MODEL_NONE},
                       model->nodes[n].expect, model->nodes[n].line);
    for (uint32_t t = 0; t < model->transition_count; t++)
        add_conditions(&reader, (struct expectation){.node = TAC_MODEL_NONE, .transition = t},
                       model->transitions[t].expect, model->transitions[t].line);
    expect_places_free(&reader.places);
    if (!out->all.count) {
        expectations_free(out);
        return NULL;
    }
    out->readings = tac_calloc(out->observables.count + 1, sizeof *out->readings);
    return out;
}

void expectations_free(struct expectations *expectations)
{
    if (!expectations)
        return;
    expectations_free(expectations->next);
    tac_observed_clear(expectations->readings, expectations->observables.count);
    for (size_t i = 0; i < expectations->all.count; i++)
        tac_condition_free(expectations->all.at[i].condition);
    tac_vec_free(&expectations->all);
    tac_vec_free(&expectations->observables);
    free(expectations->readings);
    free(expectations);
}

void tac_model_check_expectations(const tac_model *model, tac_diagnostics *diagnostics)
{
    expectations_free(expectations_new(model, diagnostics));
}

/* The last part of the path, which then ends before it. */
static bool ends_with_part(const char *path, size_t *length, const char *name)
{
    size_t own = strlen(name);
    if (*length < own || memcmp(path + *length - own, name, own) != 0)
        return false;
    *length -= own;
    if (*length && path[*length - 1] != '/')
        return false;
    *length -= *length > 0;
    return true;
}

uint32_t model_node_at(const tac_model *model, const char *device, const char *path)
{
    for (uint32_t n = 0; n < model->node_count; n++) {
        const tac_model_machine *machine = &model->machines[model->nodes[n].machine];
        const tac_model_activity *activity = &model->activities[machine->activity];
        const tac_model_application *app = &model->applications[activity->application];
        const char *const names[] = {model->nodes[n].name, machine->name, activity->name,
                                     app->name};
        size_t length = strlen(path), part = 0;
        if (device && strcmp(device, model->devices[app->device].name) != 0)
            continue;
        while (part < 4 && length && ends_with_part(path, &length, names[part]))
            part++;
        if (!length && part >= 2)
            return n;
    }
    return TAC_MODEL_NONE;
}

/* --- Judging a screen ------------------------------------------------------------------------- */

static void add_reading(tac_str *out, const tac_observable *what, const tac_observed *value)
{
    tac_str_addf(out, "%s%s(%.120s) is ", out->length ? ", " : "", tac_observe_word(what->kind),
                 what->css ? what->css : what->xpath);
    if (value->missing)
        tac_str_add(out, "not there");
    else if (value->text)
        tac_str_addf(out, "'%.120s'", value->text);
    else
        tac_str_addf(out, "%.15g", value->number);
}

static void say(struct run_context *context, const struct expectations *all,
                const struct expectation *broken, const struct run_move *move, size_t step)
{
    if (context->end != RUN_PASS)
        return;
    const tac_model *model = context->expecting;
    const struct run_member *member = &context->team->members[move->member];
    const char *device = context->team->count > 1 ? member->name : "", *event = move->event;
    bool state = broken->node != TAC_MODEL_NONE;
    const char *of = state ? model->nodes[broken->node].name
                           : model->events[model->transitions[broken->transition].event];
    tac_str seen = {0};
    for (size_t i = 0; i < tac_condition_observables(broken->condition); i++)
        add_reading(&seen, &all->observables.at[broken->first_observable + i],
                    &all->readings[broken->first_observable + i]);
    context->end = RUN_FAIL;
    context->failed_member = move->member;
    snprintf(context->message, sizeof context->message,
             "step %zu%s%s%s%s%s: the model expects %s '%s': %.300s; %s", step,
             event || *device ? ", '" : "", device, event && *device ? ":" : "", event ? event : "",
             event || *device ? "'" : "", state ? "of the state" : "after", of,
             tac_condition_text(broken->condition), tac_str_text(&seen));
    tac_str_free(&seen);
}

/* The transition of the model that led from one state to another; TAC_MODEL_NONE when it has none.
 */
static bool is_taken(const tac_model *model, uint32_t transition, const struct run_move *move)
{
    const tac_model_transition *t = &model->transitions[transition];
    return move->event && t->from == move->from && !strcmp(model->events[t->event], move->event) &&
           (t->to == move->to || model->nodes[t->to].kind != TAC_NODE_STATE);
}

/* Those of a member of the team: what was before is another for each. */
static struct expectations *expectations_of(struct run_context *context, size_t member)
{
    struct expectations *all = context->expectations;
    for (size_t i = 0; all && i < member; i++) {
        tac_diagnostics none = {0}; /* the first ones were read without a finding */
        if (!all->next)
            all->next = expectations_new(context->expecting, &none);
        tac_diagnostics_free(&none);
        all = all->next;
    }
    return all;
}

/* A screen that cannot be looked at now is one, too: nothing is known of it, and nothing of
 * `previous` at the next. */
static tac_status read_expected(tac_device *device, struct expectations *all, tac_error *err)
{
    size_t count = all->observables.count;
    tac_observed_clear(all->readings, count);
    for (size_t i = 0; i < all->all.count; i++)
        all->all.at[i].broken = false;
    tac_status status =
        tac_device_observe(device, all->observables.at, count, 0, all->readings, NULL, err);
    if (status != TAC_E_LIMIT)
        return status;
    tac_observed_clear(all->readings, count);
    return TAC_OK;
}

void run_expect_anew(struct run_context *context)
{
    for (struct expectations *one = context->expectations; one; one = one->next)
        for (size_t i = 0; i < one->all.count; i++)
            tac_condition_reset(one->all.at[i].condition);
}

tac_status run_expect_read(struct run_context *context, size_t member, tac_error *err)
{
    assert(member < context->team->count);
    struct expectations *all = expectations_of(context, member);
    if (!all || context->end != RUN_PASS)
        return TAC_OK;
    tac_status status = read_expected(context->team->members[member].device, all, err);
    for (size_t i = 0; status == TAC_OK && i < all->all.count; i++) {
        struct expectation *one = &all->all.at[i];
        assert(one->first_observable <= all->observables.count);
        one->broken = tac_condition_evaluate(one->condition, all->readings + one->first_observable,
                                             context->looked_at) == TAC_FALSE;
    }
    return status;
}

bool run_expect_excludes(struct run_context *context, uint32_t transition, uint32_t node,
                         const struct run_move *move, size_t step)
{
    struct expectations *all = expectations_of(context, move ? move->member : 0);
    bool excludes = false;
    for (size_t i = 0; all && i < all->all.count; i++) {
        const struct expectation *one = &all->all.at[i];
        bool counts = one->node != TAC_MODEL_NONE ? one->node == node
                      : transition != TAC_MODEL_NONE
                          ? one->transition == transition
                          : move && is_taken(context->expecting, one->transition, move);
        excludes = excludes || (counts && one->broken);
        if (counts && one->broken && move)
            say(context, all, one, move, step);
    }
    return excludes;
}

tac_status run_expect(struct run_context *context, const struct run_move *move, size_t step,
                      tac_error *err)
{
    tac_status status = run_expect_read(context, move->member, err);
    if (status == TAC_OK && context->end == RUN_PASS)
        run_expect_excludes(context, TAC_MODEL_NONE, move->to, move, step);
    return status;
}
