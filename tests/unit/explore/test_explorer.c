/* The explorer's manners: options, system events, chance, other apps, crashes, checkpoints, dead
 * devices. Small apps written in the tests. */
#include "base/io/input.h"
#include "phone/world/phone.h"
#include "settled_graph.h"
#include "shipped_apps.h"

#define APP(variables, activities)                                                                 \
    "{\"tactus-app\": 1, \"name\": \"T\", \"code\": \"t\", \"package\": \"t\", \"variables\": "    \
    "{" variables "}, \"activities\": {" activities "}}"
#define BUTTON(id, actions) "{\"class\": \"Button\", \"id\": \"" id "\", \"click\": [" actions "]}"

static tac_status explore_text(const char *text, const tac_explore_options *options,
                               const char *faults, tac_exploration **found)
{
    char uri[4200];
    snprintf(uri, sizeof uri, "sim:%s", test_write("app.json", text));
    tac_device *device = NULL;
    tac_device_options device_options = {.seed = 3, .faults = faults};
    tac_status st = tac_device_open(uri, &device_options, &device, &explore_error);
    *found = NULL;
    if (!st)
        st = tac_explore(device, options, NULL, found, &explore_error);
    tac_device_free(device);
    return st;
}

static tac_exploration *explored(const char *text, const tac_explore_options *options)
{
    tac_exploration *found = NULL;
    if (explore_text(text, options, NULL, &found))
        test_fail(__FILE__, __LINE__, "%s", explore_error.message);
    REQUIRE(found != NULL);
    return found;
}

/* "S0 e S1, S1 back EXIT, ..." of the settled graph, in order of discovery. */
static const char *edges_text(const tac_exploration *found)
{
    static char text[8192];
    graph g;
    graph_of(tac_exploration_model(found), &g);
    text[0] = '\0';
    for (size_t i = 0; i < g.edges.count; i++) {
        edge e = g.edges.at[i];
        const char *from = strchr(g.nodes.text[e.from], '/') + 1;
        const char *to = strchr(g.nodes.text[e.to], '/') + 1;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %s %s", i ? ", " : "", from,
                 event_name(&g, e.event), *to ? to : "EXIT");
    }
    graph_free(&g);
    return text;
}

TEST(a_screen_that_changes_by_itself_is_a_system_event_with_its_delay)
{
    static const char app[] =
        APP("", "\"A\": {\"first\": \"wait\", \"screens\": {\"wait\": {\"enter\": [{\"after\": 2, "
                "\"fire\": \"loaded-\"}], \"system\": {\"loaded-\": [{\"go\": \"ready\"}]}, "
                "\"widgets\": [{\"text\": \"...\"}]}, \"ready\": {\"widgets\": [" BUTTON(
                    "again", "{\"go\": \"wait\"}") "]}}}");
    for (int strategy = 0; strategy < 3; strategy++) {
        tac_explore_options options = {.strategy = (tac_strategy)strategy};
        tac_exploration *found = explored(app, &options);
        CHECK_STR(edges_text(found), "S0 back EXIT, S0 loaded- S1, S1 back EXIT, S1 again S0");
        const tac_model *m = tac_exploration_model(found);
        for (uint32_t i = 0; i < m->transition_count; i++)
            if (m->transitions[i].kind == TAC_EVENT_SYSTEM)
                CHECK_NEAR(m->transitions[i].time, 1.6, 0.3);
        tac_exploration_free(found);
    }
}

