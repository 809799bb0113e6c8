/* What a closed interval means for its property: the expression's value, margins, witnesses, counts
 * and the verdict (Definition 10; properties.md for margins and witnesses). */
#include "property/interval/interval.h"

#include "base/check.h"
#include <float.h>
#include <math.h>
#include <string.h>

static void record_init(const struct interval_plan *plan, struct interval_record *record)
{
    memset(record, 0, sizeof *record);
    record->ends = tac_calloc(2 * plan->watched.count + 1, sizeof *record->ends);
    record->sides = tac_calloc(2 * plan->comparisons.count + 1, sizeof *record->sides);
}

static void record_free(struct interval_record *record)
{
    free(record->ends);
    free(record->sides);
}

enum { RECORDS = 7 };

static struct interval_record *record_at(struct interval_state *state, size_t i)
{
    assert(i < RECORDS);
    struct interval_record *const all[RECORDS] = {
        &state->deciding,     &state->tightest,      &state->scratch,  &state->waiting.first,
        &state->inside.first, &state->outside.first, &state->candidate};
    return all[i];
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
    memcpy(sides, from->sides, 2 * plan->comparisons.count * sizeof *sides);
}

void interval_state_init(const struct interval_plan *plan, struct interval_state *state)
{
    memset(state, 0, sizeof *state);
    state->acc = tac_calloc(plan->measures.count + 1, sizeof *state->acc);
    state->ends = tac_calloc(2 * plan->watched.count + 1, sizeof *state->ends);
    state->figures = tac_calloc(plan->figures.count + 1, sizeof *state->figures);
    state->scales = tac_calloc(plan->figures.count + 1, sizeof *state->scales);
    if (plan->ahead)
        duties_init(&plan->end_goals, &state->end);
    if (plan->length != COLUMN_NONE)
        state->overlap = overlap_new();
    if (plan->relations.count)
        state->related = related_new(plan);
    for (size_t i = 0; i < RECORDS; i++)
        record_init(plan, record_at(state, i));
    if (plan->inner) {
        state->inner = tac_calloc(1, sizeof *state->inner);
        interval_state_init(plan->inner, state->inner);
    }
}

void interval_state_copy(const struct interval_plan *plan, struct interval_state *to,
                         const struct interval_state *from)
{
    assert(to != from && to->acc && from->acc);
    struct interval_state own = *to;
    *to = *from;
    to->acc = own.acc;
    to->ends = own.ends;
    to->figures = own.figures;
    to->scales = own.scales;
    to->inner = own.inner;
    to->related = own.related;
    to->overlap = own.overlap;
    if (to->overlap)
        overlap_copy(plan, to->overlap, from->overlap);
    to->end = own.end;
    to->samples = own.samples;
    sample_store_copy(&to->samples, &from->samples);
    if (plan->ahead)
        duties_copy(&plan->end_goals, &to->end, &from->end);
    if (plan->relations.count)
        related_copy(plan, to->related, from->related);
    for (size_t i = 0; i < RECORDS; i++) {
        struct interval_record *target = record_at(to, i), *kept = record_at(&own, i);
        target->ends = kept->ends;
        target->sides = kept->sides;
        interval_record_copy(plan, target, record_at((struct interval_state *)(uintptr_t)from, i));
    }
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
    state->acc = own.acc;
    state->ends = own.ends;
    state->figures = own.figures;
    state->scales = own.scales;
    state->inner = own.inner;
    state->related = own.related;
    state->overlap = own.overlap;
    if (state->overlap)
        overlap_reset(state->overlap);
    state->end = own.end;
    state->samples = own.samples;
    sample_store_clear(&state->samples);
    if (plan->ahead)
        duties_reset(&plan->end_goals, &state->end);
    if (plan->relations.count)
        related_reset(plan, state->related);
    for (size_t i = 0; i < RECORDS; i++) {
        record_at(state, i)->ends = record_at(&own, i)->ends;
        record_at(state, i)->sides = record_at(&own, i)->sides;
    }
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
    for (size_t i = 0; i < RECORDS; i++)
        record_free(record_at(state, i));
    if (state->inner)
        interval_state_free(plan->inner, state->inner);
    free(state->inner);
}

bool comparison_holds(enum ast_kind op, double left, double right)
{
    assert(op >= AST_LT && op <= AST_NE);
    switch (op) {
    case AST_LT:
        return left < right;
    case AST_LE:
        return left <= right;
    case AST_GT:
        return left > right;
    case AST_GE:
        return left >= right;
    case AST_EQ:
        return left <= right && left >= right;
    default:
        return left < right || left > right;
    }
}

double comparison_snap(double left, double right, double scale)
{
    return fabs(left - right) <= 4 * DBL_EPSILON * scale ? right : left;
}

double comparison_margin(enum ast_kind op, double left, double right)
{
    switch (op) {
    case AST_LT:
    case AST_LE:
        return right - left;
    case AST_GT:
    case AST_GE:
        return left - right;
    case AST_EQ:
        return -fabs(left - right);
    default:
        return fabs(left - right);
    }
}

