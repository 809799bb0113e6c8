/* The kernel's trace as text (systrace, atrace, also inside HTML): events by name, times, marks. */
#include "base/data/text.h"
#include "base/io/input.h"
#include "figures/chrome.h"
#include "figures/marks.h"
#include "trace/chrome/page.h"
#include "trace/ftrace/line.h"
#include "trace/systrace/packed.h"
#include "trace/timeline/mark.h"
#include <inttypes.h>
#include <stdlib.h>

enum { FTRACE_LINE_MAX = 1 << 26 }; /* the data of a page are one line */

struct systrace_facts {
    int64_t events, others, first, last, before;
    bool sorted, frequency;
    int64_t frequency_sum, frequency_max;
    struct tally names;
    struct marks_facts marks;
    char first_counter[256], last_counter[256];
    bool chrome; /* a page with Chrome's events inside */
    uint64_t lost;
};

static int sniff(const struct figures_input *input)
{
    return ftrace_sniff(input->head, input->head_size);
}

static void take_counter(struct systrace_facts *all, int64_t time, const struct mark *mark)
{
    char *at = *all->first_counter ? all->last_counter : all->first_counter;
    char number[32];
    if (mark->number == (double)mark->value)
        snprintf(number, sizeof number, "%" PRId64, mark->value);
    else
        tac_double_text(mark->number, number, sizeof number);
    snprintf(at, sizeof all->last_counter, "%" PRId64 " %" PRId64 " %.*s %s", time, mark->tgid,
             (int)(mark->name_length < 200 ? mark->name_length : 200), mark->name, number);
}

static tac_status take_event(struct systrace_facts *all, const struct ftrace_line *line,
                             tac_error *err)
{
    int64_t time = line->time / 1000, frequency;
    const char *text;
    size_t length;
    struct mark mark;
    if (!all->events++ || time < all->first)
        all->first = time;
    if (all->events == 1 || time > all->last)
        all->last = time;
    if (all->events > 1 && time < all->before)
        all->sorted = false;
    all->before = time;
    tally_add(&all->names, line->event, line->event_length, 0);
    if (line->event_length == 13 && !memcmp(line->event, "cpu_frequency", 13) &&
        ftrace_line_number(line, "state", &frequency)) {
        if (!all->frequency || frequency > all->frequency_max)
            all->frequency_max = frequency;
        all->frequency = true;
        all->frequency_sum += frequency;
    }
    if (!ftrace_line_mark(line, &text, &length))
        return TAC_OK;
    if (mark_parse(text, length, &mark) && mark.kind == 'C')
        take_counter(all, time, &mark);
    return marks_add(&all->marks, time, (uint32_t)line->tid, text, length, err);
}

static tac_status add_marks(struct systrace_facts *all, struct figures *facts, tac_error *err)
{
    struct marks_result result;
    tac_status status = marks_pair(&all->marks, &result, err);
    char *kinds = tally_text(&all->marks.kinds);
    figures_text(facts, "marks", kinds);
    free(kinds);
    figures_number(facts, "slices_closed", (int64_t)result.slices.closed);
    figures_number(facts, "slices_open", (int64_t)result.slices.now_open);
    figures_number(facts, "end_without_begin", (int64_t)result.slices.ends_without_begin);
    figures_number(facts, "slice_total_us", result.total);
    figures_number(facts, "counter_samples", (int64_t)all->marks.counter_samples);
    figures_number(facts, "counter_names", (int64_t)all->marks.counters.rows.count);
    if (*all->first_counter)
        figures_text(facts, "counter", all->first_counter);
    if (*all->last_counter)
        figures_text(facts, "counter", all->last_counter);
    if (result.async.closed || result.async.now_open) {
        figures_number(facts, "async_closed", (int64_t)result.async.closed);
        figures_number(facts, "async_open", (int64_t)result.async.now_open);
    }
    marks_result_free(&result);
    return status;
}

