/* What record, replay and hunt share: the app, how it is driven, and where the rules of its
 * framework are. */
#ifndef TAC_CLI_REPLAY_IO_H
#define TAC_CLI_REPLAY_IO_H

#include "cli/command.h"
#include "tactus/replay.h"

#define REPLAY_DEVICE                                                                              \
    {                                                                                              \
        .name = "device", .meaning = "what runs the app", .kind = OPTION_TEXT, .argument = "URI",  \
        .help = "what runs the app: chromium:URL, or the address of a page; a program is given "   \
                "behind '--' instead"                                                              \
    }
#define REPLAY_ATTEMPTS                                                                            \
    {                                                                                              \
        .name = "attempts", .kind = OPTION_NUMBER, .argument = "N", .least = 1, .most = 100,       \
        .help = "attempts at most (default 3)"                                                     \
    }
#define REPLAY_SEED                                                                                \
    {                                                                                              \
        .name = "seed", .meaning = "seed of all randomness", .kind = OPTION_NUMBER,                \
        .argument = "S", .least = 0, .most = INT64_MAX,                                            \
        .help = "seed of all randomness (default 1)"                                               \
    }
#define REPLAY_STAY                                                                                \
    {                                                                                              \
        .name = "stay", .meaning = "what counts as the app", .kind = OPTION_TEXT,                  \
        .argument = "ORIGIN",                                                                      \
        .help = "browsers: pages whose address begins so are the app; repeatable; default the "    \
                "app's own origin"                                                                 \
    }
#define REPLAY_DEADLINE                                                                            \
    {                                                                                              \
        .name = "deadline", .meaning = "how long to wait for the device", .kind = OPTION_REAL,     \
        .argument = "SECONDS", .help = "timeout of a step of a replay (default 10)"                \
    }
#define REPLAY_DRIVING                                                                             \
    {.name = "monkey",                                                                             \
     .kind = OPTION_NUMBER,                                                                        \
     .argument = "N",                                                                              \
     .meaning = "random runs",                                                                     \
     .least = 1,                                                                                   \
     .most = 10000,                                                                                \
     .help = "N random runs, each recorded into a file of its own (default 1)"},                   \
        {.name = "steps",                                                                          \
         .kind = OPTION_NUMBER,                                                                    \
         .argument = "N",                                                                          \
         .meaning = "events of a run",                                                             \
         .least = 1,                                                                               \
         .most = 1000000,                                                                          \
         .help = "events per random run (default: as many as fit the budget)"},                    \
        {.name = "flows",                                                                          \
         .kind = OPTION_FILE,                                                                      \
         .argument = "FILE",                                                                       \
         .meaning = "flows to execute",                                                            \
         .help = "flows to execute, from 'tactus flow list --format jsonl', each a recording"},    \
        {.name = "script",                                                                         \
         .kind = OPTION_FILE,                                                                      \
         .argument = "FILE",                                                                       \
         .help = "gestures to perform, one per line: click XPATH, text XPATH := VALUE, key NAME, " \
                 "wait SECONDS, back"},                                                            \
    {                                                                                              \
        .name = "budget", .meaning = "seconds that may be spent", .kind = OPTION_REAL,             \
        .argument = "SECONDS", .help = "seconds of random driving per run (default 20)"            \
    }

#define REPLAY_JVM_MODE                                                                            \
    {                                                                                              \
        .name = "jvm-mode", .kind = OPTION_CHOICE, .argument = "HOW",                              \
        .choices = "rewrite|breakpoint",                                                           \
        .help = "Java programs: rewrite their classes as they are loaded (default), or stop them " \
                "at breakpoints, which is slower and does not see results of methods"              \
    }

/* Opens what --device or the program names. Returns 0, or the exit code, already reported. */
int replay_open(struct invocation *in, tac_subject **out);
/* The driving options; 0, or the exit code. */
int replay_driving(struct invocation *in, tac_driving *out);

/* The rule files that --rules and --rules-list name, else those of the subject's kind
 * (rules/KIND.txt here, beside the program or where it was installed). A name that ends in .txt is
 * a list. *set names the choice, for people. All are the caller's (replay_rules_free). */
struct replay_rules {
    char **files;
    size_t count;
    char *set;
};
int replay_rules(struct invocation *in, const char *kind, struct replay_rules *out);
void replay_rules_free(struct replay_rules *rules);

#endif
