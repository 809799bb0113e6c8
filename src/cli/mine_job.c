/* The shared part of mine and predict: options that say how runs are read. */
#include "cli/mine_job.h"
#include "base/alloc.h"

int mine_job_read(const struct invocation *in, const char *states, size_t first, tac_runs **out)
{
    tac_error err;
    size_t rules = option_count(in, "rename");
    const char **rule = tac_calloc(rules + 1, sizeof *rule);
    for (size_t i = 0; i < rules; i++)
        rule[i] = option_value(in, "rename", i);
    tac_runs_options options = {
        .states = option_text(in, "states") ? option_text(in, "states") : states,
        .packages = option_text(in, "package"),
        .framework = option_text(in, "framework"),
        .rules = rule,
        .rule_count = rules,
        .plain = option_flag(in, "plain"),
        .labels = option_text(in, "labels"),
        .state_of = option_text(in, "state"),
    };
    tac_runs *runs = NULL;
    tac_status status = tac_runs_new(&options, &runs, &err);
    for (size_t i = first; i < in->arg_count && !status; i++)
        status = tac_runs_read(runs, in->args[i], in->watch, &err);
    free(rule);
    if (status) {
        tac_runs_free(runs);
        return fail(in, &err);
    }
    *out = runs;
    return 0;
}
