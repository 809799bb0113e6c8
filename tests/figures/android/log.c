/* Logs of Android, and stacks cut out of them.
 *
 * The layout is the one that most lines of the file have. A line that is no record belongs to the
 * record before it (Android Studio and the long layout print messages of several lines). A crash is
 * a block of the tag AndroidRuntime that begins with FATAL EXCEPTION; what other processes print
 * between its lines is passed over. */
#include "base/check.h"
#include "figures/android/app.h"
#include "figures/android/natives.h"
#include "figures/android/studio.h"
#include "figures/kind.h"
#include "figures/tally.h"
#include "trace/log/record.h"
#include "trace/log/studio.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD_CRASHES = 3, SAMPLE_LINES = 400 };

struct crash_told {
    struct java_stack stack;
    uint32_t pid;
    struct text_span time;
    bool open;
};

struct log {
    tac_arena arena;
    struct record_reader reader;
    enum log_layout layout;
    bool grepped;
    int64_t lines, records, markers, others, blanks, crlf;
    struct log_record first, last, now;
    int64_t back, largest_back, years; /* years: milliseconds of those that began in the log */
    struct tally pids;
    TAC_VEC(struct crash_told) crashes;
    struct natives natives;
    int64_t fatal_blocks, deaths, anrs, strict, acra;
    const char *death_first, *death_last, *anr_first;
    struct java_stack acra_stack, first_stack; /* first_stack: of a file that is one */
    const char *stack_tag;
    bool stack_seen, stack_over;
    uint32_t stack_pid;
};

static bool span_is(struct text_span span, const char *text)
{
    return span.length == strlen(text) && !memcmp(span.at, text, span.length);
}

static const char *find(struct text_span span, const char *text)
{
    return memmem(span.at, span.length, text, strlen(text));
}

static const char *keep(struct log *log, struct text_span span)
{
    return tac_arena_strndup(&log->arena, span.at, span.length);
}

/* The layout that most of the first lines have; LAYOUT_COUNT: none. */
static enum log_layout choose_layout(struct log *log, const char *text, const char *end,
                                     bool grepped)
{
    size_t votes[LAYOUT_COUNT] = {0}, seen = 0, best = 0;
    const char *line;
    size_t length;
    struct log_record record;
    while (seen < SAMPLE_LINES && figures_next_line(&text, end, &line, &length)) {
        size_t skip = grepped ? record_prefix(&log->reader, line, length) : 0;
        seen++;
        for (size_t i = 0; i < LAYOUT_COUNT; i++)
            if (record_read(&log->reader, (enum log_layout)i, line + skip, length - skip,
                            &record)) {
                votes[i]++;
                break;
            }
    }
    for (size_t i = 1; i < LAYOUT_COUNT; i++)
        if (votes[i] > votes[best])
            best = i;
    return votes[best] ? (enum log_layout)best : LAYOUT_COUNT;
}

static void take_death(struct log *log, const struct log_record *r)
{
    const char *end = find(r->message, ") has died"), *pid = find(r->message, " (pid ");
    const char *process = find(r->message, "Process ");
    if (!end || !pid || !process || pid > end || process > pid)
        return;
    const char *text = tac_arena_format(&log->arena, "%.*s %.*s", (int)(pid - process - 8),
                                        process + 8, (int)(end - pid - 6), pid + 6);
    if (!log->deaths++)
        log->death_first = text;
    log->death_last = text;
}

static bool starts(struct text_span span, const char *word)
{
    size_t n = strlen(word);
    return span.length >= n && !memcmp(span.at, word, n);
}

static void take_anr(struct log *log, const struct log_record *r)
{
    const char *at = find(r->message, "ANR in ");
    if (!at || !span_is(r->tag, "ActivityManager"))
        return;
    if (!log->anrs++) {
        size_t n = strcspn(at + 7, " \r\n"),
               most = (size_t)(r->message.at + r->message.length - at - 7);
        log->anr_first = tac_arena_strndup(&log->arena, at + 7, n < most ? n : most);
    }
}

/* A line of AndroidRuntime, or one that follows such a record. */
static void take_crash(struct log *log, const struct log_record *r, struct text_span line)
{
    if (find(line, "FATAL EXCEPTION")) {
        for (size_t i = 0; i < log->crashes.count; i++)
            log->crashes.at[i].open &= log->crashes.at[i].pid != r->pid;
        log->fatal_blocks++;
        tac_vec_push(&log->crashes, (struct crash_told){.stack = {.arena = &log->arena},
                                                        .pid = r->pid,
                                                        .time = r->time,
                                                        .open = true});
    }
    for (size_t i = log->crashes.count; i-- > 0;)
        if (log->crashes.at[i].open && log->crashes.at[i].pid == r->pid) {
            java_stack_add(&log->crashes.at[i].stack, line.at, line.length);
            return;
        }
}

