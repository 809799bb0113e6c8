/* The kernel's trace as text: systrace and atrace, also inside HTML and packed by `atrace -z`
 * (docs/traces.md, "Systrace"). Pages of trace2html hold Chrome's events instead; whose they are is
 * known only where the data begin, so they are read here too. Times are those of the boot or
 * monotonic clock; a clock synchronisation mark ties them to wall time. */
#include "trace/chrome/events.h"
#include "trace/chrome/page.h"
#include "trace/ftrace/line.h"
#include "trace/ftrace/text.h"
#include "trace/read/format.h"
#include "trace/systrace/packed.h"

struct systrace {
    struct timeline timeline;
    struct kernel kernel;
    struct ftrace_text text;
    struct trace_page page;
    bool cut;                            /* inside the page's data */
    TAC_VEC(struct trace_window) events; /* Chrome's, read last: by then their clock is known */
    bool kernel_lines;
};

static int sniff(const struct trace_probe *probe)
{
    return ftrace_sniff(probe->head, probe->size);
}

static tac_status take_packed(void *context, const char *line, size_t length, tac_error *err)
{
    struct systrace *systrace = context;
    return ftrace_text_line(&systrace->text, line, length, err);
}

static tac_status read_packed(struct systrace *systrace, tac_error *err)
{
    bool whole;
    tac_status status =
        ftrace_packed_lines(&systrace->timeline.source->window, take_packed, systrace, &whole, err);
    systrace->timeline.source->cut = !whole;
    if (!status && !whole)
        timeline_note(&systrace->timeline, "the packed text is cut short");
    return status;
}

/* Text that a page had: Chrome's events, or the kernel's lines. */
static tac_status take_page_data(struct systrace *systrace, tac_error *err)
{
    struct trace_window window;
    tac_input *input = systrace->timeline.source->window.input;
    tac_status status = page_unpack(&systrace->page, input, systrace->cut, &window, err);
    size_t blanks = window.data ? strspn(window.data, " \t\r\n") : 0;
    if (!status && (window.data[blanks] == '{' || window.data[blanks] == '[')) {
        tac_vec_push(&systrace->events, window);
        return TAC_OK;
    }
    if (!status)
        status = ftrace_text_all(&systrace->text, window.data, window.end, err);
    free(window.data);
    return status;
}

/* Chrome counts by the monotonic clock; the kernel's lines say what their own was then. */
static tac_status read_events(struct systrace *systrace, tac_error *err)
{
    const struct ftrace_text *text = &systrace->text;
    bool both = systrace->events.count && systrace->timeline.sorter.added;
    tac_status status = TAC_OK;
    systrace->kernel_lines = systrace->timeline.sorter.added;
    for (size_t i = 0; i < systrace->events.count && !status; i++)
        status = chrome_read(&systrace->timeline, &systrace->kernel, &systrace->events.at[i],
                             text->has_parent ? -text->monotonic_minus_trace : 0, err);
    if (both && !text->has_parent)
        timeline_note(&systrace->timeline, "no mark ties the clock of Chrome's events to that of "
                                           "the kernel's; they are taken to be one");
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
    case PAGE_OTHER:
        break;
    }
    return ftrace_text_line(&systrace->text, line, length, err);
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
    const struct ftrace_text *text = &systrace->text;
    bool chrome = systrace->events.count && !systrace->kernel_lines;
    source->clock = text->tied ? "realtime" : chrome ? "monotonic" : "boot";
    if (!text->tied)
        return;
    systrace->timeline.shift = text->realtime_minus_trace;
    source->ties_boot = true;
    source->boot_to_realtime = text->realtime_minus_trace;
    source->ties_monotonic = text->has_parent;
    source->monotonic_to_realtime =
        (int64_t)((uint64_t)text->realtime_minus_trace - (uint64_t)text->monotonic_minus_trace);
}

static tac_status open_systrace(tac_trace_source *source, tac_error *err)
{
    struct systrace *systrace = source->reader = tac_calloc(1, sizeof *systrace);
    bool packed = false;
    timeline_open(&systrace->timeline, source);
    kernel_open(&systrace->kernel, &systrace->timeline);
    systrace->text.kernel = &systrace->kernel;
    tac_status status = ftrace_packed_head(&source->window, &packed, err);
    if (!status)
        status = packed ? read_packed(systrace, err) : read_lines(systrace, err);
    systrace->cut = systrace->page.inside;
    source->cut |= systrace->cut || systrace->page.in_lines ||
                   (source->window.unfinished && !systrace->text.understood);
    if (!status && (systrace->page.in_lines || systrace->cut))
        timeline_note(&systrace->timeline, "the page is cut inside its trace");
    if (!status && systrace->cut)
        status = take_page_data(systrace, err);
    if (!status)
        status = read_events(systrace, err);
    if (status)
        return status;
    kernel_finish(&systrace->kernel);
    ftrace_text_notes(&systrace->text, &systrace->timeline);
    set_clock(systrace);
    return timeline_finish(&systrace->timeline, err);
}

static void close_systrace(tac_trace_source *source)
{
    struct systrace *systrace = source->reader;
    if (!systrace)
        return;
    timeline_close(&systrace->timeline);
    kernel_close(&systrace->kernel);
    page_free(&systrace->page);
    for (size_t i = 0; i < systrace->events.count; i++)
        free(systrace->events.at[i].data);
    tac_vec_free(&systrace->events);
    free(systrace);
}

const struct trace_format trace_format_systrace = {
    .id = TRACE_SYSTRACE,
    .endings = "|.systrace|.atrace|.ftrace|.html|",
    .sniff = sniff,
    .open = open_systrace,
    .fill = timeline_fill_source,
    .close = close_systrace,
};
