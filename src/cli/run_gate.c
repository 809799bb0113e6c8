/* The report's gate, after the runs. See run_gate.h. */
#include "cli/run_gate.h"
#include "findings/known.h"
#include "report/report.h"

static bool is_known(void *context, const char *id, const char **why, bool *left_out)
{
    struct known_list *list = context;
    const struct known_finding *known = known_find(list, id);
    *left_out = false;
    if (known)
        *why = known_text(list, known);
    return known != NULL;
}

int run_gate(const struct invocation *in, const char *folder, const char *baseline)
{
    struct known_list known = {0};
    tac_report_options options = {.folder = folder,
                                  .baselines = &baseline,
                                  .baseline_count = 1,
                                  .known = is_known,
                                  .known_context = &known,
                                  .watch = in->watch};
    tac_report *report = NULL;
    tac_error err;
    tac_status status = known_load(&known, &err);
    if (status == TAC_OK)
        status = tac_report_make(&options, &report, &err);
    for (size_t i = 0; report && i < tac_report_finding_count(report); i++) {
        bool fails = tac_report_finding_fails(report, i, TAC_REPORT_FAIL_NEW);
        if (fails || tac_report_finding_compares(report, i))
            fprintf(stderr, "tactus: %s%s\n", fails ? "new or worse: " : "",
                    tac_report_finding_text(report, i));
    }
    int code = status == TAC_OK
                   ? tac_exit_code(TAC_OK, tac_report_judge(report, TAC_REPORT_FAIL_NEW))
                   : fail(in, &err);
    tac_report_free(report);
    known_free(&known);
    return code;
}
