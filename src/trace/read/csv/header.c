/* The header row: names, units, the time column, and by the first filled cell of each column
 * whether it holds numbers.
 *
 * A name may carry its unit in brackets: "rxData [kB]", "t [ms]". */
#include "base/data/text.h"
#include "trace/read/csv/table.h"
#include "trace/text/clock.h"
#include "trace/text/list.h"
#include "trace/text/number.h"
#include <strings.h>

void csv_table_free(struct csv_table *table)
{
    for (size_t i = 0; i < table->columns.count; i++) {
        free(table->columns.at[i].name);
        free(table->columns.at[i].whole_name);
        free(table->columns.at[i].unit);
    }
    tac_vec_free(&table->columns);
    tac_cells_free(&table->row);
    tac_str_free(&table->typed);
    tac_str_free(&table->typed_text);
}

/* The one of comma, tab and semicolon that the header row has most. */
static char find_separator(const char *line, const char *end)
{
    static const char candidates[] = ",\t;";
    char best = ',';
    size_t most = 0;
    for (const char *candidate = candidates; *candidate; candidate++) {
        size_t count = 0;
        bool quoted = false;
        for (const char *at = line; at < end; at++) {
            quoted ^= *at == '"';
            count += !quoted && *at == *candidate;
        }
        if (count > most) {
            most = count;
            best = *candidate;
        }
    }
    return best;
}

static void name_column(struct csv_column *column, const char *text, size_t index)
{
    while (*text == ' ')
        text++;
    size_t length = strlen(text);
    while (length && text[length - 1] == ' ')
        length--;
    const char *bracket = length && text[length - 1] == ']' ? memrchr(text, '[', length) : NULL;
    column->whole_name = tac_strndup(text, length);
    column->unit = tac_strdup("");
    if (bracket && bracket > text) {
        free(column->unit);
        column->unit = tac_strndup(bracket + 1, (size_t)(text + length - bracket - 2));
        length = (size_t)(bracket - text);
        while (length && text[length - 1] == ' ')
            length--;
    }
    if (type_of_name(column->unit, &column->type) && column->type != TAC_VALUE_NAME) {
        column->role = CSV_TYPED;
        *column->unit = '\0';
    }
    column->name = length ? tac_strndup(text, length) : tac_format("column%zu", index + 1);
}

static tac_status check_names(const struct csv_table *table, const tac_trace_source *source,
                              size_t line, tac_error *err)
{
    for (size_t i = 0; i < table->columns.count; i++)
        if (strchr(table->columns.at[i].name, '\r'))
            return source_fail(source, err, TAC_E_INPUT, line, table->columns.at[i].place,
                               "a carriage return in the first row: where it alone ends lines, "
                               "write line feeds instead");
    for (size_t i = 0; i < table->columns.count; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(table->columns.at[i].name, table->columns.at[k].name))
                return source_fail(source, err, TAC_E_INPUT, line, table->columns.at[i].place,
                                   "the column '%s' appears twice (columns %zu and %zu)",
                                   table->columns.at[i].name, k + 1, i + 1);
    return TAC_OK;
}

static bool has_column(const struct csv_table *table, const char *name, size_t length)
{
    for (size_t i = 0; i < table->columns.count; i++)
        if (strlen(table->columns.at[i].name) == length &&
            !memcmp(table->columns.at[i].name, name, length))
            return true;
    return false;
}

static const struct {
    const char *word;
    int64_t scale; /* nanoseconds; 0: not a unit that is read */
} time_units[] = {{"s", 1000000000},
                  {"sec", 1000000000},
                  {"seconds", 1000000000},
                  {"ms", 1000000},
                  {"msec", 1000000},
                  {"milliseconds", 1000000},
                  {"us", 1000},
                  {"\xc2\xb5s", 1000},
                  {"\xce\xbcs", 1000},
                  {"usec", 1000},
                  {"microseconds", 1000},
                  {"ns", 1},
                  {"nsec", 1},
                  {"nanoseconds", 1},
                  {"min", 0},
                  {"minutes", 0},
                  {"h", 0},
                  {"hours", 0}};

/* The unit that a name ends with in another way than in brackets: "Time (ms)", "time_ms". *length
 * is what stands before it; NULL: none. */
