/* See check_tables.h. */
#include "cli/check_tables.h"

#include "base/data/alloc.h"
#include "base/describe/describe.h"
#include <math.h>
#include <string.h>

/* --- Every closed interval, a row per comparison of it ---------------------------------------- */

struct interval_row {
    const char *trace, *property;
    const tac_witness *witness;
    const tac_comparison_value *comparison; /* NULL: it has none */
};
FIELD_GETTER(duration_of, tac_witness,
             out->number = (double)(it->interval.t_to - it->interval.t_from) / 1e9)
static const struct field at_fields[] = {
    FIELDS(tac_witness, value, interval.from, interval.to),
    FIELD_SECONDS(tac_witness, interval.t_from), FIELD_SECONDS(tac_witness, interval.t_to),
    FIELD_GET_NUMBER("duration", duration_of),
    FIELD(tac_witness, holds, .known = IF_NOT(tac_witness, untested))};
static DESCRIBE(at, tac_witness);
static const struct field figure_fields[] = {FIELD(tac_comparison_value, text, .key = "expression"),
                                             FIELD(tac_comparison_value, value, .key = "figure"),
                                             FIELDS(tac_comparison_value, bound, margin, unit)};
static DESCRIBE(figure, tac_comparison_value);
static const struct field interval_row_fields[] = {
    FIELDS(struct interval_row, trace, property),
    FIELD_POINTER(struct interval_row, witness, at_described, .splice = true),
    FIELD_POINTER(struct interval_row, comparison, figure_described, .splice = true)};
static DESCRIBE(interval_row, struct interval_row);

/* --- Margins over time --------------------------------------------------------------------------
 */

struct margin_row {
    const char *trace, *property, *value;
    int64_t t;
    uint64_t state;
    double margin, least;
    const char *unit;
};
static const struct field margin_row_fields[] = {
    FIELDS(struct margin_row, trace, property, value), FIELD_SECONDS(struct margin_row, t),
    FIELDS(struct margin_row, state, margin, least, unit)};
static DESCRIBE(margin_row, struct margin_row);

static void put_margin(struct check_tables *tables, const char *trace, size_t property,
                       const tac_witness *witness)
{
    if (!tables->trace || strcmp(tables->trace, trace) != 0) {
        free(tables->trace);
        tables->trace = tac_strdup(trace);
        for (size_t i = 0; i < tac_property_count(tables->properties); i++)
            tables->least[i] = (double)NAN;
    }
    if (!witness->has_margin)
        return;
    double *least = &tables->least[property];
    if (isnan(*least) || witness->margin < *least)
        *least = witness->margin;
    struct margin_row row = {.trace = trace,
                             .property = tac_property_name(tables->properties, property),
                             .value = witness->value,
                             .t = witness->interval.t_to,
                             .state = witness->interval.to,
                             .margin = witness->margin,
                             .least = *least,
                             .unit = witness->comparison_count ? witness->comparisons[0].unit : ""};
    describe_csv_row(&margin_row_described, &row, tables->margins.file);
}

static void take_interval(void *context, const char *trace, size_t property,
                          const tac_witness *witness)
{
    struct check_tables *tables = context;
    struct interval_row row = {trace, tac_property_name(tables->properties, property), witness,
                               NULL};
    if (tables->has_intervals && !witness->comparison_count)
        describe_csv_row(&interval_row_described, &row, tables->intervals.file);
    for (size_t c = 0; tables->has_intervals && c < witness->comparison_count; c++) {
        row.comparison = &witness->comparisons[c];
        describe_csv_row(&interval_row_described, &row, tables->intervals.file);
    }
    if (tables->has_margins)
        put_margin(tables, trace, property, witness);
}

tac_status check_tables_open(struct check_tables *tables, const char *intervals,
                             const char *margins, tac_check_options *options, tac_error *err)
{
    tac_status status = TAC_OK;
    if (!intervals && !margins)
        return TAC_OK;
    options->on_interval = take_interval;
    options->context = tables;
    tables->least = tac_calloc(tac_property_count(tables->properties) + 1, sizeof(double));
    if (intervals) {
        status = tac_output_open(&tables->intervals, intervals, err);
        tables->has_intervals = status == TAC_OK;
    }
    if (tables->has_intervals)
        describe_csv_head(&interval_row_described, tables->intervals.file);
    if (status == TAC_OK && margins) {
        status = tac_output_open(&tables->margins, margins, err);
        tables->has_margins = status == TAC_OK;
    }
    if (tables->has_margins)
        describe_csv_head(&margin_row_described, tables->margins.file);
    return status;
}

tac_status check_tables_close(struct check_tables *tables, tac_status status, tac_error *err)
{
    tac_status first = status;
    if (tables->has_intervals)
        first = tac_output_close(&tables->intervals, first, err);
    if (tables->has_margins)
        first = tac_output_close(&tables->margins, first, err);
    free(tables->least);
    free(tables->trace);
    return first;
}
