/* JSON strings; see json_text.h. */
#include "trace/text/json_text.h"
#include "base/data/text.h"
#include <stdint.h>
#include <string.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Four hexadecimal digits at `at`, or -1. */
static long hex_four(const char *at)
{
    long value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(at[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static void add_code_point(tac_str *out, uint32_t code)
{
    char bytes[4];
    tac_str_add_bytes(out, bytes, tac_utf8_put(bytes, code));
}

/* The escape behind a backslash at `at`; returns the place behind it, or NULL. A lone surrogate
 * becomes U+FFFD. */
static const char *decode_escape(const char *at, tac_str *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *simple = *at ? strchr(from, *at) : NULL;
    if (simple) {
        tac_str_add_char(out, to[simple - from]);
        return at + 1;
    }
    long code = *at == 'u' ? hex_four(at + 1) : -1;
    if (code < 0)
        return NULL;
    at += 5;
    if (code >= 0xd800 && code < 0xdc00 && at[0] == '\\' && at[1] == 'u') {
        long low = hex_four(at + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            add_code_point(out, (uint32_t)(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)));
            return at + 6;
        }
    }
    add_code_point(out, code >= 0xd800 && code < 0xe000 ? 0xfffd : (uint32_t)code);
    return at;
}

const char *json_text_decode(const char *at, tac_str *out, const char **wrong)
{
    tac_str_clear(out);
    for (;;) {
        const char *start = at;
        while (*at != '"' && *at != '\\' && (unsigned char)*at >= 0x20)
            at++;
        tac_str_add_bytes(out, start, (size_t)(at - start));
        if (*at == '"')
            return at;
        const char *next = *at == '\\' ? decode_escape(at + 1, out) : NULL;
        if (!next) {
            *wrong = at;
            return NULL;
        }
        at = next;
    }
}

/* The length of the valid UTF-8 sequence at `at`, or 0. */
static size_t sequence_length(const char *at, size_t left)
{
    for (size_t length = 2; length <= 4 && length <= left; length++)
        if (tac_utf8_valid(at, length))
            return length;
    return 0;
}

void json_text_encode(tac_str *out, const char *text, size_t length)
{
    tac_str_add_char(out, '"');
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x80) {
            size_t sequence = sequence_length(text + i, length - i);
            if (sequence)
                tac_str_add_bytes(out, text + i, sequence);
            else
                tac_str_add(out, "\xef\xbf\xbd");
            i += sequence ? sequence : 1;
            continue;
        }
        if (c == '"' || c == '\\')
            tac_str_add_char(out, '\\');
        if (c < 0x20)
            tac_str_addf(out, "\\u%04x", c);
        else
            tac_str_add_char(out, (char)c);
        i++;
    }
    tac_str_add_char(out, '"');
}
