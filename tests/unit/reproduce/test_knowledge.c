/* What executions say: the trie against a list of all executions that is gone through every time,
 * and the journal read back. */
#include "base/data/random.h"
#include "reproduce/known/journal.h"
#include "tactus_test.h"
#include <sys/stat.h>

enum { ALPHABET = 4, LONGEST = 6, TRIALS = 400 };

struct plain_trial {
    uint32_t at[LONGEST];
    size_t count, done;
    enum run_end end;
    int failure; /* 0, or the crash's number */
    bool violated, replay;
};

static const char *const failures[] = {"", "crash one", "crash two"};

static struct plain_trial draw(tac_random *random)
{
    struct plain_trial trial = {.count = tac_random_below(random, LONGEST + 1)};
    for (size_t i = 0; i < trial.count; i++)
        trial.at[i] = (uint32_t)tac_random_below(random, ALPHABET);
    trial.end = tac_random_below(random, 3) == 0   ? RUN_CRASH
                : tac_random_below(random, 4) == 0 ? RUN_FAIL
                                                   : RUN_PASS;
    trial.done = trial.count;
    if (trial.end == RUN_CRASH)
        trial.done = tac_random_below(random, trial.count + 1);
    if (trial.end == RUN_FAIL && !trial.count)
        trial.end = RUN_PASS;
    if (trial.end == RUN_FAIL)
        trial.done = tac_random_below(random, trial.count);
    trial.failure = trial.end == RUN_CRASH ? 1 + (int)tac_random_below(random, 2) : 0;
    trial.violated = tac_random_below(random, 5) == 0;
    trial.replay = tac_random_below(random, 6) == 0;
    return trial;
}

static struct trial as_trial(struct plain_trial *plain, uint64_t seed)
{
    static const char *const names[] = {"cheap"};
    return (struct trial){.script = {.at = plain->at, .count = plain->count},
                          .scenario = "",
                          .cause = "a cause",
                          .end = plain->end,
                          .done = plain->done,
                          .failure = plain->end == RUN_FAIL ? "step x" : failures[plain->failure],
                          .detail = "what was said",
                          .violated = names,
                          .violated_count = plain->violated,
                          .replay = plain->replay,
                          .seed = seed};
}

static bool begins_with(const struct plain_trial *trial, const struct script *script)
{
    return trial->count >= script->count &&
           (!script->count || !memcmp(trial->at, script->at, script->count * sizeof *script->at));
}

/* By definition: every execution that begins so is a try; it shows a crash when the app had crashed
 * by the end of the beginning. */
static struct known by_hand(const struct plain_trial *trials, size_t count,
                            const struct script *script, int failure)
{
    struct known known = {0};
    for (size_t i = 0; i < count; i++) {
        const struct plain_trial *trial = &trials[i];
        bool own = trial->count == script->count;
        if (!begins_with(trial, script))
            continue;
        known.tried++;
        known.failed += trial->failure == failure && (script->count >= trial->done || own);
        known.own += own;
        known.own_failed += own && trial->failure == failure;
        known.passed += own && trial->end == RUN_PASS;
        known.replays += own && trial->replay;
        known.replays_failed += own && trial->replay && trial->failure == failure;
    }
    return known;
}

static void fill_steps(struct knowledge *known)
{
    static const char *const events[] = {"a", "b", "c", "d"};
    for (uint32_t i = 0; i < ALPHABET; i++) {
        tac_flow_step step = {.event = events[i], .device = "", .time = -1};
        CHECK_EQ(steps_number(&known->steps, &step), i);
    }
}

static void compare(struct knowledge *known, const struct plain_trial *trials, tac_random *random)
{
    for (int i = 0; i < 500; i++) {
        struct plain_trial asked = draw(random);
        struct script script = {.at = asked.at, .count = asked.count};
        for (int failure = 1; failure <= 2; failure++) {
            struct known got =
                knowledge_of(known, &script, "", knowledge_failure(known, failures[failure]));
            struct known wanted = by_hand(trials, TRIALS, &script, failure);
            CHECK_EQ(got.tried, wanted.tried);
            CHECK_EQ(got.failed, wanted.failed);
            CHECK_EQ(got.own, wanted.own);
            CHECK_EQ(got.own_failed, wanted.own_failed);
            CHECK_EQ(got.passed, wanted.passed);
            CHECK_EQ(got.replays, wanted.replays);
            CHECK_EQ(got.replays_failed, wanted.replays_failed);
        }
    }
}

TEST(the_trie_counts_what_a_list_counts)
{
    struct plain_trial trials[TRIALS];
    struct knowledge known = {0};
    tac_random random;
    tac_random_seed(&random, 20);
    fill_steps(&known);
    for (size_t i = 0; i < TRIALS; i++) {
        trials[i] = draw(&random);
        struct trial trial = as_trial(&trials[i], i);
        knowledge_add(&known, &trial);
    }
    compare(&known, trials, &random);
    CHECK_EQ(known.total, TRIALS);
    knowledge_free(&known);
}

