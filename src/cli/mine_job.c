/* The shared part of mine and predict: options that say how runs are read. */
#include "cli/mine_job.h"
#include <string.h>
#include <unistd.h>

/* "--label-by property NAME" leaves NAME among the arguments; it is the one that is no file.
 * *skip = its index. */
static int property_of(const struct invocation *in, size_t first, const char **name, size_t *skip)
{
    const char *by = option_text(in, "label-by");
    *name = NULL;
    *skip = SIZE_MAX;
    if (!by)
        return 0;
    if (strncmp(by, "property", 8) != 0 || (by[8] && by[8] != ':'))
        return fail_usage(in, "--label-by %s: expected property NAME", by);
    if (!option_text(in, "properties"))
        return fail_usage(in, "--label-by property needs -p PROPS, the property file");
    if (by[8] == ':')
        *name = by + 9;
    for (size_t i = first; i < in->arg_count && !*name; i++)
        if (access(in->args[i], F_OK) != 0) {
            *name = in->args[i];
            *skip = i;
        }
    return *name ? 0 : fail_usage(in, "--label-by property NAME: which property?");
}

/* Files of folders that nobody took for runs. */
static void name_left_out(const tac_runs *runs)
{
    size_t count;
    const char *const *files = tac_runs_left_out(runs, &count);
    for (size_t i = 0; i < count && i < 10; i++)
        complain("left out, not runs: %s", files[i]);
    if (count > 10)
        complain("left out, not runs: %zu more files", count - 10);
}

/* The options decide; without them, what the predictor was learned with. */
static void choose_rules(const struct invocation *in, const tac_predictor *predictor,
                         tac_runs_options *options)
{
    const char *const *known;
    size_t count;
    bool given = options->rule_count || option_flag(in, "no-identifier-rules");
    if (!predictor || given || !tac_predictor_rules(predictor, &known, &count))
        return;
    options->rules = known;
    options->rule_count = count;
    options->plain = true;
}

int mine_job_read(const struct invocation *in, const tac_predictor *predictor, size_t first,
                  tac_runs **out)
{
    tac_error err;
    const char *property;
    size_t skip;
    int code = property_of(in, first, &property, &skip);
    if (code)
        return code;
    size_t rules;
    const char *const *rule = option_values(in, "rename", &rules);
    const char *states = predictor ? tac_predictor_states(predictor) : NULL;
    tac_runs_options options = {
        .states = option_text(in, "state-tokens") ? option_text(in, "state-tokens") : states,
        .packages = option_text(in, "package"),
        .framework = option_text(in, "framework"),
        .by = (tac_cluster_by)option_choice(in, "cluster-by", TAC_CLUSTER_BY_FRAME),
        .rules = rule,
        .rule_count = rules,
        .plain = option_flag(in, "no-identifier-rules"),
        .labels = option_text(in, "labels"),
        .state_of = option_text(in, "state"),
        .properties = property ? option_text(in, "properties") : NULL,
        .property = property,
        .mapping = option_text(in, "mapping"),
        .memory = (size_t)option_number(in, "memory", 0) << 20,
    };
    choose_rules(in, predictor, &options);
    tac_runs *runs = NULL;
    tac_status status = tac_runs_new(&options, &runs, &err);
    for (size_t i = first; i < in->arg_count && !status; i++)
        if (i != skip)
            status = tac_runs_read(runs, in->args[i], in->watch, &err);
    if (status) {
        tac_runs_free(runs);
        return fail(in, &err);
    }
    name_left_out(runs);
    *out = runs;
    return 0;
}
