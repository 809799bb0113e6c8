#include "model/text/outline.h"
#include "base/check.h"
#include "base/data/text.h"
#include <string.h>
#include <strings.h>

static enum element_kind kind_of(const char *name, size_t length)
{
    static const struct {
        const char *name;
        enum element_kind kind;
    } names[] = {{"initial", ELEMENT_INITIAL},       {"state", ELEMENT_STATE},
                 {"connection", ELEMENT_CONNECTION}, {"final", ELEMENT_FINAL},
                 {"transition", ELEMENT_TRANSITION}, {"interactionModel", ELEMENT_MODEL},
                 {"device", ELEMENT_DEVICE},         {"application", ELEMENT_APPLICATION},
                 {"activity", ELEMENT_ACTIVITY},     {"stateMachine", ELEMENT_MACHINE},
                 {"action", ELEMENT_ACTION},         {"expect", ELEMENT_EXPECT}};
    const char *colon = memchr(name, ':', length);
    if (colon) {
        length -= (size_t)(colon + 1 - name);
        name = colon + 1;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == length && !memcmp(names[i].name, name, length))
            return names[i].kind;
    return ELEMENT_OTHER;
}

/* --- scanning --- */

struct scan {
    struct outline *out;
    uint32_t open; /* the innermost element that is not closed yet */
};

/* What is read of a tag: [at, end). */
struct span {
    const char *text;
    size_t at, end;
};

static void skip_space(struct span *span)
{
    while (span->at < span->end && strchr(" \t\n\r", span->text[span->at]))
        span->at++;
}

/* A word up to one of these, or to a blank. */
static size_t skip_word(struct span *span, const char *ends)
{
    size_t from = span->at;
    while (span->at < span->end && !strchr(" \t\n\r", span->text[span->at]) &&
           !strchr(ends, span->text[span->at]))
        span->at++;
    return span->at - from;
}

/* name = "value", from here; false when it is not one. */
static bool scan_attribute(struct span *span, struct outline *out)
{
    struct text_attribute attribute = {.name = span->at};
    attribute.name_length = skip_word(span, "=");
    skip_space(span);
    if (span->at >= span->end || span->text[span->at] != '=')
        return false;
    span->at++;
    skip_space(span);
    const char *open = span->text + span->at;
    const char *end =
        span->at < span->end ? memchr(open + 1, *open, span->end - span->at - 1) : NULL;
    if (!end)
        return false;
    attribute.value = span->at + 1;
    attribute.value_length = (size_t)(end - open) - 1;
    span->at = (size_t)(end - span->text) + 1;
    tac_vec_push(&out->attributes, attribute);
    return true;
}

static void start_element(struct scan *scan, const tac_xml_tag *tag)
{
    struct outline *out = scan->out;
    struct span span = {out->text, tag->from + 1, tag->to - 1};
    struct text_element element = {.parent = scan->open,
                                   .first_attribute = (uint32_t)out->attributes.count,
                                   .begin = tag->from,
                                   .open_end = tag->to,
                                   .close = tag->to,
                                   .end = tag->to,
                                   .name = span.at,
                                   .line = tag->line,
                                   .last_line = tag->last_line,
                                   .empty = out->text[tag->to - 2] == '/'};
    span.end -= element.empty;
    element.name_length = skip_word(&span, "");
    skip_space(&span);
    while (span.at < span.end && scan_attribute(&span, out))
        skip_space(&span);
    element.attribute_count = (uint32_t)out->attributes.count - element.first_attribute;
    element.kind = kind_of(out->text + element.name, element.name_length);
    if (!element.empty)
        scan->open = (uint32_t)out->elements.count;
    tac_vec_push(&out->elements, element);
}

/* The text may yet prove not to be well formed. */
static void on_tag(void *context, const tac_xml_tag *tag)
{
    struct scan *scan = context;
    if (!tag->end) {
        start_element(scan, tag);
    } else if (scan->open != TAC_NONE) {
        struct text_element *element = &scan->out->elements.at[scan->open];
        element->close = tag->from;
        element->end = tag->to;
        element->last_line = tag->last_line;
        scan->open = element->parent;
    }
}

