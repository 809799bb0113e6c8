/* What Android's commands print, in the spellings of its versions. */
#include "base/data/random.h"
#include "base/process/process.h"
#include "device/android/dump/parse.h"
#include "tactus_test.h"

#define TEXT(t) (t), sizeof(t) - 1

TEST(a_dump_is_found_behind_the_misspelt_line)
{
    const char text[] = "UI hierchary dumped to: /data/local/tmp/x.xml\r\n<?xml version='1.0'?>"
                        "<hierarchy rotation=\"0\"><node/></hierarchy>\n";
    size_t start = 0, length = 0;
    char message[200];
    CHECK_EQ(android_read_dump(TEXT(text), &start, &length, message, sizeof message),
             ANDROID_DUMP_OK);
    CHECK(!strncmp(text + start, "<hierarchy", 10));
    CHECK(!strncmp(text + start + length - 12, "</hierarchy>", 12));
    const char tty[] = "<hierarchy rotation=\"1\"></hierarchy>UI hierchary dumped to: /dev/tty";
    CHECK_EQ(android_read_dump(TEXT(tty), &start, &length, message, sizeof message),
             ANDROID_DUMP_OK);
    CHECK_EQ(length, strlen("<hierarchy rotation=\"1\"></hierarchy>"));
}

TEST(a_dump_says_why_there_is_none)
{
    size_t start, length;
    char message[200] = "";
    CHECK_EQ(android_read_dump(TEXT("ERROR: could not get idle state.\n"), &start, &length, message,
                               sizeof message),
             ANDROID_DUMP_BUSY);
    CHECK_EQ(
        android_read_dump(TEXT("ERROR: null root node returned by UiTestAutomationBridge.\r\n"),
                          &start, &length, message, sizeof message),
        ANDROID_DUMP_NULL);
    CHECK_EQ(android_read_dump(TEXT("Killed\n"), &start, &length, message, sizeof message),
             ANDROID_DUMP_FAILED);
    CHECK_CONTAINS(message, "Killed");
    CHECK_EQ(android_read_dump(TEXT("<hierarchy rotation=\"0\"><node "), &start, &length, message,
                               sizeof message),
             ANDROID_DUMP_FAILED);
    CHECK_CONTAINS(message, "breaks off");
}

TEST(the_foreground_activity_in_three_spellings)
{
    struct android_activities a;
    android_read_activities(TEXT("  Stack #1:\n"
                                 "        * Hist #1: ActivityRecord{2f u0 com.ex/.Full t12}\n"
                                 "        * Hist #0: ActivityRecord{1a u0 com.ex/.Main t12}\n"
                                 "    mResumedActivity: ActivityRecord{2f u0 com.ex/.Full t12}\n"),
                            "com.ex", &a);
    CHECK(a.resumed);
    CHECK_STR(a.top.package, "com.ex");
    CHECK_STR(a.top.activity, "Full");
    CHECK_EQ(a.top.id, 0x2f);
    CHECK_EQ(a.stack_count, 2);
    CHECK_STR(a.stack[0].activity, "Main");
    android_read_activities(
        TEXT("    mResumedActivity: ActivityRecord{1 u0 com.other/.Old t1}\r\n"
             "  topResumedActivity=ActivityRecord{3 u0 com.ex/com.ex.ui.Main t9}\r\n"
             "      * Hist  #0: ActivityRecord{3 u0 com.ex/com.ex.ui.Main t9}\r\n"),
        "com.ex", &a);
    CHECK_STR(a.top.activity, "ui.Main");
    CHECK_EQ(a.stack_count, 1);
    android_read_activities(
        TEXT("  ResumedActivity: ActivityRecord{abcdef u0 com.ex/org.lib.Shared} t9}\n"), "com.ex",
        &a);
    CHECK_STR(a.top.activity, "org.lib.Shared");
    android_read_activities(TEXT("  mResumedActivity: null\n"), "com.ex", &a);
    CHECK(!a.resumed);
}

