/* App files on the built-in phone: what they may say, what is wrong with broken ones, and that
 * nothing hangs. */
#include "phone/world/phone.h"
#include "sim_testing.h"

#define HEAD "{\n  \"tactus-app\": 1, \"package\": \"com.example.t\",\n"

static tac_device *open_text(const char *text, const char *faults, tac_status *status)
{
    char uri[4200];
    snprintf(uri, sizeof uri, "sim:%s", test_write("app.json", text));
    tac_device *device = NULL;
    tac_device_options options = {.faults = faults, .seed = 7};
    *status = tac_device_open(uri, &options, &device, &sim_error);
    return device;
}

static tac_device *run_text(const char *text)
{
    tac_status st;
    tac_device *device = open_text(text, NULL, &st);
    REQUIRE_OK(st);
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    return device;
}

static void check_broken(const char *text, size_t line, const char *part)
{
    tac_status st;
    tac_device *device = open_text(text, NULL, &st);
    CHECK_EQ(st, TAC_E_INPUT);
    CHECK_EQ(sim_error.line, line);
    CHECK_CONTAINS(sim_error.message, part);
    tac_device_free(device);
}

TEST(broken_app_files_name_the_line_and_the_remedy)
{
    check_broken("{\n  \"name\": \"x\"\n}", 1, "\"tactus-app\": 1 is missing");
    check_broken(HEAD "  \"activitys\": {}\n}", 3, "did you mean 'activities'?");
    check_broken(HEAD "  \"activities\": {}\n}", 1, "at least one activity");
    check_broken(HEAD "  \"activities\": {\"A\": {\n    \"mode\": \"singleTask\",\n"
                      "    \"screens\": {\"s\": {}}}}}",
                 4, "standard");
    check_broken(HEAD "  \"activities\": {\"A\": {\"screens\": {\"s\": {\n    \"widgets\": [\n"
                      "      {\"click\": [{\"go\": \"nowhere\"}]}]}}}}}",
                 5, "no screen 'nowhere'");
    check_broken(HEAD "  \"activities\": {\"A\": {\"screens\": {\"s\": {\n    \"widgets\": [\n"
                      "      {\"if\": \"a ==\"}]}}}}}",
                 5, "there is no variable 'a'");
    check_broken(HEAD "  \"variables\": {\"a\": 1},\n"
                      "  \"activities\": {\"A\": {\"screens\": {\"s\": {\"widgets\": [\n"
                      "      {\"if\": \"a == (1\"}]}}}}}",
                 5, "character 8: expected ')'");
    check_broken(HEAD "  \"variables\": {\"playing\": 1},\n"
                      "  \"activities\": {\"A\": {\"screens\": {\"s\": {\"widgets\": [\n"
                      "      {\"if\": \"1 < plying\"}]}}}}}",
                 5, "character 5: there is no variable 'plying'; did you mean 'playing'?");
    check_broken(HEAD "  \"variables\": {\"a\": 1},\n"
                      "  \"activities\": {\"A\": {\"screens\": {\"s\": {\"widgets\": [\n"
                      "      {\"if\": \"a adn a\"}]}}}}}",
                 5, "character 3: expected an operator, found 'adn'; did you mean 'and'?");
    check_broken(HEAD "  \"activities\": {\"A\": {\"screens\": {\"s\": {\"back\": [\n"
                      "    {\"media\": \"start\", \"stream\": \"x\"}]}}}}}",
                 4, "no stream 'x'");
    check_broken(HEAD "  \"templates\": {\"t\": {\"children\": [{\"use\": \"t\"}]}},\n"
                      "  \"activities\": {\"A\": {\"screens\": {\"s\": {\"widgets\": [\n"
                      "    {\"use\": \"t\"}]}}}}}",
                 3, "nested");
    check_broken(HEAD "  \"activities\": {\"A\": {\"screens\": {\"s\": {}}}},\n  \"crashes\": [\n"
                      "    {\"when\": {\"never\": \"b\"}, \"stack\": [\"f\"]}]}",
                 5, "'when' needs");
    check_broken(HEAD "  \"activities\": {\"A\": {\"screens\": {\"s\": {}}},\n  \"main\": \"B\"}",
                 4, "");
    check_broken("{\n  \"tactus-app\": 1,,\n}", 2, "");
}

