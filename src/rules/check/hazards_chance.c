/* Hazards of rule sets in which chance decides.
 *
 * An order of refreshes then has a set of ways to end; a hazard is a change for which two orders do
 * not have the same set, "never stable" being one way to end. A set of pairs (state, input) is kept
 * once and known by its number. The sets in which each pair can end are computed once, by following
 * every rule that fires; for a change, the numbers that orders of a subset of the changed groups
 * lead to come from those of the smaller subsets. On a deterministic rule set every set has one
 * element, and this is what hazards_explicit.c counts. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/vec.h"
#include "rules/check/hazards.h"
#include "rules/edges.h"
#include "rules/engine/matrix.h"
#include <stdlib.h>
#include <string.h>

#define MAX_WORK 400000000.0 /* changes times subsets of groups */
#define MAX_PAIRS 4000000.0
#define NEVER UINT64_MAX

typedef TAC_VEC(uint64_t) pair_list;
typedef TAC_VEC(uint32_t) set_list;

struct chance {
    struct rules_run *run;
    const tac_rules *rules;
    struct matrix m;
    uint64_t pairs;
    bool *loops;    /* by pair: some run never ends */
    uint32_t *ends; /* by pair: number of the set it can end in */
    uint32_t *seen, stamp;
    tac_names sets;
    uint64_t *group_mask;
    struct read_orders orders; /* that the rates allow */
    pair_list valid, room;
    uint32_t *edges;
    uint64_t rising, falling;
    set_list *of_subset;
};

/* Constraints play no part: intermediate inputs need not be valid. */
static size_t fired(const struct chance *c, uint64_t pair, uint32_t *edges)
{
    const tac_rules *rules = c->rules;
    size_t count = 0;
    for_each_edge (e, &rules->states[pair / c->m.inputs]) {
        const tac_rules_rule *rule = &rules->rules[rules->edges[e].rule];
        if (count && rule->priority != rules->rules[rules->edges[edges[0]].rule].priority)
            break;
        if (tac_bits_get(c->m.rule[rules->edges[e].rule], pair % c->m.inputs))
            edges[count++] = e;
    }
    return count;
}

static uint64_t after(const struct chance *c, uint64_t pair, uint32_t edge)
{
    const tac_rules_rule *rule = &c->rules->rules[c->rules->edges[edge].rule];
    return rule->to * c->m.inputs + rules_matrix_apply(c->rules, rule, pair % c->m.inputs);
}

static int by_number(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* The number of the set of the pairs in the list, which is sorted here. */
static uint32_t set_of(struct chance *c, pair_list *list)
{
    size_t kept = 0;
    qsort(list->at, list->count, sizeof *list->at, by_number);
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || list->at[i] != list->at[kept - 1])
            list->at[kept++] = list->at[i];
    assert(kept > 0);
    return tac_names_intern_bytes(&c->sets, list->at, kept * sizeof *list->at);
}

static const uint64_t *elements(const struct chance *c, uint32_t set, size_t *count)
{
    assert(set < c->sets.count);
    *count = c->sets.length[set] / sizeof(uint64_t);
    return (const uint64_t *)(const void *)c->sets.text[set];
}

static void find_loops(struct chance *c)
{
    for (uint64_t p = 0; p < c->pairs; p++)
        c->loops[p] = fired(c, p, c->edges) > 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint64_t p = c->pairs; p-- > 0;) {
            bool again = false;
            size_t count = c->loops[p] ? fired(c, p, c->edges) : 0;
            for (size_t i = 0; i < count; i++)
                again = again || c->loops[after(c, p, c->edges[i])];
            changed = changed || again != c->loops[p];
            c->loops[p] = again;
        }
    }
}

static void find_ends(struct chance *c, uint64_t pair)
{
    pair_list ends = {0};
    c->room.count = 0;
    c->stamp++;
    c->seen[pair] = c->stamp;
    tac_vec_push(&c->room, pair);
    if (c->loops[pair])
        tac_vec_push(&ends, NEVER);
    for (size_t head = 0; head < c->room.count; head++) {
        size_t count = fired(c, c->room.at[head], c->edges);
        if (count == 0)
            tac_vec_push(&ends, c->room.at[head]);
        for (size_t i = 0; i < count; i++) {
            uint64_t next = after(c, c->room.at[head], c->edges[i]);
            if (c->seen[next] == c->stamp)
                continue;
            c->seen[next] = c->stamp;
            tac_vec_push(&c->room, next);
        }
    }
    assert(c->room.count <= c->pairs && ends.count > 0);
    c->ends[pair] = set_of(c, &ends);
    tac_vec_free(&ends);
}