/* The nodes by element, which both are in the order of the document. */
static void find_nodes(struct outline *out)
{
    size_t count = 0;
    out->nodes = tac_arena_alloc(&out->arena, (out->elements.count + 1) * sizeof *out->nodes);
    for (xmlNodePtr node = xmlDocGetRootElement(out->document); node;) {
        if (node->type == XML_ELEMENT_NODE)
            out->nodes[count++] = node;
        assert(count <= out->elements.count);
        xmlNodePtr next = node->type == XML_ELEMENT_NODE ? node->children : NULL;
        for (; !next && node && node->type != XML_DOCUMENT_NODE; node = node->parent)
            next = node->next;
        node = next;
    }
    assert(count == out->elements.count);
}

/* --- values --- */

/* The text, of libxml2, moves to the outline. */
static const char *keep(struct outline *outline, xmlChar *text, const char *around)
{
    if (!text)
        return NULL;
    const char *from = (const char *)text + strspn((const char *)text, around);
    size_t length = strlen(from);
    while (length && strchr(around, from[length - 1]))
        length--;
    const char *kept = tac_arena_strndup(&outline->arena, from, length);
    xmlFree(text);
    return kept;
}

const char *outline_content(struct outline *outline, uint32_t element)
{
    return keep(outline, xmlNodeGetContent(outline->nodes[element]), " \t\n\r");
}

uint32_t outline_attribute(const struct outline *outline, uint32_t element, const char *name)
{
    const struct text_element *e = &outline->elements.at[element];
    for (uint32_t i = 0; i < e->attribute_count; i++) {
        const struct text_attribute *a = &outline->attributes.at[e->first_attribute + i];
        if (a->name_length == strlen(name) &&
            !memcmp(outline->text + a->name, name, a->name_length))
            return e->first_attribute + i;
    }
    return TAC_NONE;
}

/* Whether a name as it is written, with its prefix, is this one; xmlns has none. */
static bool is_name(const char *written, const xmlChar *prefix, const char *name)
{
    size_t length = prefix ? strlen((const char *)prefix) : 0;
    return length ? !strncmp(written, (const char *)prefix, length) && written[length] == ':' &&
                        !strcmp(written + length + 1, name)
                  : !strcmp(written, name);
}

const char *outline_value(struct outline *outline, uint32_t element, const char *name)
{
    xmlNodePtr node = outline->nodes[element];
    for (xmlNsPtr ns = node->nsDef; ns; ns = ns->next)
        if (is_name(name, (const xmlChar *)(ns->prefix ? "xmlns" : ""),
                    ns->prefix ? (const char *)ns->prefix : "xmlns"))
            return keep(outline, xmlStrdup(ns->href), "");
    for (xmlAttrPtr a = node->properties; a; a = a->next)
        if (is_name(name, a->ns ? a->ns->prefix : NULL, (const char *)a->name))
            return keep(outline, xmlNodeListGetString(outline->document, a->children, 1), "") ?: "";
    return NULL;
}

/* --- ids --- */

static const char *name_of(const struct outline *outline, uint32_t element)
{
    return outline->names[element];
}

/* Of repeated names the later ones are numbered. */
static const char *unique(struct outline *outline, tac_names *taken, char *id)
{
    size_t before = taken->count;
    const char *kept = id;
    char *numbered = NULL;
    for (unsigned n = 2; tac_names_intern(taken, kept) != before; n++) {
        free(numbered);
        kept = numbered = tac_format("%s#%u", id, n);
    }
    kept = tac_arena_strdup(&outline->arena, kept);
    free(numbered);
    free(id);
    return kept;
}

static void name_all(struct outline *outline)
{
    tac_names taken = {0};
    size_t transitions = 0;
    outline->ids =
        tac_arena_alloc(&outline->arena, (outline->elements.count + 1) * sizeof *outline->ids);
    outline->names =
        tac_arena_alloc(&outline->arena, (outline->elements.count + 1) * sizeof *outline->names);
    for (uint32_t i = 0; i < outline->elements.count; i++) {
        const struct text_element *e = &outline->elements.at[i];
        const char *name = outline_value(outline, i, "name");
        outline->names[i] = name ? name : "";
        const char *parent = e->parent == TAC_NONE ? NULL : outline->ids[e->parent];
        outline->ids[i] = NULL;
        if (e->kind == ELEMENT_TRANSITION)
            outline->ids[i] = unique(outline, &taken, tac_format("t%zu", transitions++));
        else if (e->kind == ELEMENT_DEVICE || e->kind == ELEMENT_APPLICATION ||
                 e->kind == ELEMENT_ACTIVITY || e->kind == ELEMENT_MACHINE ||
                 element_is_node(e->kind))
            outline->ids[i] = unique(
                outline, &taken,
                tac_format("%s%s%s", parent ? parent : "", parent ? "/" : "", name_of(outline, i)));
    }
    tac_names_free(&taken);
}

