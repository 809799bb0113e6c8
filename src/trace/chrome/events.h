/* Chrome's trace events as JSON: an object with "traceEvents", an array of events, or events one
 * behind another, as lines. */
#pragma once

#include "trace/json/items.h"
#include "trace/timeline/marks.h"

/* The events of the window, in whichever of the three forms. Close the items also after a failure.
 */
tac_status chrome_items_open(struct json_items *items, struct trace_window *window, tac_error *err);
/* Puts all events of the window on the timeline, their times moved by `shift`, and the kernel's
 * lines that stand beside them ("systemTraceEvents"); what is wrong with them becomes notes. */
tac_status chrome_read(struct timeline *timeline, struct kernel *names, struct trace_window *window,
                       int64_t shift, tac_error *err);
/* A text or a number of an event, hashed from a seed. */
uint64_t chrome_hash(const json_t *value, uint64_t seed);
/* What asynchronous slices belong together by: category, id and scope, of the process for local
 * ids. */
uint64_t chrome_async_key(const json_t *event);
