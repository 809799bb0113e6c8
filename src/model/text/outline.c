#include "model/text/outline.h"
#include "base/check.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/xml.h"
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
    size_t at, line;
    uint32_t open; /* the innermost element that is not closed yet */
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void move(struct scan *scan, size_t to)
{
    assert(to <= scan->out->size);
    for (; scan->at < to; scan->at++)
        scan->line += scan->out->text[scan->at] == '\n';
}

/* Past the end of what began here; false when it does not end. */
static bool skip_past(struct scan *scan, const char *end)
{
    const char *from = scan->out->text + scan->at;
    const char *found = memmem(from, scan->out->size - scan->at, end, strlen(end));
    if (!found)
        return false;
    move(scan, (size_t)(found - scan->out->text) + strlen(end));
    return true;
}

static size_t skip_space(const struct scan *scan, size_t at)
{
    while (at < scan->out->size && is_space(scan->out->text[at]))
        at++;
    return at;
}

/* name = "value", from here; false when it is not one. */
static bool scan_attribute(const struct scan *scan, size_t *at)
{
    const char *text = scan->out->text;
    size_t size = scan->out->size;
    struct text_attribute attribute = {.name = *at};
    while (*at < size && text[*at] != '=' && !is_space(text[*at]))
        ++*at;
    attribute.name_length = *at - attribute.name;
    *at = skip_space(scan, *at);
    if (*at >= size || text[*at] != '=' || !attribute.name_length)
        return false;
    *at = skip_space(scan, *at + 1);
    if (*at >= size || (text[*at] != '"' && text[*at] != '\''))
        return false;
    const char *end = memchr(text + *at + 1, text[*at], size - *at - 1);
    if (!end)
        return false;
    attribute.value = *at + 1;
    attribute.value_length = (size_t)(end - text) - attribute.value;
    *at = (size_t)(end - text) + 1;
    tac_vec_push(&scan->out->attributes, attribute);
    return true;
}

static bool scan_start(struct scan *scan)
{
    struct outline *out = scan->out;
    const char *text = out->text;
    struct text_element element = {.parent = scan->open,
                                   .first_attribute = (uint32_t)out->attributes.count,
                                   .begin = scan->at,
                                   .name = scan->at + 1,
                                   .line = scan->line};
    size_t at = element.name;
    while (at < out->size && !is_space(text[at]) && text[at] != '>' && text[at] != '/')
        at++;
    element.name_length = at - element.name;
    for (at = skip_space(scan, at); at < out->size && text[at] != '>' && text[at] != '/';
         at = skip_space(scan, at))
        if (!scan_attribute(scan, &at))
            return false;
    element.empty = at < out->size && text[at] == '/';
    at += element.empty;
    if (at >= out->size || text[at] != '>')
        return false;
    element.attribute_count = (uint32_t)out->attributes.count - element.first_attribute;
    element.kind = kind_of(text + element.name, element.name_length);
    element.open_end = element.close = element.end = at + 1;
    move(scan, element.open_end);
    element.last_line = scan->line;
    if (!element.empty)
        scan->open = (uint32_t)out->elements.count;
    tac_vec_push(&out->elements, element);
    return true;
}

static bool scan_end(struct scan *scan)
{
    struct outline *out = scan->out;
    if (scan->open == TAC_NONE)
        return false;
    struct text_element *element = &out->elements.at[scan->open];
    element->close = scan->at;
    if (!skip_past(scan, ">"))
        return false;
    element->end = scan->at;
    element->last_line = scan->line;
    scan->open = element->parent;
    return true;
}

static bool scan_all(struct outline *out)
{
    struct scan scan = {.out = out, .line = 1, .open = TAC_NONE};
    while (scan.at < out->size) {
        const char *from = out->text + scan.at;
        const char *next = memchr(from, '<', out->size - scan.at);
        if (!next)
            break;
        move(&scan, (size_t)(next - out->text));
        size_t left = out->size - scan.at;
        bool fine = left > 1 && (!strncmp(next, "<!--", 4)        ? skip_past(&scan, "-->")
                                 : !strncmp(next, "<![CDATA[", 9) ? skip_past(&scan, "]]>")
                                 : next[1] == '?'                 ? skip_past(&scan, "?>")
                                 : next[1] == '/'                 ? scan_end(&scan)
                                                                  : scan_start(&scan));
        if (!fine)
            return false;
    }
    return scan.open == TAC_NONE;
}

