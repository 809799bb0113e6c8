/* Texts become numbers first, so that comparing nodes is comparing numbers.
 *
 * A kind of question is what it compares: which attributes, which ability, a label of which
 * attribute how far below, among all nodes or the children of one. The first questions of a kind go
 * through the nodes. Then the kind gets a table of all nodes by (what is compared, number), in
 * which the others with the same are neighbours: one node's questions cost O(nodes), those of all
 * nodes together O(nodes log nodes) per kind, of which there are a few dozen. */
#include "device/alike.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/vec.h"
#include "device/hierarchy.h"

const tac_part alike_abilities[ALIKE_ABILITIES] = {TAC_PART_SCROLLABLE, TAC_PART_CLICKABLE,
                                                   TAC_PART_LONG_CLICKABLE, TAC_PART_CHECKABLE,
                                                   TAC_PART_PASSWORD};

/* Kinds by number: what is asked for beside the own attributes comes in SIDES ways. */
enum {
    LABELS = TAC_PART_CLASS * ALIKE_LABEL_DEPTH,
    FIRST_LABEL = 1 + ALIKE_ABILITIES,
    FIRST_ROOT = FIRST_LABEL + LABELS, /* a label that would name the root element */
    SIDES = FIRST_ROOT + LABELS,
    MASKS = 1 << ALIKE_PARTS,
    KINDS = SIDES * MASKS * 2
};

struct alike_entry {
    uint64_t own, place; /* attributes; label and parent */
    uint32_t node;
};

struct alike_table {
    uint32_t asked;
    bool sorted;
    TAC_VEC(struct alike_entry) entries; /* by own, place, node; one may stand there twice */
};

struct alike {
    const tac_ui *ui;
    uint32_t scans;
    uint32_t (*values)[ALIKE_PARTS]; /* equal numbers for equal texts; 0 = the empty one */
    uint32_t *depths, *ends;
    uint8_t numbers[KINDS];               /* of the kind's table, from 1; 0 = not yet asked */
    TAC_VEC(struct alike_table *) tables; /* only a few dozen kinds are asked */
};

struct alike *alike_new(const tac_ui *ui, uint32_t scans)
{
    tac_names names = {0};
    struct alike *a = tac_calloc(1, sizeof *a);
    a->ui = ui;
    a->scans = scans;
    a->values = tac_calloc((size_t)ui->count + 1, sizeof *a->values);
    a->depths = tac_calloc((size_t)ui->count + 1, sizeof *a->depths);
    a->ends = tac_calloc((size_t)ui->count + 1, sizeof *a->ends);
    tac_names_intern(&names, "");
    for (uint32_t i = 0; i < ui->count; i++) {
        uint32_t parent = ui->nodes[i].parent;
        assert(parent == TAC_UI_NONE || parent < i);
        a->depths[i] = parent == TAC_UI_NONE ? 0 : a->depths[parent] + 1;
        for (unsigned k = 0; k < ALIKE_PARTS; k++)
            a->values[i][k] = tac_names_intern(&names, ui_text(&ui->nodes[i], k));
    }
    for (uint32_t i = ui->count; i-- > 0;) {
        uint32_t parent = ui->nodes[i].parent;
        a->ends[i] = a->ends[i] > i ? a->ends[i] : i + 1;
        if (parent != TAC_UI_NONE && a->ends[parent] < a->ends[i])
            a->ends[parent] = a->ends[i];
    }
    tac_names_free(&names);
    return a;
}

void alike_free(struct alike *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->tables.count; i++) {
        tac_vec_free(&a->tables.at[i]->entries);
        free(a->tables.at[i]);
    }
    tac_vec_free(&a->tables);
    free(a->values);
    free(a->depths);
    free(a->ends);
    free(a);
}

uint32_t alike_depth(const struct alike *a, uint32_t node)
{
    return a->depths[node];
}

uint32_t alike_end(const struct alike *a, uint32_t node)
{
    return a->ends[node];
}

