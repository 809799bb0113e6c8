/* Where a worker's run is, for somebody who watches: FOLDER/live/WORKER.json, replaced at most a
 * few times a second and removed with the worker.
 *
 * Watching must not change what is measured, so nothing is asked of the device for it: what stands
 * there is what the run has read for itself. Screens are sketched from the hierarchy where the run
 * looked at it, without what was typed into fields. Best effort: no result depends on it. */
#pragma once

#include "device/device.h"
#include <jansson.h>

struct live_view {
    char *folder, *path; /* NULL: nobody watches */
    double told;         /* when, in seconds of the host */
    json_t *sketch;      /* of the screen that was looked at last */
};

void live_open(struct live_view *live, const char *campaign, size_t worker);
void live_close(struct live_view *live); /* removes its file */
/* Whether it is time to tell; all of these take a view that nobody watches. */
bool live_is_due(const struct live_view *live);
/* The screen that is shown; only sketched when it is time. */
void live_see(struct live_view *live, const tac_ui *ui);
void live_forget(struct live_view *live); /* a new run begins */
/* Writes the document with the sketch; takes it. */
void live_tell(struct live_view *live, json_t *document);
/* Removes what workers that were ended have left. */
void live_clean(const char *campaign);
