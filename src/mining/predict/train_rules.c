/* Rules for every cluster, and honest figures for them.
 *
 * The figures are of runs held out, by nested cross-validation (validate.c): a tenth of the rows is
 * held out; from the others features are listed and patterns mined; how many rules, whether they
 * may ask two things and from which score on a run fails is chosen by cross-validation among these
 * others alone. Then the held-out rows are judged once. The model itself is learned in the same way
 * from all rows. Where no choice does better than chance, the model is the more common verdict and
 * says so. */
#include "base/check.h"
#include "mining/predict/interval.h"
#include "mining/predict/learn.h"
#include <math.h>

enum { MINED = 30 };

/* --- Features --------------------------------------------------------------------------------- */

static tac_status add_mined(struct trainer *t, const uint8_t *use, struct candidates *out)
{
    struct run_ids fail = {0}, pass = {0};
    for (uint32_t r = 0; r < t->rows.ids.count; r++) {
        if (use[r] && t->rows.fail[r] > 0)
            tac_vec_push(&fail.at, t->rows.ids.at[r]);
        else if (use[r] && t->rows.pass[r] > 0)
            tac_vec_push(&pass.at, t->rows.ids.at[r]);
    }
    tac_status status = TAC_OK;
    static const double shares[] = {0.25};
    for (unsigned s = 0; s < 1 && !status && fail.at.count && pass.at.count; s++) {
        tac_mine_options options = *t->options;
        if (options.support < 0)
            options.support = shares[s];
        struct cluster_job job = {.runs = t->rows.runs,
                                  .options = &options,
                                  .fail = fail.at.at,
                                  .pass = pass.at.at,
                                  .fail_count = (uint32_t)fail.at.count,
                                  .pass_count = (uint32_t)pass.at.count,
                                  .watch = t->watch,
                                  .keep_variants = true};
        struct cluster_outcome outcome;
        unsigned kept[TAC_TEMPLATES] = {0};
        status = mine_cluster(&job, &outcome, t->err);
        for (size_t i = 0; !status && i < outcome.patterns.at.count; i++)
            if (kept[outcome.patterns.at.at[i].template]++ < MINED)
                candidates_append(out, &outcome.patterns, i);
        if (!status)
            cluster_outcome_free(&outcome);
    }
    tac_vec_free(&fail.at);
    tac_vec_free(&pass.at);
    return status;
}

/* Each pattern once: the tables of measure() hold one of a kind. */
static void drop_copies(struct candidates *list)
{
    tac_names seen = {0};
    size_t kept = 0;
    for (size_t i = 0; i < list->at.count; i++) {
        struct candidate c = list->at.at[i];
        uint32_t key[CANDIDATE_KEY];
        size_t before = seen.count, length = candidate_key(list, &c, key);
        if (tac_names_intern_bytes(&seen, key, length * sizeof *key) >= before) {
            c.fail = c.pass = (tac_figures){0};
            list->at.at[kept++] = c;
        }
    }
    assert(kept == seen.count);
    list->at.count = kept;
    tac_names_free(&seen);
}

tac_status lesson_make(struct trainer *t, const uint8_t *use, struct lesson *out)
{
    *out = (struct lesson){0};
    tac_status status = add_mined(t, use, &out->features);
    if (!status) {
        list_features(&t->rows, use, &out->features);
        drop_copies(&out->features);
        status = columns_make(&t->rows, &out->features, t->options->min_rest, t->watch,
                              &out->columns, t->err);
    }
    if (!status && !tac_watch_tick(t->watch, "learning rules", 0, 0))
        status = tac_fail(t->err, TAC_E_INTERRUPTED, "interrupted while learning rules");
    out->plain = tac_calloc(out->features.at.count + 1, 1);
    for (size_t f = 0; f < out->features.at.count; f++) {
        tac_template template = out->features.at.at[f].template;
        out->plain[f] = template == TAC_HAS || template == TAC_END || template == TAC_MANY;
    }
    return status;
}

void lesson_free(struct lesson *lesson)
{
    columns_free(&lesson->columns);
    candidates_free(&lesson->features);
    free(lesson->plain);
    *lesson = (struct lesson){0};
}

/* --- Validation ------------------------------------------------------------------------------- */

