/* The kinds of files, and how a file finds its own.
 *
 * Dumps, profiles and stacks are told by what their first lines say (regular expressions over the
 * head), traces by their readers. Of dumps the strongest sign counts; a weak one (1) is asked after
 * the traces. A text that any reader of tables would take (csv) comes last. */
#include "base/data/alloc.h"
#include "base/data/pattern.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include "base/keep/settled.h"
#include "facts/page.h"
#include "facts/text.h"
#include "trace/read/format.h"
#include <string.h>
#include <sys/stat.h>

static const struct facts_kind {
    const char *name, *title; /* title NULL: as the format of traces says */
    const char *format;       /* of a trace; NULL: it is a text */
    facts_reader *read;       /* of the text; what a trace has beside its summary; or NULL */
} kinds[] = {
    {"activities", "activities that run (dumpsys activity activities)", .read = page_of_lines},
    {"amstart", "the start of an activity (am start -W)", .read = page_of_lines},
    {"anr", "threads of an app that does not respond", .read = page_of_lines},
    {"gfxinfo", "frames that apps drew (dumpsys gfxinfo)", .read = page_of_frames},
    {"media", "media sessions (dumpsys media_session)", .read = page_of_lines},
    {"meminfo", "memory of processes (dumpsys meminfo)", .read = page_of_memory},
    {"netstats", "traffic per user (dumpsys netstats)", .read = page_of_netstats},
    {"ps", "processes (ps)", .read = page_of_lines},
    {"qtaguid", "traffic per user (/proc/net/xt_qtaguid/stats)", .read = page_of_qtaguid},
    {"tombstone", "a native crash (tombstone)", .read = page_of_lines},
    {"firefox", "a profile of Firefox", .read = page_of_firefox},
    {"safari", "a timeline of Safari", .read = page_of_safari},
    {"stack", "the stack of an exception", .read = page_of_stack},
    {"bugreport", .read = page_of_report, .format = "bugreport"},
    {"capture", .format = "pcap"},
#define TRACE_FORMAT(id, name, what) {#name, .format = #name},
#include "trace/read/formats.def" /* those above come first */
#undef TRACE_FORMAT
};

/* At the head of a file. What looks ahead is tied to the beginning (\A), or it would look again
 * from every place. */
static const struct facts_sign {
    const char *kind;
    int strength;
    const char *pattern;
} signs[] = {
    {"activities", 3, "ACTIVITY MANAGER ACTIVITIES"},
    {"activities", 1, "(?s)\\A(?=.*ActivityRecord\\{).*(\\* Hist |ResumedActivity)"},
    {"amstart", 3, "(?ms)^Starting: Intent \\{.*(TotalTime:|WaitTime:|Status:)"},
    {"amstart", 2, "(?m)^Starting: Intent \\{"},
    {"amstart", 1, "(?s)\\A(?=.*(TotalTime:|WaitTime:)).*(Status: |LaunchState: )"},
    {"anr", 3, "(?s)\\A(?=.*----- pid ).*(Cmd line: |Cmdline: )"},
    {"anr", 2, "(?ms)^[ \\t]*DALVIK THREADS.*^[ \\t]*\"main\" "},
    {"gfxinfo", 3, "\\*\\* Graphics info for pid|Applications Graphics Acceleration Info"},
    {"gfxinfo", 2, "(?m)^[ \\t]*Total frames rendered:"},
    {"media", 3, "MEDIA SESSION SERVICE"},
    {"media", 1, "(?s)\\A(?=.*ownerPid=).*PlaybackState \\{state="},
    {"meminfo", 3, "\\*\\* MEMINFO in pid"},
    {"meminfo", 2, "(?m)Applications Memory Usage|^[ \\t]*Total PSS by process:"},
    {"netstats", 3, "NetworkStatsHistory: bucketDuration|mAppUidStatsMap"},
    {"netstats", 2, "UID stats:|Active interfaces:"},
    {"ps", 3, "\\A(.*\\n){0,5}[ \\t]*((USER|UID|LABEL) .*)?PID .*(NAME|CMD|COMMAND|ARGS)"},
    {"qtaguid", 3, "acct_tag_hex uid_tag_int"},
    {"qtaguid", 3,
     "(?m)\\A(.*\\n)?([\\w./-]+:)?\\d+ \\w+ 0x[0-9a-f]+ \\d+ [01] \\d+ \\d+ \\d+ \\d+"},
    {"tombstone", 3, "(?ms)^[ \\t]*(\\*\\*\\* ){4}.*^[ \\t]*pid: "},
    {"tombstone", 2, "(?ms)\\A(?=.*>>> )(?=.*backtrace:).*^[ \\t]*signal "},
    {"bugreport", 4, "(?s)\\A.{0,512}== dumpstate: "},
    {"firefox", 2,
     "(?s)\\A\\s*\\{.*(\"stringTable\"|\"preprocessedProfileVersion\"|Recorded Performance Data)"},
    {"firefox", 2, "(?s)\\A\\s*\\{(?=.*\"meta\").*(\"stackwalk\"|\"threads\")"},
    {"firefox", 2, "(?s)\\A\\s*\\{(?=.*\"libs\").*\"breakpadId\""},
    {"safari", 3, "(?s)\\A\\s*\\{(?=.*\"recording\").*timeline-record-type"},
};

