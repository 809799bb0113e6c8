/* A stack as the page shows it: which lines are frames, which of them are the app's, the chain of
 * exceptions. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct shown_stack {
    json_t *lines; /* [{"text","app","decides"}] */
    json_t *chain; /* headers of exceptions, the outermost first, the root last */
    char *file;    /* of the frame that decides, a path below the sources; "" */
    size_t line;
    char *frame; /* that frame's name; "" */
};

/* first: the exception and its message, where the stack itself begins with frames. cluster: the
 * name of the cause, which ends in the frame that decides. */
void stack_show(const char *stack, const char *first, const char *cluster, struct shown_stack *out);
void stack_free(struct shown_stack *shown); /* what was not taken */
