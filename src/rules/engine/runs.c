/* The enumerative engine's runs: Algorithm 4 over every (state, input). Each pair learns whether
 * some run from it ends and whether some run never ends, by sweeps to the fixpoint. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/engine/enumerate.h"

enum { ENDS = 1, LOOPS = 2 };

struct runs {
    struct enumeration *x;
    uint8_t *ways; /* by pair: ENDS, LOOPS */
};

static bool sweep_pair(struct runs *r, uint64_t pair)
{
    size_t count;
    const uint32_t *edges = rules_fired_edges(r->x, pair, &count);
    if (count == 0)
        return false;
    uint8_t after = 0, before = r->ways[pair];
    for (size_t i = 0; i < count; i++)
        after |= r->ways[rules_matrix_after(&r->x->m, pair, edges[i])];
    r->ways[pair] = (uint8_t)((before & ENDS) | (after & ENDS) | (before & after & LOOPS));
    return r->ways[pair] != before;
}

static void sweep(struct runs *r)
{
    uint64_t pairs = r->x->run->rules->state_count * r->x->m.inputs;
    for (uint64_t pair = 0; pair < pairs; pair++) {
        size_t count;
        rules_fired_edges(r->x, pair, &count);
        r->ways[pair] = count ? LOOPS : ENDS;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint64_t pair = pairs; pair-- > 0;)
            changed = sweep_pair(r, pair) || changed;
    }
}

/* Some run of two transitions or more ends; *one tells that every run is one transition. */
static bool races(const struct runs *r, uint64_t pair, bool *one)
{
    const struct matrix *m = &r->x->m;
    size_t count, next_count;
    bool race = false;
    const uint32_t *edges = rules_fired_edges(r->x, pair, &count);
    *one = count > 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t next = rules_matrix_after(m, pair, edges[i]);
        const uint32_t *again = rules_fired_edges(r->x, next, &next_count);
        *one = *one && next_count == 0;
        for (size_t k = 0; k < next_count; k++)
            race = race || (r->ways[rules_matrix_after(m, next, again[k])] & ENDS);
    }
    return race;
}

static void count_state(struct runs *r, uint32_t s)
{
    uint64_t stable = 0, one = 0, race = 0, cycle = 0;
    for (uint64_t input = 0; input < r->x->m.inputs; input++) {
        size_t count;
        bool is_one;
        if (!tac_bits_get(r->x->m.valid, input))
            continue;
        uint64_t pair = s * r->x->m.inputs + input;
        rules_fired_edges(r->x, pair, &count);
        stable += count == 0;
        race += races(r, pair, &is_one);
        one += is_one;
        cycle += (r->ways[pair] & LOOPS) != 0;
    }
    tac_rules_state_findings *found = &r->x->run->out->states[s];
    rules_count_set_u64(&found->stable, stable);
    rules_count_set_u64(&found->one, one);
    rules_count_set_u64(&found->race, race);
    rules_count_set_u64(&found->cycle, cycle);
}

tac_status rules_enumerate_runs(struct enumeration *x, tac_error *err)
{
    struct runs r = {.x = x};
    r.ways = tac_calloc((size_t)x->run->rules->state_count * x->m.inputs + 1, 1);
    sweep(&r);
    for (uint32_t s = 0; s < x->run->rules->state_count; s++)
        count_state(&r, s);
    if (!x->run->sets_only) {
        tac_bdd_budget(rules_exact_nodes(x->run));
        rules_enumerate_paths(x->run, &x->edges);
        tac_bdd_budget(0);
    }
    free(r.ways);
    return tac_bdd_check("describing the paths", err);
}
