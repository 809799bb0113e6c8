/* Which view of a screen an event was on, and an XPath that selects it and no other.
 *
 * A locator is a conjunction of equalities over resource-id, text, content-desc and class, tried
 * from what survives changes best (the id alone) to what says most; where none of them is unique
 * the most selective one gets a position, "(...)[3]", which every test tool can say too. What is
 * typed into a field is no part of its locator. Checked by counting matches in the same tree, so it
 * selects exactly one node. Cost: O(views) per candidate. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/locator/locator.h"
#include "model/exchange/droidbot_folder.h"
#include <string.h>

enum {
    BY_ID = 1 << TAC_PART_ID,
    BY_LABEL = 1 << TAC_PART_LABEL,
    BY_TEXT = 1 << TAC_PART_TEXT,
    BY_CLASS = 1 << TAC_PART_CLASS
};
enum { LONG_TEXT = 80 }; /* longer texts are content rather than a name */

static bool same_bounds(const struct droidbot_view *a, const struct droidbot_view *b)
{
    return !memcmp(a->bounds, b->bounds, sizeof a->bounds);
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool same_looks(const struct droidbot_view *a, const struct droidbot_view *b)
{
    if (a->hash && b->hash && !strcmp(a->hash, b->hash))
        return true;
    return same_text(a->class_name, b->class_name) && same_text(a->resource_id, b->resource_id) &&
           same_text(a->description, b->description) &&
           (same_text(a->text, b->text) || (a->editable && b->editable));
}

/* How far two views are apart, for choosing among those that look alike. */
static long distance(const struct droidbot_view *a, const struct droidbot_view *b)
{
    long sum = 0;
    for (int i = 0; i < 4; i++)
        sum += labs((long)a->bounds[i] - b->bounds[i]);
    return sum;
}

uint32_t droidbot_match(const struct droidbot_view *tree, uint32_t count,
                        const struct droidbot_view *view, uint32_t number)
{
    uint32_t best = TAC_NONE, same_place = TAC_NONE;
    long best_distance = 0;
    if (number < count && same_looks(&tree[number], view) && same_bounds(&tree[number], view))
        return number;
    for (uint32_t i = 0; i < count; i++) {
        if (same_bounds(&tree[i], view) && same_text(tree[i].class_name, view->class_name) &&
            same_place == TAC_NONE)
            same_place = i;
        if (!same_looks(&tree[i], view))
            continue;
        if (same_bounds(&tree[i], view))
            return i;
        /* the same number in the document beats any distance */
        long apart = i == number ? 0 : 1 + distance(&tree[i], view);
        if (best == TAC_NONE || apart < best_distance) {
            best = i;
            best_distance = apart;
        }
    }
    return best != TAC_NONE ? best : same_place;
}

/* NULL when it has none. */
static const char *value_of(const struct droidbot_view *view, tac_part part)
{
    return part == TAC_PART_ID      ? view->resource_id
           : part == TAC_PART_TEXT  ? view->text
           : part == TAC_PART_LABEL ? view->description
                                    : view->class_name;
}

static bool fits(const struct droidbot_view *view, const struct droidbot_view *wanted, unsigned by)
{
    bool fit = true;
    for (unsigned part = 0; part <= TAC_PART_CLASS && fit; part++)
        if (by & 1u << part)
            fit = value_of(view, part) && !strcmp(value_of(view, part), value_of(wanted, part));
    return fit;
}

/* How many views fit, and which of them this one is, from 1. */
static uint32_t count_fitting(const struct droidbot_view *tree, uint32_t count, uint32_t view,
                              unsigned by, uint32_t *place)
{
    uint32_t fitting = 0;
    for (uint32_t i = 0; i < count; i++) {
        fitting += fits(&tree[i], &tree[view], by);
        if (i == view)
            *place = fitting;
    }
    return fitting;
}

/* What may name the view. */
static unsigned names_of(const struct droidbot_view *view)
{
    unsigned names = 0;
    for (unsigned part = 0; part <= TAC_PART_CLASS; part++)
        if (value_of(view, part))
            names |= 1u << part;
    return view->editable || (view->text && strlen(view->text) > LONG_TEXT)
               ? names & ~(unsigned)BY_TEXT
               : names;
}

static char *build(tac_arena *arena, const struct droidbot_view *view, unsigned by, uint32_t place)
{
    static const tac_part order[] = {TAC_PART_ID, TAC_PART_TEXT, TAC_PART_LABEL, TAC_PART_CLASS};
    tac_locator locator = {.place = place};
    tac_str out = {0};
    tac_locator_add_step(&locator, TAC_ELEMENT_ANY, true);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (by & 1u << order[i])
            tac_locator_add_value(&locator, order[i], 0, value_of(view, order[i]));
    if (!by) {
        tac_vec_push(&locator.conditions, (tac_condition){.kind = TAC_CONDITION_PRESENT,
                                                          .part = TAC_PART_OTHER,
                                                          .name = "bounds"});
        tac_locator_add_condition(&locator, 0);
    }
    tac_locator_write(&locator, "node", &out);
    char *xpath = tac_arena_strdup(arena, tac_str_text(&out));
    tac_locator_free(&locator);
    tac_str_free(&out);
    return xpath;
}

char *droidbot_locator(tac_arena *arena, const struct droidbot_view *tree, uint32_t count,
                       uint32_t view, bool *unique_id, bool *positional)
{
    static const unsigned orders[] = {BY_ID,
                                      BY_LABEL,
                                      BY_ID | BY_TEXT,
                                      BY_TEXT,
                                      BY_ID | BY_LABEL,
                                      BY_TEXT | BY_CLASS,
                                      BY_LABEL | BY_CLASS,
                                      BY_ID | BY_CLASS,
                                      BY_ID | BY_TEXT | BY_LABEL,
                                      BY_ID | BY_TEXT | BY_CLASS,
                                      BY_CLASS,
                                      BY_ID | BY_TEXT | BY_LABEL | BY_CLASS};
    uint32_t fewest = UINT32_MAX, place = view + 1; /* nothing is known of it: among all */
    unsigned chosen = 0, names = names_of(&tree[view]);
    assert(view < count);
    for (size_t i = 0; i < sizeof orders / sizeof *orders && fewest > 1; i++) {
        uint32_t here = 0, fitting = (names & orders[i]) == orders[i]
                                         ? count_fitting(tree, count, view, orders[i], &here)
                                         : UINT32_MAX;
        if (fitting < fewest) {
            fewest = fitting;
            place = here;
            chosen = orders[i];
        }
    }
    *positional = fewest > 1;
    *unique_id = chosen == BY_ID && fewest == 1;
    return build(arena, &tree[view], chosen, *positional ? place : 0);
}

/* DroidBot's width and height of a screen are the device's, not those of the way it is held, so the
 * extent is that of the views. */
char *droidbot_area(const struct droidbot_folder *folder, tac_arena *arena,
                    const struct droidbot_view *tree, uint32_t count,
                    const struct droidbot_view *view)
{
    int extent[2] = {0, 0};
    char *parts[4];
    if (count < 2)
        memcpy(extent, folder->extent, sizeof extent);
    for (uint32_t i = 0; i < count; i++)
        for (int axis = 0; axis < 2; axis++)
            if (tree[i].bounds[2 + axis] > extent[axis])
                extent[axis] = tree[i].bounds[2 + axis];
    if (view->bounds[0] >= view->bounds[2] || view->bounds[1] >= view->bounds[3] ||
        view->bounds[2] <= 0 || view->bounds[3] <= 0)
        return NULL;
    for (int i = 0; i < 4; i++) {
        double share = 100.0 * view->bounds[i] / extent[i % 2];
        char text[40];
        share = share < 0 ? 0 : share > 100 ? 100 : share;
        tac_double_text((double)(long)(share * 100 + 0.5) / 100, text, sizeof text);
        parts[i] = tac_arena_strdup(arena, text);
    }
    return tac_arena_format(arena, "%s %s %s %s", parts[0], parts[1], parts[2], parts[3]);
}
