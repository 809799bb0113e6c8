/* The kernel of expressions, by a small language that uses all of it. */
#include "../../fuzz/small_language.h"
#include "base/data/alloc.h"
#include "tactus_test.h"

static tac_arena arena;
static char answer[1200];

/* The tree of an expression, or what is wrong with it and where. */
static const char *tree(const char *text)
{
    tac_error err = {0};
    struct syntax s = {.context = &arena, .err = &err};
    syntax_open(&s, &small_language, text, strlen(text), 3, 10);
    syntax_node node = syntax_expression(&s, 0);
    if (!s.failed && s.token.kind != SYNTAX_END)
        syntax_expected(&s, "an operator or the end");
    if (s.failed)
        snprintf(answer, sizeof answer, "%zu:%zu: %s", err.line, err.column, err.message);
    else
        snprintf(answer, sizeof answer, "%s", (char *)node.at);
    tac_arena_free(&arena);
    return answer;
}

TEST(operators_bind_by_their_powers)
{
    CHECK_STR(tree("a + b * c"), "(+ a (* b c))");
    CHECK_STR(tree("a * b + c + d"), "(+ (+ (* a b) c) d)");
    CHECK_STR(tree("a ** b ** c"), "(** a (** b c))");
    CHECK_STR(tree("-a ** b"), "(- (** a b))");
    CHECK_STR(tree("- - a * b"), "(* (- (- a)) b)");
    CHECK_STR(tree("not a < b and c"), "(and (not (< a b)) c)");
    CHECK_STR(tree("a or b || c and d"), "(|| (or a b) (and c d))");
    CHECK_STR(tree("a ? b : c ? d : e"), "(? a b (? c d e))");
    CHECK_STR(tree("(a or b) and c"), "(and (or a b) c)");
    CHECK_STR(tree("f(a)(b) + 1"), "(+ (call (call f a) b) 1)");
}

TEST(an_operator_may_be_two_words_and_a_longest_one_counts)
{
    CHECK_STR(tree("a not in b"), "(not in a b)");
    CHECK_STR(tree("not a in b"), "(not (in a b))");
    CHECK_STR(tree("a*b**c"), "(* a (** b c))");
}

TEST(a_comparison_does_not_chain)
{
    CHECK_STR(tree("a < b < c"), "3:16: expected an operator or the end, found '<'");
    CHECK_STR(tree("(a < b) < c"), "(< (< a b) c)");
    CHECK_STR(tree("a < not b"), "3:18: expected an operator or the end, found 'b'");
    CHECK_STR(tree("not a + not b"), "3:22: expected an operator or the end, found 'b'");
}

TEST(a_prefix_may_read_its_operand_itself_and_may_be_a_name)
{
    CHECK_STR(tree("all [a or b] and c"), "(and (all (or a b)) c)");
    CHECK_STR(tree("all and c"), "(and all c)");
    CHECK_STR(tree("all [a] + 1"), "3:18: expected an operator or the end, found '+'");
}

TEST(tokens_are_what_the_language_says)
{
    CHECK_STR(tree("a.b.c$9 + 1.5e-3 # all"), "(+ a.b.c$9 1.5e-3)");
    CHECK_STR(tree("a /* + \n */ + .5"), "(+ a .5)");
    CHECK_STR(tree("`not` and \"x\\n\\u00e9\\\"\""), "(and not \"x\n\xc3\xa9\"\")");
    CHECK_STR(tree("<init> < b"), "(< <init> b)");
    CHECK_STR(tree("1.2.3"), "3:10: this is not a number");
    CHECK_STR(tree("\"a"), "3:10: this quote is not closed on its line");
    CHECK_STR(tree("a + /* b"), "3:14: this comment is not closed");
    CHECK_STR(
        tree("\"\\7\""),
        "3:10: in these quotes a character is written by its number, which is not understood");
    CHECK_STR(tree("a\xe2\x80\xae"),
              "3:10: a hidden character, or a byte that is not UTF-8, is in this name");
}

