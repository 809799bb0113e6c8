/* The states of a run as a file. */
#include "base/io/output.h"
#include "run/recorder_parts.h"
#include <math.h>
#include <string.h>

/* What was observed; what is no longer there ends. */
static void write_observed(const struct run_recorder *recorder, const uint32_t *now,
                           const uint32_t *before, tac_trace_writer *writer)
{
    for (size_t i = 0; i < recorder->observed_count; i++) {
        size_t variable = recorder_first_observed(recorder) + i;
        if (now[i] == before[i])
            continue;
        if (now[i] == TAC_TRACE_NO_SYMBOL)
            tac_trace_writer_missing(writer, variable);
        else if (recorder_is_number(recorder, i))
            tac_trace_writer_number(writer, variable, recorder_number_at(recorder, now[i]));
        else
            tac_trace_writer_symbol(writer, variable, recorder->symbols.text[now[i]]);
    }
}

/* Writes what differs from the state before, which is kept in places and numbers. */
static void write_values(const struct run_recorder *recorder, const struct timeline *now,
                         uint32_t *places, double *numbers, tac_trace_writer *writer)
{
    if (now->event != TAC_TRACE_NO_SYMBOL)
        tac_trace_writer_symbol(writer, EVENT, recorder->symbols.text[now->event]);
    size_t parties = recorder->per_party * recorder->party_count;
    for (size_t i = 0; i < parties; i++)
        if (now->places[i] != TAC_TRACE_NO_SYMBOL && now->places[i] != places[i])
            tac_trace_writer_symbol(writer, FIRST_PARTY + i,
                                    recorder->symbols.text[now->places[i]]);
    write_observed(recorder, now->places + parties, places + parties, writer);
    for (size_t i = 0; i < recorder->probe_count; i++)
        if (!isnan(now->numbers[i]) && now->numbers[i] != numbers[i])
            tac_trace_writer_number(writer, recorder_first_probe(recorder) + i, now->numbers[i]);
    if (now->place_count)
        memcpy(places, now->places, now->place_count * sizeof *places);
    if (recorder->probe_count)
        memcpy(numbers, now->numbers, recorder->probe_count * sizeof *numbers);
}

static tac_status write_states(const struct run_recorder *recorder, tac_trace_writer *writer,
                               tac_error *err)
{
    struct timeline states, before; /* before: only its values are used */
    recorder_start_timeline(recorder, &states);
    recorder_start_timeline(recorder, &before);
    tac_status status = TAC_OK;
    while (status == TAC_OK && timeline_next(&states, recorder_list(recorder), INT64_MAX)) {
        tac_trace_writer_begin(writer, states.time);
        write_values(recorder, &states, before.places, before.numbers, writer);
        status = tac_trace_writer_end(writer, err);
    }
    timeline_free(&before);
    timeline_free(&states);
    return status;
}

tac_status recorder_write(const struct run_recorder *recorder, const char *path, bool durable,
                          const json_t *meta, const json_t *late, tac_error *err)
{
    tac_output output;
    tac_trace_writer *writer;
    tac_status status = tac_output_open(&output, path, err);
    if (status != TAC_OK)
        return status;
    output.durable = durable;
    status = tac_trace_writer_new(output.file, "jsonl", meta, &writer, err);
    if (status == TAC_OK) {
        for (size_t i = 0; i < recorder->variable_count; i++)
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
