/* Allocation that cannot fail from the caller's view. See alloc.h. */
#include "base/data/vec.h"
#include "tactus/error.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* The one process-wide setting of the library: exhaustion has no caller to report to. */
static void (*oom_handler)(size_t wanted);

void tac_set_oom_handler(void (*handler)(size_t wanted))
{
    oom_handler = handler;
}

_Noreturn void tac_out_of_memory(size_t wanted)
{
    if (oom_handler)
        oom_handler(wanted);
    abort();
}

void *tac_alloc(size_t size)
{
    void *memory = malloc(size ? size : 1);
    if (!memory)
        tac_out_of_memory(size);
    return memory;
}

void *tac_calloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        tac_out_of_memory(count);
    return memory;
}

void *tac_realloc(void *old, size_t count, size_t size)
{
    if (!count || !size)
        count = size = 1;
    void *memory = reallocarray(old, count, size);
    if (!memory)
        tac_out_of_memory(count);
    return memory;
}

char *tac_strndup(const char *text, size_t length)
{
    char *copy = tac_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *tac_strdup(const char *text)
{
    return tac_strndup(text, strlen(text));
}

char *tac_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        tac_out_of_memory(0);
    va_end(args);
    return text;
}

size_t tac_vec_next_capacity(size_t capacity, size_t wanted)
{
    if (capacity > SIZE_MAX / 2)
        tac_out_of_memory(wanted);
    size_t next = capacity < 8 ? 8 : capacity * 2;
    return next < wanted ? wanted : next;
}