TEST(messages_say_what_was_expected_and_found_and_meant)
{
    CHECK_STR(tree("a +"), "3:13: expected a value or '(', found the end of the file");
    CHECK_STR(tree("a\n adn b"),
              "4:2: expected an operator or the end, found 'adn'; did you mean 'and'?");
    CHECK_STR(tree("(a adn b)"), "3:13: expected ')', found 'adn'; did you mean 'and'?");
    CHECK_STR(tree("f(a nt in b)"), "3:14: expected ',' or ')', found 'nt'");
    CHECK_STR(tree("a + @"), "3:14: expected a value or '(', found '@'");
    CHECK_STR(tree("a \"b\""), "3:12: expected an operator or the end, found \"b\"");
}

TEST(depth_and_nodes_are_capped)
{
    char deep[64] = {0}, many[500] = "a";
    memset(deep, '(', 19);
    strcat(deep, "a");
    memset(deep + 20, ')', 19);
    CHECK_STR(tree(deep), "a");
    memset(deep, '-', 39);
    CHECK_STR(tree(deep), "3:30: expressions nested more than 20 deep; name parts with 'let'");
    for (int i = 0; i < 49; i++)
        strcat(many, "+a");
    CHECK(!strstr(tree(many), "more"));
    strcat(many, "+a");
    CHECK_STR(tree(many), "3:111: more than 100 names, values and operators in one expression; "
                          "name parts with 'let'");
}

static size_t errors_of(const struct syntax_language *language, const char *text, char *out)
{
    tac_diagnostics found = {0};
    struct syntax s = {.context = &arena, .file = "f", .diagnostics = &found};
    syntax_open(&s, language, text, strlen(text), 1, 1);
    *out = '\0';
    while (s.token.kind != SYNTAX_END) {
        if (syntax_accept(&s, ";") || syntax_accept(&s, "\n"))
            continue;
        if (language->statements && !syntax_accept(&s, "let") && !syntax_accept(&s, "show"))
            syntax_expected_one_of(&s, NULL, small_statements, 2);
        syntax_expression(&s, 0);
        if (!syntax_at_end(&s) && !syntax_at_statement(&s))
            syntax_expected(&s, "an operator");
        syntax_recover(&s, true);
    }
    for (size_t i = 0; i < found.count; i++)
        sprintf(out + strlen(out), "%zu:%zu %s|", found.at[i].line, found.at[i].column,
                found.at[i].message);
    size_t count = found.count;
    tac_diagnostics_free(&found);
    tac_arena_free(&arena);
    return count;
}

TEST(reading_goes_on_at_the_next_statement)
{
    char out[600];
    struct syntax_language lines = small_language;
    lines.line_ends = "\n;";
    lines.statements = NULL;
    CHECK_EQ(errors_of(&small_language, "\xef\xbb\xbflet a show +\nshow a\nlat b\nshow )", out), 3);
    CHECK_STR(out, "1:12 expected a value or '(', found '+'|"
                   "3:1 expected an operator, found 'lat'|"
                   "4:6 expected a value or '(', found ')'|");
    CHECK_EQ(errors_of(&lines, "a b; a +\n) c\n-a", out), 3);
    CHECK_STR(out, "1:3 expected an operator, found 'b'|"
                   "1:9 expected a value or '(', found the end of the line|"
                   "2:1 expected a value or '(', found ')'|");
}

TEST(a_copy_is_a_place_to_go_back_to)
{
    const char *text = "a b c\nd";
    struct syntax s = {.context = &arena};
    syntax_open(&s, &small_language, text, strlen(text), 1, 1);
    struct syntax before = s;
    syntax_advance(&s);
    syntax_advance(&s);
    syntax_go_on(&s, &s.token, text + 6);
    CHECK(syntax_is(&s, "d") && s.token.line == 2 && s.token.column == 1);
    s = before;
    CHECK(syntax_is(&s, "a") && syntax_token_is(&s.ahead, "b"));
}
