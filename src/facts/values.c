/* The list of values, and its JSON form. Names and texts lie in one arena. */
#include "facts/values.h"
#include "base/data/alloc.h"
#include "base/data/arena.h"
#include "base/data/vec.h"
#include "base/io/json.h"

struct tac_facts {
    char *path;
    const char *kind;
    tac_arena arena;
    TAC_VEC(tac_fact) at;
    TAC_VEC(const char *) warnings;
};

tac_facts *facts_new(const char *path, const char *kind)
{
    tac_facts *facts = tac_calloc(1, sizeof *facts);
    facts->path = tac_strdup(path);
    facts->kind = kind;
    return facts;
}

void tac_facts_free(tac_facts *facts)
{
    if (!facts)
        return;
    free(facts->path);
    tac_arena_free(&facts->arena);
    tac_vec_free(&facts->at);
    tac_vec_free(&facts->warnings);
    free(facts);
}

void facts_number(tac_facts *facts, const char *name, int64_t value)
{
    tac_fact fact = {.name = tac_arena_strdup(&facts->arena, name), .number = value};
    tac_vec_push(&facts->at, fact);
}

void facts_text(tac_facts *facts, const char *name, const char *text)
{
    tac_fact fact = {.name = tac_arena_strdup(&facts->arena, name),
                     .text = tac_arena_strdup(&facts->arena, text)};
    tac_vec_push(&facts->at, fact);
}

void facts_textf(tac_facts *facts, const char *name, const char *format, ...)
{
    tac_str text = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    facts_text(facts, name, tac_str_text(&text));
    tac_str_free(&text);
}

void facts_warn(tac_facts *facts, const char *format, ...)
{
    tac_str text = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    tac_vec_push(&facts->warnings, tac_arena_strdup(&facts->arena, tac_str_text(&text)));
    tac_str_free(&text);
}

void facts_warn_sentence(void *facts, const char *sentence)
{
    facts_warn(facts, "%s", sentence);
}

const char *tac_facts_kind(const tac_facts *facts)
{
    return facts->kind;
}

const tac_fact *tac_facts_at(const tac_facts *facts, size_t *count)
{
    *count = facts->at.count;
    return facts->at.at;
}

const char *const *tac_facts_warnings(const tac_facts *facts, size_t *count)
{
    *count = facts->warnings.count;
    return facts->warnings.at;
}

static void add_value(json_t *values, const tac_fact *fact)
{
    json_t *value = fact->text ? tac_json_string(fact->text) : json_integer(fact->number);
    json_t *before = json_object_get(values, fact->name);
    if (!before) {
        json_object_set_new(values, fact->name, value);
    } else if (json_is_array(before)) {
        json_array_append_new(before, value);
    } else {
        json_t *list = json_array();
        json_array_append(list, before);
        json_array_append_new(list, value);
        json_object_set_new(values, fact->name, list);
    }
}

json_t *tac_facts_json(const tac_facts *facts)
{
    json_t *values = json_object(), *warnings = json_array();
    for (size_t i = 0; i < facts->at.count; i++)
        add_value(values, &facts->at.at[i]);
    for (size_t i = 0; i < facts->warnings.count; i++)
        json_array_append_new(warnings, tac_json_string(facts->warnings.at[i]));
    json_t *document = json_object();
    json_object_set_new(document, "file", tac_json_string(facts->path));
    json_object_set_new(document, "kind", tac_json_string(facts->kind));
    json_object_set_new(document, "values", values);
    json_object_set_new(document, "warnings", warnings);
    return document;
}
