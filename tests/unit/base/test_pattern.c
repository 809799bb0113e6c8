#include "base/data/alloc.h"
#include "base/data/pattern.h"
#include "tactus_test.h"

static tac_pattern *pattern_of(const char *text)
{
    tac_pattern *pattern = NULL;
    tac_error err;
    if (tac_pattern_new(text, strlen(text), &pattern, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s", err.message);
    return pattern;
}

/* The text of a group of the first match; "-" when nothing was found or the group took no part. */
static const char *group_of(const char *expression, const char *subject, size_t group)
{
    static char text[256];
    tac_pattern *pattern = pattern_of(expression);
    tac_span spans[4];
    bool found = false;
    tac_error err;
    CHECK_EQ(tac_pattern_find(pattern, subject, strlen(subject), 0, &found, spans, 4, &err),
             TAC_OK);
    strcpy(text, "-");
    if (found && spans[group].from != TAC_NO_SPAN)
        snprintf(text, sizeof text, "%.*s", (int)(spans[group].to - spans[group].from),
                 subject + spans[group].from);
    tac_pattern_free(pattern);
    return text;
}

TEST(perl_classes_and_groups)
{
    CHECK_STR(group_of("(\\d+)", "a dd 42", 1), "42");
    CHECK_STR(group_of("x=(\\w+)(;)?", "y x=ab3", 1), "ab3");
    CHECK_STR(group_of("x=(\\w+)(;)?", "y x=ab3", 2), "-");
    CHECK_STR(group_of("(?i)HELLO", "say hello", 0), "hello");
    CHECK_STR(group_of("^b", "ab", 0), "-");
}

TEST(groups_are_counted_and_search_goes_on_from_a_place)
{
    tac_pattern *pattern = pattern_of("(a)(b)?");
    CHECK_EQ(tac_pattern_groups(pattern), 2);
    tac_span span;
    bool found;
    CHECK_EQ(tac_pattern_find(pattern, "aba", 3, 1, &found, &span, 1, NULL), TAC_OK);
    CHECK(found);
    CHECK_EQ(span.from, 2);
    CHECK_EQ(tac_pattern_find(pattern, "aba", 3, 3, &found, &span, 1, NULL), TAC_OK);
    CHECK(!found);
    tac_pattern_free(pattern);
}

TEST(characters_where_the_text_is_utf8_bytes_elsewhere)
{
    CHECK_STR(group_of("^(.)$", "\xc3\xa9", 1), "\xc3\xa9");
    CHECK_STR(group_of("^a(.)b$",
                       "a\xff"
                       "b",
                       1),
              "\xff");
    CHECK_STR(group_of("\\x{20ac}", "\xff\xe2\x82\xac", 0), "-");
    CHECK_STR(group_of("\xff", "\xff", 0), "\xff");
    CHECK_STR(group_of("\xff", "a", 0), "-");
}

TEST(a_wrong_pattern_names_the_place)
{
    tac_pattern *pattern = NULL;
    tac_error err;
    CHECK_EQ(tac_pattern_new("ab(c", 4, &pattern, &err), TAC_E_USAGE);
    CHECK(strstr(err.message, "'ab(c' is not a regular expression: at character 5"));
    CHECK(strstr(err.message, "parenthesis"));
    CHECK(!pattern);
    CHECK_EQ(tac_pattern_new("a\\Cb", 4, &pattern, &err), TAC_E_USAGE);
}

TEST(hostile_patterns_end)
{
    size_t length = 100000;
    char *many = tac_alloc(length + 1);
    memset(many, 'a', length);
    many[length] = '\0';
    static const char *const hostile[] = {"(a+)+[xy]", "((a|aa)+)+[xy]", "(?:a*)*[xy]",
                                          "(.*)(.*)(.*)(.*)[xy]"};
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        tac_pattern *pattern = pattern_of(hostile[i]);
        bool found = true;
        tac_error err = {0};
        tac_status status = tac_pattern_find(pattern, many, length, 0, &found, NULL, 0, &err);
        CHECK(!found);
        CHECK(status == TAC_OK || (status == TAC_E_LIMIT && strstr(err.message, "too long")));
        tac_pattern_free(pattern);
    }
    char *nested = tac_alloc(2001);
    memset(nested, '(', 1000);
    memset(nested + 1000, ')', 1000);
    nested[2000] = '\0';
    tac_pattern *pattern;
    CHECK_EQ(tac_pattern_new(nested, 2000, &pattern, NULL), TAC_E_USAGE);
    free(nested);
    /* long, but harmless: more than the stack of compiled code holds */
    pattern = pattern_of("^(?:(a)|b)*$");
    bool found = false;
    CHECK_EQ(tac_pattern_find(pattern, many, length, 0, &found, NULL, 0, NULL), TAC_OK);
    CHECK(found);
    tac_pattern_free(pattern);
    free(many);
}
