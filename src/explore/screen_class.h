/* Which screens are one, and what a control is called. */
#pragma once

#include "base/data/str.h"
#include "device/device.h"

/* Marks the items of lists beyond list_items, and everything inside them: skipped has ui->count
 * entries, all false before. */
void screen_skip_items(const tac_ui *ui, uint32_t list_items, bool *skipped);
/* Appends the byte string that equal screens share. */
void screen_signature(const tac_ui *ui, const bool *skipped, const char *activity, tac_str *out);
/* What the string leaves out and may matter all the same: what is checked and selected, and how
 * many items the lists have, up to a few. */
uint64_t screen_look(const tac_ui *ui, const bool *skipped);
#define SCREEN_LOOK "\nlook " /* stands before a look where it is part of the string */
/* Signature and skipping in one. */
void screen_class(const tac_ui *ui, const char *activity, uint32_t list_items, tac_str *out);
/* "ACTIVITY#class", as runs name a screen; the caller's. */
char *screen_short_name(const tac_ui *ui, const char *activity);

/* Which of the controls with its id (or description, text, class) a node is, from 0. */
uint32_t control_ordinal(const tac_ui *ui, const bool *skipped, uint32_t node);
/* Those of all nodes in O(nodes); the caller's. */
uint32_t *control_ordinals(const tac_ui *ui, const bool *skipped);
/* KIND|WHAT|VALUE|ORDINAL|TEXT: one control and gesture in every screen where it appears. The
 * caller's. */
char *control_key(const tac_ui *ui, uint32_t ordinal, uint32_t node, tac_action_kind kind,
                  const char *value);
/* The readable name of a key; two keys may share one. The caller's. */
char *control_base_name(const char *key);
/* The readable name of a control of this screen; the caller's. */
char *control_name(const tac_ui *ui, uint32_t ordinal, uint32_t node, tac_action_kind kind);
/* The same where nothing is asked about other controls: it finds the ordinal itself. */
char *control_only_name(const tac_ui *ui, uint32_t node, tac_action_kind kind);
