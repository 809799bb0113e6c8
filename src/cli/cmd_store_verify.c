/* tactus store verify DIR */
#include "cli/store_io.h"

static int store_verify_run(struct invocation *in)
{
    return store_look(in, false);
}

const struct command cmd_store_verify = {
    .noun = "store",
    .verb = "verify",
    .group = GROUP_CAMPAIGNS,
    .args = "DIR",
    .summary = "check every row and every trace of a campaign",
    .description = "Looks at every row of the index of a folder that 'tactus run' wrote, against "
                   "the plan of the\ncampaign, and at every trace, against the length and the "
                   "SHA-256 that its row has. Names what is\ndamaged and exits with 1; with 0 when "
                   "all is as it was written. Writes nothing, so a read-only\nfolder will do. A "
                   "campaign in a database is named postgresql://USER@HOST/DB#CAMPAIGN.",
    .example = "tactus run --device sim:examples/apps/player.json --monkey 20 --steps 10 -o runs "
               ">/dev/null\n  tactus store verify runs",
    .documents = DOCUMENTS(&store_look_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = store_verify_run,
};
