/* Catalogues of KPIs and declarations of apps: parsed, chosen from, and every formula substituted.
 * The two are divided by a NUL byte; without one the text is both. */
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
    const char *second = divider ? (const char *)divider + 1 : (const char *)data;
    size_t second_size = divider ? size - first - 1 : size;
    if (size > 65536 ||
        tac_kpi_catalogue_parse("fuzz", (const char *)data, first, &catalogue, &err) != TAC_OK)
        return 0;
    if (tac_kpi_app_parse("fuzz", second, second_size, catalogue, &app, &err) != TAC_OK)
        app = tac_kpi_app_with_all("all", catalogue);
    tac_kpi_choices choices;
    tac_kpi_choose(catalogue, app, &choices);
    json_decref(tac_kpi_choices_json(catalogue, app, &choices));
    tac_kpi_choices_free(&choices);
    tac_kpi_app_free(app);
    tac_kpi_catalogue_free(catalogue);
    return 0;
}
