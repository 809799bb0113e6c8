/* Which parts of two models correspond, by their names or whatever their names are. */
#pragma once

#include "tactus/model.h"

/* first_* are indexed by elements of the first model and hold those of the second; second_* the
 * other way round. TAC_MODEL_NONE: no partner. Partners are mutual. */
struct model_match {
    uint32_t *first_machine, *second_machine;
    uint32_t *first_node, *second_node;
    uint32_t *first_transition, *second_transition;
};

/* States and machines correspond by their place in the behaviour: from the starts on, the targets
 * of equal events. Event and channel names must be equal; all other names are free. */
void tac_model_match_shape(const tac_model *first, const tac_model *second,
                           struct model_match *match);
void tac_model_match_free(struct model_match *match);
