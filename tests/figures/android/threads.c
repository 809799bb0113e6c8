/* Dumps of threads: tombstones of native crashes and ANR traces. */
#include "figures/android/lines.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct tombstone {
    struct figures *facts;
    int64_t threads, frames;
    bool named, in_trace, traced, signalled, stamped, abi;
};

static void copy_until(struct figures *facts, const char *name, const char *from, const char *end)
{
    figures_textf(facts, name, "%.*s", (int)(end - from), from);
}

static void take_name(struct tombstone *t, const char *text)
{
    const char *thread = strstr(text, "name: "), *open = strstr(text, "  >>> "),
               *close = strstr(text, " <<<");
    t->named = true;
    figures_number(t->facts, "pid", number_after(text, "pid:", 0));
    figures_number(t->facts, "tid", number_after(text, "tid:", 0));
    if (!open || !close || close < open + 6)
        return;
    if (thread && thread + 6 <= open) /* not printed before Android 4.1 */
        copy_until(t->facts, "thread", thread + 6, open);
    copy_until(t->facts, "process", open + 6, close);
}

static void take_signal(struct tombstone *t, const char *text)
{
    const char *fault = after(text, "fault addr"), *code = after(text, "code ");
    char name[32] = "", meaning[32] = "";
    t->signalled = true;
    sscanf(text, "signal %*d (%31[^)])", name);
    figures_textf(t->facts, "signal", "%" PRId64 " %s", number_after(text, "signal", 0), name);
    if (code) {
        sscanf(code, "%*d (%31[^)])", meaning);
        meaning[strcspn(meaning, " ")] = '\0';
        figures_textf(t->facts, "code", "%" PRId64 " %s", (int64_t)strtoll(code, NULL, 10),
                      meaning);
    }
    if (fault)
        copy_until(t->facts, "fault_addr", fault, fault + strcspn(fault, " \t\r"));
}

static void take_frame(struct tombstone *t, const char *text)
{
    const char *at = strstr(text, " pc ");
    if (!t->frames++ && at) {
        at += 4 + strspn(at + 4, " ");
        at += strcspn(at, " ");
        at += strspn(at, " ");
        figures_text(t->facts, "frame0", at);
    }
}

static bool take_tombstone(void *context, char *line)
{
    struct tombstone *t = context;
    const char *text = line + strspn(line, " \t");
    t->threads += !strncmp(text, "pid: ", 5) && strstr(text, "tid: ");
    if (!t->named && !strncmp(text, "pid: ", 5) && strstr(text, ">>> "))
        take_name(t, text);
    else if (!t->signalled && !strncmp(text, "signal ", 7) && strchr(text, '('))
        take_signal(t, text);
    else if (!t->stamped && !strncmp(text, "Timestamp: ", 11))
        t->stamped = true, figures_text(t->facts, "timestamp", text + 11);
    else if (!t->abi && !strncmp(text, "ABI: '", 6))
        t->abi = true, copy_until(t->facts, "abi", text + 6, text + 6 + strcspn(text + 6, "'"));
    else if (!strncmp(text, "Abort message: '", 16))
        copy_until(t->facts, "abort_message", text + 16,
                   text + strlen(text) - (text[strlen(text) - 1] == '\''));
    else if (!t->traced && !strncmp(text, "backtrace:", 10))
        t->in_trace = t->traced = true;
    else if (!t->traced && t->signalled && !strncmp(text, "#00", 3) && strstr(text, " pc "))
        t->in_trace = t->traced = true, take_frame(t, text); /* without a title: Android 2 */
    else if (t->in_trace && *text == '#' && isdigit((unsigned char)text[1]))
        take_frame(t, text);
    else if (t->in_trace && (!*text || *text != '#') && t->frames)
        t->in_trace = false;
    return true;
}

static tac_status read_tombstone(const struct figures_input *input, struct figures *facts,
                                 tac_error *err)
{
    struct tombstone t = {.facts = facts};
    tac_status status = each_line(input, take_tombstone, &t, err);
    if (status == TAC_OK) {
        figures_number(facts, "frames", t.frames);
        figures_number(facts, "threads", t.threads);
    }
    return status;
}

