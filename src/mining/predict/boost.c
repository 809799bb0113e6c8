/* A short list of rules with points, learned by boosting (LogitBoost with one rule a round): each
 * round adds the rule, up to three features, present or absent, that lowers the logistic loss most,
 * given the rules before it. At the marks all points are fitted again together. A run's score is
 * the sum of the points of the rules that hold. Cost of a round: the entries of the columns. */
#include "base/check.h"
#include "mining/predict/learn.h"
#include <math.h>

static const double RIDGE = 0.5, STEP = 0.7;
static const double LEAST_GAIN = 0.2; /* twice the gain in log-likelihood; less is chance */

/* What a row says about the points of a rule that it shows; nothing where it is not in use. */
struct slope {
    double gradient, curvature, rows;
};

struct booster {
    const struct columns *columns;
    const struct learn_rows *rows;
    const uint8_t *use;
    const struct learn_settings *settings;
    double *score;                /* per row */
    struct slope *slope, *masked; /* per row; masked: of the rows that a rule is about so far */
    uint8_t *mask;                /* those rows */
};

static void refresh(struct booster *b)
{
    for (uint32_t r = 0; r < b->columns->rows; r++) {
        b->slope[r] = (struct slope){0};
        if (!b->use[r])
            continue;
        double p = 1 / (1 + exp(-b->score[r])), all = b->rows->pass[r] + b->rows->fail[r];
        b->slope[r] = (struct slope){b->rows->fail[r] - all * p, all * p * (1 - p), 1};
    }
}

static void refresh_masked(struct booster *b)
{
    for (uint32_t r = 0; r < b->columns->rows; r++)
        b->masked[r] = b->mask[r] ? b->slope[r] : (struct slope){0};
}

struct choice {
    uint32_t feature;
    bool absent;
    double gain;
};

/* The best single condition; rows without a slope do not count. */
static struct choice best_condition(const struct booster *b, const struct slope *slope)
{
    struct choice best = {TAC_NONE, false, 0};
    double all_g = 0, all_h = 0, all_n = 0;
    for (uint32_t r = 0; r < b->columns->rows; r++) {
        all_g += slope[r].gradient;
        all_h += slope[r].curvature;
        all_n += slope[r].rows;
    }
    for (uint32_t f = 0; f < b->columns->count; f++) {
        double g = 0, h = 0, n = 0;
        if (b->settings->allowed && !b->settings->allowed[f])
            continue;
        for (size_t k = b->columns->from[f]; k < b->columns->from[f + 1]; k++) {
            const struct slope *s = &slope[b->columns->row[k]];
            g += s->gradient;
            h += s->curvature;
            n += s->rows;
        }
        double least = 2;
        double present = n >= least ? g * g / (h + RIDGE) : 0;
        double rest_g = all_g - g, rest_h = all_h - h;
        double absent =
            all_n - n >= least ? 0.999 * rest_g * rest_g / ((rest_h > 0 ? rest_h : 0) + RIDGE) : 0;
        double gain = present > absent ? present : absent;
        if (gain > best.gain * (1 + 1e-9))
            best = (struct choice){f, absent > present, gain};
    }
    assert(best.feature == TAC_NONE || best.feature < b->columns->count);
    return best;
}

static void mark_condition(const struct columns *columns, uint32_t feature, bool absent,
                           uint8_t *mask)
{
    memset(mask, absent, columns->rows);
    for (size_t k = columns->from[feature]; k < columns->from[feature + 1]; k++)
        mask[columns->row[k]] = !absent;
}

static void mark_rule(const struct columns *columns, const struct scored_rule *rule, uint8_t *mask,
                      uint8_t *other)
{
    assert(rule->count >= 1 && rule->count <= CONDITIONS);
    mark_condition(columns, rule->feature[0], rule->absent[0], mask);
    for (unsigned k = 1; k < rule->count; k++) {
        mark_condition(columns, rule->feature[k], rule->absent[k], other);
        for (uint32_t r = 0; r < columns->rows; r++)
            mask[r] &= other[r];
    }
}

/* Conditions are added while they make the rule clearly better. */
static bool choose_rule(struct booster *b, uint8_t *other, struct scored_rule *rule)
{
    struct choice chosen = best_condition(b, b->slope);
    if (chosen.feature == TAC_NONE || chosen.gain < LEAST_GAIN)
        return false;
    *rule =
        (struct scored_rule){.feature = {chosen.feature}, .absent = {chosen.absent}, .count = 1};
    while (rule->count < b->settings->conditions) {
        mark_rule(b->columns, rule, b->mask, other);
        refresh_masked(b);
        struct choice next = best_condition(b, b->masked);
        if (next.feature == TAC_NONE || next.gain <= 1.05 * chosen.gain)
            break;
        rule->feature[rule->count] = next.feature;
        rule->absent[rule->count++] = next.absent;
        chosen = next;
    }
    return true;
}

