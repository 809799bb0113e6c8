/* What stands behind backslashes, by the language's table. What comes out is never longer than what
 * goes in. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/syntax/syntax.h"
#include <string.h>

const struct syntax_escapes syntax_numbered_escapes = {
    .letters = "ntr", .meant = "\n\t\r", .numbered = true};

/* False when these are not `digits` hexadecimal digits. */
static bool hexadecimal(const char *text, int digits, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < digits; i++) {
        char c = text[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return false;
        *out = *out << 4 | (uint32_t)digit;
    }
    return true;
}

/* \uXXXX at *from, which is moved behind it. */
static const char *character(const char **from, char **to)
{
    uint32_t code, low;
    if (!hexadecimal(*from + 2, 4, &code))
        return "\\u needs four hexadecimal digits, such as \\u202e";
    *from += 6;
    if (code >= 0xd800 && code <= 0xdbff && (*from)[0] == '\\' && (*from)[1] == 'u' &&
        hexadecimal(*from + 2, 4, &low) && low >= 0xdc00 && low <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
        *from += 6;
    }
    if (!code)
        return "\\u0000 cannot stand in a text";
    if (code >= 0xd800 && code <= 0xdfff)
        return "half of a pair such as \\ud83d\\ude00 stands alone";
    *to += tac_utf8_put(*to, code);
    return NULL;
}

static const char *byte(const char **from, char **to)
{
    uint32_t code;
    if (!hexadecimal(*from + 2, 2, &code))
        return "\\x needs two hexadecimal digits, such as \\x9b";
    if (!code)
        return "\\x00 cannot stand in a text";
    *(*to)++ = (char)code;
    *from += 4;
    return NULL;
}

static const char *letter(const struct syntax_escapes *escapes, const char **from, char **to)
{
    char c = (*from)[1];
    const char *known = escapes->letters ? strchr(escapes->letters, c) : NULL;
    if (escapes->refused && strchr(escapes->refused, c))
        return "a character is written by its number, which is not understood";
    if (!known && escapes->keeps)
        *(*to)++ = '\\';
    *(*to)++ = known ? escapes->meant[known - escapes->letters] : c;
    *from += 2;
    return NULL;
}

const char *syntax_unescape(const struct syntax_escapes *escapes, char *text)
{
    const char *from = text, *flaw = NULL;
    char *to = text;
    while (*from && !flaw) {
        if (*from != '\\' || !from[1])
            *to++ = *from++;
        else if (escapes->numbered && from[1] == 'u')
            flaw = character(&from, &to);
        else if (escapes->numbered && from[1] == 'x')
            flaw = byte(&from, &to);
        else
            flaw = letter(escapes, &from, &to);
        assert(to <= from);
    }
    *to = 0;
    return flaw;
}

const char *syntax_text(struct syntax *s, const struct syntax_token *token, tac_arena *arena)
{
    char *copy = tac_arena_strndup(arena, token->text, token->length);
    const struct syntax_escapes *escapes = token->quote ? s->language->escapes : NULL;
    const char *flaw = escapes ? syntax_unescape(escapes, copy) : NULL;
    if (flaw)
        syntax_fail(s, token, "in these quotes %s", flaw);
    return copy;
}
