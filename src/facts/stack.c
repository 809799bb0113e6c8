/* A stack of a Java exception, as people paste it: with the headers of a log's lines or without.
 * The first one counts, and what kills the app before what does not. */
#include "facts/page.h"
#include "mining/crash/crash.h"
#include "trace/log/java_stack.h"

/* A line without its end and its log header. */
static const char *next_line(const struct record_reader *reader, const char **at, const char *end,
                             size_t *length)
{
    struct log_record record;
    const char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line));
    *length = (size_t)((stop ? stop : end) - line);
    *at = stop ? stop + 1 : end;
    while (*length && line[*length - 1] == '\r')
        --*length;
    record_uncolour(&line, length);
    size_t prefix = record_prefix(reader, line, *length);
    for (unsigned i = 0; i < LAYOUT_COUNT; i++)
        if (record_read(reader, i, line + prefix, *length - prefix, &record)) {
            *length = record.message.length;
            return record.message.at;
        }
    return line;
}

static bool is_fatal(const char *line, size_t length)
{
    return memmem(line, length, "FATAL EXCEPTION", 15) ||
           (length > 9 && !memcmp(line, "// CRASH:", 9)); /* of monkey */
}

/* Adds a line; *over: the stack is whole, and only one that kills the app takes its place. */
static void take_line(struct java_stack *stack, bool *over, const char *line, size_t length)
{
    bool begun = stack->exception && stack->frames.count, fatal = is_fatal(line, length);
    if (fatal && !stack->fatal) {
        tac_vec_free(&stack->frames);
        *stack = (struct java_stack){.arena = stack->arena};
        *over = false;
    } else if (begun && (fatal || (java_is_exception_line(line, length) &&
                                   !java_is_stack_line(line, length)))) {
        *over = true;
    }
    if (!*over)
        java_stack_add(stack, line, length);
}

/* The first frame that is neither a library's nor the system's, from the root outwards. */
static const char *own_frame(const struct java_stack *stack)
{
    for (size_t cause = stack->causes + 1; cause-- > 0;)
        for (size_t i = 0; i < stack->frames.count; i++) {
            const struct java_frame *frame = &stack->frames.at[i];
            if (frame->cause == cause && strchr(frame->name, '.') &&
                strncmp(frame->name, "com.android.", 12) != 0 && !is_library_name(frame->name))
                return frame->text;
        }
    return NULL;
}

static void add_row(tac_facts *page, const char *name, const char *text)
{
    if (text && *text)
        page_text(page, name, text);
}

tac_status page_of_stack(const struct facts_input *input, tac_facts *page, tac_error *err)
{
    tac_arena arena = {0};
    struct java_stack stack = {.arena = &arena};
    struct record_reader reader;
    const char *at = input->text, *end = at + input->size, *line;
    size_t length;
    bool over = false;
    (void)err;
    record_reader_open(&reader);
    while (at < end) {
        line = next_line(&reader, &at, end, &length);
        take_line(&stack, &over, line, length);
    }
    add_row(page, "exception", stack.exception);
    if (stack.causes)
        add_row(page, "caused by", stack.root);
    add_row(page, "process", stack.process);
    add_row(page, "thread", stack.thread);
    add_row(page, "thrown at", java_root_frame(&stack));
    add_row(page, "in the app at", own_frame(&stack));
    page_number(page, "frames", (int64_t)stack.frame_lines);
    if (!stack.exception)
        page_warn(page, "the frames stand without an exception");
    record_reader_close(&reader);
    java_stack_free(&stack);
    tac_arena_free(&arena);
    return TAC_OK;
}

int stack_sniff(const char *head, size_t size)
{
    enum { FIRST_LINES = 60 };
    struct record_reader reader;
    const char *at = head, *line;
    size_t length, lines = 0, parts = 0;
    record_reader_open(&reader);
    while (at < head + size && lines < FIRST_LINES) {
        line = next_line(&reader, &at, head + size, &length);
        if (!length)
            continue;
        lines++;
        /* a tag without a header, "E AndroidRuntime: ...", is told by what follows */
        parts += java_is_stack_line(line, length) || memmem(line, length, "\tat ", 4) ||
                 java_is_exception_line(line, length);
    }
    record_reader_close(&reader);
    return lines && parts * 2 > lines ? 2 : parts >= 2;
}
