/* tactus rules repair: the smallest edits that remove a fault. */
#include "base/data/text.h"
#include "base/io/input.h"
#include "base/io/output.h"
#include "base/print/print.h"
#include "cli/command.h"
#include "rules/repair/described.h"
#include "rules/rules.h"
#include <stdlib.h>
#include <string.h>

static const struct option rules_repair_options[] = {
    CHOICE("fault", "KIND",
           CHOICES({"nondeterminism", TAC_RULES_NONDETERMINISM}, {"dead", TAC_RULES_DEAD},
                   {"cycle", TAC_RULES_CYCLE}, {"unreachable", TAC_RULES_UNREACHABLE},
                   {"race", TAC_RULES_RACE}, {"hazard", TAC_RULES_HAZARD}),
           "the kind of fault to remove", .required = true),
    NUMBER("edit-limit", "N", 1, 6,
           "at most N edits in one repair (default 3; 1 for race and hazard)",
           .synonyms = "max-edits"),
    NUMBER("limit", "N", 0, INT32_MAX,
           "list at most N repairs, 0 = all (default 20, with --json all)",
           .meaning = "list at most N", .synonyms = "most"),
    NUMBER("apply", "K", 1, 1000, "write the rules with repair K to -o"),
    FLAG("interactive", "choose repairs one after another"),
    {0}};

struct session {
    struct invocation *in;
    char *source; /* the file as it was read */
    size_t source_size;
    tac_rules *rules;
    tac_rules_repair_options options;
    tac_rules_repairs *repairs;
};

static void write_text(FILE *out, void *context)
{
    const struct session *s = context;
    tac_rules_repairs_text(s->rules, &s->options, s->repairs, out);
    if (s->repairs->count)
        tac_print(out,
                  "Next: 'tactus rules repair %s --fault %s --apply 1 -o FILE'\n"
                  "writes the rules with the first repair.\n",
                  s->rules->file, tac_rules_fault_name(s->options.fault));
    else if (!s->repairs->nothing_to_do && s->repairs->more_may_help)
        tac_print(out, "--edit-limit allows more.\n");
}

static int write_rules(const struct session *s, const tac_rules *rules)
{
    tac_error err = {0};
    tac_output output;
    tac_status status = tac_output_open(&output, s->in->output, &err);
    if (!status) {
        status = tac_rules_rewrite(s->source, s->source_size, rules, output.file, &err);
        status = tac_output_close(&output, status, &err);
    }
    return status ? fail(s->in, &err) : 0;
}

/* 0 found or nothing to do, 3 none found within the limits. */
static int exit_code_of(const tac_rules_repairs *repairs)
{
    bool answered = repairs->nothing_to_do || repairs->count;
    return tac_exit_code(TAC_OK, answered ? TAC_HOLDS : TAC_INCONCLUSIVE);
}

/* Takes the chosen repair as the new rules, until the fault is gone or the user stops. */
static int interact(struct session *s)
{
    tac_error err = {0};
    char line[64];
    bool applied = false;
    for (;;) {
        tac_rules_repairs_text(s->rules, &s->options, s->repairs, stderr);
        if (s->repairs->count == 0)
            break;
        fprintf(stderr, "Which one? [1-%zu, enter to stop] ", s->repairs->count);
        int64_t choice;
        if (!fgets(line, sizeof line, stdin))
            break;
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0')
            break;
        if (!tac_parse_i64(line, &choice) || choice < 1 || choice > (int64_t)s->repairs->count) {
            fprintf(stderr, "Please type a number from 1 to %zu.\n", s->repairs->count);
            continue;
        }
        tac_rules *chosen = s->repairs->at[choice - 1].repaired;
        s->repairs->at[choice - 1].repaired = NULL;
        tac_rules_repairs_free(s->repairs);
        s->repairs = NULL;
        tac_rules_free(s->rules);
        s->rules = chosen;
        applied = true;
        if (tac_rules_repair(s->rules, &s->options, &s->repairs, &err))
            return fail(s->in, &err);
    }
    return applied ? write_rules(s, s->rules) : exit_code_of(s->repairs);
}

