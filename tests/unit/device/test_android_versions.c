/* What the commands of Android print, version by version. The samples are written in the formats of
 * the named versions; lines end with LF or CRLF. */
#include "device/android/dump/parse.h"
#include "tactus_test.h"

#define TEXT(literal) (literal), strlen(literal)

/* The same text with CRLF, as old shells give it; the caller's. */
static char *crlf(const char *text)
{
    tac_str out = {0};
    for (; *text; text++) {
        if (*text == '\n')
            tac_str_add_char(&out, '\r');
        tac_str_add_char(&out, *text);
    }
    return tac_str_take(&out);
}

/* --- uiautomator dump --- */

static enum android_dump_answer dump_of(const char *text, char *xml, size_t room)
{
    size_t start = 0, length = 0;
    char message[200] = "";
    enum android_dump_answer answer =
        android_read_dump(text, strlen(text), &start, &length, message, sizeof message);
    snprintf(xml, room, "%.*s", answer == ANDROID_DUMP_OK ? (int)length : 0, text + start);
    return answer;
}

TEST(dumps_with_their_misspelling_and_failures)
{
    char xml[200];
    CHECK_EQ(dump_of("UI hierchary dumped to: /sdcard/a.xml\r\n"
                     "<?xml version='1.0'?><hierarchy rotation=\"0\"><node/></hierarchy>\r\n",
                     xml, sizeof xml),
             ANDROID_DUMP_OK);
    CHECK_STR(xml, "<hierarchy rotation=\"0\"><node/></hierarchy>");
    CHECK_EQ(
        dump_of("<hierarchy rotation=\"1\"><node/></hierarchy>UI hierchary dumped to: /dev/tty\n",
                xml, sizeof xml),
        ANDROID_DUMP_OK);
    CHECK_EQ(dump_of("UI hierarchy dumped to: /a\n<hierarchy rotation=\"0\" />\n", xml, sizeof xml),
             ANDROID_DUMP_OK);
    CHECK_EQ(dump_of("ERROR: could not get idle state.\n", xml, sizeof xml), ANDROID_DUMP_BUSY);
    CHECK_EQ(
        dump_of("ERROR: null root node returned by UiTestAutomationBridge.\r\n", xml, sizeof xml),
        ANDROID_DUMP_NULL);
    /* an old file behind (or, from another pipe, before) the failure is not the screen */
    CHECK_EQ(dump_of("ERROR: could not get idle state.\n<hierarchy><node/></hierarchy>", xml,
                     sizeof xml),
             ANDROID_DUMP_BUSY);
    CHECK_EQ(dump_of("<hierarchy><node/></hierarchy>\nERROR: null root node returned by X.\n", xml,
                     sizeof xml),
             ANDROID_DUMP_NULL);
    /* but an app may show the words */
    CHECK_EQ(dump_of("<hierarchy><node text=\"null root node\"/></hierarchy>", xml, sizeof xml),
             ANDROID_DUMP_OK);
    CHECK_EQ(dump_of("Killed\n", xml, sizeof xml), ANDROID_DUMP_FAILED);
    CHECK_EQ(dump_of("<hierarchy><node>", xml, sizeof xml), ANDROID_DUMP_FAILED);
}

/* --- dumpsys activity activities --- */

