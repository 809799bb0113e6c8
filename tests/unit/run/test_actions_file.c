/* Action files: what is read, what is wrong with its place, how actions are chosen. */
#include "run/actions/choose.h"
#include "tactus_test.h"
#include <stdlib.h>
#include <string.h>

static struct action_file *load(const char *text)
{
    struct action_file *file = NULL;
    tac_error err = {0};
    tac_status status = actions_parse("a.actions", text, strlen(text), &file, &err);
    CHECK_STR(status == TAC_OK ? "" : err.message, "");
    return file;
}

TEST(actions_conditions_and_steps)
{
    struct action_file *file =
        load("# what a person does\n"
             "action add (3): when visible(css:\".do\") and count(//node[@text='do; #']) > 0\n"
             "   do type css:\".new\" any of [\"milk\", \"  x \", \"\"]; key Enter\n"
             "action edit: do doubleclick any css:\"label\"; clear; type \"n\\\"ew\"; click it;\n"
             "action more: do drag //a[@b=\"c d\"] to any css:\"x\"; swipe up; wait 1.5; key "
             "Control+a\n");
    CHECK_EQ(file->actions.count, 3);
    const struct guarded_action *add = &file->actions.at[0], *edit = &file->actions.at[1];
    CHECK_STR(add->name, "add");
    CHECK(add->weight > 2.9 && add->weight < 3.1 && add->guard);
    CHECK_EQ(file->observables.count, 2);
    CHECK_STR(file->observables.at[1].xpath, "//node[@text='do; #']");
    CHECK_EQ(add->step_count, 2);
    CHECK_EQ(add->steps[0].text_count, 3);
    CHECK_STR(add->steps[0].texts[1], "  x ");
    CHECK_STR(add->steps[1].text, "Enter");
    CHECK_EQ(edit->step_count, 4);
    CHECK(edit->steps[0].target.any && edit->steps[3].target.it && !edit->guard);
    CHECK_STR(edit->steps[2].text, "n\"ew");
    const struct guarded_action *more = &file->actions.at[2];
    CHECK_STR(more->steps[0].target.xpath, "//a[@b=\"c d\"]");
    CHECK_STR(more->steps[0].to.css, "x");
    CHECK_STR(more->steps[3].text, "Control+a");
    actions_free(file);
}

static void fails(const char *text, size_t line, size_t column, const char *message)
{
    struct action_file *file;
    tac_error err = {0};
    CHECK_EQ(actions_parse("a.actions", text, strlen(text), &file, &err), TAC_E_INPUT);
    CHECK_EQ(err.line, line);
    CHECK_EQ(err.column, column);
    CHECK_STR(err.message, message);
}

TEST(what_is_wrong_is_said_with_its_place)
{
    fails("action a: do clik css:\"b\"", 1, 14,
          "expected a step: click, doubleclick, longpress, hover, type, clear, key, drag, swipe, "
          "scroll, back, rotate, reload or wait, found 'clik'; did you mean 'click'?");
    fails("\naction a: when visible(css:\"b\"", 2, 16,
          "the condition of 'a' is not followed by 'do' and its steps");
    fails("action a: do click it", 1, 14,
          "'it' is the element of an earlier step of 'a', and none names one");
    fails("action a: do back\naction a: do back", 2, 8,
          "the action 'a' is already defined in line 1");
    fails("action a (0): do back", 1, 11,
          "expected a weight above 0 and at most 1000000, found '0'");
    fails("action a (\"3\"): do back", 1, 11,
          "expected a weight above 0 and at most 1000000, found \"3\"");
    fails("action a: when visible(css:\"b\") + 1\n do back", 1, 16,
          "a condition is wanted here, not a number");
    fails("action a: do type css:\"b\" \"x", 1, 27, "this quote is not closed on its line");
    fails("action a: do click //node[@text='x\ny']; back", 1, 20,
          "the brackets and quotes of this XPath are not closed on its line");
    static const char no_xpath[] = "this is not an XPath that selects elements, such as "
                                   "//node[@resource-id='com.example:id/play']";
    fails("action a: do click //node[@@]", 1, 20, no_xpath);
    fails("action a: do click any \"count(//node)\"", 1, 24, no_xpath);
    fails("action a: do click xpath:\"//node[nothing()]\"", 1, 26, no_xpath);
    fails("action a: when count(//node/@text) > 0 do back", 1, 22,
          "'//node/@text' is not an XPath that selects elements, such as "
          "//node[@resource-id='com.example:id/play']");
    fails("action a: when do back", 1, 16,
          "a condition is missing here, such as count(css:\"li\") > 0");
    fails("action a: when count(css:\"b\") > do back", 1, 32,
          "the condition ends too early: a value, a name or ')' is missing");
    fails("action a: when visible(css:\"b\")\naction b: do back", 1, 16,
          "the condition of 'a' is not followed by 'do' and its steps");
    fails("action a: when 1 == 1) or (true do back", 1, 16,
          "a condition is one expression; a ')' in it has no '('");
    fails("action a: when 1 == 1)\nlet x = (3 do back", 1, 16,
          "a condition is one expression; a ')' in it has no '('");
    fails("action a: do wait 1e9", 1, 20,
          "expected ';' and the next step, or 'action NAME:', found 'e9'");
    fails("action a\xff: do back", 1, 8,
          "a hidden character, or a byte that is not UTF-8, is in this name");
    fails("action a: do type \"\\u00\"", 1, 19,
          "in these quotes \\u needs four hexadecimal digits, such as \\u202e");
    fails("action a: when lenght(css:\"b\") > 0 do back", 1, 16,
          "there is no function 'lenght'; of lists and texts there are size, contains, prefix, "
          "item, trim and previous");
    fails("action a:\n do back;\tkey Etner", 2, 15,
          "there is no key 'Etner'; did you mean 'Enter'?");
    fails("action a: do key \"Entr\"", 1, 18, "there is no key 'Entr'; did you mean 'Enter'?");
    fails("action\n  typed: do back", 2, 3,
          "'typed' is what every run records; give the action another name");
    fails("action launch: do back", 1, 8,
          "'launch' is the event of an app that is brought back; give the action another name");
    char name[300];
    snprintf(name, sizeof name, "action %0201d: do back", 7);
    fails(name, 1, 8, "the name of an action has at most 200 bytes");
    fails("", 1, 1, "the file has no action; write one: action NAME: do click css:\"button\"");
}

