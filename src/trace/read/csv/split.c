/* Splitting one row into cells, with quotes; the careful path beside csv.c's fast one. */
#include "trace/read/csv/table.h"

static tac_status quote_not_closed(const tac_trace_source *source, size_t number, size_t place,
                                   tac_error *err)
{
    return source_fail(source, err, TAC_E_INPUT, number, place,
                       "the quote that opens here is never closed; write \"\" for a quote inside "
                       "a quoted cell");
}

/* A quoted cell: appends its text to scratch, returns the place behind the closing quote. */
static const char *quoted_cell(struct csv_table *table, const char *at, const char *limit)
{
    for (at++; at < limit; at++) {
        if (*at != '"')
            tac_str_add_char(&table->scratch, *at);
        else if (at + 1 < limit && at[1] == '"')
            tac_str_add_char(&table->scratch, *at++);
        else
            return at + 1;
    }
    return NULL;
}

/* Blanks around a cell without quotes are not part of it. */
static void add_trimmed(tac_str *text, const char *start, const char *end)
{
    while (start < end && *start == ' ')
        start++;
    while (start < end && end[-1] == ' ')
        end--;
    tac_str_add_bytes(text, start, (size_t)(end - start));
}

static bool at_line_end(const char *at)
{
    return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

tac_status csv_split(struct csv_table *table, const tac_trace_source *source, const char *line,
                     const char *limit, size_t number, const char **end, tac_error *err)
{
    table->cells.count = 0;
    tac_str_clear(&table->scratch);
    const char *at = line;
    for (;;) {
        struct csv_cell cell = {.length = table->scratch.length, .place = (size_t)(at - line) + 1};
        if (*at == '"') {
            if (!(at = quoted_cell(table, at, limit)))
                return quote_not_closed(source, number, cell.place, err);
            if (*at != table->separator && !at_line_end(at))
                return source_fail(source, err, TAC_E_INPUT, number, (size_t)(at - line) + 1,
                                   "text behind a closing quote");
        } else {
            const char *start = at;
            while (*at != table->separator && !at_line_end(at))
                at++;
            add_trimmed(&table->scratch, start, at);
        }
        /* Offsets become pointers below, when scratch no longer moves. */
        cell.text = NULL;
        size_t begin = cell.length;
        cell.length = table->scratch.length - begin;
        tac_str_add_char(&table->scratch, '\0');
        tac_vec_push(&table->cells, cell);
        if (*at != table->separator)
            break;
        at++;
    }
    const char *text = table->scratch.text;
    for (size_t i = 0; i < table->cells.count; i++) {
        table->cells.at[i].text = text;
        text += table->cells.at[i].length + 1;
    }
    *end = at + (*at == '\r' ? 2 : 1);
    return TAC_OK;
}

tac_status csv_split_row(struct csv_table *table, tac_trace_source *source, const char **end,
                         tac_error *err)
{
    struct trace_window *window = &source->window;
    for (;;) {
        const char *limit = window->data + window->complete;
        tac_status status =
            csv_split(table, source, window->data + window->begin, limit, window->line, end, err);
        if (status != TAC_E_INPUT || window->ended ||
            window->complete - window->begin >= TRACE_WINDOW_SIZE)
            return status;
        if (window_more_lines(window, err))
            return status;
    }
}

void csv_decimal_comma(struct csv_table *table, const tac_trace_source *source,
                       const struct csv_cell *cell)
{
    const char *at = cell->text + (*cell->text == '-' || *cell->text == '+');
    size_t whole = strspn(at, "0123456789"), fraction = 0;
    if (table->separator == ',' || !whole || at[whole] != ',')
        return;
    fraction = strspn(at + whole + 1, "0123456789");
    if (!fraction || (at[whole + 1 + fraction] && !strchr("eE", at[whole + 1 + fraction])))
        return;
    ((char *)(uintptr_t)at)[whole] = '.'; /* the cell lies in the table's own memory */
    if (table->commas)
        return;
    table->commas = true;
    source_note(source, "numbers with decimal commas: %.*s,%.*s is read as %.*s",
                (int)(at + whole - cell->text), cell->text, (int)fraction, at + whole + 1,
                (int)(at + whole + 1 + fraction - cell->text), cell->text);
}
