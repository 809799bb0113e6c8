#include "model/text/splice.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/xml.h"
#include <string.h>

tac_status edited_open(struct edited *edited, const char *text, tac_error *err)
{
    edited->text = tac_strdup(text);
    tac_status status = outline_make(edited->text, strlen(edited->text), &edited->outline, err);
    if (status != TAC_OK) {
        free(edited->text);
        edited->text = NULL;
    }
    return status;
}

void edited_free(struct edited *edited)
{
    outline_free(&edited->outline);
    free(edited->text);
    edited->text = NULL;
}

tac_status carry_out(struct edited *edited, splices *plan, tac_error *err)
{
    struct edited next;
    tac_str text = {0};
    size_t at = 0, size = edited->outline.size;
    for (size_t i = 0; i < plan->count; i++) {
        const struct splice *splice = &plan->at[i];
        assert(at <= splice->from && splice->from <= splice->to && splice->to <= size);
        tac_str_add_bytes(&text, edited->text + at, splice->from - at);
        tac_str_add(&text, splice->by);
        at = splice->to;
        free(splice->by);
    }
    tac_str_add_bytes(&text, edited->text + at, size - at);
    bool changed = plan->count > 0;
    tac_vec_free(plan);
    tac_status status = changed ? edited_open(&next, tac_str_text(&text), err) : TAC_OK;
    tac_str_free(&text);
    if (status == TAC_OK && changed) {
        edited_free(edited);
        *edited = next;
    }
    return status;
}

/* Replaces [from, to) by other text. */
static tac_status replace(struct edited *edited, size_t from, size_t to, const char *by,
                          tac_error *err)
{
    splices plan = {0};
    tac_vec_push(&plan, (struct splice){from, to, tac_strdup(by)});
    return carry_out(edited, &plan, err);
}

/* --- where lines begin and end --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The beginning of the line, if nothing but blanks stands before; else `at` itself. */
static size_t line_start(const struct edited *edited, size_t at)
{
    size_t start = at;
    while (start && is_blank(edited->text[start - 1]))
        start--;
    return !start || edited->text[start - 1] == '\n' ? start : at;
}

/* Behind the blanks, and behind comments that end on this line when asked to. */
static size_t skip_rest(const struct edited *edited, size_t at, bool comments)
{
    const char *text = edited->text;
    for (;;) {
        while (is_blank(text[at]))
            at++;
        const char *end =
            comments && !strncmp(text + at, "<!--", 4) ? strstr(text + at, "-->") : NULL;
        if (!end || memchr(text + at, '\n', (size_t)(end - text) - at))
            return at;
        at = (size_t)(end - text) + 3;
    }
}

static size_t newline_at(const struct edited *edited, size_t at)
{
    const char *text = edited->text + at;
    return *text == '\n' ? 1 : !strncmp(text, "\r\n", 2) ? 2 : 0;
}

static const char *newline_of(const struct edited *edited)
{
    const char *first = strchr(edited->text, '\n');
    return first && first > edited->text && first[-1] == '\r' ? "\r\n" : "\n";
}

/* --- attributes --- */

void plan_attribute(struct edited *edited, uint32_t element, const char *name, const char *value,
                    splices *plan)
{
    struct outline *outline = &edited->outline;
    uint32_t index = outline_attribute(outline, element, name);
    const struct text_element *e = &outline->elements.at[element];
    tac_str by = {0};
    size_t from, to;
    if (index == TAC_NONE) {
        if (!value)
            return;
        const struct text_attribute *last =
            e->attribute_count
                ? &outline->attributes.at[e->first_attribute + e->attribute_count - 1]
                : NULL;
        from = to = last ? last->value + last->value_length + 1 : e->name + e->name_length;
        tac_str_addf(&by, " %s=\"", name);
        tac_xml_escape(&by, value);
        tac_str_add_char(&by, '"');
    } else {
        const struct text_attribute *a = &outline->attributes.at[index];
        if (value && !strcmp(outline_value(outline, element, name), value))
            return;
        from = a->value;
        to = a->value + a->value_length;
        if (value) {
            tac_xml_escape(&by, value);
        } else {
            for (from = a->name; strchr(" \t\r\n", edited->text[from - 1]); from--)
                ;
            to++;
        }
    }
    tac_vec_push(plan, (struct splice){from, to, tac_str_take(&by)});
}

