/* Logs of Android. The 2015 paper's section 4.3 reads test steps from lines such as
 * "V/TESTCASEGENERATOR (13414): CONTROL -httpClick: ...".
 *
 * One record is one state. Patterns are matched against "TAG: MESSAGE", which is the same in all
 * layouts; a record that no pattern matches is no state. Without patterns every record is a state
 * whose event is its tag. Records that come late are put in their place (reorder.h); a step back
 * beyond the window is a clock that was set: times go on from there, and the meta data say so
 * (clock_jumps). A pipe is not held back: there a late record has the time of the one before. A
 * line that is no record belongs to the record before it, or, at the beginning, to nothing
 * (other_lines). The layout brief has no times: its records are a millisecond apart.
 *
 * What Android Studio exports is JSON (studio.h): a message is a record, and its number stands for
 * the line. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "trace/json/items.h"
#include "trace/log/line.h"
#include "trace/log/record.h"
#include "trace/log/reorder.h"
#include "trace/log/studio.h"
#include "trace/log/verdict.h"
#include "trace/read/format.h"
#include "trace/read/pattern.h"
#include "trace/text/clock.h"
#include <inttypes.h>
#include <time.h>

enum {
    WINDOW_SECONDS = 60,
    MOST_JUMPS = 100,
    FIRST_LINES = 1000, /* without a record: this is no log */
    MESSAGE_MAX = 1 << 20
};

struct clock_jump {
    size_t line;
    double seconds; /* that the clock was set back by */
};

struct logcat {
    TAC_VEC(struct trace_pattern) patterns;
    size_t event, level; /* variables when there are no patterns */
    tac_str subject;
    int64_t year; /* of lines without one; counts up when December turns to January */
    unsigned last_month;
    struct record_reader records; /* layouts beside the four that line.h reads */
    enum log_layout layout;       /* of those; LAYOUT_COUNT: none seen */
    /* the record whose message may go on */
    struct log_entry current;
    uint32_t current_pid;
    tac_str tag, message;
    bool has_current, long_layout, brief;
    size_t blank_lines; /* behind the message so far */
    struct reorder waiting;
    int64_t shift; /* added to the times since the last jump */
    uint64_t records_seen, late, others;
    uint64_t lost;              /* lines that the log itself dropped */
    struct json_items messages; /* of an export of Android Studio */
    bool exported;
    uint64_t message_count, no_messages;
    TAC_VEC(struct clock_jump) jumps; /* the first of them */
    struct log_verdict verdict;
};

static bool other_layout(const struct record_reader *reader, const char *line, size_t length,
                         enum log_layout *layout, struct log_record *out)
{
    static const enum log_layout beside[] = {LAYOUT_BRIEF, LAYOUT_STUDIO_OLD, LAYOUT_STUDIO_NEW,
                                             LAYOUT_UNITY};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (record_read(reader, beside[i], line, length, out)) {
            *layout = beside[i];
            return true;
        }
    return false;
}

/* Of the first lines some is a record: adb's own messages may stand before it. Of a pipe there may
 * be no more than the first line, so a divider has to be enough. */
static int sniff(const struct trace_probe *probe)
{
    const char *at = probe->head, *end = at + strlen(at), *reached;
    struct record_reader reader;
    struct log_record record;
    enum log_layout layout;
    int found = 0;
    if (strstr(probe->head, "== dumpstate: "))
        return 0; /* a bug report, which has more than the log */
    if (studio_is_export(probe->head))
        return 2;
    record_reader_open(&reader);
    for (int lines = 0; at < end && lines < 20 && !found; lines++) {
        size_t length = strcspn(at, "\r\n");
        const char *next = at + length;
        record_uncolour(&at, &length);
        size_t skip = record_prefix(&reader, at, length);
        if (logcat_is_divider(at, length) && !strncmp(at + 9, " beginning of ", 14))
            found = 2;
        else if (logcat_parse(at, length, &reached).layout != LOGCAT_NONE)
            found = 2;
        else if (other_layout(&reader, at + skip, length - skip, &layout, &record))
            found = layout == LAYOUT_BRIEF ? 1 : 2;
        else if (skip && logcat_parse(at + skip, length - skip, &reached).layout != LOGCAT_NONE)
            found = 1;
        at = next + strspn(next, "\r\n");
    }
    record_reader_close(&reader);
    return found;
}

