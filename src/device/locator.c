/* Locators: an XPath that finds one node of a screen again, also after the screen has changed a
 * little. What names a node, best first:
 *
 *     //node[@role='button'][@name='Save']              itself, in the order of tac_locator_ways
 *     //node[node/@text='Today']                        what it holds, down to some levels
 *     //node[node/@text='21']/node[@text='SAT']         the same inside the nearest stable ancestor
 *     //node[@scrollable='true']                        the only one of its class and abilities
 *     (//node[@resource-id='row'])[3], ANCESTOR/node[2] its place: the last resort
 *
 * What a person types into a field and what a list shows changes, so fields and lists are named by
 * their class and abilities before what they hold. Focus, selection and check marks name nothing.
 *
 * Every candidate that is taken was compared with all other nodes of its region (alike.c), so a
 * locator always selects its node alone. A stable locator is kept as what it adds to that of the
 * ancestor it goes on from, so that the locators of a screen take memory that is linear in its
 * nodes, however deep they are. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include "device/alike.h"
#include "device/hierarchy.h"
#include <string.h>

enum { BY_ID = 1 << TAC_PART_ID, BY_CLASS = 1 << TAC_PART_CLASS };
enum { MOST_LABELS = 12, LONGEST_LABEL = 80, LONGEST_TEXT = 300, SCANS = 32 };

/* A locator without a position. */
struct stable {
    bool known, found; /* whether there is one was found out; there is one */
    bool child;        /* of `from`, not just below it */
    struct alike_pick pick;
    uint32_t from;   /* the ancestor whose locator this one goes on from, or TAC_UI_NONE */
    uint32_t anchor; /* the nearest ancestor that has one, or TAC_UI_NONE */
};

struct ui_locators {
    const tac_ui *ui;
    struct alike *alike;
    unsigned char *names; /* bits 1 << attribute of those that may name the node */
    struct stable *stable;
};

static bool may_name(const tac_ui_node *node, tac_part part)
{
    const char *value = ui_text(node, part);
    if (!*value || (part == TAC_PART_TEXT && node->flags & TAC_UI_EDITABLE))
        return false;
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < 32 || c - value > LONGEST_TEXT)
            return false;
    return true;
}

struct ui_locators *ui_locators_scanning(const tac_ui *ui, bool texts, uint32_t scans)
{
    struct ui_locators *l = tac_calloc(1, sizeof *l);
    l->ui = ui;
    l->alike = alike_new(ui, scans);
    l->names = tac_calloc((size_t)ui->count + 1, sizeof *l->names);
    l->stable = tac_calloc((size_t)ui->count + 1, sizeof *l->stable);
    for (uint32_t i = 0; i < ui->count; i++)
        for (unsigned k = 0; k < ALIKE_PARTS; k++)
            if ((texts || k == TAC_PART_ID || k == TAC_PART_CLASS || k == TAC_PART_TEST_ID) &&
                may_name(&ui->nodes[i], k))
                l->names[i] |= (unsigned char)(1u << k);
    return l;
}

struct ui_locators *ui_locators_new(const tac_ui *ui, bool texts)
{
    return ui_locators_scanning(ui, texts, SCANS);
}

void ui_locators_free(struct ui_locators *l)
{
    if (!l)
        return;
    alike_free(l->alike);
    free(l->stable);
    free(l->names);
    free(l);
}

/* --- candidates --- */

/* Where a node is looked for: the whole tree, or below the ancestor `top`. */
struct region {
    uint32_t top; /* or TAC_UI_NONE */
    uint32_t from, to;
};

/* Whether the pick's node is the only such one of the region. */
static bool take(struct ui_locators *l, const struct region *in, const struct alike_pick *pick)
{
    struct stable *s = &l->stable[pick->node];
    s->child = in->top != TAC_UI_NONE && l->ui->nodes[pick->node].parent == in->top;
    s->from = in->top;
    s->pick = *pick;
    struct alike_region where = {in->from, in->to, s->child ? in->top : TAC_UI_NONE};
    return s->found = alike_alone(l->alike, pick, &where);
}

static bool has_digits(const tac_ui_node *node, unsigned parts)
{
    bool found = false;
    for (tac_part part = 0; part <= TAC_PART_NAME; part++)
        found = found || (parts & 1u << part && strpbrk(ui_text(node, part), "0123456789"));
    return found;
}

/* The i-th way to name the node by its own attributes; 0 when it does not have them. */
static unsigned own_way(const struct ui_locators *l, uint32_t node, size_t i)
{
    const tac_ui_node *n = &l->ui->nodes[node];
    const tac_locator_way *way = &tac_locator_ways[i];
    bool fits = (l->names[node] & way->parts) == way->parts &&
                (!way->of_pages || !strncmp(n->class_name, "web.", 4)) &&
                (!way->steady || !has_digits(n, way->parts));
    return fits ? way->parts : 0;
}

