/* tactus mine RUNS...: what the failing runs share and the passing ones lack. */
#include "base/data/alloc.h"
#include "base/io/output.h"
#include "base/print/print.h"
#include "cli/mine_job.h"
#include "mining/emit.h"
#include "mining/runs/described.h"
#include <string.h>

struct mine_output {
    const tac_runs *runs;
    const tac_mine_result *result;
    size_t limit;
    bool verbose;
};

static void write_patterns(FILE *out, void *context)
{
    const struct mine_output *o = context;
    tac_mine_text(o->runs, o->result, o->limit, o->verbose, out);
}

static bool parse_templates(const char *text, unsigned *out)
{
    *out = 0;
    while (*text) {
        size_t size = strcspn(text, ",");
        int found = -1;
        for (int t = 0; t < TAC_TEMPLATES; t++) {
            const char *name = tac_template_name((tac_template)t);
            if (strlen(name) == size && strncmp(name, text, size) == 0)
                found = t;
        }
        if (found < 0)
            return false;
        *out |= 1u << found;
        if (found == TAC_G2)
            *out |= 1u << TAC_G2E;
        text += size + (text[size] == ',');
    }
    return *out != 0;
}

static int read_options(const struct invocation *in, tac_mine_options *options)
{
    *options = tac_mine_defaults();
    const char *templates = option_text(in, "templates");
    if (templates && !parse_templates(templates, &options->templates))
        return fail_usage(in, "--templates %s: expected a list of g1, g1e, g2, g2e, g3, g4, g5",
                          templates);
    if (option_text(in, "support"))
        options->support = option_real(in, "support", 0);
    if (option_text(in, "confidence"))
        options->confidence = option_real(in, "confidence", 0);
    options->min_occurrences =
        (uint64_t)option_number(in, "min-occurrences", (int64_t)options->min_occurrences);
    const char *cluster = option_text(in, "cluster");
    bool of_passing = cluster && strcmp(cluster, "pass") == 0;
    options->depth = (unsigned)option_number(in, "blocks", of_passing ? 2 : options->depth);
    options->min_rest = (uint64_t)option_number(in, "min-rest", (int64_t)options->min_rest);
    options->limit = (uint64_t)option_number(in, "pattern-limit", (int64_t)options->limit);
    options->cluster = option_text(in, "cluster");
    options->all = option_flag(in, "all");
    options->merge = option_flag(in, "merge");
    options->paper_weights = option_choice(in, "combiner", false);
    options->screen = (tac_screen)option_choice(in, "screen", (int)options->screen);
    return 0;
}

/* 3 when nothing was told apart, else 0. */
static int exit_code_of(const tac_runs *runs, const tac_mine_result *result)
{
    size_t count;
    bool some = false;
    tac_verdict *verdicts = tac_mine_verdicts(runs, result, &count);
    for (size_t i = 0; i < count; i++)
        some = some || verdicts[i].answer == TAC_HOLDS;
    tac_mine_verdicts_free(verdicts, count);
    return tac_exit_code(TAC_OK, some ? TAC_HOLDS : TAC_INCONCLUSIVE);
}

/* How many patterns of a cluster are asked for. */
static size_t patterns_wanted(const struct invocation *in, int64_t otherwise)
{
    return (size_t)option_number(in, option_text(in, "top") ? "top" : "limit", otherwise);
}

static int print_result(const struct invocation *in, const tac_runs *runs,
                        const tac_mine_result *result)
{
    int64_t shown = result->options.all || in->json ? 0 : 5;
    size_t limit = patterns_wanted(in, shown);
    int code = exit_code_of(runs, result);
    if (in->json)
        return finish_json(in, tac_mine_json(runs, result, limit), code);
    struct mine_output output = {runs, result, limit, in->verbose};
    return finish_text(in, write_patterns, &output, code);
}

/* Patterns that are worth a monitor or a requirement. */
static const size_t EMITTED = 5;

static tac_status emit_properties(const char *path, const tac_runs *runs,
                                  const tac_mine_result *result, size_t limit, tac_error *err)
{
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    if (status)
        return status;
    tac_mine_properties(runs, result, limit, output.file);
    return tac_output_commit(&output, err);
}

static tac_status emit_requirements(const char *folder, const char *model_path,
                                    const tac_runs *runs, const tac_mine_result *result,
                                    size_t limit, tac_error *err)
{
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    size_t written, skipped;
    tac_status status = tac_model_load(model_path, &findings, &model, err);
    if (!status)
        status = tac_mine_requirements(runs, result, limit, model, folder, &written, &skipped, err);
    if (!status && skipped)
        complain("%zu patterns do not follow transitions of %s; %zu written", skipped, model_path,
                 written);
    tac_diagnostics_free(&findings);
    tac_model_free(model);
    return status;
}

