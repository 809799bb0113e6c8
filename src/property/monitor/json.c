/* Results as JSON documents: the keys of `tactus check --json`. */
#include "base/io/json.h"
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
    if (result->decided) {
        json_object_set_new(out, "decided_at", json_integer((json_int_t)result->decided_state));
        json_object_set_new(out, "t_decided", seconds(result->decided_time));
    }
    return out;
}
