/* Several nested intervals in one property, with any of the seventeen relations.
 *
 * Inner intervals are disjoint and ordered, so for an outer interval A they fall into few classes:
 * those that ended before A (all "A after B"), those strictly inside A with another one behind them
 * (all "A contains B"), at most three near its ends that are kept, the one that is open when A
 * closes, and those that start later (all "A before B"). A waits for the open one, and for later
 * ones only where these can still decide: `before`, `forall` and `first`.
 *
 * Whether an inner interval satisfies its condition may be unknown, where something observed was
 * missing. Two families are followed then: those that surely satisfy it, and those that may. The
 * relation is known where both give it the same value.
 *
 * Memory: the outer intervals that wait, at most RELATED_MOST. */
#include "property/interval/interval.h"

#include "base/check.h"
#include <string.h>

enum { RELATED_MOST = 1 << 18 };

enum fate { FATE_OPEN = -1, FATE_FALSE, FATE_TRUE };

enum family { SURE, MAYBE, FAMILIES };

struct inner_family {
    uint64_t good;      /* closed ones that satisfy the condition */
    uint64_t contained; /* of these: strictly inside the open outer interval, not in `near` */
    tac_interval first;
    tac_interval near[4]; /* good ones that may touch an end of the outer interval, in order */
    size_t near_count;
};

struct inner_track {
    struct interval_state state;
    struct inner_family family[FAMILIES];
    bool first_unsure; /* of the first that may satisfy the condition it is unknown */
};

struct fates {
    signed char of[FAMILIES]; /* enum fate */
};

struct waiting_outer {
    struct interval_record record;
    struct fates *fate; /* per relation */
    bool *touching; /* per relation: the inner interval open now started no later than it ends */
};

struct related_state {
    struct inner_track *inner;
    TAC_VEC(struct waiting_outer) waiting; /* in the order of their ends */
    size_t spare;                          /* allocated elements beyond count */
    tac_truth *values;
    bool overflow;
};

/* The one of Allen's relations in which a stands to b. */
static enum relation allen(const tac_interval *a, const tac_interval *b)
{
    assert(a->from <= a->to && b->from <= b->to);
    int from = (a->from > b->from) - (a->from < b->from), to = (a->to > b->to) - (a->to < b->to);
    if (a->to < b->from)
        return ALLEN_BEFORE;
    if (b->to < a->from)
        return ALLEN_AFTER;
    if (a->to == b->from && from < 0 && to < 0)
        return ALLEN_MEETS;
    if (b->to == a->from && from > 0 && to > 0)
        return ALLEN_MET_BY;
    static const enum relation shared[3][3] = {
        {ALLEN_OVERLAPS, ALLEN_FINISHED_BY, ALLEN_CONTAINS}, /* a starts earlier */
        {ALLEN_STARTS, ALLEN_EQUALS, ALLEN_STARTED_BY},
        {ALLEN_DURING, ALLEN_FINISHES, ALLEN_OVERLAPPED_BY}};
    return shared[from + 1][to + 1];
}

bool interval_stands(enum relation relation, const tac_interval *a, const tac_interval *b)
{
    assert(relation != RELATION_NONE);
    if (relation == RELATION_DURING)
        return b->from <= a->from && a->to <= b->to;
    if (relation == RELATION_WITHIN)
        return b->from < a->from && a->to < b->to;
    if (relation == RELATION_BEFORE)
        return a->to < b->from;
    if (relation == RELATION_OVERLAPS)
        return a->from <= b->to && b->from <= a->to;
    return allen(a, b) == relation;
}

/* --- Making and freeing ----------------------------------------------------------------------- */

struct related_state *related_new(const struct interval_plan *plan)
{
    assert(plan->relations.count > 0 && plan->relations.count <= RELATIONS_MOST);
    struct related_state *state = tac_calloc(1, sizeof *state);
    state->inner = tac_calloc(plan->relations.count, sizeof *state->inner);
    state->values = tac_calloc(plan->relations.count, sizeof *state->values);
    for (size_t r = 0; r < plan->relations.count; r++)
        interval_state_init(plan->relations.at[r].inner, &state->inner[r].state);
    return state;
}

