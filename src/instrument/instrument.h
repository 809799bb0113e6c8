/* An instrument beside the device: it samples by itself, all through a run.
 *
 * A thread of its own fetches the samples, because the run may wait many seconds for the device and
 * the instrument's buffer would overflow meanwhile. The thread owns the connection between start
 * and finish; everything else is called from the run's thread. */
#pragma once

#include "instrument/scpi_meter.h"

struct instrument;

tac_status instrument_start(struct instrument *instrument, tac_error *err);
/* Appends the samples that came since the last call; an instrument that failed meanwhile says why.
 */
tac_status instrument_collect(struct instrument *instrument, power_samples *out, tac_error *err);
/* Waits until the samples reach the present moment, then stops and appends the rest. */
tac_status instrument_finish(struct instrument *instrument, power_samples *out, tac_error *err);
/* Stops without waiting for anything but the answer under way; for a run that failed. NULL is fine.
 */
void instrument_stop(struct instrument *instrument);

/* How its time scale runs against the host's; complete after instrument_finish. */
struct run_clock instrument_clock(struct instrument *instrument);
json_t *
instrument_json(const struct instrument *instrument); /* after instrument_finish; the caller's */

/* The instruments of one worker, opened once and used for many runs. */
struct instrument_set {
    struct instrument **at;
    size_t count;
};
/* Does nothing when they are open. uris is the list of --probe: entries without "://" are names
 * of the device's own probes and are skipped. */
tac_status instrument_set_open(struct instrument_set *instruments, const char *const *uris,
                               size_t count, double deadline, tac_error *err);
void instrument_set_close(struct instrument_set *instruments);
bool instrument_is_uri(const char *probe);
