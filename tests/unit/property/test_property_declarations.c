/* Declarations of what is observed, and the messages for wrong ones. */
#include "property/property.h"
#include "property_support.h"
#include "tactus_test.h"
#include <stdlib.h>
#include <string.h>

static void wrong(const char *text, const char *messages)
{
    char *got = errors_of(text);
    got[strcspn(got, "\n")] = '\0';
    CHECK_STR(got, messages);
    free(got);
}

TEST(declarations_and_what_is_wrong_with_them)
{
    tac_properties *properties =
        properties_of("observe items = texts(css:\".todo-list li label\") # a list of texts\n"
                      "observe who = attribute(//node[@text='a, (b)']/node[2], \"id\")\n"
                      "observe last = text((//node)[last()])\n"
                      "property add: always (add -> size(items) == previous(size(items)) + 1 and "
                      "count(css:\"li\") > 0)\n"
                      "property both: always (items == [] -> not visible(xpath:\"//x\"))\n"
                      "property again: always (texts(css:\".todo-list li label\") != [\"x\"])\n");
    CHECK_EQ(tac_property_observables(properties), 5);
    CHECK_STR(tac_property_observable(properties, 1)->xpath, "//node[@text='a, (b)']/node[2]");
    CHECK_STR(tac_property_observable(properties, 1)->attribute, "id");
    CHECK_STR(tac_property_observable(properties, 2)->xpath, "(//node)[last()]");
    CHECK_STR(tac_property_observable(properties, 3)->name, "count(css:\"li\")");
    CHECK_STR(tac_property_observable(properties, 3)->css, "li");
    CHECK_STR(tac_property_observable(properties, 4)->xpath, "//x");
    tac_property_free(properties);
    wrong("observe x = text(li)\nproperty p: always x == \"a\"",
          "1:18: expected a selector: css:\"...\" or an XPath over the hierarchy, found 'li'");
    wrong("observe x = text(//node[)\nproperty p: always x == \"a\"",
          "1:18: this XPath does not end on its line; close its brackets and quotes, and the ')' "
          "after it");
    wrong("observe x = attribute(css:\"a\")\nproperty p: always x == \"a\"",
          "1:30: expected ',' and the name of the attribute, found ')'");
    wrong("observe x = text(css:\"a\")\nobserve x = text(css:\"b\")\nproperty p: always x == \"a\"",
          "2:9: 'x' is already observed in line 1, in another way");
    wrong("observe x = texts(css:\"a\")\nproperty p: always x == \"a\"",
          "2:20: a list is compared with a list; for one of its texts write contains(LIST, TEXT)");
    wrong("observe x = text(css:\"a\")\nproperty p: always x < 3",
          "2:20: texts and lists are compared by == and !=");
    wrong("observe x = text(css:\"a\")\nproperty p: always x",
          "2:20: a condition is wanted here, not a text; compare it");
    wrong("property p: always size(3) == 2", "1:20: size takes a list or a text");
}

TEST(what_stands_in_quotes_is_part_of_a_name)
{
    tac_properties *properties = properties_of(
        "property p: always (visible(css:\"#main\") and # a comment\n"
        "  not visible(css:\"#footer\") and count(css:\"a  b\") == count(css:\"a b\"))\n");
    CHECK_EQ(tac_property_observables(properties), 4);
    CHECK_STR(tac_property_observable(properties, 0)->name, "visible(css:\"#main\")");
    CHECK_STR(tac_property_observable(properties, 1)->name, "visible(css:\"#footer\")");
    CHECK_STR(tac_property_observable(properties, 2)->name, "count(css:\"a  b\")");
    tac_property_free(properties);
}

TEST(what_cannot_be_observed_is_said_where_it_stands)
{
    wrong("observe t = text(css:\"a\")\nproperty p: always (t == \"x\")",
          "1:9: 't' is the time; give what is observed another name");
    wrong("observe n = count(css:\"a\")\nlet n = 3\nproperty p: always (n > 0)",
          "2:5: 'n' is already observed in line 1");
    wrong("property p: always (count(//node[@@]) > 0)",
          "1:27: '//node[@@]' is not an XPath that selects elements, such as "
          "//node[@resource-id='com.example:id/play']");
    wrong("property p: always (texts(\"//node/@text\") == [])",
          "1:27: '//node/@text' is not an XPath that selects elements, such as "
          "//node[@resource-id='com.example:id/play']");
    wrong("property p: always (visible(css:\"a\") == 1)",
          "1:21: this is true or false and is not compared with a number");
    wrong("property p: always (text(a) == \"x\")",
          "1:21: 'text' reads the screen by a selector: text(css:\"...\") or an XPath over the "
          "hierarchy");
    wrong("property p: always (sizee(x) == 1)",
          "1:21: there is no function 'sizee'; did you mean 'size'?");
    wrong("property p: always (attribute(css:\"a\", \"\") == \"x\")",
          "1:40: expected the name of the attribute in quotes, found \"\"");
}
