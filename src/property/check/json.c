/* Results as JSON documents: the keys of `tactus check --json`. */
#include "base/io/json.h"
#include "property/check/reading.h"
#include "tactus/property.h"

#include <math.h>

static json_t *seconds(int64_t time)
{
    return tac_json_number((double)time / 1e9);
}

static json_t *values_json(const tac_witness *witness)
{
    json_t *values = json_object();
    for (size_t i = 0; i < witness->value_count; i++) {
        const tac_witness_value *value = &witness->values[i];
        json_t *pair = json_array();
        for (int end = 0; end < 2; end++) {
            if (!value->discrete)
                json_array_append_new(pair, tac_json_number(value->number[end]));
            else
                json_array_append_new(pair, value->text[end] ? tac_json_string(value->text[end])
                                                             : json_null());
        }
        json_object_set_new(values, value->name, pair);
    }
    return values;
}

static json_t *comparison_json(const tac_comparison_value *comparison)
{
    json_t *out = json_object();
    json_object_set_new(out, "expression", tac_json_string(comparison->text));
    json_object_set_new(out, "value", tac_json_number(comparison->value));
    json_object_set_new(out, "bound", tac_json_number(comparison->bound));
    json_object_set_new(out, "margin", tac_json_number(comparison->margin));
    json_object_set_new(out, "unit", tac_json_string(comparison->unit));
    json_object_set_new(out, "on_bound", json_boolean(comparison->on_bound));
    return out;
}

static json_t *margins_json(const tac_witness *witness)
{
    json_t *margins = json_array();
    for (size_t i = 0; i < witness->comparison_count; i++)
        json_array_append_new(margins, comparison_json(&witness->comparisons[i]));
    return margins;
}

json_t *tac_property_witness_json(const tac_witness *witness)
{
    json_t *out = json_object();
    json_object_set_new(out, "from", json_integer((json_int_t)witness->interval.from));
    json_object_set_new(out, "to", json_integer((json_int_t)witness->interval.to));
    json_object_set_new(out, "t_from", seconds(witness->interval.t_from));
    json_object_set_new(out, "t_to", seconds(witness->interval.t_to));
    json_object_set_new(out, "values", values_json(witness));
    if (witness->value && *witness->value)
        json_object_set_new(out, "value", tac_json_string(witness->value));
    return out;
}

static json_t *alarm_json(const tac_early_alarm *alarm)
{
    json_t *out = json_object();
    json_object_set_new(out, "state", json_integer((json_int_t)alarm->state));
    json_object_set_new(out, "t", seconds(alarm->t));
    json_object_set_new(out, "from", json_integer((json_int_t)alarm->from));
    json_object_set_new(out, "t_from", seconds(alarm->t_from));
    json_object_update_new(out, comparison_json(alarm->comparison));
    return out;
}

json_t *tac_property_result_json(const tac_property_result *result)
{
    static const char *const kinds[] = {"interval", "temporal", "combined"};
    json_t *out = json_object();
    json_object_set_new(out, "name", tac_json_string(result->name));
    json_object_set_new(out, "verdict", json_string(tac_answer_name(result->answer)));
    json_object_set_new(out, "kind", json_string(kinds[result->kind]));
    json_object_set_new(out, "intervals", json_integer((json_int_t)result->intervals));
    json_object_set_new(out, "violated", json_integer((json_int_t)result->violated));
    json_object_set_new(out, "open", json_integer((json_int_t)result->open));
    json_object_set_new(out, "margin",
                        result->has_margin ? tac_json_number(result->margin) : json_null());
    json_object_set_new(out, "margin_unit",
                        result->has_margin ? tac_json_string(result->margin_unit) : json_null());
    json_object_set_new(out, "witness",
                        result->witness ? tac_property_witness_json(result->witness) : json_null());
    if (result->witness && result->witness->comparison_count)
        json_object_set_new(out, "margins", margins_json(result->witness));
    json_object_set_new(out, "early_alarm",
                        result->early_alarm ? alarm_json(result->early_alarm) : json_null());
    json_object_set_new(out, "exercised", json_boolean(!result->vacuous));
    if (result->observed)
        json_object_set_new(out, "untested", json_integer((json_int_t)result->untested));
    if (result->figure)
        json_object_set_new(out, "figure", comparison_json(result->figure));
    if (result->for_each) {
        json_object_set_new(out, "values",
                            json_pack("{s:I,s:I,s:I}", "judged", (json_int_t)result->values,
                                      "violated", (json_int_t)result->values_violated, "open",
                                      (json_int_t)result->values_open));
        json_object_set_new(out, "worst",
                            result->worst ? tac_property_witness_json(result->worst) : json_null());
    }
    if (result->decided) {
        json_object_set_new(out, "decided_at", json_integer((json_int_t)result->decided_state));
        json_object_set_new(out, "t_decided", seconds(result->decided_time));
    }
    return out;
}

