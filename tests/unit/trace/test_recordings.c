/* Recordings on the trace registry: the public ones against the table of other tools, made-up ones
 * for what no public recording has; captures against libpcap; sizes of the binary format. */
#include "base/data/str.h"
#include "tactus_test.h"
#include "trace/capture/file.h"
#include "trace/text/clock.h"
#include "trace/tools.h"
#include "trace_support.h"

static const char *fuzz_input(const char *name)
{
    char full[256];
    snprintf(full, sizeof full, "tests/fuzz/corpus/%s", name);
    return test_source(full);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

TEST(battery_rails_logs_frames_and_packed_packets)
{
    char *plain = dump_trace(fuzz_input("trace_perfetto/plain"), NULL, NULL);
    char *packed = dump_trace(fuzz_input("trace_perfetto/packed"), NULL, NULL);
    CHECK_STR(packed, plain);
    CHECK_CONTAINS(plain, "event=begin:draw");
    CHECK_CONTAINS(plain, "battery.level=55.5");
    CHECK_CONTAINS(plain, "battery.current=250000");
    CHECK_CONTAINS(plain, "rail.cpu=99");
    CHECK_CONTAINS(plain, "event=tag");
    CHECK_CONTAINS(plain, "jank=app_deadline_missed");
    free(plain);
    free(packed);
}

TEST(a_cut_recording_says_where_it_ends)
{
    tac_trace_statistics *statistics = NULL;
    const char *path = fuzz_input("trace_perfetto/cut");
    tac_trace_stat_options options = {0};
    REQUIRE(!tac_trace_stat(&path, 1, &options, &statistics, NULL));
    const json_t *notes = json_object_get(statistics->traces[0].meta, "notes");
    CHECK_CONTAINS(json_string_value(json_array_get(notes, 0)), "ends inside the packet at byte");
    tac_trace_statistics_free(statistics);
}

TEST(text_html_and_packed_atrace_say_the_same)
{
    char *text = dump_trace(fuzz_input("trace_systrace/text"), NULL, NULL);
    char *html = dump_trace(fuzz_input("trace_systrace/html"), NULL, NULL);
    char *packed = dump_trace(fuzz_input("trace_systrace/packed"), NULL, NULL);
    CHECK_STR(html, text);
    CHECK_STR(packed, text);
    CHECK_CONTAINS(text, "cpu0.task=b c");
    free(text);
    free(html);
    free(packed);
}

TEST(events_of_chrome_as_lines_and_in_a_page_say_the_same)
{
    char *whole = dump_trace(fuzz_input("trace_chrome/object"), NULL, NULL);
    char *lines = dump_trace(fuzz_input("trace_chrome/lines"), NULL, NULL);
    char *page = dump_trace(fuzz_input("trace_systrace/page"), NULL, NULL);
    CHECK_STR(lines, whole);
    CHECK_STR(page, whole);
    CHECK_CONTAINS(whole, "event=");
    free(whole);
    free(lines);
    free(page);
}

TEST(a_page_whose_trace_is_broken_says_so)
{
    static const char head[] = "<html><script>tr.exportTo();</script>\n<script id=\"viewer-data\">";
    static const struct {
        const char *data, *said;
    } pages[] = {{"@@@@</script>", "is not base64"}, {"H4sIAAAAAAAA</script>", "cut or not gzip"}};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        char *text = tac_format("%s%s\n</html>\n", head, pages[i].data);
        const char *path = test_write("page.html", text);
        tac_trace_source *source;
        tac_error err;
        CHECK_EQ(tac_trace_open(path, NULL, &source, &err), TAC_E_INPUT);
        CHECK_CONTAINS(err.message, pages[i].said);
        free(text);
    }
}

/* --- The kernel's lines and Chrome's events in one document ----------------------------------- */

