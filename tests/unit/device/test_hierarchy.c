/* UI hierarchies: XML in and out, selectors, and the fast path against libxml2. */
#include "base/data/random.h"
#include "base/data/str.h"
#include "base/io/input.h"
#include "device/hierarchy.h"
#include "unit/phone/sim_testing.h"

static tac_ui *random_tree(tac_random *random)
{
    static const char *const ids[] = {"", "a:id/x", "a:id/y", "a:id/z"};
    static const char *const texts[] = {"", "OK", "it's", "say \"hi\"", "a<b & c"};
    tac_ui *ui = tac_ui_new(0);
    size_t count = 1 + tac_random_below(random, 30);
    for (uint32_t i = 0; i < count; i++) {
        tac_ui_node node = {.text = texts[tac_random_below(random, 5)],
                            .resource_id = ids[tac_random_below(random, 4)],
                            .class_name = tac_random_below(random, 4) ? "android.widget.Button"
                                                                      : "android.widget.EditText",
                            .package = "a",
                            .description = texts[tac_random_below(random, 5)],
                            .flags = (uint32_t)tac_random_below(random, 1 << 10),
                            .left = 1,
                            .top = 2,
                            .right = 30,
                            .bottom = 40};
        /* document order: the parent is the previous node or one of its parents */
        uint32_t parent = i ? i - 1 : TAC_UI_NONE;
        while (parent != TAC_UI_NONE && parent != 0 && tac_random_below(random, 2))
            parent = ui->nodes[parent].parent;
        tac_ui_add(ui, parent, &node);
    }
    return ui;
}

TEST(a_dump_reads_back_as_the_same_tree)
{
    tac_random random;
    tac_random_seed(&random, 11);
    for (size_t round = 0; round < test_scale(500); round++) {
        tac_ui *ui = random_tree(&random), *again = NULL;
        char *xml = tac_ui_to_xml(ui);
        REQUIRE_OK(tac_ui_from_xml("dump", xml, strlen(xml), &again, &sim_error));
        char *xml_again = tac_ui_to_xml(again);
        CHECK_STR(xml_again, xml);
        CHECK_EQ(again->count, ui->count);
        for (uint32_t i = 0; i < ui->count && i < again->count; i++)
            CHECK_EQ(again->nodes[i].flags, ui->nodes[i].flags);
        free(xml);
        free(xml_again);
        tac_ui_free(ui);
        tac_ui_free(again);
    }
}

/* Appium names the elements of its page source by their class. */
TEST(a_page_source_of_appium_is_a_hierarchy)
{
    static const char source[] =
        "<hierarchy index='0' class='hierarchy' rotation='1'>"
        "<android.widget.FrameLayout class='android.widget.FrameLayout' package='a' "
        "bounds='[0,0][9,9]'>"
        "<android.widget.Button class='android.widget.Button' text='OK' clickable='true' "
        "enabled='true' bounds='[1,2][3,4]' displayed='true'/>"
        "<android.view.View text='without a class'/>"
        "<unknown><android.widget.Button class='android.widget.Button'/></unknown>"
        "<MockInputField class='android.widget.EditText' enabled='true'/>"
        "</android.widget.FrameLayout></hierarchy>";
    tac_ui *ui = NULL;
    REQUIRE_OK(tac_ui_from_xml("source", source, strlen(source), &ui, &sim_error));
    CHECK_EQ(ui->count, 4);
    CHECK_EQ(ui->rotation, 1);
    CHECK_STR(ui->nodes[1].class_name, "android.widget.Button");
    CHECK_EQ(ui->nodes[1].bottom, 4);
    CHECK_EQ(ui->nodes[1].flags, TAC_UI_CLICKABLE | TAC_UI_ENABLED);
    CHECK_STR(ui->nodes[2].class_name, "android.view.View");
    CHECK_EQ(tac_ui_gestures(&ui->nodes[3]), 1u << TAC_ACTION_TEXT);
    CHECK_EQ(ui->nodes[3].parent, 0);
    tac_ui_free(ui);
}

