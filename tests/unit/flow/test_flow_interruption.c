/* Every public function that works under a watch stops when it says so, says that it was stopped,
 * and leaves nothing half done for the caller to trip over. The same watch then lets it finish. */
#include "flow/flow.h"
#include "flow_helpers.h"

#define MODEL "examples/uamp/uamp.model.xml"

/* Says stop at the tick number `after` (from 0) and at every later one. */
struct stopping_watch {
    tac_watch watch;
    uint64_t ticks, after;
};

static bool stop_after(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    struct stopping_watch *stopping = (struct stopping_watch *)self;
    (void)done;
    (void)total;
    CHECK(what && *what);
    return stopping->ticks++ < stopping->after;
}

struct trial {
    struct stopping_watch stopping;
    tac_model *model;
    tac_flow_engine *engine;
    FILE *sink;
};

static void begin(struct trial *trial, uint64_t after, uint32_t length, bool distinct)
{
    trial->stopping = (struct stopping_watch){.watch = {stop_after}, .after = after};
    trial->model = load_model(test_source(MODEL));
    tac_flow_options options = {
        .length = length, .distinct = distinct, .watch = &trial->stopping.watch};
    trial->engine = new_engine(trial->model, &options);
    trial->sink = fopen("/dev/null", "w");
}

static void end(struct trial *trial)
{
    fclose(trial->sink);
    tac_flow_engine_free(trial->engine);
    tac_model_free(trial->model);
}

static bool look_at(void *context, const tac_flow_path *path)
{
    (void)context;
    return path->length < UINT32_MAX;
}

typedef tac_status work(struct trial *trial, tac_error *err);

static tac_status count(struct trial *trial, tac_error *err)
{
    tac_flow_counts counts;
    tac_flow_counts_init(&counts);
    tac_status status = tac_flow_count(trial->engine, &counts, err);
    tac_flow_counts_clear(&counts);
    return status;
}

static tac_status list(struct trial *trial, tac_error *err)
{
    return tac_flow_list(trial->engine, 0, look_at, NULL, NULL, err);
}

static tac_status list_text(struct trial *trial, tac_error *err)
{
    return tac_flow_list_text(trial->engine, 0, trial->sink, NULL, err);
}

static tac_status list_jsonl(struct trial *trial, tac_error *err)
{
    return tac_flow_list_jsonl(trial->engine, 0, trial->sink, NULL, err);
}

static tac_status sample_with(struct trial *trial, bool weighted, tac_error *err)
{
    tac_flow_sampling sampling = {.count = 100000, .seed = 1, .weighted = weighted};
    return tac_flow_sample(trial->engine, &sampling, look_at, NULL, err);
}

static tac_status sample(struct trial *trial, tac_error *err)
{
    return sample_with(trial, false, err);
}

static tac_status walk(struct trial *trial, tac_error *err)
{
    return sample_with(trial, true, err);
}

static tac_status sample_until(struct trial *trial, tac_error *err)
{
    tac_flow_sampling sampling = {.count = 1000, .seed = 1};
    tac_cover_options goal = {.goal = TAC_COVER_TRANSITIONS, .tuple = 1};
    tac_sample_coverage coverage = {0};
    tac_status status =
        tac_flow_sample_covering(trial->engine, &sampling, &goal, look_at, NULL, &coverage, err);
    tac_sample_coverage_free(&coverage);
    return status;
}

static tac_status cover_goal(struct trial *trial, tac_cover_goal goal, tac_error *err)
{
    tac_cover_options options = {.goal = goal, .tuple = goal == TAC_COVER_TUPLES ? 2 : 1};
    tac_cover_suite suite;
    tac_status status = tac_flow_cover(trial->engine, &options, &suite, err);
    if (status == TAC_OK)
        tac_cover_suite_free(&suite);
    else
        CHECK(!suite.flows && !suite.storage);
    return status;
}

static tac_status cover(struct trial *trial, tac_error *err)
{
    return cover_goal(trial, TAC_COVER_TRANSITIONS, err);
}

static tac_status cover_edges(struct trial *trial, tac_error *err)
{
    return cover_goal(trial, TAC_COVER_EDGES, err);
}

static tac_status cover_pairs(struct trial *trial, tac_error *err)
{
    return cover_goal(trial, TAC_COVER_TUPLES, err);
}

static const struct {
    const char *name;
    work *run;
    bool fold; /* also with equal events folded */
} works[] = {
    {"count", count, true},
    {"list", list, true},
    {"list_text", list_text, true},
    {"list_jsonl", list_jsonl, true},
    {"sample", sample, true},
    {"walk", walk, true},
    {"sample_until", sample_until, false},
    {"cover", cover, false},
    {"cover_edges", cover_edges, false},
    {"cover_pairs", cover_pairs, false},
};
enum { WORKS = sizeof works / sizeof *works };

