/* Variables, symbols and single states of a source under construction. */
#include "base/error.h"
#include "trace/read/source.h"
#include "trace/text/clock.h"
#include "trace/trace.h"
#include <math.h>

static void allocate_column(struct trace_column *column, tac_variable_kind kind)
{
    if (kind == TAC_CONTINUOUS) {
        column->numbers = tac_alloc((TAC_TRACE_BLOCK_STATES + 1) * sizeof *column->numbers);
        *column->numbers++ = NAN;
    } else {
        column->symbols = tac_alloc((TAC_TRACE_BLOCK_STATES + 1) * sizeof *column->symbols);
        *column->symbols++ = TAC_TRACE_NO_SYMBOL;
    }
}

tac_status source_add_variable(tac_trace_source *source, const char *name, size_t length,
                               tac_variable_kind kind, const char *unit, bool linear, size_t *index,
                               tac_error *err)
{
    if (source->variables.count == TRACE_VARIABLES_MAX)
        return source_fail(source, err, TAC_E_LIMIT, source->window.line, 0,
                           "more than %d variables", TRACE_VARIABLES_MAX);
    if (memchr(name, '\0', length))
        return source_fail(source, err, TAC_E_INPUT, source->window.line, 0,
                           "the name of a variable holds a NUL byte");
    *index = tac_names_intern_bytes(&source->variable_names, name, length);
    if (*index < source->variables.count)
        return source_fail(source, err, TAC_E_INPUT, source->window.line, 0,
                           "the variable '%.*s' appears twice", (int)length, name);
    bool is_event = length == 5 && !memcmp(name, "event", 5);
    if (is_event)
        kind = TAC_DISCRETE;
    tac_trace_variable variable = {.name = source->variable_names.text[*index],
                                   .unit = tac_strdup(kind == TAC_CONTINUOUS ? unit : ""),
                                   .kind = kind,
                                   .linear = kind == TAC_CONTINUOUS && linear};
    struct trace_column column = {.is_event = is_event};
    allocate_column(&column, kind);
    tac_vec_push(&source->variables, variable);
    tac_vec_push(&source->columns, column);
    return TAC_OK;
}

size_t source_find_variable(const tac_trace_source *source, const char *name, size_t length)
{
    uint32_t id = tac_names_find_bytes(&source->variable_names, name, length);
    return id == TAC_NONE ? SIZE_MAX : id;
}

tac_status source_want_variable(tac_trace_source *source, const char *name, tac_variable_kind kind,
                                const char *unit, size_t *index, tac_error *err)
{
    *index = source_find_variable(source, name, strlen(name));
    if (*index == SIZE_MAX)
        return source_add_variable(source, name, strlen(name), kind, unit, false, index, err);
    if (source->variables.at[*index].kind != kind)
        return source_fail(source, err, TAC_E_INPUT, source->window.line, 0,
                           "'%s' is both a number and a name", name);
    return TAC_OK;
}

void source_set_type(tac_trace_source *source, size_t variable, tac_value_type type)
{
    if (source->columns.at[variable].is_event || source->columns.at[variable].numbers)
        return;
    source->variables.at[variable].type = type;
    source->columns.at[variable].is_text = type == TAC_VALUE_TEXT;
    source->columns.at[variable].is_list = type == TAC_VALUE_LIST;
}

static tac_status add_symbol(tac_trace_source *source, const char *text, size_t length, size_t most,
                             uint32_t *id, tac_error *err)
{
    uint32_t found = tac_names_find_bytes(&source->symbols, text, length);
    if (found != TAC_NONE) {
        *id = found;
        return TAC_OK;
    }
    if (source->symbols.count >= TRACE_SYMBOLS_MAX)
        return source_fail(source, err, TAC_E_LIMIT, source->window.line, 0,
                           "more than %zu distinct names; is a free text or a number read as one?",
                           TRACE_SYMBOLS_MAX);
    if (length > most || memchr(text, '\0', length))
        return source_fail(source, err, TAC_E_INPUT, source->window.line, 0,
                           length <= most                    ? "a name holds a NUL byte"
                           : most == TRACE_SYMBOL_LENGTH_MAX ? "a name is longer than 64 KiB"
                                                             : "a text is longer than 16 MiB");
    *id = tac_names_intern_bytes(&source->symbols, text, length);
    return TAC_OK;
}

tac_status source_symbol_slow(tac_trace_source *source, const char *text, size_t length,
                              uint32_t *id, tac_error *err)
{
    return add_symbol(source, text, length, TRACE_SYMBOL_LENGTH_MAX, id, err);
}

tac_status source_symbol_text(tac_trace_source *source, const char *text, size_t length,
                              uint32_t *id, tac_error *err)
{
    return add_symbol(source, text, length, TRACE_TEXT_LENGTH_MAX, id, err);
}

tac_status source_unknown(tac_trace_source *source, const char *reason, size_t length, uint32_t *id,
                          tac_error *err)
{
    tac_str text = {0};
    tac_str_add_char(&text, TAC_TRACE_UNKNOWN);
    tac_str_add_bytes(&text, reason, length);
    tac_status status = source_symbol_slow(source, tac_str_text(&text), text.length, id, err);
    tac_str_free(&text);
    return status;
}

