/* See text.h. PowerShell's `>` writes UTF-16 with a byte-order mark. */
#include "base/data/text.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "facts/text.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

const char *text_encoding(const char *bytes, size_t size)
{
    if (size >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3))
        return "utf-8+bom";
    if (size >= 2 && !memcmp(bytes, "\xff\xfe", 2))
        return "utf-16le+bom";
    if (size >= 2 && !memcmp(bytes, "\xfe\xff", 2))
        return "utf-16be+bom";
    size_t looked = size < 64 ? size & ~(size_t)1 : 64, low = 0, high = 0;
    for (size_t i = 0; i < looked; i += 2) {
        low += !bytes[i] && bytes[i + 1];
        high += bytes[i] && !bytes[i + 1];
    }
    if (looked >= 8 && high >= looked / 2 - 1)
        return "utf-16le";
    return looked >= 8 && low >= looked / 2 - 1 ? "utf-16be" : "utf-8";
}

static void add_point(tac_str *out, uint32_t point)
{
    char bytes[4];
    tac_str_add_bytes(out, bytes, tac_utf8_put(bytes, point));
}

static uint32_t unit_at(const unsigned char *at, bool big)
{
    return big ? (uint32_t)(at[0] << 8 | at[1]) : (uint32_t)(at[1] << 8 | at[0]);
}

char *text_decode(const char *bytes, size_t size, const char *encoding, size_t *length)
{
    tac_str out = {0};
    if (!strncmp(encoding, "utf-8", 5)) {
        size_t skip = encoding[5] ? 3 : 0;
        tac_str_add_bytes(&out, bytes + skip, size - skip);
    } else {
        const unsigned char *at = (const unsigned char *)bytes, *end = at + (size & ~(size_t)1);
        bool big = encoding[6] == 'b';
        for (at += encoding[8] ? 2 : 0; at < end; at += 2) {
            uint32_t point = unit_at(at, big);
            bool high = point >= 0xd800 && point < 0xdc00;
            uint32_t low = high && end - at >= 4 ? unit_at(at + 2, big) : 0;
            if (low >= 0xdc00 && low < 0xe000) {
                point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
                at += 2;
            } else if (point >= 0xd800 && point < 0xe000) {
                point = 0xfffd;
            }
            add_point(&out, point);
        }
    }
    *length = out.length;
    tac_str_add(&out, "");
    return out.text ? tac_str_take(&out) : tac_strdup("");
}
