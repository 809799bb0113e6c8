/* The model file of a predictor: JSON, with names only, readable and editable by hand. */
#include "base/data/text.h"
#include "mining/predict/predictor.h"
#include <math.h>

static const char *const feature_names[FEATURES] = {"g1", "g2", "g3", "g4", "g5"};
#define MODEL_FORMAT "tactus predictor 1"
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
    set(object, "MCC", tac_json_number(f->mcc));
    return object;
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
    set(object, "score", tac_json_number(p->score));
    set(object, "sentence", tac_json_string(p->sentence));
    return object;
}

json_t *tac_predictor_json(const tac_predictor *predictor)
{
    json_t *document = json_object(), *clusters = json_array();
    for (size_t i = 0; i < predictor->clusters.count; i++) {
        const struct known_cluster *cluster = &predictor->clusters.at[i];
        json_t *object = json_object(), *weights = json_object(), *patterns = json_array();
        for (unsigned f = 0; f < FEATURES; f++)
            set(weights, feature_names[f], json_integer(cluster->weights[f]));
        for (size_t k = 0; k < cluster->patterns.count; k++)
            json_array_append_new(patterns, pattern_json(&cluster->patterns.at[k]));
        set(object, "name", tac_json_string(cluster->name));
        set(object, "runs", json_integer(cluster->runs));
        set(object, "weights", weights);
        set(object, "threshold", json_integer(cluster->threshold));
        set(object, "folds", json_integer(cluster->folds));
        set(object, "cross_validation", figures_json(&cluster->validated));
        set(object, "patterns", patterns);
        json_array_append_new(clusters, object);
    }
    set(document, "format", tac_json_string(MODEL_FORMAT));
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
    for (int t = 0; t < TAC_TEMPLATES && json_is_string(value); t++)
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
    if (count < 1 || count > TAC_MINE_MAX_DEPTH || (p.template == TAC_G4 && count != 1))
        return bad(l, pointer, "1 to 32 blocks (g4: 1)");
    struct known_block *list = tac_arena_alloc(&l->predictor->arena, count * sizeof *list);
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
    tac_vec_push(&cluster->patterns, p);
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
    tac_status status = load_numbers(l, value, pointer, &cluster);
    tac_vec_push(&l->predictor->clusters, cluster);
    struct known_cluster *kept = &tac_vec_last(&l->predictor->clusters);
    for (size_t i = 0; i < json_array_size(patterns) && !status; i++) {
        snprintf(pointer, sizeof pointer, "/clusters/%zu/patterns/%zu", index, i);
        status = load_pattern(l, json_array_get(patterns, i), pointer, kept);
    }
    return status;
}

static tac_status load_document(struct loader *l)
{
    const json_t *root = l->json->root;
    const char *format = json_string_value(json_object_get(root, "format"));
    const char *states = json_string_value(json_object_get(root, "states"));
    json_int_t min_rest;
    if (!format || strcmp(format, MODEL_FORMAT) != 0)
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
    return status;
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

void tac_predictor_text(const tac_predictor *predictor, FILE *out)
{
    fprintf(out, "learned from %u passing and %u failing runs\n\n", predictor->passing,
            predictor->failing);
    fprintf(out, "cluster                            runs   W1  W2  W3  W4  W5  threshold   F2\n");
    for (size_t i = 0; i < predictor->clusters.count; i++) {
        const struct known_cluster *c = &predictor->clusters.at[i];
        fprintf(out, "%-32.32s %6u ", c->name, c->runs);
        for (unsigned f = 0; f < FEATURES; f++)
            fprintf(out, " %3u", c->weights[f]);
        fprintf(out, "  %9u   %.2f%s\n", c->threshold, isnan(c->validated.f2) ? 0 : c->validated.f2,
                c->folds ? "" : " (not validated: too few runs)");
    }
    fprintf(out, "\nF2 is measured by cross-validation, cluster against passing runs.\n");
}
