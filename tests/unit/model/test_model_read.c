/* Reading and checking: the golden figures, every error of a broken file with its line, several
 * files as one model, reachability against a slow definition. */
#include "model/model.h"
#include "model/tools.h"
#include "model_support.h"
#include "tactus_test.h"

#define HEAD                                                                                       \
    "<interactionModel xmlns=\"urn:tactus:interaction-model:1\" name=\"t\">\n"                     \
    "<device name=\"d\">\n<application name=\"a\" external=\"true\">\n"                            \
    "<activity name=\"v\" external=\"true\">\n"
#define TAIL "</activity></application></device></interactionModel>\n"
#define MACHINE "<stateMachine name=\"m\" external=\"true\">\n"

/* True when a finding of that line has the text in it. */
static bool found(const tac_diagnostics *list, tac_severity severity, size_t line, const char *part)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].severity == severity && list->at[i].line == line &&
            strstr(list->at[i].message, part))
            return true;
    return false;
}

static void show(const tac_diagnostics *list)
{
    for (size_t i = 0; i < list->count; i++)
        fprintf(stderr, "  %zu: %s\n", list->at[i].line, list->at[i].message);
}

/* The text has exactly this many errors, one of them with that line and text. */
static void expect_error(const char *text, size_t errors, size_t line, const char *part)
{
    tac_diagnostics findings = {0};
    tac_model *model = model_of(text, &findings);
    CHECK(model == NULL);
    CHECK_EQ(findings.errors, errors);
    bool there = found(&findings, TAC_ERROR, line, part);
    CHECK(there);
    if (!there || findings.errors != errors)
        show(&findings);
    tac_diagnostics_free(&findings);
    tac_model_free(model);
}

TEST(uamp_has_the_golden_figures)
{
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model;
    REQUIRE(tac_model_load(test_source("examples/uamp/uamp.model.xml"), &findings, &model, &err) ==
            TAC_OK);
    tac_model_statistics count;
    tac_model_count(model, &count);
    CHECK_EQ(count.devices, 1);
    CHECK_EQ(count.applications, 1);
    CHECK_EQ(count.activities, 3);
    CHECK_EQ(count.machines, 4);
    CHECK_EQ(count.states, 13);
    CHECK_EQ(count.connections, 8);
    CHECK_EQ(count.finals, 4);
    CHECK_EQ(count.transitions, 37);
    CHECK_EQ(count.events, 12);
    CHECK_EQ(findings.count, 0);
    CHECK_STR(model->events[0], "openMenu");
    CHECK_STR(model->nodes[model->machines[0].initial].name, "S0");
    tac_model_free(model);
}

TEST(unknown_names_come_with_the_nearest_one)
{
    expect_error(HEAD MACHINE
                 "<initial to=\"Strat\"/>\n<state name=\"Start\"/></stateMachine>" TAIL,
                 1, 6, "did you mean 'Start'?");
    expect_error(HEAD MACHINE "<initial to=\"A\"/>\n<state name=\"A\"/>\n"
                              "<transition from=\"A\" event=\"e\" to=\"B\"/></stateMachine>" TAIL,
                 1, 8, "goes to 'B'");
    expect_error(HEAD MACHINE "<initial to=\"A\"/>\n<state name=\"A\"/>\n"
                              "<transition from=\"B\" event=\"e\" to=\"A\"/></stateMachine>" TAIL,
                 1, 8, "leaves 'B'");
    expect_error(HEAD MACHINE
                 "<initial to=\"A\"/>\n<state name=\"A\"/>\n"
                 "<connection name=\"C\" calls=\"n\" returns=\"A\"/></stateMachine>" TAIL,
                 1, 8, "did you mean 'm'?");
    expect_error(HEAD MACHINE
                 "<initial to=\"A\"/>\n<state name=\"A\"/>\n"
                 "<connection name=\"C\" calls=\"m\" returns=\"X\"/></stateMachine>" TAIL,
                 1, 8, "returns to 'X'");
}

