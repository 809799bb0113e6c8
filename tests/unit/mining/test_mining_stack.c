/* Clusters from stacks: framework frames, obfuscated names, native frames, causes, cut stacks. */
#include "mining/mining.h"
#include "tactus_test.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_cluster(int line, const char *exception, const char *stack, const char *packages,
                          const char *wanted)
{
    char *got = tac_stack_cluster(exception, stack, packages, NULL);
    if (strcmp(got, wanted))
        test_fail(__FILE__, line, "cluster is \"%s\", not \"%s\"", got, wanted);
    free(got);
}
#define CLUSTER(exception, stack, packages, wanted)                                                \
    check_cluster(__LINE__, exception, stack, packages, wanted)

TEST(framework_frames_are_skipped)
{
    CLUSTER("java.lang.NullPointerException",
            "\tat java.util.Objects.requireNonNull(Objects.java:203)\n"
            "\tat androidx.recyclerview.widget.RecyclerView.onLayout(RecyclerView.java:1)\n"
            "\tat org.example.app.MainActivity.onResume(MainActivity.kt:31)\n"
            "\tat org.example.app.Base.call(Base.kt:9)\n",
            NULL, "java.lang.NullPointerException at org.example.app.MainActivity.onResume");
    CLUSTER(NULL, "at java.base/java.util.ArrayList.get(ArrayList.java:1)\nat a.B.c(B.java:2)",
            NULL, "a.B.c");
}

/* Class loaders and modules stand before a class: Gradle's tests print "app//". */
TEST(loaders_and_modules_are_no_part_of_a_class)
{
    CLUSTER("E", "at java.sql@17.0.1/java.sql.Date.get(Date.java:1)\nat app//org.x.C.d(C.java:2)",
            "org.x", "E at org.x.C.d");
    CLUSTER("E", "\tat app/shop@1.0/org.x.C.d(C.java:2)", "org.x", "E at org.x.C.d");
    CLUSTER("E", "\tat app//org.x.C$$Lambda$14/0x00000008000c4840.run(Unknown Source)", NULL,
            "E at org.x.C$$Lambda.run");
}

TEST(rust_frames_have_their_place_below)
{
#define RUST                                                                                       \
    "thread 'main' panicked at src/cart.rs:10:5:\nindex out of bounds\nstack backtrace:\n"         \
    "   0: rust_begin_unwind\n             at /rustc/abc/library/std/src/panicking.rs:647:5\n"     \
    "   1: core::panicking::panic_fmt\n             at /rustc/abc/core/src/panicking.rs:72:14\n"
    CLUSTER(NULL, RUST "   2: shop::cart::item\n             at ./src/cart.rs:10:5\n   3: main\n",
            NULL, "shop::cart::item");
    CLUSTER("panic", RUST "   2: <shop::Pay as shop::Do>::pay::h0123456789abcdef\n", NULL,
            "panic at <shop::Pay as shop::Do>::pay");
}

TEST(packages_choose_the_frame)
{
    const char *stack = "\tat com.squareup.okhttp.Call.execute(Call.java:1)\n"
                        "\tat org.example.app.Net.load(Net.java:5)\n";
    CLUSTER("E", stack, "org.example", "E at org.example.app.Net.load");
    CLUSTER("E", stack, "org.other,org.example.app.", "E at org.example.app.Net.load");
    CLUSTER("E", stack, NULL, "E at org.example.app.Net.load");
    char *got = tac_stack_cluster("E", "at com.vendor.A.b(A.java:1)\nat org.x.C.d(C.java:2)", NULL,
                                  "com.vendor.");
    CHECK_STR(got, "E at org.x.C.d");
    free(got);
}

TEST(line_numbers_do_not_split_clusters)
{
    CLUSTER("E", "\tat a.b.C.d(C.java:10)\n", NULL, "E at a.b.C.d");
    CLUSTER("E", "\tat a.b.C.d(C.java:11)\n", NULL, "E at a.b.C.d");
    CLUSTER("E", "\tat a.b.C.d(Unknown Source:2)\n", NULL, "E at a.b.C.d");
}