static void waiting_free(struct waiting_outer *waiting)
{
    free(waiting->record.ends);
    free(waiting->record.sides);
    free(waiting->fate);
    free(waiting->touching);
}

static void drop_waiting(struct related_state *state)
{
    for (size_t i = 0; i < state->waiting.count; i++)
        waiting_free(&state->waiting.at[i]);
    state->waiting.count = 0;
}

void related_reset(const struct interval_plan *plan, struct related_state *state)
{
    drop_waiting(state);
    state->overflow = false;
    for (size_t r = 0; r < plan->relations.count; r++) {
        struct inner_track *inner = &state->inner[r];
        interval_state_reset(plan->relations.at[r].inner, &inner->state);
        memset(inner->family, 0, sizeof inner->family);
        inner->first_unsure = false;
    }
}

static void add_waiting(const struct interval_plan *plan, struct related_state *state,
                        const struct interval_record *record, const struct fates *fate,
                        const bool *touching)
{
    assert(record->set);
    size_t count = plan->relations.count;
    struct waiting_outer out = {.record = *record};
    out.record.ends = tac_calloc(2 * plan->watched.count + 1, sizeof *out.record.ends);
    out.record.sides = tac_calloc(interval_sides(plan) + 1, sizeof *out.record.sides);
    interval_record_copy(plan, &out.record, record);
    out.fate = tac_alloc(count * sizeof *out.fate);
    out.touching = tac_alloc(count * sizeof *out.touching);
    memcpy(out.fate, fate, count * sizeof *fate);
    memcpy(out.touching, touching, count * sizeof *touching);
    tac_vec_push(&state->waiting, out);
}

void related_copy(const struct interval_plan *plan, struct related_state *to,
                  const struct related_state *from)
{
    assert(to != from);
    drop_waiting(to);
    for (size_t r = 0; r < plan->relations.count; r++) {
        struct interval_state own = to->inner[r].state;
        to->inner[r] = from->inner[r];
        to->inner[r].state = own;
        interval_state_copy(plan->relations.at[r].inner, &to->inner[r].state,
                            &from->inner[r].state);
    }
    for (size_t i = 0; i < from->waiting.count; i++)
        add_waiting(plan, to, &from->waiting.at[i].record, from->waiting.at[i].fate,
                    from->waiting.at[i].touching);
    to->overflow = from->overflow;
}

void related_free(const struct interval_plan *plan, struct related_state *state)
{
    drop_waiting(state);
    for (size_t r = 0; r < plan->relations.count; r++)
        interval_state_free(plan->relations.at[r].inner, &state->inner[r].state);
    tac_vec_free(&state->waiting);
    free(state->inner);
    free(state->values);
    free(state);
}

const struct interval_state *related_inner(const struct related_state *state, size_t relation)
{
    return &state->inner[relation].state;
}

bool related_overflow(const struct related_state *state)
{
    return state->overflow;
}

/* --- Deciding --------------------------------------------------------------------------------- */

struct related_step {
    const struct interval_plan *plan;
    struct interval_state *outer;
    const struct interval_listener *listener;
    uint64_t now;
    int64_t now_time;
};

/* doubtful: it is not known of some inner intervals whether they are ones. */
static tac_truth truth_of(struct fates fate, enum quantifier quantifier, bool doubtful)
{
    if (doubtful)
        return quantifier == QUANT_EXISTS && fate.of[SURE] == FATE_TRUE    ? TAC_TRUE
               : quantifier == QUANT_FORALL && fate.of[SURE] == FATE_FALSE ? TAC_FALSE
                                                                           : TAC_UNKNOWN;
    if (fate.of[SURE] != fate.of[MAYBE])
        return TAC_UNKNOWN;
    return fate.of[SURE] == FATE_TRUE ? TAC_TRUE : TAC_FALSE;
}

