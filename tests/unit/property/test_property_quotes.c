/* What stands in quotes: escapes, and that whatever is quoted is read back. */
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/random.h"
#include "property/language/parse.h"
#include "property_support.h"
#include "tactus_test.h"

static void check_error(const char *text, const char *wanted)
{
    char *got = errors_of(text);
    CHECK_CONTAINS(got, wanted);
    free(got);
}

TEST(wrong_escapes_are_named)
{
    check_error("property a: event == \"a\xe2\x80\xae\"", "1:22: a hidden character stands in");
    check_error("property a: event == \"\\u20\"", "\\u needs four hexadecimal digits");
    check_error("property a: event == \"\\ud83d\"", "half of a pair");
    check_error("property a: event == \"\\u0000\"", "cannot stand in a text");
    check_error("property a: event == \"\\x9\"", "\\x needs two hexadecimal digits");
}

/* Any text of an app can be named in a property. */
TEST(what_is_quoted_is_read_back)
{
    static const char *const pieces[] = {"a",
                                         "\\",
                                         "\"",
                                         "u202e",
                                         "x9",
                                         "\n",
                                         "\x07",
                                         "\xe2\x80\xae",
                                         "\xf0\x9f\x98\x80",
                                         "\x9b",
                                         "n",
                                         "`",
                                         "\xc2\x85",
                                         "\xef\xbb\xbf",
                                         " "};
    tac_random random;
    tac_random_seed(&random, 3);
    for (int i = 0; i < 5000; i++) {
        char text[100] = "";
        while (strlen(text) < 80 && tac_random_below(&random, 10))
            strcat(text, pieces[tac_random_below(&random, sizeof pieces / sizeof *pieces)]);
        tac_str quoted = {0};
        tac_quote_property(&quoted, text);
        tac_arena arena = {0};
        struct syntax s = {0};
        char *file = tac_format("\"%s\"", tac_str_text(&quoted));
        syntax_open(&s, &property_language, file, strlen(file), 1, 1);
        CHECK_EQ(s.token.kind, SYNTAX_TEXT);
        CHECK_EQ(s.token.length, quoted.length);
        CHECK_STR(syntax_text(&s, &s.token, &arena), text);
        CHECK(!s.failed && s.ahead.kind == SYNTAX_END);
        tac_arena_free(&arena);
        free(file);
        tac_str_free(&quoted);
    }
    tac_arena arena = {0};
    struct syntax s = {0};
    const char *pair = "\"\\ud83d\\ude00\\u00e9\\\\d\\d\"";
    syntax_open(&s, &property_language, pair, strlen(pair), 1, 1);
    CHECK_STR(syntax_text(&s, &s.token, &arena), "\xf0\x9f\x98\x80\xc3\xa9\\dd");
    tac_arena_free(&arena);
}
