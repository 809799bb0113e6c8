/* Hash tables with linear probing, at most 5/8 full. */
#include "base/data/map.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <string.h>

uint64_t tac_hash_u64(uint64_t value)
{
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93u;
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93u;
    value ^= value >> 32;
    return value;
}

uint64_t tac_hash_bytes(const void *bytes, size_t length, uint64_t seed)
{
    const unsigned char *at = bytes;
    uint64_t hash = seed ^ (length * 0x9e3779b97f4a7c15u);
    for (; length >= 8; at += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = (hash ^ tac_hash_u64(word)) * 0x9e3779b97f4a7c15u;
    }
    uint64_t rest = 0;
    for (size_t i = 0; i < length; i++)
        rest |= (uint64_t)at[i] << (8 * i);
    return tac_hash_u64(hash ^ rest);
}

static size_t u64map_slot(const tac_u64map *map, uint64_t key)
{
    size_t slot = tac_hash_u64(key) & (map->capacity - 1);
    while (map->used[slot] && map->keys[slot] != key)
        slot = (slot + 1) & (map->capacity - 1);
    return slot;
}

static void u64map_grow(tac_u64map *map)
{
    tac_u64map larger = {.capacity = map->capacity ? map->capacity * 2 : 16, .count = map->count};
    larger.keys = tac_calloc(larger.capacity, sizeof *larger.keys);
    larger.values = tac_calloc(larger.capacity, sizeof *larger.values);
    larger.used = tac_calloc(larger.capacity, 1);
    for (size_t i = 0; i < map->capacity; i++) {
        if (!map->used[i])
            continue;
        size_t slot = u64map_slot(&larger, map->keys[i]);
        larger.used[slot] = 1;
        larger.keys[slot] = map->keys[i];
        larger.values[slot] = map->values[i];
    }
    tac_u64map_free(map);
    assert(larger.count * 8 < larger.capacity * 5); /* probing ends at a free slot */
    *map = larger;
}

uint64_t *tac_u64map_at(tac_u64map *map, uint64_t key, uint64_t initial, bool *is_new)
{
    if (map->count * 8 >= map->capacity * 5)
        u64map_grow(map);
    size_t slot = u64map_slot(map, key);
    bool absent = !map->used[slot];
    if (absent) {
        map->used[slot] = 1;
        map->keys[slot] = key;
        map->values[slot] = initial;
        map->count++;
    }
    if (is_new)
        *is_new = absent;
    return &map->values[slot];
}

uint64_t *tac_u64map_find(const tac_u64map *map, uint64_t key)
{
    if (!map->capacity)
        return NULL;
    size_t slot = u64map_slot(map, key);
    return map->used[slot] ? &map->values[slot] : NULL;
}

void tac_u64map_free(tac_u64map *map)
{
    free(map->keys);
    free(map->values);
    free(map->used);
    *map = (tac_u64map){0};
}

static size_t names_slot(const tac_names *names, const void *bytes, size_t length, uint64_t hash)
{
    size_t slot = hash & (names->slot_capacity - 1);
    for (; names->slots[slot]; slot = (slot + 1) & (names->slot_capacity - 1)) {
        uint32_t id = names->slots[slot] - 1;
        if (names->hash[id] == hash && names->length[id] == length &&
            (!length || !memcmp(names->text[id], bytes, length)))
            break;
    }
    return slot;
}

static void names_rehash(tac_names *names)
{
    names->slot_capacity = names->slot_capacity ? names->slot_capacity * 2 : 32;
    free(names->slots);
    names->slots = tac_calloc(names->slot_capacity, sizeof *names->slots);
    assert(names->count < names->slot_capacity);
    for (size_t id = 0; id < names->count; id++) {
        size_t slot = names->hash[id] & (names->slot_capacity - 1);
        while (names->slots[slot])
            slot = (slot + 1) & (names->slot_capacity - 1);
        names->slots[slot] = (uint32_t)id + 1;
    }
}

uint32_t tac_names_intern_bytes(tac_names *names, const void *bytes, size_t length)
{
    if (names->count * 8 >= names->slot_capacity * 5)
        names_rehash(names);
    uint64_t hash = tac_hash_bytes(bytes, length, 0);
    size_t slot = names_slot(names, bytes, length, hash);
    if (names->slots[slot])
        return names->slots[slot] - 1;
    if (names->count == names->capacity) {
        names->capacity = names->capacity ? names->capacity * 2 : 16;
        names->text = tac_realloc(names->text, names->capacity, sizeof *names->text);
        names->length = tac_realloc(names->length, names->capacity, sizeof *names->length);
        names->hash = tac_realloc(names->hash, names->capacity, sizeof *names->hash);
    }
    if (names->count >= TAC_NONE - 1)
        tac_out_of_memory(names->count);
    uint32_t id = (uint32_t)names->count++;
    assert(id < names->capacity && names->count < names->slot_capacity);
    names->text[id] = tac_arena_strndup(&names->arena, bytes, length);
    names->length[id] = length;
    names->hash[id] = hash;
    names->slots[slot] = id + 1;
    return id;
}

uint32_t tac_names_intern(tac_names *names, const char *text)
{
    return tac_names_intern_bytes(names, text, strlen(text));
}

uint32_t tac_names_find_bytes(const tac_names *names, const void *bytes, size_t length)
{
    if (!names->slot_capacity)
        return TAC_NONE;
    size_t slot = names_slot(names, bytes, length, tac_hash_bytes(bytes, length, 0));
    return names->slots[slot] ? names->slots[slot] - 1 : TAC_NONE;
}

uint32_t tac_names_find(const tac_names *names, const char *text)
{
    return tac_names_find_bytes(names, text, strlen(text));
}

void tac_names_free(tac_names *names)
{
    tac_arena_free(&names->arena);
    free(names->text);
    free(names->length);
    free(names->hash);
    free(names->slots);
    *names = (tac_names){0};
}
