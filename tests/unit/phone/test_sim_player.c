/* The music player on the built-in phone: the paper's case study (interaction-model paper, section
 * 6). */
#include "sim_testing.h"

/* Requirement 3's test case: select a song, listen, skip to the next, listen, pause. Returns the kB
 * received between StartPlaying and PausePlaying. */
static double song_and_skip(const char *scenario, uint64_t seed)
{
    tac_device *phone = phone_of("player.json", scenario, seed);
    CLICK(phone, "select_category");
    CLICK(phone, "select_genre");
    double before = probe(phone, "rxData");
    CLICK(phone, "select_song");
    REQUIRE_OK(tac_device_sleep(phone, 120, &sim_error));
    CLICK(phone, "full_screen");
    CLICK(phone, "skip_next");
    REQUIRE_OK(tac_device_sleep(phone, 120, &sim_error));
    CLICK(phone, "play_pause");
    double received = probe(phone, "rxData") - before;
    tac_device_free(phone);
    return received / 1000;
}

TEST(pedestrian_stays_under_8000_kB_festival_and_cafe_go_over)
{
    for (uint64_t seed = 1; seed <= test_scale(40); seed++) {
        CHECK(song_and_skip("pedestrian", seed) < 8000);
        CHECK(song_and_skip("festival", seed) > 8000);
        CHECK(song_and_skip("cafe", seed) > 8000);
    }
}

/* "MS,DOWN,UP" is the scenario file that says the same. */
TEST(a_network_by_its_figures_is_a_scenario)
{
    char path[4096];
    snprintf(path, sizeof path, "%s",
             test_write("network.json",
                        "{\"tactus-scenario\": 1, \"segments\": [{\"seconds\": 3600, "
                        "\"down\": 900, \"up\": 300, \"delay\": 0.05, "
                        "\"jitter\": 0, \"loss\": 0}]}"));
    CHECK(song_and_skip("100,900,300", 3) == song_and_skip(path, 3));
    CHECK(song_and_skip("100,60,60", 3) < song_and_skip(path, 3));
    static const char *const wrong[] = {"100,900",         "100,900,300,1", "-1,900,300",
                                        "100,900,300kbit", "100,nan,300",   "1e9,900,300"};
    char uri[4096];
    snprintf(uri, sizeof uri, "sim:%s", test_source("examples/apps/player.json"));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tac_device_options options = {.scenario = wrong[i]};
        tac_device *phone;
        CHECK_EQ(tac_device_open(uri, &options, &phone, &sim_error), TAC_E_INPUT);
    }
}

/* The bytes come from packets: with more loss more is received for the same two songs, and
 * somewhere the verdict flips, once. */
TEST(a_sweep_of_the_loss_flips_the_verdict)
{
    double last = 0;
    int flips = 0;
    for (int permille = 0; permille <= 60; permille += 5) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"tactus-scenario\": 1, \"segments\": [{\"seconds\": 100, \"down\": 8000, "
                 "\"up\": 2000, \"delay\": 0.03, \"jitter\": 0.01, \"loss\": %g}]}",
                 permille / 1000.0);
        char path[4096];
        snprintf(path, sizeof path, "%s", test_write("sweep.json", text));
        double sum = 0;
        for (uint64_t seed = 1; seed <= 8; seed++)
            sum += song_and_skip(path, seed) / 8;
        if (permille == 0)
            CHECK(sum < 7500);
        CHECK(sum > last - 60);
        flips += permille > 0 && (last < 8000) != (sum < 8000);
        last = sum;
    }
    CHECK(last > 8000);
    CHECK_EQ(flips, 1);
}

TEST(playing_media_blocks_the_hierarchy_until_paused)
{
    tac_device *phone = phone_of("player.json", NULL, 1);
    const tac_ui *ui = NULL;
    CLICK(phone, "select_category");
    CLICK(phone, "select_genre");
    REQUIRE_OK(tac_device_snapshot(phone, 0, &ui, &sim_error));
    CLICK(phone, "select_song");
    CHECK_EQ(tac_device_snapshot(phone, 0, &ui, &sim_error), TAC_E_LIMIT);
    CHECK_CONTAINS(sim_error.message, "could not get idle state");
    REQUIRE_OK(tac_device_system(phone, "media-pause", 0, &sim_error));
    REQUIRE_OK(tac_device_snapshot(phone, 0, &ui, &sim_error));
    tac_device_free(phone);
}

TEST(the_log_announces_start_and_pause_in_threadtime_format)
{
    tac_device *phone = phone_of("player.json", NULL, 1);
    CLICK(phone, "select_category");
    CLICK(phone, "select_genre");
    CLICK(phone, "select_song");
    CLICK(phone, "play_pause");
    tac_log_line line;
    bool more = true;
    char events[256] = "";
    while (more) {
        REQUIRE_OK(tac_device_log(phone, &line, &more, &sim_error));
        if (!more || strcmp(line.tag, TAC_LOG_EVENT_TAG) != 0)
            continue;
        int month, day, hour, minute, pid, tid;
        float second;
        char level;
        CHECK_EQ(sscanf(line.raw, "%d-%d %d:%d:%f %d %d %c", &month, &day, &hour, &minute, &second,
                        &pid, &tid, &level),
                 8);
        strcat(strcat(events, line.message), " ");
    }
    CHECK_STR(events, "StartPlaying PausePlaying ");
    tac_device_free(phone);
}

TEST(activities_come_back_as_on_android)
{
    tac_device *phone = phone_of("player.json", NULL, 1);
    CHECK_STR(activity_of(phone), "MusicPlayerActivity");
    CLICK(phone, "open_menu");
    CLICK(phone, "playlists");
    CHECK_STR(activity_of(phone), "PlaceholderActivity");
    CLICK(phone, "open_menu");
    CLICK(phone, "all_music"); /* clear-top: the old instance again, nothing on top of it */
    CHECK_STR(activity_of(phone), "MusicPlayerActivity");
    BACK(phone);
    CHECK_STR(activity_of(phone), "");
    tac_device_free(phone);
}

TEST(energy_and_traffic_grow_while_a_song_plays)
{
    tac_device *phone = phone_of("player.json", "pedestrian", 3);
    CLICK(phone, "select_category");
    CLICK(phone, "select_genre");
    double idle = probe(phone, "energy");
    REQUIRE_OK(tac_device_sleep(phone, 60, &sim_error));
    idle = probe(phone, "energy") - idle;
    CLICK(phone, "select_song");
    double playing = probe(phone, "energy"), rx = probe(phone, "rxData");
    REQUIRE_OK(tac_device_sleep(phone, 60, &sim_error));
    playing = probe(phone, "energy") - playing;
    CHECK(playing > idle * 1.2);
    CHECK(probe(phone, "rxData") > rx + 3e6);
    CHECK(probe(phone, "power") > 0.9);
    CHECK(probe(phone, "heap") > 31e6);
    tac_device_free(phone);
}
