/* Locators: an XPath that finds one node of a screen again, also after the screen has changed a
 * little. What names a node, best first:
 *
 *     //node[@resource-id='x']                          itself: id, description, text, two of them
 *     //node[node/@text='Today']                        what it holds, down to LABEL_DEPTH levels
 *     //node[node/@text='21']/node[@text='SAT']         the same inside the nearest stable ancestor
 *     //node[@scrollable='true']                        the only one of its class and abilities
 *     (//node[@resource-id='row'])[3], ANCESTOR/node[2] its place: the last resort
 *
 * What a person types into a field and what a list shows changes, so fields and lists are named by
 * their class and abilities before what they hold. Focus, selection and check marks name nothing.
 *
 * Texts become numbers first, so that comparing nodes is comparing numbers. One locator costs
 * O(nodes x candidates) for it and each of its ancestors; every candidate that is taken was
 * compared with all other nodes of its region, so a locator always selects its node alone. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "device/hierarchy.h"
#include "tactus/model.h"
#include <string.h>

enum { ID, DESCRIPTION, TEXT, CLASS, ATTRIBUTES };
enum { MOST_LABELS = 12, LABEL_DEPTH = 5, LONGEST_LABEL = 80, LONGEST_TEXT = 300 };

/* Abilities that do not change while nobody programs the app. */
static const struct {
    uint32_t flag;
    const char *name;
} abilities[] = {{TAC_UI_SCROLLABLE, "scrollable"},
                 {TAC_UI_CLICKABLE, "clickable"},
                 {TAC_UI_LONG_CLICKABLE, "long-clickable"},
                 {TAC_UI_CHECKABLE, "checkable"},
                 {TAC_UI_PASSWORD, "password"}};
enum { ABILITIES = sizeof abilities / sizeof *abilities };

static const char *const attribute_names[ATTRIBUTES] = {"resource-id", "content-desc", "text",
                                                        "class"};

struct locating {
    const tac_ui *ui;
    uint32_t (*values)[ATTRIBUTES]; /* equal numbers for equal texts */
    unsigned char *names;           /* bits 1 << attribute of those that may name the node */
    uint32_t *ends;                 /* behind the last descendant of each node */
    char **stable;                  /* locators without a position; NULL = none */
};

/* What a node must have: attributes and abilities like those of `node`, and a descendant `levels`
 * below it whose attribute is that of `label`. */
struct pick {
    uint32_t node;
    unsigned own;    /* bits 1 << attribute */
    uint32_t flags;  /* of abilities */
    uint32_t label;  /* a descendant, or TAC_UI_NONE */
    int label_kind;  /* its attribute */
    uint32_t levels; /* from the node down to the label */
};

static const char *value_of(const tac_ui_node *node, int attribute)
{
    return attribute == ID            ? node->resource_id
           : attribute == DESCRIPTION ? node->description
           : attribute == TEXT        ? node->text
                                      : node->class_name;
}

static bool may_name(const tac_ui_node *node, int attribute)
{
    const char *value = value_of(node, attribute);
    if (!*value || (attribute == TEXT && node->flags & TAC_UI_EDITABLE))
        return false;
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < 32 || c - value > LONGEST_TEXT)
            return false;
    return true;
}

static void begin(struct locating *l, const tac_ui *ui, bool texts)
{
    tac_names names = {0};
    *l = (struct locating){.ui = ui};
    l->values = tac_calloc((size_t)ui->count + 1, sizeof *l->values);
    l->names = tac_calloc((size_t)ui->count + 1, sizeof *l->names);
    l->ends = tac_calloc((size_t)ui->count + 1, sizeof *l->ends);
    l->stable = tac_calloc((size_t)ui->count + 1, sizeof *l->stable);
    for (uint32_t i = 0; i < ui->count; i++)
        for (int k = 0; k < ATTRIBUTES; k++) {
            l->values[i][k] = tac_names_intern(&names, value_of(&ui->nodes[i], k));
            l->names[i] |=
                (unsigned char)(may_name(&ui->nodes[i], k) && (texts || k == ID || k == CLASS)
                                    ? 1u << k
                                    : 0);
        }
    for (uint32_t i = ui->count; i-- > 0;) {
        uint32_t parent = ui->nodes[i].parent;
        l->ends[i] = l->ends[i] > i ? l->ends[i] : i + 1;
        if (parent != TAC_UI_NONE && l->ends[parent] < l->ends[i])
            l->ends[parent] = l->ends[i];
    }
    tac_names_free(&names);
}

static void end(struct locating *l)
{
    for (uint32_t i = 0; i < l->ui->count; i++)
        free(l->stable[i]);
    free(l->stable);
    free(l->values);
    free(l->names);
    free(l->ends);
}

/* --- comparing --- */

static bool fits_own(const struct locating *l, const struct pick *pick, uint32_t node)
{
    for (int k = 0; k < ATTRIBUTES; k++)
        if (pick->own & 1u << k && l->values[node][k] != l->values[pick->node][k])
            return false;
    return (l->ui->nodes[node].flags & pick->flags) == pick->flags;
}

