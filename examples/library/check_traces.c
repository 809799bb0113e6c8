/* Checks the properties of a file on recorded traces and prints the document of `tactus check`.
 *
 *     cc check_traces.c $(pkg-config --cflags --libs tactus) -o check_traces
 *     ./check_traces examples/traces/playback.props examples/traces/cafe-1.csv */
#include <stdio.h>
#include <tactus/property.h>

static tac_status check(const tac_properties *properties, char **paths, size_t count, int *code,
                        tac_error *err)
{
    const tac_check_options options = {.jobs = 1};
    tac_check_report report;
    tac_status status =
        tac_check_traces(properties, (const char *const *)paths, count, &options, &report, err);
    if (status != TAC_OK)
        return status;
    json_t *document = tac_check_report_json(&report);
    json_dumpf(document, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(document);
    *code = tac_check_report_exit_code(&report);
    tac_check_report_free(&report);
    return TAC_OK;
}

int main(int argc, char **argv)
{
    tac_diagnostics findings = {0};
    tac_properties *properties = NULL;
    tac_error err;
    int code = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: check_traces PROPERTIES TRACE...\n");
        return 2;
    }
    tac_status status = tac_property_load(argv[1], &findings, &properties, &err);
    for (size_t i = 0; i < findings.count; i++)
        fprintf(stderr, "%s:%zu:%zu: %s\n", findings.at[i].file, findings.at[i].line,
                findings.at[i].column, findings.at[i].message);
    if (status == TAC_OK)
        status = check(properties, argv + 2, (size_t)argc - 2, &code, &err);
    if (status != TAC_OK) {
        char text[2048];
        fprintf(stderr, "%s\n", tac_error_text(&err, text, sizeof text));
        code = tac_exit_code(status, TAC_INCONCLUSIVE);
    }
    tac_property_free(properties);
    tac_diagnostics_free(&findings);
    return code;
}
