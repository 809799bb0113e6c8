/* Locators: which element of a screen is meant, in parts rather than as a text.
 *
 *     path     elements one inside the other; each has conditions, the last one is meant
 *     css      "css:li", "css[2]:li": the n-th element of a page that is shown
 *     focus    "focus:": what has the focus
 *
 * "it:" before a name means the element that the name found earlier. The texts are those of models
 * and recordings. A path is written as an XPath over the hierarchy of a screen; what XPath can say
 * beyond it (axes, functions, arithmetic) is no locator, and libxml2 evaluates it (xpath.h). */
#pragma once

#include "base/data/arena.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include <stdbool.h>
#include <stdint.h>

/* What a condition looks at. */
typedef enum tac_part {
    TAC_PART_ID,
    TAC_PART_LABEL, /* what is read aloud */
    TAC_PART_TEXT,
    TAC_PART_CLASS,
    TAC_PART_TEST_ID, /* of pages, as the next two: data-testid */
    TAC_PART_ROLE,    /* of controls, as assistive technology reads it */
    TAC_PART_NAME,
    TAC_PART_PACKAGE,
    TAC_PART_CHECKABLE,
    TAC_PART_CHECKED,
    TAC_PART_CLICKABLE,
    TAC_PART_ENABLED,
    TAC_PART_FOCUSABLE,
    TAC_PART_FOCUSED,
    TAC_PART_SCROLLABLE,
    TAC_PART_LONG_CLICKABLE,
    TAC_PART_PASSWORD,
    TAC_PART_SELECTED,
    TAC_PART_OTHER /* any other attribute, by its name */
} tac_part;
enum { TAC_PARTS = TAC_PART_OTHER + 1 };

typedef enum tac_condition_kind {
    TAC_CONDITION_EQUALS,
    TAC_CONDITION_CONTAINS,
    TAC_CONDITION_STARTS,
    TAC_CONDITION_DIFFERS,
    TAC_CONDITION_PRESENT,
    TAC_CONDITION_NOT,
    TAC_CONDITION_AND,
    TAC_CONDITION_OR
} tac_condition_kind;

typedef struct tac_condition {
    tac_condition_kind kind;
    tac_part part;
    uint32_t levels;          /* of EQUALS and DIFFERS: the value is of any element so far below */
    const char *name, *value; /* name: of TAC_PART_OTHER */
    uint32_t left, right,
        next; /* operands (NOT: left); the element's next condition, or TAC_NONE */
} tac_condition;

typedef enum tac_element_kind {
    TAC_ELEMENT_NODE,      /* any element of the screen */
    TAC_ELEMENT_ANY,       /* the hierarchy as well */
    TAC_ELEMENT_HIERARCHY, /* around all elements */
    TAC_ELEMENT_CLASS      /* an XML element called by its class, which is its first condition */
} tac_element_kind;

/* An element of the path. */
typedef struct tac_step {
    tac_element_kind kind;
    bool deep;            /* anywhere below the one before, not just a child */
    uint32_t place;       /* among the siblings that fit, from 1; 0 = any */
    uint32_t first, last; /* conditions, all of which hold; TAC_NONE */
} tac_step;

typedef enum tac_locator_kind {
    TAC_LOCATOR_PATH,
    TAC_LOCATOR_CSS,
    TAC_LOCATOR_FOCUS
} tac_locator_kind;

typedef struct tac_locator {
    tac_locator_kind kind;
    bool again;      /* "it:" */
    uint32_t place;  /* among all that fit, from 1; 0 = not given */
    const char *css; /* in the text that was read */
    TAC_VEC(tac_step) steps;
    TAC_VEC(tac_condition) conditions;
    tac_arena texts;
} tac_locator;

/* False when the text is no locator; *out is empty then. Free it in any case. */
bool tac_locator_read(const char *text, tac_locator *out);
void tac_locator_free(tac_locator *locator);

/* --- Building a path ---
 * A zeroed struct is a path without elements. Texts are borrowed. */
void tac_locator_add_step(tac_locator *locator, tac_element_kind kind, bool deep);
/* To the last element: its attribute, or that of one so many levels below, is the value. */
void tac_locator_add_value(tac_locator *locator, tac_part part, uint32_t levels, const char *value);
/* To the last element: a condition of the array. */
void tac_locator_add_condition(tac_locator *locator, uint32_t condition);

/* The XPath of a path. `node` is written for an element of any class; "node" in hierarchies. */
void tac_locator_write(const tac_locator *locator, const char *node, tac_str *out);

/* The attribute of a hierarchy; NULL for TAC_PART_OTHER. */
const char *tac_part_name(tac_part part);

/* --- The ranking ---
 * How an element is named by its own parts, best first: what a person calls it and what testers
 * put there before what programmers count up. Whoever chooses goes by it. */
typedef struct tac_locator_way {
    unsigned parts; /* bits 1 << part */
    bool of_pages;  /* elsewhere the id comes first: it is what testers go by there */
    bool steady;    /* only without digits: those count or tell the time */
} tac_locator_way;
enum { TAC_LOCATOR_WAYS = 13 };
extern const tac_locator_way tac_locator_ways[TAC_LOCATOR_WAYS];
/* Where a path stands in the ranking, the best is 0: by the way its last element is named.
 * TAC_LOCATOR_WAYS and more: by a place, by what is counted or tells the time, or by anything else
 * that the same screen may not show again. */
size_t tac_locator_rank(const tac_locator *locator);
/* Whether a part may name an element; the others say what it can do, or where it comes from. */
static inline bool tac_part_may_name(tac_part part)
{
    static const tac_part last = TAC_PART_NAME;
    return (unsigned)part <= (unsigned)last;
}

/* In which order the conditions of one element are written. */
extern const tac_part tac_locator_order[TAC_PART_NAME + 1];
