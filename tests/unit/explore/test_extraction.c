/* What the explorer extracts is what the app is: compared with the true models of the shipped apps,
 * which were written by hand. */
#include "settled_graph.h"
#include "shipped_apps.h"

static const tac_strategy strategies[] = {TAC_EXPLORE_DFS, TAC_EXPLORE_BFS, TAC_EXPLORE_NEAREST};

static void compare(const shipped_app *app, tac_strategy strategy)
{
    tac_exploration *found = explore_app(app, strategy, 1, false);
    tac_model *truth = true_model(app);
    REQUIRE(found && truth);
    graph extracted, wanted;
    graph_of(tac_exploration_model(found), &extracted);
    graph_of(truth, &wanted);
    CHECK(graphs_are_isomorphic(&extracted, &wanted));
    CHECK_EQ(extracted.activities.count, wanted.activities.count);
    graph_free(&extracted);
    graph_free(&wanted);
    tac_model_free(truth);
    tac_exploration_free(found);
}

TEST(deterministic_apps_are_extracted_exactly_by_every_strategy)
{
    for (size_t a = 0; a < SHIPPED; a++)
        for (size_t s = 0; s < 3 && !shipped_apps[a].random; s++)
            compare(&shipped_apps[a], strategies[s]);
}

/* A wrong true model must be noticed: the comparison can fail. */
TEST(the_comparison_sees_a_missing_transition)
{
    tac_exploration *found = explore_app(&shipped_apps[0], TAC_EXPLORE_NEAREST, 1, false);
    graph a, b;
    graph_of(tac_exploration_model(found), &a);
    graph_of(tac_exploration_model(found), &b);
    b.edges.count--;
    uint32_t *to = tac_calloc(a.nodes.count + 1, sizeof *to);
    uint64_t *ca = colours_of(&a), *cb = colours_of(&b);
    CHECK(memcmp(ca, cb, a.nodes.count * 8) != 0);
    free(ca);
    free(cb);
    free(to);
    graph_free(&a);
    graph_free(&b);
    tac_exploration_free(found);
}

TEST(no_app_is_smaller_than_its_row_of_table_2)
{
    for (size_t a = 0; a < SHIPPED; a++) {
        tac_model *truth = true_model(&shipped_apps[a]);
        REQUIRE(truth != NULL);
        tac_model_statistics n;
        tac_model_count(truth, &n);
        CHECK(n.activities >= shipped_apps[a].activities);
        CHECK(n.machines >= shipped_apps[a].machines);
        CHECK(n.states >= shipped_apps[a].states);
        CHECK(n.transitions >= shipped_apps[a].transitions);
        tac_model_free(truth);
    }
}

/* Five extractions of a random app with different seeds, merged by the library. */
static tac_model *merged_extractions(const shipped_app *app, tac_strategy strategy)
{
    tac_exploration *found[5];
    const tac_model *models[5];
    for (uint64_t seed = 1; seed <= 5; seed++) {
        found[seed - 1] = explore_app(app, strategy, seed * 17, true);
        REQUIRE(found[seed - 1] != NULL);
        models[seed - 1] = tac_exploration_model(found[seed - 1]);
    }
    tac_model *merged = NULL;
    tac_diagnostics findings = {0};
    tac_merge_options options = {0};
    if (tac_model_merge(models, 5, &options, &findings, NULL, &merged, &explore_error))
        test_fail(__FILE__, __LINE__, "%s: %s", app->name, explore_error.message);
    tac_diagnostics_free(&findings);
    for (size_t i = 0; i < 5; i++)
        tac_exploration_free(found[i]);
    return merged;
}

TEST(five_merged_extractions_of_a_random_app_are_in_its_true_model_and_cover_it)
{
    for (size_t a = 0; a < SHIPPED; a++) {
        for (size_t s = 0; s < 3 && shipped_apps[a].random; s++) {
            tac_model *merged = merged_extractions(&shipped_apps[a], strategies[s]);
            tac_model *truth = true_model(&shipped_apps[a]);
            REQUIRE(merged && truth);
            graph extracted, wanted;
            graph_of(merged, &extracted);
            graph_of(truth, &wanted);
            uint32_t *to = tac_calloc(extracted.nodes.count + 1, sizeof *to);
            match_part(&extracted, &wanted, to);
            CHECK(edges_are_in(&extracted, &wanted, to));
            double covered = (double)extracted.edges.count / (double)wanted.edges.count;
            printf("  %s, strategy %zu: %zu of %zu edges of the true model, %.0f %%\n",
                   shipped_apps[a].name, s, extracted.edges.count, wanted.edges.count,
                   100 * covered);
            CHECK(covered >= 0.9);
            free(to);
            graph_free(&extracted);
            graph_free(&wanted);
            tac_model_free(merged);
            tac_model_free(truth);
        }
    }
}

TEST(nearest_needs_at_most_half_the_launches_of_dfs)
{
    int64_t dfs = 0, nearest = 0;
    for (size_t a = 0; a < SHIPPED; a++) {
        tac_exploration *x = explore_app(&shipped_apps[a], TAC_EXPLORE_DFS, 1, false);
        tac_exploration *y = explore_app(&shipped_apps[a], TAC_EXPLORE_NEAREST, 1, false);
        REQUIRE(x && y);
        dfs += figure(x, "launches");
        nearest += figure(y, "launches");
        tac_exploration_free(x);
        tac_exploration_free(y);
    }
    printf("  launches in sum: dfs %lld, nearest %lld\n", (long long)dfs, (long long)nearest);
    CHECK(nearest * 2 <= dfs);
}

/* Names and numbers do not depend on the order of discovery. */
TEST(every_strategy_writes_the_same_file)
{
    for (size_t a = 0; a < SHIPPED; a++) {
        char *texts[3] = {NULL};
        size_t sizes[3];
        for (size_t s = 0; s < 3 && !shipped_apps[a].random; s++) {
            tac_exploration *x = explore_app(&shipped_apps[a], strategies[s], 1, false);
            REQUIRE(x != NULL);
            FILE *out = open_memstream(&texts[s], &sizes[s]);
            CHECK_EQ(tac_model_write(tac_exploration_model(x), out, &explore_error), TAC_OK);
            fclose(out);
            tac_exploration_free(x);
            if (s > 0)
                CHECK_STR(texts[s], texts[0]);
        }
        for (size_t s = 0; s < 3; s++)
            free(texts[s]);
    }
}
