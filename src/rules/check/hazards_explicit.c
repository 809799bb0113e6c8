/* Hazards by going through every change (state, before, after), for rule sets with actions and for
 * the enumerative engine. Where each (state, input) settles is computed once; for a change, the
 * outcomes of all orders are the outcomes of subsets of the changed groups, smaller subsets first,
 * without repetition. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include "rules/check/hazards.h"
#include "rules/edges.h"
#include "rules/engine/matrix.h"
#include "rules/engine/simulate.h"
#include <stdlib.h>
#include <string.h>

#define MAX_CHANGES 400000000.0 /* times subsets of groups */
#define NEVER UINT64_MAX        /* the outcome "never stable" */

typedef TAC_VEC(uint64_t) outcomes;

struct changes {
    struct rules_run *run;
    const tac_rules *rules;
    struct matrix m;
    uint64_t *settled;    /* by pair (state * inputs + input): the pair it ends in, or NEVER */
    uint64_t *group_mask; /* by group */
    TAC_VEC(uint64_t) valid;
    uint64_t rising, falling;
    outcomes *of_subset;
    struct read_orders orders; /* that the rates allow */
};

/* The edge that fires, TAC_RULES_NONE, or UINT32_MAX - 1 when two do. */
static uint32_t fired(const struct changes *c, uint32_t s, uint64_t input)
{
    assert(s < c->rules->state_count && input < c->m.inputs);
    uint32_t found = TAC_RULES_NONE;
    for_each_edge (e, &c->rules->states[s]) {
        const tac_rules_rule *rule = &c->rules->rules[c->rules->edges[e].rule];
        if (found != TAC_RULES_NONE &&
            rule->priority != c->rules->rules[c->rules->edges[found].rule].priority)
            break;
        if (!tac_bits_get(c->m.rule[c->rules->edges[e].rule], input))
            continue;
        if (found != TAC_RULES_NONE)
            return UINT32_MAX - 1;
        found = e;
    }
    return found;
}

/* next[pair]; a pair that rests leads to itself. False when two rules fire together somewhere. */
static bool make_steps(struct changes *c, uint64_t *next)
{
    for (uint32_t s = 0; s < c->rules->state_count; s++)
        for (uint64_t input = 0; input < c->m.inputs; input++) {
            uint32_t e = fired(c, s, input);
            if (e == UINT32_MAX - 1)
                return false;
            uint64_t pair = s * c->m.inputs + input;
            next[pair] = pair;
            if (e == TAC_RULES_NONE)
                continue;
            const tac_rules_rule *rule = &c->rules->rules[c->rules->edges[e].rule];
            /* A rule that changes nothing never lets the state rest. */
            uint64_t to = rule->to * c->m.inputs + rules_matrix_apply(c->rules, rule, input);
            assert(to < c->rules->state_count * c->m.inputs);
            next[pair] = to == pair ? NEVER : to;
        }
    return true;
}

/* Follows each chain once: marks the pairs on the way, then gives them all the same end. */
static void settle_pairs(struct changes *c, const uint64_t *next)
{
    enum { NEW, ON_THE_WAY, DONE };
    uint64_t pairs = c->rules->state_count * c->m.inputs;
    uint8_t *mark = tac_calloc(pairs + 1, 1);
    TAC_VEC(uint64_t) way = {0};
    for (uint64_t first = 0; first < pairs; first++) {
        uint64_t pair = first, end;
        while (mark[pair] == NEW && next[pair] != pair && next[pair] != NEVER) {
            mark[pair] = ON_THE_WAY;
            tac_vec_push(&way, pair);
            pair = next[pair];
        }
        if (mark[pair] == DONE)
            end = c->settled[pair];
        else
            end = mark[pair] == NEW && next[pair] == pair ? pair : NEVER;
        tac_vec_push(&way, pair);
        for (size_t i = 0; i < way.count; i++) {
            c->settled[way.at[i]] = end;
            mark[way.at[i]] = DONE;
        }
        way.count = 0;
    }
    assert(way.count == 0);
    for (uint64_t pair = 0; pair < pairs; pair++) /* an end rests, or there is none */
        assert_costly(c->settled[pair] == NEVER || next[c->settled[pair]] == c->settled[pair]);
    tac_vec_free(&way);
    free(mark);
}

static void add_outcome(outcomes *set, uint64_t outcome)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->at[i] == outcome)
            return;
    tac_vec_push(set, outcome);
}