/* The node `levels` above, or TAC_UI_NONE. */
static uint32_t above(const struct alike *a, uint32_t node, uint32_t levels)
{
    for (; levels && node != TAC_UI_NONE; levels--)
        node = a->ui->nodes[node].parent;
    return node;
}

/* --- by the definition --- */

static bool fits_own(const struct alike *a, const struct alike_pick *pick, uint32_t node)
{
    for (unsigned k = 0; k < ALIKE_PARTS; k++)
        if (pick->own & 1u << k && a->values[node][k] != a->values[pick->node][k])
            return false;
    return (a->ui->nodes[node].flags & pick->flag) == pick->flag;
}

static bool has_label(const struct alike *a, const struct alike_pick *pick, uint32_t node)
{
    return a->values[node][pick->label_part] == a->values[pick->label][pick->label_part];
}

static bool scan_alone(const struct alike *a, const struct alike_pick *pick,
                       const struct alike_region *in)
{
    for (uint32_t i = in->from; i < in->to; i++) {
        if (pick->label != TAC_UI_NONE && !has_label(a, pick, i))
            continue;
        uint32_t node = pick->label != TAC_UI_NONE ? above(a, i, pick->levels) : i;
        if (node == TAC_UI_NONE && a->depths[i] == pick->levels - 1)
            return false; /* the root element */
        if (node == TAC_UI_NONE || node == pick->node || node < in->from || node >= in->to)
            continue;
        if (fits_own(a, pick, node) &&
            (in->parent == TAC_UI_NONE || a->ui->nodes[node].parent == in->parent))
            return false;
    }
    return true;
}

/* --- by tables --- */

static uint32_t side_of(const struct alike_pick *pick)
{
    if (pick->label != TAC_UI_NONE)
        return FIRST_LABEL + (uint32_t)pick->label_part * ALIKE_LABEL_DEPTH + pick->levels - 1;
    for (uint32_t k = 0; k < ALIKE_ABILITIES; k++)
        if (pick->flag == ui_part_flags[alike_abilities[k]])
            return 1 + k;
    return 0;
}

/* What is compared of a node that has `label` (a value's number, or 0). False: the attributes that
 * are asked for are empty, and nobody asks for those. */
static bool entry_of(const struct alike *a, unsigned own, uint32_t node, uint32_t label,
                     bool children, struct alike_entry *out)
{
    *out = (struct alike_entry){.node = node, .place = (uint64_t)label << 32};
    for (unsigned k = 0; k < ALIKE_PARTS; k++)
        if (own & 1u << k) {
            if (!a->values[node][k])
                return false;
            out->own = out->own << 32 | a->values[node][k];
        }
    if (children)
        out->place |= a->ui->nodes[node].parent;
    return true;
}

/* Adds what node i gives to the table of a kind: itself, or the one whose label it is. */
static void add_entry(const struct alike *a, struct alike_table *table, unsigned own, uint32_t side,
                      bool children, uint32_t i)
{
    struct alike_entry entry;
    uint32_t node = i, label = 0;
    if (side >= FIRST_LABEL) {
        bool root = side >= FIRST_ROOT;
        uint32_t at = side - (root ? FIRST_ROOT : FIRST_LABEL);
        uint32_t levels = at % ALIKE_LABEL_DEPTH + 1;
        label = a->values[i][at / ALIKE_LABEL_DEPTH];
        node = root ? (a->depths[i] == levels - 1 ? i : TAC_UI_NONE) : above(a, i, levels);
        if (!label || node == TAC_UI_NONE)
            return;
    } else if (side && !(a->ui->nodes[i].flags & ui_part_flags[alike_abilities[side - 1]])) {
        return;
    }
    if (entry_of(a, own, node, label, children, &entry))
        tac_vec_push(&table->entries, entry);
}

