/* The shared part of mine and predict: options that say how runs are read. */
#include "cli/mine_job.h"
#include "base/data/alloc.h"
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

int mine_job_read(const struct invocation *in, const char *states, size_t first, tac_runs **out)
{
    tac_error err;
    const char *property;
    size_t skip;
    int code = property_of(in, first, &property, &skip);
    if (code)
        return code;
    size_t rules = option_count(in, "rename");
    const char **rule = tac_calloc(rules + 1, sizeof *rule);
    for (size_t i = 0; i < rules; i++)
        rule[i] = option_value(in, "rename", i);
    tac_runs_options options = {
        .states = option_text(in, "state-tokens") ? option_text(in, "state-tokens") : states,
        .packages = option_text(in, "package"),
        .framework = option_text(in, "framework"),
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
    tac_runs *runs = NULL;
    tac_status status = tac_runs_new(&options, &runs, &err);
    for (size_t i = first; i < in->arg_count && !status; i++)
        if (i != skip)
            status = tac_runs_read(runs, in->args[i], in->watch, &err);
    free(rule);
    if (status) {
        tac_runs_free(runs);
        return fail(in, &err);
    }
    *out = runs;
    return 0;
}
