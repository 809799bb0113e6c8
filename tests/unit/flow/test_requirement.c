/* Requirements: reading, writing, binding to a model, templates, loops. */
#include "flow/requirement.h"
#include "flow_helpers.h"
#include "tactus_test.h"

#define HEAD                                                                                       \
    "<appUserFlowRequirement xmlns=\"http://www.morse.uma.es/appuserflowrequirement\" "            \
    "name=\"r\">\n"
#define TAIL "</appUserFlowRequirement>\n"

/* The first complaint about a text, "" when there is none. Static. */
static const char *complaint(const char *text)
{
    static char message[1200];
    tac_diagnostics findings = {0};
    tac_requirement *requirement = NULL;
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    tac_error err = {0};
    tac_status status =
        tac_requirement_load(test_write("r.xml", text), &findings, &requirement, &err);
    if (status == TAC_OK)
        status = tac_requirement_check(requirement, model, &findings, &err);
    snprintf(message, sizeof message, "%zu: %s", err.line, status == TAC_OK ? "" : err.message);
    tac_diagnostics_free(&findings);
    tac_requirement_free(requirement);
    tac_model_free(model);
    return message;
}

TEST(an_unknown_name_is_an_error_with_the_closest_name)
{
    CHECK_CONTAINS(complaint(HEAD "<sequence><constraint><event name=\"selectSnog\"/></constraint>"
                                  "</sequence>" TAIL),
                   "2: the model has no event 'selectSnog'; did you mean 'selectSong'?");
    CHECK_CONTAINS(
        complaint(HEAD "<invariants>\n<state name=\"S66\" visit=\"false\"/></invariants>" TAIL),
        "3: the model has no state 'S66'; did you mean 'S6'?");
    CHECK_CONTAINS(complaint(HEAD "<device serialNumber=\"91e1b2da\"/><invariants><loop max=\"1\"/>"
                                  "</invariants>" TAIL),
                   "no device '91e1b2da'; did you mean '91e1b2db'?");
    CHECK_CONTAINS(complaint(HEAD "<application codeName=\"uammp\"/><invariants><loop max=\"1\"/>"
                                  "</invariants>" TAIL),
                   "no application 'uammp'; did you mean 'uamp'?");
    CHECK_CONTAINS(complaint(HEAD "<invariants><view name=\"PlaceholderActvity\" visit=\"false\"/>"
                                  "</invariants>" TAIL),
                   "did you mean 'PlaceholderActivity'?");
}

TEST(a_bare_name_of_several_machines_is_an_error)
{
    CHECK_CONTAINS(
        complaint(HEAD "<invariants><state name=\"end\" visit=\"false\"/></invariants>" TAIL),
        "is in several machines");
    CHECK_STR(complaint(HEAD
                        "<invariants><state name=\"end\" statemachine=\"PlaceholderActivity_0\" "
                        "visit=\"false\"/></invariants>" TAIL),
              "0: ");
    CHECK_CONTAINS(
        complaint(HEAD "<invariants><state name=\"C3\" visit=\"false\"/></invariants>" TAIL),
        "is a connection");
}

TEST(what_asks_for_nothing_is_an_error)
{
    CHECK_CONTAINS(complaint(HEAD TAIL), "1: the requirement asks for nothing");
    CHECK_CONTAINS(complaint(HEAD "<device serialNumber=\"91e1b2db\"/>" TAIL),
                   "1: the requirement asks for nothing");
    CHECK_CONTAINS(complaint(HEAD "<invariants>\n<event name=\"back\"/></invariants>" TAIL),
                   "3: event 'back': nothing is asked of it");
    CHECK_CONTAINS(complaint(HEAD "<invariants><loop/></invariants>" TAIL),
                   "2: the loop is not bounded");
}

TEST(visit_true_among_the_invariants_points_to_constraint)
{
    CHECK_CONTAINS(
        complaint(HEAD "<invariants><state name=\"S1\" visit=\"true\"/></invariants>" TAIL),
        "write it as a <constraint>");
}

TEST(a_simple_constraint_has_one_atom)
{
    CHECK_CONTAINS(complaint(HEAD "<sequence><constraint type=\"simple\"><event name=\"back\"/>"
                                  "<event name=\"back\"/></constraint></sequence>" TAIL),
                   "a simple constraint has one");
}

TEST(the_schema_is_applied)
{
    CHECK_CONTAINS(complaint(HEAD "<invariants><loop max=\"-1\"/></invariants>" TAIL), "max");
    CHECK_CONTAINS(complaint(HEAD "<invariant/>" TAIL), "invariant");
    CHECK_CONTAINS(complaint("<appUserFlowRequirement/>"), "1: ");
    CHECK_CONTAINS(complaint(HEAD "<invariants><loop min=\"3\" max=\"1\"/></invariants>" TAIL),
                   "no flow can meet it");
}

static char *written(const tac_requirement *requirement)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    CHECK_EQ(tac_requirement_write(requirement, out, NULL), TAC_OK);
    fclose(out);
    return text;
}