#define KERNEL_LINES(NL)                                                                           \
    "# tracer: nop" NL " Render-40 (7) [000] ...1 100.000000: tracing_mark_write: "                \
    "trace_event_clock_sync: parent_ts=250.5" NL                                                   \
    " Render-40 (7) [000] ...1 100.100000: tracing_mark_write: B|7|draw" NL                        \
    " Render-40 (7) [000] ...1 100.200000: tracing_mark_write: E|7" NL
#define PROCESSES(NL)                                                                              \
    "PROCESS DUMP" NL "USER PID PPID VSZ RSS WCHAN ADDR S NAME COMM" NL                            \
    "u0_a12 7 600 1000 500 poll 0 S com.example.app example.app" NL "USER PID TID CMD" NL          \
    "u0_a12 7 40 Render" NL
#define CHROME_EVENT "{\"ph\":\"i\",\"name\":\"tap\",\"ts\":250550000,\"pid\":7,\"tid\":40}"

/* A mark says that the kernel's 100 is Chrome's 250.5: the tap is 50 ms before the slice. */
TEST(the_kernels_lines_and_events_of_chrome_are_brought_to_one_clock)
{
    static const char *const documents[] = {
        "{\"traceEvents\":[" CHROME_EVENT "],\"systemTraceEvents\":\"" KERNEL_LINES(
            "\\n") "\","
                   "\"atraceProcessDump\":\"" PROCESSES("\\n") "\"}",
        "<!DOCTYPE html>\n<html>\n  <script class=\"trace-data\" type=\"application/text\">\n"
        "{\"traceEvents\":[" CHROME_EVENT "]}  </script>\n"
        "  <script class=\"trace-data\" type=\"application/text\">\n" PROCESSES(
            "\n") "  </script>\n"
                  "  <script class=\"trace-data\" type=\"application/text\">\n" KERNEL_LINES(
                      "\n") "  </script>\n</html>\n"};
    for (size_t i = 0; i < 2; i++) {
        char *text = dump_trace(test_write("both", documents[i]), NULL, NULL);
        double tap, begin;
        const char *second = strchr(text, '\n');
        REQUIRE(second && count_of(text, "\n") == 2);
        CHECK(sscanf(text, "%lf event=tap", &tap) == 1);
        CHECK(sscanf(second, "%lf event=begin:draw", &begin) == 1);
        CHECK(begin - tap > 0.0499 && begin - tap < 0.0501);
        CHECK_CONTAINS(second, "process=com.example.app thread=Render");
        free(text);
    }
}

TEST(what_is_left_out_of_events_is_said)
{
    const char *path = test_write("odd", "[" CHROME_EVENT
                                         ",{\"ph\":\"s\",\"ts\":1,\"id\":1},{\"ph\":\"X\",\"ts\":1,"
                                         "\"dur\":-7},{\"ph\":\"i\",\"ts\":1e300}] [1]");
    tac_trace_stat_options options = {0};
    tac_trace_statistics *statistics = NULL;
    REQUIRE(!tac_trace_stat(&path, 1, &options, &statistics, NULL));
    char *text = json_dumps(statistics->traces[0].meta, 0);
    CHECK_CONTAINS(text, "behind the end of the document, from byte");
    CHECK_CONTAINS(text, "1 event of other phases (s 1) was left out");
    CHECK_CONTAINS(text, "1 slice has a length that cannot be");
    CHECK_CONTAINS(text, "1 event has no time that can be");
    free(text);
    tac_trace_statistics_free(statistics);
}

