/* See sniff.h. An array of events, an object with "traceEvents", or events as lines. DevTools
 * writes "metadata" first, with source maps of any size in it, so an object that begins with
 * another of its members counts also when the events are not in sight. */
#include "trace/chrome/sniff.h"
#include <stddef.h>
#include <string.h>

static const char *past_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n\xef\xbb\xbf");
}

static bool begins_with_others(const char *at)
{
    static const struct {
        const char *name;
        char value; /* how its value begins */
    } members[] = {{"\"metadata\"", '{'},          {"\"otherData\"", '{'},
                   {"\"stackFrames\"", '{'},       {"\"displayTimeUnit\"", '"'},
                   {"\"systemTraceEvents\"", '"'}, {"\"samples\"", '['}};
    at = past_blanks(at + 1);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        size_t length = strlen(members[i].name);
        if (strncmp(at, members[i].name, length))
            continue;
        at = past_blanks(at + length);
        return *at == ':' && *past_blanks(at + 1) == members[i].value;
    }
    return false;
}

/* The member itself, not its name inside a text. */
static bool has_member(const char *text, const char *name, char value)
{
    const char *at = text;
    while ((at = strstr(at, name))) {
        const char *behind = past_blanks(at += strlen(name));
        if (*behind == ':' && *past_blanks(behind + 1) == value)
            return true;
    }
    return false;
}

/* One event a line: {"ph":"X",...} with a process or a time. */
static bool begins_with_event(const char *at)
{
    return has_member(at, "\"ph\"", '"') && (strstr(at, "\"pid\"") || strstr(at, "\"ts\""));
}

bool chrome_sniff(const char *head)
{
    const char *at = past_blanks(head);
    if (*at == '{' && has_member(at, "\"logcatMessages\"", '['))
        return false; /* a log that Android Studio exported, with metadata of its own */
    if (*at == '{')
        return strstr(at, "\"traceEvents\"") || begins_with_others(at) || begins_with_event(at);
    return *at == '[' && strstr(at, "\"ph\"");
}
