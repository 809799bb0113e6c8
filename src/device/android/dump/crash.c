/* Crashes, deaths and hangs in a log, fed line by line; native ones and hangs in crash_native.c.
 *
 *     E AndroidRuntime: FATAL EXCEPTION: main
 *     E AndroidRuntime: Process: com.example, PID: 4242
 *     E AndroidRuntime: java.lang.RuntimeException: Unable to start activity
 *     E AndroidRuntime: <TAB>at android.app.ActivityThread.performLaunchActivity(...)
 *     E AndroidRuntime: Caused by: java.lang.IllegalStateException: no song
 *
 *     E ACRA    : ACRA caught a RuntimeException for com.example       handlers of the app's own
 *     W System.err: java.lang.IllegalStateException: no song           counts when the app dies of
 * it
 *
 *     I ActivityManager: Process com.example (pid 4242) has died: fore TOP
 *     I am_proc_died: [0,4242,com.example,0,2]                         the events buffer
 *     I am_crash: [4242,0,com.example,552091,java.lang.NullPointerException,null,A.java,4]
 *
 * The exception is the root cause, and its frames come first; the chain has all of them from the
 * outermost in. Lines of other processes may lie between those of a crash; it is told by tag and
 * pid. The first crash is kept, except that what explains a death takes the place of the bare
 * death. Android before 4.4 prints no process line: then the crash counts as the app's. */
#include "device/android/dump/crash.h"
#include "base/data/text.h"
#include <string.h>

static void clear_java(struct android_crash *crash)
{
    java_stack_free(&crash->java);
    tac_arena_free(&crash->arena);
    crash->java = (struct java_stack){.arena = &crash->arena};
}

void android_crash_clear(struct android_crash *crash)
{
    for (size_t i = 0; i < crash->stack.count; i++)
        free(crash->stack.at[i]);
    for (size_t i = 0; i < crash->chain.count; i++)
        free(crash->chain.at[i]);
    crash->stack.count = crash->chain.count = 0;
    tac_str_clear(&crash->exception);
    tac_str_clear(&crash->message);
    crash->crashed = crash->anr = crash->native = crash->died = crash->printed = false;
    crash->step = IDLE;
    crash->violations = 0;
    clear_java(crash);
}

void android_crash_free(struct android_crash *crash)
{
    android_crash_clear(crash);
    tac_vec_free(&crash->stack);
    tac_vec_free(&crash->chain);
    tac_str_free(&crash->exception);
    tac_str_free(&crash->message);
    free(crash->package);
    crash->package = NULL;
}

bool crash_is_mine(const struct android_crash *crash, const char *name)
{
    if (!crash->package)
        return true;
    size_t n = strlen(crash->package);
    return !strncmp(name, crash->package, n) && strchr(" ,(:]/", name[n]) != NULL;
}

bool crash_may_begin(const struct android_crash *crash)
{
    return !crash->crashed || crash->died;
}

void crash_begin(struct android_crash *crash, const tac_log_line *line)
{
    for (size_t i = 0; i < crash->stack.count; i++)
        free(crash->stack.at[i]);
    for (size_t i = 0; i < crash->chain.count; i++)
        free(crash->chain.at[i]);
    crash->stack.count = crash->chain.count = 0;
    tac_str_clear(&crash->exception);
    tac_str_clear(&crash->message);
    crash->died = false;
    crash->crashed = true;
    crash->time = line->time;
}

/* --- Java --- */

/* The text behind the class of the root, in the line that named it. */
static void take_message(struct android_crash *crash, const char *line)
{
    const char *name = strstr(line, crash->java.root);
    const char *text = name ? name + strlen(crash->java.root) : "";
    tac_str_clear(&crash->message);
    if (*text == ':')
        tac_str_add(&crash->message, text + 1 + (text[1] == ' '));
}

/* What the stack says so far, root first. */
static void tell_java(struct android_crash *crash)
{
    const struct java_stack *java = &crash->java;
    for (size_t i = 0; i < crash->stack.count; i++)
        free(crash->stack.at[i]);
    crash->stack.count = 0;
    for (size_t cause = java->causes + 1; cause-- > 0;)
        for (size_t i = 0; i < java->frames.count && crash->stack.count < MOST_FRAMES; i++)
            if (java->frames.at[i].cause == cause)
                tac_vec_push(&crash->stack, tac_strdup(java->frames.at[i].text));
}

