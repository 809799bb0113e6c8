/* The part of writing that does not depend on the format: variables, holding, order, errors. */
#include "trace/write/writer.h"
#include "base/data/text.h"
#include "base/error.h"
#include "trace/text/clock.h"
#include "trace/trace.h"
#include <errno.h>
#include <math.h>

static const struct writer_format *const formats[] = {&writer_format_jsonl, &writer_format_binary,
                                                      &writer_format_csv};

tac_status tac_trace_writer_new(FILE *out, const char *format, const json_t *meta,
                                tac_trace_writer **writer, tac_error *err)
{
    const struct writer_format *found = NULL;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (!strcmp(formats[i]->name, format))
            found = formats[i];
    if (!found)
        return tac_fail(err, TAC_E_USAGE,
                        "traces cannot be written as '%s'; there are jsonl, binary and csv",
                        format);
    tac_trace_writer *made = tac_calloc(1, sizeof *made);
    made->format = found;
    made->out = out;
    made->meta = meta ? json_deep_copy(meta) : json_object();
    made->event = SIZE_MAX;
    made->last_time = INT64_MIN;
    if (found->open)
        found->open(made);
    *writer = made;
    return TAC_OK;
}

static void keep_problem(tac_trace_writer *writer, tac_status status, const char *format, ...)
    TAC_PRINTF(3, 4);

static void keep_problem(tac_trace_writer *writer, tac_status status, const char *format, ...)
{
    if (writer->problem.status)
        return;
    va_list args;
    va_start(args, format);
    tac_fail_va(&writer->problem, status, "", 0, 0, format, args);
    va_end(args);
}

size_t tac_trace_writer_variable(tac_trace_writer *writer, const tac_trace_variable *variable)
{
    size_t index = tac_names_intern(&writer->variable_names, variable->name);
    bool is_event = !strcmp(variable->name, "event");
    tac_variable_kind kind = is_event ? TAC_DISCRETE : variable->kind;
    if (index < writer->variables.count) {
        if (writer->variables.at[index].kind != kind)
            keep_problem(writer, TAC_E_INPUT, "the variable '%s' is both discrete and continuous",
                         variable->name);
        return index;
    }
    if (!strcmp(variable->name, "t"))
        keep_problem(writer, TAC_E_INPUT, "'t' is the time and cannot be a variable");
    if (writer->started && !writer->format->late_variables)
        keep_problem(writer, TAC_E_INPUT,
                     "the variable '%s' appears behind the first state, which %s cannot hold; "
                     "write jsonl or binary",
                     variable->name, writer->format->name);
    tac_trace_variable copy = {
        .name = tac_strdup(variable->name),
        .unit = tac_strdup(variable->unit && kind == TAC_CONTINUOUS ? variable->unit : ""),
        .kind = kind,
        .linear = kind == TAC_CONTINUOUS && variable->linear,
        .type = kind == TAC_DISCRETE && !is_event ? variable->type : TAC_VALUE_NAME};
    struct writer_value value = {.number = NAN,
                                 .symbol = TAC_TRACE_NO_SYMBOL,
                                 .held_number = NAN,
                                 .held_symbol = TAC_TRACE_NO_SYMBOL};
    if (is_event)
        writer->event = index;
    tac_vec_push(&writer->variables, copy);
    tac_vec_push(&writer->values, value);
    return index;
}

void tac_trace_writer_begin(tac_trace_writer *writer, int64_t time)
{
    if (!writer->started) {
        writer->started = true;
        writer->format->header(writer);
    }
    writer->time = time;
}

void tac_trace_writer_number(tac_trace_writer *writer, size_t variable, double value)
{
    struct writer_value *place = &writer->values.at[variable];
    if (writer->variables.at[variable].kind != TAC_CONTINUOUS)
        keep_problem(writer, TAC_E_INPUT, "'%s' is discrete and was set to a number",
                     writer->variables.at[variable].name);
    if (isinf(value))
        keep_problem(writer, TAC_E_INPUT, "'%s' was set to an infinite number",
                     writer->variables.at[variable].name);
    place->number = value;
    place->set = true;
}

void tac_trace_writer_symbol(tac_trace_writer *writer, size_t variable, const char *value)
{
    struct writer_value *place = &writer->values.at[variable];
    if (writer->variables.at[variable].kind != TAC_DISCRETE)
        keep_problem(writer, TAC_E_INPUT, "'%s' is continuous and was set to the name '%s'",
                     writer->variables.at[variable].name, value ? value : "");
    bool empty_counts = writer->variables.at[variable].type == TAC_VALUE_TEXT;
    place->symbol = value && (*value || empty_counts) ? tac_names_intern(&writer->symbols, value)
                                                      : TAC_TRACE_NO_SYMBOL;
    place->set = true;
}

