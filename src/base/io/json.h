/* jansson with caps and line-exact errors.
 *
 * jansson forgets where a value stood. tac_json_fail finds the place again by scanning the kept
 * text for the value's path, so semantic errors are as exact as syntax errors at no cost on the
 * good path. */
#pragma once

#include "base/data/text.h"
#include "base/error.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct tac_json {
    json_t *root; /* owned */
    char *text;   /* owned; kept for places */
    size_t size;
    char *name; /* owned; the file's name for messages */
} tac_json;

#define TAC_JSON_MAX_DEPTH 512

/* Duplicate keys, depth over TAC_JSON_MAX_DEPTH, invalid UTF-8 and sizes over max_size are errors.
 */
tac_status tac_json_load(const char *path, size_t max_size, tac_json *out, tac_error *err);
/* The same on text in memory (copied). */
tac_status tac_json_parse(const char *name, const char *text, size_t size, tac_json *out,
                          tac_error *err);
void tac_json_free(tac_json *json);
/* TAC_E_INPUT at the value named by a JSON pointer ("/screens/3/name"; "" = the root). */
tac_status tac_json_fail(const tac_json *json, const char *pointer, tac_error *err,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Line and column (from 1) of the value at pointer, or of its nearest existing parent. */
void tac_json_locate(const tac_json *json, const char *pointer, size_t *line, size_t *column);

/* A key that a reader does not know is a slip of the pen: what it says would be lost. Looks for the
 * next one of the object and which was meant. known: a table whose entries, of `size` bytes each,
 * begin with a key; NULL ends it. */
typedef struct tac_json_stray {
    const char *key;
    tac_meaning meant;
    bool comments; /* keys that begin with '#' are known */
    void *at;      /* NULL at first */
} tac_json_stray;
bool tac_json_next_stray(const json_t *object, const void *known, size_t size,
                         tac_json_stray *stray);

/* The text of a member; "" where there is none, or another value. Borrowed. */
const char *tac_json_get_text(const json_t *object, const char *key);
/* Writes the document to a file, whole or not at all. */
tac_status tac_json_save(const json_t *value, const char *path, tac_error *err);

/* One document and a newline: the form of every --json output. Keys keep their order of insertion;
 * doubles have as few digits as read back exactly. */
tac_status tac_json_write(const json_t *value, FILE *out, tac_error *err);
/* The same as text, with the flags of jansson's dump and without a newline; the caller's. */
char *tac_json_text(const json_t *value, size_t flags);

/* Builders that abort on exhaustion instead of returning NULL, and replace invalid UTF-8 by U+FFFD.
 */
json_t *tac_json_string(const char *text);
json_t *tac_json_string_n(const char *text, size_t length);
json_t *tac_json_number(double value); /* null for NaN and infinities */
