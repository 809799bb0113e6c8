/* A browser or app behind a W3C WebDriver end (ChromeDriver, WebKitWebDriver, Appium, a grid).
 *
 * One injected script (page/watch.js and page/screen.js) watches the page and gives the
 * UiAutomator-shaped hierarchy in one round trip; the files here are the HTTP client, the session,
 * the driver's calls, what the browser measures, and starting chromedriver. */
#pragma once

#include "base/data/map.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "device/android/dump/parse.h"
#include "device/driver.h"
#include "device/web/libcurl.h"
#include <jansson.h>
#include <sys/types.h>

#define CHROMIUM "/usr/bin/chromium" /* the browser of our own sessions */

struct web_line { /* one line of the log */
    int64_t time;
    int pid, tid;
    char level;
    char *tag, *message, *raw;
};

/* What a browser can be asked for; which of them depends on its driver. */
enum wd_quantity {
    WD_RX,
    WD_TX,
    WD_HEAP,
    WD_CPU,
    WD_RESPONSE,
    WD_LOAD,
    WD_LONG_TASKS,
    /* in a network of its own: */
    WD_RX_CONTENT,
    WD_TX_CONTENT,
    WD_RX_ARRIVED,
    WD_RATE,
    WD_RATE_UP,
    WD_DELAY,
    WD_LOSS,
    WD_QUANTITIES
};

struct wd_request {
    char *name;                     /* "GET http://...", NULL while it is not known */
    double received, sent, headers; /* bytes so far; headers are part of what was sent */
    double decoded;                 /* bytes of the body's parts, as the page gets them */
    double began, wall;             /* seconds on the browser's clock, and since the epoch */
    int status;
    bool document; /* the page itself, not something in it */
    bool foreign;  /* not the app's: what the browser shows by itself */
};

/* How far the recorder's records have come. */
struct wd_told {
    unsigned documents; /* that have spoken */
    bool open;          /* a callback has begun and not ended */
};

/* The shape of the browser that is started here: that of a phone. */
enum { WD_WIDE = 360, WD_HIGH = 640 };
#define WD_PIXELS 2.0 /* of the screen in one of the page */

