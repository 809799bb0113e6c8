/* The model file of a predictor: JSON, with names only, readable and editable by hand. */
#include "base/check.h"
#include "base/data/text.h"
#include "mining/predict/predictor.h"
#include <math.h>

static const char *const feature_names[FEATURES] = {"g1", "g2", "g3", "g4", "g5"};
#define WEIGHTS_FORMAT "tactus predictor 1"
#define RULES_FORMAT "tactus predictor 2"
#define MAX_MODEL ((size_t)1 << 28)

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

static void print_figures(const char *name, const tac_predict_figures *f, FILE *out)
{
    const double values[] = {f->precision, f->recall, f->f2, f->mcc};
    fprintf(out, "%-12s %6llu %6llu %6llu %6llu   %5.1f %%", name, (unsigned long long)f->tp,
            (unsigned long long)f->tn, (unsigned long long)f->fp, (unsigned long long)f->fn,
            100 * f->accuracy);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (isnan(values[i]))
            fprintf(out, "      -");
        else
            fprintf(out, "  %5.2f", values[i]);
    if (!isnan(f->f2_low))
        fprintf(out, "   %.2f-%.2f", f->f2_low, f->f2_high);
    fprintf(out, "\n");
}

static double worth(const tac_predict_figures *f)
{
    return isnan(f->mcc) ? 0 : f->mcc;
}

void print_comparison(const tac_predict_figures *own, const tac_predict_figures *baselines,
                      bool learned, FILE *out)
{
    static const char *const names[BASELINES] = {"always pass", "always fail", "tree", "1-3-grams"};
    fprintf(out,
            "                 TP     TN     FP     FN   accuracy  prec.   rec.     F2    MCC   "
            "F2, 95 %%\n");
    print_figures("predictor", own, out);
    for (unsigned k = 0; k < (learned ? BASELINES : TREE); k++)
        print_figures(names[k], &baselines[k], out);
    if (own->accuracy < baselines[ALWAYS_PASS].accuracy)
        fprintf(out, "\nThe accuracy is below that of calling every run a pass.\n");
    for (unsigned k = TREE; k < BASELINES && learned; k++)
        if (worth(own) + 0.01 < worth(&baselines[k]))
            fprintf(out, "\nBy MCC the %s do%s better than the rules.\n",
                    k == TREE ? "tree" : "1-3-grams", k == TREE ? "es" : "");
}

/* --- Writing ------------------------------------------------------------------------------------
 */

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
        set(weights, feature_names[f], json_integer(cluster->weights[f]));
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
    set(document, "min_rest", json_integer((json_int_t)predictor->min_rest));
    set(document, "passing", json_integer(predictor->passing));
    set(document, "failing", json_integer(predictor->failing));
    set(document, "clusters", clusters);
    return document;
}

/* --- Reading ------------------------------------------------------------------------------------
 */

struct loader {
    const tac_json *json;
    struct tac_predictor *predictor;
    tac_error *err;
};

static tac_status bad(const struct loader *l, const char *pointer, const char *expected)
{
    return tac_json_fail(l->json, pointer, l->err, "expected %s", expected);
}

static const char *text_at(const struct loader *l, const json_t *value)
{
    return json_is_string(value) ? tac_arena_strdup(&l->predictor->arena, json_string_value(value))
                                 : NULL;
}

static bool whole_number(const json_t *value, json_int_t most, json_int_t *out)
{
    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= 0 && *out <= most;
}

static bool template_of(const json_t *value, tac_template *out)
{
    for (int t = 0; t <= TAC_MANY && json_is_string(value); t++)
        if (strcmp(json_string_value(value), tac_template_name((tac_template)t)) == 0) {
            *out = (tac_template)t;
            return true;
        }
    return false;
}

