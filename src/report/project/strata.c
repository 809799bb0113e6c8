/* Comparisons within strata. See strata.h. */
#include "report/project/strata.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "base/data/vec.h"
#include "report/project/statistics.h"
#include <math.h>

/* --- shares --- */

struct cell {
    size_t hits[2], runs[2]; /* before, now */
};

static double log_choose(size_t n, size_t k)
{
    return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
}

/* How many of a stratum's hits are now, if chance deals them: shares[k - least]. */
static size_t deal_hits(const struct cell *cell, size_t *least, double **shares)
{
    size_t hits = cell->hits[0] + cell->hits[1];
    *least = hits > cell->runs[0] ? hits - cell->runs[0] : 0;
    size_t most = hits < cell->runs[1] ? hits : cell->runs[1], count = most - *least + 1;
    double all = log_choose(cell->runs[0] + cell->runs[1], hits);
    *shares = tac_calloc(count, sizeof **shares);
    for (size_t i = 0; i < count; i++)
        (*shares)[i] = exp(log_choose(cell->runs[1], *least + i) +
                           log_choose(cell->runs[0], hits - *least - i) - all);
    return count;
}

/* The sum over strata: distribution[k] is the probability of `from` + k hits now. */
static size_t deal_all(const struct cell *cells, size_t strata, size_t *from, double **out)
{
    size_t size = 1;
    double *sum = tac_calloc(1, sizeof *sum);
    sum[0] = 1;
    *from = 0;
    for (size_t s = 0; s < strata; s++) {
        size_t least, count;
        double *one;
        count = deal_hits(&cells[s], &least, &one);
        *from += least;
        if (count > 1) {
            double *next = tac_calloc(size + count - 1, sizeof *next);
            for (size_t i = 0; i < size; i++)
                for (size_t k = 0; k < count; k++)
                    next[i + k] += sum[i] * one[k];
            free(sum);
            sum = next;
            size += count - 1;
        }
        free(one);
    }
    *out = sum;
    return size;
}

static struct cell *count_cells(const struct strata_row *rows, size_t count, size_t *strata)
{
    *strata = 0;
    for (size_t i = 0; i < count; i++)
        *strata = rows[i].stratum >= *strata ? rows[i].stratum + 1 : *strata;
    struct cell *cells = tac_calloc(*strata + 1, sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        cells[rows[i].stratum].runs[rows[i].now]++;
        cells[rows[i].stratum].hits[rows[i].now] += rows[i].value > 0;
    }
    return cells;
}

/* Newcombe's interval of a difference of shares, around what the strata say. */
static void add_interval(const size_t hits[2], struct strata_change *out)
{
    double low[2], high[2], share[2];
    for (int side = 0; side < 2; side++) {
        wilson_interval(hits[side], out->runs[side], &low[side], &high[side]);
        share[side] = out->runs[side] ? (double)hits[side] / (double)out->runs[side] : NAN;
        out->figure[side] = share[side];
    }
    out->low = out->change - hypot(share[1] - low[1], high[0] - share[0]);
    out->high = out->change + hypot(high[1] - share[1], share[0] - low[0]);
}

void strata_shares(const struct strata_row *rows, size_t count, struct strata_change *out)
{
    size_t strata, from, hits[2] = {0};
    struct cell *cells = count_cells(rows, count, &strata);
    double weight = 0, change = 0, *chance;
    *out = (struct strata_change){.worse = 0, .better = 0};
    for (size_t s = 0; s < strata; s++) {
        const struct cell *cell = &cells[s];
        for (int side = 0; side < 2; side++) {
            hits[side] += cell->hits[side];
            out->runs[side] += cell->runs[side];
        }
        if (!cell->runs[0] || !cell->runs[1])
            continue;
        double n0 = (double)cell->runs[0], n1 = (double)cell->runs[1], w = n0 * n1 / (n0 + n1);
        change += w * ((double)cell->hits[1] / n1 - (double)cell->hits[0] / n0);
        weight += w;
    }
    out->change = weight > 0 ? change / weight : NAN;
    add_interval(hits, out);
    size_t size = deal_all(cells, strata, &from, &chance);
    assert(hits[1] >= from && hits[1] - from < size);
    for (size_t k = 0; k < size; k++) {
        out->worse += from + k >= hits[1] ? chance[k] : 0;
        out->better += from + k <= hits[1] ? chance[k] : 0;
    }
    out->least = fmin(chance[0], chance[size - 1]);
    free(chance);
    free(cells);
}

