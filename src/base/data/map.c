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

/* The slot of a key other than 0, or a free one. */
static tac_u64map_entry *u64map_slot(const tac_u64map *map, uint64_t key)
{
    size_t slot = tac_hash_u64(key) & (map->capacity - 1);
    while (map->slots[slot].key && map->slots[slot].key != key)
        slot = (slot + 1) & (map->capacity - 1);
    return &map->slots[slot];
}

static void u64map_grow(tac_u64map *map)
{
    tac_u64map larger = *map;
    larger.capacity = map->capacity ? map->capacity * 2 : 16;
    larger.slots = tac_calloc(larger.capacity, sizeof *larger.slots);
    for (size_t i = 0; i < map->capacity; i++)
        if (map->slots[i].key)
            *u64map_slot(&larger, map->slots[i].key) = map->slots[i];
    free(map->slots);
    assert(larger.count * 8 < larger.capacity * 5); /* probing ends at a free slot */
    *map = larger;
}

uint64_t *tac_u64map_at(tac_u64map *map, uint64_t key, uint64_t initial, bool *is_new)
{
    if (map->count * 8 >= map->capacity * 5)
        u64map_grow(map);
    tac_u64map_entry *entry = key ? u64map_slot(map, key) : &map->zero;
    bool absent = key ? !entry->key : !map->has_zero;
    if (absent) {
        *entry = (tac_u64map_entry){key, initial};
        map->has_zero = map->has_zero || !key;
        map->count++;
    }
    if (is_new)
        *is_new = absent;
    return &entry->value;
}

uint64_t *tac_u64map_find(const tac_u64map *map, uint64_t key)
{
    if (!key)
        return map->has_zero ? (uint64_t *)&map->zero.value : NULL;
    if (!map->capacity)
        return NULL;
    tac_u64map_entry *entry = u64map_slot(map, key);
    return entry->key ? &entry->value : NULL;
}

const tac_u64map_entry *tac_u64map_next(const tac_u64map *map, size_t *at)
{
    if (!*at) {
        *at = 1;
        if (map->has_zero)
            return &map->zero;
    }
    while (*at <= map->capacity) {
        const tac_u64map_entry *entry = &map->slots[(*at)++ - 1];
        if (entry->key)
            return entry;
    }
    return NULL;
}

void tac_u64map_free(tac_u64map *map)
{
    free(map->slots);
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

bool tac_names_add(tac_names *names, const void *bytes, size_t length)
{
    size_t before = names->count;
    return tac_names_intern_bytes(names, bytes, length) == before;
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