/* --- Time ------------------------------------------------------------------------------------- */

static int64_t line_time(struct logcat *logcat, const struct logcat_line *line)
{
    if (!line->has_date)
        return line->time;
    if (!line->has_year) {
        if (logcat->last_month == 12 && line->month == 1 && logcat->year < 2110)
            logcat->year++;
        logcat->last_month = line->month;
    }
    int64_t year = line->has_year ? line->year : logcat->year;
    return clock_days(year, line->month, line->day) * 86400 * 1000000000 + line->time;
}

static int64_t number_at(const char *text, size_t digits)
{
    int64_t value = 0;
    for (size_t i = 0; i < digits; i++)
        value = value * 10 + text[i] - '0';
    return value;
}

/* "[YYYY-]MM-DD HH:MM:SS.mmm", "YYYY/MM/DD HH:MM:SS.mmm"; false: there is no such day or time. */
static bool text_time(struct logcat *logcat, struct text_span text, int64_t *time)
{
    bool year = text.at[4] == '-' || text.at[4] == '/';
    const char *at = text.at + (year ? 5 : 0);
    struct logcat_line line = {.has_date = true,
                               .has_year = year,
                               .year = year ? number_at(text.at, 4) : 1972,
                               .month = (unsigned)number_at(at, 2),
                               .day = (unsigned)number_at(at + 3, 2)};
    int64_t hour = number_at(at + 6, 2), minute = number_at(at + 9, 2),
            second = number_at(at + 12, 2);
    if (line.year < 1830 || line.year > 2110 || line.month < 1 || line.month > 12 || line.day < 1 ||
        line.day > clock_month_length(line.year, line.month) || hour > 23 || minute > 59 ||
        second > 60)
        return false;
    line.time = ((hour * 60 + minute) * 60 + second) * 1000000000 + number_at(at + 15, 3) * 1000000;
    *time = line_time(logcat, &line);
    return true;
}

/* --- States ----------------------------------------------------------------------------------- */

/* logd drops lines of apps that write too many: "uid=10123(u0_a123) com.example expire 25 lines".
 */
static uint64_t lost_lines(const struct log_entry *entry)
{
    const char *at = entry->tag_length == 6 && !memcmp(entry->tag, "chatty", 6)
                         ? strstr(entry->message, " expire ")
                         : NULL;
    unsigned long long count = 0;
    return at && sscanf(at, " expire %llu line", &count) == 1 ? count : 0;
}

/* What was in the lines that the log has lost, events among them, is not known. */
static tac_status commit_lost(struct logcat *logcat, tac_trace_source *source,
                              const struct log_entry *entry, uint64_t lost, tac_error *err)
{
    uint32_t unknown;
    size_t event = source_find_variable(source, "event", 5);
    char *text = tac_format("the log has lost %" PRIu64 " line%s", lost, lost == 1 ? "" : "s");
    tac_status status = source_unknown(source, text, strlen(text), &unknown, err);
    free(text);
    logcat->lost += lost;
    if (status || event == SIZE_MAX)
        return status;
    source_begin(source);
    source_set_symbol(source, event, unknown);
    if (source_commit(source, entry->time))
        return TAC_OK;
    return source_commit_error(source, entry->time, entry->line, entry->line > 0, err);
}

