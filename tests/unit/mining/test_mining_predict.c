/* Prediction: figures, the grid, model files, and patterns that never fire vacuously. */
#include "base/data/random.h"
#include "base/io/json.h"
#include "mining/predict/interval.h"
#include "mining/predict/predictor.h"
#include "tactus_test.h"

/* Table 1 of the paper: the printed ratios follow from the printed counts (given there to two or
 * three digits, sometimes cut instead of rounded). */
TEST(figures_of_the_papers_table_1)
{
    static const struct {
        uint64_t tp, tn, fp, fn;
        double accuracy, precision, recall, f2;
    } rows[] = {
        {5, 433, 25, 37, 87.6, 0.16, 0.11, 0.126},  {38, 424, 34, 4, 92.4, 0.52, 0.90, 0.791},
        {22, 401, 72, 5, 84.6, 0.23, 0.81, 0.544},  {27, 418, 55, 0, 89.0, 0.32, 1.00, 0.710},
        {11, 374, 107, 8, 77.0, 0.09, 0.57, 0.283}, {13, 453, 28, 6, 93.2, 0.31, 0.68, 0.555},
        {21, 411, 64, 4, 86.4, 0.24, 0.84, 0.567},  {20, 451, 24, 5, 94.2, 0.45, 0.80, 0.694},
        {39, 333, 128, 0, 74.4, 0.23, 1.00, 0.603}, {33, 461, 0, 6, 98.8, 1.00, 0.84, 0.873},
    };
    unsigned below = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tac_predict_figures f = {
            .tp = rows[i].tp, .tn = rows[i].tn, .fp = rows[i].fp, .fn = rows[i].fn};
        tac_predict_figures_finish(&f);
        CHECK_NEAR(100 * f.accuracy, rows[i].accuracy, 0.051);
        CHECK_NEAR(f.precision, rows[i].precision, 0.011);
        CHECK_NEAR(f.recall, rows[i].recall, 0.011);
        CHECK_NEAR(f.f2, rows[i].f2, 0.0011);
        double always_pass = (double)(f.tn + f.fp) / 500;
        below += i % 2 && f.accuracy < always_pass;
    }
    CHECK_EQ(below, 3); /* clustered accuracies below calling every run a pass */
}

TEST(figures_without_a_class_are_undefined)
{
    tac_predict_figures f = {.tn = 5};
    tac_predict_figures_finish(&f);
    CHECK_NEAR(f.accuracy, 1, 0);
    CHECK(isnan(f.precision) && isnan(f.recall) && isnan(f.f2) && isnan(f.mcc));
    CHECK(isnan(f.f2_low) && isnan(f.f2_high));
}

enum { JUDGED = 1000 };
struct judged {
    double pass[JUDGED], fail[JUDGED];
    uint8_t fails[JUDGED];
    tac_predict_figures figures;
};

/* 6 % of the runs fail; of these so many are found, of the others so many are called failures. */
static void judge_at_random(struct judged *j, uint64_t seed, double found, double false_alarms)
{
    tac_random random;
    tac_random_seed(&random, seed);
    *j = (struct judged){0};
    for (uint32_t r = 0; r < JUDGED; r++) {
        bool fails = tac_random_unit(&random) < 0.06;
        j->fail[r] = fails;
        j->pass[r] = !fails;
        j->fails[r] = tac_random_unit(&random) < (fails ? found : false_alarms);
        *(fails         ? j->fails[r] ? &j->figures.tp : &j->figures.fn
          : j->fails[r] ? &j->figures.fp
                        : &j->figures.tn) += 1;
    }
    tac_predict_figures_finish(&j->figures);
}

static void with_interval(struct judged *j)
{
    f2_interval(&(struct judged_rows){j->pass, j->fail, j->fails, JUDGED}, &j->figures);
}

/* F2 of as many rows drawn with replacement from as many rows drawn with replacement (the rates are
 * uncertain, and other runs are a sample again), 1,000 times: the 25th and the 975th. */