static void count_record(struct related_step *step, struct interval_record *record,
                         const struct fates *fate)
{
    assert(record->interval.to <= step->now);
    struct related_state *state = step->outer->related;
    struct column_unknown blame = {.set = false};
    for (size_t r = 0; r < step->plan->relations.count; r++) {
        const struct interval_state *inner = &state->inner[r].state;
        state->values[r] =
            truth_of(fate[r], step->plan->relations.at[r].inner->quantifier, inner->doubts > 0);
        if (inner->blame.set && !blame.set && state->values[r] == TAC_UNKNOWN)
            blame = inner->blame;
    }
    interval_judge_related(step->plan, record, state->values, &blame);
    interval_count(step->plan, step->outer, record, step->now, step->now_time);
    if (step->listener && step->listener->closed)
        step->listener->closed(step->listener->context, record);
}

static bool all_known(const struct interval_plan *plan, const struct fates *fate)
{
    for (size_t r = 0; r < plan->relations.count; r++)
        if (fate[r].of[SURE] == FATE_OPEN || fate[r].of[MAYBE] == FATE_OPEN)
            return false;
    return true;
}

static void settle_known(struct related_step *step)
{
    struct related_state *state = step->outer->related;
    size_t kept = 0;
    for (size_t i = 0; i < state->waiting.count; i++) {
        struct waiting_outer *at = &state->waiting.at[i];
        if (!all_known(step->plan, at->fate)) {
            state->waiting.at[kept++] = *at;
            continue;
        }
        count_record(step, &at->record, at->fate);
        waiting_free(at);
    }
    state->waiting.count = kept;
}

/* Only intervals that start after a can still be in this relation to it. */
static bool looks_ahead(enum relation relation)
{
    return relation == RELATION_BEFORE || relation == ALLEN_BEFORE;
}

/* What the closed inner intervals say about a closed outer one. */
static signed char fate_of(const struct interval_relation *relation,
                           const struct inner_family *inner, const tac_interval *a, bool touching)
{
    assert(!quantifier_samples(relation->inner->quantifier));
    enum quantifier quantifier = relation->inner->quantifier;
    uint64_t yes = 0, near = 0;
    if (quantifier == QUANT_FIRST && inner->good)
        return interval_stands(relation->relation, a, &inner->first);
    if (quantifier == QUANT_FIRST)
        return FATE_OPEN;
    for (size_t i = 0; i < inner->near_count; i++) {
        near++;
        yes += interval_stands(relation->relation, a, &inner->near[i]);
    }
    if (relation->relation == ALLEN_CONTAINS || relation->relation == RELATION_OVERLAPS)
        yes += inner->contained;
    assert(inner->good >= near + inner->contained);
    uint64_t earlier = inner->good - near - inner->contained;
    if (relation->relation == ALLEN_AFTER)
        yes += earlier;
    if (quantifier == QUANT_FORALL)
        return yes == inner->good ? FATE_OPEN : FATE_FALSE;
    if (yes)
        return FATE_TRUE;
    return touching || looks_ahead(relation->relation) ? FATE_OPEN : FATE_FALSE;
}

/* Only the last can touch the next outer interval. */
static void keep_last(struct inner_family *inner)
{
    inner->contained = 0;
    if (inner->near_count > 1) {
        inner->near[0] = inner->near[inner->near_count - 1];
        inner->near_count = 1;
    }
}

/* Which one is the first is unknown, so that one family has it and the other has not. */
static const struct fates first_unknown = {{[SURE] = FATE_FALSE, [MAYBE] = FATE_TRUE}};

static struct fates fates_of(const struct interval_relation *relation,
                             const struct inner_track *inner, const tac_interval *a, bool touching)
{
    struct fates out;
    if (relation->inner->quantifier == QUANT_FIRST && inner->first_unsure)
        return first_unknown;
    for (int f = SURE; f < FAMILIES; f++)
        out.of[f] = fate_of(relation, &inner->family[f], a, touching);
    return out;
}

