/* Executing one flow (the test execution of the interaction-model paper, section 5.4).
 *
 * Per step: wait until the element is there (deadline), measure, perform once, let the screen
 * settle, drain the log, measure again, then let the step's time pass. A step that cannot be done
 * ends the run as failed; a click is never repeated, because a gesture that found no element did
 * nothing. */
#include "base/alloc.h"
#include "base/text.h"
#include "run/run_one.h"
#include <string.h>

const char *run_end_name(run_end end)
{
    static const char *const names[] = {"pass", "fail", "crash", "aborted"};
    return names[end];
}

/* The event that a log line announces: by its tag, or by the first group of a pattern. */
static bool line_event(const run_context *context, const tac_log_line *line, char *event,
                       size_t size)
{
    if (!strcmp(line->tag, TAC_LOG_EVENT_TAG)) {
        snprintf(event, size, "%s", line->message);
        return true;
    }
    for (size_t i = 0; i < context->options->pattern_count; i++) {
        regmatch_t match[2];
        if (regexec(&context->patterns[i], line->raw, 2, match, 0))
            continue;
        regmatch_t *part = match[1].rm_so >= 0 ? &match[1] : &match[0];
        snprintf(event, size, "%.*s", (int)(part->rm_eo - part->rm_so), line->raw + part->rm_so);
        return true;
    }
    return false;
}

static tac_status drain_log(run_context *context, tac_error *err)
{
    tac_log_line line;
    bool more;
    tac_status status;
    while ((status = tac_device_log(context->device, &line, &more, err)) == TAC_OK && more) {
        char event[256];
        if (line_event(context, &line, event, sizeof event)) {
            status = recorder_add(&context->recorder, line.time, event, err);
            if (status != TAC_OK)
                return status;
        }
    }
    return status;
}

static tac_status see_crash(run_context *context, tac_error *err)
{
    tac_crash crash;
    tac_status status = tac_device_crash(context->device, &crash, err);
    if (status == TAC_OK && crash.crashed) {
        context->end = RUN_CRASH;
        snprintf(context->message, sizeof context->message, "%s: %s", crash.exception,
                 crash.message);
    }
    return status;
}

tac_status run_observe(run_context *context, const char *event, tac_error *err)
{
    int64_t time;
    tac_status status = drain_log(context, err);
    if (status == TAC_OK)
        status = see_crash(context, err);
    if (status != TAC_OK || context->end == RUN_CRASH)
        return status; /* a run that crashed ends in the event it was handling */
    status = recorder_measure(&context->recorder, &time, err);
    if (status == TAC_OK)
        status = recorder_add(&context->recorder, time, event, err);
    if (status == TAC_OK && context->end == RUN_PASS && context->recorder.violated &&
        context->options->stop_on_violation) {
        context->end = RUN_ABORTED;
        snprintf(context->message, sizeof context->message,
                 "stopped at the violation of a property after %zu events", context->steps);
    }
    return status;
}

tac_status run_wait(run_context *context, double seconds, tac_error *err)
{
    tac_status status = TAC_OK;
    while (seconds > 1e-9 && status == TAC_OK && context->end == RUN_PASS) {
        double part = seconds < context->sample ? seconds : context->sample;
        status = tac_device_sleep(context->device, part, err);
        if (status == TAC_OK)
            status = run_observe(context, NULL, err);
        seconds -= part;
    }
    return status;
}

tac_status run_locate(run_context *context, const char *place, tac_error *err)
{
    tac_foreground foreground;
    tac_status status = tac_device_foreground(context->device, 0, &foreground, err);
    if (status == TAC_OK)
        recorder_set(&context->recorder, foreground.activity, place);
    return status;
}

/* "com.app/Main/Main_0/S6" as "Main_0/S6": names are unique within an app from there on. */
static const char *short_state(const tac_flow_step *step)
{
    if (!step->state_count)
        return NULL;
    const char *path = step->states[step->state_count - 1];
    const char *end = path + strlen(path);
    for (int slashes = 0; end > path; end--)
        if (end[-1] == '/' && ++slashes == 2)
            return end;
    return path;
}

