/* Building hierarchies without copying texts, for drivers that keep them themselves. */
#ifndef TAC_DEVICE_HIERARCHY_H
#define TAC_DEVICE_HIERARCHY_H

#include "base/data/arena.h"
#include "tactus/device.h"

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

/* As tac_ui_xpath; texts false: without texts and descriptions, which change on this screen. */
char *ui_locator(const tac_ui *ui, uint32_t node, bool texts);
/* Its place, "/hierarchy/node[1]/node[2]"; the caller's. For one use on the same screen; what is
 * kept should be a tac_ui_xpath. */
char *ui_place(const tac_ui *ui, uint32_t node);
/* Marks (false before) the nodes that an XPath of tac_ui_xpath selects; false: it is another XPath,
 * and the marks mean nothing. */
bool ui_own_xpath(const tac_ui *ui, const char *xpath, bool *marks);

/* A tree as an XML document, for many XPaths. */
struct ui_document;
tac_status ui_document_new(const tac_ui *ui, struct ui_document **out, tac_error *err);
tac_status ui_document_mark(struct ui_document *document, const tac_ui *ui, const char *xpath,
                            bool *marks, tac_error *err);
void ui_document_free(struct ui_document *document); /* NULL is fine */

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

#endif
