/* A prediction as a document and as text: each run that looks like a failure with its reasons, the
 * patterns that fire or the rules that hold. */
#include "base/data/bits.h"
#include "base/print/print.h"
#include "mining/predict/prediction.h"

/* What speaks for a cluster: a pattern that fires or a rule that holds. */
struct shown_ground {
    tac_template form;
    bool of_rule;
    double points;
    unsigned weight;
    const char *sentence;
};
static const struct field shown_ground_fields[] = {
    FIELD_ENUM(struct shown_ground, form, mine_template_words, .key = "template"),
    FIELD(struct shown_ground, points, .key = "weight", .only = IF(struct shown_ground, of_rule)),
    FIELD(struct shown_ground, weight, .only = IF_NOT(struct shown_ground, of_rule)),
    FIELD(struct shown_ground, sentence)};
static DESCRIBE(shown_ground, struct shown_ground);

struct shown_reason {
    const char *cluster;
    double points, cut; /* of rules */
    uint64_t sum, threshold;
    bool by_rules, member;
    struct shown_ground *grounds;
    size_t count;
};
#define OF_RULES .only = IF(struct shown_reason, by_rules)
#define OF_WEIGHTS .only = IF_NOT(struct shown_reason, by_rules)
static const struct field shown_reason_fields[] = {
    FIELD(struct shown_reason, cluster),
    FIELD(struct shown_reason, points, .key = "sum", OF_RULES),
    FIELD(struct shown_reason, sum, OF_WEIGHTS),
    FIELD(struct shown_reason, cut, .key = "threshold", OF_RULES),
    FIELD(struct shown_reason, threshold, OF_WEIGHTS),
    FIELD(struct shown_reason, member),
    FIELD_LIST(struct shown_reason, grounds, count, shown_ground_described, .key = "patterns")};
static DESCRIBE(shown_reason, struct shown_reason);

struct shown_run {
    size_t number, index;
    const char *name, *predicted, *label;
    bool fails;
};
static const char *const verdicts[] = {"pass", "fail"};

static void find_grounds(const struct tac_prediction *prediction, size_t c, size_t run,
                         tac_arena *arena, struct shown_reason *reason)
{
    const struct known_cluster *cluster = &prediction->predictor->clusters.at[c];
    const struct cluster_firing *firing = &prediction->clusters[c];
    size_t most = cluster->by_rules ? cluster->rules.count : cluster->patterns.count;
    reason->grounds = tac_arena_alloc(arena, (most + 1) * sizeof *reason->grounds);
    for (size_t i = 0; i < most; i++) {
        const struct known_rule *rule = cluster->by_rules ? &cluster->rules.at[i] : NULL;
        const struct known_pattern *p =
            &cluster->patterns.at[rule ? rule->conditions[0].pattern : i];
        if (rule ? known_rule_holds(rule, firing->fired, prediction->words, run)
                 : tac_bits_get(firing->fired + i * prediction->words, run))
            reason->grounds[reason->count++] = (struct shown_ground){
                .form = p->template,
                .of_rule = rule,
                .points = rule ? rule->points : 0,
                .weight = rule ? 0 : cluster->weights[feature_of(p->template)],
                .sentence = rule ? rule->sentence : p->sentence};
    }
}

static void get_reasons(const void *value, struct field_value *out)
{
    const struct tac_prediction *prediction = out->context;
    size_t run = ((const struct shown_run *)value)->index;
    size_t count = prediction->predictor->clusters.count;
    struct shown_reason *reasons = tac_arena_alloc(out->arena, (count + 1) * sizeof *reasons);
    out->at = reasons;
    for (size_t c = 0; c < count; c++) {
        const struct known_cluster *cluster = &prediction->predictor->clusters.at[c];
        double sum = prediction->clusters[c].sum[run], cut = known_cluster_threshold(cluster);
        if (cluster->by_rules ? prediction->predicted[run] != c : sum <= 0)
            continue;
        reasons[out->count] = (struct shown_reason){.cluster = cluster->name,
                                                    .points = sum,
                                                    .cut = cut,
                                                    .sum = cluster->by_rules ? 0 : (uint64_t)sum,
                                                    .threshold = cluster->threshold,
                                                    .by_rules = cluster->by_rules,
                                                    .member = sum > cut};
        find_grounds(prediction, c, run, out->arena, &reasons[out->count++]);
    }
}

static const struct field shown_run_fields[] = {
    FIELD(struct shown_run, number, .key = "run"), FIELDS(struct shown_run, name, predicted),
    FIELD_ENUM(struct shown_run, fails, verdicts, .key = "verdict"),
    FIELD(struct shown_run, label, .maybe = true),
    FIELD_GET_LIST("because", get_reasons, shown_reason_described)};
