/* See escape.h. */
#include "property/language/escape.h"

#include "base/check.h"
#include "base/data/text.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

const char *prop_unescape(char *text)
{
    const char *from = text, *flaw = NULL;
    char *to = text;
    while (*from && !flaw) {
        if (*from != '\\' || !from[1])
            *to++ = *from++;
        else if (from[1] == 'u')
            flaw = character(&from, &to);
        else if (from[1] == 'x')
            flaw = byte(&from, &to);
        else {
            *to++ = (char)(from[1] == 'n'   ? '\n'
                           : from[1] == 't' ? '\t'
                           : from[1] == 'r' ? '\r'
                                            : from[1]);
            from += 2;
        }
        assert(to <= from);
    }
    *to = 0;
    return flaw;
}
