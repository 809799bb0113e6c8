/* Learning a predictor (mining paper, section 8.2).
 *
 * For each failing cluster the runs are dealt into folds. The other folds are mined, a few patterns
 * per template are chosen, and the runs of the fold are counted by the templates that fire on them:
 * on whole runs, because a predictor sees whole runs. The pooled counts of all folds choose weights
 * and threshold; the patterns themselves are then mined from all runs. */
#include "base/check.h"
#include "base/data/bits.h"
#include "mining/cluster/cluster.h"
#include "mining/cluster/cluster_search.h"
#include "mining/predict/predictor.h"

enum { FOLDS = 5, MOST_TRIED = 60, MOST_CHOSEN = 8 };

/* Runs of one class without, or only, those of a fold. fold UINT32_MAX: all. */
static void deal(const struct run_ids *all, uint32_t fold, uint32_t folds, bool inside,
                 struct run_ids *out)
{
    for (uint32_t i = 0; i < all->at.count; i++)
        if (fold == UINT32_MAX || (i % folds == fold) == inside)
            tac_vec_push(&out->at, all->at.at[i]);
}

/* --- Choosing patterns ------------------------------------------------------------------------ */

static double f2_of(const uint64_t *fail, size_t fail_words, const uint64_t *pass,
                    size_t pass_words, uint32_t fail_count, uint32_t pass_count)
{
    double tp = (double)tac_bits_count(fail, fail_words);
    double fp = (double)tac_bits_count(pass, pass_words);
    return weighted_f2(tp, fail_count - tp, fp, passing_weight(fail_count, pass_count));
}

struct fired {
    uint64_t *fail, *pass; /* rows of bits per pattern */
    size_t fail_words, pass_words;
};

/* The best patterns of one feature: in rank order, each that raises F2 of "some pattern fires". */
static void choose_feature(const struct candidates *list, unsigned feature,
                           const struct fired *fired, uint32_t fail_count, uint32_t pass_count,
                           uint8_t *chosen)
{
    uint64_t *fail = tac_calloc(fired->fail_words + 1, 8);
    uint64_t *pass = tac_calloc(fired->pass_words + 1, 8);
    uint64_t *fail_with = tac_calloc(fired->fail_words + 1, 8);
    uint64_t *pass_with = tac_calloc(fired->pass_words + 1, 8);
    assert(feature < FEATURES);
    double best = 0;
    unsigned count = 0;
    for (size_t i = 0; i < list->at.count && count < MOST_CHOSEN; i++) {
        if (feature_of(list->at.at[i].template) != feature)
            continue;
        for (size_t w = 0; w < fired->fail_words; w++)
            fail_with[w] = fail[w] | fired->fail[i * fired->fail_words + w];
        for (size_t w = 0; w < fired->pass_words; w++)
            pass_with[w] = pass[w] | fired->pass[i * fired->pass_words + w];
        double f2 = f2_of(fail_with, fired->fail_words, pass_with, fired->pass_words, fail_count,
                          pass_count);
        if (f2 <= best + 1e-9)
            continue;
        best = f2;
        chosen[i] = 1;
        count++;
        memcpy(fail, fail_with, fired->fail_words * 8);
        memcpy(pass, pass_with, fired->pass_words * 8);
    }
    free(fail);
    free(pass);
    free(fail_with);
    free(pass_with);
}

/* At most MOST_TRIED of each feature, best first. */
static void shorten(struct candidates *list)
{
    unsigned seen[FEATURES] = {0};
    size_t kept = 0;
    for (size_t i = 0; i < list->at.count; i++)
        if (seen[feature_of(list->at.at[i].template)]++ < MOST_TRIED)
            list->at.at[kept++] = list->at.at[i];
    assert(kept <= FEATURES * (size_t)MOST_TRIED);
    list->at.count = kept;
}