static const char *unit_of_name(const char *name, size_t *length, int64_t *scale)
{
    size_t whole = strlen(name);
    bool inside = whole && name[whole - 1] == ')';
    for (size_t i = 0; i < sizeof time_units / sizeof *time_units; i++) {
        size_t n = strlen(time_units[i].word) + inside;
        const char *at = whole > n + 1 ? name + whole - n : NULL;
        if (!at || strncasecmp(at, time_units[i].word, n - inside) != 0 ||
            (inside ? at[-1] != '(' : !strchr("_ .-", at[-1]) || !time_units[i].scale))
            continue;
        *length = whole - n - 1;
        while (*length && name[*length - 1] == ' ')
            --*length;
        *scale = time_units[i].scale;
        return time_units[i].word;
    }
    return NULL;
}

/* with_unit: the usual name with a unit behind it, which may be a duration, too. */
static bool is_usual(const char *name, const char *usual, bool with_unit)
{
    size_t length;
    int64_t scale;
    if (!with_unit)
        return !strcasecmp(name, usual);
    if (!unit_of_name(name, &length, &scale) || length != strlen(usual) ||
        strncasecmp(name, usual, length) != 0)
        return false;
    return TAC_IS_ONE_OF(usual, "t", "time", "timestamp", "ts", "epoch");
}

/* With its unit or without. */
static bool is_named(const struct csv_column *column, const char *name)
{
    return !strcmp(column->name, name) || !strcmp(column->whole_name, name);
}

static tac_status find_time_column(struct csv_table *table, const tac_trace_source *source,
                                   size_t line, tac_error *err)
{
    /* In the order in which they are preferred, all without a unit before any with one; capitals do
     * not matter. */
    static const char *const usual[] = {"t",        "time",         "timestamp", "date",
                                        "datetime", "ts",           "time_s",    "seconds",
                                        "elapsed",  "elapsed_time", "epoch"};
    size_t usual_count = sizeof usual / sizeof usual[0];
    const char *wanted = source->options.time_column;
    bool found = false;
    for (size_t i = 0; wanted && i < table->columns.count; i++)
        found |= is_named(&table->columns.at[i], wanted);
    if (source->options.shared && !found)
        wanted = NULL;
    tac_str names = {.cap = 400};
    for (size_t u = 0; u < (wanted ? 1 : 2 * usual_count); u++)
        for (size_t i = 0; i < table->columns.count; i++)
            if (wanted ? is_named(&table->columns.at[i], wanted)
                       : is_usual(table->columns.at[i].name, usual[u % usual_count],
                                  u >= usual_count)) {
                table->time_column = i;
                return TAC_OK;
            }
    for (size_t i = 0; i < table->columns.count; i++)
        tac_str_addf(&names, "%s%s", i ? ", " : "", table->columns.at[i].name);
    tac_status status =
        wanted
            ? source_fail(source, err, TAC_E_INPUT, line, 0,
                          "no column '%s' to take the time from; the first row names %s", wanted,
                          tac_str_text(&names))
            : source_fail(source, err, TAC_E_INPUT, line, 0,
                          "no time column: expected t, time or timestamp; the first row names %s",
                          tac_str_text(&names));
    tac_str_free(&names);
    return status;
}

static tac_status set_time_unit(struct csv_table *table, const tac_trace_source *source,
                                size_t line, tac_error *err)
{
    const struct csv_column *column = &table->columns.at[table->time_column];
    const char *unit = column->unit;
    size_t length;
    table->time_scale = *unit ? 0 : 1000000000;
    for (size_t i = 0; *unit && i < sizeof time_units / sizeof *time_units; i++)
        if (!strcasecmp(unit, time_units[i].word))
            table->time_scale = time_units[i].scale;
    if (!*unit)
        unit = unit_of_name(column->name, &length, &table->time_scale);
    table->unit_assumed = !unit;
    if (table->time_scale)
        return TAC_OK;
    return source_fail(source, err, TAC_E_INPUT, line, column->place,
                       "the time column is in '%s'; expected s, ms, us or ns", unit);
}

