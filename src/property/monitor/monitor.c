/* Feeding a monitor: binding names, evaluating columns once per chunk, and running every interval
 * plan and automaton over them. */
#include "property/monitor/monitor.h"

#include "base/data/text.h"
#include <math.h>
#include <string.h>

tac_status tac_monitor_new(const tac_properties *properties, const tac_monitor_options *options,
                           tac_monitor **out, tac_error *err)
{
    (void)err;
    tac_monitor *monitor = tac_calloc(1, sizeof *monitor);
    monitor->properties = properties;
    if (options)
        monitor->options = *options;
    monitor->trace_name =
        tac_strdup(monitor->options.trace_name ? monitor->options.trace_name : "the trace");
    monitor->options.trace_name = monitor->trace_name;
    *out = monitor;
    return TAC_OK;
}

static void part_start(tac_monitor *monitor, size_t index)
{
    const struct part *part = &monitor->plan.parts.at[index];
    struct part_state *state = &monitor->parts[index];
    size_t values = part->temporal ? part->watched_count : part->interval.watched.count;
    state->room.values = tac_calloc(values + 1, sizeof *state->room.values);
    state->room.comparisons =
        tac_calloc(part->interval.comparisons.count + 1, sizeof *state->room.comparisons);
    if (part->temporal) {
        temporal_start(&part->automaton, &state->temporal);
        state->first_ends = tac_calloc(values + 1, sizeof *state->first_ends);
        state->ends = tac_calloc(values + 1, sizeof *state->ends);
        state->noted_since = UINT64_MAX;
    } else {
        interval_state_init(&part->interval, &state->now);
        interval_state_init(&part->interval, &state->ended);
    }
}

static tac_status bind(tac_monitor *monitor, const tac_monitor_schema *schema, tac_error *err)
{
    tac_diagnostics found = {0};
    property_plan_compile(monitor->properties, schema, monitor->options.semantics,
                          monitor->trace_name, &found, &monitor->plan);
    tac_status status = TAC_OK;
    if (found.errors)
        status = tac_diagnostics_fail(&found, err);
    tac_diagnostics_free(&found);
    if (status != TAC_OK) {
        property_plan_free(&monitor->plan);
        return status;
    }
    struct plan *plan = &monitor->plan;
    column_start(&plan->program);
    monitor->scratch = tac_calloc(COLUMN_CHUNK, sizeof *monitor->scratch);
    monitor->parts = tac_calloc(plan->parts.count + 1, sizeof *monitor->parts);
    monitor->part_property = tac_calloc(plan->parts.count + 1, sizeof(size_t));
    for (size_t i = 0; i < plan->parts.count; i++) {
        monitor->part_property[i] = SIZE_MAX;
        part_start(monitor, i);
    }
    for (size_t i = 0; i < monitor->properties->properties.count; i++)
        if (plan->combines.at[plan->roots[i]].op == COMBINE_PART)
            monitor->part_property[plan->combines.at[plan->roots[i]].a] = i;
    monitor->bound = true;
    monitor->variables = schema->variable_count;
    return TAC_OK;
}

/* A variable that the trace did not have when the names were bound. */
static tac_status bind_late(tac_monitor *monitor, const tac_monitor_schema *schema, tac_error *err)
{
    struct column_program *program = &monitor->plan.program;
    for (size_t v = monitor->variables; v < schema->variable_count; v++)
        for (size_t s = 0; s < program->slots.count; s++) {
            struct column_slot *slot = &program->slots.at[s];
            const tac_trace_variable *variable = &schema->variables[v];
            if (slot->variable != COLUMN_NONE || strcmp(slot->name, variable->name) != 0)
                continue;
            if (slot->discrete != (variable->kind == TAC_DISCRETE))
                return tac_fail_at(err, TAC_E_INPUT, monitor->properties->file, slot->line,
                                   slot->column, "'%s' is %s in %s, but is used here as %s",
                                   slot->name, slot->discrete ? "a number" : "discrete",
                                   monitor->trace_name, slot->discrete ? "discrete" : "a number");
            struct unit measured;
            const char *bad;
            size_t bad_length;
            if (slot->has_unit && variable->unit && *variable->unit &&
                unit_parse(variable->unit, strlen(variable->unit), &measured, &bad, &bad_length)) {
                if (!unit_same_dimension(&measured, &slot->unit))
                    return tac_fail_at(err, TAC_E_INPUT, monitor->properties->file, slot->line,
                                       slot->column, "'%s' is in %s in %s, but in %s here",
                                       slot->name, variable->unit, monitor->trace_name,
                                       slot->unit_text);
                struct unit ratio = unit_divide(&measured, &slot->unit);
                slot->scale_num = ratio.num;
                slot->scale_den = ratio.den;
            }
            slot->variable = (uint32_t)v;
        }
    monitor->variables = schema->variable_count;
    return TAC_OK;
}

