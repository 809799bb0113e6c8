/* Devices that share a run. See team.h. */
#include "run/team.h"
#include "base/data/alloc.h"
#include "phone/phone.h"
#include <math.h>
#include <string.h>

/* The longest step in which devices with virtual time move one after the other. No message takes
 * less, so what one device sends within a step is due on another only after it. */
static const double longest_step = TAC_EXCHANGE_LEAST_DELAY;

/* A phone has many apps; a built-in phone or a browser knows by its URI what it runs. */
static const char *app_of(const struct team_devices *devices, size_t member,
                          const tac_device_options *options)
{
    bool phone = !strncmp(devices->uris[member], "adb:", 4);
    return options->app || !phone || !*devices->packages[member] ? options->app
                                                                 : devices->packages[member];
}

tac_status run_team_open(struct run_team *team, const struct team_devices *devices,
                         const tac_device_options *options, tac_error *err)
{
    size_t count = devices->count;
    *team = (struct run_team){.members = tac_calloc(count, sizeof *team->members)};
    tac_device_options own = *options;
    tac_status status = TAC_OK;
    if (count > 1)
        status = tac_exchange_open(NULL, &team->exchange, err);
    own.exchange = team->exchange;
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        struct run_member *member = &team->members[i];
        tac_device_info info = {0};
        member->name = count > 1 ? devices->names[i] : "";
        own.app = app_of(devices, i, options);
        own.label = count > 1 ? devices->names[i] : NULL;
        status = tac_device_open(devices->uris[i], &own, &member->device, err);
        if (status != TAC_OK)
            break;
        team->count++;
        status = tac_device_describe(member->device, &info, err);
        member->virtual_time = info.virtual_time;
        member->own_process = !info.virtual_time && strncmp(devices->uris[i], "sim:", 4) != 0;
    }
    if (status != TAC_OK)
        run_team_close(team);
    return status;
}

void run_team_close(struct run_team *team)
{
    for (size_t i = 0; i < team->count; i++)
        tac_device_free(team->members[i].device);
    tac_exchange_free(team->exchange);
    free(team->members);
    *team = (struct run_team){0};
}

/* All times pass by themselves: nothing to do but wait. */
static bool all_apart(const struct run_team *team)
{
    bool apart = true;
    for (size_t i = 0; i < team->count; i++)
        apart = apart && team->members[i].own_process;
    return apart || team->count == 1;
}

static bool any_virtual(const struct run_team *team)
{
    bool any = false;
    for (size_t i = 0; i < team->count; i++)
        any |= team->members[i].virtual_time;
    return any;
}

/* Every device with virtual time, and one of the others for all of them; those that do not live by
 * themselves are called, and catch up. */
static tac_status sleep_each(const struct run_team *team, size_t except, double seconds,
                             tac_error *err)
{
    tac_status status = TAC_OK;
    bool slept = except < team->count && !team->members[except].virtual_time;
    for (size_t i = 0; i < team->count && status == TAC_OK; i++) {
        const struct run_member *member = &team->members[i];
        bool sleeps = member->virtual_time || !slept;
        if (i == except || (!sleeps && member->own_process))
            continue;
        slept |= !member->virtual_time;
        status = tac_device_sleep(member->device, sleeps ? seconds : 0, err);
    }
    return status;
}

tac_status run_team_sleep(const struct run_team *team, double seconds, tac_error *err)
{
    if (all_apart(team))
        return tac_device_sleep(team->members[0].device, seconds, err);
    double steps = ceil(seconds / longest_step);
    tac_status status = TAC_OK;
    for (double i = 0; i < steps && status == TAC_OK; i++)
        status = sleep_each(team, SIZE_MAX, seconds / steps, err);
    return status;
}

/* Before the run only virtual clocks can be compared with each other. */
static bool comparable(const struct run_member *member)
{
    return member->virtual_time || member->start;
}

tac_status run_team_align(const struct run_team *team, tac_error *err)
{
    if (team->count == 1 || !any_virtual(team))
        return TAC_OK;
    int64_t *passed = tac_calloc(team->count, sizeof *passed), most = INT64_MIN;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < team->count && status == TAC_OK; i++) {
        tac_clock_reading reading;
        status = tac_device_clock(team->members[i].device, &reading, err);
        if (status != TAC_OK)
            break;
        passed[i] = reading.host_before + (reading.host_after - reading.host_before) / 2 -
                    team->members[i].start;
        if (comparable(&team->members[i]) && passed[i] > most)
            most = passed[i];
    }
    for (size_t i = 0; i < team->count && status == TAC_OK; i++)
        if (passed[i] < most && comparable(&team->members[i]))
            status =
                tac_device_sleep(team->members[i].device, (double)(most - passed[i]) * 1e-9, err);
    free(passed);
    return status;
}

tac_status run_team_await(const struct run_team *team, size_t member, double seconds,
                          tac_arrival *out, tac_error *err)
{
    tac_device *device = team->members[member].device;
    if (team->count == 1 || team->members[member].own_process)
        return tac_device_wait_change(device, NULL, seconds, out, err);
    tac_status status = TAC_OK;
    *out = (tac_arrival){.event = ""};
    for (double left = seconds; left > 1e-9 && status == TAC_OK && !out->arrived;) {
        double step = fmin(left, longest_step);
        status = tac_device_wait_change(device, NULL, step, out, err);
        if (status == TAC_OK)
            status = out->arrived ? run_team_align(team, err) : sleep_each(team, member, step, err);
        left -= step;
    }
    return status;
}