static tac_status commit_entry(struct logcat *logcat, tac_trace_source *source,
                               const struct log_entry *entry, tac_error *err)
{
    tac_str *subject = &logcat->subject;
    tac_str_clear(subject);
    tac_str_add_bytes(subject, entry->tag, entry->tag_length);
    tac_str_add(subject, ": ");
    tac_str_add(subject, entry->message);
    source_begin(source);
    size_t line = logcat->exported ? 0 : entry->line;
    bool matched = false;
    for (size_t i = 0; i < logcat->patterns.count; i++) {
        tac_status status = pattern_apply(&logcat->patterns.at[i], source, tac_str_text(subject),
                                          line, &matched, err);
        if (status)
            return status;
    }
    uint64_t lost = lost_lines(entry);
    if (lost)
        return commit_lost(logcat, source, entry, lost, err);
    if (!logcat->patterns.count) {
        uint32_t event, priority;
        tac_status status = source_symbol_slow(source, entry->tag, entry->tag_length, &event, err);
        if (!status)
            status = source_symbol_slow(source, &entry->level, 1, &priority, err);
        if (status)
            return status;
        if (entry->tag_length)
            source_set_symbol(source, logcat->event, event);
        source_set_symbol(source, logcat->level, priority);
        matched = true;
    }
    if (!matched || source_commit(source, entry->time))
        return TAC_OK;
    return source_commit_error(source, entry->time, line, line > 0, err);
}

/* What waits is committed when records show that nothing earlier can come, when the clock does, or
 * at once. */
enum release { RELEASE_ORDERED, RELEASE_WAITED, RELEASE_ALL };

static bool next_entry(struct logcat *logcat, enum release how, struct log_entry *out)
{
    struct reorder *waiting = &logcat->waiting;
    int64_t latest = how == RELEASE_WAITED ? tac_clock(CLOCK_MONOTONIC) - waiting->window : 0;
    bool flush = how == RELEASE_ALL || (how == RELEASE_WAITED && reorder_waited(waiting, latest));
    return reorder_pop(waiting, flush, out);
}

static tac_status release(struct logcat *logcat, tac_trace_source *source, enum release how,
                          size_t most, tac_error *err)
{
    struct log_entry entry;
    while (source->count < most && next_entry(logcat, how, &entry)) {
        tac_error problem;
        tac_status status = commit_entry(logcat, source, &entry, &problem);
        free(entry.tag);
        if (status && (status = source_skip_or_fail(source, &problem, err)))
            return status;
    }
    return TAC_OK;
}

static void tell_jump(struct logcat *logcat, tac_trace_source *source, size_t line, int64_t back)
{
    json_t *jumps = json_object_get(source->meta, "clock_jumps");
    if (!jumps)
        json_object_set_new(source->meta, "clock_jumps", jumps = json_array());
    if (logcat->jumps.count == MOST_JUMPS)
        return;
    tac_vec_push(&logcat->jumps, (struct clock_jump){line, (double)back / 1e9});
    json_array_append_new(jumps, json_pack("{s:I, s:o}", logcat->exported ? "message" : "line",
                                           (json_int_t)line, "seconds",
                                           tac_json_number((double)-back / 1e9)));
}

/* The record is complete: it takes its place. */
static void push_current(struct logcat *logcat, tac_trace_source *source)
{
    struct reorder *waiting = &logcat->waiting;
    struct log_entry entry = logcat->current;
    if (!logcat->has_current)
        return;
    logcat->has_current = false;
    int64_t back = waiting->pushed ? waiting->newest - (entry.time + logcat->shift) : 0;
    if (back > (int64_t)WINDOW_SECONDS * 1000000000) {
        logcat->shift += back;
        tell_jump(logcat, source, entry.line, back);
    } else if (back > 0) {
        logcat->late++;
        if (!waiting->window)
            entry.time = waiting->newest - logcat->shift;
    }
    entry.time += logcat->shift;
    entry.arrival = source->window.live ? tac_clock(CLOCK_MONOTONIC) : 0;
    entry.tag_length = logcat->tag.length;
    entry.tag = tac_alloc(logcat->tag.length + logcat->message.length + 2);
    entry.message = entry.tag + logcat->tag.length + 1;
    memcpy(entry.tag, tac_str_text(&logcat->tag), logcat->tag.length + 1);
    memcpy(entry.message, tac_str_text(&logcat->message), logcat->message.length + 1);
    reorder_push(waiting, entry);
}

