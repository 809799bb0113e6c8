/* The witness of a verification together with what was recorded of its events. */
#pragma once

#include "replay/subject.h"

struct witness {
    TAC_VEC(struct subject_step) steps;
    TAC_VEC(json_t *) entries; /* owned; one per step */
    char *method;              /* "void web.Node.write" of the call that is disallowed */
    const char *line;          /* where the app makes it, "app.js:40", or NULL; the prediction's */
    const char *words;         /* the call, for people; the prediction's */
    const char *rule;          /* "FILE:LINE" that disallows it; the prediction's */
    bool silent;               /* the rule is marked so: the call itself is the effect */
    char *severity;            /* as marked in the rule's file, or "error" */
    TAC_VEC(char *) known;     /* failures of the recorded order, "type: message" */
    char *recorder, *mode;     /* that wrote the recording, as it says; or NULL */
};

/* predicted must outlive the witness. TAC_E_INPUT when the recording is not the one that was
 * verified. */
tac_status witness_load(const tac_protocol_witness *predicted, const char *recording,
                        struct witness *out, tac_error *err);
void witness_free(struct witness *w);
/* Is this message the call that is disallowed? */
bool witness_is_call(const struct witness *w, const json_t *message);

/* --- marks.c --- */
/* Marks of the rule at "FILE:LINE": comment lines "//! silent" and "//! severity: WORD" above it,
 * behind the rule before; at the top of a file they hold for the whole file. *severity is the
 * caller's. A file that cannot be read has no marks. */
void rule_marks(const char *place, bool *silent, char **severity);

/* --- replay.c --- */
struct replay_report {
    tac_replay_result result;
    size_t performed;   /* events of the best attempt */
    size_t diverged_at; /* the event that could not be done as recorded, from 1; 0 = none */
    char *reason;       /* in words; NULL when confirmed */
    char *type, *message, *stack; /* what was seen; type NULL: nothing */
    bool call_seen;
    unsigned attempts, confirmed;
    char *besides; /* callbacks that were let go without being named, one per line; or NULL */
};
void replay_report_free(struct replay_report *report);

/* --- result.c --- */
/* What came of it, copied: neither argument need outlive the result. */
void replay_result(const struct witness *w, const struct replay_report *report, uint64_t seed,
                   tac_replay *out);
