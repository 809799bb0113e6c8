/* From words on the command line to values by option name. */
#pragma once

#include "base/data/vec.h"
#include "cli/command.h"

struct parsed_options {
    TAC_VEC(struct {
        const struct option *option;
        const char *value; /* NULL for flags */
    })
    values;
    TAC_VEC(const char *) args;
    TAC_VEC(const char *) program;
    bool help;
};

/* The command's own options followed by the common ones it has and --help; calls each that is
 * shown, in order. The one place that says which options a command takes. */
void for_each_option(const struct command *command,
                     void (*visit)(const struct option *option, void *context), void *context);

/* The same with the hidden ones. */
void for_every_option(const struct command *command,
                      void (*visit)(const struct option *option, void *context), void *context);

/* Parses the words after the command's name. Options may stand anywhere; "--" ends them. */
tac_status parse_options(const struct command *command, int count, char *const *words,
                         struct parsed_options *out, tac_error *err);
/* "a|b|c", the words of a choice. */
enum { OPTION_WORDS = 256 };
const char *option_words(const struct option *option, char buffer[OPTION_WORDS]);
void free_options(struct parsed_options *parsed);

/* How many arguments the usage line allows, SIZE_MAX = any number: "A [B]" 1 to 2, "A B..." 2 or
 * more; "[-- PROGRAM]" is none. */
struct arity {
    size_t least, most;
};
struct arity command_arity(const struct command *command);

/* "tactus flow count"; buffer of 80 bytes or more. */
const char *command_name(const struct command *command, char *buffer, size_t size);
