/* Android devices through the real adb server, call by call: files, installs, pictures, texts, what
 * the system does, instruments, and a log that survives the server. Skips where adb is absent. */
#include "adb_testing.h"
#include "base/data/text.h"
#include "device/android/adb.h"

#define NEED_ADB()                                                                                 \
    do {                                                                                           \
        if (!adb_private_server())                                                                 \
            SKIP("adb is not installed");                                                          \
    } while (0)

static char *file_text(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = malloc(1 << 20);
    *size = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

TEST(files_go_there_and_back)
{
    NEED_ADB();
    adb_phone *phone = adb_start("notes.json", 0);
    struct adb_client client;
    tac_error err;
    REQUIRE(adb_client_open(&client, phone->serial, 10, false, &err) == TAC_OK);
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 300001};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *from = test_temporary("from"), *to = test_temporary("to");
        FILE *file = fopen(from, "wb");
        for (size_t k = 0; k < sizes[i]; k++)
            fputc((int)(k * 2654435761u >> 13), file);
        fclose(file);
        CHECK_EQ(adb_push(&client, from, "/data/local/tmp/x", 0644, 10, &err), TAC_OK);
        char pull[600];
        snprintf(pull, sizeof pull, "adb -s %s pull /data/local/tmp/x '%s' >/dev/null 2>&1",
                 phone->serial, to);
        CHECK_EQ(system(pull), 0);
        size_t a = 0, b = 0;
        char *sent = file_text(from, &a), *got = file_text(to, &b);
        CHECK_EQ(b, sizes[i]);
        CHECK(got && !memcmp(sent, got, a));
        free(sent);
        free(got);
    }
    CHECK_EQ(adb_push(&client, test_temporary("none"), "/x", 0644, 10, &err), TAC_E_INPUT);
    adb_stop(phone);
}

TEST(a_phone_that_logs_nothing_can_be_driven)
{
    NEED_ADB();
    adb_phone *phone = adb_start("calculator.json", 0);
    struct adb_client client;
    struct adb_result result = {0};
    tac_error err;
    REQUIRE(adb_client_open(&client, phone->serial, 10, false, &err) == TAC_OK);
    REQUIRE(adb_shell(&client, "silence", "setprop log.tag S", 10, &result, &err) == TAC_OK);
    tac_str_free(&result.output);
    tac_device *device = adb_device(phone);
    double started = tac_now();
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    CHECK(tac_now() - started < 8); /* it waits for the first mark, once */
    started = tac_now();
    const tac_gesture back = {.kind = TAC_ACTION_BACK};
    tac_crash crash;
    tac_log_line line;
    bool more = true;
    for (int i = 0; i < 5; i++) {
        REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
        REQUIRE_OK(tac_device_perform(device, &back, 0, &sim_error));
        REQUIRE_OK(tac_device_crash(device, &crash, &sim_error));
    }
    CHECK(!crash.crashed);
    CHECK(tac_now() - started < 3);
    REQUIRE_OK(tac_device_log(device, &line, &more, &sim_error));
    CHECK(!more);
    tac_device_free(device);
    adb_stop(phone);
}

TEST(an_app_is_installed_from_a_file)
{
    NEED_ADB();
    adb_phone *phone = adb_start("notes.json", 0);
    tac_device *device = adb_device(phone);
    CHECK_EQ(tac_device_install(device, test_write("stand-in.apk", "PK stand-in"), 10, &sim_error),
             TAC_OK);
    CHECK_EQ(tac_device_install(device, test_temporary("no.apk"), 10, &sim_error), TAC_E_INPUT);
    CHECK_CONTAINS(sim_error.message, "no.apk: cannot open");
    tac_device_free(device);
    adb_stop(phone);
}

TEST(a_screenshot_is_a_png)
{
    NEED_ADB();
    adb_phone *phone = adb_start("calculator.json", 0);
    tac_device *device = adb_device(phone), *direct = phone_of("calculator.json", "cafe", 1);
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    unsigned char *data = NULL, *same = NULL;
    size_t size = 0, same_size = 0;
    REQUIRE_OK(tac_device_screenshot(device, 0, &data, &size, &sim_error));
    REQUIRE_OK(tac_device_screenshot(direct, 0, &same, &same_size, &sim_error));
    CHECK(size > 100 && !memcmp(data, "\x89PNG\r\n\x1a\n", 8));
    CHECK(size == same_size && !memcmp(data, same, size));
    free(data);
    free(same);
    tac_device_free(device);
    tac_device_free(direct);
    adb_stop(phone);
}

