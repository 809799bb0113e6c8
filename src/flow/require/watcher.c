/* The step function of requirement monitors; the meaning is in docs/flows.md.
 *
 * A step is watched when its device is, and its transition or its settled node belongs to a watched
 * application: the event part counts when the transition is watched, the state part when the node
 * is. Cost: O(atoms of the next constraint + bounded events + size of a loop's memory) per step. */
#include "flow/require/watcher.h"
#include "base/data/bits.h"
#include <string.h>

static uint32_t device_of(const tac_model *model, uint32_t application)
{
    return model->applications[application].device;
}

static bool application_counts(const struct monitor *monitor, uint32_t application)
{
    return monitor->application_watched[application] &&
           monitor->device_watched[device_of(monitor->model, application)];
}

static uint32_t application_of_node(const tac_model *model, uint32_t node)
{
    return model->activities[model->machines[model->nodes[node].machine].activity].application;
}

static bool node_counts(const struct monitor *monitor, uint32_t node)
{
    return application_counts(monitor, application_of_node(monitor->model, node));
}

static bool transition_counts(const struct monitor *monitor, uint32_t transition)
{
    return transition != TAC_MODEL_NONE &&
           node_counts(monitor, monitor->model->transitions[transition].from);
}

static bool atom_holds(const struct monitor *monitor, const struct bound_atom *atom,
                       struct monitor_step step)
{
    bool here;
    switch (atom->kind) {
    case TAC_ATOM_EVENT:
        return transition_counts(monitor, step.transition) &&
               monitor->model->transitions[step.transition].event == atom->id;
    case TAC_ATOM_STATE:
        here = step.node == atom->id;
        break;
    default:
        here = node_counts(monitor, step.node) &&
               tac_bits_get(atom->machines, monitor->model->nodes[step.node].machine);
        break;
    }
    return here == atom->visit;
}

/* Meets the next constraint if this step does; at most one per step. */
static bool advance(const struct monitor *monitor, uint32_t *words, struct monitor_step step)
{
    if (words[0] == monitor->constraint_count)
        return false;
    const struct bound_constraint *next = &monitor->constraints[words[0]];
    for (size_t i = 0; i < next->count; i++)
        if (!atom_holds(monitor, &next->atoms[i], step))
            return false;
    words[0]++;
    return true;
}

/* The set with one more element; *was_in tells whether it was there already. */
static uint32_t set_with(struct monitor *monitor, uint32_t set, uint32_t element, bool *was_in)
{
    const char *bytes = monitor->sets.text[set];
    size_t count = monitor->sets.length[set] / sizeof element, at = 0;
    uint32_t *grown = tac_alloc((count + 1) * sizeof element), member;
    *was_in = false;
    for (size_t i = 0; i < count; i++) {
        memcpy(&member, bytes + i * sizeof member, sizeof member);
        *was_in |= member == element;
        if (at == i && member > element)
            grown[at++] = element;
        grown[at++] = member;
    }
    if (at == count)
        grown[at++] = element;
    uint32_t result =
        *was_in ? set : tac_names_intern_bytes(&monitor->sets, grown, at * sizeof element);
    free(grown);
    return result;
}

/* Counts a step that closes a loop; false when it is one too many. */
static bool count_loop(struct monitor *monitor, const tac_requirement_loop *loop, uint32_t *words,
                       struct monitor_step step)
{
    bool counted = transition_counts(monitor, step.transition), closes = false;
    if (loop->max == TAC_UNBOUNDED && words[0] >= loop->min)
        return true; /* its memory was forgotten */
    if (loop->kind == TAC_LOOP_CONSECUTIVE) {
        if (!counted)
            return true;
        closes = words[1] == step.transition;
        words[1] = step.transition;
    } else if (loop->kind == TAC_LOOP_TRANSITION) {
        if (!counted)
            return true;
        words[1] = set_with(monitor, words[1], step.transition, &closes);
    } else {
        if (!node_counts(monitor, step.node))
            return true;
        words[1] = set_with(monitor, words[1], step.node, &closes);
    }
    if (closes && words[0]++ >= loop->max)
        return false;
    if (loop->max == TAC_UNBOUNDED && words[0] >= loop->min)
        words[1] = 0;
    return true;
}