TEST(a_watch_that_stops_at_once_stops_everything)
{
    for (size_t i = 0; i < WORKS; i++)
        for (int distinct = 0; distinct <= works[i].fold; distinct++)
            for (uint32_t length = 0; length <= 9; length += 9) {
                struct trial trial;
                tac_error err = {0};
                begin(&trial, 0, length, distinct);
                if (works[i].run(&trial, &err) != TAC_E_INTERRUPTED)
                    test_fail(__FILE__, __LINE__, "%s did not stop at length %u", works[i].name,
                              length);
                CHECK(strlen(err.message) > 0);
                end(&trial);
            }
}

/* The least length whose work ticks often enough to be stopped at twelve places, or the longest. */
static uint32_t enough_work(work *run, uint64_t *ticks)
{
    for (uint32_t length = 5;; length++) {
        struct trial trial;
        begin(&trial, UINT64_MAX, length, false);
        CHECK_EQ(run(&trial, NULL), TAC_OK);
        *ticks = trial.stopping.ticks;
        end(&trial);
        if (*ticks > 12 || length == 9)
            return length;
    }
}

/* Every tick of a few; of many the first ones, then ever fewer, and the last. */
static uint64_t next_stop(uint64_t after, uint64_t ticks)
{
    if (ticks <= 12 || after < 4)
        return after + 1;
    return 2 * after < ticks - 1 || after == ticks - 1 ? 2 * after : ticks - 1;
}

/* However far the work got, a stop is a stop: the N-th tick of every function, for several N. */
TEST(a_stop_at_any_tick_is_seen)
{
    for (size_t i = 0; i < WORKS; i++) {
        struct trial trial;
        uint64_t ticks;
        uint32_t length = enough_work(works[i].run, &ticks);
        if (ticks < 8)
            test_fail(__FILE__, __LINE__, "%s ticks only %llu times", works[i].name,
                      (unsigned long long)ticks);
        for (uint64_t after = 1; after < ticks; after = next_stop(after, ticks)) {
            begin(&trial, after, length, false);
            if (works[i].run(&trial, NULL) != TAC_E_INTERRUPTED)
                test_fail(__FILE__, __LINE__, "%s went on after tick %llu of %llu", works[i].name,
                          (unsigned long long)after, (unsigned long long)ticks);
            end(&trial);
        }
    }
}

struct stopped_list {
    char *text;
    size_t size;
    uint64_t flows;
};

static struct stopped_list list_until(uint64_t after, uint64_t *ticks)
{
    struct trial trial;
    struct stopped_list list = {0};
    begin(&trial, after, 7, false);
    FILE *memory = open_memstream(&list.text, &list.size);
    tac_status status = tac_flow_list_text(trial.engine, 0, memory, &list.flows, NULL);
    REQUIRE(!fclose(memory));
    CHECK_EQ(status, after < UINT64_MAX ? TAC_E_INTERRUPTED : TAC_OK);
    *ticks = trial.stopping.ticks;
    end(&trial);
    return list;
}

/* What was listed before a stop is the beginning of the whole list, in whole lines that the count
 * tells; a later stop has more of it. */
TEST(a_stopped_list_is_the_beginning_of_the_whole)
{
    uint64_t ticks, asked, before = 0;
    struct stopped_list whole = list_until(UINT64_MAX, &ticks);
    CHECK(ticks >= 8);
    for (uint64_t after = 1; after < ticks; after++) {
        struct stopped_list part = list_until(after, &asked);
        uint64_t lines = 0;
        for (size_t i = 0; i < part.size; i++)
            lines += part.text[i] == '\n';
        CHECK_EQ(asked, after + 1);
        CHECK_EQ(lines, part.flows);
        CHECK(part.flows > before && part.flows < whole.flows);
        CHECK(part.size < whole.size && !memcmp(part.text, whole.text, part.size));
        before = part.flows;
        free(part.text);
    }
    free(whole.text);
}

/* The engine is as good as new after a stop. */
TEST(an_engine_answers_after_it_was_stopped)
{
    for (size_t i = 0; i < WORKS; i++) {
        struct trial trial;
        begin(&trial, 1, 9, false);
        works[i].run(&trial, NULL);
        trial.stopping.after = UINT64_MAX;
        CHECK_EQ(works[i].run(&trial, NULL), TAC_OK);
        uint64_t flows = 0;
        tac_flow_counts counts;
        tac_flow_counts_init(&counts);
        CHECK_EQ(tac_flow_list(trial.engine, 0, look_at, NULL, &flows, NULL), TAC_OK);
        CHECK_EQ(tac_flow_count(trial.engine, &counts, NULL), TAC_OK);
        CHECK_EQ(flows, mpz_get_ui(counts.flows));
        tac_flow_counts_clear(&counts);
        end(&trial);
    }
}
