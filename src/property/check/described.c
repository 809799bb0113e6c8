/* See described.h. Every member of what is sent between processes stands here; tests compare. */
#include "property/check/described.h"

#include "base/data/alloc.h"
#include "property/check/reading.h"

static const struct field comparison_fields[] = {
    FIELD_TEXT(tac_comparison_value, text, .key = "expression"),
    FIELD_NUMBER(tac_comparison_value, value),
    FIELD_NUMBER(tac_comparison_value, bound),
    FIELD_NUMBER(tac_comparison_value, margin, .about = "distance to the bound"),
    FIELD_TEXT(tac_comparison_value, unit, .about = "of the three figures"),
    FIELD_BOOL(tac_comparison_value, on_bound, .about = "equal up to rounding"),
    FIELD_BOOL(tac_comparison_value, holds, .hidden = true),
};
static DESCRIBE(comparison_described, tac_comparison_value, comparison_fields, "Comparison");

/* NAME: [at the interval's start, at its end] */
static const struct field value_fields[] = {
    FIELD_TEXT(tac_witness_value, name),
    FIELD_NUMBER(tac_witness_value, number[0], .only = IF_NOT(tac_witness_value, discrete)),
    FIELD_NUMBER(tac_witness_value, number[1], .only = IF_NOT(tac_witness_value, discrete)),
    FIELD_TEXT(tac_witness_value, text[0], .maybe = true, .only = IF(tac_witness_value, discrete)),
    FIELD_TEXT(tac_witness_value, text[1], .maybe = true, .only = IF(tac_witness_value, discrete)),
    FIELD_TEXT(tac_witness_value, unit, .hidden = true),
    FIELD_BOOL(tac_witness_value, discrete, .hidden = true),
};
static DESCRIBE(value_described, tac_witness_value, value_fields, "ValuesAtEnds", .keyed = true,
                .form = DESCRIBE_TUPLE);

static const struct field witness_fields[] = {
    FIELD_INTEGER(tac_witness, interval.from),
    FIELD_INTEGER(tac_witness, interval.to),
    FIELD_SECONDS(tac_witness, interval.t_from),
    FIELD_SECONDS(tac_witness, interval.t_to),
    FIELD_LIST(tac_witness, values, value_count, value_described),
    FIELD_TEXT(tac_witness, value, .omit = true),
    FIELD_LIST(tac_witness, comparisons, comparison_count, comparison_described, .hidden = true),
    FIELD_BOOL(tac_witness, holds, .hidden = true),
    FIELD_BOOL(tac_witness, untested, .hidden = true),
    FIELD_BOOL(tac_witness, has_margin, .hidden = true),
    FIELD_NUMBER(tac_witness, margin, .hidden = true),
};
DESCRIBE(witness_described, tac_witness, witness_fields, "Witness");

static const struct field alarm_fields[] = {
    FIELD_INTEGER(tac_early_alarm, state),
    FIELD_SECONDS(tac_early_alarm, t),
    FIELD_INTEGER(tac_early_alarm, from),
    FIELD_SECONDS(tac_early_alarm, t_from),
    FIELD_POINTER(tac_early_alarm, comparison, comparison_described, .splice = true),
};
static DESCRIBE(alarm_described, tac_early_alarm, alarm_fields, "EarlyAlarm",
                .about = "a bound passed inside an interval that is still open");

