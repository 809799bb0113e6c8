/* What rules may ask for, how many there are, and from which score on a run fails: chosen by
 * cross-validation among the rows that are learned from, and by nothing else; the features of each
 * inner fold are listed and mined without the rows that it holds out.
 *
 * The kinds are rules on what occurs, how often, and how runs end; on one feature of any kind; on
 * several of any kind. What counts is MCC on the rows held out, the best number of rules of a kind,
 * and the plainer kind (the cut 0) unless another is clearly better. */
#include "base/check.h"
#include "mining/predict/learn.h"
#include "mining/search/chance.h"
#include <math.h>

static const unsigned marks[] = {1, 2, 4, 8, 16, MOST_RULES};
enum { KINDS = MODEL_KINDS, MARKS = sizeof marks / sizeof *marks, CUTS = 7 };
static const double cuts[CUTS] = {0, -0.5, 0.5, -1, 1, -2, 2};
static const double LEAST_MCC = 0.15;
static const double BY_CHANCE = 0.05 / (KINDS * MARKS); /* for every number and kind of rules */

struct way {
    unsigned kind, mark, cut;
};

static double mcc_of(const double counts[4])
{
    assert(counts[0] >= 0 && counts[1] >= 0 && counts[2] >= 0 && counts[3] >= 0);
    double tp = counts[0], tn = counts[1], fp = counts[2], fn = counts[3];
    double product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn);
    return product > 0 ? (tp * tn - fp * fn) / sqrt(product) : 0;
}

void count_row(const struct learn_rows *rows, uint32_t r, bool fails, double counts[4])
{
    counts[fails ? 0 : 3] += rows->fail[r];
    counts[fails ? 2 : 1] += rows->pass[r];
}

/* Whether the runs called failures hold more failures than by chance, and enough to be of use. */
static bool beyond_chance(const double counts[4])
{
    double tp = counts[0], tn = counts[1], fp = counts[2], fn = counts[3];
    double log_p = log_hypergeometric_tail((uint32_t)tp, (uint32_t)(tp + fp), (uint32_t)(tp + fn),
                                           (uint32_t)(tp + tn + fp + fn));
    return mcc_of(counts) > LEAST_MCC && log_p < log(BY_CHANCE);
}

/* The models of one kind at all marks up to one. */
static void fit(const struct lesson *lesson, const struct learn_rows *rows, const uint8_t *use,
                unsigned kind, unsigned count, struct rule_model *models)
{
    struct learn_settings settings = {.conditions = kind == 1 ? 1 : CONDITIONS,
                                      .allowed = kind == 0 ? lesson->plain : NULL};
    assert(kind < KINDS && count <= MARKS);
    boost_fit(&lesson->columns, rows, use, &settings, marks, count, models);
}

void trials_make(const struct trainer *t, struct trials *out)
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        out->score[kind] = tac_calloc(MARKS * t->rows.ids.count + 1, sizeof(float));
}

void trials_free(struct trials *trials)
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        free(trials->score[kind]);
    *trials = (struct trials){0};
}

tac_status try_models(struct trainer *t, const uint8_t *inside, struct trials *const *keep)
{
    uint32_t rows = (uint32_t)t->rows.ids.count;
    struct lesson lesson = {0};
    tac_status status = lesson_make(t, inside, &lesson);
    double *score = tac_alloc((rows + 1) * sizeof *score);
    struct rule_model *models = tac_calloc(MARKS, sizeof *models);
    for (unsigned kind = 0; kind < KINDS && !status; kind++) {
        fit(&lesson, &t->rows, inside, kind, MARKS, models);
        for (unsigned m = 0; m < MARKS; m++) {
            rule_scores(&lesson.columns, &models[m], score);
            for (uint32_t r = 0; r < rows; r++)
                if (keep[r]) {
                    assert(!inside[r]); /* no model is tried on what it was learned from */
                    keep[r]->score[kind][m * rows + r] = (float)score[r];
                }
        }
    }
    free(models);
    free(score);
    lesson_free(&lesson);
    return status;
}

static bool says_fails(const struct trainer *t, const struct trials *trials, const struct way *way,
                       uint32_t row)
{
    return trials->score[way->kind][way->mark * t->rows.ids.count + row] > cuts[way->cut];
}

