/* Recording a running app, and replaying a predicted violation on it.
 *
 * A subject is an app that a recorder can watch: a page in a browser (any device that has the
 * capability, device/device.h), or a program that is started with an agent in it. Recorded, it
 * gives a file that `tactus protocol` reads; held, it lets happen one callback at a time, by the
 * labels of such a file. docs/recording.md has the formats and what the results mean. */
#pragma once

#include "device/device.h"
#include "tactus/protocol.h"

typedef struct tac_subject tac_subject;

/* The app on a device. TAC_E_USAGE when the device cannot record. */
tac_status tac_subject_open_device(const char *uri, const tac_device_options *options,
                                   tac_subject **out, tac_error *err);
/* A program with its arguments: words[0] is looked up like a shell does. */
tac_status tac_subject_open_command(const char *const *words, size_t count, tac_subject **out,
                                    tac_error *err);
/* What the rules name is what a program's recorder watches. Of no concern to pages, whose recorder
 * watches everything. */
void tac_subject_watch(tac_subject *subject, const tac_protocol_rules *rules);
/* A program's classes stay as they are and stop at breakpoints instead: slower, and results of
 * methods are not seen. Of no concern to pages. */
void tac_subject_use_breakpoints(tac_subject *subject);
/* Ends whatever was started for it. NULL is fine. */
void tac_subject_free(tac_subject *subject);
/* "web", "jdk": rules/KIND.txt are the rules of its framework. */
const char *tac_subject_kind(const tac_subject *subject);

/* How a recorded app is driven. At most one of flows and script; with neither, random events. A
 * program drives itself, unless its agent can do it. */
typedef struct tac_driving {
    const char *flows;  /* a flow file (`tactus flow list --format jsonl`) */
    const char *script; /* gestures, one per line (docs/recording.md) */
    uint32_t runs;      /* random runs; 0 = 1 */
    uint32_t steps;     /* events per random run; 0 = as many as fit the budget */
    double budget;      /* seconds of driving per run; 0 = 20 */
    uint64_t seed;      /* of run i: seed + i */
    tac_watch *watch;   /* may be NULL */
} tac_driving;

/* What was recorded in one run. Texts are the caller's (tac_record_facts_free). */
typedef struct tac_record_facts {
    char *file;
    uint64_t seed;
    size_t messages, callbacks, failures, steps;
    size_t dropped; /* messages that were not kept because a limit was passed */
    char **unseen;  /* what the recorder could not see, in words */
    size_t unseen_count;
    char *note; /* why the run ended early, or NULL */
} tac_record_facts;
void tac_record_facts_free(tac_record_facts *facts, size_t count);

/* Records every run of the driving: the first into `path`, run i > 1 into the same name with -i
 * before its ending. rules_name says which rules chose what is recorded, for the file's first line;
 * may be NULL. *facts has one entry per file; the caller's. */
tac_status tac_replay_record(tac_subject *subject, const tac_driving *driving, const char *path,
                             const char *rules_name, tac_record_facts **facts, size_t *count,
                             tac_error *err);

typedef enum tac_replay_result {
    TAC_REPLAY_CONFIRMED,      /* the violation happened, and its effect was seen */
    TAC_REPLAY_NOT_REPRODUCED, /* the app went another way, or nothing was seen to fail */
    TAC_REPLAY_UNCONTROLLED    /* a step that cannot be held or brought about */
} tac_replay_result;
const char *tac_replay_result_name(tac_replay_result result); /* "CONFIRMED", ... */

typedef struct tac_replay_options {
    uint32_t attempts; /* at most; 0 = 3 */
    double deadline;   /* seconds per step; 0 = 10 */
    uint64_t seed;
    tac_watch *watch;
} tac_replay_options;

/* One event of the witness, as the replay had it. */
typedef struct tac_replay_step {
    const char *event;
    bool performed;
    json_t
        *gesture; /* how the user brought it about, in the recorder's own keys; NULL: nobody did */
    const char *action, *xpath, *value; /* of the gesture; "" where it has none */
} tac_replay_step;

