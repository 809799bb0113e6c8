/* tactus automation show: the normal form of automations. */
#include "automation/automation.h"
#include "base/data/alloc.h"
#include "cli/command.h"

struct shown {
    tac_automation_model **models;
    size_t count;
};

static void print_all(FILE *out, void *context)
{
    const struct shown *shown = context;
    for (size_t i = 0; i < shown->count; i++)
        tac_automation_show(shown->models[i], out);
}

static int show_run(struct invocation *in)
{
    tac_diagnostics diagnostics = {0};
    tac_error err = {0};
    struct shown shown = {.models = tac_calloc(in->arg_count, sizeof(tac_automation_model *)),
                          .count = in->arg_count};
    tac_status status = TAC_OK;
    for (size_t i = 0; i < in->arg_count && status == TAC_OK; i++)
        status = tac_automation_load(in->args[i], &diagnostics, &shown.models[i], &err);
    print_diagnostics(&diagnostics);
    int code = status == TAC_OK ? finish_text(in, print_all, &shown, 0) : fail(in, &err);
    for (size_t i = 0; i < in->arg_count; i++)
        tac_automation_free(shown.models[i]);
    free(shown.models);
    tac_diagnostics_free(&diagnostics);
    return code;
}

const struct command cmd_automation_show = {
    .noun = "automation",
    .verb = "show",
    .group = GROUP_AUTOMATIONS,
    .args = "PATH...",
    .summary = "print automations in one form: entities, triggers, conditions, writes",
    .description =
        "Prints what was understood: each entity with the values that matter, each automation with "
        "its triggers, its condition and the tree of its steps, and for each that is not exact the "
        "reasons. Conditions in braces are not understood and may be true or false.",
    .example = "tactus automation show examples/home",
    .common = HAS_OUTPUT,
    .run = show_run,
};
