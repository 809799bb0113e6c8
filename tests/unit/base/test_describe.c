/* One description: documents, schemas, CSV and bytes say the same, and hostile bytes are refused.
 */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "base/describe/describe.h"
#include "base/io/json.h"
#include "tactus_test.h"
#include <math.h>

enum colour { RED, GREEN };

struct part {
    const char *key;
    double low, high;
};

struct whole {
    const char *name;
    char *maybe;
    char code[4];
    enum colour colour;
    bool has_size, wide;
    uint8_t tiny;
    int16_t small;
    uint32_t middle;
    int64_t large;
    double size, unknown;
    int64_t when;
    struct part first;
    const struct part *best, *missing;
    struct part *parts;
    size_t part_count;
    const char **words;
    uint32_t word_count;
    uint32_t *numbers;
    size_t number_count;
    double *reals;
    size_t real_count;
    struct part pair[2];
};

static const struct field range_fields[] = {FIELDS(struct part, key, low, high)};
static DESCRIBE(range, struct part, .keyed = true, .form = DESCRIBE_TUPLE);
static const struct field part_fields[] = {FIELDS(struct part, key, low, high)};
static DESCRIBE(part, struct part);

static const char *const colours[] = {[RED] = "red", [GREEN] = NULL};
static const struct field group_fields[] = {FIELD(struct whole, tiny), FIELD(struct whole, small)};
static DESCRIBE(group, struct whole);

static void sum_of(const void *value, struct field_value *out)
{
    const struct whole *whole = value;
    const double *factor = out->context;
    out->number = whole->first.low + whole->first.high * (factor ? *factor : 1);
    out->absent = whole->first.low < 0;
}

static const char *number_name(uint64_t index, struct field_value *with)
{
    return index == 9 ? NULL : tac_arena_format(with->arena, "n%d", (int)index);
}

static const struct field whole_fields[] = {
    FIELD_TEXT(struct whole, name, .about = "what it is called"),
    FIELD_TEXT(struct whole, maybe, .maybe = true),
    FIELD_TEXT(struct whole, code),
    FIELD_ENUM(struct whole, colour, colours),
    FIELD_NOT(struct whole, wide, .key = "narrow"),
    FIELD_GROUP(struct whole, "group", group_described),
    FIELD(struct whole, middle, .omit = true),
    FIELD(struct whole, large),
    FIELD(struct whole, size, .known = IF(struct whole, has_size), .unit = "m"),
    FIELD(struct whole, unknown),
    FIELD_SECONDS(struct whole, when, .only = IF_IS(struct whole, colour, RED)),
    FIELD_STRUCT(struct whole, first, part_described, .splice = true),
    FIELD_POINTER(struct whole, best, part_described),
    FIELD_POINTER(struct whole, missing, part_described, .omit = true),
    FIELD_LIST(struct whole, parts, part_count, range_described),
    FIELD_LIST(struct whole, parts, part_count, part_described, .key = "some",
               .each = IF_OTHER(struct part, low, 0)),
    FIELD_TEXTS(struct whole, words, word_count),
    FIELD_INTEGERS(struct whole, numbers, number_count),
    FIELD_NAMES(struct whole, numbers, number_count, number_name, .key = "names"),
    FIELD_NAME(struct whole, middle, number_name, .key = "called", .maybe = true),
    FIELD_NUMBERS(struct whole, reals, real_count),
    FIELD_ARRAY(struct whole, pair, part_described),
    FIELD_GET_NUMBER("sum", sum_of, .omit = true),
    FIELD_WORD("kind", "whole"),
    FIELD_CONSTANT("version", 2),
    HIDDEN(struct whole, has_size),
};
static DESCRIBE(whole, struct whole);

static struct part two_parts[] = {{"a", 0, 1.5}, {"b", 2, NAN}};
static const char *two_words[] = {"x", "y"};
static uint32_t two_numbers[] = {7, 8};
static double one_real[] = {0.1};

static struct whole example(void)
{
    return (struct whole){.name = "N\xc3\xa4me",
                          .code = "abc",
                          .has_size = true,
                          .tiny = 255,
                          .small = -2,
                          .large = INT64_MIN,
                          .size = 0.1,
                          .unknown = NAN,
                          .when = 1430498394750000000,
                          .first = {"k", 1, 2},
                          .middle = 9,
                          .best = &two_parts[1],
                          .parts = two_parts,
                          .part_count = 2,
                          .words = two_words,
                          .word_count = 2,
                          .numbers = two_numbers,
                          .number_count = 2,
                          .reals = one_real,
                          .real_count = 1,
                          .pair = {{"p", 3, 4}, {"q", 5, 6}}};
}

