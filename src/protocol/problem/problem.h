/* One question: rules, a recording, and the transition system they make. What the parts behind
 * tactus/protocol.h share. */
#pragma once

#include "protocol/protocol.h"
#include "protocol/system/system.h"

struct tac_protocol_rules {
    struct spec_set set;
};

struct tac_recording {
    struct recording *events; /* the event thread alone */
    struct recording *all;    /* every thread; NULL when there is but one */
};

/* The recording as a question reads it. */
static inline const struct recording *recording_read_as(const tac_recording *recording,
                                                        bool as_recorded)
{
    return recording->all && !as_recorded ? recording->all : recording->events;
}

struct problem {
    const struct spec_set *specs;
    const struct recording *recording;
    struct recording *completed;     /* with assumed callbacks: then it is `recording` */
    const tac_diagnostics *warnings; /* of reading the recording */
    struct grounding grounding;
    struct system system;
};

tac_status problem_build(const tac_protocol_rules *rules, const tac_recording *recording,
                         const tac_protocol_options *options, struct problem *out, tac_error *err);
/* The same to search in: the model lifecycle++ then lacks the events that it never calls. */
tac_status problem_build_to_search(const tac_protocol_rules *rules, const tac_recording *recording,
                                   const tac_protocol_options *options, struct problem *out,
                                   tac_error *err);
/* The same with the messages of the tail among those that rules are grounded on. */
tac_status problem_build_with_tail(const tac_protocol_rules *rules, const tac_recording *recording,
                                   const tac_protocol_options *options, struct problem *out,
                                   tac_error *err);
void problem_free(struct problem *problem);
/* The recording with the callbacks that the rules' life cycles add, or NULL when it stays as it is;
 * the caller's. */
tac_status problem_read(const tac_protocol_rules *rules, const tac_recording *recording,
                        const tac_protocol_options *options, struct recording **out,
                        tac_error *err);

/* Narrows the ground rules to a model. Rules of the model's own have source TAC_NONE. */
void model_apply(const struct recording *recording, struct grounding *grounding,
                 tac_protocol_model model, bool search);

/* "file:line" of the rule behind a ground rule. */
void problem_rule_place(const struct problem *problem, uint32_t ground_rule, tac_str *out);
/* Where the app makes the call: "Cls:12", or NULL when the recording does not say. */
const char *problem_call_line(const struct problem *problem, uint32_t call);
