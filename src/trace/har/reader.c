/* HTTP archives (docs/traces.md, "HAR"): each request is the slice `request`, with `method`, `url`,
 * `host` and `status`; `rxData` and `txData` count the bytes on the wire; messages of web sockets
 * are the events `message.tx` and `message.rx`; pages give the events `page`, `onContentLoad` and
 * `onLoad`. */
#include "trace/har/entry.h"
#include "trace/json/items.h"
#include "trace/read/format.h"
#include "trace/text/clock.h"
#include "trace/timeline/timeline.h"
#include "trace/trace.h"
#include <inttypes.h>
#include <math.h>

enum { HAR_BEGIN = TIMELINE_OWN, HAR_END, HAR_MESSAGE_SENT, HAR_MESSAGE_RECEIVED };
#define UNTOLD UINT64_MAX /* of bytes */

struct har {
    struct timeline timeline;
    struct json_items items;
    uint32_t method, url, host, status; /* series */
    uint32_t received, sent;
    double total_received, total_sent;
    uint32_t unknown_received, unknown_sent; /* why a total is not known; TAC_NONE: it is */
    uint32_t request;                        /* name id */
    uint32_t message_sent, message_received; /* name ids */
    uint64_t entries, undated, others, without_length, without_bytes, without_sent;
    uint64_t undated_pages, undated_messages;
};

static int sniff(const struct trace_probe *probe)
{
    const char *at = probe->head + strspn(probe->head, " \t\r\n\xef\xbb\xbf");
    return *at == '{' && har_sniff(at) ? 2 : 0;
}

static uint32_t discrete(struct timeline *timeline, const char *name)
{
    return timeline_series(timeline, timeline_name_text(timeline, name), TAC_NONE, TAC_DISCRETE, "",
                           1);
}

static uint32_t counter(struct timeline *timeline, const char *name)
{
    return timeline_series(timeline, timeline_name_text(timeline, name), TAC_NONE, TAC_CONTINUOUS,
                           "B", 1);
}

static tac_status join(struct har *har, int64_t time, uint32_t series, const char *text,
                       size_t length, tac_error *err)
{
    struct timeline_event event = {.time = time,
                                   .kind = TIMELINE_JOIN_SET,
                                   .name = series,
                                   .track = timeline_name(&har->timeline, text, length)};
    return timeline_add(&har->timeline, &event, err);
}

/* The state of one end of a request: what it is, then the event with its bytes. */
static tac_status add_end(struct har *har, const struct har_entry *entry, int64_t time, bool ends,
                          double length, tac_error *err)
{
    char status_text[16];
    int digits = snprintf(status_text, sizeof status_text, "%" PRId64, entry->status);
    size_t url = strcspn(entry->url, "?#");
    tac_status status = join(har, time, har->method, entry->method, strlen(entry->method), err);
    if (!status)
        status = join(har, time, har->url, entry->url, url < 512 ? url : 512, err);
    if (!status)
        status = join(har, time, har->host, entry->host, entry->host_length, err);
    if (!status && ends)
        status = join(har, time, har->status, status_text, (size_t)digits, err);
    double bytes = ends ? har_received(entry) : har_sent(entry);
    bool told = (ends ? har_tells_received(entry) : har_tells_sent(entry)) && bytes < 1e15;
    struct timeline_event event = {.time = time,
                                   .kind = ends ? HAR_END : HAR_BEGIN,
                                   .name = har->request,
                                   .track = told ? (uint64_t)(bytes > 0 ? bytes : 0) : UNTOLD,
                                   .number = length};
    return status ? status : timeline_add(&har->timeline, &event, err);
}

static tac_status take_messages(struct har *har, const struct har_entry *entry, const json_t *list,
                                tac_error *err)
{
    size_t index, url = strcspn(entry->url, "?#");
    const json_t *json;
    tac_status status = TAC_OK;
    json_array_foreach(list, index, json)
    {
        struct har_message message;
        if (!har_message_read(json, &message)) {
            har->undated_messages++;
            continue;
        }
        status = join(har, message.time, har->url, entry->url, url < 512 ? url : 512, err);
        if (!status)
            status = join(har, message.time, har->host, entry->host, entry->host_length, err);
        struct timeline_event event = {
            .time = message.time,
            .kind = message.sent ? HAR_MESSAGE_SENT : HAR_MESSAGE_RECEIVED,
            .name = message.sent ? har->message_sent : har->message_received,
            .track = (uint64_t)message.bytes};
        if (!status)
            status = timeline_add(&har->timeline, &event, err);
        if (status)
            break;
        har->timeline.any_event = true;
    }
    return status;
}

