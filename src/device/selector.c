/* Finding elements. Locators are answered on the tree (match.c), any other XPath by libxml2 on the
 * tree's XML. Both give the first node in document order. */
#include "base/data/alloc.h"
#include "base/io/xml.h"
#include "base/io/xpath.h"
#include "device/hierarchy.h"
#include "model/model.h"
#include <string.h>

struct ui_document {
    const tac_ui *ui;
    xmlDocPtr doc; /* NULL until it is needed */
    xmlXPathContextPtr context;
};

struct ui_document *ui_document_new(const tac_ui *ui)
{
    struct ui_document *document = tac_calloc(1, sizeof *document);
    document->ui = ui;
    return document;
}

void ui_document_free(struct ui_document *document)
{
    if (!document)
        return;
    xmlXPathFreeContext(document->context);
    xmlFreeDoc(document->doc);
    free(document);
}

/* Elements carry their number, from 1. */
static tac_status write_document(struct ui_document *document, tac_error *err)
{
    if (document->context)
        return TAC_OK;
    char *xml = tac_ui_to_xml(document->ui);
    const tac_xml_limits limits = {.max_depth = UI_MAX_DEPTH};
    tac_status st = tac_xml_parse("hierarchy", xml, strlen(xml), &limits, &document->doc, err);
    free(xml);
    document->context = st == TAC_OK ? xmlXPathNewContext(document->doc) : NULL;
    xmlXPathObjectPtr all =
        document->context ? tac_xpath_evaluate("//node", document->context) : NULL;
    for (int i = 0; all && all->nodesetval && i < all->nodesetval->nodeNr; i++)
        all->nodesetval->nodeTab[i]->_private = (void *)(uintptr_t)(i + 1);
    xmlXPathFreeObject(all);
    return st;
}

static tac_status evaluate(struct ui_document *document, const char *xpath, bool *marks, bool *any,
                           tac_error *err)
{
    tac_status st = write_document(document, err);
    if (st)
        return st;
    xmlXPathObjectPtr found =
        document->context ? tac_xpath_evaluate(xpath, document->context) : NULL;
    if (!found || found->type != XPATH_NODESET) {
        st = tac_fail(err, TAC_E_INPUT,
                      "'%s' is not an XPath that selects elements, such as "
                      "//node[@resource-id='com.example:id/play']",
                      xpath);
    } else if (found->nodesetval) {
        for (int i = 0; i < found->nodesetval->nodeNr; i++) {
            uintptr_t n = (uintptr_t)found->nodesetval->nodeTab[i]->_private;
            if (found->nodesetval->nodeTab[i]->type == XML_ELEMENT_NODE && n &&
                n <= document->ui->count)
                marks[n - 1] = *any = true;
        }
    }
    xmlXPathFreeObject(found);
    return st;
}

tac_status ui_document_mark(struct ui_document *document, const char *xpath, bool *marks, bool *any,
                            tac_error *err)
{
    tac_locator locator;
    bool matched =
        tac_locator_read(xpath, &locator) && ui_match(document->ui, &locator, marks, any);
    tac_locator_free(&locator);
    *any = matched && *any;
    return matched ? TAC_OK : evaluate(document, xpath, marks, any, err);
}

tac_status tac_ui_mark(const tac_ui *ui, const char *xpath, bool *marks, tac_error *err)
{
    struct ui_document *document = ui_document_new(ui);
    bool any;
    tac_status st = ui_document_mark(document, xpath, marks, &any, err);
    ui_document_free(document);
    return st;
}

/* The first node that fits and accepts one of the gestures (bits 1 << kind); 0: whatever it
 * accepts. */
static tac_status find_able(struct ui_document *document, const tac_selector *selector,
                            unsigned gestures, uint32_t *node, tac_error *err)
{
    const tac_ui *ui = document->ui;
    const char *xpath = selector->xpath, *id = selector->resource_id, *text = selector->text;
    bool *marks = xpath ? tac_calloc((size_t)ui->count + 1, sizeof *marks) : NULL;
    bool any = id || text;
    tac_status st = xpath ? ui_document_mark(document, xpath, marks, &any, err) : TAC_OK;
    *node = TAC_UI_NONE;
    for (uint32_t i = 0; st == TAC_OK && any && i < ui->count && *node == TAC_UI_NONE; i++)
        if ((!marks || marks[i]) && (!id || !strcmp(ui->nodes[i].resource_id, id)) &&
            (!text || !strcmp(ui->nodes[i].text, text)) &&
            (!gestures || tac_ui_gestures(&ui->nodes[i]) & gestures))
            *node = i;
    free(marks);
    return st;
}

tac_status ui_document_find(struct ui_document *document, const tac_selector *selector,
                            uint32_t *node, tac_error *err)
{
    return find_able(document, selector, 0, node, err);
}

static tac_status find_once(const tac_ui *ui, const tac_selector *selector, unsigned gestures,
                            uint32_t *node, tac_error *err)
{
    struct ui_document *document = ui_document_new(ui);
    tac_status st = find_able(document, selector, gestures, node, err);
    ui_document_free(document);
    return st;
}

tac_status tac_ui_find(const tac_ui *ui, const tac_selector *selector, uint32_t *node,
                       tac_error *err)
{
    return find_once(ui, selector, 0, node, err);
}

bool ui_means_screen(const tac_gesture *gesture)
{
    const tac_selector *t = &gesture->target;
    return (gesture->kind == TAC_ACTION_SCROLL || gesture->kind == TAC_ACTION_SWIPE) && !t->xpath &&
           !t->resource_id && !t->text;
}

static tac_status find_node(const tac_ui *ui, const tac_gesture *gesture, uint32_t *node,
                            tac_error *err)
{
    if (!ui_means_screen(gesture))
        return tac_ui_find(ui, &gesture->target, node, err);
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
    if (st || tac_ui_gestures(&ui->nodes[*node]) & 1u << gesture->kind)
        return st;
    uint32_t able = TAC_UI_NONE; /* a text may have come to stand elsewhere too */
    st = find_once(ui, &gesture->target, 1u << gesture->kind, &able, err);
    if (st)
        return st;
    if (able == TAC_UI_NONE)
        return ui_does_not_accept(ui, gesture, *node, err);
    *node = able;
    return TAC_OK;
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
