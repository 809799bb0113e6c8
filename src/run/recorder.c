/* Recording one run. See recorder.h. */
#include "run/recorder.h"
#include "base/alloc.h"
#include "base/output.h"
#include <math.h>
#include <string.h>

enum { EVENT, ACTIVITY, PLACE, FIRST_PROBE };

static void declare_variables(run_recorder *recorder)
{
    recorder->variables =
        tac_calloc(FIRST_PROBE + recorder->probe_count, sizeof *recorder->variables);
    recorder->variables[EVENT] = (tac_trace_variable){.name = "event", .unit = ""};
    recorder->variables[ACTIVITY] = (tac_trace_variable){.name = "activity", .unit = ""};
    recorder->variables[PLACE] = (tac_trace_variable){.name = recorder->place_name, .unit = ""};
    for (size_t i = 0; i < recorder->probe_count; i++)
        recorder->variables[FIRST_PROBE + i] =
            (tac_trace_variable){.name = recorder->probes->columns.at[i].name,
                                 .unit = recorder->probes->columns.at[i].unit,
                                 .kind = TAC_CONTINUOUS};
}

/* A property on what this device does not measure is refused before anything is done, by the check
 * that ends a trace. */
static tac_status refuse_missing_variables(run_recorder *recorder, tac_error *err)
{
    tac_monitor_schema schema = {.variables = recorder->variables,
                                 .variable_count = FIRST_PROBE + recorder->probe_count};
    tac_status status = tac_monitor_finish(recorder->monitor, &schema, err);
    tac_monitor_reset(recorder->monitor);
    return status;
}

tac_status recorder_start(run_recorder *recorder, probe_set *probes, const char *place_name,
                          const tac_properties *properties, bool watch_alarms, const char *name,
                          tac_error *err)
{
    memset(recorder, 0, sizeof *recorder);
    recorder->probes = probes;
    recorder->probe_count = probes->columns.count;
    recorder->place_name = place_name;
    recorder->activity = recorder->place = TAC_TRACE_NO_SYMBOL;
    recorder->watch_alarms = watch_alarms;
    recorder->current = tac_calloc(recorder->probe_count, sizeof *recorder->current);
    for (size_t i = 0; i < recorder->probe_count; i++)
        recorder->current[i] = NAN;
    declare_variables(recorder);
    if (!properties)
        return TAC_OK;
    recorder->property_count = tac_property_count(properties);
    tac_monitor_options options = {.trace_name = name, .allow_missing = false};
    tac_status status = tac_monitor_new(properties, &options, &recorder->monitor, err);
    return status == TAC_OK ? refuse_missing_variables(recorder, err) : status;
}

tac_status recorder_measure(run_recorder *recorder, int64_t *time, tac_error *err)
{
    return probe_set_measure(recorder->probes, recorder->current, time, err);
}

void recorder_set(run_recorder *recorder, const char *activity, const char *place)
{
    if (activity)
        recorder->activity = tac_names_intern(&recorder->symbols, activity);
    if (place)
        recorder->place = tac_names_intern(&recorder->symbols, place);
}

static void look_for_violation(run_recorder *recorder)
{
    recorder->violated = tac_monitor_violated(recorder->monitor);
    for (size_t i = 0; i < recorder->property_count && recorder->watch_alarms; i++) {
        tac_property_result result;
        tac_monitor_result(recorder->monitor, i, false, &result);
        recorder->violated |= result.early_alarm != NULL;
    }
}

/* The newest record as a block of one state. */
static tac_status feed_monitor(run_recorder *recorder, tac_error *err)
{
    size_t last = recorder->records.count - 1, variables = FIRST_PROBE + recorder->probe_count;
    const struct record *record = &recorder->records.at[last];
    const double **numbers = tac_calloc(variables, sizeof *numbers);
    const uint32_t **symbols = tac_calloc(variables, sizeof *symbols);
    symbols[EVENT] = &record->event;
    symbols[ACTIVITY] = &record->activity;
    symbols[PLACE] = &record->place;
    for (size_t i = 0; i < recorder->probe_count; i++)
        numbers[FIRST_PROBE + i] = &recorder->numbers.at[last * recorder->probe_count + i];
    tac_trace_block block = {
        .count = 1, .first = last, .time = &record->time, .numbers = numbers, .symbols = symbols};
    tac_monitor_schema schema = {.variables = recorder->variables,
                                 .variable_count = variables,
                                 .symbols = recorder->symbols.text,
                                 .symbol_count = recorder->symbols.count};
    tac_status status = tac_monitor_feed(recorder->monitor, &schema, &block, err);
    free(numbers);
    free(symbols);
    if (status == TAC_OK)
        look_for_violation(recorder);
    return status;
}

