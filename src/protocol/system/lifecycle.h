/* Callbacks that were not recorded.
 *
 * A recorder sees only the callbacks that an app overrides; the framework makes the others too, and
 * their effects in the rules happen. Where a rule set declares a life cycle complete (LIFECYCLE),
 * each object of the recording that shows a part of it gets the rest as empty, marked callbacks:
 * events of their own, and inside recorded events where these could not go on without them. */
#pragma once

#include "protocol/system/system.h"

/* A copy of the recording with an event for each callback that is missing, or NULL when nothing is.
 * The copy's order lists the recorded messages only. */
struct recording *lifecycle_complete(const struct spec_set *specs,
                                     const struct recording *recording);
/* Walks the completed recording through the system (built on it) and puts assumed callbacks where
 * it could not go on without them: into its order, and into the events that hold such a place. True
 * when messages were inserted into events, so that the system's events must be collected again. */
bool lifecycle_place(const struct system *system, struct recording *recording);
