/* tactus model check MODEL...: schema and meaning, every finding with its line. */
#include "base/print/print.h"
#include "cli/command.h"
#include "model/described.h"
#include "model/tools.h"
#include "run/run.h"

struct check_result {
    const tac_model *model;
    const tac_diagnostics *findings;
};

enum { FEW = 5 };

/* "STATE event: A, B, C" of a pair that leads to several places; the first transition is given. */
static void write_pair(FILE *out, const tac_model *model, uint32_t first)
{
    const tac_model_transition *t = &model->transitions[first];
    const tac_model_node *from = &model->nodes[t->from];
    tac_print(out, "    %s/%s %s:", model->machines[from->machine].name, from->name,
              model->events[t->event]);
    for (uint32_t i = 0; i < from->out_count; i++)
        if (model->transitions[from->first_out + i].event == t->event)
            tac_print(out, " %s", model->nodes[model->transitions[from->first_out + i].to].name);
    fputc('\n', out);
}

/* The first transitions of the pairs of a state and an event that lead to several places. */
static bool starts_pair(const tac_model *model, uint32_t t)
{
    const tac_model_transition *at = &model->transitions[t];
    const tac_model_node *from = &model->nodes[at->from];
    bool other = false;
    for (uint32_t i = from->first_out; i < from->first_out + from->out_count; i++) {
        const tac_model_transition *twin = &model->transitions[i];
        if (twin->event != at->event || twin->guard != at->guard)
            continue;
        if (i < t)
            return false;
        other = other || twin->to != at->to;
    }
    return other;
}

static void write_risks(FILE *out, const tac_model *model)
{
    tac_model_risks risks;
    size_t shown = 0;
    tac_model_find_risks(model, &risks);
    if (risks.nondeterministic)
        tac_print(out,
                  "  %zu pair%s of a state and an event lead%s to several places: the app chooses, "
                  "so a fixed\n  suite may not come through; 'tactus run --goal transitions' can\n",
                  risks.nondeterministic, risks.nondeterministic == 1 ? "" : "s",
                  risks.nondeterministic == 1 ? "s" : "");
    for (uint32_t t = 0; t < model->transition_count && shown < FEW; t++)
        if (starts_pair(model, t)) {
            write_pair(out, model, t);
            shown++;
        }
    if (risks.nondeterministic > shown)
        tac_print(out, "    ... and %zu more\n", risks.nondeterministic - shown);
    if (risks.fragile)
        tac_print(out, "  %zu locator%s an element by its place alone, which changes easily\n",
                  risks.fragile, risks.fragile == 1 ? " finds" : "s find");
}

static void write_check(FILE *out, void *context)
{
    const struct check_result *result = context;
    tac_verdict verdict;
    tac_model_check_verdict(result->model, result->findings, &verdict);
    tac_verdict_text(&verdict, out);
    write_risks(out, result->model);
    tac_verdict_free(&verdict);
}

struct checked_model {
    const tac_model_statistics *statistics;
    const tac_model_risks *risks;
    const tac_diagnostics *findings;
};
static const struct field risks_fields[] = {FIELDS(tac_model_risks, nondeterministic, fragile)};
static DESCRIBE(risks, tac_model_risks);
static const struct field checked_fields[] = {
    FIELD_POINTER(struct checked_model, statistics, model_statistics_described, .splice = true),
    FIELD_POINTER(struct checked_model, risks, risks_described, .splice = true),
    FIELD_POINTER(struct checked_model, findings, diagnostics_described, .splice = true)};
static DESCRIBE(checked, struct checked_model);

static json_t *check_document(const tac_model *model, const tac_diagnostics *findings)
{
    tac_model_statistics statistics;
    tac_model_risks risks;
    if (!model)
        return describe_json(&checked_described, &(struct checked_model){.findings = findings});
    tac_model_count(model, &statistics);
    tac_model_find_risks(model, &risks);
    return describe_json(&checked_described,
                         &(struct checked_model){&statistics, &risks, findings});
}

static int model_check_run(struct invocation *in)
{
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_error err;
    tac_status status = tac_model_load_many(in->args, in->arg_count, &findings, &model, &err);
    int code;
    if (status == TAC_OK)
        tac_model_check_expectations(model, &findings);
    if (status == TAC_OK && findings.errors) {
        status = tac_fail(&err, TAC_E_INPUT, "an expectation cannot be read");
        tac_model_free(model);
        model = NULL;
    }
    if (status != TAC_OK && !findings.errors) {
        code = fail(in, &err);
    } else {
        int exit_code = tac_exit_code(status, TAC_HOLDS);
        if (in->json) {
            code = finish_json(in, check_document(model, &findings), exit_code);
        } else {
            print_diagnostics(&findings);
            if (model) {
                code = finish_text(in, write_check, &(struct check_result){model, &findings},
                                   exit_code);
            } else {
                tac_fail(&err, TAC_E_INPUT, "%zu error%s: the model cannot be used",
                         findings.errors, findings.errors == 1 ? "" : "s");
                code = fail(in, &err);
            }
        }
    }
    tac_diagnostics_free(&findings);
    tac_model_free(model);
    return code;
}

const struct command cmd_model_check = {
    .noun = "model",
    .verb = "check",
    .group = GROUP_MODELS,
    .args = "MODEL...",
    .summary = "check interaction models: schema, names, starts, cycles, reachability",
    .description =
        "Reads the model files (several are combined, as for the flow commands) and lists every "
        "error and warning with its line, then the size of the model.\n\n"
        "Errors are: a file that does not fit the schema, unknown or repeated names, a state "
        "machine without initial, a device without an externally accessible start, a connection "
        "that returns to a connection, calls that turn in a circle without reaching a state, and "
        "an <expect> that is not a condition over observables (docs/functional.md). Warnings are: "
        "states that no flow can reach, repeated transitions, channels on which nothing is sent. "
        "Exit code 4 when there is an error.",
    .example = "tactus model check examples/uamp/uamp.model.xml",
    .documents = DOCUMENTS(&checked_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = model_check_run,
};
