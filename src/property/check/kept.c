/* See kept.h. */
#include "property/check/kept.h"

static const char *keep_text(tac_arena *arena, const char *text)
{
    return text ? tac_arena_strdup(arena, text) : NULL;
}

static tac_comparison_value comparison_copy(tac_arena *arena, const tac_comparison_value *from)
{
    tac_comparison_value to = *from;
    to.text = keep_text(arena, from->text);
    to.unit = keep_text(arena, from->unit);
    return to;
}

static const tac_comparison_value *keep_comparison(tac_arena *arena,
                                                   const tac_comparison_value *from)
{
    if (!from)
        return NULL;
    tac_comparison_value *to = tac_arena_alloc(arena, sizeof *to);
    *to = comparison_copy(arena, from);
    return to;
}

static const tac_witness_value *keep_values(tac_arena *arena, const tac_witness_value *from,
                                            size_t count)
{
    tac_witness_value *to = tac_arena_calloc(arena, count, sizeof *to);
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
        to[i].name = keep_text(arena, from[i].name);
        to[i].unit = keep_text(arena, from[i].unit);
        to[i].text[0] = keep_text(arena, from[i].text[0]);
        to[i].text[1] = keep_text(arena, from[i].text[1]);
    }
    return to;
}

static const tac_witness *keep_witness(tac_arena *arena, const tac_witness *from)
{
    if (!from)
        return NULL;
    tac_witness *to = tac_arena_alloc(arena, sizeof *to);
    tac_comparison_value *comparisons =
        tac_arena_calloc(arena, from->comparison_count, sizeof *comparisons);
    for (size_t i = 0; i < from->comparison_count; i++)
        comparisons[i] = comparison_copy(arena, &from->comparisons[i]);
    *to = *from;
    to->values = keep_values(arena, from->values, from->value_count);
    to->comparisons = comparisons;
    to->value = keep_text(arena, from->value);
    return to;
}

static const tac_early_alarm *keep_alarm(tac_arena *arena, const tac_early_alarm *from)
{
    if (!from)
        return NULL;
    tac_early_alarm *to = tac_arena_alloc(arena, sizeof *to);
    *to = *from;
    to->comparison = keep_comparison(arena, from->comparison);
    return to;
}

tac_property_result result_keep(tac_arena *arena, const tac_property_result *result)
{
    tac_property_result kept = *result;
    kept.name = keep_text(arena, result->name);
    kept.margin_unit = keep_text(arena, result->margin_unit);
    kept.witness = keep_witness(arena, result->witness);
    kept.early_alarm = keep_alarm(arena, result->early_alarm);
    kept.figure = keep_comparison(arena, result->figure);
    kept.worst = keep_witness(arena, result->worst);
    return kept;
}
