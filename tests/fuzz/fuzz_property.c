/* Property files: loading, and what loads is bound to a small trace, monitored and exported. */
#include "fuzz_target.h"
#include "property/property.h"
#include <math.h>

static void monitor(const tac_properties *properties, tac_semantics semantics)
{
    static const tac_trace_variable variables[] = {
        {"event", "", TAC_DISCRETE, false, TAC_VALUE_NAME},
        {"x", "kB", TAC_CONTINUOUS, false, TAC_VALUE_NAME},
        {"y", "", TAC_CONTINUOUS, true, TAC_VALUE_NAME},
        {"mode", "", TAC_DISCRETE, false, TAC_VALUE_TEXT},
        {"items", "", TAC_DISCRETE, false, TAC_VALUE_LIST}};
    static const char *const symbols[] = {"a", "b", "true", "[]", "[\"a\",\"b\"]"};
    static const uint32_t lists[] = {3, 4, TAC_TRACE_NO_SYMBOL, 4, 0, 3}; /* 0 is not a list */
    static const uint32_t events[] = {0, TAC_TRACE_NO_SYMBOL, 1, 0, 2, 1};
    static const uint32_t modes[] = {TAC_TRACE_NO_SYMBOL, 2, 2, 0, 1, 2};
    static const int64_t times[] = {0, 0, 1000000000, 2500000000, 2500000001, INT64_MAX / 4};
    const double x[] = {(double)NAN, 1, 5, -3, 1e300, 7}, y[] = {0, 1, 0, 1, 1, -0.5};
    tac_monitor_schema schema = {variables, 5, symbols, 5};
    tac_monitor_options options = {.semantics = semantics};
    tac_monitor *watch;
    tac_error err;
    if (tac_monitor_new(properties, &options, &watch, &err) != TAC_OK)
        return;
    for (size_t i = 0; i < 6; i += 2) {
        const double *numbers[] = {NULL, x + i, y + i, NULL, NULL};
        const uint32_t *names[] = {events + i, NULL, NULL, modes + i, lists + i};
        tac_trace_block block = {2, i, times + i, numbers, names};
        if (tac_monitor_feed(watch, &schema, &block, &err) != TAC_OK)
            break;
        for (size_t k = 0; k < tac_property_count(properties); k++) {
            tac_property_result result;
            tac_monitor_result(watch, k, i == 4, &result);
            json_decref(tac_property_result_json(&result));
        }
    }
    tac_monitor_free(watch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_diagnostics found = {0};
    tac_properties *properties;
    tac_error err;
    if (size < 20000 &&
        tac_property_parse("fuzz", (const char *)data, size, &found, &properties, &err) == TAC_OK) {
        FILE *sink = fopen("/dev/null", "w");
        monitor(properties, (tac_semantics)(size % 4));
        tac_property_emit_c(properties, TAC_SEMANTICS_DEF, sink, &err);
        tac_property_emit_promela(properties, 0, TAC_SEMANTICS_EQ3, sink, &err);
        fclose(sink);
        tac_property_free(properties);
    }
    tac_diagnostics_free(&found);
    return 0;
}
