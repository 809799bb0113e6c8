/* Devices: whatever runs an app and can be driven (interaction-model paper,
 * section 5.1.1).
 *
 * A device is chosen by URI: "sim:APPFILE" is the built-in phone; the other schemes
 * are in device.c. The interface is what a tester does with a
 * phone in the hand: start the app, look at the screen, touch it, wait, read
 * the instruments.
 *
 * Deadlines. Every call that touches the device takes a deadline in seconds; 0
 * or less stands for the default of tac_device_options. A call that passes its
 * deadline returns TAC_E_DEVICE with a message that names the step ("click
 * //node[@resource-id='play']: no answer within 10 s"); it never hangs, and the
 * device can still be freed. Deadlines of waiting calls run on the device's
 * clock, which on the built-in phone is virtual: ten minutes pass in
 * milliseconds.
 *
 * Ownership. Borrowed texts and structs stay valid until the next call on the
 * same device. A device belongs to one thread; devices are independent of each
 * other.
 *
 * Failures. TAC_E_DEVICE: hung, dead, or it refused. TAC_E_INPUT: the app file,
 * scenario or selector is wrong. TAC_E_LIMIT: something awaited did not come in
 * time (the device itself is well). */
#pragma once

#include "network/network.h"
#include "tactus/model.h"
#include "trace/observe.h"

/* --- What is on the screen --- */

#define TAC_UI_NONE UINT32_MAX

/* The flags of a node of a UiAutomator dump. */
enum {
    TAC_UI_CHECKABLE = 1u << 0,
    TAC_UI_CHECKED = 1u << 1,
    TAC_UI_CLICKABLE = 1u << 2,
    TAC_UI_ENABLED = 1u << 3,
    TAC_UI_FOCUSABLE = 1u << 4,
    TAC_UI_FOCUSED = 1u << 5,
    TAC_UI_SCROLLABLE = 1u << 6,
    TAC_UI_LONG_CLICKABLE = 1u << 7,
    TAC_UI_PASSWORD = 1u << 8,
    TAC_UI_SELECTED = 1u << 9,
    TAC_UI_EDITABLE = 1u << 10, /* not in the dump: the class is EditText or inherits from it */
    /* Pages only; a dump has the attributes where they are true. */
    TAC_UI_DOUBLE_CLICKABLE = 1u << 11,
    TAC_UI_HOVERABLE = 1u << 12,
    TAC_UI_DRAGGABLE = 1u << 13,
    TAC_UI_LEAVES = 1u << 14, /* leads out of the app, as far as one can see */
    TAC_UI_LEADS = 1u << 15,  /* a link to another place of the app */
    TAC_UI_CHOSEN = 1u << 16  /* the chosen one of a few tabs, filters or entries of a menu */
};

typedef struct tac_ui_node {
    const char *text, *resource_id, *class_name, *package, *description; /* never NULL */
    uint32_t parent, first_child, next_sibling; /* TAC_UI_NONE when absent */
    uint32_t index;                             /* among the siblings, from 0 */
    uint32_t flags;
    int32_t left, top, right, bottom;  /* pixels */
    const char *role, *name, *test_id; /* of pages: what assistive technology calls it, data-testid;
                                          NULL is "" */
} tac_ui_node;

/* A snapshot of the hierarchy: nodes in document order, so a parent stands
 * before its children and nodes[0] is the root. count may be 0 (an empty
 * screen). */
typedef struct tac_ui {
    const tac_ui_node *nodes;
    uint32_t count;
    uint32_t rotation;              /* 0, 1, 2, 3 quarter turns */
    struct tac_ui_storage *storage; /* private */
} tac_ui;

/* An empty tree to be filled in document order; parent TAC_UI_NONE for a root.
 * Texts are copied (NULL = ""). Returns the node's index. TAC_UI_EDITABLE is
 * set by the class name. */
tac_ui *tac_ui_new(uint32_t rotation);
uint32_t tac_ui_add(tac_ui *ui, uint32_t parent, const tac_ui_node *node);
void tac_ui_free(tac_ui *ui); /* NULL is fine */
bool tac_ui_class_is_editable(const char *class_name);

