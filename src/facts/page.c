/* The list of rows, and its JSON form. Names and texts lie in one arena. */
#include "facts/page.h"
#include "base/data/alloc.h"
#include "base/data/arena.h"
#include "base/data/map.h"
#include "base/data/vec.h"

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

/* --- as a document --- */

static const struct field fact_fields[] = {FIELD(tac_fact, text, .only = IF(tac_fact, text)),
                                           FIELD(tac_fact, number, .only = IF_NOT(tac_fact, text))};
static DESCRIBE(fact, tac_fact, .form = DESCRIBE_VALUE);

/* A name that stands several times has a list. */
struct facts_named {
    const char *name;
    tac_fact *at;
    size_t count;
    bool several;
};
static const struct field facts_named_fields[] = {
    FIELD(struct facts_named, name),
    FIELD_LIST(struct facts_named, at, count, fact_described,
               .only = IF(struct facts_named, several)),
    FIELD_POINTER(struct facts_named, at, fact_described,
                  .only = IF_NOT(struct facts_named, several))};
static DESCRIBE(facts_named, struct facts_named, .keyed = true, .form = DESCRIBE_VALUE);

/* The facts in groups, in the order in which the names come first. */
static void get_values(const void *value, struct field_value *out)
{
    const tac_facts *page = value;
    struct facts_named *list = tac_arena_calloc(out->arena, page->at.count + 1, sizeof *list);
    tac_fact *sorted = tac_arena_alloc(out->arena, (page->at.count + 1) * sizeof *sorted);
    tac_names names = {0};
    for (size_t i = 0; i < page->at.count; i++)
        list[tac_names_intern(&names, page->at.at[i].name)].count++;
    for (size_t n = 0; n < names.count; n++) {
        list[n].at = sorted;
        list[n].several = list[n].count > 1;
        sorted += list[n].count;
        list[n].count = 0;
    }
    for (size_t i = 0; i < page->at.count; i++) {
        struct facts_named *of = &list[tac_names_intern(&names, page->at.at[i].name)];
        of->name = page->at.at[i].name;
        of->at[of->count++] = page->at.at[i];
    }
    out->at = list;
    out->count = names.count;
    tac_names_free(&names);
}

static const struct field facts_fields[] = {
    FIELD(tac_facts, path, .key = "file"), FIELD_TEXT(tac_facts, kind, .maybe = true),
    FIELD_TEXT(tac_facts, title, .only = IF(tac_facts, title)),
    FIELD_GET_LIST("values", get_values, facts_named_described),
    FIELD_TEXTS(tac_facts, warnings.at, warnings.count, .key = "warnings")};
static DESCRIBE(facts, tac_facts);

json_t *tac_facts_json(const tac_facts *page)
{
    return describe_json(&facts_described, page);
}

/* Of one file what it says stands at the top too. */
struct facts_listed {
    const tac_facts *page;
};
static const struct field facts_listed_fields[] = {
    FIELD_POINTER(struct facts_listed, page, facts_described, .splice = true)};
static DESCRIBE(facts_listed, struct facts_listed);
FIELD_GETTER(get_only, struct facts_document, out->at = it->count == 1 ? it->pages[0] : NULL)
FIELD_GETTER(get_pages, struct facts_document, out->at = it->pages; out->count = it->count)
static const struct field facts_document_fields[] = {
    FIELD_GET_POINTER("", get_only, facts_described, .splice = true),
    FIELD_GET_LIST("files", get_pages, facts_listed_described)};
DESCRIBE(facts_document, struct facts_document);