/* The node `levels` above, or TAC_UI_NONE. */
static uint32_t above(const struct locating *l, uint32_t node, uint32_t levels)
{
    for (; levels && node != TAC_UI_NONE; levels--)
        node = l->ui->nodes[node].parent;
    return node;
}

/* Is the pick's node the only one in [from, to), and `depth` levels below `top` if depth > 0? */
static bool alone(const struct locating *l, const struct pick *pick, uint32_t from, uint32_t to,
                  uint32_t top, uint32_t depth)
{
    bool labelled = pick->label != TAC_UI_NONE;
    for (uint32_t i = from; i < to; i++) {
        uint32_t node = i;
        if (labelled) {
            if (l->values[i][pick->label_kind] != l->values[pick->label][pick->label_kind])
                continue;
            if (above(l, i, pick->levels) == TAC_UI_NONE &&
                above(l, i, pick->levels - 1) != TAC_UI_NONE)
                return false; /* a reader that calls all elements alike would take the root element
                               */
            node = above(l, i, pick->levels);
        }
        if (node == TAC_UI_NONE || node == pick->node || node < from || node >= to)
            continue;
        if (fits_own(l, pick, node) && (!depth || above(l, node, depth) == top))
            return false;
    }
    return true;
}

/* --- writing --- */

static void add_value(tac_str *out, const char *name, const char *value)
{
    tac_str_addf(out, "@%s=", name);
    tac_quote_xpath(out, value);
}

static void add_pick(tac_str *out, const struct locating *l, const struct pick *pick)
{
    const tac_ui_node *node = &l->ui->nodes[pick->node];
    tac_str_add(out, "node");
    for (int k = 0; k < ATTRIBUTES; k++)
        if (pick->own & 1u << k) {
            tac_str_add_char(out, '[');
            add_value(out, attribute_names[k], value_of(node, k));
            tac_str_add_char(out, ']');
        }
    for (size_t k = 0; k < ABILITIES; k++)
        if (pick->flags & abilities[k].flag)
            tac_str_addf(out, "[@%s='true']", abilities[k].name);
    if (pick->label == TAC_UI_NONE)
        return;
    tac_str_add_char(out, '[');
    for (uint32_t i = 0; i < pick->levels; i++)
        tac_str_add(out, "node/");
    add_value(out, attribute_names[pick->label_kind],
              value_of(&l->ui->nodes[pick->label], pick->label_kind));
    tac_str_add_char(out, ']');
}

/* --- candidates --- */

/* Where a node is looked for: the whole tree, or below the ancestor `top`, whose locator is
 * `prefix`. */
struct region {
    uint32_t top; /* or TAC_UI_NONE */
    const char *prefix;
    uint32_t from, to;
};

static bool take(const struct locating *l, const struct region *in, const struct pick *pick,
                 tac_str *out)
{
    const tac_ui_node *node = &l->ui->nodes[pick->node];
    bool child = in->top != TAC_UI_NONE && node->parent == in->top;
    if (!alone(l, pick, in->from, in->to, in->top, child))
        return false;
    tac_str_addf(out, "%s%s", in->prefix, child ? "/" : "//");
    add_pick(out, l, pick);
    return true;
}

/* By its own attributes. */
static bool by_name(const struct locating *l, const struct region *in, uint32_t node, tac_str *out)
{
    static const unsigned masks[] = {1u << ID,
                                     1u << DESCRIPTION,
                                     1u << TEXT,
                                     1u << ID | 1u << DESCRIPTION,
                                     1u << ID | 1u << TEXT,
                                     1u << CLASS | 1u << DESCRIPTION,
                                     1u << CLASS | 1u << TEXT,
                                     1u << ID | 1u << CLASS};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        struct pick pick = {.node = node, .own = masks[i], .label = TAC_UI_NONE};
        if ((l->names[node] & masks[i]) == masks[i] && take(l, in, &pick, out))
            return true;
    }
    return false;
}

/* Ids and descriptions before texts, texts with digits last: those count or show the time. */
static int label_rank(const tac_ui_node *node, int kind)
{
    return kind != TEXT ? kind : strpbrk(node->text, "0123456789") ? 3 : 2;
}

struct label {
    uint32_t node, levels;
    int kind, rank;
};