/* The XPaths we write are found by a scan; libxml2 must agree on every node. */
TEST(every_xpath_finds_its_node_and_libxml2_agrees)
{
    tac_random random;
    tac_random_seed(&random, 12);
    for (size_t round = 0; round < test_scale(200); round++) {
        tac_ui *ui = random_tree(&random);
        for (uint32_t i = 0; i < ui->count; i++) {
            char *xpath = tac_ui_xpath(ui, i);
            uint32_t found = TAC_UI_NONE;
            tac_selector selector = {.xpath = xpath};
            REQUIRE_OK(tac_ui_find(ui, &selector, &found, &sim_error));
            CHECK_EQ(found, i);
            bool marks[64] = {false};
            REQUIRE_OK(tac_ui_mark(ui, xpath, marks, &sim_error));
            uint32_t first = 0;
            while (first < ui->count && !marks[first])
                first++;
            CHECK_EQ(first, i);
            free(xpath);
        }
        tac_ui_free(ui);
    }
}

TEST(wrong_xpaths_and_dumps_are_errors)
{
    tac_ui *ui = tac_ui_new(0), *other = NULL;
    tac_ui_add(ui, TAC_UI_NONE, &(tac_ui_node){.text = "a"});
    uint32_t node;
    tac_selector broken = {.xpath = "//node["}, number = {.xpath = "1 + 1"};
    CHECK_EQ(tac_ui_find(ui, &broken, &node, &sim_error), TAC_E_INPUT);
    CHECK_EQ(tac_ui_find(ui, &number, &node, &sim_error), TAC_E_INPUT);
    CHECK_EQ(tac_ui_from_xml("d", "<html/>", 7, &other, &sim_error), TAC_E_INPUT);
    CHECK_CONTAINS(sim_error.message, "<hierarchy>");
    CHECK_EQ(tac_ui_from_xml("d", "<hierarchy>", 11, &other, &sim_error), TAC_E_INPUT);
    tac_ui_free(ui);
}

/* A dump of one node inside the other, `levels` elements deep with the root. */
static char *deep_dump(size_t levels)
{
    tac_str out = {0};
    tac_str_add(&out, "<hierarchy rotation=\"0\">");
    for (size_t i = 1; i < levels; i++)
        tac_str_addf(&out,
                     "<node class=\"c\" text=\"%zu\" clickable=\"true\" enabled=\"true\" "
                     "bounds=\"[0,0][9,9]\">",
                     i % 7);
    for (size_t i = 1; i < levels; i++)
        tac_str_add(&out, "</node>");
    tac_str_add(&out, "</hierarchy>");
    return tac_str_take(&out);
}

TEST(a_dump_as_deep_as_the_cap_is_read_found_in_and_written)
{
    char *dump = deep_dump(UI_MAX_DEPTH);
    tac_ui *ui = NULL, *again = NULL;
    REQUIRE_OK(tac_ui_from_xml("deep", dump, strlen(dump), &ui, &sim_error));
    CHECK_EQ(ui->count, UI_MAX_DEPTH - 1);
    char *xpath = tac_ui_xpath(ui, ui->count - 1), *xml = tac_ui_to_xml(ui);
    uint32_t node = TAC_UI_NONE;
    bool *marks = calloc(ui->count, sizeof *marks);
    REQUIRE_OK(tac_ui_find(ui, &(tac_selector){.xpath = xpath}, &node, &sim_error));
    CHECK_EQ(node, ui->count - 1);
    REQUIRE_OK(tac_ui_mark(ui, "//node[not(node)]", marks, &sim_error)); /* by libxml2 */
    CHECK(marks[ui->count - 1] && !marks[ui->count - 2]);
    REQUIRE_OK(tac_ui_from_xml("written", xml, strlen(xml), &again, &sim_error));
    CHECK_EQ(again->count, ui->count);
    free(marks);
    free(xml);
    free(xpath);
    free(dump);
    tac_ui_free(again);
    tac_ui_free(ui);
}

