/* The text border: characters that act are shown, in text and inside other languages. */
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/random.h"
#include "base/data/visible.h"
#include "base/print/print.h"
#include "tactus_test.h"
#include <inttypes.h>

/* What may not stand raw: an own, plain table of ranges. */
static bool acts(uint32_t code)
{
    static const uint32_t ranges[][2] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
                                         {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

static size_t encode(uint32_t code, char out[5])
{
    size_t n = 0;
    if (code < 0x80)
        out[n++] = (char)code;
    else if (code < 0x800)
        out[n++] = (char)(0xc0 | code >> 6);
    else if (code < 0x10000)
        out[n++] = (char)(0xe0 | code >> 12);
    else
        out[n++] = (char)(0xf0 | code >> 18);
    for (int shift = code < 0x80      ? -6
                     : code < 0x800   ? 0
                     : code < 0x10000 ? 6
                                      : 12;
         shift >= 0; shift -= 6)
        out[n++] = (char)(0x80 | (code >> shift & 0x3f));
    out[n] = 0;
    return n;
}

TEST(every_code_point_is_plain_or_hidden_as_the_table_says)
{
    size_t wrong = 0;
    for (uint32_t code = 1; code < 0x110000; code++) {
        char text[5];
        size_t length = encode(code, text);
        tac_glyph glyph = tac_glyph_at(text, length);
        bool surrogate = code >= 0xd800 && code <= 0xdfff;
        tac_glyph_kind wanted = surrogate    ? TAC_GLYPH_BROKEN
                                : acts(code) ? TAC_GLYPH_HIDDEN
                                             : TAC_GLYPH_PLAIN;
        wrong +=
            glyph.kind != wanted || (!surrogate && (glyph.code != code || glyph.length != length));
    }
    CHECK_EQ(wrong, 0);
}

/* No byte of the result acts, whatever went in; newline and tab where they are allowed. */
static bool is_clean(const char *text, bool lines)
{
    for (size_t left = strlen(text); left;) {
        tac_glyph glyph = tac_glyph_at(text, left);
        bool allowed = lines && (glyph.code == '\n' || glyph.code == '\t');
        if (glyph.kind != TAC_GLYPH_PLAIN && !(glyph.kind == TAC_GLYPH_HIDDEN && allowed))
            return false;
        text += glyph.length;
        left -= glyph.length;
    }
    return true;
}

static void hostile(tac_random *random, char *text, size_t length)
{
    static const char *const pieces[] = {
        "\x1b]0;x\a", "\xc2\x9b", "\x9b", "\xe2\x80\xa8", "\xe2\x80\xae",
        "\\u000a",    "*/",       "\\",   "\"",           "'",
        "`",          "\r",       "\n",   "\xef\xbb\xbf", "%s",
        "?\?/",       "</a>",     "\xf0", "\xc3\xa9",     "a"};
    *text = 0;
    while (strlen(text) + 10 < length && tac_random_below(random, 12))
        strcat(text, pieces[tac_random_below(random, sizeof pieces / sizeof *pieces)]);
}

TEST(no_language_lets_a_hidden_character_through)
{
    void (*const quotes[])(tac_str *, const char *) = {
        tac_visible_add, tac_quote_js,   tac_quote_java,    tac_quote_c,       tac_quote_yaml,
        tac_quote_dot,   tac_quote_html, tac_quote_comment, tac_quote_property};
    tac_random random;
    tac_random_seed(&random, 15);
    for (int i = 0; i < 20000; i++) {
        char text[200];
        hostile(&random, text, sizeof text);
        for (size_t k = 0; k < sizeof quotes / sizeof *quotes; k++) {
            tac_str out = {0};
            quotes[k](&out, text);
            if (!is_clean(tac_str_text(&out), false))
                CHECK_STR(tac_str_text(&out), "clean");
            tac_str_free(&out);
        }
    }
}

static char *quoted(void (*quote)(tac_str *, const char *), const char *text)
{
    tac_str out = {0};
    quote(&out, text);
    return tac_str_take(&out);
}

#define CHECK_QUOTE(quote, text, wanted)                                                           \
    do {                                                                                           \
        char *got = quoted(quote, text);                                                           \
        CHECK_STR(got, wanted);                                                                    \
        free(got);                                                                                 \
    } while (0)

TEST(each_language_has_its_own_escapes)
{
    CHECK_QUOTE(tac_visible_add, "a\x1b[1m\xe2\x80\xae\x9b\n", "a\\u001b[1m\\u202e\\x9b\\n");
    CHECK_QUOTE(tac_quote_js, "a\"\\\xe2\x80\xa8</", "a\\\"\\\\\\u2028\\u003c/");
    CHECK_QUOTE(tac_quote_java, "\r\x01\\u000a\xe2\x80\xa8", "\\r\\001\\\\u000a\\u2028");
    CHECK_QUOTE(tac_quote_c,
                "\x1b"
                "1?\?/",
                "\\0331\\077\\077/");
    CHECK_QUOTE(tac_quote_yaml, "\x07\xc2\x85\xef\xbb\xbf", "\\u0007\\u0085\\uFEFF");
    CHECK_QUOTE(tac_quote_dot, "a\"\\N\xe2\x80\xa8", "a\\\"\\\\N\\\\u2028");
    CHECK_QUOTE(tac_quote_property, "a\"\\\t\x07\xe2\x80\xae\x9b\xc3\xa9",
                "a\\\"\\\\\\t\\u0007\\u202e\\x9b\xc3\xa9");
    CHECK_QUOTE(tac_quote_html, "<\x01\xe2\x80\xae'", "&lt;\xef\xbf\xbd&#8238;&apos;");
    CHECK_QUOTE(tac_quote_comment, "a*/b\\u000a\xe2\x80\xa8 \\",
                "a* /b<U+005C>u000a<U+2028> <U+005C>");
    CHECK_QUOTE(tac_quote_shell, "it's", "'it'\\''s'");
}

TEST(a_stream_shows_what_is_cut_between_writes)
{
    char *text;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    FILE *stream = tac_visible_stream(memory, true, false);
    fputs("a\tb\xe2\x80", stream);
    fflush(stream);
    fputs("\xae\x1b\n\xc3", stream);
    fflush(stream);
    fputs("\xa9\xe2\x82", stream);
    CHECK_EQ(fclose(stream), 0);
    CHECK_STR(text, "a\tb\\u202e\\u001b\n\xc3\xa9\\xe2\\x82");
    free(text);
}

TEST(commands_of_build_servers_are_shown_where_a_line_begins)
{
    static const char text[] =
        "::error a\n  ##[group]b\na ::error\n##vso[x]\n## title\n::1\n:\n#\n\n##teamcity[a]\n##";
    for (size_t cut = 0; cut < sizeof text; cut++) {
        char *shown;
        size_t size;
        FILE *memory = open_memstream(&shown, &size);
        FILE *stream = tac_visible_stream(memory, true, true);
        fwrite(text, 1, cut, stream);
        fflush(stream);
        fputs(text + cut, stream);
        CHECK_EQ(fclose(stream), 0);
        CHECK_STR(shown, "\\u003a:error a\n  \\u0023#[group]b\na ::error\n\\u0023#vso[x]\n## "
                         "title\n::1\n:\n#\n\n"
                         "\\u0023#teamcity[a]\n##");
        free(shown);
    }
}

/* Both print the same, as long as nothing has to be shown. */
#define CHECK_PRINT(...)                                                                           \
    do {                                                                                           \
        char *shown, expected[400];                                                                \
        size_t size;                                                                               \
        FILE *memory = open_memstream(&shown, &size);                                              \
        tac_print(memory, __VA_ARGS__);                                                            \
        fclose(memory);                                                                            \
        snprintf(expected, sizeof expected, __VA_ARGS__);                                          \
        CHECK_STR(shown, expected);                                                                \
        free(shown);                                                                               \
    } while (0)

TEST(printing_is_that_of_the_library_but_for_what_is_shown)
{
    CHECK_PRINT("plain, 100%%, %%s\n");
    CHECK_PRINT("%s|%10s|%-10s|%.3s|%*s|%-*.*s|%.*s", "a", "b", "c", "defg", 5, "h", 6, 2, "ijk", 1,
                "lm");
    CHECK_PRINT("%d %5d %-5d| %05d %+d %u %x %X %o %c %i %#x", 1, -2, 3, 4, 5, 6u, 7u, 255u, 8u,
                'c', 9, 10u);
    CHECK_PRINT("%ld %lld %lu %llu %zu %zd %jd %hd %hhu", -1L, -2LL, 3UL, 4ULL, (size_t)5,
                (ssize_t)-6, (intmax_t)7, (short)8, (unsigned char)9);
    CHECK_PRINT("%" PRIu64 " %" PRId64 " %016" PRIx64, UINT64_MAX, INT64_MIN, UINT64_C(0xabc));
    CHECK_PRINT("%f %.3f %e %g %.*g %10.2f|%-8.1f|%a %G", 1.5, 2.25, 3e30, 4e-9, 3, 5.4321, 6.789,
                7.1, 0.5, 1e99);
    CHECK_PRINT("%6.6g s  %s", 1.25, "");
    char *shown;
    size_t size;
    FILE *memory = open_memstream(&shown, &size);
    tac_print(memory, "a\n%s|%-12s|%.4s\n", "x\n::error", "y\r", "z\nab\ncd");
    fclose(memory);
    CHECK_STR(shown, "a\nx\\n::error|y\\u000d     |z\\nab\n");
    free(shown);
}

TEST(names_with_hidden_characters_have_a_flaw)
{
    char flaw[TAC_NAME_FLAW];
    CHECK(!tac_name_flaw("play \xe2\x96\xb6", flaw));
    CHECK_STR(tac_name_flaw("a\xe2\x80\xa8"
                            "b",
                            flaw),
              "holds the line separator U+2028");
    CHECK(tac_name_flaw("a\x80", flaw));
    CHECK(tac_name_flaw("a\x1b", flaw));
}
