/* Algorithm 1 (state activation diagrams), with line 6 a disjunction, and what both engines of the
 * paper share. */
#include "rules/engine/activation.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/edges.h"
#include "rules/engine/graph.h"
#include <string.h>

/* Bits for the numbers below count, one at least: there may be no rule at all. */
static size_t width_of(uint32_t count)
{
    size_t width = 1;
    while (((uint64_t)1 << width) < count)
        width++;
    return width;
}

static uint32_t *take_bits(struct activation *a, uint32_t *next, size_t width)
{
    uint32_t *bits = tac_arena_calloc(&a->memory, width + 1, sizeof *bits);
    for (size_t i = 0; i < width; i++)
        bits[i] = (*next)++;
    return bits;
}

static void collect_set_variables(struct activation *a)
{
    const tac_rules *rules = a->run->rules;
    bool *seen = tac_calloc(rules->variable_count + 1, sizeof *seen);
    a->set_variables =
        tac_arena_calloc(&a->memory, rules->variable_count + 1, sizeof *a->set_variables);
    for (uint32_t i = 0; i < rules->action_count; i++)
        seen[rules->actions[i].variable] = true;
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (seen[v])
            a->set_variables[a->set_count++] = v;
    free(seen);
}

static void number_bits(struct activation *a)
{
    assert(!a->state_bits && !a->rule_bits);
    const tac_rules *rules = a->run->rules;
    uint32_t next = rules->variable_count;
    collect_set_variables(a);
    a->state_width = width_of(rules->state_count);
    a->rule_width = width_of(rules->rule_count);
    a->state_bits = take_bits(a, &next, a->state_width);
    a->next_bits = take_bits(a, &next, a->state_width);
    a->rule_bits = take_bits(a, &next, a->rule_width);
    a->set_copies = take_bits(a, &next, a->set_count);
    tac_bdd_more_variables(next);
}

static void make_variable_sets(struct activation *a)
{
    const tac_rules *rules = a->run->rules;
    size_t scope = tac_bdd_scope();
    tac_bdd_hold(&a->state_set, tac_bdd_variables(a->state_bits, a->state_width));
    tac_bdd_hold(&a->next_set, tac_bdd_variables(a->next_bits, a->state_width));
    tac_bdd_hold(&a->rule_set, tac_bdd_variables(a->rule_bits, a->rule_width));
    tac_bdd_hold(&a->copy_set, tac_bdd_variables(a->set_copies, a->set_count));
    uint32_t *context = tac_calloc(rules->variable_count + 1, sizeof *context);
    for (uint32_t v = 0; v < rules->variable_count; v++)
        context[v] = v;
    tac_bdd_hold(&a->context_set, tac_bdd_variables(context, rules->variable_count));
    free(context);
    tac_bdd_hold(&a->after_set, tac_bdd_and(a->next_set, tac_bdd_and(a->rule_set, a->copy_set)));
    tac_bdd_leave(scope);
    size_t count = a->state_width + a->set_count;
    uint32_t *from = tac_calloc(count + 1, sizeof *from), *to = tac_calloc(count + 1, sizeof *to);
    memcpy(from, a->state_bits, a->state_width * sizeof *from);
    memcpy(to, a->next_bits, a->state_width * sizeof *to);
    memcpy(from + a->state_width, a->set_variables, a->set_count * sizeof *from);
    memcpy(to + a->state_width, a->set_copies, a->set_count * sizeof *to);
    a->advance = tac_bdd_pairs_new(from, to, count);
    a->go_back = tac_bdd_pairs_new(a->next_bits, a->state_bits, a->state_width);
    free(from);
    free(to);
}

tac_bdd rules_encode_state(const struct activation *a, uint32_t state)
{
    assert(state < a->run->rules->state_count);
    return tac_bdd_number(a->state_bits, a->state_width, state);
}

tac_bdd rules_encode_next(const struct activation *a, uint32_t state)
{
    assert(state < a->run->rules->state_count);
    return tac_bdd_number(a->next_bits, a->state_width, state);
}

tac_bdd rules_encode_rule(const struct activation *a, uint32_t rule)
{
    assert(rule < a->run->rules->rule_count);
    return tac_bdd_number(a->rule_bits, a->rule_width, rule);
}

/* Each copy equals what the action assigns, or the variable itself. */
static tac_bdd future_of(const struct activation *a, const tac_rules_rule *rule)
{
    const tac_rules *rules = a->run->rules;
    size_t scope = tac_bdd_scope();
    tac_bdd future = TAC_BDD_TRUE;
    for (size_t i = a->set_count; i-- > 0;) {
        tac_bdd copy = tac_bdd_var(a->set_copies[i]);
        tac_bdd same = tac_bdd_iff(copy, tac_bdd_var(a->set_variables[i]));
        for (uint32_t k = 0; k < rule->action_count; k++) {
            const tac_rules_action *action = &rules->actions[rule->first_action + k];
            if (action->variable == a->set_variables[i])
                same = action->value ? copy : tac_bdd_not(copy);
        }
        future = tac_bdd_leave_with(scope, tac_bdd_and(same, future));
    }
    return future;
}

