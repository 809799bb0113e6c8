/* A campaign that lives in a database: this process takes its runs by leases, does them in a folder
 * of its own, and hands in rows and files together.
 *
 * Everything that may fail because the database is away for a while is tried again until it is
 * there or the patience ends; what was finished meanwhile is kept. */
#pragma once

#include "run/campaign/campaign.h"
#include "run/campaign/scenario_files.h"
#include "store/queue.h"

struct campaign_remote {
    tac_run_options options; /* those of the campaign, with the scratch folder as their folder */
    char *scratch, *address;
    char worker[160]; /* its own name: host, process, moment */
    TAC_VEC(tac_store_lease) held;
    TAC_VEC(json_t *) finished; /* answers that are to be handed in */
    double renewed;             /* when the leases were, last */
    double seconds_per_run;     /* of this process's recent runs; 0 = none yet */
    size_t late;                /* answers that were refused */
    /* Nothing was to be had, and nobody holds a lease: leases may have ended in between, so it is
     * asked once more. */
    bool asked_again;
    TAC_VEC(char *) screens;       /* names of those that were handed over */
    struct scenario_files fetched; /* empty: scenario files are used as they lie here */
};

/* Before the inputs are read: campaign->options are the remote's afterwards. */
tac_status remote_new(struct run_campaign *campaign, tac_error *err);
void remote_free(struct campaign_remote *remote); /* NULL is fine */
/* Opens the campaign, plans its runs. */
tac_status remote_open(struct run_campaign *campaign, tac_error *err);
tac_status remote_put_inputs(struct run_campaign *campaign, tac_error *err);

/* Takes runs for one worker process into to_do; none when nothing is free. */
tac_status remote_take(struct run_campaign *campaign, size_t most, tac_error *err);
/* The lease of a run that is held, NULL when it is not; and away with it. */
tac_store_lease *remote_lease(struct campaign_remote *remote, int64_t run);
void remote_drop_lease(struct campaign_remote *remote, int64_t run);
/* remote_hand_in.c: a finished run's answer, and all that are kept. */
void remote_keep(struct run_campaign *campaign, json_t *message);
tac_status remote_hand_in(struct run_campaign *campaign, tac_error *err);
/* The screens that are new since the last time. */
void remote_hand_over_screens(struct run_campaign *campaign);
/* Renews the leases when it is time. */
tac_status remote_renew(struct run_campaign *campaign, tac_error *err);
/* Nothing is to be done here: whether somebody else's runs may still come back. Waits a little. */
tac_status remote_await(struct run_campaign *campaign, bool *more, tac_error *err);
/* A run that no device here can do. */
tac_status remote_give_back(struct run_campaign *campaign, int64_t run, const char *problem,
                            tac_error *err);
/* Gives back what is held, as well as it goes. */
void remote_release(struct run_campaign *campaign);
void remote_note_speed(struct run_campaign *campaign, double seconds);

/* The file that a scenario of the plan was fetched to; NULL when it was not. */
const char *remote_scenario_file(const struct run_campaign *campaign, const char *name);