static void resampled(const struct judged *j, double out[2])
{
    double values[1000];
    uint64_t known[JUDGED];
    tac_random random;
    tac_random_seed(&random, 4);
    for (unsigned k = 0; k < 1000; k++) {
        double tp = 0, fn = 0, fp = 0;
        for (unsigned i = 0; i < JUDGED; i++)
            known[i] = tac_random_below(&random, JUDGED);
        for (unsigned i = 0; i < JUDGED; i++) {
            uint64_t r = known[tac_random_below(&random, JUDGED)];
            tp += j->fails[r] ? j->fail[r] : 0;
            fp += j->fails[r] ? j->pass[r] : 0;
            fn += j->fails[r] ? 0 : j->fail[r];
        }
        double f2 = 5 * tp / (5 * tp + 4 * fn + fp);
        unsigned at = k; /* kept in order */
        for (; at > 0 && values[at - 1] > f2; at--)
            values[at] = values[at - 1];
        values[at] = f2;
    }
    out[0] = values[25];
    out[1] = values[974];
}

TEST(the_interval_of_f2_holds_that_of_other_runs)
{
    static const double ways[][2] = {{0.8, 0.02}, {0.95, 0.002}, {0.98, 0}, {0.5, 0.1}, {1, 0}};
    struct judged j, other;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        double tp = 0.06 * ways[w][0], fn = 0.06 - tp, fp = 0.94 * ways[w][1], between[2];
        double truth = 5 * tp / (5 * tp + 4 * fn + fp);
        unsigned held = 0, held_truth = 0;
        for (uint64_t seed = 1; seed <= 200; seed++) {
            judge_at_random(&j, seed, ways[w][0], ways[w][1]);
            with_interval(&j);
            judge_at_random(&other, seed + 1000, ways[w][0], ways[w][1]);
            held += j.figures.f2_low <= other.figures.f2 && other.figures.f2 <= j.figures.f2_high;
            held_truth += j.figures.f2_low <= truth && truth <= j.figures.f2_high;
            CHECK(j.figures.f2_low <= j.figures.f2 && j.figures.f2 <= j.figures.f2_high);
        }
        CHECK(held >= 182); /* 91 %, where 95 % are promised and 200 are asked */
        CHECK(held_truth >= held - 5);
        if (ways[w][0] < 0.98) {
            resampled(&j, between);
            CHECK_NEAR(j.figures.f2_low, between[0], 0.03);
            CHECK_NEAR(j.figures.f2_high, between[1], 0.03);
        }
    }
    CHECK(j.figures.f2_high == 1 && j.figures.f2_low < 0.99 && j.figures.f2_low > 0.9);
}

TEST(copies_of_a_run_do_not_make_the_interval_narrower)
{
    struct judged j;
    judge_at_random(&j, 7, 0.8, 0.02);
    with_interval(&j);
    tac_predict_figures once = j.figures;
    for (uint32_t r = 0; r < JUDGED; r++) {
        j.pass[r] *= 4;
        j.fail[r] *= 4;
    }
    with_interval(&j);
    CHECK_NEAR(j.figures.f2_low, once.f2_low, 0.02);
    CHECK_NEAR(j.figures.f2_high, once.f2_high, 0.02);
    CHECK(once.f2_high - once.f2_low > 0.1);
}

/* F2 of one grid point, run by run. */
static double point_f2(const struct masks *masks, const unsigned *w, unsigned threshold,
                       double weight)
{
    double tp = 0, fn = 0, fp = 0;
    for (unsigned m = 0; m < 32; m++) {
        unsigned sum = 0;
        for (unsigned f = 0; f < 5; f++)
            sum += m & 1u << f ? w[f] : 0;
        tp += sum > threshold ? (double)masks->fail[m] : 0;
        fn += sum > threshold ? 0 : (double)masks->fail[m];
        fp += sum > threshold ? (double)masks->pass[m] : 0;
    }
    return tp > 0 ? 5 * tp / (5 * tp + 4 * fn + weight * fp) : 0;
}

