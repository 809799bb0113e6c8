/* Structs as bytes by their descriptions, and back.
 *
 * The bytes are: a hash of the tables (8), how many bytes follow (8), the fields. A number has 8
 * bytes, a text 8 for its length and 1 (0: NULL) and its bytes, a list its count, a pointer 0 or 1.
 * Both ends are one program on one kind of machine, so no order of bytes matters. */
#include "base/describe/describe.h"

#include "base/check.h"
#include "base/data/map.h"
#include <string.h>

enum { MOST_DEPTH = 64, HASHED_DEPTH = 5 };

/* Is it part of what is packed? Not what is computed, nor a member that was there before. */
static bool is_stored(const struct describe *what, size_t index)
{
    const struct field *field = &what->fields[index];
    assert(field->kind != FIELD_KIND_BIG && (field->kind != FIELD_KIND_JSON || field->get) &&
           !field->pick && !field->more);
    for (size_t i = 0; i < index && field->member; i++)
        if (what->fields[i].member && what->fields[i].at == field->at)
            return false;
    return !field->get && field->kind != FIELD_KIND_CONSTANT;
}

static uint64_t hash_of(const struct describe *what, unsigned depth)
{
    uint64_t hash = tac_hash_bytes(what->name, strlen(what->name), what->size);
    for (size_t i = 0; depth && i < what->count; i++) {
        const struct field *field = &what->fields[i];
        if (!is_stored(what, i))
            continue;
        uint64_t parts[] = {field->kind, field->size, field->word_count,
                            field->of ? hash_of(field->of, depth - 1) : 0};
        const char *name = field->member ? field->member : field->key;
        hash = tac_hash_bytes(name, strlen(name), hash);
        hash = tac_hash_bytes((const char *)parts, sizeof parts, hash);
    }
    return hash;
}

/* --- out -------------------------------------------------------------------------------------- */

static void put(tac_str *out, uint64_t value)
{
    tac_str_add_bytes(out, (const char *)&value, sizeof value);
}

static void put_text(tac_str *out, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    put(out, text ? length + 1 : 0);
    tac_str_add_bytes(out, text ? text : "", length);
}

static void put_struct(tac_str *out, const struct describe *what, const void *value);

static void put_field(tac_str *out, const struct field *field, const void *value)
{
    struct field_seen seen = field_look(field, value, NULL);
    switch (field->kind) {
    case FIELD_KIND_TEXT:
        put_text(out, seen.at);
        break;
    case FIELD_KIND_UNSIGNED:
    case FIELD_KIND_SIGNED:
    case FIELD_KIND_BOOL:
    case FIELD_KIND_NUMBER:
    case FIELD_KIND_SECONDS:
    case FIELD_KIND_ENUM:
        put(out, field_unsigned(seen.at, field->size));
        break;
    case FIELD_KIND_STRUCT:
        if (field->pointed)
            put(out, seen.at != NULL);
        if (seen.at)
            put_struct(out, field->of, seen.at);
        break;
    case FIELD_KIND_LIST:
        if (field->count_size)
            put(out, seen.count);
        for (size_t i = 0; i < seen.count; i++)
            put_struct(out, field->of, (const char *)seen.at + i * field->of->size);
        break;
    case FIELD_KIND_BIG:
    case FIELD_KIND_JSON:
    case FIELD_KIND_CONSTANT:
        break;
    }
}

static void put_struct(tac_str *out, const struct describe *what, const void *value)
{
    for (size_t i = 0; i < what->count; i++)
        if (is_stored(what, i))
            put_field(out, &what->fields[i], value);
}

void describe_pack(const struct describe *what, const void *value, tac_str *out)
{
    put(out, hash_of(what, HASHED_DEPTH));
    size_t before = out->length;
    put(out, 0);
    put_struct(out, what, value);
    uint64_t length = out->length - before - sizeof length;
    if (!out->overflow)
        memcpy(out->text + before, &length, sizeof length);
}

/* --- in --------------------------------------------------------------------------------------- */

struct reader {
    const char *at, *end;
    tac_arena *arena;
    bool bad; /* more was asked for than came, or what came is nothing that is packed */
};

static uint64_t take(struct reader *in)
{
    uint64_t value = 0;
    if (in->bad || (size_t)(in->end - in->at) < sizeof value) {
        in->bad = true;
        return 0;
    }
    memcpy(&value, in->at, sizeof value);
    in->at += sizeof value;
    return value;
}

/* How many things of at least `least` bytes follow. */
static size_t take_count(struct reader *in, size_t least)
{
    uint64_t count = take(in);
    in->bad = in->bad || count > (size_t)(in->end - in->at) / least;
    return in->bad ? 0 : (size_t)count;
}

static const char *take_text(struct reader *in)
{
    uint64_t size = take(in);
    in->bad = in->bad || (size && size - 1 > (size_t)(in->end - in->at));
    if (!size || in->bad)
        return NULL;
    const char *text = in->at;
    in->at += size - 1;
    in->bad = in->bad || memchr(text, '\0', size - 1);
    return tac_arena_strndup(in->arena, text, size - 1);
}

