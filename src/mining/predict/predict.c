/* Predicting verdicts: per cluster, the weights of the templates with a pattern that fires are
 * summed, each template once; a sum higher than the threshold makes the run a potential member, and
 * a run that is a member of no cluster passes (mining paper, section 8.2). */
#include "base/check.h"
#include "base/data/bits.h"
#include "base/data/text.h"
#include "mining/predict/interval.h"
#include "mining/predict/learn.h"
#include <math.h>

struct cluster_firing {
    uint64_t *fired; /* rows per pattern of the cluster */
    double *sum;     /* per run: weights of the templates, or points of the rules */
};

struct tac_prediction {
    const struct tac_predictor *predictor;
    const struct tac_runs *runs;
    size_t words;
    struct cluster_firing *clusters;
    struct learn_rows rows; /* copies of a run are one */
    uint32_t *predicted;    /* per run: cluster of the predictor, or TAC_NONE for pass */
    uint8_t *tree_fails, *sequences_fail; /* per run: what the baselines say; NULL: not known */
};

static uint32_t find_token(const struct tac_runs *runs, char kind, const char *text)
{
    char *key = tac_format("%c%s", kind, text);
    uint32_t token = tac_names_find(&runs->tokens, key);
    free(key);
    return token;
}

void bind_patterns(const struct known_cluster *cluster, const struct tac_runs *runs,
                   struct candidates *list, uint32_t *which)
{
    for (uint32_t i = 0; i < cluster->patterns.count; i++) {
        const struct known_pattern *p = &cluster->patterns.at[i];
        uint32_t blocks[TAC_MINE_MAX_DEPTH];
        uint32_t tail = find_token(runs, p->tail_is_state ? STATE_EVENT : INPUT_EVENT, p->tail);
        bool about_absence = p->template == TAC_G4 || p->template == TAC_G5;
        bool ends_in_input = p->template == TAC_END && !*p->tail;
        bool possible = tail != TAC_NONE || about_absence || ends_in_input;
        for (uint32_t k = 0; k < p->block_count && possible; k++) {
            uint32_t state = find_token(runs, STATE_EVENT, p->blocks[k].state);
            uint32_t input = find_token(runs, INPUT_EVENT, p->blocks[k].input);
            const uint64_t *id =
                state == TAC_NONE || input == TAC_NONE
                    ? NULL
                    : tac_u64map_find(&runs->block_ids, (uint64_t)state << 32 | input);
            possible = id != NULL;
            if (id)
                blocks[k] = (uint32_t)*id;
        }
        if (!possible)
            continue;
        if (tail == TAC_NONE && !ends_in_input) /* a token that no run has */
            tail = (uint32_t)runs->tokens.count;
        assert(list->at.count <= i && p->block_count <= TAC_MINE_MAX_DEPTH);
        which[list->at.count] = i;
        candidates_add(list, p->template, blocks, p->block_count, tail, &(tac_figures){0});
        tac_vec_last(&list->at).times = p->times;
    }
}