/* Comparisons before a variable's first value are false: say so once. */
static void warn_without_value(tac_monitor *monitor, const tac_trace_block *block)
{
    const struct column_program *program = &monitor->plan.program;
    for (size_t s = 0; s < program->slots.count; s++) {
        const struct column_slot *slot = &program->slots.at[s];
        if (slot->is_event || slot->variable == COLUMN_NONE)
            continue;
        bool none = slot->discrete ? block->symbols[slot->variable][0] == TAC_TRACE_NO_SYMBOL
                                   : isnan(block->numbers[slot->variable][0]);
        if (none)
            tac_diagnostics_add(&monitor->warnings, TAC_WARNING, monitor->properties->file,
                                slot->line, slot->column,
                                "'%s' has no value at the start of %s; until it has one, every "
                                "comparison with it is false",
                                slot->name, monitor->trace_name);
    }
}

static union end_value slot_value(const struct column_program *program, uint32_t slot, size_t i)
{
    union end_value value = {0};
    const struct column_slot *at = &program->slots.at[slot];
    if (at->discrete)
        value.symbol = program->symbols[slot] ? program->symbols[slot][i] : TAC_TRACE_NO_SYMBOL;
    else
        value.number = column_numbers(program, at->node)[i];
    return value;
}

static void feed_temporal(tac_monitor *monitor, size_t index, const struct chunk *chunk)
{
    const struct part *part = &monitor->plan.parts.at[index];
    struct part_state *state = &monitor->parts[index];
    if (state->temporal.decided && chunk->first > 0)
        return;
    temporal_feed(&part->automaton, &state->temporal, chunk, monitor->scratch);
    size_t last = state->temporal.decided && state->temporal.decided_state >= chunk->first
                      ? (size_t)(state->temporal.decided_state - chunk->first)
                      : chunk->count - 1;
    bool fresh =
        state->temporal.since >= chunk->first && state->temporal.since != state->noted_since;
    for (size_t w = 0; w < part->watched_count; w++) {
        state->ends[w] = slot_value(chunk->program, part->watched[w], last);
        if (fresh)
            state->first_ends[w] = slot_value(chunk->program, part->watched[w],
                                              (size_t)(state->temporal.since - chunk->first));
    }
    if (fresh)
        state->noted_since = state->temporal.since;
}

struct interval_call {
    tac_monitor *monitor;
    size_t part;
};

static void interval_closed(void *context, const struct interval_record *record)
{
    struct interval_call *call = context;
    tac_monitor *monitor = call->monitor;
    size_t property = monitor->part_property[call->part];
    if (property == SIZE_MAX)
        return;
    part_witness(monitor, call->part, record);
    monitor->options.on_interval(monitor->options.context, property,
                                 &monitor->parts[call->part].room.witness);
}

static void feed_chunk(tac_monitor *monitor, const struct chunk *chunk)
{
    for (size_t i = 0; i < monitor->plan.parts.count; i++) {
        const struct part *part = &monitor->plan.parts.at[i];
        if (part->temporal) {
            feed_temporal(monitor, i, chunk);
            continue;
        }
        struct interval_call call = {monitor, i};
        struct interval_listener listener = {interval_closed, &call};
        interval_feed(&part->interval, &monitor->parts[i].now, chunk,
                      monitor->options.on_interval ? &listener : NULL);
    }
}

tac_status tac_monitor_feed(tac_monitor *monitor, const tac_monitor_schema *schema,
                            const tac_trace_block *block, tac_error *err)
{
    tac_status status = TAC_OK;
    if (!monitor->bound)
        status = bind(monitor, schema, err);
    else if (schema->variable_count > monitor->variables)
        status = bind_late(monitor, schema, err);
    if (status != TAC_OK)
        return status;
    monitor->symbols = schema->symbols;
    monitor->symbol_count = schema->symbol_count;
    column_symbols(&monitor->plan.program, schema->symbols, schema->symbol_count);
    if (monitor->states == 0 && block->count)
        warn_without_value(monitor, block);
    for (size_t offset = 0; offset < block->count; offset += COLUMN_CHUNK) {
        size_t count = block->count - offset;
        if (count > COLUMN_CHUNK)
            count = COLUMN_CHUNK;
        column_evaluate(&monitor->plan.program, block, offset, count);
        struct chunk chunk = {.program = &monitor->plan.program,
                              .time = block->time + offset,
                              .first = monitor->states,
                              .count = count};
        feed_chunk(monitor, &chunk);
        monitor->states += count;
    }
    if (block->count)
        monitor->now = block->time[block->count - 1];
    return TAC_OK;
}

tac_status tac_monitor_feed_source(tac_monitor *monitor, const tac_trace_source *source,
                                   const tac_trace_block *block, tac_error *err)
{
    tac_monitor_schema schema;
    schema.variables = tac_trace_variables(source, &schema.variable_count);
    schema.symbols = tac_trace_symbols(source, &schema.symbol_count);
    return tac_monitor_feed(monitor, &schema, block, err);
}

