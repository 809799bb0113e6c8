/* What a log says about the run: crashed, and how.
 *
 * A crash is a FATAL EXCEPTION of AndroidRuntime, a fatal signal, or a report of a handler that the
 * app has of its own (ACRA and others, told by their tag). The first one counts. The exception is
 * the root cause, the chain all from the outermost on. */
#pragma once

#include "trace/log/java_stack.h"
#include <jansson.h>
#include <stdint.h>

struct log_verdict {
    tac_arena arena;
    struct java_stack stack;
    json_t *chain, *message; /* owned until told */
    uint32_t pid;
    bool begun, native, done;
    char signal[32];
    char dead[128]; /* a process that died: "com.example 1234" */
};

void log_verdict_open(struct log_verdict *verdict);
/* One line of a message, in the order of the file. */
void log_verdict_take(struct log_verdict *verdict, const char *tag, size_t tag_length, uint32_t pid,
                      const char *line, size_t length);
/* Adds verdict, app, exception, message, chain, stack to the meta data; nothing when all is well.
 */
void log_verdict_tell(struct log_verdict *verdict, json_t *meta);
void log_verdict_close(struct log_verdict *verdict);
