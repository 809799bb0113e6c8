/* tactus store repair DIR */
#include "cli/store_io.h"

static int store_repair_run(struct invocation *in)
{
    return store_look(in, true);
}

const struct command cmd_store_repair = {
    .noun = "store",
    .verb = "repair",
    .group = GROUP_CAMPAIGNS,
    .args = "DIR",
    .summary = "set damaged rows and traces of a campaign aside",
    .description =
        "Does what 'tactus store verify' does, and moves every damaged row to the table 'aside' of "
        "the index,\nand every damaged trace to DIR/aside, with all rows of its run. Nothing is "
        "deleted. The same\n'tactus run' as before then does those runs again.",
    .example = "tactus run --device sim:examples/apps/player.json --monkey 20 --steps 10 -o runs "
               ">/dev/null\n  tactus store repair runs",
    .documents = DOCUMENTS(&store_look_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = store_repair_run,
};
