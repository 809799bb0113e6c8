/* JSON: caps, syntax errors with lines, places of values. */
#include "base/data/random.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "tactus_test.h"
#include <math.h>

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

TEST(keys_that_no_table_has_are_strays)
{
    static const struct {
        const char *key;
        int kind;
    } known[] = {{"name", 1}, {"speed", 2}, {NULL, 0}};
    json_t *object = json_pack("{s:i,s:i,s:i,s:i}", "naem", 1, "name", 2, "#", 3, "elephant", 4);
    tac_json_stray with = {0}, without = {.comments = true};
    CHECK(tac_json_next_stray(object, known, sizeof *known, &with));
    CHECK_STR(with.key, "naem");
    CHECK_STR(with.meant.text, "; did you mean 'name'?");
    CHECK(tac_json_next_stray(object, known, sizeof *known, &with));
    CHECK_STR(with.key, "#");
    CHECK(tac_json_next_stray(object, known, sizeof *known, &with));
    CHECK_STR(with.key, "elephant");
    CHECK_STR(with.meant.text, "");
    CHECK(!tac_json_next_stray(object, known, sizeof *known, &with));
    CHECK(tac_json_next_stray(object, known, sizeof *known, &without));
    CHECK(tac_json_next_stray(object, known, sizeof *known, &without));
    CHECK_STR(without.key, "elephant");
    CHECK(!tac_json_next_stray(object, known, sizeof *known, &without));
    CHECK(!tac_json_next_stray(NULL, known, sizeof *known, &(tac_json_stray){0}));
    json_decref(object);
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

static void check_written(double value, const char *expected)
{
    json_t *number = json_real(value);
    char *text = tac_json_text(number, JSON_COMPACT);
    CHECK_STR(text, expected);
    free(text);
    json_decref(number);
}

TEST(numbers_are_written_with_the_fewest_digits)
{
    check_written(0.1, "0.1");
    check_written(-0.1, "-0.1");
    check_written(1.0 / 3, "0.3333333333333333");
    check_written(0.1 + 0.2, "0.30000000000000004");
    check_written(7817, "7817.0");
    check_written(12345678901234570.0, "12345678901234570.0");
    check_written(-0.0, "-0.0");
    check_written(1e-7, "1e-7");
    check_written(1.7976931348623157e308, "1.7976931348623157e308");
    check_written(5e-324, "5e-324");
}

TEST(a_text_that_looks_like_a_number_is_kept)
{
    json_t *object = json_pack("{s:s,s:s,s:f}", "0.10000000000000001", "0.10000000000000001", "b",
                               "say \"0.10000000000000001\"", "c", 0.1);
    char *text = tac_json_text(object, JSON_COMPACT);
    CHECK_STR(text, "{\"0.10000000000000001\":\"0.10000000000000001\","
                    "\"b\":\"say \\\"0.10000000000000001\\\"\",\"c\":0.1}");
    free(text);
    json_decref(object);
}

TEST(written_numbers_read_back_exactly)
{
    tac_random random;
    tac_random_seed(&random, 17);
    for (size_t round = 0; round < test_scale(100000); round++) {
        uint64_t bits = tac_random_next(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        json_t *array = json_pack("[f]", value);
        char *text = tac_json_text(array, JSON_COMPACT);
        json_t *back = json_loads(text, 0, NULL);
        double got = json_real_value(json_array_get(back, 0));
        if (memcmp(&got, &value, sizeof value) != 0)
            test_fail(__FILE__, __LINE__, "%.17g became %s", value, text);
        free(text);
        json_decref(array);
        json_decref(back);
    }
}
