/* What makes two findings one thing to mend, on any machine and any day: its kind and its place.
 *
 * The kind is the type of an exception, else the name of a property or of a rule. The place is the
 * function and the file of the app's top frame, with the statement that threw where the source can
 * be read; without a stack, the element or text that it is about. Line numbers, columns, addresses,
 * hashes of builds, seeds and times are no part of either. */
#pragma once

#include "base/data/str.h"
#include <stdbool.h>
#include <stdint.h>

#define FINDING_ID 13 /* 12 hexadecimal digits and the NUL */

/* A hash of both. */
void finding_identity(const char *kind, const char *place, char id[FINDING_ID]);
/* Of a finding without a stack: runs of digits in the place count as one digit. */
void finding_identity_of_text(const char *kind, const char *text, char id[FINDING_ID]);
/* "https://host/assets/board-3fa9c1d2.mjs?v=8:6:21" -> "board.mjs": without folders, query,
 * position and the hash that a build gives to a file. */
void finding_file(tac_str *out, const char *place);
/* A function's name without what only some engines write: "Board.remove", "Board.prototype.remove",
 * "async remove" -> "remove"; "loops/<", "HTMLElement.<anonymous>" -> "". */
void finding_function(tac_str *out, const char *name);
/* "remove (board.mjs): const id=card.id", the place of a script's line and column (from 1): the
 * nearest function with a name around it, the file, the statement, without blanks and comments and
 * with nested blocks left out. False when the source has no such line. Every column of a statement
 * gives the same place, because engines name different ones. */
bool finding_source_place(const char *source, const char *file, uint32_t line, uint32_t column,
                          tac_str *out);

/* A line of a script's stack, "at f (URL:1:2)", "f@URL:1:2" or "URL:1:2"; texts are the line's. */
struct finding_frame {
    const char *name, *url;
    size_t name_length, url_length;
    uint32_t line, column; /* 0 = not told */
};
bool finding_script_frame(const char *text, struct finding_frame *out);
