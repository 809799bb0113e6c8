/* CSV for other tools: every row is complete, units stand in the names. The meta data, and which
 * names of digits are discrete, have no place in a table and are left out. */
#include "trace/text/clock.h"
#include "trace/text/json_text.h"
#include "trace/trace.h"
#include "trace/write/writer.h"
#include <math.h>

static void add_cell(tac_str *text, const char *cell)
{
    size_t length = strlen(cell);
    bool padded = length && (cell[0] == ' ' || cell[length - 1] == ' ');
    if (!padded && !strpbrk(cell, ",\"\r\n\t;") && cell[0] != '#') {
        tac_str_add(text, cell);
        return;
    }
    tac_str_add_char(text, '"');
    for (; *cell; cell++) {
        if (*cell == '"')
            tac_str_add_char(text, '"');
        tac_str_add_char(text, *cell);
    }
    tac_str_add_char(text, '"');
}

static void header(tac_trace_writer *writer)
{
    tac_str *text = &writer->text, name = {0};
    tac_str_add_char(text, 't');
    for (size_t i = 0; i < writer->variables.count; i++) {
        const tac_trace_variable *variable = &writer->variables.at[i];
        tac_str_clear(&name);
        tac_str_add(&name, variable->name);
        if (*variable->unit)
            tac_str_addf(&name, " [%s]", variable->unit);
        else if (variable->type != TAC_VALUE_NAME)
            tac_str_addf(&name, " [%s]", tac_value_type_name(variable->type));
        tac_str_add_char(text, ',');
        add_cell(text, tac_str_text(&name));
    }
    tac_str_free(&name);
    tac_str_add_char(text, '\n');
    writer_flush_text(writer);
}

/* An empty cell holds the last value, so "no value any more" of a name cannot be written; a number
 * or a typed value is null then. */
static void refuse_loss(tac_trace_writer *writer, size_t variable)
{
    if (!writer->problem.status)
        tac_fail(&writer->problem, TAC_E_INPUT,
                 "'%s' has no known value any more, which csv cannot hold; write jsonl or binary",
                 writer->variables.at[variable].name);
}

/* Typed cells hold JSON: "text", ["list"], true, null. */
static void add_typed(tac_trace_writer *writer, tac_value_type type, uint32_t symbol)
{
    tac_str cell = {0};
    if (symbol == TAC_TRACE_NO_SYMBOL)
        tac_str_add(&cell, "null");
    else if (type == TAC_VALUE_TEXT)
        json_text_encode(&cell, writer->symbols.text[symbol], writer->symbols.length[symbol]);
    else
        tac_str_add(&cell, writer->symbols.text[symbol]);
    add_cell(&writer->text, tac_str_text(&cell));
    tac_str_free(&cell);
}

static void add_value(tac_trace_writer *writer, size_t variable)
{
    const struct writer_value *value = &writer->values.at[variable];
    tac_str *text = &writer->text;
    bool unknown = writer_reason(writer, variable) != NULL;
    if (writer->variables.at[variable].kind == TAC_CONTINUOUS && unknown) {
        tac_str_add_char(text, '?');
        return;
    }
    if (unknown) {
        refuse_loss(writer, variable);
        return;
    }
    if (writer->variables.at[variable].kind == TAC_CONTINUOUS) {
        double number = value->set ? value->number : value->held_number;
        if (!isnan(number))
            writer_add_number(text, number);
        else if (!isnan(value->held_number))
            tac_str_add(text, "null");
        return;
    }
    uint32_t symbol = value->set ? value->symbol : value->held_symbol;
    if (writer->variables.at[variable].type != TAC_VALUE_NAME) {
        add_typed(writer, writer->variables.at[variable].type, symbol);
        return;
    }
    if (symbol != TAC_TRACE_NO_SYMBOL)
        add_cell(text, writer->symbols.text[symbol]);
    else if (value->held_symbol != TAC_TRACE_NO_SYMBOL)
        refuse_loss(writer, variable);
}

static void state(tac_trace_writer *writer)
{
    char time[32];
    tac_str_add(&writer->text, clock_seconds_text(writer->time, time, sizeof time));
    for (size_t i = 0; i < writer->values.count; i++) {
        tac_str_add_char(&writer->text, ',');
        add_value(writer, i);
    }
    tac_str_add_char(&writer->text, '\n');
    writer_flush_text(writer);
}

static void finish(tac_trace_writer *writer, const json_t *late_meta)
{
    (void)writer;
    (void)late_meta;
}

const struct writer_format writer_format_csv = {
    .name = "csv", .header = header, .state = state, .finish = finish};