TEST(a_missing_file_and_an_unknown_device_are_named)
{
    tac_device *device = NULL;
    CHECK_EQ(tac_device_open("sim:/nonexistent.json", NULL, &device, &sim_error), TAC_E_IO);
    CHECK_CONTAINS(sim_error.file, "/nonexistent.json");
    CHECK_EQ(tac_device_open("simm:x", NULL, &device, &sim_error), TAC_E_USAGE);
    CHECK_CONTAINS(sim_error.message, "did you mean 'sim:'?");
    tac_device_options options = {.scenario = "festivall"};
    char uri[4200];
    snprintf(uri, sizeof uri, "sim:%s", test_source("examples/apps/player.json"));
    CHECK_EQ(tac_device_open(uri, &options, &device, &sim_error), TAC_E_INPUT);
    CHECK_CONTAINS(sim_error.message, "did you mean 'festival'?");
}

/* --- nothing hangs --- */

TEST(system_events_that_fire_themselves_are_an_error_and_no_hang)
{
    tac_status st;
    tac_device *device = open_text(HEAD "  \"activities\": {\"A\": {\"screens\": {\"s\": {\n"
                                        "    \"enter\": [{\"after\": 0, \"fire\": \"again-\"}],\n"
                                        "    \"system\": {\"again-\": [{\"after\": 0, \"fire\": "
                                        "\"again-\"}]}}}}}}",
                                   NULL, &st);
    REQUIRE_OK(st);
    CHECK_EQ(tac_device_launch(device, 0, &sim_error), TAC_E_DEVICE);
    CHECK_CONTAINS(sim_error.message, "never comes to rest");
    CHECK_CONTAINS(sim_error.message, "again-");
    tac_device_free(device);
}

TEST(screens_that_show_each_other_are_an_error_and_no_overflow)
{
    tac_status st;
    tac_device *device = open_text(HEAD "  \"activities\": {\"A\": {\"screens\": {\n"
                                        "    \"a\": {\"enter\": [{\"go\": \"b\"}]},\n"
                                        "    \"b\": {\"enter\": [{\"go\": \"a\"}]}}}}}",
                                   NULL, &st);
    REQUIRE_OK(st);
    CHECK_EQ(tac_device_launch(device, 0, &sim_error), TAC_E_DEVICE);
    CHECK_CONTAINS(sim_error.message, "shows each other");
    tac_device_free(device);
}

TEST(a_screen_that_changes_for_ever_does_not_settle)
{
    tac_status st;
    tac_device *device =
        open_text(HEAD "  \"variables\": {\"n\": 0},\n"
                       "  \"activities\": {\"A\": {\"screens\": {\"s\": {\n"
                       "    \"enter\": [{\"after\": 0.05, \"fire\": \"tick-\"}],\n"
                       "    \"system\": {\"tick-\": [{\"set\": {\"n\": \"n + 1\"}},\n"
                       "      {\"after\": 0.05, \"fire\": \"tick-\"}]}}}}}}",
                  NULL, &st);
    REQUIRE_OK(st);
    CHECK_EQ(tac_device_launch(device, 5, &sim_error), TAC_E_DEVICE);
    CHECK_CONTAINS(sim_error.message, "did not come to rest within 5 s");
    tac_device_free(device);
}

TEST(timers_without_end_and_activities_without_end_are_stopped)
{
    tac_device *device = run_text(
        HEAD "  \"activities\": {\"A\": {\"screens\": {\"s\": {\"enter\": [{\"after\": 1, "
             "\"fire\": \"more-\"}],\n    \"system\": {\"more-\": [{\"open\": \"A\"}]}}}}}}");
    REQUIRE_OK(tac_device_sleep(device, 600, &sim_error));
    tac_crash crash;
    REQUIRE_OK(tac_device_crash(device, &crash, &sim_error));
    CHECK(crash.crashed);
    CHECK_STR(crash.exception, "java.lang.OutOfMemoryError");
    tac_device_free(device);
}

