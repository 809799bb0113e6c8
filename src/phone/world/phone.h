/* The built-in phone while it runs an app.
 *
 * Everything happens on a virtual clock. sim_advance is the only place where time passes: it walks
 * from one due thing to the next (timer, round of the link, end of the media), integrates power in
 * between, and never goes back. Between calls the phone stands still. */
#pragma once

#include "base/data/random.h"
#include "base/data/str.h"
#include "device/driver.h"
#include "device/hierarchy.h"
#include "network/scenario.h"
#include "phone/app/app.h"

enum {
    SIM_MAX_STACK = 500,  /* activities; beyond, Android runs out of memory, and so do we */
    SIM_MAX_LOG = 100000, /* unread lines */
    SIM_MAX_TIMERS = 10000,
    SIM_MAX_NESTED = 300, /* actions that run inside actions: screens that show each other */
    SIM_MAX_EVENTS_AT_ONCE = 10000 /* system events at one instant, or per second of waiting */
};

/* Nanoseconds of the epoch at which a phone is switched on: 2026-01-01 00:00:00 UTC. */
#define SIM_EPOCH INT64_C(1767225600000000000)

struct sim_slot {
    double number;
    char *text; /* owned; NULL = a number */
};

struct sim_instance {
    uint32_t activity, screen;
    uint64_t id;
    struct sim_slot locals[SIM_MAX_LOCALS];
};

struct sim_timer {
    double at;
    uint64_t order; /* timers of one instant fire in the order they were set */
    uint64_t instance;
    uint32_t label;
};

struct sim_log_entry {
    double time;
    char level;
    const char *tag; /* lives as long as the app */
    char *message;
};

/* A message between phones. OUT and IN: on the link; DUE: on its way to this phone. */
enum sim_mail_state { SIM_MAIL_OUT, SIM_MAIL_DUE, SIM_MAIL_IN };
struct sim_message {
    enum sim_mail_state state;
    uint32_t channel;
    uint64_t order;
    double due;
    char *text;
};

/* Something that is being fetched or sent. */
struct sim_transfer {
    double size, left;           /* bytes */
    double upload;               /* bytes sent with the request */
    double started;              /* when it was requested */
    uint64_t instance;           /* who waits for it */
    uint32_t label;              /* the system event at its end, or SIM_NONE */
    bool chunk;                  /* part of the media stream */
    struct sim_message *message; /* what is carried, or NULL */
};

/* The link: a window of packets per round trip; what follows a lost packet is sent again. */
struct sim_link {
    struct scenario *scenario;
    double origin; /* device time of the scenario's second 0 */
    bool asked;    /* somebody wants this scenario: it is told */
    size_t cursor;
    TAC_VEC(struct sim_transfer) queue;
    size_t head; /* queue.at[head] is under way while head < queue.count */
    tac_random random;
    double next;                              /* end of the current round; INFINITY when idle */
    double quiet_since;                       /* when the radio last carried something */
    unsigned window, sent, arrived, in_order; /* packets of the current round */
    bool requesting;                          /* the current round carries the request */
    bool online;
    bool down_bad, up_bad; /* in a burst of losses */
    double rx, tx, again;  /* bytes; again: received and thrown away, to be sent once more */
};

enum sim_media_state { SIM_OFF, SIM_PLAYING, SIM_PAUSED };
struct sim_media {
    enum sim_media_state state;
    uint32_t stream;
    double position, buffered, requested; /* seconds of content */
    bool stalled;
    uint64_t stalls;
};

struct sim {
    struct sim_app *app;
    char *path;
    double now;        /* seconds since the phone was switched on */
    double busy_until; /* the last input has been handled and drawn then */
    double changed;    /* when a system event last changed the screen */
    tac_random random;
    uint64_t seed;
    bool realtime;
    double origin; /* realtime: the host's time at which `now` was 0 */

    struct sim_slot *process, *kept;
    TAC_VEC(struct sim_instance) stack; /* the app's back stack, topmost last */
    uint64_t next_instance;
    bool running, background, keyboard;
    uint32_t rotation;
    const char *external_package, *external_activity; /* NULL: none is in front */
    const struct sim_action *asking;                  /* a permission dialog is open */
    TAC_VEC(const char *) granted;

