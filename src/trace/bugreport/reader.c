/* Bug reports, as `adb bugreport` writes them (zip) or its text alone (docs/traces.md): lines of
 * its logs become events, the battery history counters and slices, memory of processes
 * `pss:PROCESS` [kB] at the time of the dump. Times of the log and of the history are local times
 * without a zone.
 *
 *     == dumpstate: 2020-11-10 06:40:00
 *     ------ SYSTEM LOG (logcat -v threadtime ...) ------
 *     DUMP OF SERVICE batterystats: */
#include "base/io/json.h"
#include "trace/battery/history.h"
#include "trace/bugreport/archive.h"
#include "trace/log/line.h"
#include "trace/read/format.h"
#include "trace/text/clock.h"
#include <stdlib.h>

struct bugreport {
    struct timeline timeline;
    struct history history;
    struct archive *archive; /* NULL: a plain text */
    int64_t year, dumped;    /* of the dump's head */
    bool dated, in_memory, in_crash;
    uint64_t lines, logged, records;
    size_t stack;
};

static int sniff(const struct trace_probe *probe)
{
    const char *dump = strstr(probe->head, "== dumpstate: ");
    if (probe->size > 4 && !memcmp(probe->head, "PK\3\4", 4))
        return 2;
    return dump && dump - probe->head < 512 ? 2 : 0;
}

/* "== dumpstate: 2020-11-10 06:40:00" */
static void take_head(struct bugreport *report, const char *line, size_t length)
{
    static const char head[] = "== dumpstate: ";
    char text[64];
    if (report->dated || length < sizeof head || memcmp(line, head, sizeof head - 1))
        return;
    snprintf(text, sizeof text, "%.*s", (int)(length - (sizeof head - 1)), line + sizeof head - 1);
    if (clock_scan_date(text, &report->dumped)) {
        report->dated = true;
        report->year = strtol(text, NULL, 10);
    }
}

/* --- The log ---------------------------------------------------------------------------------- */

static void keep_meta(struct bugreport *report, const char *name, const char *text, size_t length)
{
    json_t *meta = report->timeline.source->meta;
    if (!json_object_get(meta, name))
        json_object_set_new(meta, name, tac_json_string_n(text, length));
}

/* The first fatal exception of the log is the verdict of what the report tells. */
static void watch_crash(struct bugreport *report, const struct logcat_line *line)
{
    const char *message = line->message;
    size_t length = line->message_length;
    if (line->tag_length != 14 || memcmp(line->tag, "AndroidRuntime", 14))
        return;
    if (length >= 15 && !memcmp(message, "FATAL EXCEPTION", 15)) {
        report->in_crash = !json_object_get(report->timeline.source->meta, "verdict");
        keep_meta(report, "verdict", "crash", 5);
    } else if (report->in_crash && length > 9 && !memcmp(message, "Process: ", 9)) {
        const char *comma = memchr(message, ',', length);
        keep_meta(report, "app", message + 9,
                  (size_t)((comma ? comma : message + length) - message) - 9);
    } else if (report->in_crash && length && *message != '\t' && *message != ' ') {
        const char *colon = memchr(message, ':', length);
        keep_meta(report, "exception", message,
                  (size_t)((colon ? colon : message + length) - message));
        report->in_crash = false;
    }
}