static double measured(const struct interval_measure *measure, const struct accumulator *acc,
                       double seconds)
{
    assert(measure->op >= AST_DIFF && measure->op <= AST_COUNT && seconds >= 0);
    double diff = acc->last - acc->first;
    switch (measure->op) {
    case AST_DIFF:
        return diff;
    case AST_MIN:
        return acc->least;
    case AST_MAX:
        return acc->most;
    case AST_AVG: /* an interval without extent has the value of its one instant */
        return seconds > 0 ? acc->sum / seconds : acc->last;
    case AST_INTEGRAL:
        return acc->sum;
    case AST_RATE:
        return seconds > 0 || diff < 0 || diff > 0 ? diff / seconds : diff;
    case AST_FIRST:
        return acc->first;
    case AST_LAST:
        return acc->last;
    default:
        return (double)acc->count;
    }
}

static double figure_value(const struct figure *figure, const double *values)
{
    double a = values[figure->a], b = values[figure->b];
    switch (figure->op) {
    case FIGURE_NEGATE:
        return -a;
    case FIGURE_ABS:
        return fabs(a);
    case FIGURE_ADD:
        return a + b;
    case FIGURE_SUBTRACT:
        return a - b;
    case FIGURE_MULTIPLY:
        return a * b;
    case FIGURE_DIVIDE:
        return a / b;
    default:
        return figure->value;
    }
}

/* The largest operand of the sums that a measure came from; 0 when it is no sum. */
static double measured_scale(const struct interval_measure *measure, const struct accumulator *acc,
                             double seconds)
{
    double ends = fmax(fabs(acc->first), fabs(acc->last));
    switch (measure->op) {
    case AST_DIFF:
        return ends;
    case AST_RATE:
        return seconds > 0 ? ends / seconds : ends;
    case AST_AVG:
        return seconds > 0 ? acc->scale / seconds : 0;
    case AST_INTEGRAL:
        return acc->scale;
    default:
        return 0;
    }
}

/* The same for a figure made of others. A product or quotient is rounded once itself. */
static double figure_scale(const struct figure *figure, const double *values, const double *scales)
{
    double a = fabs(values[figure->a]), b = fabs(values[figure->b]);
    double scale_a = fmax(a, scales[figure->a]), scale_b = fmax(b, scales[figure->b]);
    switch (figure->op) {
    case FIGURE_NEGATE:
    case FIGURE_ABS:
        return scales[figure->a];
    case FIGURE_ADD:
    case FIGURE_SUBTRACT:
        return fmax(scale_a, scale_b);
    case FIGURE_MULTIPLY:
        return fmax(scale_a * b, scale_b * a);
    case FIGURE_DIVIDE:
        return fmax(scale_a / b, a * scale_b / (b * b));
    default:
        return 0;
    }
}

struct judgement {
    bool holds, has_margin;
    double margin;
};

/* relations: their values, or NULL while they are not known and count as true. */
static struct judgement judge(const struct interval_plan *plan, const double *sides,
                              const bool *relations, uint32_t clause)
{
    assert(clause < plan->clauses.count);
    const struct clause *at = &plan->clauses.at[clause];
    struct judgement a, b, out = {at->op != CLAUSE_FALSE, false, 0};
    if (at->op == CLAUSE_COMPARISON) {
        enum ast_kind op = plan->comparisons.at[at->a].op;
        out.holds = comparison_holds(op, sides[2 * at->a], sides[2 * at->a + 1]);
        out.margin = comparison_margin(op, sides[2 * at->a], sides[2 * at->a + 1]);
        out.has_margin = true;
    }
    if (at->op == CLAUSE_RELATION && relations && plan->relations.count)
        out.holds = relations[at->a];
    if (at->op < CLAUSE_NOT || at->op > CLAUSE_IMPLIES)
        return out;
    a = judge(plan, sides, relations, at->a);
    if (at->op == CLAUSE_NOT || at->op == CLAUSE_IMPLIES) {
        a.holds = !a.holds;
        a.margin = -a.margin;
    }
    if (at->op == CLAUSE_NOT)
        return a;
    b = judge(plan, sides, relations, at->b);
    out.holds = at->op == CLAUSE_AND ? a.holds && b.holds : a.holds || b.holds;
    out.has_margin = a.has_margin || b.has_margin;
    if (!a.has_margin || !b.has_margin)
        out.margin = a.has_margin ? a.margin : b.margin;
    else if (at->op == CLAUSE_AND)
        out.margin = a.margin < b.margin ? a.margin : b.margin;
    else
        out.margin = a.margin > b.margin ? a.margin : b.margin;
    return out;
}

bool interval_judge_related(const struct interval_plan *plan, const double *sides,
                            const bool *relations)
{
    return judge(plan, sides, relations, (uint32_t)(plan->clauses.count - 1)).holds;
}

