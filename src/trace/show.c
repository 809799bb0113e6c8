/* States as a document, for people and programs that look into a trace. */
#include "base/io/json.h"
#include "tactus/trace_tools.h"
#include "trace/clock.h"
#include "trace/read/source.h"
#include <fnmatch.h>
#include <math.h>

json_t *tac_trace_variables_json(const tac_trace_variable *variables, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_object();
        bool continuous = variables[i].kind == TAC_CONTINUOUS;
        json_object_set_new(object, "name", tac_json_string(variables[i].name));
        json_object_set_new(object, "kind", json_string(continuous ? "continuous" : "discrete"));
        if (continuous)
            json_object_set_new(object, "unit", tac_json_string(variables[i].unit));
        else if (variables[i].type != TAC_VALUE_NAME)
            json_object_set_new(object, "type",
                                json_string(tac_value_type_name(variables[i].type)));
        json_array_append_new(list, object);
    }
    return list;
}

/* A list as a list, a boolean as one. */
static json_t *symbol_json(const tac_trace_variable *variable, const char *text)
{
    json_t *list = variable->type == TAC_VALUE_LIST ? json_loads(text, 0, NULL) : NULL;
    if (list)
        return list;
    if (variable->type == TAC_VALUE_BOOLEAN)
        return json_boolean(!strcmp(text, "true"));
    return tac_json_string(text);
}

static json_t *state_json(const tac_trace_source *source, const tac_trace_block *block, size_t row)
{
    size_t count, symbols;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    const char *const *names = tac_trace_symbols(source, &symbols);
    json_t *state = json_object(), *values = json_object();
    for (size_t i = 0; i < count; i++) {
        if (block->numbers[i] && !isnan(block->numbers[i][row]))
            json_object_set_new(values, variables[i].name, tac_json_number(block->numbers[i][row]));
        else if (block->symbols[i] && block->symbols[i][row] != TAC_TRACE_NO_SYMBOL)
            json_object_set_new(values, variables[i].name,
                                symbol_json(&variables[i], names[block->symbols[i][row]]));
    }
    uint64_t index = block->first + row;
    json_object_set_new(state, "state", json_integer((json_int_t)index));
    json_object_set_new(state, "t", tac_json_number(clock_seconds(block->time[row])));
    json_object_set_new(state, "values", values);
    return state;
}

static bool has_event(const tac_trace_source *source, const tac_trace_block *block, size_t row,
                      const char *wanted)
{
    size_t count, event = source_find_variable(source, "event", 5);
    if (!wanted)
        return true;
    const char *const *names = tac_trace_symbols(source, &count);
    uint32_t symbol = event == SIZE_MAX ? TAC_TRACE_NO_SYMBOL : block->symbols[event][row];
    return symbol != TAC_TRACE_NO_SYMBOL && !fnmatch(wanted, names[symbol], 0);
}

/* Adds the wanted states; "more" when the limit cut some off. */
static tac_status collect(tac_trace_source *source, const tac_trace_show_options *options,
                          json_t *states, json_t *result, tac_error *err)
{
    const tac_trace_block *block;
    tac_status status;
    int64_t start = 0;
    while (!(status = tac_trace_next(source, &block, err)) && block) {
        if (!block->first) {
            start = block->time[0];
            json_object_set_new(result, "from", tac_json_number(clock_seconds(start)));
        }
        for (size_t i = 0; i < block->count; i++) {
            double since = (double)(block->time[i] - start) * 1e-9;
            uint64_t state = block->first + i;
            if ((options->to >= 0 && since > options->to) ||
                (options->last_state && state > options->last_state))
                return TAC_OK;
            if (since < options->from || state < options->first_state ||
                !has_event(source, block, i, options->event))
                continue;
            if (options->limit && json_array_size(states) == options->limit) {
                json_object_set_new(result, "more", json_true());
                return TAC_OK;
            }
            json_array_append_new(states, state_json(source, block, i));
        }
    }
    return status;
}

tac_status tac_trace_show(const char *path, const tac_trace_show_options *options,
                          json_t **document, tac_error *err)
{
    tac_trace_source *source;
    tac_status status = tac_trace_open(path, options->trace, &source, err);
    if (status)
        return status;
    json_t *states = json_array(), *result = json_object();
    json_object_set_new(result, "trace", tac_json_string(path));
    json_object_set_new(result, "format", tac_json_string(tac_trace_format(source)));
    json_object_set_new(result, "from", json_null());
    json_object_set_new(result, "more", json_false());
    status = collect(source, options, states, result, err);
    if (!status) {
        size_t count;
        const tac_trace_variable *variables = tac_trace_variables(source, &count);
        json_object_set(result, "meta", (json_t *)(uintptr_t)tac_trace_meta(source));
        json_object_set_new(result, "variables", tac_trace_variables_json(variables, count));
        json_object_set(result, "states", states);
        json_object_set_new(result, "shown", json_integer((json_int_t)json_array_size(states)));
        *document = json_incref(result);
    }
    json_decref(result);
    json_decref(states);
    tac_trace_close(source);
    return status;
}
