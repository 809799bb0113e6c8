/* See described.h. Every member of what is sent between processes stands here; tests compare. */
#include "property/check/described.h"
#include "base/check.h"

#include "base/data/alloc.h"
#include "property/check/reading.h"

static const struct field comparison_fields[] = {
    FIELD_TEXT(tac_comparison_value, text, .key = "expression"),
    FIELDS(tac_comparison_value, value, bound),
    FIELD(tac_comparison_value, margin, .about = "distance to the bound"),
    FIELD_TEXT(tac_comparison_value, unit, .about = "of the three figures"),
    FIELD(tac_comparison_value, on_bound, .about = "equal up to rounding"),
    HIDDEN(tac_comparison_value, holds)};
static DESCRIBE(comparison, tac_comparison_value);

/* NAME: [at the interval's start, at its end] */
static const struct field value_fields[] = {
    FIELD(tac_witness_value, name),
    FIELD(tac_witness_value, number[0], .only = IF_NOT(tac_witness_value, discrete)),
    FIELD(tac_witness_value, number[1], .only = IF_NOT(tac_witness_value, discrete)),
    FIELD_TEXT(tac_witness_value, text[0], .maybe = true, .only = IF(tac_witness_value, discrete)),
    FIELD_TEXT(tac_witness_value, text[1], .maybe = true, .only = IF(tac_witness_value, discrete)),
    HIDDEN(tac_witness_value, unit, discrete)};
static DESCRIBE(value, tac_witness_value, .keyed = true, .form = DESCRIBE_TUPLE);

static const struct field property_witness_fields[] = {
    FIELDS(tac_witness, interval.from, interval.to),
    FIELD_SECONDS(tac_witness, interval.t_from),
    FIELD_SECONDS(tac_witness, interval.t_to),
    FIELD_LIST(tac_witness, values, value_count, value_described),
    FIELD_TEXT(tac_witness, value, .omit = true),
    FIELD_LIST(tac_witness, comparisons, comparison_count, comparison_described, .hidden = true),
    HIDDEN(tac_witness, holds, untested, has_margin, margin)};
DESCRIBE(property_witness, tac_witness);

static const struct field alarm_fields[] = {
    FIELD(tac_early_alarm, state), FIELD_SECONDS(tac_early_alarm, t), FIELD(tac_early_alarm, from),
    FIELD_SECONDS(tac_early_alarm, t_from),
    FIELD_POINTER(tac_early_alarm, comparison, comparison_described, .splice = true)};
static DESCRIBE(alarm, tac_early_alarm,
                .about = "a bound passed inside an interval that is still open");

static const struct field judged_fields[] = {
    FIELD(tac_property_result, values, .key = "judged"),
    FIELD(tac_property_result, values_violated, .key = "violated"),
    FIELD(tac_property_result, values_open, .key = "open")};
static DESCRIBE(judged, tac_property_result);

static const struct field unknown_fields[] = {
    FIELD_TEXT(tac_unknown, variable, .maybe = true,
               .about = "null: the end of what begins in that state"),
    FIELDS(tac_unknown, reason, state), FIELD_SECONDS(tac_unknown, time, .key = "t")};
static DESCRIBE(unknown, tac_unknown,
                .about = "the first thing that was not known and would have decided");

static void margins_of(const void *value, struct field_value *out)
{
    const tac_witness *witness = ((const tac_property_result *)value)->witness;
    out->absent = !witness || !witness->comparison_count;
    if (out->absent)
        return;
    out->at = witness->comparisons;
    out->count = witness->comparison_count;
}

static const char *const kinds[] = {[TAC_PROPERTY_INTERVAL] = "interval",
                                    [TAC_PROPERTY_TEMPORAL] = "temporal",
                                    [TAC_PROPERTY_COMBINED] = "combined"};
