/* Recordings: what is two things in the file is two in the trace, what is one is one, and what is
 * selected does not depend on what is not. Files are built byte by byte after the formats' pages.
 */
#include "base/data/str.h"
#include "tactus_test.h"
#include "trace/tools.h"
#include "trace_support.h"

static const char *write_bytes(const char *name, const tac_str *bytes)
{
    const char *path = test_write(name, "");
    FILE *file = fopen(path, "w");
    REQUIRE(file && fwrite(bytes->text, 1, bytes->length, file) == bytes->length);
    REQUIRE(!fclose(file));
    return path;
}

/* --- Captures --------------------------------------------------------------------------------- */

static void put_little(tac_str *out, uint32_t value, size_t size)
{
    for (; size; size--, value >>= 8)
        tac_str_add_char(out, (char)(value & 255));
}

static void put_big(tac_str *out, uint32_t value, size_t size)
{
    while (size--)
        tac_str_add_char(out, (char)(value >> (8 * size) & 255));
}

/* A UDP packet of raw IP, from port 53 or 443 of `from` to 10.0.0.1. */
static void put_packet(tac_str *out, uint32_t second, const char *from, uint32_t port,
                       const tac_str *data)
{
    static const char to[] = {10, 0, 0, 1};
    uint32_t size = 28 + (uint32_t)data->length;
    put_little(out, second, 4);
    put_little(out, 0, 4);
    put_little(out, size, 4);
    put_little(out, size, 4);
    put_big(out, 0x45000000 | size, 4);
    put_big(out, 0, 4);
    put_big(out, 0x40110000, 4);
    tac_str_add_bytes(out, from, 4);
    tac_str_add_bytes(out, to, sizeof to);
    put_big(out, port << 16 | 5000, 4);
    put_big(out, (size - 20) << 16, 4);
    tac_str_add_bytes(out, data->text, data->length);
}

static void put_head(tac_str *out)
{
    static const uint32_t head[] = {0xa1b2c3d4, 0x00040002, 0, 0, 65535, 101};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        put_little(out, head[i], 4);
}

/* Of two addresses neither is in more packets: the local one is the device, whoever began. */
TEST(of_two_addresses_the_local_one_is_the_device)
{
    static const char server[] = {93, 1, 1, 1};
    tac_str bytes = {0}, data = {0};
    tac_str_add(&data, "0123456789ab");
    put_head(&bytes);
    put_packet(&bytes, 1, server, 443, &data);
    char *text = dump_trace(write_bytes("two.pcap", &bytes), NULL, NULL);
    CHECK_CONTAINS(text, "event=packet.rx rxData=40 txData=0 ");
    free(text);
    tac_str_free(&bytes);
    tac_str_free(&data);
}

/* "cdn" has two addresses: what both sent is one counter, which never falls. */
TEST(addresses_of_one_name_share_its_counters)
{
    static const char addresses[2][4] = {{1, 1, 1, 1}, {1, 1, 1, 2}}, resolver[] = {8, 8, 8, 8};
    tac_str bytes = {0}, answer = {0}, data = {0};
    put_big(&answer, 0x00018180, 4);
    put_big(&answer, 0x00010002, 4);
    put_big(&answer, 0, 4);
    tac_str_add_bytes(&answer, "\3cdn\0\0\1\0\1", 9);
    for (size_t i = 0; i < 2; i++) {
        tac_str_add_bytes(&answer, "\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4", 12);
        tac_str_add_bytes(&answer, addresses[i], 4);
    }
    tac_str_add(&data, "0123456789ab");
    put_head(&bytes);
    put_packet(&bytes, 1, resolver, 53, &answer);
    put_packet(&bytes, 2, addresses[0], 443, &data);
    put_packet(&bytes, 3, addresses[1], 443, &data);
    put_packet(&bytes, 4, addresses[0], 443, &data);
    char *text = dump_trace(write_bytes("names.pcap", &bytes), NULL, NULL);
    CHECK_CONTAINS(text, "rxData:cdn=40 ");
    CHECK_CONTAINS(text, "rxData:cdn=80 ");
    CHECK_CONTAINS(text, "rxData:cdn=120 ");
    free(text);
    tac_str_free(&bytes);
    tac_str_free(&answer);
    tac_str_free(&data);
}

/* --- Perfetto --------------------------------------------------------------------------------- */

