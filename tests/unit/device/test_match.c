/* What a locator means is exactly what libxml2 selects on the dump: random trees and random XPaths
 * of the forms that are read, the same with a character changed, those that are built in parts, and
 * each of them read, written and read again. */
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/quote.h"
#include "base/data/random.h"
#include "base/data/str.h"
#include "device/hierarchy.h"
#include "unit/device/judge.h"
#include "unit/phone/sim_testing.h"

static const char *pick(tac_random *random, const char *const *texts, size_t count)
{
    return texts[tac_random_below(random, count)];
}

enum { VALUES = 10 };
static const char *const values[VALUES] = {"",    "a",       "b",        "ab",          "or",
                                           "x y", "a<b & c", "\xc3\xa9", "it's \"it\"", "true"};

static tac_ui *random_tree(tac_random *random)
{
    tac_ui *ui = tac_ui_new(0);
    size_t count = tac_random_below(random, 40);
    for (uint32_t i = 0; i < count; i++) {
        tac_ui_node node = {.text = pick(random, values, VALUES),
                            .resource_id = pick(random, values, 4),
                            .class_name = pick(random, values, 3),
                            .package = "p",
                            .description = pick(random, values, VALUES),
                            .flags = (uint32_t)tac_random_below(random, 1 << 10)};
        uint32_t parent = i ? i - 1 : TAC_UI_NONE;
        while (parent != TAC_UI_NONE && tac_random_below(random, 2))
            parent = ui->nodes[parent].parent;
        tac_ui_add(ui, parent, &node);
    }
    return ui;
}

static const char *name_of(tac_random *random)
{
    static const char *const names[] = {"text",    "resource-id", "class",    "content-desc",
                                        "checked", "enabled",     "selected", "package"};
    return pick(random, names, 8);
}

static const char *any_node(tac_random *random)
{
    return tac_random_below(random, 4) ? "node" : "*";
}

static void add_value(tac_random *random, tac_str *out)
{
    tac_quote_xpath(out, pick(random, values, VALUES));
}

static void add_condition(tac_random *random, tac_str *out, unsigned depth)
{
    const char *blank = tac_random_below(random, 3) ? "" : " ";
    switch (tac_random_below(random, depth > 3 ? 5 : 8)) {
    case 0:
    case 1:
        tac_str_addf(out, "%s(%s@%s%s,%s", tac_random_below(random, 2) ? "contains" : "starts-with",
                     blank, name_of(random), blank, blank);
        add_value(random, out);
        tac_str_addf(out, "%s)", blank);
        break;
    case 2:
        tac_str_addf(out, "%s/", any_node(random));
        if (!tac_random_below(random, 3))
            tac_str_addf(out, "%s%s/", blank, any_node(random));
        tac_str_addf(out, "@%s%s", name_of(random), tac_random_below(random, 2) ? "=" : "!=");
        add_value(random, out);
        break;
    case 3:
        tac_str_addf(out, "@%s", name_of(random));
        break;
    case 4:
        tac_str_addf(out, "@%s%s%s%s", name_of(random), blank,
                     tac_random_below(random, 2) ? "=" : "!=", blank);
        add_value(random, out);
        break;
    case 5:
    case 6:
        tac_str_add(out, tac_random_below(random, 2) ? "not(" : "(");
        add_condition(random, out, depth + 1);
        tac_str_addf(out, "%s)", blank);
        break;
    default:
        add_condition(random, out, depth + 1);
        tac_str_add(out, tac_random_below(random, 2) ? " or " : " and ");
        add_condition(random, out, depth + 1);
        break;
    }
}

static char *random_xpath(tac_random *random)
{
    static const char *const names[] = {"node", "node", "node", "node", "*", "hierarchy", "Button"};
    tac_str out = {0};
    bool group = !tac_random_below(random, 4);
    tac_str_add(&out, group ? "(" : "");
    tac_str_add(&out, tac_random_below(random, 4) ? "" : "/hierarchy");
    for (size_t steps = 1 + tac_random_below(random, 3); steps; steps--) {
        bool top = out.length <= group;
        tac_str_add(&out, tac_random_below(random, top ? 8 : 2) ? "//" : "/");
        tac_str_add(&out, pick(random, names, sizeof names / sizeof *names));
        for (size_t tests = tac_random_below(random, 3); tests; tests--) {
            tac_str_add_char(&out, '[');
            add_condition(random, &out, 0);
            tac_str_add_char(&out, ']');
        }
        if (!tac_random_below(random, 4))
            tac_str_addf(&out, "[%u]", 1 + (unsigned)tac_random_below(random, 3));
    }
    if (group)
        tac_str_addf(&out, ")[%u]", 1 + (unsigned)tac_random_below(random, 3));
    return tac_str_take(&out);
}

/* The dump of the tree that was asked about last, as many XPaths are about one. */
static struct {
    const tac_ui *ui;
    struct judge judge;
} last;

