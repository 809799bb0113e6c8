/* JSON: caps, syntax errors with lines, places of values. */
#include "base/json.h"
#include "base/str.h"
#include "tactus_test.h"

static const char document[] = "{\n"
                               "  \"a\": [1, {\"b/c\": \"x]}\\\"\"},\n"
                               "    {\"deep\": [[], [7]]}],\n"
                               "  \"caf\\u00e9\": true\n"
                               "}\n";

static void check_place(const tac_json *json, const char *pointer, size_t line, size_t column)
{
    size_t got_line, got_column;
    tac_json_locate(json, pointer, &got_line, &got_column);
    if (got_line != line || got_column != column)
        test_fail(__FILE__, __LINE__, "%s is at %zu:%zu, not %zu:%zu", pointer, got_line,
                  got_column, line, column);
}

TEST(values_are_found_again_by_their_path)
{
    tac_json json;
    tac_error err;
    REQUIRE(tac_json_parse("d.json", document, strlen(document), &json, &err) == TAC_OK);
    check_place(&json, "", 1, 1);
    check_place(&json, "/a", 2, 8);
    check_place(&json, "/a/1/b~1c", 2, 20);
    check_place(&json, "/a/2/deep/1/0", 3, 20);
    check_place(&json, "/caf\xc3\xa9", 4, 16);
    check_place(&json, "/a/1/missing", 2, 12);
    CHECK_EQ(tac_json_fail(&json, "/a/0", &err, "expected %s", "text"), TAC_E_INPUT);
    char text[128];
    CHECK_STR(tac_error_text(&err, text, sizeof text), "d.json:2:9: expected text");
    tac_json_free(&json);
}

TEST(bad_documents_are_refused_with_their_line)
{
    tac_json json;
    tac_error err;
    CHECK_EQ(tac_json_parse("d", "{\"a\":1,\n\"a\":2}", 14, &json, &err), TAC_E_INPUT);
    CHECK_EQ(err.line, 2);
    CHECK_EQ(tac_json_parse("d", "[1,\n2", 5, &json, &err), TAC_E_INPUT);
    CHECK_EQ(err.line, 2);
    CHECK_EQ(tac_json_parse("d", "", 0, &json, &err), TAC_E_INPUT);
    tac_str deep = {0};
    for (int i = 0; i < 600; i++)
        tac_str_add_char(&deep, '[');
    CHECK_EQ(tac_json_parse("d", deep.text, deep.length, &json, &err), TAC_E_LIMIT);
    tac_str_free(&deep);
    CHECK_EQ(tac_json_load(test_write("big.json", document), 20, &json, &err), TAC_E_LIMIT);
}

TEST(strings_are_always_valid_utf8)
{
    json_t *value = tac_json_string("ok \xff \xc3\xa9");
    CHECK_STR(json_string_value(value), "ok \xef\xbf\xbd \xc3\xa9");
    json_decref(value);
    value = tac_json_number(NAN);
    CHECK(json_is_null(value));
    json_decref(value);
}