static const char example_text[] =
    "{\"name\":\"N\xc3\xa4me\",\"maybe\":null,\"code\":\"abc\",\"colour\":\"red\",\"narrow\":true,"
    "\"group\":{\"tiny\":255,\"small\":-2},\"middle\":9,\"large\":-9223372036854775808,\"size\":0."
    "1,"
    "\"unknown\":null,\"when\":1430498394.75,\"key\":\"k\",\"low\":1.0,\"high\":2.0,"
    "\"best\":{\"key\":\"b\",\"low\":2.0,\"high\":null},"
    "\"parts\":{\"a\":[0.0,1.5],\"b\":[2.0,null]},\"some\":[{\"key\":\"b\",\"low\":2.0,\"high\":"
    "null}],\"words\":[\"x\",\"y\"],\"numbers\":[7,8],\"names\":[\"n7\",\"n8\"],\"called\":null,"
    "\"reals\":[0.1],\"pair\":[{\"key\":\"p\","
    "\"low\":3.0,\"high\":4.0},{\"key\":\"q\",\"low\":5.0,\"high\":6.0}],\"sum\":3.0,"
    "\"kind\":\"whole\",\"version\":2}";

static char *text_of(json_t *document)
{
    char *text = tac_json_text(document, JSON_COMPACT);
    json_decref(document);
    return text;
}

TEST(a_document_has_the_tables_keys_in_their_order)
{
    struct whole whole = example();
    char *text = text_of(describe_json(&whole_described, &whole));
    CHECK_STR(text, example_text);
    free(text);
}

TEST(what_is_not_known_is_null_or_left_out)
{
    struct whole whole = example();
    double factor = 10;
    whole.has_size = false;
    whole.colour = GREEN;
    whole.maybe = (char[]){"m"};
    whole.missing = &two_parts[0];
    whole.middle = 3;
    json_t *document = describe_json_with(&whole_described, &whole, &factor);
    CHECK(json_is_null(json_object_get(document, "size")));
    CHECK(json_is_null(json_object_get(document, "colour")));
    CHECK(!json_object_get(document, "when"));
    CHECK_STR(json_string_value(json_object_get(document, "maybe")), "m");
    CHECK(json_is_object(json_object_get(document, "missing")));
    CHECK_EQ(json_integer_value(json_object_get(document, "middle")), 3);
    CHECK_STR(json_string_value(json_object_get(document, "called")), "n3");
    CHECK(json_number_value(json_object_get(document, "sum")) == 21);
    json_decref(document);
    whole.first.low = -1;
    document = describe_json(&whole_described, &whole);
    CHECK(!json_object_get(document, "sum"));
    json_decref(document);
}

TEST(a_list_alone_is_an_array_or_by_its_keys_an_object)
{
    char *list = text_of(describe_list_json(&part_described, two_parts, 1));
    char *object = text_of(describe_list_json(&range_described, two_parts, 2));
    CHECK_STR(list, "[{\"key\":\"a\",\"low\":0.0,\"high\":1.5}]");
    CHECK_STR(object, "{\"a\":[0.0,1.5],\"b\":[2.0,null]}");
    free(list);
    free(object);
}

TEST(a_document_is_read_back)
{
    struct whole whole = example(), back = {.large = 5, .unknown = 1};
    tac_arena arena = {0};
    json_t *document = describe_json(&whole_described, &whole);
    json_object_del(document, "parts"); /* tuples are not read */
    describe_read(&whole_described, document, &arena, &back);
    CHECK_STR(back.name, "N\xc3\xa4me");
    CHECK_STR(back.code, "abc");
    CHECK(!back.maybe && !back.wide && back.colour == RED && isnan(back.unknown));
    CHECK(back.tiny == 255 && back.small == -2 && back.large == INT64_MIN && back.size == 0.1);
    CHECK_EQ(back.when / 1000, whole.when / 1000);
    CHECK_STR(back.first.key, "k");
    REQUIRE(back.best && back.word_count == 2 && back.number_count == 2 && back.part_count == 1);
    CHECK_STR(back.best->key, "b");
    CHECK_STR(back.words[1], "y");
    CHECK(back.numbers[1] == 8 && back.reals[0] == 0.1 && back.parts[0].low == 2);
    json_decref(document);
    document = json_pack("{s:i,s:i,s:i,s:s,s:s,s:{}}", "name", 3, "group", 4, "large", 7, "colour",
                         "blue", "size", "x", "words");
    struct whole other = {.colour = GREEN};
    describe_read(&whole_described, document, &arena, &other);
    CHECK_STR(other.name, "");
    CHECK(other.large == 7 && other.colour == GREEN && isnan(other.size) && !other.word_count);
    json_decref(document);
    document = json_pack("{s:{s:i,s:i}}", "group", "tiny", 256, "small", -40000);
    describe_read(&whole_described, document, &arena, &back);
    CHECK(back.tiny == 255 && back.small == -2);
    json_decref(document);
    tac_arena_free(&arena);
}

