/* What stands behind backslashes, by the language's table. What comes out is never longer than what
 * goes in. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/syntax/syntax.h"
#include <stdlib.h>
#include <string.h>

const struct syntax_escapes syntax_numbered_escapes = {
    .letters = "ntr", .meant = "\n\t\r", .numbered = true};

/* The number in hexadecimal digits; -1 when there are fewer of them. */
static long hexadecimal(const char *text, size_t digits)
{
    char copy[5] = "";
    if (strspn(text, "0123456789abcdefABCDEF") < digits)
        return -1;
    return strtol(memcpy(copy, text, digits), NULL, 16);
}

/* \uXXXX or \xXX at *from, which is moved after it. */
static const char *character(const char **from, char **to)
{
    bool byte = (*from)[1] == 'x';
    long code = hexadecimal(*from + 2, byte ? 2 : 4), low;
    if (code <= 0 && byte)
        return code ? "\\x needs two hexadecimal digits, such as \\x9b"
                    : "\\x00 cannot stand in a text";
    if (code <= 0)
        return code ? "\\u needs four hexadecimal digits, such as \\u202e"
                    : "\\u0000 cannot stand in a text";
    *from += byte ? 4 : 6;
    low = code >= 0xd800 && code <= 0xdbff && !strncmp(*from, "\\u", 2) ? hexadecimal(*from + 2, 4)
                                                                        : -1;
    if (low >= 0xdc00 && low <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
        *from += 6;
    }
    if (code >= 0xd800 && code <= 0xdfff)
        return "half of a pair such as \\ud83d\\ude00 stands alone";
    if (byte)
        *(*to)++ = (char)code;
    else
        *to += tac_utf8_put(*to, (uint32_t)code);
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

/* NULL, or what is wrong. */
static const char *unescape(const struct syntax_escapes *escapes, char *text)
{
    const char *from = text, *flaw = NULL;
    char *to = text;
    while (*from && !flaw) {
        if (*from != '\\' || !from[1])
            *to++ = *from++;
        else if (escapes->numbered && (from[1] == 'u' || from[1] == 'x'))
            flaw = character(&from, &to);
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
    const char *flaw = escapes ? unescape(escapes, copy) : NULL;
    if (flaw)
        syntax_fail(s, token, "in these quotes %s", flaw);
    return copy;
}