static void put_varint(tac_str *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        tac_str_add_char(out, (char)((value & 0x7f) | 0x80));
    tac_str_add_char(out, (char)value);
}

static void put_number(tac_str *out, uint64_t field, uint64_t value)
{
    put_varint(out, field << 3);
    put_varint(out, value);
}

static void put_text(tac_str *out, uint64_t field, const char *text, size_t length)
{
    put_varint(out, field << 3 | 2);
    put_varint(out, length);
    tac_str_add_bytes(out, text, length);
}

/* Closes a message: it is put into `out` and emptied. */
static void put_inside(tac_str *out, uint64_t field, tac_str *inside)
{
    put_text(out, field, tac_str_text(inside), inside->length);
    tac_str_free(inside);
}

static void put_descriptor(tac_str *out, uint64_t uuid, uint64_t parent, uint64_t field,
                           const char *name, uint64_t pid, uint64_t tid)
{
    tac_str packet = {0}, descriptor = {0}, inside = {0};
    put_number(&descriptor, 1, uuid);
    if (parent)
        put_number(&descriptor, 5, parent);
    if (pid)
        put_number(&inside, 1, pid);
    if (tid)
        put_number(&inside, 2, tid);
    if (field == 8)
        put_text(&descriptor, 2, name, strlen(name));
    else
        put_text(&inside, field == 3 ? 6 : 5, name, strlen(name));
    put_inside(&descriptor, field, &inside);
    put_inside(&packet, 60, &descriptor);
    put_inside(out, 1, &packet);
}

/* type: 1 begin, 2 end, 4 counter. */
static void put_track_event(tac_str *out, uint64_t time, uint64_t type, uint64_t track,
                            uint64_t value)
{
    tac_str packet = {0}, event = {0};
    put_number(&packet, 8, time);
    put_number(&event, 9, type);
    put_number(&event, 11, track);
    put_number(&event, 30, value);
    put_text(&event, 23, "work", 4);
    put_inside(&packet, 11, &event);
    put_inside(out, 1, &packet);
}

/* Two processes of one name, two threads of one process, and a counter that is called like a
 * variable of the trace: five counters. */
TEST(counters_of_one_name_stay_apart)
{
    tac_str bytes = {0};
    put_descriptor(&bytes, 10, 0, 3, "app", 100, 0);
    put_descriptor(&bytes, 20, 0, 3, "app", 200, 0);
    put_descriptor(&bytes, 11, 10, 4, "one", 100, 101);
    put_descriptor(&bytes, 12, 10, 4, "two", 100, 102);
    put_descriptor(&bytes, 31, 10, 8, "heap", 0, 0);
    put_descriptor(&bytes, 32, 20, 8, "heap", 0, 0);
    put_descriptor(&bytes, 33, 11, 8, "busy", 0, 0);
    put_descriptor(&bytes, 34, 12, 8, "busy", 0, 0);
    put_descriptor(&bytes, 35, 10, 8, "dur", 0, 0);
    put_track_event(&bytes, 1000000, 1, 11, 0);
    for (uint64_t track = 31; track <= 35; track++)
        put_track_event(&bytes, track * 1000000, 4, track, track);
    put_track_event(&bytes, 41000000, 2, 11, 0);
    char *text = dump_trace(write_bytes("counters.pftrace", &bytes), NULL, NULL);
    const char *last = strstr(text, "event=end:work");
    REQUIRE(last);
    CHECK_CONTAINS(last, " dur=40 ");
    CHECK_CONTAINS(last, " heap:app=31 ");
    CHECK_CONTAINS(last, " heap:app.200=32 ");
    CHECK_CONTAINS(last, " busy:app=33 ");
    CHECK_CONTAINS(last, " busy:app#2=34 ");
    CHECK_CONTAINS(last, " dur#2=35");
    free(text);
    tac_str_free(&bytes);
}

/* An asynchronous slice of the JSON format with an id that is its process's own. */
static void put_local(tac_str *out, uint64_t milliseconds, uint64_t track, char phase)
{
    tac_str packet = {0}, event = {0}, legacy = {0};
    put_number(&legacy, 2, (uint64_t)phase);
    put_number(&legacy, 10, 1);
    put_number(&event, 11, track);
    put_text(&event, 23, "load", 4);
    put_inside(&event, 6, &legacy);
    put_number(&packet, 8, milliseconds * 1000000);
    put_inside(&packet, 11, &event);
    put_inside(out, 1, &packet);
}

