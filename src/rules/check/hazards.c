/* Asynchronous hazards. The groups whose values changed are committed one at a time, and the rules
 * run to stability after each; a hazard is a change (state, before, after) for which two orders end
 * differently, "never stable" being one way to end.
 *
 * Without actions: one diagram over before (even BDD variables) and after (odd ones). settles[S][E]
 * are the inputs from which S ends in E. For each start state, reach[C][S] is the set of changes
 * for which some order of the groups C leads to S; committing a group that did not change does
 * nothing, so C runs over all subsets of groups. At the full set, changes in two of the reach sets
 * are hazards. Intermediate inputs are mixes of before and after and need not be valid.
 *
 * With actions, and for the enumerative engine, hazards_explicit.c goes through all changes.
 */
#include "rules/check/hazards.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/edges.h"

struct symbolic_hazards {
    struct rules_run *run;
    const tac_rules *rules;
    struct window window; /* before: variable v is BDD variable 2v */
    uint32_t states, groups, full;
    tac_bdd *trigger, *enabled; /* constraints ignored; kept */
    tac_bdd *settles;           /* [from * (states + 1) + to], to == states: never stable; kept */
    tac_bdd *mixed;             /* settles for the present subset of groups; kept */
    tac_bdd *reach;             /* [subset * (states + 1) + state]; kept */
    tac_bdd changes;            /* both valid, two groups differ; kept */
    tac_bdd allowed;            /* moves that monotone variables allow; kept */
    uint64_t start;
    struct read_orders orders; /* that the rates allow */
};

static bool fine(const struct symbolic_hazards *h)
{
    return rules_within_budget(h->run, h->start, h->run->work * 4);
}

/* --- Determinism on every input, valid or not ------------------------------------------------- */

/* *chance tells that two rules fire together on some input. */
static tac_status make_triggers(struct symbolic_hazards *h, bool *chance, tac_error *err)
{
    const tac_rules *rules = h->rules;
    for (uint32_t s = 0; s < h->states; s++) {
        const tac_rules_state *state = &rules->states[s];
        size_t scope = tac_bdd_scope();
        tac_bdd higher = TAC_BDD_FALSE;
        for_each_edge (e, state) {
            const tac_rules_rule *rule = &rules->rules[rules->edges[e].rule];
            tac_bdd wanted = rules_window_rule(&h->window, rules->edges[e].rule);
            for (uint32_t b = state->first_edge; b < e; b++)
                if (rules->rules[rules->edges[b].rule].priority == rule->priority &&
                    !tac_bdd_disjoint(h->trigger[b], wanted)) {
                    tac_bdd_leave(scope);
                    *chance = true;
                    return TAC_OK;
                }
            tac_bdd_hold(&h->trigger[e], tac_bdd_diff(wanted, higher));
            higher = tac_bdd_or(higher, wanted);
        }
        tac_bdd_hold(&h->enabled[s], higher);
        tac_bdd_leave(scope);
    }
    return tac_bdd_check("the triggers of the rules", err);
}

/* --- Settling --------------------------------------------------------------------------------- */

static tac_bdd *settles_at(const struct symbolic_hazards *h, uint32_t from, uint32_t to)
{
    assert(from < h->states && to <= h->states);
    return &h->settles[(size_t)from * (h->states + 1) + to];
}

static bool settle_in(struct symbolic_hazards *h, uint32_t target)
{
    const tac_rules *rules = h->rules;
    size_t scope = tac_bdd_scope();
    tac_bdd_hold(settles_at(h, target, target), tac_bdd_not(h->enabled[target]));
    tac_bdd_leave(scope);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = 0; s < h->states; s++) {
            size_t inner = tac_bdd_scope();
            tac_bdd set = *settles_at(h, s, target);
            for_each_edge (e, &rules->states[s]) {
                uint32_t to = rules->rules[rules->edges[e].rule].to;
                set = tac_bdd_or(set, tac_bdd_and(h->trigger[e], *settles_at(h, to, target)));
            }
            changed = changed || set != *settles_at(h, s, target);
            tac_bdd_hold(settles_at(h, s, target), set);
            tac_bdd_leave(inner);
        }
        if (!fine(h))
            return false;
    }
    return true;
}

static bool settle_all(struct symbolic_hazards *h)
{
    for (uint32_t target = 0; target < h->states; target++)
        if (!settle_in(h, target))
            return false;
    for (uint32_t s = 0; s < h->states; s++) {
        size_t scope = tac_bdd_scope();
        tac_bdd never = TAC_BDD_TRUE;
        for (uint32_t target = 0; target < h->states; target++)
            never = tac_bdd_diff(never, *settles_at(h, s, target));
        tac_bdd_hold(settles_at(h, s, h->states), never);
        tac_bdd_leave(scope);
    }
    return fine(h);
}

