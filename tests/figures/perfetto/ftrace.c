/* Events of the kernel: bundles (field 1 of a packet) of one CPU each. */
#include "figures/perfetto/names.h"
#include "figures/perfetto/parts.h"
#include "trace/perfetto/bundle.h"
#include <inttypes.h>
#include <stdlib.h>

enum { EVENT_PRINT = 3, EVENT_FREQUENCY = 11 };

static void take_frequency(struct ftrace_facts *ftrace, int64_t time, struct wire wire)
{
    struct wire_field field;
    uint64_t frequency = 0, cpu = 0;
    while (wire_next(&wire, &field)) {
        if (field.number == 1)
            frequency = wire_number(&field);
        else if (field.number == 2)
            cpu = wire_number(&field);
    }
    if (!ftrace->frequencies++) {
        ftrace->frequency_min = ftrace->frequency_max = frequency;
        snprintf(ftrace->frequency_first, sizeof ftrace->frequency_first,
                 "%" PRId64 " %" PRIu64 " %" PRIu64, time, cpu, frequency);
    }
    if (frequency < ftrace->frequency_min)
        ftrace->frequency_min = frequency;
    if (frequency > ftrace->frequency_max)
        ftrace->frequency_max = frequency;
    ftrace->frequency_sum += frequency;
    tac_u64map_at(&ftrace->frequency_values, frequency, 0, NULL);
    tally_add_number(&ftrace->cpus, cpu);
}

static tac_status take_print(struct ftrace_facts *ftrace, const struct bundle_event *event,
                             tac_error *err)
{
    struct wire wire = wire_inside(&event->payload);
    struct wire_field field;
    while (wire_next(&wire, &field))
        if (field.number == 2 && field.type == WIRE_BYTES)
            return marks_add(&ftrace->marks, event->time, event->tid, (const char *)field.data,
                             field.size, err);
    return TAC_OK;
}

tac_status ftrace_facts_bundle(struct ftrace_facts *ftrace, struct wire wire, tac_error *err)
{
    struct bundle bundle = bundle_open(wire);
    struct bundle_event event = {0};
    struct wire_field field;
    tac_status status = TAC_OK;
    for (struct wire fields = wire; wire_next(&fields, &field);)
        tally_add_number(&ftrace->bundle_fields, field.number);
    while (!status && bundle_next(&bundle, &event)) {
        if (!ftrace->events++ || event.time < ftrace->first)
            ftrace->first = event.time;
        if (ftrace->events == 1 || event.time > ftrace->last)
            ftrace->last = event.time;
        if (event.kind)
            ++*tac_u64map_at(&ftrace->kinds, event.kind, 0, NULL);
        if (event.kind == EVENT_FREQUENCY)
            take_frequency(ftrace, event.time, wire_inside(&event.payload));
        else if (event.kind == EVENT_PRINT)
            status = take_print(ftrace, &event, err);
    }
    return status;
}

tac_status ftrace_facts_values(struct ftrace_facts *ftrace, struct figures *facts, tac_error *err)
{
    (void)err;
    if (ftrace->events) {
        figures_number(facts, "ftrace.first_ns", ftrace->first);
        figures_number(facts, "ftrace.last_ns", ftrace->last);
    }
    char *fields = tally_braces(&ftrace->bundle_fields);
    figures_text(facts, "ftrace.bundle_fields", fields);
    free(fields);
    for (uint32_t kind = 1; kind < 4096; kind++) {
        const uint64_t *count = tac_u64map_find(&ftrace->kinds, kind);
        char buffer[16], name[64];
        if (!count)
            continue;
        snprintf(name, sizeof name, "ftrace.%s", ftrace_name(kind, buffer, sizeof buffer));
        figures_number(facts, name, (int64_t)*count);
    }
    return TAC_OK;
}

static tac_status marks_values(struct marks_facts *marks, struct figures *facts, tac_error *err)
{
    struct marks_result result;
    tac_status status = marks_pair(marks, &result, err);
    char *kinds = tally_text(&marks->kinds);
    figures_text(facts, "print.kinds", kinds);
    free(kinds);
    figures_number(facts, "atrace.slices_closed", (int64_t)result.slices.closed);
    figures_number(facts, "atrace.slices_open_at_end", (int64_t)result.slices.now_open);
    figures_number(facts, "atrace.end_without_begin", (int64_t)result.slices.ends_without_begin);
    figures_number(facts, "atrace.async_closed", (int64_t)result.async.closed);
    figures_number(facts, "atrace.async_open_at_end", (int64_t)result.async.now_open);
    figures_number(facts, "atrace.counter_samples", (int64_t)marks->counter_samples);
    figures_number(facts, "atrace.counter_names", (int64_t)marks->counters.rows.count);
    figures_number(facts, "atrace.slice_total_ns", result.total);
    figures_number(facts, "atrace.max_depth", result.slices.deepest);
    figures_top(facts, "atrace.top_slice", &marks->tops, TOP_NAMES, true);
    marks_result_free(&result);
    return status;
}

tac_status ftrace_facts_more(struct ftrace_facts *ftrace, struct figures *facts, tac_error *err)
{
    if (ftrace->frequencies) {
        char *cpus = tally_text_by_number(&ftrace->cpus);
        figures_text(facts, "cpu_frequency.cpus", cpus);
        free(cpus);
        figures_textf(facts, "cpu_frequency.values",
                      "n=%" PRIu64 " min=%" PRIu64 " max=%" PRIu64 " distinct=%zu sum=%" PRIu64,
                      ftrace->frequencies, ftrace->frequency_min, ftrace->frequency_max,
                      ftrace->frequency_values.count, ftrace->frequency_sum);
        figures_text(facts, "cpu_frequency.first", ftrace->frequency_first);
    }
    return ftrace->marks.kinds.rows.count ? marks_values(&ftrace->marks, facts, err) : TAC_OK;
}

void ftrace_facts_free(struct ftrace_facts *ftrace)
{
    tac_u64map_free(&ftrace->kinds);
    tac_u64map_free(&ftrace->frequency_values);
    tally_free(&ftrace->bundle_fields);
    tally_free(&ftrace->cpus);
    marks_free(&ftrace->marks);
}
