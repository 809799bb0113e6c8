/* How good a prediction is: what it says of labelled runs against their labels, beside what the
 * baselines say of the same runs, with the interval of F2 over runs whose copies count as one. */
#include "base/check.h"
#include "mining/predict/interval.h"
#include "mining/predict/prediction.h"

/* fails: what is said of each run; the same of copies, because it depends on the events alone. */
static void add_interval(const struct tac_prediction *prediction, const uint8_t *fails,
                         tac_predict_figures *figures)
{
    const struct learn_rows *rows = &prediction->rows;
    uint32_t count = (uint32_t)rows->ids.count;
    uint8_t *said = tac_calloc(count + 1, 1);
    for (uint32_t r = 0; r < count; r++)
        said[r] = fails[rows->ids.at[r]];
    f2_interval(&(struct judged_rows){rows->pass, rows->fail, said, count}, figures);
    free(said);
}

bool tac_prediction_figures(const tac_prediction *prediction, tac_predict_figures *figures,
                            tac_predict_figures *always_pass)
{
    size_t count = prediction->runs->list.count;
    uint8_t *said = tac_calloc(count + 1, 1);
    *figures = (tac_predict_figures){0};
    for (size_t r = 0; r < count; r++) {
        uint32_t label = prediction->runs->list.at[r].cluster;
        bool predicted = prediction->predicted[r] != TAC_NONE;
        said[r] = predicted;
        if (label == TAC_RUN_UNLABELLED)
            continue;
        if (label == TAC_RUN_PASSED)
            *(predicted ? &figures->fp : &figures->tn) += 1;
        else
            *(predicted ? &figures->tp : &figures->fn) += 1;
    }
    *always_pass =
        (tac_predict_figures){.tn = figures->tn + figures->fp, .fn = figures->tp + figures->fn};
    tac_predict_figures_finish(figures);
    tac_predict_figures_finish(always_pass);
    add_interval(prediction, said, figures);
    free(said);
    return figures->tp + figures->tn + figures->fp + figures->fn > 0;
}

const char *tac_baseline_name(unsigned baseline)
{
    static const char *const names[BASELINES] = {"always_pass", "always_fail", "tree", "ngram"};
    assert(baseline < BASELINES);
    return names[baseline];
}

bool tac_prediction_baselines(const tac_prediction *prediction,
                              tac_predict_figures figures[TAC_BASELINES])
{
    uint64_t labelled = 0;
    size_t runs = prediction->runs->list.count;
    uint8_t *never = tac_calloc(runs + 1, 1), *always = tac_alloc(runs + 1);
    memset(always, 1, runs + 1);
    const uint8_t *const lists[] = {[ALWAYS_PASS] = never,
                                    [ALWAYS_FAIL] = always,
                                    [TREE] = prediction->tree_fails,
                                    [SEQUENCES] = prediction->sequences_fail};
    TABLE_COVERS(lists, SEQUENCES);
    memset(figures, 0, BASELINES * sizeof *figures);
    for (size_t r = 0; r < runs; r++) {
        uint32_t label = prediction->runs->list.at[r].cluster;
        if (label == TAC_RUN_UNLABELLED)
            continue;
        labelled++;
        for (unsigned k = 0; k < BASELINES; k++) {
            if (!lists[k])
                continue;
            bool fails = lists[k][r];
            tac_predict_figures *f = &figures[k];
            if (label == TAC_RUN_PASSED)
                *(fails ? &f->fp : &f->tn) += 1;
            else
                *(fails ? &f->tp : &f->fn) += 1;
        }
    }
    for (unsigned k = 0; k < BASELINES; k++) {
        tac_predict_figures_finish(&figures[k]);
        if (k != ALWAYS_PASS && lists[k])
            add_interval(prediction, lists[k], &figures[k]);
    }
    free(never);
    free(always);
    return labelled > 0;
}

bool tac_predictor_figures(const tac_predictor *predictor, tac_predict_figures *figures,
                           tac_predict_figures baselines[TAC_BASELINES])
{
    *figures = predictor->figures;
    memcpy(baselines, predictor->baselines.of, sizeof predictor->baselines.of);
    return predictor->validated;
}
