/* Crashes and deaths of Android apps as logs tell them, version by version. */
#include "device/android/dump/parse.h"
#include "tactus_test.h"

#define TEXT(literal) (literal), strlen(literal)

static void feed(struct android_crash *crash, const char *text)
{
    tac_str storage = {0};
    struct android_lines lines = {.at = text, .end = text + strlen(text)};
    while (android_next_line(&lines)) {
        tac_log_line line;
        if (android_read_log_line(lines.line, lines.length, 1767225600, &storage, &line))
            android_crash_line(crash, &line);
        else
            test_fail(__FILE__, __LINE__, "no line of a log: %.*s", (int)lines.length, lines.line);
    }
    tac_str_free(&storage);
}

TEST(a_java_crash_with_its_causes)
{
    struct android_crash c = {.package = tac_strdup("com.ex")};
    feed(&c,
         "03-14 12:00:02.123  4242  4242 E AndroidRuntime: FATAL EXCEPTION: AsyncTask #1\r\n"
         "03-14 12:00:02.123  4242  4242 E AndroidRuntime: Process: com.ex:remote, PID: 4242\r\n"
         "03-14 12:00:02.123  4242  4242 E AndroidRuntime: java.lang.RuntimeException: An error "
         "occurred\r\n"
         "03-14 12:00:02.123  4242  4242 E AndroidRuntime: \tat android.os.A.b(A.java:4)\r\n"
         "03-14 12:00:02.123  4242  4242 E AndroidRuntime: Caused by: "
         "java.lang.IllegalStateException: x\r\n"
         "03-14 12:00:02.123  4242  4242 E AndroidRuntime: \tat com.ex.A.c(A.java:5)\r\n"
         "03-14 12:00:02.123  4242  4242 E AndroidRuntime: \t... 3 more\r\n");
    CHECK(c.crashed && !c.anr && !c.native);
    CHECK_STR(tac_str_text(&c.exception), "java.lang.IllegalStateException");
    CHECK_STR(tac_str_text(&c.message), "x");
    REQUIRE(c.chain.count == 2);
    CHECK_STR(c.chain.at[0], "java.lang.RuntimeException");
    REQUIRE(c.stack.count == 2);
    CHECK_STR(c.stack.at[0], "com.ex.A.c(A.java:5)");
    android_crash_free(&c);
}

