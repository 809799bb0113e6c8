/* What a worker process has open from one run to the next: its team of devices, and the instruments
 * beside them. The workers of a campaign and those of a search for a failure's causes stand on it.
 *
 * After a failure everything is closed and opened again for the next run. A team that could not be
 * opened has been waited for: the next time it is only looked for. */
#pragma once

#include "run/campaign/campaign.h"

struct worker_station {
    const struct run_campaign *campaign; /* borrowed */
    size_t worker;
    struct run_team team;
    struct live_view live;
    struct instrument_set instruments;
    bool selectors_tried; /* those of the campaign's files, on its page */
    bool missed;          /* the team could not be opened the last time */
};

/* Opens what is not open. */
tac_status station_open(struct worker_station *station, tac_error *err);
void station_close(struct worker_station *station);

/* A run that has not begun, with the campaign's options; to be freed with run_context_free. */
struct run_context station_context(struct worker_station *station, uint64_t seed);
/* The probes of every device, and what they are recorded into. */
tac_status station_start_recording(const struct run_campaign *campaign, struct run_context *context,
                                   const char *name, tac_error *err);
/* Every device switched on anew, in the scenario, its data fresh, its app launched. */
tac_status station_prepare(const struct run_campaign *campaign, struct run_context *context,
                           const char *scenario, tac_error *err);
/* {"status","file","error"}, the caller's. */
json_t *station_failure(const tac_error *err);
