/* How far the printed F2 may be from that of as many other runs of the same kind: a 95 % interval
 * of the prediction. What is known of the rates is uncertain, and other runs are a sample again.
 *
 * Bayesian bootstrap over distinct runs (Rubin 1981): each row gets a weight from the exponential
 * distribution, copies of a run one weight together, and other runs are drawn with these weights
 * (Poisson variates), of which F2 is computed; with half a run of each outcome added (Jeffreys'
 * prior, as Goutte and Gaussier 2005 do for F), so that a set without an error does not claim that
 * there never will be one. Rows of the same kind are drawn together: a sum of k exponential weights
 * is a gamma variate. Seeded; cost: draws times kinds of rows. */
#include "mining/predict/interval.h"
#include "base/check.h"
#include "base/data/random.h"
#include "base/data/vec.h"
#include <math.h>
#include <stdlib.h>

enum { DRAWS = 2000 };
static const double TAIL = 0.025, PRIOR = 0.5;

/* Rows that count the same. */
struct row_kind {
    double pass, fail, rows;
    bool fails;
};

static int kind_order(const void *a, const void *b)
{
    const struct row_kind *x = a, *y = b;
    if (x->fails != y->fails)
        return x->fails - y->fails;
    if (x->pass != y->pass)
        return x->pass < y->pass ? -1 : 1;
    return (x->fail > y->fail) - (x->fail < y->fail);
}

static int number_order(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double normal(tac_random *random)
{
    double u = 1 - tac_random_unit(random), v = tac_random_unit(random);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* Marsaglia and Tsang's way; below one by the power of a uniform variate. */
static double gamma_variate(tac_random *random, double shape)
{
    assert(shape > 0);
    if (shape < 1)
        return gamma_variate(random, shape + 1) * pow(1 - tac_random_unit(random), 1 / shape);
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = normal(random), v = 1 + c * x, u = 1 - tac_random_unit(random);
        v = v * v * v;
        if (v > 0 && log(u) < 0.5 * x * x + d - d * v + d * log(v))
            return d * v;
    }
}

/* By counting arrivals; where they are many, a rounded normal variate. */
static double poisson_variate(tac_random *random, double mean)
{
    if (mean > 50)
        return fmax(0, floor(mean + sqrt(mean) * normal(random) + 0.5));
    double left = exp(-mean), product = 1 - tac_random_unit(random), count = 0;
    for (; product > left; count++)
        product *= 1 - tac_random_unit(random);
    assert(count >= 0);
    return count;
}

/* So many other rows, where so many were seen. */
static double other_rows(tac_random *random, double rows)
{
    return poisson_variate(random, gamma_variate(random, rows));
}

/* NaN when the other runs have neither a failure nor an alarm. */
static double draw_f2(tac_random *random, const struct row_kind *kinds, size_t count)
{
    double tp = other_rows(random, PRIOR), fn = other_rows(random, PRIOR);
    double fp = other_rows(random, PRIOR);
    for (size_t k = 0; k < count; k++) {
        if (!kinds[k].fails && kinds[k].fail <= 0)
            continue; /* true negatives are no part of F2 */
        double weight = other_rows(random, kinds[k].rows);
        tp += kinds[k].fails ? weight * kinds[k].fail : 0;
        fp += kinds[k].fails ? weight * kinds[k].pass : 0;
        fn += kinds[k].fails ? 0 : weight * kinds[k].fail;
    }
    return tp + fn + fp > 0 ? 5 * tp / (5 * tp + 4 * fn + fp) : NAN;
}

void f2_interval(const struct judged_rows *rows, tac_predict_figures *figures)
{
    TAC_VEC(struct row_kind) kinds = {0};
    size_t count = 0;
    figures->f2_low = figures->f2_high = figures->f2;
    for (uint32_t r = 0; r < rows->count; r++)
        if (rows->pass[r] + rows->fail[r] > 0)
            tac_vec_push(&kinds,
                         ((struct row_kind){rows->pass[r], rows->fail[r], 1, rows->fails[r] != 0}));
    if (kinds.count && !isnan(figures->f2)) {
        double draws[DRAWS];
        tac_random random;
        tac_random_seed(&random, 2005);
        qsort(kinds.at, kinds.count, sizeof *kinds.at, kind_order);
        for (size_t k = 1; k < kinds.count; k++)
            if (kind_order(&kinds.at[count], &kinds.at[k]) == 0)
                kinds.at[count].rows++;
            else
                kinds.at[++count] = kinds.at[k];
        assert(count < kinds.count);
        size_t told = 0;
        for (size_t k = 0; k < DRAWS; k++) {
            draws[told] = draw_f2(&random, kinds.at, count + 1);
            told += !isnan(draws[told]);
        }
        qsort(draws, told, sizeof *draws, number_order);
        if (told) {
            figures->f2_low = fmin(figures->f2, draws[(size_t)(TAIL * (double)told)]);
            figures->f2_high = fmax(figures->f2, draws[(size_t)((1 - TAIL) * (double)told)]);
        }
        assert(figures->f2_low >= 0 && figures->f2_high <= 1);
    }
    tac_vec_free(&kinds);
}
