/* Where in a text the crash is. A file of a log holds more than the crash: the block that counts is
 * the first "FATAL EXCEPTION", else the first report of Apple's, of a sanitizer or of a virtual
 * machine, else the first native backtrace, else the main thread of the first ANR trace, else the
 * first exception that frames follow. What is said near it about process and signal is noted on the
 * way. Cost: linear in the text. */
#include "mining/crash/stack_parser.h"
#include <ctype.h>

static bool is_main_thread(const struct log_line *line)
{
    if (crash_line_begins(line, "main (")) /* Crashlytics */
        return crash_line_holds(line, "):tid=1 ");
    return crash_line_begins(line, "\"main\" ") &&
           (crash_line_holds(line, "prio=") || crash_line_holds(line, " tid=1 "));
}

size_t parser_find(struct stack_parser *p, bool (*wanted)(const struct log_line *))
{
    for (size_t i = 0; i < p->lines.count; i++) {
        struct log_line line = crash_line_trimmed(&p->lines.at[i]);
        if (wanted(&line))
            return i;
    }
    return SIZE_MAX;
}

static bool is_thread_dump(const struct log_line *line)
{
    return crash_line_begins(line, "----- pid ");
}

bool crash_is_fatal(const struct log_line *line)
{
    return crash_line_holds(line, "FATAL EXCEPTION");
}

bool crash_is_signal(const struct log_line *line)
{
    return crash_line_begins(line, "Fatal signal ") ||
           crash_line_begins(line, "Received signal ") ||
           crash_line_begins(line, "Program received signal ") ||
           crash_line_begins(line, "Program terminated with signal ") ||
           (crash_line_begins(line, "signal ") && crash_line_holds(line, "(SIG"));
}

/* Whether the second header says more: a log's own words may begin with the name of a class. */
static bool is_better_header(struct stack_parser *p, size_t header, const char *name, size_t length)
{
    const char *first;
    size_t size;
    struct log_line line = crash_line_trimmed(&p->lines.at[header]);
    return crash_ends_like_exception(name, length) && crash_header_class(&line, &first, &size) &&
           !crash_ends_like_exception(first, size);
}

/* The first exception that a frame follows within its message, else the first frame. */
static size_t find_exception(struct stack_parser *p)
{
    size_t header = SIZE_MAX, first = SIZE_MAX;
    for (size_t i = 0; i < p->lines.count && first == SIZE_MAX; i++) {
        struct log_line line = crash_line_trimmed(&p->lines.at[i]);
        struct stack_frame frame;
        const char *name;
        size_t length;
        if (parser_frame(p, &line, &frame) || crash_is_cause(&line))
            first = i;
        else if (crash_header_class(&line, &name, &length) &&
                 (header == SIZE_MAX || i - header > MAX_MESSAGE_LINES ||
                  is_better_header(p, header, name, length)))
            header = i;
    }
    if (first == SIZE_MAX) /* nothing but words: an exception when they begin with it or say so */
        return header == 0 ? header : parser_find(p, crash_is_announced);
    return header != SIZE_MAX && first - header <= MAX_MESSAGE_LINES ? header : first;
}

const char *signal_of_number(const char *digits, const char *end)
{
    static const struct {
        const char *number, *name;
    } known[] = {{"4", "SIGILL"}, {"5", "SIGTRAP"}, {"6", "SIGABRT"}, {"7", "SIGBUS"},
                 {"8", "SIGFPE"}, {"10", "SIGBUS"}, {"11", "SIGSEGV"}};
    size_t size = 0;
    while (digits + size < end && isdigit((unsigned char)digits[size]))
        size++;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].number) == size && memcmp(known[i].number, digits, size) == 0)
            return known[i].name;
    return NULL;
}

