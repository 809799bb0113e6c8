/* A prediction as a document and as text: each run that looks like a failure with its reasons, the
 * patterns that fire or the rules that hold. */
#include "base/data/bits.h"
#include "mining/predict/prediction.h"

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *reason_json(const struct tac_prediction *prediction, size_t c, size_t run)
{
    const struct known_cluster *cluster = &prediction->predictor->clusters.at[c];
    const struct cluster_firing *firing = &prediction->clusters[c];
    json_t *object = json_object(), *patterns = json_array();
    for (size_t i = 0; i < cluster->patterns.count; i++)
        if (!cluster->by_rules && tac_bits_get(firing->fired + i * prediction->words, run)) {
            const struct known_pattern *p = &cluster->patterns.at[i];
            json_t *pattern = json_object();
            set(pattern, "template", tac_json_string(tac_template_name(p->template)));
            set(pattern, "weight", json_integer(cluster->weights[feature_of(p->template)]));
            set(pattern, "sentence", tac_json_string(p->sentence));
            json_array_append_new(patterns, pattern);
        }
    for (size_t i = 0; i < cluster->rules.count && cluster->by_rules; i++) {
        const struct known_rule *rule = &cluster->rules.at[i];
        if (!known_rule_holds(rule, firing->fired, prediction->words, run))
            continue;
        json_t *pattern = json_object();
        const struct known_pattern *p = &cluster->patterns.at[rule->pattern[0]];
        set(pattern, "template", tac_json_string(tac_template_name(p->template)));
        set(pattern, "weight", tac_json_number(rule->points));
        set(pattern, "sentence", tac_json_string(rule->sentence));
        json_array_append_new(patterns, pattern);
    }
    double threshold = known_cluster_threshold(cluster);
    set(object, "cluster", tac_json_string(cluster->name));
    set(object, "sum",
        cluster->by_rules ? tac_json_number(firing->sum[run])
                          : json_integer((json_int_t)firing->sum[run]));
    set(object, "threshold",
        cluster->by_rules ? tac_json_number(threshold) : json_integer((json_int_t)threshold));
    set(object, "member", json_boolean(firing->sum[run] > threshold));
    set(object, "patterns", patterns);
    return object;
}

static json_t *run_json(const struct tac_prediction *prediction, size_t run)
{
    json_t *object = json_object(), *reasons = json_array();
    const char *predicted = tac_prediction_label(prediction, run);
    uint32_t label = prediction->runs->list.at[run].cluster;
    char *name = tac_runs_name(prediction->runs, run);
    for (size_t c = 0; c < prediction->predictor->clusters.count; c++)
        if (prediction->predictor->clusters.at[c].by_rules ? prediction->predicted[run] == c
                                                           : prediction->clusters[c].sum[run] > 0)
            json_array_append_new(reasons, reason_json(prediction, c, run));
    set(object, "run", json_integer((json_int_t)run + 1));
    set(object, "name", tac_json_string(name));
    set(object, "predicted", tac_json_string(predicted ? predicted : "0"));
    set(object, "verdict", tac_json_string(predicted ? "fail" : "pass"));
    set(object, "label",
        label == TAC_RUN_UNLABELLED ? json_null()
                                    : tac_json_string(prediction->runs->clusters.text[label]));
    set(object, "because", reasons);
    free(name);
    return object;
}

json_t *tac_prediction_json(const tac_prediction *prediction)
{
    json_t *document = json_object(), *runs = json_array();
    tac_predict_figures figures, always_pass;
    size_t failing = 0;
    for (size_t r = 0; r < prediction->runs->list.count; r++) {
        json_array_append_new(runs, run_json(prediction, r));
        failing += prediction->predicted[r] != TAC_NONE;
    }
    set(document, "predicted_failing", json_integer((json_int_t)failing));
    if (tac_prediction_figures(prediction, &figures, &always_pass)) {
        json_t *all = figures_json(&figures);
        json_object_update(document, all);
        json_decref(all);
        set(document, "baseline", figures_json(&always_pass));
        tac_predict_figures baselines[BASELINES];
        tac_prediction_baselines(prediction, baselines);
        set(document, "baselines", baselines_json(baselines, prediction->tree_fails != NULL));
    }
    set(document, "runs", runs);
    return document;
}

static void print_reason(const struct tac_prediction *prediction, size_t run, FILE *out)
{
    uint32_t c = prediction->predicted[run];
    const struct known_cluster *cluster = &prediction->predictor->clusters.at[c];
    const struct cluster_firing *firing = &prediction->clusters[c];
    char *name = tac_runs_name(prediction->runs, run);
    fprintf(out, "%s: like cluster %s (%.3g > %.3g)\n", name, cluster->name, firing->sum[run],
            known_cluster_threshold(cluster));
    free(name);
    for (size_t i = 0; i < cluster->rules.count && cluster->by_rules; i++)
        if (known_rule_holds(&cluster->rules.at[i], firing->fired, prediction->words, run))
            fprintf(out, "    %+.2f  %s\n", cluster->rules.at[i].points,
                    cluster->rules.at[i].sentence);
    if (cluster->by_rules)
        return;
    for (size_t i = 0; i < cluster->patterns.count; i++)
        if (cluster->weights[feature_of(cluster->patterns.at[i].template)] &&
            tac_bits_get(firing->fired + i * prediction->words, run))
            fprintf(out, "    %s\n", cluster->patterns.at[i].sentence);
}

void tac_prediction_text(const tac_prediction *prediction, bool verbose, FILE *out)
{
    size_t count = prediction->runs->list.count, failing = 0, shown = 0;
    tac_predict_figures figures, always_pass;
    for (size_t r = 0; r < count; r++)
        failing += prediction->predicted[r] != TAC_NONE;
    fprintf(out, "%zu of %zu runs look like failures\n", failing, count);
    for (size_t r = 0; r < count && (verbose || shown < 5); r++)
        if (prediction->predicted[r] != TAC_NONE) {
            print_reason(prediction, r, out);
            shown++;
        }
    if (failing > shown)
        fprintf(out, "... and %zu more\n", failing - shown);
    if (!tac_prediction_figures(prediction, &figures, &always_pass))
        return;
    tac_predict_figures baselines[BASELINES];
    tac_prediction_baselines(prediction, baselines);
    fprintf(out, "\n");
    print_comparison(&figures, baselines, prediction->tree_fails != NULL, out);
}
