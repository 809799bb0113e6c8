/* tactus store copy FROM TO */
#include "base/describe/describe.h"
#include "base/print/print.h"
#include "cli/command.h"
#include "store/store.h"
#include <inttypes.h>

struct copied {
    const char *from, *to;
    tac_store_copied count;
};

static void write_copied(FILE *out, void *context)
{
    const struct copied *copied = context;
    tac_print(out, "%s: %" PRId64 " %s, %" PRId64 " %s and %" PRId64 " %s copied from %s\n",
              copied->to, copied->count.runs, copied->count.runs == 1 ? "run" : "runs",
              copied->count.verdicts, copied->count.verdicts == 1 ? "verdict" : "verdicts",
              copied->count.files, copied->count.files == 1 ? "file" : "files", copied->from);
}

static const struct field copied_fields[] = {
    FIELDS(struct copied, from, to, count.runs, count.verdicts, count.documents, count.files)};
static DESCRIBE(copied, struct copied);

static int store_copy_run(struct invocation *in)
{
    struct copied copied = {.from = in->args[0], .to = in->args[1]};
    tac_error err;
    if (tac_store_copy(copied.from, copied.to, in->watch, &copied.count, &err) != TAC_OK)
        return fail(in, &err);
    if (!in->json)
        return finish_text(in, write_copied, &copied, 0);
    return finish_json(in, describe_json(&copied_described, &copied), 0);
}

const struct command cmd_store_copy = {
    .noun = "store",
    .verb = "copy",
    .group = GROUP_CAMPAIGNS,
    .args = "FROM TO",
    .summary = "copy a campaign between folders and databases",
    .description = "Copies every row and every file of a campaign to a place that holds none. FROM "
                   "and TO are folders\nof 'tactus run -o' or postgresql://USER@HOST/DB#CAMPAIGN. "
                   "What is copied there and back is what it\nwas, byte for byte. Runs that have "
                   "no row yet are then done by 'tactus worker' where TO is a\ndatabase, and by "
                   "the same 'tactus run' where it is a folder.",
    .example = "tactus run --device sim:examples/apps/player.json --monkey 20 --steps 10 -o runs "
               ">/dev/null\n  tactus store copy runs copy",
    .documents = DOCUMENTS(&copied_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = store_copy_run,
};