static tac_status add_values(struct systrace_facts *all, struct figures *facts, tac_error *err)
{
    figures_number(facts, "event_lines", all->events);
    figures_number(facts, "other_lines", all->others);
    if (all->lost)
        figures_number(facts, "lost_events", (int64_t)all->lost);
    for (size_t i = 0; i < all->names.rows.count; i++) {
        char *name = tac_format("event.%s", all->names.names.text[i]);
        figures_number(facts, name, all->names.rows.at[i].count);
        free(name);
    }
    if (all->events) {
        figures_number(facts, "first_us", all->first);
        figures_number(facts, "last_us", all->last);
        figures_number(facts, "sorted", all->sorted);
    }
    if (all->frequency) {
        figures_number(facts, "cpu_frequency.sum", all->frequency_sum);
        figures_number(facts, "cpu_frequency.max", all->frequency_max);
    }
    return all->marks.kinds.rows.count ? add_marks(all, facts, err) : TAC_OK;
}

static bool is_blank(const char *line, size_t length)
{
    while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    return !length;
}

static tac_status take_line(void *context, const char *line, size_t length, tac_error *err)
{
    struct systrace_facts *all = context;
    struct ftrace_line event;
    if (ftrace_line_parse(line, length, &event))
        return take_event(all, &event, err);
    all->lost += ftrace_lost(line, length);
    all->others += *line != '#' && !is_blank(line, length);
    return TAC_OK;
}

/* Text that a page of trace2html had packed: Chrome's events, or the kernel's lines. */
static tac_status take_page_data(const struct figures_input *input, struct systrace_facts *all,
                                 struct trace_page *page, tac_input *file, struct figures *facts,
                                 tac_error *err)
{
    struct trace_window window;
    tac_status status = page_unpack(page, file, false, &window, err);
    const char *at = window.data, *end = at ? at + window.end : NULL, *line;
    size_t blanks = at ? strspn(at, " \t\r\n") : 0, length;
    if (!status && (at[blanks] == '{' || at[blanks] == '[')) {
        all->chrome = true;
        status = figures_of_chrome(input, &window, facts, err);
        at = end;
    }
    while (!status && figures_next_line(&at, end, &line, &length))
        status = take_line(all, line, length, err);
    free(window.data);
    return status;
}

static tac_status read_lines(const struct figures_input *input, struct systrace_facts *all,
                             struct figures *facts, tac_error *err)
{
    struct trace_page page = {.packed_only = true};
    tac_input *file;
    char *line;
    size_t length;
    tac_status status = tac_input_open(input->path, &file, err);
    if (status)
        return status;
    for (uint64_t count = 0;
         !status && !(status = tac_input_line(file, FTRACE_LINE_MAX, &line, &length, err)) && line;
         count++) {
        enum page_line part = page_take_line(&page, line, length);
        if (part == PAGE_OTHER)
            status = take_line(all, line, length, err);
        else if (part == PAGE_DATA_ENDS)
            status = take_page_data(input, all, &page, file, facts, err);
        if (!status && count % 65536 == 0 && !tac_watch_tick(input->watch, "reading", count, 0))
            status = tac_fail_at(err, TAC_E_INTERRUPTED, input->path, 0, 0, "interrupted");
    }
    if (!status && page.inside)
        figures_warn(facts, "the page is cut inside its trace");
    page_free(&page);
    tac_input_close(file);
    return status;
}

/* The head line counts as one that is not an event, as in a plain text. */
static tac_status read_packed(const struct figures_input *input, struct systrace_facts *all,
                              struct figures *facts, bool *packed, tac_error *err)
{
    struct trace_window window;
    tac_trace_options options = {.watch = input->watch};
    bool whole = true;
    tac_status status = window_open(&window, input->path, &options, err);
    if (status)
        return status;
    status = ftrace_packed_head(&window, packed, err);
    if (!status && *packed) {
        all->others++;
        status = ftrace_packed_lines(&window, take_line, all, &whole, err);
    }
    if (!whole)
        figures_warn(facts, "the packed text is cut short");
    window_close(&window);
    return status;
}

static tac_status read_systrace(const struct figures_input *input, struct figures *facts,
                                tac_error *err)
{
    struct systrace_facts all = {.sorted = true};
    bool packed = false;
    tac_status status = read_packed(input, &all, facts, &packed, err);
    if (!status && !packed)
        status = read_lines(input, &all, facts, err);
    if (!status && !all.chrome) /* the lines around Chrome's events are of the viewer */
        status = add_values(&all, facts, err);
    tally_free(&all.names);
    marks_free(&all.marks);
    return status;
}

const struct figures_kind figures_kind_systrace = {
    .name = "systrace",
    .summary = "the kernel's trace as text: systrace and atrace, also inside HTML",
    .sniff = sniff,
    .read = read_systrace,
};
