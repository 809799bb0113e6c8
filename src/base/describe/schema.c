/* The JSON Schema of documents that descriptions give. Each table is one definition, by its name.
 */
#include "base/describe/describe.h"

#include "base/check.h"
#include "base/data/vec.h"
#include <ctype.h>

struct schema {
    json_t *definitions;
    tac_arena arena;
    TAC_VEC(const struct describe *) known; /* whose definitions are made or being made */
};

static json_t *struct_schema(struct schema *schema, const struct describe *what);

/* "RunSummary" of run_summary; the arena's. */
static const char *title_of(const struct describe *what, tac_arena *arena)
{
    char *title = tac_arena_strdup(arena, what->name), *to = title;
    for (const char *from = what->name; *from; from++)
        if (*from != '_')
            *to++ = from == what->name || from[-1] == '_' ? (char)toupper(*from) : *from;
    *to = '\0';
    return title;
}

static json_t *reference(struct schema *schema, const struct describe *what)
{
    const char *title = title_of(what, &schema->arena);
    for (size_t i = 0; i < schema->known.count; i++)
        if (!strcmp(schema->known.at[i]->name, what->name)) {
            assert(schema->known.at[i] == what); /* two tables with one name */
            return json_pack("{s:s+}", "$ref", "#/$defs/", title);
        }
    tac_vec_push(&schema->known, what);
    json_object_set_new(schema->definitions, title, struct_schema(schema, what));
    return reference(schema, what);
}

/* "type": one, or one of two. */
static json_t *type_schema(const char *type, bool null)
{
    return null ? json_pack("{s:[s,s]}", "type", type, "null") : json_pack("{s:s}", "type", type);
}

static json_t *either(json_t *one, json_t *other)
{
    json_t *any = json_object_get(one, "anyOf"), *had;
    size_t i;
    bool there = json_equal(one, other);
    json_array_foreach(any, i, had) there = there || json_equal(had, other);
    if (!there && !any)
        return json_pack("{s:[o,o]}", "anyOf", one, other);
    if (there)
        json_decref(other);
    else
        json_array_append_new(any, other);
    return one;
}

static json_t *words_schema(const struct field *field, bool null)
{
    json_t *words = json_array();
    for (size_t i = 0; i < field->word_count; i++)
        if (field->words[i])
            json_array_append_new(words, json_string(field->words[i]));
    if (null || json_array_size(words) < field->word_count)
        json_array_append_new(words, json_null());
    return json_pack("{s:o}", "enum", words);
}

static json_t *list_schema(struct schema *schema, const struct field *field, bool null)
{
    json_t *list = type_schema(field->of->keyed ? "object" : "array", null);
    json_object_set_new(list, field->of->keyed ? "additionalProperties" : "items",
                        field->name ? type_schema("string", field->maybe)
                                    : reference(schema, field->of));
    return list;
}

static json_t *value_schema(struct schema *schema, const struct field *field)
{
    bool null = field->known.size || field->maybe || (field->unknown && !field->omit);
    json_t *out;
    if (field->name && field->kind != FIELD_KIND_LIST)
        return type_schema("string", null);
    switch (field->kind) {
    case FIELD_KIND_TEXT:
    case FIELD_KIND_BIG:
        return type_schema("string", null);
    case FIELD_KIND_UNSIGNED:
        out = type_schema("integer", null);
        json_object_set_new(out, "minimum", json_integer(0));
        return out;
    case FIELD_KIND_SIGNED:
        return type_schema("integer", null);
    case FIELD_KIND_BOOL:
        return type_schema("boolean", null);
    case FIELD_KIND_NUMBER:
    case FIELD_KIND_SECONDS:
        return type_schema("number", null || field->kind == FIELD_KIND_NUMBER);
    case FIELD_KIND_ENUM:
        return words_schema(field, null);
    case FIELD_KIND_JSON:
        return field->of ? reference(schema, field->of) : json_object();
    case FIELD_KIND_STRUCT:
        out = reference(schema, field->of);
        return null || (field->pointed && !field->omit) ? either(out, type_schema("null", false))
                                                        : out;
    case FIELD_KIND_LIST:
        return list_schema(schema, field, null);
    case FIELD_KIND_CONSTANT:
        return field->words ? json_pack("{s:s}", "const", field->words[0])
                            : json_pack("{s:I}", "const", (json_int_t)field->constant);
    }
    return json_object();
}

static void add_meaning(json_t *schema, const struct field *field)
{
    const char *unit = field->kind == FIELD_KIND_SECONDS ? "s" : field->unit;
    const char *about = field->about ? field->about : "";
    if (unit)
        json_object_set_new(schema, "description",
                            json_sprintf("%s%sin %s", about, *about ? ", " : "", unit));
    else if (*about)
        json_object_set_new(schema, "description", json_string(about));
}

/* always: the struct itself is always there. */
static void add_fields(struct schema *schema, const struct describe *what, bool always,
                       json_t *properties, json_t *required)
{
    for (size_t i = what->keyed ? 1 : 0; i < what->count; i++) {
        const struct field *field = &what->fields[i];
        bool stays = always && !field->only.size && !field->omit;
        if (field->hidden)
            continue;
        if (field->splice) {
            stays = stays && !field->pointed;
            add_fields(schema, field->of, stays, properties, required);
            continue;
        }
        json_t *one = value_schema(schema, field);
        json_t *other = json_incref(json_object_get(properties, field_key(field)));
        add_meaning(one, field);
        json_object_set_new(properties, field_key(field), other ? either(other, one) : one);
        if (stays)
            json_array_append_new(required, json_string(field_key(field)));
    }
}

/* The values of a tuple, or the only one: what they may be. */
static json_t *values_schema(struct schema *schema, const struct describe *what)
{
    json_t *any = NULL;
    for (size_t i = what->keyed ? 1 : 0; i < what->count; i++) {
        if (what->fields[i].hidden)
            continue;
        json_t *one = value_schema(schema, &what->fields[i]);
        any = any ? either(any, one) : one;
    }
    return what->form == DESCRIBE_VALUE ? any
                                        : json_pack("{s:s,s:o}", "type", "array", "items", any);
}

static json_t *struct_schema(struct schema *schema, const struct describe *what)
{
    if (what->form != DESCRIBE_OBJECT)
        return values_schema(schema, what);
    json_t *out = type_schema("object", false), *properties = json_object(),
           *required = json_array();
    add_fields(schema, what, true, properties, required);
    if (what->about)
        json_object_set_new(out, "description", json_string(what->about));
    json_object_set_new(out, "properties", properties);
    json_object_set_new(out, "required", required);
    json_object_set_new(out, "additionalProperties", json_false());
    return out;
}

json_t *describe_schema(const struct describe *const *whats, size_t count, const char *title)
{
    struct schema schema = {.definitions = json_object()};
    json_t *any = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(any, reference(&schema, whats[i]));
    tac_vec_free(&schema.known);
    tac_arena_free(&schema.arena);
    return json_pack("{s:s,s:s,s:o,s:o}", "$schema", "https://json-schema.org/draft/2020-12/schema",
                     "title", title, "anyOf", any, "$defs", schema.definitions);
}
