/* Evidence of safety that a checker which knows nothing of the engines can verify: for each group
 * of targets an abstraction of the system (some messages, with every rule about them), and a set of
 * its states that holds the start, is closed under all events and allows no target to be called
 * while prohibited. docs/protocol.md has the form of the file. */
#pragma once

#include "protocol/problem/problem.h"
#include "protocol/search/search.h"

#define CERTIFICATE_FORMAT "tactus protocol certificate 2"

/* Proves every target again, with as few tracked messages as suffice, and writes the file. The
 * problem must be known to be safe. TAC_E_LIMIT when no proof of a sensible size is found. */
tac_status certificate_write(struct problem *problem, const tac_protocol_options *options,
                             tac_error *err);
/* The parts, for tests that forge: one cone with a set of states, and the whole (takes cones). */
json_t *certificate_cone(const struct problem *problem, const struct cone *cone,
                         const struct state_set *states);
json_t *certificate_document(const struct problem *problem, const tac_protocol_options *options,
                             json_t *cones);
