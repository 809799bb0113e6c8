/* Executing one flow (the test execution of the interaction-model paper, section 5.4; several
 * devices, section 2.3.3).
 *
 * Per step, on the device that the flow names: wait until the element is there (deadline), measure,
 * perform once, let the screen settle, drain the logs, measure again, then let the step's time
 * pass on all devices. What one device receives from another is a system event of the receiver,
 * which is awaited. A step that cannot be done ends the run as failed; a click is never repeated,
 * because a gesture that found no element did nothing. */
#include "base/data/alloc.h"
#include "run/run_one.h"
#include <string.h>

/* A step under way. */
struct doing {
    struct run_context *context;
    size_t index; /* in the flow */
    const tac_flow_step *step;
    size_t member;   /* who moves */
    bool told_later; /* its event stands in the state after it */
    uint32_t from;   /* the model's node before it, where screens are compared with it */
};

/* "com.app/Main/Main_0/S6" as "Main_0/S6": names are unique within an app from there on. */
static const char *short_state(const char *const *states, size_t count)
{
    if (!count)
        return NULL;
    const char *path = states[count - 1];
    const char *end = path + strlen(path);
    for (int slashes = 0; end > path; end--)
        if (end[-1] == '/' && ++slashes == 2)
            return end;
    return path;
}

/* A flow of one device may leave its name out, or call it otherwise than the user does. */
static size_t find_member(const struct run_team *team, const char *device)
{
    for (size_t i = 0; i < team->count && team->count > 1; i++)
        if (!strcmp(team->members[i].name, device))
            return i;
    return 0;
}

/* "step 3, 'bob:send'" */
static const char *place_of(const struct doing *doing, char *out, size_t size)
{
    const struct run_team *team = doing->context->team;
    bool several = team->count > 1;
    snprintf(out, size, "step %zu, '%s%s%.160s'", doing->index + 1,
             several ? team->members[doing->member].name : "", several ? ":" : "",
             doing->step->event);
    return out;
}

static void cannot_do(struct doing *doing, const char *why)
{
    struct run_context *context = doing->context;
    char place[300];
    context->end = RUN_FAIL;
    context->failed_member = doing->member;
    snprintf(context->message, sizeof context->message, "%s: %s",
             place_of(doing, place, sizeof place), why);
}

/* A device that fails in the middle of a step: the error says which. */
static void say_where(const struct doing *doing, tac_status status, tac_error *err)
{
    char place[300];
    if (status != TAC_E_DEVICE || !err || *err->file)
        return;
    tac_error found = *err;
    tac_fail(err, status, "%s: %s", place_of(doing, place, sizeof place), found.message);
}

/* Performs as soon as the element is there. TAC_E_LIMIT from the device means that nothing was
 * done, so trying again is no second click. */
static tac_status perform_within(struct doing *doing, const tac_model_action *action,
                                 tac_error *err)
{
    struct run_context *context = doing->context;
    tac_gesture gesture = {.kind = action->kind,
                           .target = {action->xpath, action->resource_id, action->text},
                           .value = action->value};
    const double pause = 0.1;
    double waited = 0;
    for (;;) {
        tac_device *device = context->team->members[doing->member].device;
        tac_status status = tac_device_perform(device, &gesture, 0, err);
        if (status == TAC_OK && waited > context->longest_wait)
            context->longest_wait = waited;
        if (status != TAC_E_LIMIT || waited >= context->deadline)
            return status;
        status = run_team_sleep(context->team, pause, err);
        if (status != TAC_OK)
            return status;
        waited += pause;
    }
}

/* A screen that never comes to rest fails the run, not the campaign. */
static tac_status settle(struct doing *doing, tac_error *err)
{
    struct run_context *context = doing->context;
    tac_device *device = context->team->members[doing->member].device;
    tac_status status = tac_device_settle(device, context->rest, err);
    if (status == TAC_OK)
        return run_team_align(context->team, err);
    if (status != TAC_E_LIMIT)
        return status;
    cannot_do(doing, err->message);
    return TAC_OK;
}

/* An action that failed because one before it crashed the app: the run ends in this event. */
static bool crashed_before(struct doing *doing, struct run_moment when)
{
    struct run_context *context = doing->context;
    tac_error ignored;
    return run_see_crash(context, &ignored) == TAC_OK && context->end == RUN_CRASH &&
           recorder_add(&context->recorder, when, doing->member, doing->step->event, &ignored) ==
               TAC_OK;
}

