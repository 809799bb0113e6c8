/* Headers of log lines, in every layout that logcat and Android Studio write: threadtime (with and
 * without a user), time, brief, tag, process, thread, long, epoch, both of Studio's, and the
 * shortened forms that people paste ("E AndroidRuntime: ..."). A file name in front, as grep writes
 * it, is part of the header. A line without a header is its own message. Cost: a line is matched
 * against at most LOG_LAYOUTS anchored patterns. */
#include "base/check.h"
#include "mining/crash/crash.h"
#include <ctype.h>

#define DATE                                                                                       \
    "(?:(?:\\d{4}-)?\\d\\d-\\d\\d[ T]+\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?(?: ?[+-]\\d{4})?|"         \
    "\\d{9,}\\.\\d{3,})"
#define FILE_NAME "^(?:\\S+?[:-](?:\\d+[:-])?)?\\s*"
#define LEVEL "[VDIWEFSA]"

/* Groups: 1 process id, 2 tag, 3 package, 4 message; a group that a layout lacks is "()" so that
 * the numbers stay, and takes part with an empty span. */
static const char *const layout_texts[LOG_LAYOUTS] = {
    /* threadtime, epoch, with a user column or not */
    FILE_NAME DATE "\\s+(?:[\\w.]+\\s+)?(\\d+)\\s+\\d+\\s+" LEVEL
                   "\\s+(\\S.*?)\\s*:()(?:\\s(.*))?$",
    /* Studio, old */
    FILE_NAME DATE "\\s+(\\d+)-\\d+(?=/\\S*\\s+" LEVEL "/(.*?)\\s*:)/(\\S*)\\s+" LEVEL
                   "/.*?: ?(.*)$",
    /* Studio, new */
    FILE_NAME DATE "\\s+(\\d+)-\\d+\\s+(\\S.*?)\\s+(\\S+)\\s+" LEVEL "  ?(.*)$",
    /* time */
    FILE_NAME DATE "\\s+()" LEVEL "/(.*?)\\s*\\(\\s*\\d+\\)()(?:: ?(.*))?$",
    /* long: the message stands in the lines after it */
    "^\\[\\s*" DATE "\\s+(\\d+):\\s*\\w+\\s+" LEVEL "/(.*?)\\s*\\]()()$",
    /* brief */
    FILE_NAME "()" LEVEL "/(.*?)\\s*\\(\\s*\\d+\\)()(?:: ?(.*))?$",
    /* tag, perhaps with the package in front */
    "^\\s*()(?=(?:[\\w.:]+ +)?" LEVEL "/(.*?): )(?:([\\w.:]+) +)?" LEVEL "/.*?: (.*)$",
    /* process and thread */
    "^()" LEVEL "\\(()\\s*\\d+(?::\\s*\\w+)?\\)() (.*)$",
    /* as pasted: level and tag */
    "^\\d?()" LEVEL " +([\\w.\\[\\]()/ -]{1,60}?)\\s*:()(?:\\s(.*))?$",
    /* a time alone */
    FILE_NAME DATE "\\s+()()()(.*)$",
};

void log_layouts_make(struct log_layouts *layouts)
{
    for (int i = 0; i < LOG_LAYOUTS; i++) {
        tac_error err;
        tac_status status =
            tac_pattern_new(layout_texts[i], strlen(layout_texts[i]), &layouts->at[i], &err);
        assert(status == TAC_OK); /* the patterns above are ours */
        (void)status;
    }
}

void log_layouts_free(struct log_layouts *layouts)
{
    for (int i = 0; i < LOG_LAYOUTS; i++)
        tac_pattern_free(layouts->at[i]);
}

/* Most lines of a stack have no header; these need no pattern. */
static bool plainly_without(const char *line, size_t size)
{
    size_t blank = 0;
    while (blank < size && (line[blank] == ' ' || line[blank] == '\t'))
        blank++;
    size_t left = size - blank;
    if (left == 0)
        return true;
    const char *at = line + blank;
    return (left > 3 && strncmp(at, "at ", 3) == 0) || (left > 1 && *at == '#') ||
           (left > 10 && strncmp(at, "Caused by:", 10) == 0);
}

static void span_of(const char *line, const tac_span *span, const char **text, size_t *length)
{
    bool there = span->from != TAC_NO_SPAN && span->to > span->from;
    *text = there ? line + span->from : NULL;
    *length = there ? span->to - span->from : 0;
}

struct log_line log_line_read(const struct log_layouts *layouts, const char *line, size_t size)
{
    struct log_line out = {.text = line, .length = size};
    if (size > 4096 || plainly_without(line, size)) /* a header is never that far in */
        return out;
    for (int i = 0; i < LOG_LAYOUTS; i++) {
        tac_span spans[5];
        bool found = false;
        tac_error err;
        if (tac_pattern_find(layouts->at[i], line, size, 0, &found, spans, 5, &err) != TAC_OK ||
            !found)
            continue;
        out.has_header = true;
        span_of(line, &spans[1], &out.pid, &out.pid_length);
        span_of(line, &spans[2], &out.tag, &out.tag_length);
        span_of(line, &spans[3], &out.package, &out.package_length);
        span_of(line, &spans[4], &out.text, &out.length);
        if (!out.text)
            out.text = line + size;
        break;
    }
    assert(out.text >= line && out.text + out.length <= line + size);
    return out;
}
