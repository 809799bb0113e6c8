/* An Android device behind the device interface. Everything goes through shell commands that any
 * phone with USB debugging has; nothing is installed. Waiting is done by `sleep` on the device, so
 * a phone with a virtual clock (tactus phone) waits in no time. */
#pragma once

#include "device/android/dump/parse.h"
#include "device/android/wire/client.h"
#include "device/driver.h"

enum { ADB_MOST_LOG = 100000, ADB_MOST_ARRIVALS = 64 };

struct adb_log_entry {
    int64_t time;
    int pid, tid;
    char level;
    char *raw, *tag, *message; /* one allocation, at raw */
};

struct adb_arrival {
    int64_t time;
    char name[120];
};

struct adb {
    struct adb_client client;
    char *package, *component; /* component "" until it is known */
    char model[100], version[40];
    uint64_t uid;
    char app_version[80]; /* of the package; "" when it is not told */
    uint64_t pid;         /* of the app; 0 = not running when last asked */
    bool virtual_time; /* the device says that waiting costs no real time, and logs what happens */
    struct adb_result result; /* of the last command */

    tac_ui *ui;
    bool fresh; /* ui shows the screen: nothing was done since it was read */
    bool plays; /* media did when the screen could last not be dumped */
    struct android_activities activities;
    uint32_t rotation;
    double response;
    int network_source; /* 1 xt_qtaguid, 2 the kernel's map, 3 histories; 0 until one spoke */
    struct android_radio radio;   /* as last measured */
    struct android_start launch;  /* what `am start` last said */
    double power, battery_joules; /* the last reading in W, and their integral; NaN = none yet */
    int64_t power_time;
    char shown[32]; /* the last screen's signature, for changes that nobody announces */

    int log_fd; /* the open stream, or -1 */
    struct adb_packets log_packets;
    tac_str log_text; /* what came and was not taken yet */
    int64_t log_time; /* of the last line, and how many lines had it */
    size_t log_same;
    int64_t log_since; /* where the stream was opened, and how many lines of that time to skip */
    size_t log_skip;
    char session[24]; /* of the marks */
    uint64_t mark, mark_seen;
    uint64_t asked[2]; /* the marks around the last command that is done once, and whether they */
    bool passed[2];    /* were seen */
    bool since_mark;   /* a command was run after the last mark */
    bool unmarked;     /* the phone shows no marks */

    TAC_VEC(struct adb_log_entry) log;
    size_t log_head;
    tac_str log_storage;
    struct adb_log_entry handed; /* the line last handed out */
    struct adb_arrival arrivals[ADB_MOST_ARRIVALS];
    size_t arrival_count;
    char arrived[120];
    bool own; /* what is logged now was caused by us */
    struct android_crash crash;
    bool traced; /* the traces of an ANR were asked for */
};

static inline struct adb *adb_of(tac_device *device)
{
    return device->state;
}

/* A command whose output is in a->result; a non-zero exit code is not an error. When the connection
 * breaks under it, it is done again: it must be one that may be done twice. */
tac_status adb_do(struct adb *a, const char *step, double deadline, tac_error *err,
                  const char *format, ...) TAC_PRINTF(5, 6);
tac_status adb_ask(struct adb *a, const char *step, double deadline, const char *command,
                   tac_error *err);
/* The part of the output between the line "==NAME" and the next "==", for commands joined by
 * `echo ==NAME`. */
const char *adb_part(const struct adb *a, const char *name, size_t *size);
/* The output of `date +%s%N` in that part ("": at the start), in nanoseconds. */
int64_t adb_part_date(const struct adb *a, const char *name);

/* --- stream.c --- */
/* Takes lines of the log until the mark has passed; 0: what is there now, without waiting. limit is
 * a moment of tac_now. */
tac_status adb_catch_up(struct adb *a, const char *step, uint64_t mark, double limit,
                        tac_error *err);
/* Takes whole lines of a->log_text, up to the mark (0: all of them); the rest stays. */
void adb_take_lines(struct adb *a, uint64_t mark);
/* Appends the command that writes the next mark, and returns it. */
uint64_t adb_add_mark(struct adb *a, tac_str *command);
void adb_stream_close(struct adb *a);

/* --- log.c --- */
void adb_see_line(struct adb *a, const tac_log_line *line);
/* Reads what was logged since the last time; `seconds` are slept first. *now may be NULL. */
tac_status adb_fetch_log(struct adb *a, const char *step, double seconds, double deadline,
                         int64_t *now, tac_error *err);
/* A command between two marks that is done once. When the connection breaks under it, the marks in
 * the log tell: before the first it was not done, and is tried again; behind the last it was, and
 * `lost` says that its output is not known; between them nobody knows: TAC_E_DEVICE. Everything
 * logged before it has been taken when this returns; what it logs itself ends at out->after. */
struct adb_logged {
    uint64_t before, after;
    bool lost;
};
tac_status adb_do_logged(struct adb *a, const char *step, double deadline, struct adb_logged *out,
                         tac_error *err, const char *format, ...) TAC_PRINTF(6, 7);
void adb_free_log(struct adb *a);
tac_status adb_log(tac_device *device, tac_log_line *out, bool *more, tac_error *err);
tac_status adb_crash(tac_device *device, tac_crash *out, tac_error *err);
tac_status adb_wait_change(tac_device *device, const char *event, double deadline, tac_arrival *out,
                           tac_error *err);

/* --- act.c --- */
/* a->ui is the screen as it is; while media plays it is paused for the look. */
tac_status adb_look(tac_device *device, double deadline, tac_error *err);
/* Runs an input command between two readings of the clock, which give the response time (NaN when
 * its output was lost). */
tac_status adb_input(struct adb *a, const char *step, double deadline, const char *command,
                     tac_error *err);
tac_status adb_snapshot(tac_device *device, double deadline, const tac_ui **out, tac_error *err);
bool adb_has_key(const tac_device *device, const char *name);
bool adb_media_plays(const tac_device *device);
tac_status adb_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                       tac_error *err);
tac_status adb_system(tac_device *device, const char *event, double deadline, tac_error *err);

/* --- type.c --- */
/* The text in place of what the field at x, y holds. */
tac_status adb_enter_text(struct adb *a, const char *step, const tac_ui_node *node, int32_t x,
                          int32_t y, const char *value, double deadline, tac_error *err);
/* A key by its name, or "text:..." into what has the focus. */
tac_status adb_press_key(tac_device *device, const char *name, double deadline, tac_error *err);

/* --- measure.c --- */
const tac_probe *adb_probes(tac_device *device, size_t *count);
tac_status adb_measure(tac_device *device, double deadline, double *values, int64_t *time,
                       tac_error *err);
tac_status adb_clock(tac_device *device, tac_clock_reading *out, tac_error *err);
bool adb_radio(tac_device *device, tac_radio *out);

/* --- driver.c --- */
tac_status adb_launch(tac_device *device, double deadline, tac_error *err);
tac_status adb_sleep(tac_device *device, double seconds, tac_error *err);