TEST(obfuscated_names_count_as_the_app)
{
    const char *stack = "\tat android.os.Handler.dispatchMessage(Handler.java:106)\n"
                        "\tat b.c.a.e.f(Unknown Source:14)\n"
                        "\tat x4.e.run(SourceFile:3)\n";
    CLUSTER("E", stack, "org.example", "E at b.c.a.e.f");
    CLUSTER("E", stack, NULL, "E at b.c.a.e.f");
}

TEST(lambda_counters_are_left_out)
{
    CLUSTER("E", "\tat a.Main.lambda$onCreate$0(Main.java:1)\n", NULL, "E at a.Main.onCreate");
    CLUSTER("E", "\tat a.Main.lambda$onCreate$3$Main(Main.java:1)\n", NULL, "E at a.Main.onCreate");
    CLUSTER("E", "\tat a.Main$$ExternalSyntheticLambda7.run(D8$$SyntheticClass)\n", NULL,
            "E at a.Main$$ExternalSyntheticLambda.run");
    CLUSTER("E", "\tat a.Main$$Lambda$12/0x00001f.run(Unknown Source)\n", NULL,
            "E at a.Main$$Lambda.run");
}

TEST(native_frames)
{
    const char *stack =
        "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n"
        "      #00 pc 0000000000082ab4  /apex/com.android.runtime/lib64/bionic/libc.so "
        "(memcpy+12)\n"
        "      #01 pc 000000000001a2b4  /data/app/org.example-1/lib/arm64/libcodec.so "
        "(codec_decode+148) (BuildId: 3f)\n"
        "      #02 pc 0000000000013000  /data/app/org.example-1/lib/arm64/libcodec.so (Java_x+4)\n";
    CLUSTER("SIGSEGV", stack, NULL, "SIGSEGV at libcodec.so!codec_decode");
    CLUSTER("SIGSEGV", "#00 pc 0001  /data/app/x/lib/libraw.so (BuildId: 00)\n", NULL,
            "SIGSEGV at libraw.so+0x1");
    CLUSTER("SIGSEGV", "#00 pc 0001  /system/lib/libc.so (abort+1)\n", NULL,
            "SIGSEGV at libc.so!abort");
}

TEST(the_innermost_cause_decides)
{
    const char *stack = "java.lang.RuntimeException: outer\n"
                        "\tat org.example.Outer.run(Outer.java:1)\n"
                        "\tSuppressed: java.io.IOException\n"
                        "\t\tat org.example.Closer.close(Closer.java:1)\n"
                        "Caused by: java.lang.IllegalStateException\n"
                        "\tat org.example.Middle.run(Middle.java:2)\n"
                        "\t... 3 more\n"
                        "Caused by: java.lang.NullPointerException\n"
                        "\tat java.util.Objects.requireNonNull(Objects.java:1)\n"
                        "\tat org.example.Inner.run(Inner.java:3)\n"
                        "\t... 5 more\n";
    CLUSTER("java.lang.RuntimeException", stack, NULL,
            "java.lang.NullPointerException at org.example.Inner.run");
    /* a cause without a frame of the app leaves the decision to the one around it */
    CLUSTER("E",
            "\tat org.example.Outer.run(Outer.java:1)\n"
            "Caused by: java.lang.Error\n\tat java.lang.Thread.run(Thread.java:1)\n",
            "org.example", "java.lang.Error at org.example.Outer.run");
}

