/* A witness played message by message on the simulator, which shares nothing with the search. */
#pragma once

#include "protocol/check/simulator.h"
#include "protocol/evidence/evidence.h"
#include "protocol/search/search.h"

/* One message of a replay: which event of the witness and which message of the recording. */
struct replayed {
    uint32_t step, message;
};

struct replay {
    struct problem *problem;
    const struct target_result *target;
    tac_arena *memory; /* of the evidence; not the replay's own */
    struct simulator simulator;
    TAC_VEC(struct replayed) messages;
    tac_protocol_step *steps; /* one per event of the target */
    tac_protocol_witness witness;
};

/* Set .problem, .target and .memory first. True when the witness ends in a violation of the claimed
 * message; .witness then says how. */
bool replay_witness(struct replay *replay);
void replay_free(struct replay *replay);
