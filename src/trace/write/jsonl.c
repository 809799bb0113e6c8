/* JSON Lines: a state says only what it changes. */
#include "base/io/json.h"
#include "trace/read/jsonl/header.h"
#include "trace/text/clock.h"
#include "trace/text/json_text.h"
#include "trace/write/writer.h"
#include <math.h>

static void add_object(tac_trace_writer *writer, json_t *object)
{
    char *text = tac_json_text(object, JSON_COMPACT);
    tac_str_add(&writer->text, text);
    tac_str_add_char(&writer->text, '\n');
    free(text);
    json_decref(object);
    writer_flush_text(writer);
}

static void header(tac_trace_writer *writer)
{
    add_object(writer, header_object(writer->variables.at, writer->variables.count, writer->meta));
}

static bool changed(const tac_trace_writer *writer, size_t variable)
{
    const struct writer_value *value = &writer->values.at[variable];
    if (!value->set)
        return false;
    if (writer->variables.at[variable].kind == TAC_DISCRETE)
        return value->symbol != value->held_symbol;
    return memcmp(&value->number, &value->held_number, sizeof value->number) != 0;
}

/* Lists are JSON already, booleans are words of it. */
static void add_symbol(tac_trace_writer *writer, size_t variable, uint32_t symbol)
{
    tac_value_type type = writer->variables.at[variable].type;
    const char *value = writer->symbols.text[symbol];
    if (type == TAC_VALUE_LIST || type == TAC_VALUE_BOOLEAN)
        tac_str_add(&writer->text, value);
    else
        json_text_encode(&writer->text, value, writer->symbols.length[symbol]);
}

static void state(tac_trace_writer *writer)
{
    tac_str *text = &writer->text;
    char time[32];
    tac_str_add(text, "{\"t\":");
    tac_str_add(text, clock_seconds_text(writer->time, time, sizeof time));
    for (size_t i = 0; i < writer->values.count; i++) {
        if (!changed(writer, i))
            continue;
        const struct writer_value *value = &writer->values.at[i];
        const char *name = writer->variables.at[i].name;
        tac_str_add_char(text, ',');
        json_text_encode(text, name, strlen(name));
        tac_str_add_char(text, ':');
        bool discrete = writer->variables.at[i].kind == TAC_DISCRETE;
        const char *reason = writer_reason(writer, i);
        if (reason) {
            tac_str_add(text, "{\"unknown\":");
            json_text_encode(text, reason, strlen(reason));
            tac_str_add_char(text, '}');
        } else if (discrete && value->symbol != TAC_TRACE_NO_SYMBOL)
            add_symbol(writer, i, value->symbol);
        else if (!discrete && !isnan(value->number))
            writer_add_number(text, value->number);
        else
            tac_str_add(text, "null");
    }
    tac_str_add(text, "}\n");
    writer_flush_text(writer);
}

static void finish(tac_trace_writer *writer, const json_t *late_meta)
{
    json_t *end = json_object(), *root = json_object();
    json_object_set_new(end, "states", json_integer((json_int_t)writer->states));
    if (late_meta)
        json_object_set_new(end, "meta", json_deep_copy(late_meta));
    json_object_set_new(root, "end", end);
    add_object(writer, root);
}

const struct writer_format writer_format_jsonl = {
    .name = "jsonl", .late_variables = true, .header = header, .state = state, .finish = finish};