/* The best few labels, by rank, then near before far, then document order. */
static size_t find_labels(const struct locating *l, uint32_t node, struct label *out)
{
    size_t count = 0;
    for (uint32_t i = node + 1; i < l->ends[node]; i++) {
        uint32_t levels = 1, p = l->ui->nodes[i].parent;
        for (; p != node && levels <= LABEL_DEPTH; p = l->ui->nodes[p].parent)
            levels++;
        for (int kind = 0; kind < CLASS && levels <= LABEL_DEPTH; kind++) {
            if (!(l->names[i] & 1u << kind) ||
                strlen(value_of(&l->ui->nodes[i], kind)) > LONGEST_LABEL)
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
static bool by_label(const struct locating *l, const struct region *in, uint32_t node, tac_str *out)
{
    const unsigned masks[] = {l->names[node] & 1u << ID, 0, 1u << CLASS};
    struct label labels[MOST_LABELS];
    size_t count = find_labels(l, node, labels);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof masks / sizeof *masks; k++) {
            struct pick pick = {.node = node,
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
static bool by_class(const struct locating *l, const struct region *in, uint32_t node, tac_str *out)
{
    struct pick pick = {.node = node, .own = 1u << CLASS, .label = TAC_UI_NONE};
    if (!(l->names[node] & 1u << CLASS))
        return false;
    if (take(l, in, &pick, out))
        return true;
    for (size_t k = 0; k < ABILITIES; k++) {
        pick.flags = l->ui->nodes[node].flags & abilities[k].flag;
        if (pick.flags && take(l, in, &pick, out))
            return true;
    }
    return false;
}

/* The only child of the region's top, or the only one that can do something. */
static bool by_shape(const struct locating *l, const struct region *in, uint32_t node, tac_str *out)
{
    struct pick pick = {.node = node, .label = TAC_UI_NONE};
    if (in->top == TAC_UI_NONE || l->ui->nodes[node].parent != in->top)
        return false;
    if (take(l, in, &pick, out))
        return true;
    for (size_t k = 0; k < ABILITIES; k++) {
        pick.flags = l->ui->nodes[node].flags & abilities[k].flag;
        if (pick.flags && take(l, in, &pick, out))
            return true;
    }
    return false;
}

static bool changes_inside(const tac_ui_node *node)
{
    return node->flags & (TAC_UI_EDITABLE | TAC_UI_SCROLLABLE);
}

/* The nearest ancestor with a stable locator, or TAC_UI_NONE. */
static uint32_t anchor_of(const struct locating *l, uint32_t node)
{
    uint32_t top = l->ui->nodes[node].parent;
    while (top != TAC_UI_NONE && !l->stable[top])
        top = l->ui->nodes[top].parent;
    return top;
}

/* Without a position; false: there is no such locator. The ancestors have theirs already. */
static bool find_stable(const struct locating *l, uint32_t node, tac_str *out)
{
    struct region all = {TAC_UI_NONE, "", 0, l->ui->count};
    bool late = changes_inside(&l->ui->nodes[node]);
    if (by_name(l, &all, node, out) || (!late && by_label(l, &all, node, out)) ||
        (late && by_class(l, &all, node, out)))
        return true;
    uint32_t top = anchor_of(l, node);
    bool found = false;
    if (top != TAC_UI_NONE) {
        struct region in = {top, l->stable[top], top + 1, l->ends[top]};
        found = by_name(l, &in, node, out) || (!late && by_label(l, &in, node, out)) ||
                by_class(l, &in, node, out) || by_shape(l, &in, node, out);
    }
    return found || by_class(l, &all, node, out) || (late && by_label(l, &all, node, out));
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
static bool by_number(const struct locating *l, uint32_t node, tac_str *out)
{
    for (int kind = 0; kind < CLASS; kind++) {
        uint32_t before = 0;
        if (!(l->names[node] & 1u << kind))
            continue;
        for (uint32_t i = 0; i <= node; i++)
            before += l->values[i][kind] == l->values[node][kind];
        tac_str_add(out, "(//node[");
        add_value(out, attribute_names[kind], value_of(&l->ui->nodes[node], kind));
        tac_str_addf(out, "])[%u]", before);
        return true;
    }
    return false;
}

/* For the node and those above it, from the root down. */
static void find_all_above(struct locating *l, uint32_t node)
{
    TAC_VEC(uint32_t) chain = {0};
    for (uint32_t n = node; n != TAC_UI_NONE; n = l->ui->nodes[n].parent)
        tac_vec_push(&chain, n);
    while (chain.count > 0) {
        uint32_t n = chain.at[--chain.count];
        tac_str found = {0};
        if (find_stable(l, n, &found))
            l->stable[n] = tac_str_take(&found);
        else
            tac_str_free(&found);
    }
    tac_vec_free(&chain);
}

char *ui_locator(const tac_ui *ui, uint32_t node, bool texts)
{
    struct locating l;
    tac_str out = {0};
    assert(node < ui->count);
    begin(&l, ui, texts);
    find_all_above(&l, node);
    if (l.stable[node]) {
        tac_str_add(&out, l.stable[node]);
    } else if (!by_number(&l, node, &out)) {
        uint32_t top = anchor_of(&l, node);
        tac_str_add(&out, top == TAC_UI_NONE ? "/hierarchy" : l.stable[top]);
        add_path(&out, ui, top, node);
    }
    end(&l);
    return tac_str_take(&out);
}

char *tac_ui_xpath(const tac_ui *ui, uint32_t node)
{
    return ui_locator(ui, node, true);
}

char *ui_place(const tac_ui *ui, uint32_t node)
{
    tac_str out = {0};
    tac_str_add(&out, "/hierarchy");
    add_path(&out, ui, TAC_UI_NONE, node);
    return tac_str_take(&out);
}
