/* Reading runs, the same for mine and predict. */
#ifndef TAC_CLI_MINE_JOB_H
#define TAC_CLI_MINE_JOB_H

#include "cli/command.h"
#include "tactus/mining.h"

#define MINE_READ_OPTIONS                                                                          \
    {.name = "states",                                                                             \
     .kind = OPTION_TEXT,                                                                          \
     .argument = "REGEX",                                                                          \
     .help = "tokens that are states; default ^s"},                                                \
        {.name = "package",                                                                        \
         .kind = OPTION_TEXT,                                                                      \
         .argument = "PREFIXES",                                                                   \
         .help = "package prefixes of the app, comma-separated; default: no framework's"},         \
        {.name = "framework",                                                                      \
         .kind = OPTION_TEXT,                                                                      \
         .argument = "PREFIXES",                                                                   \
         .help = "more prefixes of frames to skip, comma-separated"},                              \
        {.name = "rename",                                                                         \
         .kind = OPTION_TEXT,                                                                      \
         .argument = "RULE",                                                                       \
         .help = "identifier rule constant:REGEX=TEXT or order:REGEX=TEXT; repeatable"},           \
        {.name = "plain", .kind = OPTION_FLAG, .help = "without the built-in identifier rules"},   \
        {.name = "labels",                                                                         \
         .kind = OPTION_FILE,                                                                      \
         .argument = "FILE",                                                                       \
         .help = "labels from a file of NAME LABEL lines"},                                        \
    {                                                                                              \
        .name = "state", .kind = OPTION_TEXT, .argument = "VARIABLE",                              \
        .help = "traces: variable that is the state; default state, screen or activity"            \
    }

/* Reads every argument from `first` on. states: a default for --states, or NULL. Returns 0 or the
 * exit code of the failure, already printed. */
int mine_job_read(const struct invocation *in, const char *states, size_t first, tac_runs **out);

#endif