TEST(names_are_unique_within_their_parent)
{
    expect_error(HEAD MACHINE "<initial to=\"A\"/>\n<state name=\"A\"/>\n<state name=\"A\"/>"
                              "</stateMachine>" TAIL,
                 1, 8, "appears twice");
    expect_error(HEAD MACHINE "<initial to=\"A\"/>\n<state name=\"A\"/>\n<final name=\"A\"/>"
                              "</stateMachine>" TAIL,
                 1, 8, "first in line 7");
    expect_error(HEAD MACHINE "<initial to=\"A\"/><state name=\"A\"/></stateMachine>\n" MACHINE
                              "<initial to=\"A\"/><state name=\"A\"/></stateMachine>" TAIL,
                 1, 7, "state machine 'm' appears twice in the activity 'v'");
    /* The same name in different machines is no problem. */
    tac_model *model = model_of(HEAD MACHINE "<initial to=\"A\"/><state name=\"A\"/></stateMachine>"
                                             "<stateMachine name=\"n\"><initial to=\"A\"/>"
                                             "<state name=\"A\"/></stateMachine>" TAIL,
                                NULL);
    CHECK(model != NULL);
    tac_model_free(model);
}

TEST(missing_parts_are_errors)
{
    expect_error(HEAD MACHINE "<state name=\"A\"/></stateMachine>" TAIL, 1, 5, "has no initial");
    expect_error(HEAD "<stateMachine name=\"m\"><initial to=\"A\"/><state name=\"A\"/>"
                      "</stateMachine>" TAIL,
                 1, 2, "no externally accessible start: no state machine");
    expect_error(
        "<interactionModel xmlns=\"urn:tactus:interaction-model:1\">\n"
        "<device name=\"d\"><application name=\"a\"><activity name=\"v\" external=\"true\">"
        "<stateMachine name=\"m\" external=\"true\"><initial to=\"A\"/><state name=\"A\"/>"
        "</stateMachine></activity></application></device></interactionModel>",
        1, 2, "none of its applications is external");
}

TEST(connections_lead_to_states)
{
    expect_error(HEAD MACHINE
                 "<initial to=\"A\"/>\n<state name=\"A\"/>\n"
                 "<connection name=\"C\" calls=\"m\" returns=\"C\"/></stateMachine>" TAIL,
                 1, 8, "returns to the connection 'C'");
    expect_error(HEAD MACHINE "<initial to=\"A\"/>\n<state name=\"A\"/>\n"
                              "<connection name=\"C\" calls=\"m\" returns=\"A\"/>\n"
                              "<transition from=\"C\" event=\"e\" to=\"A\"/></stateMachine>" TAIL,
                 1, 9, "only states have transitions");
    expect_error(HEAD MACHINE "<initial to=\"A\"/>\n<state name=\"A\"/>\n"
                              "<connection name=\"C\" calls=\"w\" returns=\"A\"/></stateMachine>"
                              "</activity><activity name=\"w\"><stateMachine name=\"n\">"
                              "<initial to=\"A\"/><state name=\"A\"/></stateMachine>" TAIL,
                 1, 8, "none of its state machines is external");
}

TEST(a_call_finds_the_nearest_name_and_understands_paths)
{
    /* Two activities have a machine n: a bare n is the one of the own activity, paths reach both.
     */
    static const char text[] =
        HEAD MACHINE "<initial to=\"A\"/><state name=\"A\"/>"
                     "<connection name=\"near\" calls=\"n\" returns=\"A\"/>"
                     "<connection name=\"two\" calls=\"w/n\" returns=\"A\"/>"
                     "<connection name=\"three\" calls=\"a/w/n\" returns=\"A\"/>"
                     "<connection name=\"activity\" calls=\"a/w\" returns=\"A\"/>"
                     "</stateMachine><stateMachine name=\"n\"><initial to=\"A\"/>"
                     "<state name=\"A\"/></stateMachine></activity><activity name=\"w\">"
                     "<stateMachine name=\"n\" external=\"true\"><initial to=\"A\"/>"
                     "<state name=\"A\"/></stateMachine>" TAIL;
    tac_model *model = model_of(text, NULL);
    REQUIRE(model != NULL);
    CHECK_EQ(model->calls[0].machine, 1);
    CHECK_EQ(model->calls[1].machine, 2);
    CHECK_EQ(model->calls[2].machine, 2);
    CHECK_EQ(model->calls[3].machine, TAC_MODEL_NONE);
    CHECK_EQ(model->calls[3].activity, 1);
    tac_model_free(model);
}

