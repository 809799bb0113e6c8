/* What 'tactus store verify' and 'tactus store repair' share. */
#pragma once

#include "cli/command.h"
#include "store/store.h"

/* Opens the folder of the command, looks at everything, and sets aside when `repair`. Prints and
 * returns the exit code: of verify 1 when something is damaged. */
int store_look(struct invocation *in, bool repair);

/* A campaign as a folder: itself, or what was fetched of a database for the time being. */
struct local_campaign {
    const char *folder;
    char *own, *scratch;
};
tac_status local_campaign_open(const struct invocation *in, const char *where,
                               struct local_campaign *out, tac_error *err);
void local_campaign_close(struct local_campaign *campaign); /* a zeroed one is fine */

/* Says on standard error what a campaign in a database goes through (tac_run_options.note). */
void note_database(void *context, const char *text);

extern const struct describe store_look_described; /* the document of store_look */

/* After a failure: when it is a damaged row of an index, what to do about it on standard error. */
void advise_repair(const tac_error *err, const char *folder);