struct webdriver {
    CURL *curl;
    struct curl_slist *headers;
    char *base;      /* "http://127.0.0.1:9515" */
    char *session;   /* its id, or NULL */
    json_t *request; /* what the session was asked for, to start another like it */
    char *window;    /* the one that shows the app */
    char *app;       /* the address of the app */
    char *browser, *version;
    char *host;        /* of the app's address; the app's package */
    char *base_folder; /* the path of the app's address up to its last slash */
    char **stay;       /* beginnings of addresses that count as the app */
    size_t stay_count;
    bool tolerate;              /* uncaught exceptions are lines of the log, not crashes */
    int http_status;            /* of the page that was opened last; 0 = not known */
    bool unstarted;             /* only the driver runs: see check_only in device/device.h */
    bool hung;                  /* the page has stopped answering; a launch begins anew */
    int64_t clock_offset;       /* of the browser's clock to this host's when last read, ns */
    tac_device_options options; /* as given, to begin anew; its texts are borrowed from copies */
    char *capabilities;
    char *front;          /* package in front, of the last foreground call */
    char *activity;       /* of the last foreground call */
    bool chromium;        /* speaks Chromium's extensions (performance log, DevTools) */
    bool performance_log; /* of which the traffic is read */
    bool fast;
    pid_t process;      /* the chromedriver we started, or 0; leader of its process group */
    pid_t guard;        /* ends the driver when we end; 0 = none */
    int guard_pipe;     /* held open as long as we live */
    char *profile;      /* the browser's fresh profile folder, removed at the end; or NULL */
    struct {            /* since the launch, pointer.c */
        int32_t x, y;   /* of the last touch, by finger or mouse */
        bool known;     /* there was one */
        bool mouse;     /* the page has felt a mouse */
        bool behind;    /* it is not yet where the finger was */
        int64_t lifted; /* when a finger last went up, by CLOCK_REALTIME; 0 = never */
    } pointer;
    tac_ui *ui;
    char *url;          /* where the settled page was */
    double fresh_until; /* ui, url and log are what the device shows; 0 = ask */
    bool aside;         /* the screen was turned, turn.c */
    bool lively;        /* the settled page may change by itself */
    bool blank;         /* the app was closed and nothing opened since */
    TAC_VEC(struct web_line) lines;
    size_t next_line;
    struct web_line shown; /* the line last handed out */
    struct {
        bool seen;
        char *exception, *message;
        TAC_VEC(char *) stack;
        int64_t time;
        bool placed; /* the source was asked for */
        char *place; /* or NULL */
    } crash;
    struct {
        tac_names ids; /* of requests */
        TAC_VEC(struct wd_request) requests;
        double rx, tx, long_tasks;
        double response;   /* seconds from the last input to the last change that it caused */
        double load;       /* ... to the last byte that it asked for */
        double last_input; /* native screens: host's monotonic time */
        double sent;       /* when the last input was sent: seconds since the epoch; 0 = none */
        double delivered;  /* when the driver said that it had been given */
        size_t documents;  /* pages that were asked for and have not come */
    } traffic;
    tac_probe probes[WD_QUANTITIES]; /* what this end measures */
    enum wd_quantity quantities[WD_QUANTITIES];
    size_t probe_count;
    struct {                    /* the recorder in the page, record.c */
        tac_recorder_mode mode; /* from the next page on */
        char *script;           /* DevTools' name of the script in every page, or NULL */
        bool console;           /* the browser's console is kept for us */
        struct wd_told told;    /* since the launch */
        bool given_up;          /* the page hangs, and was waited for */
        TAC_VEC(tac_pending) pending;
        tac_str texts; /* of pending */
    } recorder;
    tac_network *network; /* the browser's own, or NULL */
    uint64_t seed;        /* of its losses */
    char error[64];       /* WebDriver's code of the last call's error ("no such element"), or "" */
    struct {              /* a native app behind Appium */
        bool here;        /* that is what this session drives */
        bool untouched;   /* a new session whose app was not used yet */
        bool no_life, no_log, no_front; /* calls that this driver does not have */
        char *start;                    /* "package/activity" to launch, or NULL */
        char *front;                    /* package in front, of the last foreground call */
        struct android_crash crash;
        tac_str storage;
    } native;
};

/* --- http.c --- */
/* One command. path is below /session/ID unless it starts with '!' (then below the base). body is
 * taken; NULL for none. *value (may be NULL) is the caller's. step is for messages. An open alert
 * is accepted, noted in the log, and the command given again. */
tac_status wd_call(struct webdriver *w, const char *step, const char *method, const char *path,
                   json_t *body, double deadline, json_t **value, tac_error *err);
/* Runs a script's text in the page with arguments (taken). */
tac_status wd_script(struct webdriver *w, const char *step, const char *script, json_t *arguments,
                     double deadline, json_t **value, tac_error *err);
/* The value of an expression in the page; through DevTools where there are any, so that what the
 * page has replaced does not matter. */
tac_status wd_evaluate(struct webdriver *w, const char *step, const char *expression,
                       double deadline, json_t **value, tac_error *err);
/* The same of a promise, once it is kept (Chromium only). */
tac_status wd_await(struct webdriver *w, const char *step, const char *expression, double deadline,
                    json_t **value, tac_error *err);
/* An input: sent once. An alert that it opens is accepted and shows that it was delivered. */
tac_status wd_deliver(struct webdriver *w, const char *step, const char *path, json_t *body,
                      double deadline, json_t **value, tac_error *err);
/* --- input.c: input by the driver's actions (taken), sent once --- */
tac_status wd_input(struct webdriver *w, const char *step, json_t *body, double deadline,
                    tac_error *err);
/* A finger at a place of the screen, for so long. */
tac_status wd_finger(struct webdriver *w, int32_t x, int32_t y, int milliseconds, double deadline,
                     tac_error *err);
/* A DevTools command (Chromium only). parameters is taken. */
tac_status wd_devtools(struct webdriver *w, const char *step, const char *command,
                       json_t *parameters, json_t **value, tac_error *err);

