/* What a run did. See deeds.h. */
#include "run/deeds.h"
#include "base/io/json.h"
#include "flow/describe.h"

void deeds_add(struct run_deeds *deeds, const char *place, const char *event,
               const tac_gesture *gesture)
{
    tac_model_action action = {.kind = gesture->kind,
                               .xpath = gesture->target.xpath,
                               .resource_id = gesture->target.resource_id,
                               .text = gesture->target.text,
                               .value = gesture->value};
    deeds_add_step(deeds, place, event, &action, 1, 0);
}

void deeds_add_step(struct run_deeds *deeds, const char *place, const char *event,
                    const tac_model_action *actions, size_t count, size_t abandoned)
{
    tac_flow_step step = {.event = event,
                          .device = "",
                          .kind = TAC_EVENT_USER,
                          .actions = actions,
                          .action_count = count,
                          .time = 0, /* a monkey does not wait */
                          .abandoned = (uint32_t)abandoned};
    json_t *object = flow_step_json(&step);
    char *text = tac_json_text(object, JSON_COMPACT);
    tac_vec_push(&deeds->list, (struct run_deed){tac_names_intern(&deeds->places, place),
                                                 tac_names_intern(&deeds->acts, text)});
    free(text);
    json_decref(object);
}

json_t *deeds_json(const struct run_deeds *deeds, const char *end)
{
    if (!deeds->list.count)
        return NULL;
    json_t *places = json_array(), *acts = json_array(), *steps = json_array();
    uint32_t last = tac_names_find(&deeds->places, end);
    for (size_t i = 0; i < deeds->places.count; i++)
        json_array_append_new(places, tac_json_string(deeds->places.text[i]));
    if (last == TAC_NONE) {
        last = (uint32_t)deeds->places.count;
        json_array_append_new(places, tac_json_string(end));
    }
    for (size_t i = 0; i < deeds->acts.count; i++)
        json_array_append_new(acts, json_loads(deeds->acts.text[i], 0, NULL));
    for (size_t i = 0; i < deeds->list.count; i++)
        json_array_append_new(
            steps, json_pack("[i,i]", (int)deeds->list.at[i].place, (int)deeds->list.at[i].act));
    return json_pack("{s:o,s:o,s:o,s:i}", "places", places, "acts", acts, "steps", steps, "end",
                     (int)last);
}

void deeds_free(struct run_deeds *deeds)
{
    tac_names_free(&deeds->places);
    tac_names_free(&deeds->acts);
    tac_vec_free(&deeds->list);
}
