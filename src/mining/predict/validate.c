/* Nested cross-validation by pairs of folds.
 *
 * To judge the rows of fold i, the kind and size of model are chosen by cross-validation among the
 * other folds. The inner model of i without fold j is that of j without fold i: it is learned once,
 * tells the rows of j for i's choice and the rows of i for j's. So ten folds take 45 + 10 models of
 * each kind instead of 100, and both layers are close to what is delivered: inner models have 8
 * tenths of the rows (as in learn_model), the judging ones 9 tenths. No row has a part in its own
 * verdict: the choice of i sees models and rows outside i only.
 *
 * Cost: a lesson per pair of folds that have rows; ten times a float per row, kind and size. */
#include "base/check.h"
#include "mining/predict/learn.h"

void rows_outside(const struct trainer *t, unsigned fold, unsigned other, uint8_t *use)
{
    for (uint32_t r = 0; r < t->rows.ids.count; r++)
        use[r] = t->rows.fold[r] != fold && t->rows.fold[r] != other &&
                 t->rows.pass[r] + t->rows.fail[r] > 0;
}

struct fold_trials {
    struct trials of[OUTER_FOLDS]; /* by rows outside the fold, about rows outside the fold */
    bool filled[OUTER_FOLDS];      /* some row with weight is in it */
    uint8_t *inside;
    struct trials **keep;
};

static tac_status try_pair(struct trainer *t, struct fold_trials *f, unsigned one, unsigned other)
{
    assert(one != other && one < OUTER_FOLDS && other < OUTER_FOLDS);
    rows_outside(t, one, other, f->inside);
    for (uint32_t r = 0; r < t->rows.ids.count; r++) {
        bool weight = t->rows.pass[r] + t->rows.fail[r] > 0;
        f->keep[r] = weight && t->rows.fold[r] == one     ? &f->of[other]
                     : weight && t->rows.fold[r] == other ? &f->of[one]
                                                          : NULL;
    }
    return try_models(t, f->inside, f->keep);
}

static tac_status judge_fold(struct trainer *t, struct fold_trials *f, unsigned fold, double *score,
                             uint8_t *fails)
{
    struct lesson lesson;
    struct rule_model model;
    rows_outside(t, fold, fold, f->inside);
    tac_status status = learn_chosen(t, f->inside, &f->of[fold], &lesson, &model);
    if (!status && model.count)
        rule_scores(&lesson.columns, &model, score);
    for (uint32_t r = 0; r < t->rows.ids.count && !status; r++)
        if (t->rows.fold[r] == fold)
            fails[r] = (model.count ? score[r] : model.bias) > model.threshold;
    lesson_free(&lesson);
    return status;
}

tac_status judge_held_out(struct trainer *t, uint8_t *fails)
{
    uint32_t count = (uint32_t)t->rows.ids.count;
    struct fold_trials f = {.inside = tac_alloc(count + 1),
                            .keep = tac_calloc(count + 1, sizeof *f.keep)};
    double *score = tac_alloc((count + 1) * sizeof *score);
    tac_status status = TAC_OK;
    for (uint32_t r = 0; r < count; r++) {
        assert(t->rows.fold[r] < OUTER_FOLDS);
        f.filled[t->rows.fold[r]] |= t->rows.pass[r] + t->rows.fail[r] > 0;
    }
    for (unsigned i = 0; i < OUTER_FOLDS; i++)
        trials_make(t, &f.of[i]);
    for (unsigned i = 0; i < OUTER_FOLDS; i++)
        for (unsigned j = i + 1; j < OUTER_FOLDS && !status; j++)
            if (f.filled[i] && f.filled[j])
                status = try_pair(t, &f, i, j);
    for (unsigned i = 0; i < OUTER_FOLDS && !status; i++)
        if (f.filled[i])
            status = judge_fold(t, &f, i, score, fails);
    for (unsigned i = 0; i < OUTER_FOLDS; i++)
        trials_free(&f.of[i]);
    free(f.inside);
    free(f.keep);
    free(score);
    return status;
}