/* The text of `uiautomator dump`; the caller's. */
char *tac_ui_to_xml(const tac_ui *ui);
/* Reads such a text (at most 64 MiB, 200,000 nodes); unknown attributes are
 * skipped. */
tac_status tac_ui_from_xml(const char *name, const char *text, size_t size, tac_ui **out,
                           tac_error *err);

/* Names an element. The given parts must all fit; xpath alone is the usual
 * form, over the dump's XML ("//node[@resource-id='com.example:id/play']"). All
 * NULL: the device as a whole. */
/* On web pages, an xpath that starts with "css:" is a css selector, "css[3]:" its third visible
 * match; "focus:" is what has the focus; "it:" and one of these, or an XPath in brackets with a
 * place behind it, is the element that this name found in an earlier gesture, as long as the page
 * has it. */
typedef struct tac_selector {
    const char *xpath, *resource_id, *text;
} tac_selector;

/* The first fitting node in document order, or TAC_UI_NONE. A wrong XPath is
 * TAC_E_INPUT. */
tac_status tac_ui_find(const tac_ui *ui, const tac_selector *selector, uint32_t *node,
                       tac_error *err);
/* Marks every node that an XPath selects: marks has ui->count entries, set to
 * true, never cleared. */
tac_status tac_ui_mark(const tac_ui *ui, const char *xpath, bool *marks, tac_error *err);
/* A stable XPath that finds exactly this node in this tree: by its resource-id,
 * content description or text, by what it holds, or relative to the nearest
 * element that such a name finds; by position only where nothing else tells it
 * from the others (tac_xpath_is_positional). The caller's. */
char *tac_ui_xpath(const tac_ui *ui, uint32_t node);
/* "id play_pause", "text 'All music'", ...: how messages name a selector.
 * Writes into buffer. */
const char *tac_selector_text(const tac_selector *selector, char *buffer, size_t size);

/* Which gestures a node accepts, as bits 1 << tac_action_kind: a click on an
 * enabled clickable node, a long click, text on an enabled editable one,
 * scrolling on a scrollable one. Every screen also accepts the device-wide back
 * and home. */
unsigned tac_ui_gestures(const tac_ui_node *node);

/* --- The device --- */

typedef struct tac_device tac_device;

typedef struct tac_exchange tac_exchange; /* between built-in phones (phone/phone.h) */

typedef struct tac_device_options {
    const char *label;        /* put before its failures, to tell devices of one test apart; may be
                                 NULL */
    const char *app;          /* what to drive: a package, package/activity or URL; NULL =
                                 by the URI */
    const char *scenario;     /* network scenario: a built-in name or a file; NULL =
                                 "ideal" */
    const char *capabilities; /* WebDriver: a JSON file */
    const char *faults;       /* built-in phone: "hang@N" or "die@N" at its N-th call;
                                 tests only */
    tac_exchange *exchange;   /* built-in phone: who hears its messages; NULL = nobody */
    uint64_t seed;            /* built-in phone: all of its randomness */
    double deadline;          /* default of every call, seconds; 0 = 30 */
    bool once;                /* a device that is not there is not waited for: it was, in vain */
    bool realtime;            /* built-in phone: let virtual seconds last real seconds */
    bool fast;                /* WebDriver: events inside the page instead of real input */
    const char *const *stay;  /* browsers: beginnings of addresses (an origin, a folder) that count
                                 as  the app; none = the origin of its address */
    size_t stay_count;
    bool tolerate_errors; /* browsers: uncaught exceptions and failing status codes at the launch
                             are lines of the log, not crashes */
    bool recordable;      /* browsers: what pages that are left still had to tell is kept, for
                             tac_device_record */
    bool check_only;      /* the device will only be asked for its probes and scenarios, so that a
                             browser of our own need not start: its driver does */
} tac_device_options;

/* options may be NULL. Opening connects and checks; it starts no app. */
tac_status tac_device_open(const char *uri, const tac_device_options *options, tac_device **out,
                           tac_error *err);
/* The devices that a URI stands for: "adb:all" for every connected Android device that is ready,
 * any other for itself. *uris and its texts are the caller's. */
tac_status tac_device_list(const char *uri, const tac_device_options *options, char ***uris,
                           size_t *count, tac_error *err);
