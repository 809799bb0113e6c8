/* Several devices explore one app together and share what they know.
 *
 * One lock guards the explorer. Whoever holds it has put his own place (device, frames, screen)
 * into it; while he waits for his device he takes his place out and lets go. So all other files
 * read as if there were one device, and every call on a device goes through here. Pointers into
 * lists of the explorer do not outlive such a call; indices and arena texts do. */
#pragma once

#include "explore/explorer.h"
#include <pthread.h>

struct explore_crew {
    pthread_mutex_t lock;
    pthread_cond_t news; /* something was learnt, or it is over */
    size_t count, idle;
    bool over;
    tac_status status; /* the first failure */
    tac_error why;
};

tac_status crew_perform(struct explorer *ex, const tac_gesture *gesture, tac_error *err);
tac_status crew_settle(struct explorer *ex, tac_error *err);
tac_status crew_snapshot(struct explorer *ex, const tac_ui **out, tac_error *err);
/* *data is the caller's. */
tac_status crew_screenshot(struct explorer *ex, unsigned char **data, size_t *size, tac_error *err);
tac_status crew_foreground(struct explorer *ex, tac_foreground *out, tac_error *err);
tac_status crew_crash(struct explorer *ex, tac_crash *out, tac_error *err);
tac_status crew_system(struct explorer *ex, const char *event, tac_error *err);
tac_status crew_wait_change(struct explorer *ex, double seconds, tac_arrival *out, tac_error *err);
tac_status crew_restless(struct explorer *ex, bool *out, tac_error *err);
/* Closed, cleared and launched. */
tac_status crew_relaunch(struct explorer *ex, uint64_t seed, tac_error *err);

/* Nothing to do for this one: waits for news. False: it is over for all. */
bool crew_wait(struct explorer *ex);
void crew_tell(struct explorer *ex); /* something was learnt */
/* Runs `work` once per device, each in a thread of its own. */
tac_status crew_run(struct explorer *ex, tac_status (*work)(struct explorer *ex, tac_error *err),
                    tac_error *err);
