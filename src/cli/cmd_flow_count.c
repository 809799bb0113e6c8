/* tactus flow count MODEL...: how many flows, exactly, without listing them. */
#include "base/print/print.h"
#include "cli/flow_job.h"
#include "flow/described.h"
#include <inttypes.h>
#include <string.h>

struct counted {
    tac_verdict verdict;
    const tac_flow_counts *counts;
    const tac_flow_effort *effort; /* NULL when it was not asked for */
    bool unfolded;                 /* every order counts, though not asked for */
};

/* The rows of the interaction-model paper's Table III. */
static void write_effort(FILE *out, const struct counted *counted)
{
    const tac_flow_effort *effort = counted->effort;
    tac_print(out, "  state vector   %zu bytes\n", effort->state_bytes);
    tac_print(out, "  depth          %" PRIu64 " event%s\n", effort->depth,
              effort->depth == 1 ? "" : "s");
    tac_print(out, "  states stored  %" PRIu64 "\n", effort->states);
    tac_print(out, "  transitions    %" PRIu64 "\n", effort->steps);
    gmp_fprintf(out, "  prefixes       %Zd\n", counted->counts->prefixes);
    tac_print(out, "  total memory   %.3f MB\n", (double)effort->memory / 1e6);
    tac_print(out, "  time elapsed   %.6f s\n", effort->seconds);
}

static void write_counts(FILE *out, void *context)
{
    const struct counted *counted = context;
    tac_print(out, "%s\n", counted->verdict.explanation);
    if (*counted->verdict.advice)
        tac_print(out, "%s (--length bounds the flows)\n", counted->verdict.advice);
    if (counted->unfolded)
        tac_print(out, "every order of the devices' steps is counted: variables are shared, or the "
                       "requirements tell too many steps apart\n");
    if (counted->effort)
        write_effort(out, counted);
}

static int print_counts(struct invocation *in, struct flow_job *job, const tac_flow_counts *counts)
{
    tac_flow_effort effort;
    const char *orders = tac_flow_orders(job->engine);
    struct counted counted = {.counts = counts,
                              .unfolded = orders && !strcmp(orders, "all") &&
                                          !job->options.all_interleavings};
    if (option_flag(in, "statistics")) {
        tac_flow_effort_of(job->engine, &effort);
        counted.effort = &effort;
    }
    if (in->json) {
        struct flow_counted shown = {.effort = counted.effort, .orders = orders};
        *(job->options.witness ? &shown.witnesses : &shown.counts) = counts;
        return finish_json(in, describe_json_with(&flow_counted_described, &shown, counts), 0);
    }
    tac_flow_counts_verdict(counts, &job->options, job->model->name, &counted.verdict);
    int code = finish_text(in, write_counts, &counted, 0);
    tac_verdict_free(&counted.verdict);
    return code;
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
    if (!code && tac_flow_count(job.engine, &counts, &err) != TAC_OK)
        code = fail(in, &err);
    else if (!code)
        code = print_counts(in, &job, &counts);
    tac_flow_counts_clear(&counts);
    flow_job_free(&job);
    return code;
}

static const struct option flow_count_options[] = {
    FLOW_LENGTH,
    FLOW_REQUIRE,
    FLOW_WITNESS,
    FLOW_KIND,
    FLOW_DISTINCT,
    FLOW_INTERLEAVINGS,
    FLAG("statistics",
         "also print what the counting took: states, transitions, prefixes, memory, time"),
    {0},
};

const struct command cmd_flow_count = {
    .noun = "flow",
    .verb = "count",
    .group = GROUP_MODELS,
    .args = "MODEL...",
    .summary = "count the app user flows of a model",
    .description =
        "Counts exactly, by dynamic programming over configurations: numbers of any size, nothing "
        "is listed. A flow ends by leaving the app (exit), where nothing can happen any more "
        "(stuck), or at the bound on its length (truncated).\n\n"
        "Several model files are combined: the apps of one device, or several devices. With "
        "--require only the flows that meet the requirement count; with --witness the shortest "
        "prefixes that meet its sequence. --kind restricts the figure of `flows`.\n\n"
        "--statistics prints the rows in which model checkers report a search. States are "
        "configurations, each remembered once; `prefixes` is how many beginnings of flows a search "
        "without that memory would visit.",
    .example = "tactus flow count examples/uamp/uamp.model.xml --length 10",
    .options = flow_count_options,
    .documents = DOCUMENTS(&flow_counted_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = flow_count_run,
};
