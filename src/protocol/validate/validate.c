/* Validation: walks the recording through the system and stops at the first message that the rules
 * do not admit, with the rule that stands against it and the message that made that rule fire.
 *
 * Steps count the messages that some ground rule mentions: the others cannot be refused. Calls that
 * ended in an exception are evidence about the rules: those that the rules allowed are listed as
 * unforeseen. O(messages * machines that read a message). */
#include "base/check.h"
#include "protocol/evidence/described.h"
#include "protocol/evidence/evidence.h"
#include "protocol/validate/validation.h"

static bool raised_call(const struct recording *r, uint32_t message)
{
    assert(message < r->messages.count + r->tail.count);
    const struct message *m = recording_message(r, message);
    const struct call *c = &r->calls.at[m->call];
    return !m->is_exit && c->kind == CALLIN && c->raised;
}

/* One message; a call that raised is noted by whether the rules saw it coming. */
static enum step_result step(struct validation *v, uint32_t message)
{
    const struct recording *r = v->problem->recording;
    assert(message < r->messages.count + r->tail.count);
    enum step_result result =
        full_state_step(&v->problem->system, &v->state, recording_message(r, message)->letter,
                        message, &v->conflict);
    if (raised_call(r, message)) {
        if (result == STEP_VIOLATION)
            tac_vec_push(&v->foreseen, message);
        else
            tac_vec_push(&v->unforeseen, message);
    }
    return result;
}

tac_status validation_walk(struct validation *v, tac_watch *watch, tac_error *err)
{
    const struct system *s = &v->problem->system;
    const struct recording *r = v->problem->recording;
    size_t count = r->order.count ? r->order.count : r->messages.count;
    assert(count <= r->messages.count + 2 * r->assumed_events * (r->events.count + 1));
    v->message = TAC_NONE;
    v->result = full_state_start(s, &v->state, &v->conflict);
    for (uint32_t k = 0; v->result == STEP_OK && k < count; k++) {
        if (k % 65536 == 0 && !tac_watch_tick(watch, "validating", k, count))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted while validating");
        uint32_t i = recording_in_order(r, k);
        bool assumed = r->calls.at[r->messages.at[i].call].assumed;
        v->steps += s->letters[r->messages.at[i].letter].mentioned && !assumed;
        v->assumed += assumed && !r->messages.at[i].is_exit;
        v->message = i;
        v->result = step(v, i);
    }
    assert(v->steps <= count &&
           (v->result == STEP_OK || v->message == TAC_NONE || v->message < r->messages.count));
    return TAC_OK;
}

void validation_free(struct validation *v)
{
    full_state_free(&v->state);
    tac_vec_free(&v->foreseen);
    tac_vec_free(&v->unforeseen);
}

/* A callback that never ended decides nothing, but a crash may be in there: the calls that raised
 * in it are judged by rules grounded on them as well. */
static tac_status judge_tail(struct validation *v, const tac_protocol_rules *rules,
                             const tac_recording *recording, const tac_protocol_options *options,
                             tac_error *err)
{
    const struct recording *r = recording_read_as(recording, options->as_recorded);
    bool raised = false;
    for (size_t i = 0; i < r->tail.count; i++)
        raised = raised || raised_call(r, (uint32_t)(r->messages.count + i));
    if (v->result != STEP_OK || !raised)
        return TAC_OK;
    struct problem problem;
    tac_status status = problem_build_with_tail(rules, recording, options, &problem, err);
    if (status != TAC_OK)
        return status;
    struct validation w = {.problem = &problem};
    status = validation_walk(&w, options->watch, err);
    r = problem.recording;
    for (size_t i = 0; w.result == STEP_OK && i < r->tail.count; i++)
        w.result = step(&w, (uint32_t)(r->messages.count + i));
    if (status != TAC_OK) {
        validation_free(&w);
        problem_free(&problem);
        return status;
    }
    /* The lists of the main walk are a prefix of these. */
    tac_vec_free(&v->foreseen);
    tac_vec_free(&v->unforeseen);
    v->foreseen = w.foreseen;
    v->unforeseen = w.unforeseen;
    full_state_free(&w.state);
    problem_free(&problem);
    return TAC_OK;
}

static void explain_refusal(const tac_protocol_result *result, tac_verdict *verdict)
{
    assert(result->because);
    tac_verdict_explain(verdict, "%s at step %zu: %s; rule %s",
                        tac_admission_name(result->admission), result->steps,
                        result->refused ? result->refused->words : "the start",
                        result->because->rule);
    tac_verdict_advise(verdict, "%s",
                       result->admission == TAC_ADMISSION_VIOLATION
                           ? "the app breaks the protocol in this very recording: correct it"
                       : result->admission == TAC_ADMISSION_CONFLICT
                           ? "two rules disagree here: make their left-hand sides exclusive"
                           : "if the recording is right, a rule that enables the message is "
                             "missing, or the rule named is too strict");
    verdict->witness = describe_json(&protocol_reason_described, result->because);
}

static void set_result(const struct validation *v, const tac_protocol_options *options,
                       tac_protocol_result *out)
{
    tac_verdict *verdict = &out->verdict;
    *out = (tac_protocol_result){.memory = evidence_memory()};
    validation_ending(v, out);
    validation_evidence(v, out);
    if (!options->skip_near_misses)
        validation_near_misses(v, out);
    bool admitted = out->admission == TAC_ADMITTED;
    out->left_out = evidence_text_or_null(out->memory, v->problem->specs->left_out);
    tac_verdict_init(verdict, "protocol", v->problem->recording->name,
                     !admitted       ? TAC_VIOLATED
                     : out->left_out ? TAC_INCONCLUSIVE
                                     : TAC_HOLDS);
    if (admitted && out->left_out)
        tac_verdict_explain(verdict, "what may be a rule was left out: %s", out->left_out);
    else if (admitted)
        tac_verdict_explain(
            verdict, "the rules admit the recording (%zu messages that they mention)", out->steps);
    else
        explain_refusal(out, verdict);
    verdict->statistics =
        json_pack("{s:I,s:I,s:I}", "steps", (json_int_t)out->steps, "ground_rules",
                  (json_int_t)out->ground_rules, "messages", (json_int_t)out->reading.messages);
}

tac_status tac_protocol_validate(const tac_protocol_rules *rules, const tac_recording *recording,
                                 const tac_protocol_options *options, tac_protocol_result *result,
                                 tac_error *err)
{
    struct problem problem;
    tac_status status = problem_build(rules, recording, options, &problem, err);
    if (status != TAC_OK)
        return status;
    struct validation v = {.problem = &problem};
    status = validation_walk(&v, options->watch, err);
    if (status == TAC_OK)
        status = judge_tail(&v, rules, recording, options, err);
    if (status == TAC_OK && result)
        set_result(&v, options, result);
    validation_free(&v);
    problem_free(&problem);
    return status;
}