/* --- values --- */

static int by_stratum(const void *a, const void *b)
{
    const struct strata_row *x = a, *y = b;
    if (x->stratum != y->stratum)
        return x->stratum < y->stratum ? -1 : 1;
    if (x->now != y->now)
        return x->now ? 1 : -1;
    return (x->value > y->value) - (x->value < y->value);
}

static double median_in(const struct strata_row *rows, size_t count, double *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = rows[i].value;
    return median_of(scratch, count);
}

struct ranked {
    double value;
    size_t at;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* The middle ranks of what is left when each stratum's median is taken off. */
static double *aligned_ranks(const struct strata_row *rows, size_t count, double *scratch)
{
    struct ranked *order = tac_calloc(count, sizeof *order);
    double *ranks = tac_calloc(count, sizeof *ranks);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && rows[end].stratum == rows[i].stratum;)
            end++;
        double middle = median_in(rows + i, end - i, scratch);
        for (size_t k = i; k < end; k++)
            order[k] = (struct ranked){rows[k].value - middle, k};
    }
    qsort(order, count, sizeof *order, by_value);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && !(order[end].value > order[i].value);)
            end++;
        for (size_t k = i; k < end; k++)
            ranks[order[k].at] = (double)(i + end + 1) / 2;
    }
    free(order);
    return ranks;
}

/* The sum's place among permutations within strata, or by the normal distribution. */
static void rank_chance(const struct strata_row *rows, size_t count, double *ranks,
                        tac_random *random, struct strata_change *out)
{
    enum { DRAWN = 60, DRAWS = 9999 };
    double seen = 0, mean = 0, variance = 0;
    for (size_t i = 0, end; i < count; i = end) {
        double sum = 0, squares = 0, now = 0;
        for (end = i; end < count && rows[end].stratum == rows[i].stratum; end++) {
            sum += ranks[end];
            now += rows[end].now;
            seen += rows[end].now ? ranks[end] : 0;
        }
        double n = (double)(end - i), middle = sum / n;
        for (size_t k = i; k < end; k++)
            squares += (ranks[k] - middle) * (ranks[k] - middle);
        mean += now * middle;
        variance += n > 1 ? now * (n - now) / (n * (n - 1)) * squares : 0;
    }
    out->worse = out->better = 1;
    if (!(variance > 0))
        return;
    out->worse = erfc((seen - mean - 0.5) / sqrt(2 * variance)) / 2;
    out->better = erfc((mean - seen - 0.5) / sqrt(2 * variance)) / 2;
    size_t above = 0, below = 0;
    for (size_t d = 0; d < DRAWS && count <= DRAWN; d++) {
        double sum = 0;
        for (size_t i = 0, end; i < count; i = end) {
            for (end = i; end < count && rows[end].stratum == rows[i].stratum;)
                end++;
            for (size_t k = end - 1; k > i; k--) {
                size_t other = i + tac_random_below(random, k - i + 1);
                double kept = ranks[k];
                ranks[k] = ranks[other];
                ranks[other] = kept;
            }
            for (size_t k = i; k < end; k++)
                sum += rows[k].now ? ranks[k] : 0;
        }
        above += sum >= seen - 1e-9;
        below += sum <= seen + 1e-9;
    }
    if (count <= DRAWN) {
        out->worse = (double)(above + 1) / (DRAWS + 1);
        out->better = (double)(below + 1) / (DRAWS + 1);
    }
}

enum { WHOLE_STRATA = 6 }; /* so many are drawn whole by the bootstrap */

struct stratum_span {
    size_t from, now, end; /* before: from .. now; now: now .. end */
};

/* The weighted change of medians; drawn: each side anew from its own values, or whole strata. */
static double median_change(const struct strata_row *rows, const struct stratum_span *spans,
                            size_t strata, tac_random *random, double *scratch)
{
    double sum = 0, weights = 0;
    bool whole = strata >= WHOLE_STRATA;
    for (size_t i = 0; i < strata; i++) {
        const struct stratum_span *s =
            &spans[random && whole ? tac_random_below(random, strata) : i];
        double median[2];
        for (int side = 0; side < 2; side++) {
            size_t from = side ? s->now : s->from, size = side ? s->end - s->now : s->now - s->from;
            for (size_t k = 0; k < size; k++)
                scratch[k] =
                    rows[from + (random && !whole ? tac_random_below(random, size) : k)].value;
            median[side] = median_of(scratch, size);
        }
        double a = (double)(s->now - s->from), b = (double)(s->end - s->now);
        sum += a * b / (a + b) * (median[1] - median[0]);
        weights += a * b / (a + b);
    }
    return weights > 0 ? sum / weights : NAN;
}

