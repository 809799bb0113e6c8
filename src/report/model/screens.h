/* What screens show: texts and pictures that a campaign kept, by the name of the screen.
 *
 *   DIR/screens/HASH.json   {"run","name","activity","title","texts"}; HASH.png or HASH.jpg beside
 * it, if there is one */
#pragma once

#include "report/project/parts.h"

struct known_screen {
    char *name, *title;
    json_t *texts;
    char *picture; /* a path; "" */
};

struct screen_list;

struct screen_list *screens_load(const struct report_campaign *campaign);
const struct known_screen *screens_find(const struct screen_list *list, const char *name);
size_t screens_count(const struct screen_list *list);
const struct known_screen *screens_at(const struct screen_list *list, size_t index);
void screens_free(struct screen_list *list);

/* A picture as base64 text (the caller's), or NULL: it is gone, no PNG or JPEG, or larger than
 * *budget, which it is taken from. */
char *screens_picture(const char *path, size_t *budget);