enum { KINDS = sizeof kinds / sizeof *kinds, HEAD_SIZE = 1 << 16 };

const char *tac_facts_kind_name(size_t index)
{
    return index < KINDS ? kinds[index].name : NULL;
}

static const struct facts_kind *kind_named(const char *name, bool format)
{
    for (size_t i = 0; i < KINDS; i++) {
        const char *known = format ? kinds[i].format : kinds[i].name;
        if (known && !strcmp(known, name))
            return &kinds[i];
    }
    return NULL;
}

/* Rows of formats that an earlier row names are left out. */
static const char *shown_name(size_t index)
{
    const struct facts_kind *kind = &kinds[index];
    return kind->format && kind_named(kind->format, true) != kind ? NULL : kind->name;
}

static const char *title_of(const struct facts_kind *kind)
{
    return kind->title ? kind->title : trace_formats[trace_format_find(kind->format)->id].what;
}

/* A packed file that is cut short still has a beginning. */
static tac_status read_head(const char *path, char *head, size_t *size, tac_error *err)
{
    tac_input *input;
    size_t got = 1;
    *size = 0;
    tac_status status = tac_input_open(path, &input, err);
    if (status)
        return status;
    while (!status && got && *size < HEAD_SIZE) {
        status = tac_input_read(input, head + *size, HEAD_SIZE - *size, &got, err);
        *size += status ? 0 : got;
    }
    tac_input_close(input);
    head[*size] = '\0';
    return *size ? TAC_OK : status;
}

static bool has_sign(const char *head, size_t size, const struct facts_sign *sign)
{
    tac_pattern *pattern;
    tac_span span;
    bool found = false;
    if (tac_pattern_new(sign->pattern, strlen(sign->pattern), &pattern, NULL))
        return false;
    if (tac_pattern_find(pattern, head, size, 0, &found, &span, 1, NULL))
        found = false; /* too much work for this text */
    tac_pattern_free(pattern);
    return found;
}

static const struct facts_kind *kind_by_sign(const char *head, size_t size, int *strength)
{
    const struct facts_kind *best = NULL;
    *strength = 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].strength > *strength && has_sign(head, size, &signs[i])) {
            *strength = signs[i].strength;
            best = kind_named(signs[i].kind, false);
        }
    return best;
}

