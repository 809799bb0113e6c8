/* What the rules are compared with: a decision tree on the events that occur, and logistic
 * regression on sequences of one to three blocks. Plain and complete: the tree takes the best split
 * by Gini impurity, the regression is fitted by coordinate descent to its ridge optimum. */
#include "base/check.h"
#include "mining/predict/learn.h"
#include <math.h>

/* --- Tree ------------------------------------------------------------------------------------- */

struct grower {
    const struct columns *columns;
    const struct learn_rows *rows;
    uint8_t *node; /* per row: the node it is in; 255 = not in use */
    struct tree_model *model;
};

static double impurity(double pass, double fail)
{
    return pass + fail > 0 ? 2 * pass * fail / (pass + fail) : 0;
}

static void grow(struct grower *g, unsigned node, unsigned depth)
{
    double pass = 0, fail = 0, best = 1e-9;
    assert(node < TREE_NODES);
    for (uint32_t r = 0; r < g->columns->rows; r++)
        if (g->node[r] == node) {
            pass += g->rows->pass[r];
            fail += g->rows->fail[r];
        }
    g->model->feature[node] = TAC_NONE;
    g->model->fails[node] = fail > pass;
    if (depth == TREE_DEPTH || pass <= 0 || fail <= 0)
        return;
    for (uint32_t f = 0; f < g->columns->count; f++) {
        double p = 0, q = 0;
        for (size_t k = g->columns->from[f]; k < g->columns->from[f + 1]; k++) {
            uint32_t r = g->columns->row[k];
            if (g->node[r] == node) {
                p += g->rows->pass[r];
                q += g->rows->fail[r];
            }
        }
        double gain = impurity(pass, fail) - impurity(p, q) - impurity(pass - p, fail - q);
        if (gain > best * (1 + 1e-9)) {
            best = gain;
            g->model->feature[node] = f;
        }
    }
    assert(2 * node + 2 < TREE_NODES);
    uint32_t feature = g->model->feature[node];
    if (feature == TAC_NONE)
        return;
    for (size_t k = g->columns->from[feature]; k < g->columns->from[feature + 1]; k++)
        if (g->node[g->columns->row[k]] == node)
            g->node[g->columns->row[k]] = (uint8_t)(2 * node + 2);
    for (uint32_t r = 0; r < g->columns->rows; r++)
        if (g->node[r] == node)
            g->node[r] = (uint8_t)(2 * node + 1);
    grow(g, 2 * node + 1, depth + 1);
    grow(g, 2 * node + 2, depth + 1);
}

void tree_fit(const struct columns *columns, const struct learn_rows *rows, const uint8_t *use,
              struct tree_model *out)
{
    struct grower g = {columns, rows, tac_alloc(columns->rows + 1), out};
    for (unsigned i = 0; i < TREE_NODES; i++)
        out->feature[i] = TAC_NONE;
    for (uint32_t r = 0; r < columns->rows; r++)
        g.node[r] = use[r] ? 0 : 255;
    grow(&g, 0, 0);
    free(g.node);
}

void tree_apply(const struct columns *columns, const struct tree_model *model, uint8_t *fails)
{
    uint8_t *node = tac_calloc(columns->rows + 1, 1), *shown = tac_alloc(columns->rows + 1);
    for (unsigned n = 0; n < TREE_NODES; n++) {
        uint32_t f = model->feature[n];
        if (f == TAC_NONE)
            continue;
        memset(shown, 0, columns->rows);
        for (size_t k = columns->from[f]; k < columns->from[f + 1]; k++)
            shown[columns->row[k]] = 1;
        for (uint32_t r = 0; r < columns->rows; r++)
            if (node[r] == n)
                node[r] = (uint8_t)(2 * n + 1 + shown[r]);
    }
    for (uint32_t r = 0; r < columns->rows; r++)
        fails[r] = model->fails[node[r]];
    free(node);
    free(shown);
}

/* --- Logistic regression ---------------------------------------------------------------------- */

static const double PENALTY = 1.0;
enum { SWEEPS = 15 };

static double slope_and_curve(const struct learn_rows *rows, uint32_t r, const double *score,
                              double *curve)
{
    double p = 1 / (1 + exp(-score[r])), all = rows->pass[r] + rows->fail[r];
    *curve = all * p * (1 - p);
    return all * p - rows->fail[r];
}

static double step_of(double g, double h)
{
    double step = -g / (h > 1e-6 ? h : 1e-6);
    return step > 2 ? 2 : step < -2 ? -2 : step;
}

void linear_fit(const struct columns *columns, const struct learn_rows *rows, const uint8_t *use,
                struct linear_model *out)
{
    double *score = tac_calloc(columns->rows + 1, sizeof *score);
    out->weight = tac_calloc(columns->count + 1, sizeof *out->weight);
    out->bias = 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double g = 0, h = 0, curve;
        for (uint32_t r = 0; r < columns->rows; r++)
            if (use[r]) {
                g += slope_and_curve(rows, r, score, &curve);
                h += curve;
            }
        double step = step_of(g, h);
        out->bias += step;
        for (uint32_t r = 0; r < columns->rows; r++)
            score[r] += step;
        for (uint32_t f = 0; f < columns->count; f++) {
            g = PENALTY * out->weight[f];
            h = PENALTY;
            for (size_t k = columns->from[f]; k < columns->from[f + 1]; k++)
                if (use[columns->row[k]]) {
                    g += slope_and_curve(rows, columns->row[k], score, &curve);
                    h += curve;
                }
            step = step_of(g, h);
            if (fabs(step) < 1e-6)
                continue;
            out->weight[f] += step;
            for (size_t k = columns->from[f]; k < columns->from[f + 1]; k++)
                score[columns->row[k]] += step;
        }
    }
    free(score);
}

void linear_apply(const struct columns *columns, const struct linear_model *model, uint8_t *fails)
{
    double *score = tac_calloc(columns->rows + 1, sizeof *score);
    for (uint32_t f = 0; f < columns->count; f++)
        for (size_t k = columns->from[f]; k < columns->from[f + 1]; k++)
            score[columns->row[k]] += model->weight[f];
    for (uint32_t r = 0; r < columns->rows; r++)
        fails[r] = score[r] + model->bias > 0;
    free(score);
}