static int emit(const struct invocation *in, const tac_runs *runs, const tac_mine_result *result)
{
    const char *properties = option_text(in, "emit-properties");
    const char *requirements = option_text(in, "emit-requirements");
    size_t limit = patterns_wanted(in, EMITTED);
    tac_error err;
    tac_status status = TAC_OK;
    if (properties)
        status = emit_properties(properties, runs, result, limit, &err);
    if (!status && requirements)
        status =
            emit_requirements(requirements, option_text(in, "model"), runs, result, limit, &err);
    return status ? fail(in, &err) : 0;
}

struct train_output {
    const tac_predictor *predictor;
    const char *model;
};

static void write_training(FILE *out, void *context)
{
    const struct train_output *o = context;
    tac_predictor_text(o->predictor, out);
    tac_print(out, "The model is in %s; `tactus predict %s RUNS` uses it.\n", o->model, o->model);
}

/* --train: the model goes to -o, the summary to standard output. */
static int train(struct invocation *in, const tac_runs *runs, const tac_mine_options *options)
{
    tac_predictor *predictor;
    tac_error err;
    if (tac_predictor_train(runs, options, in->watch, &predictor, &err) != TAC_OK)
        return fail(in, &err);
    struct train_output output = {predictor, in->output};
    int code = finish_json(in, tac_predictor_json(predictor), 0);
    if (!code) {
        struct invocation summary = *in;
        summary.output = NULL;
        code = in->json ? finish_json(&summary, tac_predictor_json(predictor), 0)
                        : finish_text(&summary, write_training, &output, 0);
    }
    tac_predictor_free(predictor);
    return code;
}

static void write_templates(FILE *out, void *context)
{
    const struct mined_templates *job = context;
    for (size_t i = 0; i < job->count; i++)
        tac_template_text(job->runs, &job->results[i], job->limit, job->all, out);
}

/* --template: instead of the built-in ones. */
static int mine_templates(struct invocation *in, const tac_runs *runs,
                          const tac_mine_options *options)
{
    struct mined_templates job = {.runs = runs, .all = options->all};
    size_t wanted = option_count(in, "template"), found = 0;
    tac_error err;
    int code = 0;
    job.limit = patterns_wanted(in, in->json ? 0 : EMITTED);
    job.results = tac_calloc(wanted + 1, sizeof *job.results);
    for (size_t i = 0; i < wanted && !code; i++)
        if (tac_mine_template(runs, option_value(in, "template", i), options, in->watch,
                              &job.results[i], &err) != TAC_OK)
            code = fail(in, &err);
        else
            job.count++;
    for (size_t i = 0; i < job.count; i++)
        for (size_t c = 0; c < job.results[i].count; c++)
            found += job.results[i].clusters[c].count &&
                     job.results[i].clusters[c].instances[0].p <= 0.05;
    int answer = tac_exit_code(TAC_OK, found ? TAC_HOLDS : TAC_INCONCLUSIVE);
    if (!code && in->json)
        code = finish_json(in, describe_json(&mined_templates_described, &job), answer);
    else if (!code)
        code = finish_text(in, write_templates, &job, answer);
    for (size_t i = 0; i < job.count; i++)
        tac_template_result_free(&job.results[i]);
    free(job.results);
    return code;
}

/* What the library says, and the options that help. */
static int fail_mining(const struct invocation *in, const tac_mine_options *options, tac_error *err)
{
    if (err->status == TAC_E_LIMIT && options->all) {
        size_t length = strlen(err->message);
        snprintf(err->message + length, sizeof err->message - length,
                 " (--support, --confidence, --min-occurrences, --blocks; without --all)");
    }
    return fail(in, err);
}

static int mine_run(struct invocation *in)
{
    tac_mine_options options;
    tac_runs *runs = NULL;
    tac_mine_result *result = NULL;
    tac_error err;
    int code = read_options(in, &options);
    bool training = option_flag(in, "train");
    if (!code && training && !in->output)
        code = fail_usage(in, "--train needs -o MODEL.json, the file that gets the model");
    if (!code && option_text(in, "combiner") && !training)
        code = fail_usage(in, "--combiner %s says how a predictor is learned: add --train",
                          option_text(in, "combiner"));
    if (!code && option_text(in, "emit-requirements") && !option_text(in, "model"))
        code = fail_usage(in, "--emit-requirements needs --model M.xml, the app's model");
    if (!code)
        code = mine_job_read(in, NULL, 0, &runs);
    if (!code && option_count(in, "template"))
        code = mine_templates(in, runs, &options);
    else if (!code && training)
        code = train(in, runs, &options);
    else if (!code && tac_mine(runs, &options, in->watch, &result, &err) != TAC_OK)
        code = fail_mining(in, &options, &err);
    else if (!code && !(code = emit(in, runs, result)))
        code = print_result(in, runs, result);
    tac_mine_result_free(result);
    tac_runs_free(runs);
    return code;
}

