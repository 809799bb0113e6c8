/* Recording a running app, and replaying a predicted violation on it.
 *
 * A subject is an app that a recorder can watch: a page in a browser (any device that has the
 * capability, tactus/device.h), or a program that is started with an agent in it. Recorded, it
 * gives a file that `tactus protocol` reads; held, it lets happen one callback at a time, by the
 * labels of such a file. docs/recording.md has the formats and what the results mean. */
#ifndef TACTUS_REPLAY_H
#define TACTUS_REPLAY_H

#include "tactus/api.h"
#include "tactus/device.h"
#include "tactus/error.h"
#include "tactus/protocol.h"
#include "tactus/watch.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

TAC_BEGIN_DECLARATIONS

typedef struct tac_subject tac_subject;

/* A program with its arguments: words[0] is looked up like a shell does. */
tac_status tac_subject_open_command(const char *const *words, size_t count, tac_subject **out,
                                    tac_error *err);
/* How a recorded app is driven. At most one of flows and script; with neither, random events. A
 * program drives itself, unless its agent can do it. */
typedef struct tac_driving {
    const char *flows;  /* a flow file (`tactus flow list --format jsonl`) */
    const char *script; /* gestures, one per line (docs/recording.md) */
    uint32_t runs;      /* random runs; 0 = 1 */
    uint32_t steps;     /* events per random run; 0 = as many as fit the budget */
    double budget;      /* seconds of driving per run; 0 = 20 */
    uint64_t seed;      /* of run i: seed + i */
    tac_watch *watch;   /* may be NULL */
} tac_driving;

TAC_END_DECLARATIONS

#endif
