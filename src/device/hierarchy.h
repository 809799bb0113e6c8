/* Building hierarchies without copying texts, for drivers that keep them themselves. */
#pragma once

#include "base/data/arena.h"
#include "base/locator/locator.h"
#include "device/device.h"

/* Elements of a dump inside each other, the root counted. Pages and apps made of composed parts are
 * a few hundred deep; libxml2 from 2.13 on reads 2048. */
enum { UI_MAX_DEPTH = 2000 };

/* Empties the tree and forgets its texts. */
void ui_clear(tac_ui *ui, uint32_t rotation);
/* Like tac_ui_add, but the node's texts (never NULL) stay the caller's, and its flags are taken as
 * they are. */
uint32_t ui_add_borrowed(tac_ui *ui, uint32_t parent, const tac_ui_node *node);
/* Memory that lives until the tree is cleared or freed. */
tac_arena *ui_arena(tac_ui *ui);
tac_ui_node *ui_node(tac_ui *ui, uint32_t node);

/* mend.c: what XML cannot hold as blanks (bytes that are no text as U+FFFD), so that the rest can
 * be read; the caller's. */
char *ui_mend_xml(const char *text, size_t size, size_t *length);

/* locator.c: the XPaths of many nodes of one tree, which is borrowed and must not change; texts
 * false: without texts and descriptions, which change on this screen. The first one costs O(nodes),
 * all together O(nodes log nodes). */
struct ui_locators;
struct ui_locators *ui_locators_new(const tac_ui *ui, bool texts);
/* As tac_ui_xpath; the caller's. */
char *ui_locators_find(struct ui_locators *locators, uint32_t node);
/* The same for a reader to whom an element of any class is called otherwise than "node". */
char *ui_locators_write(struct ui_locators *locators, uint32_t node, const char *element);
void ui_locators_free(struct ui_locators *locators); /* NULL is fine */
/* The same with the number of plain comparisons before a table is made (alike.h). */
struct ui_locators *ui_locators_scanning(const tac_ui *ui, bool texts, uint32_t scans);
/* Its place, "/hierarchy/node[1]/node[2]"; the caller's. For one use on the same screen; what is
 * kept should be a tac_ui_xpath. */
char *ui_place(const tac_ui *ui, uint32_t node);
/* match.c: marks the nodes that a locator means; *any: there are some. False: it asks for what the
 * tree does not hold. */
bool ui_match(const tac_ui *ui, const tac_locator *locator, bool *marks, bool *any);
/* A node's own value; NULL when nodes have none, or this one has no such attribute. */
const char *ui_part(const tac_ui_node *node, tac_part part);
/* The same, "" for NULL. */
const char *ui_text(const tac_ui_node *node, tac_part part);
extern const uint32_t ui_part_flags[TAC_PARTS]; /* TAC_UI_...; 0 for those that are texts */

/* Many XPaths on one tree, whose XML is written when libxml2 is needed first. */
struct ui_document;
struct ui_document *ui_document_new(const tac_ui *ui);
/* As tac_ui_find and tac_ui_mark; *any: it selects some node. */
tac_status ui_document_find(struct ui_document *document, const tac_selector *selector,
                            uint32_t *node, tac_error *err);
tac_status ui_document_mark(struct ui_document *document, const char *xpath, bool *marks, bool *any,
                            tac_error *err);
void ui_document_free(struct ui_document *document); /* NULL is fine */

/* A scroll or swipe that names no element. */
bool ui_means_screen(const tac_gesture *gesture);

/* The node of a gesture; TAC_E_LIMIT when it is not there. A scroll or swipe of the device as a
 * whole goes to the first node that scrolls. */
tac_status ui_find_target(const tac_ui *ui, const tac_gesture *gesture, uint32_t *node,
                          tac_error *err);
/* The same, but the first that accepts the gesture; TAC_E_LIMIT also when none of them does. */
tac_status ui_find_accepting(const tac_ui *ui, const tac_gesture *gesture, uint32_t *node,
                             tac_error *err);
/* touch.c: where on a phone a gesture is done, and the node that takes it: the same, or one around
 * it. TAC_E_LIMIT: it is not there, takes nothing or has no size; TAC_E_USAGE: phones have no such
 * gesture. */
tac_status ui_find_touch(const tac_ui *ui, const tac_gesture *gesture, uint32_t *place,
                         uint32_t *taker, tac_error *err);
/* The last node, so the highest, at a point that accepts one of the gestures (bits 1 << kind; 0:
 * any node); TAC_UI_NONE. */
uint32_t ui_topmost(const tac_ui *ui, int32_t x, int32_t y, unsigned gestures);
/* A point of the node that no later (so: higher) node takes; true: its middle. The middle, and
 * false, when all are taken. */
bool ui_free_point(const tac_ui *ui, uint32_t node, int32_t *x, int32_t *y);
/* Where a drag with the value "to:XPATH" ends. */
tac_status ui_find_drop(const tac_ui *ui, const tac_gesture *gesture, uint32_t *node,
                        tac_error *err);
/* TAC_E_LIMIT, saying so. */
tac_status ui_does_not_accept(const tac_ui *ui, const tac_gesture *gesture, uint32_t node,
                              tac_error *err);
