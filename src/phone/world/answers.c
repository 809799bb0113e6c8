/* What the built-in phone says when it is asked: the screen in front, the back stack, measured
 * values, its clock, its log, the crash. */
#include "base/data/text.h"
#include "phone/world/phone.h"
#include <math.h>
#include <time.h>

tac_status sim_foreground(tac_device *device, double deadline, tac_foreground *out, tac_error *err)
{
    struct sim *s = sim_of(device);
    tac_status st = sim_begin(s, "foreground activity", deadline, err);
    if (st)
        return st;
    const struct sim_instance *top = sim_top(s);
    tac_foreground f = {.package = SIM_LAUNCHER,
                        .activity = "Launcher",
                        .running = s->running,
                        .keyboard = s->keyboard};
    if (top && !s->background) {
        f.package = s->app->package;
        f.activity = s->app->activities.at[top->activity].name;
        f.depth = (uint32_t)s->stack.count;
        f.instance = top->id;
    }
    if (s->external_package) {
        f.package = s->external_package;
        f.activity = s->external_activity;
        f.depth = 0;
        f.instance = 0;
    }
    if (s->asking) {
        f.package = SIM_PERMISSIONS;
        f.activity = "GrantPermissionsActivity";
    }
    if (s->no_stack) {
        f.depth = 0;
        f.instance = 0;
    }
    *out = f;
    return TAC_OK;
}

tac_status sim_take_screenshot(tac_device *device, double deadline, unsigned char **data,
                               size_t *size, tac_error *err)
{
    tac_status st = sim_begin(sim_of(device), "screenshot", deadline, err);
    if (!st)
        *data = sim_screenshot(sim_of(device), size);
    return st;
}

static const tac_probe probe_list[] = {
    {"rxData", "B", true},  {"txData", "B", true},        {"retransmitted", "B", true},
    {"energy", "J", true},  {"power", "W", false},        {"heap", "B", false},
    {"cpuTime", "s", true}, {"responseTime", "s", false}, {"stalls", "", true},
    {"rate", "bps", false}, {"rateUp", "bps", false},     {"delay", "s", false},
    {"loss", "", false}};
enum { NETWORK_PROBES = 4 }; /* the last ones: only in a scenario */

const tac_probe *sim_probes(tac_device *device, size_t *count)
{
    bool all = sim_of(device)->link.asked;
    *count = sizeof probe_list / sizeof *probe_list - (all ? 0 : NETWORK_PROBES);
    return probe_list;
}

double sim_power(const struct sim *s)
{
    const struct sim_resources *r = &s->app->resources;
    double watts = r->base_watts + (s->background ? 0 : r->screen_watts);
    if (s->media.state == SIM_PLAYING && !s->media.stalled)
        watts += r->audio_watts + r->cpu_media * r->cpu_watts;
    if (s->link.next < INFINITY)
        watts += r->radio_watts;
    else if (s->now < s->link.quiet_since + r->tail_seconds)
        watts += r->tail_watts;
    return watts;
}

bool sim_network(tac_device *device, tac_network_state *out)
{
    struct sim *s = sim_of(device);
    double since = s->now - s->link.origin;
    size_t cursor = s->link.cursor;
    const struct segment *now = scenario_at(s->link.scenario, since, &cursor);
    *out = (tac_network_state){.segment = now->name,
                               .down = now->down.rate,
                               .up = now->up.rate,
                               .delay = now->down.delay,
                               .up_delay = now->up.delay,
                               .loss = now->down.loss,
                               .up_loss = now->up.loss,
                               .since = since,
                               .down_count = {.bytes = (uint64_t)s->link.rx},
                               .up_count = {.bytes = (uint64_t)s->link.tx}};
    return s->link.asked;
}

tac_status sim_measure(tac_device *device, double deadline, double *values, int64_t *time,
                       tac_error *err)
{
    struct sim *s = sim_of(device);
    tac_status st = sim_begin(s, "measure", deadline, err);
    if (st)
        return st;
    tac_network_state net = {0};
    sim_network(device, &net);
    const double readings[] = {
        s->link.rx, s->link.tx,  s->link.again,           s->energy, sim_power(s), s->heap,
        s->cpu,     s->response, (double)s->media.stalls, net.down,  net.up,       net.delay,
        net.loss};
    size_t count;
    sim_probes(device, &count);
    memcpy(values, readings, count * sizeof *readings);
    *time = sim_clock(s, s->now);
    return TAC_OK;
}

tac_status sim_read_clock(tac_device *device, tac_clock_reading *out, tac_error *err)
{
    struct sim *s = sim_of(device);
    tac_status st = sim_begin(s, "clock", device->deadline, err);
    if (st)
        return st;
    int64_t host = SIM_EPOCH + (int64_t)llround(s->now * 1e9);
    if (s->realtime)
        host = tac_clock(CLOCK_REALTIME);
    *out = (tac_clock_reading){sim_clock(s, s->now), host - 500000, host + 500000};
    return TAC_OK;
}

tac_status sim_read_log(tac_device *device, tac_log_line *out, bool *more, tac_error *err)
{
    (void)err;
    *more = sim_log_next(sim_of(device), out);
    return TAC_OK;
}

tac_status sim_read_crash(tac_device *device, tac_crash *out, tac_error *err)
{
    (void)err;
    const struct sim *s = sim_of(device);
    *out = (tac_crash){.crashed = s->crash != NULL, .exception = "", .message = ""};
    if (s->crash) {
        out->exception = s->crash->exception;
        out->message = s->crash->message;
        out->stack = s->crash->stack;
        out->stack_count = s->crash->stack_count;
        out->time = sim_clock(s, s->crash_time);
    }
    return TAC_OK;
}
