/* XPaths that are answered on the tree select exactly what libxml2 selects on its XML: random
 * trees, random XPaths of the forms that are known, and the same with a character changed. */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "base/data/str.h"
#include "device/hierarchy.h"
#include "unit/phone/sim_testing.h"

static const char *pick(tac_random *random, const char *const *texts, size_t count)
{
    return texts[tac_random_below(random, count)];
}

static const char *const values[] = {"", "a", "b", "ab", "or", "x y", "a<b & c", "\xc3\xa9"};

static tac_ui *random_tree(tac_random *random)
{
    tac_ui *ui = tac_ui_new(0);
    size_t count = tac_random_below(random, 40);
    for (uint32_t i = 0; i < count; i++) {
        tac_ui_node node = {.text = pick(random, values, 8),
                            .resource_id = pick(random, values, 4),
                            .class_name = pick(random, values, 3),
                            .package = "p",
                            .description = pick(random, values, 8),
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

static const char *value_of(tac_random *random)
{
    return tac_random_below(random, 4) ? pick(random, values, 8) : "true";
}

static void add_condition(tac_random *random, tac_str *out, unsigned depth)
{
    const char *blank = tac_random_below(random, 3) ? "" : " ";
    switch (tac_random_below(random, depth > 3 ? 5 : 8)) {
    case 0:
        tac_str_addf(out, "contains(@%s,%s'%s')", name_of(random), blank, value_of(random));
        break;
    case 1:
        tac_str_addf(out, "starts-with(%s@%s,\"%s\")", blank, name_of(random), value_of(random));
        break;
    case 2:
        tac_str_addf(out, "node/%s@%s%s'%s'", tac_random_below(random, 3) ? "" : "node/",
                     name_of(random), tac_random_below(random, 2) ? "=" : "!=", value_of(random));
        break;
    case 3:
        tac_str_addf(out, "@%s", name_of(random));
        break;
    case 4:
        tac_str_addf(out, "@%s%s%s%s'%s'", name_of(random), blank,
                     tac_random_below(random, 2) ? "=" : "!=", blank, value_of(random));
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
    tac_str out = {0};
    bool group = !tac_random_below(random, 4);
    tac_str_add(&out, group ? "(" : tac_random_below(random, 4) ? "" : "/hierarchy");
    for (size_t steps = 1 + tac_random_below(random, 3); steps; steps--) {
        bool top = !out.length || group;
        tac_str_add(&out, top || tac_random_below(random, 2) ? "//node" : "/node");
        group = false;
        for (size_t tests = tac_random_below(random, 3); tests; tests--) {
            tac_str_add_char(&out, '[');
            add_condition(random, &out, 0);
            tac_str_add_char(&out, ']');
        }
        if (!tac_random_below(random, 4))
            tac_str_addf(&out, "[%u]", 1 + (unsigned)tac_random_below(random, 3));
    }
    if (*tac_str_text(&out) == '(')
        tac_str_addf(&out, ")[%u]", 1 + (unsigned)tac_random_below(random, 3));
    return tac_str_take(&out);
}

/* Whether it was answered on the tree; then libxml2 must agree. */
static bool agrees(const tac_ui *ui, const char *xpath)
{
    bool *own = tac_calloc((size_t)ui->count + 1, sizeof *own);
    bool *marks = tac_calloc((size_t)ui->count + 1, sizeof *marks);
    bool known = ui_own_xpath(ui, xpath, own);
    if (known && (tac_ui_mark(ui, xpath, marks, &sim_error) != TAC_OK ||
                  memcmp(own, marks, ui->count * sizeof *own) != 0))
        test_fail(__FILE__, __LINE__, "%s selects something else than by libxml2", xpath);
    free(own);
    free(marks);
    return known;
}

TEST(what_is_answered_on_the_tree_is_what_libxml2_selects)
{
    tac_random random;
    size_t known = 0, all = 0;
    tac_random_seed(&random, 4711);
    for (size_t round = 0; round < test_scale(400); round++) {
        tac_ui *ui = random_tree(&random);
        for (size_t i = 0; i < 10; i++, all++) {
            char *xpath = random_xpath(&random);
            known += agrees(ui, xpath);
            free(xpath);
        }
        tac_ui_free(ui);
    }
    printf("# %zu of %zu XPaths were answered on the tree\n", known, all);
    CHECK(known * 10 >= all * 9);
}

TEST(a_spoilt_xpath_is_never_read_as_another)
{
    static const char characters[] = "[]()@='\"/ ornadt1!,";
    tac_random random;
    tac_random_seed(&random, 99);
    for (size_t round = 0; round < test_scale(400); round++) {
        tac_ui *ui = random_tree(&random);
        for (size_t i = 0; i < 10; i++) {
            char *xpath = random_xpath(&random);
            xpath[tac_random_below(&random, strlen(xpath))] =
                characters[tac_random_below(&random, sizeof characters - 1)];
            agrees(ui, xpath);
            free(xpath);
        }
        tac_ui_free(ui);
    }
}

TEST(what_is_not_known_is_left_to_libxml2)
{
    static const char *const others[] = {"//node[following-sibling::node]",
                                         "//*[@text='a']",
                                         "//node[@bounds='x']",
                                         "//node[contains(node/@text,'a')]",
                                         "//node[position()<3]",
                                         "//node[@text=@class]",
                                         "//node[normalize-space(@text)='a']",
                                         "//node[nota]",
                                         "//node[@text='a'",
                                         "//node[]",
                                         "//node[@text='a'][1][2]",
                                         "node",
                                         ""};
    tac_ui *ui = tac_ui_new(0);
    tac_ui_node node = {.text = "a", .resource_id = "", .class_name = "", .package = ""};
    tac_ui_add(ui, TAC_UI_NONE, &node);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bool marks[2] = {0};
        if (ui_own_xpath(ui, others[i], marks))
            test_fail(__FILE__, __LINE__, "'%s' was answered on the tree", others[i]);
    }
    tac_ui_free(ui);
}
