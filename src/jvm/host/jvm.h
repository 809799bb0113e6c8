/* Java programs with the agent in them: started, listened to, held.
 *
 *   order -> plan file, log file, socket -> java -agentpath:... -> records in order
 *
 * The agent writes into a file in shared memory (raw.h), which is read while the program runs and
 * after it has ended, however it ended. */
#pragma once

#include "base/data/str.h"
#include "base/data/vec.h"
#include "base/describe/describe.h"
#include "jvm/raw.h"
#include "tactus/error.h"
#include "tactus/watch.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* A method as rules name it. */
struct jvm_method {
    const char *class_name, *name;
    const char *types; /* "java.util.TimerTask,long" */
};

struct jvm_order {
    const char *const *words; /* the command */
    size_t word_count;
    const char *const *patterns; /* of timed methods */
    size_t pattern_count;
    const struct jvm_method *callbacks, *callins;
    size_t callback_count, callin_count;
    bool border; /* record callbacks and call-ins */
    bool breakpoints, everything;
    bool link, hold; /* a socket to the agent; callbacks wait to be named */
};

/* Lines of the plan that describe the order. */
void jvm_plan_write(const struct jvm_order *order, const char *log, const char *socket,
                    tac_str *out);

struct raw_place {
    uint64_t sequence;
    uint32_t chunk, at;
};

struct raw_reader {
    int file;
    const char *map;
    size_t mapped;
    TAC_VEC(uint32_t) read;            /* per chunk: bytes taken */
    TAC_VEC(struct raw_place) waiting; /* taken, but one before them is still being written */
    uint64_t next;                     /* sequence that comes next */
    uint64_t damaged;                  /* chunks that do not hold what a chunk holds */
};
bool raw_reader_open(struct raw_reader *reader, const char *path);
/* Notices that the file has grown. */
void raw_reader_look(struct raw_reader *reader);
const struct raw_header *raw_reader_header(const struct raw_reader *reader); /* NULL = not yet */
/* How many records were begun so far. */
uint64_t raw_reader_sequence(struct raw_reader *reader);
/* Gives every record that is next in order; with `all`, also those behind one that was never
 * finished. What is given lasts until the next call. */
void raw_reader_take(struct raw_reader *reader, bool all,
                     void (*take)(void *context, const struct raw_record *record), void *context);
void raw_reader_close(struct raw_reader *reader);

/* --- Messages --- */
struct jvm_numbers {
    TAC_VEC(char *) texts;
};
struct jvm_messages {
    struct jvm_numbers heads, types, places; /* by number; NULL = not told */
};
/* True when the record says what a number stands for. */
bool jvm_messages_define(struct jvm_messages *messages, const struct raw_record *record);
/* A record of kind RAW_CALLIN or RAW_RETURN as a line; false when it cannot be read. */
bool jvm_message_text(const struct jvm_messages *messages, const struct raw_record *record, bool ui,
                      tac_str *out);
void jvm_messages_free(struct jvm_messages *messages);

struct jvm_process {
    pid_t pid;
    bool ended;
    int exit_status; /* of waitpid */
    char *folder;
    struct raw_reader reader;
    int listening, connection; /* -1 = none */
    tac_str line;
};

/* Starts the command with the agent in it. Its standard streams are this process's own; with
 * quiet_output standard output goes to standard error. */
tac_status jvm_start(const struct jvm_order *order, bool quiet_output, struct jvm_process *out,
                     tac_error *err);
/* Has it ended? Waits at most this long, listening to the agent. */
bool jvm_wait(struct jvm_process *process, double seconds);
/* A line for the agent; false when it is not there. */
bool jvm_say(struct jvm_process *process, const char *line);
/* The next line from the agent within this time, NULL = none; the caller's. */
char *jvm_hear(struct jvm_process *process, double seconds);
/* Did the agent get into a virtual machine? Else what is to be told. */
tac_status jvm_check_attached(const struct jvm_process *process, const char *command,
                              tac_error *err);
/* Ends it, by force after a while, and removes what was written for it. */
void jvm_stop(struct jvm_process *process);

/* --- Timed methods --- */

/* What came of recording methods. */
struct jvm_recorded {
    uint64_t states, methods; /* methods: that have probes */
    uint64_t lost;            /* records */
    uint32_t classes, rewritten;
    uint32_t left_alone; /* methods that could not be given probes */
    int exit_code;
    bool ended_in_order;
};

/* Runs the command, and writes the entries and exits of methods as a trace: events "enter:Cls.m"
 * and "exit:Cls.m", the method in full, the thread. */
tac_status tac_jvm_record_methods(const struct jvm_order *order, const char *format, FILE *out,
                                  bool quiet_output, tac_watch *watch, struct jvm_recorded *result,
                                  tac_error *err);
/* {"states","methods","lost","classes","rewritten","left_alone","exit_code","ended_in_order"}; the
 * caller's. */
DESCRIBED(jvm_recorded, struct jvm_recorded);
