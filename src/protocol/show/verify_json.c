/* The document of verify. */
#include "base/check.h"
#include "base/io/json.h"
#include "protocol/evidence/json.h"

static json_t *number(size_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *targets_json(const tac_protocol_result *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < result->call_count; i++) {
        const tac_protocol_call *call = &result->calls[i];
        json_t *json = json_object();
        assert((call->safety == TAC_UNSAFE) == (call->witness_events > 0));
        json_object_set_new(json, "message", tac_json_string(call->message));
        if (call->method)
            json_object_set_new(json, "method", tac_json_string(call->method));
        json_object_set_new(json, "verdict", json_string(tac_safety_name(call->safety)));
        if (call->witness_events)
            json_object_set_new(json, "witness_events", number(call->witness_events));
        json_array_append_new(list, json);
    }
    return list;
}

static json_t *witnesses_json(const tac_protocol_result *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < result->witness_count; i++)
        json_array_append_new(list, tac_protocol_witness_json(&result->witnesses[i]));
    return list;
}

/* Where the rules are taken on trust nothing is said of it; a call of the app that they disallow
 * is no reason to mistrust them. */
static void add_admission(const tac_protocol_result *result, json_t *json)
{
    bool admitted =
        result->admission == TAC_ADMITTED || result->admission == TAC_ADMISSION_VIOLATION;
    if (!result->validated)
        return;
    json_object_set_new(json, "admitted", json_boolean(admitted));
    if (admitted)
        return;
    json_object_set_new(json, "because", evidence_reason_json(result->because));
    json_object_set_new(json, "refused", evidence_message_json(result->refused));
}

json_t *tac_protocol_verify_json(const tac_protocol_result *result)
{
    const tac_protocol_witness *witness = result->witness;
    json_t *json = json_object();
    assert((result->safety == TAC_UNSAFE) == (witness != NULL));
    json_object_set_new(json, "verdict", json_string(tac_safety_name(result->safety)));
    if (result->left_out)
        json_object_set_new(json, "left_out", tac_json_string(result->left_out));
    add_admission(result, json);
    json_object_set_new(json, "witness_events", witness ? number(witness->count) : json_null());
    json_object_set_new(json, "witness", evidence_steps_json(witness));
    json_object_set_new(json, "violation",
                        witness ? evidence_violation_json(&witness->violation) : json_null());
    json_object_set_new(json, "targets", targets_json(result));
    if (result->every_witness)
        json_object_set_new(json, "witnesses", witnesses_json(result));
    json_object_set_new(json, "engine", json_string(result->by_diagrams ? "bdd" : "bfs"));
    json_object_set_new(json, "states", json_integer((json_int_t)result->states));
    json_object_set_new(json, "ground_rules", number(result->ground_rules));
    json_object_set_new(json, "messages", number(result->reading.messages));
    json_object_set_new(json, "toplevel_callbacks", number(result->reading.toplevel_callbacks));
    json_object_set_new(json, "events", number(result->events));
    json_object_set_new(json, "raised_callbacks", number(result->reading.raised_callbacks));
    evidence_add_reading(&result->reading, json);
    json_object_set_new(json, "certificate",
                        result->certificate ? tac_json_string(result->certificate) : json_null());
    return json;
}
