/* One comparison in the document of compare. */
#include "base/check.h"
#include "base/io/json.h"
#include "protocol/evidence/json.h"

static json_t *difference_json(const tac_protocol_difference *difference)
{
    if (!difference)
        return json_null();
    json_t *json = json_object(), *list = json_array();
    assert(difference->count && difference->because);
    for (size_t i = 0; i < difference->count; i++) {
        const tac_protocol_event *at = &difference->events[i];
        json_t *event = json_object();
        json_object_set_new(event, "event", tac_json_string(at->event));
        json_object_set_new(event, "recorded_as", json_integer((json_int_t)at->recorded_as));
        json_object_set_new(event, "assumed", json_boolean(at->assumed));
        json_array_append_new(list, event);
    }
    json_object_set_new(json, "events", list);
    json_object_set_new(json, "refused",
                        difference->refused ? tac_json_string(difference->refused) : json_null());
    json_object_set_new(json, "result", json_string(tac_admission_name(difference->result)));
    json_object_set_new(json, "because", evidence_reason_json(difference->because));
    return json;
}

/* null: not decided. */
static json_t *inclusion_json(tac_answer answer)
{
    return answer == TAC_INCONCLUSIVE ? json_null() : json_boolean(answer == TAC_HOLDS);
}

json_t *tac_protocol_compare_json(const tac_protocol_comparison *comparison)
{
    json_t *json = json_object();
    assert((comparison->a_admits_all_of_b == TAC_VIOLATED) == (comparison->only_b != NULL));
    assert((comparison->b_admits_all_of_a == TAC_VIOLATED) == (comparison->only_a != NULL));
    json_object_set_new(json, "a_admits_all_of_b", inclusion_json(comparison->a_admits_all_of_b));
    json_object_set_new(json, "b_admits_all_of_a", inclusion_json(comparison->b_admits_all_of_a));
    if (comparison->left_out)
        json_object_set_new(json, "left_out", tac_json_string(comparison->left_out));
    json_object_set_new(json, "only_a", difference_json(comparison->only_a));
    json_object_set_new(json, "only_b", difference_json(comparison->only_b));
    json_object_set_new(json, "states", json_integer((json_int_t)comparison->states));
    json_object_set_new(json, "assumed_callbacks",
                        json_integer((json_int_t)comparison->assumed_callbacks));
    return json;
}
