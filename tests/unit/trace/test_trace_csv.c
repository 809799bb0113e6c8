/* Tables: what is read, and the exact messages for what is wrong. */
#include "tactus_test.h"
#include "trace_support.h"

static char *read_with(const char *text, const tac_trace_options *options, tac_error *err)
{
    return dump_trace(test_write("table.csv", text), options, err);
}

static void reads(const char *text, const char *wanted)
{
    tac_error err;
    char *got = read_with(text, NULL, &err);
    CHECK_STR(err.status ? err.message : got, wanted);
    free(got);
}

static void fails(const char *text, size_t line, size_t column, const char *message)
{
    tac_error err;
    free(read_with(text, NULL, &err));
    CHECK_EQ(err.status, TAC_E_INPUT);
    CHECK_EQ(err.line, line);
    CHECK_EQ(err.column, column);
    CHECK_STR(err.message, message);
}

TEST(numbers_names_and_events)
{
    reads("t,event,rxData,activity\n0,Start,10,Main\n0.5,,20,\n1.25,Stop,,List\n",
          "0.000000000 event=Start rxData=10 activity=Main\n"
          "0.500000000 rxData=20 activity=Main\n"
          "1.250000000 event=Stop rxData=20 activity=List");
}

TEST(separators_quotes_blanks_and_line_ends)
{
    reads("time\tevent\tx\r\n1\ta b\t2\r\n\r\n2\t\t3\r\n",
          "1.000000000 event=a b x=2\n2.000000000 x=3");
    reads("time;event;x\n1;a,b;2", "1.000000000 event=a,b x=2");
    reads("t,event,x\n1,\"say \"\"hi\"\", twice\",2\n2,\"two\nlines\",3\n3,z,4\n",
          "1.000000000 event=say \"hi\", twice x=2\n2.000000000 event=two\nlines x=3\n"
          "3.000000000 event=z x=4");
    reads("\xef\xbb\xbft, event , x\n1, tap ,  5 \n", "1.000000000 event=tap x=5");
    reads("# made by hand\nt,x\n1,2\n", "1.000000000 x=2");
    reads("sep=;\r\ntime;x\r\n1;2\r\n", "1.000000000 x=2");
}

TEST(dates_and_units_of_time)
{
    reads("timestamp,x\n1970-01-01 00:00:01,5\n1970-01-01T00:00:02.5Z,6\n",
          "1.000000000 x=5\n2.500000000 x=6");
    reads("t [ms],x [kB]\n1500,1\n1500.5,2\n", "1.500000000 x=1\n1.500500000 x=2");
    char *schema = dump_schema(test_write("table.csv", "t [ms],x [kB],event\n1,2,a\n"), NULL);
    CHECK_STR(schema, "x:number:kB event:name");
    free(schema);
}

TEST(time_column_and_discrete_columns_by_option)
{
    tac_trace_options options = {.time_column = "when", .discrete = "code,other"};
    tac_error err;
    char *got = read_with("code,when,other,x\n7,1,2,3\n8,2,2,3\n", &options, &err);
    CHECK_STR(got, "1.000000000 code=7 other=2 x=3\n2.000000000 code=8 other=2 x=3");
    free(got);
    options.time_column = "nowhen";
    free(read_with("code,when,other,x\n7,1,2,3\n", &options, &err));
    CHECK_STR(err.message, "no column 'nowhen' to take the time from; the first row names code, "
                           "when, other, x");
    options = (tac_trace_options){.discrete = "cdoe"};
    free(read_with("code,t\n7,1\n", &options, &err));
    CHECK_STR(err.message, "no column 'cdoe' to read as discrete");
}

TEST(a_column_that_starts_empty_is_told_by_its_first_value)
{
    reads("t,x,s\n1,,\n2,,Main\n3,5,\n", "1.000000000\n2.000000000 s=Main\n3.000000000 x=5 s=Main");
    reads("t,x\n1,\n2,\n", "1.000000000\n2.000000000");
}

/* Excel breaks names in two. */
TEST(names_in_quotes_may_have_line_ends)
{
    reads("t,\"CPU\n[%]\",\"a\nb\"\n1,2,3\n", "1.000000000 CPU=2 a b=3");
    reads("t,\"CPU\r\n[%]\",\"a\n\nb\"\r\n1,2,3\r\n", "1.000000000 CPU=2 a  b=3");
    fails("t,\"a\nb\"\n1,2\n2,x\n", 4, 3,
          "'x' in column 'a b' is not a number, and the column has held numbers so far; read it as "
          "discrete if it holds names");
    fails("t,\"a\nb\n1,2\n", 1, 3,
          "the quote that opens here is never closed; write \"\" for a quote inside a quoted cell");
}

TEST(headers_that_are_wrong)
{
    fails("a,b\n1,2\n", 1, 0,
          "no time column: expected t, time or timestamp; the first row names a, b");
    fails("t,x,y,x\n1,2,3,4\n", 1, 7, "the column 'x' appears twice (columns 2 and 4)");
    fails("1,2\n3,4\n", 1, 1, "the first row must name the columns, but holds only numbers");
    fails("t [kB],x\n1,2\n", 1, 1, "the time column is in 'kB'; expected s, ms, us or ns");
    fails(
        "\n\n", 0, 0,
        "the content is not of a trace format that is known (jsonl, binary, csv, logcat, droidbot, "
        "scpi, perfetto, systrace, chrome, pcap, har, batterystats, bugreport)");
}