TEST(the_foreground_from_android_5_to_15)
{
    static const char *const samples[] = {
        /* 5 */
        "  Stack #1:\n    Task id #12\n      * TaskRecord{2c U=0 sz=2}\n"
        "        Hist #0: ActivityRecord{1a u0 com.ex/.Old t12}\n"
        "        * Hist #1: ActivityRecord{2b u0 com.ex/.Top t12}\n"
        "        * Hist #0: ActivityRecord{1a u0 com.ex/.Base t12}\n"
        "    mResumedActivity: ActivityRecord{2b u0 com.ex/.Top t12}\n"
        "  mFocusedActivity: ActivityRecord{2b u0 com.ex/.Top t12}\n",
        /* 9 */
        "Display #0 (activities from top to bottom):\n\n  Stack #3: type=standard mode=fullscreen\n"
        "        * Hist #1: ActivityRecord{2b u0 com.ex/.Top t12}\n"
        "        * Hist #0: ActivityRecord{1a u0 com.ex/.Base t12}\n"
        "    mResumedActivity: ActivityRecord{2b u0 com.ex/.Top t12}\n\n"
        "  Stack #0: type=home mode=fullscreen\n"
        "        * Hist #0: ActivityRecord{9 u0 com.android.launcher3/.Launcher t2}\n"
        "    mLastPausedActivity: ActivityRecord{9 u0 com.android.launcher3/.Launcher t2}\n",
        /* 10 */
        "  mResumedActivity: ActivityRecord{77 u0 com.other/.Behind t3}\n"
        "  topResumedActivity=ActivityRecord{2b u0 com.ex/com.ex.Top t12}\n"
        "      * Hist #1: ActivityRecord{2b u0 com.ex/com.ex.Top t12}\n"
        "      * Hist #0: ActivityRecord{1a u0 com.ex/.Base t12}\n",
        /* 12 */
        "  topResumedActivity=ActivityRecord{2b u10 com.ex/.Top t12}\n"
        "    * Task{7 #12 type=standard A=10123:com.ex U=10 visible=true sz=2}\n"
        "        * Hist #1: ActivityRecord{2b u10 com.ex/.Top t12}\n"
        "        * Hist #0: ActivityRecord{1a u10 com.ex/.Base t12}\n"
        "  ResumedActivity: ActivityRecord{2b u10 com.ex/.Top t12}\n",
        /* 14 */
        "    topResumedActivity=ActivityRecord{2b u0 com.ex/.Top} t12}\n"
        "        * Hist  #1: ActivityRecord{2b u0 com.ex/.Top} t12}\n"
        "        * Hist  #0: ActivityRecord{1a u0 com.ex/.Base} t12}\n"
        "  ResumedActivity: ActivityRecord{2b u0 com.ex/.Top} t12}\n"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char *ends = crlf(samples[i]);
        const char *both[] = {samples[i], ends};
        for (int k = 0; k < 2; k++) {
            struct android_activities a;
            android_read_activities(both[k], strlen(both[k]), "com.ex", &a);
            CHECK(a.resumed);
            CHECK_STR(a.top.package, "com.ex");
            CHECK_STR(a.top.activity, "Top");
            CHECK_EQ(a.top.id, 0x2b);
            CHECK_EQ(a.stack_count, 2);
            CHECK_STR(a.stack[0].activity, "Base");
            CHECK_STR(a.stack[1].activity, "Top");
        }
        free(ends);
    }
}

/* --- dumpsys meminfo --- */

TEST(memory_from_android_4_to_14)
{
    static const struct {
        const char *text;
        double pss, java;
    } samples[] = {
        /* 4.4 */
        {"                   Pss  Private  Private  Swapped     Heap     Heap     Heap\n"
         "                 Total    Dirty    Clean    Dirty     Size    Alloc     Free\n"
         "                ------   ------   ------   ------   ------   ------   ------\n"
         "  Native Heap     5122     5100        0        0    10000     8000     2000\n"
         "  Dalvik Heap     6042     6000        0        0    12000    10000     2000\n"
         "        TOTAL    30512    22000     1000        0    22000    18000     4000\n",
         30512, 6042},
        /* 8: the table's TOTAL differs in meaning, the summary counts */
        {"        TOTAL    30000    22000     1000       50    22000    18000     4000\n"
         " App Summary\n                       Pss(KB)\n                        ------\n"
         "           Java Heap:     7756\n         Native Heap:     5200\n"
         "               TOTAL:    30512      TOTAL SWAP PSS:       50\n",
         30512, 7756},
        /* 11 and later */
        {"        TOTAL    58642    41020     1000       93   131220    22000    18000     4000\n"
         " App Summary\n                       Pss(KB)                        Rss(KB)\n"
         "           Java Heap:     7756                          12000\n"
         "           TOTAL PSS:    58642            TOTAL RSS:   131220       TOTAL SWAP PSS:  "
         "93\n",
         58642, 7756},
        /* with groups of three, as some builds print them */
        {"        TOTAL  158,642K\n", 158642, NAN}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct android_memory m;
        android_read_meminfo(samples[i].text, strlen(samples[i].text), &m);
        CHECK(m.found);
        CHECK_NEAR(m.pss, samples[i].pss * 1024, 0);
        if (!isnan(samples[i].java))
            CHECK_NEAR(m.java_heap, samples[i].java * 1024, 0);
    }
}

