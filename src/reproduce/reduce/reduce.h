/* From a failing sequence to a shortest one. Every function keeps the invariant that the trail
 * fails (judge_fails said so), and leaves it alone or makes it shorter.
 *
 * Sources: delta debugging (Zeller and Hildebrandt, 2002) for the plain reduction; the steering by
 * screens and models is ours. */
#pragma once

#include "reproduce/known/places.h"
#include "reproduce/reduce/judge.h"

/* jump.c: skips events by jumping, along the shortest way that the places know, to where the
 * rest begins. For m events that matter out of n about m log n executions. */
tac_status reduce_by_jumps(struct judge *judge, const struct places *places, struct trail *trail,
                           tac_error *err);
/* events.c: leaves out cycles, longest first: what begins and ends in the same place. */
tac_status reduce_cycles(struct judge *judge, const struct places *places, struct trail *trail,
                         tac_error *err);
/* Leaves out events until none can be; *minimal: every single event was left out in turn. */
tac_status reduce_events(struct judge *judge, const struct places *places, struct trail *trail,
                         bool *minimal, tac_error *err);
/* Cuts the end off: what a property does not need. */
tac_status reduce_ending(struct judge *judge, const struct places *places, struct trail *trail,
                         tac_error *err);
/* values.c: shorter texts and waits. */
tac_status reduce_values(struct judge *judge, const struct places *places, struct trail *trail,
                         tac_error *err);
/* ddmin.c: plain delta debugging, the peer of the bench. */
tac_status reduce_plainly(struct judge *judge, struct script *script, tac_error *err);

/* Takes the candidate when it fails: its places are followed anew. *taken tells. */
tac_status reduce_try(struct judge *judge, const struct places *places, struct trail *trail,
                      const struct script *candidate, bool *taken, tac_error *err);