static tac_status perform_user_step(struct doing *doing, tac_error *err)
{
    struct run_context *context = doing->context;
    const tac_flow_step *step = doing->step;
    if (!step->action_count) {
        cannot_do(doing,
                  "the model does not say how to perform it; give its transition an <action>");
        return TAC_OK;
    }
    struct run_moment when;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < step->action_count && status == TAC_OK; i++) {
        status = recorder_measure(&context->recorder, &when, err);
        if (status == TAC_OK)
            status = perform_within(doing, &step->actions[i], err);
        if (status == TAC_E_LIMIT || status == TAC_E_INPUT || status == TAC_E_USAGE) {
            cannot_do(doing, err->message); /* not there, or nothing that this device can do */
            return TAC_OK;
        }
        if (status == TAC_E_DEVICE && i > 0 && crashed_before(doing, when))
            return TAC_OK;
        if (status == TAC_OK && context->observes && i + 1 < step->action_count)
            status = settle(doing, err); /* as guarded actions do; their replays must not differ */
        if (status == TAC_OK && context->end != RUN_PASS)
            return TAC_OK;
    }
    if (status == TAC_OK && context->observes) { /* it stands in the state after it */
        run_note_choice(context, step->actions, step->action_count);
        doing->told_later = true;
    } else if (status == TAC_OK) {
        status = recorder_add(&context->recorder, when, doing->member, step->event, err);
    }
    return status == TAC_OK ? settle(doing, err) : status;
}

/* The logs may have said why nothing came. */
static void did_not_arrive(struct doing *doing, double within)
{
    const char *channel = doing->step->receives, *lost = doing->context->lost;
    char *why = tac_format("the system event%s%s%s did not arrive within %g s%s%s",
                           channel ? " (a message on channel " : "", channel ? channel : "",
                           channel ? ")" : "", within, *lost ? "; " : "", lost);
    cannot_do(doing, why);
    free(why);
}

/* Waits, observing every sample where looking does not disturb the waiting: a real phone that
 * announces nothing is compared with what it showed when the waiting began. */
static tac_status await_event(struct doing *doing, double within, bool *arrived, tac_error *err)
{
    struct run_context *context = doing->context;
    bool pieces = context->team->members[doing->member].virtual_time;
    tac_status status = TAC_OK;
    *arrived = false;
    for (double left = within; left > 1e-9 && status == TAC_OK && context->end == RUN_PASS;) {
        tac_arrival arrival;
        double part = pieces && context->sample < left ? context->sample : left;
        status = run_team_await(context->team, doing->member, part, &arrival, err);
        *arrived = status == TAC_OK && arrival.arrived;
        if (status != TAC_OK || *arrived)
            break;
        left -= part;
        status = run_observe(context, 0, NULL, err);
    }
    return status;
}

static tac_status await_system_step(struct doing *doing, tac_error *err)
{
    struct run_context *context = doing->context;
    double time = doing->step->time, within = time > context->deadline ? time : context->deadline;
    bool arrived;
    struct run_moment when;
    tac_status status = await_event(doing, within, &arrived, err);
    if (status != TAC_OK || context->end != RUN_PASS)
        return status;
    if (!arrived) {
        did_not_arrive(doing, within);
        return TAC_OK;
    }
    status = run_hear(context, err); /* the app may have said so before the runner got to it */
    if (status == TAC_OK)
        status = recorder_measure(&context->recorder, &when, err);
    if (status == TAC_OK)
        status = recorder_add(&context->recorder, when, doing->member, doing->step->event, err);
    return status == TAC_OK ? settle(doing, err) : status;
}

/* A model of one device may call it otherwise than the user does. */
static uint32_t node_of(const struct run_context *context, size_t member, const char *const *states,
                        size_t count)
{
    const struct run_team *team = context->team;
    const char *device = team->count > 1 ? team->members[member].name : NULL;
    return count && context->expecting
               ? model_node_at(context->expecting, device, states[count - 1])
               : TAC_MODEL_NONE;
}

/* The screen that the step led to, with the model's state: what it offers, then what is expected.
 */
