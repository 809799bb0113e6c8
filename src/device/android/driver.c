/* adb: an Android device; opening it, the app's life, who is in the foreground. */
#include "base/data/text.h"
#include "device/android/adb.h"
#include "device/android/apk.h"
#include <math.h>
#include <string.h>
#include <time.h>

tac_status adb_do(struct adb *a, const char *step, double deadline, tac_error *err,
                  const char *format, ...)
{
    tac_str command = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&command, format, args);
    va_end(args);
    tac_status st = adb_ask(a, step, deadline, tac_str_text(&command), err);
    tac_str_free(&command);
    return st;
}

tac_status adb_ask(struct adb *a, const char *step, double deadline, const char *command,
                   tac_error *err)
{
    struct adb_pause pause;
    adb_pause_start(&pause, tac_now() + deadline);
    tac_status st;
    do
        st = adb_shell(&a->client, step, command, fmax(pause.limit - tac_now(), 0.1), &a->result,
                       err);
    while (st && a->result.broken && adb_pause(&pause, &a->client, ADB_NO_SERVER));
    a->since_mark = true;
    return st;
}

const char *adb_part(const struct adb *a, const char *name, size_t *size)
{
    return android_part(tac_str_text(&a->result.output), a->result.output.length, name, size);
}

int64_t adb_part_date(const struct adb *a, const char *name)
{
    size_t size = a->result.output.length;
    const char *text = *name ? adb_part(a, name, &size) : tac_str_text(&a->result.output);
    return android_date(text, size);
}

/* --- opening --- */

static void first_line(const char *text, char *out, size_t size)
{
    snprintf(out, size, "%.*s", (int)strcspn(text, "\r\n"), text);
}

static tac_status only_package(struct adb *a, double deadline, tac_error *err)
{
    tac_status st = adb_do(a, "packages", deadline, err, "pm list packages -3");
    if (st)
        return st;
    size_t count;
    a->package =
        android_only_package(tac_str_text(&a->result.output), a->result.output.length, &count);
    if (a->package)
        return TAC_OK;
    return tac_fail(err, TAC_E_USAGE,
                    "adb:%s: %s; name the app as PACKAGE or PACKAGE/ACTIVITY "
                    "(adb shell pm list packages -3 lists them)",
                    a->client.serial,
                    count ? "several apps are installed" : "no app was installed by the user");
}

static tac_status identify(struct adb *a, double deadline, tac_error *err)
{
    tac_status st = adb_do(a, "identify", deadline, err,
                           "getprop ro.product.model; echo ==version; "
                           "getprop ro.build.version.release; echo ==virtual; "
                           "getprop ro.tactus.virtual_time; echo ==date; date +%%s%%N; "
                           "echo ==package; dumpsys package %s",
                           a->package);
    if (st)
        return st;
    size_t size;
    first_line(tac_str_text(&a->result.output), a->model, sizeof a->model);
    first_line(adb_part(a, "version", &size), a->version, sizeof a->version);
    a->virtual_time = *adb_part(a, "virtual", &size) == '1';
    a->log_time = adb_part_date(a, "date");
    const char *text = adb_part(a, "package", &size);
    a->uid = android_read_user_id(text, size);
    android_read_app_version(text, size, a->app_version, sizeof a->app_version);
    return TAC_OK;
}

static void adb_free(tac_device *device)
{
    struct adb *a = adb_of(device);
    adb_free_log(a);
    tac_ui_free(a->ui);
    tac_str_free(&a->result.output);
    free(a->package);
    free(a->component);
    free(a);
}

static tac_status install(struct adb *a, const char *file, double deadline, tac_error *err)
{
    static const char remote[] = "/data/local/tmp/tactus-install.apk";
    tac_status st = adb_push(&a->client, file, remote, 0644, deadline, err);
    if (!st)
        st = adb_do(a, "install", deadline, err, "pm install -r -t %s; rm -f %s", remote, remote);
    if (!st && !strstr(tac_str_text(&a->result.output), "Success"))
        st = tac_fail(err, TAC_E_DEVICE, "install %s: %.300s", file,
                      tac_str_text(&a->result.output));
    return st;
}

/* A file FILE.apk: what it says about itself is driven, after it was put on the phone. */
static tac_status take_package_file(struct adb *a, const char *file, double deadline,
                                    tac_error *err)
{
    struct apk_manifest manifest;
    tac_status st = apk_read(file, &manifest, err);
    if (!st)
        st = install(a, file, deadline, err);
    if (st)
        return st;
    a->package = tac_strdup(manifest.package);
    if (*manifest.activity)
        a->component = tac_format("%s/%s", manifest.package, manifest.activity);
    return TAC_OK;
}

/* "PACKAGE" or "PACKAGE/ACTIVITY"; nothing that a shell could take for more than a name. */
static tac_status take_app(struct adb *a, const char *app, double deadline, tac_error *err)
{
    if (!app)
        return only_package(a, deadline, err);
    if (tac_ends_with(app, ".apk"))
        return take_package_file(a, app, deadline, err);
    for (const char *c = app; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              strchr("._/$", *c)))
            return tac_fail(err, TAC_E_USAGE, "'%s' is not a package or package/activity", app);
    a->package = tac_strndup(app, strcspn(app, "/"));
    if (strchr(app, '/'))
        a->component = tac_strdup(app);
    return TAC_OK;
}

