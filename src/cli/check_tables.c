/* See check_tables.h. */
#include "cli/check_tables.h"

#include "base/data/alloc.h"
#include "base/data/text.h"
#include <math.h>
#include <string.h>

/* A cell of CSV: quoted where it must be. */
static void put_cell(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_number(FILE *out, double value)
{
    char text[32];
    if (!isnan(value))
        fputs(tac_double_text(value, text, sizeof text), out);
}

static void put_interval(const struct check_tables *tables, const char *trace, size_t property,
                         const tac_witness *witness, const tac_comparison_value *comparison)
{
    FILE *out = tables->intervals.file;
    const tac_interval *at = &witness->interval;
    put_cell(out, trace);
    fputc(',', out);
    put_cell(out, tac_property_name(tables->properties, property));
    fputc(',', out);
    put_cell(out, witness->value);
    fprintf(out, ",%llu,%llu,", (unsigned long long)at->from, (unsigned long long)at->to);
    put_number(out, (double)at->t_from / 1e9);
    fputc(',', out);
    put_number(out, (double)at->t_to / 1e9);
    fputc(',', out);
    put_number(out, (double)(at->t_to - at->t_from) / 1e9);
    fprintf(out, ",%s,", witness->untested ? "" : witness->holds ? "true" : "false");
    if (comparison) {
        put_cell(out, comparison->text);
        fputc(',', out);
        put_number(out, comparison->value);
        fputc(',', out);
        put_number(out, comparison->bound);
        fputc(',', out);
        put_number(out, comparison->margin);
        fputc(',', out);
        put_cell(out, comparison->unit);
    } else {
        fputs(",,,,", out);
    }
    fputc('\n', out);
}

static void put_margin(struct check_tables *tables, const char *trace, size_t property,
                       const tac_witness *witness)
{
    FILE *out = tables->margins.file;
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
    put_cell(out, trace);
    fputc(',', out);
    put_cell(out, tac_property_name(tables->properties, property));
    fputc(',', out);
    put_cell(out, witness->value);
    fputc(',', out);
    put_number(out, (double)witness->interval.t_to / 1e9);
    fprintf(out, ",%llu,", (unsigned long long)witness->interval.to);
    put_number(out, witness->margin);
    fputc(',', out);
    put_number(out, *least);
    fputc(',', out);
    put_cell(out, witness->comparison_count ? witness->comparisons[0].unit : "");
    fputc('\n', out);
}

static void take_interval(void *context, const char *trace, size_t property,
                          const tac_witness *witness)
{
    struct check_tables *tables = context;
    if (tables->has_intervals && !witness->comparison_count)
        put_interval(tables, trace, property, witness, NULL);
    for (size_t c = 0; tables->has_intervals && c < witness->comparison_count; c++)
        put_interval(tables, trace, property, witness, &witness->comparisons[c]);
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
        fputs("trace,property,value,from,to,t_from,t_to,duration,holds,expression,figure,bound,"
              "margin,unit\n",
              tables->intervals.file);
    if (status == TAC_OK && margins) {
        status = tac_output_open(&tables->margins, margins, err);
        tables->has_margins = status == TAC_OK;
    }
    if (tables->has_margins)
        fputs("trace,property,value,t,state,margin,least,unit\n", tables->margins.file);
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
