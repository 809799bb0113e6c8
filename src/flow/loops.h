/* Listing under loop bounds without remembering every set of used transitions.
 *
 * A loop bound (kinds transition and state) looks at all that a flow has used, so the graph of its
 * prefixes can be exponential. A depth-first listing has the prefix at hand: it can walk the small
 * graph of the same requirements without those loops, keep a count of uses per transition or state
 * for the current prefix, and leave a branch at the step that closes a loop too many. Memory is
 * that of the small graph; a branch in which no flow completes costs time only. */
#pragma once

#include "flow/space/engine.h"

struct loops;

/* Whether the engine's requirements have such loops, and it can be listed this way. */
bool loops_apply(const struct tac_flow_engine *engine);
/* Puts the small graph, with its pruning table, in the place of the engine's own; loops_close puts
 * things back. Edges that are visited in between are those of the small graph. */
tac_status loops_open(struct tac_flow_engine *engine, struct loops **out, tac_error *err);
void loops_close(struct loops *loops);

/* The prefix is that of a root alone. */
void loops_begin(struct loops *loops, uint32_t root);
/* Adds an edge to the prefix; false, and nothing is added, when it closes a loop too many. */
bool loops_enter(struct loops *loops, uint32_t edge);
/* Takes the last edge back. */
void loops_leave(struct loops *loops);
/* A flow may end here: every loop has its minimum. */
bool loops_accept(const struct loops *loops);

/* tac_flow_list for a visitor that forgets the edges of a path after its visit, so that loops may
 * be counted along the walk. */
tac_status flow_list_stream(struct tac_flow_engine *engine, uint64_t limit, tac_flow_visit visit,
                            void *context, uint64_t *listed, tac_error *err);