TEST(the_monkey_of_the_phone_finds_its_crash)
{
    NEED_ADB();
    adb_phone *phone = adb_start("tracker.json", 0);
    struct adb_client client;
    struct adb_result result = {0};
    tac_error err;
    REQUIRE(adb_client_open(&client, phone->serial, 10, false, &err) == TAC_OK);
    REQUIRE(adb_shell(&client, "monkey", "monkey -p com.example.tactus.tracker -s 3 20", 20,
                      &result, &err) == TAC_OK);
    CHECK_CONTAINS(tac_str_text(&result.output), "Events injected: ");
    bool crashed = false;
    for (int seed = 1; seed <= 20 && !crashed; seed++) {
        char command[100];
        snprintf(command, sizeof command,
                 "am force-stop com.example.tactus.tracker; "
                 "monkey -p com.example.tactus.tracker -s %d 3000",
                 seed);
        REQUIRE(adb_shell(&client, "monkey", command, 60, &result, &err) == TAC_OK);
        crashed = strstr(tac_str_text(&result.output), "// CRASH: com.example.tactus.tracker");
    }
    CHECK(crashed);
    CHECK_EQ(result.exit_code, 1);
    REQUIRE(adb_shell(&client, "monkey", "monkey -p com.none 5", 20, &result, &err) == TAC_OK);
    CHECK_EQ(result.exit_code, 252);
    tac_str_free(&result.output);
    adb_stop(phone);
}

/* --- the same on the built-in phone itself and through adb --- */

static char *screen_of(tac_device *device)
{
    const tac_ui *ui = NULL;
    REQUIRE_OK(tac_device_snapshot(device, 0, &ui, &sim_error));
    return tac_ui_to_xml(ui);
}

static void check_same(tac_device *a, tac_device *b, const char *what)
{
    tac_foreground x, y;
    REQUIRE_OK(tac_device_foreground(a, 0, &x, &sim_error));
    REQUIRE_OK(tac_device_foreground(b, 0, &y, &sim_error));
    if (strcmp(x.package, y.package) || strcmp(x.activity, y.activity) || x.running != y.running ||
        x.keyboard != y.keyboard || x.depth != y.depth)
        test_fail(__FILE__, __LINE__, "%s: %s/%s %d %d %u, not %s/%s %d %d %u", what, x.package,
                  x.activity, x.running, x.keyboard, x.depth, y.package, y.activity, y.running,
                  y.keyboard, y.depth);
    char *first = screen_of(a), *second = screen_of(b);
    if (strcmp(first, second) != 0)
        test_fail(__FILE__, __LINE__, "%s: other screens:\n%s\n%s", what, first, second);
    free(first);
    free(second);
}

TEST(what_the_system_does_is_the_same_through_adb)
{
    NEED_ADB();
    static const char *const events[] = {"rotate",     "rotate",        "connectivity-off",
                                         "background", "foreground",    "connectivity-on",
                                         "low-memory", "keyboard-close"};
    static const char *const apps[] = {"notes.json", "blog.json", "player.json"};
    for (size_t k = 0; k < sizeof apps / sizeof *apps; k++) {
        adb_phone *phone = adb_start(apps[k], 0);
        tac_device *device = adb_device(phone), *direct = phone_of(apps[k], "cafe", 1);
        REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
        check_same(device, direct, apps[k]);
        for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
            REQUIRE_OK(tac_device_system(device, events[i], 0, &sim_error));
            REQUIRE_OK(tac_device_system(direct, events[i], 0, &sim_error));
            check_same(device, direct, events[i]);
        }
        CHECK_EQ(tac_device_system(device, "keyboard-open", 0, &sim_error), TAC_E_USAGE);
        CHECK_STR(sim_error.message,
                  "adb: Android opens the keyboard by itself when a field is tapped");
        tac_device_free(device);
        tac_device_free(direct);
        adb_stop(phone);
    }
}

/* The first node that takes text, as an XPath; the caller's. */
static char *first_field(tac_device *device)
{
    const tac_ui *ui = NULL;
    REQUIRE_OK(tac_device_snapshot(device, 0, &ui, &sim_error));
    for (uint32_t i = 0; i < ui->count; i++)
        if (tac_ui_gestures(&ui->nodes[i]) & 1u << TAC_ACTION_TEXT)
            return tac_ui_xpath(ui, i);
    return NULL;
}

