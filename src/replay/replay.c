/* Replaying a witness: event by event on the held app, at most three times.
 *
 * CONFIRMED: every event happened as named, and in the last one an exception, an unhandled
 * rejection or an error on the console was seen that the recorded order does not have; or the
 * disallowed call was made and such a failure was seen afterwards; or it was made and its rule is
 * marked silent. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "replay/witness.h"
#include <string.h>

struct attempt {
    const struct witness *w;
    size_t callbacks;      /* told since the start */
    size_t depth;          /* of open calls */
    size_t current;        /* the callback that is open or was last */
    size_t step;           /* of the witness; SIZE_MAX before the first */
    bool last, after;      /* in the last step; behind it */
    bool seen_in_call;     /* the disallowed call was told during the last step's perform */
    TAC_VEC(size_t) calls; /* callbacks in which it was told */
    struct replay_report found;
    bool failed, failed_early;
};

static void see_message(void *context, const json_t *message)
{
    struct attempt *a = context;
    const char *type = json_string_value(json_object_get(message, "type"));
    if (!type)
        return;
    if (!strcmp(type, "callback_entry") && a->depth == 0)
        a->current = a->callbacks++;
    if (tac_ends_with(type, "_entry"))
        a->depth++;
    else if (a->depth)
        a->depth--;
    if (witness_is_call(a->w, message)) {
        tac_vec_push(&a->calls, a->current);
        a->seen_in_call |= a->last;
    }
}

static void keep_failure(struct replay_report *r, const struct subject_failure *failure)
{
    free(r->type);
    free(r->message);
    free(r->stack);
    r->type = tac_strdup(failure->type);
    r->message = tac_strdup(failure->message);
    r->stack = tac_strdup(failure->stack);
}

static void see_failure(void *context, const struct subject_failure *failure)
{
    struct attempt *a = context;
    char *name = tac_format("%s: %s", failure->type, failure->message);
    bool known = false;
    for (size_t i = 0; i < a->w->known.count && !known; i++)
        known = !strcmp(a->w->known.at[i], name);
    free(name);
    if (known || a->failed)
        return;
    bool counts = a->last || a->after;
    if (!counts && a->failed_early)
        return;
    a->failed = counts;
    a->failed_early |= !counts;
    keep_failure(&a->found, failure);
}

static void see_text(void *context, const char *text)
{
    (void)context;
    (void)text;
}

static void see_count(void *context, size_t count)
{
    (void)context;
    (void)count;
}

static void see_nothing(void *context)
{
    (void)context;
}

static bool call_in(const struct attempt *a, size_t callback)
{
    for (size_t i = 0; i < a->calls.count; i++)
        if (a->calls.at[i] == callback)
            return true;
    return callback == SIZE_MAX && a->seen_in_call;
}

static void diverge(struct attempt *a, size_t step, struct step_outcome *outcome)
{
    a->found.diverged_at = step + 1;
    a->found.result =
        outcome->end == STEP_UNCONTROLLED ? TAC_REPLAY_UNCONTROLLED : TAC_REPLAY_NOT_REPRODUCED;
    a->found.reason = tac_format("%s: %s", a->w->steps.at[step].label,
                                 outcome->why ? outcome->why : "it did not happen");
}

static void judge(struct attempt *a, size_t callback, bool failed_in_step)
{
    struct replay_report *r = &a->found;
    r->call_seen = call_in(a, callback);
    bool confirmed = failed_in_step || (r->call_seen && (a->failed || a->w->silent));
    r->result = confirmed ? TAC_REPLAY_CONFIRMED : TAC_REPLAY_NOT_REPRODUCED;
    if (confirmed)
        return;
    if (!r->call_seen)
        r->diverged_at = a->w->steps.count;
    r->reason = r->call_seen
                    ? tac_format("the call was made as predicted, and nothing was seen to fail")
                    : tac_format("%s: it happened, and the app did not make %s: it went another "
                                 "way",
                                 a->w->steps.at[a->w->steps.count - 1].label, a->w->words);
}

static tac_status play(tac_subject *subject, struct attempt *a, const tac_replay_options *options,
                       bool eager, tac_error *err)
{
    size_t count = a->w->steps.count;
    tac_str besides = {0};
    tac_status status = TAC_OK;
    struct step_outcome outcome = {.end = STEP_DONE, .callback = SIZE_MAX};
    for (size_t i = 0; i < count && status == TAC_OK && outcome.end == STEP_DONE; i++) {
        if (!tac_watch_tick(options->watch, "replaying", i, count)) {
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
            break;
        }
        struct subject_step step = a->w->steps.at[i];
        step.deadline = options->deadline > 0 ? options->deadline : 10;
        step.eager = eager;
        a->step = i;
        a->last = i + 1 == count;
        status = subject->driver->perform(subject->state, &step, &outcome, err);
        if (status != TAC_OK)
            break;
        if (outcome.besides)
            tac_str_add(&besides, outcome.besides);
        if (outcome.end == STEP_DONE)
            a->found.performed++;
        else
            diverge(a, i, &outcome);
        free(outcome.besides);
        free(outcome.why);
    }
    bool failed_in_step = a->failed;
    a->last = false;
    a->after = true;
    if (status == TAC_OK && outcome.end == STEP_DONE) {
        if (!a->failed && call_in(a, outcome.callback)) /* its effect may come later */
            status = subject->driver->let_go(subject->state, 1.5, err);
        if (status == TAC_OK)
            judge(a, outcome.callback, failed_in_step);
    }
    a->found.besides = besides.length ? tac_str_take(&besides) : NULL;
    tac_str_free(&besides);
    return status;
}

