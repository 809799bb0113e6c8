/* Windows and the translation of predicates: see diagram.h.
 *
 * Invariant: BDD variable i of a window stands for variable_of[i]; components are added whole. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/engine/components.h"
#include "rules/findings/findings.h"
#include "rules/language/operator.h"
#include <string.h>

void rules_window_open(struct window *window, const tac_rules *rules,
                       const struct components *components)
{
    assert(rules && components);
    memset(window, 0, sizeof *window);
    window->rules = rules;
    window->components = components;
    window->local_of = tac_alloc((rules->variable_count + 1) * sizeof *window->local_of);
    memset(window->local_of, 0xff, (rules->variable_count + 1) * sizeof *window->local_of);
    window->rule_sets = tac_calloc(rules->rule_count + 1, sizeof *window->rule_sets);
    window->rule_stamps = tac_calloc(rules->rule_count + 1, sizeof *window->rule_stamps);
    window->rule_added = tac_calloc(rules->rule_count + 1, sizeof *window->rule_added);
    window->stamp = 1;
    window->valid = TAC_BDD_TRUE;
    window->open = true;
    mpz_init(window->outside);
}

void rules_window_clear(struct window *window)
{
    assert(window->open);
    for (size_t i = 0; i < window->variable_of.count; i++)
        window->local_of[window->variable_of.at[i]] = TAC_RULES_NONE;
    window->variable_of.count = 0;
    for (size_t i = 0; i < window->scratch.count; i++)
        tac_bdd_drop(window->scratch.at[i]);
    window->scratch.count = 0;
    tac_bdd_drop(window->valid);
    window->valid = TAC_BDD_TRUE;
    window->sealed = 0;
    window->stamp++;
}

void rules_window_close(struct window *window)
{
    if (!window->open)
        return;
    rules_window_clear(window);
    free(window->local_of);
    free(window->rule_sets);
    free(window->rule_stamps);
    free(window->rule_added);
    tac_vec_free(&window->variable_of);
    tac_vec_free(&window->scratch);
    mpz_clear(window->outside);
    window->open = false;
}

void rules_window_add_variable(struct window *window, uint32_t variable)
{
    assert(window->open && variable < window->rules->variable_count);
    if (window->local_of[variable] != TAC_RULES_NONE)
        return;
    const struct components *c = window->components;
    uint32_t component = c->of[variable];
    for (uint32_t i = c->first[component]; i < c->first[component + 1]; i++) {
        window->local_of[c->members[i]] = (uint32_t)window->variable_of.count;
        tac_vec_push(&window->variable_of, c->members[i]);
    }
}

static void rules_window_add_predicate(struct window *window, tac_rules_predicate predicate)
{
    assert(predicate.first <= predicate.root && predicate.root < window->rules->node_count);
    for (uint32_t i = predicate.first; i <= predicate.root; i++) {
        tac_rules_node node = window->rules->nodes[i];
        if (node.op == TAC_RULES_VARIABLE)
            rules_window_add_variable(window, node.left);
        else if (node.op == TAC_RULES_RULE)
            rules_window_add_rule(window, node.left);
    }
}

void rules_window_add_rule(struct window *window, uint32_t rule)
{
    assert(rule < window->rules->rule_count);
    if (window->rule_added[rule] == window->stamp)
        return;
    window->rule_added[rule] = window->stamp;
    rules_window_add_predicate(window, window->rules->rules[rule].when);
}

void rules_window_add_all(struct window *window)
{
    assert(window->variable_of.count == 0); /* whole or nothing */
    for (uint32_t v = 0; v < window->rules->variable_count; v++) {
        window->local_of[v] = v;
        tac_vec_push(&window->variable_of, v);
    }
}

/* What is outside is total / inside. */
void rules_window_extend(struct window *window)
{
    const struct components *c = window->components;
    size_t scope = tac_bdd_scope();
    tac_bdd valid = window->valid;
    for (; window->sealed < window->variable_of.count; window->sealed++) {
        uint32_t variable = window->variable_of.at[window->sealed], component = c->of[variable];
        if (c->members[c->first[component]] != variable)
            continue; /* once per component, at its first member */
        if (mpz_cmp_ui(c->counts[component], 1) != 0)
            mpz_divexact(window->outside, window->outside, c->counts[component]);
        assert(window->outside_shift >= c->shifts[component]);
        window->outside_shift -= c->shifts[component];
        for (uint32_t k = c->first_constraint[component]; k < c->first_constraint[component + 1];
             k++) {
            tac_bdd holds =
                rules_window_predicate(window, window->rules->constraints[c->constraints[k]].holds);
            valid = tac_bdd_leave_with(scope, tac_bdd_and(valid, holds));
        }
    }
    if (valid != window->valid)
        tac_bdd_hold(&window->valid, valid);
    tac_bdd_leave(scope);
}