tac_status set_attribute(struct edited *edited, uint32_t element, const char *name,
                         const char *value, tac_error *err)
{
    splices plan = {0};
    plan_attribute(edited, element, name, value, &plan);
    return carry_out(edited, &plan, err);
}

/* --- elements --- */

void plan_removal(struct edited *edited, uint32_t element, splices *plan)
{
    const struct text_element *e = &edited->outline.elements.at[element];
    size_t from = line_start(edited, e->begin), to = skip_rest(edited, e->end, false);
    size_t newline = newline_at(edited, to);
    bool alone = newline && (!from || edited->text[from - 1] == '\n');
    tac_vec_push(plan, alone ? (struct splice){from, to + newline, tac_strdup("")}
                             : (struct splice){e->begin, e->end, tac_strdup("")});
}

tac_status remove_element(struct edited *edited, uint32_t element, tac_error *err)
{
    splices plan = {0};
    plan_removal(edited, element, &plan);
    return carry_out(edited, &plan, err);
}

/* The name in the namespace of its parent. */
static void write_name(tac_str *out, const struct edited *edited, const struct text_element *e,
                       const char *name)
{
    const char *prefix = edited->text + e->name;
    const char *colon = memchr(prefix, ':', e->name_length);
    tac_str_add_bytes(out, prefix, colon ? (size_t)(colon + 1 - prefix) : 0);
    tac_str_add(out, name);
}

/* Text between tags: quotation marks may stay as they are. */
static void write_content(tac_str *out, const char *content)
{
    for (const char *at = content; *at; at++)
        switch (*at) {
        case '&':
            tac_str_add(out, "&amp;");
            break;
        case '<':
            tac_str_add(out, "&lt;");
            break;
        case '>':
            tac_str_add(out, "&gt;");
            break;
        case '\r':
            tac_str_add(out, "&#13;");
            break;
        default:
            tac_str_add_char(out, *at);
        }
}

static void write_element(tac_str *out, const struct edited *edited, const struct text_element *e,
                          const char *name, const edit_attributes *attributes)
{
    tac_str_add_char(out, '<');
    write_name(out, edited, e, name);
    for (size_t i = 0; i < attributes->count; i++)
        if (attributes->at[i].value) {
            tac_str_addf(out, " %s=\"", attributes->at[i].name);
            tac_xml_escape(out, attributes->at[i].value);
            tac_str_add_char(out, '"');
        }
    tac_str_add(out, "/>");
}

static void add_indent(tac_str *out, const struct edited *edited, size_t begin)
{
    size_t start = line_start(edited, begin);
    tac_str_add_bytes(out, edited->text + start, begin - start);
}

static bool begins_its_line(const struct edited *edited, size_t begin)
{
    size_t start = line_start(edited, begin);
    return !start || edited->text[start - 1] == '\n';
}

/* Into an element that has no children. */
static tac_status insert_inside(struct edited *edited, uint32_t parent, const char *element,
                                tac_error *err)
{
    const struct text_element *e = &edited->outline.elements.at[parent];
    const char *newline = newline_of(edited);
    bool pretty = begins_its_line(edited, e->begin);
    size_t from = e->close, to = e->close;
    tac_str by = {0};
    if (e->empty) {
        from = e->open_end - 2;
        to = e->open_end;
        tac_str_add_char(&by, '>');
    }
    bool own_line = !e->empty && begins_its_line(edited, e->close);
    if (own_line)
        from = to = line_start(edited, e->close);
    else if (pretty)
        tac_str_add(&by, newline);
    if (pretty || own_line) {
        add_indent(&by, edited, own_line && !pretty ? e->close : e->begin);
        tac_str_add(&by, "  ");
    }
    tac_str_add(&by, element);
    if (pretty || own_line)
        tac_str_add(&by, newline);
    if (pretty && !own_line)
        add_indent(&by, edited, e->begin);
    if (e->empty)
        tac_str_addf(&by, "</%.*s>", (int)e->name_length, edited->text + e->name);
    tac_status status = replace(edited, from, to, tac_str_text(&by), err);
    tac_str_free(&by);
    return status;
}