static tac_status try_once(tac_subject *subject, const struct witness *w,
                           const tac_replay_options *options, bool eager, struct replay_report *out,
                           tac_error *err)
{
    struct attempt a = {.w = w, .step = SIZE_MAX, .current = SIZE_MAX};
    a.found.result = TAC_REPLAY_NOT_REPRODUCED;
    struct subject_log log = {.context = &a,
                              .message = see_message,
                              .failure = see_failure,
                              .unseen = see_text,
                              .dropped = see_count,
                              .note = see_text,
                              .step = see_nothing};
    tac_error ignored;
    tac_status status =
        subject->driver->start(subject->state, SUBJECT_HELD, options->seed, &log, err);
    if (status == TAC_OK)
        status = play(subject, &a, options, eager, err);
    tac_status stopped = subject->driver->stop(subject->state, status == TAC_OK ? err : &ignored);
    if (status == TAC_OK)
        status = stopped;
    tac_vec_free(&a.calls);
    if (status == TAC_OK)
        *out = a.found;
    else
        replay_report_free(&a.found);
    return status;
}

/* Confirmed before all, then whatever came furthest. */
static bool is_better(const struct replay_report *one, const struct replay_report *than)
{
    if ((one->result == TAC_REPLAY_CONFIRMED) != (than->result == TAC_REPLAY_CONFIRMED))
        return one->result == TAC_REPLAY_CONFIRMED;
    return one->performed > than->performed;
}

static tac_status replay_run(tac_subject *subject, const struct witness *w,
                             const tac_replay_options *options, struct replay_report *out,
                             tac_error *err)
{
    unsigned most = options->attempts ? options->attempts : 3;
    assert(w->steps.count);
    tac_status status = TAC_OK;
    for (unsigned i = 0; i < most && status == TAC_OK; i++) {
        struct replay_report now = {0};
        status = try_once(subject, w, options, i % 2 == 1, &now, err);
        if (status != TAC_OK)
            break;
        bool same_end = i && now.result == out->result && now.diverged_at == out->diverged_at;
        unsigned confirmed = i ? out->confirmed : 0;
        bool better = !i || is_better(&now, out);
        if (i && better)
            replay_report_free(out);
        if (better)
            *out = now;
        else
            replay_report_free(&now);
        out->attempts = i + 1;
        out->confirmed = confirmed + (better && out->result == TAC_REPLAY_CONFIRMED);
        /* Once as few as possible were let go, once what is due at once, too: if the app went the
         * same other way both times, a third time would not help. */
        if (out->result == TAC_REPLAY_CONFIRMED || (i == 1 && same_end))
            break;
    }
    return status;
}

void replay_report_free(struct replay_report *report)
{
    free(report->reason);
    free(report->type);
    free(report->message);
    free(report->stack);
    free(report->besides);
    *report = (struct replay_report){0};
}

/* Labels are what replay goes by: those of another recorder or mode are of nothing here, and what
 * does not happen then says nothing about the app. */
static tac_status check_recorder(const tac_subject *subject, const struct witness *w,
                                 const char *recording, tac_error *err)
{
    if (w->recorder && strcmp(w->recorder, subject->driver->recorder) != 0)
        return tac_fail_at(err, TAC_E_INPUT, recording, 1, 0,
                           "was recorded by '%s', and this app would be by '%s': replay it on the "
                           "app that was recorded",
                           w->recorder, subject->driver->recorder);
    if (w->mode && subject->mode && strcmp(w->mode, subject->mode) != 0)
        return tac_fail_at(err, TAC_E_INPUT, recording, 1, 0,
                           "was recorded in the mode '%s', in which callbacks have other labels: "
                           "replay it in the same mode, not in '%s'",
                           w->mode, subject->mode);
    return TAC_OK;
}

tac_status tac_replay_witness(tac_subject *subject, const tac_protocol_witness *witness,
                              const char *recording, const tac_replay_options *options,
                              tac_replay *out, tac_error *err)
{
    struct witness w;
    struct replay_report report = {0};
    tac_status status = witness_load(witness, recording, &w, err);
    if (status != TAC_OK)
        return status;
    status = check_recorder(subject, &w, recording, err);
    if (status == TAC_OK)
        status = replay_run(subject, &w, options, &report, err);
    if (status == TAC_OK)
        replay_result(&w, &report, options->seed, out);
    replay_report_free(&report);
    witness_free(&w);
    return status;
}