/* By its own attributes. */
static bool by_name(struct ui_locators *l, const struct region *in, uint32_t node)
{
    for (size_t i = 0; i < TAC_LOCATOR_WAYS; i++) {
        struct alike_pick pick = {.node = node, .own = own_way(l, node, i), .label = TAC_UI_NONE};
        if (pick.own && take(l, in, &pick))
            return true;
    }
    return false;
}

/* Ids and descriptions before texts, texts with digits last: those count or show the time. */
static unsigned label_rank(const tac_ui_node *node, tac_part part)
{
    return part + (part == TAC_PART_TEXT && strpbrk(node->text, "0123456789"));
}

struct label {
    uint32_t node, levels;
    tac_part part;
    unsigned rank;
};

/* The best few labels, by rank, then near before far, then document order. */
static size_t find_labels(const struct ui_locators *l, uint32_t node, struct label *out)
{
    size_t count = 0;
    uint32_t next = 0;
    for (uint32_t i = node + 1; i < alike_end(l->alike, node); i = next) {
        uint32_t levels = alike_depth(l->alike, i) - alike_depth(l->alike, node);
        next = levels < ALIKE_LABEL_DEPTH ? i + 1 : alike_end(l->alike, i);
        for (tac_part part = 0; part != TAC_PART_CLASS; part++) {
            if (!(l->names[i] & 1u << part) ||
                strlen(ui_part(&l->ui->nodes[i], part)) > LONGEST_LABEL)
                continue;
            struct label label = {i, levels, part, label_rank(&l->ui->nodes[i], part)};
            size_t at = count;
            while (at > 0 && (out[at - 1].rank > label.rank ||
                              (out[at - 1].rank == label.rank && out[at - 1].levels > levels)))
                at--;
            if (at == MOST_LABELS)
                continue;
            count += count < MOST_LABELS;
            memmove(out + at + 1, out + at, (count - at - 1) * sizeof *out);
            out[at] = label;
        }
    }
    assert(count <= MOST_LABELS);
    return count;
}

/* By what it holds. */
static bool by_label(struct ui_locators *l, const struct region *in, uint32_t node)
{
    const unsigned masks[] = {l->names[node] & BY_ID, 0, BY_CLASS};
    struct label labels[MOST_LABELS];
    size_t count = find_labels(l, node, labels);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof masks / sizeof *masks; k++) {
            struct alike_pick pick = {.node = node,
                                      .own = masks[k],
                                      .label = labels[i].node,
                                      .label_part = labels[i].part,
                                      .levels = labels[i].levels};
            if ((l->names[node] & masks[k]) == masks[k] && take(l, in, &pick))
                return true;
        }
    return false;
}

/* As the only such node, or the only one with one of its abilities. */
static bool by_ability(struct ui_locators *l, const struct region *in, uint32_t node, unsigned own)
{
    struct alike_pick pick = {.node = node, .own = own, .label = TAC_UI_NONE};
    if ((l->names[node] & own) != own)
        return false;
    if (take(l, in, &pick))
        return true;
    for (size_t k = 0; k < ALIKE_ABILITIES; k++) {
        pick.flag = l->ui->nodes[node].flags & ui_part_flags[alike_abilities[k]];
        if (pick.flag && take(l, in, &pick))
            return true;
    }
    return false;
}

static bool changes_inside(const tac_ui_node *node)
{
    return node->flags & (TAC_UI_EDITABLE | TAC_UI_SCROLLABLE);
}

/* Without a position. The ancestors have theirs already. */
static bool find_stable(struct ui_locators *l, uint32_t node)
{
    struct region all = {TAC_UI_NONE, 0, l->ui->count};
    bool late = changes_inside(&l->ui->nodes[node]);
    uint32_t top = l->stable[node].anchor;
    if (by_name(l, &all, node) || (!late && by_label(l, &all, node)) ||
        (late && by_ability(l, &all, node, BY_CLASS)))
        return true;
    if (top != TAC_UI_NONE) {
        struct region in = {top, top + 1, alike_end(l->alike, top)};
        bool child = l->ui->nodes[node].parent == top;
        if (by_name(l, &in, node) || (!late && by_label(l, &in, node)) ||
            by_ability(l, &in, node, BY_CLASS) || (child && by_ability(l, &in, node, 0)))
            return true;
    }
    return by_ability(l, &all, node, BY_CLASS) || (late && by_label(l, &all, node));
}