static tac_ui *tree_to_judge(tac_random *random)
{
    tac_ui *ui = random_tree(random);
    char *xml = tac_ui_to_xml(ui);
    last.ui = ui;
    last.judge = judge_open(xml, strlen(xml));
    free(xml);
    return ui;
}

static void forget_tree(tac_ui *ui)
{
    judge_close(&last.judge);
    tac_ui_free(ui);
}

static void compare(const tac_ui *ui, const tac_locator *locator, const char *xpath)
{
    bool *own = tac_calloc((size_t)ui->count + 1, sizeof *own);
    bool *marks = tac_calloc((size_t)ui->count + 1, sizeof *marks);
    bool any;
    REQUIRE(ui == last.ui);
    if (ui_match(ui, locator, own, &any) && (!judge_mark(&last.judge, xpath, marks) ||
                                             memcmp(own, marks, ui->count * sizeof *own) != 0))
        test_fail(__FILE__, __LINE__, "%s selects something else than by libxml2", xpath);
    free(own);
    free(marks);
}

static char *written(const tac_locator *locator)
{
    tac_str out = {0};
    tac_locator_write(locator, "node", &out);
    return tac_str_take(&out);
}

/* Whether it is a locator; then libxml2 must agree, also on what is written of it, and that is
 * written again as it is. */
static bool agrees(const tac_ui *ui, const char *xpath)
{
    tac_locator read, again;
    bool known = tac_locator_read(xpath, &read);
    if (known) {
        char *first = written(&read);
        compare(ui, &read, xpath);
        REQUIRE(tac_locator_read(first, &again));
        compare(ui, &again, first);
        compare(ui, &read, first);
        char *second = written(&again);
        CHECK_STR(second, first);
        tac_locator_free(&again);
        free(first);
        free(second);
    }
    tac_locator_free(&read);
    return known;
}

TEST(what_a_locator_means_is_what_libxml2_selects)
{
    tac_random random;
    size_t known = 0, all = 0;
    tac_random_seed(&random, 4711);
    for (size_t round = 0; round < test_scale(400); round++) {
        tac_ui *ui = tree_to_judge(&random);
        for (size_t i = 0; i < 10; i++, all++) {
            char *xpath = random_xpath(&random);
            known += agrees(ui, xpath);
            free(xpath);
        }
        forget_tree(ui);
    }
    printf("# %zu of %zu XPaths are locators\n", known, all);
    CHECK(known * 10 >= all * 9);
}

TEST(a_spoilt_xpath_is_never_read_as_another)
{
    static const char characters[] = "[]()@='\"/ ornadt1!,";
    tac_random random;
    tac_random_seed(&random, 99);
    for (size_t round = 0; round < test_scale(400); round++) {
        tac_ui *ui = tree_to_judge(&random);
        for (size_t i = 0; i < 10; i++) {
            char *xpath = random_xpath(&random);
            xpath[tac_random_below(&random, strlen(xpath))] =
                characters[tac_random_below(&random, sizeof characters - 1)];
            agrees(ui, xpath);
            free(xpath);
        }
        forget_tree(ui);
    }
}

TEST(a_locator_that_is_built_reads_back)
{
    tac_random random;
    tac_random_seed(&random, 2026);
    for (size_t round = 0; round < test_scale(2000); round++) {
        tac_ui *ui = tree_to_judge(&random);
        tac_locator built = {.place = (uint32_t)tac_random_below(&random, 3)}, read;
        for (size_t steps = 1 + tac_random_below(&random, 3); steps; steps--) {
            tac_locator_add_step(&built, TAC_ELEMENT_NODE, steps == 1 || round % 3);
            for (size_t n = tac_random_below(&random, 3); n; n--)
                tac_locator_add_value(&built, (tac_part)tac_random_below(&random, TAC_PART_OTHER),
                                      (uint32_t)tac_random_below(&random, 3),
                                      pick(&random, values, VALUES));
            tac_vec_last(&built.steps).place = (uint32_t)tac_random_below(&random, 3);
        }
        char *xpath = written(&built);
        compare(ui, &built, xpath);
        REQUIRE(tac_locator_read(xpath, &read));
        CHECK_EQ(read.place, built.place);
        REQUIRE(read.steps.count == built.steps.count);
        REQUIRE(read.conditions.count == built.conditions.count);
        for (size_t i = 0; i < built.conditions.count; i++) {
            const tac_condition *x = &read.conditions.at[i], *y = &built.conditions.at[i];
            CHECK(x->kind == y->kind && x->part == y->part && x->levels == y->levels);
            CHECK_STR(x->value, y->value);
        }
        tac_locator_free(&read);
        tac_locator_free(&built);
        free(xpath);
        forget_tree(ui);
    }
}

