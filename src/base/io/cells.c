#include "base/io/cells.h"

/* A quoted cell: appends its text, returns the place behind the closing quote. */
static const char *quoted_cell(tac_str *text, const char *at, const char *limit)
{
    for (at++; at < limit; at++) {
        if (*at != '"')
            tac_str_add_char(text, *at);
        else if (at + 1 < limit && at[1] == '"')
            tac_str_add_char(text, *at++);
        else
            return at + 1;
    }
    return NULL;
}

static void add_trimmed(tac_str *text, const char *start, const char *end)
{
    while (start < end && *start == ' ')
        start++;
    while (start < end && end[-1] == ' ')
        end--;
    tac_str_add_bytes(text, start, (size_t)(end - start));
}

static bool at_line_end(const char *at, const char *limit)
{
    return at == limit || *at == '\n' || (*at == '\r' && at + 1 < limit && at[1] == '\n');
}

const char *tac_cells_split(tac_cells *cells, char separator, const char *line, const char *limit,
                            const char **end, size_t *place, bool *open)
{
    const char *at = line;
    cells->list.count = 0;
    tac_str_clear(&cells->text);
    *open = false;
    for (;;) {
        size_t begin = cells->text.length;
        *place = (size_t)(at - line) + 1;
        tac_cell cell = {.place = *place};
        if (at < limit && *at == '"') {
            if (!(at = quoted_cell(&cells->text, at, limit))) {
                *open = true;
                return "the quote that opens here is never closed; write \"\" for a quote inside a "
                       "quoted cell";
            }
            *place = (size_t)(at - line) + 1;
            if (!at_line_end(at, limit) && *at != separator)
                return "text behind a closing quote";
        } else {
            const char *start = at;
            while (!at_line_end(at, limit) && *at != separator)
                at++;
            add_trimmed(&cells->text, start, at);
        }
        cell.length = cells->text.length - begin;
        tac_str_add_char(&cells->text, '\0');
        tac_vec_push(&cells->list, cell);
        if (at == limit || *at != separator)
            break;
        at++;
    }
    const char *text = cells->text.text; /* it moves no longer */
    for (size_t i = 0; i < cells->list.count; text += cells->list.at[i++].length + 1)
        cells->list.at[i].text = text;
    *end = at + (at < limit) + (at < limit && *at == '\r');
    return NULL;
}

void tac_cells_free(tac_cells *cells)
{
    tac_vec_free(&cells->list);
    tac_str_free(&cells->text);
}
