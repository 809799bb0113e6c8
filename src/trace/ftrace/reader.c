/* The kernel's trace as text: systrace and atrace, also inside HTML and packed by `atrace -z`
 * (docs/traces.md, "Systrace"). Pages of trace2html hold Chrome's events instead; whose they are is
 * known only where the data begin, so they are read here too. Times are those of the boot or
 * monotonic clock; a clock synchronisation mark ties them to wall time. */
#include "trace/chrome/events.h"
#include "trace/chrome/page.h"
#include "trace/ftrace/line.h"
#include "trace/ftrace/mark.h"
#include "trace/ftrace/packed.h"
#include "trace/read/format.h"
#include "trace/timeline/marks.h"

struct systrace {
    struct timeline timeline;
    struct kernel kernel;
    uint64_t lines, others;
    bool tied; /* wall time is known */
    int64_t realtime_minus_trace;
    bool has_parent;
    int64_t monotonic_minus_trace;
    struct trace_page page;
    bool chrome; /* the page holds Chrome's events */
};

static int sniff(const struct trace_probe *probe)
{
    return ftrace_sniff(probe->head, probe->size);
}

static bool is_event(const struct ftrace_line *line, const char *name)
{
    return line->event_length == strlen(name) && !memcmp(line->event, name, line->event_length);
}

static void take_sync(struct systrace *systrace, int64_t time, const char *text, size_t length)
{
    bool realtime;
    int64_t other;
    if (!mark_clock_sync(text, length, &realtime, &other))
        return;
    if (realtime && !systrace->tied) {
        systrace->tied = true;
        systrace->realtime_minus_trace = other - time;
    } else if (!realtime && !systrace->has_parent) {
        systrace->has_parent = true;
        systrace->monotonic_minus_trace = other - time;
    }
}

static tac_status take_switch(struct systrace *systrace, const struct ftrace_line *line,
                              tac_error *err)
{
    const char *name = memmem(line->args, line->args_length, "next_comm=", 10);
    const char *end = line->args + line->args_length;
    int64_t tid = 0;
    ftrace_line_number(line, "next_pid", &tid);
    if (!name)
        return TAC_OK;
    name += 10;
    const char *stop = memmem(name, (size_t)(end - name), " next_pid=", 10);
    return kernel_switch(&systrace->kernel, line->time, line->cpu, (uint32_t)tid, name,
                         (size_t)((stop ? stop : end) - name), err);
}

static tac_status take_line(struct systrace *systrace, const struct ftrace_line *line,
                            tac_error *err)
{
    struct kernel *kernel = &systrace->kernel;
    const char *text;
    size_t length;
    int64_t state, cpu = line->cpu;
    if (ftrace_line_mark(line, &text, &length)) {
        take_sync(systrace, line->time, text, length);
        if (line->task_length && *line->task != '<')
            kernel_thread_name(kernel, (uint32_t)line->tid, line->task, line->task_length);
        if (line->tgid > 0)
            kernel_thread_of(kernel, (uint32_t)line->tid, (uint32_t)line->tgid);
        return kernel_mark(kernel, line->time, (uint32_t)line->tid, text, length, err);
    }
    if (is_event(line, "sched_switch"))
        return take_switch(systrace, line, err);
    bool frequency = is_event(line, "cpu_frequency"), idle = is_event(line, "cpu_idle");
    if ((!frequency && !idle) || !ftrace_line_number(line, "state", &state))
        return TAC_OK;
    ftrace_line_number(line, "cpu_id", &cpu);
    if (cpu < 0)
        return TAC_OK;
    return frequency ? kernel_frequency(kernel, line->time, (unsigned)cpu, (double)state, err)
                     : kernel_idle(kernel, line->time, (unsigned)cpu,
                                   (double)(int32_t)(uint32_t)state, err);
}

static tac_status take_text(struct systrace *systrace, const char *line, size_t length,
                            tac_error *err)
{
    struct ftrace_line parsed;
    systrace->lines++;
    if (ftrace_line_parse(line, length, &parsed))
        return take_line(systrace, &parsed, err);
    systrace->others += length && *line != '#';
    return TAC_OK;
}

static tac_status take_packed(void *context, const char *line, size_t length, tac_error *err)
{
    return take_text(context, line, length, err);
}