    TAC_VEC(struct sim_timer) timers;
    uint64_t next_order;
    TAC_VEC(uint32_t) history; /* labels of the events since the launch */
    uint32_t *occurred;        /* per label */
    uint32_t *progress;        /* per planted crash */
    struct sim_arrived {
        uint32_t label;
        double time;
    } arrived[16]; /* system events since the last input that nobody has waited for */
    size_t arrived_count;

    struct sim_link link;
    struct sim_media media;
    tac_exchange *exchange;             /* NULL: no other phone is there */
    TAC_VEC(struct sim_message *) mail; /* in both directions, under way */
    double energy, cpu, heap, response;

    TAC_VEC(struct sim_log_entry) log;
    size_t log_head;
    char *log_text; /* the line last handed out */
    char *log_message;

    const struct sim_crash *crash; /* of this launch, or NULL */
    struct sim_crash own_crash;    /* for crashes that no file planted */
    double crash_time;

    struct sim_focus { /* the field that takes the keys */
        bool on;
        uint64_t instance;
        uint32_t widget, item;
    } focus;

    tac_ui *ui;
    bool drawn;                     /* ui is current */
    TAC_VEC(uint32_t) drawn_widget; /* per node; SIM_NONE for the frame */
    TAC_VEC(uint32_t) drawn_item;   /* per node: which repetition */

    unsigned nested;                 /* lists of actions under way, one inside the other */
    uint64_t calls, hang_at, die_at; /* injected faults */
    double clock_offset, clock_drift;
    bool no_stack;     /* tell no instances, like a device that does not know them */
    tac_error failure; /* status TAC_OK: none; set when the app itself ran wild */
};

/* --- eval.c --- */
struct sim_value sim_eval(struct sim *s, uint32_t expr, uint32_t item);
bool sim_true(struct sim *s, uint32_t expr, uint32_t item); /* SIM_NONE is true */
void sim_assign(struct sim *s, struct sim_ref ref, struct sim_value value);
/* text: into the app's texts; SIM_NONE: empty */
void sim_print(struct sim *s, uint32_t text, uint32_t item, tac_str *out);
void sim_slot_set(struct sim_slot *slot, struct sim_value value);
struct sim_instance *sim_top(struct sim *s); /* NULL when the stack is empty */

/* --- run.c: inputs, actions, activities --- */
void sim_start_process(struct sim *s);
void sim_stop_process(struct sim *s);
void sim_do(struct sim *s, struct sim_list actions, uint32_t item);
/* An input: recorded in the history, checked for planted crashes. False: the app crashed. */
bool sim_record(struct sim *s, uint32_t label);
/* Runs what the screen, else its activity, else the app says about an event; no record. */
void sim_notify(struct sim *s, uint32_t label, uint64_t instance);
void sim_system_event(struct sim *s, uint32_t label, uint64_t instance, bool by_itself);
bool sim_handles(const struct sim *s, uint32_t label);
void sim_back(struct sim *s);
void sim_crash_now(struct sim *s, const struct sim_crash *crash);
void sim_touch(struct sim *s); /* the screen is not what was drawn */

/* --- media.c --- */
void sim_media_do(struct sim *s, enum sim_media_verb verb, uint32_t stream);
double sim_media_due(const struct sim *s); /* when it next needs attention; INFINITY = never */
void sim_media_step(struct sim *s);
void sim_media_chunk_done(struct sim *s, const struct sim_transfer *chunk);
void sim_media_fill(struct sim *s); /* asks for the next chunk if one is wanted */

/* --- link.c --- */
void sim_link_start(struct sim *s, const struct sim_transfer *transfer);
void sim_link_step(struct sim *s); /* the current round has ended */
void sim_link_cancel_chunks(struct sim *s);
void sim_link_restart_chunk(struct sim *s);
void sim_link_online(struct sim *s, bool online);

/* --- time.c --- */
void sim_advance(struct sim *s, double until);
void sim_set_timer(struct sim *s, double at, uint32_t label, uint64_t instance);
void sim_cancel_timers(struct sim *s, uint32_t label);
double
sim_next_due(const struct sim *s); /* when something next happens by itself; INFINITY = never */
void sim_catch_up(struct sim *s);  /* realtime: what happened since the last call */
int64_t sim_clock(const struct sim *s, double time); /* device nanoseconds */

