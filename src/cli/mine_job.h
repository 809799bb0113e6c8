/* Reading runs, the same for mine and predict. */
#pragma once

#include "cli/command.h"
#include "mining/mining.h"

/* Entries of an option table. */
#define MINE_STATES                                                                                \
    TEXT("state-tokens", "REGEX",                                                                  \
         "regular expression of the tokens that are states (default: ^s)", .synonyms = "states")
#define MINE_PACKAGE                                                                               \
    TEXT("package", "PREFIXES",                                                                    \
         "package prefixes of the app, comma-separated; default: no framework's")
#define MINE_FRAMEWORK                                                                             \
    TEXT("framework", "PREFIXES", "more prefixes of frames to skip, comma-separated")
#define MINE_CLUSTER_BY                                                                            \
    CHOICE("cluster-by", NULL,                                                                     \
           CHOICES({"frame", TAC_CLUSTER_BY_FRAME}, {"stack", TAC_CLUSTER_BY_STACK},               \
                   {"message", TAC_CLUSTER_BY_MESSAGE}),                                           \
           "crashes of one exception are one by the app's topmost frame (frame, the default), by " \
           "all frames of the app (stack), or by what the exception says (message)",               \
           .meaning = "what crashes are one by")
#define MINE_MAPPING                                                                               \
    PATH("mapping", "FILE", "mapping file of ProGuard or R8, for obfuscated stacks")
#define MINE_RENAME                                                                                \
    TEXT("rename", "RULE", "identifier rule constant:REGEX=TEXT or order:REGEX=TEXT; repeatable")
#define MINE_PLAIN                                                                                 \
    FLAG("no-identifier-rules", "without the built-in identifier rules", .synonyms = "plain")
#define MINE_LABELS PATH("labels", "FILE", "labels from a file of NAME LABEL lines")
#define MINE_STATE                                                                                 \
    TEXT("state", "VARIABLE",                                                                      \
         "traces: variable that is the state; default state, screen or activity")
#define MINE_PROPERTIES                                                                            \
    PATH("properties", "FILE", "the property file of --label-by", .letter = 'p',                   \
         .meaning = "the property file")
#define MINE_LABEL_BY                                                                              \
    TEXT("label-by", "property NAME",                                                              \
         "traces: runs that violate the property fail (also property:NAME)")
#define MINE_MEMORY                                                                                \
    NUMBER("memory", "MB", 1, 1000000,                                                             \
           "runs beyond this are kept in a temporary file; default 1024",                          \
           .meaning = "megabytes of memory")
#define MINE_READ_OPTIONS                                                                          \
    MINE_STATES, MINE_PACKAGE, MINE_FRAMEWORK, MINE_CLUSTER_BY, MINE_MAPPING, MINE_RENAME,         \
        MINE_PLAIN, MINE_LABELS, MINE_STATE, MINE_PROPERTIES, MINE_LABEL_BY, MINE_MEMORY

/* Reads every argument from `first` on. predictor: where the state tokens and the identifier rules
 * come from when the options do not say; or NULL. Returns 0 or the exit code of the failure,
 * already printed. */
int mine_job_read(const struct invocation *in, const tac_predictor *predictor, size_t first,
                  tac_runs **out);