TEST(a_call_that_fits_twice_is_an_error)
{
    expect_error(HEAD MACHINE "<initial to=\"A\"/><state name=\"A\"/>\n"
                              "<connection name=\"C\" calls=\"n\" returns=\"A\"/></stateMachine>"
                              "</activity><activity name=\"w\"><stateMachine name=\"n\">"
                              "<initial to=\"A\"/><state name=\"A\"/></stateMachine></activity>"
                              "<activity name=\"x\"><stateMachine name=\"n\"><initial to=\"A\"/>"
                              "<state name=\"A\"/></stateMachine>" TAIL,
                 1, 7, "fits several");
}

TEST(schema_errors_and_errors_of_meaning_are_listed_together)
{
    tac_diagnostics findings = {0};
    tac_model *model = model_of(
        HEAD MACHINE "<initial to=\"A\"/>\n<state name=\"A\" colour=\"red\"/>\n"
                     "<state name=\"B C\"/>\n<transition from=\"A\" event=\"e\" to=\"Z\"/>\n"
                     "<transition from=\"A\" event=\"e\" to=\"A\" time=\"soon\"/>\n"
                     "<transition from=\"A\" event=\"e\" to=\"A\" weight=\"0\"/>\n"
                     "</stateMachine>" TAIL,
        &findings);
    CHECK(model == NULL);
    CHECK(found(&findings, TAC_ERROR, 7, "'colour' is not allowed"));
    CHECK(found(&findings, TAC_ERROR, 8, "'B C'"));
    CHECK(found(&findings, TAC_ERROR, 9, "goes to 'Z'"));
    CHECK(found(&findings, TAC_ERROR, 10, "'soon'"));
    CHECK(found(&findings, TAC_ERROR, 11, "weight"));
    for (size_t i = 1; i < findings.count; i++)
        CHECK(findings.at[i - 1].line <= findings.at[i].line);
    tac_diagnostics_free(&findings);
}

TEST(numbers_and_flags_are_read_as_the_schema_allows_them)
{
    tac_model *model =
        model_of(HEAD "<stateMachine name=\"m\" external=\" true \"><initial to=\"A\"/>"
                      "<state name=\"A\"/><transition from=\"A\" event=\"e\" to=\"A\" "
                      "time=\" +1.5 \" weight=\"2E1\"/></stateMachine>" TAIL,
                 NULL);
    REQUIRE(model != NULL);
    CHECK_NEAR(model->transitions[0].time, 1.5, 0);
    CHECK_NEAR(model->transitions[0].weight, 20, 0);
    CHECK(model->machines[0].external);
    tac_model_free(model);
    static const char *const bad[] = {"1e999", "INF", "NaN", "-1", "", "0x10", "1,5"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 HEAD MACHINE "<initial to=\"A\"/>\n<state name=\"A\"/>\n<transition from=\"A\" "
                              "event=\"e\" to=\"A\" time=\"%s\"/></stateMachine>" TAIL,
                 bad[i]);
        expect_error(text, 1, 8, "time");
    }
}

TEST(files_that_are_no_models_are_refused)
{
    expect_error("", 1, 1, "the file is empty");
    expect_error("<interactionModel", 2, 1, "not well-formed");
    expect_error("<other/>", 2, 1, "not an interaction model");
    expect_error("<!DOCTYPE x [<!ENTITY a \"b\">]>\n<interactionModel/>", 1, 1, "document type");
}

TEST(warnings_do_not_stop_loading)
{
    tac_diagnostics findings = {0};
    tac_model *model =
        model_of(HEAD MACHINE "<initial to=\"A\"/>\n<state name=\"A\"/>\n<state name=\"Lost\"/>\n"
                              "<transition from=\"A\" event=\"e\" to=\"A\"/>\n"
                              "<transition from=\"A\" event=\"e\" to=\"A\"/>\n"
                              "<transition from=\"A\" event=\"f\" to=\"A\" sends=\"mail\"/>\n"
                              "<transition from=\"A\" event=\"g\" to=\"A\" receives=\"mial\"/>\n"
                              "</stateMachine>\n<stateMachine name=\"alone\"><initial to=\"A\"/>"
                              "<state name=\"A\"/></stateMachine>" TAIL,
                 &findings);
    CHECK(model != NULL);
    CHECK_EQ(findings.warnings, 4);
    CHECK(found(&findings, TAC_WARNING, 8, "'Lost'"));
    CHECK(found(&findings, TAC_WARNING, 10, "repeated"));
    CHECK(found(&findings, TAC_WARNING, 12, "did you mean 'mail'?"));
    CHECK(found(&findings, TAC_WARNING, 14, "never entered"));
    tac_diagnostics_free(&findings);
    tac_model_free(model);
}