/* --- netstats, xt_qtaguid --- */

TEST(network_bytes_from_android_4_to_14)
{
    static const char *const samples[] = {
        /* 4.4 */
        "UID stats:\n  Pending bytes: 0\n  History since boot:\n"
        "  ident=[[type=WIFI, subType=COMBINED]] uid=10123 set=DEFAULT tag=0x0\n"
        "    NetworkStatsHistory: bucketDuration=7200000\n"
        "      bucketStart=1391292000000 activeTime=7200000 rxBytes=1000 rxPackets=9 txBytes=200 "
        "txPackets=5 operations=0\n"
        "  ident=[[type=MOBILE, subType=COMBINED]] uid=10123 set=FOREGROUND tag=0x0\n"
        "      bucketStart=1391292000000 activeTime=7200000 rxBytes=34 rxPackets=9 txBytes=5 "
        "txPackets=5 operations=0\n",
        /* 9 */
        "Xt stats:\n  ident=[{type=WIFI, subType=COMBINED}] uid=10123 set=ALL tag=0x0\n"
        "      st=1600000000 rb=999999 rp=1 tb=999999 tp=1 op=0\n"
        "UID stats:\n"
        "  ident=[{type=WIFI, subType=COMBINED, networkId=\"home\", metered=false, "
        "defaultNetwork=true}] uid=10123 set=DEFAULT tag=0x0\n"
        "    NetworkStatsHistory: bucketDuration=7200\n"
        "      st=1600000000 rb=1000 rp=1 tb=200 tp=1 op=0\n"
        "  ident=[{type=MOBILE, subType=COMBINED, subscriberId=310260..., metered=true, "
        "defaultNetwork=true}] uid=10123 set=FOREGROUND tag=0x0\n"
        "      st=1600007200 rb=34 rp=1 tb=5 tp=1 op=0\n"
        "  ident=[{type=WIFI}] uid=10123 set=DBG_VPN_IN tag=0x0\n"
        "      st=1600007200 rb=7 rp=1 tb=7 tp=1 op=0\n"
        "UID tag stats:\n  ident=[{type=WIFI}] uid=10123 set=DEFAULT tag=0x0\n"
        "      st=1600007200 rb=8888 rp=1 tb=8888 tp=1 op=0\n",
        /* 14 */
        "UID stats:\n"
        "  ident=[{type=1, ratType=COMBINED, wifiNetworkKey=\"home\", metered=false, "
        "defaultNetwork=true, oemManaged=OEM_NONE, subId=-1}] uid=10123 set=DEFAULT tag=0x0\n"
        "    NetworkStatsHistory: bucketDuration=7200\n"
        "      st=1700000000 rb=1000 rp=1 tb=200 tp=1 op=0\n"
        "  ident=[{type=0, ratType=COMBINED, metered=true, defaultNetwork=true, "
        "oemManaged=OEM_NONE, subId=1}] uid=10123 set=FOREGROUND tag=0x0\n"
        "      st=1700007200 rb=34 rp=1 tb=5 tp=1 op=0\n"
        "  ident=[{type=1}] uid=10123 set=DEFAULT tag=0xffffff01\n"
        "      st=1700007200 rb=34 rp=1 tb=5 tp=1 op=0\n"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char *ends = crlf(samples[i]);
        const char *both[] = {samples[i], ends};
        for (int k = 0; k < 2; k++) {
            struct android_network n;
            android_read_netstats(both[k], strlen(both[k]), 10123, &n, NULL);
            CHECK(n.found);
            CHECK_NEAR(n.rx, 1034, 0);
            CHECK_NEAR(n.tx, 205, 0);
        }
        free(ends);
    }
    struct android_network n;
    android_read_qtaguid(TEXT("cat: /proc/net/xt_qtaguid/stats: No such file or directory\n"),
                         10123, &n);
    CHECK(!n.found);
    android_read_netstats(TEXT("Can't find service: netstats\n"), 10123, &n, NULL);
    CHECK(!n.found);
}

