/* The parts of the command-line frame that main and the built-in commands share. */
#pragma once

#include "cli/command.h"

/* help.c */
void print_overview(FILE *out); /* the commands of the first day */
void print_all_commands(FILE *out);
void print_noun_overview(const char *noun, FILE *out);
void print_command_help(const struct command *command, FILE *out);
/* NULL when absent; verb NULL for a one-word command. */
const struct command *find_command(const char *noun, const char *verb);
bool is_noun(const char *word);

/* manual.c: the man page in roff; tactus-flow-count(1). */
void print_manual(const struct command *command, FILE *out);
void print_main_manual(FILE *out);

/* completion.c: shell is bash, zsh or fish. */
void print_completion(const char *shell, FILE *out);

/* version.c */
void print_version(FILE *out);
json_t *version_json(void);
/* False: it is not built in. */
bool libpq_version(char text[16]);

/* terminal_watch.c: a progress line on a terminal, and the signals that end a command. */
tac_watch *terminal_watch_start(bool drives_devices);
void terminal_watch_end(void);
bool terminal_interrupted(void); /* a signal has asked to stop */

/* campaign_args.c: arguments that name campaigns, folders or addresses of databases, replaced by
 * the traces of their runs. What was fetched lasts until the end. */
struct campaign_args {
    const char **args;
    char **owned;
    size_t count, owned_count;
    char *scratch;
};
tac_status campaign_args_open(struct invocation *in, struct campaign_args *out, tac_error *err);
void campaign_args_close(struct campaign_args *args);

/* text_border.c: standard output and standard error show what they must not pass on. */
void text_border_start(void);
bool text_border_end(void); /* false when something could not be written */
/* Standard error without the border, for what the program itself sends to a terminal. */
FILE *terminal_stream(void);