TEST(different_outcomes_of_one_event_are_recorded_and_do_not_break_replay)
{
    static const char app[] = APP(
        "",
        "\"A\": {\"first\": \"start\", \"screens\": {\"start\": {\"widgets\": [" BUTTON(
            "roll",
            "{\"choose\": [{\"do\": [{\"go\": \"one\"}]}, {\"do\": [{\"go\": "
            "\"two\"}]}]}") "]}, \"one\": {\"widgets\": [" BUTTON("b",
                                                                  "{\"go\": "
                                                                  "\"start\"}") "]}, \"two\": "
                                                                                "{\"widgets\": "
                                                                                "[" BUTTON(
                                                                                    "c",
                                                                                    "{\"go\""
                                                                                    ": "
                                                                                    "\"start"
                                                                                    "\"}") "]}}}");
    for (int strategy = 0; strategy < 3; strategy++) {
        unsigned seen = 0; /* chance may roll the same every time */
        for (uint64_t seed = 1; seed <= 12; seed++) {
            tac_explore_options options = {.strategy = (tac_strategy)strategy, .seed = seed};
            tac_exploration *found = explored(app, &options);
            json_t *json = tac_exploration_json(found);
            json_t *list = json_object_get(json, "nondeterministic");
            if (json_integer_value(json_object_get(json, "states")) == 3) {
                json_t *first = json_array_get(list, 0);
                CHECK_EQ(json_array_size(list), 1);
                CHECK_STR(json_string_value(json_object_get(first, "event")), "roll");
                CHECK_EQ(json_array_size(json_object_get(first, "outcomes")), 2);
                seen++;
            }
            json_decref(json);
            tac_exploration_free(found);
        }
        CHECK(seen >= 6);
    }
}

TEST(crashes_become_states_without_a_way_on)
{
    static const char app[] =
        "{\"tactus-app\": 1, \"package\": \"t\", \"activities\": {\"A\": {\"screens\": {\"s\": "
        "{\"widgets\": [" BUTTON(
            "boom", "") "]}}}}, \"crashes\": [{\"when\": {\"contiguous\": "
                        "[\"boom\"]}, \"exception\": \"E\", \"stack\": [\"t.A.boom(A.java:1)\"]}]}";
    tac_exploration *found = explored(app, NULL);
    CHECK_STR(edges_text(found), "S0 back EXIT, S0 boom Crash0");
    tac_verdict verdict;
    tac_exploration_verdict(found, &verdict);
    CHECK_EQ(verdict.answer, TAC_VIOLATED);
    CHECK_CONTAINS(verdict.explanation, "t.A.boom(A.java:1)");
    tac_verdict_free(&verdict);
    tac_exploration_free(found);
}

/* up goes to A wherever it is pressed; close finishes C only. From A both look alike. */
TEST(clear_top_is_told_from_finishing)
{
    static const char app[] = APP(
        "",
        "\"A\": {\"screens\": {\"s\": {\"widgets\": [" BUTTON("b", "{\"open\": \"B\"}") ", " BUTTON(
            "c", "{\"open\": \"C\"}") "]}}}, \"B\": {\"screens\": {\"s\": {\"widgets\": "
                                      "[" BUTTON(
                                          "c",
                                          "{\"open\": \"C\"}") "]}}}, \"C\": "
                                                               "{\"screens\": "
                                                               "{\"s\": "
                                                               "{\"widgets\": "
                                                               "[" BUTTON(
                                                                   "up",
                                                                   "{\"op"
                                                                   "en\":"
                                                                   " \"A"
                                                                   "\", "
                                                                   "\"cle"
                                                                   "arTop"
                                                                   "\": "
                                                                   "true"
                                                                   "}") ", " BUTTON("close",
                                                                                    "{\"finish\": "
                                                                                    "true}") "]}}"
                                                                                             "}");
    for (int strategy = 0; strategy < 3; strategy++) {
        tac_explore_options options = {.strategy = (tac_strategy)strategy};
        tac_exploration *found = explored(app, &options);
        const char *edges = edges_text(found);
        CHECK_CONTAINS(edges, "S2 close S0");
        CHECK_CONTAINS(edges, "S2 close S1");
        CHECK_CONTAINS(edges, "S2 up S0");
        CHECK(!strstr(edges, "S2 up S1"));
        tac_exploration_free(found);
    }
}

