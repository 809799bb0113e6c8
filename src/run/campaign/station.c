/* What workers have open from run to run, and how a run begins on it. See station.h. */
#include "run/campaign/station.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/io/json.h"
#include "run/actions/file.h"
#include <string.h>

tac_status station_open(struct worker_station *station, tac_error *err)
{
    const tac_run_options *options = station->campaign->options;
    tac_status status = TAC_OK;
    if (!station->team.count) {
        status = campaign_open_team(station->campaign, station->worker,
                                    station->missed ? TEAM_MISSED : TEAM_USED, &station->team, err);
        station->missed = status != TAC_OK;
    }
    if (status == TAC_OK)
        status = instrument_set_open(&station->instruments, options->probes, options->probe_count,
                                     campaign_deadline(options), err);
    return status;
}

void station_close(struct worker_station *station)
{
    instrument_set_close(&station->instruments);
    run_team_close(&station->team);
}

struct run_context station_context(struct worker_station *station, uint64_t seed)
{
    const tac_run_options *options = station->campaign->options;
    return (struct run_context){.options = options,
                                .team = &station->team,
                                .instruments = &station->instruments,
                                .patterns = station->campaign->patterns,
                                .seed = seed,
                                .sample = options->sample > 0 ? options->sample : 1,
                                .think = options->think > 0 ? options->think : 1,
                                .deadline = campaign_deadline(options),
                                .rest = campaign_deadline(options)};
}

json_t *station_failure(const tac_error *err)
{
    return json_pack("{s:i,s:o,s:I,s:I,s:o}", "status", (int)err->status, "file",
                     tac_json_string(err->file), "line", (json_int_t)err->line, "column",
                     (json_int_t)err->column, "error", tac_json_string(err->message));
}

/* What is read from every screen: the properties' observables, then those of the guards. */
static void gather_observables(const struct run_campaign *campaign, struct run_context *context)
{
    size_t properties = campaign->properties ? tac_property_observables(campaign->properties) : 0;
    size_t guards = campaign->actions ? campaign->actions->observables.count : 0;
    tac_observable *list = tac_calloc(properties + guards + 1, sizeof *list);
    for (size_t i = 0; i < properties; i++)
        list[i] = *tac_property_observable(campaign->properties, i);
    for (size_t i = 0; i < guards; i++)
        list[properties + i] = campaign->actions->observables.at[i];
    context->observables = list;
    context->observable_count = properties + guards;
    context->recorded_count = properties;
    context->readings = tac_calloc(properties + guards + 1, sizeof *context->readings);
    context->actions = campaign->actions;
    context->model = campaign->options->conform ? campaign->model : NULL;
    context->expecting = campaign->model;
    context->expectations = campaign->expectations;
    context->observes = properties > 0 || campaign->actions;
    assert(!context->observes || context->team->count == 1); /* it was refused before */
}

/* What a run calls where it is: in runs of flows the model's state, unless the properties call so
 * what they observe, which they may in random runs, whose ways are then played as flows. */
static const char *name_of_place(const tac_run_options *options, const struct run_context *context)
{
    if (options->monkey && !options->adaptive)
        return "screen";
    for (size_t i = 0; i < context->recorded_count; i++)
        if (!strcmp(context->observables[i].name, "state"))
            return "screen";
    return "state";
}

/* The probes of every device, and what they are recorded into. */
tac_status station_start_recording(const struct run_campaign *campaign, struct run_context *context,
                                   const char *name, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < context->team->count && status == TAC_OK; i++) {
        char *prefix = recorder_prefix(context->team, i);
        status =
            probe_set_add_device(&context->probes, context->team->members[i].device, prefix,
                                 (struct probe_choice){options->probes, options->probe_count}, err);
        free(prefix);
    }
    if (status != TAC_OK)
        return status;
    for (size_t i = 0; i < context->instruments->count; i++)
        probe_set_add_instrument(&context->probes, context->instruments->at[i]);
    gather_observables(campaign, context);
    struct recorder_options recording = {.place_name = name_of_place(options, context),
                                         .properties = campaign->properties,
                                         .property_file = options->properties,
                                         .watch_alarms = options->stop_on_violation,
                                         .name = name,
                                         .observables = context->observables,
                                         .observable_count = context->recorded_count,
                                         .acting = context->observes,
                                         .actions = context->actions};
    return recorder_start(&context->recorder, context->team, &context->probes, &recording, err);
}

/* An app that did not answer in time while it was started says nothing of the run, which has not
 * begun: it is begun once more, and then it is the device that failed. */
static tac_status not_ready(tac_error *err)
{
    if (!err)
        return TAC_E_DEVICE;
    tac_error late = *err;
    return tac_fail_at(err, TAC_E_DEVICE, late.file, late.line, late.column, "%s", late.message);
}

static tac_status prepare(const struct run_campaign *campaign, struct run_context *context,
                          const char *text, tac_error *err)
{
    struct run_team *team = context->team;
    tac_status status = campaign_set_scenario(campaign, team, text, err);
    for (size_t i = 0; i < team->count && status == TAC_OK; i++) {
        tac_device *device = team->members[i].device;
        team->members[i].start = 0;
        status = tac_device_power_cycle(device, err);
        if (status == TAC_OK)
            status = tac_device_reset(device, i ? tac_hash_u64(context->seed + i) : context->seed,
                                      0, err);
    }
    if (status == TAC_OK)
        status = run_team_align(team, err);
    if (status == TAC_OK)
        status = probe_set_start(&context->probes, err);
    for (size_t i = 0; i < team->count && status == TAC_OK; i++) {
        struct run_clock *clock = &context->probes.sources.at[i].clock;
        if (team->members[i].virtual_time == team->members[0].virtual_time)
            clock->start = context->probes.sources.at[0].clock.start;
        team->members[i].start = clock->start;
    }
    for (size_t i = 0; i < team->count && status == TAC_OK; i++) {
        status = tac_device_launch(team->members[i].device, 0, err);
        if (status == TAC_OK)
            status = run_team_align(team, err);
    }
    return status;
}

/* The scenario, switched on anew, fresh data, clocks read, apps launched: every device stands at
 * its start. */
tac_status station_prepare(const struct run_campaign *campaign, struct run_context *context,
                           const char *text, tac_error *err)
{
    tac_status status = prepare(campaign, context, text, err);
    if (status == TAC_E_LIMIT)
        status = prepare(campaign, context, text, err);
    return status == TAC_E_LIMIT ? not_ready(err) : status;
}
