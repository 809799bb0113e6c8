/* Crashes and hangs in a log, fed line by line.
 *
 *     E AndroidRuntime: FATAL EXCEPTION: main
 *     E AndroidRuntime: Process: com.example, PID: 4242
 *     E AndroidRuntime: java.lang.IllegalStateException: no song
 *     E AndroidRuntime: <TAB>at com.example.Player.play(Player.java:42)
 *
 *     E ActivityManager: ANR in com.example (com.example/.Main)
 *     E ActivityManager: Reason: Input dispatching timed out
 *
 *     F DEBUG   : pid: 4242, tid: 4250, name: RenderThread  >>> com.example <<<
 *     F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
 *     F DEBUG   : Abort message: 'no surface'
 *     F DEBUG   :     #00 pc 0000000000012345  /data/app/.../libnative.so (draw+12) (BuildId: ...)
 *
 * The last is of native code, written by another process (crash_dump); before Android 6 with the
 * level I. Lines of other processes may lie between those of a crash; it is told by tag and pid.
 * Only the first crash is kept, and of it at most MOST_FRAMES frames. Android before 4.4 prints no
 * process line: then the crash counts as the app's. */
#include "device/android/dump/parse.h"
#include <stdio.h>
#include <string.h>

enum { MOST_FRAMES = 200 };
/* Where a crash is being read. */
enum { HEAD = 1, PROCESS, FRAMES, NATIVE_HEAD, NATIVE };

void android_crash_clear(struct android_crash *crash)
{
    for (size_t i = 0; i < crash->stack.count; i++)
        free(crash->stack.at[i]);
    crash->stack.count = 0;
    tac_str_clear(&crash->exception);
    tac_str_clear(&crash->message);
    crash->crashed = crash->anr = crash->native = false;
    crash->step = 0;
}

void android_crash_free(struct android_crash *crash)
{
    android_crash_clear(crash);
    tac_vec_free(&crash->stack);
    tac_str_free(&crash->exception);
    tac_str_free(&crash->message);
    free(crash->package);
    crash->package = NULL;
}

/* The name up to a blank, ',' or '(' is the package, or one of its processes ("pkg:remote"). */
static bool is_mine(const struct android_crash *crash, const char *name)
{
    if (!crash->package)
        return true;
    size_t n = strlen(crash->package);
    return !strncmp(name, crash->package, n) && strchr(" ,(:", name[n]) != NULL;
}

static void exception_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *colon = strstr(line->message, ": ");
    size_t n = colon ? (size_t)(colon - line->message) : strlen(line->message);
    tac_str_add_bytes(&crash->exception, line->message, n);
    tac_str_add(&crash->message, colon ? colon + 2 : "");
    crash->crashed = true;
    crash->time = line->time;
    crash->step = FRAMES;
}

static void runtime_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *text = line->message;
    if (!crash->crashed && !strncmp(text, "FATAL EXCEPTION", 15)) {
        crash->step = HEAD;
        crash->pid = line->pid;
        return;
    }
    if (!crash->step || crash->step > FRAMES || line->pid != crash->pid)
        return;
    if (crash->step == HEAD && !strncmp(text, "Process: ", 9)) {
        crash->step = is_mine(crash, text + 9) ? PROCESS : 0;
        return;
    }
    if (crash->step < FRAMES) {
        exception_line(crash, line);
        return;
    }
    while (*text == '\t' || *text == ' ')
        text++;
    if (!strncmp(text, "at ", 3) && crash->stack.count < MOST_FRAMES)
        tac_vec_push(&crash->stack, tac_strdup(text + 3));
}

/* The frames of the main thread in the traces that Android writes at an ANR:
 *
 *     ----- pid 4242 at 2026-01-01 00:00:00.123456789+0000 -----
 *     Cmd line: com.example
 *     "main" prio=5 tid=1 Sleeping
 *       | group="main" sCount=1 ...
 *       at java.lang.Thread.sleep(Native method)
 *       native: #00 pc 0000000000054e10  /apex/.../libc.so (syscall+28)
 */
void android_crash_traces(struct android_crash *crash, const char *text, size_t size)
{
    struct android_lines lines = {.at = text, .end = text + size};
    bool mine = false, main_thread = false;
    while (android_next_line(&lines) && crash->stack.count < MOST_FRAMES) {
        if (android_starts(&lines, "----- pid ") || android_starts(&lines, "----- end ")) {
            mine = main_thread = false;
        } else if (android_starts(&lines, "Cmd line: ")) {
            char *name = tac_strndup(lines.line + 10, lines.length - 10);
            mine = is_mine(crash, name);
            free(name);
        } else if (android_starts(&lines, "\"")) {
            main_thread = mine && android_starts(&lines, "\"main\"");
        } else if (main_thread && android_starts(&lines, "at ")) {
            tac_vec_push(&crash->stack, tac_strndup(lines.line + 3, lines.length - 3));
        }
    }
}

static void manager_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *text = line->message;
    if (!crash->crashed && !strncmp(text, "ANR in ", 7) && is_mine(crash, text + 7)) {
        crash->crashed = crash->anr = true;
        crash->time = line->time;
        tac_str_add(&crash->exception, "ANR");
    } else if (crash->anr && !crash->message.length && !strncmp(text, "Reason: ", 8)) {
        tac_str_add(&crash->message, text + 8);
    }
}

/* "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0" */
static void signal_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *open = strchr(line->message, '('), *close = open ? strchr(open, ')') : NULL;
    if (close)
        tac_str_add_bytes(&crash->exception, open + 1, (size_t)(close - open - 1));
    else
        tac_str_add(&crash->exception, "signal");
    const char *rest = close ? close + 1 : "";
    tac_str_add(&crash->message, rest + strspn(rest, ", "));
    crash->crashed = crash->native = true;
    crash->time = line->time;
    crash->step = NATIVE;
}

static void native_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *text = line->message + strspn(line->message, " \t");
    const char *name = strstr(text, ">>> ");
    if (!crash->crashed && !strncmp(text, "pid: ", 5) && name) {
        crash->step = is_mine(crash, name + 4) ? NATIVE_HEAD : 0;
        crash->pid = line->pid;
        return;
    }
    if (line->pid != crash->pid)
        return;
    if (crash->step == NATIVE_HEAD && !strncmp(text, "signal ", 7)) {
        signal_line(crash, line);
        return;
    }
    if (crash->step != NATIVE)
        return;
    int number, taken = 0;
    if (!strncmp(text, "Abort message: ", 15))
        tac_str_addf(&crash->message, "%s%s", crash->message.length ? "; " : "", text + 15);
    else if (sscanf(text, "#%d pc %*x %n", &number, &taken) == 1 && taken &&
             crash->stack.count < MOST_FRAMES)
        tac_vec_push(&crash->stack, tac_strdup(text + taken));
}

void android_crash_line(struct android_crash *crash, const tac_log_line *line)
{
    if (!strcmp(line->tag, "AndroidRuntime"))
        runtime_line(crash, line);
    else if (!strcmp(line->tag, "ActivityManager"))
        manager_line(crash, line);
    else if (!strcmp(line->tag, "DEBUG"))
        native_line(crash, line);
}
