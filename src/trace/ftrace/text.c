/* See text.h. */
#include "trace/ftrace/text.h"
#include "trace/ftrace/line.h"
#include "trace/timeline/mark.h"
#include <string.h>

static bool is_event(const struct ftrace_line *line, const char *name)
{
    return line->event_length == strlen(name) && !memcmp(line->event, name, line->event_length);
}

static bool take_sync(struct ftrace_text *text, int64_t time, const char *mark, size_t length)
{
    bool realtime;
    int64_t other;
    if (!mark_clock_sync(mark, length, &realtime, &other))
        return false;
    if (realtime && !text->tied) {
        text->tied = true;
        text->realtime_minus_trace = other - time;
    } else if (!realtime && !text->has_parent) {
        text->has_parent = true;
        text->monotonic_minus_trace = other - time;
    }
    return true;
}

/* "prev:1 [120] S ==> next:2 [120]", as `trace-cmd report` prints it; NULL: it is not that. */
static const char *take_arrow(const struct ftrace_line *line, const char **stop, int64_t *tid)
{
    const char *end = line->args + line->args_length;
    const char *name = memmem(line->args, line->args_length, " ==> ", 5);
    const char *bracket = name ? memrchr(name, '[', (size_t)(end - name)) : NULL;
    if (!bracket)
        return NULL;
    name += 5;
    while (bracket > name && bracket[-1] == ' ')
        bracket--;
    const char *colon = bracket > name ? memrchr(name, ':', (size_t)(bracket - name)) : NULL;
    *tid = 0;
    for (const char *at = colon ? colon + 1 : bracket; at < bracket; at++) {
        if (*at < '0' || *at > '9' || *tid > UINT32_MAX)
            return NULL;
        *tid = *tid * 10 + (*at - '0');
    }
    *stop = colon;
    return colon && colon + 1 < bracket ? name : NULL;
}

static tac_status take_switch(struct ftrace_text *text, const struct ftrace_line *line,
                              tac_error *err)
{
    const char *name = memmem(line->args, line->args_length, "next_comm=", 10);
    const char *end = line->args + line->args_length;
    int64_t tid = 0;
    ftrace_line_number(line, "next_pid", &tid);
    const char *stop = NULL;
    if (name) {
        name += 10;
        stop = memmem(name, (size_t)(end - name), " next_pid=", 10);
    } else if (!(name = take_arrow(line, &stop, &tid))) {
        text->unused++;
        return TAC_OK;
    }
    return kernel_switch(text->kernel, line->time + text->shift, line->cpu, (uint32_t)tid, name,
                         (size_t)((stop ? stop : end) - name), err);
}

static tac_status take_mark(struct ftrace_text *text, const struct ftrace_line *line,
                            const char *mark, size_t length, tac_error *err)
{
    struct kernel *kernel = text->kernel;
    struct mark read;
    bool sync = take_sync(text, line->time, mark, length);
    if (text->only_clocks)
        return TAC_OK;
    text->unused += !sync && !mark_parse(mark, length, &read);
    if (line->task_length && *line->task != '<')
        kernel_thread_name(kernel, (uint32_t)line->tid, line->task, line->task_length);
    if (line->tgid > 0)
        kernel_thread_of(kernel, (uint32_t)line->tid, (uint32_t)line->tgid);
    return kernel_mark(kernel, line->time + text->shift, (uint32_t)line->tid, mark, length, err);
}

static tac_status take_line(struct ftrace_text *text, const struct ftrace_line *line,
                            tac_error *err)
{
    struct kernel *kernel = text->kernel;
    const char *mark;
    size_t length;
    int64_t state, cpu = line->cpu;
    if (ftrace_line_mark(line, &mark, &length))
        return take_mark(text, line, mark, length, err);
    if (text->only_clocks)
        return TAC_OK;
    if (is_event(line, "sched_switch"))
        return take_switch(text, line, err);
    bool frequency = is_event(line, "cpu_frequency"), idle = is_event(line, "cpu_idle");
    text->unused += !frequency && !idle;
    if ((!frequency && !idle) || !ftrace_line_number(line, "state", &state))
        return TAC_OK;
    ftrace_line_number(line, "cpu_id", &cpu);
    if (cpu < 0)
        return TAC_OK;
    return frequency ? kernel_frequency(kernel, line->time + text->shift, (unsigned)cpu,
                                        (double)state, err)
                     : kernel_idle(kernel, line->time + text->shift, (unsigned)cpu,
                                   (double)(int32_t)(uint32_t)state, err);
}

/* --- The list of processes -------------------------------------------------------------------- */

enum { DUMP_NONE, DUMP_HEAD, DUMP_PROCESSES, DUMP_THREADS, COLUMNS_MAX = 12 };

struct words {
    const char *at[COLUMNS_MAX];
    size_t length[COLUMNS_MAX], count;
    const char *end; /* of the line, without blanks */
};

