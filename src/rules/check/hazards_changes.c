/* See hazards_changes.h. Cost: changes times subsets of the changed groups. */
#include "rules/check/hazards_changes.h"
#include "base/check.h"
#include "base/data/alloc.h"

static void add_ending(ending_list *list, uint64_t ending)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i] == ending)
            return;
    tac_vec_push(list, ending);
}

/* Whether orders of the changed groups differ in how they end. */
static bool is_hazard(struct changes *c, uint64_t pair, uint64_t input, const uint32_t *changed,
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
                add_ending(&c->of_subset[subset | 1u << k],
                           rules_changes_commit(c, c->of_subset[subset].at[i],
                                                c->group_mask[changed[k]], input));
    assert(c->of_subset[full].count >= 1); /* every order ends somehow */
    return c->of_subset[full].count > 1;
}

uint64_t rules_changes_end(struct changes *c, const struct read_order *order, uint64_t pair,
                           uint64_t input)
{
    uint64_t ending = c->ends[pair], moved = pair % c->m.inputs ^ input;
    for (uint32_t b = 0; b < order->count; b++) {
        uint64_t mask = 0;
        for (uint32_t g = 0; g < c->rules->group_count; g++)
            if (order->blocks[b] >> g & 1 && moved & c->group_mask[g])
                mask |= c->group_mask[g]; /* an unchanged group is not due */
        ending = rules_changes_commit(c, ending, mask, input);
    }
    return ending;
}

/* The first order that the rates allow and that ends otherwise than the first of all; 0 = none. */
static size_t differing_order(struct changes *c, uint64_t pair, uint64_t input)
{
    uint64_t first = c->orders.count ? rules_changes_end(c, &c->orders.at[0], pair, input) : 0;
    for (size_t i = 1; i < c->orders.count; i++)
        if (rules_changes_end(c, &c->orders.at[i], pair, input) != first)
            return i;
    return 0;
}

static char *input_text(const struct changes *c, uint64_t input)
{
    char *text = tac_calloc((size_t)c->m.variables + 1, 1);
    for (uint32_t v = 0; v < c->m.variables; v++)
        text[v] = input >> v & 1 ? '1' : '0';
    return text;
}

struct tally {
    uint64_t of, hazards, possible_of, possible, rated;
};

static void count_from(struct changes *c, uint64_t pair, struct tally *t)
{
    uint32_t changed[32];
    tac_rules_hazards *out = c->run->out->hazards;
    bool rates = out->rates && out->rates_known;
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
        bool hazard = is_hazard(c, pair, input, changed, count);
        size_t other = rates ? differing_order(c, pair, input) : 0;
        t->of++;
        t->possible_of += allowed;
        t->hazards += hazard;
        t->possible += hazard && allowed;
        t->rated += other > 0;
        if (out->has_example || !allowed || !(rates ? other > 0 : hazard))
            continue;
        free(out->before);
        free(out->after);
        out->state = (uint32_t)(pair / c->m.inputs);
        out->before = input_text(c, before);
        out->after = input_text(c, input);
        c->show(c, pair, input, changed, count, other);
    }
}

static void add(mpz_t sum, uint64_t value)
{
    mpz_add_ui(sum, sum, (unsigned long)value);
}

tac_status rules_changes_count(struct changes *c, tac_error *err)
{
    tac_rules_hazards *out = c->run->out->hazards;
    for (uint32_t s = 0; s < c->rules->state_count; s++) {
        struct tally t = {0};
        for (size_t i = 0; i < c->valid.count; i++)
            if (rules_matrix_fired(&c->m, s * c->m.inputs + c->valid.at[i], c->edges) == 0)
                count_from(c, s * c->m.inputs + c->valid.at[i], &t);
        assert(t.possible <= t.hazards && t.hazards <= t.of && t.possible_of <= t.of);
        add(out->states[s].hazards, t.hazards);
        add(out->states[s].of, t.of);
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

tac_status rules_changes_open(struct changes *c, struct rules_run *run, size_t bytes,
                              uint32_t groups, tac_error *err)
{
    const tac_rules *rules = run->rules;
    c->run = run;
    c->rules = rules;
    tac_status status = rules_matrix_open(&c->m, rules, run->ignore_constraints,
                                          run->options->max_bytes, rules->state_count * bytes, err);
    if (status)
        return status;
    c->pairs = rules->state_count * c->m.inputs;
    c->ends = tac_calloc(c->pairs + 1, sizeof *c->ends);
    c->edges = tac_calloc((size_t)rules->edge_count + 1, sizeof *c->edges);
    c->subsets = (size_t)1 << groups;
    c->of_subset = tac_calloc(c->subsets, sizeof *c->of_subset);
    c->group_mask = tac_calloc((size_t)rules->group_count + 1, sizeof *c->group_mask);
    run->out->hazards->rates_known = rules_read_orders(rules, &c->orders);
    for (uint64_t input = 0; input < c->m.inputs; input++)
        if (tac_bits_get(c->m.valid, input))
            tac_vec_push(&c->valid, input);
    for (uint32_t v = 0; v < c->m.variables; v++) {
        uint64_t bit = (uint64_t)1 << v;
        assert(rules->variables[v].group < rules->group_count);
        c->group_mask[rules->variables[v].group] |= bit;
        c->rising |= rules->variables[v].monotone == TAC_MONOTONE_RISING ? bit : 0;
        c->falling |= rules->variables[v].monotone == TAC_MONOTONE_FALLING ? bit : 0;
    }
    return TAC_OK;
}

void rules_changes_close(struct changes *c)
{
    for (size_t i = 0; i < c->subsets; i++)
        tac_vec_free(&c->of_subset[i]);
    free(c->of_subset);
    free(c->ends);
    free(c->edges);
    free(c->group_mask);
    free(c->orders.at);
    tac_vec_free(&c->valid);
    rules_matrix_close(&c->m);
}