/* Ends the session and whatever was started for it. NULL is fine. */
void tac_device_free(tac_device *device);
const char *tac_device_uri(const tac_device *device);

/* Who it is. Texts are "" when unknown. */
typedef struct tac_device_info {
    const char *name, *serial, *system;        /* "phone", "sim-0001", "built-in phone" */
    const char *app_name, *app_code, *package; /* of the driven app */
    const char *app_version;                   /* as the device tells it; NULL: it does not */
    bool virtual_time;                         /* waiting costs no real time */
} tac_device_info;
tac_status tac_device_describe(tac_device *device, tac_device_info *out, tac_error *err);

/* The app's life. install puts the app (a file; NULL = the one the device was
 * opened with) on the device; launch starts it in the foreground and waits
 * until its first screen has settled; close stops its process; reset also
 * clears its data, permissions and everything it remembers, and on the built-in
 * phone seeds the randomness again when seed is not 0. */
tac_status tac_device_install(tac_device *device, const char *file, double deadline,
                              tac_error *err);
tac_status tac_device_launch(tac_device *device, double deadline, tac_error *err);
tac_status tac_device_close(tac_device *device, double deadline, tac_error *err);
tac_status tac_device_reset(tac_device *device, uint64_t seed, double deadline, tac_error *err);
/* A device whose time is virtual is switched off and on: its clock begins anew
 * and nothing is left of what was measured before, so that what follows does
 * not depend on what was before. Other devices are left as they are. */
tac_status tac_device_power_cycle(tac_device *device, tac_error *err);

/* The hierarchy of the foreground window. *out is borrowed. While the screen
 * never comes to rest, Android cannot dump it: TAC_E_LIMIT, "could not get
 * idle state". Where tac_device_media_plays, pause the media
 * (tac_device_system, "media-pause") and ask again. */
tac_status tac_device_snapshot(tac_device *device, double deadline, const tac_ui **out,
                               tac_error *err);

/* Reads observables and the hierarchy in one moment. values has room for count readings, whose
 * texts are the caller's (tac_observed_clear); *ui (may be NULL) is borrowed as from
 * tac_device_snapshot. A css selector on a device without web pages is TAC_E_USAGE; one that is
 * wrong, or a wrong XPath, is TAC_E_INPUT. */
tac_status tac_device_observe(tac_device *device, const tac_observable *observables, size_t count,
                              double deadline, tac_observed *values, const tac_ui **ui,
                              tac_error *err);

bool tac_device_has_css(const tac_device *device); /* it shows web pages */
/* Whether there is a key of this name: "Enter", on pages "Control+a", on phones "CAMERA". */
bool tac_device_has_key(const tac_device *device, const char *name);
/* After a snapshot that ended with TAC_E_LIMIT: whether media kept the screen from resting, so that
 * pausing it helps. Without, pausing and playing on would begin what nobody asked for. */
bool tac_device_media_plays(const tac_device *device);

/* What a person does. target is ignored by back, home, key, launch and wait.
 * value: the text to enter, the key's name, the direction (up, down, left,
 * right) of a scroll or swipe, the seconds of a wait. */
typedef struct tac_gesture {
    tac_action_kind kind;
    tac_selector target;
    const char *value;
} tac_gesture;

/* A key whose value is "system:NAME" is what the system does to the app and takes back, NAME one of
 * tac_system_inputs: "rotate" turns the screen and turns it back, "background" leaves the app and
 * returns, "network" is gone for a second, "media" pauses and goes on. "system:reload" loads the
 * page again, or closes the app and launches it, its data kept. */
const char *const *tac_system_inputs(void); /* ends with NULL */

/* Performs once, never twice, and returns when the input was delivered (not
 * settled: see tac_device_settle). An element that is not there, or does not
 * accept the gesture, is TAC_E_LIMIT and nothing was done. Works while media
 * plays. */
tac_status tac_device_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                              tac_error *err);

/* Where a pointer can rest: outside of the screen, or where the last touch was. */
typedef enum tac_pointer_place { TAC_POINTER_AWAY, TAC_POINTER_TOUCHED } tac_pointer_place;