TEST(the_hierarchy_has_no_attributes)
{
    static const struct {
        const char *xpath;
        bool selects;
    } rows[] = {{"/*/node", true},
                {"/*[contains(@text,'')]/node", true},
                {"/*[contains(@text,'x')]/node", false},
                {"/*[starts-with(@text,'x')]/node", false},
                {"/*[@text]/node", false},
                {"/*[@text='' or @text!='']/node", false},
                {"/*[node/@text='x']/node", true},
                {"(//*)[1]", false},
                {"(//*)[2]", true},
                {"//*[2]", false},
                {"/node", false}};
    tac_ui *ui = tac_ui_new(0);
    tac_ui_add(ui, TAC_UI_NONE, &(tac_ui_node){.text = "x"});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool mark = false, any;
        tac_locator locator;
        REQUIRE(tac_locator_read(rows[i].xpath, &locator) && ui_match(ui, &locator, &mark, &any));
        if (mark != rows[i].selects)
            test_fail(__FILE__, __LINE__, "%s", rows[i].xpath);
        tac_locator_free(&locator);
    }
    tac_ui_free(ui);
}

TEST(names_of_pages_are_locators_too)
{
    tac_locator locator;
    CHECK(tac_locator_read("css:ul > li", &locator));
    CHECK_EQ(locator.kind, TAC_LOCATOR_CSS);
    CHECK_EQ(locator.place, 1);
    CHECK_STR(locator.css, "ul > li");
    CHECK(tac_locator_read("it:css[12]:label", &locator));
    CHECK(locator.again);
    CHECK_EQ(locator.place, 12);
    CHECK_STR(locator.css, "label");
    CHECK(tac_locator_read("focus:", &locator));
    CHECK_EQ(locator.kind, TAC_LOCATOR_FOCUS);
    CHECK(tac_locator_read("it:(//node[@text='a'])[2]", &locator));
    CHECK(locator.again && locator.kind == TAC_LOCATOR_PATH && locator.place == 2);
    tac_locator_free(&locator);
    static const char *const others[] = {"css",      "css:",  "css[]:li", "css[2:li", "css[x]:li",
                                         "css[2]li", "focus", "focus:x",  "it:",      "li"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tac_locator_read(others[i], &locator))
            test_fail(__FILE__, __LINE__, "'%s' is a locator", others[i]);
}

TEST(the_parts_of_a_locator_have_their_meaning)
{
    tac_locator l;
    REQUIRE(
        tac_locator_read("/*//Button[@data-testid='pay' and @role='b' and @name='n'][@index='2']"
                         "[node/*/@content-desc!='x']/node[ 3 ]",
                         &l));
    static const tac_part parts[] = {TAC_PART_CLASS, TAC_PART_TEST_ID, TAC_PART_ROLE,
                                     TAC_PART_NAME,  TAC_PART_OTHER,   TAC_PART_LABEL};
    REQUIRE(l.steps.count == 3);
    CHECK(l.steps.at[0].kind == TAC_ELEMENT_ANY && !l.steps.at[0].deep);
    CHECK(l.steps.at[1].kind == TAC_ELEMENT_CLASS && l.steps.at[1].deep);
    CHECK_EQ(l.steps.at[2].place, 3);
    size_t i = 0;
    for (uint32_t c = l.steps.at[1].first; c != TAC_NONE; c = l.conditions.at[c].next, i++) {
        REQUIRE(i < sizeof parts / sizeof *parts);
        CHECK_EQ(l.conditions.at[c].part, parts[i]);
        CHECK_EQ(l.conditions.at[c].levels, i == 5 ? 2 : 0);
    }
    CHECK_EQ(i, sizeof parts / sizeof *parts);
    tac_locator_free(&l);
}

TEST(what_is_no_locator_is_left_to_libxml2)
{
    static const char *const others[] = {"//node[following-sibling::node]",
                                         "//node[contains(node/@text,'a')]",
                                         "//node[position()<3]",
                                         "//node[@text=@class]",
                                         "//node[normalize-space(@text)='a']",
                                         "//node[nota]",
                                         "//node[@text='a'",
                                         "//node[]",
                                         "//node[@text='a'][1][2]",
                                         "//node[@text='a\x01']",
                                         "//node[@text=concat('a')]",
                                         "//node[0]",
                                         "//node/@text",
                                         "//node|//*",
                                         "//a:b",
                                         "//node()",
                                         "//3",
                                         "(//node)",
                                         "node",
                                         ""};
    tac_locator locator;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tac_locator_read(others[i], &locator))
            test_fail(__FILE__, __LINE__, "'%s' is a locator", others[i]);
    bool marks[2] = {0}, any;
    tac_ui *ui = tac_ui_new(0);
    tac_ui_add(ui, TAC_UI_NONE, &(tac_ui_node){.text = "a"});
    REQUIRE(tac_locator_read("//node[@bounds='x']", &locator));
    CHECK(!ui_match(ui, &locator, marks, &any));
    tac_locator_free(&locator);
    tac_ui_free(ui);
}
