/* What lies beside a utg.js: DroidBot's records of its events and the trees of its screens.
 *
 *   events/event_TIME.json   what was done: event_str, start_state, stop_state, the view
 *   states/state_TIME.json   a screen: state_str and all its views, parents before children
 *   states/screen_TIME.jpg   its picture; models refer to it by name only
 *
 * The texts live in the folder's arena; absent ones are NULL. */
#pragma once

#include "base/data/arena.h"
#include "base/data/map.h"
#include "base/data/vec.h"
#include "tactus/error.h"
#include <stdbool.h>

struct droidbot_view {
    const char *hash; /* DroidBot's own; controls that look alike share it */
    const char *class_name, *resource_id, *text, *description;
    int bounds[4]; /* left, top, right, bottom */
    bool editable;
};

/* A screen: the views in document order. */
struct droidbot_screen {
    uint32_t first_view, view_count; /* in folder.views */
    const char *activity, *tag;      /* as its file says; NULL: not recorded */
};

/* One event that was performed. */
struct droidbot_record {
    uint32_t start, stop; /* ids in folder.states */
    const char *event_str, *type, *tag;
    uint32_t next; /* the next record of the same event_str, or TAC_NONE */
    bool on_view;
    struct droidbot_view view;                    /* when on_view */
    uint32_t number;                              /* of the view in the screen as it was then */
    const char *direction, *value, *key, *intent; /* as the type of event has them */
};

struct droidbot_folder {
    tac_arena arena;
    tac_names states; /* state_str; in step with screens */
    TAC_VEC(struct droidbot_screen) screens;
    TAC_VEC(struct droidbot_view) views;
    tac_names events; /* event_str; in step with first_record */
    TAC_VEC(uint32_t) first_record;
    TAC_VEC(uint32_t) last_record;
    TAC_VEC(struct droidbot_record) records;
    int extent[2];     /* how far right and down any view reaches */
    size_t unreadable; /* files that are not what they should be */
    bool present;      /* there is something beside utg.js */
};

/* Reads what is beside the file; nothing being there is not an error. Broken files are counted, and
 * the first few named in diagnostics as warnings. */
tac_status droidbot_folder_read(const char *utg_path, tac_diagnostics *diagnostics,
                                struct droidbot_folder *out, tac_error *err);
void droidbot_folder_free(struct droidbot_folder *folder);

/* The graph of a run that ended before its utg.js was written, from its records: the text of one.
 * NULL when nothing was recorded. */
char *droidbot_folder_graph(const struct droidbot_folder *folder);

/* The views of a state's tree; NULL and 0 when it was not recorded. */
const struct droidbot_view *droidbot_tree(const struct droidbot_folder *folder, const char *state,
                                          uint32_t *count);
/* The first record of an event between two states (any stop state when stop is NULL); then the next
 * one after `record`. TAC_NONE at the end. */
uint32_t droidbot_find(const struct droidbot_folder *folder, const char *event_str,
                       const char *start, const char *stop, uint32_t record);

/* Which view of the tree a recorded view is: the same place and number first, then the same place,
 * then the same looks. TAC_NONE when the tree has none like it. */
uint32_t droidbot_match(const struct droidbot_view *tree, uint32_t count,
                        const struct droidbot_view *view, uint32_t number);

/* An XPath that selects exactly this view of the tree: by what it is (id, text, description, class)
 * where that is enough, else also by its place among those alike. *unique_id when its resource id
 * alone is enough; *positional when its place was needed. */
char *droidbot_locator(tac_arena *arena, const struct droidbot_view *tree, uint32_t count,
                       uint32_t view, bool *unique_id, bool *positional);

/* Where a view is on its screen: "LEFT TOP RIGHT BOTTOM" in percent of what its tree shows, or of
 * what all recorded views show when the tree is not known (count 1). NULL when it has no size. */
char *droidbot_area(const struct droidbot_folder *folder, tac_arena *arena,
                    const struct droidbot_view *tree, uint32_t count,
                    const struct droidbot_view *view);
