/* What earlier calls left in a folder's reproduce.json. */
#pragma once

#include "base/io/json.h"

struct cause;
struct cause_list;

struct earlier {
    tac_json file;
    bool loaded; /* false: there is none, or it cannot be read */
};

void earlier_load(struct earlier *earlier, const char *folder);
void earlier_free(struct earlier *earlier);
/* Where the files of this cause are, below the search's folder; NULL when it has none. The
 * caller's. */
char *earlier_folder(const struct earlier *earlier, const struct cause *cause);
/* Whether one of these causes has its files there. */
bool earlier_has_folder(const struct earlier *earlier, const struct cause_list *all,
                        const char *name);
/* Adds what the document does not know better. all: the causes of the campaign, in their order;
 * one_run: the search was about a single run. */
void earlier_merge(const struct earlier *earlier, const struct cause_list *all, bool one_run,
                   json_t *document);
