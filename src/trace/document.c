/* The documents of what is known about traces: of `trace import`, `trace stat` and `trace show`. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "tactus/trace_tools.h"
#include "trace/text/clock.h"
#include <math.h>
#include <string.h>

static json_t *seconds(int64_t time)
{
    return tac_json_number(clock_seconds(time));
}

static json_t *count_json(uint64_t count)
{
    return json_integer((json_int_t)count);
}

static const char *kind_name(tac_variable_kind kind)
{
    return kind == TAC_CONTINUOUS ? "continuous" : "discrete";
}

json_t *tac_trace_variables_json(const tac_trace_variable *variables, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_object();
        json_object_set_new(object, "name", tac_json_string(variables[i].name));
        json_object_set_new(object, "kind", json_string(kind_name(variables[i].kind)));
        if (variables[i].kind == TAC_CONTINUOUS)
            json_object_set_new(object, "unit", tac_json_string(variables[i].unit));
        else if (variables[i].type != TAC_VALUE_NAME)
            json_object_set_new(object, "type",
                                json_string(tac_value_type_name(variables[i].type)));
        json_array_append_new(list, object);
    }
    return list;
}

/* --- Import ----------------------------------------------------------------------------------- */

static json_t *source_json(const tac_trace_imported_source *source)
{
    json_t *object = json_object();
    json_object_set_new(object, "source", tac_json_string(source->path));
    json_object_set_new(object, "format", tac_json_string(source->format));
    json_object_set_new(object, "states", count_json(source->states));
    json_object_set_new(object, "skipped", count_json(source->skipped));
    if (source->first_skipped)
        json_object_set_new(object, "first_skipped", tac_json_string(source->first_skipped));
    json_object_set_new(object, "from", source->states ? seconds(source->from) : json_null());
    json_object_set_new(object, "to", source->states ? seconds(source->to) : json_null());
    json_object_set_new(object, "offset", seconds(source->offset));
    if (source->clock)
        json_object_set_new(object, "clock", json_string(source->clock));
    if (source->clock_from) {
        json_object_set_new(object, "clock_from", tac_json_string(source->clock_from));
        json_object_set_new(object, "clock_offset", seconds(source->clock_offset));
    }
    return object;
}

json_t *tac_trace_imported_json(const tac_trace_imported *imported)
{
    json_t *document = json_object(), *sources = json_array(), *warnings = json_array();
    for (size_t i = 0; i < imported->source_count; i++)
        json_array_append_new(sources, source_json(&imported->sources[i]));
    for (size_t i = 0; i < imported->warning_count; i++)
        json_array_append_new(warnings, tac_json_string(imported->warnings[i]));
    json_object_set_new(document, "format", tac_json_string(imported->format));
    json_object_set_new(document, "states", count_json(imported->states));
    json_object_set_new(document, "from", imported->states ? seconds(imported->from) : json_null());
    json_object_set_new(document, "to", imported->states ? seconds(imported->to) : json_null());
    json_object_set_new(document, "sources", sources);
    json_object_set_new(document, "variables",
                        tac_trace_variables_json(imported->variables, imported->variable_count));
    json_object_set_new(document, "warnings", warnings);
    return document;
}

/* --- Statistics ------------------------------------------------------------------------------- */

static json_t *figures_json(const tac_trace_figures *figures)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", tac_json_string(figures->name));
    json_object_set_new(object, "kind", json_string(kind_name(figures->kind)));
    if (figures->kind == TAC_DISCRETE) {
        json_object_set_new(object, "distinct", count_json(figures->distinct));
        return object;
    }
    json_object_set_new(object, "unit", tac_json_string(figures->unit));
    json_object_set_new(object, "min", tac_json_number(figures->least));
    json_object_set_new(object, "max", tac_json_number(figures->most));
    json_object_set_new(object, "mean", tac_json_number(figures->mean));
    json_object_set_new(object, "first", tac_json_number(figures->first));
    json_object_set_new(object, "last", tac_json_number(figures->last));
    return object;
}

static json_t *summary_json(const tac_trace_summary *trace)
{
    json_t *object = json_object(), *variables = json_array(), *events = json_object();
    for (size_t i = 0; i < trace->variable_count; i++)
        json_array_append_new(variables, figures_json(&trace->variables[i]));
    for (size_t i = 0; i < trace->event_count; i++)
        json_object_set_new(events, trace->events[i].name, count_json(trace->events[i].count));
    json_object_set_new(object, "trace", tac_json_string(trace->path));
    json_object_set_new(object, "format", tac_json_string(trace->format));
    json_object_set_new(object, "states", count_json(trace->states));
    json_object_set_new(object, "from", trace->states ? seconds(trace->from) : json_null());
    json_object_set_new(object, "to", trace->states ? seconds(trace->to) : json_null());
    json_object_set_new(object, "duration", seconds(trace->to - trace->from));
    json_object_set_new(object, "skipped", count_json(trace->skipped));
    json_object_set(object, "meta", (json_t *)(uintptr_t)trace->meta);
    json_object_set_new(object, "variables", variables);
    json_object_set_new(object, "events", events);
    json_object_set_new(object, "example",
                        trace->example ? tac_json_string(trace->example) : json_null());
    return object;
}