/* Indices into a list of the context, which one field has as its own. */
struct index {
    struct part *parts;
    uint32_t *chosen;
    size_t count;
    const char *note;
};
static const void *part_at(uint64_t index, const struct field_value *with)
{
    return &((const struct part *)with->context)[index];
}
static const char *part_name(uint64_t index, struct field_value *with)
{
    return ((const struct part *)with->context)[index].key;
}
static const struct field index_fields[] = {
    FIELD_PICKS(struct index, chosen, count, part_at, part_described,
                .with = IF(struct index, parts)),
    FIELD_NAMES(struct index, chosen, count, part_name, .key = "names", .more = 1,
                .with = IF(struct index, parts)),
    FIELD(struct index, note, .unknown = "?")};
static DESCRIBE(index, struct index);

TEST(indices_are_shown_by_what_they_stand_for)
{
    struct index index = {two_parts, (uint32_t[]){1, 0}, 1, "?"};
    char *text = text_of(describe_json(&index_described, &index));
    CHECK_STR(text, "{\"chosen\":[{\"key\":\"b\",\"low\":2.0,\"high\":null}],"
                    "\"names\":[\"b\",\"a\"],\"note\":null}");
    free(text);
}

/* One whose lists are written element by element. */
static const struct field streamed_fields[] = {
    FIELD_LIST(struct whole, parts, part_count, range_described),
    FIELD_TEXT(struct whole, name),
    FIELD_LIST(struct whole, parts, part_count, part_described, .key = "some",
               .each = IF_OTHER(struct part, low, 0)),
    FIELD(struct whole, size, .known = IF(struct whole, has_size)),
    FIELD_TEXTS(struct whole, words, word_count),
    FIELD_POINTER(struct whole, missing, part_described, .splice = true), /* NULL: no fields */
};
static DESCRIBE(streamed, struct whole);

TEST(a_document_written_at_once_is_the_same)
{
    struct whole whole = example();
    tac_error err;
    char *written = NULL, *text = text_of(describe_json(&streamed_described, &whole));
    size_t size;
    FILE *out = open_memstream(&written, &size);
    REQUIRE(describe_write(&streamed_described, &whole, NULL, out, &err) == TAC_OK);
    fclose(out);
    REQUIRE(size && written[size - 1] == '\n');
    written[size - 1] = '\0';
    CHECK_STR(written, text);
    free(written);
    free(text);
}

TEST(a_schema_has_each_key_and_what_it_may_be)
{
    const struct describe *const whats[] = {&whole_described};
    char *text = text_of(describe_schema(whats, 1, "Whole"));
    static const char *const wanted[] = {
        "\"name\":{\"type\":\"string\",\"description\":\"what it is called\"}",
        "\"maybe\":{\"type\":[\"string\",\"null\"]}",
        "\"colour\":{\"enum\":[\"red\",null]}",
        "\"group\":{\"$ref\":\"#/$defs/Group\"}",
        "\"large\":{\"type\":\"integer\"}",
        "\"middle\":{\"type\":\"integer\",\"minimum\":0}",
        "\"names\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}",
        "\"size\":{\"type\":[\"number\",\"null\"],\"description\":\"in m\"}",
        "\"when\":{\"type\":\"number\",\"description\":\"in s\"}",
        "\"best\":{\"anyOf\":[{\"$ref\":\"#/$defs/Part\"},{\"type\":\"null\"}]}",
        "\"missing\":{\"$ref\":\"#/$defs/Part\"}",
        "\"parts\":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#/$defs/Range\"}}",
        "\"kind\":{\"const\":\"whole\"}",
        "\"version\":{\"const\":2}",
        "\"required\":[\"name\",\"maybe\",\"code\",\"colour\",\"narrow\",\"group\",\"large\","
        "\"size\","
        "\"unknown\",\"key\",\"low\",\"high\",\"best\",\"parts\",\"some\",\"words\",\"numbers\","
        "\"names\",\"called\",\"reals\",\"pair\",\"kind\",\"version\"]",
        "\"Range\":{\"type\":\"array\",\"items\":{\"type\":[\"number\",\"null\"]}}",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (!strstr(text, wanted[i]))
            fprintf(stderr, "no %s in %s\n", wanted[i], text);
        CHECK(strstr(text, wanted[i]) != NULL);
    }
    CHECK(strstr(text, "has_size") == NULL);
    free(text);
}

