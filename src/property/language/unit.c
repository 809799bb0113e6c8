/* Units: parsing, algebra, names. Factors are ratios of integers below 2^53, so products and
 * quotients of everyday units are exact. kB = 1000 B and KiB = 1024 B. */
#include "property/language/unit.h"
#include "base/check.h"

#include "base/data/str.h"
#include "base/data/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit_name {
    const char *name;
    signed char power[UNIT_BASES];
    double num, den;
    bool prefixes; /* n u m k M G T may stand before it */
};

/* Powers in the order of enum unit_base: s, B, kg, m, A, degC, dBm, px. */
static const struct unit_name known[] = {
    {"s", {1}, 1, 1, true},
    {"min", {1}, 60, 1, false},
    {"h", {1}, 3600, 1, false},
    {"B", {0, 1}, 1, 1, true},
    {"KiB", {0, 1}, 1024, 1, false},
    {"MiB", {0, 1}, 1048576, 1, false},
    {"GiB", {0, 1}, 1073741824, 1, false},
    {"TiB", {0, 1}, 1099511627776.0, 1, false},
    {"bit", {0, 1}, 1, 8, true},
    {"bps", {-1, 1}, 1, 8, true},
    {"W", {-3, 0, 1, 2}, 1, 1, true},
    {"J", {-2, 0, 1, 2}, 1, 1, true},
    {"Wh", {-2, 0, 1, 2}, 3600, 1, true},
    {"V", {-3, 0, 1, 2, -1}, 1, 1, true},
    {"A", {0, 0, 0, 0, 1}, 1, 1, true},
    {"Ah", {1, 0, 0, 0, 1}, 3600, 1, true},
    {"Hz", {-1}, 1, 1, true},
    {"fps", {-1}, 1, 1, false},
    {"g", {0, 0, 1}, 1, 1000, true},
    {"m", {0, 0, 0, 1}, 1, 1, true},
    {"degC", {0, 0, 0, 0, 0, 1}, 1, 1, false},
    {"dBm", {0, 0, 0, 0, 0, 0, 1}, 1, 1, false},
    {"dB", {0}, 1, 1, false},
    {"px", {0, 0, 0, 0, 0, 0, 0, 1}, 1, 1, false},
    {"%", {0}, 1, 100, false},
};
enum { KNOWN = sizeof known / sizeof known[0] };

static const struct {
    const char *text;
    double num, den;
} prefixes[] = {
    {"n", 1, 1e9}, {"u", 1, 1e6}, {"\xc2\xb5", 1, 1e6}, {"m", 1, 1e3},
    {"k", 1e3, 1}, {"M", 1e6, 1}, {"G", 1e9, 1},        {"T", 1e12, 1},
};
enum { PREFIXES = sizeof prefixes / sizeof prefixes[0] };

struct unit unit_none(void)
{
    struct unit unit = {{0}, 1, 1};
    return unit;
}

bool unit_same_dimension(const struct unit *a, const struct unit *b)
{
    return memcmp(a->power, b->power, sizeof a->power) == 0;
}

static bool same_factor(const struct unit *a, const struct unit *b)
{
    double left = a->num * b->den, right = b->num * a->den;
    return !(left < right) && !(left > right);
}

bool unit_equal(const struct unit *a, const struct unit *b)
{
    return unit_same_dimension(a, b) && same_factor(a, b);
}

bool unit_dimensionless(const struct unit *unit)
{
    struct unit none = unit_none();
    return unit_same_dimension(unit, &none);
}

