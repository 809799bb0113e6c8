/* Crash reports that are laid out otherwise than Java's and scripts' stacks: Apple's and those of
 * minidumps, the sanitizers', Dart's machine's, Python's. */
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
    if (crash_line_begins(line, "Thread "))
        return crash_line_holds(line, " Crashed:") || crash_line_holds(line, " (crashed)");
    return crash_line_begins(line, "Crashed: ") || crash_line_holds(line, ". Crashed: ") ||
           (crash_line_begins(line, "Call stack:") && line->length == strlen("Call stack:"));
}

/* The first thread that is said to have crashed and that a frame follows: words may say so too. */
static size_t find_crashed_thread(struct stack_parser *p)
{
    for (size_t i = 0; i + 1 < p->lines.count; i++) {
        struct log_line line = crash_line_trimmed(&p->lines.at[i]);
        if (!is_crashed_thread(&line))
            continue;
        struct stack_frame frame;
        struct log_line next = crash_line_trimmed(&p->lines.at[i + 1]);
        if (crash_line_begins(&line, "Thread ") || parser_frame(p, &next, &frame))
            return i;
    }
    return SIZE_MAX;
}

static bool is_vm_dump(const struct log_line *line)
{
    return crash_line_begins(line, "pc 0x") && crash_line_holds(line, " fp 0x");
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

/* "EXC_BAD_ACCESS" somewhere in a line. */
static void note_exc(struct stack_parser *p, const struct log_line *line)
{
    const char *at = memmem(line->text, line->length, "EXC_", 4);
    struct log_line rest = {.text = at, .length = (size_t)(line->text + line->length - at)};
    note_word(p, &rest, "", "(");
}

static bool is_type(const struct log_line *line)
{
    return crash_line_begins(line, "Exception Type:") ||
           crash_line_begins(line, "Exception type:") || crash_line_begins(line, "Crash reason:");
}

/* What Dart's machine prints before it aborts: the signal or the failed assertion is said above.
 * The frames of the dump itself have no symbols where the others have none. */
size_t find_vm_dump(struct stack_parser *p)
{
    enum { ABOVE = 12, OWN_FRAMES = 2 };
    size_t from = parser_find(p, is_vm_dump);
    bool failed = false;
    for (size_t i = from > ABOVE ? from - ABOVE : 0; i < from && from != SIZE_MAX; i++) {
        struct log_line line = crash_line_trimmed(&p->lines.at[i]);
        const char *end = line.text + line.length;
        const char *at = memmem(line.text, line.length, "si_signo=", 9);
        const char *open = at ? memchr(at, '(', (size_t)(end - at)) : NULL;
        if (open && !p->signal)
            p->signal = signal_of_number(open + 1, end);
        failed = failed || crash_line_holds(&line, ": error: ");
    }
    if (from == SIZE_MAX || p->signal || !failed)
        return from;
    p->signal = "SIGABRT";
    struct log_line first = crash_line_trimmed(&p->lines.at[from]);
    bool bare = crash_line_holds(&first, "+0x") && from + OWN_FRAMES < p->lines.count;
    return bare ? from + OWN_FRAMES : from;
}

/* Apple's reports: the thrown exception's backtrace, else the thread that crashed. */
size_t find_apple(struct stack_parser *p)
{
    size_t thrown = parser_find(p, is_throw_stack), thread = find_crashed_thread(p);
    size_t from = thrown != SIZE_MAX ? thrown : thread;
    for (size_t i = 0; i <= from && from != SIZE_MAX; i++) {
        struct log_line line = crash_line_trimmed(&p->lines.at[i]);
        if (crash_line_holds(&line, "uncaught exception '"))
            note_word(p, &line, "uncaught exception '", "'");
        else if (is_type(&line) && crash_line_holds(&line, "(SIG"))
            parser_note_signal(p, &line);
        else if (is_type(&line))
            note_word(p, &line, ":", "(");
        else if (crash_line_begins(&line, "Fatal Exception: "))
            note_word(p, &line, ":", "(");
        else if (i == from && crash_line_holds(&line, " EXC_"))
            note_exc(p, &line);
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