/* Moves the pointer there, presses nothing, and returns when the screen has settled: some pages
 * show a control only while the pointer is over it. *moved is false when the device has no pointer,
 * or nothing was touched since the launch. */
tac_status tac_device_point(tac_device *device, tac_pointer_place place, double deadline,
                            bool *moved, tac_error *err);

/* What the system does: one of tac_system_events ("keyboard-open",
 * "keyboard-close", "media-play", "media-pause", "rotate", "connectivity-off",
 * "connectivity-on", "background", "foreground", "low-memory"), or a name that
 * the app file declares. TAC_E_USAGE when the device cannot. */
tac_status tac_device_system(tac_device *device, const char *event, double deadline,
                             tac_error *err);
const char *const *tac_system_events(void); /* ends with NULL */

/* Waiting. settle: until the screen has come to rest (on a device with playing
 * media: until the last input has been handled). sleep: let seconds pass on the
 * device. wait_element: until the element is there; TAC_E_LIMIT past the
 * deadline. wait_change: until a system event arrives or the screen changes by
 * itself; `event` NULL takes any. *arrived is false when nothing came. */
typedef struct tac_arrival {
    bool arrived;
    const char *event; /* the system event's name, "" when the device knows none */
    double after;      /* seconds from the call to the arrival */
} tac_arrival;
tac_status tac_device_settle(tac_device *device, double deadline, tac_error *err);
tac_status tac_device_sleep(tac_device *device, double seconds, tac_error *err);
tac_status tac_device_wait_change(tac_device *device, const char *event, double deadline,
                                  tac_arrival *out, tac_error *err);

/* Whether something is under way that could change the screen without another input (a timer, a
 * request, a stream, an animation, ...). True where the device cannot tell. */
tac_status tac_device_restless(tac_device *device, double deadline, bool *out, tac_error *err);

/* Who is in the foreground. depth and instance tell activities apart that have
 * one name; both are 0 where the device does not know (a browser). A package
 * that is not the app's own means that the app was left. */
typedef struct tac_foreground {
    const char *package, *activity; /* activity without its package; "" when none */
    uint32_t depth;                 /* activities on the app's back stack, this one included */
    uint64_t instance;              /* of the topmost activity; unique in the device's life */
    bool running;                   /* the app's process is alive */
    bool keyboard;                  /* the on-screen keyboard is shown */
} tac_foreground;
tac_status tac_device_foreground(tac_device *device, double deadline, tac_foreground *out,
                                 tac_error *err);
/* A PNG image; *data is the caller's. */
tac_status tac_device_screenshot(tac_device *device, double deadline, unsigned char **data,
                                 size_t *size, tac_error *err);

/* --- Instruments --- */

/* One measured quantity: "rxData" B, "txData" B, "energy" J, "power" W, "heap"
 * B, "cpuTime" s, "responseTime" s, ... A monotone quantity never falls between
 * two launches. */
typedef struct tac_probe {
    const char *name, *unit;
    bool monotone;
} tac_probe;
/* What this device measures; borrowed for the device's life. */
const tac_probe *tac_device_probes(tac_device *device, size_t *count);
/* One reading of every probe, values[i] for probe i (NaN = not measurable now),
 * and the device's time of the reading in nanoseconds. */
tac_status tac_device_measure(tac_device *device, double deadline, double *values, int64_t *time,
                              tac_error *err);

/* The device's clock in nanoseconds since its epoch, and the host's clock just
 * before and after the reading (offset = device - middle, uncertainty = half
 * the difference). On the built-in phone the host's readings are those of its
 * virtual host. */
typedef struct tac_clock_reading {
    int64_t device, host_before, host_after;
} tac_clock_reading;
tac_status tac_device_clock(tac_device *device, tac_clock_reading *out, tac_error *err);

/* --- What the app says --- */

/* One line of the log. A line whose tag is TAC_LOG_EVENT_TAG is an event the
 * app announces: its message is the event's name ("StartPlaying"). */