static tac_status load_pattern(struct loader *l, const json_t *value, const char *pointer,
                               struct known_cluster *cluster)
{
    struct known_pattern p = {0};
    const json_t *blocks = json_object_get(value, "blocks");
    const char *kind = json_string_value(json_object_get(value, "tail_kind"));
    size_t count = json_array_size(blocks);
    if (!template_of(json_object_get(value, "template"), &p.template))
        return bad(l, pointer, "a template g1, g2, g2e, g3, g4 or g5");
    bool event_only = p.template == TAC_HAS || p.template == TAC_MANY;
    bool may_be_none = event_only || p.template == TAC_END;
    if ((count < 1 && !may_be_none) || count > TAC_MINE_MAX_DEPTH ||
        (p.template == TAC_G4 && count != 1) || (event_only && count != 0))
        return bad(l, pointer, "1 to 32 blocks (g4: 1, has and many: none)");
    json_int_t times = 0;
    if (p.template == TAC_MANY &&
        (!whole_number(json_object_get(value, "times"), INT32_MAX, &times) || times < 1))
        return bad(l, pointer, "a number of times, 1 or more");
    p.times = (uint32_t)times;
    struct known_block *list = tac_arena_alloc(&l->predictor->arena, (count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(blocks, i);
        list[i].state = text_at(l, json_array_get(pair, 0));
        list[i].input = text_at(l, json_array_get(pair, 1));
        if (json_array_size(pair) != 2 || !list[i].state || !list[i].input)
            return bad(l, pointer, "blocks of a state and an input");
    }
    p.blocks = list;
    p.block_count = (uint32_t)count;
    p.tail = text_at(l, json_object_get(value, "tail"));
    p.sentence = text_at(l, json_object_get(value, "sentence"));
    p.score = json_number_value(json_object_get(value, "score"));
    p.tail_is_state = kind && strcmp(kind, "state") == 0;
    if (!p.tail || !kind || (!p.tail_is_state && strcmp(kind, "input") != 0))
        return bad(l, pointer, "a tail, and its tail_kind state or input");
    if (!p.sentence)
        p.sentence = "";
    assert(p.template <= TAC_MANY && p.block_count <= TAC_MINE_MAX_DEPTH);
    tac_vec_push(&cluster->patterns, p);
    return TAC_OK;
}

static bool condition_of(const json_t *value, const struct known_cluster *cluster,
                         struct known_rule *rule)
{
    json_int_t index;
    if (!whole_number(json_object_get(value, "pattern"), INT32_MAX, &index) ||
        (size_t)index >= cluster->patterns.count || rule->count == CONDITIONS)
        return false;
    rule->pattern[rule->count] = (uint32_t)index;
    rule->absent[rule->count++] = json_is_false(json_object_get(value, "present"));
    return true;
}

static tac_status load_rules(struct loader *l, const json_t *value, const char *pointer,
                             struct known_cluster *cluster)
{
    const json_t *rules = json_object_get(value, "rules");
    cluster->by_rules = true;
    cluster->bias = json_number_value(json_object_get(value, "bias"));
    cluster->cut = json_number_value(json_object_get(value, "threshold"));
    cluster->runs = (uint32_t)json_integer_value(json_object_get(value, "runs"));
    cluster->folds = (unsigned)json_integer_value(json_object_get(value, "folds"));
    for (size_t i = 0; i < json_array_size(rules); i++) {
        const json_t *item = json_array_get(rules, i), *conditions = json_object_get(item, "if");
        struct known_rule rule = {.points = json_number_value(json_object_get(item, "points")),
                                  .sentence = text_at(l, json_object_get(item, "sentence"))};
        bool good = json_array_size(conditions) > 0;
        for (size_t k = 0; k < json_array_size(conditions) && good; k++)
            good = condition_of(json_array_get(conditions, k), cluster, &rule);
        if (!good)
            return bad(l, pointer, "rules of one to three conditions on the cluster's patterns");
        if (!rule.sentence)
            rule.sentence = "";
        assert(rule.count >= 1 && rule.count <= CONDITIONS);
        tac_vec_push(&cluster->rules, rule);
    }
    return TAC_OK;
}

static tac_status load_numbers(struct loader *l, const json_t *value, const char *pointer,
                               struct known_cluster *cluster)
{
    json_int_t number, sum = 0;
    const json_t *weights = json_object_get(value, "weights");
    for (unsigned f = 0; f < FEATURES; f++) {
        if (!whole_number(json_object_get(weights, feature_names[f]), WEIGHT_SUM, &number))
            return bad(l, pointer, "weights g1, g2, g3, g4, g5 between 0 and 10");
        cluster->weights[f] = (unsigned)number;
        sum += number;
    }
    if (sum != WEIGHT_SUM)
        return bad(l, pointer, "weights that sum to 10");
    if (!whole_number(json_object_get(value, "threshold"), WEIGHT_SUM, &number))
        return bad(l, pointer, "a threshold between 0 and 10");
    cluster->threshold = (unsigned)number;
    cluster->runs = (uint32_t)json_integer_value(json_object_get(value, "runs"));
    cluster->folds = (unsigned)json_integer_value(json_object_get(value, "folds"));
    return TAC_OK;
}

static tac_status load_cluster(struct loader *l, size_t index)
{
    const json_t *value = json_array_get(json_object_get(l->json->root, "clusters"), index);
    char pointer[96];
    snprintf(pointer, sizeof pointer, "/clusters/%zu", index);
    struct known_cluster cluster = {.name = text_at(l, json_object_get(value, "name"))};
    const json_t *patterns = json_object_get(value, "patterns");
    if (!cluster.name || !json_is_array(patterns))
        return bad(l, pointer, "a cluster with name, weights, threshold and patterns");
    bool by_rules = json_object_get(value, "rules") != NULL;
    tac_status status = by_rules ? TAC_OK : load_numbers(l, value, pointer, &cluster);
    tac_vec_push(&l->predictor->clusters, cluster);
    struct known_cluster *kept = &tac_vec_last(&l->predictor->clusters);
    for (size_t i = 0; i < json_array_size(patterns) && !status; i++) {
        snprintf(pointer, sizeof pointer, "/clusters/%zu/patterns/%zu", index, i);
        status = load_pattern(l, json_array_get(patterns, i), pointer, kept);
        if (!status && !by_rules && tac_vec_last(&kept->patterns).template >= TAC_TEMPLATES)
            status = bad(l, pointer, "a template with a weight: g1, g2, g2e, g3, g4, g5 or g1e");
    }
    snprintf(pointer, sizeof pointer, "/clusters/%zu", index);
    return status || !by_rules ? status : load_rules(l, value, pointer, kept);
}

static tac_status load_baseline(struct loader *l, const char *name, struct known_cluster *cluster)
{
    const json_t *list = json_object_get(l->json->root, "learned_baselines");
    const json_t *patterns = json_object_get(json_object_get(list, name), "patterns");
    cluster->name = name;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < json_array_size(patterns) && !status; i++)
        status = load_pattern(l, json_array_get(patterns, i), "/learned_baselines", cluster);
    return status;
}