static tac_status adb_open(tac_device *device, const char *rest, const tac_device_options *options,
                           tac_error *err)
{
    struct adb *a = tac_calloc(1, sizeof *a);
    device->state = a;
    a->log_fd = -1;
    a->power = a->battery_joules = NAN;
    a->launch.total_seconds = a->launch.wait_seconds = NAN;
    snprintf(a->session, sizeof a->session, "%llx",
             (unsigned long long)tac_clock(CLOCK_REALTIME) / 1000);
    tac_status st = adb_client_open(&a->client, rest, device->deadline, options->once, err);
    if (!st)
        st = take_app(a, options->app, device->deadline, err);
    if (!st)
        st = identify(a, device->deadline, err);
    if (!st && !a->uid)
        st = tac_fail(err, TAC_E_DEVICE, "adb:%s: the app %s is not installed", a->client.serial,
                      a->package);
    if (st) {
        adb_free(device);
        return st;
    }
    a->crash.package = tac_strdup(a->package);
    return TAC_OK;
}

static tac_status adb_describe(tac_device *device, tac_device_info *out, tac_error *err)
{
    (void)err;
    struct adb *a = adb_of(device);
    const char *dot = strrchr(a->package, '.');
    *out = (tac_device_info){.name = *a->model ? a->model : "phone",
                             .serial = a->client.serial,
                             .system = a->version,
                             .app_name = dot ? dot + 1 : a->package,
                             .app_code = dot ? dot + 1 : a->package,
                             .package = a->package,
                             .app_version = *a->app_version ? a->app_version : NULL,
                             .virtual_time = a->virtual_time};
    return TAC_OK;
}

/* --- the app's life --- */

static tac_status adb_install(tac_device *device, const char *file, double deadline, tac_error *err)
{
    /* without a file: opening has checked that the app is there */
    return file ? install(adb_of(device), file, deadline, err) : TAC_OK;
}

static tac_status find_component(struct adb *a, double deadline, tac_error *err)
{
    tac_status st =
        adb_do(a, "launch", deadline, err, "cmd package resolve-activity --brief %s", a->package);
    if (st)
        return st;
    a->component =
        android_read_launcher(tac_str_text(&a->result.output), a->result.output.length, a->package);
    return a->component ? TAC_OK
                        : tac_fail(err, TAC_E_DEVICE,
                                   "launch: %s has no launcher activity; name the app as "
                                   "%s/ACTIVITY",
                                   a->package, a->package);
}

static tac_status ask_process(struct adb *a, double deadline, tac_error *err)
{
    tac_status st = adb_do(a, "launch", deadline, err, "pidof %s", a->package);
    if (st)
        return st;
    a->pid = 0;
    android_count(tac_str_text(&a->result.output),
                  tac_str_text(&a->result.output) + a->result.output.length, &a->pid);
    a->crash.app_pid = (int)a->pid;
    a->crash.stopping = false;
    return TAC_OK;
}

tac_status adb_launch(tac_device *device, double deadline, tac_error *err)
{
    struct adb *a = adb_of(device);
    tac_status st = a->component ? TAC_OK : find_component(a, deadline, err);
    struct adb_logged marks;
    a->fresh = false;
    if (!st)
        st = adb_do_logged(a, "launch", deadline, &marks, err, "am start -W -n '%s'", a->component);
    if (st)
        return st;
    a->arrival_count = 0; /* whatever was logged before is not of this launch */
    android_crash_clear(&a->crash);
    a->traced = false;
    a->launch = (struct android_start){.total_seconds = NAN, .wait_seconds = NAN};
    if (marks.lost)
        return ask_process(a, deadline, err);
    struct android_start start;
    android_read_start(tac_str_text(&a->result.output), a->result.output.length, &start);
    if (!start.ok)
        return tac_fail(err, TAC_E_DEVICE, "launch %s: %s", a->component, start.message);
    if (!isnan(start.total_seconds))
        a->response = start.total_seconds;
    a->launch = start;
    return ask_process(a, deadline, err);
}

static tac_status adb_close(tac_device *device, double deadline, tac_error *err)
{
    struct adb *a = adb_of(device);
    a->fresh = false;
    a->pid = 0;
    a->crash.stopping = true;
    return adb_do(a, "close", deadline, err, "am force-stop %s", a->package);
}

static tac_status adb_reset(tac_device *device, uint64_t seed, double deadline, tac_error *err)
{
    struct adb *a = adb_of(device);
    a->fresh = false;
    a->pid = 0;
    a->crash.stopping = true;
    tac_status st = TAC_OK;
    if (seed) /* an app may read it; tactus phone does */
        st = adb_do(a, "reset", deadline, err, "setprop debug.tactus.seed %llu",
                    (unsigned long long)seed);
    if (!st)
        st = adb_do(a, "reset", deadline, err, "pm clear %s", a->package);
    if (!st && !strstr(tac_str_text(&a->result.output), "Success"))
        st = tac_fail(err, TAC_E_DEVICE, "reset: pm clear %s: %.200s", a->package,
                      tac_str_text(&a->result.output));
    if (!st)
        st = adb_fetch_log(a, "reset", 0, deadline, NULL, err);
    android_crash_clear(&a->crash);
    a->traced = false;
    return st;
}

