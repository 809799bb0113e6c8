/* Where intervals begin and end, and what is measured on the way.
 *
 * DEF is the automaton of Definitions 8 to 10: an interval starts at the first state at or after k
 * that satisfies p and ends at the first state strictly after it that satisfies q; the search goes
 * on one state after the end. Searching a byte column is memchr, so a state outside and inside an
 * interval costs a fraction of a nanosecond unless an aggregate needs every value.
 *
 * Sums run strictly in state order, so results do not depend on how the trace was cut into blocks.
 */
#include "property/interval/interval.h"

#include "base/check.h"
#include <math.h>
#include <string.h>

/* Notes where the values of the states from .. to - 1 are unknown. */
static void note_unknown(const struct interval_measure *measure, struct accumulator *acc,
                         const struct chunk *chunk, size_t from, size_t to)
{
    const struct column_runtime *run = &chunk->program->runtime[measure->node];
    bool counts = measure->op == AST_COUNT;
    /* what lies between the ends does not matter to differences */
    bool ends = measure->op == AST_DIFF || measure->op == AST_RATE || measure->op == AST_LAST;
    acc->last_unknown = false;
    acc->blame.set = acc->blame.set && (!ends || acc->first_unknown);
    if (counts ? run->may == run->bit : !run->unknown)
        return;
    for (size_t i = from; i < to; i++) {
        bool unknown = counts ? run->may[i] != run->bit[i] : run->unknown[i];
        acc->maybe += unknown;
        acc->holes |= unknown;
        acc->last_unknown = unknown;
        if (unknown && !acc->blame.set && (!ends || i == to - 1))
            acc->blame = column_blame(chunk->program, measure->node, i, chunk->first, chunk->time);
    }
}

static void set_now(const struct interval_plan *plan, struct interval_state *state,
                    const struct chunk *chunk, size_t i, int end)
{
    const struct column_program *program = chunk->program;
    for (size_t w = 0; w < plan->watched.count; w++) {
        uint32_t slot = plan->watched.at[w];
        const struct column_slot *at = &program->slots.at[slot];
        if (at->discrete)
            state->ends[2 * w + (size_t)end].symbol =
                program->symbols[slot] ? program->symbols[slot][i] : TAC_TRACE_NO_SYMBOL;
        else
            state->ends[2 * w + (size_t)end].number = column_numbers(program, at->node)[i];
    }
    if (!end) {
        state->current.from = chunk->first + i;
        state->current.t_from = chunk->time[i];
    }
    state->current.to = chunk->first + i;
    state->current.t_to = chunk->time[i];
}

void interval_begin(const struct interval_plan *plan, struct interval_state *state,
                    const struct chunk *chunk, size_t i)
{
    assert(i < chunk->count);
    state->open = true;
    if (plan->ahead) {
        duties_reset(&plan->end_goals, &state->end);
        duties_step(&plan->end_goals, &state->end, chunk, i);
    }
    set_now(plan, state, chunk, i, 0);
    set_now(plan, state, chunk, i, 1);
    for (size_t m = 0; m < plan->measures.count; m++) {
        const struct interval_measure *measure = &plan->measures.at[m];
        struct accumulator *acc = &state->acc[m];
        *acc = (struct accumulator){.count = 0};
        note_unknown(measure, acc, chunk, i, i + 1);
        acc->first_unknown = acc->last_unknown;
        if (measure->op == AST_COUNT) {
            acc->count = column_bits(chunk->program, measure->node)[i];
        } else {
            double value = column_numbers(chunk->program, measure->node)[i];
            acc->first = acc->last = acc->least = acc->most = value;
            acc->sum = isnan(value) ? value : 0;
            if (acc->first_unknown) {
                acc->least = INFINITY;
                acc->most = -INFINITY;
            }
        }
    }
}

/* A value that is missing in one of the states leaves no sum; one that lasts no time, infinite or
 * not, adds nothing. */
static void add_sum(const struct interval_state *state, struct accumulator *acc, bool linear,
                    const double *values, const int64_t *time, size_t from, size_t to)
{
    double last = acc->last, sum = acc->sum, scale = acc->scale;
    int64_t before = state->current.t_to;
    for (size_t i = from; i < to; i++) {
        double seconds = (double)(time[i] - before) / 1e9;
        double term = seconds > 0 ? (linear ? (last + values[i]) / 2 : last) * seconds : 0;
        sum += term;
        scale = fabs(term) > scale ? fabs(term) : scale;
        scale = fabs(sum) > scale ? fabs(sum) : scale;
        last = values[i];
        sum = isnan(last) ? last : sum;
        before = time[i];
    }
    acc->sum = sum;
    acc->scale = scale;
    acc->last = last;
}

