/* The fast engines against the naive miner: the same patterns with the same figures, on the cluster
 * and on the passing runs, for every template and depth. */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "base/data/str.h"
#include "mining/runs/runs.h"
#include "naive_miner.h"
#include "tactus_test.h"

enum { MOST_RUNS = 16, MOST_EVENTS = 40 };

struct random_set {
    uint16_t events[2 * MOST_RUNS][MOST_EVENTS];
    struct naive_run fail[MOST_RUNS], pass[MOST_RUNS], whole_pass[MOST_RUNS];
    uint32_t fail_count, pass_count;
    unsigned states, inputs;
    tac_runs *runs;
};

/* Strictly alternating events; ends in a state or in an input; may be empty. */
static uint32_t fill(struct random_set *set, tac_random *random, uint16_t *events, const char *name,
                     const char *label)
{
    uint32_t length = (uint32_t)tac_random_below(random, MOST_EVENTS);
    bool sticky = tac_random_below(random, 2);
    runs_begin_at(set->runs, name, 0);
    for (uint32_t i = 0; i < length; i++) {
        char token[16];
        unsigned state = (unsigned)tac_random_below(random, set->states);
        unsigned input = (unsigned)tac_random_below(random, set->inputs);
        if (sticky && i >= 4 &&
            tac_random_below(random, 3)) { /* repeat what was, for occurrences */
            state = events[i - 2 - i % 2];
            input = i % 2 ? events[i - 4] - set->states : input;
        }
        events[i] = (uint16_t)(i % 2 ? set->states + input : state);
        snprintf(token, sizeof token, "%c%u", i % 2 ? 'e' : 's', i % 2 ? input : state);
        if (i % 2)
            tac_runs_input(set->runs, token);
        else
            tac_runs_state(set->runs, token);
    }
    tac_runs_end(set->runs, label);
    return length;
}

static struct random_set *random_set(uint64_t seed)
{
    struct random_set *set = tac_calloc(1, sizeof *set);
    tac_random random;
    tac_random_seed(&random, seed);
    set->states = 1 + (unsigned)tac_random_below(&random, 3);
    set->inputs = 1 + (unsigned)tac_random_below(&random, 3);
    set->fail_count = 1 + (uint32_t)tac_random_below(&random, 8);
    set->pass_count = (uint32_t)tac_random_below(&random, 8);
    tac_error err;
    REQUIRE(tac_runs_new(NULL, &set->runs, &err) == TAC_OK);
    for (uint32_t i = 0; i < set->fail_count; i++)
        set->fail[i] =
            (struct naive_run){set->events[i], fill(set, &random, set->events[i], "f", "1")};
    for (uint32_t i = 0; i < set->pass_count; i++) {
        uint16_t *events = set->events[MOST_RUNS + i];
        uint32_t length = fill(set, &random, events, "p", "0");
        uint32_t cut = set->fail[i % set->fail_count].length;
        set->whole_pass[i] = (struct naive_run){events, length};
        set->pass[i] = (struct naive_run){events, length < cut ? length : cut};
    }
    return set;
}

static void random_set_free(struct random_set *set)
{
    tac_runs_free(set->runs);
    free(set);
}

/* Patterns as lines of text, to compare sets. */
struct lines {
    char **at;
    size_t count, capacity;
};

