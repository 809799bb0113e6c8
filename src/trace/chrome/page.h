/* Traces inside pages: behind megabytes of viewer stands, once or several times,
 *
 *     <script id="viewer-data" type="...">BASE64 of the gzipped trace</script>    trace2html
 *     <script class="trace-data" type="application/text">the trace</script>       systrace
 *
 * The former is JSON as a rule, or any text that the viewer reads. Of the latter only JSON is
 * gathered here; lines of the kernel and lists of processes are left to the reader of lines. */
#pragma once

#include "base/data/str.h"
#include "trace/read/window.h"

#define PAGE_DATA_MAX ((size_t)512 << 20) /* packed, and unpacked */

struct trace_page {
    bool inside;
    bool plain;       /* the data are as they stand, not packed */
    bool packed_only; /* the user's: JSON as it stands is left to the reader of lines too */
    bool in_lines;    /* inside a script with the trace as it is */
    bool undecided;   /* behind the tag of a trace as it is, before its first character */
    tac_str packed;
};

enum page_line { PAGE_OTHER, PAGE_DATA, PAGE_DATA_ENDS };
/* Takes a line of the page; at PAGE_DATA_ENDS `packed` is whole. */
enum page_line page_take_line(struct trace_page *page, const char *line, size_t length);
/* What was packed, as a window that has ended (its `data` is the caller's to free; its input is
 * only for messages). Of data that are `cut`, what is whole. */
tac_status page_unpack(struct trace_page *page, tac_input *input, bool cut,
                       struct trace_window *out, tac_error *err);
void page_free(struct trace_page *page);