/* For the node and those above it, from the root down. */
static void find_all_above(struct ui_locators *l, uint32_t node)
{
    TAC_VEC(uint32_t) chain = {0};
    for (uint32_t n = node; n != TAC_UI_NONE && !l->stable[n].known; n = l->ui->nodes[n].parent)
        tac_vec_push(&chain, n);
    while (chain.count > 0) {
        uint32_t n = tac_vec_pop(&chain), parent = l->ui->nodes[n].parent;
        struct stable *s = &l->stable[n];
        s->anchor =
            parent == TAC_UI_NONE || l->stable[parent].found ? parent : l->stable[parent].anchor;
        s->known = true;
        find_stable(l, n);
    }
    tac_vec_free(&chain);
}

/* --- building --- */

static void add_own(tac_locator *out, const tac_ui_node *node, unsigned parts)
{
    for (unsigned k = 0; k < ALIKE_PARTS; k++)
        if (parts & 1u << tac_locator_order[k])
            tac_locator_add_value(out, tac_locator_order[k], 0,
                                  ui_part(node, tac_locator_order[k]));
}

static void add_pick(tac_locator *out, const tac_ui *ui, const struct stable *stable)
{
    const struct alike_pick *pick = &stable->pick;
    tac_locator_add_step(out, TAC_ELEMENT_NODE, !stable->child);
    add_own(out, &ui->nodes[pick->node], pick->own);
    for (size_t k = 0; k < ALIKE_ABILITIES; k++)
        if (pick->flag & ui_part_flags[alike_abilities[k]])
            tac_locator_add_value(out, alike_abilities[k], 0, "true");
    if (pick->label != TAC_UI_NONE)
        tac_locator_add_value(out, pick->label_part, pick->levels,
                              ui_part(&ui->nodes[pick->label], pick->label_part));
}

/* The stable locator of a node that has one. */
static void add_stable(tac_locator *out, const struct ui_locators *l, uint32_t node)
{
    TAC_VEC(uint32_t) chain = {0};
    for (uint32_t n = node; n != TAC_UI_NONE; n = l->stable[n].from)
        tac_vec_push(&chain, n);
    while (chain.count > 0)
        add_pick(out, l->ui, &l->stable[tac_vec_pop(&chain)]);
    tac_vec_free(&chain);
}

static void add_places(tac_locator *out, const tac_ui *ui, uint32_t top, uint32_t node)
{
    TAC_VEC(uint32_t) chain = {0};
    for (uint32_t n = node; n != top; n = ui->nodes[n].parent)
        tac_vec_push(&chain, n);
    if (top == TAC_UI_NONE)
        tac_locator_add_step(out, TAC_ELEMENT_HIERARCHY, false);
    while (chain.count > 0) {
        tac_locator_add_step(out, TAC_ELEMENT_NODE, false);
        tac_vec_last(&out->steps).place = ui->nodes[tac_vec_pop(&chain)].index + 1;
    }
    tac_vec_free(&chain);
}

/* Which of the nodes that are named like it. */
static bool by_number(const struct ui_locators *l, uint32_t node, tac_locator *out)
{
    for (size_t i = 0; i < TAC_LOCATOR_WAYS; i++) {
        unsigned parts = own_way(l, node, i);
        if (!parts || parts & BY_CLASS)
            continue;
        tac_locator_add_step(out, TAC_ELEMENT_NODE, true);
        add_own(out, &l->ui->nodes[node], parts);
        out->place = alike_rank(l->alike, node, parts);
        return true;
    }
    return false;
}

static char *written(tac_locator *locator, const char *element)
{
    tac_str out = {0};
    tac_locator_write(locator, element, &out);
    tac_locator_free(locator);
    return tac_str_take(&out);
}

char *ui_locators_write(struct ui_locators *l, uint32_t node, const char *element)
{
    tac_locator out = {0};
    assert(node < l->ui->count);
    find_all_above(l, node);
    if (l->stable[node].found) {
        add_stable(&out, l, node);
    } else if (!by_number(l, node, &out)) {
        add_stable(&out, l, l->stable[node].anchor);
        add_places(&out, l->ui, l->stable[node].anchor, node);
    }
    return written(&out, element);
}

char *ui_locators_find(struct ui_locators *l, uint32_t node)
{
    return ui_locators_write(l, node, "node");
}

char *tac_ui_xpath(const tac_ui *ui, uint32_t node)
{
    struct ui_locators *l = ui_locators_new(ui, true);
    char *xpath = ui_locators_find(l, node);
    ui_locators_free(l);
    return xpath;
}

char *ui_place(const tac_ui *ui, uint32_t node)
{
    tac_locator out = {0};
    add_places(&out, ui, TAC_UI_NONE, node);
    return written(&out, "node");
}