static int compare_entries(const void *left, const void *right)
{
    const struct alike_entry *x = left, *y = right;
    if (x->own != y->own)
        return x->own < y->own ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* The table of a kind; NULL while it is not worth one. */
static const struct alike_table *table_of(struct alike *a, unsigned own, uint32_t side,
                                          bool children)
{
    assert(own < MASKS && side < SIDES);
    uint8_t *number = &a->numbers[(side * MASKS + own) * 2 + children];
    if (!*number) {
        if (a->tables.count == UINT8_MAX)
            return NULL;
        tac_vec_push(&a->tables, tac_calloc(1, sizeof **a->tables.at));
        *number = (uint8_t)a->tables.count;
    }
    struct alike_table *table = a->tables.at[*number - 1];
    if (table->sorted)
        return table;
    if (table->asked < a->scans || a->scans == UINT32_MAX) {
        table->asked++;
        return NULL;
    }
    for (uint32_t i = 0; i < a->ui->count; i++)
        add_entry(a, table, own, side, children, i);
    if (table->entries.count)
        qsort(table->entries.at, table->entries.count, sizeof *table->entries.at, compare_entries);
    table->sorted = true;
    return table;
}

/* Where the first entry stands that is not before this one. */
static size_t lower_bound(const struct alike_table *table, const struct alike_entry *entry)
{
    size_t low = 0, high = table->entries.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_entries(&table->entries.at[middle], entry) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first node from `from` on with what the entry has; TAC_UI_NONE. */
static uint32_t first_from(const struct alike_table *table, struct alike_entry entry, uint32_t from)
{
    entry.node = from;
    size_t at = lower_bound(table, &entry);
    if (at == table->entries.count || table->entries.at[at].own != entry.own ||
        table->entries.at[at].place != entry.place)
        return TAC_UI_NONE;
    return table->entries.at[at].node;
}

/* Whether the label, so many levels below the root element, would name that. */
static bool names_root(const struct alike *a, const struct alike_table *roots,
                       const struct alike_pick *pick, const struct alike_region *in)
{
    struct alike_entry label = {.place = (uint64_t)a->values[pick->label][pick->label_part] << 32};
    return first_from(roots, label, in->from) < in->to;
}

bool alike_alone(struct alike *a, const struct alike_pick *pick, const struct alike_region *in)
{
    assert(in->from <= pick->node && pick->node < in->to && in->to <= a->ui->count);
    bool labelled = pick->label != TAC_UI_NONE, children = in->parent != TAC_UI_NONE;
    uint32_t side = side_of(pick);
    const struct alike_table *table = table_of(a, pick->own, side, children), *roots = NULL;
    struct alike_entry entry;
    if (!table)
        return scan_alone(a, pick, in);
    if (labelled && !(roots = table_of(a, 0, side + LABELS, false)))
        return scan_alone(a, pick, in);
    bool named =
        entry_of(a, pick->own, pick->node, labelled ? a->values[pick->label][pick->label_part] : 0,
                 children, &entry);
    assert(named && (!children || a->ui->nodes[pick->node].parent == in->parent));
    if (roots && names_root(a, roots, pick, in))
        return false;
    uint32_t first = first_from(table, entry, in->from);
    if (first == pick->node)
        first = first_from(table, entry, pick->node + 1);
    bool alone = first >= in->to; /* TAC_UI_NONE is behind all nodes */
    assert_costly(alone == scan_alone(a, pick, in));
    return alone;
}

uint32_t alike_rank(struct alike *a, uint32_t node, unsigned parts)
{
    const struct alike_table *table = table_of(a, parts, 0, false);
    struct alike_entry entry;
    uint32_t rank = 0;
    if (table && entry_of(a, parts, node, 0, false, &entry)) {
        size_t last = lower_bound(table, &entry);
        entry.node = 0;
        return (uint32_t)(last - lower_bound(table, &entry)) + 1;
    }
    for (uint32_t i = 0; i <= node; i++)
        rank += fits_own(a, &(struct alike_pick){.node = node, .own = parts}, i);
    return rank;
}
