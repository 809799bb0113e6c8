/* From a text that holds a stack to the crash: which block of the text it is, which exception is at
 * its root, which frames belong to it.
 *
 * A file of a log holds more than the crash. The block that counts is the first "FATAL EXCEPTION",
 * else the first native backtrace, else the main thread of the first ANR trace, else the first
 * exception that frames follow. Lines of other tags or processes in between are passed over; the
 * block ends with the first line of its own that is not part of a stack. "Caused by" opens a
 * section further in; what is below "Suppressed" is left out; a line that a terminal broke is
 * joined. Cost: linear in the text. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "mining/crash/line_prefix.h"
#include "mining/crash/stack_parser.h"
#include <ctype.h>

const char *parser_keep(struct stack_parser *p, const char *text, size_t length)
{
    char *copy = tac_arena_alloc(p->arena, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

bool parser_frame(struct stack_parser *p, const struct log_line *line, struct stack_frame *frame)
{
    return stack_frame_read(line->text, line->length, p->arena, frame);
}

/* --- Lines --------------------------------------------------------------------------------------
 */

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

static void read_lines(struct stack_parser *p, const char *stack)
{
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

/* --- Where the crash is -------------------------------------------------------------------------
 */

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

static bool is_fatal(const struct log_line *line)
{
    return crash_line_holds(line, "FATAL EXCEPTION");
}

static bool is_signal(const struct log_line *line)
{
    return crash_line_begins(line, "Fatal signal ") ||
           crash_line_begins(line, "Received signal ") ||
           crash_line_begins(line, "Program received signal ") ||
           crash_line_begins(line, "Program terminated with signal ") ||
           (crash_line_begins(line, "signal ") && crash_line_holds(line, "(SIG"));
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
                 (header == SIZE_MAX || i - header > MAX_MESSAGE_LINES))
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
static void note_process(struct stack_parser *p, const struct log_line *line)
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

/* --- The block ----------------------------------------------------------------------------------
 */

struct section *parser_open(struct stack_parser *p)
{
    if (p->section_count == MAX_SECTIONS)
        return NULL;
    struct section *section = &p->sections[p->section_count++];
    *section = (struct section){"", "", p->frames.count, 0};
    return section;
}

static void note_header(struct stack_parser *p, const struct log_line *line)
{
    const char *name;
    size_t length;
    assert(p->section_count > 0);
    struct section *section = &p->sections[p->section_count - 1];
    bool inner = crash_line_begins(line, "---> "); /* C#: what is wrapped is said below */
    bool pack = crash_is_pack(section->exception, strlen(section->exception));
    if ((*section->exception && !inner && !pack) || !crash_header_class(line, &name, &length))
        return;
    section->exception = parser_keep(p, name, length);
    section->message = parser_keep(p, line->text, line->length);
}

static void more_message(struct stack_parser *p, const struct log_line *line)
{
    struct section *section = &p->sections[p->section_count - 1];
    if (strlen(section->message) > 4096)
        return;
    tac_str all = {0};
    tac_str_addf(&all, "%s ", section->message);
    tac_str_add_bytes(&all, line->text, line->length);
    section->message = parser_keep(p, all.text, all.length);
    tac_str_free(&all);
}

static bool same_text(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length == b_length && (a_length == 0 || memcmp(a, b, a_length) == 0);
}

/* Whether a line with a header is another tag's or process's. */
bool crash_is_of_others(const struct log_line *first, const struct log_line *line)
{
    if (!first->tag || !line->tag)
        return false;
    return !same_text(first->tag, first->tag_length, line->tag, line->tag_length) ||
           (first->pid && line->pid &&
            !same_text(first->pid, first->pid_length, line->pid, line->pid_length));
}

size_t crash_indent(const struct log_line *line)
{
    size_t blank = 0;
    while (blank < line->length && isspace((unsigned char)line->text[blank]))
        blank++;
    return blank;
}

void parser_add(struct stack_parser *p, const struct stack_frame *frame)
{
    struct section *section = &p->sections[p->section_count - 1];
    if (p->frames.count >= MAX_FRAMES)
        return;
    struct stack_frame kept = *frame;
    tac_str original = {0};
    if (p->reader->mapping &&
        name_mapping_frame(p->reader->mapping, frame->name, frame->line, &original)) {
        stack_frame_steady(&original);
        kept.name = tac_arena_strdup(p->arena, original.text);
    }
    tac_str_free(&original);
    assert(section->first + section->count == p->frames.count);
    tac_vec_push(&p->frames, kept);
    section->count++;
}

static void parse_block(struct stack_parser *p, size_t from)
{
    assert(from < p->lines.count && p->section_count == 0);
    const struct log_line first = p->lines.at[from];
    size_t suppressed = SIZE_MAX, waiting = 0; /* waiting: message lines since a header */
    parser_open(p);
    for (size_t i = from; i < p->lines.count; i++) {
        const struct log_line *raw = &p->lines.at[i];
        struct log_line line = crash_line_trimmed(raw);
        struct stack_frame frame;
        if (line.length == 0 || crash_is_of_others(&first, raw))
            continue;
        bool begun = p->frames.count > 0; /* Dart's frames stand below such a line, others above */
        if (i > from && (is_fatal(&line) || line.text[0] == '"' ||
                         (begun && crash_line_begins(&line, "*** *** ***"))))
            break;
        note_process(p, &line);
        if (crash_line_holds(&line, "[CIRCULAR REFERENCE"))
            continue; /* it names an exception that stands above */
        if (crash_line_begins(&line, "Suppressed: ")) {
            suppressed = crash_indent(raw);
        } else if (crash_is_cause(&line)) {
            if (suppressed != SIZE_MAX && crash_indent(raw) >= suppressed && crash_indent(raw) > 0)
                continue;
            suppressed = SIZE_MAX;
            if (p->sections[p->section_count - 1].count ||
                *p->sections[p->section_count - 1].exception)
                if (!parser_open(p))
                    return;
            note_header(p, &line);
            waiting = 0;
        } else if (parser_frame(p, &line, &frame)) {
            /* a frame cut in the middle of its name is not taken for a method */
            if (suppressed == SIZE_MAX && (frame.complete || i + 1 < p->lines.count))
                parser_add(p, &frame);
        } else if (crash_is_more(&line) || suppressed != SIZE_MAX) {
            continue;
        } else if (p->sections[p->section_count - 1].count == 0) {
            if (++waiting > MAX_MESSAGE_LINES)
                break;
            note_header(p, &line);
            more_message(p, &line);
        } else if (raw->has_header || !first.has_header || !isspace((unsigned char)*raw->text)) {
            bool rest_of_broken_line = first.has_header && !raw->has_header;
            if (!rest_of_broken_line)
                break;
        }
    }
}

/* --- The crash ----------------------------------------------------------------------------------
 */

/* A class of the app that a message names: "ComponentInfo{org.example/.Main}", "adapter:a.b.C@1f".
 */
static const char *named_class(struct stack_parser *p, const char *message)
{
    for (const char *at = message; *at;) {
        size_t size = 0, dots = 0, last = 0;
        while (crash_is_name_char(at[size]) || (at[size] == '.' && size > last)) {
            if (at[size] == '.')
                dots++, last = size + 1;
            size++;
        }
        if (dots >= 2 && islower((unsigned char)*at) && size > last &&
            isupper((unsigned char)at[last]) && size < 300) {
            const char *name = parser_keep(p, at, size);
            if (!is_library_name(name) && !crash_ends_like_exception(name, size))
                return name;
        }
        at += size ? size : 1;
    }
    return NULL;
}

/* The word of a field `exception`: a class, a signal; not the thread of "FATAL EXCEPTION: main". */
static const char *given_exception(struct stack_parser *p, const char *exception)
{
    if (!exception || !*exception || strstr(exception, "FATAL EXCEPTION"))
        return "";
    struct log_line line = crash_line(&p->reader->records, exception, strcspn(exception, "\n"));
    line = crash_line_trimmed(&line);
    const char *name;
    size_t length;
    if (crash_header_class(&line, &name, &length))
        return parser_keep(p, name, length);
    if (crash_line_begins(&line, "Process"))
        return "";
    length = 0;
    while (length < line.length && !isspace((unsigned char)line.text[length]) &&
           line.text[length] != ':' && length < 200)
        length++;
    return parser_keep(p, line.text, length);
}

/* Sections from the last to the first: the root first. */
static void collect(struct stack_parser *p, struct crash *out)
{
    out->frames = tac_arena_alloc(p->arena, (p->frames.count + 1) * sizeof *out->frames);
    for (size_t s = p->section_count; s-- > 0;) {
        const struct section *section = &p->sections[s];
        if (!*out->exception)
            out->exception = section->exception;
        const char *named = *out->subject ? NULL : named_class(p, section->message);
        if (named)
            out->subject = named;
        for (size_t i = 0; i < section->count; i++)
            out->frames[out->frame_count++] = p->frames.at[section->first + i];
    }
    assert(out->frame_count == p->frames.count);
}

static bool is_anr_notice(const struct log_line *line)
{
    return crash_line_begins(line, "ANR in ");
}

static size_t find_block(struct stack_parser *p, bool *anr)
{
    size_t from = parser_find(p, is_fatal);
    if (from == SIZE_MAX && (from = find_apple(p)) != SIZE_MAX)
        return from;
    if (from == SIZE_MAX && (from = find_sanitizer(p)) != SIZE_MAX)
        return from;
    if (from == SIZE_MAX && (from = find_vm_dump(p)) != SIZE_MAX)
        return from;
    if (from == SIZE_MAX && (from = parser_find(p, is_signal)) != SIZE_MAX) {
        struct log_line line = crash_line_trimmed(&p->lines.at[from]);
        parser_note_signal(p, &line);
        for (size_t i = from > 12 ? from - 12 : 0; i < from; i++) {
            line = crash_line_trimmed(&p->lines.at[i]);
            note_process(p, &line);
        }
        for (; from < p->lines.count; from++) { /* to its first frame: registers come before */
            struct stack_frame frame;
            line = crash_line_trimmed(&p->lines.at[from]);
            note_process(p, &line);
            if (parser_frame(p, &line, &frame))
                break;
        }
        return from < p->lines.count ? from : SIZE_MAX;
    }
    if (from == SIZE_MAX && (from = parser_find(p, is_main_thread)) != SIZE_MAX) {
        *anr = true;
        for (size_t i = 0; i < from; i++) {
            struct log_line line = crash_line_trimmed(&p->lines.at[i]);
            note_process(p, &line);
        }
    }
    if (from == SIZE_MAX)
        *anr =
            parser_find(p, is_thread_dump) != SIZE_MAX || parser_find(p, is_anr_notice) != SIZE_MAX;
    return from == SIZE_MAX ? find_exception(p) : from;
}

static void read_block(struct stack_parser *p, bool *anr)
{
    size_t from = p->lines.count ? find_block(p, anr) : SIZE_MAX;
    for (size_t i = 0; from != SIZE_MAX && i < from && i < 40; i++) {
        struct log_line line = crash_line_trimmed(&p->lines.at[i]); /* said before the block */
        note_process(p, &line);
    }
    size_t traceback = from == SIZE_MAX || !p->signal ? parser_find(p, is_traceback) : SIZE_MAX;
    if (traceback != SIZE_MAX && !*anr && (from == SIZE_MAX || traceback <= from))
        parse_traceback(p, traceback);
    else if (from != SIZE_MAX && from < p->lines.count)
        parse_block(p, from);
}

void read_crash(const struct crash_reader *reader, const char *exception, const char *stack,
                tac_arena *arena, struct crash *out)
{
    struct stack_parser p = {.reader = reader, .arena = arena};
    bool anr = false;
    *out = (struct crash){.exception = "", .process = "", .subject = ""};
    if (!read_apple_json(&p, stack ? stack : "")) {
        read_lines(&p, without_markup(&p, stack ? stack : ""));
        read_block(&p, &anr);
    }
    if (p.frames.count == 0 && strip_common_prefix(p.lines.at, &p.lines.count)) {
        p.section_count = 0;
        p.signal = p.process = NULL;
        anr = false;
        read_block(&p, &anr);
    }
    collect(&p, out);
    const char *given = given_exception(&p, exception);
    if (p.signal)
        out->exception = p.signal;
    else if (anr)
        out->exception = "ANR";
    else if (!*out->exception || (p.section_count <= 1 && *given))
        out->exception = *given ? given : out->exception;
    tac_str original = {0};
    if (reader->mapping && name_mapping_class(reader->mapping, out->exception, &original))
        out->exception = tac_arena_strdup(arena, original.text);
    tac_str_free(&original);
    if (p.process)
        out->process = p.process;
    tac_vec_free(&p.lines);
    tac_vec_free(&p.frames);
}
