/* Trying one device end to end: every part is tried, whatever became of the ones before, unless
 * there is nothing to try it on. The one input is the Escape key, which changes nothing in most
 * apps. */
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "cli/doctor.h"
#include <math.h>
#include <string.h>

struct device_trial {
    struct doctor *doctor;
    const char *uri;
    tac_device *device;
};

/* The address of the page that a URI names; NULL when it names none. */
static const char *page_of(const char *uri)
{
    const char *page = !strncmp(uri, "chromium:", 9) ? uri + 9 : uri;
    return !strncmp(page, "http://", 7) || !strncmp(page, "https://", 8) ? page : NULL;
}

/* The one command that mends it, as far as the device's kind tells. */
static const char *remedy_of(const struct device_trial *t, const tac_error *err)
{
    const char *page = page_of(t->uri);
    const struct doctor_item *item;
    static const char *const needed[] = {"chromium", "chromedriver"};
    for (size_t i = 0; page && i < 2; i++)
        if ((item = doctor_find(t->doctor, DOCTOR_PROGRAM, needed[i])) && !item->works)
            return item->remedy;
    const struct doctor_item *phone =
        !strncmp(t->uri, "adb:", 4) ? doctor_find(t->doctor, DOCTOR_PHONE, t->uri + 4) : NULL;
    if (phone && !phone->works)
        return phone->remedy;
    item = !strncmp(t->uri, "adb:", 4) ? doctor_find(t->doctor, DOCTOR_PROGRAM, "adb") : NULL;
    if (item && !item->works)
        return item->remedy;
    tac_str text = {0};
    if (page) {
        tac_str_add(&text, "curl -sSI ");
        tac_quote_shell(&text, page);
    } else if (phone && !t->device) { /* it answers, so it is about the app */
        tac_str_add(&text, "adb -s ");
        tac_quote_shell(&text, phone->name);
        tac_str_add(&text, " shell pm list packages -3");
    } else if (!strncmp(t->uri, "adb:", 4)) {
        tac_str_add(&text, "adb devices -l");
    } else if (*err->file) {
        tac_str_add(&text, "ls -l ");
        tac_quote_shell(&text, err->file);
    } else if (err->status == TAC_E_USAGE) {
        tac_str_add(&text, "tactus screen --help");
    } else if (!strncmp(t->uri, "webdriver+", 10)) {
        tac_str_add(&text, "curl -sS ");
        tac_quote_shell(&text, t->uri + 10);
    }
    const char *kept = doctor_text(t->doctor, "%s", tac_str_text(&text));
    tac_str_free(&text);
    return kept;
}

static bool add_step(struct device_trial *t, const char *name, tac_status status,
                     const tac_error *err, const char *found)
{
    bool works = status == TAC_OK;
    doctor_add(
        t->doctor, DOCTOR_STEP, name, works ? found : "",
        works ? ""
              : doctor_text(t->doctor, "%s%s%s", err->file, *err->file ? ": " : "", err->message),
        works ? "" : remedy_of(t, err), "");
    return works;
}

static void try_screen(struct device_trial *t)
{
    const tac_ui *ui = NULL;
    unsigned char *image = NULL;
    size_t size = 0, inputs = 0;
    tac_error err;
    tac_status status = tac_device_snapshot(t->device, 0, &ui, &err);
    for (uint32_t i = 0; status == TAC_OK && i < ui->count; i++)
        inputs += tac_ui_gestures(&ui->nodes[i]) != 0;
    const char *found =
        status == TAC_OK
            ? doctor_text(t->doctor, "%u elements, %zu of them accept something", ui->count, inputs)
            : "";
    add_step(t, "screen", status, &err, found);
    status = tac_device_screenshot(t->device, 0, &image, &size, &err);
    found = doctor_text(t->doctor, "%zu bytes", size);
    add_step(t, "picture", status, &err, found);
    free(image);
}

