/* Steps by number. See steps.h. */
#include "reproduce/known/steps.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "flow/describe.h"

uint32_t steps_number(struct step_table *table, const tac_flow_step *step)
{
    tac_flow_step plain = *step;
    plain.screen = (tac_flow_screen){0}; /* of the flow that it was a part of */
    json_t *object = flow_step_json(&plain);
    char *text = tac_json_text(object, JSON_COMPACT);
    size_t before = table->keys.count;
    uint32_t number = tac_names_intern(&table->keys, text);
    if (table->keys.count > before)
        tac_vec_push(&table->at, flow_set_keep_step(&table->texts, step));
    assert(table->at.count == table->keys.count && number < table->at.count);
    free(text);
    json_decref(object);
    return number;
}

uint32_t steps_with_time(struct step_table *table, uint32_t step, double time)
{
    tac_flow_step changed = table->at.at[step];
    changed.time = time;
    return steps_number(table, &changed);
}

uint32_t steps_with_value(struct step_table *table, uint32_t step, size_t action, const char *value)
{
    tac_flow_step changed = table->at.at[step];
    assert(action < changed.action_count);
    tac_model_action *actions = tac_calloc(changed.action_count, sizeof *actions);
    memcpy(actions, changed.actions, changed.action_count * sizeof *actions);
    actions[action].value = value;
    changed.actions = actions;
    uint32_t number = steps_number(table, &changed);
    free(actions);
    return number;
}

tac_flow steps_flow(const struct step_table *table, const struct script *script,
                    const tac_flow *start)
{
    tac_flow_step *steps = tac_calloc(script->count, sizeof *steps);
    for (size_t i = 0; i < script->count; i++) {
        assert(script->at[i] < table->at.count);
        steps[i] = table->at.at[script->at[i]];
    }
    tac_flow flow = *start;
    flow.kind = TAC_FLOW_WITNESS;
    flow.steps = steps;
    flow.step_count = script->count;
    return flow;
}

void steps_free(struct step_table *table)
{
    tac_vec_free(&table->at);
    tac_names_free(&table->keys);
    flow_set_free(&table->texts);
}

struct script script_copy(const struct script *script)
{
    struct script copy = {0};
    tac_vec_append(&copy, script->at, script->count);
    return copy;
}

bool script_equal(const struct script *a, const struct script *b)
{
    return a->count == b->count && (!a->count || !memcmp(a->at, b->at, a->count * sizeof *a->at));
}

/* Messages on the channel that are under way before step `end`. */
static int64_t under_way(const struct step_table *table, const struct script *script, size_t end,
                         const char *channel)
{
    int64_t messages = 0;
    for (size_t i = 0; i < end; i++) {
        const tac_flow_step *step = &table->at.at[script->at[i]];
        messages += step->sends && !strcmp(step->sends, channel);
        messages -= step->receives && !strcmp(step->receives, channel);
    }
    return messages;
}

bool script_sends_first(const struct step_table *table, const struct script *script)
{
    bool fine = true;
    for (size_t i = 0; i < script->count && fine; i++) {
        const char *channel = table->at.at[script->at[i]].receives;
        fine = !channel || under_way(table, script, i, channel) > 0;
    }
    return fine;
}

struct script script_without(const struct script *script, size_t from, size_t count)
{
    struct script rest = {0};
    assert(from + count <= script->count);
    tac_vec_append(&rest, script->at, from);
    tac_vec_append(&rest, script->at + from + count, script->count - from - count);
    return rest;
}
