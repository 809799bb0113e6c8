/* Logcats in their four layouts, power logs and DroidBot folders. */
#include "base/data/alloc.h"
#include "tactus_test.h"
#include "trace_support.h"
#include <sys/stat.h>

static const char *const control[] = {"CONTROL -(\\w+)=event"};

static const char threadtime[] = "--------- beginning of main\n"
                                 "05-01 16:39:28.125 13414 13420 V TESTCASEGENERATOR: CONTROL "
                                 "-httpClick: 01/05/2015 16:39:28\n"
                                 "05-01 16:39:28.500   812   830 I ActivityManager: Displayed "
                                 "com.example/.Main: +300ms\n"
                                 "05-01 16:39:34.000 13485 13485 V TESTCASEGENERATOR: CONTROL "
                                 "-runClick: 01/05/2015 16:39:34\n";
static const char time_layout[] =
    "--------- beginning of /dev/log/main\n"
    "05-01 16:39:28.125 V/TESTCASEGENERATOR(13414): CONTROL -httpClick: 01/05/2015 16:39:28\n"
    "05-01 16:39:28.500 I/ActivityManager(  812): Displayed com.example/.Main: +300ms\n"
    "05-01 16:39:34.000 V/TESTCASEGENERATOR(13485): CONTROL -runClick: 01/05/2015 16:39:34\n";
static const char epoch[] =
    "      73586368.125 13414 13420 V TESTCASEGENERATOR: CONTROL -httpClick: 01/05/2015 16:39:28\n"
    "      73586368.500   812   830 I ActivityManager: Displayed com.example/.Main: +300ms\n"
    "      73586374.000 13485 13485 V TESTCASEGENERATOR: CONTROL -runClick: 01/05/2015 16:39:34\n";
static const char long_layout[] = "[ 05-01 16:39:28.125 13414:13420 V/TESTCASEGENERATOR ]\n"
                                  "CONTROL -httpClick: 01/05/2015 16:39:28\n\n"
                                  "[ 05-01 16:39:28.500   812:  830 I/ActivityManager ]\n"
                                  "Displayed com.example/.Main: +300ms\n\n"
                                  "[ 05-01 16:39:34.000 13485:13485 V/TESTCASEGENERATOR ]\n"
                                  "CONTROL -runClick: 01/05/2015 16:39:34\n\n";

/* As Eclipse and Visual Studio write the layout time. */
static const char colon_layout[] =
    "05-01 16:39:28.125: V/TESTCASEGENERATOR(13414): CONTROL -httpClick: 01/05/2015 16:39:28\n"
    "05-01 16:39:28.500: I/ActivityManager(  812): Displayed com.example/.Main: +300ms\n"
    "05-01 16:39:34.000: V/TESTCASEGENERATOR(13485): CONTROL -runClick: 01/05/2015 16:39:34\n";
/* As Android Studio wrote them. */
static const char studio_layout[] =
    "1972-05-01 16:39:28.125 13414-13420/com.example V/TESTCASEGENERATOR: CONTROL -httpClick: x\n"
    "1972-05-01 16:39:28.500 812-830/? I/ActivityManager: Displayed com.example/.Main: +300ms\n"
    "1972-05-01 16:39:34.000 13485-13485/com.example V/TESTCASEGENERATOR: CONTROL -runClick: x\n";
/* As Unity's window of logs exports them. */
static const char unity_layout[] =
    "1972/05/01 16:39:28.125 13414 13420 Verbose TESTCASEGENERATOR CONTROL -httpClick: x\n"
    "1972/05/01 16:39:28.500 812 830 Info ActivityManager Displayed com.example/.Main: +300ms\n"
    "1972/05/01 16:39:34.000 13485 13485 Verbose TESTCASEGENERATOR CONTROL -runClick: x\n";

static char *read_log(const char *text, const char *const *patterns, size_t count, tac_error *err)
{
    tac_trace_options options = {.patterns = patterns, .pattern_count = count};
    return dump_trace(test_write("phone.logcat", text), &options, err);
}

