/* The miner: every failing cluster of a set against the passing runs; or the passing runs alone,
 * for what holds in them (the paper's R_0). */
#include "base/check.h"
#include "base/data/text.h"
#include "mining/cluster/cluster.h"
#include "mining/search/chance.h"

tac_mine_options tac_mine_defaults(void)
{
    return (tac_mine_options){.support = TAC_MINE_AUTO,
                              .confidence = TAC_MINE_AUTO,
                              .depth = 6,
                              .min_rest = 10,
                              .screen = TAC_SCREEN_SCORE,
                              .limit = 5000000};
}

/* --- All clusters ----------------------------------------------------------------------------- */

static tac_mined_pattern pattern_of(const struct candidate *c, const tac_cluster_result *cluster)
{
    struct lift lift = lift_of(c->fail.runs, cluster->runs, c->pass.runs, cluster->passing);
    assert(lift.low <= lift.ratio && lift.ratio <= lift.high);
    return (tac_mined_pattern){.form = c->template,
                               .block_count = c->block_count,
                               .blocks = cluster->storage + c->start,
                               .tail = c->tail,
                               .folded = c->folded,
                               .fail = c->fail,
                               .pass = c->pass,
                               .score = c->score,
                               .completion = c->completion,
                               .p = c->p,
                               .lift = lift.ratio,
                               .lift_low = lift.low,
                               .lift_high = lift.high,
                               .equally_supported = c->equally,
                               .attributed = c->attributed,
                               .cause = c->cause};
}

static void keep_patterns(struct cluster_outcome *outcome, tac_cluster_result *out)
{
    const struct candidates *list = &outcome->patterns;
    out->storage = tac_alloc((list->blocks.count + 1) * sizeof *out->storage);
    if (list->blocks.count)
        memcpy(out->storage, list->blocks.at, list->blocks.count * sizeof *out->storage);
    out->patterns = tac_calloc(list->at.count + 1, sizeof *out->patterns);
    out->pattern_count = list->at.count;
    for (size_t i = 0; i < list->at.count; i++) {
        assert(list->at.at[i].start + list->at.at[i].block_count <= list->blocks.count);
        out->patterns[i] = pattern_of(&list->at.at[i], out);
    }
    memcpy(out->counts, outcome->counts, sizeof out->counts);
    memcpy(out->examined, outcome->examined, sizeof out->examined);
    out->least_p = outcome->least_p;
    out->attribution = outcome->attribution;
    outcome->attribution = NULL;
    for (uint32_t r = 0; r < out->runs; r++)
        out->unexplained += out->attribution[r] == TAC_NONE;
    assert(out->unexplained <= out->runs);
}

static tac_status mine_one(const struct tac_runs *runs, const tac_mine_options *options,
                           uint32_t cluster, uint32_t clusters, const struct run_ids *pass,
                           tac_watch *watch, tac_cluster_result *out, tac_error *err)
{
    struct run_ids fail = {0};
    bool of_passing = cluster == TAC_RUN_PASSED;
    collect_runs(runs, cluster, options->merge, &fail);
    assert(fail.at.count > 0); /* empty clusters are not mined */
    struct cluster_job job = {.runs = runs,
                              .options = options,
                              .fail = fail.at.at,
                              .pass = pass->at.at,
                              .fail_count = (uint32_t)fail.at.count,
                              .pass_count = of_passing ? 0 : (uint32_t)pass->at.count,
                              .clusters = clusters,
                              .of_passing = of_passing,
                              .watch = watch};
    struct cluster_outcome outcome;
    const char *name = of_passing ? "pass" : options->merge ? "fail" : runs->clusters.text[cluster];
    *out = (tac_cluster_result){
        .cluster = cluster, .name = name, .runs = job.fail_count, .passing = job.pass_count};
    tac_status status = mine_cluster(&job, &outcome, err);
    if (!status) {
        out->why = of_passing       ? tac_strdup("the passing runs: what holds in them")
                   : options->merge ? tac_strdup("all failing runs together")
                                    : why_one_cluster(runs, cluster);
        keep_patterns(&outcome, out);
        cluster_outcome_free(&outcome);
        uint32_t *cuts = matched_cuts(&job);
        double support = options->support >= 0 ? options->support : 0.6;
        find_ending(&job, least_runs(threshold_of(support), job.fail_count), cuts, out);
        free(cuts);
        out->run_ids = fail.at.at;
        fail.at.at = NULL;
    }
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

/* Clusters that can tell anything: p is corrected for as many. */
static uint32_t clusters_searched(const struct tac_runs *runs, const tac_mine_options *options)
{
    uint32_t count = 0;
    for (uint32_t c = 1; c < runs->clusters.count; c++)
        count += runs->cluster_size.at[c] >= 2;
    return options->merge || options->cluster || count == 0 ? 1 : count;
}

static tac_status mine_all(const struct tac_runs *runs, tac_mine_result *result, tac_watch *watch,
                           tac_error *err)
{
    const tac_mine_options *options = &result->options;
    struct run_ids pass = {0};
    uint32_t only = options->cluster ? find_cluster(runs, options->cluster) : TAC_NONE;
    uint32_t searched = clusters_searched(runs, options);
    bool all = !options->cluster || (options->merge && only != TAC_RUN_PASSED);
    collect_runs(runs, TAC_RUN_PASSED, false, &pass);
    tac_status status = TAC_OK;
    for (uint32_t c = 0; c < runs->clusters.count && !status; c++) {
        bool wanted = all ? c != TAC_RUN_PASSED : c == only;
        if (!wanted || runs->cluster_size.at[c] == 0 || (options->merge && result->cluster_count))
            continue;
        status = mine_one(runs, options, c, searched, &pass, watch,
                          &result->clusters[result->cluster_count++], err);
    }
    tac_vec_free(&pass.at);
    if (result->cluster_count)
        qsort(result->clusters, result->cluster_count, sizeof *result->clusters, largest_first);
    return status;
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
    if (options->support != TAC_MINE_AUTO && !(options->support >= 0 && options->support <= 1))
        return tac_fail(err, TAC_E_USAGE, "support is a share between 0 and 1");
    if (options->confidence != TAC_MINE_AUTO &&
        !(options->confidence >= 0 && options->confidence <= 1))
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
    assert(result->cluster_count <= runs->clusters.count);
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
        free(result->clusters[i].run_ids);
        free(result->clusters[i].attribution);
    }
    free(result->clusters);
    free(result);
}
