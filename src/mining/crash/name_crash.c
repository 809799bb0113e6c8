/* Which crashes are one: the same exception at the root and the same first frame of the app.
 *
 * A frame is the app's when it has one of the given package prefixes, or that of the process's
 * name; without such a frame, when no library claims it (obfuscated names, code of other packages).
 * A crash without any frame of the app is named by its topmost frame and by the class that its
 * message or its process names, so that two apps' crashes in one method of the platform stay
 * apart. */
#include "base/check.h"
#include "mining/crash/crash.h"

/* The prefix of packages that a process's name stands for: "org.example.app:remote" ->
 * "org.example.". Two labels, three where the second is a registrar's or a hoster's. */
static size_t own_prefix(const char *process)
{
    static const char *const shared[] = {"co.",        "com.",      "org.",    "net.",
                                         "gov.",       "ac.",       "github.", "gitlab.",
                                         "google.",    "android.",  "free.",   "sourceforge.",
                                         "bitbucket.", "codeberg.", "example."};
    const char *first = strchr(process, '.');
    const char *second = first ? strchr(first + 1, '.') : NULL;
    if (!second)
        return first ? strcspn(process, ":") : 0;
    bool hoster = false;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        hoster = hoster || strncmp(first + 1, shared[i], strlen(shared[i])) == 0;
    const char *third = strchr(second + 1, '.');
    if (hoster)
        return third ? (size_t)(third - process) + 1 : strcspn(process, ":");
    return (size_t)(second - process) + 1;
}

bool crash_frame_is_framework(const struct crash_reader *reader, const struct stack_frame *frame)
{
    return frame->library || is_library_name(frame->name) ||
           has_prefix(frame->name, strlen(frame->name), reader->framework);
}

static bool is_own(const struct crash_reader *reader, const struct crash *crash,
                   const struct stack_frame *frame)
{
    size_t length = strlen(frame->name);
    if (reader->packages)
        return has_prefix(frame->name, length, reader->packages);
    size_t prefix = own_prefix(crash->process);
    return prefix && !frame->library && length > prefix &&
           strncmp(frame->name, crash->process, prefix) == 0 &&
           !has_prefix(frame->name, length, reader->framework);
}

uint32_t crash_deciding_frame(const struct crash_reader *reader, const struct crash *crash,
                              common_frame *common, void *context)
{
    uint32_t other = TAC_NONE;
    for (uint32_t i = 0; i < crash->frame_count; i++) {
        const struct stack_frame *frame = &crash->frames[i];
        if ((common && common(context, frame->name)) ||
            crash_frame_constructs(frame, crash->exception))
            continue;
        if (is_own(reader, crash, frame))
            return i;
        if (other == TAC_NONE && !crash_frame_is_framework(reader, frame))
            other = i;
    }
    assert(other == TAC_NONE || other < crash->frame_count);
    return other;
}

char *crash_name(const struct crash_reader *reader, const struct crash *crash, common_frame *common,
                 void *context)
{
    uint32_t decides = crash_deciding_frame(reader, crash, common, context);
    tac_str name = {0};
    tac_str_add(&name, crash->exception);
    if (reader->by == TAC_CLUSTER_BY_MESSAGE && *crash->message) {
        bool said = strstr(crash->message, crash->exception) != NULL;
        tac_str_addf(&name, "%s%s", said ? "" : ": ", said ? "" : crash->message);
        if (!said)
            return tac_str_take(&name);
        name.length = 0;
        tac_str_add(&name, crash->message);
        return tac_str_take(&name);
    }
    if (decides != TAC_NONE) {
        tac_str_addf(&name, "%s%s", name.length ? " at " : "", crash->frames[decides].name);
        return tac_str_take(&name);
    }
    if (name.length == 0)
        tac_str_add(&name, "fail");
    if (crash->frame_count)
        tac_str_addf(&name, " at %s", crash->frames[0].name);
    const char *whose = *crash->subject ? crash->subject : crash->process;
    bool anr = strcmp(crash->exception, "ANR") == 0; /* a notice has no frames but a name */
    if (*whose && (crash->frame_count || anr))
        tac_str_addf(&name, " (%s)", whose);
    return tac_str_take(&name);
}