void tac_trace_writer_unknown(tac_trace_writer *writer, size_t variable, const char *reason)
{
    struct writer_value *place = &writer->values.at[variable];
    char *text = tac_format("%c%s", TAC_TRACE_UNKNOWN, reason);
    place->symbol = tac_names_intern(&writer->symbols, text);
    place->number = tac_trace_unknown_number(place->symbol);
    place->set = true;
    free(text);
}

const char *writer_reason(const tac_trace_writer *writer, size_t variable)
{
    const struct writer_value *value = &writer->values.at[variable];
    uint32_t symbol =
        writer->variables.at[variable].kind == TAC_DISCRETE
            ? (value->set ? value->symbol : value->held_symbol)
            : tac_trace_unknown_reason(value->set ? value->number : value->held_number);
    bool mark =
        symbol < writer->symbols.count && *writer->symbols.text[symbol] == TAC_TRACE_UNKNOWN;
    return mark ? writer->symbols.text[symbol] + 1 : NULL;
}

void tac_trace_writer_missing(tac_trace_writer *writer, size_t variable)
{
    struct writer_value *place = &writer->values.at[variable];
    place->number = NAN;
    place->symbol = TAC_TRACE_NO_SYMBOL;
    place->set = true;
}

/* What was set holds from now on; the event does not. */
static void hold_values(tac_trace_writer *writer)
{
    for (size_t i = 0; i < writer->values.count; i++) {
        struct writer_value *value = &writer->values.at[i];
        if (!value->set)
            continue;
        value->set = false;
        value->held_number = value->number;
        value->held_symbol = i == writer->event ? TAC_TRACE_NO_SYMBOL : value->symbol;
    }
}

static tac_status tell_problem(const tac_trace_writer *writer, tac_error *err)
{
    if (writer->problem.status && err)
        *err = writer->problem;
    return writer->problem.status;
}

tac_status tac_trace_writer_end(tac_trace_writer *writer, tac_error *err)
{
    char before[32], now[32];
    if (writer->time < writer->last_time)
        keep_problem(writer, TAC_E_INPUT, "time goes back from %s to %s s",
                     clock_seconds_text(writer->last_time, before, sizeof before),
                     clock_seconds_text(writer->time, now, sizeof now));
    if (!writer->problem.status) {
        writer->format->state(writer);
        writer->states++;
        writer->last_time = writer->time;
    }
    hold_values(writer);
    return tell_problem(writer, err);
}

void tac_trace_writer_abandon(tac_trace_writer *writer)
{
    if (writer->format->close)
        writer->format->close(writer);
    for (size_t i = 0; i < writer->variables.count; i++) {
        free((char *)(uintptr_t)writer->variables.at[i].name);
        free((char *)(uintptr_t)writer->variables.at[i].unit);
    }
    tac_vec_free(&writer->variables);
    tac_vec_free(&writer->values);
    tac_names_free(&writer->variable_names);
    tac_names_free(&writer->symbols);
    tac_str_free(&writer->text);
    json_decref(writer->meta);
    free(writer);
}

tac_status tac_trace_writer_finish(tac_trace_writer *writer, const json_t *late_meta,
                                   tac_error *err)
{
    if (!writer->started && !writer->problem.status)
        writer->format->header(writer);
    if (!writer->problem.status)
        writer->format->finish(writer, late_meta);
    if (fflush(writer->out) || ferror(writer->out)) {
        int number = errno;
        if (!writer->problem.status)
            tac_fail_errno(&writer->problem, number, "", "cannot write the trace");
    }
    tac_status status = tell_problem(writer, err);
    tac_trace_writer_abandon(writer);
    return status;
}

void writer_add_number(tac_str *text, double value)
{
    char buffer[40];
    if (value == rint(value) && fabs(value) < 1e15) {
        snprintf(buffer, sizeof buffer, "%s%lld", signbit(value) && value == 0 ? "-" : "",
                 (long long)value);
        tac_str_add(text, buffer);
    } else {
        tac_str_add(text, tac_double_text(value, buffer, sizeof buffer));
    }
}

void writer_flush_text(tac_trace_writer *writer)
{
    fwrite(tac_str_text(&writer->text), 1, writer->text.length, writer->out);
    tac_str_clear(&writer->text);
}
