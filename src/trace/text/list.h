/* Lists of texts as symbols: the text of a JSON array, written in one way only, so that equal lists
 * are equal texts. */
#pragma once

#include "base/data/str.h"
#include "trace/trace.h"

/* Appends one text to a list under construction: "" at first, closed by list_close. */
void list_add(tac_str *list, const char *text, size_t length);
void list_close(tac_str *list);
/* Reads the JSON array of texts at `at` and writes it in our way into `out` (cleared first).
 * Returns the place behind it, or NULL with *wrong at what does not belong there. The text ends
 * with a '\n' or a NUL byte. */
const char *list_read(const char *at, tac_str *out, tac_str *scratch, const char **wrong);
extern const char *const value_type_words[TAC_VALUE_BOOLEAN + 1];
bool type_of_name(const char *name, tac_value_type *out); /* NULL is not a name */