/* --- Orders ----------------------------------------------------------------------------------- */

/* Renames "before" to "after" for the variables of the groups in the subset. */
static tac_bdd_pairs *mix_of(const struct symbolic_hazards *h, uint32_t subset)
{
    assert(subset <= h->full);
    uint32_t *from = tac_calloc(h->rules->variable_count + 1, sizeof *from);
    uint32_t *to = tac_calloc(h->rules->variable_count + 1, sizeof *to);
    size_t count = 0;
    for (uint32_t v = 0; v < h->rules->variable_count; v++)
        if (subset >> h->rules->variables[v].group & 1) {
            from[count] = 2 * v;
            to[count++] = 2 * v + 1;
        }
    tac_bdd_pairs *pairs = tac_bdd_pairs_new(from, to, count);
    free(from);
    free(to);
    return pairs;
}

static tac_bdd differs(const struct symbolic_hazards *h, uint32_t group)
{
    assert(group < h->groups);
    tac_bdd any = TAC_BDD_FALSE;
    for (uint32_t v = h->rules->variable_count; v-- > 0;)
        if (h->rules->variables[v].group == group)
            any = tac_bdd_or(any, tac_bdd_xor(tac_bdd_var(2 * v), tac_bdd_var(2 * v + 1)));
    return any;
}

static void make_changes(struct symbolic_hazards *h)
{
    size_t scope = tac_bdd_scope();
    tac_bdd one = TAC_BDD_FALSE, two = TAC_BDD_FALSE, allowed = TAC_BDD_TRUE;
    for (uint32_t g = 0; g < h->groups; g++) {
        tac_bdd changed = differs(h, g);
        two = tac_bdd_or(two, tac_bdd_and(one, changed));
        one = tac_bdd_or(one, changed);
    }
    tac_bdd_pairs *all = mix_of(h, h->full);
    tac_bdd after = tac_bdd_rename(h->window.valid, all);
    tac_bdd_pairs_free(all);
    tac_bdd_hold(&h->changes, tac_bdd_and(two, tac_bdd_and(h->window.valid, after)));
    for (uint32_t v = 0; v < h->rules->variable_count; v++) {
        tac_bdd before_on = tac_bdd_var(2 * v), after_on = tac_bdd_var(2 * v + 1);
        if (h->rules->variables[v].monotone == TAC_MONOTONE_RISING)
            allowed = tac_bdd_and(allowed, tac_bdd_implies(before_on, after_on));
        else if (h->rules->variables[v].monotone == TAC_MONOTONE_FALLING)
            allowed = tac_bdd_and(allowed, tac_bdd_implies(after_on, before_on));
    }
    tac_bdd_hold(&h->allowed, allowed);
    tac_bdd_leave(scope);
}

/* reach[subset] from all subsets with one group less. */
static bool extend(struct symbolic_hazards *h, uint32_t subset)
{
    assert(subset > 0 && subset <= h->full);
    size_t row = (size_t)h->states + 1;
    tac_bdd_pairs *mix = mix_of(h, subset);
    for (size_t i = 0; i < (size_t)h->states * row; i++) {
        size_t scope = tac_bdd_scope();
        tac_bdd_hold(&h->mixed[i], tac_bdd_rename(h->settles[i], mix));
        tac_bdd_leave(scope);
    }
    tac_bdd_pairs_free(mix);
    tac_bdd *out = h->reach + subset * row;
    for (uint32_t g = 0; g < h->groups; g++) {
        if (!(subset >> g & 1))
            continue;
        const tac_bdd *in = h->reach + (subset & ~(1u << g)) * row;
        for (uint32_t s = 0; s < h->states && fine(h); s++)
            for (uint32_t to = 0; to < row && in[s] != TAC_BDD_FALSE; to++) {
                size_t scope = tac_bdd_scope();
                tac_bdd moved = tac_bdd_and(in[s], h->mixed[s * row + to]);
                tac_bdd_hold(&out[to], tac_bdd_or(out[to], moved));
                tac_bdd_leave(scope);
            }
        size_t scope = tac_bdd_scope();
        tac_bdd_hold(&out[h->states], tac_bdd_or(out[h->states], in[h->states]));
        tac_bdd_leave(scope);
    }
    return fine(h);
}

static void count_changes(const struct symbolic_hazards *h, tac_bdd set, mpz_t out)
{
    tac_bdd_count_full(set, 2 * (size_t)h->rules->variable_count, out);
}

