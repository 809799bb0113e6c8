/* The first and the last line of a Tactus JSON Lines trace.
 *
 *     {"tactus":"trace","version":1,"variables":{"rxData":{"kind":"continuous","unit":"kB"},
 *      "event":{"kind":"discrete"}},"meta":{"device":"S7","app":"uamp"},"ends":true}
 *     {"t":0.25,"event":"StartPlaying","rxData":100}
 *     {"end":{"states":1,"meta":{"verdict":"pass"}}}
 *
 * The header may be left out. "ends" promises the last line, so that a file cut between two lines
 * is noticed. */
#pragma once

#include "trace/read/source.h"

#define TRACE_JSONL_VERSION 1

/* *is_header false when the line is an ordinary state. */
tac_status jsonl_read_header(tac_trace_source *source, const char *line, size_t length,
                             size_t number, bool *is_header, bool *ends, tac_error *err);
tac_status jsonl_read_end(tac_trace_source *source, const char *line, size_t length, size_t number,
                          uint64_t *states, tac_error *err);
/* Declares {"NAME":{"kind","unit","linear"}}; also used by the binary format. */
tac_status header_variables(tac_trace_source *source, const json_t *variables, size_t line,
                            tac_error *err);
void header_merge_meta(tac_trace_source *source, const json_t *meta);

/* The header's object and the end line's, for the writers; the caller's. */
json_t *header_object(const tac_trace_variable *variables, size_t count, const json_t *meta);
json_t *header_variable_object(const tac_trace_variable *variable);
