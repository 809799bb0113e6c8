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
 * Lines of other processes may lie between them; a crash is told by tag and pid. Only the first
 * crash is kept, and of it at most MOST_FRAMES frames. Android before 4.4 prints no process line:
 * then the crash counts as the app's. */
#include "device/android_parse.h"
#include <string.h>

enum { MOST_FRAMES = 200 };

void android_crash_clear(android_crash *crash)
{
    for (size_t i = 0; i < crash->stack.count; i++)
        free(crash->stack.at[i]);
    crash->stack.count = 0;
    tac_str_clear(&crash->exception);
    tac_str_clear(&crash->message);
    crash->crashed = crash->anr = crash->mine = false;
    crash->step = 0;
}

void android_crash_free(android_crash *crash)
{
    android_crash_clear(crash);
    tac_vec_free(&crash->stack);
    tac_str_free(&crash->exception);
    tac_str_free(&crash->message);
    free(crash->package);
    crash->package = NULL;
}

/* The name up to a blank, ',' or '(' is the package, or one of its processes ("pkg:remote"). */
static bool is_mine(const android_crash *crash, const char *name)
{
    if (!crash->package)
        return true;
    size_t n = strlen(crash->package);
    return !strncmp(name, crash->package, n) && strchr(" ,(:", name[n]) != NULL;
}

static void exception_line(android_crash *crash, const tac_log_line *line)
{
    const char *colon = strstr(line->message, ": ");
    size_t n = colon ? (size_t)(colon - line->message) : strlen(line->message);
    tac_str_add_bytes(&crash->exception, line->message, n);
    tac_str_add(&crash->message, colon ? colon + 2 : "");
    crash->crashed = true;
    crash->time = line->time;
    crash->step = 3;
}

static void runtime_line(android_crash *crash, const tac_log_line *line)
{
    const char *text = line->message;
    if (!crash->step && !crash->crashed && !strncmp(text, "FATAL EXCEPTION", 15)) {
        crash->step = 1;
        crash->pid = line->pid;
        return;
    }
    if (!crash->step || line->pid != crash->pid)
        return;
    if (crash->step == 1 && !strncmp(text, "Process: ", 9)) {
        crash->step = is_mine(crash, text + 9) ? 2 : 0;
        return;
    }
    if (crash->step < 3) {
        exception_line(crash, line);
        return;
    }
    while (*text == '\t' || *text == ' ')
        text++;
    if (!strncmp(text, "at ", 3) && crash->stack.count < MOST_FRAMES)
        tac_vec_push(&crash->stack, tac_strdup(text + 3));
}

static void manager_line(android_crash *crash, const tac_log_line *line)
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

void android_crash_line(android_crash *crash, const tac_log_line *line)
{
    if (!strcmp(line->tag, "AndroidRuntime"))
        runtime_line(crash, line);
    else if (!strcmp(line->tag, "ActivityManager"))
        manager_line(crash, line);
}
