/* KPIs in the report: every campaign measured by the catalogue, scored against the last baseline,
 * or against the other campaigns where there is none. */
#include "base/data/text.h"
#include "base/io/json.h"
#include "report/sections.h"
#include "tactus/kpi.h"
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

static void add_score(json_t *list, const char *app, const char *domain,
                      const tac_kpi_score_of *score)
{
    if (isnan(score->score))
        return;
    json_t *one = json_object();
    json_object_set_new(one, "app", tac_json_string(app));
    json_object_set_new(one, "domain", json_string(domain));
    json_object_set_new(one, "score", json_real(score->score));
    json_object_set_new(one, "low", json_real(score->low));
    json_object_set_new(one, "high", json_real(score->high));
    json_object_set_new(one, "counted", json_integer((json_int_t)score->counted));
    json_object_set_new(one, "left_out", json_integer((json_int_t)score->left_out));
    json_array_append_new(list, one);
}

static const char *answer_of(const tac_kpi_figure *figure)
{
    return figure->state == TAC_KPI_SKIPPED ? "skipped"
           : figure->answer == TAC_HOLDS    ? "met"
           : figure->answer == TAC_VIOLATED ? "missed"
                                            : "unclear";
}

static void add_figure(json_t *list, const char *app, const tac_kpi_figure *figure)
{
    char *text = tac_kpi_figure_text(figure);
    json_t *one = json_object();
    json_object_set_new(one, "app", tac_json_string(app));
    json_object_set_new(one, "domain", json_string(tac_kpi_domain_name(figure->domain)));
    json_object_set_new(one, "name", tac_json_string(figure->name));
    json_object_set_new(one, "text", tac_json_string(text));
    json_object_set_new(one, "answer", json_string(answer_of(figure)));
    if (!isnan(figure->score)) {
        json_object_set_new(one, "score", json_real(figure->score));
        json_object_set_new(one, "low", json_real(figure->score_low));
        json_object_set_new(one, "high", json_real(figure->score_high));
    }
    json_array_append_new(list, one);
    free(text);
}

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
            add_figure(figures, app, &result->figures[k]);
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
