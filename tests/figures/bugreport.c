/* Bug reports, zip or text: its parts (logs, dumps of services) are cut out and read by the kinds
 * that know them; their values stand under the part's name ("log.records", "battery.records").
 *
 *     == dumpstate: 2020-11-10 06:40:00
 *     ------ SYSTEM LOG (logcat -v threadtime ...) ------
 *     DUMP OF SERVICE CRITICAL meminfo: */
#include "base/check.h"
#include "base/data/alloc.h"
#include "figures/values.h"
#include "trace/bugreport/archive.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What a part is called in the report, and which kind reads it under which name. */
static const struct part_kind {
    const char *service; /* NULL: a section of the log */
    const char *name;
    const struct figures_kind *kind;
} part_kinds[] = {
    {NULL, "log", &figures_kind_logcat},
    {"batterystats", "battery", &figures_kind_batterystats},
    {"meminfo", "meminfo", &figures_kind_meminfo},
    {"gfxinfo", "gfxinfo", &figures_kind_gfxinfo},
    {"netstats", "netstats", &figures_kind_netstats},
};

enum { PARTS = sizeof part_kinds / sizeof part_kinds[0], NO_PART = PARTS };

struct report {
    struct figures *facts;
    int64_t lines, sections, services;
    size_t now; /* the part that the lines belong to */
    bool dated;
    tac_str texts[PARTS];
};

static int sniff(const struct figures_input *input)
{
    const char *dump = strstr(input->head, "== dumpstate: ");
    if (input->raw_size > 4 && !memcmp(input->raw, "PK\3\4", 4))
        return 3;
    return dump && dump - input->head < 512 ? 3 : 0;
}

static bool starts(const char *line, size_t length, const char *with)
{
    return length >= strlen(with) && !memcmp(line, with, strlen(with));
}

/* "------ SYSTEM LOG (logcat ...) ------"; a line that ends a section ("was the duration of") has
 * the same dashes and a time first. */
static void start_section(struct report *report, const char *line, size_t length)
{
    const char *name = line + 7, *end = memmem(name, length - 7, " (", 2);
    report->now = NO_PART;
    if (length < 8 || isdigit((unsigned char)*name))
        return;
    size_t size = end ? (size_t)(end - name) : length - 7;
    report->sections++;
    if ((size >= 3 && !memcmp(name + size - 3, "LOG", 3)) ||
        memmem(name, size, "LOGCAT", 6) != NULL)
        report->now = 0;
}

/* "DUMP OF SERVICE meminfo:", since Android 9 with a priority before the name. */
static void start_service(struct report *report, const char *line, size_t length)
{
    const char *name = line + 16, *end = line + length;
    static const char *const priorities[] = {"CRITICAL ", "HIGH ", "NORMAL "};
    for (size_t i = 0; i < 3; i++)
        if (starts(name, (size_t)(end - name), priorities[i]))
            name += strlen(priorities[i]);
    const char *stop = memchr(name, ':', (size_t)(end - name));
    size_t size = (size_t)((stop ? stop : end) - name);
    report->services++;
    report->now = NO_PART;
    for (size_t i = 1; i < PARTS; i++)
        if (strlen(part_kinds[i].service) == size && !memcmp(name, part_kinds[i].service, size))
            report->now = i;
}

static void take_line(struct report *report, const char *line, size_t length)
{
    static const char head[] = "== dumpstate: ";
    assert(report->now <= NO_PART);
    report->lines++;
    if (!report->dated && starts(line, length, head)) {
        report->dated = true;
        figures_textf(report->facts, "dumpstate", "%.*s", (int)(length - strlen(head)),
                      line + strlen(head));
    } else if (starts(line, length, "Build: ") && report->lines < 64) {
        figures_textf(report->facts, "build", "%.*s", (int)(length - 7), line + 7);
    } else if (starts(line, length, "------ ")) {
        start_section(report, line, length);
    } else if (starts(line, length, "DUMP OF SERVICE ")) {
        start_service(report, line, length);
    } else {
        /* a text without heads still has its history */
        if (report->now != 1 && (starts(line, length, "Battery History (") ||
                                 starts(line, length, "Battery History [")))
            report->now = 1;
        if (report->now < PARTS) {
            tac_str_add_bytes(&report->texts[report->now], line, length);
            tac_str_add_char(&report->texts[report->now], '\n');
        }
    }
}