/* Where the pairs of a set can end when the variables of the mask are read. */
static uint32_t commit(struct chance *c, uint32_t set, uint64_t mask, uint64_t input)
{
    assert(input < c->m.inputs);
    size_t count;
    const uint64_t *from = elements(c, set, &count);
    if (count == 1) {
        if (from[0] == NEVER)
            return set;
        uint64_t mixed = (from[0] % c->m.inputs & ~mask) | (input & mask);
        return c->ends[from[0] - from[0] % c->m.inputs + mixed];
    }
    c->room.count = 0;
    for (size_t i = 0; i < count; i++) {
        if (from[i] == NEVER) {
            tac_vec_push(&c->room, NEVER);
            continue;
        }
        uint64_t mixed = (from[i] % c->m.inputs & ~mask) | (input & mask);
        size_t more;
        const uint64_t *to = elements(c, c->ends[from[i] - from[i] % c->m.inputs + mixed], &more);
        for (size_t k = 0; k < more; k++)
            tac_vec_push(&c->room, to[k]);
    }
    return set_of(c, &c->room);
}

static void add_set(set_list *list, uint32_t set)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i] == set)
            return;
    tac_vec_push(list, set);
}

/* Whether orders of the changed groups differ in how they can end. */
static bool is_hazard(struct chance *c, uint64_t pair, uint64_t input, const uint32_t *changed,
                      uint32_t count)
{
    assert(count >= 2 && count <= c->rules->group_count && pair < c->pairs);
    uint32_t full = (1u << count) - 1;
    for (uint32_t subset = 0; subset <= full; subset++)
        c->of_subset[subset].count = 0;
    tac_vec_push(&c->of_subset[0], c->ends[pair]);
    for (uint32_t subset = 0; subset < full; subset++)
        for (uint32_t k = 0; k < count; k++)
            for (size_t i = 0; i < c->of_subset[subset].count && !(subset >> k & 1); i++)
                add_set(&c->of_subset[subset | 1u << k],
                        commit(c, c->of_subset[subset].at[i], c->group_mask[changed[k]], input));
    return c->of_subset[full].count > 1;
}

static uint32_t end_of_order(struct chance *c, const struct read_order *order, uint64_t pair,
                             uint64_t input)
{
    uint32_t set = c->ends[pair];
    uint64_t moved = pair % c->m.inputs ^ input;
    for (uint32_t b = 0; b < order->count; b++) {
        uint64_t mask = 0;
        for (uint32_t g = 0; g < c->rules->group_count; g++)
            if (order->blocks[b] >> g & 1 && moved & c->group_mask[g])
                mask |= c->group_mask[g]; /* an unchanged group is not due */
        set = commit(c, set, mask, input);
    }
    return set;
}

/* The first order that the rates allow and that can end otherwise than the first of all; 0 = none.
 */
static size_t differing_order(struct chance *c, uint64_t pair, uint64_t input)
{
    uint32_t first = c->orders.count ? end_of_order(c, &c->orders.at[0], pair, input) : 0;
    for (size_t i = 1; i < c->orders.count; i++)
        if (end_of_order(c, &c->orders.at[i], pair, input) != first)
            return i;
    return 0;
}

/* --- An example --------------------------------------------------------------------------------
 */

struct chance_order {
    struct chance *c;
    uint64_t input;
    const uint32_t *changed;
    uint32_t count, order[32], first[32], first_set, second_set;
    bool has_first;
    uint64_t tried;
};

static bool try_orders(struct chance_order *o, uint32_t depth, uint32_t used, uint32_t set)
{
    if (depth == o->count) {
        if (o->has_first) {
            o->second_set = set;
            return set != o->first_set;
        }
        o->has_first = true;
        o->first_set = set;
        memcpy(o->first, o->order, sizeof o->first);
        return false;
    }
    for (uint32_t k = 0; k < o->count && o->tried++ < 1000000; k++) {
        if (used >> k & 1)
            continue;
        o->order[depth] = o->changed[k];
        uint32_t next = commit(o->c, set, o->c->group_mask[o->changed[k]], o->input);
        if (try_orders(o, depth + 1, used | 1u << k, next))
            return true;
    }
    return false;
}