TEST(unmatched_options_and_fields_without_text_are_reported)
{
    static const char app[] =
        APP("\"x\": \"\"", "\"A\": {\"screens\": {\"s\": {\"widgets\": [{\"class\": \"EditText\", "
                           "\"id\": \"f\", \"input\": \"x\"}, " BUTTON("b", "") "]}}}");
    const char *ignore[] = {"//node[@text='nowhere']", "//node[@resource-id='t:id/b']"};
    const char *texts[] = {"//node[@resource-id='t:id/none']=x"};
    tac_explore_options options = {
        .ignore = ignore, .ignore_count = 2, .texts = texts, .text_count = 1};
    tac_exploration *found = explored(app, &options);
    json_t *json = tac_exploration_json(found);
    json_t *list = json_object_get(json, "unmatched_options");
    CHECK_EQ(json_array_size(list), 2);
    CHECK_STR(json_string_value(json_array_get(list, 0)),
              "elements to ignore: //node[@text='nowhere']");
    CHECK_STR(json_string_value(json_array_get(list, 1)),
              "text to enter: //node[@resource-id='t:id/none']=x");
    CHECK_STR(json_string_value(json_array_get(json_object_get(json, "fields_without_text"), 0)),
              "t:id/f");
    CHECK_STR(edges_text(found), "S0 back EXIT");
    json_decref(json);
    tac_exploration_free(found);
    const char *broken[] = {"//node["};
    options = (tac_explore_options){.ignore = broken, .ignore_count = 1};
    CHECK_EQ(explore_text(app, &options, NULL, &found), TAC_E_INPUT);
    const char *no_value[] = {"//node"};
    options = (tac_explore_options){.texts = no_value, .text_count = 1};
    CHECK_EQ(explore_text(app, &options, NULL, &found), TAC_E_USAGE);
}

TEST(depth_and_list_items_limit_the_exploration)
{
    static const char app[] =
        APP("", "\"A\": {\"first\": \"a\", \"screens\": {\"a\": {\"widgets\": [{\"class\": "
                "\"ListView\", \"children\": [{\"class\": \"Button\", \"id\": \"row\", \"repeat\": "
                "4, \"click\": [{\"go\": \"b\"}]}]}]}, \"b\": {\"widgets\": [" BUTTON(
                    "on", "{\"go\": \"c\"}") "]}, \"c\": {\"widgets\": [{\"text\": \"end\"}]}}}");
    tac_explore_options options = {.depth = 1};
    tac_exploration *found = explored(app, &options);
    CHECK_STR(edges_text(found), "S0 back EXIT, S0 row S1");
    tac_exploration_free(found);
    options = (tac_explore_options){.list_items = 3};
    found = explored(app, &options);
    CHECK_STR(edges_text(found), "S0 back EXIT, S0 row S1, S0 row_2 S1, S0 row_3 S1, S1 back EXIT, "
                                 "S1 on S2, S2 back EXIT");
    tac_exploration_free(found);
    options = (tac_explore_options){.gestures = 1u << TAC_ACTION_CLICK};
    found = explored(app, &options);
    CHECK_STR(edges_text(found), "S0 row S1, S1 on S2");
    tac_exploration_free(found);
}

TEST(names_are_readable_unique_and_may_be_changed)
{
    static const char app[] = APP(
        "",
        "\"A\": {\"screens\": {\"s\": {\"widgets\": [" BUTTON(
            "play_pause",
            "") ", {\"class\": "
                "\"Button\", \"text\": \"Play pause\", \"click\": []}, {\"class\": \"ImageView\", "
                "\"desc\": \"Open the menu\", \"click\": []}, {\"class\": \"CheckBox\", \"click\": "
                "[]}]}}}");
    tac_exploration *found = explored(app, NULL);
    CHECK_STR(edges_text(found), "S0 back EXIT, S0 playPause S0, S0 playPause2 S0, S0 openTheMenu "
                                 "S0, S0 checkBox S0");
    tac_exploration_free(found);
    char rename[4096];
    snprintf(rename, sizeof rename, "%s",
             test_write("rename.json", "{\"playPause\": \"play\", \"playPause2\": \"play\"}"));
    tac_explore_options options = {.rename = rename};
    found = explored(app, &options);
    CHECK_STR(edges_text(found), "S0 back EXIT, S0 play S0, S0 openTheMenu S0, S0 checkBox S0");
    tac_exploration_free(found);
    snprintf(rename, sizeof rename, "%s", test_write("rename.json", "{\n\"back\": \"go back\"}"));
    CHECK_EQ(explore_text(app, &options, NULL, &found), TAC_E_INPUT);
    CHECK_EQ(explore_error.line, 2);
}

/* --- stopping and going on --- */

typedef struct stopper {
    tac_watch watch;
    uint64_t after;
} stopper;

static bool stop_tick(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    (void)what;
    (void)total;
    return done < ((stopper *)self)->after;
}

