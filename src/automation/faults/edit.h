/* Edits of a text by lines. Comments and everything else stay as they are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct edit_text {
    char *text;
    const char **lines; /* without line ends */
    size_t *lengths;
    size_t count;
};

struct edit {
    size_t line; /* from 1: the line replaced, or the one after which lines are put in */
    bool replace;
    char *text; /* whole lines, each with its line end; owned */
};

bool edit_open(struct edit_text *text, const char *path);
void edit_close(struct edit_text *text);
/* Where a mapping's keys stand that begins on this line: behind blanks and dashes. */
size_t edit_key_column(const struct edit_text *text, size_t line);
/* Gives the edit's lines the ends that the text's have. */
void edit_end_lines(const struct edit_text *text, struct edit *edit);
/* The whole text after the edit; the caller's. */
char *edit_apply(const struct edit_text *text, const struct edit *edit);
