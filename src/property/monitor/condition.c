/* A condition over observables that stands outside property files: the guard of an action, what a
 * state of a model expects. It is parsed and compiled as the body of a property and evaluated on
 * one reading after the other; `previous` is the reading before. */
#include "property/monitor/condition.h"
#include "property/compile/observed.h"

#include "base/check.h"
#include "base/data/str.h"
#include <math.h>
#include <string.h>

struct tac_condition {
    tac_properties *properties;
    struct column_program program;
    struct truth truth;
    tac_arena arena;
    tac_trace_variable *variables;
    tac_names symbols;
    char *text;
    int64_t now; /* of the last reading; INT64_MIN before the first */
};

static void compile(tac_condition *condition, tac_diagnostics *found)
{
    const tac_properties *properties = condition->properties;
    size_t count = properties->observes.count;
    condition->variables = tac_calloc(count + 1, sizeof *condition->variables);
    for (size_t i = 0; i < count; i++)
        condition->variables[i] = tac_observable_variable(&properties->observes.at[i].observable);
    tac_monitor_schema schema = {.variables = condition->variables, .variable_count = count};
    struct property_compiler compiler = {.properties = properties,
                                         .schema = &schema,
                                         .program = &condition->program,
                                         .diagnostics = found,
                                         .arena = &condition->arena,
                                         .trace_name = "the screen",
                                         .unknown = COLUMN_NONE};
    const struct ast *body = properties->properties.at[0].body;
    assert(body->kind == AST_ALWAYS);
    condition->truth = compile_truth(&compiler, body->a);
    for (size_t i = 0; i < condition->program.slots.count; i++) {
        const struct column_slot *slot = &condition->program.slots.at[i];
        if (slot->variable == COLUMN_NONE && slot->is_event)
            tac_diagnostics_add(
                found, TAC_ERROR, properties->file, slot->line, slot->column,
                "in a condition on a screen there are no events or names; write what "
                "is read in place, such as count(css:\"li\") > 0");
        else if (slot->variable == COLUMN_NONE)
            tac_diagnostics_add(found, TAC_ERROR, properties->file, slot->line, slot->column,
                                "'%s' is not observed here; write what is read in place, such as "
                                "count(css:\"li\") > 0",
                                slot->name);
    }
    column_start(&condition->program);
}

/* The text did not close our own bracket and go on with something else. */
static bool one_expression(const tac_properties *properties)
{
    return properties->properties.count == 1 && !properties->lets.count &&
           !properties->units.count && !properties->flags.count &&
           properties->properties.at[0].body->kind == AST_ALWAYS;
}

static size_t last_line(const char *text, size_t size)
{
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return lines;
}

/* The mistake was noticed in our own line below: the text ended too early. */
static void early_end(const char *file, const char *text, size_t size, size_t line, size_t column,
                      tac_error *err)
{
    while (size && strchr(" \t\r\n", text[size - 1]))
        size--;
    for (size_t i = 0; i < size; i++) {
        line += text[i] == '\n';
        column = text[i] == '\n' ? 1 : column + 1;
    }
    tac_fail_at(err, TAC_E_INPUT, file, line, column,
                size ? "the condition ends too early: a value, a name or ')' is missing"
                     : "a condition is missing here, such as count(css:\"li\") > 0");
}

tac_status tac_condition_parse(const char *file, const char *text, size_t size, size_t line,
                               size_t column, tac_condition **out, tac_error *err)
{
    tac_condition *condition = tac_calloc(1, sizeof *condition);
    condition->now = INT64_MIN;
    tac_diagnostics found = {0};
    tac_str whole = {0};
    tac_str_addf(&whole, "property condition: always (\n%*s", column ? (int)column - 1 : 0, "");
    tac_str_add_bytes(&whole, text, size);
    tac_str_add(&whole, "\n)");
    condition->text = tac_strndup(text, size);
    tac_status status = tac_property_parse(file, tac_str_text(&whole), whole.length, &found,
                                           &condition->properties, err);
    if (status == TAC_OK && !one_expression(condition->properties))
        status = tac_fail_at(err, TAC_E_INPUT, file, 2, column,
                             "a condition is one expression; a ')' in it has no '('");
    if (status == TAC_OK) {
        size_t before = found.errors;
        compile(condition, &found);
        if (found.errors > before)
            status = tac_diagnostics_fail(&found, err);
    }
    if (status != TAC_OK && err && err->line > last_line(text, size) + 1)
        early_end(file, text, size, line, column, err);
    else if (status != TAC_OK && err && err->line)
        err->line = err->line >= 2 ? err->line - 2 + line : line; /* our own line stands above */
    tac_diagnostics_free(&found);
    tac_str_free(&whole);
    if (status == TAC_OK)
        *out = condition;
    else
        tac_condition_free(condition);
    return status;
}

size_t tac_condition_observables(const tac_condition *condition)
{
    return tac_property_observables(condition->properties);
}

const tac_observable *tac_condition_observable(const tac_condition *condition, size_t index)
{
    return tac_property_observable(condition->properties, index);
}

const tac_properties *condition_properties(const tac_condition *condition)
{
    return condition->properties;
}

const struct ast *condition_body(const tac_condition *condition)
{
    return condition->properties->properties.at[0].body->a;
}

const char *tac_condition_text(const tac_condition *condition)
{
    return condition->text;
}

tac_truth tac_condition_evaluate(tac_condition *condition, const tac_observed *values, int64_t time)
{
    size_t count = condition->properties->observes.count;
    double *numbers = tac_calloc(count + 1, sizeof *numbers);
    uint32_t *symbols = tac_calloc(count + 1, sizeof *symbols);
    const double **number_columns = tac_calloc(count + 1, sizeof *number_columns);
    const uint32_t **symbol_columns = tac_calloc(count + 1, sizeof *symbol_columns);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = values[i].missing ? (double)NAN : values[i].number;
        symbols[i] = values[i].missing || !values[i].text
                         ? TAC_TRACE_NO_SYMBOL
                         : tac_names_intern(&condition->symbols, values[i].text);
        if (condition->variables[i].kind == TAC_CONTINUOUS)
            number_columns[i] = &numbers[i];
        else
            symbol_columns[i] = &symbols[i];
    }
    condition->now = time > condition->now ? time : condition->now;
    tac_trace_block block = {.count = 1,
                             .first = condition->program.states,
                             .time = &condition->now,
                             .numbers = number_columns,
                             .symbols = symbol_columns};
    column_symbols(&condition->program, condition->symbols.text, condition->symbols.count);
    column_evaluate(&condition->program, &block, 0, 1);
    bool yes = column_bits(&condition->program, condition->truth.yes)[0];
    bool no = column_bits(&condition->program, condition->truth.no)[0];
    assert(!(yes && no));
    free(numbers);
    free(symbols);
    free(number_columns);
    free(symbol_columns);
    return yes ? TAC_TRUE : no ? TAC_FALSE : TAC_UNKNOWN;
}

void tac_condition_reset(tac_condition *condition)
{
    column_reset(&condition->program);
    condition->now = INT64_MIN;
}

void tac_condition_free(tac_condition *condition)
{
    if (!condition)
        return;
    column_free(&condition->program);
    tac_property_free(condition->properties);
    tac_names_free(&condition->symbols);
    tac_arena_free(&condition->arena);
    free(condition->variables);
    free(condition->text);
    free(condition);
}
