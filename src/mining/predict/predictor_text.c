/* A predictor and its figures as text: what was learned, in sentences with their points, and the
 * table that compares the predictor with the baselines. */
#include "base/print/print.h"
#include "mining/predict/predictor.h"
#include <math.h>

static void print_figures(const char *name, const tac_predict_figures *f, FILE *out)
{
    const double values[] = {f->precision, f->recall, f->f2, f->mcc};
    tac_print(out, "%-12s %6llu %6llu %6llu %6llu   %5.1f %%", name, (unsigned long long)f->tp,
              (unsigned long long)f->tn, (unsigned long long)f->fp, (unsigned long long)f->fn,
              100 * f->accuracy);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (isnan(values[i]))
            tac_print(out, "      -");
        else
            tac_print(out, "  %5.2f", values[i]);
    if (!isnan(f->f2_low))
        tac_print(out, "   %.2f-%.2f", f->f2_low, f->f2_high);
    tac_print(out, "\n");
}

static double worth(const tac_predict_figures *f)
{
    return isnan(f->mcc) ? 0 : f->mcc;
}

void print_comparison(const tac_predict_figures *own, const struct baseline_figures *all, FILE *out)
{
    const tac_predict_figures *baselines = all->of;
    bool learned = all->learned;
    static const char *const names[BASELINES] = {"always pass", "always fail", "tree", "1-3-grams"};
    tac_print(out,
              "                 TP     TN     FP     FN   accuracy  prec.   rec.     F2    MCC   "
              "F2, 95 %%\n");
    print_figures("predictor", own, out);
    for (unsigned k = 0; k < (learned ? BASELINES : TREE); k++)
        print_figures(names[k], &baselines[k], out);
    if (own->accuracy < baselines[ALWAYS_PASS].accuracy)
        tac_print(out, "\nThe accuracy is below that of calling every run a pass.\n");
    for (unsigned k = TREE; k < BASELINES && learned; k++)
        if (worth(own) + 0.01 < worth(&baselines[k]))
            tac_print(out, "\nBy MCC the %s do%s better than the rules.\n",
                      k == TREE ? "tree" : "1-3-grams", k == TREE ? "es" : "");
}

static void print_weights(const tac_predictor *predictor, FILE *out)
{
    tac_print(out,
              "cluster                            runs   W1  W2  W3  W4  W5  threshold   F2\n");
    for (size_t i = 0; i < predictor->clusters.count; i++) {
        const struct known_cluster *c = &predictor->clusters.at[i];
        tac_print(out, "%-32.32s %6u ", c->name, c->runs);
        for (unsigned f = 0; f < FEATURES; f++)
            tac_print(out, " %3u", c->weights[f]);
        tac_print(out, "  %9u   %.2f%s\n", c->threshold,
                  isnan(c->validated.f2) ? 0 : c->validated.f2,
                  c->folds ? "" : " (not validated: too few runs)");
    }
    tac_print(out, "\nF2 is the best of the whole grid on the folds that chose it: expect less.\n");
}

static void print_rules(const struct known_cluster *cluster, FILE *out)
{
    tac_print(out, "cluster %s: %u run%s, F2 %.2f, MCC %.2f on held-out runs\n", cluster->name,
              cluster->runs, cluster->runs == 1 ? "" : "s",
              isnan(cluster->validated.f2) ? 0 : cluster->validated.f2, worth(&cluster->validated));
    if (cluster->rules.count == 0) {
        tac_print(out, "  no rule does better than chance: every run is a %s\n",
                  cluster->bias > cluster->cut ? "failure" : "pass");
        return;
    }
    tac_print(out, "  %+.2f  to begin with; more than %.2f is a failure\n", cluster->bias,
              cluster->cut);
    for (size_t k = 0; k < cluster->rules.count; k++)
        tac_print(out, "  %+.2f  %s\n", cluster->rules.at[k].points, cluster->rules.at[k].sentence);
}

void tac_predictor_text(const tac_predictor *predictor, FILE *out)
{
    tac_print(out, "learned from %u passing and %u failing runs\n\n", predictor->passing,
              predictor->failing);
    if (!predictor->validated) {
        print_weights(predictor, out);
        return;
    }
    for (size_t i = 0; i < predictor->clusters.count; i++)
        print_rules(&predictor->clusters.at[i], out);
    tac_print(out, "\nall clusters, by nested cross-validation, copies of a run kept together:\n");
    print_comparison(&predictor->figures, &predictor->baselines, out);
}
