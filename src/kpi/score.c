/* Scores: how campaigns stand by the KPIs, against references or each other.
 *
 * The score of a KPI is 100 times the chance that a run of the subject is better by it than a run
 * of the references, equal ones counted half (figures closer than the KPI's tolerance are equal);
 * 50 is "like the references". It has no unit, is the same for shares and figures, and one far run
 * does not move it. A domain's score is the mean over its KPIs, and so are the ends of its
 * interval: right when the KPIs move together, wider than needed otherwise. */
#include "base/data/alloc.h"
#include "base/data/share.h"
#include "base/verdict.h"
#include "kpi/measure.h"
#include "kpi/statistics.h"
#include <math.h>

typedef TAC_VEC(double) number_list;

/* The answer to "is the mean within its requirement", given the interval of the mean. */
static tac_answer answer_of(const tac_kpi_figure *figure, double bound, bool more, bool strict)
{
    bool low_good = more ? figure->low >= bound : figure->low <= bound;
    bool high_good = more ? figure->high >= bound : figure->high <= bound;
    low_good &= !(strict && figure->low == bound);
    high_good &= !(strict && figure->high == bound);
    if (figure->state != TAC_KPI_MEASURED)
        return TAC_INCONCLUSIVE;
    return low_good && high_good   ? TAC_HOLDS
           : low_good || high_good ? TAC_INCONCLUSIVE
                                   : TAC_VIOLATED;
}

static void fill_value(const struct kpi *kpi, const struct kpi_values *values,
                       tac_kpi_figure *figure)
{
    size_t count = values->at.count;
    figure->share = kpi->kind != KPI_FIGURE;
    if (figure->share) {
        size_t good = 0;
        for (size_t i = 0; i < count; i++)
            good += values->at.at[i] > 0.5;
        figure->value = count ? (double)good / (double)count : NAN;
        wilson_interval(good, count, &figure->low, &figure->high);
        /* Every run does it: no number of runs would prove that all do, so that is enough. */
        figure->answer = count && good == count && kpi->least_share >= 1
                             ? TAC_HOLDS
                             : answer_of(figure, kpi->least_share, true, false);
        if (count && good < count && kpi->least_share >= 1)
            figure->answer = TAC_VIOLATED;
        return;
    }
    mean_interval(values->at.at, count, &figure->value, &figure->low, &figure->high);
    bool strict = kpi->requirement[1] != '='; /* "< 1.5 s", not "<= 1.5 s" */
    figure->answer = answer_of(figure, values->bound, kpi->more_is_better, strict);
}

static void fill_figure(const struct kpi *kpi, const struct kpi_values *values,
                        tac_kpi_figure *figure)
{
    *figure = (tac_kpi_figure){.name = kpi->name,
                               .domain = kpi->domain,
                               .runs = values->at.count,
                               .silent = values->silent,
                               .value = NAN,
                               .low = NAN,
                               .high = NAN,
                               .requirement = kpi->requirement,
                               .answer = TAC_INCONCLUSIVE,
                               .score = NAN,
                               .score_low = NAN,
                               .score_high = NAN};
    figure->unit = tac_strdup(values->unit ? values->unit : "");
    figure->state = values->skipped    ? TAC_KPI_SKIPPED
                    : values->at.count ? TAC_KPI_MEASURED
                                       : TAC_KPI_UNMEASURED;
    figure->reason =
        tac_strdup(figure->state == TAC_KPI_MEASURED || !values->reason ? "" : values->reason);
    if (figure->state == TAC_KPI_MEASURED)
        fill_value(kpi, values, figure);
}

static void score_figure(const struct kpi *kpi, const struct kpi_values *values,
                         const number_list *reference, tac_kpi_figure *figure)
{
    double low, high,
        tolerance = kpi->kind == KPI_FIGURE ? kpi->tolerance * fabs(values->bound) : 0;
    double area = superiority(values->at.at, values->at.count, reference->at, reference->count,
                              tolerance, kpi->more_is_better);
    figure->reference_runs = reference->count;
    if (isnan(area))
        return;
    superiority_interval(area, values->at.count, reference->count, &low, &high);
    figure->score = 100 * area;
    figure->score_low = 100 * low;
    figure->score_high = 100 * high;
}

static void add_to_mean(tac_kpi_score_of *mean, double score, double low, double high)
{
    double n = (double)mean->counted++;
    mean->score = n == 0 ? score : (mean->score * n + score) / (n + 1);
    mean->low = n == 0 ? low : (mean->low * n + low) / (n + 1);
    mean->high = n == 0 ? high : (mean->high * n + high) / (n + 1);
}

