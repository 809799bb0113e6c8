/* The value of a property's expression over one closed interval: its figures, the comparisons with
 * their margins, the clauses over them (Definition 10; properties.md for margins).
 *
 * What was not on the screen leaves a comparison unknown; the clauses decide as far as the others
 * do (Kleene). Beside each figure goes the largest operand of the sums that it came from, so that
 * sides that differ by rounding alone compare as equal. Cost: linear in the plan. */
#include "property/interval/interval.h"

#include "base/check.h"
#include <float.h>
#include <math.h>
#include <string.h>

bool comparison_holds(enum ast_kind op, double left, double right)
{
    assert(ast_class(op) == CLASS_COMPARISON);
    unsigned order = (unsigned)ORDER(left < right, left <= right && left >= right, left > right);
    return ast_operators[op].truth & order; /* none of them: one side is not a number */
}

double comparison_snap(double left, double right, double scale)
{
    return isfinite(scale) && fabs(left - right) <= 4 * DBL_EPSILON * scale ? right : left;
}

double comparison_margin(enum ast_kind op, double left, double right)
{
    bool less = ast_operators[op].truth & ORDER(1, 0, 0);
    bool greater = ast_operators[op].truth & ORDER(0, 0, 1);
    if (less != greater)
        return less ? right - left : left - right;
    return less ? fabs(left - right) : -fabs(left - right);
}

static double measured(const struct interval_measure *measure, const struct accumulator *acc,
                       double seconds)
{
    assert(ast_class(measure->op) == CLASS_AGGREGATE && seconds >= 0);
    double diff = acc->last - acc->first;
    if (measure->op == AST_DIFF)
        return diff;
    if (measure->op == AST_MIN)
        return acc->least;
    if (measure->op == AST_MAX)
        return acc->most;
    if (measure->op == AST_AVG) /* an interval without extent has the value of its one instant */
        return seconds > 0 || isnan(acc->sum) ? acc->sum / seconds : acc->last;
    if (measure->op == AST_INTEGRAL)
        return acc->sum;
    if (measure->op == AST_RATE)
        return seconds > 0 || diff < 0 || diff > 0 ? diff / seconds : diff;
    if (measure->op == AST_FIRST || measure->op == AST_LAST)
        return measure->op == AST_FIRST ? acc->first : acc->last;
    assert(measure->op == AST_COUNT);
    return (double)acc->count;
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
    case FIGURE_CONSTANT:
    case FIGURE_MEASURE:
    case FIGURE_DURATION:
        break;
    }
    return figure->value;
}

/* The largest operand of the sums that a measure came from; 0 when it is no sum. */
static double measured_scale(const struct interval_measure *measure, const struct accumulator *acc,
                             double seconds)
{
    double ends = fmax(fabs(acc->first), fabs(acc->last));
    if (measure->op == AST_DIFF)
        return ends;
    if (measure->op == AST_RATE)
        return seconds > 0 ? ends / seconds : ends;
    if (measure->op == AST_AVG)
        return seconds > 0 ? acc->scale / seconds : 0;
    return measure->op == AST_INTEGRAL ? acc->scale : 0;
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
    case FIGURE_CONSTANT:
    case FIGURE_MEASURE:
    case FIGURE_DURATION:
        break;
    }
    return 0;
}

/* --- What is not known ------------------------------------------------------------------------ */

struct range {
    double low, high;
};
static const struct range anything = {-INFINITY, INFINITY};

static bool is_exact(struct range a)
{
    return !(a.low < a.high);
}

/* What the measure may be when all is known; value: where nothing is missing. */
static struct range measured_range(const struct interval_measure *measure,
                                   const struct accumulator *acc, double value, bool unfinished)
{
    bool ends = acc->first_unknown || acc->last_unknown;
    struct range exact = {value, value};
    if (measure->op == AST_COUNT)
        return (struct range){value, unfinished ? INFINITY : value + (double)acc->maybe};
    if (measure->op == AST_MIN || measure->op == AST_MAX) {
        if (isnan(value) || (!acc->holes && !unfinished))
            return exact;
        return measure->op == AST_MIN ? (struct range){-INFINITY, value}
                                      : (struct range){value, INFINITY};
    }
    if (measure->op == AST_FIRST)
        return acc->first_unknown ? anything : exact;
    if (measure->op == AST_LAST)
        return acc->last_unknown || unfinished ? anything : exact;
    if (measure->op == AST_DIFF && unfinished && measure->monotone && !ends && !isnan(value))
        return (struct range){value, INFINITY};
    bool whole = measure->op == AST_DIFF || measure->op == AST_RATE ? !ends : !acc->holes;
    return whole && !unfinished ? exact : anything;
}

