/* How a walk through the rules ended, as documents say it: the message refused, the rule against it
 * and what made that rule fire, the names that the recording has almost. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "protocol/show/text.h"
#include "protocol/spec/spelling.h"
#include "protocol/validate/validation.h"

const char *validation_word(enum step_result result)
{
    static const char *const words[] = {"OK", "STUCK", "VIOLATION", "CONFLICT"};
    assert(result < sizeof words / sizeof *words);
    return words[result];
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

json_t *validation_document(const struct validation *v)
{
    const struct recording *r = v->problem->recording;
    json_t *json = json_object();
    json_object_set_new(json, "result", json_string(validation_word(v->result)));
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
