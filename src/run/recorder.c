/* Recording one run, and showing its states to the monitor. See recorder.h. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "run/recorder_parts.h"
#include <math.h>
#include <string.h>

/* A property on what these devices do not measure is refused before anything is done, by the check
 * that ends a trace. */
static tac_status refuse_missing_variables(struct run_recorder *recorder, tac_error *err)
{
    tac_monitor_schema schema = {.variables = recorder->variables,
                                 .variable_count = recorder->variable_count};
    tac_status status = judge_finish(&recorder->judge, &schema, err);
    judge_restart(&recorder->judge);
    recorder->judge.allow_missing = true;
    return status;
}

void recorder_start_timeline(const struct run_recorder *recorder, struct timeline *states)
{
    timeline_start(states, recorder->probes, recorder_place_count(recorder));
}

tac_status recorder_start(struct run_recorder *recorder, const struct run_team *team,
                          struct probe_set *probes, const struct recorder_options *options,
                          tac_error *err)
{
    *recorder = (struct run_recorder){.probes = probes,
                                      .team = team,
                                      .party_count = team->count,
                                      .probe_count = probes->columns.count,
                                      .watch_alarms = options->watch_alarms,
                                      .observables = options->observables,
                                      .acting = options->acting,
                                      .observed_count = options->observable_count +
                                                        (options->acting ? CHOSEN : 0)};
    recorder->observed_numbers =
        tac_calloc(recorder->observed_count + 1, sizeof *recorder->observed_numbers);
    recorder->current = tac_calloc(recorder->probe_count, sizeof *recorder->current);
    for (size_t i = 0; i < recorder->probe_count; i++)
        recorder->current[i] = NAN;
    recorder_place_parties(recorder, team);
    recorder->current_places = tac_calloc(recorder_place_count(recorder), sizeof(uint32_t));
    for (size_t i = 0; i < recorder_place_count(recorder); i++)
        recorder->current_places[i] = TAC_TRACE_NO_SYMBOL;
    recorder_declare(recorder, options);
    recorder_abandoned(recorder, 0);
    recorder_start_timeline(recorder, &recorder->shown);
    tac_status status = recorder_refuse_taken_names(recorder, options, err);
    if (!options->properties || status != TAC_OK)
        return status;
    recorder->property_count = tac_property_count(options->properties);
    judge_add(&recorder->judge, options->properties, NULL, NULL);
    judge_begin(&recorder->judge, NULL, options->name);
    return refuse_missing_variables(recorder, err);
}

static uint32_t symbol_or_none(struct run_recorder *recorder, const char *text)
{
    return *text ? tac_names_intern(&recorder->symbols, text) : TAC_TRACE_NO_SYMBOL;
}

tac_status recorder_measure(struct run_recorder *recorder, struct run_moment *when, tac_error *err)
{
    when->source = 0;
    for (size_t i = 0; i < recorder->party_count && recorder->segment_at; i++) {
        tac_network_state network;
        if (tac_device_network(recorder->team->members[i].device, &network))
            recorder->current_places[recorder->per_party * i + recorder->segment_at] =
                tac_names_intern(&recorder->symbols, network.segment);
    }
    tac_status status = probe_set_measure(recorder->probes, recorder->current, &when->time, err);
    for (size_t i = 0; i < recorder->party_count && recorder->radio_at; i++) {
        uint32_t *places = recorder->current_places + recorder->per_party * i;
        tac_radio radio;
        if (tac_device_radio(recorder->team->members[i].device, &radio)) {
            places[recorder->radio_at] = symbol_or_none(recorder, radio.type);
            places[recorder->radio_at + 1] = symbol_or_none(recorder, radio.cell);
        }
    }
    return status;
}

void recorder_set(struct run_recorder *recorder, size_t member, const char *activity,
                  const char *place)
{
    assert(member < recorder->party_count);
    uint32_t *places = recorder->current_places + recorder->per_party * member;
    if (activity)
        places[ACTIVITY] = tac_names_intern(&recorder->symbols, activity);
    if (place)
        places[PLACE] = tac_names_intern(&recorder->symbols, place);
}

