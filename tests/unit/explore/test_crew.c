/* Several devices explore one app together: they find what one finds, whatever their number, and
 * one that dies leaves the rest to the others. And novelty: within few events it finds more.
 */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "settled_graph.h"
#include "shipped_apps.h"

enum { MOST = 4 };

static char app_uri[4200];

static tac_exploration *explored(size_t devices, tac_explore_options options, const char *faults)
{
    tac_device *device[MOST] = {NULL};
    tac_exploration *found = NULL;
    REQUIRE(devices <= MOST);
    for (size_t i = 0; i < devices; i++) {
        tac_device_options own = {.faults = i == devices - 1 ? faults : NULL};
        REQUIRE(!tac_device_open(app_uri, &own, &device[i], &explore_error));
    }
    options.more = device + 1;
    options.more_count = devices - 1;
    if (tac_explore(device[0], &options, NULL, &found, &explore_error))
        test_fail(__FILE__, __LINE__, "%s", explore_error.message);
    for (size_t i = 0; i < devices; i++)
        tac_device_free(device[i]);
    return found;
}

/* The edges of the settled graph, sorted: what the model says, whatever its parts are called. */
static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *edges_of(const tac_exploration *found)
{
    graph g;
    graph_of(tac_exploration_model(found), &g);
    char **lines = tac_calloc(g.edges.count + 1, sizeof *lines);
    for (size_t i = 0; i < g.edges.count; i++)
        lines[i] = tac_format("%s %s %s\n", g.nodes.text[g.edges.at[i].from],
                              g.events.text[g.edges.at[i].event], g.nodes.text[g.edges.at[i].to]);
    qsort(lines, g.edges.count, sizeof *lines, by_text);
    tac_str all = {0};
    for (size_t i = 0; i < g.edges.count; i++) {
        tac_str_add(&all, lines[i]);
        free(lines[i]);
    }
    free(lines);
    graph_free(&g);
    return tac_str_take(&all);
}

static void use_app(const char *name)
{
    char file[128];
    snprintf(file, sizeof file, "examples/apps/%s.json", name);
    snprintf(app_uri, sizeof app_uri, "sim:%s", test_source(file));
}

TEST(a_crew_finds_what_one_finds)
{
    static const char *const apps[] = {"player", "calculator", "door"};
    for (size_t a = 0; a < 3; a++) {
        use_app(apps[a]);
        tac_exploration *alone = explored(1, (tac_explore_options){0}, NULL);
        char *wanted = edges_of(alone);
        for (size_t devices = 2; devices <= MOST; devices++)
            for (int novel = 0; novel < 2; novel++) {
                tac_explore_options options = {.strategy = novel ? TAC_EXPLORE_NOVELTY
                                                                 : TAC_EXPLORE_NEAREST};
                tac_exploration *together = explored(devices, options, NULL);
                char *found = edges_of(together);
                CHECK_STR(found, wanted);
                CHECK_EQ(figure(together, "unreached_events"), 0);
                free(found);
                tac_exploration_free(together);
            }
        free(wanted);
        tac_exploration_free(alone);
    }
}

TEST(one_of_a_crew_that_dies_leaves_the_rest_to_the_others)
{
    use_app("player");
    tac_exploration *alone = explored(1, (tac_explore_options){0}, "die@60");
    CHECK(tac_exploration_failure(alone) != NULL);
    CHECK(figure(alone, "states") > 1 && figure(alone, "states") < 13);
    tac_exploration_free(alone);
    static const char *const when[] = {"die@1", "die@4", "die@9", "die@20", "die@60"};
    for (size_t i = 0; i < 5; i++) { /* the other finds the rest, and it is said */
        tac_exploration *found = explored(2, (tac_explore_options){0}, when[i]);
        CHECK_EQ(figure(found, "states"), 13);
        CHECK_EQ(figure(found, "transitions"), 41);
        if (tac_exploration_failure(found))
            CHECK_CONTAINS(tac_exploration_failure(found)->message, "gone");
        tac_exploration_free(found);
    }
}

TEST(a_crew_keeps_to_the_limit_on_events)
{
    use_app("calculator");
    for (size_t devices = 1; devices <= MOST; devices++) {
        tac_exploration *found = explored(devices, (tac_explore_options){.most_events = 30}, NULL);
        int64_t events = figure(found, "events_performed");
        CHECK(events >= 30 && events <= 31 + (int64_t)devices);
        tac_exploration_free(found);
    }
}

/* Twelve rooms in a row. Every room has the same eight lamps, which do nothing, and a door to the
 * next: what did nothing in one room is not tried in the next before the door is. */
static const char *rooms(void)
{
    enum { ROOMS = 12, LAMPS = 8 };
    tac_str app = {0};
    tac_str_add(&app, "{\"tactus-app\": 1, \"package\": \"t\", \"activities\": {\"A\": {\"first\": "
                      "\"r0\", \"screens\": {");
    for (int room = 0; room < ROOMS; room++) {
        tac_str_addf(&app, "%s\"r%d\": {\"widgets\": [", room ? ", " : "", room);
        for (int lamp = 0; lamp < LAMPS; lamp++)
            tac_str_addf(&app, "{\"class\": \"Button\", \"id\": \"lamp%c\", \"click\": []}, ",
                         'a' + lamp);
        tac_str_addf(&app,
                     "{\"class\": \"Button\", \"id\": \"door_%c\", \"click\": [{\"go\": "
                     "\"r%d\"}]}]}",
                     'a' + room, (room + 1) % ROOMS);
    }
    tac_str_add(&app, "}}}}");
    const char *path = test_write("rooms.json", tac_str_text(&app));
    tac_str_free(&app);
    return path;
}

TEST(novelty_finds_more_within_few_events)
{
    snprintf(app_uri, sizeof app_uri, "sim:%s", rooms());
    tac_explore_options few = {.most_events = 40, .gestures = 1u << TAC_ACTION_CLICK};
    tac_exploration *nearest = explored(1, few, NULL);
    few.strategy = TAC_EXPLORE_NOVELTY;
    tac_exploration *novel = explored(1, few, NULL);
    CHECK(figure(nearest, "states") <= 6);
    CHECK_EQ(figure(novel, "states"), 12);
    tac_exploration_free(nearest);
    tac_exploration_free(novel);
    few.most_events = 0; /* without a limit it tries everything too */
    novel = explored(1, few, NULL);
    CHECK_EQ(figure(novel, "transitions"), 12 * 9);
    CHECK_EQ(figure(novel, "unreached_events"), 0);
    tac_exploration_free(novel);
}
