/* The model file of a predictor: JSON, with names only, readable and editable by hand. The tables
 * write it and read it (predictor_read.c); figures stand in every document of predictions. */
#include "base/check.h"
#include "mining/predict/predictor.h"

static const struct field predictor_figures_fields[] = {
    FIELD(tac_predict_figures, tp, .key = "TP"),
    FIELD(tac_predict_figures, tn, .key = "TN"),
    FIELD(tac_predict_figures, fp, .key = "FP"),
    FIELD(tac_predict_figures, fn, .key = "FN"),
    FIELDS(tac_predict_figures, accuracy, precision, recall),
    FIELD(tac_predict_figures, f2, .key = "F2"),
    FIELDS(tac_predict_figures, f2_low, f2_high),
    FIELD(tac_predict_figures, mcc, .key = "MCC"),
    FIELDS(tac_predict_figures, tp, tn, fp, fn)};
DESCRIBE(predictor_figures, tac_predict_figures);

static const struct field predictor_block_fields[] = {FIELDS(struct known_block, state, input)};
static DESCRIBE(predictor_block, struct known_block, .form = DESCRIBE_TUPLE);

static const char *const tail_kinds[] = {"input", "state"};
static const struct field predictor_pattern_fields[] = {
    FIELD_ENUM(struct known_pattern, template, mine_template_words, .needed = true),
    FIELD_LIST(struct known_pattern, blocks, block_count, predictor_block_described),
    FIELD(struct known_pattern, tail, .needed = true),
    FIELD_ENUM(struct known_pattern, tail_is_state, tail_kinds, .key = "tail_kind", .needed = true),
    FIELD(struct known_pattern, times, .only = IF_IS(struct known_pattern, template, TAC_MANY),
          .needed = true),
    FIELDS(struct known_pattern, score, sentence)};
static DESCRIBE(predictor_pattern, struct known_pattern);

static const struct field predictor_condition_fields[] = {
    FIELD(struct known_condition, pattern, .needed = true),
    FIELD_NOT(struct known_condition, absent, .key = "present")};
static DESCRIBE(predictor_condition, struct known_condition);

static const struct field predictor_rule_fields[] = {
    FIELD(struct known_rule, points),
    FIELD_LIST(struct known_rule, conditions, count, predictor_condition_described, .key = "if",
               .needed = true),
    FIELD(struct known_rule, sentence)};
static DESCRIBE(predictor_rule, struct known_rule);

static const struct field predictor_weights_fields[] = {
    FIELD(struct known_cluster, weights[0], .key = "g1", .needed = true),
    FIELD(struct known_cluster, weights[1], .key = "g2", .needed = true),
    FIELD(struct known_cluster, weights[2], .key = "g3", .needed = true),
    FIELD(struct known_cluster, weights[3], .key = "g4", .needed = true),
    FIELD(struct known_cluster, weights[4], .key = "g5", .needed = true)};
static_assert(sizeof predictor_weights_fields / sizeof *predictor_weights_fields == FEATURES,
              "a weight is missing");
static DESCRIBE(predictor_weights, struct known_cluster);

static const char *const combiners[] = {"weights", "rules"};
static const struct field predictor_cluster_fields[] = {
    FIELD(struct known_cluster, name, .needed = true),
    FIELD(struct known_cluster, runs),
    FIELD_ENUM(struct known_cluster, by_rules, combiners, .key = "combiner"),
    FIELD(struct known_cluster, bias, .only = IF(struct known_cluster, by_rules)),
    FIELD_GROUP(struct known_cluster, "weights", predictor_weights_described,
                .only = IF_NOT(struct known_cluster, by_rules), .needed = true),
    FIELD(struct known_cluster, cut, .key = "threshold",
          .only = IF(struct known_cluster, by_rules)),
    FIELD(struct known_cluster, threshold, .only = IF_NOT(struct known_cluster, by_rules),
          .needed = true),
    FIELD_LIST(struct known_cluster, rules.at, rules.count, predictor_rule_described,
               .key = "rules", .only = IF(struct known_cluster, by_rules)),
    FIELD(struct known_cluster, folds),
    FIELD_STRUCT(struct known_cluster, validated, predictor_figures_described,
                 .key = "cross_validation"),
    FIELD_LIST(struct known_cluster, patterns.at, patterns.count, predictor_pattern_described,
               .key = "patterns", .needed = true)};
