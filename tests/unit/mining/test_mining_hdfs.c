/* The labelled HDFS sessions of the DeepLog replication: a check that nothing is tuned to our own
 * simulator. Key k_i is the block (s<k_(i-1)>, e<k_i>), the first state is s0. Every second session
 * trains, the others test; a tenth of them here, all of them in bench/mining_compare. Most abnormal
 * sessions are cut short: what tells them is what they lack and how they end. */
#include "mining/mining.h"
#include "mining/runs/runs.h"
#include "tactus_test.h"

static void add_session(tac_runs *runs, char *line, const char *label)
{
    char state[32] = "s0", input[32];
    runs_begin_at(runs, "session", 0);
    for (char *key = strtok(line, " \n"); key; key = strtok(NULL, " \n")) {
        snprintf(input, sizeof input, "e%s", key);
        tac_runs_state(runs, state);
        tac_runs_input(runs, input);
        snprintf(state, sizeof state, "s%s", key);
    }
    tac_runs_end(runs, label);
}

static void add_sessions(const char *path, const char *label, tac_runs *halves[2])
{
    FILE *file = fopen(path, "r");
    REQUIRE(file);
    char *line = NULL;
    size_t capacity = 0;
    for (size_t number = 0; getline(&line, &capacity, file) > 0; number++)
        if (number / 2 % 10 == 0)
            add_session(halves[number % 2], line, label);
    free(line);
    fclose(file);
}

TEST(hdfs_half_to_train_half_to_test)
{
    const char *normal = test_corpus("hdfs/normal.txt"),
               *abnormal = test_corpus("hdfs/abnormal.txt");
    if (!normal || !abnormal)
        SKIP("the corpus (TACTUS_CORPUS) is not here");
    tac_runs *halves[2];
    tac_error err;
    tac_mine_options options = tac_mine_defaults();
    tac_predictor *predictor;
    tac_prediction *prediction;
    tac_predict_figures f, always_pass;
    REQUIRE(tac_runs_new(NULL, &halves[0], &err) == TAC_OK);
    REQUIRE(tac_runs_new(NULL, &halves[1], &err) == TAC_OK);
    add_sessions(normal, "0", halves);
    add_sessions(abnormal, "1", halves);
    REQUIRE(tac_predictor_train(halves[0], &options, NULL, &predictor, &err) == TAC_OK);
    REQUIRE(tac_predict(predictor, halves[1], NULL, &prediction, &err) == TAC_OK);
    REQUIRE(tac_prediction_figures(prediction, &f, &always_pass));
    printf(
        "  HDFS: TP %llu TN %llu FP %llu FN %llu accuracy %.3f (always pass %.3f) precision %.3f "
        "recall %.3f F2 %.3f MCC %.3f\n",
        (unsigned long long)f.tp, (unsigned long long)f.tn, (unsigned long long)f.fp,
        (unsigned long long)f.fn, f.accuracy, always_pass.accuracy, f.precision, f.recall, f.f2,
        f.mcc);
    CHECK(f.accuracy > always_pass.accuracy);
    tac_predict_figures baselines[TAC_BASELINES];
    REQUIRE(tac_prediction_baselines(prediction, baselines));
    for (unsigned k = 2; k < TAC_BASELINES; k++) {
        printf("  HDFS: %s MCC %.3f\n", tac_baseline_name(k), baselines[k].mcc);
        CHECK(f.mcc > baselines[k].mcc - 0.02);
    }
    CHECK(f.mcc > 0.93);
    tac_prediction_free(prediction);
    tac_predictor_free(predictor);
    tac_runs_free(halves[0]);
    tac_runs_free(halves[1]);
}