TEST(dates_of_mail_and_of_http)
{
    static const struct {
        const char *text;
        int64_t seconds; /* -1: it is none */
    } dates[] = {{"Tue, 15 Nov 2022 08:12:31 GMT", 1668499951},
                 {"15 Nov 22 03:12:31 EST", 1668499951},
                 {"Tue, 15 Nov 2022 09:12:31 +0100", 1668499951},
                 {"Tuesday, 15-Nov-22 08:12:31 GMT", 1668499951},
                 {"1 Jan 1970 00:00", 0},
                 {"29 Feb 2023 00:00:00 GMT", -1},
                 {"15 Nix 2022 08:12:31 GMT", -1},
                 {"15 Nov 202 08:12:31 GMT", -1},
                 {"Tue, 15 Nov 2022", -1},
                 {"", -1}};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        int64_t time = 0;
        bool found = clock_scan_mail_date(dates[i].text, &time) != NULL;
        CHECK_EQ(found, dates[i].seconds >= 0);
        if (found)
            CHECK_EQ(time, dates[i].seconds * 1000000000);
    }
}

TEST(a_bug_report_is_read_from_its_archive_and_as_text)
{
    char *text = dump_trace(fuzz_input("trace_bugreport/text"), NULL, NULL);
    char *zipped = dump_trace(fuzz_input("trace_bugreport/zipped"), NULL, NULL);
    CHECK_STR(zipped, text);
    CHECK_CONTAINS(text, "battery.level=81");
    CHECK_CONTAINS(text, "pss:com.app=353574");
    CHECK_CONTAINS(text, "event=AndroidRuntime");
    free(text);
    free(zipped);
}

TEST(slices_of_a_public_recording)
{
    const char *path = test_corpus("traces/perfetto/nowinandroid.perfetto-trace.xz");
    if (!path)
        SKIP("the public corpus is not here (TACTUS_CORPUS)");
    char *text = dump_trace(path, NULL, NULL);
    CHECK_EQ(count_of(text, "event=begin:frame "), 1068);
    CHECK_EQ(count_of(text, "event=end:frame "), 1067);
    CHECK_EQ(count_of(text, "event=end:AndroidOwner:measureAndLayout "), 684);
    CHECK_CONTAINS(text, "1690832935.696263206 ");
    const char *sync = strstr(text, "event=end:Sync");
    REQUIRE(sync != NULL);
    CHECK(!strncmp(strstr(sync, "dur="), "dur=522.47920", 13));
    free(text);
}

TEST(the_protobuf_and_the_text_of_one_recording_agree)
{
    const char *binary = test_corpus("traces/perfetto/emanafa-1623753640.perfetto-trace");
    const char *plain = test_corpus("traces/systrace/emanafa-1623753640.systrace");
    if (!binary || !plain)
        SKIP("the public corpus is not here (TACTUS_CORPUS)");
    char *a = dump_trace(binary, NULL, NULL), *b = dump_trace(plain, NULL, NULL);
    CHECK_EQ(count_of(a, "\n"), count_of(b, "\n"));
    CHECK_EQ(count_of(a, "begin:endDrawToFbo"), count_of(b, "begin:endDrawToFbo"));
    free(a);
    free(b);
}

TEST(a_format_is_told_by_what_the_document_is_not_by_names_inside)
{
    const char *archive = test_write(
        "archive", "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"x\"},\"entries\":[{"
                   "\"startedDateTime\":"
                   "\"2024-03-01T10:00:00.5Z\",\"time\":20,\"request\":{\"method\":\"GET\",\"url\":"
                   "\"http://a/\","
                   "\"queryString\":[{\"name\":\"t\",\"t\":1}]},\"response\":{\"status\":200}}]}}");
    char *text = dump_trace(archive, NULL, NULL);
    CHECK_CONTAINS(text, "status=200");
    free(text);
    /* what DevTools writes before the events may be of any size */
    tac_str document = {0};
    tac_str_add(&document, "{\"metadata\": {\"sourceMaps\":\"");
    for (size_t i = 0; i < 100000; i++)
        tac_str_add(&document, "tactus");
    tac_str_add(&document,
                "\"},\n\"traceEvents\":[{\"name\":\"draw\",\"ph\":\"X\",\"ts\":1,\"dur\":2}]}");
    text = dump_trace(test_write("devtools", document.text), NULL, NULL);
    CHECK_CONTAINS(text, "event=begin:draw");
    free(text);
    tac_str_free(&document);
}