static tac_status compare_after(struct doing *doing, tac_error *err)
{
    struct run_context *context = doing->context;
    const tac_flow_step *step = doing->step;
    struct run_move move = {doing->from,
                            node_of(context, doing->member, step->states, step->state_count),
                            step->event, doing->member};
    tac_status status = TAC_OK;
    if (context->end == RUN_PASS)
        status = run_answer_questions(context, doing->member, err);
    if (status == TAC_OK)
        status =
            run_conform(context, &move, step->states[step->state_count - 1], doing->index + 1, err);
    if (status == TAC_OK && !context->elsewhere)
        status = run_expect(context, &move, doing->index + 1, err);
    return status;
}

/* What the model expects of the first screen of every device; from[member] is its node. */
static tac_status expect_starts(struct run_context *context, const tac_flow *flow, uint32_t *from,
                                tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < context->team->count; i++)
        from[i] = TAC_MODEL_NONE;
    if (!context->expecting)
        return TAC_OK;
    for (size_t i = 0; i < flow->start_count; i++) {
        size_t member = find_member(context->team, flow->starts[i].device);
        if (from[member] == TAC_MODEL_NONE)
            from[member] =
                node_of(context, member, flow->starts[i].states, flow->starts[i].state_count);
    }
    run_expect_anew(context);
    for (size_t i = 0; i < context->team->count && status == TAC_OK; i++)
        status = run_expect(context, &(struct run_move){TAC_MODEL_NONE, from[i], NULL, i}, 0, err);
    return status;
}

static tac_status do_step(struct doing *doing, tac_error *err)
{
    struct run_context *context = doing->context;
    const tac_flow_step *step = doing->step;
    tac_status status = step->kind == TAC_EVENT_SYSTEM && !step->action_count
                            ? await_system_step(doing, err)
                            : perform_user_step(doing, err);
    if (status != TAC_OK || context->end != RUN_PASS)
        return status;
    context->steps++;
    status = run_locate(context, doing->member, short_state(step->states, step->state_count), err);
    recorder_abandoned(&context->recorder, step->abandoned);
    if (status == TAC_OK)
        status = run_observe(context, doing->told_later ? doing->member : 0,
                             doing->told_later ? step->event : NULL, err);
    if (status == TAC_OK && step->state_count && context->expecting)
        status = compare_after(doing, err);
    if (context->observes)
        recorder_chose(&context->recorder, NULL, NULL);
    recorder_abandoned(&context->recorder, 0);
    if (status == TAC_OK)
        run_keep_place(context, doing->member);
    if (status == TAC_OK && context->end == RUN_PASS)
        status = run_wait(context, step->time >= 0 ? step->time : context->think, err);
    return status;
}

/* Where every device stands before the first step. */
static tac_status locate_starts(struct run_context *context, const tac_flow *flow, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t member = 0; member < context->team->count && status == TAC_OK; member++) {
        const char *state = NULL;
        for (size_t i = 0; i < flow->start_count; i++)
            if (find_member(context->team, flow->starts[i].device) == member)
                state = short_state(flow->starts[i].states, flow->starts[i].state_count);
        status = run_locate(context, member, state, err);
    }
    return status;
}

tac_status run_flow(struct run_context *context, const tac_flow *flow, tac_error *err)
{
    tac_status status = locate_starts(context, flow, err);
    if (status == TAC_OK)
        status = run_observe(context, 0, NULL, err);
    uint32_t *from = tac_calloc(context->team->count, sizeof *from);
    for (size_t i = 0; i < context->team->count && status == TAC_OK; i++)
        run_keep_place(context, i);
    if (status == TAC_OK)
        status = expect_starts(context, flow, from, err);
    for (size_t i = 0; i < flow->step_count && status == TAC_OK && context->end == RUN_PASS &&
                       !context->elsewhere;
         i++) {
        const tac_flow_step *step = &flow->steps[i];
        size_t member = find_member(context->team, step->device);
        struct doing doing = {
            .context = context, .index = i, .step = step, .from = from[member], .member = member};
        status = do_step(&doing, err);
        say_where(&doing, status, err);
        if (context->expecting)
            from[member] = node_of(context, member, step->states, step->state_count);
    }
    free(from);
    return status;
}
