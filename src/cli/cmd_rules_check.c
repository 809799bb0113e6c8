/* tactus rules check: every fault of a rule file. */
#include "base/print/print.h"
#include "cli/rules_cases.h"
#include "rules/findings/document.h"
#include <stdlib.h>
#include <string.h>

static const struct option rules_check_options[] = {
    CHOICE("engine", "ENGINE",
           CHOICES({"enumerative", TAC_RULES_ENUMERATIVE}, {"symbolic", TAC_RULES_SYMBOLIC},
                   {"hybrid", TAC_RULES_HYBRID}, {"lean", TAC_RULES_LEAN}),
           "how to analyse; all give the same answers (default lean)",
           .meaning = "how the answer is computed"),
    CHOICE("convention", "NAME", CHOICES({"table2", 0}),
           "count as Table 2 of the paper does, constraints ignored"),
    FLAG("hazards", "also look for changes whose outcome depends on the order of the refreshes"),
    FLAG("paths", "list every race and cycle path with its inputs"),
    NUMBER("work", "NODES", 1, INT64_MAX,
           "work in diagram nodes made, for exact race and cycle counts (default 4000000, and only "
           "where they have a chance) and for the witness of a state (default 20000)",
           .synonyms = "budget"),
    NUMBER("path-limit", "N", 1, 10000000, "give up listing paths beyond this many (default 20000)",
           .synonyms = "max-paths"),
    NUMBER("memory", "MB", 1, 1000000, "memory for the analysis (default 1024)",
           .meaning = "megabytes of memory"),
    PIPELINE_OPTIONS,
    {0}};

struct report {
    const tac_rules *rules;
    const tac_rules_findings *findings;
    bool verbose, paths;
};

/* What to do about what was found. */
static void say_next(const struct report *report, bool shortened, FILE *out)
{
    const tac_rules_findings *f = report->findings;
    const char *file = report->rules->file;
    if (f->pair_count)
        tac_print(out,
                  "\nNext: 'tactus rules repair %s --fault nondeterminism'\n"
                  "finds the fewest priorities to change.\n",
                  file);
    else if (f->cycle_count)
        tac_print(out,
                  "\nNext: 'tactus rules repair %s --fault cycle'\n"
                  "proposes what ends the cycles.\n",
                  file);
    if (shortened)
        tac_print(out, "%s--verbose lists everything.\n",
                  f->pair_count || f->cycle_count ? "" : "\n");
}

static tac_status write_document(FILE *out, void *context, tac_error *err)
{
    const struct report *report = context;
    return tac_rules_findings_write(report->rules, report->findings, report->paths, out, err);
}

static void write_report(FILE *out, void *context)
{
    const struct report *report = context;
    bool shortened = tac_rules_findings_text(report->rules, report->findings, report->verbose, out);
    say_next(report, shortened, out);
}

/* A limit of the other engines does not bind the lean one. */
static int fail_with_advice(const struct invocation *in, tac_rules_engine engine, bool loaded,
                            tac_error *err)
{
    size_t length = strlen(err->message);
    if (loaded && err->status == TAC_E_LIMIT)
        snprintf(err->message + length, sizeof err->message - length, ": %s",
                 engine == TAC_RULES_LEAN ? "raise --memory" : "use --engine lean");
    return fail(in, err);
}

static tac_status write_cases(const struct invocation *in, const tac_rules *rules,
                              const tac_rules_findings *findings, tac_error *err)
{
    struct pipeline cases = {0};
    if (pipeline_wanted(in))
        rules_cases(&cases, rules, findings);
    return pipeline_finish(in, &cases, "tactus rules check", err);
}

static int rules_check_run(struct invocation *in)
{
    tac_error err = {0};
    tac_diagnostics diagnostics = {0};
    tac_rules *rules = NULL;
    tac_rules_findings *findings = NULL;
    int code;
    tac_rules_options options = {
        .engine = (tac_rules_engine)option_choice(in, "engine", TAC_RULES_LEAN),
        .table2 = option_text(in, "convention") != NULL,
        .hazards = option_flag(in, "hazards"),
        .paths = option_flag(in, "paths"),
        .work = (uint64_t)option_number(in, "work", 0),
        .max_paths = (uint32_t)option_number(in, "path-limit", 0),
        .max_bytes = (size_t)option_number(in, "memory", 0) << 20,
        .watch = in->watch,
    };
    if (options.table2 && (options.hazards || options.paths))
        return fail_usage(in, "--%s has no meaning under --convention table2",
                          options.hazards ? "hazards" : "paths");
    tac_status status = tac_rules_load(in->args[0], &diagnostics, &rules, &err);
    print_diagnostics(&diagnostics);
    if (!status)
        status = tac_rules_check(rules, &options, &findings, &err);
    if (status) {
        code = diagnostics.errors ? tac_exit_code(status, TAC_INCONCLUSIVE)
                                  : fail_with_advice(in, options.engine, rules != NULL, &err);
    } else {
        struct report report = {rules, findings, in->verbose || options.paths, options.paths};
        code = tac_exit_code(TAC_OK, tac_rules_answer(findings));
        if (write_cases(in, rules, findings, &err) != TAC_OK)
            code = fail(in, &err);
        else
            code = in->json ? finish_stream(in, write_document, &report, code)
                            : finish_text(in, write_report, &report, code);
    }
    tac_rules_findings_free(findings);
    tac_rules_free(rules);
    tac_diagnostics_free(&diagnostics);
    return code;
}

const struct command cmd_rules_check = {
    .noun = "rules",
    .verb = "check",
    .group = GROUP_AUTOMATIONS,
    .args = "RULES",
    .summary = "find every fault in a set of adaptation rules",
    .description =
        "Reads a rule file (text or JSON) and finds, exactly: rules that fire together, rules and "
        "states that are dead, states that cannot be reached, inputs on which the app adapts again "
        "and again before it rests (races) or never rests (cycles), actions that break a "
        "constraint, and expectations that are not met. Counts are numbers of valid inputs.\n\n"
        "Exit 1 when there are faults, 0 when there are none, 3 when hazards or expectations were "
        "too large to compute and nothing else was found. For every state a shortest race and a "
        "shortest cycle is found, at any size. How many inputs race or cycle can be too large to "
        "compute; such counts are reported as truncated (null in JSON, with bounds), everything "
        "else stays exact.",
    .example = "tactus rules check examples/rules/phoneadapter.rules\n"
               "tactus rules check --hazards --json examples/rules/phoneadapter-fixed.rules",
    .options = rules_check_options,
    .documents = DOCUMENTS(&rules_document_described),
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE,
    .run = rules_check_run,
};
