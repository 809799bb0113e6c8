/* Held: one named callback at a time.
 *
 * A user's event is brought about by the gesture that did so when it was recorded; several events
 * of one gesture that follow each other in the witness are one gesture. Timers, responses and
 * messages wait in the app and are let go by their label: of those with the same kind and target,
 * the one that the witness's own cause has asked for, else the oldest. The platform's order of
 * timers is kept: one that would run later there is not let go first. What else happens (scripts of
 * the page, loads) comes by itself, at the start.
 *
 * Where a step cannot be done because something is missing, callbacks that the rest of the witness
 * does not name are let go, the one that is due first at first, and told. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "model/model.h"
#include "replay/device.h"
#include <math.h>
#include <string.h>

enum { MOST_BESIDES = 60 };

static const char *text_in(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static bool is_held_kind(const char *label)
{
    return TAC_BEGINS_WITH_ONE_OF(label, "timer ", "interval ", "frame ", "idle ", "response ",
                                  "message ");
}

/* A callback with this kind and target that no step has found itself in; SIZE_MAX: none. */
static size_t untaken(const struct recorded_device *d, const char *label, size_t from)
{
    for (size_t i = from; i < d->seen.count; i++)
        if (!d->seen.at[i].taken && same_base(d->seen.at[i].label, label))
            return i;
    return SIZE_MAX;
}

static void take(struct recorded_device *d, size_t callback, struct step_outcome *out)
{
    assert(callback < d->seen.count);
    d->seen.at[callback].taken = true;
    out->end = STEP_DONE;
    out->callback = callback;
}

/* Is it named by this step or a later one? */
static bool named_later(const struct subject_step *step, const char *label)
{
    for (size_t i = step->number; i < step->count; i++)
        if (same_base(step->all[i].label, label))
            return true;
    return false;
}

static tac_status release(struct recorded_device *d, uint64_t id, double deadline, tac_error *err)
{
    tac_status status = tac_device_release(d->device, id, deadline, err);
    return status == TAC_OK ? device_collect(d, err) : status;
}

/* Lets go what is due first among what nobody names; *any is false when there is nothing. Timers
 * that are due at once and frames come before timers that wait, as they would. */
static tac_status release_besides(struct recorded_device *d, const struct subject_step *step,
                                  bool at_once, tac_str *besides, bool *any, tac_error *err)
{
    const tac_pending *list;
    size_t count, best = SIZE_MAX;
    *any = false;
    tac_status status = tac_device_pending(d->device, 0, &list, &count, err);
    for (size_t i = 0; status == TAC_OK && i < count; i++) {
        bool soon = strcmp(list[i].kind, "response") != 0 && list[i].delay <= 50 &&
                    strcmp(list[i].kind, "interval") != 0;
        if (*list[i].blocked || named_later(step, list[i].label) || (at_once && !soon))
            continue;
        if (best == SIZE_MAX || list[i].due < list[best].due)
            best = i;
    }
    if (status != TAC_OK || best == SIZE_MAX)
        return status;
    *any = true;
    tac_str_addf(besides, "%s\n", list[best].label);
    return release(d, list[best].id, step->deadline, err);
}

/* Of those that wait, which one the step means. */
static const tac_pending *choose(const struct recorded_device *d, const struct subject_step *step,
                                 const tac_pending *list, size_t count)
{
    const tac_pending *oldest = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!same_base(list[i].label, step->label))
            continue;
        if (!oldest)
            oldest = &list[i];
        for (size_t s = d->seen.count; s-- > 0 && step->cause != SIZE_MAX;)
            if (d->seen.at[s].step == step->cause && !strcmp(d->seen.at[s].label, list[i].cause))
                return &list[i];
    }
    return oldest;
}

static tac_status perform_held(struct recorded_device *d, const struct subject_step *step,
                               struct step_outcome *out, tac_str *besides, tac_error *err)
{
    double until = tac_now() + step->deadline, quiet = tac_now() + 1;
    size_t helped = 0;
    for (;;) {
        const tac_pending *list, *wanted;
        size_t count, before = d->seen.count;
        tac_status status = tac_device_pending(d->device, 0, &list, &count, err);
        wanted = status == TAC_OK ? choose(d, step, list, count) : NULL;
        if (wanted && *wanted->blocked) {
            out->end = STEP_ABSENT;
            out->why =
                tac_format("the platform runs '%s' first: it was set earlier, with no longer "
                           "a delay",
                           wanted->blocked);
            return TAC_OK;
        }
        if (wanted) {
            status = release(d, wanted->id, step->deadline, err);
            size_t found = status == TAC_OK ? untaken(d, step->label, before) : SIZE_MAX;
            if (found != SIZE_MAX)
                take(d, found, out);
            else if (status == TAC_OK)
                *out = (struct step_outcome){.end = STEP_DONE, .callback = SIZE_MAX};
            return status;
        }
        bool restless = true, any = false;
        if (status == TAC_OK)
            status = tac_device_restless(d->device, 0, &restless, err);
        bool waited = tac_now() > until || (!restless && tac_now() > quiet);
        if (status == TAC_OK && waited && helped++ < MOST_BESIDES)
            status = release_besides(d, step, false, besides, &any, err);
        if (status != TAC_OK)
            return status;
        if (waited && !any) {
            out->end = STEP_ABSENT;
            out->why = tac_format("nothing like it waits: the app did not ask for it, or took it "
                                  "back");
            return TAC_OK;
        }
        if (any)
            quiet = fmin(until, tac_now() + 0.2);
        else
            tac_device_sleep(d->device, 0.02, err);
    }
}

