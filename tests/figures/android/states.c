/* Small dumps: which activity is in front, how a start went, media sessions, processes. */
#include "figures/android/lines.h"
#include <stdlib.h>
#include <string.h>

/* "ActivityRecord{15260 u0 com.example/.Main t51}" as "com.example/.Main"; "" when there is none.
 */
static void component(const char *text, char *out, size_t size)
{
    *out = '\0';
    const char *at = strstr(text, "ActivityRecord{");
    for (at = at ? at : text; *at;) {
        size_t n = strcspn(at, " }");
        if (memchr(at, '/', n)) {
            snprintf(out, size, "%.*s", (int)n, at);
            return;
        }
        at += n + (at[n] != '\0');
    }
}

struct activities {
    char top[300], resumed[300], display[300];
    int64_t history;
};

static bool take_activities(void *context, char *line)
{
    struct activities *a = context;
    const char *text = line + strspn(line, " \t");
    a->history += !strncmp(text, "* Hist ", 7);
    if (!strncmp(text, "topResumedActivity=", 19) && !*a->top)
        component(text, a->top, sizeof a->top);
    else if (!strncmp(text, "mResumedActivity:", 17) && !*a->resumed)
        component(text, a->resumed, sizeof a->resumed);
    else if (!strncmp(text, "ResumedActivity:", 16) && !*a->display)
        component(text, a->display, sizeof a->display);
    return true;
}

static tac_status read_activities(const struct figures_input *input, struct figures *facts,
                                  tac_error *err)
{
    struct activities a = {0};
    tac_status status = each_line(input, take_activities, &a, err);
    figures_text(facts, "encoding", input->encoding);
    figures_text(facts, "topResumedActivity", *a.top ? a.top : "-");
    figures_text(facts, "mResumedActivity", *a.resumed ? a.resumed : "-");
    figures_text(facts, "ResumedActivity", *a.display ? a.display : "-");
    figures_number(facts, "hist_lines", a.history);
    return status;
}

