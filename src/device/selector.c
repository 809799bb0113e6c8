/* Finding elements. The XPaths that Tactus itself writes,
 *
 *     //node[@attribute='value'][@other='value']        (first that fits)
 *     (//node[@attribute='value'])[3]                   (third that fits)
 *
 * are answered by one scan over the nodes; any other XPath goes to libxml2 on the tree's XML. Both
 * give the first node in document order. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/io/xml.h"
#include "device/hierarchy.h"
#include "tactus/device.h"
#include <libxml/xpath.h>
#include <string.h>

enum { MAX_TESTS = 6 };

struct test {
    const char *name, *value;
    size_t name_length, value_length;
};

struct simple {
    struct test tests[MAX_TESTS];
    size_t count;
    unsigned long position; /* which of the fitting nodes, from 1; 0 = any */
};

static const char *attribute_of(const tac_ui_node *node, const char *name, size_t length)
{
    if (length == 11 && !memcmp(name, "resource-id", 11))
        return node->resource_id;
    if (length == 4 && !memcmp(name, "text", 4))
        return node->text;
    if (length == 12 && !memcmp(name, "content-desc", 12))
        return node->description;
    if (length == 5 && !memcmp(name, "class", 5))
        return node->class_name;
    if (length == 7 && !memcmp(name, "package", 7))
        return node->package;
    return NULL;
}

/* Reads [@name='value'] or [@name="value"]; false when the text is something else. */
static bool read_test(const char **at, struct test *out)
{
    const char *p = *at;
    if (strncmp(p, "[@", 2) != 0)
        return false;
    p += 2;
    out->name = p;
    out->name_length = strcspn(p, "=]");
    p += out->name_length;
    if (p[0] != '=' || (p[1] != '\'' && p[1] != '"'))
        return false;
    const char *end = strchr(p + 2, p[1]);
    if (!end || end[1] != ']')
        return false;
    out->value = p + 2;
    out->value_length = (size_t)(end - out->value);
    *at = end + 2;
    static const tac_ui_node none = {"", "", "", "", "", 0, 0, 0, 0, 0, 0, 0, 0, 0};
    return attribute_of(&none, out->name, out->name_length) != NULL;
}

static bool read_simple(const char *xpath, struct simple *out)
{
    bool group = xpath[0] == '(';
    const char *p = xpath + group;
    out->count = 0;
    out->position = 0;
    if (strncmp(p, "//node", 6) != 0)
        return false;
    p += 6;
    while (*p == '[' && p[1] == '@') {
        if (out->count == MAX_TESTS || !read_test(&p, &out->tests[out->count]))
            return false;
        out->count++;
    }
    if (group) {
        char *end = NULL;
        if (strncmp(p, ")[", 2) != 0)
            return false;
        out->position = strtoul(p + 2, &end, 10);
        if (!end || end == p + 2 || *end != ']' || out->position == 0)
            return false;
        p = end + 1;
    }
    return !*p && out->count > 0;
}

static bool fits(const tac_ui_node *node, const struct simple *wanted)
{
    for (size_t i = 0; i < wanted->count; i++) {
        const struct test *t = &wanted->tests[i];
        const char *value = attribute_of(node, t->name, t->name_length);
        if (strncmp(value, t->value, t->value_length) != 0 || value[t->value_length])
            return false;
    }
    return true;
}

/* Mistakes in an XPath come back as our own error; libxml2 must not print them. */
static void keep_silent(void *context, const xmlError *error)
{
    (void)context;
    (void)error;
}

/* The nodes of the document get their numbers, counted from 1. */
static void number_nodes(xmlDocPtr doc)
{
    uintptr_t number = 0;
    for (xmlNode *at = xmlDocGetRootElement(doc); at;) {
        if (at->type == XML_ELEMENT_NODE && !strcmp((const char *)at->name, "node"))
            at->_private = (void *)++number;
        if (at->children) {
            at = at->children;
            continue;
        }
        while (at && !at->next)
            at = at->parent && at->parent->type == XML_ELEMENT_NODE ? at->parent : NULL;
        at = at ? at->next : NULL;
    }
}

