/* Prefixes of logs are learned from the frames: a line in which a frame begins further in shows one
 * as its beginning; two frames that agree on it but for numbers and blanks settle it. Cost: the
 * places where a word begins in the first part of each line, until two agree. */
#include "mining/crash/line_prefix.h"
#include "base/check.h"
#include "base/data/arena.h"
#include <ctype.h>

enum { LONGEST_PREFIX = 120, MOST_PLACES = 24, MOST_SHAPES = 64, MOST_LINES = 5000 };

/* The number of characters of line that match the shape of the prefix: digits stand for any digits,
 * blanks for any blanks; SIZE_MAX: they do not match. */
static size_t match_shape(const char *prefix, size_t size, const char *line, size_t length)
{
    size_t at = 0;
    for (size_t i = 0; i < size;) {
        bool digit = isdigit((unsigned char)prefix[i]), blank = isspace((unsigned char)prefix[i]);
        if (at >= length)
            return SIZE_MAX;
        if (!digit && !blank) {
            if (prefix[i++] != line[at++])
                return SIZE_MAX;
            continue;
        }
        size_t from = at;
        while (i < size &&
               (digit ? isdigit((unsigned char)prefix[i]) : isspace((unsigned char)prefix[i])))
            i++;
        while (at < length &&
               (digit ? isdigit((unsigned char)line[at]) : isspace((unsigned char)line[at])))
            at++;
        if (at == from)
            return SIZE_MAX;
    }
    assert(at <= length);
    return at;
}

/* Where a frame begins behind something that is not blank; 0: nowhere. */
static size_t frame_inside(const struct log_line *line, tac_arena *arena)
{
    unsigned places = 0;
    bool text = false;
    for (size_t i = 0; i < line->length && i < LONGEST_PREFIX && places < MOST_PLACES; i++) {
        bool begins = !isspace((unsigned char)line->text[i]) &&
                      (i == 0 || isspace((unsigned char)line->text[i - 1]) ||
                       strchr("|]:>)", line->text[i - 1]));
        struct stack_frame frame;
        if (begins && text && line->length - i > 5 &&
            stack_frame_read(line->text + i, line->length - i, arena, &frame))
            return i;
        places += begins;
        text = text || !isspace((unsigned char)line->text[i]);
    }
    return 0;
}

/* The prefix without the blanks at its end, which may be the frame's own. */
static size_t bare(const char *text, size_t size)
{
    while (size && isspace((unsigned char)text[size - 1]))
        size--;
    return size;
}

static bool learn(const struct log_line *lines, size_t count, const char **prefix, size_t *size)
{
    const char *shapes[MOST_SHAPES];
    size_t sizes[MOST_SHAPES], shape_count = 0;
    tac_arena arena = {0};
    bool found = false;
    for (size_t i = 0; i < count && i < MOST_LINES && !found; i++) {
        size_t at = frame_inside(&lines[i], &arena), length = bare(lines[i].text, at);
        for (size_t k = 0; k < shape_count && length && !found; k++)
            if (match_shape(shapes[k], sizes[k], lines[i].text, length) == length) {
                found = true;
                *prefix = shapes[k];
                *size = sizes[k];
            }
        if (length && !found && shape_count < MOST_SHAPES) {
            shapes[shape_count] = lines[i].text;
            sizes[shape_count++] = length;
        }
    }
    tac_arena_free(&arena);
    return found;
}

bool strip_common_prefix(struct log_line *lines, size_t *count)
{
    const char *prefix;
    size_t size, kept = 0;
    if (!learn(lines, *count, &prefix, &size))
        return false;
    for (size_t i = 0; i < *count; i++) {
        struct log_line line = lines[i];
        size_t at = match_shape(prefix, size, line.text, line.length);
        if (at == SIZE_MAX)
            continue;
        at += at < line.length && line.text[at] == ' ';
        line.text += at;
        line.length -= at;
        lines[kept++] = line;
    }
    assert(kept >= 2 && kept <= *count);
    *count = kept;
    return true;
}
