/* Instruments and the log through the real adb server, beside those of the built-in phone itself in
 * the same app and flow, for every version of Android whose formats the phone speaks; and devices
 * opened and closed many times. Skips where adb is absent. */
#include "adb_testing.h"
#include "base/data/text.h"
#include "device/android/adb.h"
#include <dirent.h>

#define NEED_ADB()                                                                                 \
    do {                                                                                           \
        if (!adb_private_server())                                                                 \
            SKIP("adb is not installed");                                                          \
    } while (0)

/* Buttons that fetch, that open and close activities, and that start timers. */
static const char load_app[] =
    "{\"tactus-app\":1,\"name\":\"Load\",\"code\":\"load\",\"package\":\"com.example.load\","
    "\"activities\":{\"A\":{\"screens\":{\"s\":{\"widgets\":["
    "{\"class\":\"Button\",\"id\":\"small\",\"text\":\"Small\",\"click\":[{\"log\":\"one\"},{"
    "\"log\":\"one\"},{\"log\":\"two\"},{\"fetch\":4000}]},"
    "{\"class\":\"Button\",\"id\":\"large\",\"text\":\"Large\",\"click\":[{\"fetch\":700000}]},"
    "{\"class\":\"Button\",\"id\":\"more\",\"text\":\"More\",\"click\":[{\"log\":\"open\"},{"
    "\"open\":\"B\"}]},"
    "{\"class\":\"Button\",\"id\":\"later\",\"text\":\"Later\","
    "\"click\":[{\"after\":0.7,\"fire\":\"later-\"}]}]}}},"
    "\"B\":{\"screens\":{\"s\":{\"widgets\":["
    "{\"class\":\"Button\",\"id\":\"close\",\"text\":\"C\",\"click\":[{\"log\":\"close\"},{\"log\":"
    "\"close\"},{\"finish\":true}]},"
    "{\"class\":\"Button\",\"id\":\"fetch\",\"text\":\"F\",\"click\":[{\"fetch\":90000}]}]}}}}}";

/* The n-th gesture of a flow that depends only on the screens: one of the elements, now and then
 * back; a second waited before. Performed on both. False: it was a launch. */
static bool step(tac_device *device, tac_device *direct, unsigned n)
{
    const tac_ui *ui = NULL;
    REQUIRE_OK(tac_device_sleep(direct, 1, &sim_error));
    REQUIRE_OK(tac_device_sleep(device, 1, &sim_error));
    REQUIRE_OK(tac_device_snapshot(direct, 0, &ui, &sim_error));
    uint32_t clickable = 0, chosen = TAC_UI_NONE;
    for (uint32_t i = 0; i < ui->count; i++)
        clickable += tac_ui_gestures(&ui->nodes[i]) >> TAC_ACTION_CLICK & 1;
    uint32_t wanted = clickable && n % 6 ? n * 7 % clickable + 1 : 0;
    for (uint32_t i = 0; i < ui->count && wanted; i++)
        if (tac_ui_gestures(&ui->nodes[i]) & 1u << TAC_ACTION_CLICK && !--wanted)
            chosen = i;
    char *xpath = chosen == TAC_UI_NONE ? NULL : tac_ui_xpath(ui, chosen);
    tac_gesture gesture = {.kind = xpath ? TAC_ACTION_CLICK : TAC_ACTION_BACK,
                           .target = {.xpath = xpath}};
    bool launched = false;
    tac_device *const both[] = {direct, device};
    for (int i = 0; i < 2; i++) {
        tac_foreground now;
        REQUIRE_OK(tac_device_foreground(both[i], 0, &now, &sim_error));
        if (now.running && !strncmp(now.package, "com.example", 11)) {
            REQUIRE_OK(tac_device_perform(both[i], &gesture, 0, &sim_error));
            REQUIRE_OK(tac_device_settle(both[i], 0, &sim_error));
        } else {
            REQUIRE_OK(tac_device_launch(both[i], 0, &sim_error));
            launched = true;
        }
    }
    free(xpath);
    return !launched;
}

static double value_of(tac_device *device, const char *name)
{
    size_t count;
    double values[64];
    int64_t time;
    const tac_probe *probes = tac_device_probes(device, &count);
    REQUIRE_OK(tac_device_measure(device, 0, values, &time, &sim_error));
    for (size_t i = 0; i < count; i++)
        if (!strcmp(probes[i].name, name))
            return values[i];
    test_fail(__FILE__, __LINE__, "no probe is called %s", name);
    return NAN;
}

/* What rounding in Android's formats may take away. */
static const struct {
    const char *name;
    double rounding;
} common[] = {{"rxData", 0},         {"txData", 0}, {"energy", 0.5e-6 * 3.6 * 3.85 + 1e-9},
              {"power", 2e-6},       {"heap", 512}, {"cpuTime", 0.005 + 1e-9},
              {"responseTime", 1e-9}};

