/* Locators: an XPath that finds one node of a screen again, also after the screen has changed a
 * little. What names a node, best first:
 *
 *     //node[@resource-id='x']                          itself: id, description, text, two of them
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
 * ancestor it starts from, so that the locators of a screen take memory that is linear in its
 * nodes, however deep they are. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "device/alike.h"
#include "device/hierarchy.h"
#include "tactus/model.h"
#include <string.h>

enum { MOST_LABELS = 12, LONGEST_LABEL = 80, LONGEST_TEXT = 300, SCANS = 32 };

static const char *const attribute_names[ALIKE_ATTRIBUTES] = {"resource-id", "content-desc", "text",
                                                              "class"};

/* A locator without a position. */
struct stable {
    bool known; /* whether there is one was found out */
    char *step; /* behind that of the ancestor `from`; NULL = there is none */
    uint32_t from;
    uint32_t anchor; /* the nearest ancestor that has one, or TAC_UI_NONE */
};

struct ui_locators {
    const tac_ui *ui;
    struct alike *alike;
    unsigned char *names; /* bits 1 << attribute of those that may name the node */
    struct stable *stable;
};

static bool may_name(const tac_ui_node *node, int attribute)
{
    const char *value = alike_value(node, attribute);
    if (!*value || (attribute == ALIKE_TEXT && node->flags & TAC_UI_EDITABLE))
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
        for (int k = 0; k < ALIKE_ATTRIBUTES; k++)
            if ((texts || k == ALIKE_ID || k == ALIKE_CLASS) && may_name(&ui->nodes[i], k))
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
    for (uint32_t i = 0; i < l->ui->count; i++)
        free(l->stable[i].step);
    alike_free(l->alike);
    free(l->stable);
    free(l->names);
    free(l);
}

/* --- writing --- */

static void add_value(tac_str *out, const char *name, const char *value)
{
    tac_str_addf(out, "@%s=", name);
    tac_quote_xpath(out, value);
}

static void add_pick(tac_str *out, const struct ui_locators *l, const struct alike_pick *pick)
{
    const tac_ui_node *node = &l->ui->nodes[pick->node];
    tac_str_add(out, "node");
    for (int k = 0; k < ALIKE_ATTRIBUTES; k++)
        if (pick->own & 1u << k) {
            tac_str_add_char(out, '[');
            add_value(out, attribute_names[k], alike_value(node, k));
            tac_str_add_char(out, ']');
        }
    for (size_t k = 0; k < ALIKE_ABILITIES; k++)
        if (pick->flag & alike_abilities[k].flag)
            tac_str_addf(out, "[@%s='true']", alike_abilities[k].name);
    if (pick->label == TAC_UI_NONE)
        return;
    tac_str_add_char(out, '[');
    for (uint32_t i = 0; i < pick->levels; i++)
        tac_str_add(out, "node/");
    add_value(out, attribute_names[pick->label_kind],
              alike_value(&l->ui->nodes[pick->label], pick->label_kind));
    tac_str_add_char(out, ']');
}

/* --- candidates --- */

/* Where a node is looked for: the whole tree, or below the ancestor `top`. */
struct region {
    uint32_t top; /* or TAC_UI_NONE */
    uint32_t from, to;
};

static bool take(const struct ui_locators *l, const struct region *in,
                 const struct alike_pick *pick, tac_str *out)
{
    const tac_ui_node *node = &l->ui->nodes[pick->node];
    bool child = in->top != TAC_UI_NONE && node->parent == in->top;
    struct alike_region where = {in->from, in->to, child ? in->top : TAC_UI_NONE};
    if (!alike_alone(l->alike, pick, &where))
        return false;
    tac_str_add(out, child ? "/" : "//");
    add_pick(out, l, pick);
    return true;
}

