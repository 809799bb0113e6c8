/* KPIs in the report: every campaign measured by the catalogue, scored against the last baseline,
 * or against the other campaigns where there is none. */
#include "base/data/text.h"
#include "base/describe/describe.h"
#include "kpi/kpi.h"
#include "report/sections.h"
#include <math.h>

typedef TAC_VEC(tac_kpi_subject) subject_list;

static void add_subjects(const struct report_project *project, const tac_kpi_app *app,
                         subject_list *out)
{
    for (size_t i = 0; i < project->campaigns.count; i++) {
        tac_kpi_subject subject = {.campaign = project->campaigns.at[i].folder, .app = app};
        tac_vec_push(out, subject);
    }
}

static const char *label_of(const struct report_project *project, size_t index)
{
    const struct report_campaign *campaign = &project->campaigns.at[index];
    return *campaign->label ? campaign->label : tac_base_name(project->options->folder);
}

struct shown_score {
    const char *app, *domain;
    const tac_kpi_score_of *score;
};
static const struct field score_fields[] = {
    FIELDS(tac_kpi_score_of, score, low, high, counted, left_out)};
static DESCRIBE(score, tac_kpi_score_of);
static const struct field shown_score_fields[] = {
    FIELDS(struct shown_score, app, domain),
    FIELD_POINTER(struct shown_score, score, score_described, .splice = true)};
static DESCRIBE(shown_score, struct shown_score);

static void add_score(json_t *list, const char *app, const char *domain,
                      const tac_kpi_score_of *score)
{
    if (!isnan(score->score))
        json_array_append_new(
            list, describe_json(&shown_score_described, &(struct shown_score){app, domain, score}));
}

static const char *answer_of(const tac_kpi_figure *figure)
{
    return figure->state == TAC_KPI_SKIPPED ? "skipped"
           : figure->answer == TAC_HOLDS    ? "met"
           : figure->answer == TAC_VIOLATED ? "missed"
                                            : "unclear";
}

FIELD_GETTER(app_of, tac_kpi_figure, out->text = out->context)
FIELD_GETTER(domain_of, tac_kpi_figure, out->text = tac_kpi_domain_name(it->domain))
FIELD_GETTER(answer_is, tac_kpi_figure, out->text = answer_of(it))
FIELD_GETTER(text_of, tac_kpi_figure, char *text = tac_kpi_figure_text(it);
             out->text = tac_arena_strdup(out->arena, text); free(text))
static const struct field figure_fields[] = {
    FIELD_GET_TEXT("app", app_of),
    FIELD_GET_TEXT("domain", domain_of),
    FIELD(tac_kpi_figure, name),
    FIELD_GET_TEXT("text", text_of),
    FIELD_GET_TEXT("answer", answer_is),
    FIELD(tac_kpi_figure, score, .omit = true),
    FIELD(tac_kpi_figure, score_low, .key = "low", .omit = true),
    FIELD(tac_kpi_figure, score_high, .key = "high", .omit = true)};
static DESCRIBE(figure, tac_kpi_figure);

/* A missed requirement, and a domain that is surely better or worse than what it is compared with.
 */
static void add_findings(struct finding_set *found, const char *app, const tac_kpi_result *result,
                         size_t figure_count)
{
    for (size_t k = 0; k < figure_count; k++) {
        const tac_kpi_figure *figure = &result->figures[k];
        if (figure->state == TAC_KPI_SKIPPED || figure->answer != TAC_VIOLATED)
            continue;
        char *text = tac_kpi_figure_text(figure);
        struct finding_parts parts = {
            .rank = RANK_VIOLATION, .link = "#kpis", .subject = figure->name};
        finding_add(found, &parts, "KPI %s of %s: %s", figure->name, app, text);
        free(text);
    }
    for (size_t d = 0; d < TAC_KPI_DOMAINS; d++) {
        const tac_kpi_score_of *score = &result->domains[d];
        const char *domain = tac_kpi_domain_name((tac_kpi_domain)d);
        bool worse = score->high<50, better = score->low> 50;
        struct finding_parts parts = {
            .rank = worse ? RANK_WORSE : RANK_BETTER, .link = "#kpis", .subject = domain};
        if (worse || better)
            finding_add(found, &parts, "%s scores %.0f [%.0f, %.0f] in %s; 50 is alike.", app,
                        score->score, score->low, score->high, domain);
    }
}

static void add_results(struct tac_report *report, const tac_kpi_report *kpis)
{
    json_t *scores = json_array(), *figures = json_array();
    for (size_t i = 0; i < kpis->count; i++) {
        const tac_kpi_result *result = &kpis->results[i];
        const char *app = label_of(&report->project, i);
        add_score(scores, app, "overall", &result->overall);
        for (size_t d = 0; d < TAC_KPI_DOMAINS; d++)
            add_score(scores, app, tac_kpi_domain_name((tac_kpi_domain)d), &result->domains[d]);
        for (size_t k = 0; k < kpis->figure_count; k++)
            json_array_append_new(figures,
                                  describe_json_with(&figure_described, &result->figures[k], app));
        add_findings(&report->project.findings, app, result, kpis->figure_count);
    }
    json_object_set_new(report->document, "kpi_scores", scores);
    json_object_set_new(report->document, "kpis", figures);
}

tac_status report_add_kpis(struct tac_report *report, tac_error *err)
{
    const tac_report_options *given = report->project.options;
    tac_kpi_catalogue *catalogue = NULL;
    tac_kpi_app *app = NULL;
    tac_kpi_report *kpis = NULL;
    subject_list subjects = {0}, references = {0};
    if (!given->kpi_catalogue)
        return TAC_OK;
    tac_status status = tac_kpi_catalogue_load(given->kpi_catalogue, &catalogue, err);
    if (status == TAC_OK && given->kpi_app)
        status = tac_kpi_app_load(given->kpi_app, catalogue, &app, err);
    else if (status == TAC_OK)
        app = tac_kpi_app_with_all("the app", catalogue);
    if (status == TAC_OK) {
        add_subjects(&report->project, app, &subjects);
        if (report->baselines.count)
            add_subjects(&report->baselines.at[report->baselines.count - 1], app, &references);
        tac_kpi_options options = {.catalogue = catalogue,
                                   .subjects = subjects.at,
                                   .subject_count = subjects.count,
                                   .references = references.at,
                                   .reference_count = references.count,
                                   .watch = given->watch};
        status = tac_kpi_score(&options, &kpis, err);
    }
    if (status == TAC_OK)
        add_results(report, kpis);
    tac_kpi_report_free(kpis);
    tac_vec_free(&subjects);
    tac_vec_free(&references);
    tac_kpi_app_free(app);
    tac_kpi_catalogue_free(catalogue);
    return status;
}
