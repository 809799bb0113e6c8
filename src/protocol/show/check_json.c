/* The document of check-certificate. */
#include "base/check.h"
#include "base/io/json.h"
#include "tactus/protocol_result.h"

static json_t *number(size_t value)
{
    return json_integer((json_int_t)value);
}

json_t *tac_protocol_check_json(const tac_protocol_check *check)
{
    json_t *json = json_object(), *proved = json_array();
    assert(!check->reason || !check->proved_count);
    for (size_t i = 0; i < check->proved_count; i++)
        json_array_append_new(proved, tac_json_string(check->proved[i]));
    json_object_set_new(json, "accepted", json_boolean(!check->reason));
    json_object_set_new(json, "reason",
                        check->reason ? tac_json_string(check->reason) : json_null());
    json_object_set_new(json, "cones", number(check->cones));
    json_object_set_new(json, "states", number(check->states));
    json_object_set_new(json, "ground_rules", number(check->ground_rules));
    json_object_set_new(json, "proved", proved);
    json_object_set_new(json, "target",
                        check->target ? tac_json_string(check->target) : json_null());
    json_object_set_new(json, "as_recorded", json_boolean(check->as_recorded));
    json_object_set_new(json, "rules_sha256", json_string(check->rules_hash));
    json_object_set_new(json, "recording_sha256", json_string(check->recording_hash));
    json_object_set_new(json, "events", number(check->events));
    json_object_set_new(json, "assumed_callbacks", number(check->assumed_callbacks));
    if (check->raised_callbacks)
        json_object_set_new(json, "raised_callbacks", number(check->raised_callbacks));
    return json;
}