static char *model_text(const tac_exploration *found)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    (void)tac_model_write(tac_exploration_model(found), out, &explore_error);
    fclose(out);
    return text;
}

TEST(an_interrupted_exploration_goes_on_from_its_checkpoint)
{
    char uri[4200], checkpoint[4096];
    snprintf(uri, sizeof uri, "sim:%s", test_source("examples/apps/player.json"));
    snprintf(checkpoint, sizeof checkpoint, "%s", test_temporary("player.checkpoint"));
    tac_exploration *whole = explore_app(&shipped_apps[0], TAC_EXPLORE_NEAREST, 1, false);
    REQUIRE(whole != NULL);
    char *wanted = model_text(whole);
    int64_t events = figure(whole, "events_performed");
    for (uint64_t stop = 1; stop < 60; stop += 7) {
        tac_device *device = NULL;
        tac_exploration *found = NULL;
        stopper watch = {{stop_tick}, stop};
        tac_explore_options options = {.checkpoint = checkpoint, .seed = 1};
        CHECK_EQ(tac_device_open(uri, NULL, &device, &explore_error), TAC_OK);
        CHECK_EQ(tac_explore(device, &options, &watch.watch, &found, &explore_error),
                 TAC_E_INTERRUPTED);
        CHECK_CONTAINS(explore_error.message, "is kept in");
        options.resume = checkpoint;
        CHECK_EQ(tac_explore(device, &options, NULL, &found, &explore_error), TAC_OK);
        REQUIRE(found != NULL);
        char *got = model_text(found);
        CHECK_STR(got, wanted);
        CHECK(figure(found, "events_performed") <= events + 12);
        free(got);
        tac_exploration_free(found);
        tac_device_free(device);
    }
    free(wanted);
    tac_exploration_free(whole);
}

TEST(a_damaged_checkpoint_is_refused_with_its_place)
{
    char path[4096], uri[4200];
    snprintf(uri, sizeof uri, "sim:%s", test_source("examples/apps/player.json"));
    static const char *const broken[] = {
        "[]",
        "{\"tactus-exploration\": 1}",
        "{\"tactus-exploration\": 1, \"package\": \"other\", \"screens\": []}",
        "{\"tactus-exploration\": 1, \"package\": \"com.example.tactus.player\", \"list_items\": "
        "1, "
        "\"screens\": [{}]}",
        "{\"tactus-exploration\": 1, \"package\": \"com.example.tactus.player\", \"list_items\": "
        "1, "
        "\"screens\": [{\"signature\": \"x\", \"activity\": \"A\", \"depth\": 0, \"from\": 9, "
        "\"by\": 0, \"controls\": []}]}",
        "{\"tactus-exploration\": 1, \"package\": \"com.example.tactus.player\", \"list_items\": "
        "1, "
        "\"screens\": [{\"signature\": \"x\", \"activity\": \"A\", \"depth\": 0, \"from\": "
        "4294967295, \"by\": 0, \"controls\": [{\"key\": \"back\", \"kind\": \"back\", \"order\": "
        "0, "
        "\"tries\": 1, \"outcomes\": [[0, 7, 0, 1, 0, 0.0, []]]}]}]}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        snprintf(path, sizeof path, "%s", test_write("broken.checkpoint", broken[i]));
        tac_device *device = NULL;
        tac_exploration *found = NULL;
        tac_explore_options options = {.resume = path};
        CHECK_EQ(tac_device_open(uri, NULL, &device, &explore_error), TAC_OK);
        CHECK_EQ(tac_explore(device, &options, NULL, &found, &explore_error), TAC_E_INPUT);
        CHECK_EQ(explore_error.line, 1);
        tac_device_free(device);
    }
}

