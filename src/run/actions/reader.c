/* The words, texts and selectors of action files; see reader.h. */
#include "run/actions/reader.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/data/visible.h"
#include "base/io/xpath.h"
#include "base/syntax/syntax.h"
#include <string.h>

void reader_wrong(struct action_reader *reader, const char *format, ...)
{
    if (reader->status != TAC_OK)
        return;
    va_list args;
    va_start(args, format);
    reader->status = tac_fail_va(reader->err, TAC_E_INPUT, reader->file, reader->line,
                                 (size_t)(reader->at - reader->line_start) + 1, format, args);
    va_end(args);
}

void reader_step_on(struct action_reader *reader)
{
    if (*reader->at++ == '\n') {
        reader->line++;
        reader->line_start = reader->at;
    }
}

/* Blanks, line ends and comments. */
void reader_skip(struct action_reader *reader)
{
    bool comment = false;
    while (reader->at < reader->end) {
        char c = *reader->at;
        comment = c != '\n' && (comment || c == '#');
        if (!comment && c != ' ' && c != '\t' && c != '\r' && c != '\n')
            return;
        reader_step_on(reader);
    }
}

bool reader_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || (unsigned char)c >= 0x80;
}

size_t reader_word_length(const struct action_reader *reader)
{
    const char *at = reader->at;
    while (at < reader->end && reader_word_char(*at))
        at++;
    return (size_t)(at - reader->at);
}

bool reader_is_word(const struct action_reader *reader, const char *word)
{
    return reader_word_length(reader) == strlen(word) && !memcmp(reader->at, word, strlen(word));
}

bool reader_accept(struct action_reader *reader, const char *word)
{
    reader_skip(reader);
    if (reader->status != TAC_OK || !reader_is_word(reader, word))
        return false;
    reader->at += strlen(word);
    return true;
}

bool reader_accept_mark(struct action_reader *reader, char mark)
{
    reader_skip(reader);
    if (reader->status != TAC_OK || reader->at >= reader->end || *reader->at != mark)
        return false;
    reader->at++;
    return true;
}

static const char *found(const struct action_reader *reader, char buffer[48])
{
    size_t length = 0, left = (size_t)(reader->end - reader->at);
    while (length < left && length < 40 && reader->at[length] != '\n')
        length++;
    if (!length)
        return reader->at < reader->end ? "the end of the line" : "the end of the file";
    if (!*reader->at)
        return "a NUL";
    char *raw = tac_strndup(reader->at, length), *shown = tac_visible(raw);
    size_t fits = strlen(shown) < 40 ? strlen(shown) : 40;
    while (fits && !tac_utf8_valid(shown, fits)) /* no half of a character */
        fits--;
    snprintf(buffer, 48, "'%.*s'", (int)fits, shown);
    free(raw);
    free(shown);
    return buffer;
}

void reader_expected(struct action_reader *reader, const char *what)
{
    char buffer[48];
    reader_wrong(reader, "expected %s, found %s", what, found(reader, buffer));
}

const char *reader_take_word(struct action_reader *reader, const char *what)
{
    reader_skip(reader);
    size_t length = reader_word_length(reader);
    if (!length)
        reader_expected(reader, what);
    const char *word = tac_arena_strndup(&reader->out->arena, reader->at, length);
    if (!tac_text_is_plain(word, length))
        reader_wrong(reader, "a hidden character, or what is not UTF-8, stands in this name");
    reader->at += length;
    return word;
}

/* The end of a quote that starts at `at`, or NULL when the line ends before. */
static const char *quote_end(const struct action_reader *reader, const char *at)
{
    for (at++; at < reader->end && *at != '"' && *at != '\n'; at++)
        at += *at == '\\' && at + 1 < reader->end && at[1] != '\n';
    return at < reader->end && *at == '"' ? at : NULL;
}

const char *reader_take_text(struct action_reader *reader)
{
    reader_skip(reader);
    if (reader->at >= reader->end || *reader->at != '"') {
        reader_expected(reader, "a text in quotes");
        return "";
    }
    const char *start = reader->at + 1, *end = quote_end(reader, reader->at);
    if (!end) {
        reader_wrong(reader, "this quote is not closed on its line");
        return "";
    }
    size_t length = (size_t)(end - start);
    char *text = tac_arena_strndup(&reader->out->arena, start, length);
    const char *flaw = memchr(start, '\0', length) ? "stands a NUL, which nobody types" : NULL;
    flaw = flaw ? flaw : syntax_unescape(&syntax_numbered_escapes, text);
    if (!flaw && !tac_utf8_valid(text, strlen(text)))
        flaw = "stands what is not UTF-8";
    if (flaw)
        reader_wrong(reader, "in these quotes %s", flaw);
    else
        reader->at = end + 1;
    return text;
}

bool reader_starts_bare(const struct action_reader *reader)
{
    const char *at = reader->at;
    while (at < reader->end && *at == '(')
        at++;
    return at < reader->end && *at == '/';
}

/* The end of a bare XPath: a blank or ';' outside its brackets and quotes. NULL: they are not
 * closed on its line. */
static const char *xpath_end(const struct action_reader *reader)
{
    const char *at = reader->at;
    int depth = 0;
    for (; at < reader->end && *at != '\n'; at++) {
        if (*at == '"' || *at == '\'') {
            size_t left = (size_t)(reader->end - at - 1);
            const char *close = memchr(at + 1, *at, left), *line = memchr(at + 1, '\n', left);
            if (!close || (line && line < close))
                return NULL;
            at = close;
        } else if (*at == '(' || *at == '[') {
            depth++;
        } else if (*at == ')' || *at == ']') {
            depth--;
        } else if (depth <= 0 && (*at == ' ' || *at == '\t' || *at == ';' || *at == '\r')) {
            break;
        }
    }
    return depth == 0 ? at : NULL;
}

static void check_xpath(struct action_reader *reader, const char *xpath, size_t length)
{
    if (reader->status != TAC_OK)
        return;
    if (strlen(xpath) != length || !tac_utf8_valid(xpath, length) || !tac_xpath_selects(xpath))
        reader_wrong(reader, "this is not an XPath that selects elements, such as "
                             "//node[@resource-id='com.example:id/play']");
}

const char *reader_take_quoted_xpath(struct action_reader *reader)
{
    struct action_reader before = *reader;
    const char *xpath = reader_take_text(reader);
    check_xpath(reader->status == TAC_OK ? &before : reader, xpath, strlen(xpath));
    if (reader->status == TAC_OK)
        reader->status = before.status;
    return xpath;
}

const char *reader_take_xpath(struct action_reader *reader)
{
    const char *end = xpath_end(reader);
    if (!end) {
        reader_wrong(reader, "the brackets and quotes of this XPath are not closed on its line");
        return "";
    }
    size_t length = (size_t)(end - reader->at);
    const char *xpath = tac_arena_strndup(&reader->out->arena, reader->at, length);
    check_xpath(reader, xpath, length);
    if (reader->status == TAC_OK)
        reader->at = end;
    return xpath;
}
