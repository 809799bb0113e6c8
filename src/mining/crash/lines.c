/* What a single line of a pasted crash is: a record of a log, the head of an exception with its
 * class, a frame's remainder. Nothing here knows the lines around it. */
#include "mining/crash/lines.h"
#include "base/check.h"
#include <ctype.h>
#include <string.h>

static void set_span(struct text_span span, const char **text, size_t *length)
{
    *text = span.length ? span.at : NULL;
    *length = span.length;
}

struct log_line crash_line(const struct record_reader *reader, const char *line, size_t size)
{
    struct log_record record;
    struct log_line out = {.has_header = record_read_pasted(reader, line, size, &record)};
    out.text = record.message.at;
    out.length = record.message.length;
    set_span(record.pid_text, &out.pid, &out.pid_length);
    set_span(record.tag, &out.tag, &out.tag_length);
    set_span(record.package, &out.package, &out.package_length);
    return out;
}

struct log_line crash_line_trimmed(const struct log_line *line)
{
    struct log_line out = *line;
    while (out.length && isspace((unsigned char)*out.text))
        out.text++, out.length--;
    while (out.length && isspace((unsigned char)out.text[out.length - 1]))
        out.length--;
    return out;
}

bool crash_line_begins(const struct log_line *line, const char *word)
{
    size_t size = strlen(word);
    return line->length >= size && memcmp(line->text, word, size) == 0;
}

bool crash_line_holds(const struct log_line *line, const char *word)
{
    return line->length && memmem(line->text, line->length, word, strlen(word)) != NULL;
}

bool crash_is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

bool crash_ends_like_exception(const char *name, size_t length)
{
    static const char *const ends[] = {"Exception", "Error", "Throwable", "Failure", "Crash"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t size = strlen(ends[i]);
        if (length >= size && memcmp(name + length - size, ends[i], size) == 0)
            return true;
    }
    return false;
}

/* The length of a class name at the beginning of text, 0 when there is none. A dotted name with a
 * capital in its last part is one; a name without a package only when it ends as exceptions do, and
 * then its message may stand in brackets, as Dart prints it. */
static size_t crash_class_length(const char *text, size_t length)
{
    size_t size = 0, last = 0, dots = 0;
    while (size < length && (crash_is_name_char(text[size]) || text[size] == '.')) {
        if (text[size] == '.') {
            if (size == last) /* two dots, or one in front */
                return 0;
            last = size + 1;
            dots++;
        }
        size++;
    }
    bool brackets = size < length && text[size] == '(' && !dots;
    if (size > last && size <= 500 &&
        (brackets || size == length || text[size] == ':' || isspace((unsigned char)text[size]))) {
        bool capital = isupper((unsigned char)text[last]);
        for (size_t i = last; i < size; i++)
            capital = capital || (text[i] == '$' && i + 1 < size);
        if ((dots >= 1 && capital && !isdigit((unsigned char)text[0])) ||
            crash_ends_like_exception(text, size))
            return size;
    }
    return 0;
}

bool crash_is_cause(const struct log_line *line)
{
    if (crash_line_begins(line, "Xamarin caused by: ")) /* Crashlytics */
        return true;
    if (!crash_line_begins(line, "Caused by"))
        return false;
    if (crash_line_begins(line, "Caused by: "))
        return true;
    return line->length > 10 && line->text[9] == ' ' &&
           crash_class_length(line->text + 10, line->length - 10) > 0;
}

/* What Dart's errors say instead of their class. */
static const char *dart_class(const char *text, size_t length)
{
    static const char *const known[][2] = {
        {"Null check operator used on a null value", "TypeError"},
        {"type '", "TypeError"},
        {"Bad state: ", "StateError"},
        {"Concurrent modification during iteration", "ConcurrentModificationError"},
        {"Invalid argument", "ArgumentError"},
        {"Unsupported operation", "UnsupportedError"},
        {"Stack Overflow", "StackOverflowError"},
        {"Out of Memory", "OutOfMemoryError"},
        {"'package:", "AssertionError"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (has_prefix(text, length, known[i][0]))
            return known[i][1];
    return NULL;
}

/* Behind "app.js:12 " and "app.js:12:5 ", which a browser's console puts before what it prints. */
static struct log_line behind_place(const struct log_line *line)
{
    struct log_line out = *line;
    const char *space = line->length ? memchr(line->text, ' ', line->length) : NULL;
    size_t size = space ? (size_t)(space - line->text) : 0, digits = 0, numbers = 0;
    while (size > digits + 1 && numbers < 2) {
        char c = line->text[size - digits - 1];
        if (isdigit((unsigned char)c)) {
            digits++;
        } else if (c == ':' && digits) {
            size -= digits + 1;
            digits = 0;
            numbers++;
        } else {
            break;
        }
    }
    if (!numbers || !memchr(line->text, '.', size))
        return out;
    out.length -= (size_t)(space + 1 - line->text);
    out.text = space + 1;
    assert(out.text + out.length == line->text + line->length);
    return out;
}

/* Behind the words that stand before an exception; the beginning of the line where none do. */
static const char *behind_lead(const struct log_line *whole)
{
    const struct log_line rest = behind_place(whole), *line = &rest;
    static const char *const leads[] = {"Caused by: ",
                                        "Caused by ",
                                        "Xamarin caused by: ",
                                        "INSTRUMENTATION_STATUS: stack=",
                                        "Uncaught (in promise) ",
                                        "Uncaught ",
                                        "Exception in thread ",
                                        "Unhandled exception: ",
                                        "Fatal Exception: ",
                                        "Unhandled JS Exception: ",
                                        "Exception ",
                                        "The following ",
                                        "---> ",
                                        "Unhandled Exception: "};
    const char *end = line->text + line->length;
    const char *inside = memmem(line->text, line->length, "Unhandled Exception: ", 21);
    if (inside)
        return inside + 21;
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (crash_line_begins(line, leads[i])) {
            const char *at = line->text + strlen(leads[i]);
            if (*leads[i] == 'E' && at < end && *at == '"') { /* a thread's name */
                const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));
                at = quote && quote + 2 < end ? quote + 2 : at;
            }
            return at;
        }
    return line->text;
}

