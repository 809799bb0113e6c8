/* The layouts as patterns: what is printed decides, not a format given by hand. */
#include "trace/log/record.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <string.h>

#define CLOCK "\\d\\d:\\d\\d:\\d\\d\\.\\d{3,9}"
#define STAMP "((?:\\d{4}-)?\\d\\d-\\d\\d " CLOCK ")(?: [+-]\\d{4})?"
#define DATE "^\\s*" STAMP
#define SECONDS "\\d{1,12}\\.\\d{3,9}"
/* A date, or what `-v epoch` and `-v monotonic` put in its place. */
#define ANY_STAMP "((?:\\d{4}-)?\\d\\d-\\d\\d " CLOCK "|" SECONDS ")(?: [+-]\\d{4})?"
#define USER "(?:\\s*\\w+:)?" /* what `-v uid` puts before a process */
#define LEVEL "([VDIWEFAS])"

/* Which group is what; 0: the layout has none. */
static const struct {
    const char *name, *pattern;
    int time, pid, level, tag, package, message;
} layouts[LAYOUT_COUNT] = {
    [LAYOUT_THREADTIME] = {"threadtime",
                           DATE "\\s+(?:\\S+\\s+)?(\\d+)\\s+\\d+ " LEVEL " (.*?)\\s*:(?: (.*))?$",
                           1, 2, 3, 4, 0, 5},
    [LAYOUT_TIME] = {"time",
                     "^\\s*" ANY_STAMP ":? " LEVEL "/(.*?)\\s*\\(" USER "\\s*(\\d+)\\): ?(.*)$", 1,
                     4, 2, 3, 0, 5},
    [LAYOUT_BRIEF] = {"brief", "^" LEVEL "/(.*?)\\s*\\(" USER "\\s*(\\d+)\\): ?(.*)$", 0, 3, 1, 2,
                      0, 4},
    [LAYOUT_LONG] = {"long",
                     "^\\s*\\[\\s+" ANY_STAMP "(?:\\s+\\w+:)?\\s*(\\d+):\\s*\\w+ " LEVEL
                     "/(.*?)\\s*\\]\\s*$",
                     1, 2, 3, 4, 0, 0},
    [LAYOUT_STUDIO_OLD] = {"studio-old", DATE " (\\d+)-\\d+/(\\S+) " LEVEL "/(.*?): (.*)$", 1, 2, 4,
                           5, 3, 6},
    [LAYOUT_STUDIO_NEW] = {"studio-new",
                           DATE "\\s+(\\d+)-\\d+\\s+(.*?)\\s+(\\S+)\\s+" LEVEL "  (.*)$", 1, 2, 5,
                           3, 4, 6},
    [LAYOUT_TAG] = {"tag",
                    "^(?:[\\w.]+ |\\d)?\\s*" LEVEL
                    "[/ ](?:class[ \\x{a0}])?([\\w.$:-]+?)\\s*: (.*)$",
                    0, 0, 1, 2, 0, 3},
    [LAYOUT_EPOCH] = {"epoch",
                      "^\\s*(\\d{1,12}\\.\\d{3,9})\\s+(?:\\S+\\s+)?(\\d+)\\s+\\d+ " LEVEL
                      " (.*?)\\s*:(?: (.*))?$",
                      1, 2, 3, 4, 0, 5},
    [LAYOUT_PROCESS] = {"process", "^" LEVEL "\\(" USER "\\s*(\\d+)\\) (.*)  \\((.*)\\)\\s*$", 0, 2,
                        1, 4, 0, 3},
    [LAYOUT_THREAD] = {"thread", "^" LEVEL "\\(" USER "\\s*(\\d+):\\s*\\w+\\) (.*)$", 0, 2, 1, 0, 0,
                       3},
    [LAYOUT_UNITY] = {"unity",
                      "^\\s*(\\d{4}/\\d\\d/\\d\\d " CLOCK
                      ") (\\d+) \\d+ (Verbose|Debug|Info|Warn|Error|Fatal) (\\S+) (.*)$",
                      1, 2, 3, 4, 0, 5},
};

/* The same and more, as people paste them: dates and levels of any kind, a file name in front, as
 * grep writes it, the package before a tag. Groups: 1 process id, 2 tag, 3 package, 4 message; a
 * group that a layout lacks is "()" so that the numbers stay, and takes part with an empty span. */
#define ANY_DATE                                                                                   \
    "(?:(?:\\d{4}-)?\\d\\d-\\d\\d[ T]+\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?(?: ?[+-]\\d{4})?|"         \
    "\\d{9,}\\.\\d{3,}):?"
#define FILE_NAME "^(?:\\S+?[:-](?:\\d+[:-])?)?\\s*"
#define ANY_LEVEL "[VDIWEFSA]"