/* Numbers, and the words that stand for a number that is none. */
static bool looks_like_number(const char *text)
{
    double value;
    const char *end = scan_number(text, &value);
    if (end && !*end)
        return true;
    text += *text == '-' || *text == '+';
    return !strcasecmp(text, "nan") || !strcasecmp(text, "inf") || !strcasecmp(text, "infinity");
}

static enum csv_role role_of(const struct csv_table *table, size_t column, const char *text)
{
    int64_t date;
    bool number = looks_like_number(text);
    if (column != table->time_column)
        return number ? CSV_NUMBER : CSV_SYMBOL;
    return !number && clock_scan_date(text, &date) ? CSV_DATE : CSV_SECONDS;
}

/* Times without a unit that are too large for seconds count since 1970. */
static void assume_epoch(struct csv_table *table, const char *text)
{
    int64_t scale = trace_epoch_scale(text, &table->epoch);
    if (scale)
        table->time_scale = scale;
}

/* Looks through the rows that are in the window for each column's first filled cell. *open counts
 * the columns without one; false when the first row is not complete yet. */
static bool sample_rows(struct csv_table *table, const tac_trace_source *source, bool *known,
                        size_t *open)
{
    const char *at = source->window.data + source->window.begin;
    const char *limit = source->window.data + source->window.complete;
    tac_error ignored;
    bool any = false;
    while (at < limit && *open) {
        if (csv_split(table, source, at, limit, 0, &at, &ignored))
            return any;
        any = any || table->row.list.count > 1 || table->row.list.at[0].length;
        for (size_t i = 0; i < table->row.list.count && i < table->columns.count; i++) {
            if (known[i] || !table->row.list.at[i].length ||
                !strcmp(table->row.list.at[i].text, "?")) /* an unknown number, or a name */
                continue;
            known[i] = true;
            --*open;
            if (table->columns.at[i].role == CSV_TYPED ||
                !strcmp(table->row.list.at[i].text, "null"))
                continue;
            if (strcmp(table->columns.at[i].name, "event") != 0 &&
                !tac_list_has(source->options.discrete, table->columns.at[i].name))
                csv_decimal_comma(table, source, &table->row.list.at[i]);
            table->columns.at[i].role = role_of(table, i, table->row.list.at[i].text);
            if (i == table->time_column && table->unit_assumed)
                assume_epoch(table, table->row.list.at[i].text);
        }
    }
    return any;
}

/* Reads on while columns are undecided, up to one window; of a live source only its first row. */
static tac_status sample_kinds(struct csv_table *table, tac_trace_source *source, tac_error *err)
{
    struct trace_window *window = &source->window;
    bool *known = tac_calloc(table->columns.count, sizeof *known);
    size_t open = table->columns.count;
    tac_status status = TAC_OK;
    while (!status) {
        bool any = sample_rows(table, source, known, &open);
        bool enough = any && (window->live || !open);
        if (enough || window->complete - window->begin >= TRACE_WINDOW_SIZE / 2 ||
            (window->ended && window->complete == window->end))
            break;
        tac_error problem;
        if (window_more_lines(window, &problem)) { /* told when the row is read */
            if (problem.status == TAC_E_LIMIT)
                break;
            *err = problem;
            status = problem.status;
        }
    }
    free(known);
    return status;
}

static tac_status declare_variables(struct csv_table *table, tac_trace_source *source,
                                    tac_error *err)
{
    for (size_t i = 0; i < table->columns.count; i++) {
        struct csv_column *column = &table->columns.at[i];
        column->variable = SIZE_MAX;
        if (i == table->time_column)
            continue;
        column->is_event = !strcmp(column->name, "event");
        if (column->is_event ||
            (column->role != CSV_TYPED && tac_list_has(source->options.discrete, column->name)))
            column->role = CSV_SYMBOL;
        tac_status status =
            source_add_variable(source, column->name, strlen(column->name),
                                column->role == CSV_NUMBER ? TAC_CONTINUOUS : TAC_DISCRETE,
                                column->unit, false, &column->variable, err);
        if (status)
            return status;
        if (column->role == CSV_TYPED)
            source_set_type(source, column->variable, column->type);
        column->numbers = source->columns.at[column->variable].numbers;
        column->symbols = source->columns.at[column->variable].symbols;
    }
    return TAC_OK;
}

