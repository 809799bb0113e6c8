/* What a closed interval means for its property: witnesses, counts and the verdict (Definition 10;
 * properties.md for witnesses). evaluate.c has the value of its expression. */
#include "property/interval/interval.h"

#include "base/check.h"

/* What share, percentile and mean are taken of. */
static double sample_figure(const struct interval_plan *plan, const struct interval_record *record)
{
    assert(plan->quantifier == QUANT_SHARE || plan->comparisons.count);
    return plan->quantifier == QUANT_SHARE ? record->holds : record->sides[0];
}

static void decide(struct interval_state *state, uint64_t now, int64_t now_time)
{
    if (state->decided)
        return;
    state->decided = true;
    state->decided_state = now;
    state->decided_time = now_time;
}

bool interval_is_tighter(const struct interval_plan *plan, const struct interval_record *record,
                         const struct interval_record *kept)
{
    assert(record->set);
    if (!kept->set || record->has_margin != kept->has_margin)
        return !kept->set || record->has_margin;
    if (record->has_margin && (record->margin < kept->margin || record->margin > kept->margin))
        return (record->margin > kept->margin) == (plan->quantifier == QUANT_EXISTS);
    return record->order < kept->order;
}

void interval_count(const struct interval_plan *plan, struct interval_state *state,
                    const struct interval_record *record, uint64_t now, int64_t now_time)
{
    bool exists = plan->quantifier == QUANT_EXISTS;
    bool first = record->order == 0;
    assert(record->interval.from <= record->interval.to);
    if (record->unknown) {
        state->unknowns++;
        if (!state->blame.set)
            state->blame = record->blame;
        return;
    }
    if (record->untested) {
        state->untested++;
        return;
    }
    if (quantifier_samples(plan->quantifier))
        sample_add(
            &state->samples,
            &(struct sample){.value = sample_figure(plan, record), .interval = record->interval},
            record->scale);
    state->intervals++;
    state->violated += !record->holds;
    bool decides = plan->quantifier == QUANT_FIRST        ? first
                   : exists                               ? record->holds
                   : quantifier_samples(plan->quantifier) ? false
                                                          : !record->holds;
    if (decides && (!state->deciding.set || record->order < state->deciding.order))
        interval_record_copy(plan, &state->deciding, record);
    if (decides)
        decide(state, now, now_time);
    if (interval_is_tighter(plan, record, &state->tightest))
        interval_record_copy(plan, &state->tightest, record);
    if (record->has_margin && (plan->quantifier != QUANT_FIRST || first) &&
        (!state->has_margin ||
         (exists ? record->margin > state->margin : record->margin < state->margin))) {
        state->has_margin = true;
        state->margin = record->margin;
    }
}

/* unfinished: a run that goes on at the end of the trace; it stays open where its end decides. */
static void close_interval(const struct interval_plan *plan, struct interval_state *state,
                           uint64_t now, int64_t now_time, bool unfinished,
                           const struct interval_listener *listener)
{
    assert(state->current.t_to <= now_time);
    interval_evaluate(plan, state, &state->scratch, unfinished);
    state->closed++;
    state->open &= state->scratch.unknown;
    interval_count(plan, state, &state->scratch, now, now_time);
    if (listener && listener->closed && !state->open)
        listener->closed(listener->context, &state->scratch);
}

void interval_feed(const struct interval_plan *plan, struct interval_state *state,
                   const struct chunk *chunk, const struct interval_listener *listener)
{
    assert(chunk->count > 0 && chunk->count <= COLUMN_CHUNK);
    if (plan->inner) {
        relation_feed(plan, state, chunk, listener);
        return;
    }
    if (plan->relations.count) {
        related_feed(plan, state, chunk, listener);
        return;
    }
    size_t at = 0;
    while (interval_track(plan, state, chunk, &at, chunk->count)) {
        size_t told = at - 1;
        close_interval(plan, state, chunk->first + told, chunk->time[told], false, listener);
    }
    state->states = chunk->first + chunk->count;
    state->now = chunk->time[chunk->count - 1];
}

void interval_end(const struct interval_plan *plan, struct interval_state *state,
                  const struct interval_listener *listener)
{
    uint64_t last = state->states ? state->states - 1 : 0;
    if (plan->inner) {
        relation_end(plan, state, listener);
        return;
    }
    if (plan->relations.count) {
        related_end(plan, state, listener);
        return;
    }
    if (plan->runs && state->open)
        close_interval(plan, state, last, state->now, true, listener);
    bool open_is_false =
        plan->semantics == TAC_SEMANTICS_EQ3 || plan->semantics == TAC_SEMANTICS_SPIN2015;
    if (open_is_false && state->open && plan->quantifier == QUANT_FORALL && !plan->runs &&
        !state->decided) {
        interval_evaluate(plan, state, &state->scratch, false);
        state->scratch.holds = state->scratch.untested = state->scratch.unknown = false;
        interval_record_copy(plan, &state->deciding, &state->scratch);
        decide(state, last, state->now);
    }
}

uint64_t interval_swallowed(const struct interval_plan *plan, const struct interval_state *state)
{
    uint64_t count = state->swallowed;
    if (plan->inner)
        count += interval_swallowed(plan->inner, state->inner);
    for (size_t r = 0; r < plan->relations.count; r++)
        count += interval_swallowed(plan->relations.at[r].inner, related_inner(state->related, r));
    return count;
}

tac_answer interval_answer(const struct interval_plan *plan, const struct interval_state *state,
                           bool ended)
{
    assert(state->violated <= state->intervals && (!state->decided || state->deciding.set));
    if (state->decided)
        return state->deciding.holds ? TAC_HOLDS : TAC_VIOLATED;
    if (!ended || state->unknowns)
        return TAC_INCONCLUSIVE;
    if (quantifier_samples(plan->quantifier))
        return sample_verdict(plan, &state->samples).holds ? TAC_HOLDS : TAC_VIOLATED;
    if (plan->quantifier != QUANT_FORALL && state->untested)
        return TAC_INCONCLUSIVE; /* what could not be told may have been it */
    return plan->quantifier == QUANT_FORALL ? TAC_HOLDS : TAC_VIOLATED;
}
