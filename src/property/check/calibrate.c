/* Bounds from reference runs: the figures that a property's comparisons had on every interval, and
 * a bound that they all keep: the worst met, or three standard deviations from the mean if that is
 * further (a tenth of the value when there is one interval only), rounded outward to three digits.
 * Infinite values (a division by 0) have no distance from anything: mean and deviation are those of
 * the others, and there is no bound on the side on which they lie. */
#include "base/check.h"
#include "property/check/judge.h"
#include "property/plan/plan.h"

#include "base/data/alloc.h"
#include "base/data/text.h"
#include <math.h>
#include <string.h>

struct figure_spread {
    uint64_t count, finite;
    double least, most, mean, squares; /* squares: sum of squared distances (Welford) */
};

struct calibration {
    const tac_properties *properties;
    struct property_plan plan;
    struct figure_spread **figures; /* per property, per comparison */
};

static const struct interval_plan *plan_of(const struct calibration *calibration, size_t property)
{
    const struct combine *root = &calibration->plan.combines.at[calibration->plan.roots[property]];
    if (root->op != COMBINE_PART || calibration->plan.parts.at[root->a].temporal)
        return NULL;
    return &calibration->plan.parts.at[root->a].interval;
}

static void collect(void *context, size_t property, const tac_witness *witness)
{
    assert(property < tac_property_count(((struct calibration *)context)->properties));
    struct calibration *calibration = context;
    for (size_t c = 0; c < witness->comparison_count; c++) {
        struct figure_spread *at = &calibration->figures[property][c];
        double value = witness->comparisons[c].value;
        if (isnan(value))
            continue;
        if (!at->count || value < at->least)
            at->least = value;
        if (!at->count || value > at->most)
            at->most = value;
        at->count++;
        if (!isfinite(value))
            continue;
        double before = value - at->mean;
        at->mean += before / (double)++at->finite;
        at->squares += before * (value - at->mean);
    }
}

static double round_outward(double value, bool up)
{
    if (!(fabs(value) > 0))
        return 0;
    double step = pow(10, floor(log10(fabs(value))) - 2);
    double rounded = (up ? ceil(value / step) : floor(value / step)) * step;
    char text[40];
    snprintf(text, sizeof text, "%.3g", rounded);
    double clean;
    return tac_parse_double(text, &clean) && (up ? clean >= value : clean <= value) ? clean
                                                                                    : rounded;
}

static double deviation_of(const struct figure_spread *figures)
{
    return figures->finite > 1 ? sqrt(figures->squares / (double)(figures->finite - 1)) : 0;
}

static double propose(const struct figure_spread *figures, bool upper)
{
    assert(figures->finite > 0 && figures->least <= figures->most);
    double spread = figures->finite > 1 ? deviation_of(figures) * 3 : fabs(figures->mean) / 10;
    double bound = upper ? figures->mean + spread : figures->mean - spread;
    if (upper && bound < figures->most)
        bound = figures->most;
    if (!upper && bound > figures->least)
        bound = figures->least;
    return round_outward(bound, upper);
}

static void fill_proposal(tac_bound_proposal *out, const char *name,
                          const struct comparison *comparison, const struct figure_spread *figures,
                          double bound)
{
    assert(comparison->constant);
    bool upper = comparison->op == AST_LT || comparison->op == AST_LE;
    char number[32];
    *out = (tac_bound_proposal){.name = name,
                                .expression = tac_strdup(comparison->text),
                                .unit = tac_strdup(comparison->unit_text),
                                .intervals = figures->count,
                                .bound = bound * comparison->shown.num / comparison->shown.den};
    if (!figures->count)
        return;
    out->deviation = deviation_of(figures);
    out->least = figures->least;
    out->mean = figures->finite ? figures->mean : figures->most;
    out->most = figures->most;
    if (!figures->finite || !isfinite(upper ? figures->most : figures->least))
        return;
    out->proposed = propose(figures, upper);
    out->suggestion =
        tac_format("%s %s %s%s%s", comparison->left,
                   upper ? "<=" : ">=", tac_double_text(out->proposed, number, sizeof number),
                   *comparison->unit_text ? " " : "", comparison->unit_text);
}

void tac_calibration_free(tac_calibration *calibration)
{
    for (size_t i = 0; i < calibration->count; i++) {
        free(calibration->proposals[i].expression);
        free(calibration->proposals[i].unit);
        free(calibration->proposals[i].suggestion);
    }
    free(calibration->proposals);
    memset(calibration, 0, sizeof *calibration);
}

static void propose_all(const struct calibration *calibration, tac_calibration *out)
{
    TAC_VEC(tac_bound_proposal) list = {0};
    for (size_t i = 0; i < tac_property_count(calibration->properties); i++) {
        const struct interval_plan *plan = plan_of(calibration, i);
        for (size_t c = 0; plan && c < plan->comparisons.count; c++) {
            const struct comparison *comparison = &plan->comparisons.at[c];
            tac_bound_proposal proposal;
            if (!comparison->constant || comparison->op == AST_EQ || comparison->op == AST_NE)
                continue;
            fill_proposal(&proposal, tac_property_name(calibration->properties, i), comparison,
                          &calibration->figures[i][c], plan->figures.at[comparison->b].value);
            tac_vec_push(&list, proposal);
        }
    }
    out->proposals = list.at;
    out->count = list.count;
}

tac_status tac_check_calibrate(const tac_properties *properties, const char *const *paths,
                               size_t count, const tac_check_options *options, tac_calibration *out,
                               tac_error *err)
{
    struct calibration calibration = {.properties = properties};
    tac_diagnostics unused = {0};
    size_t all = tac_property_count(properties);
    tac_status status = TAC_OK;
    *out = (tac_calibration){.traces = count};
    property_plan_compile(properties, NULL, TAC_SEMANTICS_DEF, true, "the trace", &unused,
                          &calibration.plan);
    tac_diagnostics_free(&unused);
    calibration.figures = tac_calloc(all + 1, sizeof *calibration.figures);
    for (size_t i = 0; i < all; i++) {
        const struct interval_plan *plan = plan_of(&calibration, i);
        calibration.figures[i] =
            tac_calloc(plan ? plan->comparisons.count + 1 : 1, sizeof(struct figure_spread));
    }
    struct trace_judge judge = {.semantics = options ? options->semantics : TAC_SEMANTICS_DEF,
                                .trace = options ? options->trace : NULL,
                                .end = JUDGE_WHOLE,
                                .what = "reading reference runs",
                                .watch = options ? options->watch : NULL};
    judge_add(&judge, properties, collect, &calibration);
    for (size_t i = 0; status == TAC_OK && i < count; i++) {
        const tac_trace_block *block;
        status = judge_open(&judge, paths[i], paths[i], err);
        while (status == TAC_OK && (status = judge_next(&judge, &block, err)) == TAC_OK && block)
            ;
        judge_close(&judge);
    }
    judge_free(&judge);
    if (status == TAC_OK)
        propose_all(&calibration, out);
    for (size_t i = 0; i < all; i++)
        free(calibration.figures[i]);
    free(calibration.figures);
    property_plan_free(&calibration.plan);
    return status;
}
