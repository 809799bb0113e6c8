/* See wire_result.h. Each part is put and taken by neighbours, in the same order of fields. */
#include "property/check/wire_result.h"

static void put_comparison(tac_str *out, const tac_comparison_value *comparison)
{
    wire_put_maybe(out, comparison->text);
    wire_put_maybe(out, comparison->unit);
    wire_put_real(out, comparison->value);
    wire_put_real(out, comparison->bound);
    wire_put_real(out, comparison->margin);
    wire_put_number(out, comparison->holds);
    wire_put_number(out, comparison->on_bound);
}

static tac_comparison_value take_comparison(struct wire_reader *reader, tac_arena *arena)
{
    tac_comparison_value comparison = {0};
    comparison.text = wire_take_kept(reader, arena);
    comparison.unit = wire_take_kept(reader, arena);
    comparison.value = wire_take_real(reader);
    comparison.bound = wire_take_real(reader);
    comparison.margin = wire_take_real(reader);
    comparison.holds = wire_take_number(reader) != 0;
    comparison.on_bound = wire_take_number(reader) != 0;
    return comparison;
}

static void put_figure(tac_str *out, const tac_comparison_value *figure)
{
    wire_put_number(out, figure != NULL);
    if (figure)
        put_comparison(out, figure);
}

static const tac_comparison_value *take_figure(struct wire_reader *reader, tac_arena *arena)
{
    if (!wire_take_number(reader))
        return NULL;
    tac_comparison_value *figure = tac_arena_alloc(arena, sizeof *figure);
    *figure = take_comparison(reader, arena);
    return figure;
}

static void put_value(tac_str *out, const tac_witness_value *value)
{
    wire_put_maybe(out, value->name);
    wire_put_maybe(out, value->unit);
    wire_put_number(out, value->discrete);
    for (int end = 0; end < 2; end++) {
        wire_put_real(out, value->number[end]);
        wire_put_maybe(out, value->text[end]);
    }
}

static tac_witness_value take_value(struct wire_reader *reader, tac_arena *arena)
{
    tac_witness_value value = {0};
    value.name = wire_take_kept(reader, arena);
    value.unit = wire_take_kept(reader, arena);
    value.discrete = wire_take_number(reader) != 0;
    for (int end = 0; end < 2; end++) {
        value.number[end] = wire_take_real(reader);
        value.text[end] = wire_take_kept(reader, arena);
    }
    return value;
}

static void put_witness(tac_str *out, const tac_witness *witness)
{
    wire_put_number(out, witness != NULL);
    if (!witness)
        return;
    wire_put_number(out, witness->interval.from);
    wire_put_number(out, witness->interval.to);
    wire_put_number(out, (uint64_t)witness->interval.t_from);
    wire_put_number(out, (uint64_t)witness->interval.t_to);
    wire_put_number(out, witness->value_count);
    for (size_t i = 0; i < witness->value_count; i++)
        put_value(out, &witness->values[i]);
    wire_put_number(out, witness->comparison_count);
    for (size_t i = 0; i < witness->comparison_count; i++)
        put_comparison(out, &witness->comparisons[i]);
    wire_put_number(out, witness->holds);
    wire_put_number(out, witness->has_margin);
    wire_put_real(out, witness->margin);
    wire_put_maybe(out, witness->value);
}

static const tac_witness *take_witness(struct wire_reader *reader, tac_arena *arena)
{
    if (!wire_take_number(reader))
        return NULL;
    tac_witness *witness = tac_arena_alloc(arena, sizeof *witness);
    witness->interval.from = wire_take_number(reader);
    witness->interval.to = wire_take_number(reader);
    witness->interval.t_from = (int64_t)wire_take_number(reader);
    witness->interval.t_to = (int64_t)wire_take_number(reader);
    witness->value_count = wire_take_count(reader);
    tac_witness_value *values = tac_arena_calloc(arena, witness->value_count, sizeof *values);
    for (size_t i = 0; i < witness->value_count; i++)
        values[i] = take_value(reader, arena);
    witness->values = values;
    witness->comparison_count = wire_take_count(reader);
    tac_comparison_value *comparisons =
        tac_arena_calloc(arena, witness->comparison_count, sizeof *comparisons);
    for (size_t i = 0; i < witness->comparison_count; i++)
        comparisons[i] = take_comparison(reader, arena);
    witness->comparisons = comparisons;
    witness->holds = wire_take_number(reader) != 0;
    witness->has_margin = wire_take_number(reader) != 0;
    witness->margin = wire_take_real(reader);
    witness->value = wire_take_kept(reader, arena);
    return witness;
}

