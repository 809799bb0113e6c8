/* Matching that proves wrong while the app is explored: ids that somebody counts up, and screens
 * that are several; and what was learnt survives a checkpoint. */
#include "shipped_apps.h"

#define APP(locals, widgets)                                                                       \
    "{\"tactus-app\": 1, \"name\": \"T\", \"code\": \"t\", \"package\": \"t\", \"activities\": "   \
    "{\"A\": {\"locals\": {" locals "}, \"first\": \"start\", \"screens\": {\"start\": "           \
    "{\"widgets\": [" widgets "]}, \"one\": {\"widgets\": [{\"class\": \"Button\", \"id\": "       \
    "\"from_one\", \"click\": [{\"go\": \"start\"}]}]}, \"two\": {\"widgets\": [{\"class\": "      \
    "\"Button\", \"id\": \"from_two\", \"click\": [{\"go\": \"start\"}]}, {\"text\": "             \
    "\"x\"}]}}}}}"
#define ROW(number)                                                                                \
    "{\"class\": \"Button\", \"id\": \"row_" number "_box\", \"text\": \"Row\", \"if\": \"open "   \
    "and n == " number "\", \"click\": [{\"set\": {\"open\": false}}]}, "

/* Every row that is added has the next number. */
static const char counting[] = APP(
    "\"open\": false, \"n\": 0",
    ROW("1") ROW("2") ROW("3") ROW("4") ROW("5") ROW("6") ROW("7")
        ROW("8") "{\"class\": \"Button\", \"id\": \"add\", \"if\": \"not open\", \"click\": "
                 "[{\"set\": {\"open\": true, \"n\": \"n + 1\"}}]}, {\"class\": \"Button\", "
                 "\"id\": \"close\", \"if\": \"open\", \"click\": [{\"set\": {\"open\": false}}]}");
/* Where "next" leads depends on a mark that the criterion does not compare. */
static const char marked[] = APP(
    "\"agreed\": false",
    "{\"class\": \"CheckBox\", \"id\": \"agree\", \"checkable\": true, \"checked\": \"agreed\", "
    "\"click\": [{\"set\": {\"agreed\": \"not agreed\"}}]}, {\"class\": \"Button\", \"id\": "
    "\"next\", \"click\": [{\"if\": \"agreed\", \"then\": [{\"go\": \"one\"}], \"else\": "
    "[{\"go\": \"two\"}]}]}");

static tac_exploration *explored(const char *text, const tac_explore_options *options)
{
    char uri[4200];
    snprintf(uri, sizeof uri, "sim:%s", test_write("app.json", text));
    tac_device *device = NULL;
    tac_exploration *found = NULL;
    if (tac_device_open(uri, NULL, &device, &explore_error) ||
        tac_explore(device, options, NULL, &found, &explore_error))
        test_fail(__FILE__, __LINE__, "%s", explore_error.message);
    tac_device_free(device);
    REQUIRE(found != NULL);
    return found;
}

static size_t differing(const tac_exploration *found)
{
    json_t *json = tac_exploration_json(found);
    size_t count = json_array_size(json_object_get(json, "nondeterministic"));
    json_decref(json);
    return count;
}

TEST(ids_that_count_up_name_nothing_once_they_were_seen_to)
{
    for (int strategy = 0; strategy < 4; strategy++) {
        tac_explore_options options = {.strategy = (tac_strategy)strategy};
        tac_exploration *found = explored(counting, &options);
        CHECK_EQ(figure(found, "states"), 2);
        CHECK_EQ(figure(found, "transitions"), 5); /* add, row, close, and back on both */
        CHECK_EQ(differing(found), 0);
        bool restarts = options.strategy == TAC_EXPLORE_DFS || options.strategy == TAC_EXPLORE_BFS;
        CHECK(restarts || figure(found, "reconsidered") >= 2); /* each launch begins at 1 */
        const tac_model *m = tac_exploration_model(found);
        for (uint32_t i = 0; i < m->transition_count; i++)
            for (uint32_t k = 0; k < m->transitions[i].action_count; k++) {
                const char *xpath = m->actions[m->transitions[i].first_action + k].xpath;
                CHECK(restarts || !xpath || !strstr(xpath, "row_"));
            }
        tac_exploration_free(found);
    }
}

TEST(a_screen_that_is_several_is_split_by_what_decides)
{
    for (int strategy = 0; strategy < 4; strategy++) {
        tac_explore_options options = {.strategy = (tac_strategy)strategy, .tries = 6};
        tac_exploration *found = explored(marked, &options);
        if (figure(found, "reconsidered")) { /* start is two: agreed, or not */
            CHECK_EQ(figure(found, "states"), 4);
            CHECK_EQ(figure(found, "transitions"), 10);
            CHECK_EQ(figure(found, "unreached_events"), 0);
            CHECK_EQ(differing(found), 0);
        } else { /* it was never seen to go one way twice: chance, for all that is known */
            CHECK_EQ(differing(found), 1);
        }
        tac_exploration_free(found);
    }
}
