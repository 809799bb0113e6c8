/* A witness for every state: the shortest run that never ends, the shortest race.
 *
 * Lengths are tried from the bound of the graph upwards. A run that never ends is shared: every
 * state on it has such a run too, of a known length, which ends that state's search early; and a
 * state whose own search used up its budget takes one from a state that it leads to. What remains
 * unknown is known not to be shorter than the length at which the search was given up.
 *
 * Every witness is replayed by the simulator, which shares nothing with the diagrams. */
#include "rules/witness/witness.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/edges.h"
#include "rules/engine/simulate.h"
#include "rules/witness/pairs.h"
#include <stdlib.h>
#include <string.h>

#define WORK_OF_A_STATE 20000u /* nodes made, for each kind of run, unless the budget is given */
#define LONGEST 4000u

struct witnesses {
    struct rules_run *run;
    const tac_rules *rules;
    struct witness_graph graph;
    struct witness_search search;
    edge_path *known; /* by state: edges of a run that never ends, the shortest seen so far */
    struct rule_pairs pairs; /* when has_pairs */
    bool has_pairs, asked_pairs;
};

/* --- Replay ----------------------------------------------------------------------------------- */

/* Whether the rule is among those of the best priority that hold. */
static bool fires(const tac_rules *rules, uint32_t state, uint32_t rule, const char *values)
{
    uint32_t first = rules_triggered_edge(rules, state, values);
    return first != TAC_RULES_NONE &&
           rules->rules[rules->edges[first].rule].priority == rules->rules[rule].priority &&
           rules_predicate_holds(rules, rules->rules[rule].when, values);
}

static bool rests_here(const tac_rules *rules, uint32_t state, const char *values, bool changed)
{
    return rules_triggered_edge(rules, state, values) == TAC_RULES_NONE ||
           (changed && !rules_input_is_valid(rules, values));
}

/* Whether the simulator walks the witness as it says. */
static bool rules_witness_replays(const tac_rules *rules, const tac_rules_findings *findings,
                                  uint32_t state, const tac_rules_witness *w, bool race)
{
    assert(state < rules->state_count);
    char *values = tac_rules_witness_input(rules, findings, w), *mark = NULL;
    bool fine =
        w->length >= (race ? 2 : 1) && w->states[0] == state && rules_input_is_valid(rules, values);
    bool changed = false;
    for (size_t i = 0; i < w->length && fine; i++) {
        const tac_rules_rule *rule = &rules->rules[w->rules[i]];
        if (!race && i == w->loop)
            mark = tac_strdup(values);
        fine = fires(rules, w->states[i], w->rules[i], values) && rule->to == w->states[i + 1] &&
               (!changed || rules_input_is_valid(rules, values));
        rules_apply_action(rules, rule, values);
        changed = changed || rule->action_count;
    }
    if (fine && race)
        fine = rests_here(rules, w->states[w->length], values, changed);
    else if (fine)
        fine = w->states[w->loop] == w->states[w->length] && mark && strcmp(mark, values) == 0;
    free(values);
    free(mark);
    return fine;
}

/* --- Sharing ---------------------------------------------------------------------------------- */

static void learn(struct witnesses *x, uint32_t state, const uint32_t *edges, size_t count)
{
    assert(state < x->rules->state_count && count > 0);
    edge_path *known = &x->known[state];
    if (known->count && known->count <= count)
        return;
    known->count = 0;
    for (size_t i = 0; i < count; i++)
        tac_vec_push(known, edges[i]);
}

/* Every state on the run has what is left of it, and on the cycle the cycle from there. */
static void share(struct witnesses *x, const edge_path *run, size_t loop)
{
    size_t cycle = run->count - loop;
    assert(loop < run->count);
    edge_path turned = {0};
    for (size_t i = 0; i < run->count; i++) {
        uint32_t state = x->rules->edges[run->at[i]].state;
        size_t count = i <= loop ? run->count - i : cycle;
        if (x->known[state].count && x->known[state].count <= count)
            continue;
        turned.count = 0;
        for (size_t k = 0; k < count; k++)
            tac_vec_push(&turned, run->at[i + k < run->count ? i + k : i + k - cycle]);
        learn(x, state, turned.at, turned.count);
    }
    tac_vec_free(&turned);
}