/* By definition: the fewest events after which an execution for a cause before this one had failed
 * so, or of which it consisted; SIZE_MAX for none. */
static size_t shortest_by_hand(const struct plain_trial *trials, size_t count, int failure,
                               bool at_the_end)
{
    size_t shortest = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t length = at_the_end ? trials[i].count : trials[i].done;
        if (trials[i].failure == failure && length < shortest)
            shortest = length;
    }
    return shortest;
}

TEST(the_shortest_failing_sequence_of_earlier_searches)
{
    static const char *const causes[] = {"first", "second", "third", "never searched for"};
    enum { PER_CAUSE = 5, ROUNDS = 60, COMPARED = ROUNDS * 4 * 2 * 2 };
    unsigned found = 0;
    tac_random random;
    tac_random_seed(&random, 22);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct plain_trial trials[3 * PER_CAUSE];
        struct knowledge known = {0};
        fill_steps(&known);
        for (size_t i = 0; i < 3 * PER_CAUSE; i++) {
            trials[i] = draw(&random);
            struct trial trial = as_trial(&trials[i], i);
            trial.cause = causes[i / PER_CAUSE];
            knowledge_add(&known, &trial);
        }
        for (size_t i = 0; i < COMPARED / ROUNDS; i++) {
            size_t cause = i / 4;
            int failure = 1 + (int)(i / 2 % 2);
            bool at_the_end = i % 2;
            uint32_t id = knowledge_failure(&known, failures[failure]);
            size_t wanted = shortest_by_hand(trials, cause * PER_CAUSE, failure, at_the_end);
            struct script script;
            bool got = knowledge_shortest(&known, "", id, at_the_end, causes[cause], &script);
            CHECK_EQ(got, wanted != SIZE_MAX);
            if (got) {
                struct known there = knowledge_of(&known, &script, "", id);
                CHECK_EQ(script.count, wanted);
                CHECK((at_the_end ? there.own_failed : there.failed) > 0);
                found++;
            }
            tac_vec_free(&script);
            CHECK(!knowledge_shortest(&known, "another network", id, at_the_end, causes[cause],
                                      &script));
        }
        knowledge_free(&known);
    }
    CHECK(found > COMPARED / 4);
}

TEST(a_step_that_cannot_be_done_blocks_what_begins_with_it)
{
    struct knowledge known = {0};
    fill_steps(&known);
    uint32_t failed[] = {0, 1, 2}, longer[] = {0, 1, 3}, other[] = {0, 2, 1};
    struct trial trial = {.script = {.at = failed, .count = 3},
                          .scenario = "",
                          .cause = "c",
                          .end = RUN_FAIL,
                          .done = 1,
                          .failure = "step b",
                          .detail = ""};
    knowledge_add(&known, &trial);
    struct script same = {.at = longer, .count = 3}, different = {.at = other, .count = 3};
    CHECK_EQ(knowledge_of(&known, &same, "", 0).blocked, 1);
    CHECK_EQ(knowledge_of(&known, &trial.script, "", 0).blocked, 1);
    CHECK_EQ(knowledge_of(&known, &different, "", 0).blocked, 0);
    CHECK_EQ(knowledge_of(&known, &same, "other", 0).tried, 0);
    knowledge_free(&known);
}

TEST(a_journal_is_read_back_and_continued)
{
    struct plain_trial trials[TRIALS];
    struct knowledge known = {0}, again = {0};
    struct journal journal;
    tac_error err;
    tac_random random;
    json_t *plan = json_pack("{s:s}", "app", "one"), *other = json_pack("{s:s}", "app", "two");
    const char *folder = test_temporary("journal");
    mkdir(folder, 0777);
    tac_random_seed(&random, 21);
    REQUIRE(journal_open(&journal, folder, plan, &known, &err) == TAC_OK);
    fill_steps(&known);
    for (size_t i = 0; i < TRIALS; i++) {
        trials[i] = draw(&random);
        struct trial trial = as_trial(&trials[i], i);
        CHECK_EQ(journal_add(&journal, &known, &trial, "here", &err), TAC_OK);
    }
    journal_close(&journal);
    CHECK_EQ(journal_open(&journal, folder, other, &again, &err), TAC_E_INPUT);
    CHECK(strstr(err.message, "app was \"one\" and is \"two\""));
    knowledge_free(&again);
    again = (struct knowledge){0};
    REQUIRE(journal_open(&journal, folder, plan, &again, &err) == TAC_OK);
    CHECK_EQ(again.total, TRIALS);
    CHECK_EQ(again.steps.at.count, ALPHABET);
    compare(&again, trials, &random);
    journal_close(&journal);
    knowledge_free(&again);
    knowledge_free(&known);
    json_decref(plan);
    json_decref(other);
}