/* The figures of what was said about every row; rows without weight do not count. */
static void judge_rows(const struct trainer *t, const uint8_t *fails, tac_predict_figures *out)
{
    uint32_t count = (uint32_t)t->rows.ids.count;
    double counts[4] = {0};
    for (uint32_t r = 0; r < count; r++)
        count_row(&t->rows, r, fails[r], counts);
    *out = (tac_predict_figures){.tp = (uint64_t)counts[0],
                                 .tn = (uint64_t)counts[1],
                                 .fp = (uint64_t)counts[2],
                                 .fn = (uint64_t)counts[3]};
    tac_predict_figures_finish(out);
    f2_interval(&(struct judged_rows){t->rows.pass, t->rows.fail, fails, count}, out);
}

/* fails[row] is set for those that look like the cluster. */
static tac_status validate(struct trainer *t, uint8_t *fails, tac_predict_figures *figures)
{
    uint32_t count = (uint32_t)t->rows.ids.count;
    uint8_t *members = tac_calloc(count + 1, 1);
    tac_status status = judge_held_out(t, members);
    for (uint32_t r = 0; r < count; r++)
        fails[r] |= members[r];
    judge_rows(t, members, figures);
    free(members);
    return status;
}

static char *rule_sentence(const struct known_cluster *cluster, const struct known_rule *rule)
{
    tac_str text = {0};
    for (unsigned k = 0; k < rule->count; k++)
        tac_str_addf(&text, "%s%s%s", k ? ", and " : "", rule->conditions[k].absent ? "not: " : "",
                     cluster->patterns.at[rule->conditions[k].pattern].sentence);
    return tac_str_take(&text);
}

/* The features that the rules ask about, and the rules. */
static void know_rules(struct trainer *t, const struct candidates *features,
                       const struct rule_model *model, struct known_cluster *cluster)
{
    cluster->by_rules = true;
    cluster->bias = model->bias;
    cluster->cut = model->threshold;
    for (unsigned k = 0; k < model->count; k++) {
        const struct scored_rule *rule = &model->rules[k];
        struct known_rule known = {.count = rule->count, .points = rule->points};
        known.conditions =
            tac_arena_alloc(&t->predictor->arena, CONDITIONS * sizeof *known.conditions);
        for (unsigned c = 0; c < rule->count; c++) {
            known.conditions[c] =
                (struct known_condition){(uint32_t)cluster->patterns.count, rule->absent[c]};
            assert(rule->feature[c] < features->at.count);
            know_pattern(t->predictor, t->rows.runs, features, rule->feature[c], 0, cluster);
        }
        char *sentence = rule_sentence(cluster, &known);
        known.sentence = tac_arena_strdup(&t->predictor->arena, sentence);
        free(sentence);
        assert(known.count <= CONDITIONS && cluster->patterns.count >= known.count);
        tac_vec_push(&cluster->rules, known);
    }
}

static tac_status train_one(struct trainer *t, uint32_t id, uint8_t *fails)
{
    const struct tac_runs *runs = t->rows.runs;
    learn_rows_weigh(&t->rows, id);
    double failing = 0, rows = 0;
    for (uint32_t r = 0; r < t->rows.ids.count; r++) {
        failing += t->rows.fail[r];
        rows += t->rows.fail[r] > 0;
    }
    const char *name = id == TAC_NONE ? "fail" : runs->clusters.text[id];
    struct known_cluster cluster = {.name = tac_arena_strdup(&t->predictor->arena, name),
                                    .runs = (uint32_t)failing,
                                    .folds = rows >= 2 ? OUTER_FOLDS : 0};
    tac_status status = validate(t, fails, &cluster.validated);
    struct lesson lesson = {0};
    struct rule_model model;
    if (!status)
        status = learn_model(t, &lesson, &model);
    if (!status) {
        know_rules(t, &lesson.features, &model, &cluster);
        tac_vec_push(&t->predictor->clusters, cluster);
    }
    lesson_free(&lesson);
    return status;
}

/* --- Baselines -------------------------------------------------------------------------------- */

enum { NGRAMS = 6000 };

struct baseline_fit {
    struct candidates events, sequences;
    struct columns event_columns, sequence_columns;
    struct tree_model tree;
    struct linear_model linear;
};

static tac_status fit_baselines(struct trainer *t, const uint8_t *use, struct baseline_fit *b)
{
    *b = (struct baseline_fit){0};
    list_events(&t->rows, use, &b->events);
    list_sequences(&t->rows, use, NGRAMS, &b->sequences);
    tac_status status = columns_make(&t->rows, &b->events, 0, t->watch, &b->event_columns, t->err);
    if (!status)
        status = columns_make(&t->rows, &b->sequences, 0, t->watch, &b->sequence_columns, t->err);
    if (status)
        return status;
    tree_fit(&b->event_columns, &t->rows, use, &b->tree);
    linear_fit(&b->sequence_columns, &t->rows, use, &b->linear);
    return TAC_OK;
}