/* --- One state -------------------------------------------------------------------------------- */

static void accept(struct witnesses *x, tac_rules_witness *out, size_t at_least)
{
    rules_search_take(&x->search, out);
    out->at_least = at_least;
    assert(at_least <= out->length);
    if (!x->search.race) {
        learn(x, out->states[0], x->search.edges.at, x->search.edges.count);
        share(x, &x->search.edges, out->loop);
    }
}

static void begin(struct witnesses *x, uint32_t s, bool race)
{
    uint64_t given = x->run->options->work;
    rules_search_begin(&x->search, s, race);
    x->search.most_nodes = given ? given : WORK_OF_A_STATE;
    x->search.most_steps = x->search.most_nodes * 25;
}

/* The run that another state's search found, with a budget of its own. */
static void take_known(struct witnesses *x, uint32_t s, uint32_t length, tac_rules_witness *out)
{
    const edge_path *known = &x->known[s];
    begin(x, s, false);
    x->search.most_nodes *= 4;
    if (rules_search_accepts(&x->search, known->at, known->count))
        accept(x, out, length < known->count ? length : known->count);
}

/* Lengths from `length` on, up to that of the run already known. */
static void deepen(struct witnesses *x, uint32_t s, uint32_t length, tac_rules_witness *out)
{
    const edge_path *known = &x->known[s];
    enum search_result result = SEARCH_NONE;
    begin(x, s, x->search.race);
    for (; length <= LONGEST; length++) {
        if (!x->search.race && known->count && known->count <= length)
            break;
        result = rules_search(&x->search, length);
        if (result != SEARCH_NONE)
            break;
    }
    out->at_least = length;
    if (result == SEARCH_FOUND)
        accept(x, out, length);
    else if (result == SEARCH_NEVER && !(known->count && !x->search.race))
        out->exists = TAC_RULES_NO;
    else if (!x->search.race && known->count)
        take_known(x, s, length, out);
}

/* Whether chains of rules that can follow each other prove that the state has no cycle. They are
 * looked at once some search has not come to an end, for this state and all after it. */
static bool has_no_chain(struct witnesses *x, uint32_t s)
{
    return x->has_pairs && !rules_pairs_endless(&x->pairs, s);
}

static void look_at_pairs(struct witnesses *x)
{
    if (x->asked_pairs || x->rules->action_count)
        return;
    x->asked_pairs = true;
    x->has_pairs =
        rules_pairs_open(&x->pairs, x->rules, x->run->components, x->run->options->watch);
    x->search.begun = 0; /* the search's window is another */
}

static void find_cycle(struct witnesses *x, uint32_t s)
{
    tac_rules_state_findings *found = &x->run->out->states[s];
    tac_rules_witness *w = &found->cycle_witness;
    w->exists = TAC_RULES_UNKNOWN;
    x->search.race = false;
    if (x->graph.lasso[s] == NO_LENGTH || rules_count_is_zero(&found->cycle) || has_no_chain(x, s))
        w->exists = TAC_RULES_NO;
    else
        deepen(x, s, x->graph.lasso[s], w);
    if (w->exists == TAC_RULES_UNKNOWN) {
        look_at_pairs(x);
        w->exists = has_no_chain(x, s) ? TAC_RULES_NO : TAC_RULES_UNKNOWN;
    }
}

/* Where nothing goes round for ever, arithmetic gives the counts that were too large to compute. */
static void count_without_cycles(const struct witnesses *x, uint32_t s)
{
    tac_rules_findings *out = x->run->out;
    tac_rules_state_findings *found = &out->states[s];
    if (found->cycle_witness.exists != TAC_RULES_NO || found->cycle.known)
        return;
    rules_count_set_u64(&found->cycle, 0);
    if (out->deterministic && !found->race.known)
        rules_unrest(out, s, &found->race);
}

static bool goes_on_from(const struct witnesses *x, uint32_t s)
{
    for_each_edge (e, &x->rules->states[s])
        if (x->graph.goes_on[e])
            return true;
    return false;
}

