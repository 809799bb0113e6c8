/* The inside of the phone that speaks adb: the socket (adbd.c), the daemon's packets and
 * streams (wire.c), its files (sync.c), its shell (words.c, shell.c), and
 * the commands (input.c, dumpsys.c, logcat.c). */
#pragma once

#include "phone/world/phone.h"

enum {
    PHONE_UID = 10123,
    PHONE_PID = 4242,
    PHONE_MOST_LOG = 20000,
    PHONE_MOST_FILE = 64 << 20, /* bytes of one file, and of one command's output */
    PHONE_MOST_FILES = 1000,
    PHONE_MOST_STORED = 256 << 20, /* bytes of all files */
    PHONE_FRAMES = 120,            /* kept one by one, as on Android */
    PHONE_FRAME_BINS = 4951,
    PHONE_ANDROID_FIRST = 7, /* versions that it can play, and which when none is asked for */
    PHONE_ANDROID_LAST = 15,
    PHONE_ANDROID = 9,
    PHONE_MOST_WORDS = 600 /* of one command */
};

struct phone_line {
    int64_t time;
    char level;
    char *tag, *message;
};

struct phone_file {
    char *path;
    tac_str data;
};

struct phone_frame {
    int64_t end; /* nanoseconds since the phone was switched on */
    double seconds;
};

/* Of the running process. */
struct phone_frames {
    uint64_t total, janky;
    uint32_t bins[PHONE_FRAME_BINS]; /* by milliseconds, rounded up */
    struct phone_frame recent[PHONE_FRAMES];
};

struct phone_bucket {
    int64_t start; /* seconds of the epoch */
    uint64_t rx, tx;
};

/* The histories of netstats, and the app's bytes when they were last brought up to date. */
struct phone_traffic {
    TAC_VEC(struct phone_bucket) buckets;
    uint64_t rx, tx;
};

struct phone {
    struct phone_replay *replay; /* recorded outputs, or NULL */
    struct phone_traffic traffic;
    unsigned android; /* version whose formats are spoken */
    struct phone_frames frames;
    tac_device *device;
    struct sim *sim;
    bool dead, hung; /* by an injected fault */
    bool silent;     /* nothing is logged: setprop log.tag S, as some makers do */
    TAC_VEC(struct phone_line) log;
    uint64_t log_first; /* number of log.at[0], counted from the start */
    TAC_VEC(struct phone_file) files;
    char *focus; /* XPath of the field that is typed into, or NULL */
    tac_str typed;
    bool typing; /* `typed` is not in the app yet */
    struct phone_tap {
        bool waits;
        int x, y;
        double time;
    } tapped; /* the first of perhaps two */
};

/* Seconds between two taps that are a double tap: ViewConfiguration's DOUBLE_TAP_MIN_TIME and
 * DOUBLE_TAP_TIMEOUT. */
#define PHONE_DOUBLE_TAP_LEAST 0.04
#define PHONE_DOUBLE_TAP_MOST 0.3

/* What `logcat` was asked for. */
struct phone_log_view {
    bool epoch, microseconds, brief_time, year; /* -v */
    bool clear, dump;                           /* -c; -d or -t */
    int64_t since;                              /* microseconds */
    uint64_t last;                              /* so many lines; UINT64_MAX = all */
    uint64_t next;                              /* number of the line that comes next */
};

struct phone_command {
    struct phone *phone;
    int argc;
    char **argv;
    tac_str *out;
};

/* --- words.c: a command line cut into commands and words --- */
/* Words live in `store`, which has room for strlen(line) + PHONE_MOST_WORDS + 1 bytes at least,
 * until the next call; argv has room for PHONE_MOST_WORDS. *line moves behind the command's
 * separator, which is returned: 0 at the end of the line, ';' (for "&", too) or '&' (for "&&").
 * Words beyond the most are dropped. */
char phone_next_command(const char **line, char *store, int *argc, char **argv);

