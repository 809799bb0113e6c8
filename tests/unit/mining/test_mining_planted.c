/* Planted bugs: each known cause is among the first three patterns of its cluster, one bug at a
 * time and all four at once; and clustering beats no clustering on F2. */
#include "mining/runs/runs.h"
#include "planted_app.h"
#include "tactus_test.h"

static tac_runs *runs_of(struct sim_app *app, uint64_t seed, unsigned count)
{
    tac_runs *runs;
    tac_error err;
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    sim_runs(app, seed, count, 300, runs);
    return runs;
}

/* The right blocks, in the template that fits the bug, with the right x. Where causes are not
 * reliable a rule may miss its confidence; then the right blocks in any template will do. */
static bool names_cause(const tac_runs *runs, const tac_mined_pattern *p, unsigned bug,
                        const struct sim_cause *cause, bool noisy)
{
    static const unsigned fitting[SIM_BUGS] = {1u << TAC_G2, 1u << TAC_G1 | 1u << TAC_G3,
                                               1u << TAC_G4, 1u << TAC_G5};
    if ((!noisy && !(fitting[bug] & 1u << p->form)) || p->block_count != cause->block_count)
        return false;
    for (unsigned i = 0; i < cause->block_count; i++) {
        uint32_t state, input;
        tac_runs_block(runs, p->blocks[i], &state, &input);
        if (strcmp(tac_token_text(runs, state), cause->blocks[i][0]) ||
            strcmp(tac_token_text(runs, input), cause->blocks[i][1]))
            return false;
    }
    return noisy || !*cause->x || strcmp(tac_token_text(runs, p->tail), cause->x) == 0;
}

/* Place of the cause in its cluster, from 1; 0 = not among the patterns. */
static size_t place_of(const tac_runs *runs, const tac_mine_result *result, unsigned bug,
                       const struct sim_cause *cause, bool noisy)
{
    for (size_t c = 0; c < result->cluster_count; c++) {
        const tac_cluster_result *cluster = &result->clusters[c];
        if (strcmp(cluster->name, cause->label))
            continue;
        for (size_t i = 0; i < cluster->pattern_count; i++)
            if (names_cause(runs, &cluster->patterns[i], bug, cause, noisy))
                return i + 1;
    }
    return 0;
}

static void find_causes(uint64_t seed, unsigned bugs, unsigned count, bool noisy)
{
    struct sim_app *app = sim_new(seed, 24, 40, 8, bugs);
    if (noisy)
        sim_noise(app, 0.7, 0.01);
    tac_runs *runs = runs_of(app, 100 + seed, count);
    tac_mine_options options = tac_mine_defaults();
    tac_mine_result *result;
    tac_error err;
    REQUIRE(tac_mine(runs, &options, NULL, &result, &err) == TAC_OK);
    for (unsigned bug = 0; bug < SIM_BUGS; bug++) {
        if (!(bugs & 1u << bug))
            continue;
        const struct sim_cause *cause = sim_cause(app, bug);
        size_t place = place_of(runs, result, bug, cause, noisy);
        if (place < 1 || place > 3)
            test_fail(__FILE__, __LINE__, "app %llu, bugs %u: the cause of '%s' is at place %zu",
                      (unsigned long long)seed, bugs, cause->label, place);
    }
    tac_mine_result_free(result);
    tac_runs_free(runs);
    sim_free(app);
}

TEST(each_bug_alone_is_found)
{
    for (uint64_t seed = 1; seed <= test_scale(10) / 5; seed++)
        for (unsigned bug = 0; bug < SIM_BUGS; bug++)
            find_causes(seed, 1u << bug, 1000, false);
}

TEST(four_bugs_at_once_are_found)
{
    for (uint64_t seed = 1; seed <= test_scale(10) / 5; seed++)
        find_causes(seed, SIM_ALL, 1500, false);
}

/* The causes fire seven times in ten, and one run in a hundred fails of something else. */
TEST(unreliable_bugs_are_found_among_stray_failures)
{
    for (uint64_t seed = 1; seed <= test_scale(10) / 5; seed++)
        find_causes(seed, SIM_ALL, 1500, true);
}

