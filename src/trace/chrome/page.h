/* Traces inside a page of Chrome's trace2html: behind megabytes of viewer stands
 *
 *     <script id="viewer-data" type="...">BASE64 of the gzipped trace</script>
 *
 * once or several times. The trace is JSON as a rule, or any text that the viewer reads. */
#ifndef TAC_TRACE_CHROME_PAGE_H
#define TAC_TRACE_CHROME_PAGE_H

#include "base/data/str.h"
#include "trace/read/window.h"

#define PAGE_DATA_MAX ((size_t)512 << 20) /* packed, and unpacked */

struct trace_page {
    bool inside;
    tac_str packed;
};

enum page_line { PAGE_OTHER, PAGE_DATA, PAGE_DATA_ENDS };
/* Takes a line of the page; at PAGE_DATA_ENDS `packed` is whole. */
enum page_line page_take_line(struct trace_page *page, const char *line, size_t length);
/* What was packed, as a window that has ended (its `data` is the caller's to free; its input is
 * only for messages). */
tac_status page_unpack(struct trace_page *page, tac_input *input, struct trace_window *out,
                       tac_error *err);
void page_free(struct trace_page *page);

#endif
