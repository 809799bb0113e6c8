/* Reading runs, the same for mine and predict. */
#ifndef TAC_CLI_MINE_JOB_H
#define TAC_CLI_MINE_JOB_H

#include "cli/command.h"
#include "tactus/mining.h"

/* Entries of an option table. */
#define MINE_STATES                                                                                \
    {                                                                                              \
        .name = "state-tokens", .synonyms = "states", .kind = OPTION_TEXT, .argument = "REGEX",    \
        .help = "regular expression of the tokens that are states (default: ^s)"                   \
    }
#define MINE_PACKAGE                                                                               \
    {                                                                                              \
        .name = "package", .kind = OPTION_TEXT, .argument = "PREFIXES",                            \
        .help = "package prefixes of the app, comma-separated; default: no framework's"            \
    }
#define MINE_FRAMEWORK                                                                             \
    {                                                                                              \
        .name = "framework", .kind = OPTION_TEXT, .argument = "PREFIXES",                          \
        .help = "more prefixes of frames to skip, comma-separated"                                 \
    }
#define MINE_MAPPING                                                                               \
    {                                                                                              \
        .name = "mapping", .kind = OPTION_FILE, .argument = "FILE",                                \
        .help = "mapping file of ProGuard or R8, for obfuscated stacks"                            \
    }
#define MINE_RENAME                                                                                \
    {                                                                                              \
        .name = "rename", .kind = OPTION_TEXT, .argument = "RULE",                                 \
        .help = "identifier rule constant:REGEX=TEXT or order:REGEX=TEXT; repeatable"              \
    }
#define MINE_PLAIN                                                                                 \
    {                                                                                              \
        .name = "no-identifier-rules", .synonyms = "plain", .kind = OPTION_FLAG,                   \
        .help = "without the built-in identifier rules"                                            \
    }
#define MINE_LABELS                                                                                \
    {                                                                                              \
        .name = "labels", .kind = OPTION_FILE, .argument = "FILE",                                 \
        .help = "labels from a file of NAME LABEL lines"                                           \
    }
#define MINE_STATE                                                                                 \
    {                                                                                              \
        .name = "state", .kind = OPTION_TEXT, .argument = "VARIABLE",                              \
        .help = "traces: variable that is the state; default state, screen or activity"            \
    }
#define MINE_PROPERTIES                                                                            \
    {                                                                                              \
        .name = "properties", .meaning = "the property file", .letter = 'p', .kind = OPTION_FILE,  \
        .argument = "FILE", .help = "the property file of --label-by"                              \
    }
#define MINE_LABEL_BY                                                                              \
    {                                                                                              \
        .name = "label-by", .kind = OPTION_TEXT, .argument = "property NAME",                      \
        .help = "traces: runs that violate the property fail (also property:NAME)"                 \
    }
#define MINE_MEMORY                                                                                \
    {                                                                                              \
        .name = "memory", .meaning = "megabytes of memory", .kind = OPTION_NUMBER,                 \
        .argument = "MB", .least = 1, .most = 1000000,                                             \
        .help = "runs beyond this are kept in a temporary file; default 1024"                      \
    }
#define MINE_READ_OPTIONS                                                                          \
    MINE_STATES, MINE_PACKAGE, MINE_FRAMEWORK, MINE_MAPPING, MINE_RENAME, MINE_PLAIN, MINE_LABELS, \
        MINE_STATE, MINE_PROPERTIES, MINE_LABEL_BY, MINE_MEMORY

/* Reads every argument from `first` on. predictor: where the state tokens and the identifier rules
 * come from when the options do not say; or NULL. Returns 0 or the exit code of the failure,
 * already printed. */
int mine_job_read(const struct invocation *in, const tac_predictor *predictor, size_t first,
                  tac_runs **out);

#endif
