/* Causes beyond chance: probabilities against counting, sets whose verdicts were dealt by chance,
 * planted causes of many shapes, every failing run attributed. */
#include "base/data/random.h"
#include "mining/runs/runs.h"
#include "mining/search/chance.h"
#include "tactus_test.h"
#include <math.h>

/* The tail by adding up all its terms as products. */
static double counted_tail(unsigned a, unsigned x, unsigned n, unsigned all)
{
    double sum = 0;
    for (unsigned k = a; k <= x && k <= n; k++) {
        double term = 1;
        if (n - k > all - x)
            continue;
        /* C(x,k) C(all-x,n-k) / C(all,n) */
        for (unsigned i = 0; i < k; i++)
            term *= (double)(x - i) / (i + 1);
        for (unsigned i = 0; i < n - k; i++)
            term *= (double)(all - x - i) / (i + 1);
        for (unsigned i = 0; i < n; i++)
            term *= (i + 1.0) / (all - i);
        sum += term;
    }
    return sum;
}

TEST(the_tail_equals_its_sum)
{
    for (unsigned all = 2; all <= 24; all += 2)
        for (unsigned n = 1; n < all; n += 3)
            for (unsigned x = 1; x < all; x += 2)
                for (unsigned a = x + n > all ? x + n - all : 0; a <= x && a <= n; a++)
                    CHECK_NEAR(exp(log_hypergeometric_tail(a, x, n, all)),
                               counted_tail(a, x, n, all), 1e-9);
}

TEST(the_interval_of_a_lift)
{
    struct lift even = lift_of(10, 100, 10, 100);
    CHECK_NEAR(even.ratio, 1, 1e-12);
    CHECK(even.low < 1 && even.high > 1);
    struct lift strong = lift_of(50, 50, 0, 500);
    CHECK(strong.low > 10 && isfinite(strong.high) && strong.high > strong.ratio);
    CHECK(lift_of(500, 1000, 100, 1000).low > lift_of(5, 10, 1, 10).low);
}

/* --- Random walks ----------------------------------------------------------------------------- */

enum { STATES = 10, INPUTS = 14 };

struct walk {
    tac_random random;
    unsigned next[STATES][INPUTS];
    double weight[INPUTS];
    unsigned states[400], inputs[400], length;
};

static void walk_new(struct walk *w, uint64_t seed)
{
    tac_random_seed(&w->random, seed);
    for (unsigned s = 0; s < STATES; s++)
        for (unsigned e = 0; e < INPUTS; e++)
            w->next[s][e] = (unsigned)tac_random_below(&w->random, STATES);
    for (unsigned e = 0; e < INPUTS; e++)
        w->weight[e] = 1;
}

static unsigned press(struct walk *w)
{
    double total = 0;
    for (unsigned e = 0; e < INPUTS; e++)
        total += w->weight[e];
    double at = tac_random_unit(&w->random) * total;
    unsigned e = 0;
    while (e + 1 < INPUTS && (at -= w->weight[e]) >= 0)
        e++;
    return e;
}

typedef bool crashes_now(const struct walk *w);

static bool is(const struct walk *w, unsigned back, unsigned s, unsigned e)
{
    return w->length > back && w->states[w->length - 1 - back] == s &&
           w->inputs[w->length - 1 - back] == e;
}

static bool was(const struct walk *w, unsigned s, unsigned e)
{
    for (unsigned i = 0; i + 1 < w->length; i++)
        if (w->states[i] == s && w->inputs[i] == e)
            return true;
    return false;
}

static bool contiguous(const struct walk *w)
{
    return is(w, 1, 1, 0) && is(w, 0, 4, 1);
}

static bool with_gap(const struct walk *w)
{
    return is(w, 0, 4, 1) && was(w, 1, 0);
}

static bool uninitialised(const struct walk *w)
{
    for (unsigned i = 0; i < w->length; i++)
        if (w->inputs[i] == 5)
            return false;
    return is(w, 0, 1, 0);
}

static bool ending(const struct walk *w)
{
    return is(w, 0, 1, 0);
}

static bool repeated(const struct walk *w)
{
    return is(w, 0, 1, 0) && is(w, 1, 1, 0) && is(w, 2, 1, 0);
}

static bool two_bugs(const struct walk *w)
{
    return contiguous(w) || (is(w, 0, 8, 3) && was(w, 7, 2));
}

