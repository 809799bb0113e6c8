/* Devices as subjects: opening, starting anew, and what the recorder tells. */
#include "replay/device.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "model/model.h"
#include <string.h>

static size_t label_base(const char *label)
{
    const char *end = strrchr(label, '#');
    return end && end > label && end[-1] == ' ' ? (size_t)(end - label) - 1 : strlen(label);
}

bool same_base(const char *one, const char *other)
{
    size_t length = label_base(one);
    return length == label_base(other) && !memcmp(one, other, length);
}

static void forget_seen(struct recorded_device *d)
{
    for (size_t i = 0; i < d->seen.count; i++)
        free(d->seen.at[i].label);
    d->seen.count = 0;
}

/* What the user did says how it was done, so that it can be done again. */
static void see_callback(struct recorded_device *d, json_t *message)
{
    const char *label = json_string_value(json_object_get(message, "event"));
    bool user = json_is_true(json_object_get(message, "user"));
    if (user && d->by)
        json_object_set(message, "by", d->by);
    if (d->held)
        tac_vec_push(&d->seen, (struct seen_callback){.label = tac_strdup(label ? label : ""),
                                                      .step = d->step,
                                                      .user = user,
                                                      .gesture = user ? d->gesture : 0});
}

static void take_message(void *context, json_t *message)
{
    struct recorded_device *d = context;
    const char *type = json_string_value(json_object_get(message, "type"));
    if (type && !strcmp(type, "callback_entry"))
        see_callback(d, message);
    d->log->message(d->log->context, message);
}

static void take_failure(void *context, const char *kind, const char *type, const char *message,
                         const char *stack)
{
    struct recorded_device *d = context;
    struct subject_failure failure = {
        .kind = !strcmp(kind, "uncaught")    ? FAILURE_UNCAUGHT
                : !strcmp(kind, "rejection") ? FAILURE_REJECTION
                                             : FAILURE_REPORTED,
        .type = type,
        .message = message,
        .stack = stack,
    };
    d->log->failure(d->log->context, &failure);
}

static void take_unseen(void *context, const char *what)
{
    struct recorded_device *d = context;
    d->log->unseen(d->log->context, what);
}

static void take_dropped(void *context, uint64_t messages)
{
    struct recorded_device *d = context;
    d->log->dropped(d->log->context, (size_t)messages);
}

tac_status device_collect(struct recorded_device *d, tac_error *err)
{
    assert(d->log);
    tac_recorder_sink sink = {.context = d,
                              .message = take_message,
                              .failure = take_failure,
                              .unseen = take_unseen,
                              .dropped = take_dropped};
    return tac_device_recorded(d->device, 0, &sink, err);
}

static void keep_gesture(struct recorded_device *d, const tac_gesture *gesture)
{
    json_decref(d->by);
    d->gesture++;
    d->by = json_pack("{s:s,s:I}", "action", tac_action_kind_name(gesture->kind), "gesture",
                      (json_int_t)d->gesture);
    if (gesture->target.xpath)
        json_object_set_new(d->by, "xpath", tac_json_string(gesture->target.xpath));
    if (gesture->target.resource_id)
        json_object_set_new(d->by, "resource_id", tac_json_string(gesture->target.resource_id));
    if (gesture->target.text)
        json_object_set_new(d->by, "text", tac_json_string(gesture->target.text));
    if (gesture->value)
        json_object_set_new(d->by, "value", tac_json_string(gesture->value));
}

/* An app that does not answer is another thing than an element that is not there: what it told
 * before is kept, and what it tells when it comes back. */
static tac_status wait_for_the_app(struct recorded_device *d, tac_error *err)
{
    const tac_ui *ui;
    tac_error why = {0};
    if (err)
        why = *err;
    tac_error other;
    if (d->held || tac_device_snapshot(d->device, 2, &ui, &other) == TAC_OK)
        return TAC_E_LIMIT;
    tac_status status = device_collect(d, &other);
    d->log->note(d->log->context, why.message);
    return status == TAC_OK ? TAC_OK : TAC_E_DEVICE;
}

