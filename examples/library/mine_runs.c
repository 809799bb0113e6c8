/* Learns from labelled runs what the failing ones have in common, then judges other runs by it.
 *
 *     cc mine_runs.c $(pkg-config --cflags --libs tactus) -o mine_runs
 *     ./mine_runs examples/mining/player.runs examples/mining/player.runs */
#include <stdio.h>
#include <stdlib.h>
#include <tactus/mining.h>
#include <tactus/verdict.h>

static tac_status read_runs(const char *path, tac_runs **runs, tac_error *err)
{
    tac_status status = tac_runs_new(NULL, runs, err);
    if (status == TAC_OK)
        status = tac_runs_read(*runs, path, NULL, err);
    return status;
}

static tac_status mine(const tac_runs *runs, const tac_mine_options *options, tac_error *err)
{
    tac_mine_result *result = NULL;
    tac_status status = tac_mine(runs, options, NULL, &result, err);
    for (size_t i = 0; status == TAC_OK && i < result->cluster_count; i++) {
        const tac_cluster_result *cluster = &result->clusters[i];
        if (cluster->pattern_count == 0)
            continue;
        char *formula = tac_pattern_formula(runs, &cluster->patterns[0]);
        printf("%s: %s, p = %.2g\n", cluster->name, formula, cluster->patterns[0].p);
        free(formula);
    }
    tac_mine_result_free(result);
    return status;
}

static tac_status predict(const tac_predictor *predictor, const tac_runs *runs, tac_error *err)
{
    tac_prediction *prediction = NULL;
    tac_status status = tac_predict(predictor, runs, NULL, &prediction, err);
    if (status == TAC_OK) {
        json_t *document = tac_prediction_json(prediction);
        json_dumpf(document, stdout, JSON_COMPACT);
        printf("\n");
        json_decref(document);
    }
    tac_prediction_free(prediction);
    return status;
}

int main(int argc, char **argv)
{
    tac_runs *known = NULL, *other = NULL;
    tac_predictor *predictor = NULL;
    tac_error err;
    if (argc != 3) {
        fprintf(stderr, "usage: mine_runs LABELLED-RUNS OTHER-RUNS\n");
        return 2;
    }
    const tac_mine_options options = tac_mine_defaults();
    tac_status status = read_runs(argv[1], &known, &err);
    if (status == TAC_OK)
        status = read_runs(argv[2], &other, &err);
    if (status == TAC_OK)
        status = mine(known, &options, &err);
    if (status == TAC_OK)
        status = tac_predictor_train(known, &options, NULL, &predictor, &err);
    if (status == TAC_OK) {
        printf("%zu runs judged: ", tac_runs_count(other));
        status = predict(predictor, other, &err);
    }
    if (status != TAC_OK) {
        char text[2048];
        fprintf(stderr, "%s\n", tac_error_text(&err, text, sizeof text));
    }
    tac_predictor_free(predictor);
    tac_runs_free(other);
    tac_runs_free(known);
    return tac_exit_code(status, TAC_HOLDS);
}
