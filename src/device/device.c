/* Opens devices by URI and passes every call on to the driver with a deadline above 0. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "device/driver.h"
#include <math.h>
#include <string.h>

static const struct device_driver *const drivers[] = {&sim_driver, &adb_driver, &chromium_driver,
                                                      &webdriver_driver};
enum { DRIVER_COUNT = sizeof drivers / sizeof *drivers, DEFAULT_DEADLINE = 30 };

/* "sim", "adb", ...; ends with NULL. Borrowed, static. */
static const char *const *tac_device_schemes(void)
{
    static const char *const schemes[] = {"sim", "adb", "chromium", "webdriver", NULL};
    return schemes;
}

const char *const *tac_system_events(void)
{
    static const char *const events[] = {"keyboard-open",
                                         "keyboard-close",
                                         "media-play",
                                         "media-pause",
                                         "rotate",
                                         "connectivity-off",
                                         "connectivity-on",
                                         "background",
                                         "foreground",
                                         "low-memory",
                                         NULL};
    return events;
}

static tac_status unknown_scheme(const char *uri, tac_error *err)
{
    const char *const *schemes = tac_device_schemes();
    char known[256] = "";
    size_t count = 0, used = 0;
    for (; schemes[count] && used + 32 < sizeof known; count++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s:", count ? ", " : "",
                                 schemes[count]);
    char scheme[64];
    snprintf(scheme, sizeof scheme, "%.*s", (int)strcspn(uri, ":+"), uri);
    const char *near = tac_closest(scheme, schemes, count);
    if (near)
        return tac_fail(err, TAC_E_USAGE, "'%s' is not a device; did you mean '%s:'?", uri, near);
    return tac_fail(err, TAC_E_USAGE,
                    "'%s' is not a device; a device is one of %s, for example "
                    "sim:examples/apps/player.json, or the address of a page, such as "
                    "http://127.0.0.1:8000/ (short for chromium:http://127.0.0.1:8000/)",
                    uri, known);
}

/* The driver that a URI names, and where the part behind its scheme begins. A plain address of a
 * page is driven by Chromium. */
