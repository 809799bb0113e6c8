/* tactus rules generate: a random rule set of a given shape. */
#include "base/io/output.h"
#include "cli/command.h"
#include "rules/rules.h"

static const struct option rules_generate_options[] = {
    NUMBER("state-count", "S", 1, 1000000, "number of states", .synonyms = "states",
           .required = true),
    NUMBER("rule-count", "R", 1, 1000000, "number of rules, at least one for each state",
           .synonyms = "rules", .required = true),
    NUMBER("variable-count", "V", 1, 1000000, "number of variables, up to five for each rule",
           .synonyms = "vars", .required = true),
    NUMBER("seed", "N", 0, INT64_MAX, "the same seed gives the same rules (default 1)",
           .meaning = "seed of all randomness"),
    {0}};

static int rules_generate_run(struct invocation *in)
{
    tac_error err = {0};
    tac_rules *rules = NULL;
    tac_output output;
    tac_rules_shape shape = {.states = (uint32_t)option_number(in, "state-count", 1),
                             .rules = (uint32_t)option_number(in, "rule-count", 1),
                             .variables = (uint32_t)option_number(in, "variable-count", 1),
                             .seed = (uint64_t)option_number(in, "seed", 1)};
    tac_status status = tac_rules_generate(&shape, &rules, &err);
    if (!status)
        status = tac_output_open(&output, in->output, &err);
    if (!status) {
        status = tac_rules_write(rules, output.file, &err);
        status = tac_output_close(&output, status, &err);
    }
    tac_rules_free(rules);
    return status ? fail(in, &err) : 0;
}

const struct command cmd_rules_generate = {
    .noun = "rules",
    .verb = "generate",
    .group = GROUP_AUTOMATIONS,
    .args = "",
    .summary = "make a random rule set to measure with",
    .description = "Makes a deterministic random rule set: every state but the initial one is the "
                   "target of some rule, one to eight rules for each state (more only when there "
                   "are more than eight for each) with different priorities, one to five variables "
                   "in each predicate, every variable used.",
    .example = "tactus rules generate --states 10 --rules 30 --vars 10 --seed 7 -o random.rules",
    .options = rules_generate_options,
    .common = HAS_OUTPUT,
    .run = rules_generate_run,
};