static struct range figure_range(const struct figure *figure, const double *low, const double *high,
                                 double value)
{
    struct range a = {low[figure->a], high[figure->a]}, b = {low[figure->b], high[figure->b]};
    struct range exact = {value, value};
    switch (figure->op) {
    case FIGURE_NEGATE:
        return (struct range){-a.high, -a.low};
    case FIGURE_ABS:
        if (is_exact(a))
            return exact;
        return (struct range){fmax(0, fmax(a.low, -a.high)), fmax(-a.low, a.high)};
    case FIGURE_ADD:
        return (struct range){a.low + b.low, a.high + b.high};
    case FIGURE_SUBTRACT:
        return (struct range){a.low - b.high, a.high - b.low};
    case FIGURE_MULTIPLY:
    case FIGURE_DIVIDE:
        return is_exact(a) && is_exact(b) ? exact : anything;
    case FIGURE_CONSTANT:
    case FIGURE_MEASURE:
    case FIGURE_DURATION:
        break;
    }
    return exact;
}

/* What holds of every pair of values out of the two ranges. */
static enum told compare_ranges(enum ast_kind op, struct range a, struct range b, double scale)
{
    bool below = comparison_snap(a.high, b.low, scale) < b.low;
    bool above = comparison_snap(a.low, b.high, scale) > b.high;
    bool reaches = comparison_snap(a.high, b.low, scale) <= b.low;
    bool leaves = comparison_snap(a.low, b.high, scale) >= b.high;
    bool less = ast_operators[op].truth & ORDER(1, 0, 0);
    bool equal = ast_operators[op].truth & ORDER(0, 1, 0);
    bool greater = ast_operators[op].truth & ORDER(0, 0, 1);
    if (below || above)
        return (below ? less : greater) ? TOLD_TRUE : TOLD_FALSE;
    if ((reaches && less && equal) || (leaves && greater && equal))
        return TOLD_TRUE;
    if ((reaches && !less && !equal) || (leaves && !greater && !equal))
        return TOLD_FALSE;
    return TOLD_UNKNOWN;
}

/* The comparisons of an interval of which not all is known. */
static void tell_ranges(const struct interval_plan *plan, struct interval_state *state,
                        struct interval_record *record, double seconds, bool unfinished)
{
    size_t count = plan->comparisons.count;
    double *low = state->figures + plan->figures.count, *high = low + plan->figures.count;
    for (size_t i = 0; i < plan->figures.count; i++) {
        const struct figure *figure = &plan->figures.at[i];
        struct range range =
            figure->op == FIGURE_MEASURE
                ? measured_range(&plan->measures.at[figure->a], &state->acc[figure->a],
                                 state->figures[i], unfinished)
            : figure->op == FIGURE_DURATION
                ? (struct range){seconds, unfinished ? INFINITY : seconds}
                : figure_range(figure, low, high, state->figures[i]);
        low[i] = range.low;
        high[i] = range.high;
    }
    for (size_t i = 0; i < count; i++) {
        const struct comparison *at = &plan->comparisons.at[i];
        struct range a = {low[at->a], high[at->a]}, b = {low[at->b], high[at->b]};
        double scale = fmax(state->scales[at->a], state->scales[at->b]);
        if (is_exact(a) && is_exact(b))
            continue;
        enum told told = compare_ranges(at->op, a, b, scale);
        record->sides[2 * count + i] = told;
        if (told == TOLD_UNKNOWN)
            record->sides[2 * i] = record->sides[2 * i + 1] = (double)NAN;
    }
}

/* What was not known first. */
static struct column_unknown blame_of(const struct interval_plan *plan,
                                      const struct interval_state *state)
{
    struct column_unknown out = {.set = false};
    for (size_t m = 0; m < plan->measures.count; m++) {
        const struct column_unknown *at = &state->acc[m].blame;
        if (at->set && (!out.set || at->state < out.state))
            out = *at;
    }
    return out;
}

/* --- Clauses ---------------------------------------------------------------------------------- */

struct judgement {
    bool holds, unknown, has_margin; /* what is unknown does not hold and has no margin */
    bool unseen; /* unknown for what is not known; else for something observed that was missing */
    double margin;
};

/* relations: their values, or NULL while they are not known and count as true. */
struct judging {
    const struct interval_plan *plan;
    const double *sides;
    const tac_truth *relations;
    bool unseen; /* what the relations lack is not known */
};