static const char *const pasted_layouts[PASTED_LAYOUTS] = {
    /* threadtime, epoch, with a user column or not */
    FILE_NAME ANY_DATE "\\s+(?:[\\w.]+\\s+)?(\\d+)\\s+\\d+\\s+" ANY_LEVEL
                       "\\s+(\\S.*?)\\s*:()(?:\\s(.*))?$",
    /* Studio, old */
    FILE_NAME ANY_DATE "\\s+(\\d+)-\\d+(?=/\\S*\\s+" ANY_LEVEL "/(.*?)\\s*:)/(\\S*)\\s+" ANY_LEVEL
                       "/.*?: ?(.*)$",
    /* Studio, new */
    FILE_NAME ANY_DATE "\\s+(\\d+)-\\d+\\s+(\\S.*?)\\s+(\\S+)\\s+" ANY_LEVEL "  ?(.*)$",
    /* time */
    FILE_NAME ANY_DATE "\\s+()" ANY_LEVEL "/(.*?)\\s*\\(\\s*\\d+\\)()(?:: ?(.*))?$",
    /* long: the message stands in the lines after it */
    "^\\[\\s*" ANY_DATE "\\s+(\\d+):\\s*\\w+\\s+" ANY_LEVEL "/(.*?)\\s*\\]()()$",
    /* brief */
    FILE_NAME "()" ANY_LEVEL "/(.*?)\\s*\\(\\s*\\d+\\)()(?:: ?(.*))?$",
    /* tag, perhaps with the package in front */
    "^\\s*()(?=(?:[\\w.:]+ +)?" ANY_LEVEL "/(.*?): )(?:([\\w.:]+) +)?" ANY_LEVEL "/.*?: (.*)$",
    /* process and thread */
    "^()" ANY_LEVEL "\\(()\\s*\\d+(?::\\s*\\w+)?\\)() (.*)$",
    /* as pasted: level and tag */
    "^\\d?()" ANY_LEVEL " +([\\w.\\[\\]()/ -]{1,60}?)\\s*:()(?:\\s(.*))?$",
    /* a time alone */
    FILE_NAME ANY_DATE "\\s+()()()(.*)$",
};

const char *layout_name(enum log_layout layout)
{
    assert(layout < LAYOUT_COUNT);
    return layouts[layout].name;
}

static tac_pattern *compile(const char *text)
{
    tac_pattern *pattern = NULL;
    if (tac_pattern_new(text, strlen(text), &pattern, NULL) != TAC_OK)
        tac_out_of_memory(strlen(text)); /* the patterns are right: nothing else can fail */
    return pattern;
}

void record_reader_open(struct record_reader *reader)
{
    for (size_t i = 0; i < LAYOUT_COUNT; i++)
        reader->at[i] = compile(layouts[i].pattern);
    for (size_t i = 0; i < PASTED_LAYOUTS; i++)
        reader->pasted[i] = compile(pasted_layouts[i]);
    reader->prefix = compile(
        "^(?!\\d{4}-\\d\\d-\\d\\d )(?:[^\\s:][^:]*:)?(?:\\d+[:-])?(?=(?:\\d{4}-)?\\d\\d-\\d\\d "
        "\\d\\d:\\d\\d:\\d\\d\\.)");
}

void record_reader_close(struct record_reader *reader)
{
    for (size_t i = 0; i < LAYOUT_COUNT; i++)
        tac_pattern_free(reader->at[i]);
    for (size_t i = 0; i < PASTED_LAYOUTS; i++)
        tac_pattern_free(reader->pasted[i]);
    tac_pattern_free(reader->prefix);
}

static struct text_span span_of(const char *line, const tac_span *spans, int group)
{
    if (!group || spans[group].from == TAC_NO_SPAN)
        return (struct text_span){line, 0};
    return (struct text_span){line + spans[group].from, spans[group].to - spans[group].from};
}

static int64_t digits(const char **at, size_t count)
{
    int64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value * 10 + *(*at)++ - '0';
    return value;
}

/* Days since 1970-01-01 in the Gregorian calendar. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* "[2026-]03-14 12:00:01.123"; without a year those of a leap year, so that February is whole. */
static int64_t milliseconds_of(struct text_span time)
{
    const char *at = time.at, *point = memchr(at, '.', time.length);
    int64_t year = 2000;
    assert(point);
    if (!memchr(at, ':', time.length)) { /* seconds */
        int64_t seconds = digits(&at, (size_t)(point - at));
        return seconds * 1000 + (at++, digits(&at, 3));
    }
    if (time.length > 4 && (at[4] == '-' || at[4] == '/')) {
        year = digits(&at, 4);
        at++;
    }
    int64_t month = digits(&at, 2);
    at++;
    int64_t day = digits(&at, 2);
    at++;
    int64_t hour = digits(&at, 2);
    at++;
    int64_t minute = digits(&at, 2);
    at++;
    int64_t second = digits(&at, 2);
    at++;
    return ((days_of(year, month, day) * 24 + hour) * 60 + minute) * 60000 + second * 1000 +
           digits(&at, 3);
}