/* A slow definition: sweep over all machines and transitions until nothing changes. */
static size_t count_unreachable(const tac_model *model)
{
    bool *reached = calloc(model->node_count, sizeof *reached);
    bool changed = true;
    size_t count = 0;
    while (changed) {
        changed = false;
        for (uint32_t m = 0; m < model->machine_count; m++) {
            const tac_model_machine *machine = &model->machines[m];
            const tac_model_activity *activity = &model->activities[machine->activity];
            bool entered = machine->external && activity->external &&
                           model->applications[activity->application].external;
            for (uint32_t n = 0; n < model->node_count; n++) {
                if (!reached[n] || model->nodes[n].kind != TAC_NODE_CONNECTION)
                    continue;
                const tac_model_call *call = &model->calls[model->nodes[n].call];
                changed |= !reached[call->returns];
                reached[call->returns] = true;
                entered |= call->machine == m ||
                           (call->machine == TAC_MODEL_NONE &&
                            call->activity == machine->activity && machine->external);
            }
            changed |= entered && !reached[machine->initial];
            reached[machine->initial] |= entered;
        }
        for (uint32_t t = 0; t < model->transition_count; t++)
            if (reached[model->transitions[t].from] && !reached[model->transitions[t].to])
                changed = reached[model->transitions[t].to] = true;
    }
    /* One warning for a machine that is never entered, else one per node. */
    for (uint32_t m = 0; m < model->machine_count; m++) {
        const tac_model_machine *machine = &model->machines[m];
        if (!reached[machine->initial]) {
            count++;
            continue;
        }
        for (uint32_t n = 0; n < machine->node_count; n++)
            count += !reached[machine->first_node + n];
    }
    free(reached);
    return count;
}

TEST(unreachable_states_agree_with_a_slow_definition)
{
    for (uint64_t seed = 1; seed <= test_scale(500); seed++) {
        random_model_options options = {.devices = 1 + (unsigned)(seed % 2)};
        tac_model *model = random_model(seed, &options);
        char *text = model_text(model);
        tac_diagnostics findings = {0};
        tac_model *again = model_of(text, &findings);
        size_t unreachable = 0;
        for (size_t i = 0; i < findings.count; i++)
            unreachable += strstr(findings.at[i].message, "unreachable") != NULL ||
                           strstr(findings.at[i].message, "never entered") != NULL;
        CHECK_EQ(unreachable, count_unreachable(model));
        tac_diagnostics_free(&findings);
        free(text);
        tac_model_free(again);
        tac_model_free(model);
    }
}

#define APPLICATION(name)                                                                          \
    "<application name=\"" name "\" external=\"true\"><activity name=\"v\" external=\"true\">\n"   \
    "<stateMachine name=\"m\" external=\"true\"><initial to=\"A\"/><state name=\"A\"/>\n"          \
    "<connection name=\"C\" calls=\"m\" returns=\"A\"/>\n"                                         \
    "<transition from=\"A\" event=\"e\" to=\"C\"/></stateMachine></activity></application>"
#define MODEL(name, device, application)                                                           \
    "<interactionModel xmlns=\"urn:tactus:interaction-model:1\" name=\"" name "\">"                \
    "<device name=\"" device "\">" APPLICATION(application) "</device></interactionModel>"

TEST(several_files_are_one_model)
{
    const char *paths[] = {test_write("one.xml", MODEL("one", "phone", "first")),
                           test_write("two.xml", MODEL("two", "phone", "second")),
                           test_write("three.xml", MODEL("three", "tablet", "first"))};
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model;
    REQUIRE(tac_model_load_many(paths, 3, &findings, &model, &err) == TAC_OK);
    CHECK_EQ(model->device_count, 2);
    CHECK_EQ(model->application_count, 3);
    CHECK_EQ(model->devices[0].application_count, 2);
    CHECK_STR(model->name, "one+two+three");
    CHECK_CONTAINS(model->file, "two.xml");
    /* Each application calls its own machine m. */
    for (uint32_t n = 0; n < model->node_count; n++)
        if (model->nodes[n].kind == TAC_NODE_CONNECTION)
            CHECK_EQ(model->calls[model->nodes[n].call].machine, model->nodes[n].machine);
    tac_model_free(model);
    /* The same application twice: the message names the other file. */
    const char *twice[] = {paths[0], test_write("again.xml", MODEL("again", "phone", "first"))};
    CHECK(tac_model_load_many(twice, 2, &findings, &model, &err) == TAC_E_INPUT);
    CHECK_CONTAINS(err.file, "again.xml");
    CHECK_CONTAINS(err.message, "one.xml");
    tac_diagnostics_free(&findings);
}