static tac_status take_entry(struct har *har, const json_t *json, tac_error *err)
{
    struct har_entry entry;
    har_entry_read(json, &entry);
    entry.body_holds_headers |=
        har_bodies_hold_headers(json_object_get(har->items.others, "creator"));
    har->entries++;
    if (!entry.dated) {
        har->undated++;
        return TAC_OK;
    }
    bool lasts = entry.time >= 0 && entry.time < 1e12;
    double length = lasts ? entry.time * 1e6 : 0;
    har->without_length += !lasts;
    har->without_bytes += !har_tells_received(&entry) || !(har_received(&entry) < 1e15);
    tac_status status = add_end(har, &entry, entry.start, false, 0, err);
    if (!status)
        status = add_end(har, &entry, entry.start + llround(length), true, length, err);
    har->timeline.any_event = har->timeline.any_slice = true;
    har->without_sent += !har_tells_sent(&entry);
    return status ? status
                  : take_messages(har, &entry, json_object_get(json, "_webSocketMessages"), err);
}

/* A total of which a part is not told is not known from there on. */
static void set_total(struct har *har, size_t variable, double total, uint32_t unknown)
{
    if (variable != SIZE_MAX)
        source_set_number(har->timeline.source, variable,
                          unknown != TAC_NONE ? tac_trace_unknown_number(unknown) : total);
}

static tac_status add_bytes(struct har *har, uint64_t bytes, bool received, tac_error *err)
{
    static const char *const reasons[] = {
        "the archive does not tell the bytes of a request before (-1)",
        "the archive does not tell the bytes of an answer before (-1)"};
    uint32_t *unknown = received ? &har->unknown_received : &har->unknown_sent;
    if (bytes != UNTOLD)
        *(received ? &har->total_received : &har->total_sent) += (double)bytes;
    else if (*unknown == TAC_NONE)
        return source_unknown(har->timeline.source, reasons[received], strlen(reasons[received]),
                              unknown, err);
    return TAC_OK;
}

/* Bytes are added up in order of time. */
static tac_status emit(struct timeline *timeline, const struct timeline_event *event,
                       tac_error *err)
{
    struct har *har = timeline->decoder;
    bool ends = event->kind == HAR_END;
    bool message = event->kind == HAR_MESSAGE_SENT || event->kind == HAR_MESSAGE_RECEIVED;
    tac_status status =
        add_bytes(har, event->track, ends || event->kind == HAR_MESSAGE_RECEIVED, err);
    if (status)
        return status;
    set_total(har, timeline->series.at[har->received].variable, har->total_received,
              har->unknown_received);
    set_total(har, timeline->series.at[har->sent].variable, har->total_sent, har->unknown_sent);
    if (!timeline_selects(timeline, event->name))
        return timeline_commit_joined(timeline, event->time, err);
    if (ends)
        source_set_number(timeline->source, timeline->duration, event->number / 1e6);
    status = timeline_set_event(timeline, event->name, message ? 2 : ends, err);
    return status ? status : timeline_commit(timeline, event->time, err);
}

static tac_status add_page_event(struct har *har, int64_t start, const char *name,
                                 double milliseconds, tac_error *err)
{
    if (!(milliseconds >= 0 && milliseconds < 1e12))
        return TAC_OK;
    struct timeline_event event = {.time = start + llround(milliseconds * 1e6),
                                   .kind = TIMELINE_INSTANT,
                                   .name = timeline_name_text(&har->timeline, name)};
    return timeline_add(&har->timeline, &event, err);
}

