/* Putting the document into the page.
 *
 * The data stands in a <script type="application/json">. Its text may not contain "</script" nor
 * start a comment, so every '<' is written as \u003c; slashes are escaped too, so that an address
 * in an app's text never reads as a link of the report. */
#include "report/page.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "report_page_html.h"
#include <string.h>

static const char mark[] = "TACTUS_REPORT_DATA";

tac_status report_write_page(const json_t *document, FILE *out, tac_error *err)
{
    const char *place = strstr(report_page_html, mark);
    if (!place)
        return tac_fail(err, TAC_E_INTERNAL, "the report's page has no place for the data");
    char *text = tac_json_text(document, JSON_COMPACT | JSON_ESCAPE_SLASH);
    fwrite(report_page_html, 1, (size_t)(place - report_page_html), out);
    for (const char *at = text; *at;) {
        size_t plain = strcspn(at, "<");
        fwrite(at, 1, plain, out);
        at += plain;
        if (*at == '<') {
            fputs("\\u003c", out);
            at++;
        }
    }
    fputs(place + sizeof mark - 1, out);
    free(text);
    return ferror(out) ? tac_fail(err, TAC_E_IO, "cannot write the report") : TAC_OK;
}