tac_status device_gesture(struct recorded_device *d, const tac_gesture *gesture, tac_error *err)
{
    const double rest = d->held ? 2 : 6, impatient = 0.7;
    json_t *before = json_incref(d->by);
    tac_status status = device_collect(d, err); /* what came before it is not its doing */
    if (status == TAC_OK) {
        keep_gesture(d, gesture);
        status = tac_device_perform(d->device, gesture, 0, err);
    }
    if (status == TAC_E_LIMIT)
        status = wait_for_the_app(d, err);
    if (status != TAC_OK) { /* nothing was done */
        json_decref(d->by);
        d->by = before;
        return status;
    }
    json_decref(before);
    tac_error passing;
    status = tac_device_settle(d->device, d->restless ? impatient : rest, &passing);
    if (status == TAC_E_LIMIT && !d->restless && !d->held) {
        d->restless = true;
        d->log->note(d->log->context, passing.message);
    }
    if (status != TAC_OK && status != TAC_E_LIMIT) {
        if (err)
            *err = passing;
        return status;
    }
    return device_collect(d, err);
}

static tac_status start(void *state, enum subject_mode mode, uint64_t seed,
                        const struct subject_log *log, tac_error *err)
{
    struct recorded_device *d = state;
    d->log = log;
    d->held = mode == SUBJECT_HELD;
    d->gesture = 0;
    d->step = SIZE_MAX;
    d->restless = false;
    json_decref(d->by);
    d->by = NULL;
    forget_seen(d);
    tac_status status =
        tac_device_record(d->device, d->held ? TAC_RECORDER_HELD : TAC_RECORDER_OBSERVE, err);
    if (status == TAC_OK)
        status = tac_device_reset(d->device, seed, 0, err);
    if (status == TAC_OK)
        status = tac_device_launch(d->device, 0, err);
    if (status == TAC_E_LIMIT) { /* it never comes to rest: it is driven as it is */
        d->restless = true;
        log->note(log->context, err ? err->message : "the app did not settle");
        status = TAC_OK;
    }
    return status == TAC_OK ? device_collect(d, err) : status;
}

static tac_status stop(void *state, tac_error *err)
{
    struct recorded_device *d = state;
    tac_status status = tac_device_close(d->device, 0, err);
    tac_error ignored;
    if (status == TAC_OK && d->log && !d->held)
        device_collect(d, &ignored); /* what the page said when it was left */
    d->log = NULL;
    return status;
}

static void free_state(void *state)
{
    struct recorded_device *d = state;
    tac_device_free(d->device);
    forget_seen(d);
    tac_vec_free(&d->seen);
    json_decref(d->by);
    free(d);
}

static const struct subject_driver driver = {.kind = "web",
                                             .recorder = "tactus-web",
                                             .start = start,
                                             .drive = device_drive,
                                             .perform = device_perform,
                                             .let_go = device_let_go,
                                             .stop = stop,
                                             .free = free_state};

tac_status tac_subject_open_device(const char *uri, const tac_device_options *options,
                                   tac_subject **out, tac_error *err)
{
    tac_device_options with = options ? *options : (tac_device_options){0};
    with.recordable = true;
    with.tolerate_errors = true; /* they are what is looked for */
    tac_device *device = NULL;
    tac_status status = tac_device_open(uri, &with, &device, err);
    if (status != TAC_OK)
        return status;
    if (!tac_device_can_record(device)) {
        tac_device_free(device);
        return tac_fail(err, TAC_E_USAGE,
                        "%s: apps on this device cannot be recorded; pages in Chromium can", uri);
    }
    struct recorded_device *d = tac_calloc(1, sizeof *d);
    d->device = device;
    *out = tac_calloc(1, sizeof **out);
    **out = (tac_subject){.driver = &driver, .state = d, .name = tac_strdup(uri)};
    return TAC_OK;
}

void tac_subject_free(tac_subject *subject)
{
    if (!subject)
        return;
    subject->driver->free(subject->state);
    free(subject->name);
    free(subject);
}

const char *tac_subject_kind(const tac_subject *subject)
{
    return subject->driver->kind;
}
