/* One question: rules, a recording, and the transition system they make. What the parts behind
 * tactus/protocol.h share. */
#ifndef TAC_PROTOCOL_PROBLEM_H
#define TAC_PROTOCOL_PROBLEM_H

#include "protocol/search/search.h"
#include "tactus/protocol.h"

struct tac_protocol_rules {
    struct spec_set set;
};

struct tac_recording {
    struct recording *recording;
};

struct problem {
    const struct spec_set *specs;
    const struct recording *recording;
    struct grounding grounding;
    struct system system;
};

tac_status problem_build(const tac_protocol_rules *rules, const tac_recording *recording,
                         const tac_protocol_options *options, struct problem *out, tac_error *err);
/* The same with the messages of the tail among those that rules are grounded on. */
tac_status problem_build_with_tail(const tac_protocol_rules *rules, const tac_recording *recording,
                                   const tac_protocol_options *options, struct problem *out,
                                   tac_error *err);
void problem_free(struct problem *problem);

/* Narrows the ground rules to a model. Rules of the model's own have source TAC_NONE. */
void model_apply(const struct spec_set *specs, const struct recording *recording,
                 struct grounding *grounding, tac_protocol_model model);

/* "file:line" of the rule behind a ground rule. */
void problem_rule_place(const struct problem *problem, uint32_t ground_rule, tac_str *out);
/* {"rule": "file:line", "text": "SPEC ...", "effect": "enables|disables|allows|disallows",
 *  "fired_by": "..."} */
json_t *problem_reason_json(const struct problem *problem, uint32_t ground_rule,
                            const char *fired_by);
/* Texts as JSON strings. */
json_t *problem_letter_json(const struct problem *problem, uint32_t letter);
json_t *problem_words_json(const struct problem *problem, uint32_t letter);
/* Where the app makes the call: "Cls:12", or NULL when the recording does not say. */
const char *problem_call_line(const struct problem *problem, uint32_t call);

#endif
