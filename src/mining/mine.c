/* The miner: for each failing cluster, the five templates, the figures on the passing runs,
 * ranking.
 *
 * The passing runs are not mined: what the cluster yields is measured on them once, each passing
 * run cut to the length of a failing run (in turn), so that short crashing runs get no advantage.
 */
#include "mining/mine.h"
#include "base/check.h"
#include "base/data/text.h"

tac_mine_options tac_mine_defaults(void)
{
    return (tac_mine_options){.templates = (1u << TAC_TEMPLATES) - 1,
                              .support = 0.6,
                              .confidence = 0.9,
                              .min_occurrences = 10,
                              .depth = 6,
                              .min_rest = 10,
                              .screen = TAC_SCREEN_SCORE,
                              .limit = 5000000};
}

void collect_runs(const struct tac_runs *runs, uint32_t cluster, bool merge, struct run_ids *out)
{
    for (uint32_t i = 0; i < runs->list.count; i++) {
        uint32_t label = runs->list.at[i].cluster;
        bool failed = label != TAC_RUN_PASSED && label != TAC_RUN_UNLABELLED;
        if (label == cluster || (merge && failed && cluster != TAC_RUN_PASSED))
            tac_vec_push(&out->at, i);
    }
}

uint32_t *matched_cuts(const struct cluster_job *job)
{
    uint32_t *cuts = tac_alloc((job->pass_count + 1) * sizeof *cuts);
    for (uint32_t i = 0; i < job->pass_count; i++)
        cuts[i] = run_length(&job->runs->list.at[job->fail[i % job->fail_count]]);
    return cuts;
}

/* --- What is known about tokens -----------------------------------------------------------------
 */

struct token_facts {
    uint8_t *in_pass, *failure_state;
    double *pass_share, *late_share;
};

static void mark(const struct tac_runs *runs, const struct run_view *view, uint32_t from,
                 uint32_t *seen, uint32_t stamp, double *share, double step)
{
    for (uint32_t i = from; i <= view->count; i++) {
        uint32_t tokens[2] = {view->tail, TAC_NONE};
        if (i < view->count) {
            tokens[0] = runs->blocks.at[view->blocks[i]].state;
            tokens[1] = runs->blocks.at[view->blocks[i]].input;
        }
        for (int k = 0; k < 2; k++)
            if (tokens[k] != TAC_NONE && seen[tokens[k]] != stamp) {
                seen[tokens[k]] = stamp;
                share[tokens[k]] += step;
            }
    }
}

/* failure_state: ends a failing run of the cluster, and occurs nowhere else. */
static void note_failure_states(const struct cluster_job *job, struct token_facts *facts)
{
    const struct tac_runs *runs = job->runs;
    uint8_t *elsewhere = tac_calloc(runs->tokens.count + 1, 1);
    for (uint32_t r = 0; r < job->fail_count; r++) {
        const struct mined_run *run = &runs->list.at[job->fail[r]];
        const uint32_t *blocks = run_blocks(runs, run);
        for (uint32_t i = 0; i < run->blocks; i++)
            elsewhere[runs->blocks.at[blocks[i]].state] = 1;
    }
    for (uint32_t r = 0; r < job->fail_count; r++) {
        uint32_t tail = runs->list.at[job->fail[r]].tail;
        if (tail != TAC_NONE && !facts->in_pass[tail] && !elsewhere[tail])
            facts->failure_state[tail] = 1;
    }
    free(elsewhere);
}