static tac_status fired_on(const struct tac_runs *runs, const struct candidates *list,
                           const struct run_ids *ids, uint64_t min_rest, tac_watch *watch,
                           uint64_t **out, size_t *words, tac_error *err)
{
    struct selection set = {runs, ids->at.at, NULL, (uint32_t)ids->at.count};
    tac_figures *figures = tac_calloc(list->at.count + 1, sizeof *figures);
    *words = tac_bits_words(set.count);
    *out = tac_calloc(list->at.count * *words + 1, sizeof **out);
    struct measure_request request = {.patterns = list,
                                      .set = &set,
                                      .min_rest = min_rest,
                                      .figures = figures,
                                      .fired = *out,
                                      .watch = watch};
    tac_status status = measure(&request, err);
    free(figures);
    return status;
}

/* Mines and chooses on the given runs, by the paper's thresholds unless others are given: with the
 * share of runs for all templates, several bugs under one label would hide each other. */
static tac_status learn_patterns(const struct tac_runs *runs, const tac_mine_options *options,
                                 const struct run_ids *fail, const struct run_ids *pass,
                                 tac_watch *watch, struct candidates *out, tac_error *err)
{
    tac_mine_options own = *options;
    if (own.confidence < 0)
        own.confidence = 0.9;
    if (!own.min_occurrences)
        own.min_occurrences = scaled_occurrences((uint32_t)fail->at.count);
    struct cluster_job job = {.runs = runs,
                              .options = &own,
                              .fail = fail->at.at,
                              .pass = pass->at.at,
                              .fail_count = (uint32_t)fail->at.count,
                              .pass_count = (uint32_t)pass->at.count,
                              .watch = watch,
                              .keep_variants = true};
    struct candidates list = {0};
    struct cluster_outcome outcome;
    struct fired fired = {0};
    tac_status status = mine_cluster(&job, &outcome, err);
    if (status)
        return status;
    list = outcome.patterns;
    outcome.patterns = (struct candidates){0};
    cluster_outcome_free(&outcome);
    shorten(&list);
    if (!status)
        status = fired_on(runs, &list, fail, options->min_rest, watch, &fired.fail,
                          &fired.fail_words, err);
    if (!status)
        status = fired_on(runs, &list, pass, options->min_rest, watch, &fired.pass,
                          &fired.pass_words, err);
    uint8_t *chosen = tac_calloc(list.at.count + 1, 1);
    for (unsigned f = 0; f < FEATURES && !status; f++)
        choose_feature(&list, f, &fired, job.fail_count, job.pass_count, chosen);
    for (size_t i = 0; i < list.at.count && !status; i++)
        if (chosen[i])
            candidates_append(out, &list, i);
    free(chosen);
    free(fired.fail);
    free(fired.pass);
    candidates_free(&list);
    return status;
}

/* --- Cross-validation ------------------------------------------------------------------------- */

static tac_status count_masks(const struct tac_runs *runs, const struct candidates *list,
                              const struct run_ids *ids, uint64_t min_rest, tac_watch *watch,
                              uint64_t *masks, tac_error *err)
{
    uint64_t *fired;
    size_t words;
    tac_status status = fired_on(runs, list, ids, min_rest, watch, &fired, &words, err);
    for (uint32_t r = 0; r < ids->at.count && !status; r++) {
        unsigned mask = 0;
        for (size_t i = 0; i < list->at.count; i++)
            if (tac_bits_get(fired + i * words, r))
                mask |= 1u << feature_of(list->at.at[i].template);
        assert(mask < MASKS);
        masks[mask]++;
    }
    free(fired);
    return status;
}

static tac_status validate_fold(const struct tac_runs *runs, const tac_mine_options *options,
                                const struct run_ids *fail, const struct run_ids *pass,
                                uint32_t fold, uint32_t folds, tac_watch *watch,
                                struct masks *masks, tac_error *err)
{
    struct run_ids train_fail = {0}, train_pass = {0}, test_fail = {0}, test_pass = {0};
    struct candidates list = {0};
    deal(fail, fold, folds, false, &train_fail);
    deal(pass, fold, folds, false, &train_pass);
    deal(fail, fold, folds, true, &test_fail);
    deal(pass, fold, folds, true, &test_pass);
    tac_status status = learn_patterns(runs, options, &train_fail, &train_pass, watch, &list, err);
    if (!status)
        status = count_masks(runs, &list, &test_fail, options->min_rest, watch, masks->fail, err);
    if (!status)
        status = count_masks(runs, &list, &test_pass, options->min_rest, watch, masks->pass, err);
    candidates_free(&list);
    tac_vec_free(&train_fail.at);
    tac_vec_free(&train_pass.at);
    tac_vec_free(&test_fail.at);
    tac_vec_free(&test_pass.at);
    return status;
}

