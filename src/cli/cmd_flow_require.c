/* tactus flow require --template T ARGS: writes requirement files for the common cases. */
#include "base/io/output.h"
#include "cli/command.h"
#include "flow/requirement.h"

enum template { START_STOP, VISIT_IN_ORDER, AVOID };

static int make(struct invocation *in, tac_requirement **out)
{
    enum template kind = (enum template)option_choice(in, "template", START_STOP);
    tac_error err;
    tac_status status = TAC_OK;
    switch (kind) {
    case START_STOP:
        if (in->arg_count != 2)
            return fail_usage(in, "start-stop takes two events: the start and the stop");
        *out = tac_requirement_start_stop(in->args[0], in->args[1]);
        break;
    case VISIT_IN_ORDER:
        status = tac_requirement_visit_in_order(in->args, in->arg_count, out, &err);
        break;
    case AVOID:
        status = tac_requirement_avoid(in->args, in->arg_count, out, &err);
    }
    return status == TAC_OK ? 0 : fail(in, &err);
}

/* Names are checked against a model when one is given. */
static int check(struct invocation *in, const tac_requirement *requirement)
{
    const char *path = option_text(in, "model");
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_error err;
    if (!path)
        return 0;
    tac_status status = tac_model_load(path, &findings, &model, &err);
    if (status == TAC_OK)
        status = tac_requirement_check(requirement, model, &findings, &err);
    int code = status == TAC_OK ? 0 : fail(in, &err);
    tac_diagnostics_free(&findings);
    tac_model_free(model);
    return code;
}

static int flow_require_run(struct invocation *in)
{
    tac_requirement *requirement = NULL;
    int code = make(in, &requirement);
    if (!code)
        code = check(in, requirement);
    if (!code) {
        tac_output output;
        tac_error err;
        tac_status status = tac_output_open(&output, in->output, &err);
        if (status == TAC_OK) {
            status = tac_requirement_write(requirement, output.file, &err);
            status = tac_output_close(&output, status, &err);
        }
        if (status != TAC_OK)
            code = fail(in, &err);
    }
    tac_requirement_free(requirement);
    return code;
}

static const struct option flow_require_options[] = {
    TEXT("template", "T", "which case: start-stop, visit-in-order or avoid",
         .meaning = "the template",
         .choices = CHOICES({"start-stop", START_STOP}, {"visit-in-order", VISIT_IN_ORDER},
                            {"avoid", AVOID}),
         .required = true),
    PATH("model", "M.xml", "check the names against this model",
         .meaning = "the interaction model"),
    {0},
};

const struct command cmd_flow_require = {
    .noun = "flow",
    .verb = "require",
    .group = GROUP_MODELS,
    .args = "NAME...",
    .summary = "write a requirement file from a template",
    .description =
        "start-stop EVENT EVENT: the first event, later the second, each exactly once.\n\n"
        "visit-in-order NAME...: the named things in this order.\n\n"
        "avoid NAME...: none of the named things ever.\n\n"
        "A NAME is event:NAME, state:NAME, state:MACHINE/NAME, view:NAME (an activity or a state "
        "machine), or a bare NAME, which is a state.",
    .example = "tactus flow require --template start-stop selectSong playPause -o play.req.xml",
    .options = flow_require_options,
    .common = HAS_OUTPUT,
    .run = flow_require_run,
};
