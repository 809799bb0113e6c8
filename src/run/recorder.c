/* Recording one run. See recorder.h. */
#include "run/recorder.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/output.h"
#include <math.h>
#include <string.h>

/* Variables: the event, some per member, then the probes. */
enum { EVENT, FIRST_PARTY };
enum { ACTIVITY, PLACE, MORE, MOST_PER_PARTY = 5 };

static size_t first_probe(const struct run_recorder *recorder)
{
    return FIRST_PARTY + recorder->per_party * recorder->party_count;
}

char *recorder_prefix(const struct run_team *team, size_t member)
{
    return team->count > 1 ? tac_format("%s.", team->members[member].name) : tac_strdup("");
}

/* Observables are kept as places, numbers by their text; typed, target and abandoned stand behind
 * them. */
enum { CHOSEN = 3 };

static size_t place_count(const struct run_recorder *recorder)
{
    return recorder->per_party * recorder->party_count + recorder->observed_count;
}

static size_t first_observed(const struct run_recorder *recorder)
{
    return first_probe(recorder) + recorder->probe_count;
}

static void declare_observed(struct run_recorder *recorder, const struct recorder_options *options)
{
    static const tac_trace_variable chosen[CHOSEN] = {
        {.name = "typed", .unit = "", .type = TAC_VALUE_TEXT},
        {.name = "target", .unit = "", .type = TAC_VALUE_TEXT},
        {.name = "abandoned", .unit = "", .kind = TAC_CONTINUOUS}};
    for (size_t i = 0; i < recorder->observed_count; i++)
        recorder->variables[first_observed(recorder) + i] =
            i < options->observable_count ? tac_observable_variable(&options->observables[i])
                                          : chosen[i - options->observable_count];
}

static void declare_variables(struct run_recorder *recorder, const struct run_team *team,
                              const char *place_name)
{
    size_t probes = first_probe(recorder);
    recorder->variable_count = probes + recorder->probe_count + recorder->observed_count;
    recorder->variables = tac_calloc(recorder->variable_count, sizeof *recorder->variables);
    recorder->variables[EVENT] = (tac_trace_variable){.name = "event", .unit = ""};
    for (size_t i = 0; i < team->count; i++) {
        char *prefix = recorder_prefix(team, i);
        const char *names[MOST_PER_PARTY] = {"activity", place_name};
        if (recorder->segment_at)
            names[recorder->segment_at] = "segment";
        if (recorder->radio_at) {
            names[recorder->radio_at] = "networkType";
            names[recorder->radio_at + 1] = "cell";
        }
        for (size_t k = 0; k < recorder->per_party; k++) {
            char *name = tac_format("%s%s", prefix, names[k]);
            uint32_t id = tac_names_intern(&recorder->variable_names, name);
            recorder->variables[FIRST_PARTY + recorder->per_party * i + k] =
                (tac_trace_variable){.name = recorder->variable_names.text[id], .unit = ""};
            free(name);
        }
        free(prefix);
    }
    for (size_t i = 0; i < recorder->probe_count; i++)
        recorder->variables[probes + i] =
            (tac_trace_variable){.name = recorder->probes->columns.at[i].name,
                                 .unit = recorder->probes->columns.at[i].unit,
                                 .kind = TAC_CONTINUOUS};
}

/* What is observed must not have the name of what the run itself records. */
static tac_status refuse_taken_names(const struct run_recorder *recorder,
                                     const struct recorder_options *options, tac_error *err)
{
    size_t first = first_observed(recorder);
    for (size_t i = 0; i < options->observable_count; i++)
        for (size_t k = 0; k < recorder->variable_count; k++) {
            bool observed = k >= first && k < first + options->observable_count;
            if (observed || strcmp(recorder->variables[k].name, options->observables[i].name) != 0)
                continue;
            return tac_fail_at(
                err, TAC_E_INPUT, options->property_file ? options->property_file : "",
                options->properties ? tac_property_observable_line(options->properties, i) : 0, 0,
                "'%s' is recorded by every run here; give what is observed another name",
                options->observables[i].name);
        }
    return TAC_OK;
}

/* A property on what these devices do not measure is refused before anything is done, by the check
 * that ends a trace. */
