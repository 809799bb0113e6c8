/* Automation files: YAML with Home Assistant's tags and templates, and Tasker's XML. A real file in
 * a folder of its own, because nothing outside of the folder is read. */
#include "fuzz_target.h"
#include "tactus/automation.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/tactus-fuzz-XXXXXX", path[64];

static void clean(void)
{
    unlink(path);
    rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_diagnostics diagnostics = {0};
    tac_automation_model *model = NULL;
    tac_automation_findings *findings = NULL;
    static const tac_automation_options options = {.possible = true, .repairs = true};
    if (!*path) {
        if (!mkdtemp(folder))
            abort();
        snprintf(path, sizeof path, "%s/automations.yaml", folder);
        atexit(clean);
    }
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        abort();
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
