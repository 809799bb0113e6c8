/* Nested intervals: QUANTIFIER [p, q] ... QUANTIFIER [r, s] RELATION.
 *
 * Both families of intervals are disjoint and ordered, so what can still happen to a closed outer
 * interval depends only on the inner interval that is open now, if any. Outer intervals that wait
 * for the same thing form one group, of which the number, the first and the one whose margin counts
 * are kept: memory stays constant, unless each is to be told to a listener. An outer interval is
 * looked at when the state after its end has been seen, so that the inner intervals that touch its
 * end are known.
 *
 *   waiting  closed before the open inner interval began (or none is open)
 *   inside   closed while it was open, and the relation to it will hold if it closes
 *   outside  closed while it was open, and the relation to it will not hold (forall only) */
#include "base/check.h"
#include "property/interval/interval.h"

struct nest {
    const struct interval_plan *plan;
    struct interval_state *state;
    const struct interval_listener *listener;
    uint64_t now;
    int64_t now_time;
};

static void settle_record(struct nest *nest, struct interval_record *record, bool holds)
{
    assert(record->set);
    const struct interval_state *inner = nest->state->inner;
    enum quantifier quantifier = nest->plan->inner->quantifier;
    bool sure = !inner->unknowns || (quantifier == QUANT_FORALL   ? !holds
                                     : quantifier == QUANT_EXISTS ? holds
                                                                  : false);
    bool open = record->holds || record->untested || record->unknown;
    if (!sure && open && !record->blame.set)
        record->blame = inner->blame;
    record->unknown = open && (sure ? record->unknown && holds : true);
    record->holds = record->holds && holds && sure;
    record->untested = record->untested && holds && sure;
    interval_count(nest->plan, nest->state, record, nest->now, nest->now_time);
    if (nest->listener && nest->listener->closed)
        nest->listener->closed(nest->listener->context, record);
}

static int by_order(const void *left, const void *right)
{
    const struct interval_record *a = left, *b = right;
    return (a->order > b->order) - (a->order < b->order);
}

static void settle_one(struct nest *nest, struct pending_group *group, bool holds)
{
    assert(group->count == 0 || group->first.set);
    if (!group->count)
        return;
    if (group->each.count) { /* all of them, in order */
        assert(group->each.count == group->count);
        qsort(group->each.at, group->each.count, sizeof *group->each.at, by_order);
        for (size_t i = 0; i < group->each.count; i++)
            settle_record(nest, &group->each.at[i], holds);
        interval_pending_clear(group);
        return;
    }
    bool two = group->tightest.order != group->first.order;
    uint64_t rest = group->count - (two ? 2 : 1);
    settle_record(nest, &group->first, holds);
    if (two)
        settle_record(nest, &group->tightest, holds);
    bool told = !group->first.untested && !group->first.unknown;
    nest->state->unknowns += group->first.unknown ? rest : 0;
    nest->state->untested += group->first.untested ? rest : 0;
    nest->state->intervals += told ? rest : 0;
    nest->state->violated += told && !holds ? rest : 0;
    interval_pending_clear(group);
}

static void settle_group(struct nest *nest, struct pending_groups *groups, bool holds)
{
    for (int kind = 0; kind < PENDING_KINDS; kind++)
        settle_one(nest, &groups->of[kind], holds);
}

static void keep_tightest(struct nest *nest, struct pending_group *group,
                          const struct interval_record *record)
{
    if (interval_is_tighter(nest->plan, record, &group->tightest))
        interval_record_copy(nest->plan, &group->tightest, record);
}

static void join(struct nest *nest, struct pending_groups *groups,
                 const struct interval_record *record)
{
    struct pending_group *group = &groups->of[record->unknown    ? PENDING_UNKNOWN
                                              : record->untested ? PENDING_UNTESTED
                                                                 : PENDING_TOLD];
    if (!group->count++)
        interval_record_copy(nest->plan, &group->first, record);
    keep_tightest(nest, group, record);
    if (nest->plan->tells_each) {
        struct interval_record copy;
        interval_record_init(nest->plan, &copy);
        interval_record_copy(nest->plan, &copy, record);
        tac_vec_push(&group->each, copy);
    }
}

static void merge_one(struct nest *nest, struct pending_group *into, struct pending_group *from)
{
    assert(into != from);
    if (!from->count)
        return;
    if (!into->count || from->first.order < into->first.order)
        interval_record_copy(nest->plan, &into->first, &from->first);
    keep_tightest(nest, into, &from->tightest);
    into->count += from->count;
    if (from->each.count)
        tac_vec_append(&into->each, from->each.at, from->each.count);
    from->each.count = 0; /* they are the other's now */
    interval_pending_clear(from);
}

static void merge(struct nest *nest, struct pending_groups *into, struct pending_groups *from)
{
    for (int kind = 0; kind < PENDING_KINDS; kind++)
        merge_one(nest, &into->of[kind], &from->of[kind]);
}

/* The part of the relation to the open inner interval that is known now; the rest holds if it
 * closes. */
static bool related_if_closed(enum relation relation, const tac_interval *a, uint64_t inner_from)
{
    tac_interval b = {.from = inner_from, .to = UINT64_MAX};
    return interval_stands(relation, a, &b);
}

static void settle_forall(struct nest *nest, struct interval_record *record)
{
    struct interval_state *state = nest->state;
    enum relation relation = nest->plan->relation;
    const tac_interval *a = &record->interval;
    bool past = true;
    if (state->good_count && relation == RELATION_OVERLAPS)
        past = interval_stands(relation, a, &state->good_first);
    else if (state->good_count)
        past = state->good_count == 1 && interval_stands(relation, a, &state->good_last);
    const struct interval_state *inner = state->inner;
    if (!past)
        settle_record(nest, record, false);
    else if (!inner->open || inner->current.from > a->to)
        join(nest, &state->waiting, record);
    else if (related_if_closed(relation, a, inner->current.from))
        join(nest, &state->inside, record);
    else
        join(nest, &state->outside, record);
}

