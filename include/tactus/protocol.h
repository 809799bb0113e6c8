/* Event-driven protocols: lifestate rules, validated against recordings; violations predicted from
 * recordings that never showed one, or proved absent.
 *
 * A recording is a dialogue of an app with its framework. Rules say which history enables or
 * disables a callback, and allows or disallows a call. docs/protocol.md has the language, the file
 * formats and the semantics. */
#ifndef TACTUS_PROTOCOL_H
#define TACTUS_PROTOCOL_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/protocol_result.h"
#include "tactus/watch.h"
#include <stdbool.h>
#include <stddef.h>

TAC_BEGIN_DECLARATIONS

typedef struct tac_protocol_rules tac_protocol_rules;
typedef struct tac_recording tac_recording;

/* --- Rules --- */

/* Reads rule files as one set: names may be used before they are defined. Warnings (and, on
 * failure, every error) go to diagnostics, which may be NULL. */
tac_status tac_protocol_rules_read(const char *const *files, size_t count, tac_protocol_rules **out,
                                   tac_diagnostics *diagnostics, tac_error *err);
void tac_protocol_rules_free(tac_protocol_rules *rules); /* NULL is fine */

/* --- Recordings --- */

/* Length-delimited protobuf or JSON Lines, plain or compressed, "-" for standard input. */
tac_status tac_recording_read(const char *path, tac_recording **out, tac_error *err);
void tac_recording_free(tac_recording *recording); /* NULL is fine */

/* --- Questions --- */

/* How much of the rules to use: the paper's four models of callback control flow. */
typedef enum tac_protocol_model {
    TAC_MODEL_LIFESTATE,     /* every rule */
    TAC_MODEL_TOP,           /* no callback constrained: only rules on in-messages */
    TAC_MODEL_LIFECYCLE,     /* callbacks constrained by rules over back-messages only */
    TAC_MODEL_LIFECYCLE_PLUS /* the same for components; other callbacks in their active state */
} tac_protocol_model;

typedef enum tac_protocol_engine {
    TAC_ENGINE_AUTO, /* explicit search, diagrams where it grows too large */
    TAC_ENGINE_BFS,
    TAC_ENGINE_BDD
} tac_protocol_engine;

typedef struct tac_protocol_options {
    tac_protocol_model model;
    bool paper_conflicts;       /* a conflict prohibits everything instead of blocking the step */
    bool as_recorded;           /* the paper's reading: the event thread, only what was recorded */
    bool skip_near_misses;      /* validate: most of its time goes into them */
    bool trust_rules;           /* verify: also with rules that do not admit the recording */
    tac_protocol_engine engine; /* verify only, from here on */
    const char *target;         /* only calls whose signature holds this text; NULL = all */
    const char *certificate;    /* write the evidence of safety here; NULL = do not */
    bool every_witness;         /* verify: a shortest witness for each call that can be reached */
    tac_watch *watch;
} tac_protocol_options;

/* Do the rules admit the recording? The result is the caller's to free, and may be NULL. */
tac_status tac_protocol_validate(const tac_protocol_rules *rules, const tac_recording *recording,
                                 const tac_protocol_options *options, tac_protocol_result *result,
                                 tac_error *err);
/* Can the recorded events, repeated, dropped and reordered as the rules permit, make a prohibited
 * call? A witness was replayed by an independent simulator; TAC_E_INTERNAL if that disagreed. The
 * result is the caller's to free, and may be NULL. */
tac_status tac_protocol_verify(const tac_protocol_rules *rules, const tac_recording *recording,
                               const tac_protocol_options *options, tac_protocol_result *result,
                               tac_error *err);
/* Checks a certificate that verify wrote, with nothing of the engines but the readers: grounds by
 * brute force and builds its own automata. What is to be proved comes from the arguments (of the
 * options: as_recorded, target, watch), never from the certificate. The verdict holds when the
 * certificate proves it. *out is the caller's to free, and may be NULL. */
tac_status tac_protocol_check_certificate(const tac_protocol_rules *rules,
                                          const tac_recording *recording, const char *path,
                                          const tac_protocol_options *options,
                                          tac_protocol_check *out, tac_error *err);

TAC_END_DECLARATIONS

#endif