TEST(local_ids_of_two_processes_are_two_slices)
{
    tac_str bytes = {0};
    put_descriptor(&bytes, 11, 0, 4, "one", 100, 101);
    put_descriptor(&bytes, 21, 0, 4, "two", 200, 201);
    put_local(&bytes, 1, 11, 'b');
    put_local(&bytes, 2, 21, 'b');
    put_local(&bytes, 4, 11, 'e');
    put_local(&bytes, 10, 21, 'e');
    char *text = dump_trace(write_bytes("local.pftrace", &bytes), NULL, NULL);
    CHECK_CONTAINS(text, "0.004000000 event=end:load dur=3");
    CHECK_CONTAINS(text, "0.010000000 event=end:load dur=8");
    free(text);
    tac_str_free(&bytes);
}

static char *notes_of(const char *path)
{
    tac_trace_statistics *statistics = NULL;
    tac_trace_stat_options options = {0};
    REQUIRE(!tac_trace_stat(&path, 1, &options, &statistics, NULL));
    char *text = json_dumps(json_object_get(statistics->traces[0].meta, "notes"), 0);
    tac_trace_statistics_free(statistics);
    REQUIRE(text);
    return text;
}

/* An event of the years when its time stood in the event itself, and a flow of the JSON format. */
TEST(track_events_that_are_left_out_are_said)
{
    tac_str bytes = {0}, packet = {0}, event = {0}, legacy = {0};
    put_track_event(&bytes, 1000000, 1, 11, 0);
    put_number(&event, 1, 50);
    put_number(&event, 9, 1);
    put_inside(&packet, 11, &event);
    put_inside(&bytes, 1, &packet);
    put_number(&legacy, 2, 's');
    put_inside(&event, 6, &legacy);
    put_number(&packet, 8, 2000000);
    put_inside(&packet, 11, &event);
    put_inside(&bytes, 1, &packet);
    char *notes = notes_of(write_bytes("old.pftrace", &bytes));
    CHECK_CONTAINS(notes, "1 track event has no time of its packet and was left out");
    CHECK_CONTAINS(notes, "1 track event of another phase was left out");
    free(notes);
    tac_str_free(&bytes);
}

/* A counter of deltas; the packet says that its sequence begins anew. */
static void put_delta(tac_str *out, uint64_t time, uint64_t sequence, bool cleared, uint64_t value)
{
    tac_str packet = {0}, event = {0};
    put_number(&packet, 8, time);
    put_number(&packet, 10, sequence);
    put_number(&packet, 13, cleared ? 1 : 2);
    put_number(&event, 9, 4);
    put_number(&event, 11, 31);
    put_number(&event, 30, value);
    put_inside(&packet, 11, &event);
    put_inside(out, 1, &packet);
}

/* 100, 130, then with a new state 135: its first value is from 0 again. */
TEST(counters_of_deltas_begin_at_0_with_each_state_of_their_sequence)
{
    tac_str bytes = {0}, packet = {0}, descriptor = {0}, counter = {0};
    put_number(&counter, 5, 1);
    put_number(&descriptor, 1, 31);
    put_text(&descriptor, 2, "cpu", 3);
    put_inside(&descriptor, 8, &counter);
    put_inside(&packet, 60, &descriptor);
    put_inside(&bytes, 1, &packet);
    put_delta(&bytes, 1000000, 7, true, 100);
    put_delta(&bytes, 2000000, 7, false, 30);
    put_delta(&bytes, 3000000, 7, true, 135);
    put_delta(&bytes, 4000000, 7, false, 5);
    char *text = dump_trace(write_bytes("deltas.pftrace", &bytes), NULL, NULL);
    CHECK_CONTAINS(text, "0.002000000 cpu=130");
    CHECK_CONTAINS(text, "0.003000000 cpu=135");
    CHECK_CONTAINS(text, "0.004000000 cpu=140");
    free(text);
    tac_str_free(&bytes);
}