TEST(truncated_stacks)
{
    CLUSTER("java.lang.OutOfMemoryError",
            "\tat java.util.Arrays.copyOf(Arrays.java:1)\n\t... 40 more", NULL,
            "java.lang.OutOfMemoryError at java.util.Arrays.copyOf");
    CLUSTER("E", "\tat org.example.A.run(A.java:1)\n\tat org.exam", NULL, "E at org.example.A.run");
    /* a frame cut in the middle of its name is not taken for a method */
    CLUSTER("E", "\tat org.exam", NULL, "E");
    CLUSTER("java.lang.StackOverflowError: stack size 8MB", NULL, NULL,
            "java.lang.StackOverflowError");
    CLUSTER("E", "", NULL, "E");
    CLUSTER(NULL, NULL, NULL, "fail");
    CLUSTER(NULL, "garbage without frames", NULL, "fail");
}

/* --- Log layouts ------------------------------------------------------------------------------ */

static const char *const crash_lines[] = {
    "FATAL EXCEPTION: main",
    "Process: org.example.app, PID: 4711",
    "java.lang.RuntimeException: Unable to start activity",
    "\tat android.app.ActivityThread.performLaunchActivity(ActivityThread.java:2665)",
    "\tat okhttp3.Dns$1.lookup(Dns.kt:49)",
    "Caused by: java.lang.IllegalStateException: not: ready",
    "\tat okhttp3.Dns$1.lookup(Dns.kt:49)",
    "\tat org.example.app.Net.load(Net.kt:31)",
    "\t... 8 more",
};

/* The same crash behind a header; every second line somebody else logs in between. */
static char *in_layout(const char *header, const char *other)
{
    static char text[8192];
    size_t used = 0;
    for (size_t i = 0; i < sizeof crash_lines / sizeof *crash_lines; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s\n", header, crash_lines[i]);
        if (other && i % 2)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", other);
    }
    return text;
}

TEST(headers_of_every_layout_are_stripped)
{
    static const char *const layouts[][2] = {
        {"", NULL},
        {"07-15 19:28:27.018 13673 13673 E AndroidRuntime: ",
         "07-15 19:28:27.019   938  3950 I chatty  : uid=1000 identical 131 lines"},
        {"2021-07-15 19:28:27.018 +0200 13673 13673 E AndroidRuntime: ", NULL},
        {"07-15 19:28:27.018 u0_a12 13673 13673 E AndroidRuntime: ", NULL},
        {"1594834107.018 13673 13673 E AndroidRuntime: ", NULL},
        {"log.txt:12:07-15 19:28:27.018 13673 13673 E AndroidRuntime: ", NULL},
        {"07-15 19:28:27.018 E/AndroidRuntime(13673): ",
         "07-15 19:28:27.019 W/System.err( 938): \tat org.other.Main.run(Main.java:1)"},
        {"E/AndroidRuntime( 1367): ", "W/Other( 1): java.lang.Error"},
        {"E/AndroidRuntime: ", NULL},
        {"E AndroidRuntime: ", "D Other: something else: happens"},
        {"E( 1367) ", NULL},
        {"E( 1367: 1367) ", NULL},
        {"07-15 19:28:27.018 13673-13673/org.example.app E/AndroidRuntime: ", NULL},
        {"2023-05-03 15:13:33.669  9996-9996  AndroidRuntime   org.example.app    E  ", NULL},
        {"[ 07-15 19:28:27.018 13673:13673 E/AndroidRuntime ]\n", NULL},
    };
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        char *got = tac_stack_cluster(NULL, in_layout(layouts[i][0], layouts[i][1]), NULL, NULL);
        if (strcmp(got, "java.lang.IllegalStateException at org.example.app.Net.load"))
            test_fail(__FILE__, __LINE__, "layout %zu \"%s\": %s", i, layouts[i][0], got);
        free(got);
    }
}