static void pick_example(struct symbolic_hazards *h, uint32_t start, tac_bdd hazards)
{
    assert(hazards != TAC_BDD_FALSE);
    tac_rules_hazards *out = h->run->out->hazards;
    uint32_t n = h->rules->variable_count;
    signed char *values = tac_alloc(tac_bdd_variable_count() + 1);
    tac_bdd_first(hazards, values);
    out->before = tac_calloc((size_t)n + 1, 1);
    out->after = tac_calloc((size_t)n + 1, 1);
    for (uint32_t v = 0; v < n; v++) {
        out->before[v] = values[2 * v] == 1 ? '1' : '0';
        out->after[v] = values[2 * v + 1] == 1 ? '1' : '0';
    }
    free(values);
    rules_hazard_example(h->rules, out, start, out->rates && out->rates_known ? &h->orders : NULL);
}

/* Changes from `from`, a set of them that leaves the start state at rest, for which two orders end
 * differently. False when the budget is spent. */
static bool find_hazards(struct symbolic_hazards *h, uint32_t start, tac_bdd from, tac_bdd *out)
{
    size_t row = (size_t)h->states + 1;
    for (size_t i = 0; i < (size_t)(h->full + 1) * row; i++)
        tac_bdd_hold(&h->reach[i], TAC_BDD_FALSE);
    tac_bdd_hold(&h->reach[start], from);
    for (uint32_t subset = 1; subset <= h->full; subset++)
        if (!extend(h, subset))
            return false;
    const tac_bdd *ends = h->reach + h->full * row;
    tac_bdd seen = TAC_BDD_FALSE, hazards = TAC_BDD_FALSE;
    for (size_t to = 0; to < row; to++) {
        hazards = tac_bdd_or(hazards, tac_bdd_and(seen, ends[to]));
        seen = tac_bdd_or(seen, ends[to]);
    }
    *out = hazards;
    return fine(h);
}

/* One order: ends[to] becomes the changes that it leads from the start state to `to`. */
static bool follow_order(struct symbolic_hazards *h, const struct read_order *order, uint32_t start,
                         tac_bdd from, tac_bdd *ends)
{
    size_t row = (size_t)h->states + 1;
    tac_bdd *now = h->reach, *next = h->reach + row; /* two rows of it are free here */
    uint32_t read = 0;
    for (size_t i = 0; i < 2 * row; i++)
        tac_bdd_hold(&h->reach[i], TAC_BDD_FALSE);
    tac_bdd_hold(&now[start], from);
    for (uint32_t b = 0; b < order->count && fine(h); b++) {
        read |= order->blocks[b];
        tac_bdd_pairs *mix = mix_of(h, read);
        for (uint32_t s = 0; s < h->states && fine(h); s++) {
            if (now[s] == TAC_BDD_FALSE)
                continue;
            for (uint32_t to = 0; to < row; to++) {
                size_t scope = tac_bdd_scope();
                tac_bdd moved = tac_bdd_and(now[s], tac_bdd_rename(*settles_at(h, s, to), mix));
                tac_bdd_hold(&next[to], tac_bdd_or(next[to], moved));
                tac_bdd_leave(scope);
            }
        }
        tac_bdd_pairs_free(mix);
        tac_bdd_hold(&next[h->states], tac_bdd_or(next[h->states], now[h->states]));
        for (size_t i = 0; i < row; i++) {
            tac_bdd_hold(&now[i], next[i]);
            tac_bdd_hold(&next[i], TAC_BDD_FALSE);
        }
    }
    for (size_t i = 0; i < row; i++)
        tac_bdd_hold(&ends[i], now[i]);
    return fine(h);
}

/* Changes that the orders of the rates do not all lead to the same end. */
static bool find_rated(struct symbolic_hazards *h, uint32_t start, tac_bdd from, tac_bdd *out)
{
    size_t row = (size_t)h->states + 1;
    tac_bdd *shared = tac_bdd_places(row), *ends = tac_bdd_places(row);
    bool going = true;
    for (size_t i = 0; i < h->orders.count && going; i++) {
        going = follow_order(h, &h->orders.at[i], start, from, ends);
        for (size_t to = 0; to < row; to++) {
            size_t scope = tac_bdd_scope();
            tac_bdd_hold(&shared[to], i ? tac_bdd_and(shared[to], ends[to]) : ends[to]);
            tac_bdd_leave(scope);
        }
    }
    *out = from;
    for (size_t to = 0; to < row; to++)
        *out = tac_bdd_diff(*out, shared[to]);
    tac_bdd_places_free(shared, row);
    tac_bdd_places_free(ends, row);
    return going;
}

static void add_count(const struct symbolic_hazards *h, tac_bdd set, mpz_t sum)
{
    mpz_t count;
    mpz_init(count);
    count_changes(h, set, count);
    mpz_add(sum, sum, count);
    mpz_clear(count);
}

