/* Building locators and writing them as XPaths; see locator.h. */
#include "base/locator/locator.h"
#include "base/check.h"
#include "base/data/map.h"
#include "base/data/quote.h"

static const char *const part_names[] = {[TAC_PART_ID] = "resource-id",
                                         [TAC_PART_LABEL] = "content-desc",
                                         [TAC_PART_TEXT] = "text",
                                         [TAC_PART_CLASS] = "class",
                                         [TAC_PART_TEST_ID] = "data-testid",
                                         [TAC_PART_ROLE] = "role",
                                         [TAC_PART_NAME] = "name",
                                         [TAC_PART_PACKAGE] = "package",
                                         [TAC_PART_CHECKABLE] = "checkable",
                                         [TAC_PART_CHECKED] = "checked",
                                         [TAC_PART_CLICKABLE] = "clickable",
                                         [TAC_PART_ENABLED] = "enabled",
                                         [TAC_PART_FOCUSABLE] = "focusable",
                                         [TAC_PART_FOCUSED] = "focused",
                                         [TAC_PART_SCROLLABLE] = "scrollable",
                                         [TAC_PART_LONG_CLICKABLE] = "long-clickable",
                                         [TAC_PART_PASSWORD] = "password",
                                         [TAC_PART_SELECTED] = "selected",
                                         [TAC_PART_OTHER] = NULL};
TABLE_COVERS(part_names, TAC_PART_OTHER);

#define PART(part) (1u << TAC_PART_##part)
const tac_locator_way tac_locator_ways[TAC_LOCATOR_WAYS] = {
    {.parts = PART(ROLE) | PART(NAME), .of_pages = true, .steady = true},
    {.parts = PART(TEST_ID)},
    {.parts = PART(LABEL), .of_pages = true, .steady = true},
    {.parts = PART(TEXT), .of_pages = true, .steady = true},
    {.parts = PART(ID)},
    {.parts = PART(ROLE) | PART(NAME)},
    {.parts = PART(LABEL)},
    {.parts = PART(TEXT)},
    {.parts = PART(ID) | PART(LABEL)},
    {.parts = PART(ID) | PART(TEXT)},
    {.parts = PART(CLASS) | PART(LABEL)},
    {.parts = PART(CLASS) | PART(TEXT)},
    {.parts = PART(ID) | PART(CLASS)},
};
const tac_part tac_locator_order[] = {TAC_PART_ROLE,  TAC_PART_NAME, TAC_PART_TEST_ID, TAC_PART_ID,
                                      TAC_PART_LABEL, TAC_PART_TEXT, TAC_PART_CLASS};
TABLE_COVERS(tac_locator_order, TAC_PART_NAME);

size_t tac_locator_rank(const tac_locator *locator)
{
    bool steady = locator->kind == TAC_LOCATOR_PATH && locator->steps.count && !locator->place;
    unsigned parts = 0;
    size_t rank = 0;
    for (size_t i = 0; i < locator->steps.count; i++)
        steady = steady && !locator->steps.at[i].place;
    for (size_t i = 0; i < locator->conditions.count; i++) {
        const tac_condition *c = &locator->conditions.at[i];
        steady = steady && c->kind == TAC_CONDITION_EQUALS && tac_part_may_name(c->part) &&
                 (c->part == TAC_PART_ID || c->part == TAC_PART_TEST_ID ||
                  c->part == TAC_PART_CLASS || !strpbrk(c->value, "0123456789"));
    }
    uint32_t at = steady ? tac_vec_last(&locator->steps).first : TAC_NONE;
    for (; at != TAC_NONE; at = locator->conditions.at[at].next)
        parts |= locator->conditions.at[at].levels ? 0 : 1u << locator->conditions.at[at].part;
    while (rank < TAC_LOCATOR_WAYS && tac_locator_ways[rank].parts != parts)
        rank++;
    return rank;
}

const char *tac_part_name(tac_part part)
{
    return part_names[part];
}

void tac_locator_free(tac_locator *locator)
{
    tac_vec_free(&locator->steps);
    tac_vec_free(&locator->conditions);
    tac_arena_free(&locator->texts);
}