/* Wherever the device hangs or dies: an error with the step, no hang, nothing lost. */
TEST(a_device_that_hangs_or_dies_at_any_call_is_an_error)
{
    static const char app[] =
        APP("", "\"A\": {\"screens\": {\"s\": {\"widgets\": [" BUTTON(
                    "b", "{\"open\": \"B\"}") "]}}}, \"B\": {\"screens\": "
                                              "{\"s\": {\"widgets\": [{\"text\": \"B\"}]}}}");
    for (unsigned call = 1; call <= 60; call++)
        for (int kind = 0; kind < 2; kind++) {
            char faults[32];
            tac_exploration *found = NULL;
            snprintf(faults, sizeof faults, "%s@%u", kind ? "hang" : "die", call);
            tac_status st = explore_text(app, NULL, faults, &found);
            if (st == TAC_OK) { /* a part is a model too */
                const tac_error *failure = tac_exploration_failure(found);
                CHECK(call > 20 || failure);
                CHECK(!failure || failure->status == TAC_E_DEVICE);
                CHECK(tac_exploration_model(found) != NULL);
                tac_exploration_free(found);
                continue;
            }
            CHECK_EQ(st, TAC_E_DEVICE);
            CHECK_CONTAINS(explore_error.message, kind ? "no answer within" : "the device is gone");
        }
}

static unsigned looks;
static const struct device_driver *looked_at;

static tac_status second_look_fails(tac_device *device, double deadline, const tac_ui **out,
                                    tac_error *err)
{
    if (++looks == 2)
        return tac_fail(err, TAC_E_DEVICE, "snapshot: not now");
    return looked_at->snapshot(device, deadline, out, err);
}

TEST(media_that_was_paused_for_a_look_plays_on_when_that_look_fails)
{
    static const char app[] =
        "{\"tactus-app\": 1, \"name\": \"T\", \"code\": \"t\", \"package\": \"t\", "
        "\"streams\": {\"song\": {\"seconds\": 20000, \"kbps\": 96}}, "
        "\"activities\": {\"A\": {\"screens\": {\"s\": {\"widgets\": [{\"text\": \"x\"}], "
        "\"enter\": [{\"media\": \"start\", \"stream\": \"song\"}]}}}}}";
    char uri[4200];
    tac_device *device = NULL;
    tac_exploration *found = NULL;
    snprintf(uri, sizeof uri, "sim:%s", test_write("app.json", app));
    REQUIRE(tac_device_open(uri, &(tac_device_options){.seed = 3}, &device, &explore_error) ==
            TAC_OK);
    looked_at = device->driver;
    struct device_driver unlucky = *device->driver;
    unlucky.snapshot = second_look_fails;
    device->driver = &unlucky;
    CHECK_EQ(tac_explore(device, NULL, NULL, &found, &explore_error), TAC_E_DEVICE);
    CHECK_STR(explore_error.message, "snapshot: not now");
    CHECK_EQ(looks, 2);
    CHECK(((const struct sim *)device->state)->media.state == SIM_PLAYING);
    tac_exploration_free(found);
    tac_device_free(device);
}

TEST(a_loop_of_system_events_between_screens_ends)
{
    static const char app[] =
        APP("", "\"A\": {\"first\": \"a\", \"screens\": {\"a\": {\"enter\": [{\"after\": 1, "
                "\"fire\": \"tick-\"}], \"system\": {\"tick-\": [{\"go\": \"b\"}]}, \"widgets\": "
                "[{\"text\": \"a\"}]}, \"b\": {\"enter\": [{\"after\": 1, \"fire\": \"tock-\"}], "
                "\"system\": {\"tock-\": [{\"go\": \"a\"}]}, \"widgets\": [{\"class\": \"Button\", "
                "\"text\": \"b\"}]}}}");
    for (int strategy = 0; strategy < 3; strategy++) {
        tac_explore_options options = {.strategy = (tac_strategy)strategy};
        tac_exploration *found = explored(app, &options);
        CHECK_STR(edges_text(found), "S0 back EXIT, S0 tick- S1, S1 back EXIT, S1 tock- S0");
        tac_exploration_free(found);
    }
}

/* A list and an editor in activities of their own: what the editor's call comes back to depends on
 * the control that ends it. The model must not allow "add back" to land on a list with an item. */