TEST(a_hanging_and_a_dying_device_fail_with_the_step)
{
    const char *app = HEAD "  \"activities\": {\"A\": {\"screens\": {\"s\": {\"widgets\": [\n"
                           "    {\"id\": \"b\", \"click\": []}]}}}}}";
    tac_status st;
    tac_device *device = open_text(app, "hang@2", &st);
    REQUIRE_OK(st);
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    tac_gesture click = {.kind = TAC_ACTION_CLICK, .target = {.resource_id = "com.example.t:id/b"}};
    CHECK_EQ(tac_device_perform(device, &click, 4, &sim_error), TAC_E_DEVICE);
    CHECK_CONTAINS(sim_error.message, "click id com.example.t:id/b: no answer within 4 s");
    tac_device_free(device);
    device = open_text(app, "die@1", &st);
    REQUIRE_OK(st);
    CHECK_EQ(tac_device_launch(device, 0, &sim_error), TAC_E_DEVICE);
    CHECK_CONTAINS(sim_error.message, "launch: the device is gone");
    tac_device_free(device);
    CHECK(!open_text(app, "hangs", &st));
    CHECK_EQ(st, TAC_E_USAGE);
}

/* --- Android's manners --- */

static size_t stack_height(tac_device *device)
{
    return sim_of(device)->stack.count;
}

TEST(launch_modes_standard_single_top_and_clear_top)
{
    tac_device *d = run_text(
        HEAD "  \"activities\": {\n"
             "    \"A\": {\"screens\": {\"s\": {\"widgets\": [\n"
             "      {\"id\": \"self\", \"click\": [{\"open\": \"A\"}]},\n"
             "      {\"id\": \"b\", \"click\": [{\"open\": \"B\"}]}]}}},\n"
             "    \"B\": {\"mode\": \"singleTop\", \"screens\": {\"s\": {\"widgets\": [\n"
             "      {\"id\": \"again\", \"click\": [{\"open\": \"B\"}]},\n"
             "      {\"id\": \"c\", \"click\": [{\"open\": \"C\"}]}]}}},\n"
             "    \"C\": {\"screens\": {\"s\": {\"widgets\": [\n"
             "      {\"id\": \"up\", \"click\": [{\"open\": \"A\", \"clearTop\": true}]},\n"
             "      {\"id\": \"replace\", \"click\": [{\"finish\": true}, {\"open\": \"B\"}]},\n"
             "      {\"id\": \"quit\", \"click\": [{\"exit\": true}]}]}}}}}");
    CLICK(d, "self"); /* standard: a second instance */
    CHECK_EQ(stack_height(d), 2);
    CLICK(d, "b");
    CLICK(d, "again"); /* singleTop: the same instance */
    CHECK_EQ(stack_height(d), 3);
    CLICK(d, "c");
    CLICK(d, "replace"); /* C finished, B is not on top of B: its instance below stays on top */
    CHECK_EQ(stack_height(d), 3);
    CLICK(d, "c");
    CLICK(d, "up"); /* clear-top: down to the topmost A */
    CHECK_EQ(stack_height(d), 2);
    CHECK_STR(activity_of(d), "A");
    CLICK(d, "b");
    CLICK(d, "c");
    CLICK(d, "quit");
    CHECK_EQ(stack_height(d), 0);
    CHECK_STR(activity_of(d), "");
    tac_device_free(d);
}

