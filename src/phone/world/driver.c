/* sim: the built-in phone behind the device interface: opening it, the life of its app, and the
 * table of calls. world/input.c has what is done to it, answers.c what it says. */
#include "base/data/text.h"
#include "phone/world/exchange.h"
#include <math.h>

void sim_live_on(struct sim *s)
{
    sim_exchange_collect(s->exchange);
    sim_catch_up(s);
}

/* Every call begins here: injected faults, and an app that has run wild. */
tac_status sim_begin(struct sim *s, const char *step, double deadline, tac_error *err)
{
    s->calls++;
    sim_live_on(s);
    if (s->die_at && s->calls >= s->die_at)
        return tac_fail(err, TAC_E_DEVICE, "%s: the device is gone (sim:%s)", step, s->path);
    if (s->hang_at && s->calls >= s->hang_at) {
        s->now += deadline;
        return tac_fail(err, TAC_E_DEVICE, "%s: no answer within %g s (sim:%s)", step, deadline,
                        s->path);
    }
    return TAC_OK;
}

tac_status sim_finish(struct sim *s, const char *step, tac_error *err)
{
    if (!s->failure.status)
        return TAC_OK;
    tac_status st = tac_fail(err, s->failure.status, "%s: %s", step, s->failure.message);
    s->failure.status = TAC_OK;
    sim_stop_process(s);
    return st;
}

/* --- opening --- */

/* "hang@N,die@N,offset=SECONDS,drift=SHARE" */
static tac_status read_faults(struct sim *s, const char *faults, tac_error *err)
{
    while (faults && *faults) {
        char word[64];
        size_t n = strcspn(faults, ",");
        snprintf(word, sizeof word, "%.*s", (int)(n < 63 ? n : 63), faults);
        faults += n + (faults[n] == ',');
        uint64_t call = 0;
        bool known = true;
        if (!strncmp(word, "hang@", 5) && tac_parse_u64(word + 5, &call) && call)
            s->hang_at = call;
        else if (!strncmp(word, "die@", 4) && tac_parse_u64(word + 4, &call) && call)
            s->die_at = call;
        else if (!strcmp(word, "nostack"))
            s->no_stack = true;
        else if (!strncmp(word, "offset=", 7))
            known = tac_parse_double(word + 7, &s->clock_offset);
        else if (!strncmp(word, "drift=", 6))
            known = tac_parse_double(word + 6, &s->clock_drift);
        else
            known = false;
        if (!known)
            return tac_fail(err, TAC_E_USAGE,
                            "'%s' is not a fault of the built-in phone; the faults are hang@CALL, "
                            "die@CALL, nostack, offset=SECONDS, drift=SHARE",
                            word);
    }
    return TAC_OK;
}

static void reseed(struct sim *s, uint64_t seed)
{
    s->seed = seed;
    tac_random_seed(&s->random, seed);
    tac_random_seed(&s->link.random, seed ^ UINT64_C(0x6c696e6b));
}

static void sim_free(tac_device *device)
{
    struct sim *s = sim_of(device);
    sim_exchange_leave(s);
    sim_stop_process(s);
    tac_vec_free(&s->mail);
    for (size_t i = 0; i < s->app->process.count; i++)
        free(s->process[i].text);
    for (size_t i = 0; i < s->app->kept.count; i++)
        free(s->kept[i].text);
    free(s->process);
    free(s->kept);
    free(s->occurred);
    free(s->progress);
    for (size_t i = s->log_head; i < s->log.count; i++)
        free(s->log.at[i].message);
    free(s->log_text);
    free(s->log_message);
    tac_vec_free(&s->log);
    tac_vec_free(&s->stack);
    tac_vec_free(&s->granted);
    tac_vec_free(&s->timers);
    tac_vec_free(&s->history);
    tac_vec_free(&s->link.queue);
    tac_vec_free(&s->drawn_widget);
    tac_vec_free(&s->drawn_item);
    scenario_free(s->link.scenario);
    tac_ui_free(s->ui);
    sim_app_free(s->app);
    free(s->path);
    free(s);
}