/* A legacy event of sequence 7 with a time of its own: 1 counts on, 16 is absolute. */
static void put_old_event(tac_str *out, uint64_t field, uint64_t microseconds, char phase,
                          const char *name)
{
    tac_str packet = {0}, event = {0}, legacy = {0};
    put_number(&event, field, microseconds);
    put_number(&legacy, 2, (uint64_t)phase);
    put_text(&event, 23, name, strlen(name));
    put_inside(&event, 6, &legacy);
    put_number(&packet, 10, 7);
    put_number(&packet, 13, 2);
    put_inside(&packet, 11, &event);
    put_inside(out, 1, &packet);
}

static void put_clock(tac_str *out, uint64_t id, uint64_t time)
{
    tac_str clock = {0};
    put_number(&clock, 1, id);
    put_number(&clock, 2, time);
    put_inside(out, 1, &clock);
}

/* Chrome 74 to 83: microseconds of the monotonic clock, which is 5 s behind boot time here. */
TEST(events_count_their_time_from_the_description_of_their_thread)
{
    tac_str bytes = {0}, packet = {0}, snapshot = {0}, thread = {0};
    put_clock(&snapshot, 6, 105000000000);
    put_clock(&snapshot, 3, 100000000000);
    put_inside(&packet, 6, &snapshot);
    put_inside(&bytes, 1, &packet);
    put_number(&thread, 1, 300);
    put_number(&thread, 2, 301);
    put_text(&thread, 5, "CrRendererMain", 14);
    put_number(&thread, 6, 100000000);
    put_number(&packet, 10, 7);
    put_number(&packet, 13, 1);
    put_inside(&packet, 44, &thread);
    put_inside(&bytes, 1, &packet);
    put_old_event(&bytes, 1, 1000, 'B', "layout");
    put_old_event(&bytes, 16, 100001500, 'i', "mark");
    put_old_event(&bytes, 1, 4000, 'E', "layout");
    char *text = dump_trace(write_bytes("deltas_of_time.pftrace", &bytes), NULL, NULL);
    CHECK_CONTAINS(text, "105.001000000 event=begin:layout process=300 thread=CrRendererMain");
    CHECK_CONTAINS(text, "105.001500000 event=mark ");
    CHECK_CONTAINS(text, "105.005000000 event=end:layout dur=4 ");
    free(text);
    tac_str_free(&bytes);
}

/* --- Chrome ----------------------------------------------------------------------------------- */

TEST(threads_and_counters_of_chrome_are_told_apart_by_process_and_id)
{
    static const char events[] =
        "[{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":5,\"tid\":1,\"args\":{\"name\":\"ui\"}},\n"
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":6,\"tid\":1,\"args\":{\"name\":\"gpu\"}},\n"
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":7,\"tid\":7,\"args\":{\"name\":\"alone\"}},"
        "\n"
        "{\"ph\":\"i\",\"name\":\"a\",\"pid\":5,\"tid\":1,\"ts\":1},\n"
        "{\"ph\":\"i\",\"name\":\"b\",\"pid\":6,\"tid\":1,\"ts\":2},\n"
        "{\"ph\":\"i\",\"name\":\"c\",\"pid\":7,\"tid\":7,\"ts\":3},\n"
        "{\"ph\":\"C\",\"name\":\"heap\",\"id\":\"0x1\",\"pid\":5,\"ts\":4,\"args\":{\"used\":9}},"
        "\n"
        "{\"ph\":\"C\",\"name\":\"heap\",\"id\":2,\"pid\":5,\"ts\":5,\"args\":{\"used\":4}},\n"
        "{\"ph\":\"i\",\"name\":\"d\",\"pid\":1,\"tid\":8,\"ts\":6}]";
    char *text = dump_trace(test_write("apart.json", events), NULL, NULL);
    CHECK_CONTAINS(text, "event=a process=5 thread=ui");
    CHECK_CONTAINS(text, "event=b process=6 thread=gpu");
    CHECK_CONTAINS(text, "event=c process=alone thread=alone");
    CHECK_CONTAINS(text, "event=d process=1 thread=8 heap[0x1].used=9 heap[2].used=4");
    free(text);
}

