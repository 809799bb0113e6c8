/* The document of a replay. */
#include "base/check.h"
#include "base/io/json.h"
#include "replay/witness.h"

static json_t *lines_json(const char *const *lines, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, tac_json_string(lines[i]));
    return list;
}

json_t *replay_exception_json(const tac_replay *replay)
{
    if (!replay->exception)
        return json_null();
    assert(replay->message);
    return json_pack("{s:o,s:o,s:o}", "type", tac_json_string(replay->exception), "message",
                     tac_json_string(replay->message), "stack",
                     lines_json(replay->stack, replay->stack_count));
}

static json_t *steps_json(const tac_replay *replay)
{
    json_t *list = json_array();
    for (size_t i = 0; i < replay->step_count; i++) {
        json_t *step = json_object();
        json_object_set_new(step, "event", tac_json_string(replay->steps[i].event));
        json_object_set_new(step, "performed", json_boolean(replay->steps[i].performed));
        if (replay->steps[i].gesture)
            json_object_set(step, "gesture", replay->steps[i].gesture);
        json_array_append_new(list, step);
    }
    return list;
}

json_t *tac_replay_json(const tac_replay *replay)
{
    json_t *json = json_object();
    json_object_set_new(json, "result", json_string(tac_replay_result_name(replay->result)));
    json_object_set_new(json, "witness_events", json_integer((json_int_t)replay->step_count));
    json_object_set_new(json, "performed", json_integer((json_int_t)replay->performed));
    json_object_set_new(json, "diverged_at",
                        replay->diverged_at ? json_integer((json_int_t)replay->diverged_at)
                                            : json_null());
    json_object_set_new(json, "reason",
                        replay->reason ? tac_json_string(replay->reason) : json_null());
    json_object_set_new(json, "exception", replay_exception_json(replay));
    json_object_set_new(json, "attempts", json_integer(replay->attempts));
    json_object_set_new(json, "confirmed_attempts", json_integer(replay->confirmed_attempts));
    json_object_set_new(json, "seed", json_integer((json_int_t)replay->seed));
    json_object_set_new(json, "call", tac_json_string(replay->call));
    json_object_set_new(json, "call_seen", json_boolean(replay->call_seen));
    json_object_set_new(json, "rule", tac_json_string(replay->rule));
    json_object_set_new(json, "severity", tac_json_string(replay->severity));
    json_object_set_new(json, "silent", json_boolean(replay->silent));
    json_object_set_new(json, "released_besides",
                        lines_json(replay->released_besides, replay->released_count));
    json_object_set_new(json, "steps", steps_json(replay));
    return json;
}