TEST(a_deeper_dump_is_refused_with_its_line_and_the_cap)
{
    char *dump = deep_dump(UI_MAX_DEPTH + 1);
    tac_ui *ui = NULL;
    CHECK_EQ(tac_ui_from_xml("deep", dump, strlen(dump), &ui, &sim_error), TAC_E_LIMIT);
    CHECK_CONTAINS(sim_error.message, "2000 levels deep");
    CHECK_EQ(sim_error.line, 1);
    free(dump);
}

TEST(real_dumps_are_read_and_their_controls_have_xpaths)
{
    static const char *const files[] = {"ui/habits.xml", "ui/melofy.xml"};
    for (size_t f = 0; f < 2; f++) {
        const char *path = test_corpus(files[f]);
        if (!path)
            SKIP("the public corpus is not here");
        char *data = NULL;
        size_t size = 0;
        tac_ui *ui = NULL;
        REQUIRE_OK(tac_input_slurp(path, 64 << 20, &data, &size, &sim_error));
        REQUIRE_OK(tac_ui_from_xml(path, data, size, &ui, &sim_error));
        CHECK(ui->count > 10);
        unsigned controls = 0;
        for (uint32_t i = 0; i < ui->count; i++) {
            if (!tac_ui_gestures(&ui->nodes[i]))
                continue;
            char *xpath = tac_ui_xpath(ui, i);
            uint32_t found = TAC_UI_NONE;
            tac_selector selector = {.xpath = xpath};
            REQUIRE_OK(tac_ui_find(ui, &selector, &found, &sim_error));
            CHECK_EQ(found, i);
            controls++;
            free(xpath);
        }
        CHECK(controls > 0);
        free(data);
        tac_ui_free(ui);
    }
}

TEST(classes_that_inherit_from_edit_text_are_editable)
{
    CHECK(tac_ui_class_is_editable("android.widget.EditText"));
    CHECK(tac_ui_class_is_editable("com.google.android.material.textfield.TextInputEditText"));
    CHECK(tac_ui_class_is_editable("android.widget.AutoCompleteTextView"));
    CHECK(!tac_ui_class_is_editable("android.widget.TextView"));
}

TEST(of_several_elements_that_are_named_alike_the_one_that_accepts_the_gesture_is_taken)
{
    tac_ui *ui = tac_ui_new(0);
    const uint32_t able = TAC_UI_ENABLED | TAC_UI_CLICKABLE;
    tac_ui_add(ui, TAC_UI_NONE, &(tac_ui_node){.class_name = "web.body"});
    tac_ui_add(ui, 0, &(tac_ui_node){.text = "milk", .class_name = "web.p"});
    uint32_t wanted = tac_ui_add(
        ui, 0, &(tac_ui_node){.text = "milk", .class_name = "web.Button", .flags = able});
    uint32_t node = TAC_UI_NONE;
    tac_gesture click = {.kind = TAC_ACTION_CLICK, .target = {.xpath = "//node[@text='milk']"}};
    CHECK_EQ(ui_find_accepting(ui, &click, &node, &sim_error), TAC_OK);
    CHECK_EQ(node, wanted);
    click.kind = TAC_ACTION_LONG_CLICK;
    CHECK_EQ(ui_find_accepting(ui, &click, &node, &sim_error), TAC_E_LIMIT);
    CHECK_CONTAINS(sim_error.message, "does not accept it");
    click.target.xpath = "//node[@text='bread']";
    CHECK_EQ(ui_find_accepting(ui, &click, &node, &sim_error), TAC_E_LIMIT);
    CHECK_CONTAINS(sim_error.message, "no such element");
    tac_ui_free(ui);
}