TEST(permissions_external_apps_and_kept_data)
{
    const char *app =
        HEAD "  \"kept\": {\"n\": 0}, \"variables\": {\"p\": 0},\n"
             "  \"activities\": {\"A\": {\"screens\": {\"s\": {\"widgets\": [\n"
             "    {\"id\": \"count\", \"text\": \"{n} {p}\"},\n"
             "    {\"id\": \"ask\", \"click\": [{\"permission\": \"CAMERA\", \"then\": [{\"set\": "
             "{\"n\": \"n + 1\", \"p\": \"p + 1\"}}]}]},\n"
             "    {\"id\": \"mail\", \"click\": [{\"external\": \"com.mail\", \"activity\": "
             "\"Compose\"}]}]}}}}}";
    tac_device *d = run_text(app);
    const tac_ui *ui = NULL;
    CLICK(d, "ask");
    CHECK_STR(activity_of(d), "");
    tac_gesture allow = {.kind = TAC_ACTION_CLICK,
                         .target = {.xpath = "//node[contains(@resource-id, 'permission_allow')]"}};
    REQUIRE_OK(tac_device_perform(d, &allow, 0, &sim_error));
    CLICK(d, "ask"); /* not asked again */
    REQUIRE_OK(tac_device_snapshot(d, 0, &ui, &sim_error));
    CHECK_STR(ui->nodes[1].text, "2 2");
    CLICK(d, "mail");
    tac_foreground front;
    REQUIRE_OK(tac_device_foreground(d, 0, &front, &sim_error));
    CHECK_STR(front.package, "com.mail");
    BACK(d);
    CHECK_STR(activity_of(d), "A");
    REQUIRE_OK(tac_device_close(d, 0, &sim_error));
    REQUIRE_OK(tac_device_launch(d, 0, &sim_error));
    REQUIRE_OK(tac_device_snapshot(d, 0, &ui, &sim_error));
    CHECK_STR(ui->nodes[1].text, "2 0"); /* kept over a close, the process's variable is not */
    REQUIRE_OK(tac_device_reset(d, 0, 0, &sim_error));
    REQUIRE_OK(tac_device_launch(d, 0, &sim_error));
    REQUIRE_OK(tac_device_snapshot(d, 0, &ui, &sim_error));
    CHECK_STR(ui->nodes[1].text, "0 0");
    tac_device_free(d);
}

TEST(system_events_arrive_after_their_delay)
{
    tac_device *d =
        run_text(HEAD "  \"activities\": {\"A\": {\"first\": \"wait\", \"screens\": {\n"
                      "    \"wait\": {\"enter\": [{\"after\": 2.5, \"fire\": "
                      "\"loaded-\"}], \"system\": {\"loaded-\": [{\"go\": \"done\"}]}},\n"
                      "    \"done\": {\"widgets\": [{\"id\": \"b\", \"click\": []}]}}}}}");
    tac_arrival arrival;
    REQUIRE_OK(tac_device_wait_change(d, NULL, 1, &arrival, &sim_error));
    CHECK(!arrival.arrived);
    REQUIRE_OK(tac_device_wait_change(d, "loaded-", 60, &arrival, &sim_error));
    CHECK(arrival.arrived);
    CHECK_STR(arrival.event, "loaded-");
    CHECK_NEAR(arrival.after, 2.5 - 0.45 - 1, 0.01);
    CHECK_EQ(gesture(d, TAC_ACTION_CLICK, "b", NULL), TAC_OK);
    CHECK_EQ(tac_device_system(d, "earthquake", 0, &sim_error), TAC_E_USAGE);
    tac_device_free(d);
}

/* --- planted crashes --- */

static const char crash_app[] = HEAD
    "  \"activities\": {\"A\": {\"screens\": {\"s\": {\"widgets\": [\n"
    "    {\"id\": \"a\", \"click\": []}, {\"id\": \"b\", \"click\": []}, {\"id\": \"c\", "
    "\"click\": []},\n    {\"id\": \"d\", \"click\": []}, {\"id\": \"e\", \"click\": []}]}}}},\n"
    "  \"crashes\": [\n"
    "    {\"when\": {\"contiguous\": [\"a\", \"a\", \"b\"]}, \"exception\": \"C\", \"stack\": "
    "[\"f1\"]},\n"
    "    {\"when\": {\"gaps\": [\"b\", \"c\", \"b\"]}, \"exception\": \"G\", \"stack\": "
    "[\"f2\"]},\n"
    "    {\"when\": {\"event\": \"d\", \"never\": \"a\"}, \"exception\": \"N\", \"stack\": "
    "[\"f3\"]},\n"
    "    {\"when\": {\"after\": \"e\", \"without\": \"a\", \"for\": 3}, \"exception\": \"S\", "
    "\"stack\": [\"f4\"]}]}";

/* The exception after these clicks, "" when all went well. */
static const char *after_clicks(const char *clicks)
{
    static char exception[64];
    tac_device *d = run_text(crash_app);
    tac_crash crash = {0};
    for (; *clicks && !crash.crashed; clicks++) {
        char id[2] = {*clicks, 0};
        if (gesture(d, TAC_ACTION_CLICK, id, NULL))
            break;
        REQUIRE_OK(tac_device_crash(d, &crash, &sim_error));
    }
    snprintf(exception, sizeof exception, "%s%s", crash.crashed ? crash.exception : "",
             crash.crashed && clicks[0] ? "+" : "");
    tac_device_free(d);
    return exception;
}

