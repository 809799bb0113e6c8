/* See remote_patience.h. */
#include "run/campaign/remote_patience.h"
#include "base/data/text.h"
#include "store/queue.h"
#include <math.h>
#include <poll.h>

static const double usual_patience = 300;

void remote_note(const tac_run_options *options, const char *text)
{
    if (options->note)
        options->note(options->note_context, text);
}

static bool sleep_watched(const tac_run_options *options, double seconds)
{
    for (double end = tac_now() + seconds; tac_now() < end;) {
        if (!tac_watch_tick(options->watch, "waiting for the database", 0, 0))
            return false;
        poll(NULL, 0, 100);
    }
    return true;
}

tac_status remote_be_patient(struct remote_patience *patience, tac_status status, tac_error *err)
{
    const tac_run_options *options = patience->options;
    double limit = options->patience > 0 ? options->patience : usual_patience;
    char text[1600], words[1300];
    if (!patience->told) {
        patience->start = tac_now();
        patience->pause = 0.1;
    }
    tac_error_text(err, words, sizeof words);
    if (tac_now() - patience->start > limit)
        return tac_fail(err, status,
                        "%.900s; given up after %.0f s: runs that were not handed in are done "
                        "again when a worker is started",
                        words, limit);
    if (!patience->told) {
        snprintf(text, sizeof text, "%s; trying again for up to %.0f s", words, limit);
        remote_note(options, text);
    }
    patience->told = true;
    if (!sleep_watched(options, patience->pause))
        return tac_fail(err, TAC_E_INTERRUPTED, "stopped while the database was away");
    patience->pause = fmin(patience->pause * 2, 3);
    return TAC_OK;
}

tac_status remote_patiently(struct run_campaign *campaign, remote_step *step, void *context,
                            tac_error *err)
{
    struct remote_patience patience = {.options = campaign->options};
    tac_error before = *err; /* a failure that passed is none */
    for (;;) {
        tac_status status = step(campaign, context, err);
        if (status == TAC_OK && patience.told)
            remote_note(campaign->options, "the database is back; going on");
        if (status == TAC_OK) {
            *err = before;
            return status;
        }
        tac_store_rollback(campaign->store);
        if (!tac_store_is_passing(campaign->store))
            return status;
        status = remote_be_patient(&patience, status, err);
        if (status != TAC_OK)
            return status;
    }
}