/* A row of bits per pattern of the cluster; the caller's. Copies of a pattern are measured once. */
static tac_status fired_rows(const struct tac_predictor *predictor,
                             const struct known_cluster *cluster, const struct selection *set,
                             tac_watch *watch, uint64_t **out, tac_error *err)
{
    size_t words = tac_bits_words(set->count);
    uint32_t *which = tac_calloc(cluster->patterns.count + 1, sizeof *which);
    uint32_t *same = tac_calloc(cluster->patterns.count + 1, sizeof *same);
    struct candidates list = {0}, once = {0};
    tac_names seen = {0};
    bind_patterns(cluster, set->runs, &list, which);
    for (size_t i = 0; i < list.at.count; i++) {
        const struct candidate *c = &list.at.at[i];
        uint32_t key[CANDIDATE_KEY];
        size_t length = candidate_key(&list, c, key);
        same[i] = tac_names_intern_bytes(&seen, key, length * sizeof *key);
        if (same[i] == once.at.count)
            candidates_append(&once, &list, i);
    }
    assert(once.at.count == seen.count && list.at.count <= cluster->patterns.count);
    uint64_t *fired = tac_calloc(once.at.count * words + 1, sizeof *fired);
    tac_figures *figures = tac_calloc(once.at.count + 1, sizeof *figures);
    struct measure_request request = {.patterns = &once,
                                      .set = set,
                                      .min_rest = predictor->min_rest,
                                      .figures = figures,
                                      .fired = fired,
                                      .watch = watch};
    tac_status status = measure(&request, err);
    *out = tac_calloc(cluster->patterns.count * words + 1, sizeof **out);
    for (size_t i = 0; i < list.at.count; i++)
        memcpy(*out + which[i] * words, fired + same[i] * words, words * sizeof *fired);
    free(which);
    free(same);
    free(fired);
    free(figures);
    candidates_free(&list);
    candidates_free(&once);
    tac_names_free(&seen);
    return status;
}

static bool rule_holds(const struct known_rule *rule, const uint64_t *fired, size_t words,
                       size_t run)
{
    for (unsigned k = 0; k < rule->count; k++)
        if (tac_bits_get(fired + rule->pattern[k] * words, run) == rule->absent[k])
            return false;
    return true;
}

static double sum_of_run(const struct known_cluster *cluster, const uint64_t *fired, size_t words,
                         size_t run)
{
    double sum = cluster->by_rules ? cluster->bias : 0;
    for (size_t k = 0; k < cluster->rules.count && cluster->by_rules; k++)
        if (rule_holds(&cluster->rules.at[k], fired, words, run))
            sum += cluster->rules.at[k].points;
    if (cluster->by_rules)
        return sum;
    unsigned mask = 0;
    for (size_t i = 0; i < cluster->patterns.count; i++)
        if (tac_bits_get(fired + i * words, run))
            mask |= 1u << feature_of(cluster->patterns.at[i].template);
    for (unsigned f = 0; f < FEATURES; f++)
        sum += mask >> f & 1 ? cluster->weights[f] : 0;
    return sum;
}

static double threshold_of_cluster(const struct known_cluster *cluster)
{
    return cluster->by_rules ? cluster->cut : cluster->threshold;
}

static tac_status fire(struct tac_prediction *prediction, size_t index, const struct selection *set,
                       tac_watch *watch, tac_error *err)
{
    const struct known_cluster *cluster = &prediction->predictor->clusters.at[index];
    struct cluster_firing *firing = &prediction->clusters[index];
    tac_status status = fired_rows(prediction->predictor, cluster, set, watch, &firing->fired, err);
    firing->sum = tac_calloc(set->count + 1, sizeof *firing->sum);
    for (uint32_t r = 0; r < set->count && !status; r++)
        firing->sum[r] = sum_of_run(cluster, firing->fired, prediction->words, r);
    return status;
}

/* What the tree and the regression of the model say about the runs. */
static tac_status ask_baselines(struct tac_prediction *prediction, const struct selection *set,
                                tac_watch *watch, tac_error *err)
{
    const struct tac_predictor *p = prediction->predictor;
    uint64_t *events = NULL, *sequences = NULL;
    size_t words = prediction->words;
    if (!p->validated)
        return TAC_OK;
    tac_status status = fired_rows(p, &p->tree_events, set, watch, &events, err);
    if (!status)
        status = fired_rows(p, &p->sequences, set, watch, &sequences, err);
    if (!status) {
        prediction->tree_fails = tac_calloc(set->count + 1, 1);
        prediction->sequences_fail = tac_calloc(set->count + 1, 1);
    }
    for (uint32_t r = 0; r < set->count && !status; r++) {
        unsigned node = 0;
        while (p->tree.feature[node] != TAC_NONE) {
            node = 2 * node + 1 + tac_bits_get(events + p->tree.feature[node] * words, r);
            assert(node < TREE_NODES);
        }
        prediction->tree_fails[r] = p->tree.fails[node];
        double sum = p->sequence_bias;
        for (size_t i = 0; i < p->sequences.patterns.count; i++)
            if (tac_bits_get(sequences + i * words, r))
                sum += p->sequences.patterns.at[i].score;
        prediction->sequences_fail[r] = sum > 0;
    }
    free(events);
    free(sequences);
    return status;
}

