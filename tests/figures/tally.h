/* Counts by name, for values such as "B:9 E:9" and "the six most frequent". */
#ifndef TAC_FACTS_TALLY_H
#define TAC_FACTS_TALLY_H

#include "base/data/map.h"
#include "base/data/vec.h"
#include "figures/figures.h"
#include <stdint.h>

struct tally_row {
    int64_t count, total;
};

/* A zeroed struct is empty. Rows keep the order of arrival: row i is names.text[i]. */
struct tally {
    tac_names names;
    TAC_VEC(struct tally_row) rows;
};

/* Adds one to the count of the name, and `total` to its total. */
void tally_add(struct tally *tally, const char *name, size_t length, int64_t total);
void tally_add_number(struct tally *tally, uint64_t number); /* the name is the number's text */
/* "a:1 b:2", in the order of the names' bytes; the caller's. */
char *tally_text(const struct tally *tally);
/* "1:4 2:9", in the order of the names as numbers; the caller's. */
char *tally_text_by_number(const struct tally *tally);
/* "{1: 4, 2: 9}", in the order of the names as numbers; the caller's. */
char *tally_braces(const struct tally *tally);
void tally_free(struct tally *tally);

/* Adds "NAME COUNT" or, with totals, "NAME COUNT TOTAL" of the most frequent names. */
void figures_top(struct figures *facts, const char *key, const struct tally *tally, size_t most,
                 bool totals);

#endif
