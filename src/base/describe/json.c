/* Structs as JSON documents by their descriptions. One pass; a key is never looked up. */
#include "base/describe/describe.h"

#include "base/check.h"
#include "base/data/bignum.h"
#include <stdlib.h>
#include <string.h>

struct describer {
    const void *context;
    tac_arena arena; /* of what is computed */
};

static void add_fields(struct describer *by, json_t *to, const struct describe *what,
                       const void *value);

/* The only value of the struct. */
static json_t *only_json(struct describer *by, const struct describe *what, const void *value)
{
    json_t *list = json_array();
    add_fields(by, list, what, value);
    assert(json_array_size(list) == 1);
    json_t *only = json_incref(json_array_get(list, 0));
    json_decref(list);
    return only;
}

/* The struct as its table's form says. */
static json_t *struct_json(struct describer *by, const struct describe *what, const void *value)
{
    if (what->form == DESCRIBE_VALUE)
        return only_json(by, what, value);
    json_t *to = what->form == DESCRIBE_OBJECT ? json_object() : json_array();
    add_fields(by, to, what, value);
    return to;
}

static const char *key_of(const struct describe *what, const void *element)
{
    assert(what->keyed && what->fields[0].kind == FIELD_KIND_TEXT && what->fields[0].pointed);
    return *(const char *const *)(const void *)((const char *)element + what->fields[0].at);
}

static json_t *name_json(struct describer *by, const struct field *field, const void *at,
                         size_t size)
{
    struct field_value with = {.context = by->context, .arena = &by->arena};
    const char *name = field->name(field_unsigned(at, size), &with);
    return name ? tac_json_string(name) : json_null();
}

static const void *element_at(const struct describer *by, const struct field *field,
                              const struct describe *what, const void *list, size_t index)
{
    struct field_value with = {.context = by->context};
    if (field->pick)
        return field->pick(((const uint32_t *)list)[index], &with);
    return (const char *)list + index * what->size;
}

static json_t *element_json(struct describer *by, const struct field *field,
                            const struct describe *what, const void *element)
{
    return field->name ? name_json(by, field, element, what->size) : struct_json(by, what, element);
}

static json_t *list_json(struct describer *by, const struct describe *what,
                         const struct field *field, const void *list, size_t count)
{
    json_t *to = what->keyed ? json_object() : json_array();
    for (size_t i = 0; i < count; i++) {
        const void *element = element_at(by, field, what, list, i);
        if (!field_if_holds(&field->each, element))
            continue;
        json_t *json = element_json(by, field, what, element);
        if (what->keyed)
            json_object_set_new(to, key_of(what, element), json);
        else
            json_array_append_new(to, json);
    }
    return to;
}

static json_t *word_json(const struct field *field, const void *at)
{
    uint64_t index = field_unsigned(at, field->size);
    assert(index < field->word_count);
    return field->words[index] ? json_string(field->words[index]) : json_null();
}

static json_t *big_json(const struct field *field, const void *at)
{
    const mpz_t *value = at;
    char *text = field->digits ? tac_big_text_short(*value, field->digits) : tac_big_text(*value);
    json_t *json = json_string(text);
    free(text);
    return json;
}

static json_t *value_json(struct describer *by, const struct field *field,
                          const struct field_seen *seen)
{
    const void *at = seen->at;
    if (field->name && field->kind != FIELD_KIND_LIST)
        return name_json(by, field, at, field->size);
    switch (field->kind) {
    case FIELD_KIND_TEXT:
        return !at && field->maybe ? json_null() : tac_json_string(at ? at : "");
    case FIELD_KIND_UNSIGNED:
        return json_integer((json_int_t)field_unsigned(at, field->size));
    case FIELD_KIND_SIGNED:
        return json_integer((json_int_t)field_signed(at, field->size));
    case FIELD_KIND_BOOL:
        return json_boolean(*(const bool *)at != field->reversed);
    case FIELD_KIND_NUMBER:
        return tac_json_number(*(const double *)at);
    case FIELD_KIND_SECONDS:
        return tac_json_number(field_seconds(at));
    case FIELD_KIND_ENUM:
        return word_json(field, at);
    case FIELD_KIND_BIG:
        return big_json(field, at);
    case FIELD_KIND_JSON: /* a computed one is given away */
        return !at          ? json_null()
               : field->get ? (json_t *)(uintptr_t)at
                            : json_incref((json_t *)(uintptr_t)at);
    case FIELD_KIND_STRUCT:
        return at ? struct_json(by, field->of, at) : json_null();
    case FIELD_KIND_LIST:
        return list_json(by, field->of, field, at, seen->count);
    case FIELD_KIND_CONSTANT:
        return field->words ? json_string(field->words[0])
                            : json_integer((json_int_t)field->constant);
    }
    return json_null();
}

