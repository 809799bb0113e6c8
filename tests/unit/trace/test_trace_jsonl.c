/* JSON Lines: what is read, and the exact messages for what is wrong. */
#include "tactus_test.h"
#include "trace_support.h"

#define HEADER                                                                                     \
    "{\"tactus\":\"trace\",\"version\":1,\"variables\":{\"x\":{\"kind\":\"continuous\"}}}\n"

static void reads(const char *text, const char *wanted)
{
    tac_error err;
    char *got = dump_trace(test_write("trace.jsonl", text), NULL, &err);
    CHECK_STR(err.status ? err.message : got, wanted);
    free(got);
}

static void fails(const char *text, size_t line, size_t column, const char *message)
{
    tac_error err;
    free(dump_trace(test_write("trace.jsonl", text), NULL, &err));
    CHECK_EQ(err.status, TAC_E_INPUT);
    CHECK_EQ(err.line, line);
    CHECK_EQ(err.column, column);
    CHECK_STR(err.message, message);
}

TEST(states_with_and_without_a_header)
{
    reads(HEADER "{\"t\":0,\"x\":1,\"event\":\"a\"}\n{\"t\":1}\n{ \"x\" : 2.5 , \"t\" : 2 }\n",
          "0.000000000 x=1 event=a\n1.000000000 x=1\n2.000000000 x=2.5");
    reads("{\"t\":0,\"on\":true}\n\n{\"t\":1,\"on\":false}\n{\"t\":1,\"on\":null}\n",
          "0.000000000 on=true\n1.000000000 on=false\n1.000000000");
    reads("\n{\"time\":\"2024-01-01T00:00:00Z\"}\n{\"t\":\"2024-01-01T01:00:02.5+01:00\"}\n",
          "1704067200.000000000\n1704067202.500000000");
}

TEST(variables_appear_while_reading)
{
    reads("{\"t\":0}\n{\"t\":1,\"x\":1}\n{\"t\":2,\"y\":\"b\"}\n{\"t\":3,\"y\":\"c\",\"x\":null}\n",
          "0.000000000\n1.000000000 x=1\n2.000000000 x=1 y=b\n3.000000000 y=c");
}

TEST(escapes_and_discrete_numbers)
{
    reads("{\"t\":0,\"event\":\"a\\\"b\\u00e9\\ud83d\\ude00\\n\"}\n",
          "0.000000000 event=a\"b\xc3\xa9\xf0\x9f\x98\x80\n");
    reads("{\"t\":0,\"s\":\"one\"}\n{\"t\":1,\"s\":12.50}\n",
          "0.000000000 s=one\n1.000000000 s=12.50");
    reads("{\"t\":0,\"k\\u0065y\":1}\n{\"t\":1,\"key\":2}\n",
          "0.000000000 key=1\n1.000000000 key=2");
}

TEST(end_lines)
{
    reads("{\"t\":0}\n{\"end\":{\"states\":1,\"meta\":{\"verdict\":\"pass\"}}}\n", "0.000000000");
    fails("{\"t\":0}\n{\"end\":{\"states\":2}}\n", 2, 1,
          "the end line counts 2 states, but there are 1: lines are missing");
    fails("{\"end\":{\"states\":0}}\n{\"t\":0}\n", 2, 1, "a state behind the end line");
    fails("{\"tactus\":\"trace\",\"version\":1,\"ends\":true}\n{\"t\":0}\n", 3, 0,
          "the file is cut: its end line is missing; reading leniently takes what is there");
}

TEST(headers_that_are_wrong)
{
    fails("{\"tactus\":\"trace\",\"version\":2}\n", 1, 0,
          "version 2 of the format is newer than this Tactus, which reads 1");
    fails("{\"tactus\":\"model\",\"version\":1}\n", 1, 0,
          "this is a Tactus file, but no trace: expected \"tactus\":\"trace\"");
    fails("{\"tactus\":\"trace\",\"version\":1,\"variables\":{\"x\":{}}}\n", 1, 0,
          "the variable 'x' needs a \"kind\": \"discrete\" or \"continuous\"");
    fails("{\"tactus\":\"trace\",\"version\":1,\"variables\":{\"x\":{\"kind\":\"discrete\","
          "\"unit\":\"kB\"}}}\n",
          1, 0, "'x' is discrete and cannot have a unit");
    fails("{\"tactus\":\"trace\",\"version\":1,\"variables\":{\"x\":{\"unit\":7}}}\n", 1, 0,
          "the unit of 'x' must be a text such as \"kB\"");
}

TEST(states_that_are_wrong)
{
    fails(HEADER "{\"x\":1}\n", 2, 1, "the state has no time \"t\"");
    fails(HEADER "{\"t\":1,\"x\":\"a\"}\n", 2, 12,
          "'x' is continuous and needs a number; declare it \"discrete\" in the header if it holds "
          "names");
    fails(HEADER "{\"t\":1,\"x\":NaN}\n", 2, 12,
          "NaN and infinities are no values of a trace; use null where there is none");
    fails(HEADER "{\"t\":1,\"x\":1e999}\n", 2, 12,
          "this is not a finite number in JSON's notation");
    fails(HEADER "{\"t\":1,\"x\":01}\n", 2, 12, "this is not a finite number in JSON's notation");
    fails(HEADER "{\"t\":1,\"x\":[1]}\n", 2, 12,
          "a value must be a number, a text, true, false or null");
    fails(HEADER "{\"t\":1,\"x\":1,\"x\":2}\n", 2, 1, "'x' is given twice in one state");
    fails(HEADER "{\"t\":1,\"t\":2}\n", 2, 12, "\"t\" is given twice in one state");
    fails(HEADER "{\"t\":\"now\"}\n", 2, 6,
          "the time \"t\" must be a number of seconds or an ISO date");
    fails(HEADER "{\"t\":2}\n{\"t\":1}\n", 3, 1,
          "time goes back from 2 to 1 s; states must be in time order");
    fails(HEADER "{\"t\":1 \"x\":1}\n", 2, 8, "expected ',' or '}'");
    fails(HEADER "{\"t\":1} x\n", 2, 9, "text behind the object");
    fails(HEADER "{\"t\":1,x:1}\n", 2, 8, "expected a key in quotes");
    fails(HEADER "{\"t\":1,\"event\":\"\\q\"}\n", 2, 17,
          "a text is not closed, or has a wrong escape");
    fails(HEADER "[1]\n", 2, 1, "expected an object {\"t\":...}");
    fails(HEADER "{\"t\":1,\"x\":1}\n{\"t\":2,\"x\"", 3, 11,
          "the file is cut in the middle of this line");
}

TEST(lenient_drops_a_bad_state_whole)
{
    tac_trace_options options = {.lenient = true};
    const char *path =
        test_write("bad.jsonl", HEADER "{\"t\":1,\"x\":1}\n{\"t\":2,\"x\":2,\"x\":3}\n"
                                       "{\"t\":3,\"x\":4,\"y\":}\n{\"t\":4}\n");
    char *got = dump_trace(path, &options, NULL);
    CHECK_STR(got, "1.000000000 x=1\n4.000000000 x=1");
    free(got);
}
