/* Many XPaths on one tree. What is asked for mostly comes from a model whose locators were made on
 * the same screen, so after some questions the tree's own locators are listed: an XPath among them
 * selects its node alone. Any other is answered as tac_ui_find and tac_ui_mark do, the XML of the
 * tree being made once. */
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/vec.h"
#include "device/hierarchy.h"
#include <string.h>

enum { BEFORE_LISTING = 32 };

struct ui_finder {
    const tac_ui *ui;
    uint32_t asked, patience;
    bool listed;
    tac_names locators;
    TAC_VEC(uint32_t) nodes; /* of the locators */
    bool *marks;
    struct ui_document *document;
};

struct ui_finder *ui_finder_patient(const tac_ui *ui, uint32_t patience)
{
    struct ui_finder *finder = tac_calloc(1, sizeof *finder);
    finder->ui = ui;
    finder->patience = patience;
    finder->marks = tac_calloc((size_t)ui->count + 1, sizeof *finder->marks);
    finder->document = ui_document_new(ui);
    return finder;
}

struct ui_finder *ui_finder_new(const tac_ui *ui)
{
    return ui_finder_patient(ui, BEFORE_LISTING);
}

void ui_finder_free(struct ui_finder *finder)
{
    if (!finder)
        return;
    tac_names_free(&finder->locators);
    tac_vec_free(&finder->nodes);
    ui_document_free(finder->document);
    free(finder->marks);
    free(finder);
}

/* Of what accepts something: nobody else is looked for in numbers. */
static void list_locators(struct ui_finder *finder)
{
    for (int texts = 0; texts < 2; texts++) {
        struct ui_locators *locators = ui_locators_new(finder->ui, texts);
        for (uint32_t i = 0; i < finder->ui->count; i++) {
            if (!tac_ui_gestures(&finder->ui->nodes[i]))
                continue;
            char *xpath = ui_locators_find(locators, i);
            if (tac_names_intern(&finder->locators, xpath) == finder->nodes.count)
                tac_vec_push(&finder->nodes, i);
            free(xpath);
        }
        ui_locators_free(locators);
    }
    finder->listed = true;
}

/* The node whose locator this is, or TAC_UI_NONE. */
static uint32_t located(struct ui_finder *finder, const char *xpath)
{
    if (!finder->listed && finder->asked++ >= finder->patience)
        list_locators(finder);
    uint32_t found = finder->listed ? tac_names_find(&finder->locators, xpath) : TAC_NONE;
    return found == TAC_NONE ? TAC_UI_NONE : finder->nodes.at[found];
}

tac_status ui_finder_find(struct ui_finder *finder, const tac_selector *selector, uint32_t *node,
                          tac_error *err)
{
    tac_status st = TAC_OK;
    if (!selector->xpath)
        return tac_ui_find(finder->ui, selector, node, err);
    uint32_t alone = located(finder, selector->xpath);
    *node = TAC_UI_NONE;
    if (alone != TAC_UI_NONE) {
        *node = ui_fits_parts(&finder->ui->nodes[alone], selector) ? alone : TAC_UI_NONE;
        return TAC_OK;
    }
    memset(finder->marks, 0, finder->ui->count * sizeof *finder->marks);
    st = ui_document_mark(finder->document, selector->xpath, finder->marks, err);
    for (uint32_t i = 0; st == TAC_OK && i < finder->ui->count && *node == TAC_UI_NONE; i++)
        if (finder->marks[i] && ui_fits_parts(&finder->ui->nodes[i], selector))
            *node = i;
    return st;
}

tac_status ui_finder_mark(struct ui_finder *finder, const char *xpath, bool *marks, bool *any,
                          tac_error *err)
{
    uint32_t alone = located(finder, xpath);
    *any = alone != TAC_UI_NONE;
    if (*any) {
        marks[alone] = true;
        return TAC_OK;
    }
    memset(finder->marks, 0, finder->ui->count * sizeof *finder->marks);
    tac_status st = ui_document_mark(finder->document, xpath, finder->marks, err);
    for (uint32_t i = 0; st == TAC_OK && i < finder->ui->count; i++)
        if (finder->marks[i])
            marks[i] = *any = true;
    return st;
}