static void extend_measure(const struct interval_plan *plan, struct interval_state *state,
                           const struct chunk *chunk, size_t m, size_t from, size_t to)
{
    const struct interval_measure *measure = &plan->measures.at[m];
    struct accumulator *acc = &state->acc[m];
    if (measure->op == AST_COUNT) {
        const uint8_t *bits = column_bits(chunk->program, measure->node);
        uint64_t count = 0;
        note_unknown(measure, acc, chunk, from, to);
        for (size_t i = from; i < to; i++)
            count += bits[i];
        acc->count += count;
        return;
    }
    const double *values = column_numbers(chunk->program, measure->node);
    const uint8_t *unknown = chunk->program->runtime[measure->node].unknown;
    note_unknown(measure, acc, chunk, from, to);
    if (unknown && (measure->op == AST_MIN || measure->op == AST_MAX)) {
        for (size_t i = from; i < to; i++) {
            if (unknown[i])
                continue;
            acc->least = values[i] < acc->least || isnan(values[i]) ? values[i] : acc->least;
            acc->most = values[i] > acc->most || isnan(values[i]) ? values[i] : acc->most;
        }
    } else if (measure->op == AST_MIN) {
        double least = acc->least;
        for (size_t i = from; i < to; i++)
            least = values[i] < least || isnan(values[i]) ? values[i] : least;
        acc->least = least;
    } else if (measure->op == AST_MAX) {
        double most = acc->most;
        for (size_t i = from; i < to; i++)
            most = values[i] > most || isnan(values[i]) ? values[i] : most;
        acc->most = most;
    } else if (measure->op == AST_AVG || measure->op == AST_INTEGRAL) {
        add_sum(state, acc, measure->linear, values, chunk->time, from, to);
    }
    acc->last = values[to - 1];
}

static double alarm_value(const struct interval_plan *plan, const struct interval_state *state,
                          const struct alarm *alarm, const struct chunk *chunk, size_t i)
{
    if (alarm->op == AST_DURATION)
        return (double)(chunk->time[i] - state->current.t_from) / 1e9;
    double value = column_numbers(chunk->program, plan->measures.at[alarm->measure].node)[i];
    return alarm->op == AST_DIFF ? value - state->acc[alarm->measure].first : value;
}

/* How large the operands of the alarm's value were, when it is a difference. */
static double alarm_scale(const struct interval_plan *plan, const struct interval_state *state,
                          const struct alarm *alarm, const struct chunk *chunk, size_t i)
{
    if (alarm->op != AST_DIFF)
        return 0;
    double value = column_numbers(chunk->program, plan->measures.at[alarm->measure].node)[i];
    double first = state->acc[alarm->measure].first;
    return fmax(fabs(value), fabs(first));
}

/* Looks for the first state in from .. to - 1 where a bound is passed for good. */
static void watch_bounds(const struct interval_plan *plan, struct interval_state *state,
                         const struct chunk *chunk, size_t from, size_t to)
{
    for (size_t k = 0; k < plan->alarms.count; k++) {
        const struct alarm *alarm = &plan->alarms.at[k];
        const struct comparison *comparison = &plan->comparisons.at[alarm->comparison];
        double bound = plan->figures.at[comparison->b].value;
        if (to > from && alarm->op == AST_DURATION &&
            comparison_holds(comparison->op, alarm_value(plan, state, alarm, chunk, to - 1), bound))
            continue; /* time never goes back */
        for (size_t i = from; i < to; i++) {
            double value = alarm_value(plan, state, alarm, chunk, i);
            if (comparison_holds(comparison->op, value, bound) || isnan(value) ||
                comparison_holds(
                    comparison->op,
                    comparison_snap(value, bound, alarm_scale(plan, state, alarm, chunk, i)),
                    bound))
                continue;
            state->alarmed = true;
            state->alarm.from = state->current.from;
            state->alarm.t_from = state->current.t_from;
            state->alarm.state = chunk->first + i;
            state->alarm.t = chunk->time[i];
            state->alarm_comparison = alarm->comparison;
            state->alarm_sides[0] = value;
            state->alarm_sides[1] = bound;
            to = i; /* another bound counts only if it was passed earlier */
        }
    }
}