/* Five nested loops over everything: the best of the grid, and how many points it has. */
static double best_of_all(const struct masks *masks, double weight, unsigned *points)
{
    double best = -1;
    *points = 0;
    for (unsigned a = 0; a <= 10; a++)
        for (unsigned b = 0; b <= 10; b++)
            for (unsigned c = 0; c <= 10; c++)
                for (unsigned d = 0; d <= 10; d++)
                    for (unsigned e = 0; e <= 10; e++) {
                        unsigned w[] = {a, b, c, d, e};
                        if (a + b + c + d + e != 10)
                            continue;
                        for (unsigned threshold = 0; threshold < 10; threshold++) {
                            double f2 = point_f2(masks, w, threshold, weight);
                            best = f2 > best ? f2 : best;
                            (*points)++;
                        }
                    }
    return best;
}

TEST(the_grid_is_searched_whole)
{
    tac_random random;
    tac_random_seed(&random, 5);
    for (size_t round = 0; round < test_scale(30); round++) {
        struct masks masks = {0};
        uint64_t fail = 0, pass = 0;
        for (unsigned m = 0; m < 32; m++) {
            fail += masks.fail[m] = tac_random_below(&random, round % 3 ? 20 : 3);
            pass += masks.pass[m] = tac_random_below(&random, 60);
        }
        struct grid_choice choice = search_grid(&masks);
        unsigned points, sum = 0;
        double weight = passing_weight(fail, pass);
        for (unsigned f = 0; f < 5; f++)
            sum += choice.weights[f];
        CHECK_EQ(sum, 10);
        CHECK_NEAR(point_f2(&masks, choice.weights, choice.threshold, weight),
                   best_of_all(&masks, weight, &points), 1e-12);
        CHECK_EQ(points, 10010);
    }
}

static tac_runs *runs_from(const char *text)
{
    tac_runs *runs;
    tac_error err;
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    REQUIRE(tac_runs_read(runs, test_write("p.runs", text), NULL, &err) == TAC_OK);
    return runs;
}

#define MODEL_HEAD                                                                                 \
    "{\"format\":\"tactus predictor 1\",\"states\":\"^s\",\"min_rest\":2,\"clusters\":[{"          \
    "\"name\":\"c\",\"weights\":{\"g1\":2,\"g2\":2,\"g3\":2,\"g4\":2,\"g5\":2},"                   \
    "\"threshold\":1,\"patterns\":[{"

static const char *label_with(const char *pattern, const char *run)
{
    static char label[64];
    tac_predictor *predictor;
    tac_prediction *prediction;
    tac_error err = {0};
    char text[1024];
    snprintf(text, sizeof text, MODEL_HEAD "%s}]}]}", pattern);
    REQUIRE(tac_predictor_load(test_write("m.json", text), &predictor, &err) == TAC_OK);
    tac_runs *runs = runs_from(run);
    REQUIRE(tac_predict(predictor, runs, NULL, &prediction, &err) == TAC_OK);
    const char *got = tac_prediction_label(prediction, 0);
    snprintf(label, sizeof label, "%s", got ? got : "pass");
    tac_prediction_free(prediction);
    tac_runs_free(runs);
    tac_predictor_free(predictor);
    return label;
}

TEST(no_pattern_fires_vacuously)
{
    const char *g2 = "\"template\":\"g2\",\"blocks\":[[\"s1\",\"e1\"]],\"tail\":\"s2\","
                     "\"tail_kind\":\"state\"";
    CHECK_STR(label_with(g2, "? s1 e1 s2\n"), "c");
    CHECK_STR(label_with(g2, "? s1 e1 s3\n"), "pass");
    CHECK_STR(label_with(g2, "? s3 e3 s3\n"), "pass"); /* the blocks do not occur */
    CHECK_STR(label_with(g2, "? s1 e1\n"), "pass");    /* nothing follows */
    const char *g5 = "\"template\":\"g5\",\"blocks\":[[\"s1\",\"e1\"]],\"tail\":\"e9\","
                     "\"tail_kind\":\"input\"";
    CHECK_STR(label_with(g5, "? s1 e1 s2 e2\n"), "c"); /* e9 is in no run: it never comes */
    CHECK_STR(label_with(g5, "? s1 e1 s2\n"), "pass"); /* a rest of one event says nothing */
    CHECK_STR(label_with(g5, "? s1 e1 s2 e9\n"), "pass");
    CHECK_STR(label_with(g5, "? s2 e2 s2 e2\n"), "pass");
    const char *g4 = "\"template\":\"g4\",\"blocks\":[[\"s1\",\"e1\"]],\"tail\":\"e9\","
                     "\"tail_kind\":\"input\"";
    CHECK_STR(label_with(g4, "? s1 e1\n"), "c");
    CHECK_STR(label_with(g4, "? s0 e9 s1 e1\n"), "pass");
    CHECK_STR(label_with(g4, "? s0 e0\n"), "pass");
    const char *g3 = "\"template\":\"g3\",\"blocks\":[[\"s1\",\"e1\"],[\"s2\",\"e2\"]],"
                     "\"tail\":\"s3\",\"tail_kind\":\"state\"";
    CHECK_STR(label_with(g3, "? s1 e1 s0 e0 s2 e2 s3\n"), "c");
    CHECK_STR(label_with(g3, "? s1 e1 s0 e0 s3\n"), "pass");
}

