/* What is in the folder. */
#pragma once

#include "base/data/vec.h"
#include <stdbool.h>
#include <stdint.h>

struct listed {
    char *path;
    const char *kind;
    int64_t size;
    double modified;
};

typedef struct listing {
    TAC_VEC(struct listed) files; /* newest first */
    bool truncated;               /* there are more */
} listing;

/* Hidden files and symbolic links are left out, and a campaign is one entry. What is nearer to the
 * root comes first where not all can be told. */
void list_folder(int root, listing *out);
void listing_free(listing *list);
