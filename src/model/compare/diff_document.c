/* The difference of two models as a document and as a verdict. */
#include "base/check.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "tactus/model_tools.h"

static json_t *machine_json(const tac_model *model, uint32_t m)
{
    assert(m < model->machine_count);
    return tac_json_string(model->machines[m].name);
}

static json_t *node_json(const tac_model *model, uint32_t n)
{
    assert(n < model->node_count);
    tac_str text = {0};
    tac_str_addf(&text, "%s/%s", model->machines[model->nodes[n].machine].name,
                 model->nodes[n].name);
    json_t *path = tac_json_string(tac_str_text(&text));
    tac_str_free(&text);
    return path;
}

static json_t *transition_json(const tac_model *model, uint32_t t)
{
    assert(t < model->transition_count);
    const tac_model_transition *transition = &model->transitions[t];
    json_t *object = json_object();
    json_object_set_new(object, "machine",
                        machine_json(model, model->nodes[transition->from].machine));
    json_object_set_new(object, "from", tac_json_string(model->nodes[transition->from].name));
    json_object_set_new(object, "event", tac_json_string(model->events[transition->event]));
    json_object_set_new(object, "to", tac_json_string(model->nodes[transition->to].name));
    json_object_set_new(object, "line", json_integer(transition->line));
    return object;
}

static json_t *list_json(const tac_model *model, const tac_model_indices *indices,
                         json_t *(*part_json)(const tac_model *model, uint32_t index))
{
    json_t *list = json_array();
    for (size_t i = 0; i < indices->count; i++)
        json_array_append_new(list, part_json(model, indices->at[i]));
    return list;
}

static json_t *only_json(const tac_model *model, const tac_model_only *only)
{
    json_t *object = json_object();
    json_object_set_new(object, "machines", list_json(model, &only->machines, machine_json));
    json_object_set_new(object, "states", list_json(model, &only->states, node_json));
    json_object_set_new(object, "connections", list_json(model, &only->connections, node_json));
    json_object_set_new(object, "finals", list_json(model, &only->finals, node_json));
    json_object_set_new(object, "transitions",
                        list_json(model, &only->transitions, transition_json));
    return object;
}

static json_t *change_json(const tac_model *model, const tac_model_change *change)
{
    json_t *object = json_object();
    json_object_set_new(object, "where",
                        change->part == TAC_PART_MODEL     ? tac_json_string(model->name)
                        : change->part == TAC_PART_MACHINE ? machine_json(model, change->index)
                        : change->part == TAC_PART_NODE    ? node_json(model, change->index)
                                                           : transition_json(model, change->index));
    json_object_set_new(object, "what", json_string(change->what));
    json_object_set_new(object, "first", tac_json_string(change->first));
    json_object_set_new(object, "second", tac_json_string(change->second));
    return object;
}

static json_t *matched_json(const tac_model_differences *diff)
{
    return json_pack("{s:I,s:I,s:I}", "machines", (json_int_t)diff->machines, "states",
                     (json_int_t)diff->states, "transitions", (json_int_t)diff->transitions);
}

json_t *tac_model_differences_json(const tac_model_differences *diff)
{
    json_t *document = json_object(), *changed = json_array();
    for (size_t i = 0; i < diff->change_count; i++)
        json_array_append_new(changed, change_json(diff->first, &diff->changes[i]));
    json_object_set_new(document, "equal", json_boolean(diff->count == 0));
    json_object_set_new(document, "matched", matched_json(diff));
    json_object_set_new(document, "renamed", json_integer((json_int_t)diff->renamed));
    json_object_set_new(document, "differences", json_integer((json_int_t)diff->count));
    json_object_set_new(document, "devices",
                        json_pack("[I,I]", (json_int_t)diff->first->device_count,
                                  (json_int_t)diff->second->device_count));
    json_object_set_new(document, "only_first", only_json(diff->first, &diff->only_first));
    json_object_set_new(document, "only_second", only_json(diff->second, &diff->only_second));
    json_object_set_new(document, "changed", changed);
    return document;
}

void tac_model_diff_verdict(const tac_model_differences *diff, const char *subject,
                            tac_verdict *out)
{
    bool equal = diff->count == 0;
    tac_verdict_init(out, "model", subject, equal ? TAC_HOLDS : TAC_VIOLATED);
    if (equal)
        tac_verdict_explain(out, "equal up to names: %zu states and %zu transitions correspond",
                            diff->states, diff->transitions);
    else
        tac_verdict_explain(out, "%zu difference%s; %zu states and %zu transitions correspond",
                            diff->count, diff->count == 1 ? "" : "s", diff->states,
                            diff->transitions);
    out->statistics = matched_json(diff);
    if (!equal)
        out->witness = tac_model_differences_json(diff);
}