/* A run ends in the input that crashes it. crash NULL: the verdict is dealt by chance. */
static void add_run(struct walk *w, tac_runs *runs, crashes_now *crash, unsigned length,
                    const char *verdict)
{
    char token[16];
    unsigned state = 0;
    bool failed = false;
    w->length = 0;
    runs_begin_at(runs, "run", 0);
    tac_runs_state(runs, "s0");
    while (w->length < length && !failed) {
        unsigned e = press(w);
        w->states[w->length] = state;
        w->inputs[w->length++] = e;
        snprintf(token, sizeof token, "e%u", e);
        tac_runs_input(runs, token);
        failed = crash && crash(w);
        state = w->next[state][e];
        snprintf(token, sizeof token, "s%u", state);
        if (!failed)
            tac_runs_state(runs, token);
    }
    tac_runs_end(runs, crash ? (failed ? "1" : "0") : verdict);
}

static tac_mine_result *mined(const tac_runs *runs)
{
    tac_mine_options options = tac_mine_defaults();
    tac_mine_result *result;
    tac_error err;
    REQUIRE(tac_mine(runs, &options, NULL, &result, &err) == TAC_OK);
    return result;
}

TEST(verdicts_dealt_by_chance_have_no_causes)
{
    size_t sets = test_scale(40), listed = 0;
    for (uint64_t seed = 1; seed <= sets; seed++) {
        struct walk w;
        tac_runs *runs;
        tac_error err;
        walk_new(&w, seed);
        REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
        unsigned failing = 3 + (unsigned)(seed % 4) * 5, most = 10 + (unsigned)(seed % 3) * 30;
        for (unsigned i = 0; i < 80; i++)
            add_run(&w, runs, NULL, most / 2 + (unsigned)tac_random_below(&w.random, most / 2),
                    i < failing ? "1" : "0");
        tac_mine_result *result = mined(runs);
        listed += result->clusters[0].pattern_count > 0;
        CHECK_EQ(result->clusters[0].unexplained == failing,
                 result->clusters[0].pattern_count == 0);
        tac_mine_result_free(result);
        tac_runs_free(runs);
    }
    printf("  %zu of %zu sets list a cause\n", listed, sets);
    CHECK(listed <= (sets + 9) / 10); /* 5 % expected at most */
}

static bool names(const tac_runs *runs, const tac_mined_pattern *p, const char *wanted)
{
    tac_str text = {0};
    tac_str_add(&text, p->form == TAC_G4 ? "before " : p->form == TAC_G1E ? "gaps" : "");
    if (p->form == TAC_G4)
        tac_str_add(&text, tac_token_text(runs, p->tail));
    for (uint32_t i = 0; i < p->block_count; i++) {
        uint32_t state, input;
        tac_runs_block(runs, p->blocks[i], &state, &input);
        tac_str_addf(&text, " %s %s", tac_token_text(runs, state), tac_token_text(runs, input));
    }
    bool same = strcmp(tac_str_text(&text), wanted) == 0;
    if (!same)
        printf("  found \"%s\", not \"%s\"\n", tac_str_text(&text), wanted);
    tac_str_free(&text);
    return same;
}

static void find_shape(uint64_t seed, crashes_now *crash, const char *first, const char *second)
{
    struct walk w;
    tac_runs *runs;
    tac_error err;
    walk_new(&w, seed);
    w.next[1][0] = crash == repeated ? 1 : 4;
    w.weight[0] = crash == ending ? 0.3 : crash == repeated ? 3 : 1.5;
    w.weight[1] = 1.5;
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    for (unsigned i = 0; i < 400; i++)
        add_run(&w, runs, crash, 50, NULL);
    tac_mine_result *result = mined(runs);
    const tac_cluster_result *cluster = &result->clusters[0];
    if (result->failing < 8) { /* this app hardly ever crashes: nothing is asked */
        tac_mine_result_free(result);
        tac_runs_free(runs);
        return;
    }
    REQUIRE(cluster->pattern_count >= (second ? 2 : 1));
    bool swapped = second && !names(runs, &cluster->patterns[0], first);
    CHECK(names(runs, &cluster->patterns[swapped], first));
    CHECK(!second || names(runs, &cluster->patterns[!swapped], second));
    CHECK(cluster->patterns[0].p < 0.001 && cluster->patterns[0].cause);
    CHECK(cluster->unexplained * 10 <= cluster->runs);
    uint32_t attributed = 0;
    for (size_t i = 0; i < cluster->pattern_count; i++)
        attributed += cluster->patterns[i].attributed;
    CHECK_EQ(attributed + cluster->unexplained, cluster->runs);
    tac_mine_result_free(result);
    tac_runs_free(runs);
}

