/* Reading the model file of a predictor, which somebody may have edited by hand: every index is
 * checked against the list that it points into, weights against their sum, and a tree of any file
 * ends. Cost: linear in the file. */
#include "base/check.h"
#include "mining/predict/predictor_file.h"

#define MAX_MODEL ((size_t)1 << 28)

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
        if (!whole_number(json_object_get(weights, predictor_feature_names[f]), WEIGHT_SUM,
                          &number))
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
    const json_t *rules = json_object_get(root, "identifier_rules");
    l->predictor->knows_rules = rules != NULL;
    for (size_t i = 0; i < json_array_size(rules); i++) {
        const char *rule = text_at(l, json_array_get(rules, i));
        if (!rule)
            return bad(l, "/identifier_rules", "texts");
        tac_vec_push(&l->predictor->rules, rule);
    }
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
