/* A recorded dialogue between an app and its framework: calls with their entries and exits, the
 * forest they form, and its top-level callbacks (the events).
 *
 *   reader (protobuf, JSON Lines) -> raw messages -> builder -> recording
 *
 * A message is one arrow of the dialogue: the entry or the exit of a call. Messages with the same
 * kind, direction, method and values are the same *letter*: rules and engines speak of letters. */
#pragma once

#include "base/data/map.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "base/io/input.h"
#include "tactus/error.h"
#include <stdbool.h>
#include <stdint.h>

enum call_kind { CALLBACK, CALLIN };

/* The four directions of a message. Back-messages go from the framework to the app and can be
 * disabled; in-messages go from the app to the framework and can be disallowed. */
enum direction { CB_ENTRY, CB_EXIT, CI_ENTRY, CI_EXIT };

static inline bool is_back(enum direction d)
{
    return d == CB_ENTRY || d == CI_EXIT;
}

/* Two values unify when `whole` is equal; they look the same to a rule's constants and inside a
 * letter when `identity` is equal ("NULL", else the value, else the object's id). */
struct value {
    uint32_t whole, identity;
};

#define IDENTITY_NULL 0 /* the name table of a recording starts with "NULL" */

struct call {
    enum call_kind kind;
    bool has_result, raised, complete;
    bool assumed;         /* not recorded: a life cycle that the rules declare complete has it */
    uint32_t signature;   /* "void pkg.Cls.method(type,type)" of the class that ran */
    uint32_t first_value; /* receiver first, in recording.values */
    uint32_t value_count;
    uint32_t first_override, override_count; /* in recording.overrides: signatures for rules */
    uint32_t more_overrides; /* after those: names that the paper's reading does not know */
    struct value result;
    uint32_t parent;      /* a call, or TAC_NONE at top level */
    uint32_t caller_line; /* "Cls.java:12" of the app's code, or TAC_NONE */
    uint32_t exception;   /* "type: message", or TAC_NONE */
    uint32_t label;       /* the recorder's name for the event, or TAC_NONE */
    uint64_t entry_id, exit_id;
};

struct message {
    uint32_t call;
    uint32_t letter;
    bool is_exit;
};

struct letter {
    enum direction direction;
    uint32_t call; /* one call that sends it, for names and values */
};

/* One top-level callback: messages[first .. end-1]. */
struct top_level {
    uint32_t first, end;
    bool raised;
    bool assumed;    /* not recorded: an empty callback that the rules say the framework makes */
    uint32_t thread; /* 0 = the event thread */
};

/* What was recorded beside the event thread. */
struct other_threads {
    size_t threads, messages;
    size_t callbacks; /* top-level callbacks there: events of their own */
    size_t calls;     /* calls outside any callback: part of the event they happened in or after */
    size_t unmatched; /* exits without an entry, left out */
};

#define RECORDING_HASH_SIZE 65

struct recording {
    char *name; /* of the file */
    tac_names names;
    TAC_VEC(struct call) calls;
    TAC_VEC(struct value) values;
    TAC_VEC(uint32_t) overrides;
    TAC_VEC(struct message) messages; /* event by event, complete top-level callbacks only */
    TAC_VEC(uint32_t) order;          /* messages in recorded order; empty = as they stand */
    TAC_VEC(struct message) tail;     /* after them: a callback that never ended, as in a crash */
    TAC_VEC(struct top_level) events;
    TAC_VEC(struct letter) letters;
    tac_names letter_names; /* the bytes that identify a letter to its number */
    size_t ui_messages;     /* all messages of the UI thread that were read */
    size_t raised_events;   /* top-level callbacks that ended in an exception */
    size_t dropped;         /* messages after the last complete top-level callback */
    bool truncated;         /* the file ends inside a message */
    size_t assumed_events;
    size_t not_assumed; /* missing callbacks in which the app is known to do something */
    struct other_threads others;
    tac_diagnostics warnings;       /* what the reader tolerated */
    char hash[RECORDING_HASH_SIZE]; /* SHA-256 of the file's content, in hexadecimal */
};

/* What a reader knows about one message. Texts are borrowed and may be NULL. */
enum raw_type {
    RAW_APP = 1,
    RAW_CALLIN_ENTRY,
    RAW_CALLIN_EXIT,
    RAW_CALLIN_EXCEPTION,
    RAW_CALLBACK_ENTRY,
    RAW_CALLBACK_EXIT,
    RAW_CALLBACK_EXCEPTION
};