static tac_status refuse_missing_variables(struct run_recorder *recorder, tac_error *err)
{
    tac_monitor_schema schema = {.variables = recorder->variables,
                                 .variable_count = recorder->variable_count};
    tac_status status = tac_monitor_finish(recorder->monitor, &schema, err);
    tac_monitor_reset(recorder->monitor);
    return status;
}

static void start_timeline(const struct run_recorder *recorder, struct timeline *states)
{
    timeline_start(states, recorder->probes, place_count(recorder));
}

static bool in_scenario(const struct run_team *team)
{
    tac_network_state network;
    bool any = false;
    for (size_t i = 0; i < team->count; i++)
        any |= tac_device_network(team->members[i].device, &network);
    return any;
}

static bool has_radio(const struct run_team *team)
{
    tac_radio radio;
    bool any = false;
    for (size_t i = 0; i < team->count; i++)
        any |= tac_device_radio(team->members[i].device, &radio);
    return any;
}

/* Which variables each member has besides where it is. */
static void place_parties(struct run_recorder *recorder, const struct run_team *team)
{
    recorder->per_party = MORE;
    if (in_scenario(team))
        recorder->segment_at = recorder->per_party++;
    if (has_radio(team)) {
        recorder->radio_at = recorder->per_party;
        recorder->per_party += 2;
    }
    assert(recorder->per_party <= MOST_PER_PARTY);
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
    place_parties(recorder, team);
    recorder->current_places = tac_calloc(place_count(recorder), sizeof(uint32_t));
    for (size_t i = 0; i < place_count(recorder); i++)
        recorder->current_places[i] = TAC_TRACE_NO_SYMBOL;
    declare_variables(recorder, team, options->place_name);
    declare_observed(recorder, options);
    recorder_abandoned(recorder, 0);
    start_timeline(recorder, &recorder->shown);
    tac_status status = refuse_taken_names(recorder, options, err);
    if (!options->properties || status != TAC_OK)
        return status;
    recorder->property_count = tac_property_count(options->properties);
    tac_monitor_options monitor = {.trace_name = options->name, .allow_missing = false};
    status = tac_monitor_new(options->properties, &monitor, &recorder->monitor, err);
    assert(status != TAC_OK || recorder->monitor);
    return status == TAC_OK ? refuse_missing_variables(recorder, err) : status;
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

static bool is_number(const struct run_recorder *recorder, size_t observed)
{
    return recorder->variables[first_observed(recorder) + observed].kind == TAC_CONTINUOUS;
}

void recorder_see(struct run_recorder *recorder, const tac_observed *values)
{
    uint32_t *places = recorder->current_places + recorder->per_party * recorder->party_count;
    size_t count = recorder->observed_count - (recorder->acting ? CHOSEN : 0);
    for (size_t i = 0; i < count; i++) {
        char number[40];
        if (values[i].missing)
            places[i] = TAC_TRACE_NO_SYMBOL;
        else if (is_number(recorder, i))
            places[i] = tac_names_intern(&recorder->symbols,
                                         tac_double_text(values[i].number, number, sizeof number));
        else
            places[i] = tac_names_intern(&recorder->symbols, values[i].text);
    }
}

void recorder_chose(struct run_recorder *recorder, const char *typed, const char *target)
{
    uint32_t *end = recorder->current_places + place_count(recorder);
    if (!recorder->acting)
        return;
    end[-3] = typed ? tac_names_intern(&recorder->symbols, typed) : TAC_TRACE_NO_SYMBOL;
    end[-2] = target ? tac_names_intern(&recorder->symbols, target) : TAC_TRACE_NO_SYMBOL;
}

void recorder_abandoned(struct run_recorder *recorder, double step)
{
    char number[40];
    if (recorder->acting)
        recorder->current_places[place_count(recorder) - 1] =
            tac_names_intern(&recorder->symbols, tac_double_text(step, number, sizeof number));
}

/* Of a number that is kept by its text. */
static double number_at(const struct run_recorder *recorder, uint32_t symbol)
{
    double number = NAN;
    if (symbol != TAC_TRACE_NO_SYMBOL)
        tac_parse_double(recorder->symbols.text[symbol], &number);
    return number;
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
    recorder->violated = tac_monitor_violated(recorder->monitor);
    for (size_t i = 0; i < recorder->property_count && recorder->watch_alarms; i++) {
        tac_property_result result;
        tac_monitor_result(recorder->monitor, i, false, &result);
        recorder->violated |= result.early_alarm != NULL;
    }
}

static struct record_list list_of(const struct run_recorder *recorder)
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
        recorder->observed_numbers[i] = number_at(recorder, TAC_TRACE_NO_SYMBOL);
        if (is_number(recorder, i)) {
            recorder->observed_numbers[i] = number_at(recorder, shown->places[parties + i]);
            numbers[first_observed(recorder) + i] = &recorder->observed_numbers[i];
        } else {
            symbols[first_observed(recorder) + i] = &shown->places[parties + i];
        }
    }
    for (size_t i = 0; i < recorder->probe_count; i++)
        numbers[first_probe(recorder) + i] = &shown->numbers[i];
    tac_trace_block block = {.count = 1,
                             .first = recorder->shown_count++,
                             .time = &shown->time,
                             .numbers = numbers,
                             .symbols = symbols};
    tac_monitor_schema schema = {.variables = recorder->variables,
                                 .variable_count = recorder->variable_count,
                                 .symbols = recorder->symbols.text,
                                 .symbol_count = recorder->symbols.count};
    tac_status status = tac_monitor_feed(recorder->monitor, &schema, &block, err);
    free(numbers);
    free(symbols);
    return status;
}

