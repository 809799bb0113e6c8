/* Validation: walks the recording through the system and stops at the first message that the rules
 * do not admit, with the rule that stands against it and the message that made that rule fire.
 *
 * Steps count the messages that some ground rule mentions: the others cannot be refused. Calls that
 * ended in an exception are evidence about the rules: those that the rules allowed are listed as
 * unforeseen. O(messages * machines that read a message). */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "protocol/show/text.h"
#include "protocol/spec/spelling.h"
#include "protocol/validate/validation.h"
#include <string.h>

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

/* What made the rule fire: "the start", or the message in the rules' notation. */
static char *fired_by(const struct validation *v, uint32_t message)
{
    tac_str text = {0};
    if (message == TAC_NONE)
        tac_str_add(&text, "the start");
    else
        recording_letter_text(v->problem->recording,
                              recording_message(v->problem->recording, message)->letter, &text);
    return tac_str_take(&text);
}

/* The top-level event that a message belongs to. */
static uint32_t event_of(const struct recording *r, uint32_t message)
{
    uint32_t low = 0, high = (uint32_t)r->events.count;
    assert(r->events.count && message < r->messages.count);
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->events.at[middle].first <= message)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static json_t *message_json(const struct validation *v, uint32_t message)
{
    const struct problem *p = v->problem;
    assert(message < p->recording->messages.count + p->recording->tail.count);
    const struct message *m = recording_message(p->recording, message);
    const struct call *call = &p->recording->calls.at[m->call];
    bool in_tail = message >= p->recording->messages.count;
    uint32_t event =
        in_tail ? (uint32_t)p->recording->events.count : event_of(p->recording, message);
    tac_str name = {0};
    if (in_tail)
        tac_str_add(&name, "a callback that never ended");
    else
        recording_event_name(p->recording, event, &name);
    json_t *json = json_object();
    json_object_set_new(json, "message", problem_letter_json(p, m->letter));
    json_object_set_new(json, "index", json_integer(message + 1));
    json_object_set_new(json, "words", problem_words_json(p, m->letter));
    json_object_set_new(json, "id",
                        json_integer((json_int_t)(m->is_exit ? call->exit_id : call->entry_id)));
    json_object_set_new(json, "event", tac_json_string(tac_str_text(&name)));
    json_object_set_new(json, "event_index", json_integer(event + 1));
    if (problem_call_line(p, m->call))
        json_object_set_new(json, "line", tac_json_string(problem_call_line(p, m->call)));
    if (call->exception != TAC_NONE)
        json_object_set_new(json, "exception",
                            tac_json_string(p->recording->names.text[call->exception]));
    tac_str_free(&name);
    return json;
}

/* The letter's bit that was looked at when the walk ended; TAC_NONE: after a conflict, by the
 * paper's reading. */
static uint32_t refused_bit(const struct validation *v)
{
    const struct problem *p = v->problem;
    assert(v->result != STEP_OK && v->message < p->recording->messages.count);
    uint32_t bit = p->system.letters[p->recording->messages.at[v->message].letter].bit;
    return v->state.doomed ? TAC_NONE : bit;
}

uint32_t validation_rule(const struct validation *v)
{
    uint32_t bit = v->result == STEP_CONFLICT ? TAC_NONE : refused_bit(v);
    return bit == TAC_NONE ? v->conflict.prohibiting : v->state.reason[bit].rule;
}

