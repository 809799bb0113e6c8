/* Allocation that cannot fail from the caller's view: exhaustion goes to the handler set by
 * tac_set_oom_handler. Everything is released with free(). */
#pragma once

#include <stddef.h>
#include <stdlib.h>

void *tac_alloc(size_t size);                /* uninitialised */
void *tac_calloc(size_t count, size_t size); /* zeroed; overflow of the product is exhaustion */
void *tac_realloc(void *old, size_t count, size_t size);
char *tac_strdup(const char *text);
char *tac_strndup(const char *text, size_t length);
char *tac_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void tac_out_of_memory(size_t wanted);
