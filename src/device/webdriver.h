/* A browser or app behind a W3C WebDriver end (ChromeDriver, WebKitWebDriver, Appium, a grid).
 *
 * One injected script (webdriver_page.js) watches the page and gives the UiAutomator-shaped
 * hierarchy in one round trip; the files here are the HTTP client, the session, the driver's calls,
 * what the browser measures, and starting chromedriver. */
#ifndef TAC_DEVICE_WEBDRIVER_H
#define TAC_DEVICE_WEBDRIVER_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "device/driver.h"
#include <curl/curl.h>
#include <jansson.h>
#include <sys/types.h>

typedef struct web_line { /* one line of the log */
    int64_t time;
    char level;
    bool event; /* a performance.mark: an event the app announces */
    char *message;
} web_line;

/* What a browser can be asked for; which of them depends on its driver. */
typedef enum wd_quantity {
    WD_RX,
    WD_TX,
    WD_HEAP,
    WD_CPU,
    WD_RESPONSE,
    WD_LONG_TASKS,
    WD_QUANTITIES
} wd_quantity;

typedef struct webdriver {
    CURL *curl;
    struct curl_slist *headers;
    char *base;    /* "http://127.0.0.1:9515" */
    char *session; /* its id, or NULL */
    char *window;  /* the one that shows the app */
    char *app;     /* the address of the app */
    char *browser, *version;
    char *host;     /* of the app's address: what counts as the app itself */
    char *activity; /* of the last foreground call */
    bool chromium;  /* speaks Chromium's extensions (performance log, DevTools) */
    bool fast;
    pid_t process;  /* the chromedriver we started, or 0; leader of its process group */
    pid_t guard;    /* ends the driver when we end; 0 = none */
    int guard_pipe; /* held open as long as we live */
    char *profile;  /* the browser's fresh profile folder, removed at the end; or NULL */
    tac_ui *ui;
    TAC_VEC(web_line) lines;
    size_t next_line;
    web_line shown; /* the line last handed out */
    tac_str raw;
    struct {
        bool seen;
        char *exception, *message;
        TAC_VEC(char *) stack;
        int64_t time;
    } crash;
    struct {
        tac_names requests;       /* by request id */
        TAC_VEC(double) received; /* bytes of each request so far */
        double rx, tx, long_tasks;
        double response;   /* seconds from the last input to settled */
        double last_input; /* host's monotonic time */
    } traffic;
    tac_probe probes[WD_QUANTITIES]; /* what this end measures */
    wd_quantity quantities[WD_QUANTITIES];
    size_t probe_count;
    bool throttled; /* network conditions were set */
} webdriver;

/* --- webdriver_http.c --- */
/* One command. path is below /session/ID unless it starts with '!' (then below the base). body is
 * taken; NULL for none. *value (may be NULL) is the caller's. step is for messages. An open alert
 * is accepted, noted in the log, and the command given again. */
tac_status wd_call(webdriver *w, const char *step, const char *method, const char *path,
                   json_t *body, double deadline, json_t **value, tac_error *err);
/* Runs a script's text in the page with arguments (taken). */
tac_status wd_script(webdriver *w, const char *step, const char *script, json_t *arguments,
                     double deadline, json_t **value, tac_error *err);
/* A DevTools command (Chromium only). parameters is taken. */
tac_status wd_devtools(webdriver *w, const char *step, const char *command, json_t *parameters,
                       json_t **value, tac_error *err);
void wd_note(webdriver *w, char level, bool event, int64_t time, const char *message);

/* --- webdriver_session.c --- */
tac_status wd_open_session(webdriver *w, const tac_device_options *options, tac_error *err);
void wd_close_session(webdriver *w);

/* --- chromedriver.c --- */
/* Starts Debian's chromedriver on a free port and waits for it; sets base, process and profile. */
tac_status chromedriver_start(webdriver *w, tac_error *err);
/* Ends it with everything it started. */
void chromedriver_stop(webdriver *w);
/* Processor seconds of the browser's processes. */
double chromedriver_cpu_seconds(const webdriver *w);

/* --- webdriver_page.c: what the page says --- */
tac_status wd_install_page_script(webdriver *w, tac_error *err);
tac_status wd_look(webdriver *w, double deadline, const tac_ui **out, tac_error *err);
/* Reads console lines, marks and uncaught exceptions that the page has kept. */
tac_status wd_collect(webdriver *w, tac_error *err);
void wd_forget_crash(webdriver *w);
tac_status wd_settle(webdriver *w, double deadline, tac_error *err);

/* --- webdriver_act.c: what a person does --- */
tac_status wd_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                      tac_error *err);
tac_status wd_tap(tac_device *device, int32_t x, int32_t y, double deadline, tac_error *err);

/* --- webdriver_measure.c --- */
const tac_probe *wd_probes(tac_device *device, size_t *count);
tac_status wd_measure(tac_device *device, double deadline, double *values, int64_t *time,
                      tac_error *err);
tac_status wd_scenario(tac_device *device, const char *name_or_file, tac_error *err);
int64_t wd_now(void); /* the host's real-time clock, nanoseconds */

#endif
