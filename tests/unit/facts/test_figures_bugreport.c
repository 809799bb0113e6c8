/* Bug reports, made of public parts: what is said of a part inside the report is what is said of it
 * alone, zipped or not. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/io/input.h"
#include "figures/figures.h"
#include "tactus_test.h"
#include <zip.h>

static const struct {
    const char *head, *file, *name;
} parts[] = {
    {"------ SYSTEM LOG (logcat -v threadtime -d *:v) ------", "logcat/threadtime_crash_music.txt",
     "log"},
    {"DUMP OF SERVICE batterystats:", "batterystats/pixel.txt", "battery"},
    {"DUMP OF SERVICE CRITICAL meminfo:", "meminfo/", "meminfo"},
};

static const char *const meminfo = "Applications Memory Usage (in Kilobytes):\n"
                                   "Uptime: 1000 Realtime: 2000\n\n"
                                   "Total PSS by process:\n"
                                   "    353,574K: com.app (pid 3794 / activities)\n"
                                   "    101,000K: system (pid 12)\n\n";

static char *part_text(size_t part)
{
    char name[200], *text;
    size_t size;
    if (part == 2)
        return tac_strdup(meminfo);
    snprintf(name, sizeof name, "android/%s", parts[part].file);
    const char *path = test_corpus(name);
    return path && !tac_input_slurp(path, 1 << 26, &text, &size, NULL) ? text : NULL;
}

/* Every value of the part alone is a value of the report. */
static size_t compare(const struct figures *report, const char *text, const char *prefix)
{
    struct figures *alone = NULL;
    size_t count, whole, same = 0;
    REQUIRE(!figures_read(test_write("part", text), NULL, NULL, &alone, NULL));
    const struct figure *at = figures_at(alone, &count), *all = figures_at(report, &whole);
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        char name[200];
        snprintf(name, sizeof name, "%s.%s", prefix, at[i].name);
        for (size_t k = 0; k < whole && !found; k++)
            found = !strcmp(all[k].name, name) && !all[k].text == !at[i].text &&
                    (at[i].text ? !strcmp(all[k].text, at[i].text) : all[k].number == at[i].number);
        if (!found)
            test_fail(__FILE__, __LINE__, "%s: not in the report", name);
        same += found;
    }
    figures_free(alone);
    return same;
}

static void pack(const char *path, const char *text, size_t length)
{
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    REQUIRE(zip != NULL);
    zip_file_add(zip, "main_entry.txt", zip_source_buffer(zip, "bugreport-x.txt", 15, 0), 0);
    zip_file_add(zip, "bugreport-x.txt", zip_source_buffer(zip, text, length, 0), 0);
    zip_file_add(zip, "FS/data/anr/much.txt", zip_source_buffer(zip, text, length, 0), 0);
    REQUIRE(!zip_close(zip));
}

TEST(parts_of_a_report_are_read_as_they_are_alone)
{
    tac_str text = {.cap = 1 << 26};
    char *texts[3];
    tac_str_add(&text, "========\n== dumpstate: 2020-11-10 06:40:00\n========\n");
    for (size_t i = 0; i < 3; i++) {
        texts[i] = part_text(i);
        if (!texts[i])
            SKIP("the public corpus is not here (TACTUS_CORPUS)");
        tac_str_addf(&text, "%s\n%s%s", parts[i].head, texts[i],
                     "------ 0.1s was the duration of 'X' ------\n");
    }
    const char *path = test_temporary("report.zip");
    pack(path, tac_str_text(&text), text.length);
    for (int zipped = 0; zipped < 2; zipped++) {
        struct figures *report = NULL;
        size_t same = 0;
        REQUIRE(!figures_read(zipped ? path : test_write("report.txt", tac_str_text(&text)), NULL,
                              NULL, &report, NULL));
        CHECK_STR(figures_kind(report), "bugreport");
        for (size_t i = 0; i < 3; i++)
            same += compare(report, texts[i], parts[i].name);
        printf("  %zu values compared\n", same);
        CHECK(same > 40);
        figures_free(report);
    }
    for (size_t i = 0; i < 3; i++)
        free(texts[i]);
    tac_str_free(&text);
}

/* `atrace -z` says of a text what the plain text says. */
TEST(packed_text_is_read_as_plain_text)
{
    struct figures *facts = NULL;
    size_t count;
    REQUIRE(!figures_read(test_source("tests/fuzz/corpus/facts/systrace-packed"), NULL, NULL,
                          &facts, NULL));
    const struct figure *at = figures_at(facts, &count);
    CHECK_STR(figures_kind(facts), "systrace");
    CHECK_STR(at[0].name, "event_lines");
    CHECK_EQ(at[0].number, 6);
    figures_free(facts);
}