static const struct field judged_fields[] = {
    FIELD_INTEGER(tac_property_result, values, .key = "judged"),
    FIELD_INTEGER(tac_property_result, values_violated, .key = "violated"),
    FIELD_INTEGER(tac_property_result, values_open, .key = "open"),
};
static DESCRIBE(judged_described, tac_property_result, judged_fields, "JudgedValues");

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
static const struct field result_fields[] = {
    FIELD_TEXT(tac_property_result, name),
    FIELD_ENUM(tac_property_result, answer, tac_answer_words, .key = "verdict"),
    FIELD_ENUM(tac_property_result, kind, kinds),
    FIELD_INTEGER(tac_property_result, intervals, .about = "closed ones"),
    FIELD_INTEGER(tac_property_result, violated),
    FIELD_INTEGER(tac_property_result, open),
    FIELD_NUMBER(tac_property_result, margin, .known = IF(tac_property_result, has_margin)),
    FIELD_TEXT(tac_property_result, margin_unit, .known = IF(tac_property_result, has_margin)),
    FIELD_POINTER(tac_property_result, witness, witness_described),
    FIELD_GET_LIST("margins", margins_of, comparison_described, .omit = true),
    FIELD_POINTER(tac_property_result, early_alarm, alarm_described),
    FIELD_NOT(tac_property_result, vacuous, .key = "exercised"),
    FIELD_INTEGER(tac_property_result, untested, .only = IF(tac_property_result, observed)),
    FIELD_POINTER(tac_property_result, figure, comparison_described, .omit = true),
    FIELD_GROUP(tac_property_result, "values", judged_described,
                .only = IF(tac_property_result, for_each)),
    FIELD_POINTER(tac_property_result, worst, witness_described,
                  .only = IF(tac_property_result, for_each)),
    FIELD_INTEGER(tac_property_result, decided_state, .key = "decided_at",
                  .only = IF(tac_property_result, decided)),
    FIELD_SECONDS(tac_property_result, decided_time, .key = "t_decided",
                  .only = IF(tac_property_result, decided)),
    FIELD_BOOL(tac_property_result, decided, .hidden = true),
    FIELD_BOOL(tac_property_result, has_margin, .hidden = true),
    FIELD_BOOL(tac_property_result, observed, .hidden = true),
    FIELD_BOOL(tac_property_result, for_each, .hidden = true),
    FIELD_SECONDS(tac_property_result, start, .hidden = true),
};
DESCRIBE(result_described, tac_property_result, result_fields, "PropertyResult");

static const struct field statistics_fields[] = {
    FIELD_INTEGER(tac_property_result, intervals),
    FIELD_INTEGER(tac_property_result, violated),
    FIELD_INTEGER(tac_property_result, open),
    FIELD_NUMBER(tac_property_result, margin, .known = IF(tac_property_result, has_margin)),
};
static DESCRIBE(statistics_described, tac_property_result, statistics_fields, "Statistics");

static const struct field finding_fields[] = {
    FIELD_STRUCT(tac_check_finding, result, result_described, .splice = true),
    FIELD_TEXT(tac_check_finding, explanation),
    FIELD_TEXT(tac_check_finding, advice),
    FIELD_BOOL(tac_check_finding, has_place, .hidden = true),
    FIELD_INTEGER(tac_check_finding, from, .hidden = true),
    FIELD_INTEGER(tac_check_finding, to, .hidden = true),
    FIELD_TEXT(tac_check_finding, variable, .hidden = true),
};
static DESCRIBE(finding_described, tac_check_finding, finding_fields, "Finding");

static const char *const severities[] = {[TAC_WARNING] = "warning", [TAC_ERROR] = "error"};
static const struct field warning_fields[] = {
    FIELD_TEXT(tac_diagnostic, file),
    FIELD_INTEGER(tac_diagnostic, line),
    FIELD_INTEGER(tac_diagnostic, column),
    FIELD_TEXT(tac_diagnostic, message),
    FIELD_ENUM(tac_diagnostic, severity, severities, .hidden = true),
};
static DESCRIBE(warning_described, tac_diagnostic, warning_fields, "Warning");

static const struct field trace_fields[] = {
    /* stays: kept */
    FIELD_TEXT(tac_checked_trace, trace),
    FIELD_LIST(tac_checked_trace, findings, count, finding_described, .key = "properties"),
    FIELD_INTEGER(tac_checked_trace, states),
    FIELD_INTEGER(tac_checked_trace, skipped),
    FIELD_LIST(tac_checked_trace, warnings.at, warnings.count, warning_described,
               .key = "warnings"),
};
static DESCRIBE(trace_described, tac_checked_trace, trace_fields, "CheckedTrace");

static const struct field report_fields[] = {
    FIELD_LIST(tac_check_report, traces, count, trace_described)};
DESCRIBE(report_described, tac_check_report, report_fields, "CheckReport");

