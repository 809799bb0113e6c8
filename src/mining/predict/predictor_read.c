/* Reading the model file of a predictor, which somebody may have edited by hand: every index is
 * checked against the list that it points into, weights against their sum, and a tree of any file
 * ends. Cost: linear in the file. */
#include "mining/predict/predictor.h"

#define MAX_MODEL ((size_t)1 << 28)

/* A list that was read into the arena becomes one that is freed with the predictor. */
#define OWN(list)                                                                                  \
    do {                                                                                           \
        void *copy = tac_calloc((list).count + 1, sizeof *(list).at);                              \
        if ((list).count)                                                                          \
            memcpy(copy, (list).at, (list).count * sizeof *(list).at);                             \
        (list).at = copy;                                                                          \
        (list).capacity = (list).count + 1;                                                        \
    } while (0)

static const char *flaw_of_pattern(const struct known_pattern *p, bool weighs)
{
    bool event_only = p->template == TAC_HAS || p->template == TAC_MANY;
    bool may_be_none = event_only || p->template == TAC_END;
    if ((p->block_count < 1 && !may_be_none) || p->block_count > TAC_MINE_MAX_DEPTH ||
        (p->template == TAC_G4 && p->block_count != 1) || (event_only && p->block_count != 0))
        return "1 to 32 blocks (g4: 1, has and many: none)";
    if (p->template == TAC_MANY && (p->times < 1 || p->times > INT32_MAX))
        return "a number of times, 1 or more";
    if (weighs && p->template >= TAC_TEMPLATES)
        return "a template with a weight: g1, g2, g2e, g3, g4, g5 or g1e";
    return NULL;
}

static const char *flaw_of_numbers(const struct known_cluster *cluster)
{
    uint64_t sum = 0;
    for (unsigned f = 0; f < FEATURES; f++)
        sum += cluster->weights[f];
    return sum != WEIGHT_SUM                 ? "weights that sum to 10"
           : cluster->threshold > WEIGHT_SUM ? "a threshold between 0 and 10"
                                             : NULL;
}

static const char *flaw_of_rules(const struct known_cluster *cluster)
{
    for (size_t i = 0; i < cluster->rules.count; i++) {
        const struct known_rule *rule = &cluster->rules.at[i];
        bool good = rule->count >= 1 && rule->count <= CONDITIONS;
        for (unsigned k = 0; k < rule->count && good; k++)
            good = rule->conditions[k].pattern < cluster->patterns.count;
        if (!good)
            return "rules of one to three conditions on the cluster's patterns";
    }
    return NULL;
}

/* What the tables do not say. */
static tac_status check_cluster(const tac_json *json, const struct known_cluster *cluster,
                                const char *pointer, bool learns, tac_error *err)
{
    char place[128];
    for (size_t i = 0; i < cluster->patterns.count; i++) {
        const char *flaw = flaw_of_pattern(&cluster->patterns.at[i], learns && !cluster->by_rules);
        snprintf(place, sizeof place, "%s/patterns/%zu", pointer, i);
        if (flaw)
            return tac_json_fail(json, place, err, "expected %s", flaw);
    }
    const char *flaw = !learns             ? NULL
                       : cluster->by_rules ? flaw_of_rules(cluster)
                                           : flaw_of_numbers(cluster);
    return flaw ? tac_json_fail(json, pointer, err, "expected %s", flaw) : TAC_OK;
}

/* Every child has a greater number than its parent, so a tree of any file ends. */
static tac_status load_tree(const tac_json *json, const json_t *nodes, struct tac_predictor *p,
                            tac_error *err)
{
    for (unsigned n = 0; n < TREE_NODES; n++) {
        const json_t *node = json_array_get(nodes, n);
        json_int_t feature = json_integer_value(json_array_get(node, 0));
        bool leaf = !node || feature < 0;
        if (!leaf && ((size_t)feature >= p->tree_events.patterns.count || 2 * n + 2 >= TREE_NODES))
            return tac_json_fail(json, "/learned_baselines/tree", err,
                                 "expected nodes on the patterns of the tree");
        p->tree.feature[n] = leaf ? TAC_NONE : (uint32_t)feature;
        p->tree.fails[n] = json_is_true(json_array_get(node, 1));
    }
    return TAC_OK;
}

static void own_lists(struct tac_predictor *p)
{
    OWN(p->clusters);
    OWN(p->rules);
    OWN(p->tree_events.patterns);
    OWN(p->sequences.patterns);
    for (size_t i = 0; i < p->clusters.count; i++) {
        OWN(p->clusters.at[i].patterns);
        OWN(p->clusters.at[i].rules);
    }
}

static tac_status load_document(const tac_json *json, struct tac_predictor *p, tac_error *err)
{
    const json_t *learned = json_object_get(json->root, "learned_baselines");
    if (strncmp(tac_json_get_text(json->root, "format"), "tactus predictor ", 17) != 0)
        return tac_json_fail(json, "", err, "expected a model that `tactus mine` has learned");
    p->knows_rules = p->baselines.learned = true; /* read what is there */
    tac_status status = describe_load(&predictor_described, json, &p->arena, p, err);
    own_lists(p);
    p->knows_rules = json_object_get(json->root, "identifier_rules") != NULL;
    p->validated = p->baselines.learned = learned != NULL;
    p->tree_events.name = "tree";
    p->sequences.name = "ngram";
    if (status == TAC_OK && p->min_rest > INT32_MAX)
        status = tac_json_fail(json, "/min_rest", err, "expected at most %d", INT32_MAX);
    for (size_t i = 0; i < p->clusters.count && status == TAC_OK; i++) {
        char pointer[64];
        snprintf(pointer, sizeof pointer, "/clusters/%zu", i);
        status = check_cluster(json, &p->clusters.at[i], pointer, true, err);
    }
    if (status == TAC_OK)
        status = check_cluster(json, &p->tree_events, "/learned_baselines/tree", false, err);
    if (status == TAC_OK)
        status = check_cluster(json, &p->sequences, "/learned_baselines/ngram", false, err);
    if (status == TAC_OK)
        status =
            load_tree(json, json_object_get(json_object_get(learned, "tree"), "nodes"), p, err);
    return status;
}

tac_status tac_predictor_load(const char *path, tac_predictor **out, tac_error *err)
{
    tac_json json;
    tac_status status = tac_json_load(path, MAX_MODEL, &json, err);
    if (status)
        return status;
    struct tac_predictor *predictor = tac_calloc(1, sizeof *predictor);
    status = load_document(&json, predictor, err);
    tac_json_free(&json);
    if (status)
        tac_predictor_free(predictor);
    else
        *out = predictor;
    return status;
}
