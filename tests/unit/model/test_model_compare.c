/* Comparing up to names, merging, abstracting. */
#include "model/model.h"
#include "model/tools.h"
#include "model_support.h"
#include "tactus_test.h"

static bool equal_up_to_names(const tac_model *a, const tac_model *b)
{
    tac_model_differences *diff = tac_model_diff(a, b);
    bool equal = diff->count == 0;
    tac_model_differences_free(diff);
    return equal;
}

TEST(renamed_models_are_equal)
{
    for (uint64_t seed = 1; seed <= test_scale(500); seed++) {
        random_model_options options = {
            .devices = 1 + (unsigned)(seed % 2), .deterministic = true, .decorated = true};
        tac_model *model = random_model(seed, &options);
        options.prefix = "other_";
        options.shuffled = true;
        tac_model *renamed = random_model(seed, &options);
        CHECK(equal_up_to_names(model, renamed));
        CHECK(equal_up_to_names(model, model));
        tac_model_free(model);
        tac_model_free(renamed);
    }
}

static tac_model *merge_two(const tac_model *a, const tac_model *b, uint32_t common, bool by_shape,
                            tac_merge_figures *figures)
{
    const tac_model *models[] = {a, b};
    tac_merge_options options = {.common = common, .by_shape = by_shape};
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *merged = NULL;
    tac_model_merge(models, 2, &options, &findings, figures, &merged, &err);
    tac_diagnostics_free(&findings);
    return merged;
}

/* Cuts the transition number `which` out of a model's text; false when there are fewer. */
static bool cut_transition(char *text, unsigned which)
{
    char *at = text;
    for (;; at++) {
        at = strstr(at, "          <transition");
        if (!at || which-- == 0)
            break;
    }
    if (!at)
        return false;
    char *end = strchr(at, '\n');
    if (end[-2] != '/')
        end = strchr(strstr(end, "</transition>"), '\n');
    memmove(at, end + 1, strlen(end + 1) + 1);
    return true;
}

TEST(a_missing_transition_is_found_and_merging_brings_it_back)
{
    size_t cuts = 0;
    for (uint64_t seed = 1; seed <= test_scale(300); seed++) {
        random_model_options options = {.devices = 1, .deterministic = true, .decorated = true};
        tac_model *model = random_model(seed, &options);
        char *text = model_text(model);
        bool cut = cut_transition(text, (unsigned)(seed % 7));
        tac_model *less = model_of(text, NULL);
        REQUIRE(less != NULL);
        CHECK_EQ(less->transition_count, model->transition_count - cut);
        CHECK_EQ(equal_up_to_names(model, less), !cut);
        cuts += cut;
        tac_merge_figures figures;
        tac_model *merged = merge_two(less, model, 1, seed % 2, &figures);
        REQUIRE(merged != NULL);
        CHECK(equal_up_to_names(model, merged));
        CHECK_EQ(figures.transitions, model->transition_count);
        CHECK_EQ(figures.in_all, less->transition_count);
        tac_model_free(merged);
        merged = merge_two(less, model, 2, false, &figures);
        REQUIRE(merged != NULL);
        CHECK(equal_up_to_names(less, merged));
        tac_model_free(merged);
        tac_model_free(less);
        tac_model_free(model);
        free(text);
    }
    CHECK(cuts > 0);
}

/* Many starts: pairs are found by name or in order, not by trying all. */
static tac_model *many_starts(const char *prefix, unsigned count)
{
    tac_model_builder *builder = tac_model_builder_new("many", "many.xml");
    uint32_t device = tac_build_device(builder, "d", NULL, 0);
    uint32_t application = tac_build_application(builder, device, "a", NULL, NULL, true, 0);
    uint32_t activity = tac_build_activity(builder, application, "v", true, 0);
    for (unsigned i = 0; i < count; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s%u", prefix, i);
        uint32_t machine = tac_build_machine(builder, activity, name, true, 0);
        tac_build_node(builder, machine, TAC_NODE_STATE, "S", 0);
        tac_build_initial(builder, machine, "S", 0);
        snprintf(name, sizeof name, "e%u", i);
        tac_build_transition(builder, machine, "S", name, "S", -1, -1, 1, NULL, NULL, 0);
    }
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model = NULL;
    REQUIRE(tac_model_builder_finish(builder, &findings, &model, &err) == TAC_OK);
    return model;
}

