/* See screen_view.h. Everything together is O(nodes log nodes), for the sake of the locators. */
#include "explore/screen_view.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "explore/screen_class.h"
#include <string.h>

void screen_view_begin(struct screen_view *view, const tac_ui *ui, const bool *skipped)
{
    *view = (struct screen_view){.ui = ui, .skipped = skipped};
}

void screen_view_end(struct screen_view *view)
{
    free(view->ordinals);
    free(view->ranks);
    tac_vec_free(&view->compared);
    tac_vec_free(&view->bearers);
    tac_names_free(&view->called);
    for (size_t texts = 0; texts < 2; texts++)
        ui_locators_free(view->locators[texts]);
}

static uint32_t ordinal_of(struct screen_view *view, uint32_t node)
{
    if (!view->ordinals)
        view->ordinals = control_ordinals(view->ui, view->skipped);
    return view->ordinals[node];
}

char *screen_view_key(struct screen_view *view, uint32_t node, tac_action_kind kind,
                      const char *value)
{
    return control_key(view->ui, ordinal_of(view, node), node, kind, value);
}

char *screen_view_locator(struct screen_view *view, uint32_t node, bool texts)
{
    if (!view->locators[texts])
        view->locators[texts] = ui_locators_new(view->ui, texts);
    return ui_locators_find(view->locators[texts], node);
}

/* What a key says between the gesture and the text. */
static void who(const char *key, const char **start, size_t *length)
{
    *start = strchr(key, '|') + 1;
    *length = (size_t)(strrchr(key, '|') - *start);
}

static void call_all(struct screen_view *view)
{
    for (uint32_t i = 0; i < view->ui->count; i++) {
        if (view->skipped[i] || !tac_ui_gestures(&view->ui->nodes[i]))
            continue;
        const char *start;
        size_t length;
        char *key = screen_view_key(view, i, TAC_ACTION_CLICK, NULL);
        who(key, &start, &length);
        tac_names_intern_bytes(&view->called, start, length);
        tac_vec_push(&view->bearers, i);
        assert(view->called.count == view->bearers.count); /* ordinals tell equal ones apart */
        free(key);
    }
}

uint32_t screen_view_control(struct screen_view *view, const char *key, tac_action_kind kind)
{
    const char *start;
    size_t length;
    if (!view->called.count)
        call_all(view);
    who(key, &start, &length);
    uint32_t found = tac_names_find_bytes(&view->called, start, length);
    uint32_t node = found == TAC_NONE ? TAC_UI_NONE : view->bearers.at[found];
    bool able = node != TAC_UI_NONE && tac_ui_gestures(&view->ui->nodes[node]) & 1u << kind;
    return able ? node : TAC_UI_NONE;
}

static void rank_all(struct screen_view *view)
{
    view->ranks = tac_calloc((size_t)view->ui->count + 1, sizeof *view->ranks);
    for (uint32_t i = 0; i < view->ui->count; i++) {
        view->ranks[i] = (uint32_t)view->compared.count;
        if (!view->skipped[i])
            tac_vec_push(&view->compared, i);
    }
}

uint32_t screen_view_rank(struct screen_view *view, uint32_t node)
{
    if (!view->ranks)
        rank_all(view);
    assert(view->ranks[node] <= node && !view->skipped[node]);
    return view->ranks[node];
}

uint32_t screen_view_of_rank(struct screen_view *view, uint32_t rank)
{
    if (!view->ranks)
        rank_all(view);
    return rank < view->compared.count ? view->compared.at[rank] : TAC_UI_NONE;
}
