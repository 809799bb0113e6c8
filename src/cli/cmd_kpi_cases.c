/* tactus kpi cases CATALOGUE APP.json: what concerns an app, and flows for its test cases. */
#include "base/io/output.h"
#include "base/print/print.h"
#include "cli/command.h"
#include "kpi/described.h"
#include "kpi/kpi.h"

struct chosen {
    const tac_kpi_catalogue *catalogue;
    const tac_kpi_app *app;
    tac_kpi_choices choices;
};

static void write_list(FILE *out, const char *what, const tac_kpi_choice *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tac_print(out, "  %s %s%s%s%s", what, list[i].name, list[i].domain ? " (" : "",
                  list[i].domain ? list[i].domain : "", list[i].domain ? ")" : "");
        tac_print(out, "%s%s\n", list[i].chosen ? "" : ": skipped, ", list[i].reason);
    }
}

static void write_text(FILE *out, void *context)
{
    const struct chosen *chosen = context;
    const tac_kpi_choices *choices = &chosen->choices;
    size_t kpis = 0, cases = 0;
    for (size_t i = 0; i < choices->kpi_count; i++)
        kpis += choices->kpis[i].chosen;
    for (size_t i = 0; i < choices->case_count; i++)
        cases += choices->cases[i].chosen;
    tac_print(out, "%s, %s: %zu of %zu KPIs, %zu of %zu test cases\n",
              tac_kpi_app_name(chosen->app), tac_kpi_catalogue_name(chosen->catalogue), kpis,
              choices->kpi_count, cases, choices->case_count);
    write_list(out, "KPI", choices->kpis, choices->kpi_count);
    write_list(out, "case", choices->cases, choices->case_count);
}

/* The flows go to the file of --flows-to, so that -o and standard output have the choice. */
static int write_flows(struct invocation *in, struct chosen *chosen, const char *path,
                       const char *model_path)
{
    tac_model *model = NULL;
    tac_diagnostics findings = {0};
    tac_output output;
    tac_error err;
    tac_status status = tac_model_load(model_path, &findings, &model, &err);
    if (status == TAC_OK)
        status = tac_output_open(&output, path, &err);
    if (status == TAC_OK) {
        status = tac_kpi_write_flows(chosen->catalogue, chosen->app, model,
                                     (uint32_t)option_number(in, "length", 20), &chosen->choices,
                                     output.file, in->watch, &err);
        status = tac_output_close(&output, status, &err);
    }
    tac_diagnostics_free(&findings);
    tac_model_free(model);
    return status == TAC_OK ? 0 : fail(in, &err);
}

static int kpi_cases_run(struct invocation *in)
{
    tac_error err;
    tac_kpi_catalogue *catalogue = NULL;
    tac_kpi_app *app = NULL;
    struct chosen chosen = {0};
    const char *flows = option_text(in, "flows-to"), *model = option_text(in, "model");
    if (!flows != !model)
        return fail_usage(in, "--model and --flows-to belong together");
    tac_status status = tac_kpi_catalogue_load(in->args[0], &catalogue, &err);
    if (status == TAC_OK)
        status = tac_kpi_app_load(in->args[1], catalogue, &app, &err);
    int code = status == TAC_OK ? 0 : fail(in, &err);
    if (!code) {
        chosen = (struct chosen){.catalogue = catalogue, .app = app};
        tac_kpi_choose(catalogue, app, &chosen.choices);
        code = flows ? write_flows(in, &chosen, flows, model) : 0;
    }
    if (!code && in->json)
        code = finish_json(in, tac_kpi_choices_json(catalogue, app, &chosen.choices), 0);
    else if (!code)
        code = finish_text(in, write_text, &chosen, 0);
    tac_kpi_choices_free(&chosen.choices);
    tac_kpi_app_free(app);
    tac_kpi_catalogue_free(catalogue);
    return code;
}

static const struct option kpi_cases_options[] = {
    PATH("model", "M.xml", "a model of the app, for flows", .meaning = "the interaction model"),
    PATH("flows-to", "FILE.jsonl",
         "write the shortest flow of the model for each chosen case, for `tactus run --flows`",
         .meaning = "a flow file"),
    NUMBER("length", "N", 1, 1000, "at most N events per flow; default 20", .letter = 'n',
           .meaning = "at most N events per flow"),
    {0},
};

const struct command cmd_kpi_cases = {
    .noun = "kpi",
    .verb = "cases",
    .group = GROUP_CAMPAIGNS,
    .args = "CATALOGUE APP.json",
    .summary = "choose KPIs and test cases by an app's features",
    .description =
        "Reads a catalogue of KPIs and the declaration of an app, and lists which KPIs and test "
        "cases concern the app; the others with the feature that it lacks. With --model and "
        "--flows-to the chosen cases become flows of the app's model: one per case, the shortest "
        "that does its steps in order. A case that no flow does is skipped, with that reason.",
    .example = "tactus kpi cases examples/kpi/media-player.json examples/kpi/player.json",
    .options = kpi_cases_options,
    .documents = DOCUMENTS(&kpi_chosen_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = kpi_cases_run,
};
