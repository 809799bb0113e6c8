/* Android logcat. The 2015 paper's section 4.3 reads test steps from lines such as
 * "V/TESTCASEGENERATOR (13414): CONTROL -httpClick: ...".
 *
 * Patterns are matched against "TAG: MESSAGE", which is the same in all layouts; a line that no
 * pattern matches is no state. Without patterns every line is a state whose event is its tag.
 * A fatal exception of the app becomes the verdict of the run in the meta data. */
#include "base/io/json.h"
#include "trace/clock.h"
#include "trace/read/format.h"
#include "trace/read/logcat_line.h"
#include "trace/read/pattern.h"

enum { STACK_MAX = 64 };

struct logcat {
    TAC_VEC(struct trace_pattern) patterns;
    size_t event, level; /* variables when there are no patterns */
    tac_str subject;
    int64_t year; /* of lines without one; counts up when December turns to January */
    unsigned last_month;
    struct logcat_line current; /* long layout: the head of the entry whose message follows */
    tac_str current_tag;
    int64_t current_time;
    bool in_crash;
};

/* "I/Tag( 12): message": no time, but surely a logcat; reading it says what to do. */
static bool is_brief(const char *line, size_t length)
{
    return length > 6 && line[1] == '/' && strchr("VDIWEF", line[0]) &&
           memmem(line, length, "): ", 3);
}

