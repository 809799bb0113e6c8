/* Parts of a flow's description, for writers that keep them; see describe.c. */
#pragma once

#include "flow/space/engine.h"

/* The edges of the space that a path stands for, and its root there: the path's own, or those of a
 * representative when flows are folded. */
const uint32_t *describe_lift(struct tac_flow_engine *engine, const tac_flow_path *path,
                              uint32_t *root, u32_vec *scratch);
/* Where the devices stand at a root, and one step along an edge from a node. Texts live in the
 * arena or belong to the model. */
void describe_starts(struct tac_flow_engine *engine, tac_arena *arena, uint32_t root,
                     tac_flow *flow);
tac_flow_step describe_step(struct tac_flow_engine *engine, tac_arena *arena, uint32_t node,
                            uint32_t edge);
/* As they stand in a line of a flow file; the caller's. */
json_t *flow_step_json(const tac_flow_step *step);
json_t *flow_starts_json(const tac_flow *flow);