TEST(native_crashes_from_android_5_to_14)
{
    static const char *const samples[] = {
        /* 5 */
        "03-14 12:00:02.123  4242  4250 F libc    : Fatal signal 11 (SIGSEGV), code 1, fault addr "
        "0x0 in tid 4250 (RenderThread)\n"
        "03-14 12:00:02.223   170   170 I DEBUG   : *** *** *** *** *** *** *** ***\n"
        "03-14 12:00:02.223   170   170 I DEBUG   : Build fingerprint: "
        "'google/x/y:5.1/1/1:user/k'\n"
        "03-14 12:00:02.223   170   170 I DEBUG   : pid: 4242, tid: 4250, name: RenderThread  >>> "
        "com.ex <<<\n"
        "03-14 12:00:02.223   170   170 I DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), "
        "fault addr 0x0\n"
        "03-14 12:00:02.223   170   170 I DEBUG   : backtrace:\n"
        "03-14 12:00:02.223   170   170 I DEBUG   :     #00 pc 00012345  "
        "/data/app/com.ex-1/lib/arm/libnative.so (draw+12)\n"
        "03-14 12:00:02.223   170   170 I DEBUG   :     #01 pc 00016e5b  /system/lib/libc.so\n",
        /* 13 */
        "03-14 12:00:02.123  4242  4250 F libc    : Fatal signal 11 (SIGSEGV), code 1 "
        "(SEGV_MAPERR), fault addr 0x0 in tid 4250 (RenderThread), pid 4242 (com.ex)\n"
        "03-14 12:00:02.223  5000  5000 F DEBUG   : Cmdline: com.ex\n"
        "03-14 12:00:02.223  5000  5000 F DEBUG   : pid: 4242, tid: 4250, name: RenderThread  >>> "
        "com.ex <<<\n"
        "03-14 12:00:02.223  5000  5000 F DEBUG   : uid: 10123\n"
        "03-14 12:00:02.223  5000  5000 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), "
        "fault addr 0x0\n"
        "03-14 12:00:02.223  5000  5000 F DEBUG   : Cause: null pointer dereference\n"
        "03-14 12:00:02.223  9999  9999 F DEBUG   :       #00 pc 0000000000000001  /of/another\n"
        "03-14 12:00:02.223  5000  5000 F DEBUG   : backtrace:\n"
        "03-14 12:00:02.223  5000  5000 F DEBUG   :       #00 pc 0000000000012345  "
        "/data/app/com.ex-1/lib/arm/libnative.so (draw+12)\n"
        "03-14 12:00:02.223  5000  5000 F DEBUG   :       #01 pc 0000000000016e5b  "
        "/system/lib/libc.so\n"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct android_crash c = {.package = tac_strdup("com.ex")};
        feed(&c, samples[i]);
        CHECK(c.crashed && c.native);
        CHECK_STR(tac_str_text(&c.exception), "SIGSEGV");
        CHECK_STR(tac_str_text(&c.message), "code 1 (SEGV_MAPERR), fault addr 0x0");
        CHECK_EQ(c.stack.count, 2);
        if (c.stack.count == 2)
            CHECK_STR(c.stack.at[0], "/data/app/com.ex-1/lib/arm/libnative.so (draw+12)");
        android_crash_free(&c);
    }
    struct android_crash c = {.package = tac_strdup("com.ex")};
    feed(&c,
         "03-14 12:00:02.223  5000  5000 F DEBUG   : pid: 1, tid: 1, name: x  >>> com.other <<<\n"
         "03-14 12:00:02.223  5000  5000 F DEBUG   : signal 6 (SIGABRT), code -1 (SI_QUEUE)\n");
    CHECK(!c.crashed);
    feed(&c, "03-14 12:00:03.223  5001  5001 F DEBUG   : pid: 1, tid: 1, name: x  >>> com.ex <<<\n"
             "03-14 12:00:03.223  5001  5001 F DEBUG   : signal 6 (SIGABRT), code -1 (SI_QUEUE), "
             "fault addr --------\n"
             "03-14 12:00:03.223  5001  5001 F DEBUG   : Abort message: 'no surface'\n");
    CHECK(c.crashed);
    CHECK_STR(tac_str_text(&c.exception), "SIGABRT");
    CHECK_STR(tac_str_text(&c.message), "code -1 (SI_QUEUE), fault addr --------; 'no surface'");
    android_crash_free(&c);
}