/* Of a pipe there may be no more than the first line, so a divider has to be enough. */
static int sniff(const struct trace_probe *probe)
{
    const char *at = probe->head, *reached;
    at += strspn(at, "\r\n");
    size_t length = strcspn(at, "\r\n");
    if (logcat_is_divider(at, length) && !strncmp(at + 9, " beginning of ", 14))
        return 2;
    if (logcat_parse(at, length, &reached).layout != LOGCAT_NONE)
        return 2;
    return is_brief(at, length) ? 1 : 0;
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

/* --- Crashes ---------------------------------------------------------------------------------- */

/* "java.lang.IllegalStateException: text" */
static void keep_exception(tac_trace_source *source, const char *message)
{
    size_t name = strcspn(message, ":");
    json_object_set_new(source->meta, "exception", tac_json_string_n(message, name));
    if (message[name])
        json_object_set_new(source->meta, "message",
                            tac_json_string(message + name + 1 + (message[name + 1] == ' ')));
    json_object_set_new(source->meta, "stack", json_array());
}

static void watch_crash(struct logcat *logcat, tac_trace_source *source, const char *message)
{
    json_t *stack = json_object_get(source->meta, "stack");
    if (!strncmp(message, "FATAL EXCEPTION", 15) && !json_object_get(source->meta, "verdict")) {
        json_object_set_new(source->meta, "verdict", tac_json_string("crash"));
        logcat->in_crash = true;
    } else if (logcat->in_crash && !strncmp(message, "Process: ", 9)) {
        json_object_set_new(source->meta, "app",
                            tac_json_string_n(message + 9, strcspn(message + 9, ",")));
    } else if (logcat->in_crash && !stack && *message) {
        keep_exception(source, message);
    } else if (logcat->in_crash && stack) {
        message += strspn(message, " \t");
        if (strncmp(message, "at ", 3))
            logcat->in_crash = false; /* "Caused by" and the rest: the first stack is kept */
        else if (json_array_size(stack) < STACK_MAX)
            json_array_append_new(stack, tac_json_string(message + 3));
    }
}

/* --- States ----------------------------------------------------------------------------------- */

static tac_status commit(tac_trace_source *source, int64_t time, size_t number, tac_error *err)
{
    if (source_commit(source, time))
        return TAC_OK;
    return source_commit_error(source, time, number, 1, err);
}

/* One message line of an entry. */
static tac_status read_message(struct logcat *logcat, tac_trace_source *source, const char *tag,
                               size_t tag_length, char level, const char *message, size_t length,
                               int64_t time, size_t number, tac_error *err)
{
    tac_str *subject = &logcat->subject;
    tac_str_clear(subject);
    tac_str_add_bytes(subject, tag, tag_length);
    tac_str_add(subject, ": ");
    tac_str_add_bytes(subject, message, length);
    const char *text = tac_str_text(subject);
    if (tag_length == 14 && !memcmp(tag, "AndroidRuntime", 14))
        watch_crash(logcat, source, text + tag_length + 2);
    source_begin(source);
    bool matched = false;
    for (size_t i = 0; i < logcat->patterns.count; i++) {
        tac_status status =
            pattern_apply(&logcat->patterns.at[i], source, text, number, &matched, err);
        if (status)
            return status;
    }
    if (!logcat->patterns.count) {
        uint32_t event, priority;
        tac_status status = source_symbol_slow(source, tag, tag_length, &event, err);
        if (!status)
            status = source_symbol_slow(source, &level, 1, &priority, err);
        if (status)
            return status;
        if (tag_length)
            source_set_symbol(source, logcat->event, event);
        source_set_symbol(source, logcat->level, priority);
        matched = true;
    }
    return matched ? commit(source, time, number, err) : TAC_OK;
}

static tac_status not_a_line(const tac_trace_source *source, const char *line, const char *reached,
                             size_t length, size_t number, tac_error *err)
{
    if (is_brief(line, length))
        return source_fail(source, err, TAC_E_INPUT, number, 1,
                           "this logcat has no times (layout brief); record it with "
                           "logcat -v threadtime");
    return source_fail(source, err, TAC_E_INPUT, number, (size_t)(reached - line) + 1,
                       source->window.unfinished && !window_has_line(&source->window)
                           ? "the file is cut in the middle of this line"
                           : "this is no logcat line (expected threadtime, time, epoch or long)");
}

static tac_status read_line(tac_trace_source *source, const char *line, size_t length,
                            size_t number, tac_error *err)
{
    struct logcat *logcat = source->reader;
    if (logcat_is_divider(line, length) || (!length && logcat->current.layout != LOGCAT_LONG))
        return TAC_OK;
    const char *reached;
    struct logcat_line parsed = logcat_parse(line, length, &reached);
    if (parsed.layout == LOGCAT_LONG) {
        logcat->current = parsed;
        logcat->current_time = line_time(logcat, &parsed);
        tac_str_clear(&logcat->current_tag);
        tac_str_add_bytes(&logcat->current_tag, parsed.tag, parsed.tag_length);
        return TAC_OK;
    }
    if (logcat->current.layout == LOGCAT_LONG) { /* a message line; a blank line ends the entry */
        if (!length)
            return TAC_OK;
        return read_message(logcat, source, tac_str_text(&logcat->current_tag),
                            logcat->current_tag.length, logcat->current.level, line, length,
                            logcat->current_time, number, err);
    }
    if (parsed.layout == LOGCAT_NONE)
        return not_a_line(source, line, reached, length, number, err);
    return read_message(logcat, source, parsed.tag, parsed.tag_length, parsed.level, parsed.message,
                        parsed.message_length, line_time(logcat, &parsed), number, err);
}

static tac_status fill(tac_trace_source *source, tac_error *err)
{
    return source_fill_by_line(source, TAC_TRACE_BLOCK_STATES, read_line, err);
}

static tac_status open_logcat(tac_trace_source *source, tac_error *err)
{
    struct logcat *logcat = source->reader = tac_calloc(1, sizeof *logcat);
    logcat->year = source->options.year ? source->options.year : 1972;
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
    tac_str_free(&logcat->current_tag);
    free(logcat);
}

const struct trace_format trace_format_logcat = {
    .name = "logcat",
    .endings = "|.logcat|.log|",
    .summary = "Android logcat in the layouts threadtime, time, epoch and long",
    .sniff = sniff,
    .open = open_logcat,
    .fill = fill,
    .close = close_logcat,
};