/* 1972-05-01 16:39:28.125 is 73586368.125 s. */
TEST(all_layouts_with_times_give_the_same_trace)
{
    static const char *const logs[] = {threadtime,   time_layout,  epoch,        long_layout,
                                       colon_layout, unity_layout, studio_layout};
    for (int i = 0; i < 7; i++) {
        tac_error err;
        char *got = read_log(logs[i], control, 1, &err);
        CHECK_STR(err.status ? err.message : got,
                  "73586368.125000000 event=httpClick\n73586374.000000000 event=runClick");
        free(got);
        got = read_log(logs[i], NULL, 0, &err);
        CHECK_STR(got, "73586368.125000000 event=TESTCASEGENERATOR level=V\n"
                       "73586368.500000000 event=ActivityManager level=I\n"
                       "73586374.000000000 event=TESTCASEGENERATOR level=V");
        free(got);
    }
}

TEST(a_day_that_is_not_in_the_calendar_is_not_a_record)
{
    static const char *const days[] = {"2024-02-30", "2024-13-01", "2024-00-10", "9999/12/31"};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        bool unity = days[i][4] == '/';
        char *text = tac_format(unity ? "2024/02/28 10:00:00.000 1 1 Info Tag a\n"
                                        "%s 10:00:00.000 1 1 Info Tag b\n"
                                      : "2024-02-28 10:00:00.000 1-1/com.x I/Tag: a\n"
                                        "%s 10:00:00.000 1-1/com.x I/Tag: b\n",
                                days[i]);
        tac_error err;
        char *got = read_log(text, NULL, 0, &err);
        CHECK_STR(got, "1709114400.000000000 event=Tag level=I");
        free(got);
        free(text);
    }
}

/* Read, written as JSON Lines and as binary, read again: the same. */
TEST(logcats_round_trip_through_the_writers)
{
    static const char *const logs[] = {threadtime, time_layout, epoch, long_layout};
    static const char *const formats[] = {"jsonl", "binary", "csv"};
    for (int i = 0; i < 12; i++) {
        tac_trace_source *source;
        tac_trace_options options = {.patterns = control, .pattern_count = 1};
        REQUIRE(!tac_trace_open(test_write("phone.logcat", logs[i / 3]), &options, &source, NULL));
        const char *path = test_temporary("copy");
        FILE *file = fopen(path, "w");
        tac_trace_writer *writer;
        REQUIRE(!tac_trace_writer_new(file, formats[i % 3], NULL, &writer, NULL));
        size_t variables, symbols;
        const tac_trace_variable *variable = tac_trace_variables(source, &variables);
        for (size_t v = 0; v < variables; v++)
            tac_trace_writer_variable(writer, &variable[v]);
        const tac_trace_block *block;
        while (!tac_trace_next(source, &block, NULL) && block)
            for (size_t s = 0; s < block->count; s++) {
                tac_trace_writer_begin(writer, block->time[s]);
                const char *const *names = tac_trace_symbols(source, &symbols);
                tac_trace_writer_symbol(writer, 0, names[block->symbols[0][s]]);
                REQUIRE(!tac_trace_writer_end(writer, NULL));
            }
        REQUIRE(!tac_trace_writer_finish(writer, NULL, NULL));
        fclose(file);
        tac_trace_close(source);
        char *got = dump_trace(path, NULL, NULL);
        CHECK_STR(got, "73586368.125000000 event=httpClick\n73586374.000000000 event=runClick");
        free(got);
    }
}

TEST(years_zones_and_the_turn_of_the_year)
{
    tac_error err;
    char *got = read_log("2015-05-01 16:39:28.123456 +0200  1  2 I tag: m\n", NULL, 0, &err);
    CHECK_STR(got, "1430491168.123456000 event=tag level=I");
    free(got);
    got = read_log("12-31 23:59:59.500  1  2 I tag: m\n01-01 00:00:00.500  1  2 I tag: m\n", NULL,
                   0, &err);
    CHECK_STR(err.status ? err.message : got,
              "94694399.500000000 event=tag level=I\n94694400.500000000 event=tag level=I");
    free(got);
    tac_trace_options options = {.year = 2015};
    got = dump_trace(test_write("y.logcat", "05-01 14:39:28.000  1  2 I tag: m\n"), &options, &err);
    CHECK_STR(got, "1430491168.000000000 event=tag level=I");
    free(got);
}

