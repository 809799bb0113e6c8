/* Finds the faults of adaptation rules and proposes repairs of their nondeterminism.
 *
 *     cc check_rules.c $(pkg-config --cflags --libs tactus) -o check_rules
 *     ./check_rules examples/rules/phoneadapter.rules */
#include <stdio.h>
#include <tactus/rules.h>

static tac_status repair(const tac_rules *rules, tac_error *err)
{
    const tac_rules_repair_options options = {.fault = TAC_RULES_NONDETERMINISM, .max_edits = 1};
    tac_rules_repairs *repairs = NULL;
    tac_status status = tac_rules_repair(rules, &options, &repairs, err);
    if (status != TAC_OK)
        return status;
    json_t *document = tac_rules_repairs_json(rules, &options, repairs);
    json_dumpf(document, stdout, JSON_COMPACT);
    printf("\n");
    json_decref(document);
    if (repairs->count > 0)
        status = tac_rules_write(repairs->at[0].repaired, stdout, err);
    tac_rules_repairs_free(repairs);
    return status;
}

static tac_status check(const tac_rules *rules, tac_answer *answer, tac_error *err)
{
    const tac_rules_options options = {.engine = TAC_RULES_HYBRID};
    tac_rules_findings *findings = NULL;
    tac_status status = tac_rules_check(rules, &options, &findings, err);
    if (status != TAC_OK)
        return status;
    *answer = tac_rules_answer(findings);
    tac_rules_findings_text(rules, findings, false, stdout);
    tac_rules_findings_free(findings);
    return *answer == TAC_VIOLATED ? repair(rules, err) : TAC_OK;
}

int main(int argc, char **argv)
{
    tac_answer answer = TAC_INCONCLUSIVE;
    tac_diagnostics findings = {0};
    tac_rules *rules = NULL;
    tac_error err;
    if (argc != 2) {
        fprintf(stderr, "usage: check_rules RULES\n");
        return 2;
    }
    tac_status status = tac_rules_load(argv[1], &findings, &rules, &err);
    if (status == TAC_OK)
        status = check(rules, &answer, &err);
    if (status != TAC_OK) {
        char text[2048];
        fprintf(stderr, "%s\n", tac_error_text(&err, text, sizeof text));
    }
    tac_rules_free(rules);
    tac_diagnostics_free(&findings);
    return tac_exit_code(status, answer);
}