void rules_window_seal(struct window *window)
{
    assert(window->sealed == 0 && window->valid == TAC_BDD_TRUE);
    tac_bdd_more_variables(window->variable_of.count);
    mpz_set(window->outside, window->components->total);
    window->outside_shift = window->components->total_shift;
    rules_window_extend(window);
}

void rules_window_seal_all(struct window *window)
{
    rules_window_add_all(window);
    rules_window_seal(window);
}

static tac_bdd apply(tac_rules_node node, const tac_bdd *sets, uint32_t first)
{
    const struct rules_operator *op = &rules_operators[node.op];
    if (op->operands == 0)
        return op->truth ? TAC_BDD_TRUE : TAC_BDD_FALSE;
    tac_bdd left = sets[node.left - first];
    return op->operands == 1 ? tac_bdd_not(left)
                             : tac_bdd_apply(op->truth, left, sets[node.right - first]);
}

tac_bdd rules_window_predicate(struct window *window, tac_rules_predicate predicate)
{
    assert(predicate.first <= predicate.root && predicate.root < window->rules->node_count);
    tac_bdd small[64] = {0};
    uint32_t count = predicate.root - predicate.first + 1;
    tac_bdd *sets = count <= 64 ? small : tac_alloc(count * sizeof *sets);
    size_t scope = tac_bdd_scope();
    for (uint32_t i = 0; i < count; i++) {
        tac_rules_node node = window->rules->nodes[predicate.first + i];
        if (node.op == TAC_RULES_VARIABLE)
            sets[i] = tac_bdd_var(window->local_of[node.left]);
        else if (node.op == TAC_RULES_RULE)
            sets[i] = rules_window_rule(window, node.left);
        else
            sets[i] = apply(node, sets, predicate.first);
    }
    tac_bdd result = tac_bdd_leave_with(scope, sets[count - 1]);
    if (sets != small)
        free(sets);
    return result;
}

tac_bdd rules_window_rule(struct window *window, uint32_t rule)
{
    assert(rule < window->rules->rule_count);
    if (window->rule_stamps[rule] == window->stamp)
        return window->rule_sets[rule];
    size_t scope = tac_bdd_scope();
    tac_bdd set = tac_bdd_keep(rules_window_predicate(window, window->rules->rules[rule].when));
    tac_bdd_leave(scope);
    tac_vec_push(&window->scratch, set);
    window->rule_sets[rule] = set;
    window->rule_stamps[rule] = window->stamp;
    return set;
}

tac_bdd rules_window_action(struct window *window, const tac_rules_rule *rule)
{
    size_t scope = tac_bdd_scope();
    tac_bdd cube = TAC_BDD_TRUE;
    for (uint32_t i = 0; i < rule->action_count; i++) {
        const tac_rules_action *action = &window->rules->actions[rule->first_action + i];
        uint32_t local = window->local_of[action->variable];
        tac_bdd literal = action->value ? tac_bdd_var(local) : tac_bdd_not_var(local);
        cube = tac_bdd_leave_with(scope, tac_bdd_and(cube, literal));
    }
    return cube;
}

tac_bdd rules_window_trigger(struct window *window, const tac_rules_state *state, uint32_t e,
                             struct firing *firing)
{
    assert(e >= state->first_edge && e < state->first_edge + state->edge_count);
    const tac_rules *rules = window->rules;
    uint32_t rule = rules->edges[e].rule;
    if (e > state->first_edge &&
        rules->rules[rules->edges[e - 1].rule].priority != rules->rules[rule].priority)
        firing->higher = firing->level;
    tac_bdd wanted = tac_bdd_and(window->valid, rules_window_rule(window, rule));
    firing->level = tac_bdd_or(firing->level, wanted);
    return tac_bdd_diff(wanted, firing->higher);
}

/* --- What a set looks like -------------------------------------------------------------------- */

void rules_window_count(const struct window *window, tac_bdd set, tac_rules_count *out)
{
    assert(window->open);
    tac_bdd_count(set, window->variable_of.count, out->mantissa, &out->shift);
    out->known = true;
    if (mpz_sgn(out->mantissa) == 0)
        return;
    if (mpz_cmp_ui(window->outside, 1) != 0)
        mpz_mul(out->mantissa, out->mantissa, window->outside);
    out->shift += window->outside_shift;
}

