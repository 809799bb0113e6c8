/* Kept screens: the earliest run's, whichever worker comes first. */
#include "run/kept/kept.h"
#include "tactus_test.h"
#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { WORKERS = 4, KEPT_RUNS = 200 };

static void keep(const char *folder, int64_t run, const char *text)
{
    tac_ui *ui = tac_ui_new(0);
    tac_ui_node node = {.text = text,
                        .resource_id = "",
                        .class_name = "android.widget.TextView",
                        .package = "",
                        .description = ""};
    tac_ui_add(ui, TAC_UI_NONE, &node);
    keep_screen(folder, run, "Home#1", "Home", ui);
    tac_ui_free(ui);
}

/* The only kept screen. */
static void read_kept(const char *folder, char *text, size_t size)
{
    char path[600];
    snprintf(path, sizeof path, "%s/screens", folder);
    DIR *entries = opendir(path);
    REQUIRE(entries);
    text[0] = '\0';
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_name[0] == '.')
            continue;
        CHECK(!text[0]);
        snprintf(path, sizeof path, "%s/screens/%s", folder, entry->d_name);
        FILE *file = fopen(path, "r");
        REQUIRE(file);
        text[fread(text, 1, size - 1, file)] = '\0';
        fclose(file);
    }
    closedir(entries);
}

static void remove_kept(const char *folder)
{
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CHECK_EQ(system(command), 0);
}

TEST(the_earliest_run_s_screen_is_kept)
{
    char folder[] = "/tmp/tactus-kept-XXXXXX", text[2000];
    REQUIRE(mkdtemp(folder));
    keep(folder, 5, "five");
    keep(folder, 5, "five again");
    keep(folder, 7, "seven");
    read_kept(folder, text, sizeof text);
    CHECK(strstr(text, "\"five\""));
    keep(folder, 2, "two");
    keep(folder, 3, "three");
    read_kept(folder, text, sizeof text);
    CHECK(strstr(text, "\"run\":2,") && strstr(text, "\"two\""));
    remove_kept(folder);
}

TEST(workers_at_once_keep_the_earliest_run_s_screen)
{
    char folder[] = "/tmp/tactus-kept-XXXXXX", text[2000];
    REQUIRE(mkdtemp(folder));
    for (int worker = 0; worker < WORKERS; worker++)
        if (fork() == 0) {
            for (int run = KEPT_RUNS; run-- > 0;) {
                char shown[20];
                snprintf(shown, sizeof shown, "run %d", run * WORKERS + worker);
                keep(folder, run * WORKERS + worker, shown);
            }
            _exit(0);
        }
    for (int worker = 0; worker < WORKERS; worker++) {
        int ended;
        CHECK(wait(&ended) > 0 && ended == 0);
    }
    read_kept(folder, text, sizeof text);
    CHECK(strstr(text, "\"run\":0,") && strstr(text, "\"run 0\""));
    remove_kept(folder);
}