TEST(patterns_set_several_variables_and_numbers)
{
    static const char *const patterns[] = {
        "CONTROL -(\\w+)", "rx=(\\d+) at (\\w+)=rxData[kB],screen", "Tag: whole line=note"};
    tac_error err;
    char *got = read_log("05-01 00:00:01.000  1  2 I Tag: rx=120 at Main\n"
                         "05-01 00:00:02.000  1  2 I Tag: nothing\n"
                         "05-01 00:00:03.000  1  2 I Tag: CONTROL -go rx=130 at List\n"
                         "05-01 00:00:04.000  1  2 I Tag: whole line\n",
                         patterns, 3, &err);
    CHECK_STR(err.status ? err.message : got,
              "73526401.000000000 rxData=120 screen=Main\n"
              "73526403.000000000 event=go rxData=130 screen=List\n"
              "73526404.000000000 rxData=130 screen=List note=Tag: whole line");
    free(got);
}

TEST(patterns_that_are_wrong)
{
    static const char *const cases[][2] = {
        {"a(b=event", "is not a regular expression"},
        {"=event", "has no regular expression"},
        {"(a)=x,y", "the pattern '(a)=x,y' names 2 values but has 1 group"}};
    for (int i = 0; i < 3; i++) {
        tac_error err;
        free(read_log(threadtime, &cases[i][0], 1, &err));
        CHECK_EQ(err.status, TAC_E_USAGE);
        CHECK_CONTAINS(err.message, cases[i][1]);
    }
    static const char *const number[] = {"Displayed (\\S+)=x[s]"};
    tac_error err;
    free(read_log(threadtime, number, 1, &err));
    CHECK_EQ(err.line, 3);
    CHECK_STR(err.message,
              "'com.example/.Main:' for 'x' is not a number (pattern 'Displayed (\\S+)=x[s]')");
}

TEST(a_fatal_exception_is_the_verdict)
{
    tac_trace_source *source;
    const tac_trace_block *block;
    const char *path =
        test_write("crash.logcat",
                   "05-01 00:00:01.000  1  2 E AndroidRuntime: FATAL EXCEPTION: main\n"
                   "05-01 00:00:01.000  1  2 E AndroidRuntime: Process: com.example, PID: 1\n"
                   "05-01 00:00:01.000  1  2 E AndroidRuntime: "
                   "java.lang.IllegalStateException: no view\n"
                   "05-01 00:00:01.000  1  2 E AndroidRuntime: \tat com.example.A.b(A.java:4)\n"
                   "05-01 00:00:01.000  1  2 E AndroidRuntime: \tat com.example.C.d(C.java:9)\n");
    REQUIRE(!tac_trace_open(path, NULL, &source, NULL));
    while (!tac_trace_next(source, &block, NULL) && block)
        continue;
    char *meta = json_dumps(tac_trace_meta(source), JSON_COMPACT);
    CHECK_STR(meta,
              "{\"verdict\":\"crash\",\"app\":\"com.example\",\"exception\":\"java.lang."
              "IllegalStateException\",\"message\":\"no view\",\"stack\":[\"com.example.A.b(A."
              "java:4)\",\"com.example.C.d(C.java:9)\"]}");
    free(meta);
    tac_trace_close(source);
}

static char *meta_of(const char *path)
{
    tac_trace_source *source;
    const tac_trace_block *block;
    if (tac_trace_open(path, NULL, &source, NULL))
        return NULL;
    while (!tac_trace_next(source, &block, NULL) && block)
        continue;
    char *meta = json_dumps(tac_trace_meta(source), JSON_COMPACT);
    tac_trace_close(source);
    return meta;
}

