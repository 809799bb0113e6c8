/* The difference of two models up to the names of their states, connections, finals, state
 * machines, activities and applications. Models are equal when everything has a partner
 * (match.c) and partners agree in kind, time, channels, guards and updates of transitions, options
 * of calls, and accessibility; guards, updates and the setup by their texts. Weights, actions and
 * notes are not compared: they say how a model was found and how it is driven.
 *
 * The answer "equal" is certain: it is a checked one-to-one correspondence. The answer "different"
 * is certain for models without guards in which no state has two transitions of the same event. */
#include "base/check.h"
#include "base/data/arena.h"
#include "base/data/vec.h"
#include "model/compare/match.h"
#include "model/tools.h"
#include <string.h>

struct owned_differences {
    tac_model_differences shown; /* first: the caller has its address */
    tac_arena arena;
    TAC_VEC(tac_model_change) changes;
};

struct comparison {
    const tac_model *first, *second;
    struct model_match match;
    struct owned_differences *result;
};

/* The parts without a partner; kind is that of nodes, or -1. */
static tac_model_indices without_partner(const uint32_t *partners, uint32_t count,
                                         const tac_model_node *nodes, int kind, tac_arena *arena)
{
    TAC_VEC(uint32_t) list = {0};
    for (uint32_t i = 0; i < count; i++)
        if (partners[i] == TAC_MODEL_NONE && (kind < 0 || (int)nodes[i].kind == kind))
            tac_vec_push(&list, i);
    uint32_t *kept = tac_arena_calloc(arena, list.count, sizeof *kept);
    if (list.count)
        memcpy(kept, list.at, list.count * sizeof *kept);
    tac_model_indices indices = {kept, list.count};
    tac_vec_free(&list);
    return indices;
}

/* What one of the models has alone. */
static tac_model_only only_in(const tac_model *model, const uint32_t *machines,
                              const uint32_t *nodes, const uint32_t *transitions, tac_arena *arena)
{
    uint32_t count = model->node_count;
    return (tac_model_only){
        .machines = without_partner(machines, model->machine_count, NULL, -1, arena),
        .states = without_partner(nodes, count, model->nodes, TAC_NODE_STATE, arena),
        .connections = without_partner(nodes, count, model->nodes, TAC_NODE_CONNECTION, arena),
        .finals = without_partner(nodes, count, model->nodes, TAC_NODE_FINAL, arena),
        .transitions = without_partner(transitions, model->transition_count, NULL, -1, arena)};
}

/* `what` is a literal. */
static void note_change(struct comparison *work, tac_model_part part, uint32_t index,
                        const char *what, const char *before, const char *after)
{
    tac_arena *arena = &work->result->arena;
    tac_vec_push(&work->result->changes,
                 (tac_model_change){part, index, what, tac_arena_strdup(arena, before),
                                    tac_arena_strdup(arena, after)});
}

static void note_flag(struct comparison *work, tac_model_part part, uint32_t index,
                      const char *what, bool before)
{
    note_change(work, part, index, what, before ? "true" : "false", before ? "false" : "true");
}

static const char *channel(const tac_model *model, uint32_t index)
{
    return index == TAC_MODEL_NONE ? "" : model->channels[index];
}

static const char *note(const tac_model *model, uint32_t index)
{
    return index == TAC_MODEL_NONE ? "" : model->notes[index];
}

static void compare_texts(struct comparison *work, tac_model_part part, uint32_t index,
                          const char *what, const char *before, const char *after)
{
    if (strcmp(before, after) != 0)
        note_change(work, part, index, what, before, after);
}

