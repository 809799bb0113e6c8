/* Whether some input still goes round a given cycle of rules: the triggers of its edges, in a
 * window of the variables of its states. What repairs of one cycle among very many are judged by.
 */
#include "base/check.h"
#include "rules/edges.h"
#include "rules/engine/diagram.h"
#include "rules/repair/repair.h"

static bool is_on(const tac_rules *rules, uint32_t edge, const uint32_t *loop, size_t length,
                  uint32_t state)
{
    for (size_t i = 0; i < length; i++)
        if (rules->edges[edge].rule == loop[i] && rules->edges[edge].state == state)
            return true;
    return false;
}

/* The inputs that keep the whole cycle going. */
static tac_bdd inputs_of(struct window *window, const tac_rules *rules, const uint32_t *states,
                         const uint32_t *loop, size_t length)
{
    tac_bdd set = window->valid;
    for (size_t i = 0; i < length; i++) {
        const tac_rules_state *state = &rules->states[states[i]];
        struct firing firing = {TAC_BDD_FALSE, TAC_BDD_FALSE};
        tac_bdd on = TAC_BDD_FALSE;
        for_each_edge (e, state) {
            tac_bdd fires = rules_window_trigger(window, state, e, &firing);
            if (is_on(rules, e, loop + i, 1, states[i]))
                on = fires;
        }
        set = tac_bdd_and(set, on);
    }
    return set;
}

bool rules_loop_possible(const tac_rules *rules, const uint32_t *states, const uint32_t *loop,
                         size_t length)
{
    struct components *components = NULL;
    tac_bdd_limits limits = {.variables = 256};
    bool possible = true;
    assert(length > 0);
    if (tac_bdd_start(&limits, NULL))
        return true;
    if (rules_components_open(rules, false, &components, NULL) == TAC_OK) {
        struct window window;
        rules_window_open(&window, rules, components);
        for (size_t i = 0; i < length; i++) {
            for_each_edge (e, &rules->states[states[i]])
                rules_window_add_rule(&window, rules->edges[e].rule);
        }
        rules_window_seal(&window);
        size_t scope = tac_bdd_scope();
        possible = inputs_of(&window, rules, states, loop, length) != TAC_BDD_FALSE;
        possible = possible || tac_bdd_failed();
        tac_bdd_leave(scope);
        rules_window_close(&window);
    }
    rules_components_close(components);
    tac_bdd_stop();
    return possible;
}
