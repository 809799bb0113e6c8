/* Finds what is wrong with the automations of a Home Assistant configuration.
 *
 *     cc check_home.c $(pkg-config --cflags --libs tactus) -o check_home
 *     ./check_home examples/home */
#include <stdio.h>
#include <tactus/automation.h>
#include <tactus/verdict.h>

static tac_status check(const tac_automation_model *model, tac_answer *answer, tac_error *err)
{
    const tac_automation_options options = {.repairs = true};
    tac_automation_findings *findings = NULL;
    tac_status status = tac_automation_check(model, &options, &findings, err);
    if (status != TAC_OK)
        return status;
    for (size_t i = 0; i < findings->count; i++)
        printf("%s: %s\n", tac_automation_class_name(findings->at[i].which),
               findings->at[i].message);
    json_t *document = tac_automation_findings_json(findings);
    json_dumpf(document, stdout, JSON_COMPACT);
    printf("\n");
    json_decref(document);
    *answer = findings->count > 0 ? TAC_VIOLATED : TAC_HOLDS;
    tac_automation_findings_free(findings);
    return TAC_OK;
}

int main(int argc, char **argv)
{
    tac_answer answer = TAC_INCONCLUSIVE;
    tac_diagnostics findings = {0};
    tac_automation_model *model = NULL;
    tac_error err;
    if (argc != 2) {
        fprintf(stderr, "usage: check_home FOLDER\n");
        return 2;
    }
    tac_status status = tac_automation_load(argv[1], &findings, &model, &err);
    if (status == TAC_OK)
        status = check(model, &answer, &err);
    if (status != TAC_OK) {
        char text[2048];
        fprintf(stderr, "%s\n", tac_error_text(&err, text, sizeof text));
    }
    tac_automation_free(model);
    tac_diagnostics_free(&findings);
    return tac_exit_code(status, answer);
}
