/* Catalogues of KPIs and declarations of apps: parsed, chosen from, and every formula substituted.
 * The two are divided by a NUL byte; without one the text is both. */
#include "fuzz_memory_file.h"
#include "fuzz_target.h"
#include "kpi/kpi.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_kpi_catalogue *catalogue = NULL;
    tac_kpi_app *app = NULL;
    tac_error err;
    const uint8_t *divider = size ? memchr(data, 0, size) : NULL;
    size_t first = divider ? (size_t)(divider - data) : size;
    size_t rest = divider ? first + 1 : 0;
    if (size > 65536)
        return 0;
    struct memory_file one = memory_file_of(data, first);
    struct memory_file other = memory_file_of(data + rest, size - rest);
    tac_status status = tac_kpi_catalogue_load(one.path, &catalogue, &err);
    if (status == TAC_OK && tac_kpi_app_load(other.path, catalogue, &app, &err) != TAC_OK)
        app = tac_kpi_app_with_all("all", catalogue);
    close(one.descriptor);
    close(other.descriptor);
    if (status != TAC_OK)
        return 0;
    tac_kpi_choices choices;
    tac_kpi_choose(catalogue, app, &choices);
    json_decref(tac_kpi_choices_json(catalogue, app, &choices));
    tac_kpi_choices_free(&choices);
    tac_kpi_app_free(app);
    tac_kpi_catalogue_free(catalogue);
    return 0;
}