/* --- A cluster of the predictor --------------------------------------------------------------- */

void know_pattern(struct tac_predictor *predictor, const struct tac_runs *runs,
                  const struct candidates *list, size_t index, uint32_t pass_count,
                  struct known_cluster *cluster)
{
    const struct candidate *c = &list->at.at[index];
    assert(c->start + c->block_count <= list->blocks.count);
    tac_mined_pattern pattern = {.form = c->template,
                                 .block_count = c->block_count,
                                 .blocks = blocks_of(list, c),
                                 .tail = c->tail,
                                 .fail = c->fail,
                                 .pass = c->pass,
                                 .times = c->times};
    char *sentence = c->fail.runs ? tac_pattern_sentence(runs, &pattern, cluster->runs, pass_count)
                                  : tac_pattern_claim(runs, &pattern);
    struct known_block *blocks =
        tac_arena_alloc(&predictor->arena, (c->block_count + 1) * sizeof *blocks);
    for (uint32_t i = 0; i < c->block_count; i++) {
        const struct block *block = &runs->blocks.at[pattern.blocks[i]];
        blocks[i].state = tac_arena_strdup(&predictor->arena, tac_token_text(runs, block->state));
        blocks[i].input = tac_arena_strdup(&predictor->arena, tac_token_text(runs, block->input));
    }
    bool has_tail = c->tail != TAC_NONE; /* a run that ends in its last input has none */
    tac_vec_push(
        &cluster->patterns,
        (struct known_pattern){
            .template = c->template,
            .block_count = c->block_count,
            .blocks = blocks,
            .tail =
                has_tail ? tac_arena_strdup(&predictor->arena, tac_token_text(runs, c->tail)) : "",
            .tail_is_state = has_tail && tac_token_is_state(runs, c->tail),
            .times = c->times,
            .score = c->score,
            .sentence = tac_arena_strdup(&predictor->arena, sentence)});
    free(sentence);
}

static uint32_t fold_count(size_t fail, size_t pass)
{
    size_t least = fail < pass ? fail : pass;
    return least < 2 ? 0 : least < FOLDS ? (uint32_t)least : FOLDS;
}

static tac_status train_cluster(struct tac_predictor *predictor, const struct tac_runs *runs,
                                const tac_mine_options *options, uint32_t id,
                                const struct run_ids *pass, tac_watch *watch, tac_error *err)
{
    struct run_ids fail = {0};
    struct masks masks = {0};
    struct candidates list = {0};
    const char *name = options->merge ? "fail" : runs->clusters.text[id];
    collect_runs(runs, id, options->merge, &fail);
    struct known_cluster cluster = {.name = tac_arena_strdup(&predictor->arena, name),
                                    .runs = (uint32_t)fail.at.count,
                                    .folds = fold_count(fail.at.count, pass->at.count)};
    tac_status status = TAC_OK;
    for (uint32_t fold = 0; fold < cluster.folds && !status; fold++)
        status = validate_fold(runs, options, &fail, pass, fold, cluster.folds, watch, &masks, err);
    if (!status)
        status = learn_patterns(runs, options, &fail, pass, watch, &list, err);
    if (!status && cluster.folds == 0) { /* too few runs to hold any out */
        status = count_masks(runs, &list, &fail, options->min_rest, watch, masks.fail, err);
        if (!status)
            status = count_masks(runs, &list, pass, options->min_rest, watch, masks.pass, err);
    }
    if (!status) {
        struct grid_choice choice = search_grid(&masks);
        assert(choice.threshold < WEIGHT_SUM);
        memcpy(cluster.weights, choice.weights, sizeof cluster.weights);
        cluster.threshold = choice.threshold;
        cluster.validated = choice.figures;
        for (size_t i = 0; i < list.at.count; i++)
            know_pattern(predictor, runs, &list, i, (uint32_t)pass->at.count, &cluster);
        tac_vec_push(&predictor->clusters, cluster);
    }
    candidates_free(&list);
    tac_vec_free(&fail.at);
    return status;
}