static void clear_data(struct sim *s)
{
    for (size_t i = 0; i < s->app->kept.count; i++)
        sim_slot_set(&s->kept[i], s->app->kept.at[i].initial);
    s->granted.count = 0;
    s->rotation = 0;
    s->link.online = true;
    s->link.quiet_since = -1e9; /* what ran before shall not cost anything now */
}

tac_status sim_attach(tac_device *device, struct sim_app *app, const char *path,
                      const tac_device_options *options, tac_error *err)
{
    struct scenario *network = NULL;
    tac_status st = scenario_open(options->scenario ? options->scenario : "ideal", &network, err);
    if (st) {
        sim_app_free(app);
        return st;
    }
    struct sim *s = tac_calloc(1, sizeof *s);
    device->state = s;
    s->app = app;
    s->link.asked = options->scenario != NULL;
    s->path = tac_strdup(path);
    s->realtime = options->realtime;
    s->origin = tac_now();
    s->process = tac_calloc(app->process.count + 1, sizeof *s->process);
    s->kept = tac_calloc(app->kept.count + 1, sizeof *s->kept);
    const char *const *events = tac_system_events();
    for (size_t i = 0; events[i]; i++)
        sim_label(app, events[i]);
    sim_label(app, "back");
    sim_label(app, "home");
    s->occurred = tac_calloc(app->labels.count + 1, sizeof *s->occurred);
    s->progress = tac_calloc(app->crashes.count + 1, sizeof *s->progress);
    s->ui = tac_ui_new(0);
    s->link.scenario = network;
    s->link.next = INFINITY;
    s->link.quiet_since = -1e9;
    reseed(s, options->seed ? options->seed : 1);
    clear_data(s);
    st = read_faults(s, options->faults, err);
    if (st)
        sim_free(device);
    else
        sim_exchange_join(options->exchange, s);
    return st;
}

/* "sim:FILE#ACTIVITY": a launch opens this activity instead of the app's main one. */
static tac_status choose_main(struct sim_app *app, const char *path, const char *name,
                              tac_error *err)
{
    uint32_t activity = sim_find_activity(app, name);
    if (activity != SIM_NONE) {
        app->main_activity = activity;
        return TAC_OK;
    }
    tac_status st =
        tac_fail(err, TAC_E_USAGE, "sim:%s#%s: the app has no activity '%s'", path, name, name);
    sim_app_free(app);
    return st;
}

static tac_status sim_open(tac_device *device, const char *rest, const tac_device_options *options,
                           tac_error *err)
{
    if (!*rest)
        return tac_fail(err, TAC_E_USAGE,
                        "sim: needs an app file, for example sim:examples/apps/player.json");
    struct sim_app *app = NULL;
    const char *hash = strrchr(rest, '#');
    char *path = tac_strndup(rest, hash ? (size_t)(hash - rest) : strlen(rest));
    tac_status st = sim_app_load(path, &app, err);
    if (!st && hash)
        st = choose_main(app, path, hash + 1, err);
    if (!st)
        st = sim_attach(device, app, path, options, err);
    free(path);
    return st;
}

static tac_status sim_describe(tac_device *device, tac_device_info *out, tac_error *err)
{
    struct sim *s = sim_of(device);
    tac_status st = sim_begin(s, "describe", device->deadline, err);
    if (!st)
        *out = (tac_device_info){.name = s->app->device_name,
                                 .serial = s->app->serial,
                                 .system = "built-in phone",
                                 .app_name = s->app->name,
                                 .app_code = s->app->code,
                                 .package = s->app->package,
                                 .virtual_time = !s->realtime};
    return st;
}

/* --- the app's life --- */

static tac_status sim_install(tac_device *device, const char *file, double deadline, tac_error *err)
{
    (void)file; /* the app is the one of the URI */
    return sim_begin(sim_of(device), "install", deadline, err);
}

