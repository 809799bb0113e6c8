/* Native crashes and hangs in a log, and the traces that Android keeps of them; see crash.c.
 *
 *     E ActivityManager: ANR in com.example (com.example/.Main)
 *     E ActivityManager: Reason: Input dispatching timed out
 *
 *     F libc    : Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR) ... in tid 4250, pid 4242
 * (com.example) F DEBUG   : pid: 4242, tid: 4250, name: RenderThread  >>> com.example <<< F DEBUG
 * : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0 F DEBUG   : Abort message: 'no
 * surface' F DEBUG   :     #00 pc 0000000000012345  /data/app/.../libnative.so (draw+12) (BuildId:
 * ...)
 *
 * The lines of DEBUG are written by another process (crash_dump), before Android 6 with the level
 * I; a tombstone, and what the dropbox keeps of one, has the same lines without their header. */
#include "device/android/dump/crash.h"
#include <stdio.h>
#include <string.h>

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
            mine = crash_is_mine(crash, name);
            free(name);
        } else if (android_starts(&lines, "\"")) {
            main_thread = mine && android_starts(&lines, "\"main\"");
        } else if (main_thread && android_starts(&lines, "at ")) {
            tac_vec_push(&crash->stack, tac_strndup(lines.line + 3, lines.length - 3));
        }
    }
}

void crash_anr_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *text = line->message;
    if (crash_may_begin(crash) && !strncmp(text, "ANR in ", 7) && crash_is_mine(crash, text + 7)) {
        crash_begin(crash, line);
        crash->anr = true;
        tac_str_add(&crash->exception, "ANR");
    } else if (crash->anr && !crash->message.length && !strncmp(text, "Reason: ", 8)) {
        tac_str_add(&crash->message, text + 8);
    }
}

/* "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0" */
static void signal_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *open = strchr(line->message, '('), *close = open ? strchr(open, ')') : NULL;
    crash_begin(crash, line);
    if (close)
        tac_str_add_bytes(&crash->exception, open + 1, (size_t)(close - open - 1));
    else
        tac_str_add(&crash->exception, "signal");
    const char *rest = close ? close + 1 : "";
    tac_str_add(&crash->message, rest + strspn(rest, ", "));
    crash->native = true;
    crash->step = NATIVE;
}

void crash_native_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *text = line->message + strspn(line->message, " \t");
    const char *name = strstr(text, ">>> ");
    if ((crash_may_begin(crash) || crash->step == SIGNALLED) && !strncmp(text, "pid: ", 5) &&
        name) {
        crash->step = crash_is_mine(crash, name + 4) ? NATIVE_HEAD : 0;
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

/* libc says it before anybody has looked; DEBUG, if it comes, tells more. The process is named
 * since Android 8, before it is the one that writes. */
void crash_signal_line(struct android_crash *crash, const tac_log_line *line)
{
    const char *at = strstr(line->message, "Fatal signal ");
    const char *pid = at ? strstr(at, ", pid ") : NULL, *name = pid ? strchr(pid, '(') : NULL;
    const char *stop = at ? strstr(at, " in tid ") : NULL;
    if (!at || !crash_may_begin(crash))
        return;
    char process[ANDROID_NAME] = "";
    if (name)
        snprintf(process, sizeof process, "%.*s", (int)strcspn(name + 1, ")"), name + 1);
    if (name ? !crash_is_mine(crash, process) : !crash->app_pid || crash->app_pid != line->pid)
        return;
    tac_log_line short_line = *line;
    char *text = tac_strndup(at, stop ? (size_t)(stop - at) : strlen(at));
    short_line.message = text;
    signal_line(crash, &short_line);
    crash->step = SIGNALLED;
    free(text);
}

void android_crash_tombstone(struct android_crash *crash, const char *text, size_t size)
{
    struct android_lines lines = {.at = text, .end = text + size};
    int64_t time = crash->time;
    if (!crash->native || crash->stack.count)
        return;
    crash->step = SIGNALLED;
    while (android_next_line(&lines) && !(crash->step == NATIVE && android_starts(&lines, "---"))) {
        char *message = tac_strndup(lines.line, lines.length);
        tac_log_line line = {.time = time, .pid = crash->pid, .level = 'F', .message = message};
        crash_native_line(crash, &line);
        free(message);
    }
}