/* Whether the readings that the rates allow do not all end alike. */
static bool is_rated_hazard(const struct changes *c, uint64_t start_pair, uint64_t after)
{
    uint64_t first = NEVER, moved = (start_pair & (c->m.inputs - 1)) ^ after;
    for (size_t i = 0; i < c->orders.count; i++) {
        const struct read_order *order = &c->orders.at[i];
        uint64_t pair = start_pair;
        for (uint32_t b = 0; b < order->count && pair != NEVER; b++) {
            uint64_t mask = 0;
            for (uint32_t g = 0; g < c->rules->group_count; g++)
                if (order->blocks[b] >> g & 1 && moved & c->group_mask[g])
                    mask |= c->group_mask[g]; /* an unchanged group is not due */
            uint64_t input = ((pair & (c->m.inputs - 1)) & ~mask) | (after & mask);
            pair = c->settled[(pair & ~(c->m.inputs - 1)) | input];
        }
        if (i && pair != first)
            return true;
        first = pair;
    }
    return false;
}

/* All outcomes of committing the changed groups in some order; two or more are a hazard. */
static bool is_hazard(struct changes *c, uint64_t start_pair, uint64_t after,
                      const uint32_t *changed, uint32_t count)
{
    assert(count >= 2 && count <= 20 && start_pair < c->rules->state_count * c->m.inputs);
    uint32_t full = (1u << count) - 1;
    for (uint32_t subset = 0; subset <= full; subset++)
        c->of_subset[subset].count = 0;
    tac_vec_push(&c->of_subset[0], start_pair);
    for (uint32_t subset = 0; subset < full; subset++)
        for (size_t i = 0; i < c->of_subset[subset].count; i++) {
            uint64_t from = c->of_subset[subset].at[i];
            for (uint32_t k = 0; k < count; k++) {
                if (subset >> k & 1)
                    continue;
                uint64_t outcome = NEVER;
                if (from != NEVER) {
                    uint64_t mask = c->group_mask[changed[k]];
                    uint64_t input = ((from & (c->m.inputs - 1)) & ~mask) | (after & mask);
                    outcome = c->settled[(from & ~(c->m.inputs - 1)) | input];
                }
                add_outcome(&c->of_subset[subset | 1u << k], outcome);
            }
        }
    assert(c->of_subset[full].count >= 1); /* every order ends somehow */
    return c->of_subset[full].count > 1;
}

static void input_text(const struct changes *c, uint64_t input, char **out)
{
    *out = tac_calloc((size_t)c->m.variables + 1, 1);
    for (uint32_t v = 0; v < c->m.variables; v++)
        (*out)[v] = input >> v & 1 ? '1' : '0';
}

static void count_from(struct changes *c, uint32_t s, uint64_t before, uint64_t *hazards,
                       uint64_t *possible, uint64_t *of, uint64_t *possible_of)
{
    uint32_t changed[32], groups = c->rules->group_count;
    tac_rules_hazards *out = c->run->out->hazards;
    for (size_t i = 0; i < c->valid.count; i++) {
        uint64_t after = c->valid.at[i], moved = before ^ after;
        uint32_t count = 0;
        for (uint32_t g = 0; g < groups; g++)
            if (moved & c->group_mask[g])
                changed[count++] = g;
        if (count < 2)
            continue;
        bool allowed = !(before & ~after & c->rising) && !(after & ~before & c->falling);
        *of += 1;
        *possible_of += allowed;
        uint64_t pair = s * c->m.inputs + before;
        bool rates = out->rates && out->rates_known;
        bool rated = rates && is_rated_hazard(c, pair, after);
        if (rated)
            mpz_add_ui(out->rated, out->rated, 1);
        bool hazard = is_hazard(c, pair, after, changed, count);
        *hazards += hazard;
        *possible += hazard && allowed;
        if (!out->has_example && allowed && (rates ? rated : hazard)) {
            input_text(c, before, &out->before);
            input_text(c, after, &out->after);
            rules_hazard_example(c->rules, out, s, rates ? &c->orders : NULL);
        }
    }
}

static void add_u64(mpz_t sum, uint64_t value)
{
    mpz_add_ui(sum, sum, (unsigned long)value);
}