/* Until the last input has been handled and no system event has changed the screen for a while. */
tac_status sim_rest(struct sim *s, const char *step, double deadline, tac_error *err)
{
    const double rest = 0.1;
    double start = s->now, limit = start + deadline;
    double until = fmax(s->busy_until, s->now);
    for (;;) {
        sim_advance(s, fmin(until, limit));
        if (s->failure.status)
            return sim_finish(s, step, err);
        double wanted = fmax(s->busy_until, s->changed > start ? s->changed + rest : s->now);
        if (wanted <= s->now)
            break;
        if (s->now >= limit)
            return tac_fail(err, TAC_E_DEVICE,
                            "%s: the screen did not come to rest within %g s; system events keep "
                            "changing it",
                            step, deadline);
        until = wanted;
    }
    s->response = s->now - start;
    return TAC_OK;
}

static tac_status sim_launch(tac_device *device, double deadline, tac_error *err)
{
    struct sim *s = sim_of(device);
    tac_status st = sim_begin(s, "launch", deadline, err);
    if (st)
        return st;
    if (s->running && s->stack.count) {
        s->background = false;
        s->external_package = NULL;
        sim_touch(s);
        return sim_rest(s, "launch", deadline, err);
    }
    if (s->running)
        sim_stop_process(s);
    s->link.origin = s->now;
    s->link.cursor = 0;
    sim_start_process(s);
    return sim_rest(s, "launch", deadline, err);
}

static tac_status sim_close(tac_device *device, double deadline, tac_error *err)
{
    struct sim *s = sim_of(device);
    tac_status st = sim_begin(s, "close", deadline, err);
    if (!st)
        sim_stop_process(s);
    return st;
}

static tac_status sim_reset(tac_device *device, uint64_t seed, double deadline, tac_error *err)
{
    struct sim *s = sim_of(device);
    tac_status st = sim_begin(s, "reset", deadline, err);
    if (st)
        return st;
    sim_stop_process(s);
    s->crash = NULL;
    clear_data(s);
    if (seed)
        reseed(s, seed);
    return TAC_OK;
}

/* Everything but the app, its scenario and injected faults is as when the phone was opened. */
static tac_status sim_power_cycle(tac_device *device, tac_error *err)
{
    struct sim *s = sim_of(device);
    (void)err;
    if (s->realtime)
        return TAC_OK;
    sim_stop_process(s);
    clear_data(s);
    for (size_t i = s->log_head; i < s->log.count; i++)
        free(s->log.at[i].message);
    s->log.count = s->log_head = 0;
    s->now = s->busy_until = s->changed = 0;
    s->next_instance = s->next_order = 0;
    s->history.count = s->arrived_count = 0;
    s->energy = s->cpu = s->heap = s->response = 0;
    s->link.origin = s->link.rx = s->link.tx = s->link.again = 0;
    s->link.cursor = 0;
    s->link.window = s->link.sent = s->link.arrived = s->link.in_order = 0;
    s->link.requesting = false;
    s->crash = NULL;
    s->failure = (tac_error){0};
    reseed(s, s->seed);
    return TAC_OK;
}

static tac_status sim_scenario(tac_device *device, const char *name_or_file, tac_error *err)
{
    struct sim *s = sim_of(device);
    struct scenario *network = NULL;
    tac_status st = scenario_open(name_or_file, &network, err);
    if (st)
        return st;
    scenario_free(s->link.scenario);
    s->link.scenario = network;
    s->link.cursor = 0;
    s->link.asked = true;
    return TAC_OK;
}

const struct device_driver sim_driver = {
    .scheme = "sim",
    .open = sim_open,
    .free = sim_free,
    .describe = sim_describe,
    .install = sim_install,
    .launch = sim_launch,
    .close = sim_close,
    .reset = sim_reset,
    .power_cycle = sim_power_cycle,
    .snapshot = sim_snapshot,
    .perform = sim_perform,
    .has_key = sim_has_key,
    .system = sim_system,
    .settle = sim_settle,
    .sleep = sim_sleep,
    .wait_change = sim_wait_change,
    .foreground = sim_foreground,
    .screenshot = sim_take_screenshot,
    .probes = sim_probes,
    .measure = sim_measure,
    .clock = sim_read_clock,
    .log = sim_read_log,
    .crash = sim_read_crash,
    .scenario = sim_scenario,
    .network = sim_network,
};