void tac_locator_add_step(tac_locator *locator, tac_element_kind kind, bool deep)
{
    tac_vec_push(&locator->steps,
                 (tac_step){.kind = kind, .deep = deep, .first = TAC_NONE, .last = TAC_NONE});
}

void tac_locator_add_condition(tac_locator *locator, uint32_t condition)
{
    assert(locator->steps.count && condition < locator->conditions.count);
    tac_step *step = &tac_vec_last(&locator->steps);
    *(step->first == TAC_NONE ? &step->first : &locator->conditions.at[step->last].next) =
        condition;
    step->last = condition;
    locator->conditions.at[condition].next = TAC_NONE;
}

void tac_locator_add_value(tac_locator *locator, tac_part part, uint32_t levels, const char *value)
{
    tac_vec_push(&locator->conditions,
                 (tac_condition){.part = part, .levels = levels, .value = value});
    tac_locator_add_condition(locator, (uint32_t)locator->conditions.count - 1);
}

/* --- writing --- */

static void write_attribute(const tac_condition *condition, const char *node, tac_str *out)
{
    for (uint32_t i = 0; i < condition->levels; i++)
        tac_str_addf(out, "%s/", node);
    tac_str_addf(out, "@%s",
                 condition->part == TAC_PART_OTHER ? condition->name : part_names[condition->part]);
}

static void write_condition(const tac_locator *locator, uint32_t number, const char *node,
                            tac_str *out)
{
    static const char *const before[] = {[TAC_CONDITION_EQUALS] = "",
                                         [TAC_CONDITION_CONTAINS] = "contains(",
                                         [TAC_CONDITION_STARTS] = "starts-with(",
                                         [TAC_CONDITION_DIFFERS] = "",
                                         [TAC_CONDITION_PRESENT] = "",
                                         [TAC_CONDITION_NOT] = "not(",
                                         [TAC_CONDITION_AND] = "(",
                                         [TAC_CONDITION_OR] = "("};
    TABLE_COVERS(before, TAC_CONDITION_OR);
    static const char *const between[] = {
        [TAC_CONDITION_EQUALS] = "=",  [TAC_CONDITION_CONTAINS] = ",",
        [TAC_CONDITION_STARTS] = ",",  [TAC_CONDITION_DIFFERS] = "!=",
        [TAC_CONDITION_PRESENT] = "",  [TAC_CONDITION_NOT] = "",
        [TAC_CONDITION_AND] = " and ", [TAC_CONDITION_OR] = " or "};
    TABLE_COVERS(between, TAC_CONDITION_OR);
    const tac_condition *c = &locator->conditions.at[number];
    bool both = c->kind == TAC_CONDITION_AND || c->kind == TAC_CONDITION_OR;
    tac_str_add(out, before[c->kind]);
    if (both || c->kind == TAC_CONDITION_NOT)
        write_condition(locator, c->left, node, out);
    else
        write_attribute(c, node, out);
    tac_str_add(out, between[c->kind]);
    if (both)
        write_condition(locator, c->right, node, out);
    else if (c->value)
        tac_quote_xpath(out, c->value);
    tac_str_add(out, strchr(before[c->kind], '(') ? ")" : "");
}

void tac_locator_write(const tac_locator *locator, const char *node, tac_str *out)
{
    assert(locator->kind == TAC_LOCATOR_PATH);
    tac_str_add(out, locator->place ? "(" : "");
    for (size_t i = 0; i < locator->steps.count; i++) {
        const tac_step *step = &locator->steps.at[i];
        uint32_t at = step->first;
        tac_str_addf(out, "%s%s", step->deep ? "//" : "/",
                     step->kind == TAC_ELEMENT_NODE        ? node
                     : step->kind == TAC_ELEMENT_ANY       ? "*"
                     : step->kind == TAC_ELEMENT_HIERARCHY ? "hierarchy"
                                                           : locator->conditions.at[at].value);
        if (step->kind == TAC_ELEMENT_CLASS)
            at = locator->conditions.at[at].next;
        for (; at != TAC_NONE; at = locator->conditions.at[at].next) {
            tac_str_add(out, "[");
            write_condition(locator, at, node, out);
            tac_str_add(out, "]");
        }
        if (step->place)
            tac_str_addf(out, "[%u]", step->place);
    }
    if (locator->place)
        tac_str_addf(out, ")[%u]", locator->place);
}