TEST(the_root_cause_is_the_exception)
{
    char *meta = meta_of(test_write(
        "cause.logcat",
        "05-01 00:00:01.000  1  2 E AndroidRuntime: FATAL EXCEPTION: main\n"
        "05-01 00:00:01.000  1  2 E AndroidRuntime: java.lang.RuntimeException: outer\n"
        "05-01 00:00:01.000  1  2 E AndroidRuntime: \tat android.app.A.b(A.java:4)\n"
        "05-01 00:00:01.000  7  7 I Other: between\n"
        "05-01 00:00:01.000  1  2 E AndroidRuntime: \tSuppressed: java.lang.Error: s\n"
        "05-01 00:00:01.000  1  2 E AndroidRuntime: \t\tat com.example.S.t(S.java:1)\n"
        "05-01 00:00:01.000  1  2 E AndroidRuntime: \tCaused by: java.lang.Error: inside\n"
        "05-01 00:00:01.000  1  2 E AndroidRuntime: Caused by: java.io.IOException: root\n"
        "05-01 00:00:01.000  1  2 E AndroidRuntime: \tat com.example.C.d(C.java:9)\n"));
    CHECK_STR(meta,
              "{\"verdict\":\"crash\",\"exception\":\"java.io.IOException\",\"message\":\"root\","
              "\"chain\":[\"java.lang.RuntimeException\",\"java.io.IOException\"],"
              "\"stack\":[\"com.example.C.d(C.java:9)\",\"android.app.A.b(A.java:4)\"]}");
    free(meta);
}

TEST(late_records_take_their_place)
{
    tac_error err;
    static const char log[] = "* daemon not running; starting now at tcp:5037\n"
                              "05-01 00:00:01.000  1  2 I A: a\n"
                              "05-01 00:00:05.000  1  2 I B: b\n"
                              "05-01 00:00:03.000  1  2 E AndroidRuntime: FATAL EXCEPTION: main\n"
                              "05-01 00:00:06.000  1  2 I C: c\n";
    char *got = read_log(log, NULL, 0, &err);
    CHECK_STR(got, "73526401.000000000 event=A level=I\n"
                   "73526403.000000000 event=AndroidRuntime level=E\n"
                   "73526405.000000000 event=B level=I\n"
                   "73526406.000000000 event=C level=I");
    free(got);
    char *meta = meta_of(test_write("late.logcat", log));
    CHECK_STR(meta,
              "{\"verdict\":\"crash\",\"other_lines\":1,\"notes\":[\"1 line before the first "
              "record not read\",\"1 late record put in place by time\"],\"late_records\":1}");
    free(meta);
}

/* A clock that is set back begins a new epoch: times go on, and it is said. */
TEST(a_clock_that_is_set_back_is_said)
{
    tac_error err;
    static const char log[] = "05-01 10:00:00.000  1  2 I A: a\n05-01 09:00:00.000  1  2 I B: b\n"
                              "05-01 09:00:07.000  1  2 I C: c\n";
    char *got = read_log(log, NULL, 0, &err);
    CHECK_STR(got, "73562400.000000000 event=A level=I\n73562400.000000000 event=B level=I\n"
                   "73562407.000000000 event=C level=I");
    free(got);
    char *meta = meta_of(test_write("jump.logcat", log));
    CHECK_STR(meta, "{\"clock_jumps\":[{\"line\":2,\"seconds\":-3600.0}],\"notes\":[\"the clock "
                    "was set back by 3600.000 s at line 2; times go on from there\"]}");
    free(meta);
}

