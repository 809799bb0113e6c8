/* Predicting verdicts: per cluster, the weights of the templates with a pattern that fires are
 * summed, each template once; a sum higher than the threshold makes the run a potential member, and
 * a run that is a member of no cluster passes (mining paper, section 8.2). */
#include "base/data/bits.h"
#include "base/data/text.h"
#include "mining/predict/predictor.h"
#include <math.h>

struct cluster_firing {
    uint64_t *fired; /* rows per pattern of the cluster */
    unsigned *sum;   /* per run */
};

struct tac_prediction {
    const struct tac_predictor *predictor;
    const struct tac_runs *runs;
    size_t words;
    struct cluster_firing *clusters;
    uint32_t *predicted; /* per run: cluster of the predictor, or TAC_NONE for pass */
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
        bool possible = tail != TAC_NONE || about_absence;
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
        if (tail == TAC_NONE) /* a token that no run has */
            tail = (uint32_t)runs->tokens.count;
        which[list->at.count] = i;
        candidates_add(list, p->template, blocks, p->block_count, tail, &(tac_figures){0});
    }
}

static tac_status fire(struct tac_prediction *prediction, size_t index, const struct selection *set,
                       tac_watch *watch, tac_error *err)
{
    const struct known_cluster *cluster = &prediction->predictor->clusters.at[index];
    struct cluster_firing *firing = &prediction->clusters[index];
    uint32_t *which = tac_calloc(cluster->patterns.count + 1, sizeof *which);
    struct candidates list = {0};
    bind_patterns(cluster, prediction->runs, &list, which);
    size_t words = prediction->words;
    uint64_t *fired = tac_calloc(list.at.count * words + 1, sizeof *fired);
    tac_figures *figures = tac_calloc(list.at.count + 1, sizeof *figures);
    struct measure_request request = {.patterns = &list,
                                      .set = set,
                                      .min_rest = prediction->predictor->min_rest,
                                      .figures = figures,
                                      .fired = fired,
                                      .watch = watch};
    tac_status status = measure(&request, err);
    firing->fired = tac_calloc(cluster->patterns.count * words + 1, sizeof *firing->fired);
    firing->sum = tac_calloc(set->count + 1, sizeof *firing->sum);
    for (size_t i = 0; i < list.at.count; i++)
        memcpy(firing->fired + which[i] * words, fired + i * words, words * sizeof *fired);
    for (uint32_t r = 0; r < set->count; r++) {
        unsigned mask = 0;
        for (size_t i = 0; i < cluster->patterns.count; i++)
            if (tac_bits_get(firing->fired + i * words, r))
                mask |= 1u << feature_of(cluster->patterns.at[i].template);
        for (unsigned f = 0; f < FEATURES; f++)
            firing->sum[r] += mask >> f & 1 ? cluster->weights[f] : 0;
    }
    free(which);
    free(fired);
    free(figures);
    candidates_free(&list);
    return status;
}

/* Of several clusters, the one whose threshold is passed by most. */
static void decide(struct tac_prediction *prediction)
{
    const struct tac_predictor *predictor = prediction->predictor;
    for (size_t r = 0; r < prediction->runs->list.count; r++) {
        unsigned most = 0;
        prediction->predicted[r] = TAC_NONE;
        for (uint32_t c = 0; c < predictor->clusters.count; c++) {
            unsigned sum = prediction->clusters[c].sum[r];
            unsigned threshold = predictor->clusters.at[c].threshold;
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
    free(ids);
    if (status) {
        tac_prediction_free(prediction);
        return status;
    }
    decide(prediction);
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
    free(prediction->predicted);
    free(prediction);
}

const char *tac_prediction_label(const tac_prediction *prediction, size_t run)
{
    uint32_t cluster = prediction->predicted[run];
    return cluster == TAC_NONE ? NULL : prediction->predictor->clusters.at[cluster].name;
}

bool tac_prediction_figures(const tac_prediction *prediction, tac_predict_figures *figures,
                            tac_predict_figures *always_pass)
{
    *figures = (tac_predict_figures){0};
    for (size_t r = 0; r < prediction->runs->list.count; r++) {
        uint32_t label = prediction->runs->list.at[r].cluster;
        bool predicted = prediction->predicted[r] != TAC_NONE;
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
    return figures->tp + figures->tn + figures->fp + figures->fn > 0;
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
        if (tac_bits_get(firing->fired + i * prediction->words, run)) {
            const struct known_pattern *p = &cluster->patterns.at[i];
            json_t *pattern = json_object();
            set(pattern, "template", tac_json_string(tac_template_name(p->template)));
            set(pattern, "weight", json_integer(cluster->weights[feature_of(p->template)]));
            set(pattern, "sentence", tac_json_string(p->sentence));
            json_array_append_new(patterns, pattern);
        }
    set(object, "cluster", tac_json_string(cluster->name));
    set(object, "sum", json_integer(firing->sum[run]));
    set(object, "threshold", json_integer(cluster->threshold));
    set(object, "member", json_boolean(firing->sum[run] > cluster->threshold));
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
        if (prediction->clusters[c].sum[run])
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
    }
    set(document, "runs", runs);
    return document;
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
    fprintf(out, "\n");
}

static void print_reason(const struct tac_prediction *prediction, size_t run, FILE *out)
{
    uint32_t c = prediction->predicted[run];
    const struct known_cluster *cluster = &prediction->predictor->clusters.at[c];
    const struct cluster_firing *firing = &prediction->clusters[c];
    char *name = tac_runs_name(prediction->runs, run);
    fprintf(out, "%s: like cluster %s (%u > %u)\n", name, cluster->name, firing->sum[run],
            cluster->threshold);
    free(name);
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
    fprintf(out,
            "\n                 TP     TN     FP     FN   accuracy  prec.   rec.     F2    MCC\n");
    print_figures("predictor", &figures, out);
    print_figures("always pass", &always_pass, out);
    if (figures.accuracy < always_pass.accuracy)
        fprintf(out, "\nThe accuracy is below that of calling every run a pass.\n");
}