static char *spread(const struct window *window, const signed char *values, char otherwise)
{
    char *text = tac_strdup(window->components->some_input);
    if (otherwise)
        memset(text, otherwise, window->rules->variable_count);
    for (size_t i = 0; i < window->variable_of.count; i++)
        if (values[i] >= 0)
            text[window->variable_of.at[i]] = (char)('0' + values[i]);
    return text;
}

char *rules_window_example(const struct window *window, tac_bdd set)
{
    assert(set != TAC_BDD_FALSE);
    signed char *values = tac_alloc(tac_bdd_variable_count() + 1);
    tac_bdd_first(set, values);
    char *text = spread(window, values, 0);
    free(values);
    return text;
}

/* Whether every valid input of the cube without literal `drop` is in the set. */
static bool can_drop(tac_bdd unwanted, const signed char *values, size_t count, size_t drop)
{
    size_t scope = tac_bdd_scope();
    tac_bdd cube = TAC_BDD_TRUE;
    for (size_t i = count; i-- > 0;)
        if (values[i] >= 0 && i != drop)
            cube = tac_bdd_and(values[i] ? tac_bdd_var((uint32_t)i) : tac_bdd_not_var((uint32_t)i),
                               cube);
    bool disjoint = tac_bdd_disjoint(cube, unwanted);
    tac_bdd_leave(scope);
    return disjoint;
}

static size_t widen(tac_bdd unwanted, signed char *values, size_t count, bool from_the_end)
{
    assert(count <= tac_bdd_variable_count());
    size_t literals = 0;
    for (size_t i = 0; i < count; i++) {
        size_t drop = from_the_end ? count - 1 - i : i;
        if (values[drop] >= 0 && can_drop(unwanted, values, count, drop))
            values[drop] = -1;
        literals += values[drop] >= 0;
    }
    return literals;
}

/* From a shortest path of the set, literals are dropped while no valid input outside the set comes
 * in, from both ends; the shorter result is the cube. */
static char *smallest_cube(const struct window *window, tac_bdd set)
{
    size_t count = window->variable_of.count, all = tac_bdd_variable_count() + 1;
    size_t scope = tac_bdd_scope();
    signed char *forward = tac_alloc(all), *backward = tac_alloc(all);
    tac_bdd unwanted = tac_bdd_diff(window->valid, set);
    tac_bdd_shortest(set, forward);
    memcpy(backward, forward, all - 1);
    size_t first = widen(unwanted, forward, count, false);
    size_t second = widen(unwanted, backward, count, true);
    char *cube = spread(window, second < first ? backward : forward, '*');
    tac_bdd_leave(scope);
    free(forward);
    free(backward);
    return cube;
}

struct cube_list {
    const struct window *window;
    tac_rules_inputs *out;
    size_t most;
};

static bool add_cube(void *context, const signed char *values)
{
    assert(((struct cube_list *)context)->out->cube_count <= ((struct cube_list *)context)->most);
    struct cube_list *list = context;
    if (list->out->cube_count == list->most) {
        list->out->cubes_truncated = true;
        return false;
    }
    list->out->cubes[list->out->cube_count++] = spread(list->window, values, '*');
    return true;
}

/* The first input of the set that the cube matches: every cube matches some. */
static char *example_in(const struct window *window, tac_bdd set, const char *cube)
{
    size_t scope = tac_bdd_scope();
    for (size_t i = window->variable_of.count; i-- > 0;) {
        char value = cube[window->variable_of.at[i]];
        if (value != '*')
            set = tac_bdd_and(set, value == '1' ? tac_bdd_var((uint32_t)i)
                                                : tac_bdd_not_var((uint32_t)i));
    }
    char *example = tac_bdd_failed() ? NULL : rules_window_example(window, set);
    tac_bdd_leave(scope);
    return example;
}

void rules_window_inputs(const struct window *window, tac_bdd set, size_t max_cubes,
                         tac_rules_inputs *out)
{
    memset(out, 0, sizeof *out);
    rules_count_init(&out->count);
    rules_window_count(window, set, &out->count);
    if (set == TAC_BDD_FALSE)
        return;
    out->cube = smallest_cube(window, set);
    out->example = example_in(window, set, out->cube);
    if (max_cubes) {
        out->cubes = tac_calloc(max_cubes, sizeof *out->cubes);
        struct cube_list list = {window, out, max_cubes};
        tac_bdd_each_cube(set, add_cube, &list);
    }
}
