/* Hazards where chance may decide and groups have rates, by walking everything: see
 * rules_reference.h. */
#include "rules_reference.h"
#include <stdlib.h>
#include <string.h>

struct walked {
    const tac_rules *rules;
    unsigned inputs;
    size_t pairs;      /* the last one stands for "never" */
    bool *ends;        /* [pair * (pairs + 1) + end]: some run from the pair ends so */
    unsigned masks[8]; /* by group */
};

static unsigned after_action(const tac_rules *rules, uint32_t rule, unsigned input)
{
    for (uint32_t i = 0; i < rules->rules[rule].action_count; i++) {
        tac_rules_action action = rules->actions[rules->rules[rule].first_action + i];
        input = action.value ? input | 1u << action.variable : input & ~(1u << action.variable);
    }
    return input;
}

static size_t successors(const struct walked *w, size_t pair, size_t *next)
{
    uint32_t fired[64];
    size_t count = reference_triggered(w->rules, (uint32_t)(pair / w->inputs),
                                       (unsigned)(pair % w->inputs), fired);
    for (size_t i = 0; i < count; i++)
        next[i] = w->rules->rules[fired[i]].to * w->inputs +
                  after_action(w->rules, fired[i], (unsigned)(pair % w->inputs));
    return count;
}

/* Depth first along every run; a pair on the way again is a run that never ends. */
static void run(const struct walked *w, size_t pair, bool *on_way, bool *done, bool *ends)
{
    size_t next[64];
    if (on_way[pair]) {
        ends[w->pairs] = true;
        return;
    }
    if (done[pair])
        return;
    on_way[pair] = true;
    size_t count = successors(w, pair, next);
    if (count == 0)
        ends[pair] = true;
    for (size_t i = 0; i < count; i++)
        run(w, next[i], on_way, done, ends);
    on_way[pair] = false;
    done[pair] = true;
}

static void read_groups(const struct walked *w, unsigned mask, unsigned after, bool *set)
{
    bool *next = calloc(w->pairs + 1, 1);
    next[w->pairs] = set[w->pairs];
    for (size_t p = 0; p < w->pairs; p++) {
        unsigned mixed = ((unsigned)(p % w->inputs) & ~mask) | (after & mask);
        const bool *ends = w->ends + (p - p % w->inputs + mixed) * (w->pairs + 1);
        for (size_t e = 0; e <= w->pairs && set[p]; e++)
            next[e] = next[e] || ends[e];
    }
    memcpy(set, next, w->pairs + 1);
    free(next);
}

struct differ {
    bool *first;
    bool has_first, differ;
};

static void compare(const struct walked *w, struct differ *d, const bool *set)
{
    if (d->has_first && memcmp(d->first, set, w->pairs + 1))
        d->differ = true;
    memcpy(d->first, set, w->pairs + 1);
    d->has_first = true;
}

static void all_orders(const struct walked *w, unsigned left, unsigned after, const bool *set,
                       struct differ *d)
{
    if (left == 0) {
        compare(w, d, set);
        return;
    }
    for (uint32_t g = 0; g < w->rules->group_count; g++) {
        if (!(left >> g & 1))
            continue;
        bool *next = malloc(w->pairs + 1);
        memcpy(next, set, w->pairs + 1);
        read_groups(w, w->masks[g], after, next);
        all_orders(w, left & ~(1u << g), after, next, d);
        free(next);
    }
}

/* The change happens at every half millisecond of `span`; time then goes on by half milliseconds.
 */
static void all_moments(const struct walked *w, unsigned changed, unsigned after, const bool *start,
                        unsigned span, struct differ *d)
{
    bool *set = malloc(w->pairs + 1);
    for (unsigned c = 0; c < 2 * span; c++) {
        unsigned left = changed;
        memcpy(set, start, w->pairs + 1);
        for (unsigned t = c; left; t++) {
            unsigned mask = 0;
            for (uint32_t g = 0; g < w->rules->group_count; g++) {
                uint64_t every = w->rules->groups[g].every_ms, hold = w->rules->groups[g].hold_ms;
                if (left >> g & 1 && t >= c + 2 * hold && (!every || t % (2 * every) == 0)) {
                    mask |= w->masks[g];
                    left &= ~(1u << g);
                }
            }
            if (mask)
                read_groups(w, mask, after, set);
        }
        compare(w, d, set);
    }
    free(set);
}

static void open_walk(struct walked *w, const tac_rules *rules)
{
    *w = (struct walked){.rules = rules, .inputs = 1u << rules->variable_count};
    w->pairs = (size_t)rules->state_count * w->inputs;
    w->ends = calloc(w->pairs * (w->pairs + 1), 1);
    for (uint32_t v = 0; v < rules->variable_count; v++)
        w->masks[rules->variables[v].group] |= 1u << v;
    bool *on_way = calloc(w->pairs, 1), *done = calloc(w->pairs, 1);
    for (size_t p = 0; p < w->pairs; p++) {
        memset(done, 0, w->pairs);
        run(w, p, on_way, done, w->ends + p * (w->pairs + 1));
    }
    free(on_way);
    free(done);
}

void reference_chance_hazards(const tac_rules *rules, unsigned span, long *hazards, long *rated,
                              long *of)
{
    struct walked w;
    open_walk(&w, rules);
    *hazards = *rated = *of = 0;
    bool *start = malloc(w.pairs + 1);
    struct differ d = {.first = malloc(w.pairs + 1)};
    for (size_t p = 0; p < w.pairs; p++) {
        size_t next[64];
        if (!reference_valid(rules, (unsigned)(p % w.inputs)) || successors(&w, p, next))
            continue;
        for (unsigned after = 0; after < w.inputs; after++) {
            unsigned changed = 0, count = 0;
            for (uint32_t g = 0; g < rules->group_count; g++)
                if (((unsigned)(p % w.inputs) ^ after) & w.masks[g]) {
                    changed |= 1u << g;
                    count++;
                }
            if (count < 2 || !reference_valid(rules, after))
                continue;
            memset(start, 0, w.pairs + 1);
            start[p] = true;
            d.has_first = d.differ = false;
            all_orders(&w, changed, after, start, &d);
            *of += 1;
            *hazards += d.differ;
            d.has_first = d.differ = false;
            if (span)
                all_moments(&w, changed, after, start, span, &d);
            *rated += d.differ;
        }
    }
    free(d.first);
    free(start);
    free(w.ends);
}