static bool take_start(void *context, char *line)
{
    struct figures *facts = context;
    line += strspn(line, " \t");
    static const struct {
        const char *word, *name;
    } lines[] = {{"Status: ", "status"},
                 {"LaunchState: ", "launch_state"},
                 {"Activity: ", "activity_in_front"},
                 {"Error: ", "error"},
                 {"Warning: ", "warning"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strncmp(line, lines[i].word, strlen(lines[i].word)))
            figures_text(facts, lines[i].name, line + strlen(lines[i].word));
    static const struct {
        const char *word, *name;
    } times[] = {{"ThisTime:", "this_ms"}, {"TotalTime:", "total_ms"}, {"WaitTime:", "wait_ms"}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (!strncmp(line, times[i].word, strlen(times[i].word)))
            figures_number(facts, times[i].name, number_after(line, times[i].word, 0));
    return true;
}

static tac_status read_start(const struct figures_input *input, struct figures *facts,
                             tac_error *err)
{
    return each_line(input, take_start, facts, err);
}

struct media {
    int64_t sessions, playing;
    tac_str states; /* in the order of the file */
};

static bool take_media(void *context, char *line)
{
    struct media *m = context;
    const char *text = line + strspn(line, " \t");
    const char *state = strstr(text, "PlaybackState {state=");
    m->sessions += !strncmp(text, "ownerPid=", 9);
    if (state) {
        size_t n = strcspn(state + 21, ",} ");
        tac_str_addf(&m->states, "%s%.*s", m->states.length ? " " : "", (int)n, state + 21);
        m->playing += !strncmp(state + 21, "PLAYING", 7) || (n == 1 && state[21] == '3');
    }
    return true;
}

static tac_status read_media(const struct figures_input *input, struct figures *facts,
                             tac_error *err)
{
    struct media m = {0};
    tac_status status = each_line(input, take_media, &m, err);
    figures_text(facts, "encoding", input->encoding);
    figures_number(facts, "sessions", m.sessions);
    figures_text(facts, "states", tac_str_text(&m.states));
    figures_number(facts, "playing", m.playing);
    tac_str_free(&m.states);
    return status;
}

struct processes {
    struct figures *facts;
    int64_t rows;
    bool header;
};

/* "USER PID PPID VSZ RSS WCHAN ADDR S NAME", and what other versions of ps print. */
static bool is_process_header(const char *line)
{
    line += strspn(line, " \t");
    bool first = !strncmp(line, "USER ", 5) || !strncmp(line, "UID ", 4) ||
                 !strncmp(line, "PID ", 4) || !strncmp(line, "LABEL ", 6);
    return first && strstr(line, "PID ") &&
           (strstr(line, "NAME") || strstr(line, "CMD") || strstr(line, "COMMAND") ||
            strstr(line, "ARGS"));
}

static bool take_process(void *context, char *line)
{
    struct processes *p = context;
    if (!p->header && is_process_header(line)) {
        tac_str text = {0};
        for (const char *at = line; *(at += strspn(at, " \t\r"));) {
            size_t n = strcspn(at, " \t\r");
            tac_str_addf(&text, "%s%.*s", text.length ? " " : "", (int)n, at);
            at += n;
        }
        figures_text(p->facts, "header", tac_str_text(&text));
        tac_str_free(&text);
        p->header = true;
    } else if (p->header && line[strspn(line, " \t\r")]) {
        p->rows++;
    }
    return true;
}

static tac_status read_processes(const struct figures_input *input, struct figures *facts,
                                 tac_error *err)
{
    struct processes p = {.facts = facts};
    figures_text(facts, "encoding", input->encoding);
    tac_status status = each_line(input, take_process, &p, err);
    figures_number(facts, "rows", p.rows);
    return status;
}

static int sniff_activities(const struct figures_input *input)
{
    return head_has(input, "ACTIVITY MANAGER ACTIVITIES") ? 3
           : head_has(input, "ActivityRecord{") &&
                   (head_has(input, "* Hist ") || head_has(input, "ResumedActivity"))
               ? 1
               : 0;
}

static int sniff_start(const struct figures_input *input)
{
    bool told = head_has(input, "TotalTime:") || head_has(input, "WaitTime:");
    bool begun =
        !strncmp(input->head, "Starting: Intent {", 18) || head_has(input, "\nStarting: Intent {");
    return begun && (told || head_has(input, "Status:"))                               ? 3
           : begun                                                                     ? 2
           : told && (head_has(input, "Status: ") || head_has(input, "LaunchState: ")) ? 1
                                                                                       : 0;
}

static int sniff_media(const struct figures_input *input)
{
    return head_has(input, "MEDIA SESSION SERVICE")                                   ? 3
           : head_has(input, "ownerPid=") && head_has(input, "PlaybackState {state=") ? 1
                                                                                      : 0;
}

static int sniff_processes(const struct figures_input *input)
{
    enum { FIRST_LINES = 6 }; /* adb and shells write some lines before it */
    const char *at = input->head;
    for (int i = 0; i < FIRST_LINES && *at; i++) {
        char line[256];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\r\n"), at);
        if (is_process_header(line))
            return 3;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return 0;
}

const struct figures_kind figures_kind_activities = {
    .name = "activities",
    .summary = "dumpsys activity activities: what is in front",
    .sniff = sniff_activities,
    .read = read_activities};
const struct figures_kind figures_kind_amstart = {.name = "amstart",
                                                  .summary = "am start -W: how long a start took",
                                                  .sniff = sniff_start,
                                                  .read = read_start};
const struct figures_kind figures_kind_media = {.name = "media",
                                                .summary = "dumpsys media_session: what plays",
                                                .sniff = sniff_media,
                                                .read = read_media};
const struct figures_kind figures_kind_ps = {
    .name = "ps", .summary = "ps: processes", .sniff = sniff_processes, .read = read_processes};
