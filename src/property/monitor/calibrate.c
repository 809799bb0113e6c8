/* Bounds from reference runs: the figures that a property's comparisons had on every interval, and
 * a bound that they all keep: the worst met, or three standard deviations from the mean if that is
 * further (a tenth of the value when there is one interval only), rounded outward to three digits.
 */
#include "property/compile/plan.h"

#include "base/data/text.h"
#include "base/io/json.h"
#include <math.h>
#include <string.h>

struct figures {
    uint64_t count;
    double least, most, mean, squares; /* squares: sum of squared distances (Welford) */
};

struct calibration {
    const tac_properties *properties;
    struct plan plan;
    struct figures **figures; /* per property, per comparison */
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
    struct calibration *calibration = context;
    for (size_t c = 0; c < witness->comparison_count; c++) {
        struct figures *at = &calibration->figures[property][c];
        double value = witness->comparisons[c].value;
        if (isnan(value))
            continue;
        if (!at->count || value < at->least)
            at->least = value;
        if (!at->count || value > at->most)
            at->most = value;
        double before = value - at->mean;
        at->mean += before / (double)++at->count;
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

static double propose(const struct figures *figures, bool upper)
{
    double spread = figures->count > 1 ? sqrt(figures->squares / (double)(figures->count - 1)) * 3
                                       : fabs(figures->mean) / 10;
    double bound = upper ? figures->mean + spread : figures->mean - spread;
    if (upper && bound < figures->most)
        bound = figures->most;
    if (!upper && bound > figures->least)
        bound = figures->least;
    return round_outward(bound, upper);
}

static json_t *comparison_json(const char *name, const struct comparison *comparison,
                               const struct figures *figures, double bound)
{
    bool upper = comparison->op == AST_LT || comparison->op == AST_LE;
    json_t *out = json_object();
    json_object_set_new(out, "name", tac_json_string(name));
    json_object_set_new(out, "expression", tac_json_string(comparison->text));
    json_object_set_new(out, "unit", tac_json_string(comparison->unit_text));
    json_object_set_new(out, "intervals", json_integer((json_int_t)figures->count));
    json_object_set_new(out, "bound", tac_json_number(bound));
    if (!figures->count) {
        json_object_set_new(out, "proposed", json_null());
        return out;
    }
    double proposed = propose(figures, upper);
    double deviation =
        figures->count > 1 ? sqrt(figures->squares / (double)(figures->count - 1)) : 0;
    char number[32];
    json_object_set_new(out, "min", tac_json_number(figures->least));
    json_object_set_new(out, "mean", tac_json_number(figures->mean));
    json_object_set_new(out, "max", tac_json_number(figures->most));
    json_object_set_new(out, "deviation", tac_json_number(deviation));
    json_object_set_new(out, "proposed", tac_json_number(proposed));
    char *text = tac_format("%s %s %s%s%s", comparison->left,
                            upper ? "<=" : ">=", tac_double_text(proposed, number, sizeof number),
                            *comparison->unit_text ? " " : "", comparison->unit_text);
    json_object_set_new(out, "suggestion", tac_json_string(text));
    free(text);
    return out;
}

static tac_status read_trace(struct calibration *calibration, const char *path,
                             const tac_check_options *options, tac_error *err)
{
    tac_monitor_options monitor_options = {.semantics = options->semantics,
                                           .trace_name = path,
                                           .on_interval = collect,
                                           .context = calibration};
    tac_trace_source *source = NULL;
    tac_monitor *monitor = NULL;
    const tac_trace_block *block;
    tac_status status = tac_trace_open(path, options->trace, &source, err);
    if (status != TAC_OK)
        return status;
    status = tac_monitor_new(calibration->properties, &monitor_options, &monitor, err);
    while (status == TAC_OK && (status = tac_trace_next(source, &block, err)) == TAC_OK && block)
        status = tac_monitor_feed_source(monitor, source, block, err);
    if (status == TAC_OK) {
        tac_monitor_schema schema;
        schema.variables = tac_trace_variables(source, &schema.variable_count);
        schema.symbols = tac_trace_symbols(source, &schema.symbol_count);
        status = tac_monitor_finish(monitor, &schema, err);
    }
    tac_monitor_free(monitor);
    tac_trace_close(source);
    return status;
}

static json_t *document_of(const struct calibration *calibration, size_t traces)
{
    json_t *list = json_array();
    for (size_t i = 0; i < tac_property_count(calibration->properties); i++) {
        const struct interval_plan *plan = plan_of(calibration, i);
        for (size_t c = 0; plan && c < plan->comparisons.count; c++) {
            const struct comparison *comparison = &plan->comparisons.at[c];
            if (!comparison->constant || comparison->op == AST_EQ || comparison->op == AST_NE)
                continue;
            json_array_append_new(list,
                                  comparison_json(tac_property_name(calibration->properties, i),
                                                  comparison, &calibration->figures[i][c],
                                                  plan->figures.at[comparison->b].value));
        }
    }
    return json_pack("{s:I,s:o}", "traces", (json_int_t)traces, "properties", list);
}

tac_status tac_check_calibrate(const tac_properties *properties, const char *const *paths,
                               size_t count, const tac_check_options *options, json_t **document,
                               tac_error *err)
{
    static const tac_check_options defaults;
    struct calibration calibration = {.properties = properties};
    tac_diagnostics unused = {0};
    size_t all = tac_property_count(properties);
    tac_status status = TAC_OK;
    property_plan_compile(properties, NULL, TAC_SEMANTICS_DEF, "the trace", &unused,
                          &calibration.plan);
    tac_diagnostics_free(&unused);
    calibration.figures = tac_calloc(all + 1, sizeof *calibration.figures);
    for (size_t i = 0; i < all; i++) {
        const struct interval_plan *plan = plan_of(&calibration, i);
        calibration.figures[i] =
            tac_calloc(plan ? plan->comparisons.count + 1 : 1, sizeof(struct figures));
    }
    for (size_t i = 0; status == TAC_OK && i < count; i++)
        status = read_trace(&calibration, paths[i], options ? options : &defaults, err);
    if (status == TAC_OK)
        *document = document_of(&calibration, count);
    for (size_t i = 0; i < all; i++)
        free(calibration.figures[i]);
    free(calibration.figures);
    property_plan_free(&calibration.plan);
    return status;
}