/* Asynchronous slices of one id overlap: their ends tell which is meant. */
TEST(ends_of_asynchronous_slices_close_those_of_their_name)
{
    static const char events[] =
        "[{\"ph\":\"S\",\"cat\":\"c\",\"id\":\"0x1\",\"name\":\"a\",\"pid\":1,\"ts\":0},\n"
        "{\"ph\":\"S\",\"cat\":\"c\",\"id\":\"0x1\",\"name\":\"b\",\"pid\":1,\"ts\":1000},\n"
        "{\"ph\":\"F\",\"cat\":\"c\",\"id\":\"0x1\",\"name\":\"a\",\"pid\":1,\"ts\":2000},\n"
        "{\"ph\":\"F\",\"cat\":\"c\",\"id\":\"0x1\",\"name\":\"b\",\"pid\":1,\"ts\":4000},\n"
        "{\"ph\":\"X\",\"name\":\"open\",\"pid\":1,\"ts\":5000}]";
    const char *path = test_write("async.json", events);
    char *text = dump_trace(path, NULL, NULL), *notes = notes_of(path);
    CHECK_CONTAINS(text, "0.002000000 event=end:a dur=2\n");
    CHECK_CONTAINS(text, "0.004000000 event=end:b dur=3\n");
    CHECK_CONTAINS(notes, "1 slice does not tell how long it took: 0 ms");
    free(text);
    free(notes);
}

/* --- HTTP archives ---------------------------------------------------------------------------- */

TEST(messages_of_web_sockets_are_events_with_their_bytes)
{
    static const char archive[] =
        "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"x\"},\"pages\":[{\"id\":\"p\"}],"
        "\"entries\":[{\"startedDateTime\":\"2024-01-01T00:00:00Z\",\"time\":100,\"request\":{"
        "\"method\":\"GET\",\"url\":\"wss://a/\",\"headersSize\":50,\"bodySize\":0},\"response\":{"
        "\"status\":101,\"headersSize\":100,\"bodySize\":0},\"_webSocketMessages\":["
        "{\"type\":\"send\",\"time\":1704067201.5,\"opcode\":1,\"data\":\"hello\"},"
        "{\"type\":\"receive\",\"time\":1704067202,\"opcode\":2,\"data\":\"AAECAw==\"},"
        "{\"type\":\"error\",\"time\":1704067203,\"opcode\":-1,\"data\":\"gone\"}]}]}}";
    const char *path = test_write("socket.har", archive);
    char *text = dump_trace(path, NULL, NULL), *notes = notes_of(path);
    CHECK_CONTAINS(text, "1704067201.500000000 event=message.tx ");
    CHECK_CONTAINS(text, " rxData=100 txData=55\n1704067202.000000000 event=message.rx ");
    CHECK_CONTAINS(text, " rxData=104 txData=55");
    CHECK_CONTAINS(notes, "1 page has no start and was left out");
    CHECK_CONTAINS(notes, "1 message of a web socket has no time or direction and was left out");
    free(text);
    free(notes);
}

/* A total of which a part is not told is not known from there on. */
TEST(bytes_that_an_archive_does_not_tell_leave_the_totals_unknown)
{
    static const char archive[] =
        "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"x\"},\"entries\":[{"
        "\"startedDateTime\":\"2024-01-01T00:00:00Z\",\"time\":1,\"request\":{"
        "\"method\":\"GET\",\"url\":\"http://a/\",\"headersSize\":50,\"bodySize\":0},"
        "\"response\":{\"status\":200,\"headersSize\":-1,\"bodySize\":10}}]}}";
    const char *path = test_write("untold.har", archive);
    char *text = dump_trace(path, NULL, NULL), *notes = notes_of(path);
    CHECK_CONTAINS(text, "event=begin:request method=GET url=http://a/ host=a rxData=0 txData=50");
    CHECK(!strstr(text, "rxData=10"));
    CHECK_CONTAINS(notes, "1 request does not tell the bytes of its answer");
    free(text);
    free(notes);
}

/* What Chrome took from its cache has the headers that it would have sent. */
TEST(requests_that_a_cache_answered_send_nothing)
{
    static const char archive[] =
        "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"WebInspector\"},\"entries\":[{"
        "\"startedDateTime\":\"2024-01-01T00:00:00Z\",\"time\":1,\"_fromCache\":\"disk\","
        "\"request\":{"
        "\"method\":\"GET\",\"url\":\"http://a/"
        "\",\"headersSize\":500,\"bodySize\":0},\"response\":{"
        "\"status\":200,\"headersSize\":100,\"bodySize\":0,\"_transferSize\":0}}]}}";
    char *text = dump_trace(test_write("cached.har", archive), NULL, NULL);
    CHECK_CONTAINS(text, "txData=0");
    CHECK(!strstr(text, "txData=500"));
    free(text);
}

