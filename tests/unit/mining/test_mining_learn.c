/* Learned rules against what is known: how often something happens is learned and counted right,
 * and verdicts dealt by chance teach nothing. */
#include "base/data/random.h"
#include "mining/predict/predictor.h"
#include "tactus_test.h"

enum { STATES = 3, INPUTS = 5, WANTED = 4 };

/* Runs of equal length; those fail in which the input 0 is done WANTED times or more. odds:
 * instead, so many of a hundred fail by chance. */
static void write_runs(tac_str *text, uint64_t seed, unsigned count, unsigned odds)
{
    tac_random random;
    tac_random_seed(&random, seed);
    for (unsigned i = 0; i < count; i++) {
        tac_str run = {0};
        unsigned times = 0;
        for (unsigned k = 0; k < 16; k++) {
            unsigned input = (unsigned)tac_random_below(&random, INPUTS);
            times += input == 0;
            tac_str_addf(&run, " s%u e%u", (unsigned)tac_random_below(&random, STATES), input);
        }
        bool fails = odds ? tac_random_below(&random, 100) < odds : times >= WANTED;
        tac_str_addf(text, "%d%s s0\n", fails, run.text);
        tac_str_free(&run);
    }
}

static tac_runs *random_runs(uint64_t seed, unsigned count, unsigned odds)
{
    tac_str text = {0};
    tac_runs *runs;
    tac_error err;
    write_runs(&text, seed, count, odds);
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    REQUIRE(tac_runs_read(runs, test_write("learn.runs", text.text), NULL, &err) == TAC_OK);
    tac_str_free(&text);
    return runs;
}

static tac_predictor *learned(const tac_runs *runs)
{
    tac_mine_options options = tac_mine_defaults();
    tac_predictor *predictor;
    tac_error err;
    REQUIRE(tac_predictor_train(runs, &options, NULL, &predictor, &err) == TAC_OK);
    return predictor;
}

TEST(how_often_is_learned_and_counted_right)
{
    tac_runs *train = random_runs(1, 300, 0), *fresh = random_runs(2, 400, 0);
    tac_predictor *predictor = learned(train);
    tac_predict_figures figures, always_pass;
    tac_prediction *prediction;
    tac_error err;
    const struct known_cluster *cluster = &predictor->clusters.at[0];
    REQUIRE(cluster->rules.count >= 1);
    CHECK_STR(cluster->rules.at[0].sentence, "e0 occurs at least 4 times");
    CHECK_NEAR(predictor->figures.f2, 1, 1e-9);
    /* through a model file: names only */
    const char *path = test_temporary("learn.json");
    json_t *document = tac_predictor_json(predictor);
    REQUIRE(json_dump_file(document, path, 0) == 0);
    json_decref(document);
    tac_predictor_free(predictor);
    REQUIRE(tac_predictor_load(path, &predictor, &err) == TAC_OK);
    REQUIRE(tac_predict(predictor, fresh, NULL, &prediction, &err) == TAC_OK);
    REQUIRE(tac_prediction_figures(prediction, &figures, &always_pass));
    CHECK_EQ(figures.fp + figures.fn, 0); /* the runs were counted one by one when written */
    CHECK(figures.tp > 20 && figures.tn > 20);
    tac_prediction_free(prediction);
    tac_predictor_free(predictor);
    tac_runs_free(train);
    tac_runs_free(fresh);
}

TEST(verdicts_by_chance_teach_nothing)
{
    unsigned with_rules = 0;
    double largest = 0;
    for (uint64_t seed = 10; seed < 10 + test_scale(6); seed++) {
        tac_runs *train = random_runs(seed, 250, 10);
        tac_predictor *predictor = learned(train);
        with_rules += predictor->clusters.at[0].rules.count > 0;
        double f2 = predictor->figures.f2;
        largest = f2 > largest ? f2 : largest;
        tac_predictor_free(predictor);
        tac_runs_free(train);
    }
    CHECK(with_rules <= 1); /* a few of 100 by chance */
    CHECK(largest <= 0.1);
}