void interval_evaluate(const struct interval_plan *plan, struct interval_state *state,
                       struct interval_record *record)
{
    assert(state->current.from <= state->current.to &&
           state->current.t_from <= state->current.t_to);
    double seconds = (double)(state->current.t_to - state->current.t_from) / 1e9;
    for (size_t i = 0; i < plan->figures.count; i++) {
        const struct figure *figure = &plan->figures.at[i];
        state->figures[i] = figure->op == FIGURE_MEASURE ? measured(&plan->measures.at[figure->a],
                                                                    &state->acc[figure->a], seconds)
                            : figure->op == FIGURE_DURATION ? seconds
                                                            : figure_value(figure, state->figures);
        state->scales[i] =
            figure->op == FIGURE_MEASURE
                ? measured_scale(&plan->measures.at[figure->a], &state->acc[figure->a], seconds)
                : figure_scale(figure, state->figures, state->scales);
    }
    for (size_t i = 0; i < plan->comparisons.count; i++) {
        const struct comparison *comparison = &plan->comparisons.at[i];
        double right = state->figures[comparison->b];
        double scale = fmax(state->scales[comparison->a], state->scales[comparison->b]);
        record->sides[2 * i] = comparison_snap(state->figures[comparison->a], right, scale);
        record->sides[2 * i + 1] = right;
    }
    struct judgement judgement = {true, false, 0};
    if (plan->clauses.count)
        judgement = judge(plan, record->sides, NULL, (uint32_t)(plan->clauses.count - 1));
    record->set = true;
    record->order = state->closed;
    record->interval = state->current;
    record->holds = judgement.holds;
    record->has_margin = judgement.has_margin && plan->margin_common && isfinite(judgement.margin);
    record->margin = judgement.margin;
    if (plan->comparisons.count)
        record->scale = state->scales[plan->comparisons.at[0].a];
    memcpy(record->ends, state->ends, 2 * plan->watched.count * sizeof *record->ends);
}

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

/* Something that its expression needs was not on the screen. */
static bool untested(const struct interval_plan *plan, const struct interval_record *record)
{
    bool missing = false;
    for (size_t c = 0; plan->observed && c < 2 * plan->comparisons.count; c++)
        missing = missing || isnan(record->sides[c]);
    return missing;
}

void interval_count(const struct interval_plan *plan, struct interval_state *state,
                    const struct interval_record *record, uint64_t now, int64_t now_time)
{
    bool exists = plan->quantifier == QUANT_EXISTS;
    bool first = record->order == 0;
    assert(record->interval.from <= record->interval.to);
    if (untested(plan, record)) {
        state->untested++;
        return;
    }
    if (plan->quantifier >= QUANT_SHARE)
        sample_add(
            &state->samples,
            &(struct sample){.value = sample_figure(plan, record), .interval = record->interval},
            record->scale);
    state->intervals++;
    state->violated += !record->holds;
    bool decides = plan->quantifier == QUANT_FIRST   ? first
                   : exists                          ? record->holds
                   : plan->quantifier >= QUANT_SHARE ? false
                                                     : !record->holds;
    if (decides && (!state->deciding.set || record->order < state->deciding.order))
        interval_record_copy(plan, &state->deciding, record);
    if (decides)
        decide(state, now, now_time);
    bool tighter = !state->tightest.set;
    if (state->tightest.set && record->has_margin)
        tighter = !state->tightest.has_margin || (exists ? record->margin > state->tightest.margin
                                                         : record->margin < state->tightest.margin);
    if (tighter)
        interval_record_copy(plan, &state->tightest, record);
    if (record->has_margin && (plan->quantifier != QUANT_FIRST || first) &&
        (!state->has_margin ||
         (exists ? record->margin > state->margin : record->margin < state->margin))) {
        state->has_margin = true;
        state->margin = record->margin;
    }
}

static void close_interval(const struct interval_plan *plan, struct interval_state *state,
                           uint64_t now, int64_t now_time, const struct interval_listener *listener)
{
    assert(!state->open || plan->semantics != TAC_SEMANTICS_DEF);
    assert(state->current.t_to <= now_time);
    interval_evaluate(plan, state, &state->scratch);
    state->closed++;
    interval_count(plan, state, &state->scratch, now, now_time);
    if (listener && listener->closed)
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
        close_interval(plan, state, chunk->first + told, chunk->time[told], listener);
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
    if (interval_track_end(plan, state))
        close_interval(plan, state, last, state->now, listener);
    bool open_is_false =
        plan->semantics == TAC_SEMANTICS_EQ3 || plan->semantics == TAC_SEMANTICS_SPIN2015;
    if (open_is_false && state->open && plan->quantifier == QUANT_FORALL &&
        plan->q != COLUMN_NONE && !state->decided) {
        interval_evaluate(plan, state, &state->scratch);
        state->scratch.holds = false;
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
    if (!ended)
        return TAC_INCONCLUSIVE;
    if (plan->quantifier >= QUANT_SHARE)
        return sample_verdict(plan, &state->samples).holds ? TAC_HOLDS : TAC_VIOLATED;
    if (plan->quantifier != QUANT_FORALL && state->untested)
        return TAC_INCONCLUSIVE; /* what could not be told may have been it */
    return plan->quantifier == QUANT_FORALL ? TAC_HOLDS : TAC_VIOLATED;
}