static void tally_of(const struct trainer *t, const uint8_t *use, const struct trials *trials,
                     const struct way *way, double counts[4])
{
    memset(counts, 0, 4 * sizeof *counts);
    for (uint32_t r = 0; r < t->rows.ids.count; r++)
        if (use[r])
            count_row(&t->rows, r, says_fails(t, trials, way, r), counts);
}

/* Whether b is better than a by a standard error of their difference: an error is worth its share
 * of what is missing to MCC 1, and only the runs about which the two differ are left to chance. */
static bool clearly_better(const struct trainer *t, const uint8_t *use, const struct trials *trials,
                           const struct way *a, const struct way *b)
{
    double old[4], new[4], apart = 0;
    tally_of(t, use, trials, a, old);
    tally_of(t, use, trials, b, new);
    for (uint32_t r = 0; r < t->rows.ids.count; r++)
        if (use[r] && says_fails(t, trials, a, r) != says_fails(t, trials, b, r))
            apart += t->rows.pass[r] + t->rows.fail[r];
    double worth = (1 - mcc_of(old)) / (1 + old[2] + old[3]);
    return mcc_of(new) - mcc_of(old) > worth * sqrt(apart) + 1e-9;
}

/* The best size, then the kind and the cut that are clearly better than it. */
static bool choose_way(const struct trainer *t, const uint8_t *use, const struct trials *trials,
                       struct way *way)
{
    double counts[4];
    bool found = false;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct way best = {.kind = kind};
        double most = 0;
        for (unsigned m = 0; m < MARKS; m++) {
            tally_of(t, use, trials, &(struct way){kind, m, 0}, counts);
            if (beyond_chance(counts) && mcc_of(counts) > most + 1e-9) {
                most = mcc_of(counts);
                best.mark = m;
            }
        }
        if (most <= 0 || (found && !clearly_better(t, use, trials, way, &best)))
            continue;
        *way = best;
        found = true;
    }
    for (unsigned k = 1; k < CUTS && found; k++) {
        struct way other = {way->kind, way->mark, k};
        if (clearly_better(t, use, trials, way, &other))
            *way = other;
    }
    return found;
}

tac_status learn_chosen(struct trainer *t, const uint8_t *use, const struct trials *trials,
                        struct lesson *lesson, struct rule_model *model)
{
    struct way way = {0};
    double pass = 0.5, fail = 0.5;
    for (uint32_t r = 0; r < t->rows.ids.count; r++)
        if (use[r]) {
            pass += t->rows.pass[r];
            fail += t->rows.fail[r];
        }
    *model = (struct rule_model){.bias = log(fail / pass)};
    *lesson = (struct lesson){0};
    if (!choose_way(t, use, trials, &way))
        return TAC_OK;
    tac_status status = lesson_make(t, use, lesson);
    if (!status) {
        struct rule_model *models = tac_calloc(MARKS, sizeof *models);
        fit(lesson, &t->rows, use, way.kind, way.mark + 1, models);
        *model = models[way.mark];
        model->threshold = cuts[way.cut];
        assert(model->count <= marks[way.mark]);
        free(models);
    }
    return status;
}

tac_status learn_model(struct trainer *t, struct lesson *lesson, struct rule_model *model)
{
    uint32_t rows = (uint32_t)t->rows.ids.count;
    uint8_t *use = tac_alloc(rows + 1), *inside = tac_alloc(rows + 1);
    struct trials trials;
    struct trials **keep = tac_calloc(rows + 1, sizeof *keep);
    tac_status status = TAC_OK;
    *lesson = (struct lesson){0};
    trials_make(t, &trials);
    rows_outside(t, OUTER_FOLDS, OUTER_FOLDS, use);
    for (unsigned fold = 0; fold < INNER_FOLDS && !status; fold++) {
        for (uint32_t r = 0; r < rows; r++) {
            inside[r] = use[r] && t->rows.inner[r] != fold;
            keep[r] = use[r] && !inside[r] ? &trials : NULL;
        }
        status = try_models(t, inside, keep);
    }
    if (!status)
        status = learn_chosen(t, use, &trials, lesson, model);
    trials_free(&trials);
    free(keep);
    free(use);
    free(inside);
    return status;
}