static bool count_event(const struct monitor *monitor, uint32_t *counts, uint32_t transition)
{
    if (!transition_counts(monitor, transition))
        return true;
    uint32_t limit = monitor->limit_of[monitor->model->transitions[transition].event];
    return limit == TAC_NONE || counts[limit]++ < monitor->limits[limit];
}

/* Invariants, without the sequence. */
static bool keeps_invariants(struct monitor *monitor, uint32_t *words, struct monitor_step step)
{
    if (tac_bits_get(monitor->forbidden, step.node))
        return false;
    if (!count_event(monitor, words + 1, step.transition))
        return false;
    uint32_t *loop_words = words + 1 + monitor->limit_count;
    for (size_t i = 0; i < monitor->requirement->loop_count; i++)
        if (!count_loop(monitor, &monitor->requirement->loops[i], loop_words + 2 * i, step))
            return false;
    return true;
}

static uint32_t intern_state(struct monitor *monitor)
{
    return tac_names_intern_bytes(&monitor->states, monitor->scratch,
                                  monitor->width * sizeof *monitor->scratch);
}

uint32_t monitor_start(struct monitor *monitor, const uint32_t *nodes, size_t count)
{
    uint32_t *words = monitor->scratch;
    bool met = false;
    memset(words, 0, monitor->width * sizeof *words);
    uint32_t empty = tac_names_intern_bytes(&monitor->sets, "", 0);
    for (size_t i = 0; i < monitor->requirement->loop_count; i++)
        words[1 + monitor->limit_count + 2 * i + 1] =
            monitor->requirement->loops[i].kind == TAC_LOOP_CONSECUTIVE ? TAC_NONE : empty;
    for (size_t i = 0; i < count; i++) {
        struct monitor_step step = {TAC_MODEL_NONE, nodes[i]};
        if (!keeps_invariants(monitor, words, step))
            return MONITOR_REJECTS;
        if (!met && node_counts(monitor, nodes[i]))
            met = advance(monitor, words, step);
    }
    return intern_state(monitor);
}

uint32_t monitor_after(struct monitor *monitor, uint32_t state, struct monitor_step step)
{
    if (!transition_counts(monitor, step.transition) && !node_counts(monitor, step.node))
        return state;
    uint32_t *words = monitor->scratch;
    memcpy(words, monitor->states.text[state], monitor->width * sizeof *words);
    if (!keeps_invariants(monitor, words, step))
        return MONITOR_REJECTS;
    advance(monitor, words, step);
    return intern_state(monitor);
}

bool monitor_met(const struct monitor *monitor, uint32_t state)
{
    uint32_t progress;
    memcpy(&progress, monitor->states.text[state], sizeof progress);
    return progress == monitor->constraint_count;
}

bool monitor_accepts(const struct monitor *monitor, uint32_t state)
{
    const char *bytes = monitor->states.text[state];
    for (size_t i = 0; i < monitor->requirement->loop_count; i++) {
        uint32_t count;
        memcpy(&count, bytes + (1 + monitor->limit_count + 2 * i) * sizeof count, sizeof count);
        if (count < monitor->requirement->loops[i].min)
            return false;
    }
    return monitor_met(monitor, state);
}

double monitor_time(const struct monitor *monitor, uint32_t transition)
{
    return transition_counts(monitor, transition)
               ? monitor->time_of[monitor->model->transitions[transition].event]
               : -1;
}

size_t monitor_memory(const struct monitor *monitor)
{
    return monitor->states.arena.used + monitor->sets.arena.used +
           (monitor->states.capacity + monitor->sets.capacity) * 24 +
           (monitor->states.slot_capacity + monitor->sets.slot_capacity) * 4;
}