static void take_message(struct log *log, const struct log_record *r, struct text_span line)
{
    if (span_is(r->tag, "AndroidRuntime") || log->layout == LAYOUT_THREAD) /* it has no tags */
        take_crash(log, r, line);
    if (span_is(r->tag, "ACRA"))
        java_stack_add(&log->acra_stack, line.at, line.length);
}

/* The record's time; without a year a step back by months is New Year. */
static int64_t time_of(struct log *log, const struct log_record *r)
{
    static const int64_t day = 86400000;
    bool has_year = r->time.length <= 4 || r->time.at[2] != '-';
    int64_t time = r->milliseconds + (has_year ? 0 : log->years);
    if (!has_year && log->records && log->last.milliseconds - time > 183 * day) {
        log->years += 366 * day; /* as record_read counts: a leap year */
        time += 366 * day;
    }
    return time;
}

static void take_record(struct log *log, struct log_record *r)
{
    char pid[16];
    int n = snprintf(pid, sizeof pid, "%" PRIu32, r->pid);
    tally_add(&log->pids, pid, (size_t)n, 0);
    r->milliseconds = time_of(log, r);
    if (!log->records++)
        log->first = *r;
    else if (r->time.length && r->milliseconds < log->last.milliseconds) {
        log->back++;
        if (log->last.milliseconds - r->milliseconds > log->largest_back)
            log->largest_back = log->last.milliseconds - r->milliseconds;
    }
    log->last = log->now = *r;
    log->strict += span_is(r->tag, "StrictMode");
    log->acra += span_is(r->tag, "ACRA");
    take_death(log, r);
    natives_take(&log->natives, r, &log->arena);
    take_anr(log, r);
    take_message(log, r, r->message);
}

static bool is_fatal(struct text_span line)
{
    return find(line, "FATAL EXCEPTION") || starts(line, "// CRASH: "); /* monkey */
}

/* The first stack of the file, whatever tag it has. */
static void take_stack(struct log *log, const struct log_record *r, struct text_span line)
{
    struct java_stack *stack = &log->first_stack;
    bool fatal = is_fatal(line);
    if (fatal && !stack->fatal) { /* what kills the app counts, not what came before */
        tac_vec_free(&stack->frames);
        *stack = (struct java_stack){.arena = &log->arena};
        log->stack_over = false;
    }
    if (log->stack_over)
        return;
    bool begun = stack->exception && stack->frames.count;
    bool foreign = begun && r && log->stack_pid && r->pid != log->stack_pid;
    if (foreign)
        return;
    if (begun && (fatal || (java_is_exception_line(line.at, line.length) &&
                            !java_is_stack_line(line.at, line.length)))) {
        log->stack_over = true;
        return;
    }
    bool had = stack->exception != NULL;
    if (java_stack_add(stack, line.at, line.length) && !had && stack->exception) {
        log->stack_tag = r ? keep(log, r->tag) : NULL;
        log->stack_pid = r ? r->pid : 0;
    }
}

/* A line that is no record of the file's layout: more of the message before it, or, in a file that
 * was put together by hand, a record of another layout. */
static void take_other(struct log *log, struct text_span line)
{
    struct log_record record;
    if (log->records) {
        take_message(log, &log->now, line);
        if (log->layout == LAYOUT_LONG) {
            record = log->now;
            record.message = line;
            take_death(log, &record);
            natives_take(&log->natives, &record, &log->arena);
            take_anr(log, &record);
        }
    }
    for (size_t i = 0; i < LAYOUT_COUNT; i++)
        if (record_read(&log->reader, (enum log_layout)i, line.at, line.length, &record)) {
            log->fatal_blocks +=
                !span_is(log->now.tag, "AndroidRuntime") && find(line, "FATAL EXCEPTION");
            take_stack(log, &record, record.message);
            return;
        }
    bool belongs = log->records && log->layout < LAYOUT_COUNT && log->now.pid;
    log->fatal_blocks += !log->records && is_fatal(line);
    take_stack(log, belongs || log->records ? &log->now : NULL, line);
}

