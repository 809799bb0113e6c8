/* Clusters from stacks: framework frames, obfuscated names, native frames, causes, cut stacks. */
#include "tactus/mining.h"
#include "tactus_test.h"

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
            NULL, "org.example.app.MainActivity.onResume");
    CLUSTER(NULL, "at java.base/java.util.ArrayList.get(ArrayList.java:1)\nat a.B.c(B.java:2)",
            NULL, "a.B.c");
}

TEST(packages_choose_the_frame)
{
    const char *stack = "\tat com.squareup.okhttp.Call.execute(Call.java:1)\n"
                        "\tat org.example.app.Net.load(Net.java:5)\n";
    CLUSTER("E", stack, "org.example", "org.example.app.Net.load");
    CLUSTER("E", stack, "org.other,org.example.app.", "org.example.app.Net.load");
    CLUSTER("E", stack, NULL, "com.squareup.okhttp.Call.execute");
    char *got = tac_stack_cluster("E", stack, NULL, "com.squareup.");
    CHECK_STR(got, "org.example.app.Net.load");
    free(got);
}

TEST(line_numbers_do_not_split_clusters)
{
    CLUSTER("E", "\tat a.b.C.d(C.java:10)\n", NULL, "a.b.C.d");
    CLUSTER("E", "\tat a.b.C.d(C.java:11)\n", NULL, "a.b.C.d");
    CLUSTER("E", "\tat a.b.C.d(Unknown Source:2)\n", NULL, "a.b.C.d");
}

TEST(obfuscated_names_count_as_the_app)
{
    const char *stack = "\tat android.os.Handler.dispatchMessage(Handler.java:106)\n"
                        "\tat b.c.a.e.f(Unknown Source:14)\n"
                        "\tat x4.e.run(SourceFile:3)\n";
    CLUSTER("E", stack, "org.example", "b.c.a.e.f");
    CLUSTER("E", stack, NULL, "b.c.a.e.f");
}

TEST(lambda_counters_are_left_out)
{
    CLUSTER("E", "\tat a.Main.lambda$onCreate$0(Main.java:1)\n", NULL, "a.Main.onCreate");
    CLUSTER("E", "\tat a.Main.lambda$onCreate$3$Main(Main.java:1)\n", NULL, "a.Main.onCreate");
    CLUSTER("E", "\tat a.Main$$ExternalSyntheticLambda7.run(D8$$SyntheticClass)\n", NULL,
            "a.Main$$ExternalSyntheticLambda.run");
    CLUSTER("E", "\tat a.Main$$Lambda$12/0x00001f.run(Unknown Source)\n", NULL,
            "a.Main$$Lambda.run");
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
    CLUSTER("SIGSEGV", stack, NULL, "libcodec.so!codec_decode");
    CLUSTER("SIGSEGV", "#00 pc 0001  /data/app/x/lib/libraw.so (BuildId: 00)\n", NULL, "libraw.so");
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
    CLUSTER("java.lang.RuntimeException", stack, NULL, "org.example.Inner.run");
    /* a cause without a frame of the app leaves the decision to the one around it */
    CLUSTER("E",
            "\tat org.example.Outer.run(Outer.java:1)\n"
            "Caused by: java.lang.Error\n\tat java.lang.Thread.run(Thread.java:1)\n",
            "org.example", "org.example.Outer.run");
}

TEST(truncated_stacks)
{
    CLUSTER("java.lang.OutOfMemoryError",
            "\tat java.util.Arrays.copyOf(Arrays.java:1)\n\t... 40 more", NULL,
            "java.lang.OutOfMemoryError at java.util.Arrays.copyOf");
    CLUSTER("E", "\tat org.example.A.run(A.java:1)\n\tat org.exam", NULL, "org.example.A.run");
    /* a frame cut in the middle of its name is not taken for a method */
    CLUSTER("E", "\tat org.exam", NULL, "E");
    CLUSTER("java.lang.StackOverflowError: stack size 8MB", NULL, NULL,
            "java.lang.StackOverflowError");
    CLUSTER("E", "", NULL, "E");
    CLUSTER(NULL, NULL, NULL, "fail");
    CLUSTER(NULL, "garbage without frames", NULL, "garbage");
}

TEST(browser_stacks)
{
    CLUSTER("TypeError",
            "TypeError: x is null\n    at playNext (https://h/app.js:10:5)\n"
            "    at HTMLButtonElement.onclick (https://h/app.js:20:1)\n",
            NULL, "playNext");
    CLUSTER("TypeError", "playNext@https://h/app.js:10:5\nonclick@https://h/app.js:20:1\n", NULL,
            "playNext");
    CLUSTER("E", "    at async Queue.load (file:///q.js:1:2)\n", NULL, "Queue.load");
}