TEST(what_is_written_reads_back_equal)
{
    tac_requirement *first = tac_requirement_new("a \"b\" <c>", "says & means");
    tac_requirement_watch_application(first, "uamp");
    tac_requirement_watch_device(first, "91e1b2db");
    tac_requirement_limit_loops(first, TAC_LOOP_STATE, 1, 3);
    tac_requirement_limit_loops(first, TAC_LOOP_TRANSITION, 0, 7);
    tac_requirement_avoid_state(first, "S1", "MusicPlayerActivity", "MusicPlayerActivity_0");
    tac_requirement_avoid_view(first, "PlaceholderActivity");
    tac_requirement_limit_event(first, "back", 2, 10.25);
    tac_requirement_limit_event(first, "seek", TAC_UNBOUNDED, 0.1);
    size_t constraint = tac_requirement_add_constraint(first);
    tac_requirement_add_state(first, constraint, "S6", NULL, "MusicPlayerActivity_0", false);
    tac_requirement_add_event(first, constraint, "back");
    tac_requirement_add_view(first, tac_requirement_add_constraint(first), "PlaceholderActivity",
                             true);
    char *text = written(first);
    tac_diagnostics findings = {0};
    tac_requirement *second = NULL;
    REQUIRE(tac_requirement_load(test_write("w.xml", text), &findings, &second, NULL) == TAC_OK);
    char *again = written(second);
    CHECK_STR(again, text);
    CHECK_EQ(second->events[0].max, 2);
    CHECK_NEAR(second->events[1].time, 0.1, 0);
    CHECK_EQ(second->loops[0].kind, TAC_LOOP_STATE);
    CHECK_STR(second->description, "says & means");
    CHECK(!second->sequence[0].atoms[0].visit);
    free(text);
    free(again);
    tac_requirement_free(first);
    tac_requirement_free(second);
}

static uint64_t flows_with(tac_requirement *requirement, uint32_t length)
{
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    const tac_requirement *list[] = {requirement};
    tac_flow_engine *engine = new_engine(
        model, &(tac_flow_options){.length = length, .requirements = list, .requirement_count = 1});
    uint64_t flows = strtoull(counts_text(engine), NULL, 10);
    tac_flow_engine_free(engine);
    tac_model_free(model);
    tac_requirement_free(requirement);
    return flows;
}

TEST(templates_make_requirements)
{
    static const char *const order[] = {"S4", "state:MusicPlayerActivity_0/S5", "event:selectSong",
                                        "view:FullScreenPlayerActivity"};
    static const char *const never[] = {"event:playPause", "S1", "view:FullScreenPlayerActivity"};
    tac_requirement *requirement;
    CHECK(flows_with(tac_requirement_start_stop("selectSong", "playPause"), 8) > 0);
    REQUIRE(tac_requirement_visit_in_order(order, 4, &requirement, NULL) == TAC_OK);
    uint64_t some = flows_with(requirement, 6);
    CHECK(some > 0 && some < 146);
    REQUIRE(tac_requirement_avoid(never, 3, &requirement, NULL) == TAC_OK);
    some = flows_with(requirement, 6);
    CHECK(some > 0 && some < 146);
    CHECK_EQ(tac_requirement_avoid((const char *const[]){"screen:S1"}, 1, &requirement, NULL),
             TAC_E_USAGE);
    CHECK_EQ(tac_requirement_avoid((const char *const[]){"event:"}, 1, &requirement, NULL),
             TAC_E_USAGE);
}

TEST(a_loop_bound_that_does_not_fit_names_the_requirement)
{
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    tac_requirement *requirement = tac_requirement_new("no loops at all", NULL);
    tac_requirement_limit_loops(requirement, TAC_LOOP_TRANSITION, 0, 20);
    const tac_requirement *list[] = {requirement};
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 30,
                                                                    .requirements = list,
                                                                    .requirement_count = 1,
                                                                    .memory_limit = 4 << 20});
    CHECK_CONTAINS(counts_text(engine), "failed: requirement 'no loops at all'");
    tac_flow_engine_free(engine);
    tac_requirement_free(requirement);
    tac_model_free(model);
}

static bool keep_time(void *context, const tac_flow_path *path)
{
    (void)path;
    *(bool *)context = true;
    return false;
}

TEST(the_time_of_an_event_overrides_the_model)
{
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    tac_requirement *requirement = tac_requirement_new("slow", NULL);
    tac_requirement_limit_event(requirement, "openMenu", TAC_UNBOUNDED, 10);
    const tac_requirement *list[] = {requirement};
    tac_flow_engine *engine = new_engine(
        model, &(tac_flow_options){.length = 2, .requirements = list, .requirement_count = 1});
    bool called = false;
    CHECK_EQ(tac_flow_list(engine, 1, keep_time, &called, NULL, NULL), TAC_OK);
    CHECK(called);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    CHECK_EQ(tac_flow_list_jsonl(engine, 1, out, NULL, NULL), TAC_OK);
    fclose(out);
    CHECK_CONTAINS(text, "\"time\":10");
    free(text);
    tac_flow_engine_free(engine);
    tac_requirement_free(requirement);
    tac_model_free(model);
}