static void take_message(struct logcat *logcat, const char *text, size_t length)
{
    log_verdict_take(&logcat->verdict, tac_str_text(&logcat->tag), logcat->tag.length,
                     logcat->current_pid, text, length);
    if (logcat->message.length + length > MESSAGE_MAX)
        return;
    if (logcat->message.length)
        tac_str_add_char(&logcat->message, '\n');
    tac_str_add_bytes(&logcat->message, text, length);
}

static void begin_record(struct logcat *logcat, tac_trace_source *source, int64_t time, size_t line,
                         char level, uint32_t pid, struct text_span tag, struct text_span message)
{
    push_current(logcat, source);
    logcat->current = (struct log_entry){.time = time, .line = line, .level = level};
    logcat->current_pid = pid;
    logcat->has_current = true;
    logcat->blank_lines = 0;
    logcat->records_seen++;
    tac_str_clear(&logcat->tag);
    tac_str_clear(&logcat->message);
    tac_str_add_bytes(&logcat->tag, tag.at, tag.length);
    if (message.length)
        take_message(logcat, message.at, message.length);
}

/* A record in a layout beside the four, or behind what a search printed. */
static bool read_other(struct logcat *logcat, tac_trace_source *source, const char *line,
                       size_t length, size_t number)
{
    struct log_record record;
    size_t skip = record_prefix(&logcat->records, line, length);
    bool found =
        skip ? record_read(&logcat->records, LAYOUT_THREADTIME, line + skip, length - skip,
                           &record) ||
                   record_read(&logcat->records, LAYOUT_TIME, line + skip, length - skip, &record)
             : false;
    if (!found)
        found =
            other_layout(&logcat->records, line + skip, length - skip, &logcat->layout, &record);
    if (!found)
        return false;
    bool brief = !record.time.length;
    int64_t time = (int64_t)logcat->records_seen * 1000000;
    if (!brief && !text_time(logcat, record.time, &time))
        return false;
    logcat->brief |= brief;
    source->local_time |= !brief;
    begin_record(logcat, source, time, number, record.level, record.pid, record.tag,
                 record.message);
    return true;
}

static tac_status read_line(tac_trace_source *source, const char *line, size_t length,
                            size_t number, tac_error *err)
{
    struct logcat *logcat = source->reader;
    record_uncolour(&line, &length);
    if (logcat_is_divider(line, length))
        return TAC_OK;
    if (!length) { /* the end of a record of the long layout, or a part of its message */
        logcat->blank_lines += logcat->long_layout && logcat->has_current;
        return TAC_OK;
    }
    const char *reached;
    struct logcat_line parsed = logcat_parse(line, length, &reached);
    if (parsed.layout != LOGCAT_NONE) {
        logcat->long_layout = parsed.layout == LOGCAT_LONG;
        source->local_time |= parsed.has_date && !parsed.has_zone;
        begin_record(logcat, source, line_time(logcat, &parsed), number, parsed.level, parsed.pid,
                     (struct text_span){parsed.tag, parsed.tag_length},
                     (struct text_span){parsed.message, parsed.message_length});
        return TAC_OK;
    }
    if (read_other(logcat, source, line, length, number))
        return TAC_OK;
    bool cut = source->window.unfinished && !window_has_line(&source->window);
    if (cut && reached > line + 12) /* the beginning of a record */
        return source_fail(source, err, TAC_E_INPUT, number, (size_t)(reached - line) + 1,
                           "the file is cut in the middle of this line");
    if (logcat->has_current) {
        for (; logcat->blank_lines; logcat->blank_lines--)
            take_message(logcat, "", 0);
        take_message(logcat, line, length);
    } else if (++logcat->others > FIRST_LINES && !logcat->records_seen) {
        return source_fail(source, err, TAC_E_INPUT, number, 1,
                           "this is not a logcat: none of its first %d lines is a record",
                           FIRST_LINES);
    }
    return TAC_OK;
}

