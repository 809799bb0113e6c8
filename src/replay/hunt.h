/* What a hunt has found, between its work (hunt.c) and how it is shown (hunt_json.c). */
#ifndef TAC_REPLAY_HUNT_H
#define TAC_REPLAY_HUNT_H

#include "replay/witness.h"

/* Predicted violations that are the same for a person: one rule, one method, one place in the app,
 * one kind of callback. The shortest witness stands for them. */
struct hunt_call {
    char *key;
    char *rule, *call, *severity;
    const char *verdict; /* "UNSAFE", or "SAFE" */
    size_t recording;    /* index */
    size_t predicted;    /* witnesses that it stands for */
    json_t *witness;     /* {"witness", "violation"}, or NULL */
    json_t *replay;      /* the document of its replay, or NULL */
    tac_replay_result result;
};

struct hunt_left_out {
    char *rule, *why;
    size_t recording;
};

struct tac_hunt {
    tac_record_facts *recordings;
    size_t recording_count;
    TAC_VEC(struct hunt_call) calls;
    TAC_VEC(struct hunt_left_out) left_out;
    size_t safe;    /* calls that are proved never to be made where they are disallowed */
    size_t unknown; /* that were not decided */
};

#endif
