/* Formulas over what was observed: lists, texts, states before, and missing values.
 *
 * The monitor is compared with the definition (observed_world.h) on seeded random formulas and
 * traces, fed in blocks of random length. */
#include "observed_world.h"
#include "property_support.h"
#include "tactus_test.h"

TEST(formulas_over_observables_are_what_the_definition_says)
{
    tac_random random;
    size_t seen[3] = {0};
    tac_random_seed(&random, 1901);
    for (int round = 0; round < 3000; round++) {
        struct node *node = observed_condition(&random, 3);
        struct world *world = observed_random(&random);
        tac_str text = {0};
        tac_str_addf(&text, "%sproperty p: always (", observed_declarations);
        observed_show(&text, node);
        tac_str_add(&text, ")\nproperty e: eventually (");
        observed_show(&text, node);
        tac_str_add_char(&text, ')');
        tac_properties *properties = properties_of(tac_str_text(&text));
        tac_monitor *monitor;
        tac_error err;
        tac_property_result always, eventually;
        tac_monitor_options options = {.allow_missing = true};
        CHECK_EQ(tac_monitor_new(properties, &options, &monitor, &err), TAC_OK);
        tac_names names = {0};
        observed_feed(monitor, world, &names, &random);
        tac_monitor_result(monitor, 0, true, &always);
        tac_monitor_result(monitor, 1, true, &eventually);
        uint64_t unknown = 0;
        bool some_false = false, some_hope = false, blind = false;
        for (size_t i = 0; i < world->count; i++) {
            int truth = observed_truth(world, node, (long)i);
            seen[truth - FALSE_]++;
            unknown += truth == UNKNOWN;
            blind = blind || (truth == UNKNOWN && !some_hope);
            some_false = some_false || truth == FALSE_;
            some_hope = some_hope || truth != FALSE_;
        }
        bool violated = always.answer == TAC_VIOLATED || always.answer == TAC_PRESUMABLY_VIOLATED;
        bool hopeless =
            eventually.answer == TAC_VIOLATED || eventually.answer == TAC_PRESUMABLY_VIOLATED;
        if (violated != some_false || hopeless != !some_hope)
            fprintf(stderr, "%s\n", tac_str_text(&text));
        CHECK_EQ(violated, some_false);
        CHECK_EQ(hopeless, !some_hope);
        if (!violated)
            CHECK_EQ(always.untested, unknown);
        if (!violated && node->op != C_IMPLIES)
            CHECK_EQ(always.vacuous, unknown == world->count);
        CHECK_EQ(eventually.vacuous, blind);
        tac_monitor_free(monitor);
        tac_names_free(&names);
        tac_property_free(properties);
        tac_str_free(&text);
        free(world);
        observed_drop(node);
    }
    CHECK(seen[0] > 10000 && seen[1] > 5000 && seen[2] > 10000);
}

/* Whether b is surely true in one of the states from `from` to `to`. */
static bool seen_true(const struct world *world, const struct node *b, size_t from, size_t to)
{
    bool found = false;
    for (size_t i = from; i <= to && i < world->count; i++)
        found = found || observed_truth(world, b, (long)i) == TRUE_;
    return found;
}

TEST(what_held_only_because_something_was_missing_was_not_exercised)
{
    static const struct {
        const char *text;
        size_t from, to;
    } shapes[] = {{"next", 1, 1}, {"eventually[<= 2]", 0, 2}, {"eventually[1, 3]", 1, 3}};
    tac_random random;
    size_t seen[2] = {0};
    tac_random_seed(&random, 1902);
    for (int round = 0; round < 1500; round++) {
        struct node *a = observed_condition(&random, 1), *b = observed_condition(&random, 1);
        struct world *world = observed_random(&random);
        size_t shape = (size_t)tac_random_below(&random, 3);
        tac_str text = {0};
        tac_str_addf(&text, "%sproperty p: always (", observed_declarations);
        observed_show(&text, a);
        tac_str_addf(&text, " -> %s (", shapes[shape].text);
        observed_show(&text, b);
        tac_str_add(&text, "))");
        tac_properties *properties = properties_of(tac_str_text(&text));
        tac_monitor *monitor;
        tac_error err;
        tac_property_result always;
        tac_monitor_options options = {.allow_missing = true};
        CHECK_EQ(tac_monitor_new(properties, &options, &monitor, &err), TAC_OK);
        tac_names names = {0};
        observed_feed(monitor, world, &names, &random);
        tac_monitor_result(monitor, 0, true, &always);
        bool violated = always.answer == TAC_VIOLATED || always.answer == TAC_PRESUMABLY_VIOLATED;
        bool exercised = violated;
        for (size_t i = 0; i < world->count; i++)
            exercised =
                exercised || (observed_truth(world, a, (long)i) == TRUE_ &&
                              seen_true(world, b, i + shapes[shape].from, i + shapes[shape].to));
        seen[exercised && !violated] += !violated;
        if (always.observed && !always.decided)
            CHECK_EQ(always.vacuous, !exercised);
        tac_monitor_free(monitor);
        tac_names_free(&names);
        tac_property_free(properties);
        tac_str_free(&text);
        free(world);
        observed_drop(a);
        observed_drop(b);
    }
    CHECK(seen[0] > 100 && seen[1] > 100);
}
