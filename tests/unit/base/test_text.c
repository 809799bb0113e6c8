/* Small helpers on text. */
#include "base/data/random.h"
#include "base/data/text.h"
#include "base/data/visible.h"
#include "tactus_test.h"

TEST(closest_finds_a_swapped_or_missing_letter)
{
    const char *const words[] = {"flow", "model", "rules", "trace"};
    CHECK_STR(tac_closest("flwo", words, 4), "flow");
    CHECK_STR(tac_closest("modl", words, 4), "model");
    CHECK(!tac_closest("elephant", words, 4));
    CHECK_STR(tac_meant("flwo", words, 4).text, "; did you mean 'flow'?");
    CHECK_STR(tac_meant("elephant", words, 4).text, "");
    CHECK_STR(tac_meant("flow", words, 4).text, "");
}

/* The definition: letters are replaced, added, left out, or two neighbours swapped (each pair
 * once). */
static size_t slow_distance(const char *a, size_t m, const char *b, size_t n)
{
    if (!m || !n)
        return m + n;
    size_t best = slow_distance(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
    size_t others[3] = {slow_distance(a, m - 1, b, n) + 1, slow_distance(a, m, b, n - 1) + 1,
                        SIZE_MAX};
    if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1])
        others[2] = slow_distance(a, m - 2, b, n - 2) + 1;
    for (size_t i = 0; i < 3; i++)
        best = others[i] < best ? others[i] : best;
    return best;
}

TEST(closest_is_the_first_of_those_with_the_least_distance)
{
    tac_random random;
    tac_random_seed(&random, 7);
    for (int round = 0; round < 4000; round++) {
        char words[4][8] = {{0}};
        const char *candidates[3] = {words[1], words[2], words[3]}, *closest = NULL;
        for (size_t w = 0; w < 4; w++)
            for (size_t i = 0, length = tac_random_below(&random, 7); i < length; i++)
                words[w][i] = "abc"[tac_random_below(&random, 3)];
        size_t limit = strlen(words[0]) / 3 + 1, best = (limit < 3 ? limit : 3) + 1;
        for (size_t c = 0; c < 3; c++) {
            size_t distance =
                slow_distance(words[0], strlen(words[0]), candidates[c], strlen(candidates[c]));
            if (distance < best) {
                best = distance;
                closest = candidates[c];
            }
        }
        CHECK(tac_closest(words[0], candidates, 3) == closest);
    }
    char long_word[65] = {0};
    memset(long_word, 'x', 63);
    CHECK(tac_closest(long_word, (const char *[]){long_word}, 1) != NULL);
    char expected[100], other[65];
    memcpy(other, long_word, sizeof other);
    other[0] = '!';
    snprintf(expected, sizeof expected, "; did you mean '%s'?", long_word);
    CHECK_STR(tac_meant(other, (const char *[]){long_word}, 1).text, expected);
    memset(long_word, 'x', 64);
    CHECK(tac_closest(long_word, (const char *[]){long_word}, 1) == NULL);
}

TEST(numbers_are_whole_texts_in_range)
{
    int64_t i;
    uint64_t u;
    double d;
    CHECK(tac_parse_i64("-12", &i) && i == -12);
    CHECK(!tac_parse_i64("", &i) && !tac_parse_i64("-", &i) && !tac_parse_i64("1 ", &i));
    CHECK(!tac_parse_i64("9223372036854775808", &i));
    CHECK(tac_parse_u64("18446744073709551615", &u) && u == UINT64_MAX);
    CHECK(!tac_parse_u64("18446744073709551616", &u) && !tac_parse_u64("-1", &u));
    CHECK(tac_parse_double("-1.5e3", &d) && d == -1500);
    CHECK(!tac_parse_double("nan", &d) && !tac_parse_double("1e999", &d) &&
          !tac_parse_double("0x10", &d) && !tac_parse_double("1..2", &d));
}

TEST(doubles_read_back_exactly)
{
    char text[32];
    CHECK_STR(tac_double_text(0.1, text, sizeof text), "0.1");
    CHECK_STR(tac_double_text(1.0 / 3, text, sizeof text), "0.3333333333333333");
    CHECK(strtod(tac_double_text(5e-324, text, sizeof text), NULL) == 5e-324);
}

TEST(characters_are_written_as_the_utf8_that_is_read)
{
    for (uint32_t code = 1; code <= 0x10ffff; code++) {
        char bytes[4];
        bool surrogate = code >= 0xd800 && code <= 0xdfff;
        size_t length = tac_utf8_put(bytes, code);
        tac_glyph glyph = tac_glyph_at(bytes, length);
        if (!surrogate &&
            (glyph.kind == TAC_GLYPH_BROKEN || glyph.length != length || glyph.code != code)) {
            CHECK_EQ(code, 0);
            break;
        }
    }
}

TEST(utf8_is_checked_strictly)
{
    CHECK(tac_utf8_valid("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 10));
    CHECK(!tac_utf8_valid("\xc0\x80", 2));         /* overlong */
    CHECK(!tac_utf8_valid("\xed\xa0\x80", 3));     /* surrogate */
    CHECK(!tac_utf8_valid("\xf4\x90\x80\x80", 4)); /* past U+10FFFF */
    CHECK(!tac_utf8_valid("\xe2\x82", 2));         /* cut */
}

TEST(thousands_are_grouped)
{
    char text[32];
    CHECK_STR(tac_thousands(0, text, sizeof text), "0");
    CHECK_STR(tac_thousands(38777, text, sizeof text), "38,777");
    CHECK_STR(tac_thousands(UINT64_MAX, text, sizeof text), "18,446,744,073,709,551,615");
}
