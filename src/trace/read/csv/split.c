/* The row at the window's begin; the careful path beside csv.c's fast one. */
#include "trace/read/csv/table.h"

tac_status csv_split(struct csv_table *table, const tac_trace_source *source, const char *line,
                     const char *limit, size_t number, const char **end, tac_error *err)
{
    size_t place;
    bool open;
    const char *wrong =
        tac_cells_split(&table->row, table->separator, line, limit, end, &place, &open);
    return wrong ? source_fail(source, err, TAC_E_INPUT, number, place, "%s", wrong) : TAC_OK;
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
                       const tac_cell *cell)
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