static void outer_closed(struct related_step *step)
{
    assert(step->outer->current.to <= step->now);
    struct related_state *state = step->outer->related;
    size_t count = step->plan->relations.count;
    struct interval_record *record = &step->outer->candidate;
    interval_evaluate(step->plan, step->outer, record, false);
    step->outer->closed++;
    struct fates fate[RELATIONS_MOST];
    bool touching[RELATIONS_MOST];
    for (size_t r = 0; r < count; r++) {
        struct inner_track *inner = &state->inner[r];
        touching[r] = inner->state.open && inner->state.current.from <= record->interval.to;
        fate[r] = fates_of(&step->plan->relations.at[r], inner, &record->interval, touching[r]);
        for (int f = SURE; f < FAMILIES; f++)
            keep_last(&inner->family[f]);
    }
    if (all_known(step->plan, fate))
        count_record(step, record, fate);
    else
        add_waiting(step->plan, state, record, fate, touching);
    if (state->waiting.count > RELATED_MOST)
        state->overflow = true;
    record->set = false;
}

static void tell_one(const struct interval_relation *relation, struct waiting_outer *at,
                     signed char *fate, const tac_interval *b, bool good, bool first)
{
    assert(b->from <= b->to);
    enum quantifier quantifier = relation->inner->quantifier;
    if (*fate != FATE_OPEN)
        return;
    bool stood = good && interval_stands(relation->relation, &at->record.interval, b);
    if (quantifier == QUANT_FIRST && first)
        *fate = stood;
    else if (quantifier == QUANT_FORALL && good && !stood)
        *fate = FATE_FALSE;
    else if (quantifier == QUANT_EXISTS && stood)
        *fate = FATE_TRUE;
    else if (quantifier == QUANT_EXISTS && !looks_ahead(relation->relation))
        *fate = FATE_FALSE;
}

static void tell_waiting(struct related_step *step, size_t r, const tac_interval *b,
                         const bool *good)
{
    struct related_state *state = step->outer->related;
    const struct inner_track *inner = &state->inner[r];
    const struct interval_relation *relation = &step->plan->relations.at[r];
    bool unsure = relation->inner->quantifier == QUANT_FIRST && inner->first_unsure;
    for (size_t i = 0; i < state->waiting.count; i++) {
        struct waiting_outer *at = &state->waiting.at[i];
        at->touching[r] = false;
        for (int f = SURE; f < FAMILIES && !unsure; f++)
            tell_one(relation, at, &at->fate[r].of[f], b, good[f],
                     good[f] && inner->family[f].good == 0);
        if (unsure && at->fate[r].of[SURE] == FATE_OPEN)
            at->fate[r] = first_unknown;
    }
}

static void add_good(struct inner_family *inner, const struct interval_state *outer,
                     const tac_interval *b)
{
    if (!inner->good++)
        inner->first = *b;
    size_t kept = 0;
    for (size_t i = 0; i < inner->near_count; i++) {
        const tac_interval *at = &inner->near[i];
        if (!outer->open || at->to < outer->current.from)
            continue; /* earlier than any outer interval to come */
        if (at->from > outer->current.from)
            inner->contained++; /* b stands behind it */
        else
            inner->near[kept++] = *at;
    }
    inner->near_count = kept;
    assert(inner->near_count < 4);
    inner->near[inner->near_count++] = *b;
}

/* unfinished: a run that the end of the trace leaves open. */
static void inner_closed(struct related_step *step, size_t r, bool unfinished)
{
    struct inner_track *inner = &step->outer->related->inner[r];
    const struct interval_plan *plan = step->plan->relations.at[r].inner;
    const struct interval_record *record = &inner->state.scratch;
    interval_evaluate(plan, &inner->state, &inner->state.scratch, unfinished);
    bool sure = record->holds;
    bool good[FAMILIES] = {[SURE] = sure, [MAYBE] = sure || record->untested || record->unknown};
    if (record->unknown && !inner->state.unknowns++)
        inner->state.blame = record->blame;
    tac_interval b = inner->state.current;
    inner->first_unsure |= good[MAYBE] && !sure && inner->family[MAYBE].good == 0;
    tell_waiting(step, r, &b, good);
    settle_known(step);
    for (int f = SURE; f < FAMILIES; f++)
        if (good[f])
            add_good(&inner->family[f], step->outer, &b);
}

