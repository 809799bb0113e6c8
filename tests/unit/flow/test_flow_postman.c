/* Tours: what the postman calls optimal is compared with a search over (place, what is covered), on
 * small random graphs; every suite is walked again by hand. */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "flow_helpers.h"
#include "model/model.h"

enum { MOST_STATES = 5, MOST_TRANSITIONS = 8, MOST_ITEMS = 15 };

/* A machine of states 0..states-1, state 0 first; to == states is the final node. */
struct small {
    uint32_t states, count;
    uint32_t from[MOST_TRANSITIONS], to[MOST_TRANSITIONS];
};

static struct small random_small(tac_random *random)
{
    struct small g = {.states = 1 + (uint32_t)tac_random_below(random, MOST_STATES)};
    g.count = 1 + (uint32_t)tac_random_below(random, MOST_TRANSITIONS);
    bool ends = tac_random_below(random, 2);
    for (uint32_t t = 0; t < g.count; t++) {
        g.from[t] = (uint32_t)tac_random_below(random, g.states);
        g.to[t] = (uint32_t)tac_random_below(random, g.states + ends);
    }
    return g;
}

static tac_model *model_of(const struct small *g)
{
    tac_model_builder *builder = tac_model_builder_new("small", "");
    uint32_t device = tac_build_device(builder, "d", NULL, 0);
    uint32_t application = tac_build_application(builder, device, "a", NULL, NULL, true, 0);
    uint32_t activity = tac_build_activity(builder, application, "v", true, 0);
    uint32_t machine = tac_build_machine(builder, activity, "m", true, 0);
    char from[16], to[16], event[16];
    for (uint32_t s = 0; s <= g->states; s++) {
        snprintf(from, sizeof from, "s%u", s);
        tac_build_node(builder, machine, s == g->states ? TAC_NODE_FINAL : TAC_NODE_STATE, from, 0);
    }
    tac_build_initial(builder, machine, "s0", 0);
    for (uint32_t t = 0; t < g->count; t++) {
        snprintf(from, sizeof from, "s%u", g->from[t]);
        snprintf(to, sizeof to, "s%u", g->to[t]);
        snprintf(event, sizeof event, "t%u", t);
        tac_build_transition(builder, machine, from, event, to, 0, -1, 1, NULL, NULL, 0);
    }
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_error err = {0};
    if (tac_model_builder_finish(builder, &findings, &model, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s", err.message);
    tac_diagnostics_free(&findings);
    return model;
}

/* What there is to cover: single transitions, or pairs of them, within reach. */
struct goals {
    uint32_t tuple, count;
    uint32_t item[MOST_TRANSITIONS + 1][MOST_TRANSITIONS]; /* by last transition + 1, next one */
};

static bool find_goals(const struct small *g, uint32_t tuple, struct goals *out)
{
    bool seen[MOST_STATES + 1] = {true}, more = true;
    *out = (struct goals){.tuple = tuple};
    while (more) {
        more = false;
        for (uint32_t t = 0; t < g->count; t++)
            if (seen[g->from[t]] && !seen[g->to[t]])
                more = seen[g->to[t]] = true;
    }
    memset(out->item, 0xff, sizeof out->item);
    for (uint32_t t = 0; t < g->count; t++) {
        if (!seen[g->from[t]])
            continue;
        for (uint32_t last = 0; tuple == 2 && last < g->count; last++)
            if (seen[g->from[last]] && g->to[last] == g->from[t])
                out->item[last + 1][t] = out->count++;
        if (tuple == 1) {
            for (uint32_t last = 0; last <= g->count; last++)
                out->item[last][t] = out->count;
            out->count++;
        }
    }
    return out->count <= MOST_ITEMS;
}

/* The least cost by buckets of equal cost over (last transition + 1 or 0, covered). */
static uint64_t least_cost(const struct small *g, const struct goals *goals, uint32_t restart)
{
    uint32_t masks = 1u << goals->count, places = g->count + 1, far = UINT32_MAX;
    uint32_t *best = tac_alloc((size_t)masks * places * sizeof *best);
    memset(best, 0xff, (size_t)masks * places * sizeof *best);
    best[0] = 0;
    uint64_t answer = far;
    for (uint32_t cost = 0, idle = 0; answer == far && idle <= restart + 1; cost++) {
        idle++;
        for (uint32_t mask = 0; mask < masks; mask++)
            for (uint32_t last = 0; last < places; last++) {
                if (best[mask * places + last] != cost)
                    continue;
                idle = 0;
                if (mask == masks - 1)
                    answer = cost;
                if (best[mask * places] > cost + restart)
                    best[mask * places] = cost + restart;
                uint32_t at = last ? g->to[last - 1] : 0;
                for (uint32_t t = 0; t < g->count; t++) {
                    if (g->from[t] != at)
                        continue;
                    uint32_t item = goals->item[last][t];
                    uint32_t next = item == UINT32_MAX ? mask : mask | 1u << item;
                    if (best[next * places + t + 1] > cost + 1)
                        best[next * places + t + 1] = cost + 1;
                }
            }
    }
    free(best);
    return answer;
}

/* Walks the suite by the graph alone: what it covers and costs. */
static void check_by_hand(const struct small *g, const struct goals *goals,
                          const tac_cover_suite *suite, uint32_t restart)
{
    uint32_t covered = 0;
    uint64_t cost = suite->flow_count ? (suite->flow_count - 1) * (uint64_t)restart : 0;
    for (size_t f = 0; f < suite->flow_count; f++) {
        uint32_t at = 0, last = 0;
        for (uint32_t i = 0; i < suite->flows[f].path.length; i++) {
            const char *event = tac_flow_path_event(suite->engine, &suite->flows[f].path, i);
            uint32_t t = (uint32_t)strtoul(event + 1, NULL, 10);
            CHECK_EQ(g->from[t], at);
            if (goals->item[last][t] != UINT32_MAX)
                covered |= 1u << goals->item[last][t];
            at = g->to[t];
            last = t + 1;
            cost++;
        }
    }
    CHECK_EQ(covered, (1u << goals->count) - 1);
    CHECK_EQ(suite->cost, cost);
}

static void compare(const struct small *g, uint32_t tuple, uint32_t restart)
{
    struct goals goals;
    if (!find_goals(g, tuple, &goals))
        return;
    tac_model *model = model_of(g);
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = TAC_FLOW_UNBOUNDED});
    tac_cover_options options = {.goal = tuple == 1 ? TAC_COVER_EDGES : TAC_COVER_TUPLES,
                                 .tuple = tuple,
                                 .restart_cost = restart};
    tac_cover_suite suite;
    REQUIRE(tac_flow_cover(engine, &options, &suite, NULL) == TAC_OK);
    CHECK_EQ(suite.total, goals.count);
    CHECK_EQ(suite.covered, goals.count);
    check_by_hand(g, &goals, &suite, restart);
    if (goals.count) {
        uint64_t least = least_cost(g, &goals, restart);
        CHECK(suite.lower_bound <= least);
        CHECK(suite.cost >= least);
        if (tuple == 1)
            CHECK(suite.optimal);
        if (suite.optimal)
            CHECK_EQ(suite.cost, least);
    }
    tac_cover_suite_free(&suite);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

TEST(the_postman_is_optimal_on_random_graphs)
{
    for (uint64_t seed = 1; seed <= test_scale(600) && !test_failed; seed++) {
        tac_random random;
        tac_random_seed(&random, seed);
        struct small g = random_small(&random);
        compare(&g, 1, 1 + (uint32_t)(seed % 12));
    }
}

TEST(pairs_are_toured_on_random_graphs)
{
    for (uint64_t seed = 1; seed <= test_scale(250) && !test_failed; seed++) {
        tac_random random;
        tac_random_seed(&random, seed ^ 0x9999);
        struct small g = random_small(&random);
        compare(&g, 2, 1 + (uint32_t)(seed % 12));
    }
}

/* Every bound: what a suite of that length has is what all flows of that length have. */
TEST(flows_keep_the_bound_and_end_where_they_add_nothing)
{
    for (uint64_t seed = 1; seed <= test_scale(150) && !test_failed; seed++) {
        tac_random random;
        tac_random_seed(&random, seed ^ 0x777);
        struct small g = random_small(&random);
        tac_model *model = model_of(&g);
        uint32_t length = (uint32_t)tac_random_below(&random, 7);
        tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = length});
        tac_cover_options options = {.goal = TAC_COVER_TRANSITIONS};
        tac_cover_suite suite;
        REQUIRE(tac_flow_cover(engine, &options, &suite, NULL) == TAC_OK);
        CHECK_EQ(suite.covered, suite.total);
        size_t gains = 0;
        for (size_t f = 0; f < suite.flow_count; f++) {
            CHECK(suite.flows[f].path.length <= length);
            gains += suite.flows[f].gain;
        }
        CHECK_EQ(gains, suite.total);
        tac_cover_suite_free(&suite);
        tac_flow_engine_free(engine);
        tac_model_free(model);
    }
}

