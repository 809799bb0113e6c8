/* The elements of one array of a JSON document, one at a time: the array that is the document, or
 * the one that a path of names leads to ("traceEvents", or "log" and "entries"). Members beside the
 * path are kept when they are small. Memory is one element.
 *
 * A document that ends early gives the elements before and says so; an element that is not JSON is
 * passed over and counted, one that can be mended (mend.h) is, and counted too. Every number is a
 * real: ids may have 64 bits without a sign. */
#pragma once

#include "base/data/str.h"
#include "trace/read/window.h"
#include <jansson.h>

#define JSON_ITEM_MAX ((size_t)64 << 20)
#define JSON_OTHER_MAX ((size_t)8 << 20) /* of texts JSON_ITEM_MAX */

enum json_items_state { ITEMS_START, ITEMS_OBJECT, ITEMS_ARRAY, ITEMS_END };

struct json_items {
    struct trace_window *window;
    const char *const *path; /* ends with NULL */
    enum json_items_state state;
    size_t depth;     /* names of the path that were entered */
    bool root_array;  /* the document is the array */
    bool sequence;    /* no array at all: the elements stand one behind another, as lines */
    bool found;       /* the array was there */
    bool cut;         /* the document ended early */
    bool cut_between; /* in the array that is the document, between two elements */
    bool behind;      /* something but blanks stands behind its end, at `offset` */
    uint64_t offset;  /* bytes passed */
    uint64_t cut_at;
    uint64_t damaged, mended;
    uint64_t too_large; /* members beside the path that were not kept */
    json_t *others;     /* members of the objects along the path, by name; owned */
    tac_str key;
};

/* path must live as long as the items. */
void json_items_open(struct json_items *items, struct trace_window *window,
                     const char *const *path);
/* The elements are documents of their own, one behind another. */
void json_items_open_sequence(struct json_items *items, struct trace_window *window);
/* *element is the caller's; NULL at the end. */
tac_status json_items_next(struct json_items *items, json_t **element, tac_error *err);
void json_items_close(struct json_items *items);

/* Gives every sentence that has to be said of the document: where it ends early, what was left out
 * or replaced. */
typedef void json_items_note(void *context, const char *sentence);
void json_items_tell(const struct json_items *items, json_items_note *note, void *context);

/* Numbers that may be written as texts; `otherwise` when it is neither. */
double json_loose_number(const json_t *value, double otherwise);
