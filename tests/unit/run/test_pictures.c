/* Pictures that a campaign keeps: those that its model names, copied only from inside the model's
 * folder, and those of a device, once for each screen. */
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "explore/explore.h"
#include "run/kept/kept.h"
#include "run/kept/live.h"
#include "run/run.h"
#include "tactus_test.h"
#include <dirent.h>
#include <sys/stat.h>

static const char png[] = "\x89PNG\r\n\x1a\nrest", jpeg[] = "\xff\xd8\xff\xe0rest";

static char *in_folder(const char *folder, const char *name)
{
    return tac_format("%s/%s", folder, name);
}

static void write_bytes(const char *folder, const char *name, const char *data, size_t size)
{
    char *path = in_folder(folder, name);
    FILE *file = fopen(path, "wb");
    REQUIRE(file);
    CHECK_EQ(fwrite(data, 1, size, file), size);
    fclose(file);
    free(path);
}

/* How many files of the folder end so. */
static size_t count_files(const char *folder, const char *end)
{
    DIR *entries = opendir(folder);
    size_t count = 0;
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        size_t length = strlen(entry->d_name), tail = strlen(end);
        count += length > tail && !strcmp(entry->d_name + length - tail, end);
    }
    if (entries)
        closedir(entries);
    return count;
}

static tac_model *read_model(const char *folder, const char *states)
{
    char *text = tac_format("<interactionModel xmlns=\"urn:tactus:interaction-model:1\" name=\"m\">"
                            "<device name=\"d\"><application name=\"a\" package=\"p\" "
                            "external=\"true\"><activity name=\"A\" external=\"true\">"
                            "<stateMachine name=\"M\" external=\"true\"><initial to=\"S0\"/>%s"
                            "</stateMachine></activity></application></device></interactionModel>",
                            states);
    write_bytes(folder, "model.xml", text, strlen(text));
    char *path = in_folder(folder, "model.xml");
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_error err;
    tac_model_load(path, &findings, &model, &err);
    tac_diagnostics_free(&findings);
    free(path);
    free(text);
    return model;
}