TEST(threads_of_chrome_are_told_apart_whatever_their_ids_are)
{
    static const char *const ids[][2] = {
        {"1", "2"}, {"\"ui\"", "\"io\""}, {"12884901889", "12884901890"}, {"-1", "-2"}};
    for (size_t i = 0; i < 4; i++) {
        char *events =
            tac_format("[{\"name\":\"a\",\"ph\":\"B\",\"ts\":1000,\"pid\":7,\"tid\":%s},\n"
                       "{\"name\":\"b\",\"ph\":\"B\",\"ts\":2000,\"pid\":7,\"tid\":%s},\n"
                       "{\"name\":\"a\",\"ph\":\"E\",\"ts\":3000,\"pid\":7,\"tid\":%s},\n"
                       "{\"name\":\"b\",\"ph\":\"E\",\"ts\":5000,\"pid\":7,\"tid\":%s}]",
                       ids[i][0], ids[i][1], ids[i][0], ids[i][1]);
        char *text = dump_trace(test_write("threads", events), NULL, NULL);
        const char *end = strstr(text, "event=end:a");
        REQUIRE(end);
        CHECK(strstr(end, "dur=2") && strstr(end, "event=end:b") && strstr(end, "dur=3"));
        char name[32] = "thread=";
        strcat(name, ids[i][0][0] == '"' ? "ui" : ids[i][0]);
        CHECK_CONTAINS(text, name);
        free(text);
        free(events);
    }
}

TEST(only_what_is_selected)
{
    static const char *const names[] = {"Sync", "cpu?.freq*"};
    tac_trace_options options = {.select = names, .select_count = 2};
    char *text = dump_trace(fuzz_input("trace_perfetto/plain"), &options, NULL);
    CHECK_CONTAINS(text, "cpu0.frequency=1500000");
    CHECK(!strstr(text, "draw") && !strstr(text, "battery"));
    free(text);
}

/* --- Captures against libpcap ----------------------------------------------------------------- */

#ifdef HAVE_LIBPCAP
#include <pcap/pcap.h>

static void compare_with_libpcap(const char *path)
{
    char problem[PCAP_ERRBUF_SIZE];
    struct trace_window window;
    struct capture capture;
    struct capture_packet packet;
    tac_trace_options options = {0};
    pcap_t *other =
        pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, problem);
    REQUIRE(other && !window_open(&window, path, &options, NULL));
    REQUIRE(!capture_open(&capture, &window, NULL));
    struct pcap_pkthdr *head;
    const unsigned char *data;
    bool found = true;
    while (pcap_next_ex(other, &head, &data) == 1) {
        REQUIRE(!capture_next(&capture, &packet, &found, NULL) && found);
        CHECK_EQ(packet.length, head->len);
        CHECK_EQ(packet.captured, head->caplen);
        CHECK_EQ(packet.time, (int64_t)head->ts.tv_sec * 1000000000 + head->ts.tv_usec);
        CHECK(!memcmp(packet.data, data, head->caplen));
    }
    REQUIRE(!capture_next(&capture, &packet, &found, NULL));
    CHECK(!found);
    capture_close(&capture);
    window_close(&window);
    pcap_close(other);
}

