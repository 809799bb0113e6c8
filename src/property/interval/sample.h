/* One figure per closed interval, kept for shares, percentiles and means.
 *
 * Exact: all figures are kept, in memory up to SAMPLE_IN_MEMORY of them and beyond that in a
 * temporary file that vanishes with the process. The figure of a rank is found by counting its bits
 * from the top (four passes over the figures, no sorting), the mean by an exact sum. */
#pragma once

#include "base/data/vec.h"
#include "tactus/property.h"

enum { SAMPLE_IN_MEMORY = 1 << 20 };

struct sample {
    double value;
    tac_interval interval;
};

struct sample_store {
    TAC_VEC(struct sample) recent; /* not yet spilled */
    FILE *spilled;                 /* NULL: none; shared by copies, which only read it */
    bool borrowed;                 /* `spilled` belongs to another store */
    uint64_t in_file;
    uint64_t count, good; /* good: values that are not 0 */
    double scale;         /* the largest operand of all values and of their sum */
    bool failed;          /* the temporary file could not be written */
};

/* scale: the largest operand of the sums that the value came from. */
void sample_add(struct sample_store *store, const struct sample *sample, double scale);
void sample_store_copy(struct sample_store *to, const struct sample_store *from);
void sample_store_clear(struct sample_store *store);
void sample_store_free(struct sample_store *store);

struct interval_plan;
struct sample_verdict {
    bool holds;
    bool any;     /* there was an interval */
    double value; /* the share in per cent, the percentile, the mean */
    double bound, margin;
    struct sample witness;
};
struct sample_verdict sample_verdict(const struct interval_plan *plan,
                                     const struct sample_store *store);