static tac_status feed_monitor(struct run_recorder *recorder, int64_t covered, tac_error *err)
{
    tac_status status = TAC_OK;
    bool fed = false;
    while (status == TAC_OK && recorder->monitor &&
           timeline_next(&recorder->shown, list_of(recorder), covered)) {
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

int64_t recorder_events(const struct run_recorder *recorder, uint64_t state)
{
    struct timeline states;
    int64_t events = 0;
    start_timeline(recorder, &states);
    for (uint64_t i = 0; i <= state && timeline_next(&states, list_of(recorder), INT64_MAX); i++)
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
    tac_vec_append(&recorder->places, recorder->current_places, place_count(recorder));
    tac_vec_append(&recorder->numbers, recorder->current, recorder->probe_count);
    return feed_monitor(recorder, probe_set_covered(recorder->probes), err);
}

/* What was observed; what is no longer there ends. */
static void write_observed(const struct run_recorder *recorder, const uint32_t *now,
                           const uint32_t *before, tac_trace_writer *writer)
{
    for (size_t i = 0; i < recorder->observed_count; i++) {
        size_t variable = first_observed(recorder) + i;
        if (now[i] == before[i])
            continue;
        if (now[i] == TAC_TRACE_NO_SYMBOL)
            tac_trace_writer_missing(writer, variable);
        else if (is_number(recorder, i))
            tac_trace_writer_number(writer, variable, number_at(recorder, now[i]));
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
            tac_trace_writer_number(writer, first_probe(recorder) + i, now->numbers[i]);
    if (now->place_count)
        memcpy(places, now->places, now->place_count * sizeof *places);
    if (recorder->probe_count)
        memcpy(numbers, now->numbers, recorder->probe_count * sizeof *numbers);
}

static tac_status write_states(const struct run_recorder *recorder, tac_trace_writer *writer,
                               tac_error *err)
{
    struct timeline states, before; /* before: only its values are used */
    start_timeline(recorder, &states);
    start_timeline(recorder, &before);
    tac_status status = TAC_OK;
    while (status == TAC_OK && timeline_next(&states, list_of(recorder), INT64_MAX)) {
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

void recorder_free(struct run_recorder *recorder)
{
    free(recorder->observed_numbers);
    tac_monitor_free(recorder->monitor);
    timeline_free(&recorder->shown);
    tac_names_free(&recorder->symbols);
    tac_names_free(&recorder->variable_names);
    tac_vec_free(&recorder->records);
    tac_vec_free(&recorder->places);
    tac_vec_free(&recorder->numbers);
    free(recorder->current);
    free(recorder->current_places);
    free(recorder->variables);
}