/* One more line of the stack that is being read; false: it does not belong to it. */
static bool add_java(struct android_crash *crash, const char *line)
{
    struct java_stack *java = &crash->java;
    const char *root = java->root;
    size_t frames = java->frames.count;
    if (frames >= MOST_FRAMES * 4 || !java_stack_add(java, line, strlen(line)))
        return false;
    if (java->root && java->root != root) {
        tac_str_clear(&crash->exception);
        tac_str_add(&crash->exception, java->root);
        take_message(crash, line);
        tac_vec_push(&crash->chain, tac_strdup(java->root));
    }
    if (java->frames.count != frames && java->causes == 0 && crash->stack.count < MOST_FRAMES)
        tac_vec_push(&crash->stack, tac_strdup(tac_vec_last(&java->frames).text));
    else if (java->frames.count != frames || java->root != root)
        tell_java(crash);
    return true;
}

static void begin_java(struct android_crash *crash, const tac_log_line *line)
{
    clear_java(crash);
    crash->step = JAVA;
    crash->pid = line->pid;
    crash->tentative = true;
}

static void runtime_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *text = line->message;
    if (crash_may_begin(crash) && strstr(text, "FATAL EXCEPTION"))
        begin_java(crash, line);
    else if (crash->step != JAVA || line->pid != crash->pid)
        return;
    if (crash->tentative && !strncmp(text, "Process: ", 9) && !crash_is_mine(crash, text + 9)) {
        crash->step = IDLE;
        return;
    }
    bool named = strncmp(text, "Process: ", 9) && strncmp(text, "PID: ", 5) &&
                 !strstr(text, "FATAL EXCEPTION");
    if (crash->tentative && named) {
        crash_begin(crash, line);
        crash->tentative = false;
        if (!java_is_exception_line(text, strlen(text))) { /* a class of no usual form */
            size_t n = strcspn(text, ":");
            tac_str_add_bytes(&crash->exception, text, n);
            tac_str_add(&crash->message, text[n] ? text + n + 1 + (text[n + 1] == ' ') : "");
        }
    }
    add_java(crash, text);
}

/* --- the app's own handlers, and what it prints --- */

static bool is_handler(const char *tag)
{
    return TAC_IS_ONE_OF(tag, "ACRA", "CustomActivityOnCrash", "CrashHandler", "CrashReporter",
                         "UncaughtException", "CRASH", "Bugsnag", "CrashActivity");
}

static bool of_the_app(const struct android_crash *crash, const tac_log_line *line)
{
    return !crash->package || (crash->app_pid && crash->app_pid == line->pid);
}

static void handler_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *text = line->message, *app = strstr(text, " for ");
    bool says = !strncmp(text, "ACRA caught a ", 14) && app && crash_is_mine(crash, app + 5);
    if (crash->step == JAVA && crash->handled && line->pid == crash->pid) {
        add_java(crash, text);
        return;
    }
    bool exception = java_is_exception_line(text, strlen(text)) && line->level != 'D' &&
                     line->level != 'I' && line->level != 'V';
    if (!crash_may_begin(crash) || !(says || (exception && of_the_app(crash, line))))
        return;
    begin_java(crash, line);
    crash_begin(crash, line);
    crash->handled = true;
    crash->tentative = false;
    tac_str_add(&crash->exception, "crash");
    tac_str_add(&crash->message, text);
    add_java(crash, text);
}

/* A stack that the app prints is kept, in case the process dies next. */
static void printed_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *text = line->message;
    size_t length = strlen(text);
    if (!of_the_app(crash, line) || (crash->crashed && !crash->printed))
        return;
    if (java_is_exception_line(text, length) && !java_is_stack_line(text, length)) {
        begin_java(crash, line);
        for (size_t i = 0; i < crash->chain.count; i++)
            free(crash->chain.at[i]);
        crash->chain.count = 0;
        crash->printed = true;
        crash->printed_time = line->time;
    }
    if (crash->printed && crash->step == JAVA && line->pid == crash->pid)
        add_java(crash, text);
}

/* --- deaths --- */

static void died(struct android_crash *crash, const tac_log_line *line, int pid, const char *why)
{
    static const int64_t lately = INT64_C(5000000000);
    bool own_process = !crash->app_pid || !pid || pid == crash->app_pid;
    if (crash->crashed || crash->stopping || !own_process)
        return;
    bool explained = crash->printed && line->time - crash->printed_time < lately &&
                     line->time >= crash->printed_time - lately;
    crash->crashed = true;
    crash->time = line->time;
    if (explained)
        return; /* exception, message and stack are those that were printed */
    crash_begin(crash, line);
    crash->died = true;
    tac_str_add(&crash->exception, "process died");
    tac_str_add(&crash->message, why);
}

/* --- an activity that says that the app crashed --- */

