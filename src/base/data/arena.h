/* Bump allocation for things that die together (parse trees, names). No single free. */
#pragma once

#include <stddef.h>

typedef struct tac_arena {
    struct tac_arena_block *block; /* newest first */
    size_t used;                   /* bytes handed out in total */
} tac_arena;

/* A zeroed struct is an empty arena. Memory is aligned for any type and not cleared. */
void *tac_arena_alloc(tac_arena *arena, size_t size);
void *tac_arena_calloc(tac_arena *arena, size_t count, size_t size);
/* A copy of `count` elements, with cleared room for one more. from may be NULL where count is 0. */
void *tac_arena_keep(tac_arena *arena, const void *from, size_t count, size_t size);
char *tac_arena_strndup(tac_arena *arena, const char *text, size_t length);
char *tac_arena_strdup(tac_arena *arena, const char *text);
char *tac_arena_format(tac_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tac_arena_free(tac_arena *arena);