TEST(memory_in_three_layouts)
{
    struct android_memory m;
    android_read_meminfo(
        TEXT("           Java Heap:     7756                          12000\n"
             "           TOTAL PSS:    58642            TOTAL RSS:   131220       TOTAL SWAP PSS: "
             "      93\n"),
        &m);
    CHECK(m.found);
    CHECK_NEAR(m.pss, 58642 * 1024.0, 0);
    CHECK_NEAR(m.java_heap, 7756 * 1024.0, 0);
    android_read_meminfo(TEXT("        TOTAL    11    22\n  TOTAL:    30512   TOTAL SWAP PSS: 0\n"),
                         &m);
    CHECK_NEAR(m.pss, 30512 * 1024.0, 0);
    android_read_meminfo(TEXT("        TOTAL    1,234    22\r\n"), &m);
    CHECK_NEAR(m.pss, 1234 * 1024.0, 0);
    android_read_meminfo(TEXT("No process found for: com.ex\n"), &m);
    CHECK(!m.found);
}

static const char netstats[] =
    "Xt stats:\n"
    "  ident=[{type=WIFI}] uid=-1 set=ALL tag=0x0\n"
    "    NetworkStatsHistory: bucketDuration=3600\n"
    "      st=1600000000 rb=9999 rp=1 tb=9999 tp=1 op=0\n"
    "UID stats:\n"
    "  History since boot:\n"
    "  ident=[{type=WIFI}] uid=10123 set=DEFAULT tag=0x0\n"
    "    NetworkStatsHistory: bucketDuration=7200\n"
    "      st=1600000000 rb=100 rp=1 tb=10 tp=1 op=0\n"
    "      st=1600007200 rb=200 rp=1 tb=20 tp=1 op=0\n"
    "  ident=[{type=WIFI}] uid=10123 set=FOREGROUND tag=0x0\n"
    "      st=1600000000 rb=1000 rp=1 tb=300 tp=1 op=0\n"
    "  ident=[{type=WIFI}] uid=10124 set=FOREGROUND tag=0x0\n"
    "      st=1600000000 rb=5 rp=1 tb=5 tp=1 op=0\n"
    "  ident=[{type=WIFI}] uid=10123 set=DEFAULT tag=0xffffff01\n"
    "      st=1600000000 rb=77 rp=1 tb=77 tp=1 op=0\n"
    "  ident=[{type=MOBILE}] uid=10123 set=DEFAULT tag=0x0\n"
    "      bucketStart=1391292000000 rxBytes=3 rxPackets=1 txBytes=4 txPackets=1 operations=0\n"
    "UID tag stats:\n"
    "  ident=[{type=WIFI}] uid=10123 set=DEFAULT tag=0x0\n"
    "      st=1600000000 rb=8888 rp=1 tb=8888 tp=1 op=0\n";

TEST(network_bytes_of_one_app)
{
    struct android_network n;
    android_read_netstats(TEXT(netstats), 10123, &n, NULL);
    CHECK(n.found);
    CHECK_NEAR(n.rx, 1303, 0);
    CHECK_NEAR(n.tx, 334, 0);
    android_read_netstats(TEXT(netstats), 1, &n, NULL);
    CHECK(!n.found);
    android_read_qtaguid(
        TEXT("idx iface acct_tag_hex uid_tag_int cnt_set rx_bytes rx_packets "
             "tx_bytes tx_packets\n"
             "2 wlan0 0x0 10123 0 500 3 60 2 0 0\n3 wlan0 0x0 10123 1 7 1 8 1 0\n"
             "4 wlan0 0xff00000000 10123 1 99 1 99 1 0\n5 rmnet0 0x0 1 0 1 1 1 1\n"),
        10123, &n);
    CHECK(n.found);
    CHECK_NEAR(n.rx, 507, 0);
    CHECK_NEAR(n.tx, 68, 0);
}

TEST(battery_use_with_and_without_later_fields)
{
    CHECK_NEAR(android_read_battery(TEXT("9,10123,l,pwi,uid,0.0823\n"), 10123), 0.0823, 1e-12);
    CHECK_NEAR(android_read_battery(TEXT("9,0,l,pwi,scrn,12.1,1,0,0\r\n"
                                         "9,10123,l,pwi,uid,1.5,0,0.01,0.002\r\n"),
                                    10123),
               1.5, 1e-12);
    CHECK_NEAR(android_read_battery(TEXT("9,10123,l,pwi,uid,2,0,0,0\n"), 10123), 2, 1e-12);
    CHECK_NEAR(android_read_battery(TEXT("9,10123,l,pwi,uid,0,25\n"), 10123), 0.25, 1e-12);
    CHECK_NEAR(android_read_battery(TEXT("9,10123,l,pwi,uid,3,25,0,0,0\n"), 10123), 3.25, 1e-12);
    CHECK(isnan(android_read_battery(TEXT("9,10124,l,pwi,uid,3.25\n"), 10123)));
    CHECK(isnan(android_read_battery(TEXT("9,10123,l,pwi,uid,\n9,10123,l\n,,,\n"), 10123)));
}

