/* Reductions on an app that is only a rule over sequences: whatever is found fails, and no event
 * can be left out of it; and the number of tries where chance decides. */
#include "base/data/random.h"
#include "reproduce/reduce/reduce.h"
#include "tactus_test.h"

enum { EVENTS = 8, LONGEST = 60 };

/* Rooms in a ring, 0 .. 3: events 0 and 1 go on and back, 2 .. 7 stay. It fails when the wanted
 * events have come in this order, each in its room. */
struct toy {
    struct knowledge known;
    uint32_t wanted[4], rooms[4];
    size_t count;
    bool contiguous;
    tac_random random;
    uint32_t chance; /* percent */
    uint64_t executions;
    uint32_t failure;
};

/* The index after the event that fails, or 0. */
static size_t fails_at(const struct toy *toy, const struct script *script)
{
    uint32_t room = 0;
    size_t met = 0;
    for (size_t i = 0; i < script->count; i++) {
        uint32_t event = script->at[i];
        bool hit = event == toy->wanted[met] && room == toy->rooms[met];
        if (hit)
            met++;
        else if (toy->contiguous)
            met = event == toy->wanted[0] && room == toy->rooms[0];
        if (met == toy->count)
            return i + 1;
        room = event == 0 ? (room + 1) % 4 : event == 1 ? (room + 3) % 4 : room;
    }
    return 0;
}

static tac_status execute_toy(void *context, const struct script *script, bool replay, size_t count,
                              tac_error *err)
{
    struct toy *toy = context;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        size_t at = fails_at(toy, script);
        bool failed = at && tac_random_below(&toy->random, 100) < toy->chance;
        struct trial trial = {.script = *script,
                              .scenario = "",
                              .cause = "toy",
                              .replay = replay,
                              .end = failed ? RUN_CRASH : RUN_PASS,
                              .done = failed ? at : script->count,
                              .failure = failed ? "crash toy" : "",
                              .detail = "",
                              .seed = toy->executions++};
        knowledge_add(&toy->known, &trial);
    }
    return TAC_OK;
}

static void toy_start(struct toy *toy, uint64_t seed)
{
    static const char *const events[] = {"on", "back", "c", "d", "e", "f", "g", "h"};
    *toy = (struct toy){.chance = 100};
    tac_random_seed(&toy->random, seed);
    for (size_t i = 0; i < EVENTS; i++) {
        tac_flow_step step = {.event = events[i], .device = "", .time = -1};
        steps_number(&toy->known.steps, &step);
    }
    toy->count = 1 + tac_random_below(&toy->random, 4);
    toy->contiguous = tac_random_below(&toy->random, 2);
    uint32_t room = (uint32_t)tac_random_below(&toy->random, 4);
    for (size_t i = 0; i < toy->count; i++) {
        toy->wanted[i] = 2 + (uint32_t)tac_random_below(&toy->random, EVENTS - 2);
        toy->rooms[i] = toy->contiguous ? room : (uint32_t)tac_random_below(&toy->random, 4);
    }
    toy->failure = knowledge_failure(&toy->known, "crash toy");
}

static struct places toy_places(void)
{
    static const char *const names[] = {"0", "1", "2", "3"};
    struct places places = {0};
    for (uint32_t room = 0; room < 4; room++)
        tac_names_intern(&places.names, names[room]);
    for (uint32_t room = 0; room < 4; room++)
        for (uint32_t event = 0; event < EVENTS; event++)
            places_add(&places, room, event,
                       event == 0   ? (room + 1) % 4
                       : event == 1 ? (room + 3) % 4
                                    : room);
    places_finish(&places);
    return places;
}

/* A random run that fails at its last event; empty when none was found. */
static struct script toy_run(struct toy *toy)
{
    struct script script = {0};
    for (int attempt = 0; attempt < 400; attempt++) {
        script.count = 0;
        for (int i = 0; i < LONGEST; i++)
            tac_vec_push(&script, (uint32_t)tac_random_below(&toy->random, EVENTS));
        size_t end = fails_at(toy, &script);
        script.count = end;
        if (end)
            return script;
    }
    script.count = 0;
    return script;
}