/* Of several clusters, the one whose threshold is passed by most. */
static void decide(struct tac_prediction *prediction)
{
    const struct tac_predictor *predictor = prediction->predictor;
    for (size_t r = 0; r < prediction->runs->list.count; r++) {
        double most = 0;
        prediction->predicted[r] = TAC_NONE;
        for (uint32_t c = 0; c < predictor->clusters.count; c++) {
            double sum = prediction->clusters[c].sum[r];
            double threshold = threshold_of_cluster(&predictor->clusters.at[c]);
            if (sum > threshold && sum - threshold > most) {
                most = sum - threshold;
                prediction->predicted[r] = c;
            }
        }
    }
}

tac_status tac_predict(const tac_predictor *predictor, const tac_runs *runs, tac_watch *watch,
                       tac_prediction **out, tac_error *err)
{
    struct tac_prediction *prediction = tac_calloc(1, sizeof *prediction);
    size_t count = runs->list.count;
    uint32_t *ids = tac_alloc((count + 1) * sizeof *ids);
    for (uint32_t i = 0; i < count; i++)
        ids[i] = i;
    struct selection set = {runs, ids, NULL, (uint32_t)count};
    prediction->predictor = predictor;
    prediction->runs = runs;
    prediction->words = tac_bits_words(count);
    prediction->clusters = tac_calloc(predictor->clusters.count + 1, sizeof *prediction->clusters);
    prediction->predicted = tac_calloc(count + 1, sizeof *prediction->predicted);
    tac_status status = TAC_OK;
    for (size_t c = 0; c < predictor->clusters.count && !status; c++)
        status = fire(prediction, c, &set, watch, err);
    if (!status)
        status = ask_baselines(prediction, &set, watch, err);
    free(ids);
    if (status) {
        tac_prediction_free(prediction);
        return status;
    }
    decide(prediction);
    learn_rows_make(runs, &prediction->rows);
    *out = prediction;
    return TAC_OK;
}

void tac_prediction_free(tac_prediction *prediction)
{
    if (!prediction)
        return;
    for (size_t c = 0; c < prediction->predictor->clusters.count; c++) {
        free(prediction->clusters[c].fired);
        free(prediction->clusters[c].sum);
    }
    free(prediction->clusters);
    free(prediction->tree_fails);
    free(prediction->sequences_fail);
    free(prediction->predicted);
    learn_rows_free(&prediction->rows);
    free(prediction);
}

const char *tac_prediction_label(const tac_prediction *prediction, size_t run)
{
    uint32_t cluster = prediction->predicted[run];
    assert(cluster == TAC_NONE || cluster < prediction->predictor->clusters.count);
    return cluster == TAC_NONE ? NULL : prediction->predictor->clusters.at[cluster].name;
}

/* fails: what is said of each run; the same of copies, because it depends on the events alone. */
static void add_interval(const struct tac_prediction *prediction, const uint8_t *fails,
                         tac_predict_figures *figures)
{
    const struct learn_rows *rows = &prediction->rows;
    uint32_t count = (uint32_t)rows->ids.count;
    uint8_t *said = tac_calloc(count + 1, 1);
    for (uint32_t r = 0; r < count; r++)
        said[r] = fails[rows->ids.at[r]];
    f2_interval(&(struct judged_rows){rows->pass, rows->fail, said, count}, figures);
    free(said);
}