TEST(the_answer_of_am_start)
{
    struct android_start s;
    android_read_start(TEXT("Starting: Intent { cmp=com.ex/.Main }\r\nStatus: ok\r\nLaunchState: "
                            "COLD\r\nActivity: com.ex/.Main\r\nTotalTime: 450\r\nWaitTime: "
                            "460\r\nComplete\r\n"),
                       &s);
    CHECK(s.ok);
    CHECK_NEAR(s.total_seconds, 0.45, 1e-12);
    android_read_start(TEXT("Status: ok\nActivity: a/.b\nThisTime: 120\nComplete\n"), &s);
    CHECK_NEAR(s.total_seconds, 0.12, 1e-12);
    android_read_start(TEXT("Error type 3\nError: Activity class {a/b} does not exist.\n"), &s);
    CHECK(!s.ok);
    CHECK_CONTAINS(s.message, "Error type 3");
    android_read_start(TEXT("Status: timeout\nComplete\n"), &s);
    CHECK(!s.ok);
    android_read_start(TEXT(""), &s);
    CHECK(!s.ok);
}

static bool feed(struct android_crash *crash, const char *line)
{
    tac_str storage = {0};
    tac_log_line read;
    bool ok = android_read_log_line(line, strlen(line), 1767225600, &storage, &read);
    if (ok)
        android_crash_line(crash, &read);
    tac_str_free(&storage);
    return ok;
}

TEST(a_crash_is_read_between_other_lines)
{
    struct android_crash c = {.package = tac_strdup("com.ex")};
    CHECK(feed(&c, "03-14 12:00:01.123  1234  1234 E AndroidRuntime: FATAL EXCEPTION: main"));
    CHECK(
        feed(&c, "03-14 12:00:01.123  1234  1234 E AndroidRuntime: Process: com.example, PID: 1"));
    CHECK(feed(&c, "03-14 12:00:01.123  1234  1234 E AndroidRuntime: java.lang.Error: not mine"));
    CHECK(!c.crashed);
    CHECK(feed(&c, "03-14 12:00:02.123  4242  4242 E AndroidRuntime: FATAL EXCEPTION: main"));
    CHECK(feed(&c, "03-14 12:00:02.123  4242  4242 E AndroidRuntime: Process: com.ex, PID: 4242"));
    CHECK(feed(&c, "03-14 12:00:02.123  9999  9999 E AndroidRuntime: something of another"));
    CHECK(feed(&c, "03-14 12:00:02.123  4242  4242 E AndroidRuntime: "
                   "java.lang.NullPointerException: on: null"));
    CHECK(feed(&c, "03-14 12:00:02.123  4242  4242 E AndroidRuntime: \tat com.ex.A.b(A.java:4)"));
    CHECK(feed(&c, "03-14 12:00:02.124  4242  4242 E AndroidRuntime: \tat com.ex.A.c(A.java:5)"));
    CHECK(c.crashed && !c.anr);
    CHECK_STR(tac_str_text(&c.exception), "java.lang.NullPointerException");
    CHECK_STR(tac_str_text(&c.message), "on: null");
    REQUIRE(c.stack.count == 2);
    CHECK_STR(c.stack.at[0], "com.ex.A.b(A.java:4)");
    android_crash_clear(&c);
    CHECK(feed(&c, "1767225600.5  77  78 E ActivityManager: ANR in com.ex (com.ex/.Main)"));
    CHECK(feed(&c, "1767225600.6  77  78 E ActivityManager: Reason: Input dispatching timed out"));
    CHECK(c.crashed && c.anr);
    CHECK_EQ(c.time, INT64_C(1767225600500000000));
    CHECK_STR(tac_str_text(&c.message), "Input dispatching timed out");
    android_crash_free(&c);
}