struct raw_value {
    bool is_null;
    const char *type, *framework_type, *object_id, *value;
};

struct raw_override {
    const char *class_name, *method;
    bool is_interface;
};

struct raw_message {
    enum raw_type type;
    uint64_t id;
    bool ui_thread;
    uint64_t thread; /* told apart from others; meaningless on the event thread */
    const char *class_name, *method;
    const struct raw_value *params;
    size_t param_count;
    const struct raw_value *result; /* NULL when there is none */
    const struct raw_override *overrides;
    size_t override_count;
    const char *first_super, *label;             /* callback entries */
    const char *caller_class, *caller_line;      /* call-in entries */
    const char *exception_type, *exception_text; /* exceptions */
    size_t place; /* number of the message, or line, for error messages */
};

struct recording_builder;

struct recording_builder *recording_builder_new(const char *name, bool lines);
tac_status recording_builder_add(struct recording_builder *builder, const struct raw_message *raw,
                                 tac_error *err);
/* The next bytes of the file, whatever the reader makes of them: they decide the hash. */
void recording_builder_digest(struct recording_builder *builder, const char *bytes, size_t size);
/* A warning about something tolerated; once per text. */
void recording_builder_warn(struct recording_builder *builder, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Sorts, matches entries with exits, interns letters. *out holds the event thread alone, as the
 * paper reads a recording; *all every thread (NULL when there is but one). Frees the builder in any
 * case. */
tac_status recording_builder_finish(struct recording_builder *builder, bool truncated,
                                    struct recording **out, struct recording **all, tac_error *err);
void recording_builder_free(struct recording_builder *builder);

/* Readers: `head` holds the first bytes that were read to tell the format. */
tac_status recording_read_pb(tac_input *input, const char *head, size_t head_size,
                             struct recording_builder *builder, bool *truncated, tac_error *err);
tac_status recording_read_jsonl(const char *name, const char *text, size_t size,
                                struct recording_builder *builder, bool *truncated, tac_error *err);

/* A .pb or .jsonl file, plain or compressed, or "-"; told by content. Outputs as of
 * recording_builder_finish. */
tac_status recording_load(const char *path, struct recording **out, struct recording **all,
                          tac_error *err);
/* The same from memory (tests, fuzzing). */
tac_status recording_parse(const char *name, const char *data, size_t size, struct recording **out,
                           struct recording **all, tac_error *err);
struct recording *recording_copy(const struct recording *recording);
void recording_free(struct recording *recording);
/* The number of the letter of one message of a call; new letters get the next number. */
uint32_t recording_letter(struct recording *recording, tac_str *key, uint32_t call, bool is_exit);

/* A letter in the rules' notation: "[CI] [ENTRY] [t1] void pkg.Task.execute()". */
void recording_letter_text(const struct recording *recording, uint32_t letter, tac_str *out);
/* The texts of all letters, number = letter; one that an earlier letter has gets " #2" and so on,
 * so that each names its letter. */
void recording_letter_texts(const struct recording *recording, tac_names *out);
/* A letter for people: "the call (t1:Task).execute()". */
void recording_letter_words(const struct recording *recording, uint32_t letter, tac_str *out);
/* An event's name: its label if it has one, else "(a1:MainActivity).onCreate(NULL)". */
void recording_event_name(const struct recording *recording, uint32_t event, tac_str *out);

/* The parts of "ret pkg.Cls.name(types)". */
struct method_parts {
    const char *class, *name, *end; /* end: the parenthesis, or the text's end */
    size_t class_length, name_length;
};
/* False where there is no class or no parenthesis; the parts are set in any case. */
bool recording_split(const char *signature, struct method_parts *out);
const char *direction_text(enum direction direction); /* "[CB] [ENTRY]" */

/* The i-th message in recorded order. */
static inline uint32_t recording_in_order(const struct recording *r, uint32_t i)
{
    return r->order.count ? r->order.at[i] : i;
}

/* Messages and then the tail, under one numbering. */
static inline const struct message *recording_message(const struct recording *r, size_t index)
{
    return index < r->messages.count ? &r->messages.at[index]
                                     : &r->tail.at[index - r->messages.count];
}

static inline enum direction direction_of(enum call_kind kind, bool is_exit)
{
    if (kind == CALLBACK)
        return is_exit ? CB_EXIT : CB_ENTRY;
    return is_exit ? CI_EXIT : CI_ENTRY;
}