static const struct field row_fields[] = {
    FIELD_TEXT(struct whole, name),
    FIELD_ENUM(struct whole, colour, colours),
    FIELD(struct whole, wide),
    FIELD(struct whole, small),
    FIELD(struct whole, size, .known = IF(struct whole, has_size)),
    FIELD_POINTER(struct whole, missing, part_described, .splice = true),
    FIELD_STRUCT(struct whole, first, part_described, .splice = true),
};
static DESCRIBE(row, struct whole);

TEST(csv_has_a_cell_per_field_empty_where_nothing_is_known)
{
    struct whole whole = example();
    char *written = NULL;
    size_t size;
    FILE *out = open_memstream(&written, &size);
    describe_csv_head(&row_described, out);
    describe_csv_row(&row_described, &whole, out);
    whole.has_size = false;
    whole.name = "a \"b\", c";
    whole.missing = &two_parts[1];
    describe_csv_row(&row_described, &whole, out);
    fclose(out);
    CHECK_STR(written, "name,colour,wide,small,size,key,low,high,key,low,high\n"
                       "N\xc3\xa4me,red,false,-2,0.1,,,,k,1,2\n"
                       "\"a \"\"b\"\", c\",red,false,-2,,b,2,,k,1,2\n");
    free(written);
}

static tac_status unpack(const char *data, size_t size, tac_arena *arena, struct whole *out)
{
    tac_error err;
    char *part = tac_alloc(size ? size : 1); /* of its own, so that a read behind it is seen */
    if (size)
        memcpy(part, data, size);
    tac_status status = describe_unpack(&whole_described, part, size, arena, out, &err);
    free(part);
    return status;
}

TEST(what_was_packed_comes_back)
{
    struct whole whole = example(), back, kept;
    tac_arena arena = {0};
    tac_str bytes = {0};
    describe_pack(&whole_described, &whole, &bytes);
    REQUIRE(unpack(bytes.text, bytes.length, &arena, &back) == TAC_OK);
    describe_keep(&whole_described, &back, &arena, &kept);
    char *text = text_of(describe_json(&whole_described, &kept));
    CHECK_STR(text, example_text);
    CHECK(kept.has_size && !kept.maybe && kept.parts != two_parts && kept.best != &two_parts[1]);
    free(text);
    tac_str_free(&bytes);
    tac_arena_free(&arena);
}

TEST(an_empty_text_at_the_end_comes_back)
{
    static const struct field name_fields[] = {FIELD_TEXT(struct part, key)};
    static const struct describe name_described = {
        .name = "Name", .size = sizeof(struct part), .fields = name_fields, .count = 1};
    struct part empty = {.key = ""}, back;
    tac_arena arena = {0};
    describe_keep(&name_described, &empty, &arena, &back);
    CHECK_STR(back.key, "");
    tac_arena_free(&arena);
}

TEST(every_part_and_another_table_are_refused)
{
    struct whole whole = example(), back;
    tac_arena arena = {0};
    tac_error err;
    tac_str bytes = {0};
    describe_pack(&whole_described, &whole, &bytes);
    for (size_t length = 0; length < bytes.length; length++)
        REQUIRE(unpack(bytes.text, length, &arena, &back) == TAC_E_INPUT);
    REQUIRE(describe_unpack(&row_described, bytes.text, bytes.length, &arena, &back, &err) ==
            TAC_E_INPUT);
    tac_str_add_char(&bytes, 'x');
    REQUIRE(unpack(bytes.text, bytes.length, &arena, &back) == TAC_E_INPUT);
    tac_str_free(&bytes);
    tac_arena_free(&arena);
}

/* Whatever is accepted can be shown, and is packed into the same bytes. */
TEST(changed_bytes_are_refused_or_are_a_result)
{
    struct whole whole = example(), back;
    tac_str bytes = {0};
    tac_random random;
    size_t accepted = 0;
    tac_random_seed(&random, 45);
    describe_pack(&whole_described, &whole, &bytes);
    for (int i = 0; i < 20000; i++) {
        tac_arena arena = {0};
        char *changed = tac_strndup(bytes.text, bytes.length);
        memcpy(changed, bytes.text, bytes.length);
        for (int k = 0; k < 1 + i % 3; k++)
            changed[16 + tac_random_below(&random, bytes.length - 16)] =
                (char)(i % 2 ? tac_random_below(&random, 256) : tac_random_below(&random, 4));
        if (unpack(changed, bytes.length, &arena, &back) == TAC_OK) {
            tac_str again = {0};
            describe_pack(&whole_described, &back, &again);
            REQUIRE(again.length == bytes.length && !memcmp(again.text, changed, again.length));
            json_decref(describe_json(&whole_described, &back));
            tac_str_free(&again);
            accepted++;
        }
        CHECK(arena.used < 100 * bytes.length);
        tac_arena_free(&arena);
        free(changed);
    }
    CHECK(accepted > 1000 && accepted < 19000);
    tac_str_free(&bytes);
}