/* " +0100" behind a time (`logcat -v zone`): how far it is ahead of UTC; 0: none is told. */
static int64_t zone_of(const char *at, const char *end)
{
    at += at < end && *at == ' ';
    if (end - at < 5 || (*at != '+' && *at != '-'))
        return 0;
    for (int i = 1; i < 5; i++)
        if (at[i] < '0' || at[i] > '9')
            return 0;
    bool behind = *at++ == '-';
    int64_t hours = digits(&at, 2), minutes = hours * 60 + digits(&at, 2);
    return (behind ? -minutes : minutes) * 60000;
}

bool record_read(const struct record_reader *reader, enum log_layout layout, const char *line,
                 size_t length, struct log_record *out)
{
    tac_span spans[8];
    bool found = false;
    if (length > 1 << 20 ||
        tac_pattern_find(reader->at[layout], line, length, 0, &found, spans, 8, NULL) != TAC_OK ||
        !found)
        return false;
    memset(out, 0, sizeof *out);
    out->time = span_of(line, spans, layouts[layout].time);
    out->tag = span_of(line, spans, layouts[layout].tag);
    out->package = span_of(line, spans, layouts[layout].package);
    out->message = span_of(line, spans, layouts[layout].message);
    out->level = *span_of(line, spans, layouts[layout].level).at;
    out->pid_text = span_of(line, spans, layouts[layout].pid);
    for (size_t i = 0; i < out->pid_text.length && i < 9; i++)
        out->pid = out->pid * 10 + (uint32_t)(out->pid_text.at[i] - '0');
    if (out->time.length)
        out->milliseconds =
            milliseconds_of(out->time) - zone_of(out->time.at + out->time.length, line + length);
    return true;
}

/* Most lines of a stack have no header; these need no pattern. */
static bool plainly_without(const char *line, size_t length)
{
    size_t blank = 0;
    while (blank < length && (line[blank] == ' ' || line[blank] == '\t'))
        blank++;
    size_t left = length - blank;
    if (left == 0)
        return true;
    const char *at = line + blank;
    return (left > 3 && strncmp(at, "at ", 3) == 0) || (left > 1 && *at == '#') ||
           (left > 10 && strncmp(at, "Caused by:", 10) == 0);
}

bool record_read_pasted(const struct record_reader *reader, const char *line, size_t length,
                        struct log_record *out)
{
    *out = (struct log_record){.message = {line, length}};
    if (length > 4096 || plainly_without(line, length)) /* a header is never that far in */
        return false;
    for (size_t i = 0; i < PASTED_LAYOUTS; i++) {
        tac_span spans[5];
        bool found = false;
        if (tac_pattern_find(reader->pasted[i], line, length, 0, &found, spans, 5, NULL) !=
                TAC_OK ||
            !found)
            continue;
        out->pid_text = span_of(line, spans, 1);
        out->tag = span_of(line, spans, 2);
        out->package = span_of(line, spans, 3);
        out->message = span_of(line, spans, 4);
        if (!out->message.length)
            out->message.at = line + length;
        assert(out->message.at >= line && out->message.at + out->message.length <= line + length);
        return true;
    }
    return false;
}

size_t record_prefix(const struct record_reader *reader, const char *line, size_t length)
{
    tac_span span;
    bool found = false;
    if (tac_pattern_find(reader->prefix, line, length, 0, &found, &span, 1, NULL) != TAC_OK ||
        !found)
        return 0;
    return span.to;
}

/* "ESC [ 38;5;40 m" at the place; its length, or 0. */
static size_t colour_at(const char *at, size_t length)
{
    size_t n = 2;
    if (length < 3 || at[0] != '\033' || at[1] != '[')
        return 0;
    while (n < length && ((at[n] >= '0' && at[n] <= '9') || at[n] == ';'))
        n++;
    return n < length && at[n] == 'm' ? n + 1 : 0;
}

void record_uncolour(const char **line, size_t *length)
{
    for (size_t n; (n = colour_at(*line, *length)) > 0;) {
        *line += n;
        *length -= n;
    }
    while (*length && (*line)[*length - 1] == 'm') {
        size_t from = *length - 1;
        while (from > 0 && (*line)[from] != '\033' && *length - from < 16)
            from--;
        if (!colour_at(*line + from, *length - from) ||
            from + colour_at(*line + from, *length - from) != *length)
            return;
        *length = from;
    }
}