TEST(an_anr_and_the_stack_of_its_main_thread)
{
    static const char *const samples[] = {
        /* 9 */
        "03-14 12:00:02.123  1000  1020 E ActivityManager: ANR in com.ex (com.ex/.Main)\n"
        "03-14 12:00:02.123  1000  1020 E ActivityManager: PID: 4242\n"
        "03-14 12:00:02.123  1000  1020 E ActivityManager: Reason: Input dispatching timed out\n"
        "03-14 12:00:02.123  1000  1020 E ActivityManager: Load: 8.1 / 5.2 / 3.0\n",
        /* 12 */
        "03-14 12:00:02.123  1000  9020 E ActivityManager: ANR in com.ex (com.ex/.Main)\n"
        "03-14 12:00:02.123  1000  9020 E ActivityManager: PID: 4242\n"
        "03-14 12:00:02.123  1000  9020 E ActivityManager: Reason: Input dispatching timed out\n"
        "03-14 12:00:02.123  1000  9020 E ActivityManager: Parent: com.ex/.Main\n"
        "03-14 12:00:02.123  1000  9020 E ActivityManager: ErrorId: 33f1c1f1-0000\n"
        "03-14 12:00:02.123  1000  9020 E ActivityManager: Frozen: false\n"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct android_crash c = {.package = tac_strdup("com.ex")};
        feed(&c, samples[i]);
        CHECK(c.crashed && c.anr);
        CHECK_STR(tac_str_text(&c.exception), "ANR");
        CHECK_STR(tac_str_text(&c.message), "Input dispatching timed out");
        CHECK_EQ(c.stack.count, 0);
        android_crash_traces(
            &c,
            TEXT("----- pid 77 at 2026-03-14 12:00:02.1+0000 -----\nCmd line: com.other\n"
                 "\"main\" prio=5 tid=1 Native\n  at com.other.A.b(A.java:1)\n"
                 "----- end 77 -----\n\n"
                 "----- pid 4242 at 2026-03-14 12:00:02.1+0000 -----\r\nCmd line: com.ex\r\n"
                 "\"Signal Catcher\" daemon prio=10 tid=5 Runnable\n  at com.ex.No.no(N.java:1)\n"
                 "\"main\" prio=5 tid=1 Sleeping\r\n"
                 "  | group=\"main\" sCount=1 ucsCount=0 flags=1\r\n"
                 "  native: #00 pc 0000000000054e10  /apex/libc.so (syscall+28)\r\n"
                 "  at java.lang.Thread.sleep(Native method)\r\n"
                 "  - sleeping on <0x0abc> (a java.lang.Object)\r\n"
                 "  at com.ex.Player.play(Player.java:42)\r\n"
                 "\"Thread-2\" prio=5 tid=9 Waiting\r\n  at com.ex.No.no(N.java:2)\r\n"
                 "----- end 4242 -----\r\n"));
        REQUIRE(c.stack.count == 2);
        CHECK_STR(c.stack.at[0], "java.lang.Thread.sleep(Native method)");
        CHECK_STR(c.stack.at[1], "com.ex.Player.play(Player.java:42)");
        android_crash_free(&c);
    }
}