static tac_status read_packed(struct systrace *systrace, tac_error *err)
{
    bool whole;
    tac_status status =
        ftrace_packed_lines(&systrace->timeline.source->window, take_packed, systrace, &whole, err);
    if (!status && !whole)
        timeline_note(&systrace->timeline, "the packed text is cut short");
    return status;
}

/* Text that a page had packed: Chrome's events, or the kernel's lines. */
static tac_status take_page_data(struct systrace *systrace, tac_error *err)
{
    struct trace_window window;
    struct timeline *timeline = &systrace->timeline;
    tac_status status = page_unpack(&systrace->page, timeline->source->window.input, &window, err);
    const char *at = window.data, *end = at ? at + window.end : NULL;
    size_t blanks = at ? strspn(at, " \t\r\n") : 0;
    if (!status && (at[blanks] == '{' || at[blanks] == '[')) {
        systrace->chrome = true;
        status = chrome_read(timeline, &systrace->kernel, &window, err);
        at = end;
    }
    while (!status && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        status = take_text(systrace, at, (size_t)(stop - at), err);
        at = stop + 1;
    }
    free(window.data);
    return status;
}

static tac_status take_page_line(struct systrace *systrace, const char *line, size_t length,
                                 tac_error *err)
{
    switch (page_take_line(&systrace->page, line, length)) {
    case PAGE_DATA:
        return TAC_OK;
    case PAGE_DATA_ENDS:
        return take_page_data(systrace, err);
    default:
        return take_text(systrace, line, length, err);
    }
}

static tac_status read_lines(struct systrace *systrace, tac_error *err)
{
    tac_trace_source *source = systrace->timeline.source;
    tac_status status = TAC_OK;
    while (!status) {
        const char *line;
        size_t length, number;
        bool waits;
        status = source_next_line(source, &line, &length, &number, &waits, err);
        if (status || !line)
            return status;
        status = take_page_line(systrace, line, length, err);
        if (!status && number % 65536 == 0 &&
            !tac_watch_tick(source->options.watch, "reading lines", number, 0))
            status = source_fail(source, err, TAC_E_INTERRUPTED, number, 0, "interrupted");
    }
    return status;
}

static void set_clock(struct systrace *systrace)
{
    tac_trace_source *source = systrace->timeline.source;
    source->clock = systrace->tied ? "realtime" : systrace->chrome ? "monotonic" : "boot";
    if (!systrace->tied)
        return;
    systrace->timeline.shift = systrace->realtime_minus_trace;
    source->ties_boot = true;
    source->boot_to_realtime = systrace->realtime_minus_trace;
    source->ties_monotonic = systrace->has_parent;
    source->monotonic_to_realtime = (int64_t)((uint64_t)systrace->realtime_minus_trace -
                                              (uint64_t)systrace->monotonic_minus_trace);
}

static tac_status open_systrace(tac_trace_source *source, tac_error *err)
{
    struct systrace *systrace = source->reader = tac_calloc(1, sizeof *systrace);
    bool packed = false;
    timeline_open(&systrace->timeline, source);
    kernel_open(&systrace->kernel, &systrace->timeline);
    tac_status status = ftrace_packed_head(&source->window, &packed, err);
    if (!status)
        status = packed ? read_packed(systrace, err) : read_lines(systrace, err);
    if (status)
        return status;
    if (systrace->page.inside)
        timeline_note(&systrace->timeline, "the page is cut inside its trace");
    kernel_finish(&systrace->kernel);
    set_clock(systrace);
    return timeline_finish(&systrace->timeline, err);
}

static tac_status fill(tac_trace_source *source, tac_error *err)
{
    struct systrace *systrace = source->reader;
    return timeline_fill(&systrace->timeline, err);
}

static void close_systrace(tac_trace_source *source)
{
    struct systrace *systrace = source->reader;
    if (!systrace)
        return;
    timeline_close(&systrace->timeline);
    kernel_close(&systrace->kernel);
    page_free(&systrace->page);
    free(systrace);
}

const struct trace_format trace_format_systrace = {
    .name = "systrace",
    .endings = "|.systrace|.atrace|.ftrace|.html|",
    .summary = "the kernel's trace as text: systrace, atrace, also inside HTML",
    .sniff = sniff,
    .open = open_systrace,
    .fill = fill,
    .close = close_systrace,
};
