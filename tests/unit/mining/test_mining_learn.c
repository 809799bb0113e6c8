/* Learned rules against what is known: how often something happens is learned and counted right,
 * and verdicts dealt by chance teach nothing. */
#include "base/data/random.h"
#include "mining/predict/learn.h"
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
    for (uint64_t seed = 10; seed < 10 + test_scale(4); seed++) {
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

/* What judge_held_out says, the long way: every inner model of every fold is learned for itself. */
static void judge_fold_by_fold(struct trainer *t, uint8_t *fails)
{
    uint32_t count = (uint32_t)t->rows.ids.count;
    uint8_t *inside = tac_alloc(count + 1);
    struct trials **keep = tac_calloc(count + 1, sizeof *keep);
    double *score = tac_alloc((count + 1) * sizeof *score);
    for (unsigned fold = 0; fold < OUTER_FOLDS; fold++) {
        struct trials trials;
        struct lesson lesson;
        struct rule_model model;
        trials_make(t, &trials);
        for (unsigned inner = 0; inner < OUTER_FOLDS; inner++) {
            if (inner == fold)
                continue;
            for (uint32_t r = 0; r < count; r++) {
                inside[r] = t->rows.fold[r] != fold && t->rows.fold[r] != inner;
                keep[r] = t->rows.fold[r] == inner ? &trials : NULL;
            }
            REQUIRE(try_models(t, inside, keep) == TAC_OK);
        }
        for (uint32_t r = 0; r < count; r++)
            inside[r] = t->rows.fold[r] != fold;
        REQUIRE(learn_chosen(t, inside, &trials, &lesson, &model) == TAC_OK);
        if (model.count)
            rule_scores(&lesson.columns, &model, score);
        for (uint32_t r = 0; r < count; r++)
            if (t->rows.fold[r] == fold)
                fails[r] = (model.count ? score[r] : model.bias) > model.threshold;
        lesson_free(&lesson);
        trials_free(&trials);
    }
    free(inside);
    free(keep);
    free(score);
}

TEST(folds_judged_in_pairs_are_judged_as_one_by_one)
{
    unsigned found = 0, missed = 0;
    for (uint64_t seed = 30; seed < 30 + test_scale(2); seed++) {
        tac_runs *runs = random_runs(seed, 45, 0);
        tac_mine_options options = tac_mine_defaults();
        tac_error err;
        struct trainer t = {.options = &options, .err = &err};
        learn_rows_make(runs, &t.rows);
        for (uint32_t r = 0; r < t.rows.ids.count; r += 9) { /* verdicts that nothing explains */
            double pass = t.rows.pass[r];
            t.rows.pass[r] = t.rows.fail[r];
            t.rows.fail[r] = pass;
        }
        uint8_t *fast = tac_calloc(t.rows.ids.count + 1, 1);
        uint8_t *slow = tac_calloc(t.rows.ids.count + 1, 1);
        REQUIRE(judge_held_out(&t, fast) == TAC_OK);
        judge_fold_by_fold(&t, slow);
        for (uint32_t r = 0; r < t.rows.ids.count; r++) {
            CHECK_EQ(fast[r], slow[r]);
            found += fast[r] && t.rows.fail[r] > 0;
            missed += !fast[r] && t.rows.fail[r] > 0;
        }
        free(fast);
        free(slow);
        learn_rows_free(&t.rows);
        tac_runs_free(runs);
    }
    if (!(found && missed)) /* neither all nor nothing: the comparison says something */
        test_fail(__FILE__, __LINE__, "%u found, %u missed", found, missed);
}

TEST(folds_have_their_share_of_every_cluster)
{
    tac_str text = {0};
    tac_runs *runs;
    tac_error err;
    for (unsigned i = 0; i < 400; i++) /* clusters of 7, 23 and 30 runs, no two runs alike */
        tac_str_addf(&text, "%s s0 e%u s1 e%u s2\n",
                     i < 7    ? "a"
                     : i < 30 ? "b"
                     : i < 60 ? "c"
                              : "0",
                     i, i / 3);
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    REQUIRE(tac_runs_read(runs, test_write("folds.runs", text.text), NULL, &err) == TAC_OK);
    struct learn_rows rows;
    learn_rows_make(runs, &rows);
    unsigned in[4][OUTER_FOLDS] = {{0}};
    for (uint32_t i = 0; i < 400; i++)
        in[i < 7 ? 0 : i < 30 ? 1 : i < 60 ? 2 : 3][rows.fold[rows.of.at[i]]]++;
    for (unsigned f = 0; f < OUTER_FOLDS; f++) {
        CHECK(in[0][f] <= 1 && in[1][f] >= 2 && in[1][f] <= 3);
        CHECK_EQ(in[2][f], 3);
        CHECK_EQ(in[3][f], 34);
    }
    learn_rows_free(&rows);
    tac_runs_free(runs);
    tac_str_free(&text);
}
