/* Hash tables with open addressing. Keys are never removed.
 *
 * tac_u64map  64-bit keys to 64-bit values.
 * tac_names   byte strings interned to dense ids 0, 1, 2, ... in order of arrival, and back. */
#pragma once

#include "base/data/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAC_NONE UINT32_MAX

typedef struct tac_u64map_entry {
    uint64_t key, value;
} tac_u64map_entry;

/* A key beside its value, so that a look costs one line of the cache. A slot with key 0 is free:
 * the entry of that key has a place of its own. */
typedef struct tac_u64map {
    tac_u64map_entry *slots;
    size_t count, capacity; /* capacity is 0 or a power of two */
    tac_u64map_entry zero;
    bool has_zero;
} tac_u64map;

/* A zeroed struct is empty. Returns the value's place, created as `initial` when the key is new
 * (*is_new tells, may be NULL); valid until the next insertion. */
uint64_t *tac_u64map_at(tac_u64map *map, uint64_t key, uint64_t initial, bool *is_new);
uint64_t *tac_u64map_find(const tac_u64map *map, uint64_t key); /* NULL when absent */
/* One entry after the other in some order, NULL at the end; *at starts as 0. */
const tac_u64map_entry *tac_u64map_next(const tac_u64map *map, size_t *at);
void tac_u64map_free(tac_u64map *map);

typedef struct tac_names {
    tac_arena arena;
    const char **text; /* text[id], terminated; may hold NUL bytes inside */
    size_t *length;    /* length[id] */
    uint64_t *hash;    /* hash[id] */
    uint32_t *slots;   /* id + 1; 0 = free */
    size_t count, capacity, slot_capacity;
} tac_names;

/* A zeroed struct is empty. */
uint32_t tac_names_intern(tac_names *names, const char *text);
uint32_t tac_names_intern_bytes(tac_names *names, const void *bytes, size_t length);
/* The same; true when they are new. */
bool tac_names_add(tac_names *names, const void *bytes, size_t length);
uint32_t tac_names_find(const tac_names *names, const char *text); /* TAC_NONE when absent */
uint32_t tac_names_find_bytes(const tac_names *names, const void *bytes, size_t length);
void tac_names_free(tac_names *names);

uint64_t tac_hash_bytes(const void *bytes, size_t length, uint64_t seed);
uint64_t tac_hash_u64(uint64_t value); /* a mixing permutation */