static tac_status count_all(struct changes *c, tac_error *err)
{
    tac_rules_hazards *out = c->run->out->hazards;
    for (uint32_t s = 0; s < c->rules->state_count; s++) {
        uint64_t hazards = 0, possible = 0, of = 0, possible_of = 0;
        for (size_t i = 0; i < c->valid.count; i++)
            if (c->settled[s * c->m.inputs + c->valid.at[i]] == s * c->m.inputs + c->valid.at[i])
                count_from(c, s, c->valid.at[i], &hazards, &possible, &of, &possible_of);
        assert(possible <= hazards && hazards <= of && possible_of <= of);
        mpz_set_ui(out->states[s].hazards, (unsigned long)hazards);
        mpz_set_ui(out->states[s].of, (unsigned long)of);
        add_u64(out->total, hazards);
        add_u64(out->of, of);
        add_u64(out->possible, possible);
        add_u64(out->possible_of, possible_of);
        if (!tac_watch_tick(c->run->options->watch, "hazards", s, c->rules->state_count))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    }
    out->known = true;
    return TAC_OK;
}

static void list_inputs(struct changes *c)
{
    for (uint64_t input = 0; input < c->m.inputs; input++)
        if (tac_bits_get(c->m.valid, input))
            tac_vec_push(&c->valid, input);
    c->group_mask = tac_calloc(c->rules->group_count + 1, sizeof *c->group_mask);
    for (uint32_t v = 0; v < c->m.variables; v++) {
        assert(c->rules->variables[v].group < c->rules->group_count);
        uint64_t bit = (uint64_t)1 << v;
        c->group_mask[c->rules->variables[v].group] |= bit;
        if (c->rules->variables[v].monotone == TAC_MONOTONE_RISING)
            c->rising |= bit;
        if (c->rules->variables[v].monotone == TAC_MONOTONE_FALLING)
            c->falling |= bit;
    }
}

tac_status rules_explicit_hazards(struct rules_run *run, tac_error *err)
{
    struct changes c = {.run = run, .rules = run->rules};
    uint32_t groups = run->rules->group_count;
    size_t subsets = (size_t)1 << (groups < 20 ? groups : 20);
    tac_status status =
        rules_matrix_open(&c.m, run->rules, run->ignore_constraints, run->options->max_bytes,
                          (size_t)run->rules->state_count * 17, err);
    if (status)
        return status;
    list_inputs(&c);
    double work = (double)run->rules->state_count * (double)c.valid.count * (double)c.valid.count;
    uint64_t pairs = run->rules->state_count * c.m.inputs;
    uint64_t *next = tac_calloc(pairs + 1, sizeof *next);
    c.settled = tac_calloc(pairs + 1, sizeof *c.settled);
    c.of_subset = tac_calloc(subsets, sizeof *c.of_subset);
    run->out->hazards->rates_known = rules_read_orders(run->rules, &c.orders);
    bool chance = !make_steps(&c, next);
    if (!chance && (groups > 20 || work * (double)subsets > MAX_CHANGES * 8))
        status = tac_fail(err, TAC_E_LIMIT,
                          "hazards of a rule set with actions are counted change by change, and "
                          "there are %.2g of them: too many",
                          work);
    if (!status && !chance) {
        settle_pairs(&c, next);
        status = count_all(&c, err);
    }
    for (size_t i = 0; i < subsets; i++)
        tac_vec_free(&c.of_subset[i]);
    free(c.of_subset);
    free(next);
    free(c.settled);
    free(c.group_mask);
    free(c.orders.at);
    tac_vec_free(&c.valid);
    rules_matrix_close(&c.m);
    return chance ? rules_chance_hazards(run, err) : status;
}

/* --- The example --------------------------------------------------------------------------------
 */

struct order_search {
    const tac_rules *rules;
    tac_rules_hazards *out;
    uint32_t changed[64], order[64];
    size_t count;
    uint64_t tried;
    bool has_first;
    char *first_values;
};

static void commit(const struct order_search *o, uint32_t group, char *values)
{
    for (uint32_t v = 0; v < o->rules->variable_count; v++)
        if (o->rules->variables[v].group == group)
            values[v] = o->out->after[v];
}