bool tac_prediction_figures(const tac_prediction *prediction, tac_predict_figures *figures,
                            tac_predict_figures *always_pass)
{
    size_t count = prediction->runs->list.count;
    uint8_t *said = tac_calloc(count + 1, 1);
    *figures = (tac_predict_figures){0};
    for (size_t r = 0; r < count; r++) {
        uint32_t label = prediction->runs->list.at[r].cluster;
        bool predicted = prediction->predicted[r] != TAC_NONE;
        said[r] = predicted;
        if (label == TAC_RUN_UNLABELLED)
            continue;
        if (label == TAC_RUN_PASSED)
            *(predicted ? &figures->fp : &figures->tn) += 1;
        else
            *(predicted ? &figures->tp : &figures->fn) += 1;
    }
    *always_pass =
        (tac_predict_figures){.tn = figures->tn + figures->fp, .fn = figures->tp + figures->fn};
    tac_predict_figures_finish(figures);
    tac_predict_figures_finish(always_pass);
    add_interval(prediction, said, figures);
    free(said);
    return figures->tp + figures->tn + figures->fp + figures->fn > 0;
}

const char *tac_baseline_name(unsigned baseline)
{
    static const char *const names[BASELINES] = {"always_pass", "always_fail", "tree", "ngram"};
    assert(baseline < BASELINES);
    return names[baseline];
}

bool tac_prediction_baselines(const tac_prediction *prediction,
                              tac_predict_figures figures[TAC_BASELINES])
{
    uint64_t labelled = 0;
    uint8_t *always = tac_alloc(prediction->runs->list.count + 1);
    memset(always, 1, prediction->runs->list.count + 1);
    memset(figures, 0, BASELINES * sizeof *figures);
    for (size_t r = 0; r < prediction->runs->list.count; r++) {
        uint32_t label = prediction->runs->list.at[r].cluster;
        if (label == TAC_RUN_UNLABELLED)
            continue;
        labelled++;
        for (unsigned k = 0; k < BASELINES; k++) {
            const uint8_t *list = k == TREE ? prediction->tree_fails : prediction->sequences_fail;
            if (k >= TREE && !list)
                continue;
            bool fails = k == ALWAYS_FAIL || (k >= TREE && list[r]);
            tac_predict_figures *f = &figures[k];
            if (label == TAC_RUN_PASSED)
                *(fails ? &f->fp : &f->tn) += 1;
            else
                *(fails ? &f->tp : &f->fn) += 1;
        }
    }
    for (unsigned k = 0; k < BASELINES; k++) {
        tac_predict_figures_finish(&figures[k]);
        const uint8_t *list = k == ALWAYS_FAIL ? always
                              : k == TREE      ? prediction->tree_fails
                                               : prediction->sequences_fail;
        if (k >= ALWAYS_FAIL && list)
            add_interval(prediction, list, &figures[k]);
    }
    free(always);
    return labelled > 0;
}

bool tac_predictor_figures(const tac_predictor *predictor, tac_predict_figures *figures,
                           tac_predict_figures baselines[TAC_BASELINES])
{
    *figures = predictor->figures;
    memcpy(baselines, predictor->baseline_figures, sizeof predictor->baseline_figures);
    return predictor->validated;
}

/* --- Output -------------------------------------------------------------------------------------
 */

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
        if (!rule_holds(rule, firing->fired, prediction->words, run))
            continue;
        json_t *pattern = json_object();
        const struct known_pattern *p = &cluster->patterns.at[rule->pattern[0]];
        set(pattern, "template", tac_json_string(tac_template_name(p->template)));
        set(pattern, "weight", tac_json_number(rule->points));
        set(pattern, "sentence", tac_json_string(rule->sentence));
        json_array_append_new(patterns, pattern);
    }
    double threshold = threshold_of_cluster(cluster);
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
            threshold_of_cluster(cluster));
    free(name);
    for (size_t i = 0; i < cluster->rules.count && cluster->by_rules; i++)
        if (rule_holds(&cluster->rules.at[i], firing->fired, prediction->words, run))
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