/* At the end: what was noticed, for scripts and for people. */
static void tell(struct logcat *logcat, tac_trace_source *source)
{
    log_verdict_tell(&logcat->verdict, source->meta);
    if (logcat->others) {
        json_object_set_new(source->meta, "other_lines", json_integer((json_int_t)logcat->others));
        source_note_count(source, logcat->others, "line before the first record not read",
                          "lines before the first record not read");
    }
    if (logcat->late) {
        json_object_set_new(source->meta, "late_records", json_integer((json_int_t)logcat->late));
        source_note_count(source, logcat->late, "late record put in place by time",
                          "late records put in place by time");
    }
    source_note_count(source, logcat->lost, "line was dropped by the log: events in it are unknown",
                      "lines were dropped by the log: events in them are unknown");
    if (logcat->brief)
        source_note(source, "the layout brief has no times: records are taken 1 ms apart");
    for (size_t i = 0; i < logcat->jumps.count; i++)
        source_note(source, "the clock was set back by %.3f s at %s %zu; times go on from there",
                    logcat->jumps.at[i].seconds, logcat->exported ? "message" : "line",
                    logcat->jumps.at[i].line);
}

/* --- The export of Android Studio ------------------------------------------------------------- */

static void tell_export(struct logcat *logcat, tac_trace_source *source)
{
    const struct json_items *items = &logcat->messages;
    source->cut = items->cut;
    json_items_tell(items, source_note_sentence, source);
    source_note_count(source, logcat->no_messages, "message has no time and was left out",
                      "messages have no time and were left out");
    tell(logcat, source);
}

static void take_exported(struct logcat *logcat, tac_trace_source *source, const json_t *element)
{
    struct studio_message message;
    logcat->message_count++;
    if (!studio_take(element, &message)) {
        logcat->no_messages++;
        return;
    }
    const char *at = message.text, *end = at + message.text_length;
    const char *line_end = memchr(at, '\n', message.text_length);
    begin_record(logcat, source, message.time, (size_t)logcat->message_count, message.level,
                 message.pid, (struct text_span){message.tag, message.tag_length},
                 (struct text_span){at, (size_t)((line_end ? line_end : end) - at)});
    while (line_end) {
        at = line_end + 1;
        line_end = memchr(at, '\n', (size_t)(end - at));
        take_message(logcat, at, (size_t)((line_end ? line_end : end) - at));
    }
}

static tac_status fill_from_export(struct logcat *logcat, tac_trace_source *source, tac_error *err)
{
    json_t *element = NULL;
    tac_status status;
    do {
        json_decref(element);
        element = NULL;
        status = release(logcat, source, RELEASE_ORDERED, TAC_TRACE_BLOCK_STATES, err);
        if (status || source->count >= TAC_TRACE_BLOCK_STATES)
            return status;
        status = json_items_next(&logcat->messages, &element, err);
        if (!status && element)
            take_exported(logcat, source, element);
    } while (!status && element);
    if (status)
        return status;
    push_current(logcat, source);
    status = release(logcat, source, RELEASE_ALL, TAC_TRACE_BLOCK_STATES, err);
    if (!status && source->count < TAC_TRACE_BLOCK_STATES) {
        source->ended = true;
        tell_export(logcat, source);
    }
    return status;
}

/* Of the long layout the message stands below the head. */
static bool is_whole(const struct logcat *logcat)
{
    return !logcat->long_layout || logcat->message.length || logcat->blank_lines;
}

/* Nothing came for a moment: the last record is whole, and what has waited long enough is due.
 * True: there are states. */
static bool release_idle(struct logcat *logcat, tac_trace_source *source)
{
    if (!source->window.live)
        return false;
    if (is_whole(logcat))
        push_current(logcat, source);
    tac_error ignored;
    return release(logcat, source, RELEASE_WAITED, TAC_TRACE_BLOCK_STATES, &ignored) == TAC_OK &&
           source->count;
}

