/* The names that the properties use and those that the trace has: variables that come late, values
 * that never came, and what is probably misspelt. */
#include "property/monitor/monitor.h"

#include "base/check.h"
#include "base/data/text.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A variable that the trace did not have when the names were bound. */
static tac_status bind_program(tac_monitor *monitor, struct column_program *program,
                               const tac_monitor_schema *schema, tac_error *err)
{
    assert(monitor->variables <= schema->variable_count);
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
    return TAC_OK;
}

tac_status monitor_bind_late(tac_monitor *monitor, const tac_monitor_schema *schema, tac_error *err)
{
    tac_status status = TAC_OK;
    struct column_program *program;
    for (size_t k = 0; status == TAC_OK && (program = monitor_program(&monitor->plan, k)); k++)
        status = bind_program(monitor, program, schema, err);
    monitor->variables = schema->variable_count;
    return status;
}

/* The same place is compiled once for the shared program and once for each `for each`. */
void monitor_warn(tac_monitor *monitor, size_t line, size_t column, const char *format, ...)
{
    char message[700];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    const tac_diagnostics *list = &monitor->warnings;
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].line == line && list->at[i].column == column &&
            strcmp(list->at[i].message, message) == 0)
            return;
    tac_diagnostics_add(&monitor->warnings, TAC_WARNING, monitor->properties->file, line, column,
                        "%s", message);
}

/* Comparisons before a variable's first value are unknown: say so once. */
void monitor_warn_without_value(tac_monitor *monitor, const struct column_program *program,
                                const tac_trace_block *block)
{
    for (size_t s = 0; s < program->slots.count; s++) {
        const struct column_slot *slot = &program->slots.at[s];
        if (slot->is_event || slot->quiet || slot->variable == COLUMN_NONE ||
            property_observe_of(monitor->properties, slot->name))
            continue; /* what is observed may be missing: then nothing is told of it */
        bool none = slot->discrete ? block->symbols[slot->variable][0] == TAC_TRACE_NO_SYMBOL
                                   : isnan(block->numbers[slot->variable][0]);
        if (none)
            monitor_warn(monitor, slot->line, slot->column,
                         "'%s' has no value at the start of %s; until it has one, every "
                         "comparison with it is unknown",
                         slot->name, monitor->trace_name);
    }
}

static tac_status missing(tac_monitor *monitor, const struct column_slot *slot,
                          const tac_monitor_schema *schema, tac_error *err)
{
    TAC_VEC(const char *) names = {0};
    for (size_t i = 0; schema && i < schema->variable_count; i++)
        tac_vec_push(&names, schema->variables[i].name);
    tac_meaning meant = tac_meant(slot->name, names.at, names.count);
    char hint[300] = "";
    for (size_t i = 0; !*meant.text && i < names.count && strlen(hint) < 200; i++)
        snprintf(hint + strlen(hint), sizeof hint - strlen(hint), "%s%.60s", i ? ", " : "; it has ",
                 names.at[i]);
    tac_vec_free(&names);
    return tac_fail_at(err, TAC_E_INPUT, monitor->properties->file, slot->line, slot->column,
                       "%s has no variable '%s'%s%s", monitor->trace_name, slot->name, meant.text,
                       hint);
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
static void warn_misspelt(tac_monitor *monitor, const struct column_program *program,
                          const tac_monitor_schema *schema)
{
    const tac_monitor_options *options = &monitor->options;
    const char *const *values = options->values ? options->values : schema->symbols;
    size_t count = options->values ? options->value_count : schema->symbol_count;
    if (count > 10000)
        return;
    for (size_t i = 0; i < program->literals.count; i++) {
        const char *text = program->literals.text[i];
        const char *close = NULL;
        if (program->literal_symbol.at[i] == TAC_TRACE_NO_SYMBOL &&
            program->literal_place.at[i].line)
            close = tac_closest(text, values, count);
        if (close && !numbered(text, close)) /* itself, where others of the set have it */
            monitor_warn(monitor, program->literal_place.at[i].line,
                         program->literal_place.at[i].column, "%s has no '%s'; did you mean '%s'?",
                         monitor->trace_name, text, close);
    }
}

/* Every variable that the properties use was there. */
static tac_status check_variables(tac_monitor *monitor, const struct column_program *program,
                                  const tac_monitor_schema *schema, tac_error *err)
{
    assert(schema != NULL);
    for (size_t s = 0; !monitor->options.allow_missing && s < program->slots.count; s++) {
        const struct column_slot *slot = &program->slots.at[s];
        if (slot->variable != COLUMN_NONE)
            continue;
        if (!slot->is_event)
            return missing(monitor, slot, schema, err);
        monitor_warn(monitor, slot->line, slot->column, "%s has no events", monitor->trace_name);
    }
    return TAC_OK;
}

tac_status monitor_check_names(tac_monitor *monitor, const tac_monitor_schema *schema,
                               tac_error *err)
{
    struct column_program *program;
    tac_status status = TAC_OK;
    for (size_t k = 0; status == TAC_OK && (program = monitor_program(&monitor->plan, k)); k++) {
        status = check_variables(monitor, program, schema, err);
        if (status == TAC_OK)
            warn_misspelt(monitor, program, schema);
    }
    return status;
}
