/* Which states of a model are drawn one by one; see part.c. */
#pragma once

#include "model/tools.h"

struct model_part {
    bool *shown;        /* by node: drawn itself, else part of its machine's box */
    uint32_t *distance; /* by state: steps from where the part begins; UINT32_MAX: not reached */
    uint32_t states;    /* drawn one by one */
    uint32_t focus;     /* node, or TAC_MODEL_NONE */
};

/* TAC_E_INPUT when the view names an activity or a state that the model does not have. */
tac_status model_part_choose(const tac_model *model, const tac_model_view *view,
                             struct model_part *out, tac_error *err);
void model_part_free(struct model_part *part);
/* Where a transition ends: behind a jump, the state that it enters; else its `to`. */
uint32_t model_part_end(const tac_model *model, const tac_model_transition *transition);
