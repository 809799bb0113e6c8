/* Flows as JSON: one object a line. docs/flows.md describes the keys. */
#include "base/io/json.h"
#include "flow/describe.h"
#include "flow/file.h"
#include <string.h>

static const struct {
    tac_flow_kind kind;
    const char *name;
} kinds[] = {
    {TAC_FLOW_EXIT, "exit"},
    {TAC_FLOW_STUCK, "stuck"},
    {TAC_FLOW_TRUNCATED, "truncated"},
    {TAC_FLOW_WITNESS, "witness"},
};

const char *tac_flow_kind_name(tac_flow_kind kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].kind == kind)
            return kinds[i].name;
    return "";
}

bool tac_flow_kind_parse(const char *name, tac_flow_kind *out)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name)) {
            *out = kinds[i].kind;
            return true;
        }
    return false;
}

static void set_text(json_t *object, const char *key, const char *value)
{
    if (value)
        json_object_set_new(object, key, tac_json_string(value));
}

static json_t *texts(const char *const *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, tac_json_string(values[i]));
    return array;
}

static json_t *action_json(const tac_model_action *action)
{
    json_t *object = json_object();
    set_text(object, "kind", tac_action_kind_name(action->kind));
    set_text(object, "xpath", action->xpath);
    set_text(object, "resourceId", action->resource_id);
    set_text(object, "text", action->text);
    set_text(object, "value", action->value);
    set_text(object, "area", action->area);
    if (action->fragile)
        json_object_set_new(object, "fragile", json_true());
    return object;
}

static void set_screen(json_t *object, const tac_flow_screen *screen)
{
    if (screen->expect_count)
        json_object_set_new(object, "expect", texts(screen->expects, screen->expect_count));
    if (screen->show_count)
        json_object_set_new(object, "shows", texts(screen->shows, screen->show_count));
}

json_t *flow_step_json(const tac_flow_step *step)
{
    json_t *object = json_object();
    set_text(object, "event", step->event);
    set_text(object, "device", step->device);
    set_text(object, "kind", step->kind == TAC_EVENT_SYSTEM ? "system" : "user");
    if (step->action_count) {
        json_t *actions = json_array();
        for (size_t i = 0; i < step->action_count; i++)
            json_array_append_new(actions, action_json(&step->actions[i]));
        json_object_set_new(object, "actions", actions);
    }
    json_object_set_new(object, "states", texts(step->states, step->state_count));
    set_text(object, "sends", step->sends);
    set_text(object, "receives", step->receives);
    if (step->time >= 0)
        json_object_set_new(object, "time", tac_json_number(step->time));
    if (step->abandoned)
        json_object_set_new(object, "abandoned", json_integer(step->abandoned));
    set_screen(object, &step->screen);
    return object;
}

static json_t *start_json(const tac_flow_start *start)
{
    json_t *object = json_object();
    set_text(object, "device", start->device);
    if (*start->application)
        set_text(object, "application", start->application);
    if (*start->package)
        set_text(object, "package", start->package);
    json_object_set_new(object, "states", texts(start->states, start->state_count));
    set_screen(object, &start->screen);
    return object;
}

json_t *flow_starts_json(const tac_flow *flow)
{
    json_t *starts = json_array();
    for (size_t i = 0; i < flow->start_count; i++)
        json_array_append_new(starts, start_json(&flow->starts[i]));
    return starts;
}

json_t *tac_flow_json(const tac_flow *flow)
{
    json_t *object = json_object(), *steps = json_array();
    set_text(object, "kind", tac_flow_kind_name(flow->kind));
    set_text(object, "model", flow->model);
    for (size_t i = 0; i < flow->step_count; i++)
        json_array_append_new(steps, flow_step_json(&flow->steps[i]));
    json_object_set_new(object, "start", flow_starts_json(flow));
    json_object_set_new(object, "steps", steps);
    return object;
}

tac_status tac_flow_write(const tac_flow *flow, FILE *out, tac_error *err)
{
    json_t *object = tac_flow_json(flow);
    char *text = tac_json_text(object, JSON_COMPACT);
    json_decref(object);
    bool written = fputs(text, out) >= 0 && fputc('\n', out) != EOF;
    free(text);
    return written ? TAC_OK : tac_fail(err, TAC_E_IO, "cannot write a flow");
}
