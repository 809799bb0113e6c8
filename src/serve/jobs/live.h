/* Where the work of a job is just now: the screens, events and probe values of a campaign's
 * workers, the screen that an exploration found last. */
#pragma once

#include "serve/jobs/jobs.h"

/* [{"run","scenario","device","steps","seconds","place","events","probes","picture"?,"sketch"?}...]
 * by worker, or [{"picture"}]; pictures are paths of the served folder. NULL when nothing is known;
 * the caller's. */
json_t *live_views(tac_portal *portal, const struct job *job);
