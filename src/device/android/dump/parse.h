/* What the commands of Android print, across its versions. Every function reads a text of a known
 * size that need not be terminated, takes LF and CRLF, keeps no pointer into it unless it says so,
 * and is linear in its size. A part that is not there leaves its field at "absent". */
#pragma once

#include "base/data/str.h"
#include "base/data/vec.h"
#include "device/device.h"
#include "trace/log/java_stack.h"

/* --- lines.c: shared by the parsers --- */
struct android_lines {
    const char *at, *end;
    const char *line; /* without blanks at either end */
    size_t length;
};
bool android_next_line(struct android_lines *lines); /* false at the end */
bool android_starts(const struct android_lines *lines, const char *prefix);
/* The place behind the first `key` in the line, or NULL. */
const char *android_after(const struct android_lines *lines, const char *key);
/* Digits with "," "." or "'" between groups of three, as some locales print them. */
bool android_count(const char *at, const char *end, uint64_t *out);

/* The part between the line "==NAME" and the next line that begins with "==", for the output of
 * commands joined by `echo ==NAME`; "" when it is not there. Borrowed. */
const char *android_part(const char *text, size_t size, const char *name, size_t *part_size);
/* Nanoseconds from the output of `date +%s%N`; a version that knows no %N prints seconds. */
int64_t android_date(const char *text, size_t size);

/* --- dump.c: `uiautomator dump FILE && cat FILE` --- */
enum android_dump_answer {
    ANDROID_DUMP_OK,
    ANDROID_DUMP_BUSY,   /* could not get idle state: the screen moves */
    ANDROID_DUMP_NULL,   /* null root node: no window yet; ask again */
    ANDROID_DUMP_FAILED, /* something else; `message` says what */
};
/* The XML lies at text[*start] for *size bytes when the answer is OK. */
enum android_dump_answer android_read_dump(const char *text, size_t size, size_t *start,
                                           size_t *length, char *message, size_t message_size);

/* --- activities.c: `dumpsys activity activities` --- */
enum { ANDROID_MAX_STACK = 64, ANDROID_NAME = 200 };
struct android_record {
    char package[ANDROID_NAME], activity[ANDROID_NAME]; /* activity without its package */
    uint64_t id;                                        /* the hash that names the record */
};
struct android_activities {
    bool resumed; /* `top` is known */
    struct android_record top;
    struct android_record stack[ANDROID_MAX_STACK]; /* of `package`, bottom first */
    size_t stack_count;
};
void android_read_activities(const char *text, size_t size, const char *package,
                             struct android_activities *out);

/* --- meminfo.c: `dumpsys meminfo PACKAGE` --- */
struct android_process_memory {
    bool named, summary, failed; /* it has a head; "App Summary"; it did not answer */
    char name[ANDROID_NAME];
    uint64_t pid;
    int64_t pss, summed_pss, rss, swap, java, native, dalvik,
        table_native; /* kB; -1 when absent; pss of the
           table, summed_pss of the summary */
    int64_t views, activities;
};
extern const struct android_process_memory android_no_memory; /* of which nothing is known */
void android_each_memory(const char *text, size_t size,
                         void (*see)(void *context, const struct android_process_memory *process),
                         void *context);
/* The sum over all processes; NaN where one of them does not say. */
struct android_memory {
    bool found;
    double pss, java_heap, native_heap; /* bytes; NaN when absent */
};
void android_read_meminfo(const char *text, size_t size, struct android_memory *out);

/* --- radio.c: `dumpsys telephony.registry`, `dumpsys wifi` --- */
struct android_radio {
    char type[24];        /* wifi, LTE, NR, ...; "none" out of service; "" when nobody says */
    char cell[80];        /* "262-02 4001/27", or the access point; "" when nobody says */
    double signal, level; /* dBm; bars, 0 to 4; NaN when nobody says */
};
void android_read_radio(const char *telephony, size_t telephony_size, const char *wifi,
                        size_t wifi_size, struct android_radio *out);

/* --- network.c: `dumpsys netstats detail`, `/proc/net/xt_qtaguid/stats` --- */
struct android_network {
    bool found; /* at least one entry of the user id */
    double rx, tx;
};
/* Where a bucket stands, and what is in it. */
struct android_history {
    char section[64], set[24], tag[32]; /* "UID stats", "DEFAULT", "0x0" */
    bool owned;                         /* uid is known */
    bool omitted;                       /* the dump leaves buckets out */
    int64_t uid;                        /* -1: all */
    uint64_t rx, tx;
};
/* A row of the kernel's maps: of a user id, or of an interface. */
struct android_kernel_row {
    bool by_interface;
    char iface[32];
    uint64_t uid, rx, tx;
};
struct android_netstats_reader { /* functions may be NULL */
    void (*bucket)(void *context, const struct android_history *bucket);
    void (*row)(void *context, const struct android_kernel_row *row);
    void *context;
};
void android_each_netstats(const char *text, size_t size,
                           const struct android_netstats_reader *reader);
/* A row of xt_qtaguid. */
struct android_tag_row {
    char iface[32];
    bool tagged, loopback;
    uint64_t uid, rx, tx;
};
void android_each_tag_row(const char *text, size_t size,
                          void (*see)(void *context, const struct android_tag_row *row),
                          void *context);
/* The histories, and the kernel's count (kernel may be NULL). */
void android_read_netstats(const char *text, size_t size, uint64_t uid, struct android_network *out,
                           struct android_network *kernel);