tac_status tac_ui_mark(const tac_ui *ui, const char *xpath, bool *marks, tac_error *err)
{
    char *xml = tac_ui_to_xml(ui);
    xmlDocPtr doc = NULL;
    tac_status st = tac_xml_parse("hierarchy", xml, strlen(xml), NULL, &doc, err);
    free(xml);
    if (st)
        return st;
    number_nodes(doc);
    xmlXPathContextPtr context = xmlXPathNewContext(doc);
    if (context)
        context->error = (xmlStructuredErrorFunc)keep_silent;
    xmlXPathObjectPtr found =
        context ? xmlXPathEvalExpression((const xmlChar *)xpath, context) : NULL;
    if (!found || found->type != XPATH_NODESET) {
        st = tac_fail(err, TAC_E_INPUT,
                      "'%s' is not an XPath that selects elements, such as "
                      "//node[@resource-id='com.example:id/play']",
                      xpath);
    } else if (found->nodesetval) {
        for (int i = 0; i < found->nodesetval->nodeNr; i++) {
            uintptr_t n = (uintptr_t)found->nodesetval->nodeTab[i]->_private;
            if (found->nodesetval->nodeTab[i]->type == XML_ELEMENT_NODE && n && n <= ui->count)
                marks[n - 1] = true;
        }
    }
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    xmlFreeDoc(doc);
    return st;
}

/* Do the parts of the selector other than the XPath fit? */
static bool fits_parts(const tac_ui_node *node, const tac_selector *selector)
{
    return (!selector->resource_id || !strcmp(node->resource_id, selector->resource_id)) &&
           (!selector->text || !strcmp(node->text, selector->text));
}

/* The first marked node that also fits the other parts of the selector. */
static uint32_t first_marked(const tac_ui *ui, const tac_selector *selector, const bool *marks)
{
    for (uint32_t i = 0; i < ui->count; i++)
        if ((!marks || marks[i]) && fits_parts(&ui->nodes[i], selector))
            return i;
    return TAC_UI_NONE;
}

static uint32_t scan(const tac_ui *ui, const tac_selector *selector, const struct simple *wanted)
{
    unsigned long seen = 0;
    for (uint32_t i = 0; i < ui->count; i++) {
        if (!fits(&ui->nodes[i], wanted))
            continue;
        bool whole = fits_parts(&ui->nodes[i], selector);
        if (wanted->position == 0 ? whole : ++seen == wanted->position)
            return whole ? i : TAC_UI_NONE;
    }
    return TAC_UI_NONE;
}

tac_status tac_ui_find(const tac_ui *ui, const tac_selector *selector, uint32_t *node,
                       tac_error *err)
{
    struct simple wanted;
    if (!selector->xpath) {
        *node = selector->resource_id || selector->text ? first_marked(ui, selector, NULL)
                                                        : TAC_UI_NONE;
        return TAC_OK;
    }
    if (read_simple(selector->xpath, &wanted)) {
        *node = scan(ui, selector, &wanted);
        return TAC_OK;
    }
    bool *marks = tac_calloc(ui->count + 1, sizeof *marks);
    tac_status st = tac_ui_mark(ui, selector->xpath, marks, err);
    if (!st)
        *node = first_marked(ui, selector, marks);
    free(marks);
    return st;
}

static tac_status find_node(const tac_ui *ui, const tac_gesture *gesture, uint32_t *node,
                            tac_error *err)
{
    const tac_selector *target = &gesture->target;
    bool whole = !target->xpath && !target->resource_id && !target->text;
    if (!whole || (gesture->kind != TAC_ACTION_SCROLL && gesture->kind != TAC_ACTION_SWIPE))
        return tac_ui_find(ui, target, node, err);
    *node = TAC_UI_NONE;
    for (uint32_t i = 0; i < ui->count && *node == TAC_UI_NONE; i++)
        if (tac_ui_gestures(&ui->nodes[i]) & 1u << gesture->kind)
            *node = i;
    return TAC_OK;
}

