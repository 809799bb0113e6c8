/* CSV and TSV: the first row names the columns, one row per state.
 *
 * Two paths read a row. The fast one handles plain cells (no quotes, numbers in digits) straight
 * from the window into the columns; whenever anything else stands there it gives up, and the
 * careful path reads the same row again, accepts what is legal and says exactly what is not. A row
 * counts only when one of them has read all of it, so giving up costs nothing but time. */
#include "trace/read/csv/wide.h"
#include "trace/read/format.h"
#include "trace/text/clock.h"
#include "trace/text/json_text.h"
#include "trace/text/list.h"
#include "trace/text/number.h"
#include <math.h>

/* The first line that is no comment has a separator, and is no JSON. */
static int sniff(const struct trace_probe *probe)
{
    static const char *const starts[] = {"t,", "time,", "timestamp,", "t\t", "time\t", "t [", "t;"};
    const char *line = probe->head + (strncmp(probe->head, "\xef\xbb\xbf", 3) ? 0 : 3);
    if (memchr(probe->head, '\0', probe->size) || *line == '{')
        return 0;
    while (*line == '#' || *line == '\n' || *line == '\r')
        line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (!strncmp(line, starts[i], strlen(starts[i])))
            return 2;
    return strcspn(line, ",\t;") < strcspn(line, "\n") ? 1 : 0;
}

/* The place behind a plain name, or NULL; *id is "no value" for an empty cell. */
static const char *plain_symbol(const struct csv_table *table, tac_trace_source *source,
                                const char *at, uint32_t *id)
{
    const char *start = at;
    *id = TAC_TRACE_NO_SYMBOL;
    while (!table->stops[(unsigned char)*at])
        at++;
    tac_error ignored;
    if (at == start)
        return at;
    if (*start == ' ' || at[-1] == ' ') /* blanks around a cell are not part of it */
        return NULL;
    if (source_symbol_window(source, start, (size_t)(at - start), id, &ignored))
        return NULL;
    return at;
}

/* One cell of a row into its column. Returns the place behind it, or NULL when the careful path has
 * to look. */
static inline const char *fast_cell(const struct csv_table *table, tac_trace_source *source,
                                    const struct csv_column *column, const char *at, ptrdiff_t row,
                                    int64_t *time)
{
    if (column->role == CSV_NUMBER) {
        if (*at == table->separator || *at == '\n') {
            column->numbers[row] = column->numbers[row - 1];
            return at;
        }
        return scan_number(at, &column->numbers[row]);
    }
    if (column->role == CSV_SYMBOL) {
        uint32_t id;
        if (*at == table->separator) {
            column->symbols[row] =
                column->is_event ? TAC_TRACE_NO_SYMBOL : column->symbols[row - 1];
            return at;
        }
        if (!(at = plain_symbol(table, source, at, &id)))
            return NULL;
        if (id == TAC_TRACE_NO_SYMBOL && !column->is_event)
            id = column->symbols[row - 1];
        column->symbols[row] = id;
        return at;
    }
    if (column->role == CSV_TYPED)
        return NULL;
    if (column->role == CSV_DATE)
        return clock_scan_date(at, time);
    return table->time_scale == 1000000000 ? scan_seconds(at, time)
                                           : trace_scaled_time(at, table->time_scale, time);
}

/* Reads rows from `at` on until the block is full, the limit is reached or a row is not plain.
 * Returns the start of the first row that was not read. */
static const char *fast_rows(const struct csv_table *table, tac_trace_source *source,
                             const char *at, const char *limit, size_t most)
{
    size_t row = source->count, full = TAC_TRACE_BLOCK_STATES;
    int64_t last_time = source->last_time;
    const struct csv_column *const columns = table->columns.at;
    const struct csv_column *const end = columns + table->columns.count;
    const char separator = table->separator;
    if (most < full - row)
        full = row + most;
    while (at < limit && row < full) {
        const char *cell = at;
        int64_t time = 0;
        const struct csv_column *column = columns;
        for (;;) {
            cell = fast_cell(table, source, column, cell, (ptrdiff_t)row, &time);
            if (!cell || ++column == end)
                break;
            if (*cell++ != separator) {
                cell = NULL;
                break;
            }
        }
        if (!cell)
            break;
        cell += *cell == '\r';
        if (*cell != '\n' || time < last_time)
            break;
        source->time[row++] = last_time = time;
        at = cell + 1;
    }
    source->count = row;
    source->last_time = last_time;
    return at;
}

/* --- The careful path ------------------------------------------------------------------------- */

