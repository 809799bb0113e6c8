/* See java_stack.h. */
#include "trace/log/java_stack.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static size_t blanks(const char *line, size_t length)
{
    size_t n = 0;
    while (n < length && (line[n] == ' ' || line[n] == '\t'))
        n++;
    return n;
}

/* Blanks, and the "// " that monkey puts before every line of a crash. */
static size_t indentation(const char *line, size_t length)
{
    size_t n = blanks(line, length);
    if (length - n > 2 && !memcmp(line + n, "// ", 3))
        n += 3 + blanks(line + n + 3, length - n - 3);
    return n;
}

static bool begins(const char *line, size_t length, const char *word)
{
    size_t n = strlen(word);
    return length >= n && !memcmp(line, word, n);
}

/* The length of a dotted class name at the beginning; 0: none. */
static size_t class_name(const char *line, size_t length)
{
    size_t n = 0, dots = 0;
    while (n < length && (isalnum((unsigned char)line[n]) || strchr("._$", line[n]))) {
        dots += line[n] == '.';
        n++;
    }
    bool ends = n == length || line[n] == ':' || line[n] == ' ' || line[n] == '\r';
    return dots && ends && n && line[n - 1] != '.' && isalpha((unsigned char)*line) ? n : 0;
}

bool java_is_exception_line(const char *line, size_t length)
{
    size_t skip = indentation(line, length), n = class_name(line + skip, length - skip);
    const char *name = line + skip;
    if (!n || (n < length - skip && name[n] != ':' && name[n] != '\r'))
        return false;
    const char *last = (const char *)memrchr(name, (int)0x2e, n) + 1;
    size_t size = (size_t)(name + n - last);
    if (!isupper((unsigned char)*last))
        return false;
    for (size_t i = 0; i + 5 <= size; i++)
        if (!memcmp(last + i, "Exception", size - i < 9 ? 5 : 9) || !memcmp(last + i, "Error", 5) ||
            (size - i >= 9 && !memcmp(last + i, "Throwable", 9)) ||
            (size - i >= 7 && !memcmp(last + i, "Failure", 7)))
            return true;
    return n == length - skip || name[n] == ':';
}

static bool is_frame(const char *line, size_t length)
{
    size_t skip = indentation(line, length);
    return begins(line + skip, length - skip, "at ") && length - skip > 4;
}

bool java_is_stack_line(const char *line, size_t length)
{
    size_t skip = indentation(line, length);
    return is_frame(line, length) || begins(line + skip, length - skip, "Caused by:") ||
           begins(line + skip, length - skip, "Suppressed:") ||
           begins(line + skip, length - skip, "... ");
}

static const char *kept(struct java_stack *stack, const char *text, size_t length)
{
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return tac_arena_strndup(stack->arena, text, length);
}

static void add_frame(struct java_stack *stack, const char *text, size_t length)
{
    const char *open = memchr(text, '(', length);
    size_t n = open ? (size_t)(open - text) : length;
    if (!stack->suppressed && open && memchr(open, ')', length - n))
        stack->frame_lines++;
    if (!stack->suppressed)
        tac_vec_push(&stack->frames, (struct java_frame){.name = kept(stack, text, n),
                                                         .text = kept(stack, text, length),
                                                         .cause = stack->causes});
}

static void add_process(struct java_stack *stack, const char *text, size_t length)
{
    const char *comma = memchr(text, ',', length);
    size_t n = comma ? (size_t)(comma - text) : length;
    stack->process = kept(stack, text, n);
    const char *pid = comma ? memmem(comma, length - n, "PID: ", 5) : NULL;
    if (pid) {
        size_t digits = 0;
        while (pid + 5 + digits < text + length && isdigit((unsigned char)pid[5 + digits]))
            digits++;
        stack->pid = kept(stack, pid + 5, digits);
    }
}

/* "com.example (pid 5195)", behind monkey's "// CRASH: " */
static void add_monkey_process(struct java_stack *stack, const char *text, size_t length)
{
    const char *open = memmem(text, length, " (pid ", 6);
    size_t digits = 0;
    if (!open)
        return;
    stack->fatal = true;
    stack->process = kept(stack, text, (size_t)(open - text));
    while (open + 6 + digits < text + length && isdigit((unsigned char)open[6 + digits]))
        digits++;
    stack->pid = kept(stack, open + 6, digits);
}

static void add_cause(struct java_stack *stack, const char *text, size_t length)
{
    size_t skip = indentation(text, length), n = class_name(text + skip, length - skip);
    stack->causes++;
    if (n)
        stack->root = kept(stack, text + skip, n);
}

static bool add_header(struct java_stack *stack, const char *text, size_t length)
{
    const char *fatal = memmem(text, length, "FATAL EXCEPTION", 15);
    if (fatal && !stack->exception) {
        const char *colon = memchr(fatal, ':', (size_t)(text + length - fatal));
        stack->fatal = true;
        if (colon && colon + 2 < text + length) {
            const char *name = colon + 2, *end = text + length;
            const char *note = memmem(name, (size_t)(end - name), "(Fix with AI)", 13);
            const char *process = memmem(name, (size_t)(end - name), " Process: ", 10);
            if (process) { /* lines joined by whoever pasted them */
                add_process(stack, process + 10, (size_t)(end - process - 10));
                note = process;
            }
            stack->thread = kept(stack, name, (size_t)((note ? note : end) - name));
        }
        return true;
    }
    if (begins(text, length, "CRASH: ") && !stack->exception) {
        add_monkey_process(stack, text + 7, length - 7);
        return true;
    }
    if (begins(text, length, "Process: ") && !stack->exception) {
        add_process(stack, text + 9, length - 9);
        return true;
    }
    const char *acra =
        begins(text, length, "ACRA caught a ") ? memmem(text, length, " for ", 5) : NULL;
    if (acra && !stack->exception) {
        stack->package = kept(stack, acra + 5, (size_t)(text + length - acra - 5));
        return true;
    }
    if (begins(text, length, "PID: ") && !stack->exception)
        return true;
    return false;
}

bool java_stack_add(struct java_stack *stack, const char *line, size_t length)
{
    size_t indent = indentation(line, length);
    const char *text = line + indent;
    length -= indent;
    if (add_header(stack, text, length))
        return true;
    if (!stack->exception) {
        if (!java_is_exception_line(text, length))
            return false;
        stack->exception = stack->root = kept(stack, text, class_name(text, length));
        stack->indent = indent;
        return true;
    }
    if (begins(text, length, "Suppressed:")) {
        stack->suppressed = true;
        stack->suppressed_at = indent;
        return true;
    }
    if (begins(text, length, "Caused by:")) {
        if (stack->suppressed && indent < stack->suppressed_at)
            stack->suppressed = false;
        if (!stack->suppressed)
            add_cause(stack, text + 10, length - 10);
        return true;
    }
    if (is_frame(text, length)) {
        add_frame(stack, text + 3, length - 3);
        return true;
    }
    return begins(text, length, "... ");
}

void java_stack_free(struct java_stack *stack)
{
    tac_vec_free(&stack->frames);
}

const char *java_root_frame(const struct java_stack *stack)
{
    for (size_t i = 0; i < stack->frames.count; i++)
        if (stack->frames.at[i].cause == stack->causes)
            return stack->frames.at[i].name;
    return NULL;
}
