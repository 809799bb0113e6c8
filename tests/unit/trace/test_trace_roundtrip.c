/* Every writer read back by its reader, on random traces, against a direct transcription of the
 * hold rule. */
#include "tactus_test.h"
#include "trace_support.h"

static void round_trips(const char *format, bool wild, size_t rounds, size_t states)
{
    for (size_t seed = 0; seed < rounds; seed++) {
        random_trace *trace = make_random_trace(seed, states, wild);
        const char *path = test_temporary(format);
        write_random_trace(trace, path, format);
        tac_error err;
        char *got = dump_trace(path, NULL, &err), *wanted = expected_dump(trace);
        if (err.status || strcmp(got, wanted)) {
            test_fail(__FILE__, __LINE__,
                      "%s, seed %zu: line %zu %s\n--- got\n%.600s\n--- wanted\n%.600s", format,
                      seed, err.line, err.message, got, wanted);
        }
        free(got);
        free(wanted);
        free(trace);
    }
}

TEST(json_lines_round_trip)
{
    round_trips("jsonl", true, test_scale(1000), 30);
    round_trips("jsonl", true, test_scale(20), 6000);
}

TEST(binary_round_trip)
{
    round_trips("binary", true, test_scale(1000), 30);
    round_trips("binary", true, test_scale(20), 6000);
}

TEST(csv_round_trip)
{
    round_trips("csv", false, test_scale(1000), 30);
    round_trips("csv", false, test_scale(20), 6000);
}

static void write_meta(const char *path, const char *format)
{
    FILE *file = fopen(path, "w");
    tac_trace_writer *writer;
    json_t *meta = json_pack("{s:s}", "device", "S7");
    json_t *late = json_pack("{s:s}", "verdict", "crash");
    REQUIRE(file && !tac_trace_writer_new(file, format, meta, &writer, NULL));
    tac_trace_variable rx = {"rxData", "kB", TAC_CONTINUOUS, true, TAC_VALUE_NAME};
    tac_trace_writer_variable(writer, &rx);
    tac_trace_writer_begin(writer, 0);
    tac_trace_writer_number(writer, 0, 5);
    REQUIRE(!tac_trace_writer_end(writer, NULL));
    /* A variable that appears later. */
    tac_trace_variable late_variable = {"screen", "", TAC_DISCRETE, false, TAC_VALUE_NAME};
    size_t screen = tac_trace_writer_variable(writer, &late_variable);
    tac_trace_writer_begin(writer, 1);
    tac_trace_writer_symbol(writer, screen, "Main");
    REQUIRE(!tac_trace_writer_end(writer, NULL));
    REQUIRE(!tac_trace_writer_finish(writer, late, NULL));
    fclose(file);
    json_decref(meta);
    json_decref(late);
}

TEST(meta_data_units_and_late_variables_survive)
{
    static const char *const formats[] = {"jsonl", "binary"};
    for (int f = 0; f < 2; f++) {
        const char *path = test_temporary(formats[f]);
        write_meta(path, formats[f]);
        tac_trace_source *source;
        const tac_trace_block *block;
        REQUIRE(!tac_trace_open(path, NULL, &source, NULL));
        CHECK_STR(tac_trace_format(source), formats[f]);
        CHECK_STR(json_string_value(json_object_get(tac_trace_meta(source), "device")), "S7");
        while (!tac_trace_next(source, &block, NULL) && block)
            continue;
        CHECK_STR(json_string_value(json_object_get(tac_trace_meta(source), "verdict")), "crash");
        size_t count;
        const tac_trace_variable *variables = tac_trace_variables(source, &count);
        CHECK_EQ(count, 2);
        CHECK_STR(variables[0].unit, "kB");
        CHECK(variables[0].linear);
        CHECK_STR(variables[1].name, "screen");
        tac_trace_close(source);
        char *dump = dump_trace(path, NULL, NULL);
        CHECK_STR(dump, "0.000000000 rxData=5\n0.000000001 rxData=5 screen=Main");
        free(dump);
    }
}

/* Every cut of a file that promises its end is noticed. */
TEST(a_cut_file_is_noticed_wherever_it_is_cut)
{
    static const char *const formats[] = {"jsonl", "binary"};
    for (int f = 0; f < 2; f++) {
        random_trace *trace = make_random_trace(7, 40, true);
        const char *path = test_temporary(formats[f]), *cut = test_temporary("cut");
        write_random_trace(trace, path, formats[f]);
        FILE *file = fopen(path, "r");
        static char bytes[1 << 20];
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        for (size_t length = 0; length + 1 < size; length += test_scale(1000) < 1000 ? 7 : 1) {
            file = fopen(cut, "w");
            fwrite(bytes, 1, length, file);
            fclose(file);
            tac_error err;
            tac_trace_options options = {.format = formats[f]};
            free(dump_trace(cut, &options, &err));
            if (err.status != TAC_E_INPUT)
                test_fail(__FILE__, __LINE__, "%s cut at %zu of %zu: status %d", formats[f], length,
                          size, err.status);
        }
        free(trace);
    }
}

TEST(a_flipped_bit_in_a_binary_trace_is_noticed)
{
    random_trace *trace = make_random_trace(3, 200, true);
    const char *path = test_temporary("whole"), *bad = test_temporary("flipped");
    write_random_trace(trace, path, "binary");
    FILE *file = fopen(path, "r");
    static char bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    tac_random random;
    tac_random_seed(&random, 1);
    for (size_t round = 0; round < test_scale(2000); round++) {
        size_t at = tac_random_below(&random, size);
        if (at >= 12 && at < 16) /* reserved bytes */
            continue;
        char mask = (char)(1 << tac_random_below(&random, 8));
        bytes[at] ^= mask;
        file = fopen(bad, "w");
        fwrite(bytes, 1, size, file);
        fclose(file);
        tac_error err;
        tac_trace_options options = {.format = "binary"};
        free(dump_trace(bad, &options, &err));
        if (!err.status)
            test_fail(__FILE__, __LINE__, "byte %zu, bit %d", at, mask);
        bytes[at] ^= mask;
    }
    free(trace);
}

TEST(the_writer_refuses_what_readers_would)
{
    FILE *file = fopen("/dev/null", "w");
    tac_trace_writer *writer;
    tac_error err;
    REQUIRE(!tac_trace_writer_new(file, "jsonl", NULL, &writer, NULL));
    tac_trace_writer_begin(writer, 5);
    CHECK(!tac_trace_writer_end(writer, &err));
    tac_trace_writer_begin(writer, 4);
    CHECK_EQ(tac_trace_writer_end(writer, &err), TAC_E_INPUT);
    CHECK_STR(err.message, "time goes back from 0.000000005 to 0.000000004 s");
    CHECK_EQ(tac_trace_writer_finish(writer, NULL, &err), TAC_E_INPUT);
    CHECK_EQ(tac_trace_writer_new(file, "xml", NULL, &writer, &err), TAC_E_USAGE);
    REQUIRE(!tac_trace_writer_new(file, "csv", NULL, &writer, NULL));
    tac_trace_writer_begin(writer, 5);
    CHECK(!tac_trace_writer_end(writer, &err));
    tac_trace_variable late = {"x", "", TAC_CONTINUOUS, false, TAC_VALUE_NAME};
    tac_trace_writer_variable(writer, &late);
    CHECK_EQ(tac_trace_writer_finish(writer, NULL, &err), TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "appears behind the first state");
    fclose(file);
}