/* By its own attributes. */
static bool by_name(const struct ui_locators *l, const struct region *in, uint32_t node,
                    tac_str *out)
{
    static const unsigned masks[] = {1u << ALIKE_ID,
                                     1u << ALIKE_DESCRIPTION,
                                     1u << ALIKE_TEXT,
                                     1u << ALIKE_ID | 1u << ALIKE_DESCRIPTION,
                                     1u << ALIKE_ID | 1u << ALIKE_TEXT,
                                     1u << ALIKE_CLASS | 1u << ALIKE_DESCRIPTION,
                                     1u << ALIKE_CLASS | 1u << ALIKE_TEXT,
                                     1u << ALIKE_ID | 1u << ALIKE_CLASS};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        struct alike_pick pick = {.node = node, .own = masks[i], .label = TAC_UI_NONE};
        if ((l->names[node] & masks[i]) == masks[i] && take(l, in, &pick, out))
            return true;
    }
    return false;
}

/* Ids and descriptions before texts, texts with digits last: those count or show the time. */
static int label_rank(const tac_ui_node *node, int kind)
{
    return kind != ALIKE_TEXT ? kind : strpbrk(node->text, "0123456789") ? 3 : 2;
}

struct label {
    uint32_t node, levels;
    int kind, rank;
};

