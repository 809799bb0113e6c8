/* Patterns that turn lines of a log into values: 'REGEX=NAME,NAME...'.
 *
 * The regular expression is one of base/data/pattern.h. Group k sets the k-th name; without groups
 * the whole match does. A name is discrete; NAME[UNIT] is a number. Without "=NAME" the value is
 * the event. */
#pragma once

#include "base/data/pattern.h"
#include "trace/read/source.h"

enum { PATTERN_NAMES = 9 };

struct trace_pattern {
    tac_pattern *regex;
    const char *text;
    size_t name_count, groups;
    size_t variables[PATTERN_NAMES];
};

/* Compiles and declares the variables. */
tac_status pattern_compile(struct trace_pattern *pattern, tac_trace_source *source,
                           const char *text, tac_error *err);
/* Sets what a match says in the state under construction; *matched tells. line is for messages. */
tac_status pattern_apply(const struct trace_pattern *pattern, tac_trace_source *source,
                         const char *subject, size_t line, bool *matched, tac_error *err);
void pattern_free(struct trace_pattern *pattern);