static int finish(struct session *s)
{
    int64_t apply = option_number(s->in, "apply", 0);
    if (option_flag(s->in, "interactive"))
        return interact(s);
    if (apply > (int64_t)s->repairs->count)
        return fail_usage(s->in, "there is no repair %lld: %zu were found", (long long)apply,
                          s->repairs->found);
    if (apply)
        return write_rules(s, s->repairs->at[apply - 1].repaired);
    if (s->in->json)
        return finish_json(s->in, tac_rules_repairs_json(s->rules, &s->options, s->repairs),
                           exit_code_of(s->repairs));
    return finish_text(s->in, write_text, s, exit_code_of(s->repairs));
}

static tac_status load(struct session *s, tac_diagnostics *diagnostics, tac_error *err)
{
    const char *path = s->in->args[0];
    tac_status status =
        tac_input_slurp(path, TAC_RULES_MAX_BYTES, &s->source, &s->source_size, err);
    return status ? status
                  : tac_rules_parse(path, s->source, s->source_size, diagnostics, &s->rules, err);
}

/* Repair K can be applied whether or not so many are listed. */
static uint32_t repairs_wanted(const struct invocation *in)
{
    int64_t limit = option_number(in, "limit", in->json ? 0 : 20);
    int64_t apply = option_number(in, "apply", 0);
    return limit == 0 ? UINT32_MAX : (uint32_t)(limit < apply ? apply : limit);
}

static int rules_repair_run(struct invocation *in)
{
    tac_error err = {0};
    tac_diagnostics diagnostics = {0};
    struct session s = {.in = in};
    int code;
    s.options = (tac_rules_repair_options){
        .fault = (tac_rules_fault)option_choice(in, "fault", TAC_RULES_NONDETERMINISM),
        .max_edits = (uint32_t)option_number(in, "edit-limit", 0),
        .max_proposals = repairs_wanted(in),
        .watch = in->watch,
    };
    if (option_number(in, "apply", 0) && (in->json || option_flag(in, "interactive")))
        return fail_usage(in,
                          "--apply writes rules: it goes with neither --json nor --interactive");
    if (in->json && option_flag(in, "interactive"))
        return fail_usage(in, "--interactive writes rules, not JSON: leave out --json");
    tac_status status = load(&s, &diagnostics, &err);
    print_diagnostics(&diagnostics);
    if (!status)
        status = tac_rules_repair(s.rules, &s.options, &s.repairs, &err);
    if (status)
        code = diagnostics.errors ? tac_exit_code(status, TAC_INCONCLUSIVE) : fail(in, &err);
    else
        code = finish(&s);
    tac_rules_repairs_free(s.repairs);
    tac_rules_free(s.rules);
    free(s.source);
    tac_diagnostics_free(&diagnostics);
    return code;
}

const struct command cmd_rules_repair = {
    .noun = "rules",
    .verb = "repair",
    .group = GROUP_AUTOMATIONS,
    .args = "RULES",
    .summary = "find the smallest edits that remove a fault",
    .description =
        "Searches for edits of the rules (priorities, stronger conditions, other thresholds, a new "
        "rule, a split state) that remove one kind of fault, the fewest edits first. Every repair "
        "is analysed again from the start and shown with the faults before and after; they are "
        "ranked by what else they change. For races and hazards, edits that make them fewer are "
        "shown as well.\n\n"
        "--apply K writes the rules with repair K. --interactive shows the repairs, asks for one, "
        "applies it and goes on until the fault is gone, then writes the rules.\n\n"
        "Exit 0 when there is a repair or nothing to repair, 3 when none was found.",
    .example = "tactus rules repair examples/rules/phoneadapter.rules --fault nondeterminism\n"
               "tactus rules repair examples/rules/phoneadapter.rules --fault cycle --apply 1 "
               "-o repaired.rules",
    .options = rules_repair_options,
    .documents = DOCUMENTS(&rules_repaired_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = rules_repair_run,
};
