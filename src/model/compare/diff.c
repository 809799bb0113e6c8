/* The difference of two models up to the names of their states, connections, finals, state
 * machines, activities and applications. Models are equal when everything has a partner
 * (match.c) and partners agree in kind, time and channels of transitions, options of calls,
 * and accessibility. Weights, actions and notes are not compared: they say how a model was found
 * and how it is driven.
 *
 * The answer "equal" is certain: it is a checked one-to-one correspondence. The answer "different"
 * is certain for models in which no state has two transitions of the same event. */
#include "base/data/str.h"
#include "base/io/json.h"
#include "model/compare/match.h"
#include "tactus/model_tools.h"
#include <string.h>

struct comparison {
    const tac_model *first, *second;
    struct model_match match;
    json_t *changed;
    size_t renamed;
};

static json_t *node_path(const tac_model *model, uint32_t n)
{
    tac_str text = {0};
    tac_str_addf(&text, "%s/%s", model->machines[model->nodes[n].machine].name,
                 model->nodes[n].name);
    json_t *path = tac_json_string(tac_str_text(&text));
    tac_str_free(&text);
    return path;
}

static json_t *transition_object(const tac_model *model, uint32_t t)
{
    const tac_model_transition *transition = &model->transitions[t];
    json_t *object = json_object();
    json_object_set_new(
        object, "machine",
        tac_json_string(model->machines[model->nodes[transition->from].machine].name));
    json_object_set_new(object, "from", tac_json_string(model->nodes[transition->from].name));
    json_object_set_new(object, "event", tac_json_string(model->events[transition->event]));
    json_object_set_new(object, "to", tac_json_string(model->nodes[transition->to].name));
    json_object_set_new(object, "line", json_integer(transition->line));
    return object;
}

/* What one of the models has alone. */
static json_t *only_in(const tac_model *model, const uint32_t *machines, const uint32_t *nodes,
                       const uint32_t *transitions)
{
    static const char *const lists[] = {"states", "connections", "finals"};
    json_t *only = json_object(), *by_kind[3];
    json_t *machine_list = json_array(), *transition_list = json_array();
    json_object_set_new(only, "machines", machine_list);
    for (int kind = 0; kind < 3; kind++) {
        by_kind[kind] = json_array();
        json_object_set_new(only, lists[kind], by_kind[kind]);
    }
    json_object_set_new(only, "transitions", transition_list);
    for (uint32_t m = 0; m < model->machine_count; m++)
        if (machines[m] == TAC_MODEL_NONE)
            json_array_append_new(machine_list, tac_json_string(model->machines[m].name));
    for (uint32_t n = 0; n < model->node_count; n++)
        if (nodes[n] == TAC_MODEL_NONE)
            json_array_append_new(by_kind[model->nodes[n].kind], node_path(model, n));
    for (uint32_t t = 0; t < model->transition_count; t++)
        if (transitions[t] == TAC_MODEL_NONE)
            json_array_append_new(transition_list, transition_object(model, t));
    return only;
}

static void note_change(struct comparison *work, json_t *where, const char *what,
                        const char *before, const char *after)
{
    json_array_append_new(work->changed,
                          json_pack("{s:o,s:s,s:o,s:o}", "where", where, "what", what, "first",
                                    tac_json_string(before), "second", tac_json_string(after)));
}

static void note_flag(struct comparison *work, json_t *where, const char *what, bool before)
{
    note_change(work, where, what, before ? "true" : "false", before ? "false" : "true");
}

static const char *channel(const tac_model *model, uint32_t index)
{
    return index == TAC_MODEL_NONE ? "" : model->channels[index];
}

