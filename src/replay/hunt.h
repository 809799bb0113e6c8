/* What a hunt has found, between its work (hunt.c) and how it is shown (described.c, hunt_text.c).
 */
#pragma once

#include "replay/witness.h"

/* Predicted violations that are the same for a person: one rule, one method, one place in the app,
 * one kind of callback. The shortest witness stands for them. */
struct hunt_call {
    char *key;
    char *rule, *call, *severity;
    const char *verdict;                 /* "UNSAFE", or "SAFE" */
    size_t recording;                    /* index */
    size_t predicted;                    /* witnesses that it stands for */
    const tac_protocol_witness *witness; /* of the recording's verification */
    tac_replay replay;                   /* empty until it has been replayed */
};

struct hunt_left_out {
    char *rule, *why;
    size_t recording;
};

struct tac_hunt {
    tac_record_facts *recordings;
    size_t recording_count;
    TAC_VEC(tac_protocol_result) verified; /* one per recording: the witnesses are theirs */
    TAC_VEC(struct hunt_call) calls;
    TAC_VEC(struct hunt_left_out) left_out;
    size_t safe;    /* calls that are proved never to be made where they are disallowed */
    size_t unknown; /* that were not decided */
};

/* The first tokens of the rule files that belong to no rule; NULL: none. */
const char *hunt_stray(const struct tac_hunt *hunt);
