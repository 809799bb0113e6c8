/* Scores for people: the ranking, then every KPI of every app with its reason or its figure. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/print/print.h"
#include "kpi/catalogue.h"
#include <math.h>
#include <string.h>

static void write_score(FILE *out, const tac_kpi_score_of *score)
{
    char text[64] = "-";
    if (!isnan(score->score))
        snprintf(text, sizeof text, "%.0f [%.0f, %.0f]", score->score, score->low, score->high);
    tac_print(out, "  %-14s", text);
}

/* The app's name, with its campaign where another one has the same; the caller's. */
static char *label_of(const tac_kpi_report *report, const tac_kpi_result *result)
{
    size_t same = 0;
    for (size_t i = 0; i < report->count; i++)
        same += !strcmp(report->results[i].name, result->name);
    return same > 1 ? tac_format("%s (%s)", result->name, result->campaign)
                    : tac_strdup(result->name);
}

static void write_row(FILE *out, const tac_kpi_report *report, const tac_kpi_result *result,
                      int width)
{
    char rank[24] = "-", *label = label_of(report, result);
    if (result->rank)
        snprintf(rank, sizeof rank, "%zu", result->rank);
    tac_print(out, "%4s  %-*s", rank, width, label);
    free(label);
    write_score(out, &result->overall);
    for (size_t d = 0; d < TAC_KPI_DOMAINS; d++)
        write_score(out, &result->domains[d]);
    tac_print(out, "%s\n",
              result->rank > 1 && !result->told_apart ? "  not told apart from the one above" : "");
}

static void write_ranking(FILE *out, const tac_kpi_report *report)
{
    int width = 3;
    for (size_t i = 0; i < report->count; i++) {
        char *label = label_of(report, &report->results[i]);
        width = (int)strlen(label) > width ? (int)strlen(label) : width;
        free(label);
    }
    tac_print(out, "%4s  %-*s  %-14s", "rank", width, "app", "overall");
    for (size_t d = 0; d < TAC_KPI_DOMAINS; d++)
        tac_print(out, "  %-14s", tac_kpi_domain_name((tac_kpi_domain)d));
    fputc('\n', out);
    for (size_t place = 1; place <= report->count; place++)
        for (size_t i = 0; i < report->count; i++)
            if (report->results[i].rank == place)
                write_row(out, report, &report->results[i], width);
    for (size_t i = 0; i < report->count; i++)
        if (!report->results[i].rank)
            write_row(out, report, &report->results[i], width);
}

static void add_value(tac_str *out, const tac_kpi_figure *figure)
{
    const char *unit = figure->share ? "%" : figure->unit;
    double scale = figure->share ? 100 : 1;
    const char *word = figure->answer == TAC_HOLDS      ? "met"
                       : figure->answer == TAC_VIOLATED ? "MISSED"
                                                        : "unclear";
    tac_str_addf(out, "%.4g%s%s%s of %zu run%s", figure->value * scale, *unit ? " " : "", unit,
                 figure->share ? "" : ", mean", figure->runs, figure->runs == 1 ? "" : "s");
    if (isfinite(figure->low))
        tac_str_addf(out, " [%.4g, %.4g]", figure->low * scale, figure->high * scale);
    tac_str_addf(out, ", %s: %s", figure->requirement, word);
    if (figure->silent)
        tac_str_addf(out, "; %zu run%s said nothing", figure->silent,
                     figure->silent == 1 ? "" : "s");
}

char *tac_kpi_figure_text(const tac_kpi_figure *figure)
{
    tac_str text = {0};
    if (figure->state == TAC_KPI_MEASURED)
        add_value(&text, figure);
    else
        tac_str_addf(&text, "%s: %s", figure->state == TAC_KPI_SKIPPED ? "skipped" : "not measured",
                     figure->reason);
    return tac_str_take(&text);
}

static void write_result(FILE *out, const tac_kpi_result *result, size_t figure_count)
{
    tac_print(out, "\n%s (%s, %zu run%s)\n", result->name, result->campaign, result->runs,
              result->runs == 1 ? "" : "s");
    for (size_t k = 0; k < figure_count; k++) {
        const tac_kpi_figure *figure = &result->figures[k];
        tac_print(out, "  %-11s  %s: ", tac_kpi_domain_name(figure->domain), figure->name);
        char *text = tac_kpi_figure_text(figure);
        fputs(text, out);
        free(text);
        if (!isnan(figure->score))
            tac_print(out, "; score %.0f [%.0f, %.0f]", figure->score, figure->score_low,
                      figure->score_high);
        fputc('\n', out);
    }
}

void tac_kpi_report_text(const tac_kpi_catalogue *catalogue, const tac_kpi_report *report,
                         FILE *out)
{
    tac_print(out, "%s: %zu app%s, scored against %s (50: alike; 95 %% intervals)\n",
              catalogue->name, report->count, report->count == 1 ? "" : "s",
              report->against_each_other ? "each other" : "the references");
    write_ranking(out, report);
    for (size_t i = 0; i < report->count; i++)
        write_result(out, &report->results[i], report->figure_count);
}
