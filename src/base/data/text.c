/* Small helpers on text. */
#include "base/data/text.h"
#include "base/check.h"
#include "base/data/str.h"
#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Damerau-Levenshtein distance (adjacent swaps cost one), cut off at words of 63 bytes. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    if (m > TAC_CLOSEST_LENGTH || n > TAC_CLOSEST_LENGTH)
        return SIZE_MAX;
    unsigned char rows[3][TAC_CLOSEST_LENGTH + 1];
    unsigned char *before = rows[0], *above = rows[1], *here = rows[2];
    for (size_t j = 0; j <= n; j++)
        above[j] = (unsigned char)j;
    for (size_t i = 1; i <= m; i++) {
        here[0] = (unsigned char)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (best > above[j] + 1u)
                best = above[j] + 1u;
            if (best > here[j - 1] + 1u)
                best = here[j - 1] + 1u;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                best > before[j - 2] + 1u)
                best = before[j - 2] + 1u;
            here[j] = (unsigned char)best;
        }
        unsigned char *oldest = before;
        before = above;
        above = here;
        here = oldest;
    }
    return above[n];
}

const char *tac_closest(const char *word, const char *const *candidates, size_t count)
{
    size_t limit = strlen(word) / 3 + 1, best = SIZE_MAX;
    if (limit > 3)
        limit = 3;
    const char *closest = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(word, candidates[i]);
        if (distance <= limit && distance < best) {
            best = distance;
            closest = candidates[i];
        }
    }
    return closest;
}

tac_meaning tac_meant(const char *word, const char *const *candidates, size_t count)
{
    tac_meaning meant = {""};
    const char *closest = tac_closest(word, candidates, count);
    if (closest && strcmp(closest, word) != 0)
        snprintf(meant.text, sizeof meant.text, "; did you mean '%s'?", closest);
    return meant;
}

bool tac_parse_i64(const char *text, int64_t *out)
{
    const char *digits = text + (text[0] == '-' || text[0] == '+');
    if (!*digits || strspn(digits, "0123456789") != strlen(digits))
        return false;
    errno = 0;
    long long value = strtoll(text, NULL, 10);
    if (errno)
        return false;
    *out = value;
    return true;
}

bool tac_parse_u64(const char *text, uint64_t *out)
{
    if (!*text || strspn(text, "0123456789") != strlen(text))
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, NULL, 10);
    if (errno)
        return false;
    *out = value;
    return true;
}

bool tac_parse_double(const char *text, double *out)
{
    if (!*text || strspn(text, "0123456789+-.eE") != strlen(text))
        return false;
    /* The program never calls setlocale, so strtod reads a decimal point. */
    char *end;
    double value = strtod(text, &end);
    if (*end || end == text || !isfinite(value))
        return false;
    *out = value;
    return true;
}

bool tac_utf8_valid(const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    while (at < end) {
        unsigned char lead = *at++;
        if (lead < 0x80)
            continue;
        int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        if (lead < 0xc2 || lead > 0xf4 || end - at < more)
            return false;
        unsigned char least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        unsigned char most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (*at < least || *at > most)
            return false;
        for (int i = 1; i < more; i++)
            if (at[i] < 0x80 || at[i] > 0xbf)
                return false;
        at += more;
    }
    return true;
}

void tac_utf8_clean(const char *text, size_t length, tac_str *out)
{
    for (size_t i = 0; i < length;) {
        size_t span = 0;
        for (size_t n = 1; n <= 4 && i + n <= length && !span; n++)
            if (tac_utf8_valid(text + i, n))
                span = n;
        if (span)
            tac_str_add_bytes(out, text + i, span);
        else
            tac_str_add(out, "\xef\xbf\xbd");
        i += span ? span : 1;
    }
}

size_t tac_utf8_put(char *out, uint32_t code)
{
    assert(code <= 0x10ffff);
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(leads[length] | code);
    return length;
}

/* "1e-07" as "1e-7", "1e+20" as "1e20". */
static void trim_exponent(char *text)
{
    char *exponent = strchr(text, 'e');
    if (!exponent)
        return;
    char *to = exponent + 1, *from = to;
    if (*from == '-')
        to++;
    from += strspn(from, "+-0");
    memmove(to, from, strlen(from) + 1);
}

/* 15 digits or fewer say every number that has so few; only subnormal numbers need not have 15.
 * Whole numbers, most of what is measured, need no search. */
const char *tac_double_text(double value, char *buffer, size_t size)
{
    if (value > -1e15 && value < 1e15 && value == (double)(int64_t)value && !signbit(value)) {
        snprintf(buffer, size, "%lld", (long long)value);
        return buffer;
    }
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        snprintf(buffer, size, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    trim_exponent(buffer);
    return buffer;
}

const char *tac_thousands(uint64_t value, char *buffer, size_t size)
{
    char plain[24];
    int digits = snprintf(plain, sizeof plain, "%llu", (unsigned long long)value);
    size_t used = 0;
    for (int i = 0; i < digits && used + 2 < size; i++) {
        if (i && (digits - i) % 3 == 0)
            buffer[used++] = ',';
        buffer[used++] = plain[i];
    }
    buffer[used] = '\0';
    return buffer;
}

char *tac_trim(char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    return text;
}

bool tac_is_listed(const char *word, const char *const *list)
{
    while (*list && strcmp(word, *list) != 0)
        list++;
    return *list;
}

bool tac_begins_with_listed(const char *text, const char *const *list)
{
    while (*list && strncmp(text, *list, strlen(*list)) != 0)
        list++;
    return *list;
}

bool tac_ends_with(const char *text, const char *suffix)
{
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && !strcmp(text + length - tail, suffix);
}

const char *tac_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int64_t tac_clock(int clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

double tac_now(void)
{
    return (double)tac_clock(CLOCK_MONOTONIC) * 1e-9;
}

size_t tac_byte_order_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

bool tac_list_has(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at && *at;) {
        size_t item = strcspn(at, ",");
        if (item == length && !memcmp(at, word, length))
            return true;
        at += item + (at[item] == ',');
    }
    return false;
}
