/* JSON documents as text, each number with as few digits as read back to the same number.
 *
 * jansson writes 17 digits, or one fixed precision for all ("0.10000000000000001"); the long ones
 * are shortened in its text, in place, outside of strings. */
#include "base/data/alloc.h"
#include "base/data/visible.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include <string.h>

enum { SURE_DIGITS = 15, LONGEST = 32 };

/* The number that `text` begins with, as short as it reads back the same; a real number stays one.
 */
static const char *shortest(const char *text, char buffer[LONGEST])
{
    tac_double_text(strtod(text, NULL), buffer, LONGEST - 2);
    if (!strpbrk(buffer, ".e"))
        strcat(buffer, ".0");
    return buffer;
}

/* The end of a string whose opening quotation mark is at `at`. */
static const char *string_end(const char *at)
{
    for (at++; *at != '"'; at++)
        if (*at == '\\')
            at++;
    return at + 1;
}

static void shorten_numbers(char *text)
{
    char *to = text, shorter[LONGEST];
    for (const char *from = text; *from;) {
        const char *end = from + strcspn(from, "\"-0123456789");
        bool number = *end && *end != '"';
        if (*end == '"')
            end = string_end(end);
        if (to != from)
            memmove(to, from, (size_t)(end - from));
        to += end - from;
        from = end;
        size_t length = number ? strspn(from, "+-.0123456789eE") : 0;
        bool is_long = length > SURE_DIGITS && length < LONGEST && memchr(from, '.', length);
        const char *digits = is_long ? shortest(from, shorter) : from;
        if (digits != from && strlen(digits) >= length) /* 12345678901234567.0 */
            digits = from;
        size_t kept = digits == from ? length : strlen(digits);
        memmove(to, digits, kept);
        to += kept;
        from += length;
    }
    *to = '\0';
}

/* Characters that act instead of showing stand in strings only, where an escape means the same.
 * jansson writes those below U+0020 so, the others as they are. */
static char *escape_hidden(char *text)
{
    size_t length = strlen(text), plain = tac_visible_run(text, length);
    if (plain == length)
        return text;
    tac_str out = {.cap = SIZE_MAX};
    for (size_t at = 0; at < length;) {
        tac_glyph glyph = tac_glyph_at(text + at, length - at);
        bool hidden = glyph.kind == TAC_GLYPH_HIDDEN && glyph.code >= 0x7f;
        if (hidden)
            tac_str_addf(&out, "\\u%04x", glyph.code);
        else
            tac_str_add_bytes(&out, text + at, glyph.length);
        at += glyph.length;
    }
    free(text);
    return tac_str_take(&out);
}

char *tac_json_text(const json_t *value, size_t flags)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | flags);
    if (!text)
        tac_out_of_memory(0);
    shorten_numbers(text);
    return escape_hidden(text);
}

tac_status tac_json_write(const json_t *value, FILE *out, tac_error *err)
{
    char *text = tac_json_text(value, JSON_COMPACT);
    bool written = fputs(text, out) != EOF && fputc('\n', out) != EOF;
    free(text);
    return written ? TAC_OK : tac_fail(err, TAC_E_IO, "cannot write the JSON document");
}

const char *tac_json_get_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

tac_status tac_json_save(const json_t *value, const char *path, tac_error *err)
{
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    return status == TAC_OK
               ? tac_output_close(&output, tac_json_write(value, output.file, err), err)
               : status;
}
