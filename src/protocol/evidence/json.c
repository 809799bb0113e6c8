/* See json.h. Optional keys are left out where there is nothing to say. */
#include "protocol/evidence/json.h"
#include "base/check.h"
#include "base/io/json.h"

static void add_text(json_t *json, const char *key, const char *text)
{
    if (text)
        json_object_set_new(json, key, tac_json_string(text));
}

static void add_number(json_t *json, const char *key, size_t number)
{
    json_object_set_new(json, key, json_integer((json_int_t)number));
}

json_t *evidence_message_json(const tac_protocol_message *m)
{
    if (!m)
        return json_null();
    json_t *json = json_object();
    add_text(json, "message", m->message);
    add_number(json, "index", m->index);
    add_text(json, "words", m->words);
    json_object_set_new(json, "id", json_integer((json_int_t)m->id));
    add_text(json, "event", m->event);
    add_number(json, "event_index", m->event_index);
    add_text(json, "line", m->line);
    add_text(json, "exception", m->exception);
    return json;
}

json_t *evidence_reason_json(const tac_protocol_reason *reason)
{
    if (!reason)
        return json_null();
    json_t *json = json_object();
    add_text(json, "rule", reason->rule);
    add_text(json, "fired_by", reason->fired_by);
    add_text(json, "effect", tac_rule_effect_name(reason->effect));
    add_text(json, "text", reason->text);
    add_text(json, "words", reason->words);
    if (reason->in)
        add_number(json, "in", reason->in);
    add_text(json, "line", reason->line);
    if (reason->fired_at)
        json_object_set_new(json, "fired_at", evidence_message_json(reason->fired_at));
    if (reason->against)
        json_object_set_new(json, "against", evidence_reason_json(reason->against));
    add_text(json, "about", reason->about);
    return json;
}

static json_t *step_json(const tac_protocol_step *step)
{
    json_t *json = json_object();
    add_text(json, "event", step->event);
    add_text(json, "callback", step->callback);
    json_object_set_new(json, "assumed", json_boolean(step->assumed));
    if (step->assumed) {
        json_object_set_new(json, "recorded_as", json_null());
    } else {
        add_number(json, "recorded_as", step->recorded_as);
        json_object_set_new(json, "message_id", json_integer((json_int_t)step->message_id));
    }
    if (step->other_thread)
        json_object_set_new(json, "other_thread", json_true());
    json_object_set_new(json, "enabled_by", evidence_reason_json(step->enabled_by));
    return json;
}

json_t *evidence_steps_json(const tac_protocol_witness *witness)
{
    json_t *list = json_array();
    assert(!witness || witness->count);
    for (size_t i = 0; witness && i < witness->count; i++)
        json_array_append_new(list, step_json(&witness->steps[i]));
    return list;
}

json_t *evidence_violation_json(const tac_protocol_violation *violation)
{
    json_t *json = json_object();
    add_text(json, "message", violation->message);
    add_text(json, "words", violation->words);
    add_number(json, "in", violation->in);
    add_text(json, "line", violation->line);
    json_object_set_new(json, "prohibited_by", evidence_reason_json(violation->prohibited_by));
    return json;
}

json_t *tac_protocol_witness_json(const tac_protocol_witness *witness)
{
    json_t *json = json_object();
    add_number(json, "witness_events", witness->count);
    json_object_set_new(json, "witness", evidence_steps_json(witness));
    json_object_set_new(json, "violation", evidence_violation_json(&witness->violation));
    return json;
}

static json_t *threads_json(const tac_protocol_reading *reading)
{
    json_t *json = json_object();
    add_number(json, "threads", reading->other_threads.threads);
    add_number(json, "messages", reading->other_threads.messages);
    add_number(json, "callbacks", reading->other_threads.callbacks);
    add_number(json, "calls", reading->other_threads.calls);
    add_number(json, "unmatched", reading->other_threads.unmatched);
    return json;
}

void evidence_add_reading(const tac_protocol_reading *reading, json_t *document)
{
    json_t *assumed = json_array(), *warnings = json_array();
    assert(!reading->dropped_messages || reading->truncated);
    for (size_t i = 0; i < reading->assumed_count; i++)
        json_array_append_new(assumed, tac_json_string(reading->assumed_callbacks[i]));
    for (size_t i = 0; i < reading->warning_count; i++) {
        json_t *warning = json_object();
        add_text(warning, "file", reading->warnings[i].file);
        add_number(warning, "line", reading->warnings[i].line);
        add_text(warning, "message", reading->warnings[i].message);
        json_array_append_new(warnings, warning);
    }
    json_object_set_new(document, "truncated", json_boolean(reading->truncated));
    add_number(document, "dropped_messages", reading->dropped_messages);
    json_object_set_new(document, "assumed_callbacks", assumed);
    add_number(document, "not_assumed", reading->not_assumed);
    json_object_set_new(document, "other_threads", threads_json(reading));
    json_object_set_new(document, "warnings", warnings);
}