/* Names that --discrete lists must exist, or the list has a misspelling. */
static tac_status check_discrete(const struct csv_table *table, const tac_trace_source *source,
                                 tac_error *err)
{
    for (const char *at = source->options.discrete; at && *at;) {
        size_t item = strcspn(at, ",");
        if (item && !source->options.shared && !has_column(table, at, item))
            return source_fail(source, err, TAC_E_INPUT, 1, 0,
                               "no column '%.*s' to read as discrete", (int)item, at);
        at += item + (at[item] == ',');
    }
    return TAC_OK;
}

/* The first line that is neither blank nor a comment. */
/* "sep=;", which Excel writes and reads before the header. */
static bool is_separator_line(const char *line, size_t length)
{
    return length >= 4 && length <= 5 && !memcmp(line, "sep=", 4);
}

static tac_status next_header_line(tac_trace_source *source, const char **line, size_t *length,
                                   size_t *number, tac_error *err)
{
    bool waits;
    do {
        tac_status status = source_next_line(source, line, length, number, &waits, err);
        if (status)
            return status;
        if (*line && *number == 1 && *length >= 3 && !memcmp(*line, "\xef\xbb\xbf", 3)) {
            *line += 3;
            *length -= 3;
        }
    } while (*line && (!*length || **line == '#' || is_separator_line(*line, *length)));
    if (!*line)
        return source_fail(source, err, TAC_E_INPUT, 1, 0,
                           "the table is empty; its first row must name the columns");
    return TAC_OK;
}

/* The header again as a row: names in quotes may have line ends, as Excel's do. They are blanks. */
static tac_status split_header(struct csv_table *table, tac_trace_source *source, const char *line,
                               size_t number, tac_error *err)
{
    struct trace_window *window = &source->window;
    const char *end;
    window->begin = (size_t)(line - window->data);
    window->line = number;
    tac_status status = csv_split_row(table, source, &end, err);
    if (status)
        return status;
    const char *at = window->data + window->begin;
    window->begin = (size_t)(end - window->data);
    for (; at < end; at++)
        window->line += *at == '\n';
    char *text = table->row.text.text, *stop = text + table->row.text.length;
    while ((text = memchr(text, '\n', (size_t)(stop - text)))) {
        if (text > table->row.text.text && text[-1] == '\r')
            text[-1] = ' ';
        *text = ' ';
    }
    return TAC_OK;
}

tac_status csv_read_header(struct csv_table *table, tac_trace_source *source, tac_error *err)
{
    const char *line;
    size_t length, number;
    tac_status status = next_header_line(source, &line, &length, &number, err);
    if (status)
        return status;
    table->separator = find_separator(line, line + length);
    for (const char *stop = "\n\r\""; *stop; stop++)
        table->stops[(unsigned char)*stop] = true;
    table->stops[(unsigned char)table->separator] = true;
    if ((status = split_header(table, source, line, number, err)))
        return status;
    bool all_numbers = true;
    for (size_t i = 0; i < table->row.list.count; i++) {
        struct csv_column column = {.place = table->row.list.at[i].place, .role = CSV_NUMBER};
        all_numbers = all_numbers && looks_like_number(table->row.list.at[i].text);
        name_column(&column, table->row.list.at[i].text, i);
        tac_vec_push(&table->columns, column);
    }
    if (all_numbers)
        return source_fail(source, err, TAC_E_INPUT, number, 1,
                           "the first row must name the columns, but holds only numbers");
    if (table->columns.count > TRACE_VARIABLES_MAX)
        return source_fail(source, err, TAC_E_LIMIT, number, 0, "more than %d columns",
                           TRACE_VARIABLES_MAX);
    if ((status = check_names(table, source, number, err)) ||
        (status = find_time_column(table, source, number, err)) ||
        (status = set_time_unit(table, source, number, err)) ||
        (status = check_discrete(table, source, err)))
        return status;
    table->columns.at[table->time_column].role = CSV_SECONDS;
    if ((status = sample_kinds(table, source, err)))
        return status;
    if (table->epoch)
        source_note_epoch(source, table->epoch);
    return declare_variables(table, source, err);
}