void android_read_qtaguid(const char *text, size_t size, uint64_t uid, struct android_network *out);

/* --- battery.c: `dumpsys batterystats --checkin` --- */
/* mAh that the user id has used since the last charge; NaN when absent. */
double android_read_battery(const char *text, size_t size, uint64_t uid);

/* --- start.c: `am start -W` --- */
struct android_start {
    bool ok;
    double total_seconds; /* TotalTime, or ThisTime; NaN when absent */
    double wait_seconds;  /* WaitTime, with the time of the system; NaN when absent */
    char state[16];       /* LaunchState: COLD, WARM, HOT, ...; "" when absent */
    char message[300];    /* why it failed */
};
void android_read_start(const char *text, size_t size, struct android_start *out);

/* --- frames.c: `dumpsys gfxinfo PACKAGE framestats` --- */
struct android_frames {
    bool found;
    double total, janky;  /* of the process; NaN when absent */
    double percentile[4]; /* 50, 90, 95, 99; seconds; NaN when absent or without frames */
    size_t recent;        /* frames in the tables, and the slowest of them in seconds */
    double slowest;
    double raw_percentile[4];   /* as printed, also without frames */
    double legacy, histogram;   /* janky by the older rule; frames in the histogram */
    size_t windows, rows, slow; /* tables; all their lines; frames above a sixtieth of a second */
    char process[ANDROID_NAME];
    uint64_t pid;
    bool failed, cut; /* it did not answer; the text ends inside a table */
};
void android_read_frames(const char *text, size_t size, struct android_frames *out); /* the first */
/* One process after the other, *at moving on; false: there are no more. */
bool android_next_frames(const char **at, const char *end, struct android_frames *out);
/* Of the process of this name; where none has it, the first. */
void android_read_frames_of(const char *text, size_t size, const char *process,
                            struct android_frames *out);

/* --- power.c: /sys/class/power_supply/battery and `dumpsys battery` --- */
/* Of the whole phone; NaN when unknown, current and power also while the battery is charged. */
struct android_gauge {
    double current, voltage, power; /* A, V, W; the current without its sign */
    double charge;                  /* mAh that are left in the battery */
};
void android_read_gauge(const char *text, size_t size, struct android_gauge *out);

/* --- media.c: `dumpsys media_session` --- */
bool android_media_plays(const char *text, size_t size);

/* --- process.c: /proc/PID/stat --- */
double android_read_processor_time(const char *text, size_t size); /* seconds; NaN when absent */

/* --- package.c --- */
/* The only package of `pm list packages -3`, the caller's; NULL when there are none or several. */
char *android_only_package(const char *text, size_t size, size_t *count);
/* Of `dumpsys package NAME`; 0 when absent. */
uint64_t android_read_user_id(const char *text, size_t size);
/* versionName of the same; the first is the one that is installed. "" when it is absent. */
void android_read_app_version(const char *text, size_t size, char *out, size_t room);
/* "PACKAGE/ACTIVITY" of `cmd package resolve-activity --brief PACKAGE`, the caller's; or NULL. */
char *android_read_launcher(const char *text, size_t size, const char *package);

/* --- crash.c: crashes in a log, line by line --- */
struct android_crash {
    char *package; /* whose crashes count; NULL = anybody's */
    int app_pid;   /* of the app's process, 0 = not known */
    bool stopping; /* it is being stopped by us: its death means nothing */
    bool crashed, anr, native;
    bool died; /* all that is known is that the process died, or that an error activity is shown */
    int64_t time;
    tac_str exception, message; /* the root cause */
    TAC_VEC(char *) stack;      /* frames of the root first */
    TAC_VEC(char *) chain;      /* exceptions from the outermost to the root */
    size_t violations;          /* of strict mode */
    /* while a crash is being read */
    int step; /* 0 = none */
    int pid;
    bool tentative;       /* FATAL EXCEPTION was seen, whose it is not yet */
    bool handled;         /* a handler of the app's own tells it */
    bool printed;         /* java is a stack that the app printed, and no more */
    int64_t printed_time; /* when */
    tac_arena arena;
    struct java_stack java;
};
void android_crash_line(struct android_crash *crash, const tac_log_line *line);
/* Adds the main thread's frames from `dumpsys activity lastanr-traces` (Android 10 and later). */
void android_crash_traces(struct android_crash *crash, const char *text, size_t size);
/* Adds the frames of a tombstone, or of `dumpsys dropbox --print`, to a native crash without. */
void android_crash_tombstone(struct android_crash *crash, const char *text, size_t size);
/* The process is not there any more, or is another, and nothing was logged about it. */
void android_crash_gone(struct android_crash *crash, int64_t time, const char *why);
void android_crash_clear(struct android_crash *crash); /* keeps the package */
void android_crash_free(struct android_crash *crash);

/* --- logcat.c: one line of a log --- */
/* Takes the layouts threadtime, time and their epoch forms; fills tag and message, which live in
 * `storage` until its next use. year_seconds: the epoch second at which the year of dates without
 * one begins. False: the line is none. */
bool android_read_log_line(const char *line, size_t length, int64_t year_seconds, tac_str *storage,
                           tac_log_line *out);

/* --- escape.c: `input text` --- */
/* Appends the argument of `input text`, quoted for the device's shell. False when the text holds
 * something that the command cannot enter (anything but printable ASCII); *bad is then its place.
 */
bool android_escape_text(const char *text, tac_str *out, size_t *bad);
/* Appends a word quoted for a POSIX shell. */
void android_quote(const char *word, tac_str *out);