/* "--------- beginning of main" and "--------- switch to main" */
static bool record_is_marker(const char *line, size_t length)
{
    static const char begin[] = "--------- beginning of", turn[] = "--------- switch to";
    return (length >= sizeof begin - 1 && !memcmp(line, begin, sizeof begin - 1)) ||
           (length >= sizeof turn - 1 && !memcmp(line, turn, sizeof turn - 1));
}

static void take_line(struct log *log, const char *line, size_t length)
{
    struct log_record record;
    size_t skip = log->grepped ? record_prefix(&log->reader, line, length) : 0;
    struct text_span whole = {line + skip, length - skip};
    bool blank = true;
    log->lines++;
    for (size_t i = 0; i < length && blank; i++)
        blank = line[i] == ' ' || line[i] == '\t' || line[i] == '\r';
    if (blank) {
        log->blanks++;
    } else if (record_is_marker(whole.at, whole.length)) {
        log->markers++;
    } else if (log->layout < LAYOUT_COUNT &&
               record_read(&log->reader, log->layout, whole.at, whole.length, &record)) {
        take_record(log, &record);
        take_stack(log, &record, record.message);
    } else {
        log->others++;
        take_other(log, whole);
    }
}

static void add_optional(struct figures *facts, const char *name, const char *text)
{
    if (text)
        figures_text(facts, name, text);
}

static void add_crash(struct figures *facts, size_t number, struct crash_told *crash)
{
    const struct java_stack *s = &crash->stack;
    char name[64];
#define NAMED(what) (snprintf(name, sizeof name, "crash%zu." what, number), name)
    add_optional(facts, NAMED("process"), s->process);
    add_optional(facts, NAMED("pid"), s->pid);
    add_optional(facts, NAMED("exception"), s->exception);
    add_optional(facts, NAMED("root"), s->root);
    figures_number(facts, NAMED("causes"), (int64_t)s->causes);
    add_optional(facts, NAMED("root_first_frame"), java_root_frame(s));
    const char *frame = s->process ? java_app_frame(s, java_app_prefix(s)) : NULL;
    figures_text(facts, NAMED("first_app_frame"), frame ? frame : "-");
    if (crash->time.length)
        figures_textf(facts, NAMED("time"), "%.*s", (int)crash->time.length, crash->time.at);
#undef NAMED
}

static void add_log(struct log *log, struct figures *facts, const struct figures_input *input)
{
    if (log->layout < LAYOUT_COUNT)
        figures_textf(facts, "layout", "%s%s", log->grepped ? "grep+" : "",
                      layout_name(log->layout));
    figures_text(facts, "encoding", input->encoding);
    figures_text(facts, "line_end", log->crlf * 2 > log->lines ? "CRLF" : "LF");
    figures_number(facts, "lines", log->lines);
    figures_number(facts, "records", log->records);
    figures_number(facts, "markers", log->markers);
    figures_number(facts, "other_lines", log->others);
    figures_number(facts, "blank_lines", log->blanks);
    if (log->first.time.length) {
        figures_textf(facts, "first_time", "%.*s", (int)log->first.time.length, log->first.time.at);
        figures_textf(facts, "last_time", "%.*s", (int)log->last.time.length, log->last.time.at);
        figures_number(facts, "times_going_back", log->back);
        figures_number(facts, "largest_step_back_ms", log->largest_back);
    }
    figures_number(facts, "pids", (int64_t)log->pids.rows.count);
    figures_number(facts, "java_crashes", (int64_t)log->crashes.count);
    for (size_t i = 0; i < log->crashes.count && i < TOLD_CRASHES; i++)
        add_crash(facts, i + 1, &log->crashes.at[i]);
    figures_number(facts, "deaths", log->deaths);
    add_optional(facts, "death1", log->death_first);
    add_optional(facts, "death_last", log->death_last);
    natives_tell(&log->natives, facts);
    figures_number(facts, "anrs", log->anrs);
    add_optional(facts, "anr1", log->anr_first);
    figures_number(facts, "strictmode_lines", log->strict);
    figures_number(facts, "acra_lines", log->acra);
    if (log->acra_stack.exception) {
        const char *frame = java_app_frame(&log->acra_stack, java_app_prefix(&log->acra_stack));
        figures_text(facts, "acra.exception", log->acra_stack.exception);
        figures_text(facts, "acra.first_app_frame", frame ? frame : "-");
    }
}