static const struct facts_kind *kind_of(const struct trace_probe *raw, const char *head,
                                        size_t size)
{
    int strength;
    const struct trace_probe decoded = {raw->path, raw->is_folder, head, size};
    const struct trace_format *format = trace_format_guess(raw);
    format = format ? format : trace_format_guess(&decoded); /* UTF-16 */
    const struct facts_kind *traced = format ? kind_named(trace_format_name(format), true) : NULL;
    const struct facts_kind *signed_kind = kind_by_sign(head, size, &strength);
    bool table = format && format->id == TRACE_CSV;
    bool log = !format || table || format->id == TRACE_LOGCAT;
    if (strength > 1)
        return signed_kind;
    if (log && strncmp(head, "--------- beginning of", 22) != 0 && stack_sniff(head, size) > 1)
        return kind_named("stack", false);
    if (traced && !table)
        return traced;
    if (signed_kind)
        return signed_kind;
    return stack_sniff(head, size) ? kind_named("stack", false) : traced;
}

/* Says what would have been known. */
static tac_status fail_unknown(const char *path, const char *wanted, bool is_folder, tac_error *err)
{
    tac_str known = {0};
    for (size_t i = 0; i < KINDS; i++)
        if (shown_name(i))
            tac_str_addf(&known, "%s%s", i ? ", " : "", shown_name(i));
    tac_status status = wanted ? tac_fail_at(err, TAC_E_USAGE, path, 0, 0,
                                             "'%.80s' is not a kind of file; the kinds are %s",
                                             wanted, tac_str_text(&known))
                        : is_folder
                            ? tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "is a folder; give files")
                            : tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                                          "the content is not of a known kind; the kinds are %s",
                                          tac_str_text(&known));
    tac_str_free(&known);
    return status;
}

static tac_status read_as(const struct facts_kind *kind, const char *path, tac_watch *watch,
                          tac_facts *page, tac_error *err)
{
    struct facts_input input = {.path = path, .watch = watch};
    char *bytes = NULL, *text = NULL;
    tac_status status = kind->format ? page_of_trace(&input, kind->format, page, err) : TAC_OK;
    if (!status && kind->format && kind->read)
        status = kind->read(&input, page, err);
    if (status || kind->format)
        return status;
    status = tac_input_slurp(path, FACTS_TEXT_MAX, &bytes, &input.size, err);
    if (status)
        return status;
    input.text = text =
        text_decode(bytes, input.size, text_encoding(bytes, input.size), &input.size);
    free(bytes);
    status = kind->read(&input, page, err);
    free(text);
    return status;
}

static tac_status read_settled(const char *path, const tac_settled *file, const char *wanted,
                               tac_watch *watch, tac_facts **out, tac_error *err)
{
    struct stat about;
    bool is_folder = !stat(file->path, &about) && S_ISDIR(about.st_mode);
    char *raw = tac_calloc(HEAD_SIZE + 1, 1), *head = NULL;
    size_t size = 0, head_size = 0;
    tac_status status = is_folder ? TAC_OK : read_head(file->path, raw, &size, err);
    if (!status && !is_folder && !size)
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "the file is empty");
    if (!status) {
        struct trace_probe probe = {file->path, is_folder, raw, size};
        head = text_decode(raw, size, text_encoding(raw, size), &head_size);
        const struct facts_kind *kind =
            wanted ? kind_named(wanted, false) : kind_of(&probe, head, head_size);
        tac_facts *page = kind ? page_new(path, kind->name, title_of(kind)) : NULL;
        status = kind ? read_as(kind, file->path, watch, page, err) : TAC_E_INPUT;
        bool guess = kind && !wanted && !strcmp(kind->name, "csv") && !tac_ends_with(path, ".csv");
        if (!kind || (guess && status == TAC_E_INPUT)) /* many a text has commas */
            status = fail_unknown(path, wanted, is_folder, err);
        if (status)
            tac_facts_free(page);
        else
            *out = page;
    }
    free(raw);
    free(head);
    return status;
}

tac_status tac_facts_read(const char *path, const char *kind, tac_watch *watch, tac_facts **out,
                          tac_error *err)
{
    if (!tac_watch_tick(watch, "reading", 0, 0))
        return tac_fail_at(err, TAC_E_INTERRUPTED, path, 0, 0, "interrupted");
    tac_settled file;
    tac_status status = tac_settle(path, watch, &file, err);
    if (!status)
        status = read_settled(path, &file, kind, watch, out, err);
    return tac_settled_close(&file, status, err);
}
