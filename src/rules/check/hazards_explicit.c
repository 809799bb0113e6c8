/* Hazards by going through every change, for rule sets with actions and for the enumerative engine.
 * Where each (state, input) settles is computed once; an ending is that pair. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include "rules/check/hazards_changes.h"

#define MAX_CHANGES 400000000.0 /* times subsets of groups */
#define MOST_GROUPS 20

/* next[pair]; a pair that rests leads to itself. False when two rules fire together somewhere. */
static bool make_steps(struct changes *c, uint64_t *next)
{
    for (uint64_t pair = 0; pair < c->pairs; pair++) {
        size_t count = rules_matrix_fired(&c->m, pair, c->edges);
        if (count > 1)
            return false;
        next[pair] = count ? rules_matrix_after(&c->m, pair, c->edges[0]) : pair;
        if (count && next[pair] == pair) /* a rule that changes nothing never lets it rest */
            next[pair] = NEVER;
    }
    return true;
}

/* Follows each chain once: marks the pairs on the way, then gives them all the same end. */
static void settle_pairs(struct changes *c, const uint64_t *next)
{
    enum { NEW, ON_THE_WAY, DONE };
    uint8_t *mark = tac_calloc(c->pairs + 1, 1);
    ending_list way = {0};
    for (uint64_t first = 0; first < c->pairs; first++) {
        uint64_t pair = first, end;
        while (mark[pair] == NEW && next[pair] != pair && next[pair] != NEVER) {
            mark[pair] = ON_THE_WAY;
            tac_vec_push(&way, pair);
            pair = next[pair];
        }
        if (mark[pair] == DONE)
            end = c->ends[pair];
        else
            end = mark[pair] == NEW && next[pair] == pair ? pair : NEVER;
        tac_vec_push(&way, pair);
        for (size_t i = 0; i < way.count; i++) {
            c->ends[way.at[i]] = end;
            mark[way.at[i]] = DONE;
        }
        way.count = 0;
    }
    for (uint64_t pair = 0; pair < c->pairs; pair++) /* an end rests, or there is none */
        assert_costly(c->ends[pair] == NEVER || next[c->ends[pair]] == c->ends[pair]);
    tac_vec_free(&way);
    free(mark);
}

static void show(struct changes *c, uint64_t pair, uint64_t input, const uint32_t *changed,
                 uint32_t count, size_t other)
{
    (void)input, (void)changed, (void)count;
    rules_hazard_example(c->rules, c->run->out->hazards, (uint32_t)(pair / c->m.inputs),
                         other ? &c->orders : NULL);
}

tac_status rules_explicit_hazards(struct rules_run *run, tac_error *err)
{
    struct changes c = {.show = show};
    uint32_t groups = run->rules->group_count;
    tac_status status =
        rules_changes_open(&c, run, 17, groups < MOST_GROUPS ? groups : MOST_GROUPS, err);
    if (status)
        return status;
    double work = (double)run->rules->state_count * (double)c.valid.count * (double)c.valid.count;
    uint64_t *next = tac_calloc(c.pairs + 1, sizeof *next);
    bool chance = !make_steps(&c, next);
    if (!chance && (groups > MOST_GROUPS || work * (double)c.subsets > MAX_CHANGES * 8))
        status = tac_fail(err, TAC_E_LIMIT,
                          "hazards of a rule set with actions are counted change by change, and "
                          "there are %.2g of them: too many",
                          work);
    if (!status && !chance) {
        settle_pairs(&c, next);
        status = rules_changes_count(&c, err);
    }
    free(next);
    rules_changes_close(&c);
    return chance ? rules_chance_hazards(run, err) : status;
}