static void compare_transitions(struct comparison *work, uint32_t a, uint32_t b)
{
    const tac_model_transition *first = &work->first->transitions[a];
    const tac_model_transition *second = &work->second->transitions[b];
    static const char *const kinds[] = {"user", "system"};
    if (first->kind != second->kind)
        note_change(work, transition_object(work->first, a), "kind", kinds[first->kind],
                    kinds[second->kind]);
    if (first->time != second->time) {
        char before[40] = "", after[40] = "";
        if (first->time >= 0)
            snprintf(before, sizeof before, "%g", first->time);
        if (second->time >= 0)
            snprintf(after, sizeof after, "%g", second->time);
        note_change(work, transition_object(work->first, a), "time", before, after);
    }
    if (strcmp(channel(work->first, first->sends), channel(work->second, second->sends)) != 0)
        note_change(work, transition_object(work->first, a), "sends",
                    channel(work->first, first->sends), channel(work->second, second->sends));
    if (strcmp(channel(work->first, first->receives), channel(work->second, second->receives)) != 0)
        note_change(work, transition_object(work->first, a), "receives",
                    channel(work->first, first->receives), channel(work->second, second->receives));
}

static const char *target_name(const tac_model *model, const tac_model_call *call)
{
    return call->machine != TAC_MODEL_NONE ? model->machines[call->machine].name
                                           : model->activities[call->activity].name;
}

/* A call of an activity agrees when the activity holds the partners of the other's machines. */
static bool same_target(const struct comparison *work, const tac_model_call *a,
                        const tac_model_call *b)
{
    if ((a->machine == TAC_MODEL_NONE) != (b->machine == TAC_MODEL_NONE))
        return false;
    if (a->machine != TAC_MODEL_NONE)
        return work->match.first_machine[a->machine] == b->machine;
    const tac_model_activity *ours = &work->first->activities[a->activity];
    uint32_t count = 0, theirs = 0;
    for (uint32_t m = ours->first_machine; m < ours->first_machine + ours->machine_count; m++) {
        if (!work->first->machines[m].external)
            continue;
        uint32_t partner = work->match.first_machine[m];
        if (partner == TAC_MODEL_NONE || work->second->machines[partner].activity != b->activity)
            return false;
        count++;
    }
    const tac_model_activity *other = &work->second->activities[b->activity];
    for (uint32_t m = other->first_machine; m < other->first_machine + other->machine_count; m++)
        theirs += work->second->machines[m].external;
    return count == theirs;
}

static void compare_nodes(struct comparison *work, uint32_t a, uint32_t b)
{
    const tac_model_node *first = &work->first->nodes[a], *second = &work->second->nodes[b];
    work->renamed += strcmp(first->name, second->name) != 0;
    if (first->kind != TAC_NODE_CONNECTION)
        return;
    const tac_model_call *ours = &work->first->calls[first->call];
    const tac_model_call *theirs = &work->second->calls[second->call];
    if (!same_target(work, ours, theirs))
        note_change(work, node_path(work->first, a), "calls", target_name(work->first, ours),
                    target_name(work->second, theirs));
    bool ours_jumps = ours->enters != TAC_MODEL_NONE,
         theirs_jumps = theirs->enters != TAC_MODEL_NONE;
    if (ours_jumps != theirs_jumps ||
        (ours_jumps && work->match.first_node[ours->enters] != theirs->enters))
        note_change(work, node_path(work->first, a), "enters",
                    ours_jumps ? work->first->nodes[ours->enters].name : "",
                    theirs_jumps ? work->second->nodes[theirs->enters].name : "");
    if (!ours_jumps && !theirs_jumps && work->match.first_node[ours->returns] != theirs->returns)
        note_change(work, node_path(work->first, a), "returns",
                    work->first->nodes[ours->returns].name,
                    work->second->nodes[theirs->returns].name);
    if (ours->reuse != theirs->reuse)
        note_flag(work, node_path(work->first, a), "reuse", ours->reuse);
    if (ours->auto_return != theirs->auto_return)
        note_flag(work, node_path(work->first, a), "autoReturn", ours->auto_return);
}

static bool starts(const tac_model *model, uint32_t m)
{
    const tac_model_activity *activity = &model->activities[model->machines[m].activity];
    return model->machines[m].external && activity->external &&
           model->applications[activity->application].external;
}

