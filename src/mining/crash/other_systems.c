/* Crash reports that are laid out otherwise than Java's and scripts' stacks: Apple's, the
 * sanitizers', Python's. */
#include "base/check.h"
#include "mining/crash/stack_parser.h"
#include <ctype.h>

static bool is_throw_stack(const struct log_line *line)
{
    return crash_line_begins(line, "Last Exception Backtrace") ||
           crash_line_begins(line, "*** First throw call stack");
}

static bool is_crashed_thread(const struct log_line *line)
{
    return crash_line_begins(line, "Thread ") && crash_line_holds(line, " Crashed:");
}

bool is_traceback(const struct log_line *line)
{
    return crash_line_begins(line, "Traceback (most recent call last)");
}

static bool is_sanitizer(const struct log_line *line)
{
    return crash_line_holds(line, "ERROR: AddressSanitizer: ") ||
           crash_line_holds(line, "ERROR: ThreadSanitizer: ") ||
           crash_line_holds(line, "ERROR: LeakSanitizer: ") ||
           crash_line_holds(line, "ERROR: MemorySanitizer: ");
}

/* The word behind a lead, up to one of the stops; kept as what the crash is called. */
static void note_word(struct stack_parser *p, const struct log_line *line, const char *lead,
                      const char *stops)
{
    const char *at = memmem(line->text, line->length, lead, strlen(lead));
    const char *end = line->text + line->length;
    at = at ? at + strlen(lead) : end;
    while (at < end && isspace((unsigned char)*at))
        at++;
    size_t size = 0;
    while (at + size < end && !isspace((unsigned char)at[size]) && !strchr(stops, at[size]))
        size++;
    if (size && size < 200 && !p->signal)
        p->signal = parser_keep(p, at, size);
}

/* Apple's reports: the thrown exception's backtrace, else the thread that crashed. */
size_t find_apple(struct stack_parser *p)
{
    size_t thrown = parser_find(p, is_throw_stack), thread = parser_find(p, is_crashed_thread);
    size_t from = thrown != SIZE_MAX ? thrown : thread;
    for (size_t i = 0; i < from && from != SIZE_MAX; i++) {
        struct log_line line = crash_line_trimmed(&p->lines.at[i]);
        if (crash_line_holds(&line, "uncaught exception '"))
            note_word(p, &line, "uncaught exception '", "'");
        else if (crash_line_begins(&line, "Exception Type:") && crash_line_holds(&line, "(SIG"))
            parser_note_signal(p, &line);
        else if (crash_line_begins(&line, "Exception Type:"))
            note_word(p, &line, "Exception Type:", "(");
    }
    return from == SIZE_MAX ? from : from + 1;
}

/* Python prints the outermost call first and the exception last; of a chain, the root first. */
void parse_traceback(struct stack_parser *p, size_t from)
{
    assert(from < p->lines.count && p->section_count == 0);
    size_t margin = crash_indent(&p->lines.at[from]), begin = p->frames.count;
    const struct log_line first = p->lines.at[from];
    parser_open(p);
    for (size_t i = from + 1; i < p->lines.count; i++) {
        const struct log_line *raw = &p->lines.at[i];
        struct log_line line = crash_line_trimmed(raw);
        struct stack_frame frame;
        if (line.length == 0 || crash_is_of_others(&first, raw))
            continue;
        if (parser_frame(p, &line, &frame)) {
            parser_add(p, &frame);
        } else if (crash_indent(raw) <= margin) {
            size_t size = 0;
            while (size < line.length &&
                   (crash_is_name_char(line.text[size]) || line.text[size] == '.'))
                size++;
            p->sections[0].exception = parser_keep(p, line.text, size);
            p->sections[0].message = parser_keep(p, line.text, line.length);
            break;
        }
    }
    for (size_t a = begin, b = p->frames.count; b > a + 1; a++) {
        struct stack_frame frame = p->frames.at[--b];
        p->frames.at[b] = p->frames.at[a];
        p->frames.at[a] = frame;
    }
}

size_t find_sanitizer(struct stack_parser *p)
{
    size_t from = parser_find(p, is_sanitizer);
    if (from != SIZE_MAX) {
        struct log_line line = crash_line_trimmed(&p->lines.at[from]);
        note_word(p, &line, "Sanitizer: ", ",:");
    }
    return from;
}
