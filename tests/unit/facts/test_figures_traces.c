/* Every value that other tools computed for the public traces (expected.tsv: file, key, value; a
 * key may stand several times), against what the readers find. */
#include "figures/figures.h"
#include "tactus_test.h"
#include <inttypes.h>

/* Folders of the table whose kinds have a reader. */
static const char *const folders[] = {"batterystats/", "pcap/",     "browser/", "har/",
                                      "chrome-json/",  "perfetto/", "systrace/"};

struct loaded {
    char file[256];
    struct figures *facts;
};

static bool is_covered(const char *file)
{
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (!strncmp(file, folders[i], strlen(folders[i])))
            return true;
    return false;
}

static const struct figures *figures_of(struct loaded *loaded, const char *file)
{
    if (loaded->facts && !strcmp(loaded->file, file))
        return loaded->facts;
    figures_free(loaded->facts);
    loaded->facts = NULL;
    snprintf(loaded->file, sizeof loaded->file, "%s", file);
    char name[300];
    tac_error err = {0};
    snprintf(name, sizeof name, "traces/%s", file);
    const char *path = test_corpus(name);
    if (!path || figures_read(path, NULL, NULL, &loaded->facts, &err))
        test_fail(__FILE__, __LINE__, "%s: %s", file, path ? err.message : "not there");
    return loaded->facts;
}

static const char *text_of(const struct figure *fact, char *buffer, size_t size)
{
    if (fact->text)
        return fact->text;
    snprintf(buffer, size, "%" PRId64, fact->number);
    return buffer;
}

/* Is the value among those of its name? */
static void check_row(const struct figures *facts, const char *file, const char *key,
                      const char *value)
{
    size_t count;
    const struct figure *at = figures_at(facts, &count);
    const char *near = "(absent)";
    char buffer[32];
    for (size_t i = 0; i < count; i++)
        if (!strcmp(at[i].name, key)) {
            near = text_of(&at[i], buffer, sizeof buffer);
            if (!strcmp(near, value))
                return;
        }
    test_fail(__FILE__, __LINE__, "%s %s: %s, not %s", file, key, near, value);
}

TEST(every_expected_value)
{
    const char *path = test_corpus("traces/expected.tsv");
    if (!path)
        SKIP("the public corpus is not here (TACTUS_CORPUS)");
    FILE *table = fopen(path, "r");
    REQUIRE(table != NULL);
    char *line = NULL;
    size_t capacity = 0, rows = 0;
    struct loaded loaded = {0};
    for (bool head = true; getline(&line, &capacity, table) > 0; head = false) {
        line[strcspn(line, "\n")] = '\0';
        char *key = strchr(line, '\t'), *value = key ? strchr(key + 1, '\t') : NULL;
        if (head || !value)
            continue;
        *key++ = '\0';
        *value++ = '\0';
        if (!is_covered(line))
            continue;
        const struct figures *facts = figures_of(&loaded, line);
        if (facts)
            check_row(facts, line, key, value);
        rows++;
    }
    printf("  %zu values compared\n", rows);
    CHECK(rows > 0);
    figures_free(loaded.facts);
    free(line);
    fclose(table);
}

static bool stop(tac_watch *watch, const char *what, uint64_t done, uint64_t total)
{
    (void)watch, (void)what, (void)done, (void)total;
    return false;
}

TEST(a_watch_that_says_stop_is_heard)
{
    tac_watch watch = {stop};
    struct figures *facts = NULL;
    CHECK_EQ(figures_read(test_source("examples/traces/battery.txt"), NULL, &watch, &facts, NULL),
             TAC_E_INTERRUPTED);
    CHECK(facts == NULL);
}

TEST(what_no_kind_knows_is_an_error)
{
    struct figures *facts = NULL;
    tac_error err;
    CHECK_EQ(figures_read(test_write("odd", "odd"), NULL, NULL, &facts, &err), TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "not of a known kind");
    CHECK_EQ(figures_read(test_write("odd", "odd"), "odd", NULL, &facts, &err), TAC_E_USAGE);
    CHECK_EQ(figures_read(test_write("empty", ""), NULL, NULL, &facts, &err), TAC_E_INPUT);
}

TEST(texts_of_other_encodings_are_read)
{
    static const char plain[] = "Battery History (1):\n 0 (1) 042 +screen\n\n";
    char wide[200] = "\xff\xfe";
    size_t length = sizeof plain - 1;
    for (size_t i = 0; i < length; i++)
        wide[2 + 2 * i] = plain[i];
    const char *path = test_temporary("wide");
    FILE *file = fopen(path, "w");
    REQUIRE(file && fwrite(wide, 1, 2 + 2 * length, file) == 2 + 2 * length && !fclose(file));
    struct figures *facts = NULL;
    REQUIRE(!figures_read(path, NULL, NULL, &facts, NULL));
    check_row(facts, "wide", "records", "1");
    check_row(facts, "wide", "flags", "+screen:1");
    figures_free(facts);
}