TEST(planted_causes_are_named_in_full_and_first)
{
    for (uint64_t seed = 1; seed <= test_scale(8) / 2; seed++) {
        find_shape(seed, contiguous, " s1 e0 s4 e1", NULL);
        find_shape(seed, with_gap, "gaps s1 e0 s4 e1", NULL);
        find_shape(seed, uninitialised, "before e5 s1 e0", NULL);
        find_shape(seed, ending, " s1 e0", NULL);
        find_shape(seed, repeated, " s1 e0 s1 e0 s1 e0", NULL);
    }
    find_shape(2, two_bugs, " s1 e0 s4 e1", "gaps s7 e2 s8 e3");
}

/* Nothing but "before any x" tells these runs, and two x do it alike. */
TEST(equally_supported_causes_are_counted)
{
    tac_runs *runs;
    tac_error err;
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    for (unsigned i = 0; i < 60; i++) {
        bool fails = i % 3 == 0;
        static const char *const filler[] = {"scroll", "back", "rotate", "tap"};
        runs_begin_at(runs, "run", 0);
        for (unsigned k = 0; k < 6; k++) {
            bool setup = !fails && k < 2;
            tac_runs_state(runs, "s1");
            tac_runs_input(runs, setup    ? (k ? "load" : "logIn")
                                 : k == 5 ? "go"
                                          : filler[(i * 7 + k * (i / 4 + 1)) % 4]);
        }
        tac_runs_end(runs, fails ? "1" : "0");
    }
    tac_mine_result *result = mined(runs);
    REQUIRE(result->clusters[0].pattern_count == 1);
    CHECK(result->clusters[0].patterns[0].equally_supported > 0);
    tac_mine_result_free(result);
    tac_runs_free(runs);
}

/* --- Prediction ------------------------------------------------------------------------------- */

TEST(noise_is_not_learned_and_says_so)
{
    struct walk w;
    tac_runs *runs;
    tac_error err;
    tac_predictor *predictor;
    tac_predict_figures own, baselines[TAC_BASELINES];
    tac_mine_options options = tac_mine_defaults();
    walk_new(&w, 5);
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    for (unsigned i = 0; i < 200; i++)
        add_run(&w, runs, NULL, 20, i % 5 ? "0" : "1");
    REQUIRE(tac_predictor_train(runs, &options, NULL, &predictor, &err) == TAC_OK);
    REQUIRE(tac_predictor_figures(predictor, &own, baselines));
    CHECK(isnan(own.mcc) || own.mcc < 0.2);
    CHECK_NEAR(baselines[0].accuracy, 0.8, 1e-9);
    CHECK_NEAR(baselines[1].recall, 1, 1e-9);
    tac_predictor_free(predictor);
    tac_runs_free(runs);
}

TEST(signal_is_learned_and_beats_the_baselines)
{
    struct walk w;
    tac_runs *runs;
    tac_error err;
    tac_predictor *predictor;
    tac_predict_figures own, baselines[TAC_BASELINES];
    tac_mine_options options = tac_mine_defaults();
    walk_new(&w, 2);
    w.weight[0] = w.weight[1] = 2;
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    for (unsigned i = 0; i < 300; i++)
        add_run(&w, runs, with_gap, 50, NULL);
    REQUIRE(tac_predictor_train(runs, &options, NULL, &predictor, &err) == TAC_OK);
    REQUIRE(tac_predictor_figures(predictor, &own, baselines));
    printf("  MCC %.2f, tree %.2f, 1-3-grams %.2f\n", own.mcc, baselines[2].mcc, baselines[3].mcc);
    CHECK(own.mcc > 0.9);
    CHECK(!(own.mcc < baselines[2].mcc) && !(own.mcc < baselines[3].mcc));
    tac_predictor_free(predictor);
    tac_runs_free(runs);
}