TEST(many_starts_are_paired)
{
    tac_model *one = many_starts("m", 1000), *two = many_starts("n", 1000);
    CHECK(equal_up_to_names(one, one));
    CHECK(equal_up_to_names(one, two));
    tac_model_free(one);
    tac_model_free(two);
}

/* The UAMP with other names and one text replaced. */
static char *uamp_with(const char *old, const char *new)
{
    FILE *file = fopen(test_source("examples/uamp/uamp.model.xml"), "r");
    REQUIRE(file != NULL);
    static char text[20000];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *at = strstr(text, old);
    REQUIRE(at != NULL);
    char *changed = malloc(sizeof text + 200);
    snprintf(changed, sizeof text + 200, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return changed;
}

static size_t differences_with(const char *old, const char *new)
{
    char *text = uamp_with(old, new);
    tac_model *changed = model_of(text, NULL), *plain = NULL;
    tac_diagnostics findings = {0};
    tac_error err;
    REQUIRE(changed != NULL);
    REQUIRE(tac_model_load(test_source("examples/uamp/uamp.model.xml"), &findings, &plain, &err) ==
            TAC_OK);
    tac_model_differences *diff = tac_model_diff(plain, changed);
    json_t *document = tac_model_differences_json(diff);
    size_t count = diff->count;
    CHECK_EQ(json_integer_value(json_object_get(document, "differences")), count);
    CHECK_EQ(json_is_true(json_object_get(document, "equal")), count == 0);
    json_decref(document);
    tac_model_differences_free(diff);
    tac_model_free(changed);
    tac_model_free(plain);
    free(text);
    return count;
}

TEST(each_kind_of_change_is_a_difference)
{
    CHECK_EQ(differences_with("name=\"uamp\"", "name=\"other\""), 0);
    CHECK_EQ(differences_with("event=\"seek\" to=\"S12\"", "event=\"shuffle\" to=\"S12\""), 2);
    CHECK_EQ(differences_with("event=\"seek\" to=\"S12\"", "event=\"seek\" to=\"S12\" time=\"3\""),
             1);
    CHECK_EQ(differences_with("event=\"seek\" to", "kind=\"system\" event=\"seek\" to"), 1);
    CHECK_EQ(differences_with("event=\"seek\" to=\"S12\"", "event=\"seek\" to=\"end\""), 2);
    CHECK_EQ(differences_with("event=\"seek\" to", "sends=\"x\" event=\"seek\" to"), 1);
    CHECK_EQ(differences_with("event=\"seek\" to", "guard=\"true\" event=\"seek\" to"), 1);
    CHECK_EQ(differences_with("event=\"seek\" to", "update=\"n = 1\" event=\"seek\" to"), 1);
    CHECK_EQ(differences_with("name=\"uamp\"", "name=\"uamp\" setup=\"n = 1\""), 1);
    CHECK_EQ(differences_with("returns=\"S6\" reuse=\"false\"", "returns=\"S6\" reuse=\"true\""),
             1);
    CHECK_EQ(differences_with("returns=\"S7\"", "returns=\"S8\""), 1);
    CHECK_EQ(differences_with("autoReturn=\"true\"", "autoReturn=\"false\""), 1);
    CHECK_EQ(differences_with("initial to=\"S10\"", "initial to=\"end\""), 1);
    CHECK_EQ(differences_with("name=\"PlaceholderActivity_1\"",
                              "name=\"PlaceholderActivity_1\" external=\"true\""),
             1);
    CHECK_EQ(differences_with("calls=\"PlaceholderActivity_1\"", "calls=\"MusicPlayerActivity\""),
             1);
    CHECK_EQ(differences_with("calls=\"PlaceholderActivity_1\"", "calls=\"PlaceholderActivity_0\""),
             1);
    CHECK_EQ(differences_with("<state name=\"S9\"/>", "<state name=\"S9\"/><state name=\"X\"/>"),
             1);
}

TEST(merging_a_model_with_itself_changes_only_weights)
{
    for (uint64_t seed = 1; seed <= test_scale(300); seed++) {
        random_model_options options = {.devices = 2, .deterministic = true, .decorated = true};
        tac_model *model = random_model(seed, &options);
        tac_merge_figures figures;
        tac_model *merged = merge_two(model, model, 2, false, &figures);
        REQUIRE(merged != NULL);
        CHECK(equal_up_to_names(model, merged));
        CHECK_EQ(figures.in_all, figures.transitions);
        CHECK_EQ(figures.kept, figures.transitions);
        double before = 0, after = 0;
        for (uint32_t t = 0; t < model->transition_count; t++)
            before += model->transitions[t].weight;
        for (uint32_t t = 0; t < merged->transition_count; t++)
            after += merged->transitions[t].weight;
        CHECK_NEAR(after, 2 * before, 1e-9);
        tac_model_free(merged);
        tac_model_free(model);
    }
}

/* A door that opens after two knocks or when it is not locked: two ways to one state. */
static tac_model *door(const char *setup, int first, int second)
{
    char text[2000];
    snprintf(text, sizeof text,
             "<interactionModel xmlns=\"urn:tactus:interaction-model:1\" name=\"door\" "
             "setup=\"%s\"><device name=\"d\"><application name=\"a\" external=\"true\">"
             "<activity name=\"v\" external=\"true\"><stateMachine name=\"m\" external=\"true\">"
             "<initial to=\"shut\"/><state name=\"shut\"/><state name=\"open\"/>"
             "<transition from=\"shut\" event=\"knock\" to=\"shut\" update=\"n++\"/>"
             "<transition from=\"shut\" event=\"push\" to=\"open\" guard=\"n == %d\"/>"
             "<transition from=\"shut\" event=\"push\" to=\"open\" guard=\"n == %d\"/>"
             "</stateMachine></activity></application></device></interactionModel>",
             setup, first, second);
    tac_diagnostics findings = {0};
    tac_model *model = model_of(text, &findings);
    REQUIRE(model != NULL);
    CHECK_EQ(findings.count, 0); /* the pushes are not the same */
    tac_diagnostics_free(&findings);
    return model;
}

TEST(merging_keeps_guards_and_the_setup)
{
    tac_model *model = door("n = 1", 2, 0), *other = door("n = 2", 2, 0);
    for (int by_shape = 0; by_shape < 2; by_shape++) {
        tac_merge_figures figures;
        tac_model *merged = merge_two(model, other, 2, by_shape, &figures);
        REQUIRE(merged != NULL);
        CHECK(equal_up_to_names(model, merged));
        CHECK_EQ(figures.transitions, 3);
        CHECK_STR(merged->setup, "n = 1");
        tac_model_free(merged);
    }
    tac_model_free(model);
    tac_model_free(other);
}

TEST(the_order_of_transitions_that_guards_tell_apart_does_not_matter)
{
    tac_model *model = door("n = 1", 2, 0), *turned = door("n = 1", 0, 2),
              *other = door("n = 1", 0, 3);
    CHECK(equal_up_to_names(model, turned));
    tac_model_differences *diff = tac_model_diff(model, other);
    CHECK_EQ(diff->count, 1); /* 2 has become 3 */
    tac_model_differences_free(diff);
    tac_model_free(model);
    tac_model_free(turned);
    tac_model_free(other);
}

TEST(merging_by_events_ignores_names)
{
    size_t equal = 0, rounds = test_scale(300);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        random_model_options options = {.devices = 1, .deterministic = true};
        tac_model *model = random_model(seed, &options);
        options.prefix = "x";
        tac_model *renamed = random_model(seed, &options);
        tac_merge_figures figures;
        tac_model *merged = merge_two(model, renamed, 1, true, &figures);
        REQUIRE(merged != NULL);
        if (equal_up_to_names(model, renamed)) {
            equal++;
            CHECK(equal_up_to_names(model, merged));
            CHECK_EQ(figures.in_all, figures.transitions);
        }
        tac_model_free(merged);
        tac_model_free(renamed);
        tac_model_free(model);
    }
    CHECK(equal > rounds / 4);
}