json_t *validation_because(const struct validation *v)
{
    const struct problem *p = v->problem;
    char *text;
    if (v->result == STEP_CONFLICT) {
        text = fired_by(v, v->message);
        json_t *reason = problem_reason_json(p, v->conflict.prohibiting, text);
        json_object_set_new(reason, "against",
                            problem_reason_json(p, v->conflict.permitting, text));
        json_object_set_new(reason, "about",
                            problem_letter_json(p, p->system.bit_letters.at[v->conflict.bit]));
        free(text);
        return reason;
    }
    uint32_t bit = refused_bit(v);
    if (bit == TAC_NONE) {
        text = fired_by(v, v->message ? v->message - 1 : TAC_NONE);
        json_t *reason = problem_reason_json(p, v->conflict.prohibiting, text);
        json_object_set_new(reason, "against",
                            problem_reason_json(p, v->conflict.permitting, text));
        free(text);
        return reason;
    }
    struct reason reason = v->state.reason[bit];
    text = fired_by(v, reason.message);
    json_t *json = problem_reason_json(p, reason.rule, text);
    if (reason.message != TAC_NONE)
        json_object_set_new(json, "fired_at", message_json(v, reason.message));
    free(text);
    return json;
}

json_t *validation_refused(const struct validation *v)
{
    bool refused = v->result != STEP_OK && v->message != TAC_NONE;
    return refused ? message_json(v, v->message) : NULL;
}

static json_t *message_list(const struct validation *v, const u32_vec *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count && i < 1000; i++)
        json_array_append_new(array, message_json(v, list->at[i]));
    return array;
}

/* Names in the rules that the recording has almost. */
static json_t *misses_json(const struct problem *p)
{
    json_t *array = json_array();
    near_misses misses = {0};
    spelling_check(p->specs, p->recording, &misses);
    for (size_t i = 0; i < misses.count; i++) {
        const struct near_miss *miss = &misses.at[i];
        tac_str text = {0};
        json_t *json = json_object();
        near_miss_text(miss, &text);
        json_object_set_new(json, "file", tac_json_string(p->specs->files.at[miss->file]));
        json_object_set_new(json, "line", json_integer(miss->line));
        json_object_set_new(json, "column", json_integer(miss->column));
        json_object_set_new(json, "written", tac_json_string(miss->written));
        json_object_set_new(json, "suggestion",
                            miss->recorded ? tac_json_string(miss->recorded) : json_null());
        json_object_set_new(json, "message", tac_json_string(tac_str_text(&text)));
        json_array_append_new(array, json);
        tac_str_free(&text);
    }
    near_misses_free(&misses);
    return array;
}

/* Rules without an instance: [{"file", "line"}]. */
static json_t *unmatched_json(const struct problem *p)
{
    json_t *array = json_array();
    uint8_t *used = tac_calloc(p->specs->rules.count + 1, 1);
    for (size_t i = 0; i < p->grounding.rules.count; i++)
        if (p->grounding.rules.at[i].source != TAC_NONE)
            used[p->grounding.rules.at[i].source] = 1;
    for (size_t i = 0; i < p->specs->rules.count; i++)
        if (!used[i]) {
            const struct spec_rule *rule = &p->specs->rules.at[i];
            json_t *json = json_object();
            json_object_set_new(json, "file", tac_json_string(p->specs->files.at[rule->file]));
            json_object_set_new(json, "line", json_integer(rule->line));
            json_array_append_new(array, json);
        }
    free(used);
    return array;
}

static const char *const result_names[] = {"OK", "STUCK", "VIOLATION", "CONFLICT"};

static json_t *document_of(const struct validation *v)
{
    const struct recording *r = v->problem->recording;
    json_t *json = json_object();
    assert(v->result < sizeof result_names / sizeof *result_names);
    json_object_set_new(json, "result", json_string(result_names[v->result]));
    json_object_set_new(json, "steps", json_integer((json_int_t)v->steps));
    bool refused = v->result != STEP_OK;
    bool at_start = v->message == TAC_NONE;
    json_object_set_new(json, "refused",
                        !refused || at_start ? json_null() : message_json(v, v->message));
    json_object_set_new(json, "because", refused ? validation_because(v) : json_null());
    json_object_set_new(json, "ground_rules",
                        json_integer((json_int_t)v->problem->grounding.rules.count));
    json_object_set_new(json, "messages", json_integer((json_int_t)r->ui_messages));
    json_object_set_new(json, "toplevel_callbacks",
                        json_integer((json_int_t)(r->events.count - r->assumed_events)));
    json_object_set_new(json, "raised_callbacks", json_integer((json_int_t)r->raised_events));
    problem_add_reading(v->problem, json);
    json_object_set_new(json, "assumed_used", json_integer((json_int_t)v->assumed));
    json_object_set_new(json, "near_misses", misses_json(v->problem));
    json_object_set_new(json, "rules_without_instance", unmatched_json(v->problem));
    json_object_set_new(json, "foreseen", message_list(v, &v->foreseen));
    json_object_set_new(json, "unforeseen", message_list(v, &v->unforeseen));
    return json;
}

