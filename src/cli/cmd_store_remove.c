/* tactus store remove ADDRESS#CAMPAIGN */
#include "base/describe/describe.h"
#include "base/print/print.h"
#include "cli/command.h"
#include "store/queue.h"
#include <string.h>

static const struct option store_remove_options[] = {
    FLAG("force", "also while workers hold runs of it; their answers are refused"),
    {0},
};

static void write_removed(FILE *out, void *context)
{
    tac_print(out, "%s: removed\n", (const char *)context);
}

static const struct field removed_fields[] = {
    {.key = "removed", .kind = FIELD_KIND_TEXT, .pointed = true}};
static DESCRIBE(removed, const char *);

static int store_remove_run(struct invocation *in)
{
    tac_error err;
    bool force = option_flag(in, "force");
    tac_status status = tac_store_remove(in->args[0], force, &err);
    if (status != TAC_OK) {
        int code = fail(in, &err);
        if (err.status == TAC_E_USAGE && !force && strchr(err.file, '#')) /* it was found */
            fputs("tactus: --force removes it all the same\n", stderr);
        return code;
    }
    if (in->json)
        return finish_json(in, describe_json(&removed_described, in->args), 0);
    return finish_text(in, write_removed, (void *)(uintptr_t)in->args[0], 0);
}

const struct command cmd_store_remove = {
    .noun = "store",
    .verb = "remove",
    .group = GROUP_CAMPAIGNS,
    .args = "ADDRESS#CAMPAIGN",
    .summary = "remove a campaign from a database",
    .description =
        "Removes a campaign from its database with all of its rows and files. While workers hold "
        "runs of\nit, it is refused. A folder is removed with the tools for folders.",
    .example = "tactus store remove postgresql://lab@db.example/tactus#nightly || true",
    .options = store_remove_options,
    .documents = DOCUMENTS(&removed_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = store_remove_run,
};