void source_fill(struct trace_column *column, size_t count)
{
    ptrdiff_t before = (ptrdiff_t)column->filled - 1;
    if (column->numbers) {
        double held = column->numbers[before];
        for (size_t i = column->filled; i < count; i++)
            column->numbers[i] = held;
    } else {
        uint32_t held = column->is_event ? TAC_TRACE_NO_SYMBOL : column->symbols[before];
        for (size_t i = column->filled; i < count; i++)
            column->symbols[i] = held;
    }
    if (column->filled < count)
        column->filled = count;
}

static void unset(tac_trace_source *source, size_t settings)
{
    for (size_t i = 0; i < settings; i++)
        source->columns.at[source->settings.at[i].variable].filled = source->count;
}

bool source_commit(tac_trace_source *source, int64_t time)
{
    size_t row = source->count;
    if (time < source->last_time)
        return false;
    for (size_t i = 0; i < source->settings.count; i++) {
        const struct trace_setting *setting = &source->settings.at[i];
        struct trace_column *column = &source->columns.at[setting->variable];
        if (column->filled > row) {
            unset(source, i);
            return false;
        }
        source_fill(column, row);
        if (column->numbers)
            column->numbers[row] = setting->number;
        else
            column->symbols[row] = setting->symbol;
        column->filled = row + 1;
    }
    source->time[row] = time;
    source->last_time = time;
    source->count++;
    return true;
}

tac_status source_commit_error(tac_trace_source *source, int64_t time, size_t line, size_t column,
                               tac_error *err)
{
    char before[32], now[32];
    if (time < source->last_time)
        return source_fail(source, err, TAC_E_INPUT, line, column,
                           "time goes back from %s to %s s; states must be in time order",
                           clock_seconds_text(source->last_time, before, sizeof before),
                           clock_seconds_text(time, now, sizeof now));
    for (size_t i = 0; i < source->settings.count; i++)
        for (size_t k = 0; k < i; k++)
            if (source->settings.at[i].variable == source->settings.at[k].variable)
                return source_fail(source, err, TAC_E_INPUT, line, column,
                                   "'%s' is given twice in one state",
                                   source->variables.at[source->settings.at[i].variable].name);
    return TAC_OK;
}

tac_status source_fail(const tac_trace_source *source, tac_error *err, tac_status status,
                       size_t line, size_t column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    status = tac_fail_va(err, status, source->name, line, column, format, args);
    va_end(args);
    return status;
}

tac_status source_skip_or_fail(tac_trace_source *source, const tac_error *problem, tac_error *err)
{
    if (source->options.lenient && problem->status == TAC_E_INPUT) {
        if (!source->skipped++)
            source->first_skipped = *problem;
        return TAC_OK;
    }
    if (err)
        *err = *problem;
    return problem->status;
}

/* A line over the cap: lenient skips it like any bad row. */
static tac_status drop_long_line(tac_trace_source *source, tac_error *problem, tac_error *err)
{
    if (problem->status != TAC_E_LIMIT) {
        *err = *problem;
        return problem->status;
    }
    tac_error as_input = *problem;
    if (source->options.lenient)
        as_input.status = TAC_E_INPUT;
    tac_status status = source_skip_or_fail(source, &as_input, err);
    return status ? status : window_drop_line(&source->window, err);
}

tac_status source_more_lines(tac_trace_source *source, bool *waits, tac_error *err)
{
    struct trace_window *window = &source->window;
    *waits = false;
    while (!window_has_line(window) && !(window->ended && window->begin == window->end)) {
        if (source->count && window_would_wait(window)) {
            *waits = true;
            return TAC_OK;
        }
        tac_error problem = {0};
        if (!window_more_lines(window, &problem))
            continue;
        tac_status status = drop_long_line(source, &problem, err);
        if (status)
            return status;
    }
    return TAC_OK;
}

tac_status source_next_line(tac_trace_source *source, const char **line, size_t *length,
                            size_t *number, bool *waits, tac_error *err)
{
    struct trace_window *window = &source->window;
    *line = NULL;
    *waits = false;
    if (!window_has_line(window)) {
        tac_status status = source_more_lines(source, waits, err);
        if (status || !window_has_line(window))
            return status;
    }
    const char *start = window->data + window->begin;
    const char *end = memchr(start, '\n', window->complete - window->begin);
    window->begin = (size_t)(end - window->data) + 1;
    *number = window->line++;
    *length = (size_t)(end - start);
    if (*length && start[*length - 1] == '\r')
        --*length;
    *line = start;
    return TAC_OK;
}

tac_status source_fill_by_line(tac_trace_source *source, size_t most, source_read_line *read,
                               tac_error *err)
{
    while (source->count < most) {
        const char *line;
        size_t length, number;
        bool waits;
        tac_status status = source_next_line(source, &line, &length, &number, &waits, err);
        if (status || waits)
            return status;
        if (!line) {
            source->ended = true;
            return TAC_OK;
        }
        tac_error problem;
        status = read(source, line, length, number, &problem);
        if (status && (status = source_skip_or_fail(source, &problem, err)))
            return status;
    }
    return TAC_OK;
}