static const struct option mine_options[] = {
    TEXT("templates", "LIST",
         "templates to mine, from g1,g1e,g2,g3,g4,g5; default all (g2 brings g2e; --all leaves g1e "
         "out)"),
    TEXT("template", "FORMULA",
         "a template of your own instead, such as 'G(a -> X F b)': names that are neither states "
         "nor inputs of the runs stand for each of them; repeatable",
         .meaning = "the template"),
    REAL("support", "T",
         "share of the cluster's runs that must show a g1 or g4 pattern; default 0.6, and less for "
         "runs that nothing explains"),
    REAL("confidence", "T",
         "share of prefix occurrences that must continue, for g2, g3, g5; default 0.9 with --all, "
         "else the share of runs decides"),
    NUMBER("min-occurrences", "N", 1, INT32_MAX,
           "occurrences that a g2, g3 or g5 pattern must have; default half of the failing runs, "
           "from 2 to 10"),
    NUMBER("blocks", "N", 1, TAC_MINE_MAX_DEPTH,
           "at most N blocks (state, input) in a pattern (default 6)", .synonyms = "depth"),
    NUMBER("min-rest", "N", 0, INT32_MAX,
           "events that must follow an occurrence of g5 for it to count; default 10"),
    TEXT("cluster", "NAME", "mine this cluster only; pass: what holds in passing runs (depth 2)",
         .meaning = "one cluster of failing runs"),
    FLAG("merge", "all failing runs as one cluster"),
    FLAG("all", "every pattern over the thresholds, with exact counts; those that may be chance "
                "are marked"),
    CHOICE("screen", "WAY",
           CHOICES({"score", TAC_SCREEN_SCORE}, {"threshold", TAC_SCREEN_THRESHOLD},
                   {"none", TAC_SCREEN_NONE}),
           "what to keep: causes beyond chance (score, default), or patterns that are not over the "
           "thresholds on passing runs"),
    NUMBER("limit", "N", 0, INT32_MAX,
           "list at most N patterns per cluster, 0 = all (default 5, with --json all)",
           .meaning = "list at most N"),
    {.name = "top",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .least = 0,
     .most = INT32_MAX,
     .hidden = true, /* the old name of --limit */
     .help = "list at most N patterns per cluster"},
    NUMBER("pattern-limit", "N", 1, INT32_MAX,
           "with --all: stop with an error beyond N patterns of a template (default 5000000)"),
    FLAG("train", "learn a predictor by cross-validation and write it to the file of -o"),
    CHOICE("combiner", "WAY", CHOICES({"rules", false}, {"weights", true}),
           "with --train: a list of rules (default), or the paper's weights of templates"),
    PATH("emit-properties", "FILE",
         "write the leading patterns as properties for tactus check and tactus run"),
    PATH("emit-requirements", "DIR",
         "write the leading patterns as flow requirements; needs --model"),
    PATH("model", "M.xml", "the interaction model that requirements refer to",
         .meaning = "the interaction model"),
    MINE_READ_OPTIONS,
    {0},
};

const struct command cmd_mine = {
    .noun = "mine",
    .group = GROUP_ANALYSE,
    .first = true,
    .args = "RUNS...",
    .summary = "find what failing runs share and passing runs lack",
    .description =
        "Reads labelled runs (text, JSON Lines, traces, folders), clusters the failing ones by "
        "exception and first stack frame of the app, and mines each cluster for temporal patterns "
        "of the templates of docs/mining.md. A pattern is listed as a cause when the failing runs "
        "show it more often than the passing runs, cut to the same lengths, beyond chance: its p "
        "is corrected for everything that was searched. Patterns that explain the same runs are "
        "variants of one cause.\n\n"
        "Text runs have one run a line, LABEL tok tok ...; label 0 is pass, anything else names "
        "the failing cluster; tokens that start with s are states, others inputs.\n\n"
        "Exit code 3 when nothing can be told apart, for instance with passing runs only.",
    .example = "tactus mine examples/mining/player.runs",
    .options = mine_options,
    .documents = DOCUMENTS(&mined_described, &predictor_described, &mined_templates_described),
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE,
    .reads_traces = true,
    .run = mine_run,
};