static struct token_facts learn_tokens(const struct cluster_job *job, const uint32_t *cuts)
{
    const struct tac_runs *runs = job->runs;
    size_t tokens = runs->tokens.count + 1;
    struct token_facts facts = {tac_calloc(tokens, 1), tac_calloc(tokens, 1),
                                tac_calloc(tokens, sizeof(double)),
                                tac_calloc(tokens, sizeof(double))};
    uint32_t *seen = tac_calloc(tokens, sizeof *seen);
    double *whole = tac_calloc(tokens, sizeof *whole);
    struct selection cut = {runs, job->pass, cuts, job->pass_count};
    struct selection full = {runs, job->pass, NULL, job->pass_count};
    for (uint32_t r = 0; r < job->pass_count; r++) {
        struct run_view view = view_of(&full, r);
        mark(runs, &view, 0, seen, 3 * r + 1, whole, 1);
        view = view_of(&cut, r);
        mark(runs, &view, 0, seen, 3 * r + 2, facts.pass_share, 1.0 / job->pass_count);
        mark(runs, &view, view.count / 2, seen, 3 * r + 3, facts.late_share, 1.0 / job->pass_count);
    }
    for (size_t t = 0; t < tokens; t++)
        facts.in_pass[t] = whole[t] > 0;
    note_failure_states(job, &facts);
    free(seen);
    free(whole);
    return facts;
}

/* --- One cluster --------------------------------------------------------------------------------
 */

static tac_status run_engines(const struct mine_task *task, struct candidates *out,
                              unsigned *examined, tac_error *err)
{
    tac_status status = TAC_OK;
    for (int t = 0; t < TAC_TEMPLATES; t++)
        examined[t] = t == TAC_G4 ? 1 : task->depth;
    if (task->templates & 1u << TAC_G1)
        status = mine_gapped(task, TAC_G1, out, &examined[TAC_G1], err);
    if (!status && task->templates & (1u << TAC_G2 | 1u << TAC_G2E | 1u << TAC_G5))
        status = mine_contiguous(task, out, err);
    if (!status && task->templates & 1u << TAC_G3)
        status = mine_gapped(task, TAC_G3, out, &examined[TAC_G3], err);
    if (!status && task->templates & 1u << TAC_G4)
        status = mine_before(task, out, err);
    return status;
}

static tac_status measure_on(const struct mine_task *task, const struct selection *set,
                             const struct candidates *list, tac_figures *figures,
                             double *completion, tac_error *err)
{
    struct measure_request request = {.patterns = list,
                                      .set = set,
                                      .min_rest = task->min_rest,
                                      .figures = figures,
                                      .completion = completion,
                                      .watch = task->watch};
    return measure(&request, err);
}

/* Completions on the cluster, figures on the passing runs, ranks. */
static tac_status judge(const struct mine_task *task, tac_screen screen, struct candidates *list,
                        tac_error *err)
{
    size_t count = list->at.count;
    tac_figures *figures = tac_calloc(count + 1, sizeof *figures);
    double *completion = tac_calloc(count + 1, sizeof *completion);
    tac_status status = measure_on(task, &task->fail, list, figures, completion, err);
    for (size_t i = 0; i < count && !status; i++) {
        list->at.at[i].completion = completion[i];
        if (memcmp(&figures[i], &list->at.at[i].fail, sizeof *figures) != 0)
            status = tac_fail(err, TAC_E_INTERNAL,
                              "two ways of counting %s pattern %zu differ; please report this",
                              tac_template_name(list->at.at[i].template), i);
    }
    if (!status)
        status = measure_on(task, &task->pass, list, figures, NULL, err);
    for (size_t i = 0; i < count && !status; i++)
        list->at.at[i].pass = figures[i];
    if (!status && screen == TAC_SCREEN_THRESHOLD && !task->all) {
        struct selection whole = task->pass;
        whole.cuts = NULL;
        status = measure_on(task, &whole, list, figures, NULL, err);
    }
    if (!status)
        rank_candidates(task, screen, figures, list);
    free(figures);
    free(completion);
    return status;
}

static uint32_t least_runs(struct threshold support, uint32_t runs)
{
    uint32_t least =
        (uint32_t)(((unsigned __int128)support.numerator * runs + support.denominator - 1) /
                   support.denominator);
    return least ? least : 1;
}