static tac_status take_log(struct bugreport *report, const struct logcat_line *line, tac_error *err)
{
    struct timeline *timeline = &report->timeline;
    int64_t year = line->has_year ? line->year : report->year ? report->year : 1972;
    int64_t time = line->time;
    if (line->has_date)
        time += clock_days(year, line->month, line->day) * 86400 * 1000000000;
    /* A log of December in a dump of January is of the year before. */
    if (line->has_date && !line->has_year && report->dated &&
        time > report->dumped + (int64_t)86400 * 2 * 1000000000)
        time = clock_days(year - 1, line->month, line->day) * 86400 * 1000000000 + line->time;
    report->logged++;
    watch_crash(report, line);
    struct timeline_event event = {.time = time,
                                   .kind = TIMELINE_LOG,
                                   .name = timeline_name(timeline, line->tag, line->tag_length),
                                   .track =
                                       timeline_name(timeline, line->message, line->message_length),
                                   .integer = line->level};
    return timeline_add(timeline, &event, err);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* "  353,574K: com.app (pid 3794 / activities)" of the list by process; older: "353574 kB:
 * com.app". */
static tac_status take_memory(struct bugreport *report, const char *line, size_t length,
                              tac_error *err)
{
    const char *at = line, *end = line + length;
    double kilobytes = 0;
    while (at < end && *at == ' ')
        at++;
    const char *digits = at;
    for (; at < end && ((*at >= '0' && *at <= '9') || *at == ','); at++)
        if (*at != ',')
            kilobytes = kilobytes * 10 + (*at - '0');
    if (at == digits || end - at < 4)
        return TAC_OK;
    const char *name = !memcmp(at, "K: ", 3)                     ? at + 3
                       : end - at > 5 && !memcmp(at, " kB: ", 5) ? at + 5
                                                                 : NULL;
    const char *stop = name ? memmem(name, (size_t)(end - name), " (pid ", 6) : NULL;
    if (!stop)
        return TAC_OK;
    struct timeline *timeline = &report->timeline;
    char *full = tac_format("pss:%.*s", (int)(stop - name), name);
    struct timeline_event event = {.time = report->dumped,
                                   .kind = TIMELINE_COUNTER,
                                   .name =
                                       timeline_series(timeline, timeline_name_text(timeline, full),
                                                       TAC_NONE, TAC_CONTINUOUS, "kB", 1),
                                   .number = kilobytes};
    free(full);
    return timeline_add(timeline, &event, err);
}

static bool begins(const char *line, size_t length, const char *with)
{
    return length >= strlen(with) && !memcmp(line, with, strlen(with));
}

/* --- Lines ------------------------------------------------------------------------------------ */

static tac_status take_line(struct bugreport *report, const char *line, size_t length,
                            tac_error *err)
{
    const char *reached;
    report->lines++;
    take_head(report, line, length);
    if (begins(line, length, "Total PSS by process:") ||
        begins(line, length, "Total RSS by process:"))
        report->in_memory = begins(line, length, "Total PSS");
    else if (report->in_memory && length && *line == ' ')
        return take_memory(report, line, length, err);
    else if (length)
        report->in_memory = false;
    if (report->history.inside || begins(line, length, "Battery History"))
        return history_take_line(&report->history, line, length, err);
    struct logcat_line parsed = logcat_parse(line, length, &reached);
    if (parsed.layout == LOGCAT_NONE || parsed.layout == LOGCAT_LONG)
        return TAC_OK;
    return take_log(report, &parsed, err);
}

static tac_status next_line(struct bugreport *report, const char **line, size_t *length,
                            tac_error *err)
{
    size_t number;
    bool waits;
    if (report->archive)
        return archive_line(report->archive, line, length, err);
    return source_next_line(report->timeline.source, line, length, &number, &waits, err);
}

static tac_status read_lines(struct bugreport *report, tac_error *err)
{
    tac_trace_source *source = report->timeline.source;
    tac_status status = TAC_OK;
    const char *line = NULL;
    size_t length;
    while (!status && !(status = next_line(report, &line, &length, err)) && line) {
        status = take_line(report, line, length, err);
        if (!status && report->lines % 65536 == 0 &&
            !tac_watch_tick(source->options.watch, "reading lines", report->lines, 0))
            status = source_fail(source, err, TAC_E_INTERRUPTED, 0, 0, "interrupted");
    }
    return status;
}

static tac_status open_report(tac_trace_source *source, tac_error *err)
{
    struct bugreport *report = source->reader = tac_calloc(1, sizeof *report);
    tac_status status = TAC_OK;
    timeline_open(&report->timeline, source);
    history_open(&report->history, &report->timeline);
    bool packed = source->window.end - source->window.begin > 4 &&
                  !memcmp(source->window.data + source->window.begin, "PK\3\4", 4);
    if (packed && !strcmp(source->path, "-"))
        status = source_fail(source, err, TAC_E_INPUT, 0, 0,
                             "a zip archive cannot be read from standard input; name its file");
    if (!status && packed)
        status = archive_open(source->path, &report->archive, err);
    if (!status)
        status = read_lines(report, err);
    if (!status)
        status = history_finish(&report->history, err);
    if (status)
        return status;
    source->clock = "local";
    if (report->archive)
        json_object_set_new(source->meta, "entry", tac_json_string(archive_entry(report->archive)));
    if (!report->logged && !report->history.records)
        timeline_note(&report->timeline, "neither a log nor a battery history was found in it");
    return timeline_finish(&report->timeline, err);
}

static void close_report(tac_trace_source *source)
{
    struct bugreport *report = source->reader;
    if (!report)
        return;
    archive_close(report->archive);
    history_close(&report->history);
    timeline_close(&report->timeline);
    free(report);
}

const struct trace_format trace_format_bugreport = {
    .id = TRACE_BUGREPORT,
    .endings = "|.zip|",
    .sniff = sniff,
    .open = open_report,
    .fill = timeline_fill_source,
    .close = close_report,
};
