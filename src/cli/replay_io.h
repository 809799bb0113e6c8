/* What record, replay and hunt share: the app, how it is driven, and where the rules of its
 * framework are. */
#pragma once

#include "cli/command.h"
#include "replay/replay.h"

#define REPLAY_DEVICE                                                                              \
    TEXT("device", "URI",                                                                          \
         "what runs the app: chromium:URL, or the address of a page; a program is given "          \
         "behind '--' instead",                                                                    \
         .meaning = "what runs the app")
#define REPLAY_ATTEMPTS NUMBER("attempts", "N", 1, 100, "attempts at most (default 3)")
#define REPLAY_SEED                                                                                \
    NUMBER("seed", "S", 0, INT64_MAX, "seed of all randomness (default 1)",                        \
           .meaning = "seed of all randomness")
#define REPLAY_STAY                                                                                \
    TEXT("stay", "ORIGIN",                                                                         \
         "browsers: pages whose address begins so are the app; repeatable; default the "           \
         "app's own origin",                                                                       \
         .meaning = "what counts as the app")
#define REPLAY_DEADLINE                                                                            \
    REAL("deadline", "SECONDS", "timeout of a step of a replay (default 10)",                      \
         .meaning = "how long to wait for the device")
#define REPLAY_DRIVING                                                                             \
    NUMBER("monkey", "N", 1, 10000,                                                                \
           "N random runs, each recorded into a file of its own (default 1)",                      \
           .meaning = "random runs"),                                                              \
        NUMBER("steps", "N", 1, 1000000,                                                           \
               "events per random run (default: as many as fit the budget)",                       \
               .meaning = "events of a run"),                                                      \
        PATH("flows", "FILE",                                                                      \
             "flows to execute, from 'tactus flow list --format jsonl', each a recording",         \
             .meaning = "flows to execute"),                                                       \
        PATH("script", "FILE",                                                                     \
             "gestures to perform, one per line: click XPATH, text XPATH := VALUE, key "           \
             "NAME, wait SECONDS, back"),                                                          \
        REAL("budget", "SECONDS", "seconds of random driving per run (default 20)",                \
             .meaning = "seconds that may be spent")

#define REPLAY_JVM_MODE                                                                            \
    CHOICE("jvm-mode", "HOW", CHOICES({"rewrite", false}, {"breakpoint", true}),                   \
           "Java programs: rewrite their classes as they are loaded (default), or stop "           \
           "them at breakpoints, which is slower and does not see results of methods")

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