static void add_line(struct lines *lines, tac_template template, const char *blocks,
                     const char *tail, const tac_figures *f, const tac_figures *p)
{
    if (lines->count == lines->capacity) {
        lines->capacity = 2 * lines->capacity + 64;
        lines->at = tac_realloc(lines->at, lines->capacity, sizeof *lines->at);
    }
    lines->at[lines->count++] =
        tac_format("%s%s -> %s fail %u/%u %u/%u pass %u/%u %u/%u", tac_template_name(template),
                   blocks, tail, f->runs, f->prefix_runs, f->occurrences, f->prefix_occurrences,
                   p->runs, p->prefix_runs, p->occurrences, p->prefix_occurrences);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct naive_sink {
    struct lines lines;
    unsigned states;
};

static void report_naive(void *context, const struct naive_pattern *p)
{
    struct naive_sink *sink = context;
    tac_str blocks = {0};
    char tail[16];
    for (unsigned i = 0; i < p->block_count; i++)
        tac_str_addf(&blocks, " s%u e%u", p->blocks[i][0], p->blocks[i][1] - sink->states);
    bool state = p->tail < sink->states;
    snprintf(tail, sizeof tail, "%c%u", state ? 's' : 'e',
             state ? p->tail : p->tail - sink->states);
    add_line(&sink->lines, p->template, tac_str_text(&blocks), tail, &p->fail, &p->pass);
    tac_str_free(&blocks);
}

static void fast_lines(const tac_runs *runs, const tac_cluster_result *cluster, struct lines *out)
{
    for (size_t i = 0; i < cluster->pattern_count; i++) {
        const tac_mined_pattern *p = &cluster->patterns[i];
        tac_str blocks = {0};
        for (uint32_t k = 0; k < p->block_count; k++) {
            uint32_t state, input;
            tac_runs_block(runs, p->blocks[k], &state, &input);
            tac_str_addf(&blocks, " %s %s", tac_token_text(runs, state),
                         tac_token_text(runs, input));
        }
        add_line(out, p->form, tac_str_text(&blocks), tac_token_text(runs, p->tail), &p->fail,
                 &p->pass);
        tac_str_free(&blocks);
    }
}

static size_t compare_lines(struct lines *fast, struct lines *naive, uint64_t seed, unsigned depth)
{
    size_t compared = fast->count;
    if (fast->count)
        qsort(fast->at, fast->count, sizeof *fast->at, by_text);
    if (naive->count)
        qsort(naive->at, naive->count, sizeof *naive->at, by_text);
    size_t i = 0;
    while (i < fast->count && i < naive->count && strcmp(fast->at[i], naive->at[i]) == 0)
        i++;
    if (i < fast->count || i < naive->count)
        test_fail(__FILE__, __LINE__, "seed %llu depth %u: fast has '%s', naive '%s'",
                  (unsigned long long)seed, depth, i < fast->count ? fast->at[i] : "(nothing)",
                  i < naive->count ? naive->at[i] : "(nothing)");
    for (i = 0; i < fast->count; i++)
        free(fast->at[i]);
    for (i = 0; i < naive->count; i++)
        free(naive->at[i]);
    free(fast->at);
    free(naive->at);
    return compared;
}

static size_t compare(uint64_t seed, tac_template template, unsigned depth)
{
    struct random_set *set = random_set(seed);
    tac_mine_options options = tac_mine_defaults();
    tac_mine_result *result;
    tac_error err;
    options.all = true;
    options.templates = 1u << template;
    options.depth = depth;
    options.support = (double)(10 * (1 + seed % 10)) / 100;
    options.confidence = (double)(5 * (8 + seed % 13)) / 100;
    options.min_occurrences = 1 + seed % 6;
    options.min_rest = seed % 7;
    REQUIRE(tac_mine(set->runs, &options, NULL, &result, &err) == TAC_OK);
    REQUIRE(result->cluster_count == 1);
    struct naive_task task = {.fail = set->fail,
                              .pass = set->pass,
                              .whole_pass = set->whole_pass,
                              .fail_count = set->fail_count,
                              .pass_count = set->pass_count,
                              .states = set->states,
                              .inputs = set->inputs,
                              .depth = depth,
                              .support = options.support,
                              .confidence = options.confidence,
                              .min_occurrences = options.min_occurrences,
                              .min_rest = options.min_rest};
    struct naive_sink naive = {.states = set->states};
    naive_mine(&task, template, report_naive, &naive);
    struct lines fast = {0};
    fast_lines(set->runs, &result->clusters[0], &fast);
    CHECK_EQ(result->clusters[0].counts[template], naive.lines.count);
    size_t compared = compare_lines(&fast, &naive.lines, seed, depth);
    tac_mine_result_free(result);
    random_set_free(set);
    return compared;
}

static void compare_template(tac_template template)
{
    size_t sets = test_scale(200), patterns = 0;
    for (uint64_t seed = 1; seed <= sets; seed++)
        for (unsigned depth = 1; depth <= 4; depth++)
            patterns += compare(seed, template, depth);
    printf("  %s: %zu sets, depth 1 to 4, %zu patterns compared\n", tac_template_name(template),
           sets, patterns);
    CHECK(patterns > sets); /* the comparison is not about nothing */
}

TEST(g1_equals_the_naive_miner)
{
    compare_template(TAC_G1);
}
TEST(g1e_equals_the_naive_miner)
{
    compare_template(TAC_G1E);
}
TEST(g2_equals_the_naive_miner)
{
    compare_template(TAC_G2);
}
TEST(g2e_equals_the_naive_miner)
{
    compare_template(TAC_G2E);
}
TEST(g3_equals_the_naive_miner)
{
    compare_template(TAC_G3);
}
TEST(g4_equals_the_naive_miner)
{
    compare_template(TAC_G4);
}
TEST(g5_equals_the_naive_miner)
{
    compare_template(TAC_G5);
}

/* A threshold is the decimal that was written: 0.55 of 100 runs are 55 runs, not 56. */
TEST(thresholds_have_no_rounding_error)
{
    tac_runs *runs;
    tac_error err;
    tac_mine_result *result;
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    for (int i = 0; i < 100; i++) {
        runs_begin_at(runs, "f", 0);
        tac_runs_state(runs, "s1");
        tac_runs_input(runs, i < 55 ? "e1" : "e2");
        tac_runs_state(runs, "s2");
        tac_runs_end(runs, "1");
    }
    tac_mine_options options = tac_mine_defaults();
    options.all = true;
    options.templates = 1u << TAC_G1;
    const double thresholds[] = {0.55, 0.56, 0.45, 0.46};
    const size_t wanted[] = {1, 0, 2, 1};
    for (size_t i = 0; i < 4; i++) {
        options.support = thresholds[i];
        REQUIRE(tac_mine(runs, &options, NULL, &result, &err) == TAC_OK);
        CHECK_EQ(result->clusters[0].counts[TAC_G1], wanted[i]);
        tac_mine_result_free(result);
    }
    tac_runs_free(runs);
}
