/* What else a repair changes: inputs on which a state now leads elsewhere.
 *
 * For every state of the repaired set and every state of the original one, the inputs that lead
 * from the first to the second, before and after; wherever they differ, the behaviour changed.
 * States that a split made are compared with the state they stem from. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/edges.h"
#include "rules/engine/diagram.h"
#include "rules/repair/repair.h"

/* targets[t] = inputs that lead from the state to original state t; kept. */
static void lead_to(struct window *window, const tac_rules *rules, uint32_t s,
                    const uint32_t *origin, tac_bdd *targets)
{
    const tac_rules_state *state = &rules->states[s];
    size_t scope = tac_bdd_scope();
    struct firing firing = {TAC_BDD_FALSE, TAC_BDD_FALSE};
    for_each_edge (e, state) {
        tac_bdd *target = &targets[origin[rules->rules[rules->edges[e].rule].to]];
        tac_bdd fires = rules_window_trigger(window, state, e, &firing);
        tac_bdd_hold(target, tac_bdd_or(*target, fires));
    }
    tac_bdd_leave(scope);
}

static void count_state(struct window *old_window, struct window *new_window, uint32_t s,
                        const uint32_t *origin, const uint32_t *same, tac_rules_count *sum)
{
    assert(s < new_window->rules->state_count && origin[s] < old_window->rules->state_count);
    uint32_t states = old_window->rules->state_count;
    tac_bdd *before = tac_bdd_places(states), *after = tac_bdd_places(states);
    size_t scope = tac_bdd_scope();
    tac_bdd changed = TAC_BDD_FALSE;
    lead_to(old_window, old_window->rules, origin[s], same, before);
    lead_to(new_window, new_window->rules, s, origin, after);
    for (uint32_t t = 0; t < states; t++)
        changed = tac_bdd_or(changed, tac_bdd_xor(before[t], after[t]));
    tac_rules_count count;
    rules_count_init(&count);
    rules_window_count(old_window, changed, &count);
    rules_count_add(sum, &count);
    rules_count_clear(&count);
    tac_bdd_leave(scope);
    tac_bdd_places_free(before, states);
    tac_bdd_places_free(after, states);
}

tac_status rules_changed(const tac_rules *before, const tac_rules *after, const uint32_t *origin,
                         tac_rules_count *out, tac_error *err)
{
    struct components *old_parts = NULL, *new_parts = NULL;
    tac_bdd_limits limits = {.variables = 64};
    tac_status status = tac_bdd_start(&limits, err);
    if (status)
        return status;
    status = rules_components_open(before, false, &old_parts, err);
    if (!status)
        status = rules_components_open(after, false, &new_parts, err);
    if (!status) {
        struct window old_window, new_window;
        uint32_t *same = tac_calloc((size_t)before->state_count + 1, sizeof *same);
        for (uint32_t s = 0; s < before->state_count; s++)
            same[s] = s;
        rules_window_open(&old_window, before, old_parts);
        rules_window_open(&new_window, after, new_parts);
        rules_window_seal_all(&old_window);
        rules_window_seal_all(&new_window);
        rules_count_set_u64(out, 0);
        for (uint32_t s = 0; s < after->state_count && !tac_bdd_failed(); s++)
            count_state(&old_window, &new_window, s, origin, same, out);
        rules_window_close(&old_window);
        rules_window_close(&new_window);
        free(same);
        status = tac_bdd_check("comparing the repaired rules with the old ones", err);
    }
    rules_components_close(old_parts);
    rules_components_close(new_parts);
    tac_bdd_stop();
    return status;
}