/* --- values --- */

/* XML has no other characters; the reader of models refuses them. */
static void add_code(tac_str *out, unsigned long code)
{
    char bytes[4];
    if (code && code <= 0x10ffff)
        tac_str_add_bytes(out, bytes, tac_utf8_put(bytes, (uint32_t)code));
}

/* What "&...;" stands for; the number of bytes it takes. */
static size_t add_reference(tac_str *out, const char *at, const char *end)
{
    static const struct {
        const char *text;
        char is;
    } known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    size_t left = (size_t)(end - at);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].text) <= left && !memcmp(at, known[i].text, strlen(known[i].text))) {
            tac_str_add_char(out, known[i].is);
            return strlen(known[i].text);
        }
    const char *semicolon = memchr(at, ';', left);
    if (left > 3 && at[1] == '#' && semicolon) {
        bool hexadecimal = at[2] == 'x';
        add_code(out, strtoul(at + 2 + hexadecimal, NULL, hexadecimal ? 16 : 10));
        return (size_t)(semicolon + 1 - at);
    }
    tac_str_add_char(out, *at);
    return 1;
}

const char *outline_decode(struct outline *outline, const struct text_attribute *attribute)
{
    tac_str value = {0};
    const char *at = outline->text + attribute->value, *end = at + attribute->value_length;
    while (at < end) {
        if (*at == '&') {
            at += add_reference(&value, at, end);
        } else {
            bool pair = *at == '\r' && at + 1 < end && at[1] == '\n'; /* one line end */
            tac_str_add_char(&value, is_space(*at) ? ' ' : *at);
            at += 1 + pair;
        }
    }
    const char *kept = tac_arena_strdup(&outline->arena, tac_str_text(&value));
    tac_str_free(&value);
    return kept;
}

const char *outline_content(struct outline *outline, uint32_t element)
{
    const struct text_element *e = &outline->elements.at[element];
    const char *at = outline->text + e->open_end, *end = outline->text + e->close;
    tac_str content = {0};
    while (at < end) {
        bool cdata = !strncmp(at, "<![CDATA[", 9);
        const char *past = *at == '<' ? strstr(at, cdata                     ? "]]>"
                                                   : !strncmp(at, "<!--", 4) ? "-->"
                                                                             : ">")
                                      : NULL;
        if (past && cdata)
            tac_str_add_bytes(&content, at + 9, (size_t)(past - at) - 9);
        if (past)
            at = past + (cdata || !strncmp(at, "<!--", 4) ? 3 : 1);
        else if (*at == '&')
            at += add_reference(&content, at, end);
        else
            tac_str_add_char(&content, *at++);
    }
    const char *text = tac_str_text(&content);
    size_t length = content.length;
    while (length && is_space(text[length - 1]))
        length--;
    for (; length && is_space(*text); length--)
        text++;
    const char *kept = tac_arena_strndup(&outline->arena, text, length);
    tac_str_free(&content);
    return kept;
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

const char *outline_value(struct outline *outline, uint32_t element, const char *name)
{
    uint32_t index = outline_attribute(outline, element, name);
    return index == TAC_NONE ? NULL : outline_decode(outline, &outline->attributes.at[index]);
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
    xmlDocPtr document;
    *out = (struct outline){.text = text, .size = size};
    if (!tac_utf8_valid(text, size) || memchr(text, '\0', size))
        return tac_fail(err, TAC_E_INPUT, "the text is not UTF-8; a model is edited as UTF-8");
    tac_status status = tac_xml_parse("model", text, size, NULL, &document, err);
    if (status != TAC_OK)
        return status;
    const char *encoding = (const char *)document->encoding;
    bool other = encoding && strcasecmp(encoding, "UTF-8") && strcasecmp(encoding, "US-ASCII");
    xmlFreeDoc(document);
    if (other)
        return tac_fail_at(err, TAC_E_INPUT, "model", 1, 0,
                           "the text says that it is not UTF-8; a model is edited as UTF-8");
    if (!scan_all(out)) {
        outline_free(out);
        return tac_fail_at(err, TAC_E_INPUT, "model", 0, 0, "the text is not understood");
    }
    name_all(out);
    return TAC_OK;
}

void outline_free(struct outline *outline)
{
    tac_vec_free(&outline->elements);
    tac_vec_free(&outline->attributes);
    tac_arena_free(&outline->arena);
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