static tac_status fill(tac_trace_source *source, tac_error *err)
{
    struct logcat *logcat = source->reader;
    if (logcat->exported)
        return fill_from_export(logcat, source, err);
    for (;;) {
        const char *line;
        size_t length, number;
        bool waits;
        tac_status status = release(logcat, source, RELEASE_ORDERED, TAC_TRACE_BLOCK_STATES, err);
        if (status || source->count >= TAC_TRACE_BLOCK_STATES)
            return status;
        status = source_next_line(source, &line, &length, &number, &waits, err);
        if (status == TAC_E_INTERRUPTED && release_idle(logcat, source))
            return TAC_OK;
        if (status)
            return status;
        if (waits || !line) {
            if (!line && !waits && !logcat->records_seen && logcat->others)
                return source_fail(source, err, TAC_E_INPUT, 1, 1,
                                   "this is not a logcat: none of its lines is a record");
            if (!waits || is_whole(logcat))
                push_current(logcat, source);
            status = release(logcat, source, waits ? RELEASE_WAITED : RELEASE_ALL,
                             TAC_TRACE_BLOCK_STATES, err);
            log_verdict_tell(&logcat->verdict, source->meta);
            if (!status && !line && !waits && source->count < TAC_TRACE_BLOCK_STATES) {
                source->ended = true;
                tell(logcat, source);
            }
            return status;
        }
        tac_error problem;
        status = read_line(source, line, length, number, &problem);
        if (status && (status = source_skip_or_fail(source, &problem, err)))
            return status;
    }
}

static const char *const messages_path[] = {"logcatMessages", NULL};

static tac_status open_logcat(tac_trace_source *source, tac_error *err)
{
    struct logcat *logcat = source->reader = tac_calloc(1, sizeof *logcat);
    logcat->year = source->options.year ? source->options.year : 1972;
    logcat->layout = LAYOUT_COUNT;
    logcat->exported = studio_is_export(source->window.data + source->window.begin);
    if (logcat->exported) {
        json_items_open(&logcat->messages, &source->window, messages_path);
        source->clock = "realtime";
    }
    logcat->waiting.window =
        source->window.live ? source->options.reorder : (int64_t)WINDOW_SECONDS * 1000000000;
    record_reader_open(&logcat->records);
    log_verdict_open(&logcat->verdict);
    for (size_t i = 0; i < source->options.pattern_count; i++) {
        struct trace_pattern pattern;
        tac_status status = pattern_compile(&pattern, source, source->options.patterns[i], err);
        if (status)
            return status;
        tac_vec_push(&logcat->patterns, pattern);
    }
    if (logcat->patterns.count)
        return TAC_OK;
    tac_status status =
        source_want_variable(source, "event", TAC_DISCRETE, "", &logcat->event, err);
    if (!status)
        status = source_want_variable(source, "level", TAC_DISCRETE, "", &logcat->level, err);
    return status;
}

static void close_logcat(tac_trace_source *source)
{
    struct logcat *logcat = source->reader;
    if (!logcat)
        return;
    for (size_t i = 0; i < logcat->patterns.count; i++)
        pattern_free(&logcat->patterns.at[i]);
    tac_vec_free(&logcat->patterns);
    tac_str_free(&logcat->subject);
    tac_str_free(&logcat->tag);
    tac_str_free(&logcat->message);
    reorder_free(&logcat->waiting);
    record_reader_close(&logcat->records);
    log_verdict_close(&logcat->verdict);
    tac_vec_free(&logcat->jumps);
    if (logcat->exported)
        json_items_close(&logcat->messages);
    free(logcat);
}

const struct trace_format trace_format_logcat = {
    .id = TRACE_LOGCAT,
    .endings = "|.logcat|.log|",
    .sniff = sniff,
    .open = open_logcat,
    .fill = fill,
    .close = close_logcat,
};