static bool same_rule(const struct scored_rule *a, const struct scored_rule *b)
{
    if (a->count != b->count)
        return false;
    for (unsigned k = 0; k < a->count; k++)
        if (a->feature[k] != b->feature[k] || a->absent[k] != b->absent[k])
            return false;
    return true;
}

/* Newton's step for the points of one rule; the scores follow. */
static double move_points(struct booster *b, const uint8_t *mask, double points, double step)
{
    double g = -RIDGE * 0.1 * points, h = RIDGE * 0.1 + 1e-9;
    for (uint32_t r = 0; r < b->columns->rows; r++)
        if (mask[r] && b->use[r]) {
            g += b->slope[r].gradient;
            h += b->slope[r].curvature;
        }
    double move = step * g / (h + RIDGE * 0.5);
    move = move > 4 ? 4 : move < -4 ? -4 : move;
    assert(move >= -4 && move <= 4); /* not NaN either */
    for (uint32_t r = 0; r < b->columns->rows; r++)
        if (mask[r])
            b->score[r] += move;
    return move;
}

/* All points together, coordinate by coordinate. */
static void fit_together(struct booster *b, struct rule_model *model, uint8_t *mask,
                         uint8_t *second)
{
    uint8_t *all = tac_alloc(b->columns->rows + 1);
    memset(all, 1, b->columns->rows + 1);
    for (int sweep = 0; sweep < 6; sweep++) {
        refresh(b);
        model->bias += move_points(b, all, 0, 1);
        for (unsigned k = 0; k < model->count; k++) {
            mark_rule(b->columns, &model->rules[k], mask, second);
            refresh(b);
            model->rules[k].points += move_points(b, mask, model->rules[k].points, 1);
        }
    }
    free(all);
}

void rule_scores(const struct columns *columns, const struct rule_model *model, double *scores)
{
    uint8_t *mask = tac_alloc(columns->rows + 1), *second = tac_alloc(columns->rows + 1);
    for (uint32_t r = 0; r < columns->rows; r++)
        scores[r] = model->bias;
    for (unsigned k = 0; k < model->count; k++) {
        mark_rule(columns, &model->rules[k], mask, second);
        for (uint32_t r = 0; r < columns->rows; r++)
            scores[r] += mask[r] ? model->rules[k].points : 0;
    }
    free(mask);
    free(second);
}

static double first_bias(const struct booster *b)
{
    double pass = 0.5, fail = 0.5;
    for (uint32_t r = 0; r < b->columns->rows; r++)
        if (b->use[r]) {
            pass += b->rows->pass[r];
            fail += b->rows->fail[r];
        }
    return log(fail / pass);
}

void boost_fit(const struct columns *columns, const struct learn_rows *rows, const uint8_t *use,
               const struct learn_settings *settings, const unsigned *marks, unsigned mark_count,
               struct rule_model *models)
{
    uint32_t n = columns->rows + 1;
    struct booster b = {.columns = columns, .rows = rows, .use = use, .settings = settings};
    b.score = tac_calloc(n, sizeof(double));
    b.slope = tac_calloc(n, sizeof *b.slope);
    b.masked = tac_calloc(n, sizeof *b.masked);
    b.mask = tac_alloc(n);
    uint8_t *mask = tac_alloc(n), *second = tac_alloc(n);
    struct rule_model model = {.bias = first_bias(&b)};
    for (uint32_t r = 0; r < columns->rows; r++)
        b.score[r] = model.bias;
    bool more = true;
    for (unsigned m = 0; m < mark_count; m++) {
        assert(marks[m] <= MOST_RULES && (m == 0 || marks[m] > marks[m - 1]));
        unsigned again = 0;
        while (more && model.count < marks[m]) {
            refresh(&b);
            struct scored_rule *rule = &model.rules[model.count];
            more = choose_rule(&b, second, rule);
            unsigned k = 0;
            while (more && k < model.count && !same_rule(&model.rules[k], rule))
                k++;
            if (more && k < model.count) { /* it is there already: its points are not right yet */
                fit_together(&b, &model, mask, second);
                more = again++ < 4;
                continue;
            }
            if (!more)
                break;
            mark_rule(columns, rule, mask, second);
            rule->points = move_points(&b, mask, 0, STEP);
            model.count++;
        }
        fit_together(&b, &model, mask, second);
        assert(model.count <= marks[m]);
        models[m] = model;
        more = true;
    }
    free(b.score);
    free(b.slope);
    free(b.masked);
    free(b.mask);
    free(mask);
    free(second);
}