static tac_status missing(tac_monitor *monitor, const struct column_slot *slot,
                          const tac_monitor_schema *schema, tac_error *err)
{
    TAC_VEC(const char *) names = {0};
    for (size_t i = 0; schema && i < schema->variable_count; i++)
        tac_vec_push(&names, schema->variables[i].name);
    const char *close = tac_closest(slot->name, names.at, names.count);
    char hint[300] = "";
    if (close)
        snprintf(hint, sizeof hint, "; did you mean '%s'?", close);
    else
        for (size_t i = 0; i < names.count && strlen(hint) < 200; i++)
            snprintf(hint + strlen(hint), sizeof hint - strlen(hint), "%s%.60s",
                     i ? ", " : "; it has ", names.at[i]);
    tac_vec_free(&names);
    return tac_fail_at(err, TAC_E_INPUT, monitor->properties->file, slot->line, slot->column,
                       "%s has no variable '%s'%s", monitor->trace_name, slot->name, hint);
}

/* step1 and step10 differ on purpose. */
static bool numbered(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a >= '0' && *a <= '9')
            a++;
        while (*b >= '0' && *b <= '9')
            b++;
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* A value that never occurred but resembles one that did is probably misspelt. */
static void warn_misspelt(tac_monitor *monitor, const tac_monitor_schema *schema)
{
    const struct column_program *program = &monitor->plan.program;
    if (schema->symbol_count > 10000)
        return;
    for (size_t i = 0; i < program->literals.count; i++) {
        const char *text = program->literals.text[i];
        const char *close = NULL;
        if (program->literal_symbol.at[i] == TAC_TRACE_NO_SYMBOL)
            close = tac_closest(text, schema->symbols, schema->symbol_count);
        if (close && !numbered(text, close))
            tac_diagnostics_add(
                &monitor->warnings, TAC_WARNING, monitor->properties->file,
                program->literal_place.at[i].line, program->literal_place.at[i].column,
                "%s has no '%s'; did you mean '%s'?", monitor->trace_name, text, close);
    }
}

tac_status tac_monitor_finish(tac_monitor *monitor, const tac_monitor_schema *schema,
                              tac_error *err)
{
    if (!monitor->bound) {
        tac_monitor_schema none = {0};
        tac_status status = bind(monitor, schema ? schema : &none, err);
        if (status != TAC_OK)
            return status;
    }
    const struct column_program *program = &monitor->plan.program;
    for (size_t s = 0; schema && !monitor->options.allow_missing && s < program->slots.count; s++) {
        const struct column_slot *slot = &program->slots.at[s];
        if (slot->variable != COLUMN_NONE)
            continue;
        if (!slot->is_event)
            return missing(monitor, slot, schema, err);
        tac_diagnostics_add(&monitor->warnings, TAC_WARNING, monitor->properties->file, slot->line,
                            slot->column, "%s has no events", monitor->trace_name);
    }
    if (schema)
        warn_misspelt(monitor, schema);
    for (size_t i = 0; i < monitor->plan.parts.count; i++) {
        const struct part *part = &monitor->plan.parts.at[i];
        struct interval_call call = {monitor, i};
        struct interval_listener listener = {interval_closed, &call};
        if (!part->temporal)
            interval_end(&part->interval, &monitor->parts[i].now,
                         monitor->options.on_interval ? &listener : NULL);
    }
    return TAC_OK;
}

bool tac_monitor_violated(const tac_monitor *monitor)
{
    tac_property_result result;
    for (size_t i = 0; monitor->bound && i < monitor->properties->properties.count; i++) {
        tac_monitor_result((tac_monitor *)(uintptr_t)monitor, i, false, &result);
        if (result.decided && result.answer == TAC_VIOLATED)
            return true;
    }
    return false;
}

uint64_t tac_monitor_states(const tac_monitor *monitor)
{
    return monitor->states;
}

const tac_diagnostics *tac_monitor_warnings(const tac_monitor *monitor)
{
    return &monitor->warnings;
}

void tac_monitor_reset(tac_monitor *monitor)
{
    monitor->states = 0;
    monitor->now = 0;
    if (!monitor->bound)
        return;
    column_reset(&monitor->plan.program);
    for (size_t i = 0; i < monitor->plan.parts.count; i++) {
        const struct part *part = &monitor->plan.parts.at[i];
        if (part->temporal) {
            temporal_start(&part->automaton, &monitor->parts[i].temporal);
            monitor->parts[i].noted_since = UINT64_MAX;
        } else {
            interval_state_reset(&part->interval, &monitor->parts[i].now);
        }
    }
}

void tac_monitor_free(tac_monitor *monitor)
{
    if (!monitor)
        return;
    for (size_t i = 0; monitor->bound && i < monitor->plan.parts.count; i++) {
        struct part_state *state = &monitor->parts[i];
        if (!monitor->plan.parts.at[i].temporal) {
            interval_state_free(&state->now);
            interval_state_free(&state->ended);
        }
        free(state->first_ends);
        free(state->ends);
        free(state->room.values);
        free(state->room.comparisons);
    }
    free(monitor->parts);
    free(monitor->part_property);
    free(monitor->scratch);
    free(monitor->trace_name);
    property_plan_free(&monitor->plan);
    tac_diagnostics_free(&monitor->warnings);
    free(monitor);
}