TEST(captures_are_read_as_libpcap_reads_them)
{
    static const char *const names[] = {"5g-1password.pcap", "mobile-rawip.pcap",
                                        "phone-call.pcapng", "phone-cooked.pcap",
                                        "phone-ethernet.pcap"};
    compare_with_libpcap(fuzz_input("trace_pcap/ethernet"));
    compare_with_libpcap(fuzz_input("trace_pcap/cooked"));
    compare_with_libpcap(fuzz_input("trace_pcap/patched"));
    compare_with_libpcap(fuzz_input("trace_pcap/patched-swapped"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        snprintf(path, sizeof path, "traces/pcap/%s", names[i]);
        if (!test_corpus(path))
            SKIP("the public corpus is not here (TACTUS_CORPUS)");
        compare_with_libpcap(test_corpus(path));
    }
}
#else
TEST(captures_are_read_as_libpcap_reads_them)
{
    SKIP("libpcap is not installed");
}
#endif

/* --- The binary format ------------------------------------------------------------------------ */

static long size_of(const char *path)
{
    FILE *file = fopen(path, "r");
    REQUIRE(file && !fseek(file, 0, SEEK_END));
    long size = ftell(file);
    fclose(file);
    return size;
}

/* A packet on a cooked interface says which address is the device's, for one on an interface that
 * says nothing of it too. */
TEST(interfaces_of_one_capture_share_the_device)
{
    static const unsigned char bytes[] =
        {0x0a, 0x0d, 0x0d, 0x0a, 28,   0,   0,   0,   0x4d, 0x3c, 0x2b, 0x1a, 1,  0, 0, 0,
         255,  255,  255,  255,  255,  255, 255, 255, 28,   0,    0,    0, /* section */
         1,    0,    0,    0,    20,   0,   0,   0,   101,  0,    0,    0,    0,  0, 0, 0,
         20,   0,    0,    0, /* raw IP */
         1,    0,    0,    0,    20,   0,   0,   0,   20,   1,    0,    0,    0,  0, 0, 0,
         20,   0,    0,    0, /* cooked, 276 */
         6,    0,    0,    0,    52,   0,   0,   0,   0,    0,    0,    0,    0,  0, 0, 0,
         1,    0,    0,    0,    20,   0,   0,   0, /* to us */
         20,   0,    0,    0,    0x45, 0,   0,   20,  0,    0,    0,    0,    64, 6, 0, 0,
         9,    9,    9,    9,    10,   0,   0,   2,   52,   0,    0,    0,    6,  0, 0, 0,
         72,   0,    0,    0,    1,    0,   0,   0,   0,    0,    0,    0,    2,  0, 0, 0,
         40,   0,    0,    0, /* from us */
         40,   0,    0,    0,    8,    0,   0,   0,   0,    0,    0,    2,    0,  1, 4, 6,
         2,    2,    2,    2,    2,    2,   2,   2,   0x45, 0,    0,    20,   0,  0, 0, 0,
         64,   6,    0,    0,    10,   0,   0,   2,   9,    9,    9,    9,    72, 0, 0, 0};
    const char *path = test_write("two.pcapng", "");
    FILE *file = fopen(path, "w");
    REQUIRE(file && fwrite(bytes, 1, sizeof bytes, file) == sizeof bytes && !fclose(file));
    char *text = dump_trace(path, NULL, NULL);
    CHECK_CONTAINS(text, "event=packet.rx rxData=20");
    CHECK_CONTAINS(text, "event=packet.tx rxData=20 txData=40");
    free(text);
}

TEST(the_binary_format_is_at_most_a_third_of_json_lines)
{
    static const char *const names[] = {"cafe-1.csv", "download.scpi"};
    for (size_t i = 0; i < 2; i++) {
        tac_trace_input input = {.path = test_source(i ? "examples/traces/download.scpi"
                                                       : "examples/traces/cafe-1.csv")};
        long sizes[2];
        for (int k = 0; k < 2; k++) {
            tac_trace_import_options options = {.format = k ? "binary" : "jsonl"};
            const char *path = test_temporary(k ? "t.tacb" : "t.jsonl");
            FILE *out = fopen(path, "w");
            tac_trace_imported *imported = NULL;
            REQUIRE(out && !tac_trace_import(&input, 1, &options, out, &imported, NULL));
            tac_trace_imported_free(imported);
            fclose(out);
            sizes[k] = size_of(path);
        }
        if (sizes[1] * 3 > sizes[0])
            test_fail(__FILE__, __LINE__, "%s: %ld of %ld bytes", names[i], sizes[1], sizes[0]);
    }
}