#define TWO_STATES(transitions)                                                                    \
    "<interactionModel xmlns=\"urn:tactus:interaction-model:1\" name=\"t\"><device name=\"d\">"    \
    "<application name=\"a\" external=\"true\"><activity name=\"v\" external=\"true\">"            \
    "<stateMachine name=\"m\" external=\"true\"><initial to=\"A\"/><state name=\"A\"/>"            \
    "<state name=\"B\"/>" transitions "</stateMachine></activity></application></device>"          \
    "</interactionModel>"

TEST(merging_counts_how_often_a_transition_was_seen)
{
    tac_model *one = model_of(TWO_STATES("<transition from=\"A\" event=\"go\" to=\"B\"/>"
                                         "<transition from=\"A\" event=\"x\" to=\"A\"/>"),
                              NULL);
    tac_model *two =
        model_of(TWO_STATES("<transition from=\"A\" event=\"go\" to=\"B\" weight=\"3\"/>"
                            "<transition from=\"B\" event=\"y\" to=\"B\"/>"),
                 NULL);
    REQUIRE(one && two);
    tac_merge_figures figures;
    tac_model *merged = merge_two(one, two, 1, false, &figures);
    REQUIRE(merged != NULL);
    CHECK_EQ(merged->transition_count, 3);
    CHECK_EQ(figures.in_all, 1);
    CHECK_NEAR(merged->transitions[0].weight, 4, 0);
    tac_model_free(merged);
    merged = merge_two(one, two, 2, false, &figures);
    REQUIRE(merged != NULL);
    CHECK_EQ(merged->transition_count, 1);
    CHECK_STR(merged->events[0], "go");
    tac_model_free(merged);
    CHECK(merge_two(one, two, 3, false, &figures) == NULL);
    tac_model_free(one);
    tac_model_free(two);
}

