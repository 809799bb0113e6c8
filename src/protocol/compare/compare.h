/* Which sequences of a recording's events do two rule sets admit?
 *
 * Both systems stand on the same letters and read the same events. The search walks their product:
 * as long as both admit the sequence it goes on; an event that one admits and the other does not is
 * a difference, and breadth first it is a shortest one. */
#pragma once

#include "protocol/system/system.h"
#include "tactus/watch.h"

enum { SIDE_A, SIDE_B };

/* Events of the recording (indices) that one side admits and the other refuses at the last. */
struct difference {
    bool found;
    u32_vec events;
};

struct comparison {
    struct difference only[2]; /* [SIDE_A]: A admits it, B does not */
    bool complete;             /* nothing shorter, and where not found nothing at all */
    size_t states;
};

struct compared_side {
    const struct system *system;
    struct grounding *grounding; /* of the system: its terms are compared */
};

#define COMPARE_STATE_BUDGET ((size_t)1 << 20)

tac_status compare_search(const struct compared_side sides[2], size_t budget, tac_watch *watch,
                          struct comparison *out, tac_error *err);
void comparison_free(struct comparison *comparison);

/* Where a side refuses a sequence: the message, with the state that it was refused in. */
struct refusal {
    enum step_result result;
    uint32_t message;
    struct conflict conflict;
    struct reason reason;
};
/* STEP_OK when the side admits the sequence. */
struct refusal compare_follow(const struct system *system, const u32_vec *events);
