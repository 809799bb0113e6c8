/* tactus rules draw: the machine of a rule file, with its faulty edges marked. */
#include "base/data/text.h"
#include "base/io/output.h"
#include "base/process/graphviz.h"
#include "cli/command.h"
#include "rules/rules.h"
#include <stdlib.h>
#include <string.h>

static const struct option rules_draw_options[] = {
    CHOICE("format", "FORMAT", CHOICES({"svg", true}, {"dot", false}),
           "svg or dot; by default what the name after -o says, else dot",
           .meaning = "how the result is shown"),
    TEXT("focus", "STATE", "this state with its neighbours and the ways of its witnesses",
         .meaning = "the state whose surroundings are drawn"),
    FLAG("all-states", "every state, however many; by default only the faulty part above 40",
         .meaning = "draw every state, however many", .synonyms = "all"),
    FLAG("plain", "do not analyse, mark nothing"),
    {0}};

#define PART_STATES 30 /* of a drawing of the faulty part */

/* dot -Tsvg; the text is replaced. */
static tac_status make_svg(char **text, size_t *size, tac_error *err)
{
    char *svg = NULL;
    tac_status status = tac_graphviz_svg(*text, *size, &svg, size, err);
    if (!status) {
        free(*text);
        *text = svg;
    }
    return status;
}

static tac_status draw(const struct invocation *in, const tac_rules *rules, tac_error *err)
{
    tac_rules_findings *findings = NULL;
    tac_rules_options options = {.watch = in->watch};
    const char *name = option_text(in, "focus");
    uint32_t focus = name ? 0 : TAC_RULES_NONE;
    while (name && focus < rules->state_count && strcmp(rules->states[focus].name, name))
        focus++;
    if (name && focus == rules->state_count)
        return tac_fail(err, TAC_E_USAGE, "there is no state '%s'", name);
    if (!option_flag(in, "plain")) {
        tac_status status = tac_rules_check(rules, &options, &findings, err);
        if (status)
            return status;
    }
    bool svg = option_choice(in, "format", in->output && tac_ends_with(in->output, ".svg"));
    char *text = tac_rules_dot_part(
        rules, findings, focus,
        option_flag(in, "all-states") || rules->state_count <= 40 ? 0 : PART_STATES);
    size_t size = strlen(text);
    tac_status status = svg ? make_svg(&text, &size, err) : TAC_OK;
    if (!status)
        status = tac_output_write_file(in->output, text, size, err);
    free(text);
    tac_rules_findings_free(findings);
    return status;
}

static int rules_draw_run(struct invocation *in)
{
    tac_error err = {0};
    tac_diagnostics diagnostics = {0};
    tac_rules *rules = NULL;
    tac_status status = tac_rules_load(in->args[0], &diagnostics, &rules, &err);
    print_diagnostics(&diagnostics);
    int code = 0;
    if (!status)
        status = draw(in, rules, &err);
    if (status)
        code = diagnostics.errors ? tac_exit_code(status, TAC_INCONCLUSIVE) : fail(in, &err);
    tac_rules_free(rules);
    tac_diagnostics_free(&diagnostics);
    return code;
}

const struct command cmd_rules_draw = {
    .noun = "rules",
    .verb = "draw",
    .group = GROUP_AUTOMATIONS,
    .args = "RULES",
    .summary = "draw the machine of a rule file with its faulty edges marked",
    .description = "Draws states and rules. Red edges are part of a cycle, behind orange ones "
                   "another rule fires at once, blue ones fire together with another rule, grey "
                   "ones are dead; states that cannot be reached are dashed.\n\n"
                   "Above 40 states the faulty part is drawn: the shortest cycles and what else is "
                   "wrong, at most 30 states; --focus STATE draws the surroundings of one state, "
                   "--all-states everything.\n\n"
                   "SVG needs the program dot (Debian package graphviz); DOT needs nothing.",
    .example = "tactus rules draw examples/rules/phoneadapter.rules -o phoneadapter.dot",
    .options = rules_draw_options,
    .common = HAS_OUTPUT,
    .run = rules_draw_run,
};