/* --- The kernel's text ------------------------------------------------------------------------ */

TEST(counters_of_marks_may_have_decimals_or_64_bits)
{
    static const char text[] =
        "# tracer: nop\n"
        " app-42 ( 42) [000] ....  1.000000: tracing_mark_write: C|42|ratio|12.75\n"
        " app-42 ( 42) [000] ....  2.000000: tracing_mark_write: C|42|bytes|18446744073709551615\n"
        " app-42 ( 42) [000] ....  3.000000: tracing_mark_write: C|42|left|-7\n";
    char *got = dump_trace(test_write("marks.txt", text), NULL, NULL);
    CHECK_CONTAINS(got, "1.000000000 ratio=12.75");
    CHECK_CONTAINS(got, " bytes=1.8446744073709552e+19");
    CHECK_CONTAINS(got, " left=-7");
    free(got);
}

/* --- What is selected ------------------------------------------------------------------------- */

static const char *const request =
    "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"x\"},\"entries\":[{\"startedDateTime\":"
    "\"2024-01-01T00:00:00Z\",\"time\":100,\"request\":{\"method\":\"GET\",\"url\":\"http://a/\","
    "\"headersSize\":10,\"bodySize\":0},\"response\":{\"status\":200,\"headersSize\":100,"
    "\"bodySize\":900}}]}}";

TEST(counters_are_selected_without_the_slices_they_came_with)
{
    static const char *const bytes[] = {"rxData"}, *const holder[] = {"wake_lock.by"};
    tac_trace_options options = {.select = bytes, .select_count = 1};
    char *text = dump_trace(test_write("one.har", request), &options, NULL);
    CHECK_CONTAINS(text, "rxData=1000");
    CHECK(!strstr(text, "request"));
    free(text);
    options.select = holder;
    text = dump_trace(test_write("lock.txt", "Battery History (1% used):\n"
                                             "  0 (2) 042 +wake_lock=u0a1:\"sync\"\n\n"),
                      &options, NULL);
    CHECK_CONTAINS(text, "wake_lock.by=u0a1:\"sync\"");
    CHECK(!strstr(text, "begin"));
    free(text);
}

/* --- Battery histories ------------------------------------------------------------------------ */

/* One history as Android prints it for people and for programs. */
TEST(the_short_form_of_a_battery_history_says_what_the_long_one_says)
{
    static const char checkin[] =
        "9,hsp,0,10021,\"com.app\"\n9,hsp,1,1000,\"*alarm*\"\n9,hsp,2,1099003,\"57:modem\"\n"
        "9,h,0:RESET:TIME:1424151364000\n"
        "9,h,0,Bl=42,Bs=d,Bh=g,Bp=n,Bt=292,Bv=3897,Mrc=0,+r,Pcn=20,Pss=3,Sb=1,Wsp=compl,+b\n"
        "9,h,100,+w=1,+S,di=light,wr=2,+Etp=0\n"
        "9,h,0,Dcpu=15730:2307/10057:11312:502\n9,h,0,Dpst=15377,1797,197,0,8,23103\n"
        "9,h,2500,Bl=41,Mrc=0.25,-w,-S,Pcn=lte,-b,-Etp=0\n";
    static const char dump[] =
        "Battery History (0% used, 1000 used of 256KB, 3 strings using 100):\n"
        "  0 (9) RESET:TIME: 2015-02-17-05-36-04\n"
        "  0 (2) 042 status=discharging health=good plug=none temp=292 volt=3897 "
        "modemRailChargemAh=0 +running data_conn=20 phone_signal_strength=good brightness=dim "
        "wifi_suppl=completed +bluetooth\n"
        "  +100ms (2) 042 +wake_lock=1000:\"*alarm*\" +screen device_idle=light "
        "wake_reason=u10i3:\"57:modem\" +top=u0a21:\"com.app\"\n"
        "  +2s600ms (2) 041 modemRailChargemAh=0,25 -wake_lock -screen data_conn=lte -bluetooth "
        "-top=u0a21:\"com.app\"\n\n";
    char *shorter = dump_trace(test_write("checkin.txt", checkin), NULL, NULL);
    char *longer = dump_trace(test_write("dump.txt", dump), NULL, NULL);
    CHECK_STR(shorter, longer);
    CHECK_CONTAINS(longer, "modemRailChargemAh=0.25");
    CHECK_CONTAINS(longer, "event=end:bluetooth dur=2600");
    free(shorter);
    free(longer);
}