/* A way to end that the one set has and the other has not, if there is one, else any. */
static uint32_t way_to_end(struct chance *c, uint32_t set, uint32_t other)
{
    size_t count, others;
    const uint64_t *mine = elements(c, set, &count), *theirs = elements(c, other, &others);
    uint64_t chosen = mine[0];
    for (size_t i = 0; i < count; i++) {
        bool shared = false;
        for (size_t k = 0; k < others; k++)
            shared = shared || theirs[k] == mine[i];
        if (!shared)
            chosen = mine[i];
    }
    return chosen == NEVER ? TAC_RULES_NONE : (uint32_t)(chosen / c->m.inputs);
}

static char *input_text(const struct chance *c, uint64_t input)
{
    char *text = tac_calloc((size_t)c->m.variables + 1, 1);
    for (uint32_t v = 0; v < c->m.variables; v++)
        text[v] = input >> v & 1 ? '1' : '0';
    return text;
}

/* In any order. */
static void show(struct chance *c, uint64_t pair, uint64_t input, const uint32_t *changed,
                 uint32_t count)
{
    tac_rules_hazards *out = c->run->out->hazards;
    struct chance_order o = {.c = c, .input = input, .changed = changed, .count = count};
    if (!try_orders(&o, 0, 0, c->ends[pair]))
        return;
    out->has_example = true;
    out->order_count = count;
    for (int i = 0; i < 2; i++) {
        out->order[i] = tac_calloc((size_t)count + 1, sizeof(uint32_t));
        memcpy(out->order[i], i ? o.order : o.first, count * sizeof(uint32_t));
    }
    out->ends[0] = way_to_end(c, o.first_set, o.second_set);
    out->ends[1] = way_to_end(c, o.second_set, o.first_set);
}

/* In the first order that the rates allow, and in another one. */
static void show_rated(struct chance *c, uint64_t pair, uint64_t input, size_t other)
{
    tac_rules_hazards *out = c->run->out->hazards;
    uint32_t first = end_of_order(c, &c->orders.at[0], pair, input);
    uint32_t second = end_of_order(c, &c->orders.at[other], pair, input);
    rules_hazard_order(c->rules, out, 0, &c->orders.at[0]);
    rules_hazard_order(c->rules, out, 1, &c->orders.at[other]);
    out->has_example = true;
    out->ends[0] = way_to_end(c, first, second);
    out->ends[1] = way_to_end(c, second, first);
}

static void show_change(struct chance *c, uint64_t pair, uint64_t input)
{
    tac_rules_hazards *out = c->run->out->hazards;
    out->state = (uint32_t)(pair / c->m.inputs);
    out->before = input_text(c, pair % c->m.inputs);
    out->after = input_text(c, input);
}

/* --- Counting ----------------------------------------------------------------------------------
 */

struct tally {
    uint64_t of, hazards, possible_of, possible, rated;
};

static void count_from(struct chance *c, uint64_t pair, struct tally *t)
{
    uint32_t changed[32];
    tac_rules_hazards *out = c->run->out->hazards;
    uint64_t before = pair % c->m.inputs;
    for (size_t i = 0; i < c->valid.count; i++) {
        uint64_t input = c->valid.at[i], moved = before ^ input;
        uint32_t count = 0;
        for (uint32_t g = 0; g < c->rules->group_count; g++)
            if (moved & c->group_mask[g])
                changed[count++] = g;
        if (count < 2)
            continue;
        bool allowed = !(before & ~input & c->rising) && !(input & ~before & c->falling);
        t->of++;
        t->possible_of += allowed;
        bool rates = out->rates && out->rates_known;
        bool hazard = is_hazard(c, pair, input, changed, count);
        size_t other = rates ? differing_order(c, pair, input) : 0;
        t->hazards += hazard;
        t->possible += hazard && allowed;
        t->rated += other > 0;
        if (out->has_example || !allowed || !(rates ? other > 0 : hazard))
            continue;
        show_change(c, pair, input);
        if (rates)
            show_rated(c, pair, input, other);
        else
            show(c, pair, input, changed, count);
    }
}

static void add(mpz_t sum, uint64_t value)
{
    mpz_add_ui(sum, sum, (unsigned long)value);
}

