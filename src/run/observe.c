/* Looking at the devices during a run: what their logs announce, whether an app crashed, what the
 * probes read. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "run/run_one.h"
#include <string.h>

const char *run_end_name(enum run_end end)
{
    static const char *const names[] = {
        [RUN_PASS] = "pass", [RUN_FAIL] = "fail", [RUN_CRASH] = "crash", [RUN_ABORTED] = "aborted"};
    TABLE_COVERS(names, RUN_ABORTED);
    return names[end];
}

/* "" or "DEVICE: ", for messages. */
static const char *run_member_label(const struct run_context *context, size_t member, char *buffer,
                                    size_t size)
{
    if (context->team->count > 1)
        snprintf(buffer, size, "%s: ", context->team->members[member].name);
    else
        *buffer = '\0';
    return buffer;
}

/* The event that a log line announces: by its tag, or by the first group of a pattern; the
 * caller's, NULL when it announces none. */
static tac_status line_event(const struct run_context *context, const tac_log_line *line,
                             char **event, tac_error *err)
{
    tac_status status = TAC_OK;
    *event = strcmp(line->tag, TAC_LOG_EVENT_TAG) ? NULL : tac_strdup(line->message);
    for (size_t i = 0; i < context->options->pattern_count && !*event && status == TAC_OK; i++) {
        tac_span match[2];
        bool found;
        status = tac_pattern_find(context->patterns[i], line->raw, strlen(line->raw), 0, &found,
                                  match, 2, err);
        if (status != TAC_OK || !found)
            continue;
        const tac_span *part = match[1].from != TAC_NO_SPAN ? &match[1] : &match[0];
        *event = tac_strndup(line->raw + part->from, part->to - part->from);
    }
    return status;
}

static tac_status hear(struct run_context *context, size_t member, tac_error *err)
{
    tac_device *device = context->team->members[member].device;
    tac_log_line line;
    bool more;
    tac_status status;
    while ((status = tac_device_log(device, &line, &more, err)) == TAC_OK && more) {
        char label[160];
        log_tail_add(&context->log, line.raw);
        if (!strcmp(line.tag, TAC_LOG_LOST_TAG))
            snprintf(context->lost, sizeof context->lost, "%s%s",
                     run_member_label(context, member, label, sizeof label), line.message);
        char *event;
        status = line_event(context, &line, &event, err);
        if (status != TAC_OK)
            break;
        if (event)
            tac_vec_push(&context->heard, (struct heard){{line.time, member}, member, event});
    }
    return status;
}

/* What the logs say, in the order in which it happened: insertion into the few that are there. */
static void sort_heard(struct run_context *context)
{
    struct heard *at = context->heard.at;
    for (size_t i = 1; i < context->heard.count; i++) {
        struct heard moved = at[i];
        int64_t since = recorder_since(&context->recorder, moved.when);
        size_t to = i;
        for (; to > 0 && recorder_since(&context->recorder, at[to - 1].when) > since; to--)
            at[to] = at[to - 1];
        at[to] = moved;
    }
}

tac_status run_hear(struct run_context *context, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < context->team->count && status == TAC_OK; i++)
        status = hear(context, i, err);
    if (context->team->count > 1)
        sort_heard(context);
    for (size_t i = 0; i < context->heard.count; i++) {
        struct heard *heard = &context->heard.at[i];
        if (status == TAC_OK)
            status = recorder_add_announced(&context->recorder, heard->when, heard->member,
                                            heard->event, err);
        free(heard->event);
    }
    context->heard.count = 0;
    return status;
}

tac_status run_see_crash(struct run_context *context, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < context->team->count; i++) {
        tac_crash crash;
        char label[160];
        status = tac_device_crash(context->team->members[i].device, &crash, err);
        if (status != TAC_OK || !crash.crashed)
            continue;
        context->end = RUN_CRASH;
        context->failed_member = i;
        snprintf(context->message, sizeof context->message, "%s%s: %s",
                 run_member_label(context, i, label, sizeof label), crash.exception, crash.message);
        break;
    }
    return status;
}

/* What is in front, of a run of actions: nobody else says where it is; the caller's. */
static tac_status activity_now(struct run_context *context, char **out, tac_error *err)
{
    tac_foreground front = {.activity = ""};
    tac_status status = TAC_OK;
    if (context->actions)
        status = tac_device_foreground(context->team->members[0].device, 0, &front, err);
    *out = tac_strdup(status == TAC_OK ? front.activity : "");
    return status;
}

