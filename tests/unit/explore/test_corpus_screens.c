/* Real UI hierarchies (the corpus's ui folder): every node has an XPath that finds it and nothing
 * else, and the matching criterion takes two dumps of one screen for one, and different screens for
 * different ones.
 *
 * The corpus has one dump per screen, so the second dumps are made: they differ in what changes
 * from one dump to the next while nobody touches the phone (bounds, focus, selection, check marks,
 * texts and descriptions of what cannot be edited, such as clocks and counters). Different screens
 * are made by one change of what the criterion compares. */
#include "base/data/random.h"
#include "explore/screen_class.h"
#include "tactus_test.h"
#include <dirent.h>

typedef void (*screen_check)(const char *name, const tac_ui *ui);

static tac_ui *read_screen(const char *path)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    char *text = malloc(1 << 24);
    size_t size = fread(text, 1, 1 << 24, file);
    fclose(file);
    tac_ui *ui = NULL;
    tac_error err;
    if (tac_ui_from_xml(path, text, size, &ui, &err))
        test_fail(__FILE__, __LINE__, "%s: %s", path, err.message);
    free(text);
    return ui;
}

static void for_all_screens(screen_check check)
{
    const char *found = test_corpus("ui");
    char *folder = found ? strdup(found) : NULL;
    DIR *entries = folder ? opendir(folder) : NULL;
    unsigned count = 0;
    if (!entries)
        SKIP("the public corpus is absent");
    for (struct dirent *e; (e = readdir(entries));) {
        if (!strstr(e->d_name, ".xml"))
            continue;
        tac_ui *ui = read_screen(test_path(folder, e->d_name));
        count++;
        if (ui)
            check(e->d_name, ui);
        tac_ui_free(ui);
    }
    closedir(entries);
    free(folder);
    CHECK(count > 0);
}

static void check_paths(const char *name, const tac_ui *ui)
{
    unsigned actionable = 0;
    bool *marks = calloc(ui->count, sizeof *marks);
    for (uint32_t i = 0; i < ui->count; i++) {
        tac_error err;
        char *xpath = tac_ui_xpath(ui, i);
        uint32_t found = TAC_UI_NONE, selected = 0;
        CHECK_EQ(tac_ui_find(ui, &(tac_selector){.xpath = xpath}, &found, &err), TAC_OK);
        CHECK_EQ(found, i);
        memset(marks, 0, ui->count * sizeof *marks);
        CHECK_EQ(tac_ui_mark(ui, xpath, marks, &err), TAC_OK);
        for (uint32_t k = 0; k < ui->count; k++)
            selected += marks[k];
        if (selected != 1)
            test_fail(__FILE__, __LINE__, "%s: %s selects %u nodes", name, xpath, selected);
        actionable += tac_ui_gestures(&ui->nodes[i]) != 0;
        free(xpath);
    }
    CHECK(actionable > 0);
    printf("  %s: %u nodes, %u actionable, each found by its XPath alone\n", name, ui->count,
           actionable);
    free(marks);
}

TEST(every_node_has_a_path_of_its_own)
{
    for_all_screens(check_paths);
}

/* --- two dumps of one screen, and of two --- */

typedef void (*change)(tac_random *random, tac_ui_node *node, uint32_t which, uint32_t i);

/* The screen once more, each node changed by `edit`, written and read as a dump is; `without` and
 * its descendants are left out. */
static tac_ui *again(const tac_ui *ui, tac_random *random, change edit, uint32_t which,
                     uint32_t without)
{
    tac_ui *copy = tac_ui_new(ui->rotation);
    uint32_t *place = calloc(ui->count, sizeof *place);
    for (uint32_t i = 0; i < ui->count; i++) {
        tac_ui_node node = ui->nodes[i];
        uint32_t parent = node.parent == TAC_UI_NONE ? TAC_UI_NONE : place[node.parent];
        bool gone = i == without || (node.parent != TAC_UI_NONE && parent == TAC_UI_NONE);
        if (edit)
            edit(random, &node, which, i);
        place[i] = gone ? TAC_UI_NONE : tac_ui_add(copy, parent, &node);
    }
    free(place);
    char *xml = tac_ui_to_xml(copy);
    tac_ui *out = NULL;
    tac_error err;
    CHECK_EQ(tac_ui_from_xml("again", xml, strlen(xml), &out, &err), TAC_OK);
    free(xml);
    tac_ui_free(copy);
    return out;
}

