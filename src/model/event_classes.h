/* Classes of events: "digit: zero one two" and so on, read from a small text file. */
#pragma once

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "tactus/model.h"

struct event_pattern {
    const char *pattern, *class_name; /* '*' stands for any text */
    size_t line;
    bool used;
};

struct event_classes {
    tac_arena arena;
    const char *file;
    TAC_VEC(struct event_pattern) patterns;
};

tac_status tac_event_classes_load(const char *path, struct event_classes *out, tac_error *err);
/* renamed[event]: the class of the event, or its own name. An event of two classes is an error, a
 * pattern that fits no event a warning. */
tac_status tac_event_classes_apply(struct event_classes *classes, const tac_model *model,
                                   tac_diagnostics *diagnostics, const char **renamed,
                                   tac_error *err);
void tac_event_classes_free(struct event_classes *classes);
