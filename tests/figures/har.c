/* HTTP archives: entries, sizes, hosts, pages. Sums take values that are not negative. */
#include "base/data/text.h"
#include "figures/kind.h"
#include "figures/tally.h"
#include "trace/har/entry.h"
#include "trace/json/items.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

struct har_facts {
    int64_t entries, negative_bodies, transfers, bytes_in_present, addresses, equal_times, undated;
    double body, headers, content, request_body, transfer, bytes_in;
    int64_t first, before;
    double last_end;
    bool dated, sorted;
    struct tally statuses, methods, hosts, connections;
};

static int sniff(const struct figures_input *input)
{
    const char *at = input->head + strspn(input->head, " \t\r\n");
    return *at == '{' ? har_sniff(at) : 0;
}

static double not_negative(double value)
{
    return value > 0 ? value : 0;
}

static void take_times(struct har_facts *all, const struct har_entry *entry)
{
    if (!entry->dated) {
        all->undated++;
        return;
    }
    double end = (double)entry->start / 1e9 + not_negative(entry->time) / 1000;
    if (all->dated && entry->start < all->before)
        all->sorted = false;
    if (!all->dated || entry->start < all->first)
        all->first = entry->start;
    if (!all->dated || end > all->last_end)
        all->last_end = end;
    all->dated = true;
    all->before = entry->start;
}

static void take_entry(struct har_facts *all, const struct har_entry *entry)
{
    all->entries++;
    take_times(all, entry);
    all->negative_bodies += entry->body < 0;
    all->body += not_negative(entry->body);
    all->headers += not_negative(entry->headers);
    all->content += not_negative(entry->content);
    all->request_body += not_negative(entry->request_body);
    all->transfers += entry->has_transfer;
    all->transfer += not_negative(entry->transfer);
    all->bytes_in_present += entry->has_bytes_in;
    all->bytes_in += not_negative(entry->bytes_in);
    all->addresses += *entry->address != '\0';
    all->equal_times += fabs(entry->time - entry->timings) <= 1;
    tally_add_number(&all->statuses, (uint64_t)entry->status);
    tally_add(&all->methods, entry->method, strlen(entry->method), 0);
    if (entry->host_length)
        tally_add(&all->hosts, entry->host, entry->host_length, 0);
    if (*entry->connection && strcmp(entry->connection, "0"))
        tally_add(&all->connections, entry->connection, strlen(entry->connection), 0);
}

/* "2020-12-24T19:05:21.008Z 1608836721.008": the date cut to milliseconds, the seconds rounded. */
static void add_instant(struct figures *facts, const char *name, double seconds)
{
    time_t whole = (time_t)floor(seconds);
    /* The microseconds are rounded, as a clock with that resolution keeps them. */
    long micros = lround((seconds - (double)whole) * 1e6);
    if (micros >= 1000000) {
        whole++;
        micros -= 1000000;
    }
    struct tm parts;
    char date[32];
    gmtime_r(&whole, &parts);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
    figures_textf(facts, name, "%s.%03ldZ %.3f", date, micros / 1000, seconds);
}

static void add_sizes(const struct har_facts *all, struct figures *facts)
{
    figures_number(facts, "bodySize.sum_nonneg", (int64_t)all->body);
    figures_number(facts, "bodySize.negative", all->negative_bodies);
    if (all->transfers) {
        figures_number(facts, "_transferSize.sum", (int64_t)all->transfer);
        figures_number(facts, "_transferSize.present", all->transfers);
    }
    if (all->bytes_in_present)
        figures_number(facts, "_bytesIn.sum", (int64_t)all->bytes_in);
    figures_number(facts, "headersSize.sum_nonneg", (int64_t)all->headers);
    figures_number(facts, "content.size.sum", (int64_t)all->content);
    figures_number(facts, "request.bodySize.sum_nonneg", (int64_t)all->request_body);
}