/* Reads the observables from the screen, all at one moment. */
static tac_status run_read_screen(struct run_context *context, tac_error *err)
{
    const tac_ui *ui = NULL;
    char *activity;
    if (!context->observes)
        return TAC_OK;
    tac_observed_clear(context->readings, context->observable_count);
    tac_status status = activity_now(context, &activity, err);
    if (status == TAC_OK)
        status = tac_device_observe(context->team->members[0].device, context->observables,
                                    context->observable_count, 0, context->readings, &ui, err);
    if (status == TAC_E_LIMIT) { /* the screen cannot be looked at now: nothing is known of it */
        tac_observed_clear(context->readings, context->observable_count);
        status = TAC_OK;
    }
    if (status == TAC_OK && ui && context->actions)
        run_name_screen(context, ui, activity);
    if (status == TAC_OK)
        recorder_see(&context->recorder, context->readings);
    free(activity);
    return status;
}

void run_note_choice(struct run_context *context, const tac_model_action *actions, size_t count)
{
    const char *typed = NULL, *target = NULL;
    if (!context->observes)
        return;
    for (size_t i = 0; i < count; i++) {
        const char *value = actions[i].value ? actions[i].value : "";
        if (actions[i].kind == TAC_ACTION_TEXT)
            typed = value;
        else if (actions[i].kind == TAC_ACTION_KEY && !strncmp(value, "text:", 5))
            typed = value + 5;
        if (actions[i].xpath)
            target = tac_action_first_name(actions[i].xpath);
    }
    recorder_chose(&context->recorder, typed, target);
}

tac_status run_observe(struct run_context *context, size_t member, const char *event,
                       tac_error *err)
{
    struct run_moment now;
    tac_status status = run_hear(context, err);
    if (status == TAC_OK)
        status = run_see_crash(context, err);
    if (status == TAC_OK && context->end == RUN_CRASH && event && context->observes) {
        /* the screen was not looked at: what it showed before is not what it shows now */
        tac_observed_clear(context->readings, context->observable_count);
        recorder_see(&context->recorder, context->readings);
        status = recorder_measure(&context->recorder, &now, err);
        if (status == TAC_OK)
            status = recorder_add(&context->recorder, now, member, event, err);
    }
    if (status != TAC_OK || context->end == RUN_CRASH)
        return status; /* a run that crashed ends in the event it was handling */
    status = run_read_screen(context, err);
    if (status == TAC_OK)
        status = recorder_measure(&context->recorder, &now, err);
    if (status == TAC_OK) {
        context->looked_at = recorder_since(&context->recorder, now);
        status = recorder_add(&context->recorder, now, member, event, err);
    }
    if (status == TAC_OK && context->observes)
        recorder_looked(&context->recorder);
    if (status == TAC_OK && context->live)
        run_tell(context, member, now);
    if (status == TAC_OK && context->end == RUN_PASS && context->recorder.violated &&
        context->options->stop_on_violation) {
        context->end = RUN_ABORTED;
        snprintf(context->message, sizeof context->message,
                 "stopped at the violation of a property after %zu events", context->steps);
    }
    return status;
}

tac_status run_wait(struct run_context *context, double seconds, tac_error *err)
{
    tac_status status = TAC_OK;
    while (seconds > 1e-9 && status == TAC_OK && context->end == RUN_PASS) {
        double part = seconds < context->sample ? seconds : context->sample;
        status = run_team_sleep(context->team, part, err);
        if (status == TAC_OK)
            status = run_observe(context, 0, NULL, err);
        seconds -= part;
    }
    return status;
}

tac_status run_locate(struct run_context *context, size_t member, const char *place, tac_error *err)
{
    tac_foreground foreground;
    tac_status status =
        tac_device_foreground(context->team->members[member].device, 0, &foreground, err);
    if (status == TAC_OK)
        recorder_set(&context->recorder, member, foreground.activity, place);
    return status;
}

void run_keep_place(struct run_context *context, size_t member)
{
    tac_device *device = context->team->members[member].device;
    const char *place = recorder_place(&context->recorder, member);
    const tac_ui *ui = NULL;
    tac_foreground front;
    tac_error ignored;
    if (!context->options->pictures || context->end != RUN_PASS || !*place ||
        has_picture(context->options->folder, place))
        return;
    if (tac_device_foreground(device, 0, &front, &ignored) == TAC_OK) {
        char *activity = tac_strdup(front.activity);
        if (tac_device_snapshot(device, 0, &ui, &ignored) == TAC_OK)
            keep_screen(context->options->folder, context->id, place, activity, ui);
        free(activity);
    }
    keep_picture(context->options->folder, place, device, false);
}

void run_context_free(struct run_context *context)
{
    for (size_t i = 0; i < context->heard.count; i++)
        free(context->heard.at[i].event);
    tac_vec_free(&context->heard);
    deeds_free(&context->deeds);
    tac_observed_clear(context->readings, context->observable_count);
    free(context->readings);
    free((void *)(uintptr_t)context->observables);
    json_decref(context->coverage);
    json_decref(context->acted);
    log_tail_free(&context->log);
    recorder_free(&context->recorder);
    probe_set_free(&context->probes);
}
