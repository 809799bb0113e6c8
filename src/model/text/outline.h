/* Where the elements of a model file stand in its text, byte by byte, so that an edit can change
 * them and leave everything else as it is: comments, order, white space, ways of writing.
 *
 * The text is well-formed UTF-8 (outline_make refuses others). libxml2 says what is in it, the
 * border in front of it (base/io/xml_guard.h) where the tags stand. Linear. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "base/io/xml.h"
#include "tactus/error.h"
#include <stdbool.h>

enum element_kind { /* children of a machine in the order that the format wants */
                    ELEMENT_INITIAL,
                    ELEMENT_STATE,
                    ELEMENT_CONNECTION,
                    ELEMENT_FINAL,
                    ELEMENT_TRANSITION,
                    ELEMENT_MODEL,
                    ELEMENT_DEVICE,
                    ELEMENT_APPLICATION,
                    ELEMENT_ACTIVITY,
                    ELEMENT_MACHINE,
                    ELEMENT_ACTION,
                    ELEMENT_EXPECT,
                    ELEMENT_OTHER
};

/* A state, a connection or a final: what transitions join. */
static inline bool element_is_node(enum element_kind kind)
{
    return kind == ELEMENT_STATE || kind == ELEMENT_CONNECTION || kind == ELEMENT_FINAL;
}

struct text_attribute {
    size_t name, name_length;   /* offsets in the text */
    size_t value, value_length; /* between the quotation marks */
};

struct text_element {
    enum element_kind kind;
    uint32_t parent; /* index, TAC_NONE for the root */
    uint32_t first_attribute, attribute_count;
    size_t begin, open_end;   /* the start tag, [begin, open_end) */
    size_t close, end;        /* the end tag, [close, end); both open_end when there is none */
    size_t name, name_length; /* with its prefix */
    size_t line, last_line;   /* from 1 */
    bool empty;               /* written <x/> */
};

struct outline {
    const char *text; /* borrowed */
    size_t size;
    TAC_VEC(struct text_element) elements; /* in document order; parents come first */
    TAC_VEC(struct text_attribute) attributes;
    /* Ids by element; NULL for those that have none. Machines: Device/Application/Activity/Machine;
     * nodes: MACHINE/NAME; transitions: t0, t1, ... in the order of the file. */
    const char **ids;
    const char **names; /* the value of `name` by element; "" when absent */
    xmlDocPtr document;
    xmlNodePtr *nodes; /* by element */
    tac_arena arena;   /* of ids and of values */
};

/* TAC_E_INPUT with its place: not well-formed, not UTF-8. out is freed in any case of failure. */
tac_status outline_make(const char *text, size_t size, struct outline *out, tac_error *err);
void outline_free(struct outline *outline);
/* The attribute's index, or TAC_NONE. */
uint32_t outline_attribute(const struct outline *outline, uint32_t element, const char *name);
/* The attribute's value as a reader sees it, NULL when it is not there; the outline's. */
const char *outline_value(struct outline *outline, uint32_t element, const char *name);
/* The text inside the element, without what surrounds it in blanks; the outline's. */
const char *outline_content(struct outline *outline, uint32_t element);
/* The element with this id, of the kinds first to last; TAC_NONE when there is none. */
uint32_t outline_find(const struct outline *outline, const char *id, enum element_kind first,
                      enum element_kind last);
/* The machine's child of that name among states, connections and finals, or TAC_NONE. */
uint32_t outline_node(const struct outline *outline, uint32_t machine, const char *name);
/* The element or the nearest around it that is of this kind, or TAC_NONE. */
uint32_t outline_above(const struct outline *outline, uint32_t element, enum element_kind kind);
/* Does the connection call this machine? By the rules of src/model/calls.c. */
bool outline_calls(struct outline *outline, uint32_t connection, uint32_t machine);