static bool count_state(struct symbolic_hazards *h, uint32_t start)
{
    assert(start < h->states);
    tac_rules_hazards *out = h->run->out->hazards;
    size_t scope = tac_bdd_scope();
    tac_bdd from = tac_bdd_diff(h->changes, h->enabled[start]), hazards, rated;
    if (!find_hazards(h, start, from, &hazards))
        return false;
    count_changes(h, from, out->states[start].of);
    count_changes(h, hazards, out->states[start].hazards);
    mpz_add(out->of, out->of, out->states[start].of);
    mpz_add(out->total, out->total, out->states[start].hazards);
    tac_bdd likely = tac_bdd_and(hazards, h->allowed);
    add_count(h, tac_bdd_and(from, h->allowed), out->possible_of);
    add_count(h, likely, out->possible);
    if (out->rates && out->rates_known) {
        if (!find_rated(h, start, from, &rated))
            return false;
        add_count(h, rated, out->rated);
        likely = tac_bdd_and(rated, h->allowed);
    }
    if (likely != TAC_BDD_FALSE && !out->has_example && fine(h))
        pick_example(h, start, likely);
    tac_bdd_leave(scope);
    return fine(h);
}

static tac_status run_symbolic(struct symbolic_hazards *h, tac_error *err)
{
    size_t row = (size_t)h->states + 1;
    h->trigger = tac_bdd_places(h->rules->edge_count);
    h->enabled = tac_bdd_places(row);
    h->settles = tac_bdd_places(h->states * row);
    h->mixed = tac_bdd_places(h->states * row);
    h->reach = tac_bdd_places(((size_t)h->full + 1) * row);
    rules_window_open(&h->window, h->rules, h->run->components);
    rules_window_add_all(&h->window);
    for (uint32_t v = 0; v < h->rules->variable_count; v++)
        h->window.local_of[v] = 2 * v;
    tac_bdd_more_variables(2 * (size_t)h->rules->variable_count);
    rules_window_seal(&h->window);
    bool chance = false;
    tac_status status = make_triggers(h, &chance, err);
    if (!status && !chance) {
        tac_bdd_budget(EXACT_NODES * 4);
        make_changes(h);
        bool known = settle_all(h);
        for (uint32_t s = 0; s < h->states && known && !status; s++) {
            known = count_state(h, s);
            if (!h->run->interrupted &&
                !tac_watch_tick(h->run->options->watch, "hazards", s, h->states))
                status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
        }
        h->run->out->hazards->known = known;
        h->run->out->truncated = h->run->out->truncated || !known;
        tac_bdd_recover();
        tac_bdd_budget(0);
    }
    tac_bdd_places_free(h->trigger, h->rules->edge_count);
    tac_bdd_places_free(h->enabled, row);
    tac_bdd_places_free(h->settles, h->states * row);
    tac_bdd_places_free(h->mixed, h->states * row);
    tac_bdd_places_free(h->reach, ((size_t)h->full + 1) * row);
    tac_bdd_drop(h->changes);
    tac_bdd_drop(h->allowed);
    rules_window_close(&h->window);
    free(h->orders.at);
    return !status && chance ? rules_chance_hazards(h->run, err) : status;
}

static tac_rules_hazards *hazards_new(const tac_rules *rules)
{
    tac_rules_hazards *out = tac_calloc(1, sizeof *out);
    mpz_inits(out->total, out->of, out->possible, out->possible_of, out->rated, NULL);
    for (uint32_t g = 0; g < rules->group_count; g++)
        out->rates = out->rates || rules->groups[g].every_ms || rules->groups[g].hold_ms;
    out->states = tac_calloc((size_t)rules->state_count + 1, sizeof *out->states);
    for (uint32_t s = 0; s < rules->state_count; s++)
        mpz_inits(out->states[s].hazards, out->states[s].of, NULL);
    return out;
}

tac_status rules_check_hazards(struct rules_run *run, tac_error *err)
{
    const tac_rules *rules = run->rules;
    run->out->hazards = hazards_new(rules);
    if (run->options->engine == TAC_RULES_ENUMERATIVE || rules->action_count)
        return rules_explicit_hazards(run, err);
    if (rules->group_count > 12 || rules->state_count > 300) {
        run->out->truncated = true;
        return TAC_OK;
    }
    struct symbolic_hazards h = {.run = run,
                                 .rules = rules,
                                 .states = rules->state_count,
                                 .groups = rules->group_count,
                                 .full = (1u << rules->group_count) - 1,
                                 .start = rules_work_now()};
    run->out->hazards->rates_known = rules_read_orders(rules, &h.orders);
    return run_symbolic(&h, err);
}