static tac_status careful_time(struct csv_table *table, const tac_trace_source *source,
                               const tac_cell *cell, size_t line, int64_t *time, tac_error *err)
{
    const struct csv_column *column = &table->columns.at[table->time_column];
    if (column->role == CSV_SECONDS)
        csv_decimal_comma(table, source, cell);
    const char *end = column->role == CSV_DATE
                          ? clock_scan_date_and_zone(cell->text, time)
                          : trace_scaled_time(cell->text, table->time_scale, time);
    if (!cell->length)
        return source_fail(source, err, TAC_E_INPUT, line, cell->place, "the row has no time");
    if (!end || *end)
        return source_fail(
            source, err, TAC_E_INPUT, line, cell->place, "'%.60s' is not a time; expected %s",
            cell->text,
            column->role == CSV_DATE
                ? "a date such as 2021-01-07 18:19:50"
                : "seconds or an ISO date; for other units name the column 't [ms]'");
    if (*time < source->last_time) {
        char before[32], now[32];
        return source_fail(source, err, TAC_E_INPUT, line, cell->place,
                           "time goes back from %s to %s s; states must be in time order",
                           clock_seconds_text(source->last_time, before, sizeof before),
                           clock_seconds_text(*time, now, sizeof now));
    }
    return TAC_OK;
}

static tac_status bad_number(const struct csv_column *column, const tac_trace_source *source,
                             const tac_cell *cell, size_t line, tac_error *err)
{
    const char *word = cell->text + (*cell->text == '-' || *cell->text == '+');
    if (!strncasecmp(word, "nan", 3) || !strncasecmp(word, "inf", 3))
        return source_fail(
            source, err, TAC_E_INPUT, line, cell->place,
            "'%.60s' in column '%s' is not a finite number; leave the cell empty where "
            "there is no value",
            cell->text, column->name);
    return source_fail(
        source, err, TAC_E_INPUT, line, cell->place,
        "'%.60s' in column '%s' is not a number, and the column has held numbers so far; "
        "read it as discrete if it holds names",
        cell->text, column->name);
}

/* JSON of the column's type, or null; an empty cell holds the last value. */
static tac_status typed_cell(struct csv_table *table, const struct csv_column *column,
                             tac_trace_source *source, const tac_cell *cell, size_t line,
                             tac_error *err)
{
    ptrdiff_t row = (ptrdiff_t)source->count;
    const char *wrong, *end = cell->text;
    tac_str *value = &table->typed;
    column->symbols[row] = column->symbols[row - 1];
    if (!cell->length)
        return TAC_OK;
    if (!strcmp(cell->text, "null")) {
        column->symbols[row] = TAC_TRACE_NO_SYMBOL;
        return TAC_OK;
    }
    tac_str_clear(value);
    if (column->type == TAC_VALUE_LIST) {
        end = list_read(cell->text, value, &table->typed_text, &wrong);
    } else if (column->type == TAC_VALUE_TEXT) {
        end = *cell->text == '"' ? json_text_decode(cell->text + 1, value, &wrong) : NULL;
        end += end != NULL;
    } else if (!strcmp(cell->text, "true") || !strcmp(cell->text, "false")) {
        tac_str_add(value, cell->text);
        end += cell->length;
    }
    if (!end || (size_t)(end - cell->text) != cell->length)
        return source_fail(source, err, TAC_E_INPUT, line, cell->place,
                           "'%.60s' in column '%s' is not a %s in JSON's notation, or null",
                           cell->text, column->name, tac_value_type_name(column->type));
    return source_symbol_text(source, tac_str_text(value), value->length, &column->symbols[row],
                              err);
}

/* "?" among numbers */
static tac_status unknown_cell(tac_trace_source *source, double *number, tac_error *err)
{
    static const char reason[] = "the table has '?' there";
    uint32_t id;
    tac_status status = source_unknown(source, reason, sizeof reason - 1, &id, err);
    if (status == TAC_OK)
        *number = tac_trace_unknown_number(id);
    return status;
}

static tac_status careful_cell(struct csv_table *table, const struct csv_column *column,
                               tac_trace_source *source, const tac_cell *cell, size_t line,
                               tac_error *err)
{
    ptrdiff_t row = (ptrdiff_t)source->count;
    if (column->role == CSV_TYPED)
        return typed_cell(table, column, source, cell, line, err);
    if (column->role == CSV_NUMBER) {
        csv_decimal_comma(table, source, cell);
        const char *end = cell->length ? scan_number(cell->text, &column->numbers[row]) : NULL;
        if (!cell->length)
            column->numbers[row] = column->numbers[row - 1];
        else if (!strcmp(cell->text, "null"))
            column->numbers[row] = NAN;
        else if (!strcmp(cell->text, "?"))
            return unknown_cell(source, &column->numbers[row], err);
        else if (!end || (size_t)(end - cell->text) != cell->length)
            return bad_number(column, source, cell, line, err);
        return TAC_OK;
    }
    uint32_t id = TAC_TRACE_NO_SYMBOL;
    if (cell->length) {
        tac_status status = source_symbol_slow(source, cell->text, cell->length, &id, err);
        if (status)
            return status;
    }
    column->symbols[row] =
        id == TAC_TRACE_NO_SYMBOL && !column->is_event ? column->symbols[row - 1] : id;
    return TAC_OK;
}