void recorder_see(struct run_recorder *recorder, const tac_observed *values)
{
    uint32_t *places = recorder->current_places + recorder->per_party * recorder->party_count;
    size_t count = recorder->observed_count - (recorder->acting ? CHOSEN : 0);
    for (size_t i = 0; i < count; i++) {
        char number[40];
        if (values[i].missing)
            places[i] = TAC_TRACE_NO_SYMBOL;
        else if (recorder_is_number(recorder, i))
            places[i] = tac_names_intern(&recorder->symbols,
                                         tac_double_text(values[i].number, number, sizeof number));
        else
            places[i] = tac_names_intern(&recorder->symbols, values[i].text);
    }
}

void recorder_chose(struct run_recorder *recorder, const char *typed, const char *target)
{
    uint32_t *end = recorder->current_places + recorder_place_count(recorder);
    if (!recorder->acting)
        return;
    end[-3] = typed ? tac_names_intern(&recorder->symbols, typed) : TAC_TRACE_NO_SYMBOL;
    end[-2] = target ? tac_names_intern(&recorder->symbols, target) : TAC_TRACE_NO_SYMBOL;
}

void recorder_abandoned(struct run_recorder *recorder, double step)
{
    char number[40];
    if (recorder->acting)
        recorder->current_places[recorder_place_count(recorder) - 1] =
            tac_names_intern(&recorder->symbols, tac_double_text(step, number, sizeof number));
}

const char *recorder_place(const struct run_recorder *recorder, size_t member)
{
    assert(member < recorder->party_count);
    uint32_t place = recorder->current_places[recorder->per_party * member + PLACE];
    return place == TAC_TRACE_NO_SYMBOL ? "" : recorder->symbols.text[place];
}

int64_t recorder_since(const struct run_recorder *recorder, struct run_moment when)
{
    return run_clock_correct(&recorder->probes->sources.at[when.source].clock, when.time);
}

static void look_for_violation(struct run_recorder *recorder)
{
    tac_monitor *monitor = recorder->judge.files.at[0].monitor;
    recorder->violated = tac_monitor_violated(monitor);
    for (size_t i = 0; i < recorder->property_count && recorder->watch_alarms; i++) {
        tac_property_result result;
        tac_monitor_result(monitor, i, false, &result);
        recorder->violated |= result.early_alarm != NULL;
    }
}

struct record_list recorder_list(const struct run_recorder *recorder)
{
    return (struct record_list){recorder->records.at, recorder->places.at, recorder->numbers.at,
                                recorder->records.count};
}

/* The state that the timeline shows, as a block of one. */
static tac_status feed_state(struct run_recorder *recorder, tac_error *err)
{
    const struct timeline *shown = &recorder->shown;
    const double **numbers = tac_calloc(recorder->variable_count, sizeof *numbers);
    const uint32_t **symbols = tac_calloc(recorder->variable_count, sizeof *symbols);
    symbols[EVENT] = &shown->event;
    size_t parties = recorder->per_party * recorder->party_count;
    for (size_t i = 0; i < parties; i++)
        symbols[FIRST_PARTY + i] = &shown->places[i];
    for (size_t i = 0; i < recorder->observed_count; i++) {
        recorder->observed_numbers[i] = recorder_number_at(recorder, TAC_TRACE_NO_SYMBOL);
        if (recorder_is_number(recorder, i)) {
            recorder->observed_numbers[i] =
                recorder_number_at(recorder, shown->places[parties + i]);
            numbers[recorder_first_observed(recorder) + i] = &recorder->observed_numbers[i];
        } else {
            symbols[recorder_first_observed(recorder) + i] = &shown->places[parties + i];
        }
    }
    for (size_t i = 0; i < recorder->probe_count; i++)
        numbers[recorder_first_probe(recorder) + i] = &shown->numbers[i];
    tac_trace_block block = {.count = 1,
                             .first = recorder->judge.states,
                             .time = &shown->time,
                             .numbers = numbers,
                             .symbols = symbols};
    tac_monitor_schema schema = {.variables = recorder->variables,
                                 .variable_count = recorder->variable_count,
                                 .symbols = recorder->symbols.text,
                                 .symbol_count = recorder->symbols.count};
    tac_status status = judge_feed(&recorder->judge, &schema, &block, err);
    free(numbers);
    free(symbols);
    return status;
}