static void try_input(struct device_trial *t)
{
    tac_error err;
    bool phone = !strncmp(t->uri, "adb:", 4);
    tac_gesture escape = {.kind = TAC_ACTION_KEY, .value = phone ? "111" : "Escape"};
    tac_status status = tac_device_perform(t->device, &escape, 0, &err);
    if (status == TAC_OK)
        status = tac_device_settle(t->device, 0, &err);
    add_step(t, "input", status, &err, "the Escape key was delivered");
}

static void try_log(struct device_trial *t)
{
    tac_log_line line;
    tac_error err;
    bool more = true;
    size_t lines = 0;
    tac_status status = TAC_OK;
    while (status == TAC_OK && more && lines < 100000) {
        status = tac_device_log(t->device, &line, &more, &err);
        lines += status == TAC_OK && more;
    }
    const char *found =
        doctor_text(t->doctor, "%zu %s since the start", lines, lines == 1 ? "line" : "lines");
    add_step(t, "log", status, &err, found);
}

static void try_probes(struct device_trial *t)
{
    size_t count = 0, known = 0;
    int64_t time;
    tac_error err;
    const tac_probe *probes = tac_device_probes(t->device, &count);
    double *values = tac_calloc(count + 1, sizeof *values);
    tac_status status = tac_device_measure(t->device, 0, values, &time, &err);
    for (size_t i = 0; i < count; i++) {
        double value = status == TAC_OK ? values[i] : NAN;
        known += !isnan(value);
        tac_vec_push(&t->doctor->measures,
                     (struct doctor_measure){doctor_text(t->doctor, "%s", probes[i].name),
                                             doctor_text(t->doctor, "%s", probes[i].unit), value});
    }
    const char *found =
        doctor_text(t->doctor, "%zu of %zu quantities can be read now", known, count);
    add_step(t, "probes", status, &err, found);
    free(values);
}

static void try_clock(struct device_trial *t)
{
    tac_clock_reading now = {0};
    tac_error err;
    tac_status status = tac_device_clock(t->device, &now, &err);
    struct doctor *d = t->doctor;
    if (status == TAC_OK) {
        d->has_clock = true;
        int64_t took = now.host_after - now.host_before, middle = now.host_before + took / 2;
        d->clock_uncertainty = (double)took / 2e9;
        d->clock_offset = (double)(now.device - middle) / 1e9;
    }
    const char *found = doctor_text(t->doctor, "%.3g ms off this machine's, known to %.3g ms",
                                    d->clock_offset * 1e3, d->clock_uncertainty * 1e3);
    add_step(t, "clock", status, &err, found);
}

static void try_crash(struct device_trial *t)
{
    tac_crash crash = {0};
    tac_error err;
    tac_status status = tac_device_crash(t->device, &crash, &err);
    if (status == TAC_OK && crash.crashed)
        status = tac_fail(&err, TAC_E_DEVICE, "the app crashed at its start: %s: %s",
                          crash.exception, crash.message);
    add_step(t, "crashes", status, &err, "none");
}

static bool start(struct device_trial *t, const tac_device_options *options)
{
    tac_device_info info = {0};
    tac_error err;
    tac_status status = tac_device_open(t->uri, options, &t->device, &err);
    if (!add_step(t, "open", status, &err, "connected"))
        return false;
    status = tac_device_launch(t->device, 0, &err);
    bool launched = add_step(t, "start", status, &err, "the app is in front");
    status = tac_device_describe(t->device, &info, &err);
    const char *found = status == TAC_OK ? doctor_text(t->doctor, "%s%s%s%s%s", info.system,
                                                       *info.serial ? ", " : "", info.serial,
                                                       *info.package ? ", " : "", info.package)
                                         : "";
    add_step(t, "name", status, &err, found);
    return launched;
}

void doctor_try_device(struct doctor *d, const char *uri, const tac_device_options *options)
{
    struct device_trial trial = {.doctor = d, .uri = uri};
    if (start(&trial, options)) {
        try_screen(&trial);
        try_input(&trial);
        try_log(&trial);
        try_probes(&trial);
        try_clock(&trial);
        try_crash(&trial);
    }
    tac_device_free(trial.device);
}