static void compare_machines(struct comparison *work, uint32_t a, uint32_t b)
{
    const tac_model_machine *first = &work->first->machines[a],
                            *second = &work->second->machines[b];
    if (work->match.first_node[first->initial] != second->initial)
        note_change(work, tac_json_string(first->name), "initial",
                    work->first->nodes[first->initial].name,
                    work->second->nodes[second->initial].name);
    if (first->external != second->external)
        note_flag(work, tac_json_string(first->name), "external", first->external);
    else if (starts(work->first, a) != starts(work->second, b))
        note_flag(work, tac_json_string(first->name), "start", starts(work->first, a));
}

static size_t compare_all(struct comparison *work, json_t *document)
{
    size_t machines = 0, nodes = 0, transitions = 0;
    for (uint32_t m = 0; m < work->first->machine_count; m++)
        if (work->match.first_machine[m] != TAC_MODEL_NONE) {
            machines++;
            compare_machines(work, m, work->match.first_machine[m]);
        }
    for (uint32_t n = 0; n < work->first->node_count; n++)
        if (work->match.first_node[n] != TAC_MODEL_NONE) {
            nodes += work->first->nodes[n].kind == TAC_NODE_STATE;
            compare_nodes(work, n, work->match.first_node[n]);
        }
    for (uint32_t t = 0; t < work->first->transition_count; t++)
        if (work->match.first_transition[t] != TAC_MODEL_NONE) {
            transitions++;
            compare_transitions(work, t, work->match.first_transition[t]);
        }
    json_object_set_new(document, "matched",
                        json_pack("{s:I,s:I,s:I}", "machines", (json_int_t)machines, "states",
                                  (json_int_t)nodes, "transitions", (json_int_t)transitions));
    json_object_set_new(document, "renamed", json_integer((json_int_t)work->renamed));
    return json_array_size(work->changed);
}

static size_t only_size(const json_t *only)
{
    size_t size = 0;
    const char *key;
    json_t *list;
    json_object_foreach((json_t *)(uintptr_t)only, key, list)
    {
        size += json_array_size(list);
    }
    return size;
}

json_t *tac_model_diff(const tac_model *first, const tac_model *second)
{
    struct comparison work = {.first = first, .second = second, .changed = json_array()};
    tac_model_match_shape(first, second, &work.match);
    json_t *document = json_object();
    json_t *only_first = only_in(first, work.match.first_machine, work.match.first_node,
                                 work.match.first_transition);
    json_t *only_second = only_in(second, work.match.second_machine, work.match.second_node,
                                  work.match.second_transition);
    json_object_set_new(document, "equal", json_false());
    size_t differences = compare_all(&work, document);
    differences += only_size(only_first) + only_size(only_second);
    differences += first->device_count != second->device_count;
    json_object_set_new(document, "equal", json_boolean(differences == 0));
    json_object_set_new(document, "differences", json_integer((json_int_t)differences));
    json_object_set_new(
        document, "devices",
        json_pack("[I,I]", (json_int_t)first->device_count, (json_int_t)second->device_count));
    json_object_set_new(document, "only_first", only_first);
    json_object_set_new(document, "only_second", only_second);
    json_object_set_new(document, "changed", work.changed);
    tac_model_match_free(&work.match);
    return document;
}

void tac_model_diff_verdict(const json_t *diff, const char *subject, tac_verdict *out)
{
    bool equal = json_is_true(json_object_get(diff, "equal"));
    const json_t *matched = json_object_get(diff, "matched");
    long long states = json_integer_value(json_object_get(matched, "states"));
    long long transitions = json_integer_value(json_object_get(matched, "transitions"));
    long long differences = json_integer_value(json_object_get(diff, "differences"));
    tac_verdict_init(out, "model", subject, equal ? TAC_HOLDS : TAC_VIOLATED);
    if (equal)
        tac_verdict_explain(out, "equal up to names: %lld states and %lld transitions correspond",
                            states, transitions);
    else
        tac_verdict_explain(out, "%lld difference%s; %lld states and %lld transitions correspond",
                            differences, differences == 1 ? "" : "s", states, transitions);
    out->statistics = json_incref(json_object_get(diff, "matched"));
    if (!equal)
        out->witness = json_incref((json_t *)(uintptr_t)diff);
}
