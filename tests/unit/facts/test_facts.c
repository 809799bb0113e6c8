/* The page of a file: its kind, what is said where a file is cut, and what is refused. */
#include "base/io/input.h"
#include "facts/facts.h"
#include "tactus_test.h"
#include <stdlib.h>

static bool stop(tac_watch *watch, const char *what, uint64_t done, uint64_t total)
{
    (void)watch, (void)what, (void)done, (void)total;
    return false;
}

static const tac_fact *row(const tac_facts *facts, const char *name)
{
    size_t count;
    const tac_fact *at = tac_facts_at(facts, &count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(at[i].name, name))
            return &at[i];
    return NULL;
}

TEST(a_watch_that_says_stop_is_heard)
{
    tac_watch watch = {stop};
    tac_facts *facts = NULL;
    CHECK_EQ(tac_facts_read(test_source("examples/traces/battery.txt"), NULL, &watch, &facts, NULL),
             TAC_E_INTERRUPTED);
    CHECK(facts == NULL);
}

TEST(what_no_kind_knows_is_an_error)
{
    tac_facts *facts = NULL;
    tac_error err;
    CHECK_EQ(tac_facts_read(test_write("odd", "odd"), NULL, NULL, &facts, &err), TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "not of a known kind");
    CHECK_EQ(tac_facts_read(test_write("odd", "odd"), "odd", NULL, &facts, &err), TAC_E_USAGE);
    CHECK_EQ(tac_facts_read(test_write("empty", ""), NULL, NULL, &facts, &err), TAC_E_INPUT);
    CHECK_EQ(tac_facts_read(test_source("examples"), NULL, NULL, &facts, &err), TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "is a folder");
    CHECK(facts == NULL);
}

TEST(texts_of_other_encodings_are_read)
{
    static const char *const plain[] = {"Battery History (1):\n 0 (1) 042 +screen\n\n",
                                        "Total frames rendered: 544\nJanky frames: 242 (44.56%)\n"};
    static const char *const rows[] = {"events", "janky"}, *const texts[] = {"screen 1",
                                                                             "242 (44.5 %)"};
    for (size_t k = 0; k < 2; k++) {
        char wide[400] = "\xff\xfe";
        size_t length = strlen(plain[k]);
        for (size_t i = 0; i < length; i++)
            wide[2 + 2 * i] = plain[k][i];
        const char *path = test_temporary("wide");
        FILE *file = fopen(path, "w");
        REQUIRE(file && fwrite(wide, 1, 2 + 2 * length, file) == 2 + 2 * length && !fclose(file));
        tac_facts *facts = NULL;
        REQUIRE(!tac_facts_read(path, NULL, NULL, &facts, NULL));
        REQUIRE(row(facts, rows[k]) != NULL);
        CHECK_STR(row(facts, rows[k])->text, texts[k]);
        tac_facts_free(facts);
    }
}

/* What comes before the damage stays; what is damaged is said. */
TEST(a_trace_that_is_damaged_has_the_states_before_the_damage)
{
    const char *path = test_write("cut.csv", "t,load\n0,1\n1,2\n2,3\n3,4\n4,\"5\n");
    tac_facts *facts = NULL;
    size_t count;
    REQUIRE(!tac_facts_read(path, NULL, NULL, &facts, NULL));
    CHECK_STR(tac_facts_kind(facts), "csv");
    REQUIRE(row(facts, "states") != NULL);
    CHECK_EQ(row(facts, "states")->number, 4);
    tac_facts_warnings(facts, &count);
    CHECK_EQ(count, 1);
    tac_facts_free(facts);
}

/* Every file of the public traces is of the kind of its folder, and its page is not empty. */
TEST(public_traces_are_of_their_kind)
{
    static const char *const kinds[][2] = {
        {"batterystats/", "batterystats"}, {"pcap/", "capture"},        {"har/", "har"},
        {"chrome-json/", "chrome"},        {"perfetto/", "perfetto"},   {"systrace/", "systrace"},
        {"browser/firefox", "firefox"},    {"browser/safari", "safari"}};
    const char *path = test_corpus("traces/expected.tsv");
    if (!path)
        SKIP("the public corpus is not here (TACTUS_CORPUS)");
    char *table, before[256] = "", name[300];
    size_t size, files = 0;
    REQUIRE(!tac_input_slurp(path, 1 << 26, &table, &size, NULL));
    for (char *line = table, *next; line < table + size; line = next) {
        next = line + strcspn(line, "\n") + 1;
        line[strcspn(line, "\t\n")] = '\0';
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds && strcmp(line, before); i++) {
            if (strncmp(line, kinds[i][0], strlen(kinds[i][0])) != 0)
                continue;
            tac_facts *facts = NULL;
            size_t rows;
            snprintf(name, sizeof name, "traces/%s", line);
            REQUIRE(!tac_facts_read(test_corpus(name), NULL, NULL, &facts, NULL));
            CHECK_STR(tac_facts_kind(facts), kinds[i][1]);
            tac_facts_at(facts, &rows);
            CHECK(rows > 0 && rows < 60);
            tac_facts_free(facts);
            files++;
        }
        snprintf(before, sizeof before, "%s", line);
    }
    printf("  %zu files\n", files);
    CHECK(files > 20);
    free(table);
}