TEST(rows_that_are_wrong)
{
    fails("t,x\n1,2\n2\n3,4\n", 3, 1, "the row has 1 cells, the header names 2 columns");
    fails("t,x\n1,2\n2,3,4\n", 3, 5, "the row has 3 cells, the header names 2 columns");
    fails("t,x,y\n1,2,3\n2,3", 3, 3, "the file is cut in this row: 2 of 3 cells");
    fails("t,x\n1,2\n2,abc\n", 3, 3,
          "'abc' in column 'x' is not a number, and the column has held numbers so far; read it as "
          "discrete if it holds names");
    fails(
        "t,x\n1,2\n2,NaN\n", 3, 3,
        "'NaN' in column 'x' is not a finite number; leave the cell empty where there is no value");
    fails(
        "t,x\n1,nan\n", 2, 3,
        "'nan' in column 'x' is not a finite number; leave the cell empty where there is no value");
    fails("t,x\n1,2\n2,-inf\n", 3, 3,
          "'-inf' in column 'x' is not a finite number; leave the cell empty where there is no "
          "value");
    fails("t,x\n1,2\n0.5,3\n", 3, 1,
          "time goes back from 1 to 0.5 s; states must be in time order");
    fails("t,x\n,2\n", 2, 1, "the row has no time");
    fails("t,x\nsoon,2\n", 2, 1,
          "'soon' is not a time; expected seconds or an ISO date; for other units name the column "
          "'t [ms]'");
    fails(
        "t,x\r1,2\r2,3\r", 1, 3,
        "a carriage return in the first row: where it alone ends lines, write line feeds instead");
    fails("timestamp,x\n2021-01-01,1\n2021-02-30,2\n", 3, 1,
          "'2021-02-30' is not a time; expected a date such as 2021-01-07 18:19:50");
    fails("t,event\n1,\"open\n2,b\n", 2, 3,
          "the quote that opens here is never closed; write \"\" for a quote inside a quoted cell");
    fails("t,event\n1,\"a\"b\n", 2, 6, "text behind a closing quote");
}

TEST(lenient_skips_and_counts_bad_rows)
{
    const char *path = test_write("bad.csv", "t,x\n1,2\n2,abc\n0,1\n3,4,5\n4,\"5\n5,6\n");
    tac_trace_options options = {.lenient = true};
    char *got = dump_trace(path, &options, NULL);
    CHECK_STR(got, "1.000000000 x=2\n5.000000000 x=6");
    free(got);
    tac_trace_source *source;
    const tac_trace_block *block;
    REQUIRE(!tac_trace_open(path, &options, &source, NULL));
    CHECK(tac_trace_first_skipped(source) == NULL);
    while (!tac_trace_next(source, &block, NULL) && block)
        continue;
    CHECK_EQ(tac_trace_skipped(source), 4);
    CHECK_EQ(tac_trace_first_skipped(source)->line, 3);
    tac_trace_close(source);
}

TEST(states_before_an_error_are_handed_out_first)
{
    tac_error err;
    char *got = read_with("t,x\n1,2\n2,3\n3,bad\n", NULL, &err);
    CHECK_STR(got, "1.000000000 x=2\n2.000000000 x=3");
    CHECK_EQ(err.line, 4);
    free(got);
}

TEST(a_line_of_forty_megabytes)
{
    const char *path = test_temporary("long.csv");
    FILE *file = fopen(path, "w");
    fputs("t,event,x\n1,a,2\n2,", file);
    static char some[1024 * 1024];
    memset(some, 'y', sizeof some);
    for (int i = 0; i < 40; i++)
        fwrite(some, 1, sizeof some, file);
    fputs(",3\n3,b,4\n", file);
    fclose(file);
    tac_error err;
    free(dump_trace(path, NULL, &err));
    CHECK_EQ(err.status, TAC_E_LIMIT);
    CHECK_EQ(err.line, 3);
    CHECK_STR(err.message, "the line is longer than 32 MiB; is this a trace?");
    tac_trace_options options = {.lenient = true};
    char *got = dump_trace(path, &options, &err);
    CHECK_STR(got, "1.000000000 event=a x=2\n3.000000000 event=b x=4");
    free(got);
}

TEST(missing_files_and_unknown_formats)
{
    tac_error err;
    free(dump_trace("/nonexistent/t.csv", NULL, &err));
    CHECK_EQ(err.status, TAC_E_IO);
    free(dump_trace(test_write("empty.csv", ""), NULL, &err));
    CHECK_STR(err.message, "the file is empty");
    tac_trace_options options = {.format = "exel"};
    free(dump_trace(test_write("x.csv", "t\n1\n"), &options, &err));
    CHECK_EQ(err.status, TAC_E_USAGE);
    CHECK_CONTAINS(err.message, "unknown trace format 'exel'");
}

TEST(the_phone_logs_of_the_corpus)
{
    const char *path = test_corpus("phone5g/ELDERBERRY_374-run15652.csv");
    if (!path)
        SKIP("the corpus is absent");
    char *schema = dump_schema(path, NULL);
    CHECK_STR(schema, "nrStatus:name rsrp:number mobileRx:number mobileTx:number currentNow:number "
                      "voltageNow:number downlink_mbps:number uplink_mbps:number sw_power:number "
                      "iperf_type:name direction:name");
    free(schema);
    tac_error err;
    char *got = dump_trace(path, NULL, &err);
    CHECK_EQ(err.status, TAC_OK);
    static const char wanted[] = "1610043590.000000000 nrStatus=NOT_RESTRICTED mobileRx=203469473 "
                                 "mobileTx=999003 currentNow=-1578 voltageNow=3750000 ";
    CHECK(!strncmp(got, wanted, strlen(wanted)));
    free(got);
}
