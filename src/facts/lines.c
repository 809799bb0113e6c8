/* Dumps whose page is some of their lines: the first that has a word, or how many have it.
 *
 * A rule with `inside` holds from the line of the rule before it up to the next empty line. One
 * pass, O(lines x rules of the kind). */
#include "base/data/alloc.h"
#include "device/android/dump/parse.h"
#include "facts/page.h"
#include <string.h>

struct line_rule {
    const char *kind, *name; /* name NULL: the rules inside begin here, no more */
    const char *word;        /* "^" before it: the line begins with it */
    const char *until;       /* where the value ends; NULL: with the line */
    const char *unit;
    bool count, inside;
};

static const struct line_rule rules[] = {
    {"activities", "activities", .word = "^* Hist ", .count = true},
    {"amstart", "status", .word = "^Status: "},
    {"amstart", "error", .word = "^Error: "},
    {"amstart", "in front", .word = "^Activity: "},
    {"amstart", "launch", .word = "^LaunchState: "},
    {"amstart", "this activity", .word = "^ThisTime: ", .unit = " ms"},
    {"amstart", "drawn after", .word = "^TotalTime: ", .unit = " ms"},
    {"amstart", "answered after", .word = "^WaitTime: ", .unit = " ms"},
    {"anr", "dump", .word = "^----- pid ", .until = " -----"},
    {"anr", "process", .word = "^Cmd line: "},
    {"anr", "process", .word = "^Cmdline: "},
    {"anr", "processes", .word = "^----- pid ", .count = true},
    {"anr", "threads", .word = "^\"", .count = true},
    {"anr", "main thread", .word = "^\"main\" "},
    {"anr", "main waits", .word = "^- waiting ", .inside = true},
    {"anr", "main is at", .word = "^at ", .inside = true},
    {"media", "sessions", .word = "PlaybackState {", .count = true},
    {"ps", NULL, .word = "PID "},
    {"ps", "processes", .word = "", .count = true, .inside = true},
    {"tombstone", "process", .word = ">>> ", .until = " <<<"},
    {"tombstone", "thread", .word = "name: ", .until = "  >>>"},
    {"tombstone", "pid", .word = "^pid: ", .until = ","},
    {"tombstone", "time", .word = "^Timestamp: "},
    {"tombstone", "ABI", .word = "^ABI: '", .until = "'"},
    {"tombstone", "signal", .word = "^signal "},
    {"tombstone", "abort message", .word = "^Abort message: "},
    {"tombstone", "crashed at", .word = "^#00"},
    {"tombstone", "threads", .word = "^pid: ", .count = true},
};

enum { RULES = sizeof rules / sizeof *rules };

struct line_value {
    const char *at;
    size_t length;
};

struct line_matches {
    size_t counts[RULES];
    struct line_value values[RULES]; /* of the first match */
    bool open[RULES];
};

/* Behind the rule's word in the line; NULL: it has none. */
static const char *behind(const struct line_rule *rule, const struct android_lines *lines)
{
    bool begins = *rule->word == '^';
    const char *word = rule->word + begins;
    return !begins                       ? android_after(lines, word)
           : android_starts(lines, word) ? lines->line + strlen(word)
                                         : NULL;
}

static void take_value(const struct line_rule *rule, const char *at, const char *end,
                       struct line_value *value)
{
    const char *stop =
        rule->until ? memmem(at, (size_t)(end - at), rule->until, strlen(rule->until)) : NULL;
    while (at < end && *at == ' ')
        at++;
    value->at = at;
    value->length = (size_t)((stop ? stop : end) - at);
}

static void take_line(const char *kind, const struct android_lines *lines, struct line_matches *m)
{
    bool begun = false; /* with this line, for the rules inside */
    for (size_t i = 0; i < RULES; i++) {
        const struct line_rule *rule = &rules[i];
        if (strcmp(rule->kind, kind) != 0)
            continue;
        const char *at = !rule->inside || m->open[i] ? behind(rule, lines) : NULL;
        bool first = at && lines->length && !m->counts[i]++;
        if (first)
            take_value(rule, at, lines->line + lines->length, &m->values[i]);
        begun = rule->inside ? begun : first;
        m->open[i] = lines->length && (m->open[i] || begun);
    }
}

static void add_row(const struct line_rule *rule, const struct line_matches *m, size_t number,
                    tac_facts *page)
{
    const char *unit = rule->unit ? rule->unit : "";
    if (rule->count && m->counts[number])
        page_number(page, rule->name, (int64_t)m->counts[number]);
    else if (!rule->count && rule->name && m->counts[number])
        page_textf(page, rule->name, "%.*s%s", (int)m->values[number].length, m->values[number].at,
                   unit);
}

static void add_front(const struct facts_input *input, tac_facts *page)
{
    struct android_activities *front = tac_calloc(1, sizeof *front);
    android_read_activities(input->text, input->size, "", front);
    if (front->resumed)
        page_textf(page, "in front", "%s/%s", front->top.package, front->top.activity);
    free(front);
}

static bool ends_inside_threads(const struct facts_input *input)
{
    const char *last = NULL, *at = input->text;
    while ((at = strstr(at, "----- pid ")))
        last = at++;
    return last && !strstr(last, "----- end ");
}

tac_status page_of_lines(const struct facts_input *input, tac_facts *page, tac_error *err)
{
    struct line_matches m = {0};
    struct android_lines lines = {.at = input->text, .end = input->text + input->size};
    const char *kind = tac_facts_kind(page);
    (void)err;
    while (android_next_line(&lines))
        take_line(kind, &lines, &m);
    if (!strcmp(kind, "activities"))
        add_front(input, page);
    if (!strcmp(kind, "anr") && ends_inside_threads(input))
        page_warn(page, "the text ends inside a dump of threads");
    if (!strcmp(kind, "media"))
        page_text(page, "playing", android_media_plays(input->text, input->size) ? "yes" : "no");
    for (size_t i = 0; i < RULES; i++)
        if (!strcmp(rules[i].kind, kind))
            add_row(&rules[i], &m, i, page);
    return TAC_OK;
}