static void add_stack(struct log *log, struct figures *facts)
{
    const struct java_stack *s = &log->first_stack;
    const char *prefix = java_app_prefix(s), *frame = java_app_frame(s, prefix);
    figures_text(facts, "layout_tag", log->stack_tag ? log->stack_tag : "None");
    figures_number(facts, "fatal_blocks", log->fatal_blocks);
    add_optional(facts, "thread", s->thread);
    add_optional(facts, "process", s->process);
    add_optional(facts, "pid", s->pid);
    add_optional(facts, "exception", s->exception);
    add_optional(facts, "root", s->root);
    figures_number(facts, "causes", (int64_t)s->causes);
    add_optional(facts, "root_first_frame", java_root_frame(s));
    figures_number(facts, "frames", (int64_t)s->frame_lines);
    add_optional(facts, "app_prefix", prefix);
    if (!frame && s->process) /* an app whose code has another name than its package */
        frame = java_own_frame(s);
    figures_text(facts, "first_app_frame", frame ? frame : "-");
}

static tac_status read_log(const struct figures_input *input, struct figures *facts, tac_error *err)
{
    struct log log = {0};
    char *text;
    size_t size, length;
    const char *line;
    tac_status status = figures_slurp(input, &text, &size, err);
    if (status == TAC_OK && studio_is_export(text))
        status = studio_plain_text(input->path, &text, &size, err);
    if (status != TAC_OK)
        return status;
    log.acra_stack.arena = log.first_stack.arena = &log.arena;
    record_reader_open(&log.reader);
    log.layout = choose_layout(&log, text, text + size, false);
    if (log.layout == LAYOUT_COUNT) {
        log.layout = choose_layout(&log, text, text + size, true);
        log.grepped = log.layout < LAYOUT_COUNT;
    }
    for (const char *at = text; figures_next_line(&at, text + size, &line, &length);) {
        log.crlf += line + length < text + size && line[length] == '\r';
        take_line(&log, line, length);
    }
    add_log(&log, facts, input);
    if (log.first_stack.exception)
        add_stack(&log, facts);
    for (size_t i = 0; i < log.crashes.count; i++)
        java_stack_free(&log.crashes.at[i].stack);
    tac_vec_free(&log.crashes);
    natives_free(&log.natives);
    java_stack_free(&log.acra_stack);
    java_stack_free(&log.first_stack);
    tally_free(&log.pids);
    record_reader_close(&log.reader);
    tac_arena_free(&log.arena);
    free(text);
    return TAC_OK;
}

/* Of the first lines: how many are records, and how many are parts of stacks. */
static void count_head(const struct figures_input *input, size_t *lines, size_t *records,
                       size_t *stacks)
{
    struct record_reader reader;
    struct log_record record;
    const char *at = input->head, *end = at + input->head_size, *line;
    size_t length;
    *lines = *records = *stacks = 0;
    record_reader_open(&reader);
    while (*lines < 60 && figures_next_line(&at, end, &line, &length)) {
        size_t skip = record_prefix(&reader, line, length);
        struct text_span text = {line + skip, length - skip};
        if (!length)
            continue;
        ++*lines;
        for (size_t i = 0; i < LAYOUT_COUNT; i++)
            if (record_read(&reader, (enum log_layout)i, line + skip, length - skip, &record)) {
                ++*records;
                text = record.message;
                break;
            }
        /* a tag without a header: "E AndroidRuntime: ..." is told by what follows */
        const char *frame = memmem(text.at, text.length, "\tat ", 4);
        *stacks += java_is_stack_line(text.at, text.length) || frame ||
                   java_is_exception_line(text.at, text.length);
    }
    record_reader_close(&reader);
}

static int sniff_log(const struct figures_input *input)
{
    size_t lines, records, stacks;
    count_head(input, &lines, &records, &stacks);
    if (!strncmp(input->head, "--------- beginning of", 22) || studio_is_export(input->head))
        return 3;
    return records * 2 > lines                  ? (stacks * 2 > lines ? 1 : 2)
           : records >= 2 && stacks * 3 < lines ? 1
                                                : 0;
}

static int sniff_stack(const struct figures_input *input)
{
    size_t lines, records, stacks;
    count_head(input, &lines, &records, &stacks);
    return lines && stacks * 2 > lines ? 2 : stacks >= 2 ? 1 : 0;
}

const struct figures_kind figures_kind_logcat = {
    .name = "logcat",
    .summary = "logs of Android in every layout, and as Android Studio exports them: records, "
               "times, crashes, deaths",
    .sniff = sniff_log,
    .read = read_log,
};

const struct figures_kind figures_kind_stack = {
    .name = "stack",
    .summary = "stacks of Java exceptions, as pasted from a log",
    .sniff = sniff_stack,
    .read = read_log,
};