static void baseline_fit_free(struct baseline_fit *b)
{
    candidates_free(&b->events);
    candidates_free(&b->sequences);
    columns_free(&b->event_columns);
    columns_free(&b->sequence_columns);
    free(b->linear.weight);
}

static void know_baselines(struct trainer *t, struct baseline_fit *b)
{
    struct tac_predictor *p = t->predictor;
    p->tree_events = (struct known_cluster){.name = "tree"};
    p->sequences = (struct known_cluster){.name = "ngram"};
    p->tree = b->tree;
    for (unsigned n = 0; n < TREE_NODES; n++)
        if (b->tree.feature[n] != TAC_NONE) {
            p->tree.feature[n] = (uint32_t)p->tree_events.patterns.count;
            know_pattern(p, t->rows.runs, &b->events, b->tree.feature[n], 0, &p->tree_events);
        }
    p->sequence_bias = b->linear.bias;
    for (uint32_t f = 0; f < b->sequence_columns.count; f++)
        if (fabs(b->linear.weight[f]) > 1e-3) {
            know_pattern(p, t->rows.runs, &b->sequences, f, 0, &p->sequences);
            tac_vec_last(&p->sequences.patterns).score = b->linear.weight[f];
        }
}

/* Every baseline on the held-out rows, and the model of all rows. fails: what the rules said. */
static tac_status judge_baselines(struct trainer *t, const uint8_t *fails)
{
    uint32_t count = (uint32_t)t->rows.ids.count;
    uint8_t *use = tac_alloc(count + 1), *said = tac_alloc(count + 1);
    uint8_t *all[BASELINES];
    tac_status status = TAC_OK;
    for (unsigned k = 0; k < BASELINES; k++) {
        all[k] = tac_alloc(count + 1);
        memset(all[k], k == ALWAYS_FAIL, count + 1);
    }
    learn_rows_weigh(&t->rows, TAC_NONE);
    for (unsigned fold = 0; fold <= OUTER_FOLDS && !status; fold++) {
        struct baseline_fit b;
        rows_outside(t, fold, fold, use);
        status = fit_baselines(t, use, &b);
        for (unsigned k = TREE; k <= SEQUENCES && !status && fold < OUTER_FOLDS; k++) {
            if (k == TREE)
                tree_apply(&b.event_columns, &b.tree, said);
            else
                linear_apply(&b.sequence_columns, &b.linear, said);
            for (uint32_t r = 0; r < count; r++)
                if (t->rows.fold[r] == fold)
                    all[k][r] = said[r];
        }
        if (!status && fold == OUTER_FOLDS)
            know_baselines(t, &b);
        baseline_fit_free(&b);
    }
    judge_rows(t, fails, &t->predictor->figures);
    for (unsigned k = 0; k < BASELINES; k++) {
        tac_predict_figures *figures = &t->predictor->baselines.of[k];
        judge_rows(t, all[k], figures);
        if (k == ALWAYS_PASS) /* 0 whatever comes */
            figures->f2_low = figures->f2_high = NAN;
        free(all[k]);
    }
    t->predictor->validated = t->predictor->baselines.learned = status == TAC_OK;
    free(use);
    free(said);
    return status;
}

tac_status train_rules(struct tac_predictor *predictor, const struct tac_runs *runs,
                       const tac_mine_options *options, tac_watch *watch, tac_error *err)
{
    struct trainer t = {.predictor = predictor, .options = options, .watch = watch, .err = err};
    learn_rows_make(runs, &t.rows);
    uint8_t *fails = tac_calloc(t.rows.ids.count + 1, 1);
    uint32_t only = options->cluster ? find_cluster(runs, options->cluster) : TAC_NONE;
    tac_status status = TAC_OK;
    if (options->merge)
        status = train_one(&t, TAC_NONE, fails);
    for (uint32_t c = 1; c < runs->clusters.count && !status && !options->merge; c++)
        if (runs->cluster_size.at[c] && (only == TAC_NONE || c == only))
            status = train_one(&t, c, fails);
    if (!status)
        status = judge_baselines(&t, fails);
    free(fails);
    learn_rows_free(&t.rows);
    return status;
}