static void add_page(const json_t *pages, struct figures *facts)
{
    const json_t *page = json_array_get(pages, 0), *timings = json_object_get(page, "pageTimings");
    const char *start = json_string_value(json_object_get(page, "startedDateTime"));
    char texts[2][40];
    static const char *const names[] = {"onContentLoad", "onLoad"};
    if (!page)
        return;
    for (size_t i = 0; i < 2; i++) {
        const json_t *value = json_object_get(timings, names[i]);
        if (json_is_number(value))
            tac_double_text(json_number_value(value), texts[i], sizeof texts[i]);
        else
            strcpy(texts[i], "None");
    }
    figures_textf(facts, "page0", "%s onContentLoad=%s onLoad=%s", start ? start : "None", texts[0],
                  texts[1]);
}

static void add_text_of(struct figures *facts, const char *name, char *text)
{
    figures_text(facts, name, text);
    free(text);
}

static void add_values(const struct har_facts *all, const struct json_items *items,
                       struct figures *facts)
{
    const json_t *creator = json_object_get(items->others, "creator");
    const json_t *pages = json_object_get(items->others, "pages");
    const char *version = json_string_value(json_object_get(items->others, "version"));
    const char *name = json_string_value(json_object_get(creator, "name"));
    const char *number = json_string_value(json_object_get(creator, "version"));
    figures_text(facts, "version", version ? version : "(absent)");
    figures_textf(facts, "creator", "%s %s", name ? name : "None", number ? number : "None");
    figures_number(facts, "pages", (int64_t)json_array_size(pages));
    figures_number(facts, "entries", all->entries);
    if (all->dated) {
        add_instant(facts, "first_start", (double)all->first / 1e9);
        add_instant(facts, "last_end", all->last_end);
        figures_number(facts, "starts_in_file_order_sorted", all->sorted);
    }
    add_sizes(all, facts);
    add_text_of(facts, "status", tally_text_by_number(&all->statuses));
    add_text_of(facts, "method", tally_text(&all->methods));
    figures_number(facts, "hosts", (int64_t)all->hosts.rows.count);
    figures_top(facts, "top_host", &all->hosts, 1, false);
    figures_number(facts, "server_ip_nonempty", all->addresses);
    figures_number(facts, "connections", (int64_t)all->connections.rows.count);
    figures_number(facts, "time_equals_timings_within_1ms", all->equal_times);
    add_page(pages, facts);
    if (!items->found)
        figures_warn(facts, "there are no entries in it");
    json_items_tell(items, figures_warn_sentence, facts);
    if (all->undated)
        figures_warn(facts, "%" PRId64 " entries have no start", all->undated);
}

static tac_status read_har(const struct figures_input *input, struct figures *facts, tac_error *err)
{
    struct trace_window window;
    tac_trace_options options = {.watch = input->watch};
    tac_status status = window_open(&window, input->path, &options, err);
    if (status)
        return status;
    struct har_facts all = {.sorted = true};
    struct json_items items;
    json_t *one = NULL;
    json_items_open(&items, &window, har_path);
    while (!status && !(status = json_items_next(&items, &one, err)) && one) {
        struct har_entry entry;
        har_entry_read(one, &entry);
        take_entry(&all, &entry);
        json_decref(one);
        if (all.entries % 256 == 0 &&
            !tac_watch_tick(input->watch, "reading entries", (uint64_t)all.entries, 0))
            status = tac_fail_at(err, TAC_E_INTERRUPTED, input->path, 0, 0, "interrupted");
    }
    if (!status)
        add_values(&all, &items, facts);
    json_items_close(&items);
    window_close(&window);
    tally_free(&all.statuses);
    tally_free(&all.methods);
    tally_free(&all.hosts);
    tally_free(&all.connections);
    return status;
}

const struct figures_kind figures_kind_har = {
    .name = "har",
    .summary = "an HTTP archive: requests, bytes, hosts, pages",
    .sniff = sniff,
    .read = read_har,
};
