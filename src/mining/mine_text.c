/* What `tactus mine` prints for the person who triages. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/print/print.h"
#include "mining/runs/runs.h"

static void print_ending(const tac_runs *runs, const tac_cluster_result *cluster, FILE *out)
{
    if (cluster->ending_count < 2)
        return;
    assert(cluster->ending_runs <= cluster->runs && cluster->ending_pass <= cluster->passing);
    tac_print(out, "  %u of %u runs end in:", cluster->ending_runs, cluster->runs);
    for (size_t i = 0; i < cluster->ending_count; i++)
        if (runs->has_states || !tac_token_is_state(runs, cluster->ending[i]))
            tac_print(out, " %s", tac_token_text(runs, cluster->ending[i]));
    if (cluster->passing)
        tac_print(out, "  (anywhere in %.0f %% of the passing runs)",
                  100.0 * cluster->ending_pass / cluster->passing);
    tac_print(out, "\n");
}

static void print_probability(double p, FILE *out)
{
    if (p < 0.001)
        tac_print(out, "p < 0.001");
    else
        tac_print(out, "p %.2g", p);
}

static void print_evidence(const tac_cluster_result *cluster, const tac_mined_pattern *p, bool all,
                           FILE *out)
{
    assert(p->attributed <= cluster->runs && p->lift_low <= p->lift_high);
    tac_print(out, "  [%s", tac_template_name(p->form));
    if (cluster->passing) {
        tac_print(out, ", ");
        print_probability(p->p, out);
        tac_print(out, ", lift %.3g (%.2g to %.2g)", p->lift, p->lift_low, p->lift_high);
        if (!p->cause)
            tac_print(out, ", not beyond chance");
    }
    if (!all && cluster->passing)
        tac_print(out, ", explains %u run%s", p->attributed, p->attributed == 1 ? "" : "s");
    if (p->folded)
        tac_print(out, ", %u variant%s", p->folded, p->folded == 1 ? "" : "s");
    tac_print(out, "]\n");
    if (p->equally_supported)
        tac_print(out, "     equally supported: %u other%s\n", p->equally_supported,
                  p->equally_supported == 1 ? "" : "s");
}

static void print_patterns(const tac_runs *runs, const tac_mine_result *result,
                           const tac_cluster_result *cluster, size_t limit, bool verbose, FILE *out)
{
    for (size_t i = 0; i < cluster->pattern_count && (!limit || i < limit); i++) {
        const tac_mined_pattern *p = &cluster->patterns[i];
        char *sentence = tac_pattern_sentence(runs, p, cluster->runs, cluster->passing);
        tac_print(out, "  %zu. %s", i + 1, sentence);
        print_evidence(cluster, p, result->options.all || result->options.screen, out);
        free(sentence);
        if (verbose) {
            char *formula = tac_pattern_formula(runs, p);
            tac_print(out, "     %s\n", formula);
            free(formula);
        }
    }
    if (limit && cluster->pattern_count > limit)
        tac_print(out, "  ... and %zu more\n", cluster->pattern_count - limit);
}

static void print_no_pattern(const tac_cluster_result *cluster, FILE *out)
{
    if (cluster->passing == 0) {
        tac_print(out, "  no pattern reaches the thresholds\n");
        return;
    }
    tac_print(out, "  no pattern tells these runs from the passing ones beyond chance");
    if (cluster->least_p < 1) {
        tac_print(out, " (least ");
        print_probability(cluster->least_p, out);
        tac_print(out, ")");
    }
    tac_print(out, "; collect more of them\n");
}

static void print_cluster(const tac_runs *runs, const tac_mine_result *result,
                          const tac_cluster_result *cluster, size_t limit, bool verbose, FILE *out)
{
    const tac_mine_options *options = &result->options;
    tac_print(out, "\ncluster %s: %u run%s\n", cluster->name, cluster->runs,
              cluster->runs == 1 ? "" : "s");
    tac_print(out, "  one cluster: %s\n", cluster->why);
    if (options->all) {
        tac_print(out, "  patterns over the thresholds:");
        for (int t = 0; t < TAC_TEMPLATES; t++)
            tac_print(out, " %s %llu", tac_template_name((tac_template)t),
                      (unsigned long long)cluster->counts[t]);
        tac_print(out, "\n");
    }
    print_ending(runs, cluster, out);
    if (cluster->pattern_count == 0)
        print_no_pattern(cluster, out);
    print_patterns(runs, result, cluster, limit, verbose, out);
    if (!options->all && cluster->pattern_count && cluster->unexplained && cluster->passing &&
        options->screen == TAC_SCREEN_SCORE)
        tac_print(out, "  %u run%s: no pattern explains %s\n", cluster->unexplained,
                  cluster->unexplained == 1 ? "" : "s", cluster->unexplained == 1 ? "it" : "them");
    for (int t = 0; t < TAC_TEMPLATES; t++)
        if (verbose && t != TAC_G4 && cluster->examined[t] < options->depth)
            tac_print(out, "  %s: searched completely up to %u block%s only\n",
                      tac_template_name((tac_template)t), cluster->examined[t],
                      cluster->examined[t] == 1 ? "" : "s");
}

void tac_mine_text(const tac_runs *runs, const tac_mine_result *result, size_t limit, bool verbose,
                   FILE *out)
{
    char number[32];
    tac_print(out, "%s passing run%s, ", tac_thousands(result->passing, number, sizeof number),
              result->passing == 1 ? "" : "s");
    tac_print(out, "%s failing in %zu cluster%s\n",
              tac_thousands(result->failing, number, sizeof number), result->cluster_count,
              result->cluster_count == 1 ? "" : "s");
    if (runs_look_exchanged(runs))
        tac_print(out,
                  "  %u of the passing runs tell of an exception: are pass and fail exchanged?\n",
                  runs->excepted);
    if (verbose)
        for (size_t i = 0; i < runs->rules.at.count; i++)
            tac_print(out, "  identifier rule: %s\n", runs->rules.at.at[i].text);
    for (size_t i = 0; i < result->cluster_count; i++)
        print_cluster(runs, result, &result->clusters[i], limit, verbose, out);
    bool of_passing = result->cluster_count == 1 && result->clusters[0].cluster == TAC_RUN_PASSED;
    if (of_passing)
        tac_print(out, "\nA pattern is what these runs show; it is compared with nothing.\n");
    else if (result->passing == 0 || result->failing == 0) {
        size_t count;
        tac_verdict *verdicts = tac_mine_verdicts(runs, result, &count);
        tac_print(out, "\n%s.\n%s.\n", verdicts[0].explanation, verdicts[0].advice);
        tac_mine_verdicts_free(verdicts, count);
    } else
        tac_print(out, "\nA pattern is what failing runs share and passing runs (cut to the same "
                       "lengths) lack.\nIt does not prove a cause: replay it.\n");
}
