/* Locators: on real screens and on random trees, libxml2 alone on the dump's own text finds exactly
 * the element; few are positions, and those are marked. */
#include "base/io/input.h"
#include "model/model.h"
#include "unit/device/judge.h"
#include "unit/device/random_screen.h"
#include "unit/phone/sim_testing.h"

/* The number of the only <node> that the XPath selects, from 0; -1: none, -2: several. */
static long only_node(struct judge *judge, const char *xpath)
{
    bool *marks = calloc(judge->count + 1, sizeof *marks);
    long number = -1;
    judge_mark(judge, xpath, marks);
    for (size_t i = 0; i < judge->count; i++)
        if (marks[i])
            number = number == -1 ? (long)i : -2;
    free(marks);
    return number;
}

struct locator_counts {
    size_t nodes, positional, controls, positional_controls;
};

static void check_screen(const char *name, const char *xml, size_t size, struct locator_counts *n)
{
    tac_ui *ui = NULL;
    REQUIRE_OK(tac_ui_from_xml(name, xml, size, &ui, &sim_error));
    struct judge judge = judge_open(xml, size);
    CHECK_EQ(judge.count, ui->count);
    for (uint32_t i = 0; i < ui->count; i++) {
        char *xpath = tac_ui_xpath(ui, i);
        long found = only_node(&judge, xpath);
        if (found != (long)i)
            test_fail(__FILE__, __LINE__, "%s: %s selects %ld, not %u", name, xpath, found, i);
        uint32_t own = TAC_UI_NONE;
        REQUIRE_OK(tac_ui_find(ui, &(tac_selector){.xpath = xpath}, &own, &sim_error));
        CHECK_EQ(own, i);
        bool control = tac_ui_gestures(&ui->nodes[i]), place = tac_xpath_is_positional(xpath);
        n->nodes++, n->positional += place;
        n->controls += control, n->positional_controls += control && place;
        if (getenv("TACTUS_TEST_SHOW"))
            printf("%s%s %s\n", control ? "*" : " ", place ? "!" : " ", xpath);
        free(xpath);
    }
    judge_close(&judge);
    tac_ui_free(ui);
}

TEST(every_locator_of_a_real_screen_selects_its_element_alone)
{
    static const char *const files[] = {"ui/habits.xml", "ui/melofy.xml"};
    struct locator_counts all = {0};
    for (size_t f = 0; f < 2; f++) {
        const char *path = test_corpus(files[f]);
        if (!path)
            SKIP("the public corpus is not here (TACTUS_CORPUS)");
        char *data = NULL;
        size_t size = 0;
        REQUIRE_OK(tac_input_slurp(path, 64 << 20, &data, &size, &sim_error));
        check_screen(files[f], data, size, &all);
        free(data);
    }
    printf("# %zu of %zu elements by position, %zu of %zu that accept something\n", all.positional,
           all.nodes, all.positional_controls, all.controls);
    CHECK(all.controls >= 20);
    CHECK(all.positional * 100 <= all.nodes * 15);
    CHECK(all.positional_controls * 100 <= all.controls * 15);
}

TEST(every_locator_of_a_random_screen_selects_its_element_alone)
{
    tac_random random;
    struct locator_counts all = {0};
    tac_random_seed(&random, 77);
    for (size_t round = 0; round < test_scale(300); round++) {
        tac_ui *ui = random_screen_of(&random, 60, 2);
        char *xml = tac_ui_to_xml(ui);
        check_screen("random", xml, strlen(xml), &all);
        free(xml);
        tac_ui_free(ui);
    }
    CHECK(all.nodes > all.positional);
}

/* A label that appears and a counter that moves must not change which element is found. */
TEST(a_field_and_a_list_are_not_named_by_what_they_hold)
{
    static const char screen[] =
        "<hierarchy rotation='0'><node class='v' package='a' bounds='[0,0][9,9]'>"
        "<node class='l' package='a' scrollable='true' enabled='true' bounds='[0,0][9,9]'>"
        "<node class='t' text='First row' package='a' bounds='[0,0][9,9]'/></node>"
        "<node class='android.widget.EditText' text='typed' package='a' bounds='[0,0][9,9]'>"
        "<node class='t' text='Hint' package='a' bounds='[0,0][9,9]'/></node>"
        "</node></hierarchy>";
    tac_ui *ui = NULL;
    REQUIRE_OK(tac_ui_from_xml("screen", screen, strlen(screen), &ui, &sim_error));
    char *list = tac_ui_xpath(ui, 1), *field = tac_ui_xpath(ui, 3);
    CHECK_STR(list, "//node[@class='l']");
    CHECK_STR(field, "//node[@class='android.widget.EditText']");
    free(list);
    free(field);
    tac_ui_free(ui);
}

TEST(a_position_is_one_outside_of_quotation_marks)
{
    CHECK(tac_xpath_is_positional("/hierarchy/node[1]/node[22]"));
    CHECK(tac_xpath_is_positional("(//node[@text='a'])[ 3 ]"));
    CHECK(tac_xpath_is_positional("//node[position()=2]"));
    CHECK(tac_xpath_is_positional("//node[last()]"));
    CHECK(!tac_xpath_is_positional("//node[@text='a[3]']"));
    CHECK(!tac_xpath_is_positional("//node[@text=\"it's [3]\"]/node[@text='last()']"));
    CHECK(!tac_xpath_is_positional("//node[@text='3']"));
    CHECK(!tac_xpath_is_positional(NULL));
}