TEST(pictures_of_a_model_come_from_its_folder_only)
{
    const char *top = test_temporary("top");
    REQUIRE(mkdir(top, 0777) == 0);
    char *inside = in_folder(top, "inside"), *kept = in_folder(top, "kept");
    char *deeper = in_folder(inside, "deep"), *fifo = in_folder(inside, "fifo");
    char *link = in_folder(inside, "link.png"), *way = in_folder(inside, "way");
    REQUIRE(mkdir(inside, 0777) == 0 && mkdir(kept, 0777) == 0 && mkdir(deeper, 0777) == 0);
    write_bytes(top, "secret.png", png, sizeof png);
    write_bytes(inside, "good.png", png, sizeof png);
    write_bytes(deeper, "good.jpg", jpeg, sizeof jpeg);
    write_bytes(inside, "text.png", "<svg onload=x>", 14);
    REQUIRE(symlink("../secret.png", link) == 0 && symlink("..", way) == 0 &&
            mkfifo(fifo, 0600) == 0);
    char *outside = tac_format(
        "<state name=\"S0\" image=\"good.png\"/><state name=\"S1\" image=\"deep/good.jpg\"/>"
        "<state name=\"S2\" image=\"../secret.png\"/><state name=\"S3\" image=\"%s/secret.png\"/>"
        "<state name=\"S4\" image=\"link.png\"/><state name=\"S5\" image=\"way/secret.png\"/>"
        "<state name=\"S6\" image=\"text.png\"/><state name=\"S7\" image=\"fifo\"/>"
        "<state name=\"S8\" image=\"deep\"/><state name=\"S9\" image=\"none.png\"/>"
        "<state name=\"SA\" image=\"deep/../../secret.png\"/><state name=\"SB\" image=\"deep/\"/>",
        top);
    tac_model *model = read_model(inside, outside);
    REQUIRE(model);
    char *path = in_folder(inside, "model.xml"), *screens = in_folder(kept, "screens");
    keep_model_pictures(kept, path, model);
    CHECK_EQ(count_files(screens, ".png"), 1);
    CHECK_EQ(count_files(screens, ".jpg"), 1);
    CHECK_EQ(count_files(screens, ".json"), 2);
    CHECK(has_picture(kept, "M/S0"));
    CHECK(has_picture(kept, "M/S1"));
    CHECK(!has_picture(kept, "M/S2"));
    tac_model_free(model);
    char *all[] = {inside, kept, deeper, fifo, link, way, outside, path, screens};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

TEST(random_runs_take_one_picture_a_screen)
{
    char uri[4200];
    snprintf(uri, sizeof uri, "sim:%s", test_source("examples/apps/tracker.json"));
    for (int wanted = 0; wanted < 2; wanted++) {
        tac_run_options options = {.devices = &(tac_run_device){.uri = uri},
                                   .device_count = 1,
                                   .folder = test_temporary(wanted ? "with" : "without"),
                                   .monkey = 4,
                                   .monkey_steps = 12,
                                   .pictures = wanted,
                                   .seed = 1};
        tac_run_summary *summary;
        tac_error err;
        REQUIRE(tac_run_campaign(&options, &summary, &err) == TAC_OK);
        char *screens = in_folder(options.folder, "screens");
        size_t known = count_files(screens, ".json");
        CHECK(known > 2);
        CHECK_EQ(count_files(screens, ".png"), wanted ? known : 0);
        free(screens);
        tac_run_summary_free(summary);
    }
}

TEST(an_explored_model_names_a_picture_of_every_state)
{
    char uri[4200];
    snprintf(uri, sizeof uri, "sim:%s", test_source("examples/apps/player.json"));
    tac_device *device;
    tac_exploration *found;
    tac_error err;
    REQUIRE(tac_device_open(uri, NULL, &device, &err) == TAC_OK);
    tac_explore_options options = {.pictures = test_temporary("pictures"), .picture_prefix = "p/"};
    REQUIRE(tac_explore(device, &options, NULL, &found, &err) == TAC_OK);
    const tac_model *model = tac_exploration_model(found);
    tac_names files = {0};
    for (uint32_t n = 0; n < model->node_count; n++) {
        if (model->nodes[n].kind != TAC_NODE_STATE)
            continue;
        REQUIRE(model->nodes[n].image != TAC_MODEL_NONE);
        const char *image = model->notes[model->nodes[n].image];
        CHECK(!strncmp(image, "p/", 2));
        char *path = in_folder(options.pictures, image + 2);
        CHECK(access(path, R_OK) == 0);
        free(path);
        tac_names_intern(&files, image);
    }
    CHECK_EQ(files.count, count_files(options.pictures, ".png"));
    tac_names_free(&files);
    tac_exploration_free(found);
    tac_device_free(device);
}

TEST(who_watches_does_not_see_what_was_typed)
{
    const char *folder = test_temporary("watched");
    REQUIRE(mkdir(folder, 0777) == 0);
    struct live_view live = {0};
    live_see(&live, NULL); /* nobody watches */
    live_open(&live, folder, 3);
    tac_ui *ui = tac_ui_new(0);
    tac_ui_node field = {.text = "secret",
                         .resource_id = "",
                         .class_name = "android.widget.EditText",
                         .package = "",
                         .description = "hint",
                         .right = 100,
                         .bottom = 20};
    tac_ui_node label = field;
    label.text = "Sign in";
    label.class_name = "android.widget.TextView";
    tac_ui_add(ui, tac_ui_add(ui, TAC_UI_NONE, &label), &field);
    live_see(&live, ui);
    live_tell(&live, json_pack("{s:i}", "run", 7));
    char *path = in_folder(folder, "live/3.json"), text[2000] = "";
    FILE *file = fopen(path, "r");
    REQUIRE(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK_CONTAINS(text, "Sign in");
    CHECK_CONTAINS(text, "\"field\"");
    CHECK(!strstr(text, "secret"));
    live_close(&live);
    CHECK(access(path, F_OK) != 0);
    live_clean(folder);
    tac_ui_free(ui);
    free(path);
}