/* The best few labels, by rank, then near before far, then document order. */
static size_t find_labels(const struct ui_locators *l, uint32_t node, struct label *out)
{
    size_t count = 0;
    uint32_t next = 0;
    for (uint32_t i = node + 1; i < alike_end(l->alike, node); i = next) {
        uint32_t levels = alike_depth(l->alike, i) - alike_depth(l->alike, node);
        next = levels < ALIKE_LABEL_DEPTH ? i + 1 : alike_end(l->alike, i);
        for (int kind = 0; kind < ALIKE_CLASS; kind++) {
            if (!(l->names[i] & 1u << kind) ||
                strlen(alike_value(&l->ui->nodes[i], kind)) > LONGEST_LABEL)
                continue;
            struct label label = {i, levels, kind, label_rank(&l->ui->nodes[i], kind)};
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
static bool by_label(const struct ui_locators *l, const struct region *in, uint32_t node,
                     tac_str *out)
{
    const unsigned masks[] = {l->names[node] & 1u << ALIKE_ID, 0, 1u << ALIKE_CLASS};
    struct label labels[MOST_LABELS];
    size_t count = find_labels(l, node, labels);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof masks / sizeof *masks; k++) {
            struct alike_pick pick = {.node = node,
                                      .own = masks[k],
                                      .label = labels[i].node,
                                      .label_kind = labels[i].kind,
                                      .levels = labels[i].levels};
            if ((l->names[node] & masks[k]) == masks[k] && take(l, in, &pick, out))
                return true;
        }
    return false;
}

/* By its class and one of its abilities, as the only such node. */
static bool by_class(const struct ui_locators *l, const struct region *in, uint32_t node,
                     tac_str *out)
{
    struct alike_pick pick = {.node = node, .own = 1u << ALIKE_CLASS, .label = TAC_UI_NONE};
    if (!(l->names[node] & 1u << ALIKE_CLASS))
        return false;
    if (take(l, in, &pick, out))
        return true;
    for (size_t k = 0; k < ALIKE_ABILITIES; k++) {
        pick.flag = l->ui->nodes[node].flags & alike_abilities[k].flag;
        if (pick.flag && take(l, in, &pick, out))
            return true;
    }
    return false;
}

/* The only child of the region's top, or the only one that can do something. */
static bool by_shape(const struct ui_locators *l, const struct region *in, uint32_t node,
                     tac_str *out)
{
    struct alike_pick pick = {.node = node, .label = TAC_UI_NONE};
    if (in->top == TAC_UI_NONE || l->ui->nodes[node].parent != in->top)
        return false;
    if (take(l, in, &pick, out))
        return true;
    for (size_t k = 0; k < ALIKE_ABILITIES; k++) {
        pick.flag = l->ui->nodes[node].flags & alike_abilities[k].flag;
        if (pick.flag && take(l, in, &pick, out))
            return true;
    }
    return false;
}

static bool changes_inside(const tac_ui_node *node)
{
    return node->flags & (TAC_UI_EDITABLE | TAC_UI_SCROLLABLE);
}

/* Without a position; false: there is no such locator. The ancestors have theirs already; *from is
 * the one that it starts from. */
static bool find_stable(const struct ui_locators *l, uint32_t node, uint32_t *from, tac_str *out)
{
    struct region all = {TAC_UI_NONE, 0, l->ui->count};
    bool late = changes_inside(&l->ui->nodes[node]);
    uint32_t top = l->stable[node].anchor;
    *from = TAC_UI_NONE;
    if (by_name(l, &all, node, out) || (!late && by_label(l, &all, node, out)) ||
        (late && by_class(l, &all, node, out)))
        return true;
    if (top != TAC_UI_NONE) {
        struct region in = {top, top + 1, alike_end(l->alike, top)};
        if (by_name(l, &in, node, out) || (!late && by_label(l, &in, node, out)) ||
            by_class(l, &in, node, out) || by_shape(l, &in, node, out)) {
            *from = top;
            return true;
        }
    }
    return by_class(l, &all, node, out) || (late && by_label(l, &all, node, out));
}

/* For the node and those above it, from the root down. */
static void find_all_above(struct ui_locators *l, uint32_t node)
{
    TAC_VEC(uint32_t) chain = {0};
    for (uint32_t n = node; n != TAC_UI_NONE && !l->stable[n].known; n = l->ui->nodes[n].parent)
        tac_vec_push(&chain, n);
    while (chain.count > 0) {
        uint32_t n = chain.at[--chain.count], parent = l->ui->nodes[n].parent;
        struct stable *s = &l->stable[n];
        tac_str found = {0};
        s->anchor =
            parent == TAC_UI_NONE || l->stable[parent].step ? parent : l->stable[parent].anchor;
        s->known = true;
        if (find_stable(l, n, &s->from, &found))
            s->step = tac_str_take(&found);
        else
            tac_str_free(&found);
    }
    tac_vec_free(&chain);
}

/* The stable locator of a node that has one. */
static void add_stable(tac_str *out, const struct ui_locators *l, uint32_t node)
{
    TAC_VEC(uint32_t) chain = {0};
    for (uint32_t n = node; n != TAC_UI_NONE; n = l->stable[n].from)
        tac_vec_push(&chain, n);
    while (chain.count > 0)
        tac_str_add(out, l->stable[chain.at[--chain.count]].step);
    tac_vec_free(&chain);
}

/* --- places --- */

static void add_path(tac_str *out, const tac_ui *ui, uint32_t top, uint32_t node)
{
    TAC_VEC(uint32_t) chain = {0};
    for (uint32_t n = node; n != top; n = ui->nodes[n].parent)
        tac_vec_push(&chain, n);
    while (chain.count > 0)
        tac_str_addf(out, "/node[%u]", ui->nodes[chain.at[--chain.count]].index + 1);
    tac_vec_free(&chain);
}

/* Which of the nodes with its id, description or text it is. */
static bool by_number(const struct ui_locators *l, uint32_t node, tac_str *out)
{
    for (int kind = 0; kind < ALIKE_CLASS; kind++) {
        if (!(l->names[node] & 1u << kind))
            continue;
        tac_str_add(out, "(//node[");
        add_value(out, attribute_names[kind], alike_value(&l->ui->nodes[node], kind));
        tac_str_addf(out, "])[%u]", alike_rank(l->alike, node, kind));
        return true;
    }
    return false;
}

char *ui_locators_find(struct ui_locators *l, uint32_t node)
{
    tac_str out = {0};
    assert(node < l->ui->count);
    find_all_above(l, node);
    if (l->stable[node].step) {
        add_stable(&out, l, node);
    } else if (!by_number(l, node, &out)) {
        uint32_t top = l->stable[node].anchor;
        if (top == TAC_UI_NONE)
            tac_str_add(&out, "/hierarchy");
        else
            add_stable(&out, l, top);
        add_path(&out, l->ui, top, node);
    }
    return tac_str_take(&out);
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
    tac_str out = {0};
    tac_str_add(&out, "/hierarchy");
    add_path(&out, ui, TAC_UI_NONE, node);
    return tac_str_take(&out);
}