TEST(colours_and_quotes_are_no_part_of_a_stack)
{
    static const char *const lines[] = {"FATAL EXCEPTION: main",
                                        "java.lang.IllegalStateException: x",
                                        "\tat org.x.Main.go(Main.java:7)"};
    static const char *const forms[] = {
        "\033[31m07-15 12:00:00.000  47  47 E AndroidRuntime: %s\033[0m\n", "> %s\n", "> > %s\n",
        "\033[1;31mE/AndroidRuntime( 47): %s\033[m\r\n"};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        char text[1024] = "", line[256];
        for (size_t i = 0; i < 3; i++) {
            const char *mark = strstr(forms[f], "%s");
            snprintf(line, sizeof line, "%.*s%s%s", (int)(mark - forms[f]), forms[f], lines[i],
                     mark + 2);
            strcat(text, line);
        }
        char *name = tac_stack_cluster(NULL, text, NULL, NULL);
        CHECK_STR(name, "java.lang.IllegalStateException at org.x.Main.go");
        free(name);
    }
}

TEST(circular_causes_symbols_with_arguments_and_bare_notices)
{
    static const char *const pairs[][2] = {
        {"FATAL EXCEPTION: main\njava.lang.RuntimeException: a\n\tat org.x.A.a(A.java:1)\n"
         "Caused by: java.lang.IllegalArgumentException: b\n\tat org.x.B.b(B.java:2)\n"
         "Caused by: [CIRCULAR REFERENCE: java.lang.RuntimeException: a]\n",
         "java.lang.IllegalArgumentException at org.x.B.b"},
        {"signal 11 (SIGSEGV), code 1\nbacktrace:\n"
         "      #00 pc 0123  /data/app/x/lib/arm64/libx.so (x::draw(int, char*)+16) (BuildId: a)\n",
         "SIGSEGV at libx.so!x::draw(int, char*)"},
        {"07-15 12:00:00.000   900   950 E ActivityManager: ANR in org.x (org.x/.Main)\n",
         "ANR (org.x)"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *name = tac_stack_cluster(NULL, pairs[i][0], NULL, NULL);
        CHECK_STR(name, pairs[i][1]);
        free(name);
    }
}

TEST(exceptions_tell_crashes_of_one_method_apart)
{
    CLUSTER("java.lang.Error: a", "\tat org.x.A.b(A.java:1)\n", NULL,
            "java.lang.Error at org.x.A.b");
    CLUSTER("java.io.IOException: a", "\tat org.x.A.b(A.java:1)\n", NULL,
            "java.io.IOException at org.x.A.b");
}

TEST(threads_and_processes_are_not_exceptions)
{
    CLUSTER("FATAL EXCEPTION: main", "java.lang.Error\n\tat org.x.A.b(A.java:1)\n", NULL,
            "java.lang.Error at org.x.A.b");
    CLUSTER(NULL, "Process: org.x, PID: 1\njava.lang.Error: a\n\tat java.lang.C.d(C.java:1)\n",
            NULL, "java.lang.Error at java.lang.C.d (org.x)");
}

TEST(crashes_in_the_platform_are_told_apart_by_what_their_message_names)
{
    const char *stack = "java.lang.IllegalStateException: adapter:org.x.ui.%s@1f00\n"
                        "\tat android.view.View.draw(View.java:1)\n";
    char one[200], two[200];
    snprintf(one, sizeof one, stack, "ListAdapter");
    snprintf(two, sizeof two, stack, "GridAdapter");
    CLUSTER(NULL, one, NULL,
            "java.lang.IllegalStateException at android.view.View.draw (org.x.ui.ListAdapter)");
    CLUSTER(NULL, two, NULL,
            "java.lang.IllegalStateException at android.view.View.draw (org.x.ui.GridAdapter)");
}

TEST(the_main_thread_of_an_anr)
{
    CLUSTER(NULL,
            "----- pid 12 at 2020-08-20 18:16:17 -----\nCmd line: org.x.app\n\n"
            "\"Signal Catcher\" daemon prio=5 tid=3 Runnable\n  | group=\"system\"\n"
            "  at org.x.app.Other.run(Other.java:1)\n\n"
            "\"main\" prio=5 tid=1 Waiting\n  | group=\"main\" sCount=1\n"
            "  native: #00 pc 0001  /system/lib/libc.so (wait+1)\n"
            "  at java.lang.Object.wait!(Native method)\n  - waiting on <0x01> (a b.C)\n"
            "  at org.x.app.Db.open(Db.java:2)\n\n\"Binder\" prio=5 tid=9 Native\n",
            NULL, "ANR at org.x.app.Db.open");
}

TEST(a_tombstone_with_its_registers)
{
    CLUSTER(NULL,
            "*** *** *** *** *** ***\nBuild fingerprint: 'a/b'\n"
            "pid: 1, tid: 2, name: x  >>> org.x.app <<<\n"
            "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n    x0 01 x1 02\n\n"
            "backtrace:\n      #00 pc 0002  /apex/x/libc.so (memcpy+1)\n"
            "      #01 pc 0003  /data/app/org.x/lib/arm64/libcodec.so (decode+1)\n\n"
            "stack:\n    0000 0001  /system/lib/libc.so\n",
            NULL, "SIGSEGV at libcodec.so!decode");
}

TEST(lines_that_a_terminal_broke)
{
    CLUSTER(NULL,
            "05-30 03:44:33.661  2465  2465 E AndroidRuntime: java.lang.Error: long\n"
            "05-30 03:44:33.661  2465  2465 E AndroidRuntime: \tat android.app.A.execute(Transac\n"
            "tionExecutor.java:176)\n"
            "05-30 03:44:33.661  2465  2465 E AndroidRuntime: \tat org.x.Main.resu\n"
            "me(Main.java:3)\n",
            NULL, "java.lang.Error at org.x.Main.resume");
}

TEST(browser_stacks)
{
    CLUSTER("TypeError",
            "TypeError: x is null\n    at playNext (https://h/app.js:10:5)\n"
            "    at HTMLButtonElement.onclick (https://h/app.js:20:1)\n",
            NULL, "TypeError at playNext");
    CLUSTER("TypeError", "playNext@https://h/app.js:10:5\nonclick@https://h/app.js:20:1\n", NULL,
            "TypeError at playNext");
    CLUSTER("E", "    at async Queue.load (file:///q.js:1:2)\n", NULL, "E at Queue.load");
}

/* --- Files ------------------------------------------------------------------------------------ */

static char *cluster_after(const char *first, const char *then)
{
    char line[256], stack[256];
    snprintf(line, sizeof line,
             "{\"verdict\":\"crash\",\"stack\":\"TypeError: x is null\\n    at %s\","
             "\"events\":[]}\n",
             first);
    const char *path = test_write("guessed.jsonl", line);
    tac_runs *runs;
    REQUIRE(tac_runs_new(NULL, &runs, NULL) == TAC_OK);
    REQUIRE(tac_runs_read(runs, path, NULL, NULL) == TAC_OK);
    snprintf(stack, sizeof stack, "TypeError: x is null\n    at %s", then);
    char *name = tac_runs_crash_cluster(runs, "", stack, NULL);
    tac_runs_free(runs);
    return name;
}

/* V8 guesses names of nameless functions, at each load of a script anew; other engines guess
 * others. Without the source, nameless functions of one file are one. */
TEST(a_nameless_function_is_known_by_its_place)
{
    static const struct {
        const char *first, *then, *cluster;
    } cases[] = {
        {"n.<anonymous> (http://a.test/app.js:3:5)", "<anonymous> (http://a.test/app.js:3:5)",
         "n.<anonymous>"},
        {"show (http://a.test:81/app.js:3:5)", "n.<anonymous> (http://a.test:99/app.js:3:5)",
         "show"},
        {"http://a.test/app.js:3:5", "n.<anonymous> (http://a.test/app.js:3:5)", "app.js"},
        {"n.<anonymous> (http://a.test/app.js:3:5)", "m.<anonymous> (http://a.test/app.js:3:6)",
         "n.<anonymous>"},
        {"n.<anonymous> (http://a.test/app.js:3:5)", "m.<anonymous> (http://a.test/b/app.js:3:5)",
         "n.<anonymous>"},
        {"n.<anonymous> (http://a.test/app.js:3:5)", "m.<anonymous> (http://a.test/shop.js:3:5)",
         "m.<anonymous>"},
        {"show (http://a.test/app.js:3:5)", "hide (http://a.test/app.js:3:5)", "hide"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *name = cluster_after(cases[i].first, cases[i].then), wanted[64];
        snprintf(wanted, sizeof wanted, "TypeError at %s", cases[i].cluster);
        CHECK_STR(name, wanted);
        free(name);
    }
}

TEST(a_mapping_file_gives_names_back)
{
    char path[] = "/tmp/tactus-mapping-XXXXXX";
    int file = mkstemp(path);
    REQUIRE(file >= 0);
    FILE *out = fdopen(file, "w");
    fputs("# compiler: R8\norg.example.Player -> a.b:\n    int count -> a\n"
          "    1:5:void onNext(int):88:92 -> a\n    6:9:void org.example.Queue.clear():1:4 -> a\n"
          "    6:9:void onClear():95 -> a\n    void stop() -> b\norg.example.Bad -> a.c:\n",
          out);
    fclose(out);
    tac_runs_options options = {.mapping = path};
    tac_runs *runs;
    tac_error err;
    REQUIRE(tac_runs_new(&options, &runs, &err) == TAC_OK);
    tac_runs_free(runs);
    static const char *const stacks[][2] = {
        {"at a.b.a(SourceFile:3)", "org.example.Bad at org.example.Player.onNext"},
        {"at a.b.a(SourceFile:7)", "org.example.Bad at org.example.Queue.clear"},
        {"at a.b.b(SourceFile)", "org.example.Bad at org.example.Player.stop"},
        {"at a.b.a(Unknown Source)", "org.example.Bad at org.example.Player.a"},
        {"at x.y.z(SourceFile:1)", "org.example.Bad at x.y.z"},
    };
    char jsonl[] = "/tmp/tactus-runs-XXXXXX";
    file = mkstemp(jsonl);
    out = fdopen(file, "w");
    for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++)
        fprintf(out,
                "{\"verdict\":\"crash\",\"exception\":\"a.c\",\"stack\":\"%s\",\"events\":[]}\n",
                stacks[i][0]);
    fclose(out);
    REQUIRE(tac_runs_new(&options, &runs, &err) == TAC_OK);
    REQUIRE(tac_runs_read(runs, jsonl, NULL, &err) == TAC_OK);
    for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++)
        CHECK_STR(tac_runs_cluster_name(runs, tac_runs_label(runs, i)), stacks[i][1]);
    tac_runs_free(runs);
    unlink(path);
    unlink(jsonl);
}

static char *whole_file(const char *path)
{
    FILE *file = fopen(path, "r");
    REQUIRE(file);
    char *text = calloc(1, 1 << 20);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* Reported crashes of real apps, as people pasted them: each its own cluster. */
TEST(every_reported_bug_is_a_cluster_of_its_own)
{
    const char *folder = test_corpus("android/themis");
    if (!folder)
        SKIP("the corpus (TACTUS_CORPUS) is not here");
    char *names[128], path[4096];
    size_t count = 0;
    DIR *list = opendir(folder);
    REQUIRE(list);
    for (struct dirent *entry; (entry = readdir(list)) && count < 128;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        char *text = whole_file(path);
        char *name = names[count++] = tac_stack_cluster(NULL, text, NULL, NULL);
        free(text);
        CHECK(strstr(name, "Exception") && strstr(name, " at "));
        for (size_t i = 0; i + 1 < count; i++)
            if (strcmp(names[i], name) == 0)
                test_fail(__FILE__, __LINE__, "%s: a second bug in cluster %s", entry->d_name,
                          name);
    }
    closedir(list);
    CHECK(count >= 30);
    while (count--)
        free(names[count]);
}