TEST(layouts_of_other_tools)
{
    static const char *const logs[] = {
        "05-01 00:00:01.000 77-78/com.example I/Tag: a\n",
        "1972-05-01 00:00:01.000    77-78    Tag                     com.example          I  a\n",
        "log.txt:05-01 00:00:01.000    77    78 I Tag     : a\n",
        ("\xef\xbb\xbf"
         "05-01 00:00:01.000    77    78 I Tag     : a\r\n")};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        tac_error err;
        char *got = read_log(logs[i], NULL, 0, &err);
        CHECK_STR(err.status ? err.message : got, "73526401.000000000 event=Tag level=I");
        free(got);
    }
    tac_error err;
    char *got = read_log("I/Tag(  12): a\nW/Other( 3): b\n", NULL, 0, &err);
    CHECK_STR(err.status ? err.message : got,
              "0.000000000 event=Tag level=I\n0.001000000 event=Other level=W");
    free(got);
}

TEST(utf16_is_read)
{
    char wide[400], *got;
    size_t n = 0;
    tac_error err;
    wide[n++] = (char)0xff, wide[n++] = (char)0xfe;
    for (const char *c = "05-01 00:00:01.000    77    78 I Tag     : a\r\n"; *c; c++)
        wide[n++] = *c, wide[n++] = 0;
    const char *path = test_write("wide.logcat", "");
    FILE *file = fopen(path, "wb");
    REQUIRE(file && fwrite(wide, 1, n, file) == n && !fclose(file));
    got = dump_trace(path, NULL, &err);
    CHECK_STR(err.status ? err.message : got, "73526401.000000000 event=Tag level=I");
    free(got);
}

TEST(logcats_that_are_wrong)
{
    tac_error err;
    free(read_log("05-01 00:00:01.000  1  2 I Tag: a\n05-01 00:00:02.000  1  2 I Ta", NULL, 0,
                  &err));
    CHECK_EQ(err.status, TAC_E_INPUT);
    CHECK_STR(err.message, "the file is cut in the middle of this line");
    CHECK_EQ(err.line, 2);
    CHECK_EQ(err.column, 21);
}

TEST(a_logcat_is_known_by_its_first_line)
{
    static const char *const firsts[] = {
        "--------- beginning of main\n", "05-01 00:00:01.000  1  2 I Tag: a\n",
        "[ 05-01 00:00:01.000  1: 2 I/Tag ]\n", "I/Tag(  12): a message\n"};
    for (int i = 0; i < 4; i++) {
        tac_trace_source *source;
        REQUIRE(!tac_trace_open(test_write("phone.txt", firsts[i]), NULL, &source, NULL));
        CHECK_STR(tac_trace_format(source), "logcat");
        tac_trace_close(source);
    }
}

static void scpi(const char *text, const char *wanted)
{
    tac_error err;
    char *got = dump_trace(test_write("power.scpi", text), NULL, &err);
    CHECK_STR(err.status ? err.message : got, wanted);
    free(got);
}

TEST(power_logs)
{
    scpi("# N6705B\n0.0 > *IDN?\n0.1 < Keysight\n1.0 > MEAS:VOLT? (@1)\n1.0 < +4.00000E+00\n"
         "1.0 > MEAS:CURR? (@1)\n1.0 < +5.00000E-01\n3.0 MEAS:CURR? (@1) 1.0\n",
         "1.000000000 energy=0 voltage=4\n1.000000000 energy=0 voltage=4 current=0.5\n"
         "3.000000000 energy=6 voltage=4 current=1");
    scpi("2015-05-01 16:39:28.5;MEAS:POW?;2\n2015-05-01 16:39:29.5;MEAS:POW?;4\n",
         "1430498368.500000000 energy=0 power=2\n1430498369.500000000 energy=3 power=4");
    scpi("0 TX SENS:SWE:TINT 0.5\n1 TX FETC:ARR:CURR? (@1)\n2 RX 1,2,3\n",
         "1.000000000 energy=0 current=1\n1.500000000 energy=0 current=2\n"
         "2.000000000 energy=0 current=3");
    scpi("0 MEAS:CURR? (@1,2) -> 1,2\n", "0.000000000 energy=0 current=1 current2=2");
    scpi("0 MEAS:CURR? (@1) 1\n1 3\n", "an answer without a question");
    scpi("0 MEAS:CURR? (@1) 9.91E37\n",
         "the instrument answered \"not a number\" (9.9E37 or above)");
    scpi("0 FETC:ARR:CURR? (@1) 1,2\n", "2 samples, but no SENS:SWE:TINT or SENS:ELOG:PER before "
                                        "said how far apart they are");
    scpi("0 MEAS:CURR? (@1) 1\nsoon\n",
         "expected a time (seconds or an ISO date) and what was said");
    scpi("5 MEAS:CURR? (@1) 1\n4 MEAS:CURR? (@1) 1\n",
         "time goes back from 5 to 4 s; states must be in time order");
}

