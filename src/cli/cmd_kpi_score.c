/* tactus kpi score CATALOGUE CAMPAIGN... */
#include "cli/command.h"
#include "cli/kpi_io.h"
#include "kpi/described.h"

struct scored {
    const tac_kpi_catalogue *catalogue;
    const tac_kpi_report *report;
};

static void write_text(FILE *out, void *context)
{
    const struct scored *scored = context;
    tac_kpi_report_text(scored->catalogue, scored->report, out);
}

static int print(struct invocation *in, const tac_kpi_catalogue *catalogue,
                 const tac_kpi_report *report)
{
    struct scored scored = {catalogue, report};
    int code = tac_answer_exit_code(tac_kpi_report_answer(report));
    return in->json ? finish_json(in, tac_kpi_report_json(catalogue, report), code)
                    : finish_text(in, write_text, &scored, code);
}

static int kpi_score_run(struct invocation *in)
{
    tac_error err;
    tac_kpi_catalogue *catalogue = NULL;
    tac_kpi_report *report = NULL;
    struct kpi_subjects subjects = {0}, references = {0};
    size_t reference_count;
    const char *const *words = option_values(in, "reference", &reference_count);
    tac_status status = tac_kpi_catalogue_load(in->args[0], &catalogue, &err);
    if (status == TAC_OK)
        status = kpi_subjects_open(catalogue, in->args + 1, in->arg_count - 1, &subjects, &err);
    if (status == TAC_OK)
        status = kpi_subjects_open(catalogue, words, reference_count, &references, &err);
    if (status == TAC_OK) {
        tac_kpi_options options = {.catalogue = catalogue,
                                   .subjects = subjects.at,
                                   .subject_count = subjects.count,
                                   .references = references.at,
                                   .reference_count = references.count,
                                   .watch = in->watch};
        status = tac_kpi_score(&options, &report, &err);
    }
    int code = status == TAC_OK ? print(in, catalogue, report) : fail(in, &err);
    tac_kpi_report_free(report);
    kpi_subjects_free(&subjects);
    kpi_subjects_free(&references);
    tac_kpi_catalogue_free(catalogue);
    return code;
}

static const struct option kpi_score_options[] = {
    PATH("reference", "CAMPAIGN",
         "a campaign that the others are scored against, as [APP.json=]CAMPAIGN; repeatable; "
         "default each against all others",
         .meaning = "what is compared with"),
    {0},
};

const struct command cmd_kpi_score = {
    .noun = "kpi",
    .verb = "score",
    .group = GROUP_CAMPAIGNS,
    .args = "CATALOGUE [APP.json=]CAMPAIGN...",
    .summary = "compare apps by the KPIs of a catalogue",
    .description =
        "Measures every campaign by the KPIs of the catalogue, says which requirements are met, "
        "and scores each app per domain (energy, data, performance, reliability). A score is 100 "
        "times the chance that a run is better than a run of the references, equal ones counted "
        "half: 50 is alike. Intervals are of 95 %; apps whose intervals overlap are not told "
        "apart.\n\n"
        "APP.json declares which features the app has and what their events are called in it; KPIs "
        "of features that it lacks are skipped with the reason. A campaign alone is an app with "
        "every feature, whose events are called as in the catalogue.\n\n"
        "Exit code 1: a requirement is missed; 3: one is not decided.",
    .example = "tactus run --device sim:examples/apps/player.json --monkey 5 --steps 12 -o now\n"
               "tactus run --device sim:examples/apps/player.json --monkey 5 --steps 12 --seed 7 "
               "-o before\n"
               "tactus kpi score examples/kpi/media-player.json now --reference before",
    .options = kpi_score_options,
    .documents = DOCUMENTS(&kpi_scores_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = kpi_score_run,
};
