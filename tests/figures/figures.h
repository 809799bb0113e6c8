/* Figures of a file, as the tables of the public corpus name them (expected.tsv): what other tools
 * counted in the same files. They are made of what the library's readers see line by line, packet
 * by packet and entry by entry, so that each of those is compared with somebody else's count.
 *
 * A list of named values: whole numbers and texts. A name may stand several times. */
#ifndef TAC_TEST_FIGURES_H
#define TAC_TEST_FIGURES_H

#include "tactus/error.h"
#include "tactus/watch.h"
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct figures;

struct figure {
    const char *name;
    const char *text; /* NULL: the value is `number` */
    int64_t number;
};

/* Reads the file ("-" is standard input where the kind allows it). kind: the name of a kind, or
 * NULL to tell it by the content; a content that no kind knows is TAC_E_INPUT. A file that is cut
 * or damaged behind its beginning gives what was readable and a warning. *out is the caller's. */
tac_status figures_read(const char *path, const char *kind, tac_watch *watch, struct figures **out,
                        tac_error *err);
const char *figures_kind(const struct figures *facts); /* "perfetto"; borrowed */
const struct figure *figures_at(const struct figures *facts,
                                size_t *count); /* in order; borrowed */
const char *const *figures_warnings(const struct figures *facts, size_t *count); /* borrowed */
/* {"file","kind","values":{NAME:VALUE},"warnings":[TEXT]}; a repeated name has an array. */
json_t *figures_json(const struct figures *facts);
void figures_free(struct figures *facts); /* NULL is fine */

/* Every kind's name, in the order in which they are asked; NULL past the last. Borrowed. */
const char *figures_kind_name(size_t index);

#endif
