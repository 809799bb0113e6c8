/* What may fail because a database is away for a while is tried again. */
#pragma once

#include "run/campaign/campaign.h"

/* Waiting for a database that is away; all but the options begins as zero. */
struct remote_patience {
    const tac_run_options *options;
    double start, pause;
    bool told; /* that it is away */
};
/* After a failure: says so once, waits a little longer each time. TAC_OK: try again; otherwise the
 * failure with what happens now, in *err. */
tac_status remote_be_patient(struct remote_patience *patience, tac_status status, tac_error *err);

typedef tac_status remote_step(struct run_campaign *campaign, void *context, tac_error *err);
/* Does the step, which may be repeated, until it succeeds or fails for good. */
tac_status remote_patiently(struct run_campaign *campaign, remote_step *step, void *context,
                            tac_error *err);
/* Tells whoever started the work. */
void remote_note(const tac_run_options *options, const char *text);