TEST(each_kind_of_planted_crash_has_its_condition)
{
    CHECK_STR(after_clicks("aab"), "C");
    CHECK_STR(after_clicks("aacb"), "");
    CHECK_STR(after_clicks("aaab"), "C");
    CHECK_STR(after_clicks("abacab"), "G");
    CHECK_STR(after_clicks("abba"), "");
    CHECK_STR(after_clicks("d"), "N");
    CHECK_STR(after_clicks("ad"), "");
    CHECK_STR(after_clicks("ebcc"), "S");
    CHECK_STR(after_clicks("ebacc"), "");
    CHECK_STR(after_clicks("ebaecc"), "");
    CHECK_STR(after_clicks("ebaeccc"), "S");
}

TEST(a_crash_is_logged_and_ends_the_process)
{
    tac_device *d = run_text(crash_app);
    CLICK(d, "d");
    tac_log_line line;
    bool more = true, fatal = false, frame = false;
    while (!tac_device_log(d, &line, &more, &sim_error) && more) {
        fatal |= strstr(line.message, "FATAL EXCEPTION: main") != NULL;
        frame |= !strcmp(line.message, "\tat f3");
    }
    CHECK(fatal);
    CHECK(frame);
    CHECK_EQ(gesture(d, TAC_ACTION_CLICK, "a", NULL), TAC_E_DEVICE);
    CHECK_CONTAINS(sim_error.message, "not running (it has crashed)");
    REQUIRE_OK(tac_device_launch(d, 0, &sim_error));
    tac_crash crash;
    REQUIRE_OK(tac_device_crash(d, &crash, &sim_error));
    CHECK(!crash.crashed);
    tac_device_free(d);
}

/* --- clocks, chance, pictures --- */

TEST(clocks_may_differ_and_drift)
{
    tac_status st;
    tac_device *d = open_text(crash_app, "offset=30,drift=0.001", &st);
    REQUIRE_OK(st);
    REQUIRE_OK(tac_device_launch(d, 0, &sim_error));
    REQUIRE_OK(tac_device_sleep(d, 1000 - 0.45, &sim_error));
    tac_clock_reading reading;
    REQUIRE_OK(tac_device_clock(d, &reading, &sim_error));
    double offset = (double)(reading.device - (reading.host_before + reading.host_after) / 2) / 1e9;
    CHECK_NEAR(offset, 31, 0.01);
    tac_device_free(d);
}

TEST(chance_follows_the_seed)
{
    char first[3][32];
    for (int i = 0; i < 3; i++) {
        tac_device *d = phone_of("quiz.json", NULL, i == 2 ? 99 : 5);
        (void)gesture(d, TAC_ACTION_TEXT, "first_name", "Ada");
        (void)gesture(d, TAC_ACTION_TEXT, "last_initial", "L");
        CLICK(d, "done");
        CLICK(d, "select_category");
        CLICK(d, "start");
        const tac_ui *ui = NULL;
        REQUIRE_OK(tac_device_snapshot(d, 0, &ui, &sim_error));
        snprintf(first[i], sizeof first[i], "%s", ui->nodes[1].text);
        tac_device_free(d);
    }
    CHECK_STR(first[0], first[1]);
}

TEST(a_screenshot_is_a_png_image)
{
    tac_device *d = phone_of("player.json", NULL, 1);
    unsigned char *data = NULL;
    size_t size = 0;
    REQUIRE_OK(tac_device_screenshot(d, 0, &data, &size, &sim_error));
    CHECK(size > 100 && !memcmp(data, "\x89PNG\r\n\x1a\n", 8));
    free(data);
    REQUIRE_OK(sim_tap(d, 500, 130, 1, &sim_error)); /* the menu button is the first row */
    const tac_ui *ui = NULL;
    REQUIRE_OK(tac_device_snapshot(d, 0, &ui, &sim_error));
    uint32_t node;
    tac_selector drawer = {.text = "All music"};
    REQUIRE_OK(tac_ui_find(ui, &drawer, &node, &sim_error));
    CHECK(node != TAC_UI_NONE);
    tac_device_free(d);
}