tac_status ui_find_target(const tac_ui *ui, const tac_gesture *gesture, uint32_t *node,
                          tac_error *err)
{
    char name[256];
    tac_status st = find_node(ui, gesture, node, err);
    if (st || *node != TAC_UI_NONE)
        return st;
    return tac_fail(err, TAC_E_LIMIT, "%s %s: there is no such element on the screen",
                    tac_action_kind_name(gesture->kind),
                    tac_selector_text(&gesture->target, name, sizeof name));
}

tac_status ui_does_not_accept(const tac_ui *ui, const tac_gesture *gesture, uint32_t node,
                              tac_error *err)
{
    char name[256];
    return tac_fail(err, TAC_E_LIMIT, "%s %s: the element is there but does not accept it%s",
                    tac_action_kind_name(gesture->kind),
                    tac_selector_text(&gesture->target, name, sizeof name),
                    ui->nodes[node].flags & TAC_UI_ENABLED ? "" : " (it is not enabled)");
}

tac_status ui_find_accepting(const tac_ui *ui, const tac_gesture *gesture, uint32_t *node,
                             tac_error *err)
{
    tac_status st = ui_find_target(ui, gesture, node, err);
    if (!st && !(tac_ui_gestures(&ui->nodes[*node]) & 1u << gesture->kind))
        st = ui_does_not_accept(ui, gesture, *node, err);
    return st;
}

static char *path_from_root(const tac_ui *ui, uint32_t node)
{
    uint32_t chain[256];
    size_t depth = 0;
    for (uint32_t n = node; n != TAC_UI_NONE && depth < 256; n = ui->nodes[n].parent)
        chain[depth++] = n;
    tac_str out = {0};
    tac_str_add(&out, "/hierarchy");
    while (depth > 0)
        tac_str_addf(&out, "/node[%u]", ui->nodes[chain[--depth]].index + 1);
    return tac_str_take(&out);
}

char *tac_ui_xpath(const tac_ui *ui, uint32_t node)
{
    const tac_ui_node *n = &ui->nodes[node];
    const char *names[] = {"resource-id", "content-desc", "text"};
    const char *values[] = {n->resource_id, n->description, n->text};
    for (size_t i = 0; i < 3; i++) {
        if (!*values[i] || (strchr(values[i], '\'') && strchr(values[i], '"')))
            continue;
        char quote = strchr(values[i], '\'') ? '"' : '\'';
        unsigned before = 0, all = 0;
        for (uint32_t k = 0; k < ui->count; k++) {
            const char *v = attribute_of(&ui->nodes[k], names[i], strlen(names[i]));
            if (strcmp(v, values[i]) != 0)
                continue;
            all++;
            before += k <= node;
        }
        if (all == 1)
            return tac_format("//node[@%s=%c%s%c]", names[i], quote, values[i], quote);
        return tac_format("(//node[@%s=%c%s%c])[%u]", names[i], quote, values[i], quote, before);
    }
    return path_from_root(ui, node);
}

const char *tac_selector_text(const tac_selector *selector, char *buffer, size_t size)
{
    if (selector->xpath)
        snprintf(buffer, size, "%s", selector->xpath);
    else if (selector->resource_id && selector->text)
        snprintf(buffer, size, "id %s with text '%s'", selector->resource_id, selector->text);
    else if (selector->resource_id)
        snprintf(buffer, size, "id %s", selector->resource_id);
    else if (selector->text)
        snprintf(buffer, size, "text '%s'", selector->text);
    else
        snprintf(buffer, size, "the screen");
    return buffer;
}