static void cannot_do(run_context *context, size_t index, const tac_flow_step *step,
                      const char *why)
{
    context->end = RUN_FAIL;
    snprintf(context->message, sizeof context->message, "step %zu, '%s': %s", index + 1,
             step->event, why);
}

/* Performs as soon as the element is there. TAC_E_LIMIT from the device means that nothing was
 * done, so trying again is no second click. */
static tac_status perform_within(run_context *context, const tac_model_action *action,
                                 tac_error *err)
{
    tac_gesture gesture = {.kind = action->kind,
                           .target = {action->xpath, action->resource_id, action->text},
                           .value = action->value};
    const double pause = 0.1;
    double waited = 0;
    for (;;) {
        tac_status status = tac_device_perform(context->device, &gesture, 0, err);
        if (status != TAC_E_LIMIT || waited >= context->deadline)
            return status;
        status = tac_device_sleep(context->device, pause, err);
        if (status != TAC_OK)
            return status;
        waited += pause;
    }
}

/* A screen that never comes to rest fails the run, not the campaign. */
static tac_status settle(run_context *context, size_t index, const tac_flow_step *step,
                         tac_error *err)
{
    tac_status status = tac_device_settle(context->device, context->deadline, err);
    if (status != TAC_E_LIMIT)
        return status;
    cannot_do(context, index, step, err->message);
    return TAC_OK;
}

static tac_status perform_user_step(run_context *context, size_t index, const tac_flow_step *step,
                                    tac_error *err)
{
    if (!step->action_count) {
        cannot_do(context, index, step,
                  "the model does not say how to perform it; give its transition an <action>");
        return TAC_OK;
    }
    int64_t time;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < step->action_count && status == TAC_OK; i++) {
        status = recorder_measure(&context->recorder, &time, err);
        if (status == TAC_OK)
            status = perform_within(context, &step->actions[i], err);
        if (status == TAC_E_LIMIT || status == TAC_E_INPUT) {
            cannot_do(context, index, step, err->message);
            return TAC_OK;
        }
    }
    if (status == TAC_OK)
        status = recorder_add(&context->recorder, time, step->event, err);
    return status == TAC_OK ? settle(context, index, step, err) : status;
}

static tac_status await_system_step(run_context *context, size_t index, const tac_flow_step *step,
                                    tac_error *err)
{
    tac_arrival arrival;
    double within = step->time > context->deadline ? step->time : context->deadline;
    tac_status status = tac_device_wait_change(context->device, NULL, within, &arrival, err);
    if (status == TAC_OK && !arrival.arrived) {
        char why[128];
        snprintf(why, sizeof why, "the system event did not arrive within %g s", within);
        cannot_do(context, index, step, why);
        return TAC_OK;
    }
    int64_t time;
    if (status == TAC_OK)
        status = recorder_measure(&context->recorder, &time, err);
    if (status == TAC_OK)
        status = recorder_add(&context->recorder, time, step->event, err);
    return status == TAC_OK ? settle(context, index, step, err) : status;
}

static tac_status do_step(run_context *context, size_t index, const tac_flow_step *step,
                          tac_error *err)
{
    tac_status status = step->kind == TAC_EVENT_SYSTEM && !step->action_count
                            ? await_system_step(context, index, step, err)
                            : perform_user_step(context, index, step, err);
    if (status != TAC_OK || context->end != RUN_PASS)
        return status;
    context->steps++;
    status = run_locate(context, short_state(step), err);
    if (status == TAC_OK)
        status = run_observe(context, NULL, err);
    if (status == TAC_OK && context->end == RUN_PASS)
        status = run_wait(context, step->time >= 0 ? step->time : context->think, err);
    return status;
}

tac_status run_flow(run_context *context, const tac_flow *flow, tac_error *err)
{
    const tac_flow_start *start = flow->start_count ? &flow->starts[0] : NULL;
    tac_flow_step first = {.states = start ? start->states : NULL,
                           .state_count = start ? start->state_count : 0};
    tac_status status = run_locate(context, short_state(&first), err);
    if (status == TAC_OK)
        status = run_observe(context, NULL, err);
    for (size_t i = 0; i < flow->step_count && status == TAC_OK && context->end == RUN_PASS; i++)
        status = do_step(context, i, &flow->steps[i], err);
    return status;
}
