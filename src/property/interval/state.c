/* What was seen of an interval property: a state made, copied, set back and freed. The records, the
 * accumulators and what the other parts keep are memory of the state's own, which copying and
 * setting back never exchange. Cost: the size of the plan, and what the parts keep. */
#include "property/interval/interval.h"

#include "base/check.h"
#include <string.h>

void interval_record_init(const struct interval_plan *plan, struct interval_record *record)
{
    memset(record, 0, sizeof *record);
    record->ends = tac_calloc(2 * plan->watched.count + 1, sizeof *record->ends);
    record->sides = tac_calloc(interval_sides(plan) + 1, sizeof *record->sides);
}

static void interval_record_free(struct interval_record *record)
{
    free(record->ends);
    free(record->sides);
}

void interval_pending_clear(struct pending_group *group)
{
    for (size_t i = 0; i < group->each.count; i++)
        interval_record_free(&group->each.at[i]);
    group->each.count = 0;
    group->count = 0;
    group->tightest.set = false;
}

enum { GROUPS = 3 * PENDING_KINDS, RECORDS = 4 + 2 * GROUPS };

static struct pending_group *group_at(struct interval_state *state, size_t i)
{
    assert(i < GROUPS);
    struct pending_groups *const all[] = {&state->waiting, &state->inside, &state->outside};
    return &all[i / PENDING_KINDS]->of[i % PENDING_KINDS];
}

static struct interval_record *record_at(struct interval_state *state, size_t i)
{
    assert(i < RECORDS);
    struct interval_record *const own[] = {&state->deciding, &state->tightest, &state->scratch,
                                           &state->candidate};
    if (i < 4)
        return own[i];
    struct pending_group *group = group_at(state, (i - 4) / 2);
    return i % 2 ? &group->tightest : &group->first;
}

static const struct interval_record *record_of(const struct interval_state *state, size_t i)
{
    return record_at((struct interval_state *)(uintptr_t)state, i);
}

void interval_record_copy(const struct interval_plan *plan, struct interval_record *to,
                          const struct interval_record *from)
{
    assert(to != from && to->ends && to->sides);
    union end_value *ends = to->ends;
    double *sides = to->sides;
    *to = *from;
    to->ends = ends;
    to->sides = sides;
    memcpy(ends, from->ends, 2 * plan->watched.count * sizeof *ends);
    memcpy(sides, from->sides, interval_sides(plan) * sizeof *sides);
}

void interval_state_init(const struct interval_plan *plan, struct interval_state *state)
{
    memset(state, 0, sizeof *state);
    state->acc = tac_calloc(plan->measures.count + 1, sizeof *state->acc);
    state->ends = tac_calloc(2 * plan->watched.count + 1, sizeof *state->ends);
    state->figures = tac_calloc(3 * plan->figures.count + 1, sizeof *state->figures);
    state->scales = tac_calloc(plan->figures.count + 1, sizeof *state->scales);
    if (plan->ahead)
        duties_init(&plan->end_goals, &state->end);
    if (plan->length != COLUMN_NONE)
        state->overlap = overlap_new();
    if (plan->relations.count)
        state->related = related_new(plan);
    for (size_t i = 0; i < RECORDS; i++)
        interval_record_init(plan, record_at(state, i));
    if (plan->inner) {
        state->inner = tac_calloc(1, sizeof *state->inner);
        interval_state_init(plan->inner, state->inner);
    }
}

/* What the state owns stays its own after an assignment from another. */
static void keep_memory(struct interval_state *state, const struct interval_state *own)
{
    state->acc = own->acc;
    state->ends = own->ends;
    state->figures = own->figures;
    state->scales = own->scales;
    state->inner = own->inner;
    state->related = own->related;
    state->overlap = own->overlap;
    state->end = own->end;
    state->samples = own->samples;
    for (size_t i = 0; i < GROUPS; i++)
        group_at(state, i)->each = group_at((struct interval_state *)(uintptr_t)own, i)->each;
    for (size_t i = 0; i < RECORDS; i++) {
        const struct interval_record *kept = record_of(own, i);
        record_at(state, i)->ends = kept->ends;
        record_at(state, i)->sides = kept->sides;
    }
}

static void copy_each(const struct interval_plan *plan, struct pending_group *to,
                      const struct pending_group *from)
{
    for (size_t i = 0; i < to->each.count; i++)
        interval_record_free(&to->each.at[i]);
    to->each.count = 0;
    for (size_t i = 0; i < from->each.count; i++) {
        struct interval_record copy;
        interval_record_init(plan, &copy);
        interval_record_copy(plan, &copy, &from->each.at[i]);
        tac_vec_push(&to->each, copy);
    }
}

void interval_state_copy(const struct interval_plan *plan, struct interval_state *to,
                         const struct interval_state *from)
{
    assert(to != from && to->acc && from->acc);
    struct interval_state own = *to;
    *to = *from;
    keep_memory(to, &own);
    if (to->overlap)
        overlap_copy(plan, to->overlap, from->overlap);
    sample_store_copy(&to->samples, &from->samples);
    if (plan->ahead)
        duties_copy(&plan->end_goals, &to->end, &from->end);
    if (plan->relations.count)
        related_copy(plan, to->related, from->related);
    for (size_t i = 0; i < RECORDS; i++)
        interval_record_copy(plan, record_at(to, i), record_of(from, i));
    for (size_t i = 0; i < GROUPS; i++)
        copy_each(plan, group_at(to, i), group_at((struct interval_state *)(uintptr_t)from, i));
    memcpy(to->acc, from->acc, plan->measures.count * sizeof *to->acc);
    memcpy(to->ends, from->ends, 2 * plan->watched.count * sizeof *to->ends);
    if (plan->inner)
        interval_state_copy(plan->inner, to->inner, from->inner);
}

void interval_state_reset(const struct interval_plan *plan, struct interval_state *state)
{
    assert(state->acc && state->figures);
    struct interval_state own = *state;
    memset(state, 0, sizeof *state);
    keep_memory(state, &own);
    for (size_t i = 0; i < GROUPS; i++)
        interval_pending_clear(group_at(state, i));
    if (state->overlap)
        overlap_reset(state->overlap);
    sample_store_clear(&state->samples);
    if (plan->ahead)
        duties_reset(&plan->end_goals, &state->end);
    if (plan->relations.count)
        related_reset(plan, state->related);
    if (plan->inner)
        interval_state_reset(plan->inner, state->inner);
}

void interval_state_free(const struct interval_plan *plan, struct interval_state *state)
{
    if (plan->ahead)
        duties_free(&plan->end_goals, &state->end);
    if (plan->relations.count)
        related_free(plan, state->related);
    overlap_free(state->overlap);
    sample_store_free(&state->samples);
    free(state->scales);
    free(state->acc);
    free(state->ends);
    free(state->figures);
    for (size_t i = 0; i < GROUPS; i++) {
        interval_pending_clear(group_at(state, i));
        tac_vec_free(&group_at(state, i)->each);
    }
    for (size_t i = 0; i < RECORDS; i++)
        interval_record_free(record_at(state, i));
    if (state->inner)
        interval_state_free(plan->inner, state->inner);
    free(state->inner);
}
