/* A second, slow reading of the semantics: it replays every witness before it is shown.
 *
 * It keeps one regular expression per ground rule and derives it by each message, with no automata,
 * no masks, no cone and no event compression, so that a mistake in any of those is caught. It also
 * says why a message is permitted or not. */
#pragma once

#include "protocol/system/system.h"

struct simulator {
    const struct recording *recording;
    struct grounding *grounding;
    bool paper, doomed;
    uint32_t *terms;          /* per ground rule: what remains of its left-hand side */
    uint8_t *blocked;         /* per letter */
    struct reason *reason;    /* per letter; messages are the caller's numbers */
    struct conflict conflict; /* of the step that returned STEP_CONFLICT (bit is a letter here) */
};

/* STEP_OK, or STEP_CONFLICT on the empty history. */
enum step_result simulator_start(struct simulator *simulator, const struct recording *recording,
                                 struct grounding *grounding, bool paper);
enum step_result simulator_step(struct simulator *simulator, uint32_t letter, uint32_t message);
void simulator_free(struct simulator *simulator);
