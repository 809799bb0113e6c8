/* Figures of a model, and the names of the kinds of actions. */
#include "base/check.h"
#include "base/data/text.h"
#include "model/described.h"
#include "model/model.h"
#include <string.h>

static const char *const action_names[] = {
    [TAC_ACTION_CLICK] = "click",   [TAC_ACTION_LONG_CLICK] = "longClick",
    [TAC_ACTION_TEXT] = "text",     [TAC_ACTION_SCROLL] = "scroll",
    [TAC_ACTION_SWIPE] = "swipe",   [TAC_ACTION_PINCH] = "pinch",
    [TAC_ACTION_BACK] = "back",     [TAC_ACTION_HOME] = "home",
    [TAC_ACTION_LAUNCH] = "launch", [TAC_ACTION_KEY] = "key",
    [TAC_ACTION_WAIT] = "wait",     [TAC_ACTION_DOUBLE_CLICK] = "doubleClick",
    [TAC_ACTION_HOVER] = "hover",   [TAC_ACTION_DRAG] = "drag"};
TABLE_COVERS(action_names, TAC_ACTION_DRAG);
enum { ACTION_KINDS = sizeof action_names / sizeof *action_names };

const char *tac_action_kind_name(tac_action_kind kind)
{
    return (unsigned)kind < ACTION_KINDS ? action_names[kind] : "?";
}

bool tac_action_kind_parse(const char *name, tac_action_kind *out)
{
    for (unsigned i = 0; i < ACTION_KINDS; i++)
        if (strcmp(name, action_names[i]) == 0) {
            *out = (tac_action_kind)i;
            return true;
        }
    return false;
}

void tac_model_count(const tac_model *model, tac_model_statistics *out)
{
    tac_model_statistics count = {.devices = model->device_count,
                                  .applications = model->application_count,
                                  .activities = model->activity_count,
                                  .machines = model->machine_count,
                                  .transitions = model->transition_count,
                                  .events = model->event_count};
    for (uint32_t n = 0; n < model->node_count; n++) {
        count.states += model->nodes[n].kind == TAC_NODE_STATE;
        count.connections += model->nodes[n].kind == TAC_NODE_CONNECTION;
        count.finals += model->nodes[n].kind == TAC_NODE_FINAL;
    }
    *out = count;
}

static const struct field model_statistics_fields[] = {
    FIELDS(tac_model_statistics, devices, applications, activities, machines, states, connections,
           finals, transitions, events)};
DESCRIBE(model_statistics, tac_model_statistics);

json_t *tac_model_statistics_json(const tac_model *model)
{
    tac_model_statistics count;
    tac_model_count(model, &count);
    return describe_json(&model_statistics_described, &count);
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

void tac_model_check_verdict(const tac_model *model, const tac_diagnostics *findings,
                             tac_verdict *out)
{
    tac_model_statistics count;
    tac_model_count(model, &count);
    char states[32], transitions[32];
    tac_verdict_init(out, "model", *model->name ? model->name : model->file, TAC_HOLDS);
    tac_verdict_explain(
        out,
        "%s state%s, %s transition%s, %u event%s; %u state machine%s in %u activit%s of %u "
        "application%s on %u device%s",
        tac_thousands(count.states, states, sizeof states), plural(count.states),
        tac_thousands(count.transitions, transitions, sizeof transitions),
        plural(count.transitions), count.events, plural(count.events), count.machines,
        plural(count.machines), count.activities, count.activities == 1 ? "y" : "ies",
        count.applications, plural(count.applications), count.devices, plural(count.devices));
    if (findings->warnings)
        tac_verdict_advise(out, "%zu warning%s: the model is usable, but not all of it is used",
                           findings->warnings, findings->warnings == 1 ? "" : "s");
    out->statistics = tac_model_statistics_json(model);
}

void tac_model_find_risks(const tac_model *model, tac_model_risks *out)
{
    *out = (tac_model_risks){.first = TAC_MODEL_NONE};
    for (uint32_t n = 0; n < model->node_count; n++) {
        const tac_model_node *node = &model->nodes[n];
        for (uint32_t i = 0; i < node->out_count; i++) {
            const tac_model_transition *t = &model->transitions[node->first_out + i];
            uint32_t same = 0, before = 0;
            for (uint32_t k = 0; k < node->out_count; k++) {
                const tac_model_transition *other = &model->transitions[node->first_out + k];
                bool twin = other->event == t->event && other->guard == t->guard;
                same += twin && other->to != t->to;
                before += twin && k < i;
            }
            if (!same || before)
                continue;
            out->nondeterministic++;
            out->first = out->first == TAC_MODEL_NONE ? node->first_out + i : out->first;
        }
    }
    for (uint32_t a = 0; a < model->action_count; a++)
        out->fragile += model->actions[a].fragile;
}