enum screen { ORDINARY, SUSPECT, TELLS };

/* Those of the libraries tell it by being there; one that is merely called so only says more about
 * a death. */
static enum screen what_it_is(const char *name, size_t length)
{
    static const char *const libraries[] = {".customactivityoncrash.", "org.acra."};
    static const char *const words[] = {"CrashActivity", "ErrorActivity", "CrashReport",
                                        "CrashDialog", "ExceptionActivity"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (memmem(name, length, libraries[i], strlen(libraries[i])))
            return TELLS;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(name, length, words[i], strlen(words[i])))
            return SUSPECT;
    return ORDINARY;
}

/* "START u0 {flg=0x10008000 cmp=com.example/cat.ereza...DefaultErrorActivity (has extras)} ..." */
static void start_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *name = strncmp(line->message, "START ", 6) ? NULL : strstr(line->message, "cmp=");
    const char *class = name ? strchr(name, '/') : NULL;
    if (!class || (crash->package && (strncmp(name + 4, crash->package, strlen(crash->package)) ||
                                      name + 4 + strlen(crash->package) != class)))
        return;
    size_t length = strcspn(++class, " }");
    enum screen screen = what_it_is(class, length);
    if (screen == ORDINARY || crash->stopping || (screen == SUSPECT && !crash->died) ||
        !crash_may_begin(crash))
        return;
    if (!crash->died) {
        crash_begin(crash, line);
        crash->crashed = crash->died = true;
        crash->time = line->time;
        tac_str_add(&crash->exception, "error activity");
    }
    tac_str_add(&crash->message, crash->message.length ? "; the app shows " : "the app shows ");
    tac_str_add_bytes(&crash->message, class, length);
}

/* "Process com.example (pid 4242) has died: fore TOP" */
static void death_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *name = strstr(line->message, "Process "), *end = strstr(line->message, " has died");
    const char *pid = strstr(line->message, " (pid ");
    if (name && end && pid && pid < end && crash_is_mine(crash, name + 8) &&
        (!crash->package || name[8 + strlen(crash->package)] == ' '))
        died(crash, line, (int)strtol(pid + 6, NULL, 10), line->message);
}

/* "[0,4242,com.example,0,2]": user, pid, name, ...; am_crash has the pid first. */
static void event_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *field[8];
    size_t count = 0;
    const char *at = line->message + (*line->message == '[');
    for (; at && count < 8; at = strchr(at, ','), at = at ? at + 1 : NULL)
        field[count++] = at;
    if (count < 3 || !crash_is_mine(crash, field[2]) ||
        (crash->package && !strchr(",]", field[2][strlen(crash->package)])))
        return;
    if (!strcmp(line->tag, "am_proc_died"))
        died(crash, line, (int)strtol(field[1], NULL, 10), "the process died");
    if (!strcmp(line->tag, "am_crash") && count > 5) {
        bool known = crash->crashed && !crash->died;
        died(crash, line, (int)strtol(field[0], NULL, 10), "");
        if (known || !crash->died)
            return;
        tac_str_clear(&crash->exception);
        tac_str_add_bytes(&crash->exception, field[4], (size_t)(field[5] - field[4] - 1));
        tac_str_add_bytes(&crash->message, field[5], strcspn(field[5], ",]"));
    }
}

void android_crash_gone(struct android_crash *crash, int64_t time, const char *why)
{
    tac_log_line line = {.time = time, .tag = "", .message = why};
    died(crash, &line, 0, why);
}

void android_crash_line(struct android_crash *crash, const tac_log_line *line)
{
    if (!crash->java.arena)
        crash->java.arena = &crash->arena;
    if (!strcmp(line->tag, "AndroidRuntime")) {
        runtime_line(crash, line);
    } else if (!strcmp(line->tag, "ActivityManager")) {
        crash_anr_line(crash, line);
        death_line(crash, line);
        start_line(crash, line);
    } else if (!strcmp(line->tag, "ActivityTaskManager")) {
        start_line(crash, line);
    } else if (!strcmp(line->tag, "libc")) {
        crash_signal_line(crash, line);
    } else if (!strcmp(line->tag, "DEBUG")) {
        crash_native_line(crash, line);
    } else if (!strncmp(line->tag, "am_", 3)) {
        event_line(crash, line);
    } else if (!strcmp(line->tag, "System.err")) {
        printed_line(crash, line);
    } else if (is_handler(line->tag)) {
        handler_line(crash, line);
    } else if (!strcmp(line->tag, "StrictMode") && of_the_app(crash, line)) {
        crash->violations += strstr(line->message, "policy violation") != NULL;
    }
}