static tac_status count_all(struct chance *c, tac_error *err)
{
    tac_rules_hazards *out = c->run->out->hazards;
    for (uint32_t s = 0; s < c->rules->state_count; s++) {
        struct tally t = {0};
        for (size_t i = 0; i < c->valid.count; i++)
            if (fired(c, s * c->m.inputs + c->valid.at[i], c->edges) == 0)
                count_from(c, s * c->m.inputs + c->valid.at[i], &t);
        assert(t.possible <= t.hazards && t.hazards <= t.of && t.possible_of <= t.of);
        mpz_set_ui(out->states[s].hazards, (unsigned long)t.hazards);
        mpz_set_ui(out->states[s].of, (unsigned long)t.of);
        add(out->total, t.hazards);
        add(out->of, t.of);
        add(out->possible, t.possible);
        add(out->possible_of, t.possible_of);
        add(out->rated, t.rated);
        if (!tac_watch_tick(c->run->options->watch, "hazards", s, c->rules->state_count))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    }
    out->known = true;
    return TAC_OK;
}

static void prepare(struct chance *c)
{
    const tac_rules *rules = c->rules;
    c->pairs = rules->state_count * c->m.inputs;
    c->loops = tac_calloc(c->pairs + 1, sizeof *c->loops);
    c->ends = tac_calloc(c->pairs + 1, sizeof *c->ends);
    c->seen = tac_calloc(c->pairs + 1, sizeof *c->seen);
    c->edges = tac_calloc((size_t)rules->edge_count + 1, sizeof *c->edges);
    c->group_mask = tac_calloc((size_t)rules->group_count + 1, sizeof *c->group_mask);
    c->run->out->hazards->rates_known = rules_read_orders(rules, &c->orders);
    assert(rules->group_count <= 12);
    c->of_subset = tac_calloc((size_t)1 << rules->group_count, sizeof *c->of_subset);
    for (uint64_t input = 0; input < c->m.inputs; input++)
        if (tac_bits_get(c->m.valid, input))
            tac_vec_push(&c->valid, input);
    for (uint32_t v = 0; v < c->m.variables; v++) {
        uint64_t bit = (uint64_t)1 << v;
        c->group_mask[rules->variables[v].group] |= bit;
        if (rules->variables[v].monotone == TAC_MONOTONE_RISING)
            c->rising |= bit;
        if (rules->variables[v].monotone == TAC_MONOTONE_FALLING)
            c->falling |= bit;
    }
    find_loops(c);
    for (uint64_t pair = 0; pair < c->pairs; pair++)
        find_ends(c, pair);
}

static void release(struct chance *c)
{
    for (size_t i = 0; c->of_subset && i < (size_t)1 << c->rules->group_count; i++)
        tac_vec_free(&c->of_subset[i]);
    free(c->of_subset);
    free(c->loops);
    free(c->ends);
    free(c->seen);
    free(c->edges);
    free(c->group_mask);
    free(c->orders.at);
    tac_vec_free(&c->valid);
    tac_vec_free(&c->room);
    tac_names_free(&c->sets);
    rules_matrix_close(&c->m);
}

tac_status rules_chance_hazards(struct rules_run *run, tac_error *err)
{
    const tac_rules *rules = run->rules;
    struct chance c = {.run = run, .rules = rules};
    run->out->hazards->chance = true;
    double changes = run->out->valid_inputs.known && run->out->valid_inputs.shift < 40
                         ? mpz_get_d(run->out->valid_inputs.mantissa) *
                               (double)((uint64_t)1 << run->out->valid_inputs.shift)
                         : 1e18;
    changes *= changes * rules->state_count;
    tac_status status = TAC_OK;
    bool small =
        rules->variable_count <= MATRIX_MAX_VARIABLES && rules->group_count <= 12 &&
        changes * (double)(1u << (rules->group_count & 15)) <= MAX_WORK &&
        rules->state_count * (double)((uint64_t)1 << (rules->variable_count & 63)) <= MAX_PAIRS;
    if (!small) {
        run->out->truncated = true; /* hazards stay unknown */
        return TAC_OK;
    }
    status = rules_matrix_open(&c.m, rules, run->ignore_constraints, run->options->max_bytes,
                               (size_t)rules->state_count * 9, err);
    if (status)
        return status;
    prepare(&c);
    status = count_all(&c, err);
    release(&c);
    return status;
}
