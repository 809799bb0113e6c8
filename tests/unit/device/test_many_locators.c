/* The locators of all elements of a screen: from sorted tables they are, byte for byte, those that
 * come of comparing every candidate with every node; and many XPaths on one screen find what each
 * finds alone. */
#include "device/hierarchy.h"
#include "unit/device/judge.h"
#include "unit/device/random_screen.h"
#include "unit/phone/sim_testing.h"

/* Every locator by the definition, by tables from the first question on, and as it is done. */
static void compare_locators(const tac_ui *ui, bool texts)
{
    struct ui_locators *plain = ui_locators_scanning(ui, texts, UINT32_MAX),
                       *sorted = ui_locators_scanning(ui, texts, 0),
                       *usual = ui_locators_new(ui, texts);
    for (uint32_t i = 0; i < ui->count; i++) {
        struct ui_locators *alone = ui_locators_scanning(ui, texts, UINT32_MAX);
        char *wanted = ui_locators_find(alone, i);
        char *got[] = {ui_locators_find(plain, i), ui_locators_find(sorted, i),
                       ui_locators_find(usual, i)};
        for (size_t k = 0; k < 3; k++) {
            CHECK_STR(got[k], wanted);
            free(got[k]);
        }
        free(wanted);
        ui_locators_free(alone);
    }
    ui_locators_free(plain);
    ui_locators_free(sorted);
    ui_locators_free(usual);
}

TEST(tables_give_the_locators_that_comparing_all_nodes_gives)
{
    static const size_t ups[] = {1, 2, 3, 20};
    tac_random random;
    tac_random_seed(&random, 4711);
    for (size_t round = 0; round < test_scale(200); round++) {
        tac_ui *ui = random_screen_of(&random, round % 20 ? 60 : 300, ups[round % 4]);
        compare_locators(ui, round % 3 > 0);
        tac_ui_free(ui);
    }
}

/* What a document that is asked often says, against what libxml2 says of the dump. */
static void compare_finds(struct ui_document *document, const tac_ui *ui, struct judge *judge,
                          const tac_selector *selector)
{
    uint32_t wanted = TAC_UI_NONE, got = 0;
    bool *marks = calloc(ui->count + 1, sizeof *marks), *found = calloc(ui->count + 1, 1), any;
    REQUIRE(judge_mark(judge, selector->xpath, marks));
    REQUIRE_OK(ui_document_find(document, selector, &got, &sim_error));
    REQUIRE_OK(ui_document_mark(document, selector->xpath, found, &any, &sim_error));
    for (uint32_t i = ui->count; i-- > 0;) {
        CHECK_EQ(found[i], marks[i]);
        if (marks[i] && (!selector->text || !strcmp(ui->nodes[i].text, selector->text)))
            wanted = i;
    }
    CHECK_EQ(got, wanted);
    CHECK_EQ(any, memchr(marks, true, ui->count) != NULL);
    free(marks);
    free(found);
}

TEST(many_xpaths_on_one_screen_find_what_each_finds_alone)
{
    static const char *const others[] = {"//node[last()]", "//node[@text='OK']", "//nothing",
                                         "/hierarchy/node[1]", "//node[@index='1']"};
    tac_random random;
    tac_random_seed(&random, 31);
    for (size_t round = 0; round < test_scale(60); round++) {
        tac_ui *ui = random_screen_of(&random, 60, 2), *before = random_screen_of(&random, 60, 2);
        char *xml = tac_ui_to_xml(ui);
        struct judge judge = judge_open(xml, strlen(xml));
        struct ui_document *document = ui_document_new(ui);
        for (uint32_t i = 0; i < ui->count + before->count; i++) {
            bool own = i < ui->count; /* or a locator of another screen */
            char *xpath = own ? tac_ui_xpath(ui, i) : tac_ui_xpath(before, i - ui->count);
            tac_selector selector = {.xpath = xpath, .text = i % 5 ? NULL : "OK"};
            compare_finds(document, ui, &judge, &selector);
            free(xpath);
        }
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            compare_finds(document, ui, &judge, &(tac_selector){.xpath = others[i]});
        ui_document_free(document);
        judge_close(&judge);
        free(xml);
        tac_ui_free(before);
        tac_ui_free(ui);
    }
}

TEST(a_wrong_xpath_is_an_error_of_the_document_too)
{
    tac_ui *ui = tac_ui_new(0);
    bool mark = false, any;
    uint32_t node;
    tac_ui_add(ui, TAC_UI_NONE, &(tac_ui_node){.text = "a"});
    struct ui_document *document = ui_document_new(ui);
    CHECK_EQ(ui_document_find(document, &(tac_selector){.xpath = "//node["}, &node, &sim_error),
             TAC_E_INPUT);
    CHECK_EQ(ui_document_mark(document, "1 + 1", &mark, &any, &sim_error), TAC_E_INPUT);
    ui_document_free(document);
    tac_ui_free(ui);
}