TABLE_COVERS(kinds, TAC_PROPERTY_COMBINED);
static const struct field property_result_fields[] = {
    FIELD(tac_property_result, name),
    FIELD_ENUM(tac_property_result, answer, tac_answer_words, .key = "verdict"),
    FIELD_ENUM(tac_property_result, kind, kinds),
    FIELD(tac_property_result, intervals, .about = "closed ones"),
    FIELDS(tac_property_result, violated, open),
    FIELD(tac_property_result, margin, .known = IF(tac_property_result, has_margin)),
    FIELD_TEXT(tac_property_result, margin_unit, .known = IF(tac_property_result, has_margin)),
    FIELD_POINTER(tac_property_result, witness, property_witness_described),
    FIELD_GET_LIST("margins", margins_of, comparison_described, .omit = true),
    FIELD_POINTER(tac_property_result, early_alarm, alarm_described),
    FIELD_NOT(tac_property_result, vacuous, .key = "exercised"),
    FIELD_POINTER(tac_property_result, unknown, unknown_described, .omit = true),
    FIELD(tac_property_result, untested, .only = IF(tac_property_result, observed)),
    FIELD_POINTER(tac_property_result, figure, comparison_described, .omit = true),
    FIELD_GROUP(tac_property_result, "values", judged_described,
                .only = IF(tac_property_result, for_each)),
    FIELD_POINTER(tac_property_result, worst, property_witness_described,
                  .only = IF(tac_property_result, for_each)),
    FIELD(tac_property_result, decided_state, .key = "decided_at",
          .only = IF(tac_property_result, decided)),
    FIELD_SECONDS(tac_property_result, decided_time, .key = "t_decided",
                  .only = IF(tac_property_result, decided)),
    HIDDEN(tac_property_result, decided, has_margin, observed, for_each),
    FIELD_SECONDS(tac_property_result, start, .hidden = true)};
DESCRIBE(property_result, tac_property_result);

static const struct field statistics_fields[] = {
    FIELDS(tac_property_result, intervals, violated, open),
    FIELD(tac_property_result, margin, .known = IF(tac_property_result, has_margin))};
static DESCRIBE(statistics, tac_property_result);

static const struct field finding_fields[] = {
    FIELD_STRUCT(tac_check_finding, result, property_result_described, .splice = true),
    FIELDS(tac_check_finding, explanation, advice),
    HIDDEN(tac_check_finding, has_place, from, to, variable)};
static DESCRIBE(finding, tac_check_finding);

static const char *const severities[] = {[TAC_WARNING] = "warning", [TAC_ERROR] = "error"};
TABLE_COVERS(severities, TAC_ERROR);
static const struct field warning_fields[] = {
    FIELDS(tac_diagnostic, file, line, column, message),
    FIELD_ENUM(tac_diagnostic, severity, severities, .hidden = true)};
static DESCRIBE(warning, tac_diagnostic);

static const struct field trace_fields[] = {
    /* stays: kept */
    FIELD_TEXT(tac_checked_trace, trace),
    FIELD_LIST(tac_checked_trace, findings, count, finding_described, .key = "properties"),
    FIELDS(tac_checked_trace, states, skipped),
    FIELD_LIST(tac_checked_trace, warnings.at, warnings.count, warning_described,
               .key = "warnings")};
static DESCRIBE(trace, tac_checked_trace);

static const struct field check_report_fields[] = {
    FIELD_LIST(tac_check_report, traces, count, trace_described)};
DESCRIBE(check_report, tac_check_report);

static const struct field error_fields[] = {FIELDS(tac_error, status, file, line, column, message)};
static DESCRIBE(error, tac_error);
struct checked {
    tac_error error;
    const tac_checked_trace *trace;
};
static const struct field checked_fields[] = {
    FIELD_STRUCT(struct checked, error, error_described),
    FIELD_POINTER(struct checked, trace, trace_described)};
static DESCRIBE(checked, struct checked);

/* A verdict is not due yet: the interval is still open. */
static const struct field alarm_news_fields[] = {
    FIELD(tac_property_result, name), FIELD_WORD("verdict", "inconclusive"),
    FIELD_POINTER(tac_property_result, early_alarm, alarm_described)};
