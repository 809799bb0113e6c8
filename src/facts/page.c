/* The list of rows, and its JSON form. Names and texts lie in one arena. */
#include "facts/page.h"
#include "base/data/alloc.h"
#include "base/data/arena.h"
#include "base/data/vec.h"
#include "base/io/json.h"

struct tac_facts {
    char *path;
    const char *kind, *title;
    tac_arena arena;
    TAC_VEC(tac_fact) at;
    TAC_VEC(const char *) warnings;
};

tac_facts *page_new(const char *path, const char *kind, const char *title)
{
    tac_facts *page = tac_calloc(1, sizeof *page);
    page->path = tac_strdup(path);
    page->kind = kind;
    page->title = title;
    return page;
}

void tac_facts_free(tac_facts *page)
{
    if (!page)
        return;
    free(page->path);
    tac_arena_free(&page->arena);
    tac_vec_free(&page->at);
    tac_vec_free(&page->warnings);
    free(page);
}

void page_number(tac_facts *page, const char *name, int64_t value)
{
    tac_vec_push(&page->at,
                 (tac_fact){.name = tac_arena_strdup(&page->arena, name), .number = value});
}

void page_text(tac_facts *page, const char *name, const char *text)
{
    tac_vec_push(&page->at, (tac_fact){.name = tac_arena_strdup(&page->arena, name),
                                       .text = tac_arena_strdup(&page->arena, text)});
}

void page_textf(tac_facts *page, const char *name, const char *format, ...)
{
    tac_str text = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    page_text(page, name, tac_str_text(&text));
    tac_str_free(&text);
}

void page_warn(tac_facts *page, const char *format, ...)
{
    tac_str text = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    tac_vec_push(&page->warnings, tac_arena_strdup(&page->arena, tac_str_text(&text)));
    tac_str_free(&text);
}

const char *tac_facts_kind(const tac_facts *page)
{
    return page->kind;
}

const char *tac_facts_title(const tac_facts *page)
{
    return page->title;
}

const tac_fact *tac_facts_at(const tac_facts *page, size_t *count)
{
    *count = page->at.count;
    return page->at.at;
}

const char *const *tac_facts_warnings(const tac_facts *page, size_t *count)
{
    *count = page->warnings.count;
    return page->warnings.at;
}

/* A name that stands several times has a list. */
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

json_t *tac_facts_json(const tac_facts *page)
{
    json_t *values = json_object(), *warnings = json_array(), *document = json_object();
    for (size_t i = 0; i < page->at.count; i++)
        add_value(values, &page->at.at[i]);
    for (size_t i = 0; i < page->warnings.count; i++)
        json_array_append_new(warnings, tac_json_string(page->warnings.at[i]));
    json_object_set_new(document, "file", tac_json_string(page->path));
    json_object_set_new(document, "kind", tac_json_string(page->kind));
    json_object_set_new(document, "title", tac_json_string(page->title));
    json_object_set_new(document, "values", values);
    json_object_set_new(document, "warnings", warnings);
    return document;
}
