/* Dumps that are not XML: texts of apps hold what XML cannot. Some phones write it all the same,
 * and a character outside of the first plane as two references (&#55357;&#56832;). Only a text that
 * cannot be read as it is comes here. O(n). */
#include "base/data/str.h"
#include "base/data/text.h"
#include "device/hierarchy.h"
#include <string.h>

static bool is_character(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xd7ff) ||
           (c >= 0xe000 && c <= 0xfffd) || (c >= 0x10000 && c <= 0x10ffff);
}

static int digit_of(char c, uint32_t base)
{
    int value = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : 99;
    return value < (int)base ? value : -1;
}

/* The reference at `at`, "&#...;"; its length, or 0 where there is none. */
static size_t read_reference(const char *at, const char *end, uint32_t *out)
{
    const char *start = at;
    uint32_t base = 10, value = 0;
    if (end - at < 4 || at[0] != '&' || at[1] != '#')
        return 0;
    at += 2;
    if (*at == 'x') {
        base = 16;
        at++;
    }
    const char *digits = at;
    for (; at < end && digit_of(*at, base) >= 0; at++)
        value = value > 0x110000 ? value : value * base + (uint32_t)digit_of(*at, base);
    *out = value;
    return at > digits && at < end && *at == ';' ? (size_t)(at - start) + 1 : 0;
}

static const char *mend_reference(const char *at, const char *end, size_t length, uint32_t value,
                                  tac_str *out)
{
    uint32_t low;
    size_t second = read_reference(at + length, end, &low);
    if (is_character(value)) {
        tac_str_add_bytes(out, at, length);
    } else if (value >= 0xd800 && value < 0xdc00 && second && low >= 0xdc00 && low < 0xe000) {
        tac_str_addf(out, "&#%u;", 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00));
        return at + length + second;
    } else {
        tac_str_add_char(out, ' ');
    }
    return at + length;
}

/* Bytes of the character at `at`; 0 where they are none. */
static size_t character_length(const char *at, const char *end)
{
    unsigned char first = (unsigned char)*at;
    size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if ((size_t)(end - at) < length || !tac_utf8_valid(at, length))
        return 0;
    bool last_two = length == 3 && !memcmp(at, "\xef\xbf", 2) && (unsigned char)at[2] > 0xbd;
    return last_two ? 0 : length;
}

char *ui_mend_xml(const char *text, size_t size, size_t *length)
{
    const char *end = text + size;
    tac_str out = {0};
    for (const char *at = text; at < end;) {
        uint32_t value;
        size_t reference = read_reference(at, end, &value);
        if (reference) {
            at = mend_reference(at, end, reference, value, &out);
            continue;
        }
        size_t character = character_length(at, end);
        if (!character)
            tac_str_add(&out, "\xef\xbf\xbd");
        else if (character == 1 && !is_character((unsigned char)*at))
            tac_str_add_char(&out, ' ');
        else
            tac_str_add_bytes(&out, at, character);
        at += character ? character : 1;
    }
    *length = out.length;
    return tac_str_take(&out);
}
