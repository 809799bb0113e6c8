/* Facts: what a file is, how long it lasts, and how much of what it holds, on one page.
 *
 * A file that lies around (a trace, a capture, a log, a dump of a phone) is recognised by its
 * content and read by the one reader that knows its kind. The page is a list of named values: whole
 * numbers and texts. A name may stand several times (the threads of a profile). */
#pragma once

#include "tactus/error.h"
#include "tactus/watch.h"
#include <jansson.h>

typedef struct tac_facts tac_facts;

typedef struct tac_fact {
    const char *name;
    const char *text; /* NULL: the value is `number` */
    int64_t number;
} tac_fact;

/* Reads the file ("-" is standard input where the kind allows it). kind: the name of a kind, or
 * NULL to tell it by the content; a content that no kind knows is TAC_E_INPUT. A file that is cut
 * or damaged behind its beginning gives what was readable and a warning. *out is the caller's. */
tac_status tac_facts_read(const char *path, const char *kind, tac_watch *watch, tac_facts **out,
                          tac_error *err);
const char *tac_facts_kind(const tac_facts *facts);                  /* "perfetto"; borrowed */
const char *tac_facts_title(const tac_facts *facts);                 /* "a trace of Perfetto" */
const tac_fact *tac_facts_at(const tac_facts *facts, size_t *count); /* in order; borrowed */
const char *const *tac_facts_warnings(const tac_facts *facts, size_t *count); /* borrowed */
/* {"file","kind","title","values":{NAME:VALUE},"warnings":[TEXT]}; a repeated name has an array. */
json_t *tac_facts_json(const tac_facts *facts);
void tac_facts_free(tac_facts *facts); /* NULL is fine */

/* Every kind's name, in the order in which they are asked; NULL past the last. Borrowed. */
const char *tac_facts_kind_name(size_t index);