/* Every child has a greater number than its parent, so a tree of any file ends. */
static tac_status load_tree(struct loader *l)
{
    struct tac_predictor *p = l->predictor;
    const json_t *list = json_object_get(l->json->root, "learned_baselines");
    const json_t *nodes = json_object_get(json_object_get(list, "tree"), "nodes");
    for (unsigned n = 0; n < TREE_NODES; n++) {
        const json_t *node = json_array_get(nodes, n);
        json_int_t feature = json_integer_value(json_array_get(node, 0));
        bool leaf = !node || feature < 0;
        if (!leaf && ((size_t)feature >= p->tree_events.patterns.count || 2 * n + 2 >= TREE_NODES))
            return bad(l, "/learned_baselines/tree", "nodes on the patterns of the tree");
        p->tree.feature[n] = leaf ? TAC_NONE : (uint32_t)feature;
        p->tree.fails[n] = json_is_true(json_array_get(node, 1));
    }
    p->sequence_bias = json_number_value(json_object_get(json_object_get(list, "ngram"), "bias"));
    p->validated = list != NULL;
    return TAC_OK;
}

static tac_status load_baselines(struct loader *l)
{
    tac_status status = load_baseline(l, "tree", &l->predictor->tree_events);
    if (!status)
        status = load_baseline(l, "ngram", &l->predictor->sequences);
    return status ? status : load_tree(l);
}