static void put_alarm(tac_str *out, const tac_early_alarm *alarm)
{
    wire_put_number(out, alarm != NULL);
    if (!alarm)
        return;
    wire_put_number(out, alarm->from);
    wire_put_number(out, alarm->state);
    wire_put_number(out, (uint64_t)alarm->t_from);
    wire_put_number(out, (uint64_t)alarm->t);
    put_figure(out, alarm->comparison);
}

static const tac_early_alarm *take_alarm(struct wire_reader *reader, tac_arena *arena)
{
    if (!wire_take_number(reader))
        return NULL;
    tac_early_alarm *alarm = tac_arena_alloc(arena, sizeof *alarm);
    alarm->from = wire_take_number(reader);
    alarm->state = wire_take_number(reader);
    alarm->t_from = (int64_t)wire_take_number(reader);
    alarm->t = (int64_t)wire_take_number(reader);
    alarm->comparison = take_figure(reader, arena);
    return alarm;
}

void wire_put_result(tac_str *out, const tac_property_result *result)
{
    wire_put_maybe(out, result->name);
    wire_put_number(out, (uint64_t)result->kind);
    wire_put_number(out, (uint64_t)result->answer);
    wire_put_number(out, result->decided);
    wire_put_number(out, result->decided_state);
    wire_put_number(out, (uint64_t)result->decided_time);
    wire_put_number(out, result->intervals);
    wire_put_number(out, result->violated);
    wire_put_number(out, result->open);
    wire_put_number(out, result->has_margin);
    wire_put_real(out, result->margin);
    wire_put_maybe(out, result->margin_unit);
    put_witness(out, result->witness);
    put_alarm(out, result->early_alarm);
    wire_put_number(out, result->vacuous);
    wire_put_number(out, result->untested);
    wire_put_number(out, result->observed);
    put_figure(out, result->figure);
    wire_put_number(out, result->for_each);
    wire_put_number(out, result->values);
    wire_put_number(out, result->values_violated);
    wire_put_number(out, result->values_open);
    put_witness(out, result->worst);
    wire_put_number(out, (uint64_t)result->start);
}

tac_property_result wire_take_result(struct wire_reader *reader, tac_arena *arena)
{
    tac_property_result result = {0};
    result.name = wire_take_kept(reader, arena);
    result.kind = (tac_property_kind)wire_take_number(reader);
    result.answer = (tac_answer)wire_take_number(reader);
    result.decided = wire_take_number(reader) != 0;
    result.decided_state = wire_take_number(reader);
    result.decided_time = (int64_t)wire_take_number(reader);
    result.intervals = wire_take_number(reader);
    result.violated = wire_take_number(reader);
    result.open = wire_take_number(reader);
    result.has_margin = wire_take_number(reader) != 0;
    result.margin = wire_take_real(reader);
    result.margin_unit = wire_take_kept(reader, arena);
    result.witness = take_witness(reader, arena);
    result.early_alarm = take_alarm(reader, arena);
    result.vacuous = wire_take_number(reader) != 0;
    result.untested = wire_take_number(reader);
    result.observed = wire_take_number(reader) != 0;
    result.figure = take_figure(reader, arena);
    result.for_each = wire_take_number(reader) != 0;
    result.values = wire_take_number(reader);
    result.values_violated = wire_take_number(reader);
    result.values_open = wire_take_number(reader);
    result.worst = take_witness(reader, arena);
    result.start = (int64_t)wire_take_number(reader);
    return result;
}