TEST(deaths_without_a_fatal_exception)
{
    static const struct {
        const char *log, *exception;
        bool crashed;
    } samples[] = {
        {"03-14 12:00:02.123  1000  1020 I ActivityManager: Process com.ex (pid 4242) has died: "
         "fore "
         "TOP\n",
         "process died", true},
        {"03-14 12:00:02.123  1000  1020 I ActivityManager: Process com.ex (pid 41) has died\n"
         "03-14 12:00:02.123  1000  1020 I ActivityManager: Process com.ex:push (pid 77) has died\n"
         "03-14 12:00:02.123  1000  1020 I am_proc_died: [0,77,com.ex:push,900,19]\n",
         "", false},
        {"03-14 12:00:02.123  1000  1020 I am_proc_died: [0,4242,com.ex,0,2]\n", "process died",
         true},
        {"03-14 12:00:02.123  1000  1020 I am_crash: "
         "[4242,0,com.ex,552091206,java.lang.NullPointerException,Attempt,A.java,4]\n",
         "java.lang.NullPointerException", true},
        /* the death is logged before the crash */
        {"03-14 12:00:02.123  1000  1020 I am_proc_died: [0,4242,com.ex,0,2]\n"
         "03-14 12:00:02.120  4242  4242 E AndroidRuntime: FATAL EXCEPTION: main\n"
         "03-14 12:00:02.120  4242  4242 E AndroidRuntime: Process: com.ex, PID: 4242\n"
         "03-14 12:00:02.120  4242  4242 E AndroidRuntime: java.lang.Error: late\n",
         "java.lang.Error", true},
        {"03-14 12:00:02.123  4242  4242 E ACRA    : ACRA caught a RuntimeException for com.ex\n"
         "03-14 12:00:02.123  4242  4242 E ACRA    : java.lang.RuntimeException: outer\n"
         "03-14 12:00:02.123  4242  4242 E ACRA    : \tat com.ex.A.b(A.java:4)\n"
         "03-14 12:00:02.123  4242  4242 E ACRA    : Caused by: java.io.IOException: inner\n",
         "java.io.IOException", true},
        {"03-14 12:00:02.123  4242  4242 W System.err: java.lang.IllegalStateException: caught\n"
         "03-14 12:00:02.123  4242  4242 W System.err: \tat com.ex.A.b(A.java:4)\n",
         "", false},
        {"03-14 12:00:02.123  4242  4242 W System.err: java.lang.IllegalStateException: mine\n"
         "03-14 12:00:02.123  4242  4242 W System.err: \tat com.ex.A.b(A.java:4)\n"
         "03-14 12:00:02.323  1000  1020 I ActivityManager: Process com.ex (pid 4242) has died\n",
         "java.lang.IllegalStateException", true},
        {"03-14 12:00:02.123  4242  4250 F libc    : Fatal signal 6 (SIGABRT), code -6 in tid 4250 "
         "(x), pid 4242 (com.ex)\n",
         "SIGABRT", true},
        {"03-14 12:00:02.123  1000  1020 I ActivityTaskManager: START u0 {flg=0x10008000 "
         "cmp=com.ex/cat.ereza.customactivityoncrash.activity.DefaultErrorActivity (has extras)} "
         "from uid 10123\n",
         "error activity", true},
        {"03-14 12:00:02.123  1000  1020 I ActivityManager: START u0 {cmp=com.ex/.ErrorActivity} "
         "from uid 10123\n",
         "", false},
        {"03-14 12:00:02.123  1000  1020 I ActivityManager: START u0 "
         "{cmp=com.exotic/org.acra.dialog.CrashReportDialog} from uid 10123\n",
         "", false},
        {"03-14 12:00:02.123  99  99 F libc    : Fatal signal 6 (SIGABRT), code -6 in tid 4250 "
         "(x)\n",
         "", false},
        {"03-14 12:00:02.123  4242  4250 D StrictMode: StrictMode policy violation; ~duration=3 "
         "ms: "
         "android.os.strictmode.DiskReadViolation\n",
         "", false}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct android_crash c = {.package = tac_strdup("com.ex"), .app_pid = 4242};
        feed(&c, samples[i].log);
        if (c.crashed != samples[i].crashed ||
            (c.crashed && strcmp(tac_str_text(&c.exception), samples[i].exception) != 0))
            test_fail(__FILE__, __LINE__, "sample %zu: %d '%s'", i, c.crashed,
                      tac_str_text(&c.exception));
        CHECK_EQ(c.violations, strstr(samples[i].log, "StrictMode") != NULL);
        android_crash_free(&c);
    }
    struct android_crash c = {.package = tac_strdup("com.ex"), .app_pid = 4242, .stopping = true};
    feed(&c, samples[0].log);
    CHECK(!c.crashed); /* we stopped it */
    c.stopping = false;
    feed(&c, samples[8].log);
    android_crash_tombstone(&c,
                            TEXT("Drop box contents\n====\npid: 4242, tid: 4250, name: x  >>> "
                                 "com.ex <<<\nsignal 6 (SIGABRT), code -6 (SI_TKILL)\nbacktrace:\n"
                                 "  #00 pc 0001  /system/lib/libc.so (abort+4)\n"));
    CHECK_EQ(c.stack.count, 1);
    CHECK_STR(tac_str_text(&c.exception), "SIGABRT");
    android_crash_free(&c);
}

TEST(an_error_activity_says_more_about_a_death_and_gives_way_to_a_stack)
{
    struct android_crash c = {.package = tac_strdup("com.ex"), .app_pid = 4242};
    feed(&c, "03-14 12:00:02.123  1000  1020 I ActivityManager: Process com.ex (pid 4242) has "
             "died\n"
             "03-14 12:00:02.223  1000  1020 I ActivityManager: START u0 "
             "{cmp=com.ex/.ui.ErrorActivity} from uid 10123\n");
    CHECK_STR(tac_str_text(&c.exception), "process died");
    CHECK(strstr(tac_str_text(&c.message), "; the app shows .ui.ErrorActivity") != NULL);
    feed(&c, "03-14 12:00:02.323  4242  4242 E AndroidRuntime: FATAL EXCEPTION: main\n"
             "03-14 12:00:02.323  4242  4242 E AndroidRuntime: Process: com.ex, PID: 4242\n"
             "03-14 12:00:02.323  4242  4242 E AndroidRuntime: java.lang.IllegalStateException: "
             "x\n");
    CHECK_STR(tac_str_text(&c.exception), "java.lang.IllegalStateException");
    android_crash_free(&c);
}