/* Something was done: what was seen before is old. */
void wd_touched(struct webdriver *w);
bool wd_is_fresh(const struct webdriver *w);
/* The last call failed because the other end does not have it. */
bool wd_unknown(const struct webdriver *w);

/* --- log.c --- */
void wd_note(struct webdriver *w, char level, bool event, int64_t time, const char *message);
void wd_keep_line(struct webdriver *w, const tac_log_line *line); /* copied */
/* The next kept line, if there is one. */
bool wd_next_line(struct webdriver *w, tac_log_line *out);
void wd_free_lines(struct webdriver *w);

/* --- session.c --- */
/* Starts a session and finds out what it drives (chromium, native.here). */
tac_status wd_open_session(struct webdriver *w, const tac_device_options *options, json_t **granted,
                           tac_error *err);
tac_status wd_new_session(struct webdriver *w, json_t **granted, tac_error *err);
void wd_close_session(struct webdriver *w);

/* --- wait.c: the same for pages and native screens --- */
tac_status wd_sleep(tac_device *device, double seconds, tac_error *err);
tac_status wd_wait_change(tac_device *device, const char *event, double deadline, tac_arrival *out,
                          tac_error *err);
tac_status wd_screenshot(tac_device *device, double deadline, unsigned char **data, size_t *size,
                         tac_error *err);
void wd_free_device(tac_device *device);

/* --- network.c: the browser in a network of its own --- */
tac_status wd_scenario(tac_device *device, const char *name_or_file, tac_error *err);
bool wd_network(tac_device *device, tac_network_state *out);
/* Sockets of calls to the driver, which lives where the browser lives. */
void wd_use_network(struct webdriver *w, CURL *curl);
/* Rules for names, so that pages of this host come over the link; the caller's. */
char *wd_network_hosts(const struct webdriver *w);

/* --- chromedriver.c --- */
/* Starts Debian's chromedriver on a free port and waits for it; sets base, process and profile. */
tac_status chromedriver_start(struct webdriver *w, tac_error *err);
/* Ends it with everything it started. */
void chromedriver_stop(struct webdriver *w);
/* Processor seconds of the browser's processes. */
double chromedriver_cpu_seconds(const struct webdriver *w);

/* --- source.c --- */
/* Fills w->crash.place, where the source of the script that threw can be read. */
void wd_find_crash_place(struct webdriver *w);

/* --- page.c: what the page says --- */
tac_status wd_install_page_script(struct webdriver *w, tac_error *err);
tac_status wd_look(struct webdriver *w, double deadline, const tac_ui **out, tac_error *err);
/* Reads console lines, marks and uncaught exceptions that the page has kept. */
tac_status wd_collect(struct webdriver *w, tac_error *err);
tac_status wd_restless(tac_device *device, double deadline, bool *out, tac_error *err);
void wd_forget_crash(struct webdriver *w);
tac_status wd_settle(struct webdriver *w, double deadline, tac_error *err);
/* A call of the page script; see page.c. */
tac_status wd_ask_page(struct webdriver *w, const char *step, const char *expression,
                       double deadline, json_t **value, tac_error *err);

/* rows: of the page's snapshot, or why there are none; NULL: an empty page. */
tac_status wd_fill_tree(struct webdriver *w, const json_t *rows, tac_error *err);

/* --- observe.c --- */
tac_status wd_observe(tac_device *device, const tac_observable *observables, size_t count,
                      double deadline, tac_observed *values, const tac_ui **out, tac_error *err);

/* --- find.c --- */
/* The page is asked for it, not the hierarchy alone. */
/* The number that the page script has for the gesture's element; it counts until the next look.
 * *in_hierarchy: it is also that of the hierarchy. */
tac_status wd_find(struct webdriver *w, const tac_gesture *gesture, double deadline, uint32_t *node,
                   bool *in_hierarchy, tac_error *err);
/* The number of a second element, without a look that would make the first one's old; TAC_UI_NONE:
 * the hierarchy has none. */
tac_status wd_find_beside(struct webdriver *w, const char *name, double deadline, uint32_t *node,
                          tac_error *err);

