/* Bump allocation in blocks that double up to 1 MiB; larger requests get a block of their own. */
#include "base/data/arena.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct tac_arena_block {
    struct tac_arena_block *older;
    size_t size, used;
    alignas(max_align_t) char bytes[];
};

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

static void add_block(tac_arena *arena, size_t size)
{
    size_t block_size = arena->block ? arena->block->size * 2 : FIRST_BLOCK;
    if (block_size > LARGEST_BLOCK)
        block_size = LARGEST_BLOCK;
    if (block_size < size)
        block_size = size;
    struct tac_arena_block *block = tac_alloc(sizeof *block + block_size);
    *block = (struct tac_arena_block){.older = arena->block, .size = block_size};
    arena->block = block;
}

void *tac_arena_alloc(tac_arena *arena, size_t size)
{
    size_t step = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    if (step < size)
        tac_out_of_memory(size);
    if (!arena->block || arena->block->size - arena->block->used < step)
        add_block(arena, step);
    assert(arena->block->size - arena->block->used >= step);
    void *memory = arena->block->bytes + arena->block->used;
    arena->block->used += step;
    arena->used += step;
    return memory;
}

void *tac_arena_calloc(tac_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        tac_out_of_memory(count);
    return memset(tac_arena_alloc(arena, bytes), 0, bytes);
}

void *tac_arena_keep(tac_arena *arena, const void *from, size_t count, size_t size)
{
    void *copy = tac_arena_calloc(arena, count + 1, size);
    if (count)
        memcpy(copy, from, count * size);
    return copy;
}

char *tac_arena_strndup(tac_arena *arena, const char *text, size_t length)
{
    char *copy = tac_arena_alloc(arena, length + 1);
    if (length) /* text may be NULL then */
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *tac_arena_strdup(tac_arena *arena, const char *text)
{
    return tac_arena_strndup(arena, text, strlen(text));
}

char *tac_arena_format(tac_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(length >= 0); /* formats are ours */
    char *text = tac_arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void tac_arena_free(tac_arena *arena)
{
    for (struct tac_arena_block *block = arena->block, *older; block; block = older) {
        older = block->older;
        free(block);
    }
    *arena = (tac_arena){0};
}
