/* What a device implements. One table of functions per scheme; src/device/device.c keeps the
 * registry and fills in default deadlines, so an implementation always sees a deadline above 0. A
 * function that is NULL makes the call fail with TAC_E_USAGE, naming the device and the step. */
#pragma once

#include "device/device.h"

struct device_driver {
    const char *scheme; /* before the first ':' of the URI, or up to '+' ("webdriver+http://...") */
    /* rest is what follows the scheme and its ':' or '+'. Sets device->state. */
    tac_status (*open)(tac_device *device, const char *rest, const tac_device_options *options,
                       tac_error *err);
    /* Several devices that one URI stands for; false: it stands for itself. May be NULL. */
    bool (*stands_for_all)(const char *rest);
    tac_status (*list)(double deadline, char ***uris, size_t *count, tac_error *err);
    void (*free)(tac_device *device);
    tac_status (*describe)(tac_device *device, tac_device_info *out, tac_error *err);
    tac_status (*install)(tac_device *device, const char *file, double deadline, tac_error *err);
    tac_status (*launch)(tac_device *device, double deadline, tac_error *err);
    tac_status (*close)(tac_device *device, double deadline, tac_error *err);
    tac_status (*reset)(tac_device *device, uint64_t seed, double deadline, tac_error *err);
    tac_status (*power_cycle)(tac_device *device, tac_error *err); /* may be NULL */
    tac_status (*snapshot)(tac_device *device, double deadline, const tac_ui **out, tac_error *err);
    /* css observables, from the same moment as the hierarchy; NULL: the device has no css */
    tac_status (*observe)(tac_device *device, const tac_observable *observables, size_t count,
                          double deadline, tac_observed *values, const tac_ui **out,
                          tac_error *err);
    tac_status (*reload)(tac_device *device, double deadline, tac_error *err); /* may be NULL */
    tac_status (*perform)(tac_device *device, const tac_gesture *gesture, double deadline,
                          tac_error *err);
    bool (*has_key)(const tac_device *device, const char *name);
    bool (*media_plays)(const tac_device *device); /* NULL: whenever a snapshot found no rest */
    /* May be NULL: there is no pointer. */
    tac_status (*point)(tac_device *device, tac_pointer_place place, double deadline, bool *moved,
                        tac_error *err);
    tac_status (*system)(tac_device *device, const char *event, double deadline, tac_error *err);
    tac_status (*settle)(tac_device *device, double deadline, tac_error *err);
    tac_status (*sleep)(tac_device *device, double seconds, tac_error *err);
    tac_status (*wait_change)(tac_device *device, const char *event, double deadline,
                              tac_arrival *out, tac_error *err);
    tac_status (*restless)(tac_device *device, double deadline, bool *out, tac_error *err);
    tac_status (*foreground)(tac_device *device, double deadline, tac_foreground *out,
                             tac_error *err);
    tac_status (*screenshot)(tac_device *device, double deadline, unsigned char **data,
                             size_t *size, tac_error *err);
    const tac_probe *(*probes)(tac_device *device, size_t *count);
    tac_status (*measure)(tac_device *device, double deadline, double *values, int64_t *time,
                          tac_error *err);
    tac_status (*clock)(tac_device *device, tac_clock_reading *out, tac_error *err);
    tac_status (*log)(tac_device *device, tac_log_line *out, bool *more, tac_error *err);
    tac_status (*crash)(tac_device *device, tac_crash *out, tac_error *err);
    /* May be NULL: the network of this device cannot be shaped. */
    tac_status (*scenario)(tac_device *device, const char *name_or_file, tac_error *err);
    /* The network of the moment; false while none was asked for. May be NULL. */
    bool (*network)(tac_device *device, tac_network_state *out);
    bool (*radio)(tac_device *device, tac_radio *out); /* may be NULL */
    /* Recording; all NULL where there is no recorder. */
    tac_status (*record)(tac_device *device, tac_recorder_mode mode, tac_error *err);
    tac_status (*recorded)(tac_device *device, double deadline, const tac_recorder_sink *sink,
                           tac_error *err);
    tac_status (*pending)(tac_device *device, double deadline, const tac_pending **list,
                          size_t *count, tac_error *err);
    tac_status (*release)(tac_device *device, uint64_t id, double deadline, tac_error *err);
};

struct tac_device {
    const struct device_driver *driver;
    void *state;       /* the driver's own */
    char *uri, *label; /* label NULL: none */
    double deadline;   /* default, seconds */
    /* Set by an open that found a native app behind its WebDriver: what the session was granted.
     * The driver of native apps then goes on with the state. */
    json_t *native;
};

/* observe.c: readings as values; text (NULL: none) is taken. */
void observed_text(tac_observed *out, char *text);
void observed_number(tac_observed *out, double number); /* NaN: none */
void observed_number_in(tac_observed *out, const char *text);
void observed_boolean(tac_observed *out, bool value);

/* The registry: one line per driver in device.c. */
extern const struct device_driver adb_driver;
extern const struct device_driver sim_driver, webdriver_driver, chromium_driver, appium_driver;
