/* See mend.h. Cost: linear in the text. */
#include "trace/json/mend.h"
#include "base/data/text.h"
#include <ctype.h>
#include <string.h>

static bool begins(const char *at, const char *end, const char *word)
{
    size_t size = strlen(word);
    return (size_t)(end - at) >= size && !memcmp(at, word, size);
}

/* "\uXXXX" at the place: its unit; -1 when it is not one. */
static int32_t unit_at(const char *at, const char *end)
{
    int32_t unit = 0;
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        if (!isxdigit((unsigned char)at[i]))
            return -1;
        int digit = isdigit((unsigned char)at[i]) ? at[i] - '0' : (at[i] | 0x20) - 'a' + 10;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* One escape of a text: what stands there, or U+FFFD for a surrogate without its other half. */
static size_t add_escape(const char *at, const char *end, tac_str *out, bool *mended)
{
    int32_t unit = unit_at(at, end);
    size_t size = unit >= 0 ? 6 : end - at > 1 ? 2 : 1;
    if (unit >= 0xd800 && unit < 0xdc00) {
        int32_t low = unit_at(at + 6, end);
        if (low >= 0xdc00 && low < 0xe000)
            size = 12;
    }
    if (size == 6 && unit >= 0xd800 && unit < 0xe000) {
        tac_str_add(out, "\\ufffd");
        *mended = true;
    } else {
        tac_str_add_bytes(out, at, size);
    }
    return size;
}

/* A word that stands for a number outside of texts; 0: none does. */
static size_t no_number(const char *at, const char *end)
{
    static const char *const words[] = {"NaN", "-NaN", "Infinity", "-Infinity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(at, end, words[i]))
            return strlen(words[i]);
    return 0;
}

bool json_mend(const char *text, size_t length, tac_str *out)
{
    tac_str clean = {0};
    bool inside = false, mended = !tac_utf8_valid(text, length);
    if (mended) {
        tac_utf8_clean(text, length, &clean);
        text = tac_str_text(&clean);
        length = clean.length;
    }
    const char *end = text + length;
    for (const char *at = text; at < end;) {
        size_t size = 1, odd = inside ? 0 : no_number(at, end);
        if (inside && *at == '\\') {
            size = add_escape(at, end, out, &mended);
        } else if (inside && (unsigned char)*at < 0x20) {
            tac_str_addf(out, "\\u%04x", (unsigned)*at);
            mended = true;
        } else if (odd) {
            tac_str_add(out, "null");
            size = odd;
            mended = true;
        } else {
            inside ^= *at == '"';
            tac_str_add_bytes(out, at, 1);
        }
        at += size;
    }
    tac_str_free(&clean);
    return mended;
}