static tac_status feed_monitor(struct run_recorder *recorder, int64_t covered, tac_error *err)
{
    tac_status status = TAC_OK;
    bool fed = false;
    while (status == TAC_OK && recorder->property_count &&
           timeline_next(&recorder->shown, recorder_list(recorder), covered)) {
        status = feed_state(recorder, err);
        fed = true;
    }
    if (status == TAC_OK && fed)
        look_for_violation(recorder);
    return status;
}

tac_status recorder_finish(struct run_recorder *recorder, tac_error *err)
{
    return feed_monitor(recorder, INT64_MAX, err);
}

void recorder_judge(struct run_recorder *recorder, bool cut)
{
    tac_error ignored; /* missing variables were refused before the run */
    recorder->judge.end = cut ? JUDGE_CUT : JUDGE_WHOLE;
    if (recorder->property_count)
        judge_finish(&recorder->judge, NULL, &ignored);
}

int64_t recorder_events(const struct run_recorder *recorder, uint64_t state)
{
    struct timeline states;
    int64_t events = 0;
    recorder_start_timeline(recorder, &states);
    for (uint64_t i = 0; i <= state && timeline_next(&states, recorder_list(recorder), INT64_MAX);
         i++)
        events += states.event != TAC_TRACE_NO_SYMBOL;
    timeline_free(&states);
    return events;
}

static uint32_t event_symbol(struct run_recorder *recorder, size_t member, const char *event)
{
    if (!event)
        return TAC_TRACE_NO_SYMBOL;
    if (recorder->party_count == 1)
        return tac_names_intern(&recorder->symbols, event);
    char *name = tac_format("%s:%s", recorder->team->members[member].name, event);
    uint32_t symbol = tac_names_intern(&recorder->symbols, name);
    free(name);
    return symbol;
}

tac_status recorder_add(struct run_recorder *recorder, struct run_moment when, size_t member,
                        const char *event, tac_error *err)
{
    struct record record = {.moment = when, .event = event_symbol(recorder, member, event)};
    tac_vec_push(&recorder->records, record);
    tac_vec_append(&recorder->places, recorder->current_places, recorder_place_count(recorder));
    tac_vec_append(&recorder->numbers, recorder->current, recorder->probe_count);
    return feed_monitor(recorder, probe_set_covered(recorder->probes), err);
}

void recorder_looked(struct run_recorder *recorder)
{
    size_t count = recorder_place_count(recorder);
    if (!recorder->looked_places)
        recorder->looked_places = tac_calloc(count, sizeof *recorder->looked_places);
    memcpy(recorder->looked_places, recorder->current_places,
           count * sizeof *recorder->looked_places);
    uint32_t *end = recorder->looked_places + count;
    if (!recorder->acting)
        return;
    end[-3] = end[-2] = TAC_TRACE_NO_SYMBOL;
    end[-1] = tac_names_intern(&recorder->symbols, "0");
}

tac_status recorder_add_announced(struct run_recorder *recorder, struct run_moment when,
                                  size_t member, const char *event, tac_error *err)
{
    uint32_t *current = recorder->current_places;
    if (recorder->looked_places)
        recorder->current_places = recorder->looked_places;
    tac_status status = recorder_add(recorder, when, member, event, err);
    recorder->current_places = current;
    return status;
}

void recorder_free(struct run_recorder *recorder)
{
    free(recorder->observed_numbers);
    judge_free(&recorder->judge);
    timeline_free(&recorder->shown);
    tac_names_free(&recorder->symbols);
    tac_names_free(&recorder->variable_names);
    tac_vec_free(&recorder->records);
    tac_vec_free(&recorder->places);
    tac_vec_free(&recorder->numbers);
    free(recorder->current);
    free(recorder->current_places);
    free(recorder->looked_places);
    free(recorder->variables);
}