/* What a struct takes at least: the numbers, lengths and counts of its own fields. */
static size_t least_size(const struct describe *what)
{
    size_t size = 0;
    for (size_t i = 0; i < what->count; i++)
        if (is_stored(what, i) && (what->fields[i].pointed || !what->fields[i].of))
            size += sizeof(uint64_t);
    return size ? size : 1;
}

static void take_struct(struct reader *in, const struct describe *what, void *value,
                        unsigned depth);

static void take_number(struct reader *in, const struct field *field, void *to)
{
    uint64_t value = take(in), back = 0;
    uint64_t most = field->kind == FIELD_KIND_BOOL   ? 1
                    : field->kind == FIELD_KIND_ENUM ? field->word_count - 1
                                                     : UINT64_MAX;
    memcpy(&back, &value, field->size); /* the low bytes come first */
    in->bad = in->bad || back != value || value > most;
    if (!in->bad)
        memcpy(to, &value, field->size);
}

static void take_into(struct reader *in, const struct field *field, char *to)
{
    const char *text = take_text(in);
    size_t length = text ? strlen(text) : 0;
    in->bad = in->bad || (!field->pointed && (!text || length >= field->size));
    if (field->pointed)
        memcpy(to, &text, sizeof text);
    else if (text && !in->bad)
        memcpy(to, text, length + 1);
}

static void take_list(struct reader *in, const struct field *field, char *value, unsigned depth)
{
    size_t count = field->count_at;
    char *list = value + field->at;
    if (field->count_size) {
        count = take_count(in, least_size(field->of));
        memcpy(value + field->count_at, &count, field->count_size);
        in->bad = in->bad || field_unsigned(value + field->count_at, field->count_size) != count;
    }
    if (field->pointed && !in->bad) {
        list = tac_arena_calloc(in->arena, count, field->of->size);
        memcpy(value + field->at, &list, sizeof list);
    }
    for (size_t i = 0; i < count && !in->bad; i++)
        take_struct(in, field->of, list + i * field->of->size, depth);
}

static void take_inner(struct reader *in, const struct field *field, char *to, unsigned depth)
{
    uint64_t there = field->pointed ? take(in) : 1;
    void *inner = to;
    in->bad = in->bad || there > 1;
    if (!there || in->bad)
        return;
    if (field->pointed) {
        inner = tac_arena_calloc(in->arena, 1, field->of->size);
        memcpy(to, &inner, sizeof inner);
    }
    take_struct(in, field->of, inner, depth);
}

static void take_field(struct reader *in, const struct field *field, char *value, unsigned depth)
{
    switch (field->kind) {
    case FIELD_KIND_TEXT:
        take_into(in, field, value + field->at);
        break;
    case FIELD_KIND_UNSIGNED:
    case FIELD_KIND_SIGNED:
    case FIELD_KIND_BOOL:
    case FIELD_KIND_NUMBER:
    case FIELD_KIND_SECONDS:
    case FIELD_KIND_ENUM:
        take_number(in, field, value + field->at);
        break;
    case FIELD_KIND_STRUCT:
        take_inner(in, field, value + field->at, depth);
        break;
    case FIELD_KIND_LIST:
        take_list(in, field, value, depth);
        break;
    case FIELD_KIND_BIG:
    case FIELD_KIND_JSON:
    case FIELD_KIND_CONSTANT:
        break;
    }
}

static void take_struct(struct reader *in, const struct describe *what, void *value, unsigned depth)
{
    in->bad = in->bad || !depth;
    for (size_t i = 0; i < what->count && !in->bad; i++)
        if (is_stored(what, i))
            take_field(in, &what->fields[i], value, depth - 1);
}

tac_status describe_unpack(const struct describe *what, const char *data, size_t size,
                           tac_arena *arena, void *value, tac_error *err)
{
    struct reader in = {.at = data, .end = data + size, .arena = arena};
    memset(value, 0, what->size);
    in.bad = take(&in) != hash_of(what, HASHED_DEPTH) || in.bad;
    in.bad = take(&in) != (uint64_t)(in.end - in.at) || in.bad;
    take_struct(&in, what, value, MOST_DEPTH);
    if (!in.bad && in.at == in.end)
        return TAC_OK;
    memset(value, 0, what->size);
    return tac_fail(err, TAC_E_INPUT, "expected a packed %s of this version, found %zu other bytes",
                    what->name, size);
}

void describe_keep(const struct describe *what, const void *value, tac_arena *arena, void *copy)
{
    tac_str bytes = {0};
    put_struct(&bytes, what, value);
    struct reader in = {.at = bytes.text, .end = bytes.text + bytes.length, .arena = arena};
    memset(copy, 0, what->size);
    take_struct(&in, what, copy, MOST_DEPTH);
    assert(!in.bad && in.at == in.end);
    tac_str_free(&bytes);
}