static void activate_state(struct activation *a, uint32_t s)
{
    assert(s < a->run->rules->state_count);
    assert(a->of[s] == TAC_BDD_FALSE); /* once for each state */
    const tac_rules *rules = a->run->rules;
    const tac_rules_state *state = &rules->states[s];
    size_t scope = tac_bdd_scope();
    tac_bdd activation = TAC_BDD_FALSE, exclusion = TAC_BDD_FALSE, at_priority = TAC_BDD_FALSE;
    for_each_edge (e, state) {
        uint32_t r = rules->edges[e].rule;
        const tac_rules_rule *rule = &rules->rules[r];
        if (e > state->first_edge &&
            rules->rules[rules->edges[e - 1].rule].priority != rule->priority)
            exclusion = at_priority;
        tac_bdd predicate = rules_window_rule(&a->window, r);
        at_priority = tac_bdd_or(at_priority, predicate);
        tac_bdd inputs = tac_bdd_and(tac_bdd_diff(predicate, exclusion), a->window.valid);
        tac_bdd encoded = tac_bdd_and(rules_encode_rule(a, r), rules_encode_next(a, rule->to));
        encoded = tac_bdd_and(inputs, tac_bdd_and(encoded, future_of(a, rule)));
        activation = tac_bdd_or(activation, encoded);
    }
    tac_bdd_hold(&a->of[s], activation);
    a->nodes += tac_bdd_node_count(activation);
    a->paths += tac_bdd_path_count(activation);
    tac_bdd_leave(scope);
}

tac_status rules_activation_open(struct activation *a, struct rules_run *run, tac_error *err)
{
    assert(run->components && run->out);
    const tac_rules *rules = run->rules;
    memset(a, 0, sizeof *a);
    a->run = run;
    rules_window_open(&a->window, rules, run->components);
    number_bits(a);
    rules_window_seal_all(&a->window);
    make_variable_sets(a);
    a->of = tac_bdd_places(rules->state_count);
    a->enabled = tac_bdd_places(rules->state_count);
    a->trigger = tac_bdd_places(rules->edge_count);
    a->action = tac_bdd_places(rules->edge_count);
    for (uint32_t s = 0; s < rules->state_count; s++) {
        activate_state(a, s);
        if (tac_bdd_failed())
            break;
        if (!tac_watch_tick(run->options->watch, "activations", s, rules->state_count))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    }
    for (uint32_t e = 0; e < rules->edge_count && !tac_bdd_failed(); e++) {
        size_t scope = tac_bdd_scope();
        tac_bdd_hold(&a->action[e],
                     rules_window_action(&a->window, &rules->rules[rules->edges[e].rule]));
        tac_bdd_leave(scope);
    }
    return tac_bdd_check("building the activation diagrams", err);
}

void rules_activation_close(struct activation *a)
{
    const tac_rules *rules = a->run->rules;
    tac_bdd_places_free(a->of, rules->state_count);
    tac_bdd_places_free(a->enabled, rules->state_count);
    tac_bdd_places_free(a->trigger, rules->edge_count);
    tac_bdd_places_free(a->action, rules->edge_count);
    tac_bdd_pairs_free(a->advance);
    tac_bdd_pairs_free(a->go_back);
    rules_window_close(&a->window);
    tac_arena_free(&a->memory);
}

void rules_activation_report(struct activation *a, uint32_t s, const tac_bdd *unstable)
{
    rules_report_transitions(a->run, &a->window, s, a->trigger, unstable);
    for_each_edge (e, &a->run->rules->states[s])
        if (a->action[e] != TAC_BDD_TRUE)
            rules_report_breach(a->run, &a->window, e, a->trigger[e], a->action[e]);
}

bool rules_activation_worthwhile(const struct activation *a)
{
    struct witness_graph graph;
    size_t states = 0;
    rules_graph_open(&graph, a->run->rules, a->run->out);
    for (uint32_t s = 0; s < a->run->rules->state_count; s++)
        states += graph.girth[s] != NO_LENGTH;
    rules_graph_close(&graph);
    return rules_exact_worthwhile(a->run, states, a->run->rules->variable_count);
}

void rules_activation_paths(struct activation *a, bool affordable)
{
    struct edge_sets edges = {&a->window, a->trigger, a->enabled, a->action};
    if (!affordable) {
        a->run->out->truncated = true;
        a->run->out->paths_known = a->run->out->cycles_known = false;
    } else if (!a->run->sets_only) {
        rules_enumerate_paths(a->run, &edges);
    }
}