/* False: it is left out. */
static bool look(struct describer *by, const struct field *field, const void *value,
                 struct field_seen *seen, struct field_value *got, bool *null)
{
    *got = (struct field_value){.context = by->context, .arena = &by->arena};
    if (field->hidden || !field_if_holds(&field->only, value))
        return false;
    *null = !field_if_holds(&field->known, value);
    if (*null)
        return true;
    *seen = field_look(field, value, got);
    if (field->inside)
        by->context = value;
    if (field->with.size)
        by->context = *(const void *const *)(const void *)((const char *)value + field->with.at);
    *null = got->null || (field->unknown && !strcmp(seen->at, field->unknown));
    if (field->unknown && field->omit && *null)
        return false;
    assert(field->maybe || !got->null); /* as the schema says */
    return !(field->omit && (field->get ? got->absent : field_is_empty(field, seen)));
}

static void add_fields(struct describer *by, json_t *to, const struct describe *what,
                       const void *value)
{
    const void *context = by->context; /* a field may have its own inside */
    for (size_t i = what->keyed ? 1 : 0; i < what->count; i++) {
        const struct field *field = &what->fields[i];
        struct field_seen seen = {0};
        struct field_value got;
        bool null;
        by->context = context;
        if (!look(by, field, value, &seen, &got, &null))
            continue;
        if (field->splice) {
            if (seen.at)
                add_fields(by, to, field->of, seen.at);
            continue;
        }
        json_t *json = null ? json_null() : value_json(by, field, &seen);
        if (what->form == DESCRIBE_OBJECT)
            json_object_set_new_nocheck(to, field_key(field), json);
        else
            json_array_append_new(to, json);
    }
    by->context = context;
}

json_t *describe_json_with(const struct describe *what, const void *value, const void *context)
{
    struct describer by = {.context = context};
    json_t *document = struct_json(&by, what, value);
    tac_arena_free(&by.arena);
    return document;
}

json_t *describe_json(const struct describe *what, const void *value)
{
    return describe_json_with(what, value, NULL);
}

json_t *describe_list_json(const struct describe *what, const void *list, size_t count)
{
    struct describer by = {0};
    json_t *document = list_json(&by, what, &(struct field){0}, list, count);
    tac_arena_free(&by.arena);
    return document;
}

/* --- as text ---------------------------------------------------------------------------------- */

static void write_value(FILE *out, json_t *value)
{
    char *text = tac_json_text(value, JSON_COMPACT);
    fputs(text, out);
    free(text);
    json_decref(value);
}

static void write_key(FILE *out, const char *key, bool first)
{
    if (!first)
        fputc(',', out);
    write_value(out, tac_json_string(key));
    fputc(':', out);
}

static void write_structs(struct describer *by, const struct field *field, const void *list,
                          size_t count, FILE *out)
{
    bool first = true, keyed = field->of->keyed;
    fputc(keyed ? '{' : '[', out);
    for (size_t i = 0; i < count && !ferror(out); i++) {
        const void *element = element_at(by, field, field->of, list, i);
        if (!field_if_holds(&field->each, element))
            continue;
        if (keyed)
            write_key(out, key_of(field->of, element), first);
        else if (!first)
            fputc(',', out);
        write_value(out, element_json(by, field, field->of, element));
        tac_arena_free(&by->arena);
        first = false;
    }
    fputc(keyed ? '}' : ']', out);
}

static void write_fields(struct describer *by, const struct describe *what, const void *value,
                         FILE *out, bool *first)
{
    const void *context = by->context;
    for (size_t i = 0; i < what->count; i++) {
        const struct field *field = &what->fields[i];
        struct field_seen seen = {0};
        struct field_value got;
        bool null;
        by->context = context;
        if (!look(by, field, value, &seen, &got, &null))
            continue;
        struct describer elements = {.context = by->context};
        if (field->splice) {
            if (seen.at)
                write_fields(by, field->of, seen.at, out, first);
            continue;
        }
        write_key(out, field_key(field), *first);
        *first = false;
        if (field->kind == FIELD_KIND_LIST && !null)
            write_structs(&elements, field, seen.at, seen.count, out);
        else
            write_value(out, null ? json_null() : value_json(by, field, &seen));
    }
    by->context = context;
}

tac_status describe_write(const struct describe *what, const void *value, const void *context,
                          FILE *out, tac_error *err)
{
    struct describer by = {.context = context};
    bool first = true;
    assert(what->form == DESCRIBE_OBJECT);
    fputc('{', out);
    write_fields(&by, what, value, out, &first);
    fputs("}\n", out);
    tac_arena_free(&by.arena);
    return ferror(out) ? tac_fail(err, TAC_E_IO, "cannot write the JSON document") : TAC_OK;
}
