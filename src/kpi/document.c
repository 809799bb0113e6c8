/* The document of `tactus kpi score --json`, which the report shows too. */
#include "base/check.h"
#include "base/io/json.h"
#include "kpi/catalogue.h"

static const char *const states[] = {[TAC_KPI_MEASURED] = "measured",
                                     [TAC_KPI_SKIPPED] = "skipped",
                                     [TAC_KPI_UNMEASURED] = "unmeasured"};
TABLE_COVERS(states, TAC_KPI_UNMEASURED);

static json_t *interval_json(double low, double high)
{
    return json_pack("[o,o]", tac_json_number(low), tac_json_number(high));
}

static const char *word_of(tac_answer answer)
{
    return answer == TAC_HOLDS ? "met" : answer == TAC_VIOLATED ? "missed" : "unclear";
}

static json_t *figure_json(const tac_kpi_figure *figure)
{
    json_t *one = json_object();
    json_object_set_new(one, "name", tac_json_string(figure->name));
    json_object_set_new(one, "domain", json_string(tac_kpi_domain_name(figure->domain)));
    json_object_set_new(one, "state", json_string(states[figure->state]));
    json_object_set_new(one, "reason", tac_json_string(figure->reason));
    json_object_set_new(one, "runs", json_integer((json_int_t)figure->runs));
    json_object_set_new(one, "silent", json_integer((json_int_t)figure->silent));
    json_object_set_new(one, "kind", json_string(figure->share ? "share of runs" : "mean"));
    json_object_set_new(one, "value", tac_json_number(figure->value));
    json_object_set_new(one, "interval", interval_json(figure->low, figure->high));
    json_object_set_new(one, "unit", tac_json_string(figure->unit));
    json_object_set_new(one, "requirement", tac_json_string(figure->requirement));
    json_object_set_new(one, "answer",
                        figure->state == TAC_KPI_SKIPPED ? json_null()
                                                         : json_string(word_of(figure->answer)));
    json_object_set_new(one, "score", tac_json_number(figure->score));
    json_object_set_new(one, "score_interval",
                        interval_json(figure->score_low, figure->score_high));
    json_object_set_new(one, "reference_runs", json_integer((json_int_t)figure->reference_runs));
    return one;
}

static json_t *score_json(const tac_kpi_score_of *score)
{
    return json_pack("{s:o,s:o,s:I,s:I}", "score", tac_json_number(score->score), "interval",
                     interval_json(score->low, score->high), "counted", (json_int_t)score->counted,
                     "left_out", (json_int_t)score->left_out);
}

static json_t *result_json(const tac_kpi_result *result, size_t figure_count)
{
    json_t *kpis = json_array(), *domains = json_object(), *one = json_object();
    for (size_t k = 0; k < figure_count; k++)
        json_array_append_new(kpis, figure_json(&result->figures[k]));
    for (size_t d = 0; d < TAC_KPI_DOMAINS; d++)
        json_object_set_new(domains, tac_kpi_domain_name((tac_kpi_domain)d),
                            score_json(&result->domains[d]));
    json_object_set_new(one, "app", tac_json_string(result->name));
    json_object_set_new(one, "campaign", tac_json_string(result->campaign));
    json_object_set_new(one, "runs", json_integer((json_int_t)result->runs));
    json_object_set_new(one, "rank",
                        result->rank ? json_integer((json_int_t)result->rank) : json_null());
    json_object_set_new(one, "told_apart", json_boolean(result->told_apart));
    json_object_set_new(one, "overall", score_json(&result->overall));
    json_object_set_new(one, "domains", domains);
    json_object_set_new(one, "kpis", kpis);
    return one;
}

json_t *tac_kpi_report_json(const tac_kpi_catalogue *catalogue, const tac_kpi_report *report)
{
    json_t *apps = json_array();
    for (size_t i = 0; i < report->count; i++)
        json_array_append_new(apps, result_json(&report->results[i], report->figure_count));
    return json_pack(
        "{s:o,s:s,s:o,s:s}", "catalogue", tac_json_string(catalogue->name), "compared_with",
        report->against_each_other ? "each other" : "references", "apps", apps, "statistic",
        "score: 100 times the chance that a run is better than one of the references, ties half "
        "(Mann-Whitney), interval of Newcombe's method 5; shares: Wilson; means: Student; all 95 "
        "%");
}
