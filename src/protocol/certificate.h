/* Evidence of safety: the reached set of every cone, in terms of messages and rules, so that a
 * checker which knows nothing of the engines can verify it. See docs/protocol.md for the form. */
#ifndef TAC_PROTOCOL_CERTIFICATE_H
#define TAC_PROTOCOL_CERTIFICATE_H

#include "protocol/problem.h"

struct certificate_writer {
    const struct problem *problem;
    json_t *cones;
};

/* Adds a cone and its reached states (a search_options.evidence function). */
void certificate_add(void *writer, const struct cone *cone, const struct target_result *targets,
                     const struct state_set *states);
tac_status certificate_write(struct certificate_writer *writer, const tac_protocol_options *options,
                             const struct search_result *result, tac_error *err);
void certificate_free(struct certificate_writer *writer);

#endif