static void fill_domains(tac_kpi_result *result, size_t figure_count)
{
    const tac_kpi_score_of none = {.score = NAN, .low = NAN, .high = NAN};
    result->overall = none;
    for (size_t d = 0; d < TAC_KPI_DOMAINS; d++) {
        tac_kpi_score_of *domain = &result->domains[d];
        *domain = none;
        for (size_t i = 0; i < figure_count; i++) {
            const tac_kpi_figure *figure = &result->figures[i];
            if (figure->domain != d)
                continue;
            if (isnan(figure->score))
                domain->left_out++;
            else
                add_to_mean(domain, figure->score, figure->score_low, figure->score_high);
        }
        if (domain->counted)
            add_to_mean(&result->overall, domain->score, domain->low, domain->high);
        else
            result->overall.left_out++;
    }
}

/* The runs that subject `own` is compared with; SIZE_MAX: all. */
static void collect(const struct kpi_campaign *campaigns, size_t count, size_t own, size_t kpi,
                    number_list *out)
{
    out->count = 0;
    for (size_t c = 0; c < count; c++)
        if (c != own)
            tac_vec_append(out, campaigns[c].of[kpi].at.at, campaigns[c].of[kpi].at.count);
}

static void rank(tac_kpi_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        tac_kpi_result *result = &report->results[i];
        const tac_kpi_result *next_better = NULL;
        if (isnan(result->overall.score))
            continue;
        result->rank = 1;
        for (size_t j = 0; j < report->count; j++) {
            const tac_kpi_result *other = &report->results[j];
            if (!(other->overall.score > result->overall.score))
                continue;
            result->rank++;
            if (!next_better || other->overall.score < next_better->overall.score)
                next_better = other;
        }
        result->told_apart = next_better && next_better->overall.low > result->overall.high;
    }
}

static void fill_report(const tac_kpi_options *options, const struct kpi_campaign *subjects,
                        const struct kpi_campaign *references, tac_kpi_report *report)
{
    const tac_kpi_catalogue *catalogue = options->catalogue;
    number_list others = {0};
    for (size_t s = 0; s < report->count; s++) {
        tac_kpi_result *result = &report->results[s];
        result->name = options->subjects[s].app->name;
        result->campaign = options->subjects[s].campaign;
        result->runs = subjects[s].runs;
        for (size_t k = 0; k < report->figure_count; k++) {
            fill_figure(&catalogue->kpis.at[k], &subjects[s].of[k], &result->figures[k]);
            if (report->against_each_other)
                collect(subjects, report->count, s, k, &others);
            else
                collect(references, options->reference_count, SIZE_MAX, k, &others);
            score_figure(&catalogue->kpis.at[k], &subjects[s].of[k], &others, &result->figures[k]);
        }
        fill_domains(result, report->figure_count);
    }
    tac_vec_free(&others);
    rank(report);
}

static tac_status measure_all(const tac_kpi_options *options, const tac_kpi_subject *subjects,
                              size_t count, struct kpi_campaign *out, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < count && status == TAC_OK; i++)
        status = kpi_measure(options->catalogue, &subjects[i], options->watch, &out[i], err);
    return status;
}

tac_status tac_kpi_score(const tac_kpi_options *options, tac_kpi_report **out, tac_error *err)
{
    struct kpi_campaign *subjects = tac_calloc(options->subject_count + 1, sizeof *subjects),
                        *references = tac_calloc(options->reference_count + 1, sizeof *references);
    tac_status status =
        measure_all(options, options->subjects, options->subject_count, subjects, err);
    if (status == TAC_OK)
        status =
            measure_all(options, options->references, options->reference_count, references, err);
    if (status == TAC_OK) {
        tac_kpi_report *report = tac_calloc(1, sizeof *report);
        report->count = options->subject_count;
        report->figure_count = options->catalogue->kpis.count;
        report->against_each_other = !options->reference_count;
        report->results = tac_calloc(report->count + 1, sizeof *report->results);
        for (size_t i = 0; i < report->count; i++)
            report->results[i].figures =
                tac_calloc(report->figure_count, sizeof *report->results[i].figures);
        fill_report(options, subjects, references, report);
        *out = report;
    }
    for (size_t i = 0; i < options->subject_count; i++)
        kpi_campaign_free(&subjects[i]);
    for (size_t i = 0; i < options->reference_count; i++)
        kpi_campaign_free(&references[i]);
    free(subjects);
    free(references);
    return status;
}

void tac_kpi_report_free(tac_kpi_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->count; i++) {
        for (size_t k = 0; k < report->figure_count; k++) {
            free(report->results[i].figures[k].reason);
            free(report->results[i].figures[k].unit);
        }
        free(report->results[i].figures);
    }
    free(report->results);
    free(report);
}

tac_answer tac_kpi_report_answer(const tac_kpi_report *report)
{
    tac_answer answer = TAC_HOLDS;
    for (size_t i = 0; i < report->count; i++)
        for (size_t k = 0; k < report->figure_count; k++)
            if (report->results[i].figures[k].state != TAC_KPI_SKIPPED)
                answer = tac_answer_both(answer, report->results[i].figures[k].answer);
    return answer;
}