static tac_status careful_row(struct csv_table *table, tac_trace_source *source, size_t line,
                              tac_error *err)
{
    size_t wanted = table->columns.count, found = table->row.list.count;
    if (found != wanted)
        return source_fail(source, err, TAC_E_INPUT, line, table->row.list.at[found - 1].place,
                           source->window.unfinished && !window_has_line(&source->window)
                               ? "the file is cut in this row: %zu of %zu cells"
                               : "the row has %zu cells, the header names %zu columns",
                           found, wanted);
    int64_t time = 0;
    for (size_t i = 0; i < wanted; i++) {
        const tac_cell *cell = &table->row.list.at[i];
        tac_status status =
            i == table->time_column
                ? careful_time(table, source, cell, line, &time, err)
                : careful_cell(table, &table->columns.at[i], source, cell, line, err);
        if (status)
            return status;
    }
    source_commit_dense(source, time);
    return TAC_OK;
}

static tac_status careful(struct csv_table *table, tac_trace_source *source, tac_error *err)
{
    struct trace_window *window = &source->window;
    const char *line = window->data + window->begin, *end;
    size_t number = window->line;
    if (*line == '\n' || (*line == '\r' && line[1] == '\n')) { /* a blank line says nothing */
        window->begin += *line == '\r' ? 2 : 1;
        window->line++;
        return TAC_OK;
    }
    tac_error problem = {0};
    tac_status status = csv_split_row(table, source, &end, &problem);
    line = window->data + window->begin;
    if (status) /* drop only the first line: the next one may be fine */
        end = (const char *)memchr(line, '\n', window->complete - window->begin) + 1;
    for (const char *at = line; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        window->line++;
    window->begin = (size_t)(end - window->data);
    if (!status)
        status = careful_row(table, source, number, &problem);
    problem.line = number; /* also of what is said without knowing the row */
    return status ? source_skip_or_fail(source, &problem, err) : TAC_OK;
}

static void set_filled(tac_trace_source *source)
{
    for (size_t i = 0; i < source->columns.count; i++)
        source->columns.at[i].filled = source->count;
}

/* Whole rows at once where that works, cell by cell where it does not. */
static void read_plain(struct csv_table *table, tac_trace_source *source)
{
    enum { FEW_ROWS = 16, MISSES = 64 };
    struct trace_window *window = &source->window;
    const char *at = window->data + window->begin, *limit = window->data + window->complete;
    size_t before = source->count;
    if (table->wide)
        at = csv_wide_rows(table, source, at, limit);
    if (table->wide) {
        /* tables whose rows are never plain enough stop asking */
        table->misses = source->count - before < FEW_ROWS ? table->misses + 1 : 0;
        table->wide = table->misses < MISSES;
    }
    at = fast_rows(table, source, at, limit, table->wide ? 1 : SIZE_MAX);
    window->begin = (size_t)(at - window->data);
}

static tac_status fill(tac_trace_source *source, tac_error *err)
{
    struct csv_table *table = source->reader;
    struct trace_window *window = &source->window;
    tac_status status = TAC_OK;
    while (!status && source->count < TAC_TRACE_BLOCK_STATES) {
        if (!window_has_line(window)) {
            bool waits;
            status = source_more_lines(source, &waits, err);
            if (status || waits)
                break;
            if (!window_has_line(window)) {
                source->ended = true;
                break;
            }
        }
        size_t before = source->count;
        read_plain(table, source);
        window->line += source->count - before; /* a plain row is one line */
        if (window_has_line(window) && source->count == before)
            status = careful(table, source, err);
    }
    set_filled(source);
    return status;
}

static tac_status open_csv(tac_trace_source *source, tac_error *err)
{
    struct csv_table *table = tac_calloc(1, sizeof *table);
    source->reader = table;
    tac_status status = csv_read_header(table, source, err);
    table->wide = status == TAC_OK && csv_wide_usable(table);
    return status;
}

static void close_csv(tac_trace_source *source)
{
    if (source->reader)
        csv_table_free(source->reader);
    free(source->reader);
}

const struct trace_format trace_format_csv = {
    .id = TRACE_CSV,
    .endings = "|.csv|.tsv|.txt|",
    .sniff = sniff,
    .open = open_csv,
    .fill = fill,
    .close = close_csv,
};
