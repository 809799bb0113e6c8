/* The variables of a run's trace: which there are, and where each is kept. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "run/actions/file.h"
#include "run/recorder_parts.h"
#include <math.h>
#include <string.h>

enum { MOST_PER_PARTY = 5 };

size_t recorder_first_probe(const struct run_recorder *recorder)
{
    return FIRST_PARTY + recorder->per_party * recorder->party_count;
}

size_t recorder_place_count(const struct run_recorder *recorder)
{
    return recorder->per_party * recorder->party_count + recorder->observed_count;
}

size_t recorder_first_observed(const struct run_recorder *recorder)
{
    return recorder_first_probe(recorder) + recorder->probe_count;
}

bool recorder_is_number(const struct run_recorder *recorder, size_t observed)
{
    return recorder->variables[recorder_first_observed(recorder) + observed].kind == TAC_CONTINUOUS;
}

double recorder_number_at(const struct run_recorder *recorder, uint32_t symbol)
{
    double number = NAN;
    if (symbol != TAC_TRACE_NO_SYMBOL)
        tac_parse_double(recorder->symbols.text[symbol], &number);
    return number;
}

char *recorder_prefix(const struct run_team *team, size_t member)
{
    return team->count > 1 ? tac_format("%s.", team->members[member].name) : tac_strdup("");
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

void recorder_place_parties(struct run_recorder *recorder, const struct run_team *team)
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

static void declare_observed(struct run_recorder *recorder, const struct recorder_options *options)
{
    static const tac_trace_variable chosen[CHOSEN] = {
        {.name = "typed", .unit = "", .type = TAC_VALUE_TEXT},
        {.name = "target", .unit = "", .type = TAC_VALUE_TEXT},
        {.name = "abandoned", .unit = "", .kind = TAC_CONTINUOUS}};
    for (size_t i = 0; i < recorder->observed_count; i++)
        recorder->variables[recorder_first_observed(recorder) + i] =
            i < options->observable_count ? tac_observable_variable(&options->observables[i])
                                          : chosen[i - options->observable_count];
}

static void declare_members(struct run_recorder *recorder, const char *place_name)
{
    const struct run_team *team = recorder->team;
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
}

void recorder_declare(struct run_recorder *recorder, const struct recorder_options *options)
{
    size_t probes = recorder_first_probe(recorder);
    recorder->variable_count = probes + recorder->probe_count + recorder->observed_count;
    recorder->variables = tac_calloc(recorder->variable_count, sizeof *recorder->variables);
    recorder->variables[EVENT] = (tac_trace_variable){.name = "event", .unit = ""};
    declare_members(recorder, options->place_name);
    for (size_t i = 0; i < recorder->probe_count; i++)
        recorder->variables[probes + i] =
            (tac_trace_variable){.name = recorder->probes->columns.at[i].name,
                                 .unit = recorder->probes->columns.at[i].unit,
                                 .kind = TAC_CONTINUOUS};
    declare_observed(recorder, options);
}

/* In a property the name would be the variable, and the action's event could not be told. */
static tac_status refuse_taken_actions(const struct run_recorder *recorder,
                                       const struct action_file *file, tac_error *err)
{
    size_t first = recorder_first_observed(recorder);
    for (size_t i = 0; file && i < file->actions.count; i++)
        for (size_t k = 0; k < first; k++)
            if (!strcmp(recorder->variables[k].name, file->actions.at[i].name))
                return tac_fail_at(
                    err, TAC_E_INPUT, file->name, file->actions.at[i].line, 0,
                    "'%s' is recorded by every run here; give the action another name",
                    file->actions.at[i].name);
    return TAC_OK;
}

tac_status recorder_refuse_taken_names(const struct run_recorder *recorder,
                                       const struct recorder_options *options, tac_error *err)
{
    size_t first = recorder_first_observed(recorder);
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
    return refuse_taken_actions(recorder, options->actions, err);
}
