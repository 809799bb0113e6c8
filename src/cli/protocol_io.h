/* What the protocol commands share: where the rules come from, and the options of a question. */
#pragma once

#include "cli/command.h"
#include "tactus/protocol.h"

/* Rows for option tables. */
#define PROTOCOL_RULES                                                                             \
    PATH("rules", "F[,F..]", "rule files, separated by commas; may be repeated", .synonyms = "r")
#define PROTOCOL_RULES_LIST PATH("rules-list", "LIST", "a file that names one rule file per line")
#define PROTOCOL_RULES_ROOT                                                                        \
    PATH("rules-root", "DIR",                                                                      \
         "what the list's paths are relative to; default the parent of its folder")
#define PROTOCOL_CONFLICT                                                                          \
    CHOICE("conflict", "HOW", CHOICES({"block", false}, {"paper", true}),                          \
           "rules that disagree: block the step (default), or the paper's reading")
/* --framework-model all: compares them. */
enum { EVERY_MODEL = TAC_MODEL_LIFECYCLE_PLUS + 1 };
#define PROTOCOL_MODEL                                                                             \
    CHOICE("framework-model", "MODEL",                                                             \
           CHOICES({"lifestate", TAC_MODEL_LIFESTATE}, {"top", TAC_MODEL_TOP},                     \
                   {"lifecycle", TAC_MODEL_LIFECYCLE}, {"lifecycle++", TAC_MODEL_LIFECYCLE_PLUS},  \
                   {"all", EVERY_MODEL}),                                                          \
           "how much of the rules to use (default: lifestate, all of them; 'all' compares the "    \
           "models)",                                                                              \
           .synonyms = "model")
#define PROTOCOL_AS_RECORDED                                                                       \
    FLAG("as-recorded", "the paper's reading: only recorded callbacks, only the event "            \
                        "thread, rules taken on trust")
#define PROTOCOL_TARGET                                                                            \
    TEXT("target", "METHOD",                                                                       \
         "only calls whose signature contains this text; default every call that the "             \
         "rules disallow")
#define PROTOCOL_TIME_LIMIT REAL("time-limit", "S", "seconds per trace and model; default none")
#define PROTOCOL_MEMORY_LIMIT                                                                      \
    NUMBER("memory", "MB", 1, 1 << 20, "megabytes per trace and model; default none",              \
           .meaning = "megabytes of memory", .synonyms = "memory-limit")

/* Reads the rules that the options name; warnings go to standard error. Returns 0, or the exit code
 * of the failure, already reported. */
int protocol_load_rules(struct invocation *in, tac_protocol_rules **out);
/* Rule files separated by commas, as one set. */
tac_status protocol_read_files(const char *names, tac_protocol_rules **out,
                               tac_diagnostics *diagnostics, tac_error *err);
/* Options that the command has, filled in. False for --framework-model all. */
bool protocol_options(struct invocation *in, tac_protocol_options *out);
/* Is this a question about many problems: several traces, all models, or limits? */
bool protocol_is_corpus(struct invocation *in);
/* Answers it: every trace under the model or models asked for. Returns the exit code. */
int protocol_run_corpus(struct invocation *in, bool validate);
