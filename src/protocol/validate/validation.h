/* Validation as other parts ask for it: where a walk of the recording through the rules ends. */
#pragma once

#include "protocol/problem/problem.h"

struct validation {
    const struct problem *problem;
    enum step_result result;
    size_t steps;
    size_t assumed;   /* callbacks that were not recorded and without which it could not go on */
    uint32_t message; /* the one refused; TAC_NONE: rules conflict before the first */
    struct conflict conflict;
    struct full_state state;
    u32_vec foreseen, unforeseen; /* messages: raised calls that the rules disallowed, allowed */
};

/* Set .problem first. TAC_E_INTERRUPTED when the watch says stop. */
tac_status validation_walk(struct validation *validation, tac_watch *watch, tac_error *err);
/* How the walk ended, and what stood against it, into an empty result that has its memory. */
void validation_ending(const struct validation *validation, tac_protocol_result *out);
/* Then all else that validate says. */
void validation_evidence(const struct validation *validation, tac_protocol_result *out);
/* Names in the rules that the recording has almost. Every name is compared with every other that is
 * recorded: two thirds of a validation. */
void validation_near_misses(const struct validation *validation, tac_protocol_result *out);
void validation_free(struct validation *validation);