/* Behind a sibling, or before one; as it is indented. */
static tac_status insert_beside(struct edited *edited, uint32_t sibling, bool before,
                                const char *element, tac_error *err)
{
    const struct text_element *e = &edited->outline.elements.at[sibling];
    bool pretty = begins_its_line(edited, e->begin);
    size_t at = before ? e->begin : e->end;
    tac_str by = {0};
    if (!before && pretty) {
        size_t rest = skip_rest(edited, at, true);
        if (newline_at(edited, rest))
            at = rest;
        tac_str_add(&by, newline_of(edited));
        add_indent(&by, edited, e->begin);
    }
    tac_str_add(&by, element);
    if (before && pretty) {
        tac_str_add(&by, newline_of(edited));
        add_indent(&by, edited, e->begin);
    }
    tac_status status = replace(edited, at, at, tac_str_text(&by), err);
    tac_str_free(&by);
    return status;
}

static tac_status insert_written(struct edited *edited, uint32_t parent, uint32_t after,
                                 const char *element, tac_error *err)
{
    const struct outline *outline = &edited->outline;
    uint32_t first = parent + 1;
    bool has_child =
        first < outline->elements.count && outline->elements.at[first].parent == parent;
    return after != TAC_NONE ? insert_beside(edited, after, false, element, err)
           : has_child       ? insert_beside(edited, first, true, element, err)
                             : insert_inside(edited, parent, element, err);
}

tac_status insert_element(struct edited *edited, uint32_t parent, uint32_t after, const char *name,
                          const edit_attributes *attributes, tac_error *err)
{
    tac_str element = {0};
    write_element(&element, edited, &edited->outline.elements.at[parent], name, attributes);
    tac_status status = insert_written(edited, parent, after, tac_str_text(&element), err);
    tac_str_free(&element);
    return status;
}

tac_status insert_text_element(struct edited *edited, uint32_t parent, uint32_t after,
                               const char *name, const char *content, tac_error *err)
{
    const struct text_element *e = &edited->outline.elements.at[parent];
    tac_str element = {0};
    tac_str_add_char(&element, '<');
    write_name(&element, edited, e, name);
    tac_str_add_char(&element, '>');
    write_content(&element, content);
    tac_str_add(&element, "</");
    write_name(&element, edited, e, name);
    tac_str_add_char(&element, '>');
    tac_status status = insert_written(edited, parent, after, tac_str_text(&element), err);
    tac_str_free(&element);
    return status;
}

tac_status set_content(struct edited *edited, uint32_t element, const char *content, tac_error *err)
{
    const struct text_element *e = &edited->outline.elements.at[element];
    tac_str by = {0};
    if (!strcmp(outline_content(&edited->outline, element), content))
        return TAC_OK;
    if (e->empty)
        tac_str_add_char(&by, '>');
    write_content(&by, content);
    if (e->empty)
        tac_str_addf(&by, "</%.*s>", (int)e->name_length, edited->text + e->name);
    tac_status status = e->empty
                            ? replace(edited, e->open_end - 2, e->open_end, tac_str_text(&by), err)
                            : replace(edited, e->open_end, e->close, tac_str_text(&by), err);
    tac_str_free(&by);
    return status;
}

tac_status close_empty(struct edited *edited, uint32_t element, tac_error *err)
{
    const struct text_element *e = &edited->outline.elements.at[element];
    size_t inside = strspn(edited->text + e->open_end, " \t\r\n");
    if (e->empty || e->open_end + inside < e->close)
        return TAC_OK;
    return replace(edited, e->open_end - 1, e->end, "/>", err);
}