TEST(log_lines_in_three_layouts)
{
    tac_str storage = {0};
    tac_log_line l;
    const char *a = "01-02 00:00:01.250  1234  1250 I Player  : hello: world";
    REQUIRE(android_read_log_line(a, strlen(a), 1767225600, &storage, &l));
    CHECK_EQ(l.time, INT64_C(1767225600000000000) + INT64_C(86401250000000));
    CHECK_EQ(l.pid, 1234);
    CHECK_EQ(l.tid, 1250);
    CHECK_STR(l.tag, "Player");
    CHECK_STR(l.message, "hello: world");
    CHECK_STR(l.raw, a);
    const char *b = "01-02 00:00:01.250 W/Player  ( 1234): hi";
    REQUIRE(android_read_log_line(b, strlen(b), 1767225600, &storage, &l));
    CHECK_EQ(l.pid, 1234);
    CHECK_EQ(l.level, 'W');
    CHECK_STR(l.message, "hi");
    const char *c = "         1767225601.000250  1234  1250 I Player  : x";
    REQUIRE(android_read_log_line(c, strlen(c), 0, &storage, &l));
    CHECK_EQ(l.time, INT64_C(1767225601000250000));
    CHECK_EQ(l.tid, 1250);
    CHECK(!android_read_log_line("--------- beginning of main", 27, 0, &storage, &l));
    tac_str_free(&storage);
}

TEST(text_is_escaped_for_the_command_and_the_shell)
{
    tac_str out = {0};
    size_t bad = 0;
    CHECK(android_escape_text("it's 5 o'clock; $(x)", &out, &bad));
    CHECK_STR(tac_str_text(&out), "'it'\\''s%s5%so'\\''clock;%s$(x)'");
    tac_str_clear(&out);
    CHECK(android_escape_text("100%sure", &out, &bad));
    CHECK_STR(tac_str_text(&out), "'100%' && input text 'sure'");
    CHECK(!android_escape_text("na\xc3\xafve", &out, &bad));
    CHECK_EQ(bad, 2);
    tac_str_free(&out);
}

static void check_corpus_screen(const char *path)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    char *text = malloc(1 << 22);
    size_t size = fread(text, 1, 1 << 22, file);
    fclose(file);
    tac_ui *ui = NULL;
    tac_error err;
    REQUIRE(tac_ui_from_xml(path, text, size, &ui, &err) == TAC_OK);
    unsigned actionable = 0;
    for (uint32_t i = 0; i < ui->count; i++) {
        if (!tac_ui_gestures(&ui->nodes[i]))
            continue;
        actionable++;
        char *xpath = tac_ui_xpath(ui, i);
        uint32_t found = TAC_UI_NONE;
        CHECK_EQ(tac_ui_find(ui, &(tac_selector){.xpath = xpath}, &found, &err), TAC_OK);
        CHECK_EQ(found, i);
        free(xpath);
    }
    CHECK(actionable > 0);
    tac_ui_free(ui);
    free(text);
}

TEST(real_hierarchies_give_usable_paths)
{
    const char *melofy = test_corpus("ui/melofy.xml"), *habits = test_corpus("ui/habits.xml");
    if (!melofy || !habits)
        SKIP("the public corpus is absent");
    check_corpus_screen(melofy);
    check_corpus_screen(habits);
}

TEST(all_processes_of_a_package_are_added_and_a_silent_one_makes_the_sum_unknown)
{
    static const char two[] =
        "** MEMINFO in pid 11 [com.ex:push] **\n        TOTAL     8828  1\n"
        " App Summary\n  Java Heap:    100\n  TOTAL PSS:  8828  TOTAL RSS: 9\n"
        "** MEMINFO in pid 10 [com.ex] **\n        TOTAL   353574  1\n"
        " App Summary\n  Java Heap:    900\n  TOTAL PSS: 353574  TOTAL RSS: 9\n";
    struct android_memory m;
    android_read_meminfo(TEXT(two), &m);
    CHECK_NEAR(m.pss, 362402.0 * 1024, 0.5);
    CHECK_NEAR(m.java_heap, 1000.0 * 1024, 0.5);
    tac_str silent = {0};
    tac_str_addf(&silent,
                 "%s** MEMINFO in pid 12 [com.ex:x] **\nFailure while dumping the app: java.io."
                 "IOException: Timeout\n",
                 two);
    android_read_meminfo(tac_str_text(&silent), silent.length, &m);
    CHECK(isnan(m.pss) && isnan(m.java_heap));
    tac_str_free(&silent);
    struct android_frames f;
    android_read_frames(
        TEXT("** Graphics info for pid 9 [com.ex] **\nFailure while dumping the app: "
             "com.ex\n"),
        &f);
    CHECK(f.failed && isnan(f.total) && isnan(f.janky));
}

