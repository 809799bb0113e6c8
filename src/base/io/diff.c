/* The longest common subsequence of the lines between the common beginning and the common end, by
 * the table of lengths: O(n m) in time and memory for what is left, capped. */
#include "base/io/diff.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CONTEXT = 3, MOST_CELLS = 16 << 20 };

struct line {
    const char *text;
    size_t length; /* with its newline, if it has one */
};

typedef TAC_VEC(struct line) lines;
/* ' ' both, '-' old alone, '+' new alone; old and new count the lines before it. */
struct entry {
    char sign;
    size_t before_old, before_new;
    struct line line;
};
typedef TAC_VEC(struct entry) script;

static void split(const char *text, size_t size, lines *out)
{
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at + 1 : size - at;
        tac_vec_push(out, (struct line){text + at, length});
        at += length;
    }
}

static bool equal(const struct line *a, const struct line *b)
{
    return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

static void put(script *s, char sign, size_t i, size_t j, struct line line)
{
    tac_vec_push(s, (struct entry){sign, i, j, line});
}

/* Lines [from, i_end) of a against [from, j_end) of b. */
static void compare(const lines *a, const lines *b, size_t from, size_t i_end, size_t j_end,
                    script *s)
{
    size_t rows = i_end - from, columns = j_end - from, i = 0, j = 0;
    bool small =
        rows < MOST_CELLS && columns < MOST_CELLS && (rows + 1) * (columns + 1) <= MOST_CELLS;
    uint32_t *best = small ? tac_calloc((rows + 1) * (columns + 1), sizeof *best) : NULL;
    const size_t width = columns + 1;
    for (size_t r = small ? rows : 0; r-- > 0;)
        for (size_t c = columns; c-- > 0;) {
            uint32_t down = best[(r + 1) * width + c], right = best[r * width + c + 1];
            best[r * width + c] = equal(&a->at[from + r], &b->at[from + c])
                                      ? best[(r + 1) * width + c + 1] + 1
                                      : (down > right ? down : right);
        }
    while (i < rows || j < columns) {
        if (small && i < rows && j < columns && equal(&a->at[from + i], &b->at[from + j])) {
            put(s, ' ', from + i, from + j, a->at[from + i]);
            i++, j++;
        } else if (i < rows && (!small || j == columns ||
                                best[(i + 1) * width + j] >= best[i * width + j + 1])) {
            put(s, '-', from + i, from + j, a->at[from + i]);
            i++;
        } else {
            put(s, '+', from + i, from + j, b->at[from + j]);
            j++;
        }
    }
    free(best);
}

static void make_script(const lines *a, const lines *b, script *s)
{
    size_t start = 0, i_end = a->count, j_end = b->count;
    while (start < i_end && start < j_end && equal(&a->at[start], &b->at[start]))
        start++;
    while (i_end > start && j_end > start && equal(&a->at[i_end - 1], &b->at[j_end - 1]))
        i_end--, j_end--;
    for (size_t i = 0; i < start; i++)
        put(s, ' ', i, i, a->at[i]);
    compare(a, b, start, i_end, j_end, s);
    for (size_t i = i_end; i < a->count; i++)
        put(s, ' ', i, j_end + (i - i_end), a->at[i]);
}

static void write_hunk(tac_str *out, const script *s, size_t from, size_t to)
{
    size_t olds = 0, news = 0;
    assert(from < to && to <= s->count);
    for (size_t i = from; i < to; i++) {
        olds += s->at[i].sign != '+';
        news += s->at[i].sign != '-';
    }
    tac_str_addf(out, "@@ -%zu,%zu +%zu,%zu @@\n", s->at[from].before_old + (olds > 0), olds,
                 s->at[from].before_new + (news > 0), news);
    for (size_t i = from; i < to; i++) {
        const struct line *line = &s->at[i].line;
        tac_str_add_char(out, s->at[i].sign);
        tac_str_add_bytes(out, line->text, line->length);
        if (!line->length || line->text[line->length - 1] != '\n')
            tac_str_add(out, "\n\\ No newline at end of file\n");
    }
}

static void write_hunks(tac_str *out, const script *s)
{
    for (size_t i = 0; i < s->count;) {
        if (s->at[i].sign == ' ') {
            i++;
            continue;
        }
        size_t from = i > CONTEXT ? i - CONTEXT : 0, last = i;
        for (size_t k = i; k < s->count && k <= last + 2 * CONTEXT; k++)
            if (s->at[k].sign != ' ')
                last = k;
        size_t to = last + 1 + CONTEXT < s->count ? last + 1 + CONTEXT : s->count;
        write_hunk(out, s, from, to);
        i = to;
    }
}

char *tac_unified_diff(const char *name, const char *old_text, size_t old_size,
                       const char *new_text, size_t new_size)
{
    lines a = {0}, b = {0};
    script s = {0};
    tac_str out = {0};
    split(old_text, old_size, &a);
    split(new_text, new_size, &b);
    make_script(&a, &b, &s);
    write_hunks(&out, &s);
    char *hunks = tac_str_take(&out);
    char *whole =
        hunks && *hunks ? tac_format("--- a/%s\n+++ b/%s\n%s", name, name, hunks) : tac_strdup("");
    free(hunks);
    tac_vec_free(&a);
    tac_vec_free(&b);
    tac_vec_free(&s);
    return whole;
}