static tac_predict_figures judge(const tac_runs *train, const tac_runs *test, bool merge)
{
    tac_mine_options options = tac_mine_defaults();
    tac_predictor *predictor;
    tac_prediction *prediction;
    tac_predict_figures figures, always_pass;
    tac_error err;
    options.merge = merge;
    options.paper_weights = true;
    REQUIRE(tac_predictor_train(train, &options, NULL, &predictor, &err) == TAC_OK);
    REQUIRE(tac_predict(predictor, test, NULL, &prediction, &err) == TAC_OK);
    CHECK(tac_prediction_figures(prediction, &figures, &always_pass));
    if (!merge && getenv("TACTUS_SHOW_WEIGHTS")) /* the second table of docs/mining.md */
        tac_predictor_text(predictor, stdout);
    tac_prediction_free(prediction);
    tac_predictor_free(predictor);
    return figures;
}

static void print_row(const char *name, const tac_predict_figures *f)
{
    printf("  %-22s TP %3llu TN %3llu FP %3llu FN %3llu  acc. %.1f %% prec. %.2f rec. %.2f F2 %.3f "
           "MCC %.2f\n",
           name, (unsigned long long)f->tp, (unsigned long long)f->tn, (unsigned long long)f->fp,
           (unsigned long long)f->fn, 100 * f->accuracy, f->precision, f->recall, f->f2, f->mcc);
}

/* The shape of the paper's Table 1, on apps with two to four bugs. */
TEST(clustering_improves_f2)
{
    static const unsigned bugs[] = {SIM_CONTIGUOUS | SIM_UNINIT, SIM_GAPS | SIM_STARVED, SIM_ALL};
    size_t apps = test_scale(60) / 20;
    for (size_t i = 0; i < apps; i++) {
        struct sim_app *app = sim_new(11 + i, 24, 40, 8, bugs[i % 3]);
        if (i >= 3)
            sim_noise(app, 0.7, 0.01);
        tac_runs *train = runs_of(app, 21 + i, 1500), *test = runs_of(app, 31 + i, 500);
        char name[64];
        tac_predict_figures merged = judge(train, test, true);
        tac_predict_figures clustered = judge(train, test, false);
        snprintf(name, sizeof name, "app %zu%s", i + 1, i < 3 ? "" : " noisy");
        print_row(name, &merged);
        snprintf(name, sizeof name, "app %zu%s (clustered)", i + 1, i < 3 ? "" : " noisy");
        print_row(name, &clustered);
        CHECK(clustered.f2 > merged.f2);
        tac_runs_free(train);
        tac_runs_free(test);
        sim_free(app);
    }
}

/* The crash that happens while the last input is handled: nothing follows it, so no pattern can end
 * there; the common ending says what happened. */
TEST(the_common_ending_is_shown)
{
    tac_runs *runs;
    tac_error err;
    tac_mine_result *result;
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    for (int i = 0; i < 40; i++) {
        static const char *const fail[] = {"s1", "e1", "s2", "e2"}, *const pass[] = {"s2", "e2",
                                                                                     "s1", "e1"};
        runs_begin_at(runs, "run", 0);
        for (int k = 0; k < 4; k++)
            if (k % 2)
                tac_runs_input(runs, i % 2 ? fail[k] : pass[k]);
            else
                tac_runs_state(runs, i % 2 ? fail[k] : pass[k]);
        tac_runs_end(runs, i % 2 ? "1" : "0");
    }
    tac_mine_options options = tac_mine_defaults();
    REQUIRE(tac_mine(runs, &options, NULL, &result, &err) == TAC_OK);
    const tac_cluster_result *cluster = &result->clusters[0];
    CHECK_EQ(cluster->ending_count, 4);
    CHECK_EQ(cluster->ending_runs, 20);
    CHECK_EQ(cluster->ending_pass, 0);
    CHECK_STR(tac_token_text(runs, cluster->ending[0]), "s1");
    CHECK_STR(tac_token_text(runs, cluster->ending[3]), "e2");
    tac_mine_result_free(result);
    tac_runs_free(runs);
}