bool crash_is_pack(const char *name, size_t length)
{
    static const char *const packs[] = {".JavascriptException", ".JavaProxyThrowable"};
    for (size_t i = 0; i < sizeof packs / sizeof *packs; i++) {
        size_t size = strlen(packs[i]);
        if (length > size && memcmp(name + length - size, packs[i], size) == 0)
            return true;
    }
    return false;
}

/* A pack of another language's error: the class that its message begins with, which may stand in
 * brackets. */
static size_t packed_class(const char *name, size_t length, const char *end, const char **inner)
{
    if (!crash_is_pack(name, length) || end - (name + length) < 3)
        return 0;
    *inner = name + length + 2;
    const char *close = **inner == '[' ? memchr(*inner, ']', (size_t)(end - *inner)) : NULL;
    if (!close)
        return crash_class_length(*inner, (size_t)(end - *inner));
    (*inner)++;
    return crash_class_length(*inner, (size_t)(close - *inner));
}

/* "TypeErrorImpl" of "The following TypeErrorImpl was thrown building Cart:" */
static size_t thrown_class(const struct log_line *line, const char *at)
{
    const char *end = line->text + line->length, *stop = at;
    while (stop < end && crash_is_name_char(*stop))
        stop++;
    return crash_line_begins(line, "The following ") &&
                   has_prefix(stop, (size_t)(end - stop), " was thrown")
               ? (size_t)(stop - at)
               : 0;
}

/* The class of "java.lang.IllegalStateException: text", of "Uncaught TypeError: text", of a log
 * message that ends in "...: java.lang.Exception"; of "A: text ---> B: text" it is B. */
bool crash_header_class(const struct log_line *line, const char **name, size_t *length)
{
    const char *end = line->text + line->length, *at = behind_lead(line);
    for (const char *c = at; c + 5 < end; c++)
        if (strncmp(c, "---> ", 5) == 0)
            at = c + 5;
    if (at < end && *at == '_') /* Dart's private classes */
        at++;
    assert(at >= line->text && at <= end);
    *name = at;
    *length = crash_class_length(at, (size_t)(end - at));
    if (!*length)
        *length = thrown_class(line, at);
    const char *dart = *length ? NULL : dart_class(at, (size_t)(end - at));
    if (dart && (at != line->text ||
                 has_prefix(at, (size_t)(end - at), "Null check ,type ',Bad state: ,'package:"))) {
        *name = dart;
        *length = strlen(dart);
        return true;
    }
    const char *inner;
    size_t size = *length ? packed_class(*name, *length, end, &inner) : 0;
    if (size) {
        *name = inner;
        *length = size;
    }
    for (; !*length && at < end; at++) { /* behind a colon: dotted names of exceptions only */
        if (at[0] != ':' || at + 2 >= end || at[1] != ' ')
            continue;
        size = crash_class_length(at + 2, (size_t)(end - at - 2));
        if (size && memchr(at + 2, '.', size) && crash_ends_like_exception(at + 2, size)) {
            *name = at + 2;
            *length = size;
        }
    }
    return *length > 0;
}

bool crash_is_lone_class(const struct log_line *line)
{
    return line->length && crash_ends_like_exception(line->text, line->length) &&
           memchr(line->text, '.', line->length) &&
           crash_class_length(line->text, line->length) == line->length;
}

bool crash_is_announced(const struct log_line *line)
{
    const char *name;
    size_t length;
    return crash_line_holds(line, "Uncaught ") && crash_header_class(line, &name, &length);
}

/* "x0 = 0x0000000000000000    x1 = 0x0000000000000001" below a minidump's frame. */
static bool is_register(const struct log_line *line)
{
    size_t size = 0;
    while (size < line->length && size < 6 && isalnum((unsigned char)line->text[size]))
        size++;
    return size && line->length > size + 5 && memcmp(line->text + size, " = 0x", 5) == 0;
}

bool crash_is_more(const struct log_line *line)
{
    return crash_line_begins(line, "... ") || crash_line_begins(line, "(...") ||
           crash_line_begins(line, "- locked") || crash_line_begins(line, "- waiting") ||
           crash_line_begins(line, "- sleeping") || crash_line_begins(line, "(no managed") ||
           crash_line_begins(line, "|") || crash_line_begins(line, "--- ") ||
           crash_line_begins(line, "<asynchronous suspension>") ||
           crash_line_begins(line, "Found by: ") || is_register(line) ||
           crash_line_begins(line, "(Coroutine boundary");
}