static const char field_app[] =
    "{\"tactus-app\":1,\"name\":\"Field\",\"code\":\"field\",\"package\":\"com.example.field\","
    "\"variables\":{\"name\":\"old text\"},\"activities\":{\"A\":{\"screens\":{\"s\":{\"widgets\":["
    "{\"class\":\"EditText\",\"id\":\"name\",\"input\":\"name\"}]}}}}}";

TEST(texts_arrive_as_they_are_or_are_refused)
{
    NEED_ADB();
    static const char *const texts[] = {"two words",   "it's",        "say \"hi\"", "100%sure",
                                        "%s",          "a%%s b",      "$(reboot)",  "a;b&&c|d",
                                        "back\\slash", "<&>'\"`~!@#", " lead",      "*?[x]{y}"};
    adb_phone *phone = adb_start(test_write("field.json", field_app), 0);
    tac_device *device = adb_device(phone);
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *field = first_field(device);
        REQUIRE(field);
        tac_gesture enter = {
            .kind = TAC_ACTION_TEXT, .target = {.xpath = field}, .value = texts[i]};
        REQUIRE_OK(tac_device_perform(device, &enter, 0, &sim_error));
        const tac_ui *ui = NULL;
        uint32_t node = TAC_UI_NONE;
        REQUIRE_OK(tac_device_snapshot(device, 0, &ui, &sim_error));
        REQUIRE_OK(tac_ui_find(ui, &enter.target, &node, &sim_error));
        REQUIRE(node != TAC_UI_NONE);
        CHECK_STR(ui->nodes[node].text, texts[i]);
        free(field);
    }
    char *field = first_field(device);
    tac_gesture enter = {
        .kind = TAC_ACTION_TEXT, .target = {.xpath = field}, .value = "na\xc3\xafve"};
    CHECK_EQ(tac_device_perform(device, &enter, 0, &sim_error), TAC_E_USAGE);
    CHECK_CONTAINS(sim_error.message, "Android's input command enters printable ASCII only; "
                                      "'na\xc3\xafve' has something else at byte 3");
    free(field);
    tac_device_free(device);
    adb_stop(phone);
}

static const char ticking_app[] =
    "{\"tactus-app\":1,\"name\":\"T\",\"code\":\"t\",\"package\":\"com.example.ticking\","
    "\"variables\":{\"n\":0},\"streams\":{\"song\":{\"seconds\":200,\"kbps\":96}},"
    "\"activities\":{\"A\":{\"screens\":{\"s\":{"
    "\"widgets\":[{\"id\":\"n\",\"text\":\"{n}\"},{\"class\":\"Button\",\"id\":\"b\",\"click\":[]}]"
    ","
    "\"enter\":[{\"media\":\"start\",\"stream\":\"song\"},{\"media\":\"pause\"},{\"after\":0.05,"
    "\"fire\":\"tick\"}],"
    "\"system\":{\"tick\":[{\"set\":{\"n\":\"n + 1\"}},{\"after\":0.05,\"fire\":\"tick\"}]}}}}}}";

TEST(paused_media_is_not_played_on_by_a_look_at_a_screen_that_never_rests)
{
    NEED_ADB();
    adb_phone *phone = adb_start(test_write("ticking.json", ticking_app), 0);
    tac_device *device = adb_device(phone);
    const tac_gesture click = {.kind = TAC_ACTION_CLICK,
                               .target = {.xpath = "//node[@resource-id='b']"}};
    const tac_ui *ui = NULL;
    tac_device_launch(device, 2, &sim_error); /* the app is there; whether it rests is not asked */
    CHECK_EQ(tac_device_snapshot(device, 1, &ui, &sim_error), TAC_E_LIMIT);
    CHECK_CONTAINS(sim_error.message, "the screen keeps moving, and nothing plays");
    CHECK(!tac_device_media_plays(device));
    CHECK_EQ(tac_device_perform(device, &click, 1, &sim_error), TAC_E_LIMIT);
    CHECK_CONTAINS(sim_error.message, "the screen keeps moving, and nothing plays");
    struct adb_client client;
    struct adb_result result = {0};
    tac_error err;
    REQUIRE(adb_client_open(&client, phone->serial, 10, false, &err) == TAC_OK);
    REQUIRE(adb_shell(&client, "ask", "dumpsys media_session", 10, &result, &err) == TAC_OK);
    CHECK(!android_media_plays(tac_str_text(&result.output), result.output.length));
    tac_str_free(&result.output);
    tac_device_free(device);
    adb_stop(phone);
}
