/* What a campaign's folder holds, for the list of files, the page of its runs, and live progress.
 */
#pragma once

#include "base/data/map.h"
#include "serve/http/request.h"

struct campaign_figures {
    int64_t runs, planned, passed, failed, crashed, violated;
    int64_t untested; /* properties that no run exercised */
};

/* What could be read before a failure is in the figures: zeros of one that is only being made. */
tac_status campaign_figures(tac_portal *portal, const char *path, struct campaign_figures *out,
                            tac_error *err);
/* Adds "runs", "planned", "passed", "failed", "crashed", "violated", "untested". */
void add_figures(json_t *object, const struct campaign_figures *figures);
/* Every run with its verdicts but those that were told, which it is then; told may be NULL. The
 * caller's, NULL when unreadable. */
json_t *campaign_rows(tac_portal *portal, const char *path, tac_u64map *told, tac_error *err);
