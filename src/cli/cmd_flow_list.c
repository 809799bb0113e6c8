/* tactus flow list MODEL...: every flow, one a line. */
#include "base/io/output.h"
#include "cli/flow_job.h"

static tac_status list_to(const struct invocation *in, struct flow_job *job, FILE *out,
                          tac_error *err)
{
    uint64_t limit = (uint64_t)option_number(in, "limit", 0);
    if (option_flag(in, "limit") && !limit)
        return TAC_OK;
    return option_choice(in, "format", false)
               ? tac_flow_list_jsonl(job->engine, limit, out, NULL, err)
               : tac_flow_list_text(job->engine, limit, out, NULL, err);
}

static int flow_list_run(struct invocation *in)
{
    struct flow_job job;
    tac_output output;
    tac_error err;
    int code = flow_job_load(in, &job);
    if (!code)
        code = flow_job_start(in, &job);
    if (!code) {
        tac_status status = tac_output_open(&output, in->output, &err);
        if (status == TAC_OK) {
            status = list_to(in, &job, output.file, &err);
            status = tac_output_close(&output, status, &err);
        }
        if (status != TAC_OK)
            code = fail(in, &err);
    }
    flow_job_free(&job);
    return code;
}

static const struct option flow_list_options[] = {
    FLOW_LENGTH,
    FLOW_REQUIRE,
    FLOW_WITNESS,
    FLOW_KIND,
    FLOW_DISTINCT,
    FLOW_INTERLEAVINGS,
    FLOW_FORMAT,
    NUMBER("limit", "N", 0, INT64_MAX, "list at most N flows (default: all)",
           .meaning = "list at most N"),
    {0},
};

const struct command cmd_flow_list = {
    .noun = "flow",
    .verb = "list",
    .group = GROUP_MODELS,
    .first = true,
    .args = "MODEL...",
    .summary = "list the app user flows of a model",
    .description = "Prints one flow a line, in the order of the model file, as fast as they can be "
                   "read and in constant memory. As text a line is the events separated by one "
                   "blank (DEVICE:event when there are several devices; an empty line is a flow "
                   "without events). As JSON Lines each line has the kind, the start, and for "
                   "every step its event, device, actions, states and time.\n\n"
                   "With --require nothing is generated that cannot complete: a backward table "
                   "says of every prefix whether it still can.",
    .example = "tactus flow list examples/uamp/uamp.model.xml --length 4",
    .options = flow_list_options,
    .common = HAS_OUTPUT,
    .run = flow_list_run,
};