static bool is_minimal(const struct toy *toy, const struct script *script)
{
    bool minimal = fails_at(toy, script) > 0;
    for (size_t i = 0; i < script->count; i++) {
        struct script shorter = script_without(script, i, 1);
        minimal = minimal && !fails_at(toy, &shorter);
        tac_vec_free(&shorter);
    }
    return minimal;
}

static struct judge toy_judge(struct toy *toy, bool plain)
{
    return (struct judge){.known = &toy->known,
                          .execute = execute_toy,
                          .context = toy,
                          .scenario = "",
                          .failure = toy->failure,
                          .plain = plain,
                          .needed = 2,
                          .tries = 3};
}

static tac_status steered(struct toy *toy, const struct script *run, struct script *found,
                          bool *minimal, tac_error *err)
{
    struct places places = toy_places();
    struct judge judge = toy_judge(toy, false);
    struct trail trail = places_follow(&places, &toy->known.steps, run);
    tac_status status = reduce_by_jumps(&judge, &places, &trail, err);
    if (status == TAC_OK)
        status = reduce_cycles(&judge, &places, &trail, err);
    if (status == TAC_OK)
        status = reduce_events(&judge, &places, &trail, minimal, err);
    *found = script_copy(&trail.script);
    trail_free(&trail);
    places_free(&places);
    return status;
}

TEST(what_is_found_fails_and_is_minimal)
{
    uint64_t ours = 0, theirs = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        struct toy toy, peer;
        tac_error err;
        bool minimal = false;
        toy_start(&toy, seed);
        toy_start(&peer, seed);
        struct script run = toy_run(&toy), plain, found = {0};
        if (run.count) {
            CHECK_EQ(steered(&toy, &run, &found, &minimal, &err), TAC_OK);
            CHECK(minimal);
            CHECK(is_minimal(&toy, &found));
            plain = script_copy(&run);
            struct judge judge = toy_judge(&peer, true);
            CHECK_EQ(reduce_plainly(&judge, &plain, &err), TAC_OK);
            CHECK(is_minimal(&peer, &plain));
            ours += toy.executions;
            theirs += peer.executions;
            tac_vec_free(&plain);
            tac_vec_free(&found);
        }
        tac_vec_free(&run);
        knowledge_free(&toy.known);
        knowledge_free(&peer.known);
    }
    CHECK(ours * 3 < theirs); /* counted, so it is the same on every machine */
}

/* --- against exhaustive search --- */

/* One event of the rule. */
static void toy_step(const struct toy *toy, uint32_t event, uint32_t *room, size_t *met)
{
    if (event == toy->wanted[*met] && *room == toy->rooms[*met])
        ++*met;
    else if (toy->contiguous)
        *met = event == toy->wanted[0] && *room == toy->rooms[0];
    *room = event == 0 ? (*room + 1) % 4 : event == 1 ? (*room + 3) % 4 : *room;
}

/* The fewest events that fail at all: breadth first over rooms and what was met. */
static size_t shortest_of_all(const struct toy *toy)
{
    bool seen[4][4] = {{true}}, next[4][4];
    for (size_t length = 1; length <= 64; length++) {
        memset(next, 0, sizeof next);
        for (uint32_t r = 0; r < 4; r++)
            for (size_t m = 0; m < 4; m++)
                for (uint32_t event = 0; seen[r][m] && event < EVENTS; event++) {
                    uint32_t room = r;
                    size_t met = m;
                    toy_step(toy, event, &room, &met);
                    if (met == toy->count)
                        return length;
                    next[room][met] = true;
                }
        memcpy(seen, next, sizeof seen);
    }
    return 0;
}

/* The fewest events of the run that still fail, in their order: every subset. */
static size_t shortest_within(const struct toy *toy, const struct script *run)
{
    size_t best = run->count;
    uint32_t kept[16];
    for (uint32_t subset = 0; subset < 1u << run->count; subset++) {
        struct script some = {.at = kept};
        for (size_t i = 0; i < run->count; i++)
            if (subset >> i & 1)
                kept[some.count++] = run->at[i];
        if (some.count < best && fails_at(toy, &some) > 0)
            best = some.count;
    }
    return best;
}