/* --- address.c: what the app's address is, and what belongs to it --- */
/* "127.0.0.1:8000", "page.html" and the like as a whole address; the caller's. */
tac_status address_complete(const char *text, char **out, tac_error *err);
char *address_host(const char *url);
/* The folder of the path: "/shop/" of "http://host/shop/index.html?x". */
char *address_folder(const char *url);
/* What stands for the app when nothing is said: its origin, or the folder of a file. */
char *address_origin(const char *url);
bool address_within(const char *url, const char *start);

/* --- launch.c: opening the app, leaving it, its storage --- */
tac_status wd_launch(tac_device *device, double deadline, tac_error *err);
tac_status wd_close(tac_device *device, double deadline, tac_error *err);
tac_status wd_reset(tac_device *device, uint64_t seed, double deadline, tac_error *err);
tac_status wd_foreground(tac_device *device, double deadline, tac_foreground *out, tac_error *err);
/* A new session in place of one whose page hangs. */
tac_status wd_revive(tac_device *device, tac_error *err);
/* The same where nothing was wrong. */
tac_status wd_restart(struct webdriver *w, tac_error *err);

/* --- record.c: recording --- */
tac_status wd_record(tac_device *device, tac_recorder_mode mode, tac_error *err);
tac_status wd_recorded(tac_device *device, double deadline, const tac_recorder_sink *sink,
                       tac_error *err);
tac_status wd_pending(tac_device *device, double deadline, const tac_pending **list, size_t *count,
                      tac_error *err);
tac_status wd_release(tac_device *device, uint64_t id, double deadline, tac_error *err);
/* Into every page of a new session. */
tac_status wd_install_recorder(struct webdriver *w, tac_error *err);
void wd_free_recorder(struct webdriver *w);

/* --- record_lines.c: what the recorder's script says, as lines of a recording --- */
/* Whole records; a record that is cut or wrong is skipped. */
void wd_recorded_lines(const char *text, size_t size, struct wd_told *told,
                       const tac_recorder_sink *sink);

/* --- act.c: what a person does --- */
tac_status wd_describe(tac_device *device, tac_device_info *out, tac_error *err);
tac_status wd_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                      tac_error *err);
tac_status wd_reload(tac_device *device, double deadline, tac_error *err);
/* --- turn.c --- */
/* Until the page has heard of what its script has moved, or of the turn: a frame later. */
void wd_heard(struct webdriver *w, double deadline);
tac_status wd_system(tac_device *device, const char *event, double deadline, tac_error *err);
extern const char wd_element_key[]; /* W3C's name of an element's reference */
/* A touch at a place of an element, or of the screen when element is NULL: down, pause, up. */
json_t *wd_touch(const json_t *element, int32_t x, int32_t y, int milliseconds);
json_t *wd_mouse(int32_t x, int32_t y, int clicks, int32_t by_x, int32_t by_y);
/* pointer.c: where the pointer is. */
void wd_note_touch(struct webdriver *w, int32_t x, int32_t y, bool mouse);
/* Before a finger touches: what was tapped last stays marked for 150 ms. Then a timer of Chromium
 * puts the hover back to it, and while another finger is down the mouse does not correct that: what
 * hangs on the hover would go away under it. */
void wd_outlast_mark(struct webdriver *w);
tac_status wd_hover(struct webdriver *w, int32_t x, int32_t y, double deadline, tac_error *err);
/* Once the page has settled: brings the mouse to where the finger was. True: what is shown may have
 * changed by it. */
bool wd_pointer_follows(struct webdriver *w);
tac_status wd_point(tac_device *device, tac_pointer_place place, double deadline, bool *moved,
                    tac_error *err);

/* --- traffic.c --- */
/* Reads the performance log, which each call empties, into traffic.rx and traffic.tx. */
tac_status wd_count_traffic(struct webdriver *w, double deadline, tac_error *err);
void wd_free_traffic(struct webdriver *w);

/* --- measure.c --- */
const tac_probe *wd_probes(tac_device *device, size_t *count);
tac_status wd_measure(tac_device *device, double deadline, double *values, int64_t *time,
                      tac_error *err);
