/* Which view of a screen an event was on, and an XPath that selects it and no other.
 *
 * A locator is a conjunction of equalities over resource-id, text, content-desc and class, tried
 * from what survives changes best (the id alone) to what says most; where none of them is unique
 * the most selective one gets a position, "(...)[3]", which every test tool can say too. What is
 * typed into a field is no part of its locator. Checked by counting matches in the same tree, so it
 * selects exactly one node. Cost: O(views) per candidate. */
#include "base/check.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "model/exchange/droidbot_folder.h"
#include <string.h>

enum { BY_ID = 1, BY_TEXT = 2, BY_DESCRIPTION = 4, BY_CLASS = 8 };
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

static const char *value_of(const struct droidbot_view *view, int attribute)
{
    switch (attribute) {
    case BY_ID:
        return view->resource_id;
    case BY_TEXT:
        return view->text;
    case BY_DESCRIPTION:
        return view->description;
    default:
        return view->class_name;
    }
}

static bool fits(const struct droidbot_view *view, const struct droidbot_view *wanted, int by)
{
    for (int attribute = BY_ID; attribute <= BY_CLASS; attribute *= 2)
        if (by & attribute) {
            const char *value = value_of(view, attribute);
            if (!value || strcmp(value, value_of(wanted, attribute)) != 0)
                return false;
        }
    return true;
}

static void add_tests(tac_str *out, const struct droidbot_view *view, int by)
{
    static const char *const names[] = {[BY_ID] = "resource-id",
                                        [BY_TEXT] = "text",
                                        [BY_DESCRIPTION] = "content-desc",
                                        [BY_CLASS] = "class"};
    for (int attribute = BY_ID; attribute <= BY_CLASS; attribute *= 2)
        if (by & attribute) {
            tac_str_addf(out, "[@%s=", names[attribute]);
            tac_quote_xpath(out, value_of(view, attribute));
            tac_str_add(out, "]");
        }
}

/* How many views fit, and which of them this one is, from 1. */
static uint32_t count_fitting(const struct droidbot_view *tree, uint32_t count, uint32_t view,
                              int by, uint32_t *place)
{
    uint32_t fitting = 0;
    for (uint32_t i = 0; i < count; i++) {
        fitting += fits(&tree[i], &tree[view], by);
        if (i == view)
            *place = fitting;
    }
    return fitting;
}

char *droidbot_locator(tac_arena *arena, const struct droidbot_view *tree, uint32_t count,
                       uint32_t view, bool *unique_id, bool *positional)
{
    static const int orders[] = {BY_ID,
                                 BY_DESCRIPTION,
                                 BY_ID | BY_TEXT,
                                 BY_TEXT,
                                 BY_ID | BY_DESCRIPTION,
                                 BY_TEXT | BY_CLASS,
                                 BY_DESCRIPTION | BY_CLASS,
                                 BY_ID | BY_CLASS,
                                 BY_ID | BY_TEXT | BY_DESCRIPTION,
                                 BY_ID | BY_TEXT | BY_CLASS,
                                 BY_CLASS,
                                 BY_ID | BY_TEXT | BY_DESCRIPTION | BY_CLASS};
    const struct droidbot_view *at = &tree[view];
    bool long_text = at->text && strlen(at->text) > LONG_TEXT;
    uint32_t fewest = UINT32_MAX, place = 0;
    int chosen = 0;
    assert(view < count);
    for (size_t i = 0; i < sizeof orders / sizeof *orders && fewest > 1; i++) {
        int by = orders[i];
        bool known = true;
        for (int attribute = BY_ID; attribute <= BY_CLASS; attribute *= 2)
            known = known && (!(by & attribute) || value_of(at, attribute));
        if (!known || ((by & BY_TEXT) && (at->editable || long_text)))
            continue;
        uint32_t here = 0, fitting = count_fitting(tree, count, view, by, &here);
        if (fitting < fewest) {
            fewest = fitting;
            place = here;
            chosen = by;
        }
    }
    if (!chosen) { /* nothing is known of it: its place among all */
        fewest = count;
        place = view + 1;
    }
    tac_str out = {0};
    *positional = fewest > 1 || !chosen;
    *unique_id = chosen == BY_ID && fewest == 1;
    tac_str_add(&out, *positional ? "(//*" : "//*");
    if (!chosen)
        tac_str_add(&out, "[@bounds]");
    add_tests(&out, at, chosen);
    if (*positional)
        tac_str_addf(&out, ")[%u]", place);
    char *xpath = tac_arena_strdup(arena, tac_str_text(&out));
    tac_str_free(&out);
    return xpath;
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