static void settle_some(struct nest *nest, struct interval_record *record)
{
    struct interval_state *state = nest->state;
    const struct interval_state *inner = state->inner;
    enum relation relation = nest->plan->relation;
    const tac_interval *a = &record->interval;
    bool first = nest->plan->inner->quantifier == QUANT_FIRST;
    bool touches = inner->open && inner->current.from <= a->to;
    if (state->good_count && first)
        settle_record(nest, record, interval_stands(relation, a, &state->good_first));
    else if (state->good_count && interval_stands(relation, a, &state->good_last))
        settle_record(nest, record, true);
    else if (relation == RELATION_BEFORE)
        join(nest, touches ? &state->inside : &state->waiting, record);
    else if (touches && related_if_closed(relation, a, inner->current.from))
        join(nest, &state->inside, record);
    else
        settle_record(nest, record, false);
}

static void settle(struct nest *nest, struct interval_record *record)
{
    if (!record->holds && !record->untested && !record->unknown)
        settle_record(nest, record, true);
    else if (nest->plan->inner->quantifier == QUANT_FORALL)
        settle_forall(nest, record);
    else
        settle_some(nest, record);
    record->set = false;
}

/* unfinished: a run that the end of the trace leaves open. */
static void inner_closed(struct nest *nest, bool unfinished)
{
    struct interval_state *state = nest->state, *inner = state->inner;
    const struct interval_plan *plan = nest->plan;
    bool before = plan->relation == RELATION_BEFORE;
    interval_evaluate(plan->inner, inner, &inner->scratch, unfinished);
    bool good = inner->scratch.holds;
    if (inner->scratch.unknown && !inner->unknowns++)
        inner->blame = inner->scratch.blame;
    if (plan->inner->quantifier == QUANT_FORALL) {
        if (good && !before)
            settle_group(nest, &state->waiting, false);
        if (good)
            settle_group(nest, &state->outside, false);
        merge(nest, &state->waiting, &state->inside);
        merge(nest, &state->waiting, &state->outside);
    } else if (before) {
        if (good)
            settle_group(nest, &state->waiting, true);
        if (good && plan->inner->quantifier == QUANT_FIRST)
            settle_group(nest, &state->inside, false);
        merge(nest, &state->waiting, &state->inside);
    } else {
        settle_group(nest, &state->inside, good);
    }
    if (!good)
        return;
    if (!state->good_count++)
        state->good_first = inner->current;
    state->good_last = inner->current;
}

/* It is not known any more whether the inner interval is open: nothing waits for its end. */
static void inner_doubted(struct nest *nest)
{
    struct interval_state *state = nest->state;
    if (nest->plan->inner->quantifier == QUANT_FORALL) {
        merge(nest, &state->waiting, &state->inside);
        merge(nest, &state->waiting, &state->outside);
    } else if (nest->plan->relation == RELATION_BEFORE) {
        merge(nest, &state->waiting, &state->inside);
    } else {
        settle_group(nest, &state->inside, false);
    }
}

static void outer_closed(struct nest *nest)
{
    struct interval_state *state = nest->state;
    interval_evaluate(nest->plan, state, &state->candidate, false);
    state->closed++;
}

void relation_feed(const struct interval_plan *plan, struct interval_state *state,
                   const struct chunk *chunk, const struct interval_listener *listener)
{
    assert(plan->inner && state->inner);
    struct nest nest = {.plan = plan, .state = state, .listener = listener};
    for (size_t i = 0; i < chunk->count; i++) {
        size_t at = i;
        uint64_t doubts = state->inner->doubts;
        nest.now = chunk->first + i;
        nest.now_time = chunk->time[i];
        if (interval_track(plan->inner, state->inner, chunk, &at, i + 1))
            inner_closed(&nest, false);
        if (state->inner->doubts > doubts)
            inner_doubted(&nest);
        if (state->candidate.set)
            settle(&nest, &state->candidate);
        at = i;
        if (interval_track(plan, state, chunk, &at, i + 1))
            outer_closed(&nest);
    }
    state->states = chunk->first + chunk->count;
    state->now = chunk->time[chunk->count - 1];
}

void relation_end(const struct interval_plan *plan, struct interval_state *state,
                  const struct interval_listener *listener)
{
    struct nest nest = {.plan = plan,
                        .state = state,
                        .listener = listener,
                        .now = state->states ? state->states - 1 : 0,
                        .now_time = state->now};
    bool forall = plan->inner->quantifier == QUANT_FORALL;
    if (plan->inner->runs && state->inner->open) { /* its end lies behind all that was seen */
        state->inner->open = false;
        state->inner->current.to = state->states;
        inner_closed(&nest, true);
    }
    if (state->candidate.set)
        settle(&nest, &state->candidate);
    if (plan->runs && state->open) {
        interval_evaluate(plan, state, &state->candidate, true);
        state->candidate.unknown |= state->candidate.holds || state->candidate.untested;
        state->candidate.holds = state->candidate.untested = false;
        state->closed++;
        state->open = state->candidate.unknown;
        settle_record(&nest, &state->candidate, true);
        state->candidate.set = false;
    }
    settle_group(&nest, &state->inside, forall);
    settle_group(&nest, &state->outside, forall);
    settle_group(&nest, &state->waiting, forall);
}
