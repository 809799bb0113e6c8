/* What the questions of tactus/protocol.h answer: typed, with all of the evidence.
 *
 * Everything that a result points to is the result's, and lives until it is freed; rules and
 * recording may go before. Texts are UTF-8. Numbers "from 1" are 0 where there is nothing. */
#ifndef TACTUS_PROTOCOL_RESULT_H
#define TACTUS_PROTOCOL_RESULT_H

#include "tactus/api.h"
#include "tactus/verdict.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

TAC_BEGIN_DECLARATIONS

/* --- Evidence --- */

/* One message of a recording. */
typedef struct tac_protocol_message {
    const char *message;   /* in the rules' notation */
    const char *words;     /* for people */
    size_t index;          /* in the recording, from 1 */
    uint64_t id;           /* that the recorder gave it */
    const char *event;     /* the top-level callback that it belongs to */
    size_t event_index;    /* from 1 */
    const char *line;      /* where the app makes the call, "Cls:12"; NULL: not recorded */
    const char *exception; /* that ended the call; NULL: none */
} tac_protocol_message;

typedef enum tac_rule_effect {
    TAC_RULE_ENABLES, /* a callback */
    TAC_RULE_DISABLES,
    TAC_RULE_ALLOWS, /* a call of the app */
    TAC_RULE_DISALLOWS
} tac_rule_effect;

/* A rule that spoke of a message, and what made it speak. */
typedef struct tac_protocol_reason {
    const char *rule;     /* "FILE:LINE", or a name where it is the model's own */
    const char *fired_by; /* the message in the rules' notation, or "the start" */
    tac_rule_effect effect;
    const char *text; /* the rule; "" where it is the model's own */
    /* Where it fired in a witness; NULL and 0 elsewhere, and at the start. */
    const char *words, *line; /* of the message that made it; line may be NULL */
    size_t in;                /* event of the witness, from 1 */
    /* Where it fired in the recording; NULL elsewhere, and at the start. */
    const tac_protocol_message *fired_at;
    /* Of two rules that disagree: the other one; NULL: none does. */
    const struct tac_protocol_reason *against;
    const char *about; /* the message that they disagree on, where it is known; else NULL */
} tac_protocol_reason;

/* One event of a witness. */
typedef struct tac_protocol_step {
    const char *event;    /* its label, or its callback for people */
    const char *callback; /* in the rules' notation */
    bool assumed;         /* not recorded: the rules say that the framework makes it */
    bool other_thread;
    size_t recorded_as;                    /* event of the recording, from 1 */
    uint64_t message_id;                   /* of its first message; 0 where it is assumed */
    const tac_protocol_reason *enabled_by; /* NULL: no rule spoke of it */
} tac_protocol_step;

/* A call that the rules disallow where it is made. */
typedef struct tac_protocol_violation {
    const char *message, *words;              /* in the rules' notation; for people */
    size_t in;                                /* event of the witness, from 1 */
    const char *line;                         /* where the app makes it; NULL: not recorded */
    const tac_protocol_reason *prohibited_by; /* NULL: no rule spoke of it */
} tac_protocol_violation;

/* Events that the rules permit in this order, up to the call that they disallow in the last. */
typedef struct tac_protocol_witness {
    const tac_protocol_step *steps;
    size_t count; /* 1 or more */
    tac_protocol_violation violation;
} tac_protocol_witness;

/* What the readers of the recording and of the rules tolerated. */
typedef struct tac_protocol_warning {
    size_t line;
    const char *message;
    const char *file; /* of the rules; NULL: the recording */
} tac_protocol_warning;

/* How the recording was read. */
typedef struct tac_protocol_reading {
    size_t messages; /* of the UI thread */
    size_t toplevel_callbacks, raised_callbacks;
    bool truncated;
    size_t dropped_messages;              /* after the last complete top-level callback */
    const char *const *assumed_callbacks; /* in the rules' notation */
    size_t assumed_count;
    size_t not_assumed; /* missing callbacks in which the app is known to do something */
    struct {
        size_t threads, messages, callbacks, calls, unmatched;
    } other_threads;
    const tac_protocol_warning *warnings;
    size_t warning_count;
} tac_protocol_reading;

/* A name in the rules that the recording has almost. */
typedef struct tac_protocol_near_miss {
    const char *file;
    size_t line, column;
    const char *written, *suggestion; /* suggestion may be NULL */
    const char *message;              /* a sentence for people */
} tac_protocol_near_miss;

