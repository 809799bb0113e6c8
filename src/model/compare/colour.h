/* Colours of nodes: a number that sums up what can happen from a node on, whatever its name. */
#pragma once

#include "tactus/model.h"

/* One colour per node, the caller's. Nodes of two models with the same future up to a fixed number
 * of moves have the same colour; different futures have different ones but for hash collisions. */
uint64_t *tac_model_colours(const tac_model *model);