static tac_gesture gesture_of(const json_t *by)
{
    tac_gesture gesture = {
        .target = {text_in(by, "xpath"), text_in(by, "resource_id"), text_in(by, "text")},
        .value = text_in(by, "value")};
    const char *action = text_in(by, "action");
    if (!action || !tac_action_kind_parse(action, &gesture.kind))
        gesture.kind = TAC_ACTION_CLICK;
    return gesture;
}

/* Was this event part of the gesture of the step before, which has been given already? */
static bool belongs_to_last(const struct subject_step *step)
{
    if (!step->before || !step->distance)
        return false;
    const json_t *mine = json_object_get(json_object_get(step->entry, "by"), "gesture");
    const json_t *last = json_object_get(json_object_get(step->before->entry, "by"), "gesture");
    return json_is_integer(mine) && json_is_integer(last) &&
           json_integer_value(mine) == json_integer_value(last);
}

static tac_status perform_user(struct recorded_device *d, const struct subject_step *step,
                               struct step_outcome *out, tac_str *besides, tac_error *err)
{
    size_t from = d->seen.count, found;
    if (belongs_to_last(step)) {
        for (size_t i = 0; i < d->seen.count; i++)
            if (d->seen.at[i].gesture == d->gesture && !d->seen.at[i].taken &&
                same_base(d->seen.at[i].label, step->label)) {
                take(d, i, out);
                return TAC_OK;
            }
    }
    tac_gesture gesture = gesture_of(json_object_get(step->entry, "by"));
    tac_error why;
    bool any = true;
    tac_status status = device_gesture(d, &gesture, &why);
    for (size_t helped = 0; status == TAC_E_LIMIT && any && helped < MOST_BESIDES; helped++) {
        tac_status asked = release_besides(d, step, false, besides, &any, err);
        if (asked != TAC_OK)
            return asked;
        if (any)
            status = device_gesture(d, &gesture, &why);
    }
    if (status == TAC_E_LIMIT) {
        out->end = STEP_ABSENT;
        out->why = tac_format("it cannot be done: %s", why.message);
        return TAC_OK;
    }
    if (status != TAC_OK) {
        if (err)
            *err = why;
        return status;
    }
    found = untaken(d, step->label, from);
    if (found != SIZE_MAX) {
        take(d, found, out);
    } else {
        out->end = STEP_ABSENT;
        out->why = tac_strdup("the gesture was given, and nobody in the app listened as recorded");
    }
    return TAC_OK;
}

/* What comes by itself: it has, or it does within a moment. */
static tac_status perform_other(struct recorded_device *d, const struct subject_step *step,
                                struct step_outcome *out, tac_error *err)
{
    double until = tac_now() + fmin(step->deadline, 2);
    for (;;) {
        size_t found = untaken(d, step->label, 0);
        if (found != SIZE_MAX) {
            take(d, found, out);
            return TAC_OK;
        }
        if (tac_now() > until)
            break;
        tac_status status = tac_device_sleep(d->device, 0.05, err);
        if (status == TAC_OK)
            status = device_collect(d, err);
        if (status != TAC_OK)
            return status;
    }
    out->end = STEP_UNCONTROLLED;
    out->why = tac_strdup("it comes by itself and cannot be brought about");
    return TAC_OK;
}

tac_status device_perform(void *state, const struct subject_step *step, struct step_outcome *out,
                          tac_error *err)
{
    struct recorded_device *d = state;
    tac_str besides = {0};
    tac_status status = TAC_OK;
    bool any = true;
    *out = (struct step_outcome){.end = STEP_ABSENT, .callback = SIZE_MAX};
    for (size_t i = 0; step->eager && any && status == TAC_OK && i < MOST_BESIDES; i++)
        status = release_besides(d, step, true, &besides, &any, err);
    d->step = step->number;
    if (status != TAC_OK)
        ;
    else if (is_held_kind(step->label))
        status = perform_held(d, step, out, &besides, err);
    else if (json_object_get(step->entry, "by"))
        status = perform_user(d, step, out, &besides, err);
    else
        status = perform_other(d, step, out, err);
    out->besides = besides.length ? tac_str_take(&besides) : NULL;
    tac_str_free(&besides);
    if (status != TAC_OK) {
        free(out->besides);
        out->besides = NULL;
    }
    return status;
}

tac_status device_let_go(void *state, double seconds, tac_error *err)
{
    struct recorded_device *d = state;
    struct subject_step nothing = {.deadline = seconds};
    tac_str besides = {0};
    double until = tac_now() + seconds;
    tac_status status = TAC_OK;
    for (size_t i = 0; status == TAC_OK && i < MOST_BESIDES && tac_now() < until; i++) {
        bool any = false;
        status = release_besides(d, &nothing, false, &besides, &any, err);
        if (status == TAC_OK && !any)
            status = tac_device_sleep(d->device, 0.05, err);
    }
    if (status == TAC_OK)
        status = device_collect(d, err);
    tac_str_free(&besides);
    return status;
}