/* --- mail.c --- */
void sim_mail_send(struct sim *s, uint32_t channel, const char *text);
/* A message from another phone, which sent it at that second. */
void sim_mail_deliver(struct sim *s, const char *channel, const char *text, double sent);
void sim_mail_carried(struct sim *s, struct sim_message *message); /* the link is done with it */
double sim_mail_due(const struct sim *s);
void sim_mail_step(struct sim *s); /* the first message that is due */
void sim_mail_clear(struct sim *s);

/* --- log.c --- */
void sim_log(struct sim *s, char level, const char *tag, const char *format, ...) TAC_PRINTF(4, 5);
bool sim_log_next(struct sim *s, tac_log_line *out);

/* --- draw.c --- */
const tac_ui *sim_draw(struct sim *s);
unsigned char *sim_screenshot(struct sim *s, size_t *size);

/* --- touch.c: gestures and keys on what is drawn --- */
/* A click, long click, scroll or text on a node that takes it. */
void sim_touch_node(struct sim *s, uint32_t node, const tac_gesture *gesture);
tac_status sim_touch_element(struct sim *s, const tac_gesture *gesture, tac_error *err);
tac_status sim_press_key(struct sim *s, const char *name, tac_error *err);
void sim_focus_node(struct sim *s, uint32_t node); /* what is not a field takes no focus */
uint32_t sim_focused(struct sim *s); /* the node of the field that takes the keys; TAC_UI_NONE */
const char *sim_field_text(struct sim *s, uint32_t node); /* what it holds, without its hint */

/* --- driver.c, input.c and answers.c: the calls of the interface --- */
static inline struct sim *sim_of(tac_device *device)
{
    return device->state;
}
/* Puts an app on a device; takes it in any case. Sets device->state, which the driver frees. */
tac_status sim_attach(tac_device *device, struct sim_app *app, const char *path,
                      const tac_device_options *options, tac_error *err);
/* What happened since the last call: messages of other phones, and in realtime everything else. */
void sim_live_on(struct sim *s);
/* Every call begins and ends here: injected faults, and an app that has run wild. */
tac_status sim_begin(struct sim *s, const char *step, double deadline, tac_error *err);
tac_status sim_finish(struct sim *s, const char *step, tac_error *err);
/* Lets time pass until the last input has been handled and the screen has come to rest. */
tac_status sim_rest(struct sim *s, const char *step, double deadline, tac_error *err);
tac_status sim_snapshot(tac_device *device, double deadline, const tac_ui **out, tac_error *err);
bool sim_has_key(const tac_device *device, const char *name);
tac_status sim_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                       tac_error *err);
tac_status sim_gesture(struct sim *s, const tac_gesture *gesture, tac_error *err); /* any kind */
tac_status sim_tap(tac_device *device, int32_t x, int32_t y, double deadline, tac_error *err);
tac_status sim_system(tac_device *device, const char *event, double deadline, tac_error *err);
tac_status sim_settle(tac_device *device, double deadline, tac_error *err);
tac_status sim_sleep(tac_device *device, double seconds, tac_error *err);
tac_status sim_wait_change(tac_device *device, const char *event, double deadline, tac_arrival *out,
                           tac_error *err);

/* answers.c */
double sim_power(const struct sim *s); /* W, now */
tac_status sim_foreground(tac_device *device, double deadline, tac_foreground *out, tac_error *err);
tac_status sim_take_screenshot(tac_device *device, double deadline, unsigned char **data,
                               size_t *size, tac_error *err);
const tac_probe *sim_probes(tac_device *device, size_t *count);
bool sim_network(tac_device *device, tac_network_state *out);
tac_status sim_measure(tac_device *device, double deadline, double *values, int64_t *time,
                       tac_error *err);
tac_status sim_read_clock(tac_device *device, tac_clock_reading *out, tac_error *err);
tac_status sim_read_log(tac_device *device, tac_log_line *out, bool *more, tac_error *err);
tac_status sim_read_crash(tac_device *device, tac_crash *out, tac_error *err);

#define SIM_LAUNCHER "com.android.launcher3"
#define SIM_PERMISSIONS "com.android.permissioncontroller"
#define SIM_ALLOW_ID SIM_PERMISSIONS ":id/permission_allow_button"
#define SIM_DENY_ID SIM_PERMISSIONS ":id/permission_deny_button"