tac_status mine_cluster(const struct cluster_job *job, struct candidates *out, uint64_t *counts,
                        unsigned *examined, tac_error *err)
{
    uint32_t *cuts = matched_cuts(job);
    struct token_facts facts = learn_tokens(job, cuts);
    struct mine_task task = {
        .runs = job->runs,
        .fail = {job->runs, job->fail, NULL, job->fail_count},
        .pass = {job->runs, job->pass, cuts, job->pass_count},
        .support = threshold_of(job->options->support),
        .confidence = threshold_of(job->options->confidence),
        .min_occurrences = job->options->min_occurrences,
        .min_rest = job->options->min_rest,
        .depth = job->options->depth,
        .templates = job->options->templates,
        .all = job->options->all,
        .keep_variants = job->keep_variants,
        .limit = job->options->limit ? job->options->limit : 5000000,
        .in_pass = facts.in_pass,
        .pass_share = facts.pass_share,
        .late_share = facts.late_share,
        .failure_state = facts.failure_state,
        .watch = job->watch,
    };
    task.min_runs = least_runs(task.support, job->fail_count);
    struct candidates list = {0};
    tac_status status = run_engines(&task, &list, examined, err);
    if (!status)
        status = judge(&task, job->options->screen, &list, err);
    memset(counts, 0, TAC_TEMPLATES * sizeof *counts);
    for (size_t i = 0; i < list.at.count && !status; i++) {
        counts[list.at.at[i].template]++;
        candidates_append(out, &list, i);
    }
    candidates_free(&list);
    free(cuts);
    free(facts.in_pass);
    free(facts.failure_state);
    free(facts.pass_share);
    free(facts.late_share);
    return status;
}

/* --- All clusters -------------------------------------------------------------------------------
 */

static void keep_patterns(const struct candidates *list, tac_cluster_result *out)
{
    out->storage = tac_alloc((list->blocks.count + 1) * sizeof *out->storage);
    if (list->blocks.count)
        memcpy(out->storage, list->blocks.at, list->blocks.count * sizeof *out->storage);
    out->patterns = tac_calloc(list->at.count + 1, sizeof *out->patterns);
    out->pattern_count = list->at.count;
    for (size_t i = 0; i < list->at.count; i++) {
        const struct candidate *c = &list->at.at[i];
        out->patterns[i] = (tac_mined_pattern){.form = c->template,
                                               .block_count = c->block_count,
                                               .blocks = out->storage + c->start,
                                               .tail = c->tail,
                                               .folded = c->folded,
                                               .fail = c->fail,
                                               .pass = c->pass,
                                               .score = c->score,
                                               .completion = c->completion};
    }
}

static tac_status mine_one(const struct tac_runs *runs, const tac_mine_options *options,
                           uint32_t cluster, const struct run_ids *pass, tac_watch *watch,
                           tac_cluster_result *out, tac_error *err)
{
    struct run_ids fail = {0};
    collect_runs(runs, cluster, options->merge, &fail);
    struct cluster_job job = {.runs = runs,
                              .options = options,
                              .fail = fail.at.at,
                              .pass = pass->at.at,
                              .fail_count = (uint32_t)fail.at.count,
                              .pass_count = (uint32_t)pass->at.count,
                              .watch = watch};
    struct candidates list = {0};
    *out = (tac_cluster_result){.cluster = cluster,
                                .name = options->merge ? "fail" : runs->clusters.text[cluster],
                                .runs = job.fail_count,
                                .passing = job.pass_count,
                                .why = options->merge ? tac_strdup("all failing runs together")
                                                      : why_one_cluster(runs, cluster)};
    tac_status status = mine_cluster(&job, &list, out->counts, out->examined, err);
    if (!status) {
        keep_patterns(&list, out);
        uint32_t *cuts = matched_cuts(&job);
        find_ending(&job, least_runs(threshold_of(options->support), job.fail_count), cuts, out);
        free(cuts);
    }
    candidates_free(&list);
    tac_vec_free(&fail.at);
    return status;
}

static int largest_first(const void *a, const void *b)
{
    const tac_cluster_result *x = a, *y = b;
    if (x->runs != y->runs)
        return x->runs < y->runs ? 1 : -1;
    return strcmp(x->name, y->name);
}