TEST(duplicates_of_every_kind_are_found_in_built_models)
{
    tac_model_builder *builder = tac_model_builder_new("t", "t");
    for (int d = 0; d < 2; d++) {
        uint32_t device = tac_build_device(builder, "d", NULL, 0);
        for (int a = 0; a < 2; a++) {
            uint32_t application = tac_build_application(builder, device, "a", NULL, NULL, true, 0);
            for (int v = 0; v < 2; v++) {
                uint32_t activity = tac_build_activity(builder, application, v ? "" : "v", true, 0);
                uint32_t machine = tac_build_machine(builder, activity, "m", true, 0);
                tac_build_node(builder, machine, TAC_NODE_STATE, "A", 0);
                tac_build_initial(builder, machine, "A", 0);
                tac_build_initial(builder, machine, "A", 0);
            }
        }
    }
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model;
    CHECK(tac_model_builder_finish(builder, &findings, &model, &err) == TAC_E_INPUT);
    CHECK(found(&findings, TAC_ERROR, 0, "device 'd' appears twice"));
    CHECK(found(&findings, TAC_ERROR, 0, "application 'a' appears twice"));
    CHECK(found(&findings, TAC_ERROR, 0, "a name of this activity is empty"));
    CHECK(found(&findings, TAC_ERROR, 0, "more than one initial"));
    CHECK_EQ(findings.errors, 1 + 2 + 4 + 8);
    tac_diagnostics_free(&findings);
}

TEST(misuse_of_the_builder_is_an_error_and_no_crash)
{
    tac_model_builder *builder = tac_model_builder_new("t", "t");
    tac_build_application(builder, 3, "a", NULL, NULL, true, 0);
    tac_build_action(builder, 9, TAC_ACTION_CLICK, NULL, NULL, NULL, NULL);
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model;
    CHECK(tac_model_builder_finish(builder, &findings, &model, &err) == TAC_E_USAGE);
    builder = tac_model_builder_new("t", "t");
    uint32_t device = tac_build_device(builder, "d 1", NULL, 0);
    uint32_t application = tac_build_application(builder, device, "a/b", NULL, NULL, true, 0);
    uint32_t activity = tac_build_activity(builder, application, "v", true, 0);
    tac_build_activity(builder, application, "empty", true, 0);
    uint32_t machine = tac_build_machine(builder, activity, "m", true, 0);
    tac_build_node(builder, machine, TAC_NODE_STATE, "A", 0);
    tac_build_node(builder, machine, TAC_NODE_CONNECTION, "C", 0);
    tac_build_initial(builder, machine, "A", 0);
    uint32_t transition =
        tac_build_transition(builder, machine, "A", "e", "A", -1, -1, NAN, "a b", NULL, 0);
    tac_build_action(builder, transition, TAC_ACTION_TEXT, NULL, "x:id/y", NULL, "\xff\xfe");
    CHECK(tac_model_builder_finish(builder, &findings, &model, &err) == TAC_E_INPUT);
    CHECK_EQ(findings.errors, 7);
    CHECK(found(&findings, TAC_ERROR, 0, "'d 1' holds a blank"));
    CHECK(found(&findings, TAC_ERROR, 0, "holds a '/'"));
    CHECK(found(&findings, TAC_ERROR, 0, "does not say what it calls"));
    CHECK(found(&findings, TAC_ERROR, 0, "weight"));
    CHECK(found(&findings, TAC_ERROR, 0, "the channel name 'a b'"));
    CHECK(found(&findings, TAC_ERROR, 0, "not valid UTF-8"));
    CHECK(found(&findings, TAC_ERROR, 0, "'empty' has no state machine"));
    if (findings.errors != 7)
        show(&findings);
    tac_diagnostics_free(&findings);
}