static DESCRIBE(predictor_cluster, struct known_cluster);

/* The tree and the regression, so that predict can ask them too. */
struct node {
    int64_t feature;
    bool fails;
};
static const struct field predictor_node_fields[] = {FIELDS(struct node, feature, fails)};
static DESCRIBE(predictor_node, struct node, .form = DESCRIBE_TUPLE);

static void get_nodes(const void *value, struct field_value *out)
{
    const struct tree_model *tree = &((const tac_predictor *)value)->tree;
    struct node *nodes = tac_arena_alloc(out->arena, sizeof *nodes * TREE_NODES);
    for (; out->count < TREE_NODES; out->count++) {
        uint32_t feature = tree->feature[out->count];
        nodes[out->count] =
            (struct node){feature == TAC_NONE ? -1 : (int64_t)feature, tree->fails[out->count]};
    }
    out->at = nodes;
}

static const struct field predictor_tree_fields[] = {
    FIELD_GET_LIST("nodes", get_nodes, predictor_node_described),
    FIELD_LIST(tac_predictor, tree_events.patterns.at, tree_events.patterns.count,
               predictor_pattern_described, .key = "patterns")};
static DESCRIBE(predictor_tree, tac_predictor);
static const struct field predictor_ngram_fields[] = {
    FIELD(tac_predictor, sequence_bias, .key = "bias"),
    FIELD_LIST(tac_predictor, sequences.patterns.at, sequences.patterns.count,
               predictor_pattern_described, .key = "patterns")};
static DESCRIBE(predictor_ngram, tac_predictor);
static const struct field predictor_learned_fields[] = {
    FIELD_GROUP(tac_predictor, "tree", predictor_tree_described),
    FIELD_GROUP(tac_predictor, "ngram", predictor_ngram_described)};
static DESCRIBE(predictor_learned, tac_predictor);

static const struct field baseline_figures_fields[] = {
    FIELD_STRUCT(struct baseline_figures, of[ALWAYS_PASS], predictor_figures_described,
                 .key = "always_pass"),
    FIELD_STRUCT(struct baseline_figures, of[ALWAYS_FAIL], predictor_figures_described,
                 .key = "always_fail"),
    FIELD_STRUCT(struct baseline_figures, of[TREE], predictor_figures_described, .key = "tree",
                 .only = IF(struct baseline_figures, learned)),
    FIELD_STRUCT(struct baseline_figures, of[SEQUENCES], predictor_figures_described,
                 .key = "ngram", .only = IF(struct baseline_figures, learned))};
DESCRIBE(baseline_figures, struct baseline_figures);

static const char *const formats[] = {"tactus predictor 1", "tactus predictor 2"};
static const struct field predictor_fields[] = {
    FIELD_ENUM(tac_predictor, validated, formats, .key = "format", .needed = true),
    FIELD_STRUCT(tac_predictor, figures, predictor_figures_described, .key = "cross_validation",
                 .only = IF(tac_predictor, validated)),
    FIELD_STRUCT(tac_predictor, baselines, baseline_figures_described,
                 .only = IF(tac_predictor, validated)),
    FIELD_GROUP(tac_predictor, "learned_baselines", predictor_learned_described,
                .only = IF(tac_predictor, validated)),
    FIELD(tac_predictor, states, .needed = true),
    FIELD_TEXTS(tac_predictor, rules.at, rules.count, .key = "identifier_rules",
                .only = IF(tac_predictor, knows_rules)),
    FIELD(tac_predictor, min_rest, .needed = true),
    FIELDS(tac_predictor, passing, failing),
    FIELD_LIST(tac_predictor, clusters.at, clusters.count, predictor_cluster_described,
               .key = "clusters")};
DESCRIBE(predictor, tac_predictor);

json_t *tac_predictor_json(const tac_predictor *predictor)
{
    return describe_json(&predictor_described, predictor);
}
