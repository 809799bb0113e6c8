/* tactus flow count MODEL...: how many flows, exactly, without listing them. */
#include "cli/flow_job.h"

static void write_counts(FILE *out, void *context)
{
    const tac_verdict *verdict = context;
    fprintf(out, "%s\n", verdict->explanation);
    if (*verdict->advice)
        fprintf(out, "%s (--length bounds the flows)\n", verdict->advice);
}

static int flow_count_run(struct invocation *in)
{
    struct flow_job job;
    tac_flow_counts counts;
    tac_error err;
    int code = flow_job_load(in, &job);
    if (!code)
        code = flow_job_start(in, &job);
    tac_flow_counts_init(&counts);
    if (!code && tac_flow_count(job.engine, &counts, &err) != TAC_OK) {
        code = fail(in, &err);
    } else if (!code && in->json) {
        code = finish_json(in, tac_flow_counts_json(&counts, job.options.witness), 0);
    } else if (!code) {
        tac_verdict verdict;
        tac_flow_counts_verdict(&counts, &job.options, job.model->name, &verdict);
        code = finish_text(in, write_counts, &verdict, 0);
        tac_verdict_free(&verdict);
    }
    tac_flow_counts_clear(&counts);
    flow_job_free(&job);
    return code;
}

static const struct option flow_count_options[] = {
    FLOW_LENGTH, FLOW_REQUIRE, FLOW_WITNESS, FLOW_KIND, FLOW_DISTINCT, FLOW_INTERLEAVINGS, {0},
};

const struct command cmd_flow_count = {
    .noun = "flow",
    .verb = "count",
    .args = "MODEL...",
    .least_args = 1,
    .most_args = SIZE_MAX,
    .summary = "count the app user flows of a model",
    .description =
        "Counts exactly, by dynamic programming over configurations: numbers of any size, nothing "
        "is listed. A flow ends by leaving the app (exit), where nothing can happen any more "
        "(stuck), or at the bound on its length (truncated).\n\n"
        "Several model files are combined: the apps of one device, or several devices. With "
        "--require only the flows that meet the requirement count; with --witness the shortest "
        "prefixes that meet its sequence. --kind restricts the figure of `flows`.",
    .example = "tactus flow count examples/uamp/uamp.model.xml --length 10",
    .options = flow_count_options,
    .common = HAS_JSON | HAS_OUTPUT,
    .run = flow_count_run,
};