/* Logs of other programs have times and colons, too: they were power logs without a state. */
TEST(logs_of_other_programs_are_no_power_logs)
{
    static const char *const logs[] = {
        "2024-05-01 10:00:00.123456+0200 Shop[1234:56789] [cart] added item 3\n",
        "2024-05-01 10:00:00 INFO:root:started\n2024-05-01 10:00:01 INFO:root:ended\n",
        "12.5 main: what now? 3\n", "2024-05-01 10:00:00 DATA: 3\n",
        "2024-05-01 10:00:00 GET /a:b?c=1\n"};
    static const char *const sessions[] = {"0 :volt:lev 5\n",
                                           "0 -> Sens1:Swe:Tint 0.5\n",
                                           "0 foo:bar? 2\n",
                                           "0 *RST;*IDN?\n0.1 MEAS:VOLT? 3.7\n",
                                           "0 INST:NSEL 1;:MEAS:CURR? 0.5\n",
                                           "0 CHAN1:VOLT 3.7\n0.1 MEAS:VOLT? 3.7\n"};
    tac_trace_source *source;
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
        CHECK(tac_trace_open(test_write("other.log", logs[i]), NULL, &source, NULL));
    for (size_t i = 0; i < sizeof sessions / sizeof *sessions; i++) {
        REQUIRE(!tac_trace_open(test_write("power.txt", sessions[i]), NULL, &source, NULL));
        CHECK_STR(tac_trace_format(source), "scpi");
        tac_trace_close(source);
    }
}

static void write_event(const char *folder, const char *tag, const char *event, const char *from,
                        const char *to)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/event_%s.json", folder, tag);
    FILE *file = fopen(path, "w");
    fprintf(file,
            "{\"tag\": \"%s\", \"event\": %s, \"start_state\": \"%s\", \"stop_state\": \"%s\", "
            "\"event_str\": \"x\"}",
            tag, event, from, to);
    fclose(file);
}

TEST(droidbot_folders)
{
    const char *root = test_temporary("droidbot"), *events = test_temporary("droidbot/events");
    mkdir(root, 0700);
    mkdir(events, 0700);
    write_event(events, "2016-08-21_142312", "{\"event_type\":\"key\",\"name\":\"BACK\"}", "s2",
                "s1");
    write_event(events, "2016-08-21_142310",
                "{\"event_type\":\"touch\",\"view\":{\"resource_id\":\"com.x:id/play\"}}", "s1",
                "s2");
    tac_error err;
    char *got = dump_trace(root, NULL, &err);
    CHECK_STR(err.status ? err.message : got,
              "1471789390.000000000 event=touch:play state=s1\n"
              "1471789392.000000000 event=key:BACK state=s2\n1471789392.000000000 state=s1");
    free(got);
    write_event(events, "2016-08-21_999999", "{\"event_type\":\"key\"}", "s2", "s1");
    free(dump_trace(root, NULL, &err));
    CHECK_STR(err.message, "the tag is not a time such as 2016-08-21_142310");
    CHECK_CONTAINS(err.file, "event_2016-08-21_999999.json");
    const char *empty = test_temporary("nothing");
    mkdir(empty, 0700);
    tac_trace_options options = {.format = "droidbot"};
    free(dump_trace(empty, &options, &err));
    CHECK_CONTAINS(err.message, "no event_*.json in this folder");
}