TEST(a_model_file_keeps_the_predictor)
{
    tac_runs *runs;
    tac_error err = {0};
    tac_predictor *learned, *read;
    tac_prediction *a, *b;
    tac_mine_options options = tac_mine_defaults();
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    REQUIRE(tac_runs_read(runs, test_source("examples/mining/player.runs"), NULL, &err) == TAC_OK);
    REQUIRE(tac_predictor_train(runs, &options, NULL, &learned, &err) == TAC_OK);
    json_t *document = tac_predictor_json(learned);
    const char *path = test_temporary("kept.json");
    REQUIRE(json_dump_file(document, path, 0) == 0);
    json_decref(document);
    REQUIRE(tac_predictor_load(path, &read, &err) == TAC_OK);
    REQUIRE(tac_predict(learned, runs, NULL, &a, &err) == TAC_OK);
    REQUIRE(tac_predict(read, runs, NULL, &b, &err) == TAC_OK);
    for (size_t i = 0; i < tac_runs_count(runs); i++) {
        const char *x = tac_prediction_label(a, i), *y = tac_prediction_label(b, i);
        CHECK_STR(x ? x : "0", y ? y : "0");
        CHECK_STR(x ? x : "0", tac_runs_cluster_name(runs, tac_runs_label(runs, i)));
    }
    json_t *first = tac_prediction_json(a), *second = tac_prediction_json(b);
    CHECK(json_equal(first, second));
    json_decref(first);
    json_decref(second);
    tac_prediction_free(a);
    tac_prediction_free(b);
    tac_predictor_free(learned);
    tac_predictor_free(read);
    tac_runs_free(runs);
}

TEST(wrong_models_are_refused)
{
    static const char *const bad[] = {
        "{}",
        "[]",
        "{\"format\":\"tactus predictor 2\"}",
        "{\"format\":\"tactus predictor 1\",\"states\":\"^s\",\"min_rest\":-1}",
        "{\"format\":\"tactus predictor 1\",\"states\":\"^s\",\"min_rest\":1,\"clusters\":[{}]}",
        MODEL_HEAD "\"template\":\"g9\"}]}]}",
        MODEL_HEAD "\"template\":\"g1\",\"blocks\":[]}]}]}",
        MODEL_HEAD "\"template\":\"has\",\"blocks\":[],\"tail\":\"s\","
                   "\"tail_kind\":\"state\"}]}]}", /* has no weight */
        MODEL_HEAD "\"template\":\"g1\",\"blocks\":[[\"s\"]]}]}]}",
        MODEL_HEAD "\"template\":\"g1\",\"blocks\":[[\"s\",\"e\"]],\"tail\":\"x\"}]}]}",
        "{\"format\":\"tactus predictor 1\",\"states\":\"^s\",\"min_rest\":1,\"clusters\":[{"
        "\"name\":\"c\",\"weights\":{\"g1\":2,\"g2\":2,\"g3\":2,\"g4\":2,\"g5\":3},"
        "\"threshold\":1,\"patterns\":[]}]}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tac_predictor *predictor;
        tac_error err = {0};
        CHECK_EQ(tac_predictor_load(test_write("bad.json", bad[i]), &predictor, &err), TAC_E_INPUT);
        CHECK_CONTAINS(err.message, "expected");
    }
}