typedef struct tac_protocol_place {
    const char *file;
    size_t line;
} tac_protocol_place;

/* --- Answers --- */

/* How a recording ends under the rules. */
typedef enum tac_admission {
    TAC_ADMITTED,
    TAC_ADMISSION_STUCK,     /* a callback that the rules do not permit there */
    TAC_ADMISSION_VIOLATION, /* a call of the app that they disallow */
    TAC_ADMISSION_CONFLICT   /* two rules disagree */
} tac_admission;

/* What the search found out about a call, and about all of them. */
typedef enum tac_safety {
    TAC_SAFETY_UNKNOWN,
    TAC_SAFE,
    TAC_UNSAFE,
    TAC_INADMISSIBLE /* not searched: the rules do not admit the recording */
} tac_safety;

typedef struct tac_protocol_call {
    const char *message; /* in the rules' notation, or a sentence: any call after a conflict */
    const char *method;  /* "pkg.Cls.m"; NULL: any call after a conflict of rules */
    tac_safety safety;
    size_t witness_events; /* that lead to it; 0 unless it is TAC_UNSAFE */
} tac_protocol_call;

/* Of validate and of verify. */
typedef struct tac_protocol_result {
    tac_verdict verdict;
    tac_admission admission; /* with verify: TAC_ADMITTED where the rules are taken on trust */
    bool validated;          /* the recording was walked through the rules */
    size_t steps;            /* messages walked that the rules mention */
    const tac_protocol_message *refused; /* NULL: none, or at the start */
    const tac_protocol_reason *because;  /* what stands against it; NULL: it is admitted */
    size_t ground_rules;
    tac_protocol_reading reading;
    /* "FILE:LINE: ...", what of the rules belongs to no rule; NULL: nothing. It may have been a
     * rule: then nothing is admitted or proved (TAC_INCONCLUSIVE), a violation stays one. */
    const char *left_out;

    /* validate */
    size_t assumed_used; /* callbacks without which the recording could not go on */
    const tac_protocol_near_miss *near_misses;
    size_t near_miss_count;
    const tac_protocol_place *without_instance; /* rules that the recording never meets */
    size_t without_instance_count;
    /* Calls that raised an exception where the rules disallow, and allow, them; the first 1000. */
    const tac_protocol_message *foreseen, *unforeseen;
    size_t foreseen_count, unforeseen_count;

    /* verify */
    tac_safety safety;
    const tac_protocol_witness *witness;   /* a shortest; NULL unless TAC_UNSAFE */
    bool every_witness;                    /* the next two were asked for */
    const tac_protocol_witness *witnesses; /* a shortest for each call that can be reached */
    size_t witness_count;
    const tac_protocol_call *calls; /* that the rules can disallow */
    size_t call_count;
    bool by_diagrams; /* decision diagrams were needed */
    uint64_t states;
    size_t events;           /* distinct ones */
    const char *certificate; /* the file with the proof; NULL: none was written */

    struct tac_arena *memory; /* of everything above but the verdict */
} tac_protocol_result;

void tac_protocol_result_free(tac_protocol_result *result);

/* The documents of `tactus protocol validate --json` and `tactus protocol verify --json`; the
 * caller's. */
json_t *tac_protocol_validate_json(const tac_protocol_result *result);
json_t *tac_protocol_verify_json(const tac_protocol_result *result);

/* --- Certificates --- */

/* Of check_certificate. */
typedef struct tac_protocol_check {
    tac_verdict verdict; /* holds when the certificate proves what was asked */
    const char *reason;  /* why it is rejected; NULL: it is accepted */
    size_t cones, states, ground_rules;
    const char *const *proved; /* calls that no order of the events makes where it is disallowed */
    size_t proved_count;       /* 0 where it is rejected */
    const char *target;        /* of the question; NULL: every call that the rules disallow */
    bool as_recorded;
    const char *rules_hash, *recording_hash; /* SHA-256, in hexadecimal */
    size_t events, assumed_callbacks;
    size_t raised_callbacks; /* ended in an exception: left out, nothing is proved of them */
    struct tac_arena *memory;
} tac_protocol_check;

void tac_protocol_check_free(tac_protocol_check *check);
/* The document of `tactus protocol check-certificate --json`; the caller's. */
json_t *tac_protocol_check_json(const tac_protocol_check *check);

TAC_END_DECLARATIONS

#endif