/* What came of a replay. Everything that it points to is its own, and lives until it is freed. */
typedef struct tac_replay {
    tac_replay_result result;
    const tac_replay_step *steps; /* of the witness */
    size_t step_count;
    size_t performed;   /* of the steps, in the best attempt */
    size_t diverged_at; /* the step that could not be done as recorded, from 1; 0 = none */
    const char *reason; /* in words; NULL when confirmed */
    /* What was seen to fail; exception NULL: nothing. The frames of the stack, topmost first. */
    const char *exception, *message;
    const char *const *stack;
    size_t stack_count;
    unsigned attempts, confirmed_attempts;
    uint64_t seed;
    const char *call; /* that is disallowed, in words */
    bool call_seen;
    const char *rule, *severity;
    bool silent; /* by the rule's mark: the call itself is the effect */
    /* Callbacks that were let go without being named. */
    const char *const *released_besides;
    size_t released_count;
    struct tac_arena *memory;
} tac_replay;

/* Replays a witness on the app. recording is the file that was verified: labels and causes come
 * from it. *out is the caller's to free. */
tac_status tac_replay_witness(tac_subject *subject, const tac_protocol_witness *witness,
                              const char *recording, const tac_replay_options *options,
                              tac_replay *out, tac_error *err);
void tac_replay_free(tac_replay *replay);
/* The document of `tactus protocol replay --json`; the caller's. */
json_t *tac_replay_json(const tac_replay *replay);
void tac_replay_text(const tac_replay *replay, FILE *out);

typedef struct tac_hunt_options {
    tac_driving driving;
    tac_replay_options replay;
    const char *const *rule_files; /* read as one set */
    size_t rule_count;
    const char *rules_name; /* of the set, for the recordings' first line; may be NULL */
    const char *folder;     /* recordings, verifications, replays and hunt.json go here */
} tac_hunt_options;

/* What a hunt has found; the caller's to free. */
typedef struct tac_hunt tac_hunt;

/* Records, validates, verifies every disallowed call, replays every witness. The document of
 * `tactus protocol hunt --json` is written to hunt.json in the folder. */
tac_status tac_replay_hunt(tac_subject *subject, const tac_hunt_options *options, tac_hunt **out,
                           tac_error *err);
void tac_hunt_free(tac_hunt *hunt);

/* Predicted violations that are the same for a person, and what came of replaying the shortest. All
 * of it is the hunt's. */
typedef struct tac_hunt_call {
    tac_replay_result result;
    const char *rule;      /* FILE:LINE that disallows the call */
    const char *call;      /* in words */
    const char *severity;  /* as marked in the rule's file, or "error" */
    const char *recording; /* the file that was verified */
    const tac_protocol_witness *witness;
    const tac_replay *replay;
} tac_hunt_call;
size_t tac_hunt_call_count(const tac_hunt *hunt);
tac_hunt_call tac_hunt_call_at(const tac_hunt *hunt, size_t index);

/* A rule that did not admit a recording, and so was left out. */
typedef struct tac_hunt_left_out {
    const char *rule, *refused, *recording;
} tac_hunt_left_out;
size_t tac_hunt_left_out_count(const tac_hunt *hunt);
tac_hunt_left_out tac_hunt_left_out_at(const tac_hunt *hunt, size_t index);

/* Calls that no order of events makes, or TAC_SAFETY_UNKNOWN: that were not decided. */
size_t tac_hunt_decided(const tac_hunt *hunt, tac_safety safety);
/* Violated when something was confirmed, inconclusive when a witness could not be controlled or a
 * call was not decided, else holds. */
tac_answer tac_hunt_answer(const tac_hunt *hunt);
json_t *tac_hunt_json(const tac_hunt *hunt); /* the caller's */
void tac_hunt_text(const tac_hunt *hunt, FILE *out);