static void reduce(struct unit *unit)
{
    double a = unit->num, b = unit->den;
    if (a > 9007199254740992.0 || b > 9007199254740992.0)
        return;
    while (b >= 1) {
        double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    unit->num /= a;
    unit->den /= a;
}

struct unit unit_multiply(const struct unit *a, const struct unit *b)
{
    assert(a->den > 0 && b->den > 0);
    struct unit out = {{0}, a->num * b->num, a->den * b->den};
    for (int i = 0; i < UNIT_BASES; i++)
        out.power[i] = (signed char)(a->power[i] + b->power[i]);
    reduce(&out);
    return out;
}

struct unit unit_divide(const struct unit *a, const struct unit *b)
{
    assert(a->den > 0 && b->num > 0);
    struct unit out = {{0}, a->num * b->den, a->den * b->num};
    for (int i = 0; i < UNIT_BASES; i++)
        out.power[i] = (signed char)(a->power[i] - b->power[i]);
    reduce(&out);
    return out;
}

double unit_convert(double value, const struct unit *from, const struct unit *to)
{
    assert(unit_same_dimension(from, to));
    struct unit ratio = unit_divide(from, to);
    return value * ratio.num / ratio.den;
}

static bool lookup(const char *text, size_t length, struct unit *out)
{
    for (size_t i = 0; i < KNOWN; i++) {
        size_t n = strlen(known[i].name);
        if (length < n || memcmp(text + length - n, known[i].name, n) != 0)
            continue;
        double num = known[i].num, den = known[i].den;
        bool found = length == n;
        for (size_t p = 0; !found && known[i].prefixes && p < PREFIXES; p++) {
            if (strlen(prefixes[p].text) == length - n &&
                memcmp(text, prefixes[p].text, length - n) == 0) {
                num *= prefixes[p].num;
                den *= prefixes[p].den;
                found = true;
            }
        }
        if (!found)
            continue;
        memcpy(out->power, known[i].power, sizeof out->power);
        out->num = num;
        out->den = den;
        reduce(out);
        return true;
    }
    return false;
}

static bool part_with_power(const char *text, size_t length, struct unit *out)
{
    const char *hat = memchr(text, '^', length);
    struct unit one;
    if (!hat)
        return lookup(text, length, out);
    if (hat + 2 != text + length || hat[1] < '1' || hat[1] > '9' ||
        !lookup(text, (size_t)(hat - text), &one))
        return false;
    *out = unit_none();
    for (char n = '0'; n < hat[1]; n++)
        *out = unit_multiply(out, &one);
    return true;
}

bool unit_parse(const char *text, size_t length, struct unit *out, const char **bad,
                size_t *bad_length)
{
    struct unit total = unit_none();
    size_t at = 0;
    char joint = '*';
    for (;;) {
        size_t end = at;
        while (end < length && text[end] != '*' && text[end] != '/')
            end++;
        struct unit part = unit_none();
        bool one = end == at + 1 && text[at] == '1';
        if (end - at > 16 || (!one && !part_with_power(text + at, end - at, &part))) {
            *bad = text + at;
            *bad_length = end - at;
            return false;
        }
        total = joint == '*' ? unit_multiply(&total, &part) : unit_divide(&total, &part);
        if (end == length)
            break;
        joint = text[end];
        at = end + 1;
    }
    *out = total;
    return true;
}

const char *unit_closest(const char *word)
{
    static const char *const common[] = {
        "s",    "ms",  "us",   "ns",   "min",  "h",   "B",   "kB",  "MB",  "GB",
        "KiB",  "MiB", "GiB",  "J",    "mJ",   "kJ",  "W",   "mW",  "V",   "mV",
        "A",    "mA",  "uA",   "mAh",  "Wh",   "Hz",  "kHz", "fps", "bit", "kbit",
        "Mbit", "bps", "kbps", "Mbps", "degC", "dBm", "px"};
    size_t count = sizeof common / sizeof common[0];
    for (size_t i = 0; i < count; i++) /* "kb", "KB", "MS": the case is the mistake */
        if (strlen(word) == strlen(common[i])) {
            size_t k = 0;
            while (word[k] && (word[k] | 32) == (common[i][k] | 32))
                k++;
            if (!word[k])
                return common[i];
        }
    return tac_closest(word, common, count);
}

static bool named(const struct unit *unit, char *buffer, size_t size)
{
    for (size_t i = 0; i < KNOWN; i++) {
        struct unit base = {{0}, known[i].num, known[i].den};
        memcpy(base.power, known[i].power, sizeof base.power);
        if (!unit_same_dimension(unit, &base) || unit_dimensionless(unit))
            continue;
        if (same_factor(unit, &base)) {
            snprintf(buffer, size, "%s", known[i].name);
            return true;
        }
        for (size_t p = 0; known[i].prefixes && p < PREFIXES; p++) {
            struct unit scaled = base;
            scaled.num *= prefixes[p].num;
            scaled.den *= prefixes[p].den;
            if (same_factor(unit, &scaled)) {
                snprintf(buffer, size, "%s%s", prefixes[p].text, known[i].name);
                return true;
            }
        }
    }
    return false;
}

const char *unit_text(const struct unit *unit, char *buffer, size_t size)
{
    static const char *const base_names[] = {"s", "B", "kg", "m", "A", "degC", "dBm", "px"};
    struct unit none = unit_none(), percent = {{0}, 1, 100};
    if (unit_equal(unit, &none))
        return snprintf(buffer, size, "%s", ""), buffer;
    if (unit_equal(unit, &percent))
        return snprintf(buffer, size, "%%"), buffer;
    if (named(unit, buffer, size))
        return buffer;
    struct unit second = {{1}, 1, 1}, per_second = unit_multiply(unit, &second);
    char top[32];
    if (!unit_dimensionless(&per_second) && named(&per_second, top, sizeof top))
        return snprintf(buffer, size, "%s/s", top), buffer;
    tac_str text = {0};
    if (!same_factor(unit, &none))
        tac_str_addf(&text, "%.9g ", unit->num / unit->den);
    const char *joint = "";
    for (int i = 0; i < UNIT_BASES; i++)
        if (unit->power[i]) {
            tac_str_addf(&text, "%s%s", joint, base_names[i]);
            if (unit->power[i] != 1)
                tac_str_addf(&text, "^%d", unit->power[i]);
            joint = "*";
        }
    snprintf(buffer, size, "%s", tac_str_text(&text));
    tac_str_free(&text);
    return buffer;
}