/* --- asking --- */

/* That no activity is in front may be true, but not where the service was silent. */
static tac_status check_answered(const char *text, tac_error *err)
{
    const char *end = strstr(text, "==pid");
    size_t size = end ? (size_t)(end - text) : strlen(text), line = strcspn(text, "\r\n");
    if (memmem(text, size, "ACTIVITY MANAGER", 16) && !memmem(text, size, "DUMP TIMEOUT", 12))
        return TAC_OK;
    const char *said = line && line < size ? text : "no answer";
    return tac_fail(err, TAC_E_DEVICE,
                    "foreground activity: the phone does not say which app is in front (dumpsys "
                    "activity: %.*s)",
                    (int)strcspn(said, "\r\n"), said);
}

static tac_status adb_foreground(tac_device *device, double deadline, tac_foreground *out,
                                 tac_error *err)
{
    struct adb *a = adb_of(device);
    tac_status st = adb_do(a, "foreground activity", deadline, err,
                           "dumpsys activity activities; echo ==pid; pidof %s; echo ==keyboard; "
                           "dumpsys input_method",
                           a->package);
    if (st)
        return st;
    size_t size;
    const char *text = tac_str_text(&a->result.output);
    const char *pid = adb_part(a, "pid", &size);
    a->pid = 0;
    android_count(pid, pid + size, &a->pid);
    const char *keyboard = adb_part(a, "keyboard", &size);
    android_read_activities(text, a->result.output.length, a->package, &a->activities);
    const struct android_activities *now = &a->activities;
    if (!now->resumed && (st = check_answered(text, err)))
        return st;
    *out = (tac_foreground){.package = now->top.package,
                            .activity = now->top.activity,
                            .running = a->pid != 0,
                            .keyboard = memmem(keyboard, size, "mInputShown=true", 16) != NULL};
    if (!strcmp(now->top.package, a->package)) {
        out->depth = (uint32_t)now->stack_count;
        out->instance = now->top.id;
    }
    return TAC_OK;
}

/* An input has been handled when its command returns; what it started shows when the resumed
 * activity stays the same. */
static tac_status adb_settle(tac_device *device, double deadline, tac_error *err)
{
    struct adb *a = adb_of(device);
    double limit = tac_now() + deadline;
    uint64_t before = UINT64_MAX;
    while (!a->virtual_time) {
        tac_foreground now;
        tac_status st = adb_foreground(device, deadline, &now, err);
        if (st || now.instance == before)
            return st;
        before = now.instance;
        if (tac_now() > limit)
            return tac_fail(err, TAC_E_DEVICE, "settle: activities keep changing for %g s",
                            deadline);
        st = adb_do(a, "settle", deadline, err, "sleep 0.2");
        if (st)
            return st;
    }
    return TAC_OK;
}

tac_status adb_sleep(tac_device *device, double seconds, tac_error *err)
{
    struct adb *a = adb_of(device);
    a->fresh = false;
    return adb_do(a, "sleep", seconds + device->deadline, err, "sleep %.6f", fmax(seconds, 0));
}

static tac_status adb_screenshot(tac_device *device, double deadline, unsigned char **data,
                                 size_t *size, tac_error *err)
{
    struct adb *a = adb_of(device);
    tac_status st = adb_do(a, "screenshot", deadline, err, "screencap -p");
    if (st)
        return st;
    const tac_str *image = &a->result.output;
    if (image->length < 8 || memcmp(image->text, "\x89PNG", 4) != 0)
        return tac_fail(err, TAC_E_DEVICE, "screenshot: screencap gave no PNG image");
    *data = tac_alloc(image->length);
    memcpy(*data, image->text, image->length);
    *size = image->length;
    return TAC_OK;
}

static bool adb_all(const char *rest)
{
    return !strcmp(rest, "all");
}

const struct device_driver adb_driver = {
    .scheme = "adb",
    .open = adb_open,
    .stands_for_all = adb_all,
    .list = adb_client_list,
    .free = adb_free,
    .describe = adb_describe,
    .install = adb_install,
    .launch = adb_launch,
    .close = adb_close,
    .reset = adb_reset,
    .snapshot = adb_snapshot,
    .perform = adb_perform,
    .has_key = adb_has_key,
    .media_plays = adb_media_plays,
    .system = adb_system,
    .settle = adb_settle,
    .sleep = adb_sleep,
    .wait_change = adb_wait_change,
    .foreground = adb_foreground,
    .screenshot = adb_screenshot,
    .probes = adb_probes,
    .measure = adb_measure,
    .clock = adb_clock,
    .radio = adb_radio,
    .log = adb_log,
    .crash = adb_crash,
};
