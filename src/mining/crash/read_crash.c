/* From a text that holds a stack to the crash: which exception is at its root, which frames belong
 * to it.
 *
 * Lines of other tags or processes in the block are passed over; the block ends with the first line
 * of its own that is not part of a stack. "Caused by" opens a section further in; what is below
 * "Suppressed" is left out. text_lines.c makes the lines, find_block.c says where the block begins.
 * Cost: linear in the text. */
#include "base/check.h"
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

/* --- The block -------------------------------------------------------------------------------- */

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
    bool vague = !crash_ends_like_exception(section->exception, strlen(section->exception));
    if ((*section->exception && !inner && !pack && !vague) ||
        !crash_header_class(line, &name, &length))
        return;
    if (*section->exception && vague && !inner && !pack && !crash_ends_like_exception(name, length))
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
        if (i > from && (crash_is_fatal(&line) || line.text[0] == '"' ||
                         (begun && crash_line_begins(&line, "*** *** ***"))))
            break;
        parser_note_process(p, &line);
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
            if (crash_is_signal(&line)) /* Unity packs a native crash into an error of Java's */
                parser_note_signal(p, &line);
            note_header(p, &line);
            more_message(p, &line);
        } else if (raw->has_header || !first.has_header || !isspace((unsigned char)*raw->text)) {
            bool rest_of_broken_line = first.has_header && !raw->has_header;
            if (!rest_of_broken_line)
                break;
        }
    }
}

/* --- The crash -------------------------------------------------------------------------------- */

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
        if (!*out->message)
            out->message = section->message;
        const char *named = *out->subject ? NULL : named_class(p, section->message);
        if (named)
            out->subject = named;
        for (size_t i = 0; i < section->count; i++)
            out->frames[out->frame_count++] = p->frames.at[section->first + i];
    }
    assert(out->frame_count == p->frames.count);
}

static void read_block(struct stack_parser *p, bool *anr)
{
    size_t from = p->lines.count ? parser_find_block(p, anr) : SIZE_MAX;
    for (size_t i = 0; from != SIZE_MAX && i < from && i < 40; i++) {
        struct log_line line = crash_line_trimmed(&p->lines.at[i]); /* said before the block */
        parser_note_process(p, &line);
    }
    size_t traceback = from == SIZE_MAX || !p->signal ? parser_find(p, is_traceback) : SIZE_MAX;
    if (traceback != SIZE_MAX && !*anr && (from == SIZE_MAX || traceback <= from))
        parse_traceback(p, traceback);
    else if (from != SIZE_MAX && from < p->lines.count)
        parse_block(p, from);
}

static bool strip_prefix(struct stack_parser *p)
{
    return strip_common_prefix(p->lines.at, &p->lines.count);
}

void read_crash(const struct crash_reader *reader, const char *exception, const char *stack,
                tac_arena *arena, struct crash *out)
{
    struct stack_parser p = {.reader = reader, .arena = arena};
    bool anr = false;
    *out =
        (struct crash){.exception = "", .process = "", .subject = "", .message = "", .place = ""};
    if (!read_apple_json(&p, stack ? stack : "")) {
        parser_read_lines(&p, stack ? stack : "");
        read_block(&p, &anr);
    }
    bool (*const ways[])(struct stack_parser *) = {strip_prefix, parser_break_lines};
    for (size_t i = 0; i < 2 && p.frames.count == 0; i++)
        if (ways[i](&p)) {
            const char *process = p.process;
            p.section_count = 0;
            p.signal = p.process = NULL;
            anr = false;
            read_block(&p, &anr);
            p.process = p.process ? p.process : process;
        }
    collect(&p, out);
    size_t reason = *out->exception ? SIZE_MAX : parser_find(&p, crash_is_lone_class);
    if (reason != SIZE_MAX && out->frame_count) {
        struct log_line line = crash_line_trimmed(&p.lines.at[reason]);
        out->exception = parser_keep(&p, line.text, line.length);
    }
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
