/* Rule files, text and JSON: read, written, read again, and analysed when they are small. */
#include "fuzz_target.h"
#include "tactus/rules.h"
#include <stdlib.h>

static void analyse(const tac_rules *rules)
{
    tac_rules_options options = {.work = 20000, .max_paths = 100, .max_bytes = (size_t)8 << 20};
    tac_rules_findings *findings = NULL;
    if (rules->variable_count > 40 || rules->edge_count > 60 || rules->node_count > 500)
        return;
    if (tac_rules_check(rules, &options, &findings, NULL) == TAC_OK) {
        FILE *none = fopen("/dev/null", "w");
        tac_rules_findings_write(rules, findings, false, none, NULL);
        fclose(none);
    }
    tac_rules_findings_free(findings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_diagnostics diagnostics = {0};
    tac_rules *rules = NULL, *again = NULL;
    char *text = NULL;
    size_t length = 0;
    if (tac_rules_parse("fuzz", (const char *)data, size, &diagnostics, &rules, NULL) == TAC_OK) {
        FILE *out = open_memstream(&text, &length);
        tac_rules_write(rules, out, NULL);
        fclose(out);
        if (tac_rules_parse("again", text, length, &diagnostics, &again, NULL) != TAC_OK)
            abort(); /* what is written can be read */
        analyse(rules);
    }
    tac_rules_free(rules);
    tac_rules_free(again);
    free(text);
    tac_diagnostics_free(&diagnostics);
    return 0;
}