/* Extends the order; true when a second way to end was found. */
static bool try_orders(struct order_search *o, size_t depth, uint32_t state, const char *values,
                       bool never)
{
    assert(depth <= o->count && state < o->rules->state_count);
    if (depth == o->count) {
        uint32_t end = never ? TAC_RULES_NONE : state;
        bool differs = o->has_first &&
                       (end != o->out->ends[0] || (!never && strcmp(values, o->first_values) != 0));
        if (o->has_first && !differs)
            return false;
        int which = o->has_first;
        o->out->ends[which] = end;
        o->out->order[which] = tac_calloc(o->count + 1, sizeof(uint32_t));
        memcpy(o->out->order[which], o->order, o->count * sizeof(uint32_t));
        if (!o->has_first)
            o->first_values = tac_strdup(values);
        o->has_first = true;
        return which == 1;
    }
    for (size_t i = 0; i < o->count && o->tried++ < 1000000; i++) {
        bool used = false;
        for (size_t k = 0; k < depth; k++)
            used = used || o->order[k] == o->changed[i];
        if (used)
            continue;
        char *next = tac_strdup(values);
        uint32_t next_state = state;
        commit(o, o->changed[i], next);
        bool diverges = never || !rules_settle(o->rules, &next_state, next);
        o->order[depth] = o->changed[i];
        bool done = try_orders(o, depth + 1, next_state, next, diverges);
        free(next);
        if (done)
            return true;
    }
    return false;
}

static bool group_moved(const tac_rules *rules, const tac_rules_hazards *h, uint32_t group)
{
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (rules->variables[v].group == group && h->before[v] != h->after[v])
            return true;
    return false;
}

void rules_hazard_order(const tac_rules *rules, tac_rules_hazards *out, int which,
                        const struct read_order *order)
{
    size_t count = 0;
    free(out->order[which]);
    free(out->together[which]);
    out->order[which] = tac_calloc((size_t)rules->group_count + 1, sizeof(uint32_t));
    out->together[which] = tac_calloc((size_t)rules->group_count + 1, sizeof(bool));
    for (uint32_t b = 0; b < order->count; b++) {
        bool first = true;
        for (uint32_t g = 0; g < rules->group_count; g++)
            if (order->blocks[b] >> g & 1 && group_moved(rules, out, g)) {
                out->together[which][count] = !first;
                out->order[which][count++] = g;
                first = false;
            }
    }
    assert(count <= rules->group_count);
    out->order_count = count;
}

/* Plays the order from the example's state; the values afterwards are the caller's. */
static uint32_t play_order(const tac_rules *rules, const tac_rules_hazards *h, uint32_t state,
                           const struct read_order *order, char **values)
{
    *values = tac_strdup(h->before);
    for (uint32_t b = 0; b < order->count; b++) {
        for (uint32_t v = 0; v < rules->variable_count; v++)
            if (order->blocks[b] >> rules->variables[v].group & 1 &&
                group_moved(rules, h, rules->variables[v].group))
                (*values)[v] = h->after[v];
        if (!rules_settle(rules, &state, *values))
            return TAC_RULES_NONE;
    }
    return state;
}

/* Two of the listed orders that end differently. */
static void example_of_rates(const tac_rules *rules, tac_rules_hazards *out, uint32_t state,
                             const struct read_orders *orders)
{
    char *first = NULL, *values = NULL;
    for (size_t i = 0; i < orders->count && !out->has_example; i++) {
        uint32_t end = play_order(rules, out, state, &orders->at[i], &values);
        int which = i > 0;
        bool differs =
            which && (end != out->ends[0] || (end != TAC_RULES_NONE && strcmp(values, first) != 0));
        if (!which || differs) {
            out->ends[which] = end;
            rules_hazard_order(rules, out, which, &orders->at[i]);
        }
        out->has_example = differs;
        if (which)
            free(values);
        else
            first = values;
    }
    free(first);
}

void rules_hazard_example(const tac_rules *rules, tac_rules_hazards *out, uint32_t state,
                          const struct read_orders *orders)
{
    out->state = state;
    if (orders) {
        example_of_rates(rules, out, state, orders);
        return;
    }
    struct order_search o = {.rules = rules, .out = out};
    for (uint32_t g = 0; g < rules->group_count && o.count < 64; g++) {
        bool moved = false;
        for (uint32_t v = 0; v < rules->variable_count; v++)
            moved = moved || (rules->variables[v].group == g && out->before[v] != out->after[v]);
        if (moved)
            o.changed[o.count++] = g;
    }
    out->state = state;
    out->order_count = o.count;
    out->has_example = try_orders(&o, 0, state, out->before, false);
    assert(!out->has_example || (out->order[0] && out->order[1]));
    free(o.first_values);
}
