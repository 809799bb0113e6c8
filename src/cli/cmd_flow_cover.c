/* tactus flow cover MODEL...: small suites of flows that cover a goal. */
#include "cli/flow_job.h"
#include "cli/flow_output.h"
#include "flow/cover/described.h"

struct result {
    const tac_cover_suite *suite;
    const char *goal, *subject;
    bool jsonl;
};

static void write_suite(FILE *out, void *context)
{
    const struct result *result = context;
    struct flow_output flows = {
        .engine = result->suite->engine, .out = out, .jsonl = result->jsonl};
    for (size_t i = 0; i < result->suite->flow_count; i++)
        if (!flow_output_visit(&flows, &result->suite->flows[i].path))
            return;
}

static void print_items(const char *what, char *const *items, size_t count)
{
    for (size_t i = 0; i < count && i < 10; i++)
        fprintf(stderr, "  %s: %s\n", what, items[i]);
    if (count > 10)
        fprintf(stderr, "  ... and %zu more\n", count - 10);
}

/* What was reached goes to standard error, so that standard output is the suite alone. */
static void print_summary(const struct result *result)
{
    tac_verdict verdict;
    tac_cover_suite_verdict(result->suite, result->goal, result->subject, &verdict);
    fprintf(stderr, "%s\n", verdict.explanation);
    print_items("infeasible", result->suite->infeasible, result->suite->infeasible_count);
    print_items("not found", result->suite->not_found, result->suite->not_found_count);
    if (*verdict.advice)
        fprintf(stderr, "%s\n", verdict.advice);
    tac_verdict_free(&verdict);
}

static int cover(struct invocation *in, struct flow_job *job, tac_flow_goal *goal)
{
    tac_cover_suite suite;
    tac_error err;
    goal->cover.budget = option_real(in, "budget", 0);
    goal->cover.diverse = (uint32_t)option_number(in, "diverse", 0);
    goal->cover.restart_cost = (uint32_t)option_number(in, "restart-cost", 0);
    goal->cover.seed = (uint64_t)option_number(in, "seed", 1);
    if (tac_flow_cover(job->engine, &goal->cover, &suite, &err) != TAC_OK)
        return fail(in, &err);
    struct result result = {&suite, option_text(in, "goal"), job->model->name,
                            option_choice(in, "format", false)};
    int code;
    if (in->json) {
        code = finish_json(in, tac_cover_suite_json(&suite, result.goal), 0);
    } else {
        code = finish_text(in, write_suite, &result, 0);
        print_summary(&result);
    }
    tac_cover_suite_free(&suite);
    return code;
}

static int flow_cover_run(struct invocation *in)
{
    struct flow_job job;
    tac_flow_goal goal;
    tac_error err;
    if (tac_flow_goal_parse(option_text(in, "goal"), &goal, &err) != TAC_OK)
        return fail(in, &err);
    if (!goal.covers)
        return fail_usage(in, "'%s' covers nothing; use it with 'tactus flow sample'",
                          option_text(in, "goal"));
    if (option_real(in, "budget", 1) <= 0)
        return fail_usage(in, "--budget takes a positive number of seconds");
    int code = flow_job_load(in, &job);
    bool requirements = goal.cover.goal == TAC_COVER_REQUIREMENTS;
    if (!code && requirements && !job.requirement_count)
        code = fail_usage(in, "the goal 'requirements' needs --require, once per requirement");
    if (!code && !option_flag(in, "length")) {
        bool needed = requirements || option_flag(in, "budget") || option_flag(in, "diverse");
        job.options.length = goal.length ? goal.length : TAC_FLOW_UNBOUNDED;
        if (!goal.length && needed)
            code =
                fail_usage(in, "--budget, --diverse and the goal 'requirements' need --length N");
    }
    /* what follows what is seen in the order of steps */
    if (goal.cover.goal == TAC_COVER_TUPLES && goal.cover.tuple > 1)
        job.options.all_interleavings = true;
    if (!code)
        code = flow_job_start(in, &job);
    if (!code)
        code = cover(in, &job, &goal);
    flow_job_free(&job);
    return code;
}

static const struct option flow_cover_options[] = {
    FLOW_LENGTH_OR_GOAL,
    TEXT("goal", "GOAL",
         "states, transitions, pairs, edges, tuples:K, requirements, or a GraphWalker string",
         .letter = 'g', .meaning = "what is to be covered", .required = true),
    REAL("budget", "S", "choose the most useful flows that take at most S seconds together",
         .meaning = "seconds that may be spent"),
    NUMBER("diverse", "K", 1, 100000, "K flows, each as different from the others as possible"),
    NUMBER("restart-cost", "C", 1, 1000000,
           "what starting the app once more costs, in events, for tours; default 10"),
    NUMBER("seed", "S", 0, INT64_MAX, "seed that decides between equally good flows (default 1)",
           .meaning = "seed of all randomness"),
    FLOW_REQUIRE,
    FLOW_KIND,
    FLOW_INTERLEAVINGS,
    FLOW_FORMAT,
    {0},
};

const struct command cmd_flow_cover = {
    .noun = "flow",
    .verb = "cover",
    .group = GROUP_MODELS,
    .args = "MODEL...",
    .summary = "choose few flows that cover states, transitions, pairs, ...",
    .description =
        "Prints a suite of flows, the most useful first, and on standard error what it covers. "
        "Goals: states (settled states), transitions, pairs (two transitions in a row), tuples:K, "
        "edges (a transition in a configuration: the state and the back stack), requirements (each "
        "--require by a flow that meets it). For the other goals --require restricts the flows.\n\n"
        "Without --length the suite is a tour: for transitions, pairs, tuples and edges the "
        "directed Chinese postman, which is optimal in events plus --restart-cost for every flow "
        "but the first; the lower bound stands beside the size. Flows end where they add nothing "
        "more. With --length the tour is taken if it fits, else the smallest suite found of flows "
        "of that length. The total counts what is feasible within the length; the rest is listed "
        "as infeasible. Without --length a model whose variables count on is searched as far as is "
        "practical: what was not found then is listed as such, and called neither infeasible nor "
        "optimal. A step without a time counts one second of the budget.\n\n"
        "GraphWalker strings are accepted as goals: random(edge_coverage(100)) is transitions, "
        "vertex_coverage is states, reached_vertex(NAME) and reached_edge(NAME) ask for one alone, "
        "directed_chinese_postman(edge_coverage(100)) is edges.",
    .example = "tactus flow cover examples/uamp/uamp.model.xml --goal transitions\n"
               "tactus flow cover examples/uamp/uamp.model.xml --length 10 --goal pairs",
    .options = flow_cover_options,
    .documents = DOCUMENTS(&flow_suite_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = flow_cover_run,
};