static void compare_probes(const char *app, unsigned android)
{
    adb_phone *phone = adb_start(app, android);
    tac_device *device = adb_device(phone), *direct = phone_of(app, "cafe", 1);
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    double received = 0;
    for (unsigned n = 1; n <= 20; n++) {
        bool gesture = step(device, direct, n);
        size_t count = sizeof common / sizeof *common;
        for (size_t i = 0; i < (gesture ? count : count - 1); i++) {
            double a = value_of(device, common[i].name), b = value_of(direct, common[i].name);
            if (!(fabs(a - b) <= common[i].rounding))
                test_fail(__FILE__, __LINE__, "%s on Android %u, step %u: %s is %.9g, not %.9g",
                          app, android, n, common[i].name, a, b);
        }
        received = value_of(device, "rxData");
    }
    CHECK(!strstr(app, "load") || received > 1e5);
    CHECK_NEAR(value_of(device, "pss"), value_of(device, "heap") + 20480 * 1024.0, 0.5);
    CHECK(value_of(device, "frames") > 0);
    CHECK(value_of(device, "jankyFrames") <= value_of(device, "frames"));
    CHECK(value_of(device, "slowestFrame") >= value_of(device, "frameTime90") - 0.001);
    CHECK(value_of(device, "launchTime") >= 0);
    CHECK_NEAR(value_of(device, "launchWait"), value_of(device, "launchTime") + 0.002, 1e-9);
    CHECK(isnan(value_of(device, "coldLaunch")) == (android < 10));
    tac_device_free(device);
    tac_device_free(direct);
    adb_stop(phone);
}

TEST(probes_agree_with_those_of_the_built_in_phone)
{
    NEED_ADB();
    for (unsigned android = 7; android <= 15; android++)
        compare_probes(test_write("load.json", load_app), android);
    compare_probes("notes.json", 9);
    compare_probes("quiz.json", 13);
}

TEST(battery_readings_add_up)
{
    NEED_ADB();
    adb_phone *phone = adb_start("notes.json", 0);
    tac_device *device = adb_device(phone);
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    double first = value_of(device, "batteryEnergy"), used = value_of(device, "energy");
    for (int i = 0; i < 10; i++) {
        REQUIRE_OK(tac_device_sleep(device, 1, &sim_error));
        value_of(device, "power");
    }
    double gauge = value_of(device, "batteryEnergy") - first;
    used = value_of(device, "energy") - used;
    CHECK(used > 1);
    CHECK_NEAR(gauge, used, 0.02 * used);
    tac_device_free(device);
    adb_stop(phone);
}

/* --- the log --- */

typedef TAC_VEC(char *) texts;

/* "TIME TAG MESSAGE" of every line that is there now. */
static void read_log(tac_device *device, texts *out)
{
    tac_log_line line;
    bool more = true;
    for (;;) {
        REQUIRE_OK(tac_device_log(device, &line, &more, &sim_error));
        if (!more)
            return;
        tac_str text = {0};
        tac_str_addf(&text, "%lld %s %s", (long long)(line.time / 1000), line.tag, line.message);
        tac_vec_push(out, tac_str_take(&text));
    }
}

static void compare_logs(texts *a, texts *b)
{
    CHECK_EQ(a->count, b->count);
    for (size_t i = 0; i < a->count && i < b->count; i++)
        CHECK_STR(a->at[i], b->at[i]);
    for (size_t i = 0; i < a->count; i++)
        free(a->at[i]);
    for (size_t i = 0; i < b->count; i++)
        free(b->at[i]);
    tac_vec_free(a);
    tac_vec_free(b);
}

/* adb's server sometimes waits for its own threads while it ends, for ever, and keeps its port: the
 * one with the port of this program is ended as processes are. */
static void end_stuck_server(void)
{
    char wanted[64];
    struct dirent *entry;
    DIR *all = opendir("/proc");
    REQUIRE(all != NULL);
    snprintf(wanted, sizeof wanted, "tcp:%s", getenv("ANDROID_ADB_SERVER_PORT"));
    while ((entry = readdir(all))) {
        char path[300], line[200] = "";
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        FILE *file = entry->d_name[0] >= '0' && entry->d_name[0] <= '9' ? fopen(path, "r") : NULL;
        size_t size = file ? fread(line, 1, sizeof line - 1, file) : 0;
        if (file)
            fclose(file);
        if (size && memmem(line, size, wanted, strlen(wanted) + 1) &&
            memmem(line, size, "fork-server", sizeof "fork-server"))
            kill((pid_t)atol(entry->d_name), SIGKILL);
    }
    closedir(all);
}

/* The port of the one that was killed may be taken for a moment. */
static void start_server(void)
{
    int code = -1;
    for (int i = 0; i < 50 && code != 0; i++) {
        code = adb_run("start-server", NULL, NULL);
        if (code == -1)
            end_stuck_server();
        if (code)
            usleep(100000);
    }
    CHECK_EQ(code, 0);
}