/* --- adbd.c --- */
void phone_free(struct phone *p); /* what the phone holds; not the device */

/* --- wire.c: one connection, bytes in, bytes out --- */
struct phone_wire;
struct phone_wire *phone_wire_new(struct phone *p, bool unauthorized, bool offline);
/* Takes bytes in any pieces and appends what is to be sent. TAC_E_DEVICE: the other end broke the
 * protocol, err says how; the connection must be dropped. */
tac_status phone_wire_feed(struct phone_wire *w, const void *bytes, size_t count, tac_str *out,
                           tac_error *err);
/* Between commands: what was logged goes to whoever follows the log. */
void phone_wire_idle(struct phone_wire *w, tac_str *out);
void phone_wire_free(struct phone_wire *w);

/* --- shell.c --- */
/* Runs a command line; its output is appended, its exit code returned. */
int phone_run(struct phone *p, const char *line, tac_str *out);
/* NULL when absent, or when there is no room for one more. */
tac_str *phone_find_file(struct phone *p, const char *path, bool create);
/* Appends to a file; false when it, or all of them, would grow too large. */
bool phone_append(struct phone *p, tac_str *file, const char *data, size_t size);
bool phone_remove_file(struct phone *p, const char *path);

static inline const char *phone_word(const struct phone_command *c, int i)
{
    return i < c->argc ? c->argv[i] : "";
}
bool phone_has_word(const struct phone_command *c, const char *wanted);
const char *phone_word_after(const struct phone_command *c,
                             const char *wanted); /* "" when absent */
bool phone_knows_package(const struct phone_command *c, const char *name);

/* --- input.c --- */
void phone_tap(struct phone *p, int x, int y);
void phone_key(struct phone *p, const char *name);
int phone_input(struct phone_command *c);
void phone_flush_typing(struct phone *p);

/* --- manager.c: am, pm, cmd, monkey --- */
int phone_am(struct phone_command *c);
int phone_pm(struct phone_command *c);
int phone_cmd(struct phone_command *c);
int phone_monkey(struct phone_command *c);

/* --- frames.c --- */
void phone_add_frame(struct phone *p, double seconds); /* that ends now */
void phone_dump_frames(struct phone *p, const char *package, bool table, tac_str *out);

/* --- replay.c --- */
tac_status phone_replay_open(const char *folder, struct phone_replay **out, tac_error *err);
void phone_replay_free(struct phone_replay *r); /* NULL is fine */
/* True when a recorded output answers the command. */
bool phone_replay_answer(struct phone_command *c, int *code);

/* --- network.c --- */
int phone_dump_network(struct phone_command *c);
void phone_qtaguid(struct phone *p, tac_str *out);

/* --- dumpsys.c --- */
int phone_dumpsys(struct phone_command *c);
void phone_stat(struct phone *p, tac_str *out);
/* A file of /sys/class/power_supply/battery, by its name; false when there is none. */
bool phone_battery_file(struct phone *p, const char *name, tac_str *out);

/* --- logcat.c --- */
void phone_collect_log(struct phone *p);
void phone_add_line(struct phone *p, char level, const char *tag, const char *message); /* now */
int phone_logcat(struct phone_command *c);
/* True when the command line is a `logcat` that does not end by itself; view is then where it
 * starts and how it prints. */
bool phone_follows_log(struct phone *p, const char *line, struct phone_log_view *view);
/* Lines from view->next on, which moves. */
void phone_log_follow(struct phone *p, struct phone_log_view *view, tac_str *out);
void phone_free_log(struct phone *p);

/* --- sync.c: one conversation over the sync service --- */
struct phone_sync {
    tac_str in;
    char *path;
    bool receiving, full; /* full: what is being sent does not fit */
};
/* Takes bytes, appends answers. False: the conversation is over. */
bool phone_sync_feed(struct phone *p, struct phone_sync *sync, const char *data, size_t size,
                     tac_str *out);
void phone_sync_free(struct phone_sync *sync);