TEST(loopback_and_tags_are_not_traffic_and_the_kernel_map_is_read)
{
    struct android_network n, kernel;
    android_read_qtaguid(
        TEXT("idx iface acct_tag_hex uid_tag_int cnt_set rx_bytes rx_packets tx_bytes "
             "tx_packets\n2 wlan0 0x0 10123 0 10 1 20 1\n3 lo 0x0 10123 1 999 1 999 1\n"
             "4 wlan0 0x7fffff0100000000 10123 1 5 1 5 1\n5 tun0 0x0 10123 1 7 1 8 1\n"),
        10123, &n);
    CHECK_NEAR(n.rx, 17, 0);
    CHECK_NEAR(n.tx, 28, 0);
    android_read_netstats(
        TEXT("UID stats:\n  ident=[{type=1}] uid=10123 set=DEFAULT tag=0x0\n"
             "    NetworkStatsHistory: bucketDuration=7200\n"
             "      (omitting 4 buckets)\n      st=1 rb=100 rp=1 tb=50 tp=1 op=0\n"
             "  ident=[{type=1}] uid=10123 set=DBG_VPN_IN tag=0x0\n"
             "      st=1 rb=1000 rp=1 tb=500 tp=1 op=0\n\n"
             "  mAppUidStatsMap:\n    uid rxBytes rxPackets txBytes txPackets\n"
             "    10123 10986600 1 77 2\n\n  mIfaceStatsMap:\n"),
        10123, &n, &kernel);
    CHECK_NEAR(n.rx, 100, 0);
    CHECK_NEAR(kernel.rx, 10986600, 0);
    CHECK_NEAR(kernel.tx, 77, 0);
}

TEST(the_gauge_tells_current_and_charge)
{
    struct android_gauge g;
    android_read_gauge(TEXT("Current Battery Service state:\n  status: 3\n  voltage: 4000\n"
                            "  current now: -250\n  Charge counter: 2345678\n"),
                       &g);
    CHECK_NEAR(g.current, 0.25, 1e-12);
    CHECK_NEAR(g.power, 1, 1e-12);
    CHECK_NEAR(g.charge, 2345.678, 1e-9);
    android_read_gauge(TEXT("  status: 2\n  voltage: 4000\n  current now: 250\n"), &g);
    CHECK(isnan(g.current) && isnan(g.power) && isnan(g.charge));
}

/* What `input text WORD` enters: "%s" is a blank, everything else is itself. */
static void add_entered(tac_str *out, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool blank = word[i] == '%' && i + 1 < length && word[i + 1] == 's';
        tac_str_add_char(out, blank ? ' ' : word[i]);
        i += blank;
    }
}

/* The words that a real shell gives to `input text`, each entered. */
static void enter_through_shell(const char *escaped, tac_str *out)
{
    tac_str script = {0};
    tac_error err;
    char *said = NULL;
    size_t size = 0;
    int code = -1;
    tac_str_addf(&script, "input() { printf '%%s\\n' \"$#$1$2\"; }; input text %s", escaped);
    const char *const argv[] = {"sh", "-c", tac_str_text(&script), NULL};
    REQUIRE(tac_process_run(argv, "sh", "", 0, 60, &said, &size, &code, &err) == TAC_OK);
    CHECK_EQ(code, 0);
    for (const char *at = said, *end; (end = strchr(at, '\n')); at = end + 1) {
        REQUIRE(!strncmp(at, "2text", 5));
        add_entered(out, at + 5, (size_t)(end - at) - 5);
    }
    tac_str_free(&script);
    free(said);
}

TEST(texts_pass_a_real_shell_and_androids_own_escapes)
{
    static const char often[] = "  %%%ss''\"\\$`&;|*?[]{}()<>!#~-n";
    tac_random random;
    tac_random_seed(&random, 20);
    for (int round = 0; round < 60; round++) {
        char text[41] = "";
        size_t length = 1 + tac_random_below(&random, 40), bad;
        for (size_t i = 0; i < length; i++)
            text[i] = tac_random_below(&random, 4)
                          ? often[tac_random_below(&random, sizeof often - 1)]
                          : (char)(' ' + tac_random_below(&random, 95));
        tac_str escaped = {0}, entered = {0};
        CHECK(android_escape_text(text, &escaped, &bad));
        enter_through_shell(tac_str_text(&escaped), &entered);
        CHECK_STR(tac_str_text(&entered), text);
        tac_str_free(&escaped);
        tac_str_free(&entered);
    }
}