static DESCRIBE(alarm_news, tac_property_result);
static const char *const events[] = {
    [TAC_NEWS_VERDICT] = "verdict", [TAC_NEWS_ALARM] = "early_alarm", [TAC_NEWS_NOTE] = "note"};
TABLE_COVERS(events, TAC_NEWS_NOTE);
static const struct field check_news_fields[] = {
    FIELD(tac_check_news, trace), FIELD_ENUM(tac_check_news, kind, events, .key = "event"),
    FIELD_TEXT(tac_check_news, note, .only = IF_IS(tac_check_news, kind, TAC_NEWS_NOTE)),
    FIELD_POINTER(tac_check_news, result, alarm_news_described, .splice = true,
                  .only = IF_IS(tac_check_news, kind, TAC_NEWS_ALARM)),
    FIELD_POINTER(tac_check_news, result, property_result_described, .splice = true,
                  .only = IF_IS(tac_check_news, kind, TAC_NEWS_VERDICT))};
DESCRIBE(check_news, tac_check_news);

static const struct field proposal_fields[] = {
    FIELDS(tac_bound_proposal, name, expression, unit, intervals),
    FIELD(tac_bound_proposal, bound, .about = "as written"),
    FIELD(tac_bound_proposal, least, .key = "min", .only = IF(tac_bound_proposal, intervals)),
    FIELD(tac_bound_proposal, mean, .only = IF(tac_bound_proposal, intervals)),
    FIELD(tac_bound_proposal, most, .key = "max", .only = IF(tac_bound_proposal, intervals)),
    FIELD(tac_bound_proposal, deviation, .only = IF(tac_bound_proposal, intervals)),
    FIELD(tac_bound_proposal, proposed, .known = IF(tac_bound_proposal, suggestion)),
    FIELD_TEXT(tac_bound_proposal, suggestion, .maybe = true,
               .only = IF(tac_bound_proposal, intervals))};
static DESCRIBE(proposal, tac_bound_proposal);
static const struct field calibration_fields[] = {
    FIELD(tac_calibration, traces),
    FIELD_LIST(tac_calibration, proposals, count, proposal_described, .key = "properties")};
DESCRIBE(calibration, tac_calibration);

json_t *tac_property_witness_json(const tac_witness *witness)
{
    return describe_json(&property_witness_described, witness);
}

json_t *tac_property_result_json(const tac_property_result *result)
{
    return describe_json(&property_result_described, result);
}

json_t *property_statistics_json(const tac_property_result *result)
{
    return describe_json(&statistics_described, result);
}

json_t *tac_check_report_json(const tac_check_report *report)
{
    return describe_json(&check_report_described, report);
}

json_t *tac_check_news_json(const tac_check_news *news)
{
    return describe_json(&check_news_described, news);
}

json_t *tac_calibration_json(const tac_calibration *calibration)
{
    return describe_json(&calibration_described, calibration);
}

void checked_pack(tac_str *out, const tac_checked_trace *trace, const tac_error *error)
{
    struct checked sent = {.trace = trace};
    if (!trace)
        sent.error = *error;
    describe_pack(&checked_described, &sent, out);
}

tac_status checked_unpack(const char *data, size_t size, tac_checked_trace *out, tac_error *err)
{
    struct checked came;
    tac_arena *kept = tac_calloc(1, sizeof *kept);
    tac_status status = describe_unpack(&checked_described, data, size, kept, &came, err);
    if (status == TAC_OK && came.trace) {
        *out = *came.trace;
        out->kept = kept; /* the warnings have memory of their own */
        out->warnings = (tac_diagnostics){0};
        check_copy_warnings(&came.trace->warnings, &out->warnings);
        return TAC_OK;
    }
    tac_arena_free(kept);
    free(kept);
    if (status != TAC_OK || came.error.status == TAC_OK)
        return tac_fail(err, TAC_E_INTERNAL, "no result came back");
    return tac_fail_at(err, came.error.status, came.error.file, came.error.line, came.error.column,
                       "%s", came.error.message);
}
