/* Memory of processes from `dumpsys meminfo [PACKAGE]`, in kB. Every process has its block:
 *
 *     ** MEMINFO in pid 4242 [com.example:push] **
 *                TOTAL    58642    41020 ...
 *      App Summary
 *            Java Heap:    12345                23456
 *            TOTAL PSS:    58642            TOTAL RSS:   131220      TOTAL SWAP PSS:       93
 *                Views:      120         ...Activities:        1
 *
 * The first number of the table's row is the PSS. The summary is of Android 6 and later: PSS, and
 * on some versions RSS; before Android 11 it ends in "TOTAL: 58642  TOTAL SWAP PSS: 93". Before
 * Android 6 the table's row "Dalvik Heap" (to 4.3 "Dalvik") is what the Java heap is later.
 * "Failure while dumping the app" stands where a process did not answer: its figures are unknown.
 * "No process found for: X" is not running. */
#include "device/android/dump/parse.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const struct android_process_memory android_no_memory = {.pss = -1,
                                                         .summed_pss = -1,
                                                         .rss = -1,
                                                         .swap = -1,
                                                         .java = -1,
                                                         .native = -1,
                                                         .dalvik = -1,
                                                         .table_native = -1,
                                                         .views = -1,
                                                         .activities = -1};

/* The first number behind the key counts, wherever the key stands in the line. */
static void take(const struct android_lines *lines, const char *key, int64_t *out)
{
    uint64_t value;
    const char *at = *out < 0 ? android_after(lines, key) : NULL;
    if (at && android_count(at, lines->line + lines->length, &value) && value <= INT64_MAX)
        *out = (int64_t)value;
}

static void take_at_start(const struct android_lines *lines, const char *key, int64_t *out)
{
    if (android_starts(lines, key))
        take(lines, key, out);
}

/* "** MEMINFO in pid 4242 [com.example] **" */
static void begin(const struct android_lines *lines, struct android_process_memory *now)
{
    const char *end = lines->line + lines->length;
    const char *open = memchr(lines->line, '[', lines->length);
    const char *close = open ? memchr(open, ']', (size_t)(end - open)) : NULL;
    *now = android_no_memory;
    now->named = true;
    android_count(android_after(lines, "MEMINFO in pid"), end, &now->pid);
    if (close)
        snprintf(now->name, sizeof now->name, "%.*s", (int)(close - open - 1), open + 1);
}

static void take_summary(const struct android_lines *lines, struct android_process_memory *now)
{
    if (android_starts(lines, "TOTAL")) {
        take(lines, "TOTAL RSS:", &now->rss);
        take(lines, "TOTAL SWAP PSS:", &now->swap);
        take(lines, "TOTAL SWAP (KB):", &now->swap);
        take(lines, "TOTAL PSS:", &now->summed_pss);
        take(lines, "TOTAL:", &now->summed_pss);
    } else {
        take_at_start(lines, "Java Heap:", &now->java);
        take_at_start(lines, "Native Heap:", &now->native);
    }
}

static void take_line(const struct android_lines *lines, struct android_process_memory *now)
{
    if (android_starts(lines, "App Summary"))
        now->summary = true;
    else if (android_after(lines, "Failure while dumping the app"))
        now->failed = true;
    if (lines->length > 5 && (lines->line[5] == ' ' || lines->line[5] == '\t'))
        take_at_start(lines, "TOTAL", &now->pss);
    take_at_start(lines, "Dalvik Heap ", &now->dalvik);
    take_at_start(lines, "Dalvik  ", &now->dalvik);
    take_at_start(lines, "Native Heap ", &now->table_native);
    take_at_start(lines, "Native  ", &now->table_native);
    take_at_start(lines, "Views:", &now->views);
    take(lines, "Activities:", &now->activities);
    take_summary(lines, now);
}

void android_each_memory(const char *text, size_t size,
                         void (*see)(void *context, const struct android_process_memory *process),
                         void *context)
{
    struct android_lines lines = {.at = text, .end = text + size};
    struct android_process_memory now = android_no_memory;
    while (android_next_line(&lines)) {
        if (android_after(&lines, "** MEMINFO in pid")) {
            if (now.named || now.pss >= 0 || now.summed_pss >= 0)
                see(context, &now);
            begin(&lines, &now);
        } else {
            take_line(&lines, &now);
        }
    }
    if (now.named || now.pss >= 0 || now.summed_pss >= 0)
        see(context, &now);
}

/* Unknown once, unknown in sum. */
static void add(double *sum, int64_t kilobytes)
{
    *sum = kilobytes < 0 ? NAN : (isnan(*sum) ? NAN : *sum + (double)kilobytes * 1024);
}

static void sum_up(void *context, const struct android_process_memory *process)
{
    struct android_memory *out = context;
    if (!out->found)
        out->pss = out->java_heap = out->native_heap = 0;
    out->found = true;
    add(&out->pss, process->summed_pss >= 0 ? process->summed_pss : process->pss);
    add(&out->java_heap, process->java >= 0 ? process->java : process->dalvik);
    add(&out->native_heap, process->native >= 0 ? process->native : process->table_native);
}

void android_read_meminfo(const char *text, size_t size, struct android_memory *out)
{
    *out = (struct android_memory){.pss = NAN, .java_heap = NAN, .native_heap = NAN};
    android_each_memory(text, size, sum_up, out);
}