static tac_status load_document(struct loader *l)
{
    const json_t *root = l->json->root;
    const char *format = json_string_value(json_object_get(root, "format"));
    const char *states = json_string_value(json_object_get(root, "states"));
    json_int_t min_rest;
    if (!format || (strcmp(format, WEIGHTS_FORMAT) != 0 && strcmp(format, RULES_FORMAT) != 0))
        return bad(l, "", "a model that `tactus mine` has learned");
    if (!states || !whole_number(json_object_get(root, "min_rest"), INT32_MAX, &min_rest))
        return bad(l, "", "states and min_rest");
    l->predictor->states = tac_strdup(states);
    l->predictor->min_rest = (uint64_t)min_rest;
    l->predictor->passing = (uint32_t)json_integer_value(json_object_get(root, "passing"));
    l->predictor->failing = (uint32_t)json_integer_value(json_object_get(root, "failing"));
    tac_status status = TAC_OK;
    for (size_t i = 0; i < json_array_size(json_object_get(root, "clusters")) && !status; i++)
        status = load_cluster(l, i);
    return status ? status : load_baselines(l);
}

tac_status tac_predictor_load(const char *path, tac_predictor **out, tac_error *err)
{
    tac_json json;
    tac_status status = tac_json_load(path, MAX_MODEL, &json, err);
    if (status)
        return status;
    struct loader loader = {&json, tac_calloc(1, sizeof *loader.predictor), err};
    status = load_document(&loader);
    tac_json_free(&json);
    if (status) {
        tac_predictor_free(loader.predictor);
        return status;
    }
    *out = loader.predictor;
    return TAC_OK;
}

static void print_weights(const tac_predictor *predictor, FILE *out)
{
    fprintf(out, "cluster                            runs   W1  W2  W3  W4  W5  threshold   F2\n");
    for (size_t i = 0; i < predictor->clusters.count; i++) {
        const struct known_cluster *c = &predictor->clusters.at[i];
        fprintf(out, "%-32.32s %6u ", c->name, c->runs);
        for (unsigned f = 0; f < FEATURES; f++)
            fprintf(out, " %3u", c->weights[f]);
        fprintf(out, "  %9u   %.2f%s\n", c->threshold, isnan(c->validated.f2) ? 0 : c->validated.f2,
                c->folds ? "" : " (not validated: too few runs)");
    }
    fprintf(out, "\nF2 is the best of the whole grid on the folds that chose it: expect less.\n");
}

static void print_rules(const struct known_cluster *cluster, FILE *out)
{
    fprintf(out, "cluster %s: %u run%s, F2 %.2f, MCC %.2f on held-out runs\n", cluster->name,
            cluster->runs, cluster->runs == 1 ? "" : "s",
            isnan(cluster->validated.f2) ? 0 : cluster->validated.f2, worth(&cluster->validated));
    if (cluster->rules.count == 0) {
        fprintf(out, "  no rule does better than chance: every run is a %s\n",
                cluster->bias > cluster->cut ? "failure" : "pass");
        return;
    }
    fprintf(out, "  %+.2f  to begin with; more than %.2f is a failure\n", cluster->bias,
            cluster->cut);
    for (size_t k = 0; k < cluster->rules.count; k++)
        fprintf(out, "  %+.2f  %s\n", cluster->rules.at[k].points, cluster->rules.at[k].sentence);
}

void tac_predictor_text(const tac_predictor *predictor, FILE *out)
{
    fprintf(out, "learned from %u passing and %u failing runs\n\n", predictor->passing,
            predictor->failing);
    if (!predictor->validated) {
        print_weights(predictor, out);
        return;
    }
    for (size_t i = 0; i < predictor->clusters.count; i++)
        print_rules(&predictor->clusters.at[i], out);
    fprintf(out, "\nall clusters, by nested cross-validation, copies of a run kept together:\n");
    print_comparison(&predictor->figures, predictor->baseline_figures, true, out);
}
