/* See edit.h. */
#include "automation/faults/edit.h"
#include "base/check.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "base/io/input.h"
#include <string.h>

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
    const char *line = text->lines[edit->line - 1], *after = line + text->lengths[edit->line - 1];
    after += *after == '\n';
    tac_str_add_bytes(&out, text->text, (size_t)((edit->replace ? line : after) - text->text));
    if (!edit->replace && after[-1] != '\n')
        tac_str_add_char(&out, '\n');
    tac_str_add(&out, edit->text);
    tac_str_add(&out, after);
    return tac_str_take(&out);
}
