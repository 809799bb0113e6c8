/* The step function of requirement watchers; the meaning is in docs/flows.md.
 *
 * A step is watched when its device is, and its transition or its settled node belongs to a watched
 * application: the event part counts when the transition is watched, the state part when the node
 * is. Cost: O(atoms of the next constraint + bounded events + size of a loop's memory) per step. */
#include "flow/require/watcher.h"
#include "base/check.h"
#include "base/data/bits.h"
#include <string.h>

static uint32_t device_of(const tac_model *model, uint32_t application)
{
    return model->applications[application].device;
}

static bool application_counts(const struct watcher *watcher, uint32_t application)
{
    return watcher->application_watched[application] &&
           watcher->device_watched[device_of(watcher->model, application)];
}

static uint32_t application_of_node(const tac_model *model, uint32_t node)
{
    return model->activities[model->machines[model->nodes[node].machine].activity].application;
}

static bool node_counts(const struct watcher *watcher, uint32_t node)
{
    return application_counts(watcher, application_of_node(watcher->model, node));
}

static bool transition_counts(const struct watcher *watcher, uint32_t transition)
{
    return transition != TAC_MODEL_NONE &&
           node_counts(watcher, watcher->model->transitions[transition].from);
}

static bool atom_holds(const struct watcher *watcher, const struct bound_atom *atom,
                       struct watcher_step step)
{
    bool here = false;
    switch (atom->kind) {
    case TAC_ATOM_EVENT:
        return transition_counts(watcher, step.transition) &&
               watcher->model->transitions[step.transition].event == atom->id;
    case TAC_ATOM_STATE:
        here = step.node == atom->id;
        break;
    case TAC_ATOM_VIEW:
        here = node_counts(watcher, step.node) &&
               tac_bits_get(atom->machines, watcher->model->nodes[step.node].machine);
        break;
    }
    return here == atom->visit;
}

bool watcher_meets(const struct watcher *watcher, uint32_t constraint, struct watcher_step step)
{
    assert(constraint < watcher->constraint_count);
    const struct bound_constraint *next = &watcher->constraints[constraint];
    if (!transition_counts(watcher, step.transition) && !node_counts(watcher, step.node))
        return false;
    for (size_t i = 0; i < next->count; i++)
        if (!atom_holds(watcher, &next->atoms[i], step))
            return false;
    return true;
}

/* Meets the next constraint if this step does; at most one per step. */
static bool advance(const struct watcher *watcher, uint32_t *words, struct watcher_step step)
{
    if (words[0] == watcher->constraint_count)
        return false;
    if (!watcher_meets(watcher, words[0], step))
        return false;
    words[0]++;
    return true;
}

/* The set with one more element; *was_in tells whether it was there already. */
static uint32_t set_with(struct watcher *watcher, uint32_t set, uint32_t element, bool *was_in)
{
    const char *bytes = watcher->sets.text[set];
    size_t count = watcher->sets.length[set] / sizeof element, at = 0;
    assert(set < watcher->sets.count);
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
    assert(at <= count + 1);
    uint32_t result =
        *was_in ? set : tac_names_intern_bytes(&watcher->sets, grown, at * sizeof element);
    free(grown);
    return result;
}

/* Counts a step that closes a loop; false when it is one too many. */
static bool count_loop(struct watcher *watcher, const tac_requirement_loop *loop, uint32_t *words,
                       struct watcher_step step)
{
    bool counted = transition_counts(watcher, step.transition), closes = false;
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
        words[1] = set_with(watcher, words[1], step.transition, &closes);
    } else {
        if (!node_counts(watcher, step.node))
            return true;
        words[1] = set_with(watcher, words[1], step.node, &closes);
    }
    if (closes && words[0]++ >= loop->max)
        return false;
    if (loop->max == TAC_UNBOUNDED && words[0] >= loop->min)
        words[1] = 0;
    return true;
}

