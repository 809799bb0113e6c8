/* Writing the model file of a predictor, and figures as every document of predictions holds them.
 */
#include "base/check.h"
#include "mining/predict/predictor_file.h"

const char *const predictor_feature_names[FEATURES] = {"g1", "g2", "g3", "g4", "g5"};

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

json_t *figures_json(const tac_predict_figures *f)
{
    json_t *object = json_object();
    set(object, "TP", json_integer((json_int_t)f->tp));
    set(object, "TN", json_integer((json_int_t)f->tn));
    set(object, "FP", json_integer((json_int_t)f->fp));
    set(object, "FN", json_integer((json_int_t)f->fn));
    set(object, "accuracy", tac_json_number(f->accuracy));
    set(object, "precision", tac_json_number(f->precision));
    set(object, "recall", tac_json_number(f->recall));
    set(object, "F2", tac_json_number(f->f2));
    set(object, "f2_low", tac_json_number(f->f2_low));
    set(object, "f2_high", tac_json_number(f->f2_high));
    set(object, "MCC", tac_json_number(f->mcc));
    set(object, "tp", json_integer((json_int_t)f->tp));
    set(object, "tn", json_integer((json_int_t)f->tn));
    set(object, "fp", json_integer((json_int_t)f->fp));
    set(object, "fn", json_integer((json_int_t)f->fn));
    return object;
}

json_t *baselines_json(const tac_predict_figures *baselines, bool learned)
{
    json_t *object = json_object();
    for (unsigned k = 0; k < (learned ? BASELINES : TREE); k++)
        set(object, tac_baseline_name(k), figures_json(&baselines[k]));
    return object;
}

static json_t *pattern_json(const struct known_pattern *p)
{
    json_t *object = json_object(), *blocks = json_array();
    for (uint32_t i = 0; i < p->block_count; i++) {
        json_t *pair = json_array();
        json_array_append_new(pair, tac_json_string(p->blocks[i].state));
        json_array_append_new(pair, tac_json_string(p->blocks[i].input));
        json_array_append_new(blocks, pair);
    }
    set(object, "template", tac_json_string(tac_template_name(p->template)));
    set(object, "blocks", blocks);
    set(object, "tail", tac_json_string(p->tail));
    set(object, "tail_kind", tac_json_string(p->tail_is_state ? "state" : "input"));
    if (p->template == TAC_MANY)
        set(object, "times", json_integer(p->times));
    set(object, "score", tac_json_number(p->score));
    set(object, "sentence", tac_json_string(p->sentence));
    return object;
}

static json_t *rule_json(const struct known_rule *rule)
{
    json_t *object = json_object(), *conditions = json_array();
    for (unsigned k = 0; k < rule->count; k++) {
        json_t *condition = json_object();
        set(condition, "pattern", json_integer(rule->pattern[k]));
        set(condition, "present", json_boolean(!rule->absent[k]));
        json_array_append_new(conditions, condition);
    }
    set(object, "points", tac_json_number(rule->points));
    set(object, "if", conditions);
    set(object, "sentence", tac_json_string(rule->sentence));
    return object;
}

static json_t *patterns_json(const struct known_cluster *cluster)
{
    json_t *patterns = json_array();
    for (size_t k = 0; k < cluster->patterns.count; k++)
        json_array_append_new(patterns, pattern_json(&cluster->patterns.at[k]));
    return patterns;
}

/* The tree and the regression, so that predict can ask them too. */
static json_t *learned_baselines_json(const struct tac_predictor *p)
{
    json_t *object = json_object(), *tree = json_object(), *nodes = json_array();
    json_t *ngram = json_object();
    for (unsigned n = 0; n < TREE_NODES; n++) {
        json_t *node = json_array();
        uint32_t feature = p->tree.feature[n];
        json_array_append_new(node, json_integer(feature == TAC_NONE ? -1 : (json_int_t)feature));
        json_array_append_new(node, json_boolean(p->tree.fails[n]));
        json_array_append_new(nodes, node);
    }
    set(tree, "nodes", nodes);
    set(tree, "patterns", patterns_json(&p->tree_events));
    set(ngram, "bias", tac_json_number(p->sequence_bias));
    set(ngram, "patterns", patterns_json(&p->sequences));
    set(object, "tree", tree);
    set(object, "ngram", ngram);
    return object;
}

static void set_combiner(json_t *object, const struct known_cluster *cluster)
{
    if (cluster->by_rules) {
        json_t *rules = json_array();
        for (size_t k = 0; k < cluster->rules.count; k++)
            json_array_append_new(rules, rule_json(&cluster->rules.at[k]));
        set(object, "combiner", tac_json_string("rules"));
        set(object, "bias", tac_json_number(cluster->bias));
        set(object, "threshold", tac_json_number(cluster->cut));
        set(object, "rules", rules);
        return;
    }
    json_t *weights = json_object();
    for (unsigned f = 0; f < FEATURES; f++)
        set(weights, predictor_feature_names[f], json_integer(cluster->weights[f]));
    set(object, "combiner", tac_json_string("weights"));
    set(object, "weights", weights);
    set(object, "threshold", json_integer(cluster->threshold));
}

json_t *tac_predictor_json(const tac_predictor *predictor)
{
    json_t *document = json_object(), *clusters = json_array();
    for (size_t i = 0; i < predictor->clusters.count; i++) {
        const struct known_cluster *cluster = &predictor->clusters.at[i];
        json_t *object = json_object();
        set(object, "name", tac_json_string(cluster->name));
        set(object, "runs", json_integer(cluster->runs));
        set_combiner(object, cluster);
        set(object, "folds", json_integer(cluster->folds));
        set(object, "cross_validation", figures_json(&cluster->validated));
        set(object, "patterns", patterns_json(cluster));
        json_array_append_new(clusters, object);
    }
    assert(json_array_size(clusters) == predictor->clusters.count);
    set(document, "format", tac_json_string(predictor->validated ? RULES_FORMAT : WEIGHTS_FORMAT));
    if (predictor->validated) {
        set(document, "cross_validation", figures_json(&predictor->figures));
        set(document, "baselines", baselines_json(predictor->baseline_figures, true));
        set(document, "learned_baselines", learned_baselines_json(predictor));
    }
    set(document, "states", tac_json_string(predictor->states));
    if (predictor->knows_rules) {
        json_t *rules = json_array();
        for (size_t i = 0; i < predictor->rules.count; i++)
            json_array_append_new(rules, tac_json_string(predictor->rules.at[i]));
        set(document, "identifier_rules", rules);
    }
    set(document, "min_rest", json_integer((json_int_t)predictor->min_rest));
    set(document, "passing", json_integer(predictor->passing));
    set(document, "failing", json_integer(predictor->failing));
    set(document, "clusters", clusters);
    return document;
}
