/* tactus flow sample MODEL...: random flows, repeatable by their seed. */
#include "base/io/output.h"
#include "cli/flow_job.h"
#include "cli/flow_output.h"

/* On standard error, and only what the goal asked for and the flows do not have. */
static void print_missing(const tac_sample_coverage *coverage)
{
    for (size_t i = 0; i < coverage->infeasible_count && i < 10; i++)
        fprintf(stderr, "  infeasible: %s\n", coverage->infeasible[i]);
    if (coverage->infeasible_count > 10)
        fprintf(stderr, "  ... and %zu more\n", coverage->infeasible_count - 10);
    if (coverage->infeasible_count)
        complain("%zu cannot be covered within this length", coverage->infeasible_count);
    if (coverage->covered < coverage->enough)
        complain("the goal was not reached: %zu of %zu feasible are covered after %llu flow%s, %zu "
                 "were asked for",
                 coverage->covered, coverage->total, (unsigned long long)coverage->flows,
                 coverage->flows == 1 ? "" : "s", coverage->enough);
}

static tac_status sample_to(const struct invocation *in, const tac_flow_goal *goal,
                            struct flow_output *output, tac_sample_coverage *coverage,
                            tac_error *err)
{
    tac_flow_sampling sampling = {
        .count = (uint64_t)option_number(in, "count", goal->covers ? 0 : 1),
        .seed = (uint64_t)option_number(in, "seed", 1),
        .weighted = option_flag(in, "weighted") || goal->weighted,
    };
    tac_status status =
        goal->covers ? tac_flow_sample_covering(output->engine, &sampling, &goal->cover,
                                                flow_output_visit, output, coverage, err)
                     : tac_flow_sample(output->engine, &sampling, flow_output_visit, output, err);
    if (status == TAC_OK && output->status != TAC_OK)
        *err = output->err;
    return status == TAC_OK ? output->status : status;
}

static int sample(struct invocation *in, struct flow_job *job, const tac_flow_goal *goal)
{
    struct flow_output flows = {.engine = job->engine, .jsonl = option_choice(in, "format", false)};
    tac_output output;
    tac_sample_coverage coverage = {0};
    tac_error err;
    tac_status status = tac_output_open(&output, in->output, &err);
    if (status == TAC_OK) {
        flows.out = output.file;
        status = sample_to(in, goal, &flows, &coverage, &err);
        status = tac_output_close(&output, status, &err);
    }
    if (status == TAC_OK)
        print_missing(&coverage);
    tac_sample_coverage_free(&coverage);
    if (status != TAC_OK)
        return fail(in, &err);
    if (!flows.written && option_number(in, "count", 1))
        fputs("tactus: there is no flow to sample; see 'tactus flow count'\n", stderr);
    return 0;
}

static int flow_sample_run(struct invocation *in)
{
    struct flow_job job;
    tac_flow_goal goal = {0};
    tac_error err;
    const char *generator = option_text(in, "generator");
    if (generator && tac_flow_goal_parse(generator, &goal, &err) != TAC_OK)
        return fail(in, &err);
    int code = flow_job_load(in, &job);
    if (!code && !option_flag(in, "length")) {
        job.options.length = goal.length;
        if (!goal.length)
            code = fail_usage(in, "--length N is missing (or --generator with length(N))");
    }
    if (!code)
        code = flow_job_start(in, &job);
    if (!code)
        code = sample(in, &job, &goal);
    flow_job_free(&job);
    return code;
}

static const struct option flow_sample_options[] = {
    FLOW_LENGTH_OR_GOAL,
    NUMBER("count", "K", 0, INT64_MAX, "how many flows; default 1"),
    NUMBER("seed", "S", 0, INT64_MAX, "the same seed gives the same flows; default 1",
           .meaning = "seed of all randomness"),
    FLAG("weighted", "walk by the weights of the transitions instead of drawing from all flows"),
    TEXT("generator", "G",
         "a GraphWalker string: draw until covered, e.g. \"random(edge_coverage(100))\""),
    FLOW_REQUIRE,
    FLOW_KIND,
    FLOW_INTERLEAVINGS,
    FLOW_FORMAT,
    {0},
};

const struct command cmd_flow_sample = {
    .noun = "flow",
    .verb = "sample",
    .group = GROUP_MODELS,
    .args = "MODEL...",
    .summary = "draw random app user flows",
    .description =
        "Draws flows with equal chance from all flows of the model, exactly: the flows are counted "
        "and the flow of a random number is built. With --weighted each step is drawn by the "
        "weights of the transitions that can still complete. Flows are drawn independently, so one "
        "may come twice.\n\n"
        "With --generator a GraphWalker generator and its stop condition decide: random and "
        "quick_random draw with equal chance, weighted_random walks by weights; edge_coverage, "
        "vertex_coverage, reached_vertex and reached_edge draw until that is covered; length(N) "
        "stands for --length N, and may stand beside one of them. What no flow of the length has, "
        "and a goal that --count cuts off, is told on standard error.",
    .example = "tactus flow sample examples/uamp/uamp.model.xml --length 12 --count 5 --seed 7",
    .options = flow_sample_options,
    .common = HAS_OUTPUT,
    .run = flow_sample_run,
};
