/* One descriptor per command. It is the only description of the command: dispatch, option parsing,
 * --help, the man page and the shell completions all come from it. */
#pragma once

#include "base/data/arena.h"
#include "tactus/error.h"
#include "tactus/verdict.h"
#include "tactus/watch.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum option_kind {
    OPTION_FLAG,   /* present or not */
    OPTION_TEXT,   /* any text; a repeated option keeps every value */
    OPTION_FILE,   /* text that shells complete as a file name */
    OPTION_NUMBER, /* a whole number within [least, most] */
    OPTION_REAL,   /* a finite number */
    OPTION_CHOICE  /* one of `choices` */
};

/* A word that an option takes and what it is to the command; a list ends with a NULL word. */
struct option_choice {
    const char *word;
    int value;
};
#define CHOICES(...) ((const struct option_choice[]){__VA_ARGS__, {NULL, 0}})

struct option {
    const char *name; /* "length", without dashes; NULL ends the table */
    char letter;      /* 'p' for -p, or 0 */
    enum option_kind kind;
    const char *argument; /* "N", shown in the help; NULL for flags */
    const char *help;     /* one sentence; say the default here */
    /* A name has one meaning over all commands; the test of the descriptors compares this, or the
     * help where it is NULL. Give it where the help of one command says more than another's. */
    const char *meaning;
    /* Earlier spellings that still work and are not shown, "old|older"; one letter is a letter. */
    const char *synonyms;
    /* OPTION_CHOICE; or a text that another command takes freely, under the same name */
    const struct option_choice *choices;
    int64_t least, most; /* OPTION_NUMBER only; both 0 = any int64 */
    bool required;
    bool hidden; /* works, and is not shown: an earlier spelling with a meaning of its own */
};

/* Rows of a table of options; what a macro does not take is set by name after the help:
 * NUMBER("seed", "S", 0, INT64_MAX, "seed of all randomness (default 1)", .letter = 's'). */
#define FLAG(word, text, ...)                                                                      \
    {                                                                                              \
        .name = (word), .help = (text), __VA_ARGS__                                                \
    }
#define OPTION_(word, kind_, what, text, ...)                                                      \
    {                                                                                              \
        .name = (word), .kind = (kind_), .argument = (what), .help = (text), __VA_ARGS__           \
    }
#define TEXT(word, what, text, ...) OPTION_(word, OPTION_TEXT, what, text, __VA_ARGS__)
#define PATH(word, what, text, ...) OPTION_(word, OPTION_FILE, what, text, __VA_ARGS__)
#define REAL(word, what, text, ...) OPTION_(word, OPTION_REAL, what, text, __VA_ARGS__)
#define NUMBER(word, what, from, to, text, ...)                                                    \
    OPTION_(word, OPTION_NUMBER, what, text, .least = (from), .most = (to), __VA_ARGS__)
/* list: CHOICES({"word", value}, ...), in the order in which the help names them. */
#define CHOICE(word, what, list, text, ...)                                                        \
    OPTION_(word, OPTION_CHOICE, what, text, .choices = (list), __VA_ARGS__)

/* Options that many commands have, parsed for all that ask for them. Every command has --help. */
enum common_options {
    HAS_JSON = 1,    /* --json: one JSON document on standard output */
    HAS_OUTPUT = 2,  /* -o, --output FILE */
    HAS_VERBOSE = 4, /* --verbose */
    HAS_PARALLEL = 8 /* --parallel K: processes at once, 0 = one per processor */
};

struct invocation;
struct describe;

#define DOCUMENTS(...) ((const struct describe *const[]){__VA_ARGS__, NULL})

/* Where the list of commands shows it; every command has one. */
enum command_group {
    GROUP_TEST = 1,
    GROUP_ANALYSE,
    GROUP_MODELS,
    GROUP_AUTOMATIONS,
    GROUP_CAMPAIGNS,
    GROUP_SETUP
};

struct command {
    const char *noun; /* "flow"; for a one-word command the word itself */
    const char *verb; /* "count", or NULL for a one-word command */
    enum command_group group;
    bool first;              /* on the first page of the help: at most a dozen commands are */
    const char *args;        /* "MODEL [DIR]", "FILE..."; "" when there are none */
    const char *summary;     /* one line, lower case, no full stop */
    const char *description; /* paragraphs separated by blank lines; what it does, what it prints */
    const char *example;     /* lines that work as printed, in the project's folder */
    const struct option *options; /* ends with a NULL name; may be NULL */
    unsigned common;              /* enum common_options */
    /* What it prints with --json, one or the other; ends with NULL. schemas/ is written from it. */
    const struct describe *const *documents;
    bool reads_traces;                 /* arguments that are campaigns stand for their traces */
    bool takes_program;                /* words after "--" are a program with its arguments */
    bool drives_devices;               /* a stop may take as long as a step of a device takes */
    int (*run)(struct invocation *in); /* returns the exit code */
};

/* What the user asked for. */
struct invocation {
    const struct command *command;
    const char *const *args;
    size_t arg_count;
    const char *const *program; /* the words after "--" of a command that takes a program */
    size_t program_count;
    bool json, verbose;
    const char *output; /* -o, or NULL */
    bool stop_is_end;   /* set by commands that last until they are stopped: output is whole then */
    unsigned jobs;      /* --parallel, or 0 */
    tac_watch *watch;   /* the terminal's progress line; stops at a signal */
    bool sandbox_noted; /* note_sandbox has spoken */
    const struct piped
        *piped; /* inputs that were pipes, whose copies messages do not name; or NULL */
    struct parsed_options *parsed;
    tac_arena *texts; /* lasts as long as the call */
};

/* Values by option name; the name must be in the command's table. */
bool has_option(const struct invocation *in, const char *name); /* is it in the table? */
bool option_flag(const struct invocation *in, const char *name);
const char *option_text(const struct invocation *in, const char *name); /* last value, or NULL */
int64_t option_number(const struct invocation *in, const char *name, int64_t otherwise);
/* The value of the word that was given. */
int option_choice(const struct invocation *in, const char *name, int otherwise);
double option_real(const struct invocation *in, const char *name, double otherwise);
size_t option_count(const struct invocation *in, const char *name);
const char *option_value(const struct invocation *in, const char *name, size_t index);
/* Every value of an option, or of several, "scenario|network", one after the other; they last as
 * long as the call. */
const char *const *option_values(const struct invocation *in, const char *names, size_t *count);

/* How commands end. Each prints what is due and returns the exit code, so that a command reads
 * "return fail(in, &err)". */
int fail(const struct invocation *in, const tac_error *err);
/* One line on standard error, "tactus: ...", with line breaks of others visible. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
int fail_usage(const struct invocation *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Writes the document to -o or standard output, takes the reference, returns exit_code (4 when
 * writing failed). */
int finish_json(const struct invocation *in, json_t *document, int exit_code);
/* The same for a document that writes itself. */
int finish_stream(const struct invocation *in,
                  tac_status (*write)(FILE *out, void *context, tac_error *err), void *context,
                  int exit_code);
/* Opens -o or standard output, calls write, commits. */
int finish_text(const struct invocation *in, void (*write)(FILE *out, void *context), void *context,
                int exit_code);
/* Every diagnostic as "FILE:LINE:COLUMN: error: ..." on standard error. */
void print_diagnostics(const tac_diagnostics *list);

/* Says on standard error when a browser that the program starts runs without its sandbox. */
void note_sandbox(struct invocation *in, const char *uri);

/* The table: src/cli/commands.def lists every command once. */
extern const struct command *const all_commands[];
extern const size_t all_command_count;