/* --- battery --- */

TEST(battery_use_in_four_layouts_and_two_languages)
{
    static const struct {
        const char *text;
        double charge;
    } samples[] = {{"9,10123,l,pwi,uid,0.0823\n", 0.0823},          /* 5 */
                   {"9,10123,l,pwi,uid,1.5,0,0.01,0.002\n", 1.5},   /* 8 */
                   {"9,10123,l,pwi,uid,12,1,0,0\n", 12},            /* whole */
                   {"9,10123,l,pwi,uid,0,0823\n", 0.0823},          /* 5, comma */
                   {"9,10123,l,pwi,uid,1,5,0,0,01,0,002\n", 1.5},   /* 8, comma */
                   {"9,10123,l,pwi,uid,8.23E-4,0,0,0\n", 0.000823}, /* small numbers in Java */
                   {"9,0,l,pwi,uid,7,0,0,0\n9,10123,l,pwi,uid,2.25,0,0,0\r\n"
                    "9,10123,l,cpu,100,200,0\n",
                    2.25}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        CHECK_NEAR(android_read_battery(samples[i].text, strlen(samples[i].text), 10123),
                   samples[i].charge, 1e-12);
}

TEST(power_from_gauges_that_disagree_about_units_and_signs)
{
#define B "/sys/class/power_supply/battery/"
    static const struct {
        const char *text;
        double watts;
    } samples[] = {
        {B "status:Discharging\n" B "current_now:-352000\n" B "voltage_now:3850000\n", 1.3552},
        {B "status:Discharging\r\n" B "current_now:352000\r\n" B "voltage_now:3850000\r\n", 1.3552},
        {B "status:Discharging\n" B "current_now:-352\n" B "voltage_now:3850000\n", 1.3552},
        {B "status:Not charging\n" B "current_now:352\n" B "voltage_now:3850\n", 1.3552},
        {"POWER_SUPPLY_STATUS=Discharging\nPOWER_SUPPLY_VOLTAGE_NOW=3850000\n"
         "POWER_SUPPLY_CURRENT_NOW=352000\n",
         1.3552},
        {"grep: " B "current_now: Permission denied\nCurrent Battery Service state:\n"
         "  USB powered: false\n  status: 3\n  voltage: 3850\n  current now: -352\n",
         1.3552},
        {B "status:Charging\n" B "current_now:800000\n" B "voltage_now:4200000\n", NAN},
        {B "status:Full\n" B "current_now:0\n" B "voltage_now:4200000\n", NAN},
        {"  status: 2\n  voltage: 4200\n  current now: 800\n", NAN},
        {B "status:Discharging\n" B "voltage_now:3850000\n", NAN},
        {"", NAN}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct android_gauge gauge;
        android_read_gauge(samples[i].text, strlen(samples[i].text), &gauge);
        double watts = gauge.power;
        if (isnan(samples[i].watts))
            CHECK(isnan(watts));
        else
            CHECK_NEAR(watts, samples[i].watts, 1e-9);
    }
}

/* --- am start -W --- */

TEST(launch_times_from_android_7_to_14)
{
    struct android_start s;
    android_read_start(TEXT("Starting: Intent { cmp=com.ex/.Main }\nStatus: ok\n"
                            "Activity: com.ex/.Main\nThisTime: 401\nTotalTime: 450\nWaitTime: 463\n"
                            "Complete\n"),
                       &s);
    CHECK(s.ok);
    CHECK_NEAR(s.total_seconds, 0.45, 1e-12);
    CHECK_NEAR(s.wait_seconds, 0.463, 1e-12);
    CHECK_STR(s.state, "");
    android_read_start(TEXT("Starting: Intent { cmp=com.ex/.Main }\r\nStatus: ok\r\n"
                            "LaunchState: WARM\r\nActivity: com.ex/.Main\r\nTotalTime: 120\r\n"
                            "WaitTime: 131\r\nComplete\r\n"),
                       &s);
    CHECK(s.ok);
    CHECK_STR(s.state, "WARM");
    CHECK_NEAR(s.wait_seconds, 0.131, 1e-12);
    android_read_start(TEXT("Starting: Intent { cmp=com.ex/.Main }\n"
                            "Warning: Activity not started, its current task has been brought to "
                            "the front\nStatus: ok\nLaunchState: UNKNOWN (0)\n"
                            "Activity: com.ex/.Main\nWaitTime: 3\nComplete\n"),
                       &s);
    CHECK(s.ok);
    CHECK(isnan(s.total_seconds));
    CHECK_STR(s.state, "UNKNOWN (0)");
    android_read_start(TEXT("java.lang.SecurityException: Permission Denial: starting Intent\n"),
                       &s);
    CHECK(!s.ok);
    CHECK_CONTAINS(s.message, "Permission Denial");
}

/* --- frames --- */

TEST(frames_from_android_6_to_14)
{
    struct android_frames f;
    android_read_frames(
        TEXT(
            "** Graphics info for pid 4242 [com.ex] **\n\nStats since: 1000ns\n"
            "Total frames rendered: 105\nJanky frames: 2 (1,90%)\n50th percentile: 5ms\n"
            "90th percentile: 7ms\n95th percentile: 9ms\n99th percentile: 19ms\n"
            "Number Missed Vsync: 0\nHISTOGRAM: 5ms=78 6ms=16\n\nWindow: com.ex/com.ex.Main\n"
            "Total frames rendered: 60\nJanky frames: 1 (1,67%)\n50th percentile: 6ms\n"
            "---PROFILEDATA---\nFlags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,"
            "HandleInputStart,AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,"
            "IssueDrawCommandsStart,SwapBuffers,FrameCompleted,\n"
            "0,1000000000,1000000000,9223372036854775807,0,1,1,1,1,1,1,1,1,1012000000,\n"
            "1,1000000000,1000000000,9223372036854775807,0,1,1,1,1,1,1,1,1,9912000000,\n"
            "0,2000000000,2000000000,9223372036854775807,0,1,1,1,1,1,1,1,1,2035000000,\n"
            "---PROFILEDATA---\n"),
        &f);
    CHECK(f.found);
    CHECK_NEAR(f.total, 105, 0);
    CHECK_NEAR(f.janky, 2, 0);
    CHECK_NEAR(f.percentile[0], 0.005, 1e-12);
    CHECK_NEAR(f.percentile[3], 0.019, 1e-12);
    CHECK_EQ(f.recent, 2);
    CHECK_NEAR(f.slowest, 0.035, 1e-12);
    android_read_frames(
        TEXT("Total frames rendered: 7\r\nJanky frames: 3 (42.86%)\r\n"
             "Janky frames (legacy): 5 (71.43%)\r\n90th percentile: 21ms\r\n"
             "---PROFILEDATA---\r\nFlags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,"
             "HandleInputStart,AnimationStart,PerformTraversalsStart,DrawStart,FrameDeadline,"
             "FrameStartTime,FrameInterval,WorkloadTarget,SyncQueued,SyncStart,"
             "IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,"
             "QueueBufferDuration,GpuCompleted,SwapBuffersCompleted,DisplayPresentTime,\r\n"
             "0,4321,1000,1000,0,1,1,1,1,9,9,9,9,1,1,1,1,8001000,5,5,5,5,0,\r\n"
             "---PROFILEDATA---\r\n"),
        &f);
    CHECK_NEAR(f.janky, 3, 0);
    CHECK_NEAR(f.slowest, 0.008, 1e-12);
    android_read_frames(TEXT("Total frames rendered: 0\nJanky frames: 0 (0.00%)\n"
                             "50th percentile: 4950ms\n90th percentile: 4950ms\n"),
                        &f);
    CHECK(f.found && isnan(f.percentile[1]) && isnan(f.slowest));
    android_read_frames(TEXT("No process found for: com.ex\n"), &f);
    CHECK(!f.found);
}

TEST(frames_of_several_processes_are_not_mixed)
{
    static const char text[] =
        "Applications Graphics Acceleration Info:\nUptime: 1 Realtime: 2\n\n"
        "** Graphics info for pid 4300 [com.ex:remote] **\n\nTotal frames rendered: 5\n"
        "Janky frames: 1 (20.00%)\n50th percentile: 9ms\n\n"
        "** Graphics info for pid 4242 [com.ex] **\n\nTotal frames rendered: 1000\n"
        "Janky frames: 100 (10.00%)\nJanky frames (legacy): 150 (15.00%)\n"
        "50th percentile: 8ms\nHISTOGRAM: 5ms=300 6ms=100\n";
    const char *at = text, *end = text + sizeof text - 1;
    struct android_frames f;
    android_read_frames(TEXT(text), &f);
    CHECK_STR(f.process, "com.ex:remote");
    CHECK(isnan(f.legacy) && isnan(f.histogram));
    CHECK_NEAR(f.total, 5, 0);
    android_read_frames_of(TEXT(text), "com.ex", &f);
    CHECK_EQ(f.pid, 4242);
    CHECK_NEAR(f.total, 1000, 0);
    CHECK_NEAR(f.legacy, 150, 0);
    CHECK_NEAR(f.percentile[0], 0.008, 1e-12);
    android_read_frames_of(TEXT(text), "com.other", &f);
    CHECK_EQ(f.pid, 4300);
    CHECK(android_next_frames(&at, end, &f) && f.pid == 4300);
    CHECK(android_next_frames(&at, end, &f) && f.pid == 4242);
    CHECK(!android_next_frames(&at, end, &f));
}

/* --- packages and processes --- */

TEST(packages_and_processes)
{
    size_t count;
    char *name = android_only_package(TEXT("package:com.ex\r\n"), &count);
    CHECK_STR(name, "com.ex");
    free(name);
    CHECK(!android_only_package(TEXT("package:com.ex\npackage:com.other\n"), &count));
    CHECK_EQ(count, 2);
    CHECK(!android_only_package(TEXT(""), &count));
    CHECK_EQ(count, 0);
    CHECK_EQ(android_read_user_id(TEXT("Packages:\n  Package [com.ex] (5f):\n    userId=10123\n"
                                       "    gids=[3003]\n")),
             10123);
    CHECK_EQ(android_read_user_id(TEXT("  Package [com.ex] (5f):\n    appId=10123\n")), 10123);
    CHECK_EQ(android_read_user_id(TEXT("Unable to find package: com.ex\n")), 0);
    char version[80];
    android_read_app_version(TEXT("  Package [com.ex] (5f):\n    versionCode=7 minSdk=21\r\n"
                                  "    versionName=2.1.0-beta (7)\r\nHidden system packages:\n"
                                  "    versionName=1.0\n"),
                             version, sizeof version);
    CHECK_STR(version, "2.1.0-beta (7)");
    android_read_app_version(TEXT("Unable to find package: com.ex\n"), version, sizeof version);
    CHECK_STR(version, "");
    name = android_read_launcher(TEXT("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 "
                                      "isDefault=true\r\ncom.ex/com.ex.ui.Main\r\n"),
                                 "com.ex");
    CHECK_STR(name, "com.ex/com.ex.ui.Main");
    free(name);
    CHECK(!android_read_launcher(TEXT("No activity found\n"), "com.ex"));
    CHECK_NEAR(android_read_processor_time(
                   TEXT("4242 (a (b) c) S 1 2 3 4 -1 6 7 8 9 10 250 50 0 0 20 0 12 0 99\n")),
               3, 1e-12);
    CHECK(isnan(android_read_processor_time(TEXT("cat: /proc/0/stat: No such file\n"))));
    CHECK_EQ(android_date(TEXT("1767225600123456789\n")), INT64_C(1767225600123456789));
    CHECK_EQ(android_date(TEXT("1767225600N\n")), INT64_C(1767225600000000000));
    CHECK_EQ(android_date(TEXT("")), 0);
    CHECK_EQ(android_date(TEXT("99999999999")), 0); /* no second of this era */
}

TEST(playing_media_from_android_7_to_14)
{
    CHECK(android_media_plays(
        TEXT("      state=PlaybackState {state=3, position=1, speed=1.0}\r\n")));
    CHECK(android_media_plays(TEXT("  state=PlaybackState {state=2, position=1}\n"
                                   "  state=PlaybackState {state=PLAYING(3), position=1}\n")));
    CHECK(android_media_plays(TEXT("  state=PlaybackState {state=BUFFERING(6), position=1}\n")));
    CHECK(!android_media_plays(TEXT("  state=PlaybackState {state=PAUSED(2), position=3}\n")));
    CHECK(
        !android_media_plays(TEXT("  state=null\n  state=PlaybackState {state=0, position=3}\n")));
}

/* --- the log --- */

TEST(log_times_with_year_zone_micro_and_nanoseconds)
{
    const int64_t start = INT64_C(1767225600); /* 2026 */
    static const struct {
        const char *line;
        int64_t time;
        int pid, tid;
    } samples[] = {
        {"01-02 00:00:01.250  1234  1250 I Tag     : m", 86401250000000, 1234, 1250},
        {"01-02 00:00:01.250 I/Tag     ( 1234): m", 86401250000000, 1234, 1234},
        {"2026-01-02 00:00:01.250  1234  1250 I Tag     : m", 86401250000000, 1234, 1250},
        {"2026-01-02 00:00:01.250001 +0000  1234  1250 I Tag: m", 86401250001000, 1234, 1250},
        {"2026-01-02 02:00:01.250001002 +0200  1234  1250 I Tag: m", 86401250001002, 1234, 1250},
        {"2026-01-02 00:00:01.250 I/Tag     ( 1234): m", 86401250000000, 1234, 1234},
        {"         1767312001.250  1234  1250 I Tag     : m", 86401250000000, 1234, 1250},
        {"         1767312001.250001  1234  1250 I Tag     : m", 86401250001000, 1234, 1250},
        {"         1767312001.250001002  1234  1250 I Tag     : m", 86401250001002, 1234, 1250},
        {"1767312001.250 I/Tag     ( 1234): m", 86401250000000, 1234, 1234},
        {"02-29 00:00:00.000     1     2 I Tag: of a leap year", INT64_MIN, 1, 2}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        tac_str storage = {0};
        tac_log_line line;
        REQUIRE(android_read_log_line(samples[i].line, strlen(samples[i].line), start, &storage,
                                      &line));
        if (samples[i].time != INT64_MIN)
            CHECK_EQ(line.time, start * 1000000000 + samples[i].time);
        CHECK_EQ(line.pid, samples[i].pid);
        CHECK_EQ(line.tid, samples[i].tid);
        CHECK_STR(line.tag, "Tag");
        tac_str_free(&storage);
    }
    tac_str storage = {0};
    tac_log_line line;
    const char *leap = "03-01 00:00:00.000     1     2 I Tag: m"; /* 2024 */
    REQUIRE(android_read_log_line(leap, strlen(leap), INT64_C(1704067200), &storage, &line));
    CHECK_EQ(line.time, INT64_C(1709251200) * 1000000000);
    tac_str_free(&storage);
}
