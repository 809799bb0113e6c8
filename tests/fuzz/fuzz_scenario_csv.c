/* Recorded networks: what is imported is a scenario. */
#include "fuzz_target.h"
#include "network/scenario.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    tac_error err;
    tac_scenario_imported imported;
    tac_scenario_import options = {.delay = 0.02, .name = "fuzz"};
    int file = memfd_create("recording", MFD_CLOEXEC);
    if (file < 0 || size > 1 << 16 || write(file, data, size) != (ssize_t)size) {
        close(file);
        return 0;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (tac_scenario_import_csv(path, &options, &imported, &err) == TAC_OK) {
        struct scenario *scenario = NULL;
        if (scenario_parse("import", imported.text, strlen(imported.text), &scenario, &err))
            abort();
        scenario_free(scenario);
        tac_scenario_imported_free(&imported);
    }
    close(file);
    return 0;
}