static void family_began(struct inner_family *inner, uint64_t from)
{
    size_t kept = 0;
    for (size_t i = 0; i < inner->near_count; i++)
        if (inner->near[i].to >= from)
            inner->near[kept++] = inner->near[i];
    inner->near_count = kept;
    inner->contained = 0;
}

/* The outer interval has begun: what ended before is "earlier" from now on. */
static void outer_began(struct related_step *step)
{
    assert(step->outer->open);
    struct related_state *state = step->outer->related;
    for (size_t r = 0; r < step->plan->relations.count; r++)
        for (int f = SURE; f < FAMILIES; f++)
            family_began(&state->inner[r].family[f], step->outer->current.from);
}

void related_feed(const struct interval_plan *plan, struct interval_state *state,
                  const struct chunk *chunk, const struct interval_listener *listener)
{
    assert(state->related != NULL);
    struct related_step step = {.plan = plan, .outer = state, .listener = listener};
    for (size_t i = 0; i < chunk->count; i++) {
        step.now = chunk->first + i;
        step.now_time = chunk->time[i];
        for (size_t r = 0; r < plan->relations.count; r++) {
            size_t at = i;
            if (interval_track(plan->relations.at[r].inner, &state->related->inner[r].state, chunk,
                               &at, i + 1))
                inner_closed(&step, r, false);
        }
        size_t at = i;
        bool was_open = state->open;
        if (interval_track(plan, state, chunk, &at, i + 1))
            outer_closed(&step);
        else if (state->open && !was_open)
            outer_began(&step);
    }
    state->states = chunk->first + chunk->count;
    state->now = chunk->time[chunk->count - 1];
}

/* A run that the end of the trace leaves open: told only where no relation and no end decides. */
static void unfinished_outer(struct related_step *step)
{
    struct interval_state *outer = step->outer;
    struct interval_record *record = &outer->candidate;
    struct column_unknown blame = {.set = true};
    interval_evaluate(step->plan, outer, record, true);
    for (size_t r = 0; r < step->plan->relations.count; r++)
        outer->related->values[r] = TAC_UNKNOWN;
    interval_judge_related(step->plan, record, outer->related->values, &blame);
    record->unknown |= record->untested;
    record->untested = false;
    outer->closed++;
    outer->open = record->unknown;
    interval_count(step->plan, outer, record, step->now, step->now_time);
    record->set = false;
}

void related_end(const struct interval_plan *plan, struct interval_state *state,
                 const struct interval_listener *listener)
{
    struct related_state *related = state->related;
    struct related_step step = {.plan = plan,
                                .outer = state,
                                .listener = listener,
                                .now = state->states ? state->states - 1 : 0,
                                .now_time = state->now};
    for (size_t r = 0; r < plan->relations.count; r++) {
        struct interval_state *inner = &related->inner[r].state;
        if (!plan->relations.at[r].inner->runs || !inner->open)
            continue;
        inner->open = false; /* its end lies behind all that was seen */
        inner->current.to = state->states;
        inner_closed(&step, r, true);
    }
    if (plan->runs && state->open)
        unfinished_outer(&step);
    for (size_t i = 0; i < related->waiting.count; i++)
        for (size_t r = 0; r < plan->relations.count; r++)
            for (int f = SURE; f < FAMILIES; f++)
                if (related->waiting.at[i].fate[r].of[f] == FATE_OPEN)
                    related->waiting.at[i].fate[r].of[f] =
                        plan->relations.at[r].inner->quantifier == QUANT_FORALL;
    settle_known(&step);
}