static void restart_server(const adb_phone *phone)
{
    CHECK_EQ(adb_run("kill-server", NULL, NULL), 0);
    start_server();
    adb_connect(phone);
}

TEST(no_line_of_the_log_is_lost_or_doubled_when_the_server_is_killed)
{
    NEED_ADB();
    const char *app = test_write("load.json", load_app);
    adb_phone *phone = adb_start(app, 0);
    tac_device *device = adb_device(phone), *direct = phone_of(app, "cafe", 1);
    texts through = {0}, expected = {0};
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    for (unsigned n = 1; n <= 40; n++) {
        step(device, direct, n);
        if (n % 3 == 0)
            read_log(device, &through);
        if (n % 10 == 0)
            restart_server(phone); /* with and without unread lines */
    }
    read_log(device, &through);
    read_log(direct, &expected);
    CHECK(expected.count > 30);
    printf("  %zu lines, the server killed four times\n", expected.count);
    compare_logs(&through, &expected);
    tac_device_free(device);
    tac_device_free(direct);
    adb_stop(phone);
}

/* Time stands still on the phone, so all lines have the time of the last that was seen. */
TEST(lines_of_one_instant_are_told_apart_by_their_count)
{
    NEED_ADB();
    adb_phone *phone = adb_start("notes.json", 0);
    tac_device *device = adb_device(phone);
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    texts through = {0}, expected = {0};
    read_log(device, &through);
    for (size_t i = 0; i < through.count; i++)
        free(through.at[i]);
    through.count = 0;
    struct adb_client client = adb_of(device)->client;
    struct adb_result result = {0};
    for (int n = 0; n < 6; n++) {
        char command[100];
        snprintf(command, sizeof command, "log -t Extra line %d; log -t Extra line %d", n, n);
        REQUIRE_OK(adb_shell(&client, "log", command, 10, &result, &sim_error));
        for (int twice = 0; twice < 2; twice++) {
            tac_str text = {0};
            tac_str_addf(&text, "Extra line %d", n);
            tac_vec_push(&expected, tac_str_take(&text));
        }
        if (n % 2)
            read_log(device, &through);
        restart_server(phone);
    }
    REQUIRE_OK(tac_device_sleep(device, 0, &sim_error)); /* so that a mark follows */
    read_log(device, &through);
    for (size_t i = 0; i < through.count; i++) {
        char *blank = strchr(through.at[i], ' ');
        memmove(through.at[i], blank + 1, strlen(blank));
    }
    compare_logs(&through, &expected);
    tac_str_free(&result.output);
    tac_device_free(device);
    adb_stop(phone);
}

/* The server is started again and the phone, which it does not know, connected. */
TEST(a_killed_server_comes_back_with_its_phone)
{
    NEED_ADB();
    adb_phone *phone = adb_start("notes.json", 0);
    tac_device *device = adb_device(phone);
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    const tac_ui *ui = NULL;
    adb_run("kill-server", NULL, NULL);
    REQUIRE_OK(tac_device_snapshot(device, 0, &ui, &sim_error));
    adb_run("disconnect", phone->serial, NULL);
    REQUIRE_OK(tac_device_snapshot(device, 0, &ui, &sim_error));
    tac_device_free(device);
    adb_run("kill-server", NULL, NULL);
    device = adb_device(phone); /* opening finds it too */
    tac_device_free(device);
    adb_stop(phone);
}

TEST(a_phone_that_is_gone_is_an_error_and_not_a_hang)
{
    NEED_ADB();
    adb_phone *phone = adb_start("notes.json", 0);
    tac_device *device = adb_device(phone);
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    kill(phone->process, SIGKILL);
    waitpid(phone->process, NULL, 0);
    phone->process = 0;
    const tac_ui *ui = NULL;
    CHECK_EQ(tac_device_snapshot(device, 1, &ui, &sim_error), TAC_E_DEVICE);
    CHECK_CONTAINS(sim_error.message, "snapshot: ");
    tac_device_free(device);
}

TEST(devices_opened_many_times_leave_nothing_behind)
{
    NEED_ADB();
    adb_phone *phone = adb_start("notes.json", 0);
    tac_device *device = adb_device(phone);
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    tac_device_free(device);
    size_t here = open_files(getpid()), there = open_files(phone->process);
    for (size_t i = 0; i < test_scale(100); i++) {
        tac_crash crash;
        device = adb_device(phone);
        REQUIRE_OK(tac_device_system(device, "background", 0, &sim_error));
        REQUIRE_OK(tac_device_system(device, "foreground", 0, &sim_error));
        REQUIRE_OK(tac_device_crash(device, &crash, &sim_error));
        CHECK(!crash.crashed);
        tac_device_free(device);
    }
    CHECK_EQ(open_files(getpid()), here);
    CHECK_EQ(open_files(phone->process), there);
    /* 64 streams at most: a stream that was not closed would have shown by now */
    device = adb_device(phone);
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    tac_device_free(device);
    adb_stop(phone);
}
