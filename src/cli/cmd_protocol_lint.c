/* tactus protocol lint FILES: what is suspicious about rule files, without a recording. */
#include "base/describe/describe.h"
#include "base/print/print.h"
#include "cli/protocol_io.h"
#include "protocol/protocol.h"

static void write_findings(FILE *out, void *context)
{
    const tac_diagnostics *findings = context;
    for (size_t i = 0; i < findings->count; i++) {
        const tac_diagnostic *d = &findings->at[i];
        tac_print(out, "%s", d->file);
        if (d->line)
            tac_print(out, ":%zu:%zu", d->line, d->column);
        tac_print(out, ": %s: %s\n", d->severity == TAC_ERROR ? "error" : "warning", d->message);
    }
    if (findings->errors + findings->warnings > findings->count)
        tac_print(out, "... and %zu more\n",
                  findings->errors + findings->warnings - findings->count);
    tac_print(out, "%zu error%s, %zu warning%s\n", findings->errors,
              findings->errors == 1 ? "" : "s", findings->warnings,
              findings->warnings == 1 ? "" : "s");
}

/* The errors first. */
static void sorted(const void *value, struct field_value *out)
{
    const tac_diagnostics *findings = value;
    tac_diagnostic *list = tac_arena_calloc(out->arena, findings->count, sizeof *list);
    for (int warnings = 0; warnings < 2; warnings++)
        for (size_t i = 0; i < findings->count; i++)
            if ((findings->at[i].severity == TAC_WARNING) == warnings)
                list[out->count++] = findings->at[i];
    out->at = list;
}

static const struct field lint_fields[] = {
    FIELDS(tac_diagnostics, errors, warnings),
    FIELD_GET_LIST("findings", sorted, diagnostic_described)};
static DESCRIBE(lint, tac_diagnostics);

static int protocol_lint_run(struct invocation *in)
{
    tac_diagnostics findings = {0};
    tac_recording *recording = NULL;
    const char *path = option_text(in, "recording");
    tac_error err;
    bool fine =
        (!path || tac_recording_read(path, &recording, &err) == TAC_OK) &&
        tac_protocol_lint_against(in->args, in->arg_count, recording, &findings, &err) == TAC_OK;
    tac_recording_free(recording);
    if (!fine) {
        tac_diagnostics_free(&findings);
        return fail(in, &err);
    }
    bool found = findings.errors + findings.warnings > 0;
    int code = tac_exit_code(TAC_OK, found ? TAC_VIOLATED : TAC_HOLDS);
    if (in->json) {
        code = finish_json(in, describe_json(&lint_described, &findings), code);
    } else {
        code = finish_text(in, write_findings, &findings, code);
    }
    tac_diagnostics_free(&findings);
    return code;
}

static const struct option protocol_lint_options[] = {
    PATH("recording", "TRACE", "also report names that this recording has almost, but not exactly",
         .meaning = "a recording of an app"),
    {0},
};

const struct command cmd_protocol_lint = {
    .noun = "protocol",
    .verb = "lint",
    .group = GROUP_ANALYSE,
    .args = "FILE...",
    .summary = "look for mistakes in lifestate rule files",
    .description =
        "Reads the files as one set and reports errors, stray tokens, rules that can match only at "
        "the start of a run (a missing TRUE[*];), rules that never fire or permit what nothing "
        "prohibits, pairs of rules that can disagree about a message at one step, REGEXPs that no "
        "rule uses, and ALIASES names that stand for nothing. Against a recording (--recording) "
        "also names that it has almost so.\n\n"
        "Exit 0 when there is nothing to report, else 1.",
    .example = "tactus protocol lint examples/protocol/remover.spec",
    .options = protocol_lint_options,
    .documents = DOCUMENTS(&lint_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = protocol_lint_run,
};
