/* Pairs of edges, state by state in a window of the state and those it leads to; then edges that
 * nothing follows are taken away until none is left or all that are go on for ever. Cost: one
 * conjunction per pair of neighbouring edges; linear afterwards. */
#include "rules/witness/pairs.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include "rules/edges.h"
#include <string.h>

#define VARIABLES_AT_ONCE 256u

static void add_state(struct window *window, const tac_rules *rules, uint32_t s)
{
    for_each_edge (e, &rules->states[s])
        rules_window_add_rule(window, rules->edges[e].rule);
}

/* The state with all that it leads to. */
static void look_at(struct window *window, const tac_rules *rules, uint32_t s)
{
    rules_window_clear(window);
    add_state(window, rules, s);
    for_each_edge (e, &rules->states[s])
        add_state(window, rules, rules->rules[rules->edges[e].rule].to);
    size_t needed = window->variable_of.count;
    if (needed > tac_bdd_variable_count())
        tac_bdd_more_variables((needed / VARIABLES_AT_ONCE + 1) * VARIABLES_AT_ONCE);
    rules_window_seal(window);
}

static void pairs_of(struct window *window, const tac_rules *rules, uint32_t s,
                     struct rule_pairs *out, uint32_t *count)
{
    const tac_rules_state *state = &rules->states[s];
    struct firing firing = {TAC_BDD_FALSE, TAC_BDD_FALSE};
    for_each_edge (e, state) {
        out->first[e] = *count;
        tac_bdd fires = rules_window_trigger(window, state, e, &firing);
        const tac_rules_state *to = &rules->states[rules->rules[rules->edges[e].rule].to];
        struct firing behind = {TAC_BDD_FALSE, TAC_BDD_FALSE};
        for_each_edge (n, to) {
            tac_bdd both = tac_bdd_and(fires, rules_window_trigger(window, to, n, &behind));
            if (both != TAC_BDD_FALSE)
                out->next[(*count)++] = n;
        }
    }
}

/* Edges that are followed by nothing that goes on are not endless. */
static void settle(struct rule_pairs *pairs)
{
    uint32_t edges = pairs->rules->edge_count, *left = tac_calloc((size_t)edges + 1, sizeof *left);
    uint32_t *at = tac_calloc((size_t)edges + 2, sizeof *at);
    uint32_t *before = tac_calloc((size_t)pairs->first[edges] + 1, sizeof *before);
    TAC_VEC(uint32_t) ended = {0};
    for (uint32_t e = 0; e < edges; e++)
        for (uint32_t i = pairs->first[e]; i < pairs->first[e + 1]; i++)
            if (pairs->next[i] != TAC_RULES_NONE) {
                left[e]++;
                at[pairs->next[i] + 1]++;
            }
    for (uint32_t e = 0; e < edges; e++)
        at[e + 1] += at[e];
    uint32_t *place = tac_calloc((size_t)edges + 1, sizeof *place);
    memcpy(place, at, edges * sizeof *place);
    for (uint32_t e = 0; e < edges; e++) {
        pairs->endless[e] = left[e] > 0;
        if (!left[e])
            tac_vec_push(&ended, e);
        for (uint32_t i = pairs->first[e]; i < pairs->first[e + 1]; i++)
            if (pairs->next[i] != TAC_RULES_NONE)
                before[place[pairs->next[i]]++] = e;
    }
    for (size_t i = 0; i < ended.count; i++)
        for (uint32_t k = at[ended.at[i]]; k < at[ended.at[i] + 1]; k++) {
            assert(left[before[k]] > 0);
            if (--left[before[k]] == 0) {
                pairs->endless[before[k]] = false;
                tac_vec_push(&ended, before[k]);
            }
        }
    tac_vec_free(&ended);
    free(left);
    free(at);
    free(place);
    free(before);
}

bool rules_pairs_open(struct rule_pairs *pairs, const tac_rules *rules,
                      const struct components *components, tac_watch *watch)
{
    struct window window;
    size_t most = 0;
    uint32_t count = 0;
    bool fine = true;
    assert(rules->action_count == 0);
    for (uint32_t e = 0; e < rules->edge_count; e++)
        most += rules->states[rules->rules[rules->edges[e].rule].to].edge_count;
    *pairs = (struct rule_pairs){
        .rules = rules,
        .first = tac_calloc((size_t)rules->edge_count + 2, sizeof *pairs->first),
        .next = tac_calloc(most + 1, sizeof *pairs->next),
        .endless = tac_calloc((size_t)rules->edge_count + 1, sizeof *pairs->endless)};
    rules_window_open(&window, rules, components);
    for (uint32_t s = 0; s < rules->state_count && fine; s++) {
        size_t scope = tac_bdd_scope();
        look_at(&window, rules, s);
        pairs_of(&window, rules, s, pairs, &count);
        tac_bdd_leave(scope);
        fine = !tac_bdd_failed() &&
               (s % 64 || tac_watch_tick(watch, "pairs of rules", s, rules->state_count));
    }
    pairs->first[rules->edge_count] = count;
    rules_window_close(&window);
    if (fine)
        settle(pairs);
    else
        rules_pairs_close(pairs);
    return fine;
}

void rules_pairs_close(struct rule_pairs *pairs)
{
    free(pairs->first);
    free(pairs->next);
    free(pairs->endless);
    *pairs = (struct rule_pairs){0};
}

void rules_pairs_cut(struct rule_pairs *pairs, uint32_t rule, const bool *next)
{
    const tac_rules *rules = pairs->rules;
    for (uint32_t e = 0; e < rules->edge_count; e++)
        for (uint32_t i = pairs->first[e]; rules->edges[e].rule == rule && i < pairs->first[e + 1];
             i++)
            if (pairs->next[i] != TAC_RULES_NONE && next[rules->edges[pairs->next[i]].rule])
                pairs->next[i] = TAC_RULES_NONE;
    settle(pairs);
}

bool rules_pairs_endless(const struct rule_pairs *pairs, uint32_t state)
{
    for_each_edge (e, &pairs->rules->states[state])
        if (pairs->endless[e])
            return true;
    return false;
}
