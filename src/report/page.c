/* Putting the document and the traces into the page.
 *
 * The data stands in a <script type="application/json">. Its text may not contain "</script" nor
 * start a comment, so every '<' is written as \u003c; slashes are escaped too, so that an address
 * in an app's text never reads as a link of the report. Traces stand behind it, each compressed and
 * in base64, so that every run that is shown can be opened and exported as it was recorded: first
 * what the report cites, then what did not pass, then the rest, while there is room. */
#include "report/page.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "report/evidence.h"
#include "report_page_html.h"
#include <errno.h>
#include <string.h>
#include <zlib.h>

static const char data_mark[] = "TACTUS_REPORT_DATA", trace_mark[] = "<!--TACTUS_REPORT_TRACES-->";
static const size_t most_page = (size_t)19 << 20, most_trace = (size_t)8 << 20;

enum { URGENCIES = 4 };

static unsigned urgency_of(const struct report_run *run)
{
    if (run->cited)
        return 0;
    if (tac_stored_end_of(run->row.verdict) != TAC_STORED_PASS)
        return 1;
    return strchr(run->answers, ANSWER_VIOLATED) ? 2 : 3;
}

/* The whole file, or NULL: gone since it was checked, or too large. */
static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOMEM)
        tac_out_of_memory(0);
    unsigned char *data = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        long length = ftell(file);
        if (length > 0 && (size_t)length <= most_trace && fseek(file, 0, SEEK_SET) == 0) {
            data = tac_alloc((size_t)length);
            *size = fread(data, 1, (size_t)length, file);
        }
    }
    if (file)
        fclose(file);
    return data;
}

/* In gzip's format; the caller's. */
static unsigned char *compress_bytes(unsigned char *data, size_t size, size_t *packed)
{
    enum { GZIP = 15 + 16, LEVEL = 6 };
    z_stream stream = {.next_in = data, .avail_in = (uInt)size};
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        tac_out_of_memory(size);
    size_t room = deflateBound(&stream, size);
    unsigned char *out = tac_alloc(room);
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    deflate(&stream, Z_FINISH);
    *packed = stream.total_out;
    deflateEnd(&stream);
    return out;
}

/* False when there is no more room. */
static bool write_trace(const struct report_campaign *campaign, const struct report_run *run,
                        size_t *room, FILE *out)
{
    enum { AROUND = 80 };
    char *path = report_path(campaign, run->row.trace);
    size_t size = 0, packed = 0;
    unsigned char *data = read_file(path, &size);
    bool fits = true;
    free(path);
    if (data && size) {
        unsigned char *bytes = compress_bytes(data, size, &packed);
        size_t wanted = packed / 3 * 4 + 4 + AROUND;
        fits = wanted <= *room;
        if (fits) {
            char *text = report_base64(bytes, packed);
            fprintf(out, "<script type=\"text/plain\" data-run=\"%zu\">%s</script>\n",
                    campaign->first_run + (size_t)run->row.id, text);
            free(text);
            *room -= wanted;
        }
        free(bytes);
    }
    free(data);
    return fits;
}

static void write_traces(const struct report_project *project, size_t room, FILE *out)
{
    for (unsigned urgency = 0; urgency < URGENCIES; urgency++)
        for (size_t c = 0; c < project->campaigns.count; c++) {
            const struct report_campaign *campaign = &project->campaigns.at[c];
            for (size_t i = 0; i < campaign->runs.count; i++) {
                const struct report_run *run = &campaign->runs.at[i];
                if (run->row.trace[0] && urgency_of(run) == urgency &&
                    !write_trace(campaign, run, &room, out))
                    return;
            }
        }
}

/* Returns how many bytes it wrote. */
static size_t write_data(const json_t *document, FILE *out)
{
    char *text = tac_json_text(document, JSON_COMPACT | JSON_ESCAPE_SLASH);
    size_t size = 0;
    for (const char *at = text; *at;) {
        size_t plain = strcspn(at, "<");
        fwrite(at, 1, plain, out);
        at += plain;
        size += plain;
        if (*at == '<') {
            fputs("\\u003c", out);
            size += 6;
            at++;
        }
    }
    free(text);
    return size;
}

tac_status report_write_page(const struct tac_report *report, FILE *out, tac_error *err)
{
    const char *data = strstr(report_page_html, data_mark);
    const char *traces = strstr(report_page_html, trace_mark);
    if (!data || !traces || traces < data)
        return tac_fail(err, TAC_E_INTERNAL, "the report's page has no place for the data");
    const char *after = data + sizeof data_mark - 1;
    fwrite(report_page_html, 1, (size_t)(data - report_page_html), out);
    size_t used = strlen(report_page_html) + write_data(report->document, out);
    fwrite(after, 1, (size_t)(traces - after), out);
    write_traces(&report->project, used < most_page ? most_page - used : 0, out);
    fputs(traces + sizeof trace_mark - 1, out);
    return ferror(out) ? tac_fail_errno(err, errno, "", "cannot write the report") : TAC_OK;
}
