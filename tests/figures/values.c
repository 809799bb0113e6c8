/* The list of values, and its JSON form. Names and texts lie in one arena. */
#include "figures/values.h"
#include "base/data/alloc.h"
#include "base/data/arena.h"
#include "base/data/vec.h"
#include "base/io/json.h"

struct figures {
    char *path;
    const char *kind;
    tac_arena arena;
    TAC_VEC(struct figure) at;
    TAC_VEC(const char *) warnings;
};

struct figures *figures_new(const char *path, const char *kind)
{
    struct figures *facts = tac_calloc(1, sizeof *facts);
    facts->path = tac_strdup(path);
    facts->kind = kind;
    return facts;
}

void figures_free(struct figures *facts)
{
    if (!facts)
        return;
    free(facts->path);
    tac_arena_free(&facts->arena);
    tac_vec_free(&facts->at);
    tac_vec_free(&facts->warnings);
    free(facts);
}

void figures_number(struct figures *facts, const char *name, int64_t value)
{
    struct figure fact = {.name = tac_arena_strdup(&facts->arena, name), .number = value};
    tac_vec_push(&facts->at, fact);
}

void figures_text(struct figures *facts, const char *name, const char *text)
{
    struct figure fact = {.name = tac_arena_strdup(&facts->arena, name),
                          .text = tac_arena_strdup(&facts->arena, text)};
    tac_vec_push(&facts->at, fact);
}

void figures_textf(struct figures *facts, const char *name, const char *format, ...)
{
    tac_str text = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    figures_text(facts, name, tac_str_text(&text));
    tac_str_free(&text);
}

void figures_warn(struct figures *facts, const char *format, ...)
{
    tac_str text = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    tac_vec_push(&facts->warnings, tac_arena_strdup(&facts->arena, tac_str_text(&text)));
    tac_str_free(&text);
}

void figures_warn_sentence(void *facts, const char *sentence)
{
    figures_warn(facts, "%s", sentence);
}

const char *figures_kind(const struct figures *facts)
{
    return facts->kind;
}

const struct figure *figures_at(const struct figures *facts, size_t *count)
{
    *count = facts->at.count;
    return facts->at.at;
}

const char *const *figures_warnings(const struct figures *facts, size_t *count)
{
    *count = facts->warnings.count;
    return facts->warnings.at;
}

static void add_value(json_t *values, const struct figure *fact)
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

json_t *figures_json(const struct figures *facts)
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
