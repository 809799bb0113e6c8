/* Chrome's trace events as JSON: events by phase, slices per thread in order of time, asynchronous
 * slices by category, id and scope. */
#include "figures/chrome.h"
#include "base/data/text.h"
#include "figures/tally.h"
#include "trace/chrome/events.h"
#include "trace/chrome/sniff.h"
#include "trace/json/items.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { PAIR_BEGIN, PAIR_END, ASYNC_BEGIN, ASYNC_END, TOP = 3 };

struct chrome_facts {
    int64_t events, complete, without_duration, counters, mismatches, timed;
    double complete_sum, first, last, before;
    bool sorted;
    struct tally phases, tops;
    tac_names names;
    tac_u64map processes, threads, series;
    struct sorter sorter;
};

static int sniff(const struct figures_input *input)
{
    return chrome_sniff(input->head) ? 3 : 0;
}

static const char *text_at(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static uint64_t thread_key(const json_t *event)
{
    return chrome_hash(json_object_get(event, "tid"),
                       chrome_hash(json_object_get(event, "pid"), 1));
}

static void take_counter(struct chrome_facts *all, const json_t *event)
{
    const char *name;
    const json_t *value;
    uint64_t key = chrome_hash(json_object_get(event, "pid"), 3);
    key = chrome_hash(json_object_get(event, "name"), key);
    all->counters++;
    json_object_foreach((json_t *)(uintptr_t)json_object_get(event, "args"), name, value)
    {
        tac_u64map_at(&all->series, tac_hash_bytes(name, strlen(name), key), 0, NULL);
    }
}

static tac_status take_pair(struct chrome_facts *all, const json_t *event, char phase, double time,
                            tac_error *err)
{
    bool async = strchr("beSF", phase) != NULL, begins = strchr("BbS", phase) != NULL;
    const char *name = text_at(event, "name");
    struct timeline_event added = {
        .time = llround(time * 1000),
        .kind = async ? (begins ? ASYNC_BEGIN : ASYNC_END) : (begins ? PAIR_BEGIN : PAIR_END),
        .name = name ? tac_names_intern(&all->names, name) : TAC_NONE,
        .integer = (int64_t)(async ? chrome_async_key(event) : thread_key(event))};
    return sorter_add(&all->sorter, &added, err);
}

static void take_time(struct chrome_facts *all, double time)
{
    if (all->timed && time < all->before)
        all->sorted = false;
    if (!all->timed || time < all->first)
        all->first = time;
    if (!all->timed++ || time > all->last)
        all->last = time;
    all->before = time;
}

static tac_status take_event(struct chrome_facts *all, const json_t *event, tac_error *err)
{
    const char *phases = text_at(event, "ph"), *name = text_at(event, "name");
    char phase = phases ? *phases : '\0';
    const json_t *when = json_object_get(event, "ts");
    double time = json_loose_number(when, 0), duration;
    all->events++;
    tally_add(&all->phases, phases ? phases : "None", phases ? strlen(phases) : 4, 0);
    tac_u64map_at(&all->processes, chrome_hash(json_object_get(event, "pid"), 1), 0, NULL);
    tac_u64map_at(&all->threads, thread_key(event), 0, NULL);
    if (phase != 'M' && when)
        take_time(all, time);
    if (phase == 'X' || phase == 'B')
        tally_add(&all->tops, name ? name : "None", name ? strlen(name) : 4, 0);
    if (phase == 'X') {
        duration = json_loose_number(json_object_get(event, "dur"), NAN);
        all->complete++;
        all->without_duration += isnan(duration);
        all->complete_sum += isnan(duration) ? 0 : duration;
    } else if (phase == 'C') {
        take_counter(all, event);
    } else if (phase && strchr("BEbeSF", phase)) {
        return take_pair(all, event, phase, time, err);
    }
    return TAC_OK;
}

/* A number of microseconds as most JSON writers print a float. */
static const char *float_text(double value, char *buffer, size_t size)
{
    tac_double_text(value, buffer, size - 2);
    if (!strpbrk(buffer, ".en"))
        strcat(buffer, ".0");
    return buffer;
}

struct pairing {
    struct slices slices, async;
    int64_t sum;
};

static tac_status pair_all(struct chrome_facts *all, struct pairing *pairing, tac_error *err)
{
    const struct timeline_event *event;
    struct open_slice slice;
    tac_status status = sorter_finish(&all->sorter, err);
    while (!status && !(status = sorter_next(&all->sorter, &event, err)) && event) {
        uint64_t key = (uint64_t)event->integer;
        if (event->kind == PAIR_BEGIN)
            slices_begin(&pairing->slices, key, event->time, event->name, 0);
        else if (event->kind == ASYNC_BEGIN)
            slices_begin(&pairing->async, key, event->time, event->name, 0);
        else if (event->kind == ASYNC_END)
            slices_end(&pairing->async, key, &slice);
        else if (slices_end(&pairing->slices, key, &slice)) {
            pairing->sum += event->time - slice.begin;
            all->mismatches += event->name != TAC_NONE && event->name != slice.name;
        }
    }
    return status;
}

static void add_slices(struct chrome_facts *all, struct figures *facts,
                       const struct pairing *pairing)
{
    figures_number(facts, "X.count", all->complete);
    figures_textf(facts, "X.dur_sum_us", "%.3f", all->complete_sum);
    figures_number(facts, "X.without_dur", all->without_duration);
    figures_number(facts, "BE.closed", (int64_t)pairing->slices.closed);
    figures_number(facts, "BE.open", (int64_t)pairing->slices.now_open);
    figures_number(facts, "BE.end_without_begin", (int64_t)pairing->slices.ends_without_begin);
    figures_number(facts, "BE.name_mismatch", all->mismatches);
    figures_textf(facts, "BE.dur_sum_us", "%.3f", (double)pairing->sum / 1000);
    figures_number(facts, "async.closed", (int64_t)pairing->async.closed);
    figures_number(facts, "async.open", (int64_t)pairing->async.now_open);
    figures_number(facts, "async.end_without_begin", (int64_t)pairing->async.ends_without_begin);
    figures_number(facts, "counter.events", all->counters);
    figures_number(facts, "counter.series", (int64_t)all->series.count);
    figures_top(facts, "top", &all->tops, TOP, false);
}

static tac_status add_values(struct chrome_facts *all, const struct json_items *items,
                             struct figures *facts, tac_error *err)
{
    char number[48];
    const char *unit = text_at(items->others, "displayTimeUnit");
    if (!items->root_array)
        figures_text(facts, "displayTimeUnit", unit ? unit : "(absent)");
    if (items->cut && items->root_array)
        figures_number(facts, "unterminated_array", 1);
    figures_text(facts, "form", items->sequence ? "lines" : items->root_array ? "array" : "object");
    figures_number(facts, "events", all->events);
    char *phases = tally_text(&all->phases);
    figures_text(facts, "ph", phases);
    free(phases);
    if (all->timed) {
        figures_text(facts, "ts_min_us", float_text(all->first, number, sizeof number));
        figures_text(facts, "ts_max_us", float_text(all->last, number, sizeof number));
        figures_number(facts, "file_order_sorted", all->sorted);
    }
    figures_number(facts, "processes", (int64_t)all->processes.count);
    figures_number(facts, "threads", (int64_t)all->threads.count);
    struct pairing pairing = {0};
    tac_status status = pair_all(all, &pairing, err);
    add_slices(all, facts, &pairing);
    slices_free(&pairing.slices);
    slices_free(&pairing.async);
    if (!all->events)
        figures_warn(facts, "there are no events in it");
    json_items_tell(items, figures_warn_sentence, facts);
    return status;
}

tac_status figures_of_chrome(const struct figures_input *input, struct trace_window *window,
                             struct figures *facts, tac_error *err)
{
    struct chrome_facts all = {.sorted = true};
    struct json_items items;
    json_t *event = NULL;
    tac_status status = chrome_items_open(&items, window, err);
    while (!status && !(status = json_items_next(&items, &event, err)) && event) {
        if (json_is_object(event))
            status = take_event(&all, event, err);
        json_decref(event);
        if (!status && all.events % 4096 == 0 &&
            !tac_watch_tick(input->watch, "reading events", (uint64_t)all.events, 0))
            status = tac_fail_at(err, TAC_E_INTERRUPTED, input->path, 0, 0, "interrupted");
    }
    if (!status)
        status = add_values(&all, &items, facts, err);
    json_items_close(&items);
    tally_free(&all.phases);
    tally_free(&all.tops);
    tac_names_free(&all.names);
    tac_u64map_free(&all.processes);
    tac_u64map_free(&all.threads);
    tac_u64map_free(&all.series);
    sorter_free(&all.sorter);
    return status;
}

static tac_status read_chrome(const struct figures_input *input, struct figures *facts,
                              tac_error *err)
{
    struct trace_window window;
    tac_trace_options options = {.watch = input->watch};
    tac_status status = window_open(&window, input->path, &options, err);
    if (status)
        return status;
    status = figures_of_chrome(input, &window, facts, err);
    window_close(&window);
    return status;
}

const struct figures_kind figures_kind_chrome = {
    .name = "chrome",
    .summary = "Chrome's trace events as JSON",
    .sniff = sniff,
    .read = read_chrome,
};
