/* The dumps of services in a bug report, beside the log and the battery history that its trace has:
 * each is said as it would be of the dump alone, under the service's name.
 *
 *     == dumpstate: 2020-11-10 06:40:00
 *     DUMP OF SERVICE CRITICAL meminfo:      (a priority since Android 9)
 *     ------ 0.1s was the duration of 'X' ------ */
#include "base/data/alloc.h"
#include "base/io/input.h"
#include "facts/page.h"
#include "trace/bugreport/archive.h"
#include <string.h>

enum { MOST_LINES = 1 << 24 };

static const struct report_part {
    const char *service;
    facts_reader *read;
} parts[] = {
    {"meminfo", page_of_memory}, {"gfxinfo", page_of_frames}, {"netstats", page_of_netstats}};

enum { PARTS = sizeof parts / sizeof *parts };

struct report {
    tac_facts *page;
    size_t lines, services, now; /* now: the part that the lines belong to; PARTS: none */
    tac_str texts[PARTS];
};

static bool starts(const char *line, size_t length, const char *with)
{
    return length >= strlen(with) && !memcmp(line, with, strlen(with));
}

static void start_service(struct report *report, const char *name, size_t length)
{
    const char *colon = memchr(name, ':', length);
    length = colon ? (size_t)(colon - name) : length;
    const char *blank = memrchr(name, ' ', length);
    length -= blank ? (size_t)(blank + 1 - name) : 0;
    name = blank ? blank + 1 : name;
    report->services++;
    for (report->now = 0; report->now < PARTS; report->now++)
        if (strlen(parts[report->now].service) == length &&
            !memcmp(name, parts[report->now].service, length))
            return;
}

static void take_line(struct report *report, const char *line, size_t length)
{
    static const char service[] = "DUMP OF SERVICE ",
                      made[] = "== dumpstate: ", build[] = "Build: ";
    if (starts(line, length, service)) {
        start_service(report, line + strlen(service), length - strlen(service));
    } else if (starts(line, length, "------ ")) {
        report->now = PARTS;
    } else if (report->now < PARTS) {
        tac_str_add_bytes(&report->texts[report->now], line, length);
        tac_str_add_char(&report->texts[report->now], '\n');
    } else if (report->lines < 64 && starts(line, length, made)) {
        page_textf(report->page, "made", "%.*s", (int)(length - strlen(made)), line + strlen(made));
    } else if (report->lines < 64 && starts(line, length, build)) {
        page_textf(report->page, "build", "%.*s", (int)(length - strlen(build)),
                   line + strlen(build));
    }
    report->lines++;
}

static tac_status add_part(struct report *report, size_t part, const struct facts_input *input,
                           tac_error *err)
{
    const tac_str *text = &report->texts[part];
    struct facts_input inner = {input->path, tac_str_text(text), text->length, input->watch};
    tac_facts *values = page_new(input->path, parts[part].service, "");
    tac_status status = text->length ? parts[part].read(&inner, values, err) : TAC_OK;
    size_t count;
    const tac_fact *at = tac_facts_at(values, &count);
    for (size_t i = 0; !status && i < count; i++) {
        char *name = tac_format("%s: %s", parts[part].service, at[i].name);
        if (at[i].text)
            page_text(report->page, name, at[i].text);
        else
            page_number(report->page, name, at[i].number);
        free(name);
    }
    tac_facts_free(values);
    return status;
}

static tac_status read_archive(struct report *report, struct archive *archive, tac_error *err)
{
    const char *line;
    size_t length;
    tac_status status = TAC_OK;
    while (report->lines < MOST_LINES && !(status = archive_line(archive, &line, &length, err)) &&
           line)
        take_line(report, line, length);
    if (status == TAC_E_INPUT && report->lines) { /* a damaged end: what came before it stays */
        page_warn(report->page, "%s", err->message);
        status = TAC_OK;
    }
    return status;
}

static tac_status read_text(struct report *report, const char *path, tac_error *err)
{
    char *text;
    size_t size;
    tac_status status = tac_input_slurp(path, FACTS_TEXT_MAX, &text, &size, err);
    if (status)
        return status;
    for (const char *at = text, *end = text + size, *next; at < end; at = next) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        next = stop ? stop + 1 : end;
        stop = stop ? stop : end;
        take_line(report, at, (size_t)(stop - at) - (stop > at && stop[-1] == '\r'));
    }
    free(text);
    return TAC_OK;
}

tac_status page_of_report(const struct facts_input *input, tac_facts *page, tac_error *err)
{
    struct report report = {.page = page, .now = PARTS};
    struct archive *archive = NULL;
    tac_status status = archive_open(input->path, &archive, NULL)
                            ? read_text(&report, input->path, err)
                            : read_archive(&report, archive, err);
    archive_close(archive);
    page_number(page, "services", (int64_t)report.services);
    for (size_t i = 0; i < PARTS && !status; i++)
        status = add_part(&report, i, input, err);
    for (size_t i = 0; i < PARTS; i++)
        tac_str_free(&report.texts[i]);
    return status;
}
