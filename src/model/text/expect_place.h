/* Where an <expect> stands in its file. A model keeps the line of the state or transition around it
 * only: the place is looked up in the text when something is to be said about it. */
#pragma once

#include "model/text/outline.h"

struct expect_places {
    char *text;
    struct outline outline;
    bool looked, found; /* the file was read; as a model's text */
};

/* The one with this condition, of the element whose start tag has a part on the line
 * `around`. False, and nothing is changed: there is none, or the file cannot be read again. The
 * first call reads the file; all calls are for the same one. */
bool expect_place_find(struct expect_places *places, const char *file, size_t around,
                       const char *condition, size_t *line, size_t *column);
void expect_places_free(struct expect_places *places);
