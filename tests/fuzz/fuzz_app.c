/* App files of the built-in phone: the parser with its expressions and templates. */
#include "device/sim_app.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sim_app *app = NULL;
    tac_error err;
    if (sim_app_parse("fuzz", (const char *)data, size, &app, &err) != TAC_OK)
        return 0;
    sim_app_free(app);
    return 0;
}