tac_status outline_make(const char *text, size_t size, struct outline *out, tac_error *err)
{
    struct scan scan = {.out = out, .open = TAC_NONE};
    *out = (struct outline){.text = text, .size = size};
    if (!tac_utf8_valid(text, size) || memchr(text, '\0', size))
        return tac_fail(err, TAC_E_INPUT, "the text is not UTF-8; a model is edited as UTF-8");
    tac_status status = tac_xml_parse_tags("model", text, size, on_tag, &scan, &out->document, err);
    const char *encoding = status ? NULL : (const char *)out->document->encoding;
    if (encoding && strcasecmp(encoding, "UTF-8") && strcasecmp(encoding, "US-ASCII"))
        status = tac_fail_at(err, TAC_E_INPUT, "model", 1, 0,
                             "the text says that it is not UTF-8; a model is edited as UTF-8");
    if (status != TAC_OK) {
        outline_free(out);
        return status;
    }
    find_nodes(out);
    name_all(out);
    return TAC_OK;
}

void outline_free(struct outline *outline)
{
    tac_vec_free(&outline->elements);
    tac_vec_free(&outline->attributes);
    tac_arena_free(&outline->arena);
    xmlFreeDoc(outline->document);
}

/* --- finding --- */

uint32_t outline_find(const struct outline *outline, const char *id, enum element_kind first,
                      enum element_kind last)
{
    for (uint32_t i = 0; id && i < outline->elements.count; i++)
        if (outline->ids[i] && outline->elements.at[i].kind >= first &&
            outline->elements.at[i].kind <= last && !strcmp(outline->ids[i], id))
            return i;
    return TAC_NONE;
}

uint32_t outline_node(const struct outline *outline, uint32_t machine, const char *name)
{
    for (uint32_t i = machine + 1; name && i < outline->elements.count; i++) {
        const struct text_element *e = &outline->elements.at[i];
        if (e->begin >= outline->elements.at[machine].end)
            break;
        if (e->parent == machine && element_is_node(e->kind) && !strcmp(name_of(outline, i), name))
            return i;
    }
    return TAC_NONE;
}

uint32_t outline_above(const struct outline *outline, uint32_t element, enum element_kind kind)
{
    while (element != TAC_NONE && outline->elements.at[element].kind != kind)
        element = outline->elements.at[element].parent;
    return element;
}

/* Does a path's end name the machine: "M", "A/M" or "P/A/M"? */
static bool path_names(const struct outline *outline, const char *path, uint32_t machine)
{
    uint32_t activity = outline_above(outline, machine, ELEMENT_ACTIVITY);
    uint32_t application = outline_above(outline, machine, ELEMENT_APPLICATION);
    if (activity == TAC_NONE || application == TAC_NONE)
        return false;
    char *whole = tac_format("/%s/%s/%s", name_of(outline, application), name_of(outline, activity),
                             name_of(outline, machine));
    char *end = tac_format("/%s", path);
    bool names = tac_ends_with(whole, end);
    free(whole);
    free(end);
    return names;
}

bool outline_calls(struct outline *outline, uint32_t connection, uint32_t machine)
{
    static const enum element_kind scopes[] = {ELEMENT_ACTIVITY, ELEMENT_APPLICATION,
                                               ELEMENT_DEVICE};
    const char *calls = outline_value(outline, connection, "calls");
    for (size_t s = 0; calls && s < sizeof scopes / sizeof *scopes; s++) {
        uint32_t scope = outline_above(outline, connection, scopes[s]), found = TAC_NONE, count = 0;
        if (scope == TAC_NONE)
            return false;
        for (uint32_t i = 0; i < outline->elements.count; i++)
            if (outline->elements.at[i].kind == ELEMENT_MACHINE &&
                outline_above(outline, i, scopes[s]) == scope && path_names(outline, calls, i)) {
                found = i;
                count++;
            }
        if (count)
            return count == 1 && found == machine;
    }
    return false;
}
