/* What a watcher can tell of the order of two steps.
 *
 * Counts of events and loops add up the same in both orders, so only two things see an order: the
 * sequence, whose next constraint one of the steps may meet before the other, and a loop of kind
 * `consecutive`. With p constraints met, a and b lead to
 *
 *   a then b:  p + A[p] + B[p + A[p]]        b then a:  p + B[p] + A[p + B[p]]
 *
 * where A[i] tells whether a meets constraint i. The steps commute from p on when both are equal
 * for p and for every later number: a relation that only grows along a flow, which is what the
 * normal form of space.c rests on. Cost: O(constraints * atoms). */
#include "base/check.h"
#include "base/data/bits.h"
#include "flow/require/watcher.h"
#include <string.h>

uint32_t watcher_progress(const struct watcher *watcher, uint32_t state)
{
    uint32_t progress;
    if (state == WATCHER_REJECTS)
        return (uint32_t)watcher->constraint_count;
    assert(state < watcher->states.count);
    memcpy(&progress, watcher->states.text[state], sizeof progress);
    return progress;
}

static void add_flag(tac_str *key, bool flag)
{
    tac_str_add_char(key, flag ? '1' : '0');
}

void watcher_class_of_transition(const struct watcher *watcher, uint32_t transition, tac_str *key)
{
    bool counts = watcher_counts(watcher, true, (struct watcher_step){transition, 0});
    add_flag(key, counts);
    for (size_t i = 0; i < watcher->constraint_count; i++)
        for (size_t k = 0; k < watcher->constraints[i].count; k++) {
            const struct bound_atom *atom = &watcher->constraints[i].atoms[k];
            if (atom->kind == TAC_ATOM_EVENT)
                add_flag(key, counts && watcher->model->transitions[transition].event == atom->id);
        }
}

void watcher_class_of_node(const struct watcher *watcher, uint32_t node, tac_str *key)
{
    uint32_t machine = watcher->model->nodes[node].machine;
    add_flag(key, watcher_counts(watcher, false, (struct watcher_step){TAC_MODEL_NONE, node}));
    for (size_t i = 0; i < watcher->constraint_count; i++)
        for (size_t k = 0; k < watcher->constraints[i].count; k++) {
            const struct bound_atom *atom = &watcher->constraints[i].atoms[k];
            if (atom->kind == TAC_ATOM_STATE)
                add_flag(key, atom->id == node);
            else if (atom->kind == TAC_ATOM_VIEW)
                add_flag(key, tac_bits_get(atom->machines, machine));
        }
}

/* Whether the order of two counted steps matters to a loop. */
static bool remembers_last(const tac_requirement *requirement)
{
    for (size_t i = 0; i < requirement->loop_count; i++)
        if (requirement->loops[i].kind == TAC_LOOP_CONSECUTIVE &&
            (requirement->loops[i].max != TAC_UNBOUNDED || requirement->loops[i].min > 0))
            return true;
    return false;
}

static bool meets(const struct watcher *watcher, uint32_t constraint, struct watcher_step step)
{
    return constraint < watcher->constraint_count && watcher_meets(watcher, constraint, step);
}

static uint32_t after_both(const struct watcher *watcher, uint32_t progress,
                           struct watcher_step first, struct watcher_step second)
{
    progress += meets(watcher, progress, first);
    return progress + meets(watcher, progress, second);
}

uint32_t watcher_commute_from(const struct watcher *watcher, struct watcher_step a,
                              struct watcher_step b, bool witness)
{
    uint32_t count = (uint32_t)watcher->constraint_count;
    if (watcher_counts(watcher, true, a) && watcher_counts(watcher, true, b) &&
        remembers_last(watcher->requirement))
        return TAC_NONE;
    /* a step that may end a witness leaves no room for another after it */
    if (witness && count && (meets(watcher, count - 1, a) || meets(watcher, count - 1, b)))
        return count;
    for (uint32_t p = count; p-- > 0;)
        if (after_both(watcher, p, a, b) != after_both(watcher, p, b, a))
            return p + 1;
    return 0;
}