static json_t *cost_json(const tac_trace_cost *cost, bool nests)
{
    json_t *object = json_object(), *at = json_object();
    json_object_set_new(object, "name", tac_json_string(cost->name));
    json_object_set_new(object, "count", count_json(cost->count));
    json_object_set_new(object, "mean", tac_json_number(cost->mean));
    json_object_set_new(object, "spread", tac_json_number(cost->spread));
    json_object_set_new(object, "worst", tac_json_number(cost->worst));
    json_object_set_new(at, "trace", tac_json_string(cost->worst_trace));
    json_object_set_new(at, "state", count_json(cost->worst_state));
    json_object_set_new(at, "t", seconds(cost->worst_time));
    json_object_set_new(object, "worst_at", at);
    json_object_set_new(object, "total", tac_json_number(cost->total));
    if (!nests)
        return object;
    json_t *nested = json_array();
    for (size_t i = 0; i < cost->nested_count; i++)
        json_array_append_new(nested, cost_json(&cost->nested[i], false));
    json_object_set_new(object, "nested", nested);
    return object;
}

static json_t *profile_json(const tac_trace_profile *profile)
{
    static const char *const measures[] = {[TAC_MEASURE_DIFF] = "diff",
                                           [TAC_MEASURE_INTEGRAL] = "integral",
                                           [TAC_MEASURE_MAX] = "max"};
    TABLE_COVERS(measures, TAC_MEASURE_MAX);
    json_t *object = json_object(), *actions = json_array();
    for (size_t i = 0; i < profile->action_count; i++)
        json_array_append_new(actions, cost_json(&profile->actions[i], profile->nests));
    json_object_set_new(object, "per", tac_json_string(profile->per));
    json_object_set_new(object, "variable", tac_json_string(profile->variable));
    json_object_set_new(object, "unit", tac_json_string(profile->unit));
    json_object_set_new(object, "measure", json_string(measures[profile->measure]));
    if (profile->measure == TAC_MEASURE_DIFF)
        json_object_set_new(object, "growth", tac_json_number(profile->growth));
    json_object_set_new(object, "actions", actions);
    return object;
}

json_t *tac_trace_statistics_json(const tac_trace_statistics *statistics)
{
    json_t *document = json_object(), *traces = json_array();
    for (size_t i = 0; i < statistics->trace_count; i++)
        json_array_append_new(traces, summary_json(&statistics->traces[i]));
    json_object_set_new(document, "traces", traces);
    json_object_set_new(document, "profile",
                        statistics->profile ? profile_json(statistics->profile) : json_null());
    return document;
}

/* --- States ----------------------------------------------------------------------------------- */

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

/* held[i]: what variable i is in this state. */
static json_t *state_json(const tac_trace_states *states, const tac_trace_shown_state *state,
                          const tac_trace_change *held)
{
    json_t *object = json_object(), *values = json_object();
    for (size_t i = 0; i < states->variable_count; i++) {
        if (!isnan(held[i].number))
            json_object_set_new(values, states->variables[i].name, tac_json_number(held[i].number));
        else if (held[i].symbol != TAC_TRACE_NO_SYMBOL)
            json_object_set_new(
                values, states->variables[i].name,
                symbol_json(&states->variables[i], states->symbols[held[i].symbol]));
    }
    json_object_set_new(object, "state", count_json(state->index));
    json_object_set_new(object, "t", seconds(state->time));
    json_object_set_new(object, "values", values);
    return object;
}

static json_t *head_json(const tac_trace_states *states)
{
    json_t *head = json_object();
    json_object_set_new(head, "trace", tac_json_string(states->path));
    json_object_set_new(head, "format", tac_json_string(states->format));
    json_object_set_new(head, "from", states->any ? seconds(states->start) : json_null());
    json_object_set_new(head, "more", json_boolean(states->more));
    json_object_set(head, "meta", (json_t *)(uintptr_t)states->meta);
    json_object_set_new(head, "variables",
                        tac_trace_variables_json(states->variables, states->variable_count));
    return head;
}

/* `value`, which is taken, without its last `cut` bytes. */
static void write_value(json_t *value, size_t cut, FILE *out)
{
    char *text = tac_json_text(value, JSON_COMPACT);
    size_t length = strlen(text);
    assert(cut <= length);
    fwrite(text, 1, length - cut, out);
    free(text);
    json_decref(value);
}

static void write_states(const tac_trace_states *states, FILE *out)
{
    const tac_trace_change none = {.symbol = TAC_TRACE_NO_SYMBOL, .number = NAN};
    tac_trace_change *held = tac_calloc(states->variable_count + 1, sizeof *held);
    size_t event = states->variable_count; /* the place behind the last one when there is none */
    for (size_t i = 0; i < states->variable_count; i++) {
        held[i] = none;
        if (!strcmp(states->variables[i].name, "event"))
            event = i;
    }
    for (size_t i = 0; i < states->state_count && !ferror(out); i++) {
        const tac_trace_shown_state *state = &states->states[i];
        held[event] = none;
        for (size_t k = 0; k < state->change_count; k++) {
            assert(state->changes[k].variable < states->variable_count);
            held[state->changes[k].variable] = state->changes[k];
        }
        if (i)
            fputc(',', out);
        write_value(state_json(states, state, held), 0, out);
    }
    free(held);
}

tac_status tac_trace_states_write(const tac_trace_states *states, FILE *out, tac_error *err)
{
    write_value(head_json(states), 1, out); /* its brace stays open */
    fputs(",\"states\":[", out);
    write_states(states, out);
    fprintf(out, "],\"shown\":%zu}\n", states->state_count);
    return ferror(out) ? tac_fail(err, TAC_E_IO, "cannot write the JSON document") : TAC_OK;
}
