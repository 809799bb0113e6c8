/* Validation as other parts ask for it: where a walk of the recording through the rules ends. */
#ifndef TAC_PROTOCOL_VALIDATION_H
#define TAC_PROTOCOL_VALIDATION_H

#include "protocol/system/problem.h"

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
/* The ground rule that made the walk end there; of two that disagree, the prohibiting one. */
uint32_t validation_rule(const struct validation *validation);
/* {"rule", "text", "effect", "fired_by", ...}: why the walk ended there; the caller's. */
json_t *validation_because(const struct validation *validation);
/* OK, STUCK, VIOLATION or CONFLICT. */
const char *validation_word(enum step_result result);
/* All that validate says; the caller's. */
json_t *validation_document(const struct validation *validation);
/* The message refused, as validate's document has it; NULL when there is none. */
json_t *validation_refused(const struct validation *validation);
/* How the walk ended, and what stood against it, into the fields of an empty result. */
void validation_result(const struct validation *validation, tac_protocol_result *out);
void validation_free(struct validation *validation);

#endif