/* A phone that goes off prints no "-screen": what is on when it starts again is "+" anew. */
TEST(what_was_on_ends_where_the_phone_goes_off)
{
    static const char dump[] =
        "Battery History (0% used, 1000 used of 256KB, 3 strings using 100):\n"
        "  0 (9) RESET:TIME: 2015-02-17-05-36-04\n  0 (2) 042 +running +screen\n"
        "  +10s000ms (2) 041 SHUTDOWN\n  +60s000ms (6) START\n"
        "  +60s000ms (9) TIME: 2015-02-17-05-37-04\n  +61s000ms (2) 041 +running\n"
        "  +70s000ms (2) 040 -running +wifi\n  +90s000ms (6) START\n\n";
    static const char checkin[] =
        "9,h,0:RESET:TIME:1424151364000\n9,h,0,Bl=42,+r,+S\n9,h,10000:SHUTDOWN\n9,h,50000:START\n"
        "9,h,0:TIME:1424151424000\n9,h,1000,Bl=41,+r\n9,h,9000,Bl=40,-r,+W\n9,h,20000:START\n";
    const char *path = test_write("off.txt", dump);
    char *text = dump_trace(path, NULL, NULL), *notes = notes_of(path);
    char *shorter = dump_trace(test_write("off_checkin.txt", checkin), NULL, NULL);
    CHECK_CONTAINS(text, "374.000000000 event=end:screen dur=10000 ");
    CHECK_CONTAINS(text, "374.000000000 event=end:running dur=10000 ");
    CHECK_CONTAINS(text, "374.000000000 event=SHUTDOWN");
    CHECK_CONTAINS(text, "424.000000000 event=START");
    CHECK_CONTAINS(text, "434.000000000 event=end:running dur=9000 ");
    CHECK_CONTAINS(text, "434.000000000 event=end:wifi dur=0 ");
    CHECK_CONTAINS(notes, "3 slices end where the phone went off or stopped recording");
    CHECK(!strstr(notes, "open at the end"));
    CHECK_CONTAINS(shorter, "374.000000000 event=end:screen dur=10000 ");
    CHECK_CONTAINS(shorter, "434.000000000 event=end:wifi dur=0 ");
    free(text);
    free(notes);
    free(shorter);
}

/* Since Android 14 lines have the phone's date, here over New Year. */
TEST(dates_in_a_battery_history_say_what_offsets_say)
{
    static const char offsets[] =
        "Battery History (0% used, 1000 used of 256KB, 3 strings using 100):\n"
        "  0 (9) RESET:TIME: 2023-12-31-23-59-29\n"
        "  0 (2) 093 status=discharging +running +wifi\n"
        "  +10s500ms (1) 093 -running\n  +31s (1) 092 +screen\n"
        "  +1d00h00m31s (1) 092 *OVERFLOW*\n  +60d00h00m31s (1) 091 -screen -wifi\n\n";
    static const char dates[] =
        "Battery History [Format: 2] (102% used, 4208KB used of 4096KB, 151 strings using 7967):\n"
        "  12-31 23:59:29.000 RESET:TIME: 2023-12-31-23-59-29\n"
        "  12-31 23:59:29.000 093 c4002820 status=discharging +running +wifi\n"
        "  12-31 23:59:39.500 093 04002820 -running\n  01-01 00:00:00.000 092 +screen\n"
        "  01-02 00:00:00.000 *OVERFLOW*\n  03-01 00:00:00.000 091 -screen -wifi\n\n";
    const char *older = test_write("offsets.txt", offsets), *newer = test_write("dates.txt", dates);
    char *expected = dump_trace(older, NULL, NULL), *got = dump_trace(newer, NULL, NULL);
    CHECK_STR(got, expected);
    CHECK_CONTAINS(got, "event=end:wifi dur=5184031000");
    char *notes = notes_of(newer);
    CHECK_CONTAINS(notes, "had no room for more history");
    free(expected);
    free(got);
    free(notes);
}