/* With a model that knows every way nothing shorter exists. */
TEST(with_a_model_what_is_found_is_the_shortest_of_all)
{
    size_t asked = 0, shortest = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct toy toy;
        tac_error err;
        bool minimal = false;
        toy_start(&toy, seed);
        struct script run = toy_run(&toy), found = {0};
        if (run.count) {
            size_t best = shortest_of_all(&toy);
            CHECK_EQ(steered(&toy, &run, &found, &minimal, &err), TAC_OK);
            CHECK(best > 0 && found.count >= best);
            asked++;
            shortest += found.count == best;
            tac_vec_free(&found);
        }
        tac_vec_free(&run);
        knowledge_free(&toy.known);
    }
    printf("  %zu of %zu are the shortest of all\n", shortest, asked);
    CHECK(asked > 100);
    CHECK_EQ(shortest, asked);
}

/* Without a model: 1-minimal, and seldom longer than the best subset of the run. */
TEST(without_a_model_against_every_subset_of_the_run)
{
    size_t asked = 0, shortest = 0, longer = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct toy toy;
        tac_error err;
        bool minimal = false;
        toy_start(&toy, seed);
        struct script run = toy_run(&toy);
        if (run.count && run.count <= 14) {
            struct places nowhere = {0};
            tac_names_intern(&nowhere.names, "somewhere");
            places_finish(&nowhere);
            struct judge judge = toy_judge(&toy, false);
            struct trail trail = places_follow(&nowhere, &toy.known.steps, &run);
            CHECK_EQ(reduce_events(&judge, &nowhere, &trail, &minimal, &err), TAC_OK);
            size_t best = shortest_within(&toy, &run);
            CHECK(minimal && is_minimal(&toy, &trail.script) && trail.script.count >= best);
            asked++;
            shortest += trail.script.count == best;
            longer += trail.script.count - best;
            trail_free(&trail);
            places_free(&nowhere);
        }
        tac_vec_free(&run);
        knowledge_free(&toy.known);
    }
    printf("  %zu of %zu are the shortest part of the run, %zu events too many in all\n", shortest,
           asked, longer);
    CHECK(asked > 50);
}

TEST(ways_are_the_shortest_of_all_ways)
{
    enum { PLACES = 9 };
    for (uint64_t seed = 1; seed <= 100; seed++) {
        static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
        struct places places = {0};
        tac_random random;
        size_t far[PLACES][PLACES];
        tac_random_seed(&random, seed);
        for (size_t i = 0; i < PLACES; i++) {
            tac_names_intern(&places.names, names[i]);
            for (size_t k = 0; k < PLACES; k++)
                far[i][k] = i == k ? 0 : 99;
        }
        for (size_t i = 0; i < 6 + seed % 20; i++) {
            uint32_t from = (uint32_t)tac_random_below(&random, PLACES);
            uint32_t to = (uint32_t)tac_random_below(&random, PLACES);
            places_add(&places, from, (uint32_t)i, to);
            far[from][to] = from == to ? 0 : 1;
        }
        places_finish(&places);
        for (size_t k = 0; k < PLACES; k++)
            for (size_t i = 0; i < PLACES; i++)
                for (size_t j = 0; j < PLACES; j++)
                    if (far[i][k] + far[k][j] < far[i][j])
                        far[i][j] = far[i][k] + far[k][j];
        for (uint32_t i = 0; i < PLACES; i++)
            for (uint32_t j = 0; j < PLACES; j++) {
                struct script way = {0};
                uint32_t at = i;
                CHECK_EQ(places_path(&places, i, j, &way), far[i][j] < 99);
                CHECK_EQ(way.count, far[i][j] < 99 ? far[i][j] : 0);
                for (size_t k = 0; k < way.count; k++)
                    at = places_next(&places, at, way.at[k]);
                CHECK(far[i][j] == 99 || at == j);
                tac_vec_free(&way);
            }
        places_free(&places);
    }
}