static void compare_transitions(struct comparison *work, uint32_t a, uint32_t b)
{
    const tac_model_transition *first = &work->first->transitions[a];
    const tac_model_transition *second = &work->second->transitions[b];
    static const char *const kinds[] = {[TAC_EVENT_USER] = "user", [TAC_EVENT_SYSTEM] = "system"};
    TABLE_COVERS(kinds, TAC_EVENT_SYSTEM);
    if (first->kind != second->kind)
        note_change(work, TAC_PART_TRANSITION, a, "kind", kinds[first->kind], kinds[second->kind]);
    if (first->time != second->time) {
        char before[40] = "", after[40] = "";
        if (first->time >= 0)
            snprintf(before, sizeof before, "%g", first->time);
        if (second->time >= 0)
            snprintf(after, sizeof after, "%g", second->time);
        note_change(work, TAC_PART_TRANSITION, a, "time", before, after);
    }
    compare_texts(work, TAC_PART_TRANSITION, a, "sends", channel(work->first, first->sends),
                  channel(work->second, second->sends));
    compare_texts(work, TAC_PART_TRANSITION, a, "receives", channel(work->first, first->receives),
                  channel(work->second, second->receives));
    compare_texts(work, TAC_PART_TRANSITION, a, "guard", note(work->first, first->guard),
                  note(work->second, second->guard));
    compare_texts(work, TAC_PART_TRANSITION, a, "update", note(work->first, first->update),
                  note(work->second, second->update));
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
    work->result->shown.renamed += strcmp(first->name, second->name) != 0;
    if (first->kind != TAC_NODE_CONNECTION)
        return;
    const tac_model_call *ours = &work->first->calls[first->call];
    const tac_model_call *theirs = &work->second->calls[second->call];
    if (!same_target(work, ours, theirs))
        note_change(work, TAC_PART_NODE, a, "calls", target_name(work->first, ours),
                    target_name(work->second, theirs));
    bool ours_jumps = ours->enters != TAC_MODEL_NONE,
         theirs_jumps = theirs->enters != TAC_MODEL_NONE;
    if (ours_jumps != theirs_jumps ||
        (ours_jumps && work->match.first_node[ours->enters] != theirs->enters))
        note_change(work, TAC_PART_NODE, a, "enters",
                    ours_jumps ? work->first->nodes[ours->enters].name : "",
                    theirs_jumps ? work->second->nodes[theirs->enters].name : "");
    if (!ours_jumps && !theirs_jumps && work->match.first_node[ours->returns] != theirs->returns)
        note_change(work, TAC_PART_NODE, a, "returns", work->first->nodes[ours->returns].name,
                    work->second->nodes[theirs->returns].name);
    if (ours->reuse != theirs->reuse)
        note_flag(work, TAC_PART_NODE, a, "reuse", ours->reuse);
    if (ours->auto_return != theirs->auto_return)
        note_flag(work, TAC_PART_NODE, a, "autoReturn", ours->auto_return);
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
        note_change(work, TAC_PART_MACHINE, a, "initial", work->first->nodes[first->initial].name,
                    work->second->nodes[second->initial].name);
    if (first->external != second->external)
        note_flag(work, TAC_PART_MACHINE, a, "external", first->external);
    else if (starts(work->first, a) != starts(work->second, b))
        note_flag(work, TAC_PART_MACHINE, a, "start", starts(work->first, a));
}

static void compare_all(struct comparison *work)
{
    tac_model_differences *shown = &work->result->shown;
    for (uint32_t m = 0; m < work->first->machine_count; m++)
        if (work->match.first_machine[m] != TAC_MODEL_NONE) {
            shown->machines++;
            compare_machines(work, m, work->match.first_machine[m]);
        }
    for (uint32_t n = 0; n < work->first->node_count; n++)
        if (work->match.first_node[n] != TAC_MODEL_NONE) {
            shown->states += work->first->nodes[n].kind == TAC_NODE_STATE;
            compare_nodes(work, n, work->match.first_node[n]);
        }
    for (uint32_t t = 0; t < work->first->transition_count; t++)
        if (work->match.first_transition[t] != TAC_MODEL_NONE) {
            shown->transitions++;
            compare_transitions(work, t, work->match.first_transition[t]);
        }
    compare_texts(work, TAC_PART_MODEL, 0, "setup", work->first->setup, work->second->setup);
    shown->changes = work->result->changes.at;
    shown->change_count = work->result->changes.count;
}

static size_t only_size(const tac_model_only *only)
{
    return only->machines.count + only->states.count + only->connections.count +
           only->finals.count + only->transitions.count;
}

tac_model_differences *tac_model_diff(const tac_model *first, const tac_model *second)
{
    struct owned_differences *owned = tac_calloc(1, sizeof *owned);
    struct comparison work = {.first = first, .second = second, .result = owned};
    tac_model_differences *shown = &owned->shown;
    tac_model_match_shape(first, second, &work.match);
    shown->first = first;
    shown->second = second;
    shown->only_first = only_in(first, work.match.first_machine, work.match.first_node,
                                work.match.first_transition, &owned->arena);
    shown->only_second = only_in(second, work.match.second_machine, work.match.second_node,
                                 work.match.second_transition, &owned->arena);
    compare_all(&work);
    shown->count = shown->change_count + only_size(&shown->only_first) +
                   only_size(&shown->only_second) + (first->device_count != second->device_count);
    tac_model_match_free(&work.match);
    return shown;
}

void tac_model_differences_free(tac_model_differences *differences)
{
    struct owned_differences *owned = (struct owned_differences *)differences;
    if (!owned)
        return;
    tac_vec_free(&owned->changes);
    tac_arena_free(&owned->arena);
    free(owned);
}