static tac_status mine_all(const struct tac_runs *runs, tac_mine_result *result, tac_watch *watch,
                           tac_error *err)
{
    const tac_mine_options *options = &result->options;
    struct run_ids pass = {0};
    uint32_t only = options->cluster ? find_cluster(runs, options->cluster) : TAC_NONE;
    collect_runs(runs, TAC_RUN_PASSED, false, &pass);
    tac_status status = TAC_OK;
    for (uint32_t c = 1; c < runs->clusters.count && !status; c++) {
        bool wanted = !options->cluster || options->merge || c == only;
        if (!wanted || runs->cluster_size.at[c] == 0 || (options->merge && result->cluster_count))
            continue;
        status = mine_one(runs, options, c, &pass, watch,
                          &result->clusters[result->cluster_count++], err);
    }
    tac_vec_free(&pass.at);
    if (result->cluster_count)
        qsort(result->clusters, result->cluster_count, sizeof *result->clusters, largest_first);
    return status;
}

uint32_t find_cluster(const struct tac_runs *runs, const char *name)
{
    uint32_t found = tac_names_find(&runs->clusters, name);
    char *end = tac_format(" at %s", name);
    for (uint32_t c = 1; c < runs->clusters.count && found == TAC_NONE; c++)
        if (runs->cluster_size.at[c] && tac_ends_with(runs->clusters.text[c], end))
            found = c;
    free(end);
    return found;
}

static tac_status no_such_cluster(const struct tac_runs *runs, const char *name, tac_error *err)
{
    tac_str names = {0};
    for (size_t c = 1; c < runs->clusters.count && c <= 8; c++)
        tac_str_addf(&names, "%s'%s'", c > 1 ? ", " : "", runs->clusters.text[c]);
    if (runs->clusters.count > 9)
        tac_str_add(&names, ", ...");
    tac_status status = tac_fail(err, TAC_E_USAGE, "no run is labelled '%s'; failing clusters: %s",
                                 name, names.length ? names.text : "none");
    tac_str_free(&names);
    return status;
}

static tac_status check_options(const struct tac_runs *runs, const tac_mine_options *options,
                                tac_error *err)
{
    if (!(options->support >= 0 && options->support <= 1))
        return tac_fail(err, TAC_E_USAGE, "support is a share between 0 and 1");
    if (!(options->confidence >= 0 && options->confidence <= 1))
        return tac_fail(err, TAC_E_USAGE, "confidence is a share between 0 and 1");
    if (options->depth < 1 || options->depth > TAC_MINE_MAX_DEPTH)
        return tac_fail(err, TAC_E_USAGE, "depth is a number of blocks between 1 and %d",
                        TAC_MINE_MAX_DEPTH);
    if (options->cluster && find_cluster(runs, options->cluster) == TAC_NONE)
        return no_such_cluster(runs, options->cluster, err);
    return TAC_OK;
}

tac_status tac_mine(const tac_runs *runs, const tac_mine_options *options, tac_watch *watch,
                    tac_mine_result **out, tac_error *err)
{
    tac_status status = check_options(runs, options, err);
    if (!status)
        status = runs_check(runs, NULL, 0, err);
    if (status)
        return status;
    for (uint32_t i = 0; i < runs->list.count; i++)
        if (runs->list.at[i].cluster == TAC_RUN_UNLABELLED)
            return tac_fail_at(err, TAC_E_INPUT, runs->files.text[runs->list.at[i].file],
                               runs->list.at[i].line, 0,
                               "this run has no verdict; give it one, or a label file that names "
                               "it");
    tac_mine_result *result = tac_calloc(1, sizeof *result);
    result->options = *options;
    result->passing = runs->cluster_size.at[TAC_RUN_PASSED];
    result->failing = (uint32_t)runs->list.count - result->passing;
    result->clusters = tac_calloc(runs->clusters.count + 1, sizeof *result->clusters);
    status = mine_all(runs, result, watch, err);
    if (status) {
        tac_mine_result_free(result);
        return status;
    }
    *out = result;
    return TAC_OK;
}

void tac_mine_result_free(tac_mine_result *result)
{
    if (!result)
        return;
    for (size_t i = 0; i < result->cluster_count; i++) {
        free(result->clusters[i].patterns);
        free(result->clusters[i].storage);
        free(result->clusters[i].ending);
        free(result->clusters[i].why);
    }
    free(result->clusters);
    free(result);
}
