/* Two samples compared within strata: flows, scenarios, devices. Only runs of one stratum are
 * compared with each other, so that another mixture is no change; with one run on each side of a
 * stratum the comparison is paired. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was seen in one run of either sample. */
struct strata_row {
    uint32_t stratum;
    bool now;
    double value; /* of a share: 0 or 1 */
};

struct strata_change {
    size_t runs[2];           /* with a value; before, now */
    double figure[2];         /* the share, or the median; before, now; NaN: there is none */
    double change, low, high; /* now - before within strata, and its 95 % interval */
    double worse, better;     /* one-sided p: could chance alone make it so great, so small? */
    double least;             /* the smallest p that these runs could have given */
};

/* Shares, exact: the distribution of the sum over strata, each with its margins fixed (Mantel and
 * Haenszel). O(runs^2) at most. */
void strata_shares(const struct strata_row *rows, size_t count, struct strata_change *out);
/* Values: ranks after the middle of each stratum is taken off (Hodges and Lehmann), whose sum is
 * compared with its distribution over permutations within strata: drawn for up to 60 runs, normal
 * beyond. The interval is by bootstrap. Sorts the rows by stratum. seed: of what is drawn. */
void strata_values(struct strata_row *rows, size_t count, uint64_t seed, struct strata_change *out);
/* The smallest rise of a share `before` that so many runs find with 90 % probability at the level,
 * exact for one stratum; NaN: none at all. */
double strata_rise_found(size_t runs_now, size_t runs_before, double before, double level);
