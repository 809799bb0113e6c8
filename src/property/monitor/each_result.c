/* The result of a `for each` property: the worst value, the first and the worst witness. */
#include "property/monitor/monitor.h"

#include "base/check.h"

static void name_value(const tac_monitor *monitor, const struct each_state *each, uint32_t id,
                       tac_str *text)
{
    tac_str_clear(text);
    each_value_text(each, id, monitor->symbols.at, monitor->symbols.count, text);
}

/* A finding as a witness. */
static void fill_finding(const tac_monitor *monitor, const struct property_part *part,
                         const struct each_finding *finding, tac_witness_value *values,
                         tac_comparison_value *comparisons, tac_witness *out)
{
    if (!part->temporal) {
        fill_witness(monitor, part, &finding->record, values, comparisons, out);
        return;
    }
    tac_interval interval = finding->interval;
    if (interval.to == UINT64_MAX) { /* still waiting */
        interval.to = monitor->states ? monitor->states - 1 : 0;
        interval.t_to = monitor->now;
    }
    for (size_t w = 0; w < part->watched_count; w++)
        fill_value(monitor, part->program, part->watched[w], finding->first_ends[w],
                   finding->ends[w], &values[w]);
    *out = (tac_witness){
        .interval = interval, .values = values, .value_count = part->watched_count, .holds = false};
}

void each_part_result(tac_monitor *monitor, size_t part, bool ended, tac_property_result *out)
{
    assert(monitor->parts[part].each != NULL);
    const struct property_part *plan = &monitor->plan.parts.at[part];
    struct part_state *state = &monitor->parts[part];
    struct answer_room *room = &state->room;
    const struct each_totals *totals = each_result(state->each, ended, &out->answer);
    out->kind = plan->temporal ? TAC_PROPERTY_TEMPORAL : TAC_PROPERTY_INTERVAL;
    out->decided = totals->decided;
    out->decided_state = totals->decided_state;
    out->decided_time = totals->decided_time;
    out->intervals = totals->intervals;
    out->violated = totals->violated;
    out->open = totals->open;
    out->for_each = true;
    fill_unknown(monitor, part, &totals->blame, out);
    out->values = state->each->met;
    out->values_violated = totals->values_violated;
    out->values_open = totals->values_open;
    assert(out->values_violated <= out->values);
    out->vacuous = plan->temporal
                       ? !out->values || (plan->trigger != COLUMN_NONE && !totals->exercised)
                       : ended && !totals->intervals;
    out->observed = plan->observed;
    out->untested = totals->untested;
    bool bad = out->answer == TAC_VIOLATED || out->answer == TAC_PRESUMABLY_VIOLATED;
    if (plan->proof != COLUMN_NONE && out->values)
        out->vacuous = !bad && !part_is_proved(monitor, plan->proof);
    out->margin_unit = "";
    if (!plan->temporal) {
        out->has_margin = totals->has_margin;
        out->margin = reported_margin(&plan->interval, totals->margin);
        if (plan->interval.margin_common)
            out->margin_unit = plan->interval.comparisons.at[0].unit_text;
    }
    const struct each_finding *first = totals->first.set ? &totals->first : &totals->worst;
    if (!first->set)
        return;
    fill_finding(monitor, plan, first, room->values, room->comparisons, &room->witness);
    name_value(monitor, state->each, first->id, &room->value);
    room->witness.value = tac_str_text(&room->value);
    out->witness = &room->witness;
    if (!totals->worst.set)
        return;
    fill_finding(monitor, plan, &totals->worst, room->worst_values, room->worst_comparisons,
                 &room->worst);
    name_value(monitor, state->each, totals->worst.id, &room->worst_value);
    room->worst.value = tac_str_text(&room->worst_value);
    out->worst = &room->worst;
}