static void find_race(struct witnesses *x, uint32_t s)
{
    tac_rules_state_findings *found = &x->run->out->states[s];
    uint32_t rest = x->graph.rest[s];
    found->race_witness.exists = TAC_RULES_UNKNOWN;
    x->search.race = true;
    if (rest == NO_LENGTH || !goes_on_from(x, s) || rules_count_is_zero(&found->race))
        found->race_witness.exists = TAC_RULES_NO;
    else
        deepen(x, s, rest < 2 ? 2 : rest, &found->race_witness);
}

/* --- States whose budget did not suffice ------------------------------------------------------ */

/* One edge, then the run of the state it leads to, up to the first state seen before. */
static bool borrow(struct witnesses *x, uint32_t s, uint32_t e, size_t at_least,
                   tac_rules_witness *out)
{
    const edge_path *next = &x->known[x->rules->rules[x->rules->edges[e].rule].to];
    edge_path run = {0};
    tac_vec_push(&run, e);
    for (size_t i = 0; i < next->count; i++) {
        if (x->rules->edges[next->at[i]].state == s && x->rules->action_count == 0)
            break;
        tac_vec_push(&run, next->at[i]);
    }
    begin(x, s, false);
    assert(x->rules->edges[e].state == s && run.count <= next->count + 1);
    bool taken = next->count && rules_search_accepts(&x->search, run.at, run.count);
    if (taken)
        accept(x, out, at_least < run.count ? at_least : run.count);
    tac_vec_free(&run);
    return taken;
}

static bool borrow_any(struct witnesses *x)
{
    bool any = false;
    for (uint32_t s = 0; s < x->rules->state_count; s++) {
        tac_rules_witness *w = &x->run->out->states[s].cycle_witness;
        const tac_rules_state *state = &x->rules->states[s];
        for (uint32_t e = state->first_edge;
             e < state->first_edge + state->edge_count && w->exists == TAC_RULES_UNKNOWN; e++)
            if (x->graph.goes_on[e])
                any = borrow(x, s, e, w->at_least, w) || any;
    }
    return any;
}

/* --- All states ------------------------------------------------------------------------------- */

static tac_status replay_all(const struct witnesses *x, tac_error *err)
{
    const tac_rules_findings *out = x->run->out;
    for (uint32_t s = 0; s < x->rules->state_count; s++) {
        const tac_rules_state_findings *found = &out->states[s];
        if ((found->cycle_witness.exists == TAC_RULES_YES &&
             !rules_witness_replays(x->rules, out, s, &found->cycle_witness, false)) ||
            (found->race_witness.exists == TAC_RULES_YES &&
             !rules_witness_replays(x->rules, out, s, &found->race_witness, true)))
            return tac_fail(err, TAC_E_INTERNAL,
                            "the witness found for state '%s' is not a run of the simulator",
                            x->rules->states[s].name);
    }
    return TAC_OK;
}

static tac_status find_all(struct witnesses *x, tac_error *err)
{
    uint32_t states = x->rules->state_count;
    for (uint32_t s = 0; s < states; s++) {
        find_race(x, s);
        find_cycle(x, s);
        count_without_cycles(x, s);
        if (tac_bdd_recover())
            x->search.begun = 0;
        if (s % 16 == 0 && !tac_watch_tick(x->run->options->watch, "witnesses", s, states))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    }
    for (int round = 0; round < 4 && borrow_any(x); round++)
        if (!tac_watch_tick(x->run->options->watch, "witnesses", states, states))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    tac_bdd_recover();
    return replay_all(x, err);
}

tac_status rules_find_witnesses(struct rules_run *run, tac_error *err)
{
    struct witnesses x = {.run = run, .rules = run->rules};
    double start = rules_now();
    x.known = tac_calloc((size_t)run->rules->state_count + 1, sizeof *x.known);
    rules_graph_open(&x.graph, run->rules, run->out);
    rules_search_open(&x.search, run, &x.graph);
    run->out->witnesses = true;
    tac_status status = find_all(&x, err);
    rules_search_close(&x.search);
    rules_graph_close(&x.graph);
    if (x.has_pairs)
        rules_pairs_close(&x.pairs);
    for (uint32_t s = 0; s < run->rules->state_count; s++)
        tac_vec_free(&x.known[s]);
    free(x.known);
    run->out->statistics.witness_ms = (rules_now() - start) * 1e3;
    return status;
}