static tac_status take_pages(struct har *har, tac_error *err)
{
    size_t index;
    const json_t *page;
    tac_status status = TAC_OK;
    json_array_foreach(json_object_get(har->items.others, "pages"), index, page)
    {
        const char *text = json_string_value(json_object_get(page, "startedDateTime"));
        const json_t *timings = json_object_get(page, "pageTimings");
        int64_t start;
        if (status)
            break;
        if (!text || (!clock_scan_date(text, &start) && !clock_scan_mail_date(text, &start))) {
            har->undated_pages++;
            continue;
        }
        status = add_page_event(har, start, "page", 0, err);
        if (!status)
            status = add_page_event(
                har, start, "onContentLoad",
                json_loose_number(json_object_get(timings, "onContentLoad"), -1), err);
        if (!status)
            status = add_page_event(har, start, "onLoad",
                                    json_loose_number(json_object_get(timings, "onLoad"), -1), err);
    }
    return status;
}

static tac_status read_entries(struct har *har, tac_error *err)
{
    tac_trace_source *source = har->timeline.source;
    tac_status status = TAC_OK;
    json_t *entry = NULL;
    while (!status && !(status = json_items_next(&har->items, &entry, err)) && entry) {
        if (json_is_object(entry))
            status = take_entry(har, entry, err);
        else
            har->others++;
        json_decref(entry);
        if (!status && har->entries % 256 == 0 &&
            !tac_watch_tick(source->options.watch, "reading entries", har->entries, 0))
            status = source_fail(source, err, TAC_E_INTERRUPTED, 0, 0, "interrupted");
    }
    return status ? status : take_pages(har, err);
}

static void add_notes(struct har *har)
{
    const struct json_items *items = &har->items;
    har->timeline.source->cut = items->cut;
    json_items_tell(items, source_note_sentence, har->timeline.source);
    timeline_note_count(&har->timeline, har->others, "entry is not an object and was left out",
                        "entries are not objects and were left out");
    timeline_note_count(&har->timeline, har->undated, "entry has no start and was left out",
                        "entries have no start and were left out");
    timeline_note_count(&har->timeline, har->without_length,
                        "request does not tell how long it took: 0 ms",
                        "requests do not tell how long they took: 0 ms");
    timeline_note_count(&har->timeline, har->without_bytes,
                        "request does not tell the bytes of its answer: rxData is unknown after it",
                        "requests do not tell the bytes of their answers: rxData is unknown "
                        "after the first");
    timeline_note_count(&har->timeline, har->without_sent,
                        "request does not tell all bytes that it sent: txData is unknown after it",
                        "requests do not tell all bytes that they sent: txData is unknown after "
                        "the first");
    timeline_note_count(&har->timeline, har->undated_pages, "page has no start and was left out",
                        "pages have no start and were left out");
    timeline_note_count(&har->timeline, har->undated_messages,
                        "message of a web socket has no time or direction and was left out",
                        "messages of web sockets have no time or direction and were left out");
}

static tac_status open_har(tac_trace_source *source, tac_error *err)
{
    struct har *har = source->reader = tac_calloc(1, sizeof *har);
    struct timeline *timeline = &har->timeline;
    timeline_open(timeline, source);
    timeline->decoder = har;
    har->unknown_received = har->unknown_sent = TAC_NONE;
    timeline->emit = emit;
    har->method = discrete(timeline, "method");
    har->url = discrete(timeline, "url");
    har->host = discrete(timeline, "host");
    har->status = discrete(timeline, "status");
    har->received = counter(timeline, "rxData");
    har->sent = counter(timeline, "txData");
    har->request = timeline_name_text(timeline, "request");
    har->message_sent = timeline_name_text(timeline, "message.tx");
    har->message_received = timeline_name_text(timeline, "message.rx");
    json_items_open(&har->items, &source->window, har_path);
    tac_status status = read_entries(har, err);
    if (status)
        return status;
    source->clock = "realtime";
    add_notes(har);
    return timeline_finish(timeline, err);
}

static void close_har(tac_trace_source *source)
{
    struct har *har = source->reader;
    if (!har)
        return;
    timeline_close(&har->timeline);
    json_items_close(&har->items);
    free(har);
}

const struct trace_format trace_format_har = {
    .id = TRACE_HAR,
    .endings = "|.har|",
    .sniff = sniff,
    .open = open_har,
    .fill = timeline_fill_source,
    .close = close_har,
};