static void explain_refusal(const struct validation *v, const tac_protocol_result *result,
                            tac_verdict *verdict)
{
    tac_verdict_explain(verdict, "%s at step %zu: %s; rule %s", result_names[v->result], v->steps,
                        result->refused ? result->refused : "the start", result->refusing_rule);
    tac_verdict_advise(verdict, "%s",
                       v->result == STEP_VIOLATION
                           ? "the app breaks the protocol in this very recording: correct it"
                       : v->result == STEP_CONFLICT
                           ? "two rules disagree here: make their left-hand sides exclusive"
                           : "if the recording is right, a rule that enables the message is "
                             "missing, or the rule named is too strict");
    verdict->witness = validation_because(v);
}

void validation_result(const struct validation *v, tac_protocol_result *out)
{
    static const tac_admission admissions[] = {
        [STEP_OK] = TAC_ADMITTED,
        [STEP_STUCK] = TAC_ADMISSION_STUCK,
        [STEP_VIOLATION] = TAC_ADMISSION_VIOLATION,
        [STEP_CONFLICT] = TAC_ADMISSION_CONFLICT,
    };
    const struct recording *r = v->problem->recording;
    out->admission = admissions[v->result];
    out->steps = v->steps;
    if (v->result == STEP_OK)
        return;
    tac_str rule = {0}, words = {0};
    problem_rule_place(v->problem, validation_rule(v), &rule);
    out->refusing_rule = tac_str_take(&rule);
    if (v->message != TAC_NONE) {
        recording_letter_words(r, recording_message(r, v->message)->letter, &words);
        out->refused = tac_str_take(&words);
    }
}

static void set_result(const struct validation *v, tac_protocol_result *out)
{
    const struct recording *r = v->problem->recording;
    tac_verdict *verdict = &out->verdict;
    *out = (tac_protocol_result){0};
    validation_result(v, out);
    tac_verdict_init(verdict, "protocol", r->name, v->result == STEP_OK ? TAC_HOLDS : TAC_VIOLATED);
    if (v->result == STEP_OK)
        tac_verdict_explain(
            verdict, "the rules admit the recording (%zu messages that they mention)", v->steps);
    else
        explain_refusal(v, out, verdict);
    verdict->statistics = json_pack("{s:I,s:I,s:I}", "steps", (json_int_t)v->steps, "ground_rules",
                                    (json_int_t)v->problem->grounding.rules.count, "messages",
                                    (json_int_t)r->ui_messages);
}

tac_status tac_protocol_validate(const tac_protocol_rules *rules, const tac_recording *recording,
                                 const tac_protocol_options *options, json_t **document,
                                 tac_protocol_result *result, tac_error *err)
{
    struct problem problem;
    tac_status status = problem_build(rules, recording, options, &problem, err);
    if (status != TAC_OK)
        return status;
    struct validation v = {.problem = &problem};
    status = validation_walk(&v, options->watch, err);
    if (status == TAC_OK)
        status = judge_tail(&v, rules, recording, options, err);
    if (status == TAC_OK && document)
        *document = document_of(&v);
    if (status == TAC_OK && result)
        set_result(&v, result);
    validation_free(&v);
    problem_free(&problem);
    return status;
}
