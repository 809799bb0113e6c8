/* One event of the kernel's trace as text:
 *
 *     RenderThread-2871  (2853) [006] .... 1334765.291836: cpu_frequency: state=979200 cpu_id=6
 *     task-tid (tgid) [cpu] flags seconds.micros: event: arguments
 *
 * The task's name may hold blanks, '-', '/' and ':'; the tgid and the flags may be missing. Points
 * into the caller's text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ftrace_line {
    const char *task;
    size_t task_length;
    int64_t tid, tgid; /* tgid -1 when absent or "-----" */
    unsigned cpu;
    int64_t time; /* nanoseconds */
    const char *event;
    size_t event_length;
    const char *args;
    size_t args_length;
};

/* False when the line is not an event. A line end written out ("\n\" of old HTML files) is dropped.
 */
bool ftrace_line_parse(const char *line, size_t length, struct ftrace_line *out);

/* Is it a mark of an app? The event is "tracing_mark_write", "0" or "print". *text is the mark. */
bool ftrace_line_mark(const struct ftrace_line *line, const char **text, size_t *length);

/* The number behind "NAME=" in the arguments; false when it is not there. */
bool ftrace_line_number(const struct ftrace_line *line, const char *name, int64_t *out);

/* Does the text begin like such a trace (also inside HTML)? 0, 1 or 2. */
int ftrace_sniff(const char *head, size_t size);

/* How many events a line says were lost: "CPU:2 [LOST 7338 EVENTS]", and of
 * "# entries-in-buffer/entries-written: 3/1203   #P:8" those that later ones replaced. */
uint64_t ftrace_lost(const char *line, size_t length);
