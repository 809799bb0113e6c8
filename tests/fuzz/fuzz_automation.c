/* Automation files: YAML with Home Assistant's tags and templates, and Tasker's XML. A real file in
 * a folder of its own, because nothing outside of the folder is read. */
#include "automation/automation.h"
#include "fuzz_folder.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_diagnostics diagnostics = {0};
    tac_automation_model *model = NULL;
    tac_automation_findings *findings = NULL;
    static const tac_automation_options options = {.possible = true, .repairs = true};
    const char *folder = fuzz_folder();
    char path[128];
    snprintf(path, sizeof path, "%s/automations.yaml", folder);
    fuzz_file(folder, "automations.yaml", data, size);
    if (tac_automation_load(path, &diagnostics, &model, NULL) == TAC_OK) {
        FILE *out = fopen("/dev/null", "w");
        tac_automation_show(model, out);
        fclose(out);
        if (tac_automation_check(model, &options, &findings, NULL) == TAC_OK)
            tac_automation_findings_free(findings);
    }
    tac_automation_free(model);
    tac_diagnostics_free(&diagnostics);
    return 0;
}
