/* The lines of a pasted text: each with the header of its log's record apart, colours and marks of
 * quotation gone, a frame that a terminal broke joined again. In the long layout of logcat a header
 * stands on a line of its own and holds for the lines below it. Cost: linear in the text. */
#include "mining/crash/stack_parser.h"
#include <ctype.h>

static bool is_broken_frame(const struct log_line *line)
{
    struct log_line t = crash_line_trimmed(line);
    return crash_line_begins(&t, "at ") && !memchr(t.text, ')', t.length);
}

/* Joins the rest of a frame that a terminal broke after the line before. */
static bool join_broken(struct stack_parser *p, const struct log_line *next)
{
    if (p->lines.count == 0 || next->has_header || next->length == 0 ||
        isspace((unsigned char)*next->text) || crash_line_begins(next, "at ") ||
        crash_line_begins(next, "Caused by"))
        return false;
    struct log_line *last = &tac_vec_last(&p->lines);
    if (!is_broken_frame(last))
        return false;
    tac_str joined = {0};
    tac_str_add_bytes(&joined, last->text, last->length);
    tac_str_add_bytes(&joined, next->text, next->length);
    last->text = parser_keep(p, joined.text, joined.length);
    last->length = joined.length;
    tac_str_free(&joined);
    return true;
}

/* The length of a terminal's escape sequence (ESC [ numbers letter) at the beginning of text. */
static size_t escape_length(const char *text)
{
    if (text[0] != '\033' || text[1] != '[')
        return 0;
    size_t size = 2 + strspn(text + 2, "0123456789;");
    return isalpha((unsigned char)text[size]) ? size + 1 : 0;
}

/* The text without colours and without the "> " of quoted mails and comments. */
static const char *without_markup(struct stack_parser *p, const char *stack)
{
    if (!strchr(stack, '\033') && strncmp(stack, "> ", 2) != 0 && !strstr(stack, "\n> "))
        return stack;
    char *copy = tac_arena_alloc(p->arena, strlen(stack) + 1), *to = copy;
    bool begins = true;
    while (*stack) {
        size_t skip = escape_length(stack);
        if (!skip && begins && stack[0] == '>' && (stack[1] == ' ' || stack[1] == '\t'))
            skip = 2;
        if (skip) {
            stack += skip;
            continue;
        }
        begins = *stack == '\n';
        *to++ = *stack++;
    }
    *to = '\0';
    return copy;
}

void parser_read_lines(struct stack_parser *p, const char *text)
{
    const char *stack = without_markup(p, text);
    const char *pid = NULL, *tag = NULL; /* of the long layout: the header stands before */
    size_t pid_length = 0, tag_length = 0;
    while (*stack && p->lines.count < MAX_LINES) {
        size_t size = strcspn(stack, "\n");
        size_t visible = size && stack[size - 1] == '\r' ? size - 1 : size;
        struct log_line line = crash_line(&p->reader->records, stack, visible);
        if (line.has_header && line.length == 0 && line.text == stack + visible && visible &&
            stack[0] == '[') {
            pid = line.pid, pid_length = line.pid_length;
            tag = line.tag, tag_length = line.tag_length;
        } else {
            if (!line.has_header && tag) {
                line.pid = pid, line.pid_length = pid_length;
                line.tag = tag, line.tag_length = tag_length;
            }
            if (!join_broken(p, &line))
                tac_vec_push(&p->lines, line);
        }
        stack += size + (stack[size] == '\n');
    }
}

/* Where " at a.b.C.d(" or " Caused by: " begins behind `from`; the end: nowhere. */
static const char *next_part(const char *from, const char *end)
{
    for (const char *at = from; at < end; at++) {
        if (*at != ' ')
            continue;
        if (has_prefix(at, (size_t)(end - at), " Caused by: "))
            return at;
        if (!has_prefix(at, (size_t)(end - at), " at "))
            continue;
        const char *stop = at + 4;
        unsigned dots = 0;
        for (; stop < end && (crash_is_name_char(*stop) || strchr(".<>-/", *stop)); stop++)
            dots += *stop == '.';
        if (dots && stop < end && *stop == '(')
            return at;
    }
    return end;
}

bool parser_break_lines(struct stack_parser *p)
{
    size_t count = p->lines.count;
    if (!count)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct log_line line = p->lines.at[i];
        const char *end = line.text + line.length, *at = line.text;
        while (at < end && p->lines.count < 2 * MAX_LINES) {
            const char *stop = next_part(at + 1, end);
            line.text = at;
            line.length = (size_t)(stop - at);
            tac_vec_push(&p->lines, line);
            at = stop;
        }
    }
    size_t parts = p->lines.count - count;
    memmove(p->lines.at, p->lines.at + count, parts * sizeof *p->lines.at);
    p->lines.count = parts;
    return parts > count;
}