static const struct device_driver *driver_of(const char *uri, const char **rest)
{
    static const char *const pages[] = {"http://", "https://", "file://"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (!strncmp(uri, pages[i], strlen(pages[i]))) {
            *rest = uri;
            return &chromium_driver;
        }
    size_t scheme = strcspn(uri, ":+");
    for (size_t i = 0; i < DRIVER_COUNT && uri[scheme]; i++)
        if (strlen(drivers[i]->scheme) == scheme && !strncmp(drivers[i]->scheme, uri, scheme)) {
            *rest = uri + scheme + 1;
            return drivers[i];
        }
    return NULL;
}

static tac_status cannot_shape(const tac_device *device, tac_error *err)
{
    return tac_fail(err, TAC_E_USAGE,
                    "%s: the network of this device cannot be shaped from here; shape it on the "
                    "host that tethers it (docs/network.md), or do without a network scenario",
                    device->uri);
}

/* Says whose failure it is, where there are several devices. */
static tac_status labelled(const tac_device *device, tac_status status, tac_error *err)
{
    if (status == TAC_E_DEVICE && device->label && err) {
        tac_error cause = *err;
        tac_fail_at(err, status, cause.file, cause.line, cause.column, "%s: %s", device->label,
                    cause.message);
    }
    return status;
}

static tac_status open_with(const struct device_driver *driver, tac_device *device,
                            const char *rest, const tac_device_options *options, tac_error *err)
{
    device->driver = driver;
    tac_status status = driver->open(device, rest, options, err);
    if (status == TAC_OK && device->native) {
        device->driver = &appium_driver;
        status = appium_driver.open(device, rest, options, err);
    }
    return status;
}

tac_status tac_device_open(const char *uri, const tac_device_options *options, tac_device **out,
                           tac_error *err)
{
    static const tac_device_options none = {0};
    if (!options)
        options = &none;
    const char *rest = NULL;
    const struct device_driver *driver = driver_of(uri, &rest);
    if (!driver)
        return unknown_scheme(uri, err);
    tac_device *device = tac_calloc(1, sizeof *device);
    device->uri = tac_strdup(uri);
    device->deadline = options->deadline > 0 ? options->deadline : DEFAULT_DEADLINE;
    device->label = options->label ? tac_strdup(options->label) : NULL;
    tac_status st = options->scenario && !driver->scenario
                        ? cannot_shape(device, err)
                        : labelled(device, open_with(driver, device, rest, options, err), err);
    if (st) {
        free(device->label);
        free(device->uri);
        free(device);
        return st;
    }
    *out = device;
    return TAC_OK;
}

tac_status tac_device_list(const char *uri, const tac_device_options *options, char ***uris,
                           size_t *count, tac_error *err)
{
    const char *rest = NULL;
    const struct device_driver *driver = driver_of(uri, &rest);
    if (driver && driver->stands_for_all && driver->stands_for_all(rest))
        return driver->list(options && options->deadline > 0 ? options->deadline : DEFAULT_DEADLINE,
                            uris, count, err);
    *uris = tac_calloc(1, sizeof **uris);
    (*uris)[0] = tac_strdup(uri);
    *count = 1;
    return TAC_OK;
}

void tac_device_free(tac_device *device)
{
    if (!device)
        return;
    device->driver->free(device);
    free(device->label);
    free(device->uri);
    free(device);
}

const char *tac_device_uri(const tac_device *device)
{
    return device->uri;
}

static double limit(const tac_device *device, double deadline)
{
    return deadline > 0 ? deadline : device->deadline;
}

static tac_status cannot(const tac_device *device, const char *step, tac_error *err)
{
    return tac_fail(err, TAC_E_USAGE, "%s: this device cannot do '%s'", device->uri, step);
}

/* Passes a call on, or says that the device cannot. */
#define PASS(step, ...)                                                                            \
    if (!device->driver->step)                                                                     \
        return cannot(device, #step, err);                                                         \
    return labelled(device, device->driver->step(device, __VA_ARGS__), err)

tac_status tac_device_describe(tac_device *device, tac_device_info *out, tac_error *err)
{
    PASS(describe, out, err);
}

tac_status tac_device_install(tac_device *device, const char *file, double deadline, tac_error *err)
{
    PASS(install, file, limit(device, deadline), err);
}

tac_status tac_device_launch(tac_device *device, double deadline, tac_error *err)
{
    PASS(launch, limit(device, deadline), err);
}

tac_status tac_device_close(tac_device *device, double deadline, tac_error *err)
{
    PASS(close, limit(device, deadline), err);
}

tac_status tac_device_reset(tac_device *device, uint64_t seed, double deadline, tac_error *err)
{
    PASS(reset, seed, limit(device, deadline), err);
}

tac_status tac_device_power_cycle(tac_device *device, tac_error *err)
{
    return device->driver->power_cycle ? device->driver->power_cycle(device, err) : TAC_OK;
}

tac_status tac_device_snapshot(tac_device *device, double deadline, const tac_ui **out,
                               tac_error *err)
{
    PASS(snapshot, limit(device, deadline), out, err);
}

static const struct {
    const char *name, *there, *back;
    double seconds; /* between the two */
} inputs[] = {{"rotate", "rotate", "rotate", 0},
              {"background", "background", "foreground", 0},
              {"network", "connectivity-off", "connectivity-on", 1},
              {"media", "media-pause", "media-play", 0}};
enum { INPUTS = sizeof inputs / sizeof *inputs };

const char *const *tac_system_inputs(void)
{
    static const char *const names[] = {"rotate", "background", "network", "media", NULL};
    return names;
}

static tac_status perform_input(tac_device *device, const char *name, double deadline,
                                tac_error *err)
{
    bool reload = !strcmp(name, "reload");
    if (reload && device->driver->reload)
        return device->driver->reload(device, limit(device, deadline), err);
    if (reload || !strcmp(name, "restart")) {
        tac_status closed = tac_device_close(device, deadline, err);
        return closed ? closed : tac_device_launch(device, deadline, err);
    }
    for (size_t i = 0; i < INPUTS; i++) {
        if (strcmp(inputs[i].name, name) != 0)
            continue;
        tac_status st = tac_device_system(device, inputs[i].there, deadline, err);
        if (!st)
            st = tac_device_settle(device, deadline, err);
        if (!st && inputs[i].seconds > 0)
            st = tac_device_sleep(device, inputs[i].seconds, err);
        return st ? st : tac_device_system(device, inputs[i].back, deadline, err);
    }
    return tac_fail(err, TAC_E_USAGE, "'%s' is not an input of the system", name);
}

tac_status tac_device_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                              tac_error *err)
{
    if (gesture->kind == TAC_ACTION_KEY && gesture->value && !strncmp(gesture->value, "system:", 7))
        return perform_input(device, gesture->value + 7, deadline, err);
    PASS(perform, gesture, limit(device, deadline), err);
}

tac_status tac_device_point(tac_device *device, tac_pointer_place place, double deadline,
                            bool *moved, tac_error *err)
{
    *moved = false;
    if (!device->driver->point)
        return TAC_OK;
    PASS(point, place, limit(device, deadline), moved, err);
}

tac_status tac_device_system(tac_device *device, const char *event, double deadline, tac_error *err)
{
    PASS(system, event, limit(device, deadline), err);
}

tac_status tac_device_settle(tac_device *device, double deadline, tac_error *err)
{
    PASS(settle, limit(device, deadline), err);
}

tac_status tac_device_sleep(tac_device *device, double seconds, tac_error *err)
{
    PASS(sleep, seconds > 0 ? seconds : 0, err);
}

tac_status tac_device_wait_change(tac_device *device, const char *event, double deadline,
                                  tac_arrival *out, tac_error *err)
{
    PASS(wait_change, event, limit(device, deadline), out, err);
}

tac_status tac_device_restless(tac_device *device, double deadline, bool *out, tac_error *err)
{
    *out = true;
    return device->driver->restless
               ? device->driver->restless(device, limit(device, deadline), out, err)
               : TAC_OK;
}

tac_status tac_device_foreground(tac_device *device, double deadline, tac_foreground *out,
                                 tac_error *err)
{
    PASS(foreground, limit(device, deadline), out, err);
}

tac_status tac_device_screenshot(tac_device *device, double deadline, unsigned char **data,
                                 size_t *size, tac_error *err)
{
    PASS(screenshot, limit(device, deadline), data, size, err);
}

const tac_probe *tac_device_probes(tac_device *device, size_t *count)
{
    *count = 0;
    return device->driver->probes ? device->driver->probes(device, count) : NULL;
}

tac_status tac_device_measure(tac_device *device, double deadline, double *values, int64_t *time,
                              tac_error *err)
{
    PASS(measure, limit(device, deadline), values, time, err);
}

tac_status tac_device_clock(tac_device *device, tac_clock_reading *out, tac_error *err)
{
    PASS(clock, out, err);
}

tac_status tac_device_log(tac_device *device, tac_log_line *out, bool *more, tac_error *err)
{
    PASS(log, out, more, err);
}

tac_status tac_device_crash(tac_device *device, tac_crash *out, tac_error *err)
{
    PASS(crash, out, err);
}

tac_status tac_device_scenario(tac_device *device, const char *name_or_file, tac_error *err)
{
    if (!device->driver->scenario)
        return cannot_shape(device, err);
    PASS(scenario, name_or_file, err);
}

bool tac_device_radio(tac_device *device, tac_radio *out)
{
    return device->driver->radio && device->driver->radio(device, out);
}

bool tac_device_can_record(const tac_device *device)
{
    return device->driver->record != NULL;
}

tac_status tac_device_record(tac_device *device, tac_recorder_mode mode, tac_error *err)
{
    PASS(record, mode, err);
}

tac_status tac_device_recorded(tac_device *device, double deadline, const tac_recorder_sink *sink,
                               tac_error *err)
{
    PASS(recorded, limit(device, deadline), sink, err);
}

tac_status tac_device_pending(tac_device *device, double deadline, const tac_pending **list,
                              size_t *count, tac_error *err)
{
    PASS(pending, limit(device, deadline), list, count, err);
}

tac_status tac_device_release(tac_device *device, uint64_t id, double deadline, tac_error *err)
{
    PASS(release, id, limit(device, deadline), err);
}

bool tac_device_network(tac_device *device, tac_network_state *out)
{
    return device->driver->network && device->driver->network(device, out);
}
