/* The rows of the table of operators: what stands in a row is what the language does, in every
 * place where an operator may stand, and the manual names it. */
#include "property/language/ast.h"
#include "property_support.h"
#include "tactus_test.h"

static bool joins_conditions(size_t kind)
{
    return ast_operators[kind].class == CLASS_BOOLEAN && kind != AST_NOT;
}

/* The answer to a property of this text on one interval in which p and q are so; `%s`: the
 * operator.
 */
static tac_answer answer_where(const char *format, const char *word, bool p, bool q)
{
    char text[400];
    struct small_trace trace = {.count = 4};
    for (size_t i = 0; i < trace.count; i++) {
        trace.p[i] = p;
        trace.q[i] = q;
        trace.x[i] = (double)i;
    }
    small_times(&trace);
    snprintf(text, sizeof text, format, word);
    tac_properties *properties = properties_of(text);
    tac_monitor *monitor;
    REQUIRE(tac_monitor_new(properties, NULL, &monitor, NULL) == TAC_OK);
    tac_answer answer = answer_of(monitor, tac_property_count(properties) - 1, &trace);
    tac_monitor_free(monitor);
    tac_property_free(properties);
    return answer;
}

/* In a state, over the future with automata and with queues, in an interval, between properties. */
TEST(boolean_operators_hold_where_their_rows_say)
{
    static const char *const places[] = {
        "property a: always (p %s q)",
        "property a: (always p) %s (always q)",
        "property a: (eventually[2 s, 3 s] p) %s (eventually[1 s, 2 s] q)",
        "property a: not ((always not p) %s (eventually q))",
        "property a: forall [x == 1, x == 2] (min(p) > 0) %s (max(q) > 0)",
        "property b: always p\nproperty c: always q\nproperty a: b %s c",
    };
    size_t checked = 0;
    for (size_t kind = 0; kind < AST_KINDS; kind++)
        for (unsigned row = 0; joins_conditions(kind) && row < 4; row++)
            for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
                bool p = row & 2, q = row & 1, inverted = i == 3;
                unsigned asked = inverted ? row ^ 2 : row;
                bool holds = (ast_operators[kind].truth >> asked & 1) != inverted;
                tac_answer answer = answer_where(places[i], ast_operators[kind].word, p, q);
                bool got = answer == TAC_HOLDS || answer == TAC_PRESUMABLY_HOLDS;
                if (got != holds)
                    test_fail(__FILE__, __LINE__, "%s where p is %d and q is %d", places[i], p, q);
                checked++;
            }
    CHECK(checked >= 3 * 4 * 6);
}

TEST(comparisons_hold_where_their_rows_say)
{
    for (size_t kind = 0; kind < AST_KINDS; kind++)
        for (int order = 0; ast_operators[kind].class == CLASS_COMPARISON && order < 3; order++) {
            char text[80];
            snprintf(text, sizeof text, "property a: forall [x == 1, x == 2] duration %%s %d s",
                     2 - order);
            bool holds = ast_operators[kind].truth >> order & 1;
            CHECK_EQ(answer_where(text, ast_operators[kind].word, true, true),
                     holds ? TAC_HOLDS : TAC_VIOLATED);
            snprintf(text, sizeof text, "property a: always (3 %%s %d)", 4 - order);
            CHECK_EQ(answer_where(text, ast_operators[kind].word, true, true) != TAC_VIOLATED,
                     holds);
        }
}

/* Every kind, in every form and place: each is a property somewhere, and none reaches an engine
 * that does not know it, which would abort. */
TEST(every_kind_is_known_to_the_engines)
{
    static const char *const forms[][3] = {{"x ", " y"}, {"p ", " q"}, {"", " p"},     {"", " 1"},
                                           {"", "(p)"},  {"", "(x)"},  {"", "(x, y)"}, {"", ""}};
    static const char *const places[][2] = {{"always (", ")"},
                                            {"always (", " > 0)"},
                                            {"always[1 s, 2 s] (", ")"},
                                            {"always (p -> eventually[1 s, 2 s] (", "))"},
                                            {"forall [p, q] (", ")"},
                                            {"forall [p, q] ", " < 1"},
                                            {"forall [p, q] 1 ", " duration"}};
    enum { FORMS = sizeof forms / sizeof *forms, PLACES = sizeof places / sizeof *places };
    for (size_t kind = 0; kind < AST_KINDS; kind++) {
        size_t loaded = 0;
        for (size_t k = 0; k < FORMS * PLACES; k++) {
            const char *const *form = forms[k % FORMS], *const *place = places[k / FORMS];
            char text[200];
            snprintf(text, sizeof text, "property a: %s%s%s%s%s", place[0], form[0],
                     ast_operators[kind].word, form[1], place[1]);
            char *errors = errors_of(text);
            loaded += !*errors;
            free(errors);
        }
        if (!loaded)
            test_fail(__FILE__, __LINE__, "no property has '%s'", ast_operators[kind].word);
    }
}

static bool is_boolean_word(const char *word, size_t length)
{
    bool found = false;
    for (size_t kind = 0; kind < AST_KINDS; kind++)
        found |= ast_operators[kind].class == CLASS_BOOLEAN &&
                 strlen(ast_operators[kind].word) == length &&
                 !strncmp(ast_operators[kind].word, word, length);
    return found;
}

/* `and`, `or`, ...; and none that is not there. */
TEST(the_manual_names_every_boolean_operator)
{
    static char manual[1 << 18];
    const char *root = getenv("TACTUS_SOURCE_ROOT");
    char path[500], quoted[40];
    if (!root)
        SKIP("TACTUS_SOURCE_ROOT is not set");
    snprintf(path, sizeof path, "%s/docs/properties.md", root);
    FILE *file = fopen(path, "r");
    REQUIRE(file);
    manual[fread(manual, 1, sizeof manual - 1, file)] = '\0';
    fclose(file);
    char *list = strstr(manual, "`and`, "), *end = list ? strchr(list, ';') : NULL;
    REQUIRE(end);
    *end = '\0';
    for (size_t kind = 0; kind < AST_KINDS; kind++) {
        snprintf(quoted, sizeof quoted, "`%s`", ast_operators[kind].word);
        if (ast_operators[kind].class == CLASS_BOOLEAN && !strstr(list, quoted))
            test_fail(__FILE__, __LINE__, "docs/properties.md lacks %s", quoted);
    }
    for (char *at = list; (at = strchr(at, '`')); at += strcspn(at, "`") + 1) {
        size_t length = strcspn(++at, "`");
        if (!is_boolean_word(at, length))
            test_fail(__FILE__, __LINE__, "'%.*s' of docs/properties.md is no operator",
                      (int)length, at);
    }
}
