/* A Java stack as it is printed: exception, frames, causes.
 *
 * The root is the last "Caused by" of the main chain; one inside "Suppressed" stands further in and
 * is not of the chain. Lines are added one by one, without the header of their record. */
#pragma once

#include "base/data/arena.h"
#include "base/data/vec.h"
#include <stdbool.h>
#include <stddef.h>

struct java_frame {
    const char *name; /* package.Class.method; of the arena */
    const char *text; /* as printed, with file and line */
    size_t cause;     /* 0: of the outermost exception */
};

struct java_stack {
    tac_arena *arena;                   /* borrowed */
    const char *thread, *process, *pid; /* NULL: not said */
    const char *package;                /* the app, as a handler of its own says */
    const char *exception, *root;       /* NULL: none yet */
    size_t causes, frame_lines;
    size_t indent;                     /* of the exception's line */
    size_t suppressed_at;              /* indentation of the open "Suppressed" */
    bool suppressed;                   /* inside one */
    bool fatal;                        /* it began with FATAL EXCEPTION */
    TAC_VEC(struct java_frame) frames; /* of the main chain */
};

/* False: the line is not part of a stack (it may stand between). */
bool java_stack_add(struct java_stack *stack, const char *line, size_t length);
void java_stack_free(struct java_stack *stack);
bool java_is_exception_line(const char *line, size_t length);
bool java_is_stack_line(const char *line, size_t length); /* a frame, a cause, "... 4 more" */

/* The first frame of the root; NULL: none. */
const char *java_root_frame(const struct java_stack *stack);