TEST(an_endless_graph_needs_a_bound)
{
    tac_model_builder *builder = tac_model_builder_new("endless", "");
    uint32_t device = tac_build_device(builder, "d", NULL, 0);
    uint32_t application = tac_build_application(builder, device, "a", NULL, NULL, true, 0);
    uint32_t activity = tac_build_activity(builder, application, "v", true, 0);
    uint32_t machine = tac_build_machine(builder, activity, "m", true, 0);
    tac_build_node(builder, machine, TAC_NODE_STATE, "s", 0);
    uint32_t call = tac_build_node(builder, machine, TAC_NODE_CONNECTION, "again", 0);
    tac_build_call(builder, call, "m", "s", false, true);
    tac_build_initial(builder, machine, "s", 0);
    tac_build_transition(builder, machine, "s", "deeper", "again", 0, -1, 1, NULL, NULL, 0);
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    REQUIRE(tac_model_builder_finish(builder, &findings, &model, NULL) == TAC_OK);
    tac_diagnostics_free(&findings);
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = TAC_FLOW_UNBOUNDED});
    tac_cover_options options = {.goal = TAC_COVER_EDGES};
    tac_cover_suite suite;
    tac_error err;
    CHECK_EQ(tac_flow_cover(engine, &options, &suite, &err), TAC_E_LIMIT);
    CHECK_CONTAINS(err.message, "bound their length");
    CHECK_EQ(tac_flow_list_text(engine, 0, stdout, NULL, &err), TAC_E_USAGE);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}