/* "SIGSEGV" of "signal 11 (SIGSEGV), code 1": upper case letters behind "(SIG" or "signal ". */
void parser_note_signal(struct stack_parser *p, const struct log_line *line)
{
    const char *at = memmem(line->text, line->length, "SIG", 3);
    const char *end = line->text + line->length, *stop = at;
    while (stop && stop < end && isupper((unsigned char)*stop))
        stop++;
    if (at && !p->signal && stop > at + 3)
        p->signal = parser_keep(p, at, (size_t)(stop - at));
    const char *number = !p->signal ? memmem(line->text, line->length, "signal ", 7) : NULL;
    if (number)
        p->signal = signal_of_number(number + 7, end);
}

static void note_name_after(struct stack_parser *p, const struct log_line *line, const char *lead)
{
    const char *at = memmem(line->text, line->length, lead, strlen(lead));
    if (!at || p->process)
        return;
    at += strlen(lead);
    size_t size = 0, left = (size_t)(line->text + line->length - at);
    while (size < left && (crash_is_name_char(at[size]) || at[size] == '.'))
        size++;
    while (size && at[size - 1] == '.')
        size--;
    if (size && memchr(at, '.', size))
        p->process = parser_keep(p, at, size);
}

/* Who crashed, said near the stack: Process:, Cmd line:, >>> name <<<, ACRA's words, a header. */
void parser_note_process(struct stack_parser *p, const struct log_line *line)
{
    static const char *const leads[] = {
        "Process: ", "Process name is ", "Cmd line: ", "Cmdline: ", ">>> ", "ANR in "};
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        note_name_after(p, line, leads[i]);
    if (crash_line_holds(line, "ACRA caught a "))
        note_name_after(p, line, " for ");
    if (line->package && line->package_length > 1 && !p->process &&
        memchr(line->package, '.', line->package_length))
        p->process = parser_keep(p, line->package, line->package_length);
}

static bool is_anr_notice(const struct log_line *line)
{
    return crash_line_begins(line, "ANR in ") ||
           crash_line_begins(line, "ANR Input dispatching timed out") || /* Bugly */
           crash_line_begins(line, "ANR Broadcast of ") ||
           crash_line_begins(line, "ANR executing service ");
}

size_t parser_find_block(struct stack_parser *p, bool *anr)
{
    size_t from = parser_find(p, crash_is_fatal);
    if (from == SIZE_MAX && (from = find_apple(p)) != SIZE_MAX)
        return from;
    if (from == SIZE_MAX && (from = find_sanitizer(p)) != SIZE_MAX)
        return from;
    if (from == SIZE_MAX && (from = find_vm_dump(p)) != SIZE_MAX)
        return from;
    if (from == SIZE_MAX && (from = parser_find(p, crash_is_signal)) != SIZE_MAX) {
        struct log_line line = crash_line_trimmed(&p->lines.at[from]);
        parser_note_signal(p, &line);
        for (size_t i = from > 12 ? from - 12 : 0; i < from; i++) {
            line = crash_line_trimmed(&p->lines.at[i]);
            parser_note_process(p, &line);
        }
        for (; from < p->lines.count; from++) { /* to its first frame: registers come before */
            struct stack_frame frame;
            line = crash_line_trimmed(&p->lines.at[from]);
            parser_note_process(p, &line);
            if (parser_frame(p, &line, &frame))
                break;
        }
        return from < p->lines.count ? from : SIZE_MAX;
    }
    if (from == SIZE_MAX && (from = parser_find(p, is_main_thread)) != SIZE_MAX) {
        *anr = true;
        for (size_t i = 0; i < from; i++) {
            struct log_line line = crash_line_trimmed(&p->lines.at[i]);
            parser_note_process(p, &line);
        }
    }
    if (from == SIZE_MAX) {
        size_t notice = parser_find(p, is_anr_notice);
        *anr = notice != SIZE_MAX || parser_find(p, is_thread_dump) != SIZE_MAX;
        if (notice != SIZE_MAX) {
            struct log_line line = crash_line_trimmed(&p->lines.at[notice]);
            parser_note_process(p, &line);
        }
    }
    return from == SIZE_MAX ? find_exception(p) : from;
}