TEST(calls_that_end_differently_are_told_apart)
{
    static const char app[] =
        "{\"tactus-app\": 1, \"package\": \"t\", \"kept\": {\"has\": false}, \"activities\": "
        "{\"List\": {\"screens\": {\"l\": {\"widgets\": [" BUTTON(
            "add",
            "{\"open\": \"Edit\"}") ", {\"class\": \"Button\", \"id\": \"item\", \"if\": "
                                    "\"has\", \"click\": [{\"open\": \"Edit\"}]}]}}}, \"Edit\": "
                                    "{\"screens\": {\"e\": "
                                    "{\"widgets\": [" BUTTON(
                                        "save",
                                        "{\"set\": {\"has\": true}}, {\"finish\": true}") "]}}}}}";
    for (int strategy = 0; strategy < 3; strategy++) {
        tac_explore_options options = {.strategy = (tac_strategy)strategy};
        tac_exploration *found = explored(app, &options);
        CHECK_EQ(figure(found, "unreached_events"), 0);
        /* S0 empty list, S1 editor, S2 list with an item */
        const tac_model *m = tac_exploration_model(found);
        bool back_from_empty = false, saved_from_empty = false, wrong = false;
        for (uint32_t c = 0; c < m->call_count; c++) {
            const char *returns = m->nodes[m->calls[c].returns].name;
            const tac_model_machine *k = &m->machines[m->calls[c].machine];
            bool saves = false, backs = false, from_empty = false;
            for (uint32_t t = k->first_transition; t < k->first_transition + k->transition_count;
                 t++) {
                saves |= !strcmp(m->events[m->transitions[t].event], "save");
                backs |= !strcmp(m->events[m->transitions[t].event], "back");
            }
            for (uint32_t t = 0; t < m->transition_count; t++)
                from_empty |= m->nodes[m->transitions[t].to].call == c &&
                              m->nodes[m->transitions[t].to].kind == TAC_NODE_CONNECTION &&
                              !strcmp(m->nodes[m->transitions[t].from].name, "S0");
            back_from_empty |= from_empty && backs && !saves && !strcmp(returns, "S0");
            saved_from_empty |= from_empty && saves && !backs && !strcmp(returns, "S2");
            wrong |= from_empty && saves && backs;
        }
        CHECK(back_from_empty);
        CHECK(saved_from_empty);
        CHECK(!wrong);
        tac_exploration_free(found);
    }
}

/* A device that tells no instances (a browser): the names of the activities do. */
TEST(extraction_works_without_instances)
{
    for (size_t a = 0; a < SHIPPED; a++) {
        if (shipped_apps[a].random || shipped_apps[a].texts[0][0])
            continue;
        char uri[4200], file[128];
        tac_device *device = NULL;
        tac_exploration *found = NULL;
        tac_device_options options = {.faults = "nostack"};
        snprintf(file, sizeof file, "examples/apps/%s.json", shipped_apps[a].name);
        snprintf(uri, sizeof uri, "sim:%s", test_source(file));
        CHECK_EQ(tac_device_open(uri, &options, &device, &explore_error), TAC_OK);
        CHECK_EQ(tac_explore(device, NULL, NULL, &found, &explore_error), TAC_OK);
        tac_exploration *with = explore_app(&shipped_apps[a], TAC_EXPLORE_NEAREST, 1, false);
        REQUIRE(found && with);
        char *x = model_text(found), *y = model_text(with);
        CHECK_STR(x, y);
        free(x);
        free(y);
        tac_exploration_free(found);
        tac_exploration_free(with);
        tac_device_free(device);
    }
}

/* A button that is gone before it can be pressed: given up, not tried for ever. */
TEST(a_control_that_can_never_be_performed_is_given_up)
{
    static const char app[] =
        APP("\"shown\": true",
            "\"A\": {\"screens\": {\"s\": {\"enter\": [{\"after\": 0.7, \"fire\": "
            "\"gone-\"}], \"system\": {\"gone-\": [{\"set\": {\"shown\": false}}]}, "
            "\"widgets\": [{\"class\": \"Button\", \"id\": \"b\", \"if\": \"shown\", "
            "\"click\": []}, " BUTTON("c", "") "]}}}");
    for (int strategy = 0; strategy < 3; strategy++) {
        tac_explore_options options = {.strategy = (tac_strategy)strategy};
        tac_exploration *found = explored(app, &options);
        CHECK_CONTAINS(edges_text(found), "S0 gone- S1");
        CHECK_CONTAINS(edges_text(found), "S1 c S1");
        CHECK(figure(found, "events_performed") < 400);
        tac_exploration_free(found);
    }
}