static DESCRIBE(shown_run, struct shown_run);

static void get_runs(const void *value, struct field_value *out)
{
    const struct tac_prediction *prediction = value;
    const struct tac_runs *runs = prediction->runs;
    struct shown_run *list = tac_arena_alloc(out->arena, (runs->list.count + 1) * sizeof *list);
    for (out->at = list; out->count < runs->list.count; out->count++) {
        const char *predicted = tac_prediction_label(prediction, out->count);
        uint32_t label = runs->list.at[out->count].cluster;
        char *name = tac_runs_name(runs, out->count);
        list[out->count] = (struct shown_run){
            .number = out->count + 1,
            .index = out->count,
            .name = tac_arena_strdup(out->arena, name),
            .predicted = predicted ? predicted : "0",
            .label = label == TAC_RUN_UNLABELLED ? NULL : runs->clusters.text[label],
            .fails = predicted};
        free(name);
    }
}

static size_t count_failing(const struct tac_prediction *prediction)
{
    size_t failing = 0;
    for (size_t r = 0; r < prediction->runs->list.count; r++)
        failing += prediction->predicted[r] != TAC_NONE;
    return failing;
}

/* Beside the labels of the runs; none where no run has one. */
struct judged {
    tac_predict_figures own, always_pass;
    struct baseline_figures baselines;
};
static const struct field judged_fields[] = {
    FIELD_STRUCT(struct judged, own, predictor_figures_described, .splice = true),
    FIELD_STRUCT(struct judged, always_pass, predictor_figures_described, .key = "baseline"),
    FIELD_STRUCT(struct judged, baselines, baseline_figures_described)};
static DESCRIBE(judged, struct judged);

static bool judge(const struct tac_prediction *prediction, struct judged *judged)
{
    judged->baselines.learned = prediction->tree_fails;
    return tac_prediction_figures(prediction, &judged->own, &judged->always_pass) &&
           tac_prediction_baselines(prediction, judged->baselines.of);
}

FIELD_GETTER(get_failing, tac_prediction, out->integer = (int64_t)count_failing(it))
FIELD_GETTER(get_judged, tac_prediction,
             struct judged *judged = tac_arena_alloc(out->arena, sizeof *judged);
             out->at = judge(it, judged) ? judged : NULL)
static const struct field prediction_fields[] = {
    FIELD_GET_INTEGER("predicted_failing", get_failing),
    FIELD_GET_POINTER("", get_judged, judged_described, .splice = true),
    FIELD_GET_LIST("runs", get_runs, shown_run_described, .inside = true)};
DESCRIBE(prediction, tac_prediction);

json_t *tac_prediction_json(const tac_prediction *prediction)
{
    return describe_json(&prediction_described, prediction);
}

static void print_reason(const struct tac_prediction *prediction, size_t run, FILE *out)
{
    uint32_t c = prediction->predicted[run];
    const struct known_cluster *cluster = &prediction->predictor->clusters.at[c];
    const struct cluster_firing *firing = &prediction->clusters[c];
    char *name = tac_runs_name(prediction->runs, run);
    tac_print(out, "%s: like cluster %s (%.3g > %.3g)\n", name, cluster->name, firing->sum[run],
              known_cluster_threshold(cluster));
    free(name);
    for (size_t i = 0; i < cluster->rules.count && cluster->by_rules; i++)
        if (known_rule_holds(&cluster->rules.at[i], firing->fired, prediction->words, run))
            tac_print(out, "    %+.2f  %s\n", cluster->rules.at[i].points,
                      cluster->rules.at[i].sentence);
    if (cluster->by_rules)
        return;
    for (size_t i = 0; i < cluster->patterns.count; i++)
        if (cluster->weights[feature_of(cluster->patterns.at[i].template)] &&
            tac_bits_get(firing->fired + i * prediction->words, run))
            tac_print(out, "    %s\n", cluster->patterns.at[i].sentence);
}

void tac_prediction_text(const tac_prediction *prediction, bool verbose, FILE *out)
{
    size_t count = prediction->runs->list.count, failing = count_failing(prediction), shown = 0;
    struct judged judged;
    tac_print(out, "%zu of %zu runs look like failures\n", failing, count);
    for (size_t r = 0; r < count && (verbose || shown < 5); r++)
        if (prediction->predicted[r] != TAC_NONE) {
            print_reason(prediction, r, out);
            shown++;
        }
    if (failing > shown)
        tac_print(out, "... and %zu more\n", failing - shown);
    if (!judge(prediction, &judged))
        return;
    tac_print(out, "\n");
    print_comparison(&judged.own, &judged.baselines, out);
}
