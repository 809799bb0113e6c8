/* Weights and threshold by exhaustive search (mining paper, section 8.2).
 *
 * What a predictor does depends on a run only through the set of templates that fire, so runs are
 * counted by these 32 sets first; each of the 10,010 grid points then costs 32 steps, whatever the
 * number of runs. */
#include "base/check.h"
#include "mining/predict/predictor.h"
#include <math.h>

void tac_predict_figures_finish(tac_predict_figures *f)
{
    double tp = (double)f->tp, tn = (double)f->tn, fp = (double)f->fp, fn = (double)f->fn;
    double all = tp + tn + fp + fn;
    f->accuracy = all > 0 ? (tp + tn) / all : NAN;
    f->precision = tp + fp > 0 ? tp / (tp + fp) : NAN;
    f->recall = tp + fn > 0 ? tp / (tp + fn) : NAN;
    f->f2 = tp + fn > 0 ? 5 * tp / (5 * tp + 4 * fn + fp) : NAN;
    f->f2_low = f->f2_high = NAN;
    double product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn);
    f->mcc = product > 0 ? (tp * tn - fp * fn) / sqrt(product) : NAN;
}

unsigned feature_of(tac_template template)
{
    assert(template <TAC_TEMPLATES); /* what a run has or how it ends has no weight */
    static const unsigned features[TAC_TEMPLATES] = {
        [TAC_G1] = 0, [TAC_G2] = 1, [TAC_G2E] = 1, [TAC_G3] = 2,
        [TAC_G4] = 3, [TAC_G5] = 4, [TAC_G1E] = 0};
    return features[template];
}

/* Share of failing minus share of passing runs with the feature. */
static void worth_of_features(const struct masks *masks, double worth[FEATURES])
{
    double fail = 0, pass = 0;
    for (unsigned m = 0; m < MASKS; m++) {
        fail += (double)masks->fail[m];
        pass += (double)masks->pass[m];
    }
    for (unsigned f = 0; f < FEATURES; f++) {
        worth[f] = 0;
        for (unsigned m = 0; m < MASKS; m++)
            if (m >> f & 1)
                worth[f] += (fail > 0 ? (double)masks->fail[m] / fail : 0) -
                            (pass > 0 ? (double)masks->pass[m] / pass : 0);
    }
}

struct grid {
    const struct masks *masks;
    double worth[FEATURES];
    struct grid_choice best;
    double pass_weight;
    double best_f2, best_value;
    bool any;
};

double passing_weight(uint64_t fail, uint64_t pass)
{
    double weight = pass ? (double)fail * (RARITY - 1) / (double)pass : 1;
    assert(weight >= 0);
    return weight > 1 ? weight : 1;
}

double weighted_f2(double tp, double fn, double fp, double pass_weight)
{
    return tp > 0 ? 5 * tp / (5 * tp + 4 * fn + pass_weight * fp) : 0;
}

static void judge_point(struct grid *grid, const unsigned *weights, unsigned threshold,
                        const unsigned *sums)
{
    tac_predict_figures f = {0};
    for (unsigned m = 0; m < MASKS; m++) {
        bool member = sums[m] > threshold;
        *(member ? &f.tp : &f.fn) += grid->masks->fail[m];
        *(member ? &f.fp : &f.tn) += grid->masks->pass[m];
    }
    tac_predict_figures_finish(&f);
    double value = 0;
    for (unsigned i = 0; i < FEATURES; i++)
        value += weights[i] * grid->worth[i];
    double f2 = weighted_f2((double)f.tp, (double)f.fn, (double)f.fp, grid->pass_weight);
    double mcc = isnan(f.mcc) ? -1 : f.mcc, old_mcc = grid->best.figures.mcc;
    bool better = !grid->any || f2 > grid->best_f2 || (f2 == grid->best_f2 && mcc > old_mcc) ||
                  (f2 == grid->best_f2 && mcc == old_mcc && value > grid->best_value + 1e-12);
    if (!better)
        return;
    grid->any = true;
    grid->best_f2 = f2;
    grid->best_value = value;
    memcpy(grid->best.weights, weights, sizeof grid->best.weights);
    grid->best.threshold = threshold;
    grid->best.figures = f;
    grid->best.figures.mcc = mcc;
}

static void try_weights(struct grid *grid, unsigned *weights, unsigned feature, unsigned left)
{
    assert(feature < FEATURES && left <= WEIGHT_SUM);
    if (feature + 1 < FEATURES) {
        for (unsigned w = 0; w <= left; w++) {
            weights[feature] = w;
            try_weights(grid, weights, feature + 1, left - w);
        }
        return;
    }
    weights[feature] = left;
    unsigned sums[MASKS] = {0};
    for (unsigned m = 0; m < MASKS; m++)
        for (unsigned f = 0; f < FEATURES; f++)
            sums[m] += m >> f & 1 ? weights[f] : 0;
    for (unsigned threshold = 0; threshold < WEIGHT_SUM; threshold++)
        judge_point(grid, weights, threshold, sums);
}

struct grid_choice search_grid(const struct masks *masks)
{
    struct grid grid = {.masks = masks};
    unsigned weights[FEATURES];
    uint64_t fail = 0, pass = 0;
    for (unsigned m = 0; m < MASKS; m++) {
        fail += masks->fail[m];
        pass += masks->pass[m];
    }
    grid.pass_weight = passing_weight(fail, pass);
    worth_of_features(masks, grid.worth);
    try_weights(&grid, weights, 0, WEIGHT_SUM);
    assert(grid.any && grid.best.threshold < WEIGHT_SUM);
    assert(grid.best.figures.tp + grid.best.figures.fn == fail);
    assert(grid.best.figures.fp + grid.best.figures.tn == pass);
    tac_predict_figures_finish(&grid.best.figures);
    return grid.best;
}