void interval_extend(const struct interval_plan *plan, struct interval_state *state,
                     const struct chunk *chunk, size_t from, size_t to, bool closing)
{
    assert(to <= chunk->count);
    if (from >= to)
        return;
    bool deciding = plan->quantifier == QUANT_FORALL || state->closed == 0;
    if (plan->alarms.count && !state->alarmed && deciding && to - closing > from &&
        plan->semantics == TAC_SEMANTICS_DEF)
        watch_bounds(plan, state, chunk, from, to - closing);
    for (size_t m = 0; m < plan->measures.count; m++) {
        /* what is told of the states of a run leaves its end out, what is told of its length not */
        enum ast_kind op = plan->measures.at[m].op;
        bool states =
            op == AST_MIN || op == AST_MAX || op == AST_COUNT || op == AST_FIRST || op == AST_LAST;
        size_t limit = plan->runs && closing && states ? to - 1 : to;
        if (from < limit)
            extend_measure(plan, state, chunk, m, from, limit);
    }
    set_now(plan, state, chunk, to - 1, 1);
}

static size_t find(const uint8_t *bits, int wanted, size_t from, size_t limit)
{
    assert(from <= limit);
    const uint8_t *hit = memchr(bits + from, wanted, limit - from);
    return hit ? (size_t)(hit - bits) : limit;
}

/* An end that looks ahead: the first state at which it is shown. */
static size_t find_shown(const struct interval_plan *plan, struct interval_state *state,
                         const struct chunk *chunk, size_t from, size_t limit)
{
    for (size_t i = from; i < limit; i++) {
        duties_step(&plan->end_goals, &state->end, chunk, i);
        if (state->end.answer == TAC_HOLDS)
            return i;
    }
    return limit;
}

void interval_doubt(struct interval_state *state, struct column_unknown blame)
{
    state->doubt = true;
    state->open = false;
    state->closed++;
    state->unknowns++;
    state->doubts++;
    if (!state->blame.set)
        state->blame = blame;
}

size_t interval_first_unknown(const struct chunk *chunk, uint32_t node, size_t from, size_t limit)
{
    const uint8_t *bit = column_bits(chunk->program, node), *may = column_may(chunk->program, node);
    while (bit != may && from < limit && bit[from] == may[from])
        from++;
    return bit == may ? limit : from;
}

/* The first column that the end depends on and that is not known in state i, or COLUMN_NONE. */
static uint32_t unknown_end(const struct interval_plan *plan, const struct chunk *chunk, size_t i)
{
    if (!plan->ahead)
        return interval_first_unknown(chunk, plan->q, i, i + 1) == i ? plan->q : COLUMN_NONE;
    for (size_t g = 0; g < plan->end_goals.nodes.count; g++) {
        const struct goal *goal = &plan->end_goals.nodes.at[g];
        if (goal->op == GOAL_ATOM && interval_first_unknown(chunk, goal->atom, i, i + 1) == i)
            return goal->atom;
    }
    return COLUMN_NONE;
}

/* All that begins or ends an interval is known in the whole chunk. */
static bool ends_known(const struct interval_plan *plan, const struct chunk *chunk)
{
    bool known = column_is_exact(chunk->program, plan->p) &&
                 (plan->ahead || column_is_exact(chunk->program, plan->q));
    for (size_t g = 0; plan->ahead && g < plan->end_goals.nodes.count; g++) {
        const struct goal *goal = &plan->end_goals.nodes.at[g];
        known = known && (goal->op != GOAL_ATOM || column_is_exact(chunk->program, goal->atom));
    }
    return known;
}

/* One state where not all is known of the ends. While in doubt, an interval may be open or not; a
 * state that surely ends and surely begins none settles that. True when an interval closes. */
static bool step_unknown(const struct interval_plan *plan, struct interval_state *state,
                         const struct chunk *chunk, size_t i)
{
    const struct column_program *program = chunk->program;
    bool begins = column_bits(program, plan->p)[i], may_begin = column_may(program, plan->p)[i];
    uint32_t guilty = state->open ? unknown_end(plan, chunk, i) : plan->p;
    bool unsure = state->open ? guilty != COLUMN_NONE : may_begin && !begins;
    if (state->doubt) {
        state->doubt = plan->ahead || may_begin || !column_bits(program, plan->q)[i];
        return false;
    }
    if (unsure) {
        interval_doubt(state, column_blame(program, guilty, i, chunk->first, chunk->time));
        return false;
    }
    if (!state->open) {
        if (begins)
            interval_begin(plan, state, chunk, i);
        return false;
    }
    bool closes = plan->ahead ? find_shown(plan, state, chunk, i, i + 1) == i
                              : column_bits(program, plan->q)[i];
    interval_extend(plan, state, chunk, i, i + 1, closes);
    state->open = !closes;
    return closes;
}