json_t *property_statistics_json(const tac_property_result *result)
{
    json_t *out = json_object();
    json_object_set_new(out, "intervals", json_integer((json_int_t)result->intervals));
    json_object_set_new(out, "violated", json_integer((json_int_t)result->violated));
    json_object_set_new(out, "open", json_integer((json_int_t)result->open));
    json_object_set_new(out, "margin",
                        result->has_margin ? tac_json_number(result->margin) : json_null());
    return out;
}

static json_t *warnings_json(const tac_diagnostics *list)
{
    json_t *out = json_array();
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(
            out, json_pack("{s:o,s:I,s:I,s:o}", "file", tac_json_string(list->at[i].file), "line",
                           (json_int_t)list->at[i].line, "column", (json_int_t)list->at[i].column,
                           "message", tac_json_string(list->at[i].message)));
    return out;
}

static json_t *finding_json(const tac_check_finding *finding)
{
    json_t *out = tac_property_result_json(&finding->result);
    json_object_set_new(out, "explanation", tac_json_string(finding->explanation));
    json_object_set_new(out, "advice", tac_json_string(finding->advice));
    return out;
}

static json_t *trace_json(const tac_checked_trace *trace)
{
    json_t *document = json_object(), *properties = json_array();
    for (size_t i = 0; i < trace->count; i++)
        json_array_append_new(properties, finding_json(&trace->findings[i]));
    json_object_set_new(document, "trace", tac_json_string(trace->trace));
    json_object_set_new(document, "properties", properties);
    json_object_set_new(document, "states", json_integer((json_int_t)trace->states));
    json_object_set_new(document, "skipped", json_integer((json_int_t)trace->skipped));
    json_object_set_new(document, "warnings", warnings_json(&trace->warnings));
    return document;
}

json_t *tac_check_report_json(const tac_check_report *report)
{
    json_t *traces = json_array();
    for (size_t i = 0; i < report->count; i++)
        json_array_append_new(traces, trace_json(&report->traces[i]));
    return json_pack("{s:o}", "traces", traces);
}

json_t *tac_check_news_json(const tac_check_news *news)
{
    json_t *line = json_object();
    json_object_set_new(line, "trace", tac_json_string(news->trace));
    if (news->kind == TAC_NEWS_NOTE) {
        json_object_set_new(line, "event", json_string("note"));
        json_object_set_new(line, "note", tac_json_string(news->note));
        return line;
    }
    const tac_property_result *result = news->result;
    if (news->kind == TAC_NEWS_ALARM) { /* not a verdict yet: the interval is still open */
        json_object_set_new(line, "event", json_string("early_alarm"));
        json_object_set_new(line, "name", tac_json_string(result->name));
        json_object_set_new(line, "verdict", json_string(tac_answer_name(TAC_INCONCLUSIVE)));
        json_object_set_new(line, "early_alarm",
                            result->early_alarm ? alarm_json(result->early_alarm) : json_null());
    } else {
        json_object_set_new(line, "event", json_string("verdict"));
        json_object_update_new(line, tac_property_result_json(result));
    }
    return line;
}

static json_t *proposal_json(const tac_bound_proposal *at)
{
    json_t *out = json_object();
    json_object_set_new(out, "name", tac_json_string(at->name));
    json_object_set_new(out, "expression", tac_json_string(at->expression));
    json_object_set_new(out, "unit", tac_json_string(at->unit));
    json_object_set_new(out, "intervals", json_integer((json_int_t)at->intervals));
    json_object_set_new(out, "bound", tac_json_number(at->bound));
    if (!at->intervals) {
        json_object_set_new(out, "proposed", json_null());
        return out;
    }
    json_object_set_new(out, "min", tac_json_number(at->least));
    json_object_set_new(out, "mean", tac_json_number(at->mean));
    json_object_set_new(out, "max", tac_json_number(at->most));
    json_object_set_new(out, "deviation", tac_json_number(at->deviation));
    bool bound = at->suggestion != NULL;
    json_object_set_new(out, "proposed", bound ? tac_json_number(at->proposed) : json_null());
    json_object_set_new(out, "suggestion", bound ? tac_json_string(at->suggestion) : json_null());
    return out;
}

json_t *tac_calibration_json(const tac_calibration *calibration)
{
    json_t *list = json_array();
    for (size_t i = 0; i < calibration->count; i++)
        json_array_append_new(list, proposal_json(&calibration->proposals[i]));
    return json_pack("{s:I,s:o}", "traces", (json_int_t)calibration->traces, "properties", list);
}
