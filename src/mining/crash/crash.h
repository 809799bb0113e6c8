/* A crash as an engineer reads it: the exception at the root, the frames from the root outwards,
 * the process. read_crash.c makes it of any text that holds a stack, name_crash.c names it. */
#pragma once

#include "base/data/arena.h"
#include "base/data/map.h"
#include "base/data/pattern.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "tactus/error.h"
#include "tactus/mining.h"
#include "trace/log/record.h"
#include <stdint.h>
#include <string.h>

/* --- Lines (text_lines.c)
 * -----------------------------------------------------------------------*/

struct log_line {
    const char *text; /* the message, its own indentation kept */
    size_t length;
    const char *tag, *pid, *package; /* spans of the header; NULL where it has none */
    size_t tag_length, pid_length, package_length;
    bool has_header;
};

/* --- Frames (stack_frame.c)
 * -----------------------------------------------------------------------*/

struct stack_frame {
    const char *name; /* package.Class.method, library!symbol or function; of the arena */
    uint32_t line;    /* in the source file, 0 = not told */
    const char
        *place; /* of V8: "/app.js:12:5", without its host; NULL when not told; of the arena */
    const char *steady; /* crash_frame_place of a script's frame that is kept; else NULL */
    bool library;       /* by its file: a system library, a runtime's own script */
    bool complete;      /* not cut in the middle of its name */
};

bool stack_frame_read(const char *line, size_t length, tac_arena *arena, struct stack_frame *out);
/* lambda$onCreate$0 -> onCreate, $$Lambda$12/0x1f -> $$Lambda: what differs between builds goes. */
void stack_frame_steady(tac_str *name);

/* --- Libraries (library.c)
 * -----------------------------------------------------------------------*/

/* Whether text (of the length) begins with one of the comma-separated prefixes. */
bool has_prefix(const char *text, size_t length, const char *prefixes);
bool is_library_name(const char *name);

/* --- Mapping files of ProGuard and R8 (mapping.c)
 * -----------------------------------------------------------------------*/

struct name_mapping;
tac_status name_mapping_load(const char *path, struct name_mapping **out, tac_error *err);
void name_mapping_free(struct name_mapping *mapping);
/* The original name of an obfuscated "a.b.c" (class and method), or NULL when it is not in the
 * mapping. In *out, whose earlier content goes. */
bool name_mapping_frame(const struct name_mapping *mapping, const char *name, uint32_t line,
                        tac_str *out);
bool name_mapping_class(const struct name_mapping *mapping, const char *name, tac_str *out);

/* --- Crashes
 * -----------------------------------------------------------------------*/

struct crash {
    const char *exception; /* of the root: a class, a signal, "ANR"; "" when nobody says */
    const char *process;   /* "" when nobody says */
    const char *subject;   /* a class that a message names, of the app; "" */
    const char *message;   /* of the root, with what stands before it; "" */
    const char *place;     /* with the statement, where somebody has read the source; "" */
    /* From the root outwards; `own` of each is what decides. */
    struct stack_frame *frames;
    uint32_t frame_count;
};

struct crash_reader {
    struct record_reader records;
    const struct name_mapping *mapping; /* or NULL; borrowed */
    const char *packages, *framework;   /* comma-separated prefixes, or NULL; borrowed */
    tac_cluster_by by;                  /* what crashes are one by */
};

void read_crash(const struct crash_reader *reader, const char *exception, const char *stack,
                tac_arena *arena, struct crash *out);

/* The frame that decides: the first of the app from the root outwards; `common` (may be NULL) says
 * which frame names are in every crash of a set and decide nothing. TAC_NONE: no frame does. */
typedef bool common_frame(void *context, const char *name);
uint32_t crash_deciding_frame(const struct crash_reader *reader, const struct crash *crash,
                              common_frame *common, void *context);
bool crash_frame_is_framework(const struct crash_reader *reader, const struct stack_frame *frame);
/* Whether it only makes the exception: engines differ in whether they tell of it. */
bool crash_frame_constructs(const struct stack_frame *frame, const char *exception);
/* place.c: the name, of a script "function (file)", as every engine and build has it; the
 * caller's. */
char *crash_frame_place(const struct stack_frame *frame);
/* Where the crash is: what it is one with others by; the caller's. */
char *crash_place(const struct crash_reader *reader, const struct crash *crash,
                  common_frame *common, void *context);
/* "exception at frame"; the caller's. */
char *crash_name(const struct crash_reader *reader, const struct crash *crash, common_frame *common,
                 void *context);