static struct judgement judge_comparison(const struct interval_plan *plan, const double *sides,
                                         uint32_t comparison)
{
    assert(comparison < plan->comparisons.count);
    enum told told = (enum told)sides[2 * plan->comparisons.count + comparison];
    if (told != TOLD_SIDES)
        return (struct judgement){.holds = told == TOLD_TRUE,
                                  .unknown = told == TOLD_UNKNOWN,
                                  .unseen = told == TOLD_UNKNOWN};
    enum ast_kind op = plan->comparisons.at[comparison].op;
    double left = sides[2 * comparison], right = sides[2 * comparison + 1];
    if (plan->observed && (isnan(left) || isnan(right)))
        return (struct judgement){.unknown = true};
    struct judgement out = {.holds = comparison_holds(op, left, right),
                            .has_margin = true,
                            .margin = comparison_margin(op, left, right)};
    if (isnan(out.margin)) /* like those of infinite figures: no bound is near */
        out.margin = out.holds ? INFINITY : -INFINITY;
    return out;
}

static struct judgement denied(struct judgement a)
{
    a.holds = !a.holds && !a.unknown;
    a.margin = -a.margin;
    return a;
}

static struct judgement joined(struct judgement a, struct judgement b, bool conjunction)
{
    struct judgement out = {.has_margin = a.has_margin || b.has_margin};
    out.holds = conjunction ? a.holds && b.holds : a.holds || b.holds;
    bool a_fails = !a.holds && !a.unknown, b_fails = !b.holds && !b.unknown;
    out.unknown = !out.holds && !(conjunction ? a_fails || b_fails : a_fails && b_fails);
    if (!a.has_margin || !b.has_margin)
        out.margin = a.has_margin ? a.margin : b.margin;
    else if (conjunction)
        out.margin = a.margin < b.margin ? a.margin : b.margin;
    else
        out.margin = a.margin > b.margin ? a.margin : b.margin;
    out.has_margin = out.has_margin && !out.unknown;
    out.unseen = out.unknown && (a.unseen || b.unseen);
    return out;
}

static struct judgement judge(const struct judging *in, uint32_t clause)
{
    const struct interval_plan *plan = in->plan;
    const tac_truth *relations = in->relations;
    assert(clause < plan->clauses.count);
    const struct clause *at = &plan->clauses.at[clause];
    struct judgement out = {.holds = at->op != CLAUSE_FALSE};
    if (at->op == CLAUSE_COMPARISON)
        return judge_comparison(plan, in->sides, at->a);
    if (at->op == CLAUSE_RELATION && relations && plan->relations.count)
        out = (struct judgement){.holds = relations[at->a] == TAC_TRUE,
                                 .unknown = relations[at->a] == TAC_UNKNOWN,
                                 .unseen = relations[at->a] == TAC_UNKNOWN && in->unseen};
    if (at->op != CLAUSE_NOT && at->op != CLAUSE_AND && at->op != CLAUSE_OR)
        return out;
    struct judgement a = judge(in, at->a);
    return at->op == CLAUSE_NOT ? denied(a) : joined(a, judge(in, at->b), at->op == CLAUSE_AND);
}

static void take_judgement(const struct interval_plan *plan, struct interval_record *record,
                           struct judgement judgement)
{
    record->holds = judgement.holds;
    record->unknown = judgement.unknown && judgement.unseen;
    record->untested = judgement.unknown && !judgement.unseen;
    record->has_margin = judgement.has_margin && plan->margin_common && isfinite(judgement.margin);
    record->margin = judgement.margin;
}

void interval_judge_related(const struct interval_plan *plan, struct interval_record *record,
                            const tac_truth *relations, const struct column_unknown *blame)
{
    struct judging in = {plan, record->sides, relations, blame->set};
    take_judgement(plan, record, judge(&in, (uint32_t)(plan->clauses.count - 1)));
    if (!record->blame.set)
        record->blame = *blame;
}

void interval_evaluate(const struct interval_plan *plan, struct interval_state *state,
                       struct interval_record *record, bool unfinished)
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
    memset(record->sides + 2 * plan->comparisons.count, 0,
           plan->comparisons.count * sizeof *record->sides);
    record->blame = blame_of(plan, state);
    if (record->blame.set || unfinished)
        tell_ranges(plan, state, record, seconds, unfinished);
    if (unfinished && !record->blame.set)
        record->blame = (struct column_unknown){.set = true,
                                                .slot = COLUMN_NONE,
                                                .reason = TAC_TRACE_NO_SYMBOL,
                                                .state = state->current.from,
                                                .time = state->current.t_from};
    struct judgement judgement = {.holds = true};
    struct judging in = {.plan = plan, .sides = record->sides};
    if (plan->clauses.count)
        judgement = judge(&in, (uint32_t)(plan->clauses.count - 1));
    record->set = true;
    record->order = state->closed;
    record->interval = state->current;
    take_judgement(plan, record, judgement);
    if (plan->comparisons.count)
        record->scale = state->scales[plan->comparisons.at[0].a];
    memcpy(record->ends, state->ends, 2 * plan->watched.count * sizeof *record->ends);
}