static bool alike(const tac_ui *a, const tac_ui *b, const char *activity)
{
    tac_str one = {0}, two = {0};
    screen_class(a, "Main", 1000, &one);
    screen_class(b, activity, 1000, &two);
    bool same = !strcmp(tac_str_text(&one), tac_str_text(&two));
    tac_str_free(&one);
    tac_str_free(&two);
    return same;
}

static void as_time_passes(tac_random *random, tac_ui_node *n, uint32_t which, uint32_t i)
{
    static const char *const texts[] = {"",     "12:04",       "12:05", "3 new messages",
                                        "47 %", "\xe2\x9c\xa8"};
    int32_t by = (int32_t)tac_random_below(random, 200) - 100;
    (void)which;
    (void)i;
    n->left += by;
    n->right += by;
    n->top += by / 2;
    n->bottom += by / 2;
    n->flags ^= (uint32_t)tac_random_below(random, 2) * TAC_UI_FOCUSED;
    n->flags ^= (uint32_t)tac_random_below(random, 2) * TAC_UI_SELECTED;
    n->flags ^= (uint32_t)tac_random_below(random, 2) * TAC_UI_CHECKED;
    if (!(n->flags & TAC_UI_EDITABLE) && tac_random_below(random, 2))
        n->text = texts[tac_random_below(random, 6)];
    if (tac_random_below(random, 2))
        n->description = texts[tac_random_below(random, 6)];
}

/* One thing that the criterion compares, of node `which`. */
static void otherwise(tac_random *random, tac_ui_node *n, uint32_t which, uint32_t i)
{
    static const uint32_t flags[] = {TAC_UI_CHECKABLE, TAC_UI_CLICKABLE, TAC_UI_ENABLED,
                                     TAC_UI_SCROLLABLE, TAC_UI_LONG_CLICKABLE};
    if (i != which)
        return;
    uint64_t kind = tac_random_below(random, n->flags & TAC_UI_EDITABLE ? 9 : 8);
    if (kind < 5)
        n->flags ^= flags[kind];
    else if (kind == 5)
        n->resource_id = "com.example:id/another";
    else if (kind == 6)
        n->class_name = "android.widget.Switch";
    else if (kind == 7)
        n->package = "com.example.another";
    else
        n->text = "another text";
}

static void check_dumps(const char *name, const tac_ui *ui)
{
    size_t tries = test_scale(400), same = 0, told = 0, others = 0;
    tac_random random;
    tac_random_seed(&random, 10);
    for (size_t i = 0; i < tries; i++) {
        tac_ui *second = again(ui, &random, as_time_passes, 0, TAC_UI_NONE);
        same += alike(ui, second, "Main");
        tac_ui_free(second);
    }
    for (uint32_t i = 0; i < ui->count; i++) {
        tac_ui *changed = again(ui, &random, otherwise, i, TAC_UI_NONE);
        tac_ui *smaller = again(ui, &random, NULL, 0, i);
        told += !alike(ui, changed, "Main");
        told += !alike(ui, smaller, "Main");
        others += 2;
        tac_ui_free(changed);
        tac_ui_free(smaller);
    }
    CHECK(!alike(ui, ui, "Settings"));
    CHECK_EQ(same, tries);
    CHECK_EQ(told, others);
    printf("  %s: %zu of %zu second dumps are the same screen, %zu of %zu other screens differ\n",
           name, same, tries, told, others);
}

TEST(two_dumps_of_one_screen_are_one_screen)
{
    for_all_screens(check_dumps);
}

static tac_ui *first_screen;
static unsigned compared, confused;

static void check_pair(const char *name, const tac_ui *ui)
{
    (void)name;
    if (!first_screen) {
        tac_random random;
        tac_random_seed(&random, 1);
        first_screen = again(ui, &random, NULL, 0, TAC_UI_NONE);
        return;
    }
    compared++;
    confused += alike(first_screen, ui, "Main");
}

TEST(screens_of_different_apps_differ)
{
    for_all_screens(check_pair);
    CHECK(compared > 0);
    CHECK_EQ(confused, 0);
    tac_ui_free(first_screen);
    first_screen = NULL;
}
