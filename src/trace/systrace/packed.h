/* The text of `atrace -z`: zlib data behind a line "TRACE:". */
#pragma once

#include "trace/read/window.h"

/* Is the text at the window's begin packed? Then its head line is passed. */
tac_status ftrace_packed_head(struct trace_window *window, bool *packed, tac_error *err);

/* Gives every line of the packed text to `take`; *whole: its end mark was reached. */
typedef tac_status ftrace_take_line(void *context, const char *line, size_t length, tac_error *err);
tac_status ftrace_packed_lines(struct trace_window *window, ftrace_take_line *take, void *context,
                               bool *whole, tac_error *err);