struct anr {
    struct figures *facts;
    int64_t dumps, threads, main_frames;
    bool first, in_main, main_seen, open, waits; /* open: a dump has begun and not ended */
};

static void take_main(struct anr *a, const char *text)
{
    size_t end = strlen(text);
    while (end && text[end - 1] == ' ')
        end--;
    const char *state = memrchr(text, ' ', end);
    a->in_main = a->main_seen = true;
    if (strstr(text, " tid=") && state)
        copy_until(a->facts, "main_state", state + 1, text + end);
}

static void take_thread_line(struct anr *a, const char *text)
{
    if (!strncmp(text, "at ", 3)) {
        if (!a->main_frames++)
            copy_until(a->facts, "main_first_java_frame", text + 3,
                       text + 3 + strcspn(text + 3, "("));
    } else if (!a->waits && strstr(text, "held by t")) { /* to Android 4.4 with a sign: "tid=9" */
        static const char *const words[] = {"held by thread ", "held by tid=", "held by threadid="};
        for (size_t i = 0; i < sizeof words / sizeof *words && !a->waits; i++) {
            int64_t holder = number_after(text, words[i], -1);
            a->waits = holder >= 0;
            if (a->waits)
                figures_number(a->facts, "main_waits_for_thread", holder);
        }
    }
}

static bool take_anr(void *context, char *line)
{
    struct anr *a = context;
    const char *text = line + strspn(line, " \t");
    int64_t pid;
    int used = 0;
    if (sscanf(text, "----- pid %" SCNd64 " at %n", &pid, &used) == 1 && used) {
        const char *time = text + used, *end = strstr(time, " -----");
        a->first = !a->dumps++;
        a->open = true;
        if (a->first && end) {
            figures_number(a->facts, "pid1", pid);
            copy_until(a->facts, "time1", time, end);
        }
    } else if (a->first && (!strncmp(text, "Cmd line: ", 10) || !strncmp(text, "Cmdline: ", 9))) {
        figures_text(a->facts, "process1", strchr(text, ':') + 2);
    } else if (!strncmp(text, "----- end ", 10)) {
        a->first = a->in_main = a->open = false;
    } else if (!a->dumps && !strncmp(text, "DALVIK THREADS", 14)) { /* cut out of its dump */
        a->first = !a->dumps++;
    } else if (a->first && *text == '"') {
        a->threads++;
        a->in_main = false;
        if (!strncmp(text, "\"main\"", 6) && !a->main_seen)
            take_main(a, text);
    } else if (a->first && a->in_main) {
        take_thread_line(a, text);
        a->in_main = *text != '\0';
    }
    return true;
}

static tac_status read_anr(const struct figures_input *input, struct figures *facts, tac_error *err)
{
    struct anr a = {.facts = facts};
    tac_status status = each_line(input, take_anr, &a, err);
    if (status == TAC_OK) {
        figures_number(facts, "process_dumps", a.dumps);
        figures_number(facts, "threads_in_first", a.threads);
        if (a.main_frames)
            figures_number(facts, "main_java_frames", a.main_frames);
        if (a.open)
            figures_warn(facts, "the text ends inside a dump of threads");
    }
    return status;
}

static int sniff_tombstone(const struct figures_input *input)
{
    bool line = head_line_begins(input, "*** *** *** *** ***");
    bool body = head_has(input, "backtrace:") && head_line_begins(input, "signal ");
    return line && head_line_begins(input, "pid: ") ? 3 : body && head_has(input, ">>> ") ? 2 : 0;
}

static int sniff_anr(const struct figures_input *input)
{
    bool told = head_has(input, "Cmd line: ") || head_has(input, "Cmdline: ");
    return head_has(input, "----- pid ") && told                                               ? 3
           : head_line_begins(input, "DALVIK THREADS") && head_line_begins(input, "\"main\" ") ? 2
                                                                                               : 0;
}

const struct figures_kind figures_kind_tombstone = {.name = "tombstone",
                                                    .summary = "tombstones of native crashes",
                                                    .sniff = sniff_tombstone,
                                                    .read = read_tombstone};
const struct figures_kind figures_kind_anr = {.name = "anr",
                                              .summary = "traces of apps that do not respond",
                                              .sniff = sniff_anr,
                                              .read = read_anr};
