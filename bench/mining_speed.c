/* mining_speed: the table of docs/mining.md. 3,000 runs of 300 inputs, 24 states, 40 inputs, depth
 * 6: one failing cluster mined for G1 at support 0.6 by the naive miner (Algorithm 1 of the paper)
 * and by the fast engine, which must agree; then the whole of mine and of cross-validation. */
#include "base/data/alloc.h"
#include "mining/cluster/cluster.h"
#include "mining/naive_miner.h"
#include "mining/planted_app.h"
#include "mining/search/candidates.h"
#include "mining/search/chance.h"
#include <sys/resource.h>
#include <time.h>

static tac_runs *make_runs(unsigned count)
{
    tac_runs *runs = NULL;
    tac_error err;
    struct sim_app *app = sim_new(1, 24, 40, 8, SIM_ALL);
    if (tac_runs_new(NULL, &runs, &err) == TAC_OK)
        sim_runs(app, 7, count, 300, runs);
    sim_free(app);
    return runs;
}

/* Processor time: what the work costs, also on a machine that others use. */
static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* --- One cluster, G1 at support 0.6
 * --------------------------------------------------------------- */

static void count_pattern(void *context, const struct naive_pattern *pattern)
{
    (void)pattern;
    ++*(size_t *)context;
}

/* The cluster's runs as plain event numbers. */
static struct naive_run *plain_runs(const tac_runs *runs, const struct run_ids *ids)
{
    struct naive_run *plain = tac_calloc(ids->at.count + 1, sizeof *plain);
    for (size_t i = 0; i < ids->at.count; i++) {
        const struct mined_run *run = &runs->list.at[ids->at.at[i]];
        uint16_t *events = tac_calloc(2 * (size_t)run->blocks + 1, sizeof *events);
        uint32_t length = run_length(run);
        for (uint32_t k = 0; k < length; k++) {
            uint32_t token = run->tail;
            if (k / 2 < run->blocks) {
                const struct block *block = &runs->blocks.at[run_blocks(runs, run)[k / 2]];
                token = k % 2 ? block->input : block->state;
            }
            int number = atoi(tac_token_text(runs, token) + 1);
            events[k] = (uint16_t)(number + (tac_token_is_state(runs, token) ? 0 : 24));
        }
        plain[i] = (struct naive_run){events, length};
    }
    return plain;
}

static double naive_seconds(const tac_runs *runs, const struct run_ids *ids, size_t *patterns)
{
    struct naive_run *plain = plain_runs(runs, ids);
    struct naive_task task = {.fail = plain,
                              .fail_count = (uint32_t)ids->at.count,
                              .states = 24,
                              .inputs = 40,
                              .depth = 6,
                              .support = 0.6};
    double start = cpu_seconds();
    *patterns = 0;
    naive_mine(&task, TAC_G1, count_pattern, patterns);
    double seconds = cpu_seconds() - start;
    for (size_t i = 0; i < ids->at.count; i++)
        free((void *)plain[i].events);
    free(plain);
    return seconds;
}

static double fast_seconds(const tac_runs *runs, const struct run_ids *ids, size_t *patterns)
{
    struct threshold support = threshold_of(0.6);
    uint32_t count = (uint32_t)ids->at.count;
    struct mine_task task = {.runs = runs,
                             .fail = {runs, ids->at.at, NULL, count},
                             .templates = 1u << TAC_G1,
                             .support = support,
                             .depth = 6,
                             .all = true,
                             .limit = 5000000};
    while (!reaches(support, task.min_runs, count))
        task.min_runs++;
    double best = 1e9;
    for (int round = 0; round < 5; round++) {
        struct candidates found = {0};
        unsigned examined;
        tac_error err;
        double start = cpu_seconds();
        if (mine_gapped(&task, TAC_G1, &found, &examined, &err) != TAC_OK)
            fprintf(stderr, "%s\n", err.message);
        double seconds = cpu_seconds() - start;
        best = seconds < best ? seconds : best;
        *patterns = found.at.count;
        candidates_free(&found);
    }
    return best;
}

static bool compare_cluster(const tac_runs *runs, const char *name)
{
    struct run_ids ids = {0};
    size_t naive, fast;
    collect_runs(runs, tac_names_find(&runs->clusters, name), false, &ids);
    double slow = naive_seconds(runs, &ids, &naive), quick = fast_seconds(runs, &ids, &fast);
    printf("%-12s %5zu runs  %7zu patterns  naive %8.0f ms  fast %6.2f ms  ratio %6.0f%s\n", name,
           ids.at.count, fast, 1000 * slow, 1000 * quick, slow / quick,
           naive == fast ? "" : "  DIFFERENT");
    tac_vec_free(&ids.at);
    return naive == fast;
}

/* The permutation test of one cluster: every deal over every listed pattern, at full length. */
static double permuting_seconds(const tac_runs *runs, const char *name, uint32_t *rows)
{
    struct run_ids fail = {0}, pass = {0};
    collect_runs(runs, tac_names_find(&runs->clusters, name), false, &fail);
    collect_runs(runs, TAC_RUN_PASSED, false, &pass);
    struct mine_task task = {.runs = runs,
                             .fail = {runs, fail.at.at, NULL, (uint32_t)fail.at.count},
                             .pass = {runs, pass.at.at, NULL, (uint32_t)pass.at.count},
                             .templates = (1u << TAC_TEMPLATES) - 1,
                             .depth = 6,
                             .clusters = 1};
    *rows = task.fail.count + task.pass.count;
    double start = cpu_seconds();
    struct chance *evidence = chance_new(&task);
    double p = chance_corrected(evidence, TAC_G2, 1, 2, 0); /* no figures at all: they are needed */
    double seconds = cpu_seconds() - start;
    if (p < 1)
        fprintf(stderr, "a pattern without figures has p %g\n", p);
    chance_free(evidence);
    tac_vec_free(&fail.at);
    tac_vec_free(&pass.at);
    return seconds;
}

int main(void)
{
    tac_runs *runs = make_runs(3000);
    tac_mine_options options = tac_mine_defaults();
    tac_mine_result *result;
    tac_predictor *predictor;
    tac_error err;
    bool same = true;
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("one failing cluster, G1, support 0.6, depth 6:\n");
    static const char *const clusters[] = {"uninit", "gaps"};
    for (size_t i = 0; i < 2; i++)
        same = compare_cluster(runs, clusters[i]) && same;
    double start = cpu_seconds();
    if (tac_mine(runs, &options, NULL, &result, &err) != TAC_OK)
        return 1;
    double mined = cpu_seconds() - start;
    tac_mine_result_free(result);
    start = cpu_seconds();
    if (tac_predictor_train(runs, &options, NULL, &predictor, &err) != TAC_OK)
        return 1;
    double trained = cpu_seconds() - start;
    tac_predictor_free(predictor);
    printf("whole of mine, 4 clusters, causes beyond chance   %.2f s (target 2 s)\n", mined);
    uint32_t rows;
    double permuted = permuting_seconds(runs, "uninit", &rows);
    printf("permutation test of one cluster, %u runs, %u deals  %.2f s (%.2f of mine)\n", rows,
           PERMUTATIONS, permuted, permuted / mined);
    printf("nested cross-validation, 4 clusters, baselines    %.2f s\n", trained);
    printf("peak memory %.0f MB (target 200 MB)\n", peak_megabytes());
    tac_runs_free(runs);
    return same ? 0 : 1;
}