/* Whoever waits for a message that nobody sends any more fails too, but not in the same way. */
TEST(a_reception_keeps_its_sending)
{
    struct toy toy;
    tac_error err;
    bool fails = true;
    toy_start(&toy, 3);
    tac_flow_step send = {.event = "send", .device = "a", .sends = "mail", .time = -1};
    tac_flow_step receive = {.event = "mail", .device = "b", .receives = "mail", .time = -1};
    uint32_t sent = steps_number(&toy.known.steps, &send);
    uint32_t received = steps_number(&toy.known.steps, &receive);
    uint32_t both[] = {sent, received}, twice[] = {sent, received, received},
             late[] = {received, sent};
    CHECK(script_sends_first(&toy.known.steps, &(struct script){.at = both, .count = 2}));
    CHECK(script_sends_first(&toy.known.steps, &(struct script){.at = both, .count = 0}));
    CHECK(!script_sends_first(&toy.known.steps, &(struct script){.at = twice, .count = 3}));
    CHECK(!script_sends_first(&toy.known.steps, &(struct script){.at = late, .count = 2}));
    struct judge judge = toy_judge(&toy, false);
    judge.sends_first = true;
    struct script alone = {.at = &received, .count = 1};
    CHECK_EQ(judge_fails(&judge, &alone, &fails, &err), TAC_OK);
    CHECK(!fails);
    CHECK_EQ(toy.executions, 0);
    knowledge_free(&toy.known);
}

TEST(chance_is_noticed_and_does_not_lead_astray)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct toy toy;
        tac_error err;
        bool minimal = false;
        toy_start(&toy, seed);
        struct script run = toy_run(&toy), found = {0};
        toy.chance = 30;
        if (run.count) {
            CHECK_EQ(steered(&toy, &run, &found, &minimal, &err), TAC_OK);
            toy.chance = 100;
            CHECK(fails_at(&toy, &found) > 0); /* it never takes what cannot fail */
            CHECK(found.count <= run.count);
            tac_vec_free(&found);
        }
        tac_vec_free(&run);
        knowledge_free(&toy.known);
    }
}

TEST(tries_for_a_chance)
{
    CHECK_EQ(judge_tries_for(1, 0.96), 1);
    CHECK_EQ(judge_tries_for(1, 0.5), 5);  /* 1/32 */
    CHECK_EQ(judge_tries_for(2, 0.5), 8);  /* 9/256 */
    CHECK_EQ(judge_tries_for(2, 0.3), 14); /* 0.7^14 + 14 0.3 0.7^13 = 0.0475 */
    CHECK_EQ(judge_tries_for(2, 0.0), 100);
}

TEST(a_limit_on_executions_is_kept)
{
    struct toy toy;
    tac_error err;
    toy_start(&toy, 3);
    struct script run = toy_run(&toy);
    REQUIRE(run.count > 3);
    struct judge judge = toy_judge(&toy, true);
    judge.most = 5;
    CHECK_EQ(reduce_plainly(&judge, &run, &err), TAC_E_LIMIT);
    CHECK(toy.executions <= 5);
    tac_vec_free(&run);
    knowledge_free(&toy.known);
}

/* One try that was blocked decides, but two were asked for: a search that continues after the first
 * makes the second, as it would have done. */
TEST(half_a_batch_is_completed_before_it_is_judged)
{
    struct toy toy;
    tac_error err;
    bool fails = true;
    toy_start(&toy, 3);
    uint32_t steps[] = {0, 1, 0};
    struct script script = {.at = steps, .count = 3};
    struct trial trial = {.script = script,
                          .scenario = "",
                          .cause = "toy",
                          .end = RUN_FAIL,
                          .done = 1,
                          .failure = "step back",
                          .detail = "",
                          .seed = 1000,
                          .left = 1};
    knowledge_add(&toy.known, &trial);
    struct judge judge = toy_judge(&toy, false);
    CHECK(judge_known(&judge, &script).blocked);
    CHECK_EQ(judge_fails(&judge, &script, &fails, &err), TAC_OK);
    CHECK(!fails);
    CHECK_EQ(toy.executions, 1);
    CHECK_EQ(judge_fails(&judge, &script, &fails, &err), TAC_OK);
    CHECK_EQ(toy.executions, 1);
    knowledge_free(&toy.known);
}
