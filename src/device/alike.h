/* Is a node the only one that looks like it? What locators (locator.c) ask, many times per screen.
 */
#pragma once

#include "base/locator/locator.h"
#include "device/device.h"

enum { ALIKE_PARTS = TAC_PART_NAME + 1, ALIKE_ABILITIES = 5, ALIKE_LABEL_DEPTH = 5 };

/* Abilities that do not change while nobody programs the app. */
extern const tac_part alike_abilities[ALIKE_ABILITIES];

/* What a node must have: attributes and one ability like those of `node`, and a descendant `levels`
 * below it whose attribute is that of `label`. At most two attributes; an ability or a label. All
 * texts that are asked about are not empty. */
struct alike_pick {
    uint32_t node;
    unsigned own;        /* bits 1 << part */
    uint32_t flag;       /* of an ability, or 0 */
    uint32_t label;      /* a descendant, or TAC_UI_NONE */
    tac_part label_part; /* before TAC_PART_CLASS */
    uint32_t levels;     /* from the node down to the label, up to ALIKE_LABEL_DEPTH */
};

/* Where another one is looked for. */
struct alike_region {
    uint32_t from, to; /* all nodes, or all below one */
    uint32_t parent;   /* only its children; TAC_UI_NONE = any */
};

struct alike;
/* The tree is borrowed and must not change. A kind of question that comes up more than `scans`
 * times is answered from a sorted table: O(log nodes) instead of O(nodes). The answers are the
 * same: UINT32_MAX never sorts, which is the plain definition. */
struct alike *alike_new(const tac_ui *ui, uint32_t scans);
void alike_free(struct alike *alike);

/* Whether no other node of the region is like the pick's. False also where the same pick, written
 * for a reader that calls all elements alike, would take the root element. */
bool alike_alone(struct alike *alike, const struct alike_pick *pick, const struct alike_region *in);
/* How many nodes up to this one, with it, have its values of these parts (bits, at most two). */
uint32_t alike_rank(struct alike *alike, uint32_t node, unsigned parts);

uint32_t alike_depth(const struct alike *alike, uint32_t node); /* 0 = at the top */
uint32_t alike_end(const struct alike *alike, uint32_t node);   /* behind its last descendant */