static tac_status check_classes(const struct tac_runs *runs, size_t *passing, tac_error *err)
{
    size_t failing = 0;
    *passing = 0;
    for (size_t i = 0; i < runs->list.count; i++) {
        const struct mined_run *run = &runs->list.at[i];
        if (run->cluster == TAC_RUN_UNLABELLED)
            return tac_fail_at(err, TAC_E_INPUT, runs->files.text[run->file], run->line, 0,
                               "this run has no verdict; a predictor learns from labelled runs");
        *(run->cluster == TAC_RUN_PASSED ? passing : &failing) += 1;
    }
    if (*passing == 0 || failing == 0)
        return tac_fail(err, TAC_E_INPUT,
                        "%zu passing and %zu failing runs: a predictor learns from runs of both "
                        "verdicts; add runs that %s",
                        *passing, failing, *passing ? "fail" : "pass");
    return TAC_OK;
}

tac_status tac_predictor_train(const tac_runs *runs, const tac_mine_options *options,
                               tac_watch *watch, tac_predictor **out, tac_error *err)
{
    size_t passing;
    tac_status status = check_classes(runs, &passing, err);
    if (status)
        return status;
    tac_mine_options leading = *options;
    leading.all = false;
    struct tac_predictor *predictor = tac_calloc(1, sizeof *predictor);
    predictor->states = tac_arena_strdup(&predictor->arena, runs->states_text);
    predictor->knows_rules = true;
    for (size_t i = 0; i < runs->rules.at.count; i++)
        tac_vec_push(&predictor->rules,
                     tac_arena_strdup(&predictor->arena, runs->rules.at.at[i].text));
    predictor->min_rest = options->min_rest;
    predictor->passing = (uint32_t)passing;
    predictor->failing = (uint32_t)(runs->list.count - passing);
    assert(predictor->passing > 0 && predictor->failing > 0);
    if (!options->paper_weights) {
        status = train_rules(predictor, runs, &leading, watch, err);
        if (status) {
            tac_predictor_free(predictor);
            return status;
        }
        *out = predictor;
        return TAC_OK;
    }
    struct run_ids pass = {0};
    collect_runs(runs, TAC_RUN_PASSED, false, &pass);
    uint32_t only = options->cluster ? find_cluster(runs, options->cluster) : TAC_NONE;
    for (uint32_t c = 1; c < runs->clusters.count && !status; c++) {
        bool wanted = !options->cluster || c == only;
        if (runs->cluster_size.at[c] && (wanted || options->merge) &&
            !(options->merge && predictor->clusters.count))
            status = train_cluster(predictor, runs, &leading, c, &pass, watch, err);
    }
    tac_vec_free(&pass.at);
    if (status) {
        tac_predictor_free(predictor);
        return status;
    }
    *out = predictor;
    return TAC_OK;
}

static void known_cluster_free(struct known_cluster *cluster)
{
    tac_vec_free(&cluster->patterns);
    tac_vec_free(&cluster->rules);
}

void tac_predictor_free(tac_predictor *predictor)
{
    if (!predictor)
        return;
    for (size_t i = 0; i < predictor->clusters.count; i++)
        known_cluster_free(&predictor->clusters.at[i]);
    known_cluster_free(&predictor->tree_events);
    known_cluster_free(&predictor->sequences);
    tac_vec_free(&predictor->clusters);
    tac_arena_free(&predictor->arena);
    tac_vec_free(&predictor->rules);
    free(predictor);
}

const char *tac_predictor_states(const tac_predictor *predictor)
{
    return predictor->states;
}

bool tac_predictor_rules(const tac_predictor *predictor, const char *const **rules, size_t *count)
{
    *rules = predictor->rules.at;
    *count = predictor->rules.count;
    return predictor->knows_rules;
}