static tac_model *abstracted(const tac_model *model, const char *classes, tac_status *status,
                             tac_diagnostics *findings, tac_error *err)
{
    tac_model *out = NULL;
    *status = tac_model_abstract(model, test_write("classes", classes), findings, &out, err);
    return out;
}

TEST(abstracting_folds_a_class_into_one_event)
{
    tac_model *model = model_of(TWO_STATES("<transition from=\"A\" event=\"one\" to=\"B\"/>"
                                           "<transition from=\"A\" event=\"two\" to=\"B\"/>"
                                           "<transition from=\"A\" event=\"three\" to=\"A\"/>"
                                           "<transition from=\"B\" event=\"plus\" to=\"A\"/>"),
                                NULL);
    REQUIRE(model != NULL);
    tac_status status;
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *folded = abstracted(model, "# calculator\ndigit: one t*\nsign: plus minus\n",
                                   &status, &findings, &err);
    REQUIRE(folded != NULL);
    CHECK_EQ(folded->event_count, 2);
    CHECK_EQ(folded->transition_count, 3);
    CHECK_STR(folded->events[0], "digit");
    CHECK_NEAR(folded->transitions[0].weight, 2, 0);
    CHECK_EQ(findings.warnings, 2); /* minus fits nothing; digit leads to two states */
    tac_diagnostics_free(&findings);
    tac_model_free(folded);
    CHECK(!abstracted(model, "digit one", &status, &findings, &err));
    CHECK_CONTAINS(err.message, "no ':'");
    CHECK_EQ(err.line, 1);
    CHECK(!abstracted(model, "a: one\nb: o*\n", &status, &findings, &err));
    CHECK_CONTAINS(err.message, "keep it in one");
    CHECK(!abstracted(model, "\n# nothing\n", &status, &findings, &err));
    CHECK(!abstracted(model, "a:\n", &status, &findings, &err));
    tac_diagnostics_free(&findings);
    tac_model_free(model);
}