TEST(texts_have_the_escapes_of_property_files)
{
    struct action_file *file = load("action a: do type \"\\u00e9\\ud83d\\ude00\\t\\q\"");
    CHECK_STR(file->actions.at[0].steps[0].text, "\xc3\xa9\xf0\x9f\x98\x80\tq");
    actions_free(file);
    static const char nul[] = "action a: do type \"x\0y\"";
    tac_error err = {0};
    CHECK_EQ(actions_parse("a.actions", nul, sizeof nul - 1, &file, &err), TAC_E_INPUT);
}

/* A text that ends so is followed by the Enter key on every device. */
TEST(no_random_text_is_a_key)
{
    tac_random random;
    tac_random_seed(&random, 11);
    for (int i = 0; i < 20000; i++) {
        char *text = random_text(&random);
        size_t length = strlen(text);
        CHECK(length < 2 || strcmp(text + length - 2, "\\n") != 0);
        free(text);
    }
}

TEST(guards_are_judged_on_readings)
{
    struct action_file *file =
        load("action a: when count(css:\"li\") > 2 and value(css:\"i\") != \"\" do back");
    tac_condition *guard = file->actions.at[0].guard;
    char text[] = "x", empty[] = "";
    tac_observed values[2] = {{.number = 3}, {.text = text}};
    CHECK_EQ(tac_condition_evaluate(guard, values, 0), TAC_TRUE);
    values[1].text = empty;
    CHECK_EQ(tac_condition_evaluate(guard, values, 0), TAC_FALSE);
    values[1] = (tac_observed){.missing = true};
    CHECK_EQ(tac_condition_evaluate(guard, values, 0), TAC_UNKNOWN);
    values[0].number = 1;
    CHECK_EQ(tac_condition_evaluate(guard, values, 0), TAC_FALSE);
    actions_free(file);
}

/* Bounds count the time between looks, also when a clock goes back. */
TEST(guards_with_bounds_know_when_the_readings_were_taken)
{
    const int64_t second = 1000000000;
    struct action_file *file = load(
        "action a: when once[<= 2 s] number(css:\"b\") == 0 and number(css:\"b\") > 0 do back\n"
        "action b: when once[30 s, 600 s] number(css:\"b\") == 0 do back");
    tac_condition *soon = file->actions.at[0].guard, *later = file->actions.at[1].guard;
    tac_observed none[2] = {{.number = 0}, {.number = 0}}, one[2] = {{.number = 1}, {.number = 1}};
    CHECK_EQ(tac_condition_evaluate(soon, none, 5 * second), TAC_FALSE);
    CHECK_EQ(tac_condition_evaluate(soon, one, 7 * second), TAC_TRUE);
    CHECK_EQ(tac_condition_evaluate(soon, one, 6 * second), TAC_TRUE);
    CHECK_EQ(tac_condition_evaluate(soon, one, 8 * second), TAC_FALSE);
    CHECK_EQ(tac_condition_evaluate(later, none, 5 * second), TAC_FALSE);
    CHECK_EQ(tac_condition_evaluate(later, one, 34 * second), TAC_FALSE);
    CHECK_EQ(tac_condition_evaluate(later, one, 36 * second), TAC_TRUE);
    tac_condition_reset(later);
    CHECK_EQ(tac_condition_evaluate(later, none, 0), TAC_FALSE);
    CHECK_EQ(tac_condition_evaluate(later, one, 31 * second), TAC_TRUE);
    actions_free(file);
}

TEST(weights_and_novelty_decide)
{
    struct action_file *file = load("action a: do back\naction b (3): do back\naction c: do back");
    bool enabled[3] = {true, true, false};
    size_t seen[3] = {0};
    tac_random random;
    struct action_counts counts = {0};
    tac_random_seed(&random, 7);
    for (int i = 0; i < 4000; i++)
        seen[choose_action(file, enabled, CHOOSE_WEIGHTED, 1, &counts, &random)]++;
    CHECK(seen[0] > 800 && seen[0] < 1200 && seen[2] == 0);
    memset(seen, 0, sizeof seen);
    tac_u64map_free(&counts.done);
    counts = (struct action_counts){0};
    for (int i = 0; i < 10; i++)
        seen[choose_action(file, enabled, CHOOSE_NOVELTY, 1, &counts, &random)]++;
    CHECK_EQ(seen[0], 5);
    CHECK_EQ(seen[1], 5);
    enabled[0] = enabled[1] = false;
    CHECK_EQ(choose_action(file, enabled, CHOOSE_UNIFORM, 1, &counts, &random), SIZE_MAX);
    tac_u64map_free(&counts.done);
    actions_free(file);
}