static size_t find_spans(const struct strata_row *rows, size_t count, struct stratum_span *spans)
{
    size_t strata = 0;
    for (size_t i = 0, end; i < count; i = end) {
        struct stratum_span span = {.from = i, .now = i};
        for (end = i; end < count && rows[end].stratum == rows[i].stratum; end++)
            span.now += !rows[end].now;
        span.end = end;
        if (span.now > span.from && span.end > span.now)
            spans[strata++] = span;
    }
    return strata;
}

void strata_values(struct strata_row *rows, size_t count, uint64_t seed, struct strata_change *out)
{
    enum { BOOTSTRAPS = 400 };
    double drawn[BOOTSTRAPS], *scratch = tac_calloc(count + 1, sizeof *scratch);
    struct stratum_span *spans = tac_calloc(count + 1, sizeof *spans);
    tac_random random;
    tac_random_seed(&random, seed);
    *out = (struct strata_change){.worse = 1, .better = 1};
    if (count)
        qsort(rows, count, sizeof *rows, by_stratum);
    size_t strata = find_spans(rows, count, spans);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < count; i++)
            if (rows[i].now == (side == 1))
                scratch[out->runs[side]++] = rows[i].value;
        out->figure[side] = median_of(scratch, out->runs[side]);
    }
    out->change = median_change(rows, spans, strata, NULL, scratch);
    for (int i = 0; i < BOOTSTRAPS; i++)
        drawn[i] = median_change(rows, spans, strata, &random, scratch) - out->change;
    median_of(drawn, strata ? BOOTSTRAPS : 0); /* sorts */
    bool enough =
        strata >= WHOLE_STRATA || (out->runs[0] >= 3 * strata && out->runs[1] >= 3 * strata);
    out->low = strata && enough ? out->change + drawn[BOOTSTRAPS / 40] : NAN;
    out->high = strata && enough ? out->change + drawn[BOOTSTRAPS - 1 - BOOTSTRAPS / 40] : NAN;
    double *ranks = aligned_ranks(rows, count, scratch);
    rank_chance(rows, count, ranks, &random, out);
    free(ranks);
    free(spans);
    free(scratch);
}

/* --- power --- */

static double binomial(size_t n, double p, size_t k)
{
    if (p <= 0 || p >= 1)
        return k == (p <= 0 ? 0 : n);
    return exp(log_choose(n, k) + (double)k * log(p) + (double)(n - k) * log1p(-p));
}

/* P(X >= least) for each least from 0 to n + 1. */
static void tails(size_t n, double p, double *out)
{
    out[n + 1] = 0;
    for (size_t k = n + 1; k-- > 0;)
        out[k] = out[k + 1] + binomial(n, p, k);
}

/* By hits before: the fewest hits now that are significant, n + 1 for none. */
static size_t *critical_hits(size_t now, size_t before, double level)
{
    size_t *out = tac_calloc(before + 1, sizeof *out), least = 0;
    for (size_t b = 0; b <= before; b++) {
        for (; least <= now; least++) {
            struct cell cell = {{b, least}, {before, now}};
            size_t from;
            double p = 0, *chance;
            size_t size = deal_hits(&cell, &from, &chance);
            for (size_t k = least - from; k < size; k++)
                p += chance[k];
            free(chance);
            if (p <= level)
                break;
        }
        out[b] = least;
    }
    return out;
}

double strata_rise_found(size_t runs_now, size_t runs_before, double before, double level)
{
    enum { MOST = 400, STEPS = 100 }; /* beyond, so many runs stand for all */
    size_t now = runs_now < MOST ? runs_now : MOST, old = runs_before < MOST ? runs_before : MOST;
    if (!now || !old)
        return NAN;
    size_t *least = critical_hits(now, old, level);
    double *tail = tac_calloc(now + 2, sizeof *tail), found = NAN;
    for (int step = 1; step <= STEPS && isnan(found); step++) {
        double rise = (1 - before) * step / STEPS, power = 0;
        tails(now, before + rise, tail);
        for (size_t b = 0; b <= old; b++)
            power += binomial(old, before, b) * tail[least[b]];
        if (power >= 0.9)
            found = rise;
    }
    free(least);
    free(tail);
    return found;
}
