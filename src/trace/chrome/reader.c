/* Chrome's trace events as JSON (docs/traces.md, "Chrome"). Times are of the monotonic clock. */
#include "trace/chrome/events.h"
#include "trace/chrome/sniff.h"
#include "trace/read/format.h"

struct chrome {
    struct timeline timeline;
    struct kernel names;
};

static int sniff(const struct trace_probe *probe)
{
    return chrome_sniff(probe->head) ? 2 : 0;
}

static tac_status open_chrome(tac_trace_source *source, tac_error *err)
{
    struct chrome *chrome = source->reader = tac_calloc(1, sizeof *chrome);
    timeline_open(&chrome->timeline, source);
    kernel_open(&chrome->names, &chrome->timeline);
    tac_status status = chrome_read(&chrome->timeline, &chrome->names, &source->window, 0, err);
    if (status)
        return status;
    kernel_finish(&chrome->names);
    source->clock = "monotonic";
    return timeline_finish(&chrome->timeline, err);
}

static void close_chrome(tac_trace_source *source)
{
    struct chrome *chrome = source->reader;
    if (!chrome)
        return;
    timeline_close(&chrome->timeline);
    kernel_close(&chrome->names);
    free(chrome);
}

const struct trace_format trace_format_chrome = {
    .id = TRACE_CHROME,
    .endings = "|.json|",
    .sniff = sniff,
    .open = open_chrome,
    .fill = timeline_fill_source,
    .close = close_chrome,
};
