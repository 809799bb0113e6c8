/* See described.h. */
#include "base/check.h"
#include "kpi/catalogue.h"
#include "kpi/described.h"

static const struct field value_interval_fields[] = {FIELDS(tac_kpi_figure, low, high)};
static DESCRIBE(value_interval, tac_kpi_figure, .form = DESCRIBE_TUPLE);
static const struct field score_interval_fields[] = {FIELDS(tac_kpi_figure, score_low, score_high)};
static DESCRIBE(score_interval, tac_kpi_figure, .form = DESCRIBE_TUPLE);

static const char *const states[] = {[TAC_KPI_MEASURED] = "measured",
                                     [TAC_KPI_SKIPPED] = "skipped",
                                     [TAC_KPI_UNMEASURED] = "unmeasured"};
TABLE_COVERS(states, TAC_KPI_UNMEASURED);
static const char *const kinds[] = {[false] = "mean", [true] = "share of runs"};
static const char *const answers[] = {[TAC_HOLDS] = "met",
                                      [TAC_VIOLATED] = "missed",
                                      [TAC_INCONCLUSIVE] = "unclear",
                                      [TAC_PRESUMABLY_HOLDS] = "unclear",
                                      [TAC_PRESUMABLY_VIOLATED] = "unclear"};
TABLE_COVERS(answers, TAC_PRESUMABLY_VIOLATED);
static const struct field figure_fields[] = {
    FIELD(tac_kpi_figure, name),
    FIELD_ENUM(tac_kpi_figure, domain, kpi_domain_words),
    FIELD_ENUM(tac_kpi_figure, state, states),
    FIELD_TEXT(tac_kpi_figure, reason, .about = "of a state other than measured"),
    FIELD(tac_kpi_figure, runs, .about = "that gave a value"),
    FIELD(tac_kpi_figure, silent, .about = "that did not"),
    FIELD_ENUM(tac_kpi_figure, share, kinds, .key = "kind"),
    FIELD(tac_kpi_figure, value),
    FIELD_GROUP(tac_kpi_figure, "interval", value_interval_described),
    FIELD(tac_kpi_figure, unit),
    FIELD_TEXT(tac_kpi_figure, requirement, .about = "as written"),
    FIELD_ENUM(tac_kpi_figure, answer, answers,
               .known = IF_OTHER(tac_kpi_figure, state, TAC_KPI_SKIPPED)),
    FIELD(tac_kpi_figure, score, .about = "against the references, 0 to 100"),
    FIELD_GROUP(tac_kpi_figure, "score_interval", score_interval_described),
    FIELD(tac_kpi_figure, reference_runs)};
static DESCRIBE(figure, tac_kpi_figure);

static const struct field mean_interval_fields[] = {FIELDS(tac_kpi_score_of, low, high)};
static DESCRIBE(mean_interval, tac_kpi_score_of, .form = DESCRIBE_TUPLE);
static const struct field score_fields[] = {
    FIELD(tac_kpi_score_of, score),
    FIELD_GROUP(tac_kpi_score_of, "interval", mean_interval_described),
    FIELDS(tac_kpi_score_of, counted, left_out)};
static DESCRIBE(score, tac_kpi_score_of);

static const struct field domains_fields[] = {
    FIELD_STRUCT(tac_kpi_result, domains[TAC_KPI_ENERGY], score_described, .key = "energy"),
    FIELD_STRUCT(tac_kpi_result, domains[TAC_KPI_DATA], score_described, .key = "data"),
    FIELD_STRUCT(tac_kpi_result, domains[TAC_KPI_PERFORMANCE], score_described,
                 .key = "performance"),
    FIELD_STRUCT(tac_kpi_result, domains[TAC_KPI_RELIABILITY], score_described,
                 .key = "reliability")};
static_assert(sizeof domains_fields / sizeof *domains_fields == TAC_KPI_DOMAINS, "one each");
static DESCRIBE(domains, tac_kpi_result);

static void figures_of(const void *value, struct field_value *out)
{
    const struct kpi_scores *scores = out->context;
    out->at = ((const tac_kpi_result *)value)->figures;
    out->count = scores->report->figure_count;
}

static const struct field result_fields[] = {
    FIELD_TEXT(tac_kpi_result, name, .key = "app"),
    FIELDS(tac_kpi_result, campaign, runs),
    FIELD(tac_kpi_result, rank, .known = IF(tac_kpi_result, rank)),
    FIELD(tac_kpi_result, told_apart, .about = "from the next better"),
    FIELD_STRUCT(tac_kpi_result, overall, score_described),
    FIELD_GROUP(tac_kpi_result, "domains", domains_described),
    FIELD_GET_LIST("kpis", figures_of, figure_described)};
static DESCRIBE(result, tac_kpi_result);

static const char *const references[] = {[false] = "references", [true] = "each other"};
static const struct field report_fields[] = {
    FIELD_ENUM(tac_kpi_report, against_each_other, references, .key = "compared_with"),
    FIELD_LIST(tac_kpi_report, results, count, result_described, .key = "apps")};
static DESCRIBE(report, tac_kpi_report);
static const struct field kpi_scores_fields[] = {
    FIELD(struct kpi_scores, catalogue),
    FIELD_POINTER(struct kpi_scores, report, report_described, .splice = true),
    FIELD_WORD("statistic", "score: 100 times the chance that a run is better than one of the "
                            "references, ties half (Mann-Whitney), interval of Newcombe's method "
                            "5; shares: Wilson; means: Student; all 95 %")};
DESCRIBE(kpi_scores, struct kpi_scores);

static const struct field choice_fields[] = {
    FIELD(tac_kpi_choice, name), FIELD_TEXT(tac_kpi_choice, domain, .omit = true),
    FIELD(tac_kpi_choice, chosen), FIELD_TEXT(tac_kpi_choice, reason, .about = "why not")};
static DESCRIBE(choice, tac_kpi_choice);
static const struct field choices_fields[] = {
    FIELD_LIST(tac_kpi_choices, kpis, kpi_count, choice_described),
    FIELD_LIST(tac_kpi_choices, cases, case_count, choice_described)};
static DESCRIBE(choices, tac_kpi_choices);
static const struct field kpi_chosen_fields[] = {
    FIELDS(struct kpi_chosen, catalogue, app),
    FIELD_POINTER(struct kpi_chosen, choices, choices_described, .splice = true)};
DESCRIBE(kpi_chosen, struct kpi_chosen);

json_t *tac_kpi_report_json(const tac_kpi_catalogue *catalogue, const tac_kpi_report *report)
{
    struct kpi_scores scores = {catalogue->name, report};
    return describe_json_with(&kpi_scores_described, &scores, &scores);
}

json_t *tac_kpi_choices_json(const tac_kpi_catalogue *catalogue, const tac_kpi_app *app,
                             const tac_kpi_choices *choices)
{
    struct kpi_chosen chosen = {catalogue->name, app->name, choices};
    return describe_json(&kpi_chosen_described, &chosen);
}