static const struct field error_fields[] = {
    FIELD_INTEGER(tac_error, status), FIELD_TEXT(tac_error, file),
    FIELD_INTEGER(tac_error, line),   FIELD_INTEGER(tac_error, column),
    FIELD_TEXT(tac_error, message),
};
static DESCRIBE(error_described, tac_error, error_fields, "Error");
struct checked {
    tac_error error;
    const tac_checked_trace *trace;
};
static const struct field checked_fields[] = {
    FIELD_STRUCT(struct checked, error, error_described),
    FIELD_POINTER(struct checked, trace, trace_described),
};
static DESCRIBE(checked_described, struct checked, checked_fields, "Checked");

/* A verdict is not due yet: the interval is still open. */
static const struct field alarm_news_fields[] = {
    FIELD_TEXT(tac_property_result, name),
    FIELD_WORD("verdict", "inconclusive"),
    FIELD_POINTER(tac_property_result, early_alarm, alarm_described),
};
static DESCRIBE(alarm_news_described, tac_property_result, alarm_news_fields, "AlarmNews");
static const char *const events[] = {
    [TAC_NEWS_VERDICT] = "verdict", [TAC_NEWS_ALARM] = "early_alarm", [TAC_NEWS_NOTE] = "note"};
static const struct field news_fields[] = {
    FIELD_TEXT(tac_check_news, trace),
    FIELD_ENUM(tac_check_news, kind, events, .key = "event"),
    FIELD_TEXT(tac_check_news, note, .only = IF_IS(tac_check_news, kind, TAC_NEWS_NOTE)),
    FIELD_POINTER(tac_check_news, result, alarm_news_described, .splice = true,
                  .only = IF_IS(tac_check_news, kind, TAC_NEWS_ALARM)),
    FIELD_POINTER(tac_check_news, result, result_described, .splice = true,
                  .only = IF_IS(tac_check_news, kind, TAC_NEWS_VERDICT)),
};
DESCRIBE(news_described, tac_check_news, news_fields, "CheckNews");

static const struct field proposal_fields[] = {
    FIELD_TEXT(tac_bound_proposal, name),
    FIELD_TEXT(tac_bound_proposal, expression),
    FIELD_TEXT(tac_bound_proposal, unit),
    FIELD_INTEGER(tac_bound_proposal, intervals),
    FIELD_NUMBER(tac_bound_proposal, bound, .about = "as written"),
    FIELD_NUMBER(tac_bound_proposal, least, .key = "min",
                 .only = IF(tac_bound_proposal, intervals)),
    FIELD_NUMBER(tac_bound_proposal, mean, .only = IF(tac_bound_proposal, intervals)),
    FIELD_NUMBER(tac_bound_proposal, most, .key = "max", .only = IF(tac_bound_proposal, intervals)),
    FIELD_NUMBER(tac_bound_proposal, deviation, .only = IF(tac_bound_proposal, intervals)),
    FIELD_NUMBER(tac_bound_proposal, proposed, .known = IF(tac_bound_proposal, suggestion)),
    FIELD_TEXT(tac_bound_proposal, suggestion, .maybe = true,
               .only = IF(tac_bound_proposal, intervals)),
};
static DESCRIBE(proposal_described, tac_bound_proposal, proposal_fields, "BoundProposal");
static const struct field calibration_fields[] = {
    FIELD_INTEGER(tac_calibration, traces),
    FIELD_LIST(tac_calibration, proposals, count, proposal_described, .key = "properties"),
};
DESCRIBE(calibration_described, tac_calibration, calibration_fields, "Calibration");

json_t *tac_property_witness_json(const tac_witness *witness)
{
    return describe_json(&witness_described, witness);
}

json_t *tac_property_result_json(const tac_property_result *result)
{
    return describe_json(&result_described, result);
}

json_t *property_statistics_json(const tac_property_result *result)
{
    return describe_json(&statistics_described, result);
}

json_t *tac_check_report_json(const tac_check_report *report)
{
    return describe_json(&report_described, report);
}

json_t *tac_check_news_json(const tac_check_news *news)
{
    return describe_json(&news_described, news);
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
