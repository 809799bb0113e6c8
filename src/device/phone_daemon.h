/* The inside of the phone that speaks adb: the daemon's streams (phone_adbd.c), its files
 * (phone_sync.c), its shell (phone_shell.c), and the commands (phone_input.c, phone_dumpsys.c,
 * phone_logcat.c). */
#ifndef TAC_DEVICE_PHONE_DAEMON_H
#define TAC_DEVICE_PHONE_DAEMON_H

#include "device/sim.h"

enum { PHONE_UID = 10123, PHONE_PID = 4242, PHONE_MOST_LOG = 20000, PHONE_MOST_FILE = 64 << 20 };

typedef struct phone_line {
    int64_t time;
    char level;
    char *tag, *message;
} phone_line;

typedef struct phone_file {
    char *path;
    tac_str data;
} phone_file;

typedef struct phone {
    tac_device *device;
    sim *sim;
    bool dead, hung; /* by an injected fault */
    TAC_VEC(phone_line) log;
    uint64_t log_first; /* number of log.at[0], counted from the start */
    TAC_VEC(phone_file) files;
    char *focus; /* XPath of the field that has the keyboard, or NULL */
    tac_str typed;
    bool typing; /* `typed` is not in the app yet */
} phone;

typedef struct phone_command {
    phone *phone;
    int argc;
    char **argv;
    tac_str *out;
} phone_command;

/* --- phone_shell.c --- */
/* Runs a command line; its output is appended, its exit code returned. */
int phone_run(phone *p, const char *line, tac_str *out);
tac_str *phone_find_file(phone *p, const char *path, bool create); /* NULL when absent */
bool phone_remove_file(phone *p, const char *path);

/* --- phone_input.c --- */
int phone_input(phone_command *c);
void phone_flush_typing(phone *p);

/* --- phone_dumpsys.c --- */
int phone_dumpsys(phone_command *c);
void phone_qtaguid(phone *p, tac_str *out);
void phone_stat(phone *p, tac_str *out);

/* --- phone_logcat.c --- */
void phone_collect_log(phone *p);
int phone_logcat(phone_command *c);
/* Lines from number *next on, in threadtime; *next moves on. */
void phone_log_since(phone *p, uint64_t *next, tac_str *out);
void phone_free_log(phone *p);

/* --- phone_sync.c: one conversation over the sync service --- */
typedef struct phone_sync {
    tac_str in;
    char *path;
    bool receiving;
} phone_sync;
/* Takes bytes, appends answers. False: the conversation is over. */
bool phone_sync_feed(phone *p, phone_sync *sync, const char *data, size_t size, tac_str *out);
void phone_sync_free(phone_sync *sync);

#endif
