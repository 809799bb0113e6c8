#include "property_support.h"

#include "base/data/alloc.h"
#include "base/data/str.h"
#include <stdio.h>
#include <string.h>

tac_properties *properties_of(const char *text)
{
    tac_diagnostics found = {0};
    tac_properties *properties = NULL;
    tac_error err;
    if (tac_property_parse("test.props", text, strlen(text), &found, &properties, &err) != TAC_OK) {
        fprintf(stderr, "%s\n%s\n", text, err.message);
        abort();
    }
    tac_diagnostics_free(&found);
    return properties;
}

char *errors_of(const char *text)
{
    tac_diagnostics found = {0};
    tac_properties *properties = NULL;
    tac_error err;
    tac_str out = {0};
    tac_property_parse("test.props", text, strlen(text), &found, &properties, &err);
    for (size_t i = 0; i < found.count; i++)
        if (found.at[i].severity == TAC_ERROR)
            tac_str_addf(&out, "%zu:%zu: %s\n", found.at[i].line, found.at[i].column,
                         found.at[i].message);
    tac_diagnostics_free(&found);
    tac_property_free(properties);
    char *copy = tac_strdup(tac_str_text(&out));
    tac_str_free(&out);
    return copy;
}

void small_times(struct small_trace *trace)
{
    for (size_t i = 0; i < SMALL_TRACE; i++)
        trace->time[i] = (int64_t)i * 1000000000;
}

bool try_small(tac_monitor *monitor, const struct small_trace *trace, size_t from, size_t to)
{
    static const tac_trace_variable variables[] = {
        {"p", "", TAC_CONTINUOUS, false, TAC_VALUE_NAME},
        {"q", "", TAC_CONTINUOUS, false, TAC_VALUE_NAME},
        {"x", "", TAC_CONTINUOUS, false, TAC_VALUE_NAME},
        {"r", "", TAC_CONTINUOUS, false, TAC_VALUE_NAME}};
    tac_monitor_schema schema = {variables, 4, NULL, 0};
    const double *numbers[] = {trace->p + from, trace->q + from, trace->x + from, trace->r + from};
    const uint32_t *symbols[] = {NULL, NULL, NULL, NULL};
    tac_trace_block block = {to - from, from, trace->time + from, numbers, symbols};
    return tac_monitor_feed(monitor, &schema, &block, NULL) == TAC_OK;
}

void feed_small(tac_monitor *monitor, const struct small_trace *trace, size_t from, size_t to)
{
    if (!try_small(monitor, trace, from, to))
        abort();
}

tac_answer answer_of(tac_monitor *monitor, size_t property, const struct small_trace *trace)
{
    tac_property_result result;
    tac_monitor_reset(monitor);
    if (trace->count)
        feed_small(monitor, trace, 0, trace->count);
    tac_monitor_result(monitor, property, true, &result);
    return result.answer;
}