static bool count_event(const struct watcher *watcher, uint32_t *counts, uint32_t transition)
{
    if (!transition_counts(watcher, transition))
        return true;
    uint32_t limit = watcher->limit_of[watcher->model->transitions[transition].event];
    return limit == TAC_NONE || counts[limit]++ < watcher->limits[limit];
}

/* Invariants, without the sequence. */
static bool keeps_invariants(struct watcher *watcher, uint32_t *words, struct watcher_step step)
{
    if (tac_bits_get(watcher->forbidden, step.node))
        return false;
    if (!count_event(watcher, words + 1, step.transition))
        return false;
    uint32_t *loop_words = words + 1 + watcher->limit_count;
    for (size_t i = 0; i < watcher->requirement->loop_count; i++)
        if (!count_loop(watcher, &watcher->requirement->loops[i], loop_words + 2 * i, step))
            return false;
    return true;
}

static uint32_t intern_state(struct watcher *watcher)
{
    return tac_names_intern_bytes(&watcher->states, watcher->scratch,
                                  watcher->width * sizeof *watcher->scratch);
}

uint32_t watcher_start(struct watcher *watcher, const uint32_t *nodes, size_t count)
{
    uint32_t *words = watcher->scratch;
    bool met = false;
    assert(watcher->width == 1 + watcher->limit_count + 2 * watcher->requirement->loop_count);
    memset(words, 0, watcher->width * sizeof *words);
    uint32_t empty = tac_names_intern_bytes(&watcher->sets, "", 0);
    for (size_t i = 0; i < watcher->requirement->loop_count; i++)
        words[1 + watcher->limit_count + 2 * i + 1] =
            watcher->requirement->loops[i].kind == TAC_LOOP_CONSECUTIVE ? TAC_NONE : empty;
    for (size_t i = 0; i < count; i++) {
        struct watcher_step step = {TAC_MODEL_NONE, nodes[i]};
        if (!keeps_invariants(watcher, words, step))
            return WATCHER_REJECTS;
        if (!met && node_counts(watcher, nodes[i]))
            met = advance(watcher, words, step);
    }
    return intern_state(watcher);
}

uint32_t watcher_after(struct watcher *watcher, uint32_t state, struct watcher_step step)
{
    assert(state < watcher->states.count && step.node < watcher->model->node_count);
    if (!transition_counts(watcher, step.transition) && !node_counts(watcher, step.node))
        return state;
    uint32_t *words = watcher->scratch;
    memcpy(words, watcher->states.text[state], watcher->width * sizeof *words);
    if (!keeps_invariants(watcher, words, step))
        return WATCHER_REJECTS;
    advance(watcher, words, step);
    return intern_state(watcher);
}

bool watcher_met(const struct watcher *watcher, uint32_t state)
{
    uint32_t progress;
    assert(state < watcher->states.count);
    memcpy(&progress, watcher->states.text[state], sizeof progress);
    return progress == watcher->constraint_count;
}

bool watcher_accepts(const struct watcher *watcher, uint32_t state)
{
    const char *bytes = watcher->states.text[state];
    assert(watcher->states.length[state] == watcher->width * sizeof(uint32_t));
    for (size_t i = 0; i < watcher->requirement->loop_count; i++) {
        uint32_t count;
        memcpy(&count, bytes + (1 + watcher->limit_count + 2 * i) * sizeof count, sizeof count);
        if (count < watcher->requirement->loops[i].min)
            return false;
    }
    return watcher_met(watcher, state);
}

double watcher_time(const struct watcher *watcher, uint32_t transition)
{
    return transition_counts(watcher, transition)
               ? watcher->time_of[watcher->model->transitions[transition].event]
               : -1;
}

bool watcher_counts(const struct watcher *watcher, bool by_transition, struct watcher_step step)
{
    return by_transition ? transition_counts(watcher, step.transition)
                         : node_counts(watcher, step.node);
}

size_t watcher_memory(const struct watcher *watcher)
{
    return watcher->states.arena.used + watcher->sets.arena.used +
           (watcher->states.capacity + watcher->sets.capacity) * 24 +
           (watcher->states.slot_capacity + watcher->sets.slot_capacity) * 4;
}