static void split(const char *line, size_t length, struct words *out)
{
    const char *end = line + length;
    *out = (struct words){0};
    while (end > line && strchr(" \t\r", end[-1]))
        end--;
    out->end = end;
    while (line < end && out->count < COLUMNS_MAX) {
        while (line < end && (*line == ' ' || *line == '\t'))
            line++;
        out->at[out->count] = line;
        while (line < end && *line != ' ' && *line != '\t')
            line++;
        out->length[out->count] = (size_t)(line - out->at[out->count]);
        out->count++;
    }
}

static bool is_word(const struct words *words, size_t place, const char *text)
{
    return place < words->count && words->length[place] == strlen(text) &&
           !memcmp(words->at[place], text, words->length[place]);
}

static bool number_at(const struct words *words, size_t place, uint32_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < words->length[place]; i++) {
        if (words->at[place][i] < '0' || words->at[place][i] > '9' || value > UINT32_MAX)
            return false;
        value = value * 10 + (uint64_t)(words->at[place][i] - '0');
    }
    *out = (uint32_t)value;
    return words->length[place] && value <= UINT32_MAX;
}

/* Old lists end with NAME, behind a column without a head; newer ones have NAME and then the
 * command.
 */
static void take_dump_head(struct ftrace_text *text, const struct words *words)
{
    text->dump = is_word(words, 2, "TID") ? DUMP_THREADS : DUMP_PROCESSES;
    text->name_from = is_word(words, words->count - 1, "NAME") ? words->count : SIZE_MAX;
    for (size_t i = 0; i + 1 < words->count; i++)
        if (is_word(words, i, "NAME"))
            text->name_from = i;
}

static void take_dump_line(struct ftrace_text *text, const struct words *words)
{
    uint32_t pid, tid;
    if (is_word(words, 0, "USER") && is_word(words, 1, "PID")) {
        take_dump_head(text, words);
        return;
    }
    if (text->dump == DUMP_HEAD || words->count < 4 || !number_at(words, 1, &pid))
        return;
    if (text->dump == DUMP_THREADS && number_at(words, 2, &tid)) {
        kernel_thread_of(text->kernel, tid, pid);
        if (!tac_u64map_find(&text->kernel->thread_names, tid))
            kernel_thread_name(text->kernel, tid, words->at[3],
                               (size_t)(words->end - words->at[3]));
    } else if (text->dump == DUMP_PROCESSES && text->name_from < words->count) {
        kernel_process_name(text->kernel, pid, words->at[text->name_from],
                            words->length[text->name_from]);
    }
}

/* True when the line belongs to the list. */
static bool take_dump(struct ftrace_text *text, const char *line, size_t length)
{
    static const char head[] = "PROCESS DUMP";
    if (length >= sizeof head - 1 && !memcmp(line, head, sizeof head - 1)) {
        text->dump = DUMP_HEAD;
        return true;
    }
    if (!text->dump)
        return false;
    if (memmem(line, length, "</script", 8)) {
        text->dump = DUMP_NONE;
        return false;
    }
    struct words words;
    split(line, length, &words);
    if (!text->only_clocks)
        take_dump_line(text, &words);
    return true;
}

tac_status ftrace_text_line(struct ftrace_text *text, const char *line, size_t length,
                            tac_error *err)
{
    struct ftrace_line parsed;
    text->understood = true;
    if (!length)
        return TAC_OK;
    if (*line == '#')
        text->dump = DUMP_NONE;
    uint64_t lost = ftrace_lost(line, length);
    text->lost += lost;
    if (lost || *line == '#' || take_dump(text, line, length))
        return TAC_OK;
    bool event = ftrace_line_parse(line, length, &parsed), markup = *line == '<';
    text->understood = event || memchr(line, '<', length);
    text->page |= markup;
    text->events += event;
    text->others += !event && text->events && !text->page;
    return event ? take_line(text, &parsed, err) : TAC_OK;
}

void ftrace_text_notes(const struct ftrace_text *text, struct timeline *timeline)
{
    timeline_note_count(timeline, text->lost, "event was lost while tracing",
                        "events were lost while tracing");
    timeline_note_count(timeline, text->others, "line is not an event and was left out",
                        "lines are not events and were left out");
    timeline_note_count(timeline, text->unused, "event is of a kind that nothing is made of",
                        "events are of kinds that nothing is made of");
}

tac_status ftrace_text_all(struct ftrace_text *text, const char *lines, size_t size, tac_error *err)
{
    const char *end = lines + size;
    tac_status status = TAC_OK;
    while (!status && lines < end) {
        const char *stop = memchr(lines, '\n', (size_t)(end - lines));
        stop = stop ? stop : end;
        size_t length = (size_t)(stop - lines);
        status = ftrace_text_line(text, lines, length - (length && stop[-1] == '\r'), err);
        lines = stop + 1;
    }
    return status;
}
