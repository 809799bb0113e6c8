/* Predicting verdicts: per cluster, the weights of the templates with a pattern that fires are
 * summed, each template once; a sum higher than the threshold makes the run a potential member, and
 * a run that is a member of no cluster passes (mining paper, section 8.2). A cluster with rules
 * sums the points of those that hold instead. */
#include "base/check.h"
#include "base/data/bits.h"
#include "mining/predict/prediction.h"

static uint32_t find_token(const struct tac_runs *runs, char kind, const char *text)
{
    char *key = tac_format("%c%s", kind, text);
    uint32_t token = tac_names_find(&runs->tokens, key);
    free(key);
    return token;
}

/* The patterns of a cluster as numbers of a set of runs. Patterns that name a block or tail that no
 * run has cannot fire and are left out; which[i] = index of list->at[i] in the cluster. */
static void bind_patterns(const struct known_cluster *cluster, const struct tac_runs *runs,
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

bool known_rule_holds(const struct known_rule *rule, const uint64_t *fired, size_t words,
                      size_t run)
{
    for (unsigned k = 0; k < rule->count; k++)
        if (tac_bits_get(fired + rule->conditions[k].pattern * words, run) ==
            rule->conditions[k].absent)
            return false;
    return true;
}

static double sum_of_run(const struct known_cluster *cluster, const uint64_t *fired, size_t words,
                         size_t run)
{
    double sum = cluster->by_rules ? cluster->bias : 0;
    for (size_t k = 0; k < cluster->rules.count && cluster->by_rules; k++)
        if (known_rule_holds(&cluster->rules.at[k], fired, words, run))
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

double known_cluster_threshold(const struct known_cluster *cluster)
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
            double threshold = known_cluster_threshold(&predictor->clusters.at[c]);
            if (sum > threshold && sum - threshold > most) {
                most = sum - threshold;
                prediction->predicted[r] = c;
            }
        }
    }
}

/* By other rules the same event has another name, and no pattern would fire. */
static tac_status check_rules(const tac_predictor *predictor, const tac_runs *runs, tac_error *err)
{
    bool same = predictor->rules.count == runs->rules.at.count;
    for (size_t i = 0; i < predictor->rules.count && same; i++)
        same = strcmp(predictor->rules.at[i], runs->rules.at.at[i].text) == 0;
    if (same || !predictor->knows_rules)
        return TAC_OK;
    return tac_fail(err, TAC_E_USAGE,
                    "the runs are read by other identifier rules than those that the predictor "
                    "was learned from");
}

tac_status tac_predict(const tac_predictor *predictor, const tac_runs *runs, tac_watch *watch,
                       tac_prediction **out, tac_error *err)
{
    if (check_rules(predictor, runs, err) != TAC_OK)
        return TAC_E_USAGE;
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
