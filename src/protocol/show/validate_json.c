/* The document of validate. */
#include "base/check.h"
#include "base/io/json.h"
#include "protocol/evidence/json.h"

static json_t *number(size_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *messages_json(const tac_protocol_message *messages, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, evidence_message_json(&messages[i]));
    return list;
}

static json_t *misses_json(const tac_protocol_result *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < result->near_miss_count; i++) {
        const tac_protocol_near_miss *miss = &result->near_misses[i];
        json_t *json = json_object();
        json_object_set_new(json, "file", tac_json_string(miss->file));
        json_object_set_new(json, "line", number(miss->line));
        json_object_set_new(json, "column", number(miss->column));
        json_object_set_new(json, "written", tac_json_string(miss->written));
        json_object_set_new(json, "suggestion",
                            miss->suggestion ? tac_json_string(miss->suggestion) : json_null());
        json_object_set_new(json, "message", tac_json_string(miss->message));
        json_array_append_new(list, json);
    }
    return list;
}

static json_t *places_json(const tac_protocol_place *places, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *json = json_object();
        json_object_set_new(json, "file", tac_json_string(places[i].file));
        json_object_set_new(json, "line", number(places[i].line));
        json_array_append_new(list, json);
    }
    return list;
}

json_t *tac_protocol_validate_json(const tac_protocol_result *result)
{
    json_t *json = json_object();
    assert((result->admission == TAC_ADMITTED) == !result->because);
    bool unknown = result->admission == TAC_ADMITTED && result->left_out;
    json_object_set_new(json, "result",
                        json_string(unknown ? "UNKNOWN" : tac_admission_name(result->admission)));
    if (result->left_out)
        json_object_set_new(json, "left_out", tac_json_string(result->left_out));
    json_object_set_new(json, "steps", number(result->steps));
    json_object_set_new(json, "refused", evidence_message_json(result->refused));
    json_object_set_new(json, "because", evidence_reason_json(result->because));
    json_object_set_new(json, "ground_rules", number(result->ground_rules));
    json_object_set_new(json, "messages", number(result->reading.messages));
    json_object_set_new(json, "toplevel_callbacks", number(result->reading.toplevel_callbacks));
    json_object_set_new(json, "raised_callbacks", number(result->reading.raised_callbacks));
    evidence_add_reading(&result->reading, json);
    json_object_set_new(json, "assumed_used", number(result->assumed_used));
    json_object_set_new(json, "near_misses", misses_json(result));
    json_object_set_new(json, "rules_without_instance",
                        places_json(result->without_instance, result->without_instance_count));
    json_object_set_new(json, "foreseen", messages_json(result->foreseen, result->foreseen_count));
    json_object_set_new(json, "unforeseen",
                        messages_json(result->unforeseen, result->unforeseen_count));
    return json;
}
