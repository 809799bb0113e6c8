/* Texts, lists and booleans in traces: the three formats give back what was written, null ends a
 * value, and what is wrong is said with its place. */
#include "tactus_test.h"
#include "trace/trace.h"
#include "trace_support.h"

static const tac_trace_variable declared[] = {
    {.name = "event", .unit = ""},
    {.name = "items", .unit = "", .type = TAC_VALUE_LIST},
    {.name = "input", .unit = "", .type = TAC_VALUE_TEXT},
    {.name = "ready", .unit = "", .type = TAC_VALUE_BOOLEAN},
    {.name = "left", .unit = "", .kind = TAC_CONTINUOUS},
};

static tac_trace_writer *writer_to(FILE *file, const char *format)
{
    tac_trace_writer *writer;
    tac_error err;
    CHECK_EQ(tac_trace_writer_new(file, format, NULL, &writer, &err), TAC_OK);
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++)
        tac_trace_writer_variable(writer, &declared[i]);
    return writer;
}

TEST(every_format_gives_back_lists_texts_booleans_and_what_is_missing)
{
    static const char *const formats[] = {"jsonl", "csv", "binary"};
    static const char *const items[] = {"milk", "a \"b\"\n, c", "\xc3\xa9,;#"};
    char *list = tac_trace_list(items, 3), *none = tac_trace_list(NULL, 0);
    CHECK_STR(none, "[]");
    CHECK_STR(list, "[\"milk\",\"a \\\"b\\\"\\u000a, c\",\"\xc3\xa9,;#\"]");
    for (size_t i = 0; i < 3; i++) {
        const char *path = test_temporary(formats[i]);
        FILE *file = fopen(path, "w");
        tac_trace_writer *writer = writer_to(file, formats[i]);
        tac_error err = {0};
        tac_trace_writer_begin(writer, 0);
        tac_trace_writer_symbol(writer, 1, none);
        tac_trace_writer_symbol(writer, 2, "");
        tac_trace_writer_symbol(writer, 3, "true");
        tac_trace_writer_number(writer, 4, 2);
        CHECK_EQ(tac_trace_writer_end(writer, &err), TAC_OK);
        tac_trace_writer_begin(writer, 1000000000);
        tac_trace_writer_symbol(writer, 0, "add");
        tac_trace_writer_symbol(writer, 1, list);
        tac_trace_writer_symbol(writer, 2, " null ");
        CHECK_EQ(tac_trace_writer_end(writer, &err), TAC_OK);
        tac_trace_writer_begin(writer, 2000000000);
        for (size_t k = 1; k < 5; k++)
            tac_trace_writer_missing(writer, k);
        CHECK_EQ(tac_trace_writer_end(writer, &err), TAC_OK);
        CHECK_EQ(tac_trace_writer_finish(writer, NULL, &err), TAC_OK);
        fclose(file);
        tac_trace_options options = {.format = formats[i]};
        char *got = dump_trace(path, &options, &err);
        CHECK_STR(
            err.status ? err.message : got,
            "0.000000000 items=[] input= ready=true left=2\n"
            "1.000000000 event=add items=[\"milk\",\"a \\\"b\\\"\\u000a, c\",\"\xc3\xa9,;#\"] "
            "input= null  ready=true left=2\n"
            "2.000000000");
        free(got);
    }
    free(list);
    free(none);
}

static void fails(const char *name, const char *text, size_t line, size_t column,
                  const char *message)
{
    tac_error err;
    free(dump_trace(test_write(name, text), NULL, &err));
    CHECK_EQ(err.status, TAC_E_INPUT);
    CHECK_EQ(err.line, line);
    CHECK_EQ(err.column, column);
    CHECK_STR(err.message, message);
}

TEST(what_is_not_of_the_type_is_refused_with_its_place)
{
    fails("a.jsonl", "{\"t\":0,\"x\":[\"a\",1]}\n", 1, 17,
          "a list holds texts only: [\"a\",\"b\"]");
    fails("b.jsonl", "{\"t\":0,\"x\":[\"a\"]}\n{\"t\":1,\"x\":\"a\"}\n", 2, 12,
          "'x' is a list of texts: [\"a\"]");
    fails("c.jsonl", "{\"t\":0,\"x\":\"a\"}\n{\"t\":1,\"x\":[\"a\"]}\n", 2, 12,
          "a value must be a number, a text, true, false or null");
    fails("d.csv", "t,x [list]\n0,[1]\n", 2, 3,
          "'[1]' in column 'x' is not a list in JSON's notation, or null");
    fails("e.csv", "t,x [text]\n0,milk\n", 2, 3,
          "'milk' in column 'x' is not a text in JSON's notation, or null");
    fails("f.csv", "t,x [boolean]\n0,yes\n", 2, 3,
          "'yes' in column 'x' is not a boolean in JSON's notation, or null");
}

TEST(a_list_is_one_symbol_however_it_was_written)
{
    tac_error err;
    char *got = dump_trace(test_write("g.jsonl", "{\"t\":0,\"x\":[ \"\\u0061\" , \"b\" ]}\n"
                                                 "{\"t\":1,\"x\":[\"a\",\"\\u0062\"]}\n"),
                           NULL, &err);
    CHECK_STR(err.status ? err.message : got,
              "0.000000000 x=[\"a\",\"b\"]\n1.000000000 x=[\"a\",\"b\"]");
    free(got);
}

TEST(a_text_of_a_megabyte_and_a_list_of_ten_thousand_texts_survive)
{
    static const char *const formats[] = {"jsonl", "csv", "binary"};
    char *text = malloc((1 << 20) + 1);
    for (size_t i = 0; i < 1 << 20; i++)
        text[i] = "\"\\\x01\n,;'<&\x7f"[i % 10];
    text[1 << 20] = '\0';
    const char **texts = calloc(10000, sizeof *texts);
    for (size_t i = 0; i < 10000; i++)
        texts[i] = i % 2 ? "x" : "\xf0\x9f\x98\x80";
    char *list = tac_trace_list(texts, 10000);
    for (size_t i = 0; i < 3; i++) {
        const char *path = test_temporary(formats[i]);
        FILE *file = fopen(path, "w");
        tac_error err;
        tac_trace_writer *writer = writer_to(file, formats[i]);
        for (int k = 0; k < 3; k++) {
            tac_trace_writer_begin(writer, k);
            tac_trace_writer_symbol(writer, 1, list);
            tac_trace_writer_symbol(writer, 2, k == 1 ? "" : text);
            CHECK_EQ(tac_trace_writer_end(writer, &err), TAC_OK);
        }
        CHECK_EQ(tac_trace_writer_finish(writer, NULL, &err), TAC_OK);
        fclose(file);
        tac_trace_options options = {.format = formats[i]};
        tac_trace_source *source;
        const tac_trace_block *block = NULL;
        size_t count;
        CHECK_EQ(tac_trace_open(path, &options, &source, &err), TAC_OK);
        CHECK_EQ(tac_trace_next(source, &block, &err), TAC_OK);
        const char *const *symbols = tac_trace_symbols(source, &count);
        CHECK_EQ(block->count, 3);
        CHECK(!strcmp(symbols[block->symbols[1][0]], list));
        CHECK(!strcmp(symbols[block->symbols[2][0]], text));
        CHECK_STR(symbols[block->symbols[2][1]], "");
        CHECK(!strcmp(symbols[block->symbols[2][2]], text));
        tac_trace_close(source);
    }
    free(list);
    free(texts);
    free(text);
}
