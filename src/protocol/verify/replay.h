/* A witness played message by message on the simulator, which shares nothing with the search. */
#ifndef TAC_PROTOCOL_REPLAY_H
#define TAC_PROTOCOL_REPLAY_H

#include "protocol/check/simulator.h"
#include "protocol/system/problem.h"

/* One message of a replay: which event of the witness and which message of the recording. */
struct replayed {
    uint32_t step, message;
};

struct replay {
    struct problem *problem;
    const struct target_result *target;
    struct simulator simulator;
    TAC_VEC(struct replayed) messages;
    json_t *steps;
    json_t *violation;
    uint32_t illegal, rule; /* the letter of the illegal call; the ground rule that disallows it */
};

/* Set .problem and .target first. True when the witness ends in a violation of the claimed message;
 * .steps, .violation, .illegal and .rule then say how. */
bool replay_witness(struct replay *replay);
void replay_free(struct replay *replay);

#endif
