/* See edit.h. */
#include "automation/faults/edit.h"
#include "base/check.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "base/io/input.h"
#include <string.h>

enum { CONTEXT = 3 };

bool edit_open(struct edit_text *out, const char *path)
{
    size_t size;
    memset(out, 0, sizeof *out);
    if (tac_input_slurp(path, 16 << 20, &out->text, &size, NULL) != TAC_OK)
        return false;
    TAC_VEC(const char *) lines = {0};
    TAC_VEC(size_t) lengths = {0};
    for (const char *at = out->text; *at;) {
        size_t length = strcspn(at, "\n");
        tac_vec_push(&lines, at);
        tac_vec_push(&lengths, length);
        at += length + (at[length] == '\n');
    }
    out->lines = lines.at;
    out->lengths = lengths.at;
    out->count = lines.count;
    return true;
}

void edit_close(struct edit_text *text)
{
    free(text->text);
    free(text->lines);
    free(text->lengths);
}

size_t edit_key_column(const struct edit_text *text, size_t line)
{
    assert(line >= 1 && line <= text->count);
    const char *at = text->lines[line - 1];
    size_t column = strspn(at, " ");
    while (at[column] == '-' && at[column + 1] == ' ')
        column += 1 + strspn(at + column + 1, " ");
    return column;
}

static void add_line(tac_str *out, const struct edit_text *text, size_t index, const char *mark)
{
    tac_str_add(out, mark);
    tac_str_add_bytes(out, text->lines[index], text->lengths[index]);
    tac_str_add_char(out, '\n');
}

void edit_end_lines(const struct edit_text *text, struct edit *edit)
{
    size_t length = text->lengths[edit->line - 1];
    if (!length || text->lines[edit->line - 1][length - 1] != '\r')
        return;
    tac_str out = {0};
    for (const char *c = edit->text; *c; c++) {
        if (*c == '\n' && (c == edit->text || c[-1] != '\r'))
            tac_str_add_char(&out, '\r');
        tac_str_add_char(&out, *c);
    }
    free(edit->text);
    edit->text = tac_str_take(&out);
}

char *edit_apply(const struct edit_text *text, const struct edit *edit)
{
    tac_str out = {0};
    for (size_t i = 0; i < text->count; i++) {
        if (!(edit->replace && i + 1 == edit->line))
            add_line(&out, text, i, "");
        if (i + 1 == edit->line)
            tac_str_add(&out, edit->text);
    }
    return tac_str_take(&out);
}

char *edit_diff(const struct edit_text *text, const struct edit *edit, const char *file)
{
    tac_str out = {0};
    size_t added = 0;
    for (const char *c = edit->text; *c; c++)
        added += *c == '\n';
    size_t first = edit->line > CONTEXT ? edit->line - CONTEXT : 1;
    size_t last = edit->line + CONTEXT < text->count ? edit->line + CONTEXT : text->count;
    size_t before = last - first + 1, after = before + added - edit->replace;
    tac_str_addf(&out, "--- a/%s\n+++ b/%s\n@@ -%zu,%zu +%zu,%zu @@\n", file, file, first, before,
                 first, after);
    for (size_t i = first; i <= last; i++) {
        add_line(&out, text, i - 1, edit->replace && i == edit->line ? "-" : " ");
        for (const char *c = edit->text; i == edit->line && *c;) {
            size_t length = strcspn(c, "\n");
            tac_str_addf(&out, "+%.*s\n", (int)length, c);
            c += length + (c[length] == '\n');
        }
    }
    return tac_str_take(&out);
}
