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

/* What the states say of one condition. */
struct told {
    bool some_true, some_false, last_true;
};

static struct told told_of(const struct world *world, const struct node *node)
{
    struct told out = {0};
    for (size_t i = 0; i < world->count; i++) {
        int truth = observed_truth(world, node, (long)i);
        out.some_true = out.some_true || truth == TRUE_;
        out.some_false = out.some_false || truth == FALSE_;
        out.last_true = truth == TRUE_;
    }
    return out;
}

/* Whether the formula of this shape was more than not refuted. */
static bool is_exercised(int shape, struct told a, struct told b)
{
    switch (shape) {
    case 0:
        return a.some_false;
    case 1:
        return a.some_true && b.some_true;
    case 2:
        return (a.some_true && !a.some_false) || (b.some_true && !b.some_false);
    case 3:
        return a.some_false || (b.some_true && !b.some_false);
    default:
        return a.last_true;
    }
}

TEST(formulas_that_speak_of_what_is_never_there_were_not_exercised)
{
    static const char *const shapes[][3] = {{"not eventually (", NULL, ")"},
                                            {"always (", ") and always (", ")"},
                                            {"always (", ") or always (", ")"},
                                            {"(always (", ")) -> always (", ")"},
                                            {"eventually always (", NULL, ")"}};
    tac_random random;
    size_t seen[5][2] = {0};
    tac_random_seed(&random, 1903);
    for (int round = 0; round < 3000; round++) {
        struct node *a = observed_condition(&random, 1), *b = observed_condition(&random, 1);
        struct world *world = observed_random(&random);
        int shape = (int)tac_random_below(&random, 5);
        tac_str text = {0};
        tac_str_addf(&text, "%sproperty p: %s", observed_declarations, shapes[shape][0]);
        observed_show(&text, a);
        if (shapes[shape][1]) {
            tac_str_add(&text, shapes[shape][1]);
            observed_show(&text, b);
        }
        tac_str_add(&text, shapes[shape][2]);
        tac_properties *properties = properties_of(tac_str_text(&text));
        tac_monitor *monitor;
        tac_error err;
        tac_property_result result;
        tac_monitor_options options = {.allow_missing = true};
        CHECK_EQ(tac_monitor_new(properties, &options, &monitor, &err), TAC_OK);
        tac_names names = {0};
        observed_feed(monitor, world, &names, &random);
        tac_monitor_result(monitor, 0, true, &result);
        bool bad = result.answer == TAC_VIOLATED || result.answer == TAC_PRESUMABLY_VIOLATED;
        bool exercised = bad || is_exercised(shape, told_of(world, a), told_of(world, b));
        if (result.observed && result.vacuous == exercised)
            fprintf(stderr, "%s\n", tac_str_text(&text));
        if (result.observed)
            CHECK_EQ(result.vacuous, !exercised);
        seen[shape][exercised] += result.observed && !bad;
        tac_monitor_free(monitor);
        tac_names_free(&names);
        tac_property_free(properties);
        tac_str_free(&text);
        free(world);
        observed_drop(a);
        observed_drop(b);
    }
    for (int shape = 0; shape < 5; shape++)
        CHECK(seen[shape][0] > 10 && seen[shape][1] > 10);
}