static bool track_definition(const struct interval_plan *plan, struct interval_state *state,
                             const struct chunk *chunk, size_t *at, size_t limit)
{
    assert(plan->p < chunk->program->nodes.count);
    const uint8_t *p = column_bits(chunk->program, plan->p);
    const uint8_t *q = plan->ahead ? p : column_bits(chunk->program, plan->q);
    bool known = ends_known(plan, chunk);
    while (*at < limit && (state->doubt || !known))
        if (step_unknown(plan, state, chunk, (*at)++))
            return true;
    while (*at < limit) {
        if (!state->open) {
            size_t start = find(p, 1, *at, limit);
            *at = start + 1;
            if (start >= limit)
                break;
            interval_begin(plan, state, chunk, start);
            continue;
        }
        size_t stop =
            plan->ahead ? find_shown(plan, state, chunk, *at, limit) : find(q, 1, *at, limit);
        if (plan->slice) /* a slice inside one of the same name starts nothing here */
            for (size_t i = *at; i < stop; i++)
                state->swallowed += p[i];
        interval_extend(plan, state, chunk, *at, stop < limit ? stop + 1 : limit, stop < limit);
        *at = stop + 1;
        if (stop < limit) {
            state->open = false;
            return true;
        }
    }
    *at = limit;
    return false;
}

/* The other readings, one state at a time; true when an interval closes at this state. */
static bool step_reading(const struct interval_plan *plan, struct interval_state *state,
                         const struct chunk *chunk, size_t i)
{
    assert(plan->q != COLUMN_NONE && i < chunk->count);
    bool p = column_bits(chunk->program, plan->p)[i];
    bool q = column_bits(chunk->program, plan->q)[i];
    bool rise_p = p && !state->last_p, rise_q = q && !state->last_q, closes = false;
    for (int end = 0; end < 2 && !state->doubt; end++) {
        uint32_t node = end ? plan->q : plan->p;
        if (interval_first_unknown(chunk, node, i, i + 1) == i)
            interval_doubt(state, column_blame(chunk->program, node, i, chunk->first, chunk->time));
    }
    state->states = chunk->first + i + 1;
    if (state->doubt) /* these readings remember more: it stays */
        return false;
    state->last_p = p;
    state->last_q = q;
    if (plan->semantics == TAC_SEMANTICS_EQ3) {
        if (rise_p)
            interval_begin(plan, state, chunk, i);
        else if (state->open)
            interval_extend(plan, state, chunk, i, i + 1, q);
        closes = state->open && q;
    } else if (plan->semantics == TAC_SEMANTICS_RISING) {
        if (rise_p && !state->open)
            interval_begin(plan, state, chunk, i);
        else if (state->open) {
            closes = rise_q && !rise_p;
            interval_extend(plan, state, chunk, i, i + 1, closes);
        }
    } else {
        bool before = state->flag;
        state->flag = rise_p || (before && !rise_q);
        if (state->flag && !before) {
            bool pending = state->open;
            interval_begin(plan, state, chunk, i);
            state->open = pending;
            state->captured = true;
        } else if (state->captured) {
            interval_extend(plan, state, chunk, i, i + 1, q);
        }
        state->open |= p;
        closes = state->open && q;
    }
    if (closes)
        state->open = false;
    return closes;
}

bool interval_track(const struct interval_plan *plan, struct interval_state *state,
                    const struct chunk *chunk, size_t *at, size_t limit)
{
    assert(*at <= limit && limit <= chunk->count);
    if (plan->length != COLUMN_NONE)
        return overlap_track(plan, state, chunk, at, limit);
    if (plan->semantics == TAC_SEMANTICS_DEF || plan->runs || plan->ahead)
        return track_definition(plan, state, chunk, at, limit);
    while (*at < limit)
        if (step_reading(plan, state, chunk, (*at)++))
            return true;
    return false;
}

void interval_tick(const struct interval_plan *plan, struct interval_state *state, uint64_t last,
                   int64_t now)
{
    assert(!state->open || now >= state->current.t_from);
    bool deciding = plan->quantifier == QUANT_FORALL || state->closed == 0;
    if (!state->open || state->alarmed || !deciding || plan->semantics != TAC_SEMANTICS_DEF)
        return;
    for (size_t k = 0; k < plan->alarms.count && !state->alarmed; k++) {
        const struct alarm *alarm = &plan->alarms.at[k];
        const struct comparison *comparison = &plan->comparisons.at[alarm->comparison];
        double bound = plan->figures.at[comparison->b].value;
        double value = (double)(now - state->current.t_from) / 1e9;
        if (alarm->op != AST_DURATION || comparison_holds(comparison->op, value, bound))
            continue;
        state->alarmed = true;
        state->alarm = (tac_early_alarm){
            .from = state->current.from, .t_from = state->current.t_from, .state = last, .t = now};
        state->alarm_comparison = alarm->comparison;
        state->alarm_sides[0] = value;
        state->alarm_sides[1] = bound;
    }
}