tac_status recorder_add(run_recorder *recorder, int64_t time, const char *event, tac_error *err)
{
    if (recorder->records.count && time < tac_vec_last(&recorder->records).time)
        time = tac_vec_last(&recorder->records).time;
    struct record record = {.time = time,
                            .event = event ? tac_names_intern(&recorder->symbols, event)
                                           : TAC_TRACE_NO_SYMBOL,
                            .activity = recorder->activity,
                            .place = recorder->place};
    tac_vec_push(&recorder->records, record);
    tac_vec_append(&recorder->numbers, recorder->current, recorder->probe_count);
    return recorder->monitor ? feed_monitor(recorder, err) : TAC_OK;
}

static tac_status write_states(const run_recorder *recorder, tac_trace_writer *writer,
                               tac_error *err)
{
    const run_clock *clock = probe_set_clock(recorder->probes);
    int64_t last = INT64_MIN;
    for (size_t i = 0; i < recorder->records.count; i++) {
        const struct record *record = &recorder->records.at[i];
        const struct record *before = i ? record - 1 : NULL;
        int64_t time = run_clock_correct(clock, record->time);
        last = time > last ? time : last;
        tac_trace_writer_begin(writer, last);
        if (record->event != TAC_TRACE_NO_SYMBOL)
            tac_trace_writer_symbol(writer, EVENT, recorder->symbols.text[record->event]);
        if (record->activity != TAC_TRACE_NO_SYMBOL &&
            (!before || before->activity != record->activity))
            tac_trace_writer_symbol(writer, ACTIVITY, recorder->symbols.text[record->activity]);
        if (record->place != TAC_TRACE_NO_SYMBOL && (!before || before->place != record->place))
            tac_trace_writer_symbol(writer, PLACE, recorder->symbols.text[record->place]);
        const double *now = recorder->numbers.at + i * recorder->probe_count;
        const double *then = i ? now - recorder->probe_count : NULL;
        for (size_t p = 0; p < recorder->probe_count; p++)
            if (!isnan(now[p]) && (!then || now[p] != then[p]))
                tac_trace_writer_number(writer, FIRST_PROBE + p, now[p]);
        tac_status status = tac_trace_writer_end(writer, err);
        if (status != TAC_OK)
            return status;
    }
    return TAC_OK;
}

tac_status recorder_write(const run_recorder *recorder, const char *path, const json_t *meta,
                          const json_t *late, tac_error *err)
{
    tac_output output;
    tac_trace_writer *writer;
    tac_status status = tac_output_open(&output, path, err);
    if (status != TAC_OK)
        return status;
    status = tac_trace_writer_new(output.file, "jsonl", meta, &writer, err);
    if (status == TAC_OK) {
        for (size_t i = 0; i < FIRST_PROBE + recorder->probe_count; i++)
            tac_trace_writer_variable(writer, &recorder->variables[i]);
        status = write_states(recorder, writer, err);
        tac_status end = tac_trace_writer_finish(writer, late, status == TAC_OK ? err : NULL);
        status = status == TAC_OK ? end : status;
    }
    if (status == TAC_OK)
        return tac_output_commit(&output, err);
    tac_output_abort(&output);
    return status;
}

void recorder_free(run_recorder *recorder)
{
    tac_monitor_free(recorder->monitor);
    tac_names_free(&recorder->symbols);
    tac_vec_free(&recorder->records);
    tac_vec_free(&recorder->numbers);
    free(recorder->current);
    free(recorder->variables);
}