static tac_status read_zip(struct report *report, const struct figures_input *input, tac_error *err)
{
    struct archive *archive;
    const char *line;
    size_t length;
    tac_status status = archive_open(input->path, &archive, err);
    if (status)
        return status;
    figures_text(report->facts, "entry", archive_entry(archive));
    while (!status && !(status = archive_line(archive, &line, &length, err)) && line) {
        take_line(report, line, length);
        if (report->lines % 65536 == 0 &&
            !tac_watch_tick(input->watch, "reading lines", (uint64_t)report->lines, 0))
            status = tac_fail_at(err, TAC_E_INTERRUPTED, input->path, 0, 0, "interrupted");
    }
    archive_close(archive);
    /* A damaged end: what came before it stays. */
    if (status == TAC_E_INPUT && report->lines && err) {
        figures_warn(report->facts, "%s", err->message);
        status = TAC_OK;
    }
    return status;
}

static tac_status read_text(struct report *report, const struct figures_input *input,
                            tac_error *err)
{
    char *text;
    size_t size, length;
    const char *line;
    tac_status status = figures_slurp(input, &text, &size, err);
    if (status)
        return status;
    for (const char *at = text; figures_next_line(&at, text + size, &line, &length);)
        take_line(report, line, length);
    free(text);
    return TAC_OK;
}

/* The values of a part, under its name. */
static tac_status add_part(struct report *report, size_t part, const struct figures_input *input,
                           tac_error *err)
{
    const struct part_kind *kind = &part_kinds[part];
    const tac_str *text = &report->texts[part];
    struct figures_input inner = {.path = input->path,
                                  .head = tac_str_text(text),
                                  .head_size = text->length,
                                  .raw = tac_str_text(text),
                                  .raw_size = text->length,
                                  .encoding = "utf-8",
                                  .text = tac_str_text(text),
                                  .text_size = text->length,
                                  .watch = input->watch};
    struct figures *values = figures_new(input->path, kind->kind->name);
    tac_status status = kind->kind->read(&inner, values, err);
    size_t count;
    const struct figure *at = figures_at(values, &count);
    for (size_t i = 0; !status && i < count; i++) {
        char *name = tac_format("%s.%s", kind->name, at[i].name);
        if (at[i].text)
            figures_text(report->facts, name, at[i].text);
        else
            figures_number(report->facts, name, at[i].number);
        free(name);
    }
    const char *const *warnings = figures_warnings(values, &count);
    for (size_t i = 0; !status && i < count; i++)
        figures_warn(report->facts, "%s: %s", kind->name, warnings[i]);
    figures_free(values);
    return status;
}

static tac_status read_report(const struct figures_input *input, struct figures *facts,
                              tac_error *err)
{
    struct report report = {.facts = facts, .now = NO_PART};
    bool packed = input->raw_size > 4 && !memcmp(input->raw, "PK\3\4", 4);
    for (size_t i = 0; i < PARTS; i++)
        report.texts[i].cap = FIGURES_TEXT_MAX;
    tac_status status = packed ? read_zip(&report, input, err) : read_text(&report, input, err);
    if (!status) {
        figures_number(facts, "lines", report.lines);
        figures_number(facts, "sections", report.sections);
        figures_number(facts, "services", report.services);
    }
    for (size_t i = 0; i < PARTS && !status; i++)
        if (report.texts[i].length)
            status = add_part(&report, i, input, err);
    if (!status && !report.texts[0].length && !report.texts[1].length)
        figures_warn(facts, "neither a log nor a battery history was found in it");
    for (size_t i = 0; i < PARTS; i++)
        tac_str_free(&report.texts[i]);
    return status;
}

const struct figures_kind figures_kind_bugreport = {
    .name = "bugreport",
    .summary = "a bug report of adb, zip or text: its log, battery history and memory",
    .sniff = sniff,
    .read = read_report,
};