#define TAC_LOG_EVENT_TAG "TactusEvent"
/* The tag of a built-in phone's line about a message that reached nobody. */
#define TAC_LOG_LOST_TAG "TactusLost"
typedef struct tac_log_line {
    int64_t time; /* nanoseconds on the device's clock */
    int pid, tid;
    char level; /* V D I W E F */
    const char *tag, *message;
    const char *raw; /* the line in logcat's threadtime format */
} tac_log_line;
/* The next line that was not read yet, in order; *more is false when there is
 * none now. Lines are kept until they are read, up to 100,000; beyond that the
 * oldest go. */
tac_status tac_device_log(tac_device *device, tac_log_line *out, bool *more, tac_error *err);

/* The crash of the app since its last launch. */
typedef struct tac_crash {
    bool crashed;
    const char *exception, *message; /* "java.lang.NullPointerException", its text */
    const char *const *stack;        /* frames, topmost first:
                                        "com.example.Player.play(Player.java:42)" */
    size_t stack_count;
    int64_t time;             /* nanoseconds on the device's clock */
    const char *const *chain; /* exceptions from the outermost to the root, which `exception` is */
    size_t chain_count;
    size_t violations; /* of Android's strict mode; they are not crashes */
    const char *place; /* "f (file.js): statement", where the source was read; else "" or NULL */
} tac_crash;
tac_status tac_device_crash(tac_device *device, tac_crash *out, tac_error *err);

/* --- Recording: a capability that a device may have --- */

/* From the next launch on, with a recorder inside the app: everything happens by itself and is told
 * (OBSERVE), or timers, responses and messages wait until they are released (HELD). TAC_E_USAGE
 * when the device cannot. docs/recording.md. */
typedef enum tac_recorder_mode {
    TAC_RECORDER_OFF,
    TAC_RECORDER_OBSERVE,
    TAC_RECORDER_HELD
} tac_recorder_mode;
bool tac_device_can_record(const tac_device *device);
tac_status tac_device_record(tac_device *device, tac_recorder_mode mode, tac_error *err);

/* What the recorder has told since the last time, in order; everything given is borrowed. */
typedef struct tac_recorder_sink {
    void *context;
    void (*message)(void *context, json_t *message); /* one line of a recording, docs/protocol.md */
    /* kind: "uncaught", "rejection" or "reported" (on the console) */
    void (*failure)(void *context, const char *kind, const char *type, const char *message,
                    const char *stack);
    void (*unseen)(void *context, const char *what);
    void (*dropped)(void *context, uint64_t messages);
} tac_recorder_sink;
tac_status tac_device_recorded(tac_device *device, double deadline, const tac_recorder_sink *sink,
                               tac_error *err);

/* A callback that waits. */
typedef struct tac_pending {
    uint64_t id;
    const char *label, *cause; /* as in recordings; cause "" when nobody asked for it */
    const char *kind;          /* "timer", "interval", "frame", "idle", "response", "message" */
    const char *blocked;       /* the callback that the platform would run before it, or "" */
    double delay, due;         /* milliseconds: as asked for, and on the app's clock */
} tac_pending;
/* *list is borrowed until the next call. */
tac_status tac_device_pending(tac_device *device, double deadline, const tac_pending **list,
                              size_t *count, tac_error *err);
/* Lets one happen and returns when everything it caused at once is over. */
tac_status tac_device_release(tac_device *device, uint64_t id, double deadline, tac_error *err);

/* --- Network scenarios --- */

/* From now on the network behaves so: the name of a built-in scenario
 * (tac_scenario_names) or a file in the same format
 * (docs/app-files.md). Takes effect at once and starts the scenario's time at 0
 * with the next launch. TAC_E_USAGE where the network cannot be shaped (a phone,
 * a browser that somebody else started), TAC_E_MISSING without the rights. */
tac_status tac_device_scenario(tac_device *device, const char *name_or_file, tac_error *err);
/* The network of the moment; false while the device is in no scenario. */
bool tac_device_network(tac_device *device, tac_network_state *out);

/* The network that the device found itself in when it was last measured; texts are valid until the
 * next measurement, "" when the device does not say. */
typedef struct tac_radio {
    const char *type; /* wifi, LTE, NR, ...; none */
    const char *cell; /* the cell or the access point */
} tac_radio;
/* False for devices that are not in such a network. */
bool tac_device_radio(tac_device *device, tac_radio *out);
