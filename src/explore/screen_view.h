/* One look at a screen while its controls are listed or found again: what is asked of every control
 * is worked out once for all, and only when it is asked. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "device/hierarchy.h"

struct screen_view {
    const tac_ui *ui;
    const bool *skipped;
    /* The rest is private. */
    uint32_t *ordinals;
    uint32_t *ranks; /* how many compared nodes stand before each */
    TAC_VEC(uint32_t) compared;
    struct ui_locators *locators[2]; /* without and with texts */
    tac_names called;                /* WHAT|VALUE|ORDINAL of the controls */
    TAC_VEC(uint32_t) bearers;       /* their nodes */
};

/* The tree and the marks are borrowed. */
void screen_view_begin(struct screen_view *view, const tac_ui *ui, const bool *skipped);
void screen_view_end(struct screen_view *view);

/* control_key of the node; the caller's. */
char *screen_view_key(struct screen_view *view, uint32_t node, tac_action_kind kind,
                      const char *value);
/* Its XPath, with or without texts and descriptions; the caller's. */
char *screen_view_locator(struct screen_view *view, uint32_t node, bool texts);
/* The control that has this key today, or TAC_UI_NONE. */
uint32_t screen_view_control(struct screen_view *view, const char *key, tac_action_kind kind);

/* How many compared nodes stand before this one: on another look of the same screen the node of
 * this rank is the same element. */
uint32_t screen_view_rank(struct screen_view *view, uint32_t node);
uint32_t screen_view_of_rank(struct screen_view *view, uint32_t rank); /* or TAC_UI_NONE */
