/* Models of other tools: GraphWalker (against a slow walk over its own definition), GraphML,
 * DroidBot, and files that are odd or broken. */
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/random.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "model/tools.h"
#include "model_support.h"
#include "tactus_test.h"

static tac_model *import(const char *path, const char *format, tac_diagnostics *findings,
                         tac_error *err)
{
    tac_model *model = NULL;
    tac_diagnostics own = {0};
    *err = (tac_error){0};
    tac_model_import_files(&path, 1, &(tac_import_options){.format = format},
                           findings ? findings : &own, &model, err);
    tac_diagnostics_free(&own);
    return model;
}

static bool warned(const tac_diagnostics *findings, const char *part)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strstr(findings->at[i].message, part))
            return true;
    return false;
}

static void check_graphwalker_round_trip(const tac_model *model)
{
    const char *path = test_temporary("project.json");
    FILE *file = fopen(path, "w");
    tac_error err;
    REQUIRE(file && tac_model_write_graphwalker(model, file, &err) == TAC_OK && !fclose(file));
    tac_model *again = import(path, "graphwalker", NULL, &err);
    REQUIRE(again != NULL);
    const char *why;
    CHECK(models_equal(model, again, &why));
    CHECK_STR(why, "");
    tac_model_free(again);
}

TEST(graphwalker_gives_back_the_models_that_it_got)
{
    for (uint64_t seed = 1; seed <= test_scale(300); seed++) {
        random_model_options options = {.devices = 1 + (unsigned)(seed % 3), .decorated = true};
        tac_model *model = random_model(seed, &options);
        check_graphwalker_round_trip(model);
        tac_model_free(model);
    }
    static const char *const files[] = {"examples/uamp/uamp.model.xml",
                                        "examples/chat/chat.model.xml"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        tac_diagnostics findings = {0};
        tac_error err;
        tac_model *model;
        REQUIRE(tac_model_load(test_source(files[i]), &findings, &model, &err) == TAC_OK);
        check_graphwalker_round_trip(model);
        tac_model_free(model);
    }
}

/* --- Shared states: the imported model has the walks of GraphWalker's definition -------------- */

enum { MODELS = 3, VERTICES = 4, EDGES = 6, ALL_VERTICES = MODELS * VERTICES, DEPTH = 4 };

struct project {
    int shared[ALL_VERTICES]; /* a shared state, or -1 */
    int source[MODELS * EDGES], target[MODELS * EDGES], event[MODELS * EDGES];
};

static void draw_project(tac_random *random, struct project *project)
{
    for (int v = 0; v < ALL_VERTICES; v++)
        project->shared[v] = tac_random_below(random, 2) ? -1 : (int)tac_random_below(random, 3);
    for (int e = 0; e < MODELS * EDGES; e++) {
        int model = e / EDGES;
        project->source[e] = model * VERTICES + (int)tac_random_below(random, VERTICES);
        project->target[e] = model * VERTICES + (int)tac_random_below(random, VERTICES);
        project->event[e] = (int)tac_random_below(random, 4);
    }
}

static const char *write_project(const struct project *project)
{
    tac_str text = {0};
    tac_str_add(&text, "{\"models\":[");
    for (int m = 0; m < MODELS; m++) {
        tac_str_addf(&text, "%s{\"name\":\"M%d\",\"vertices\":[", m ? "," : "", m);
        for (int v = m * VERTICES; v < (m + 1) * VERTICES; v++) {
            tac_str_addf(&text, "%s{\"id\":\"v%d\",\"name\":\"v%d\"", v % VERTICES ? "," : "", v,
                         v);
            if (project->shared[v] >= 0)
                tac_str_addf(&text, ",\"sharedState\":\"s%d\"", project->shared[v]);
            tac_str_add(&text, "}");
        }
        tac_str_add(&text, "],\"edges\":[");
        for (int e = m * EDGES; e < (m + 1) * EDGES; e++)
            tac_str_addf(&text,
                         "%s{\"id\":\"e%d\",\"name\":\"n%d\",\"sourceVertexId\":\"v%d\","
                         "\"targetVertexId\":\"v%d\"}",
                         e % EDGES ? "," : "", e, project->event[e], project->source[e],
                         project->target[e]);
        tac_str_addf(&text, "]%s}", m == 0 ? ",\"startElementId\":\"v0\"" : "");
    }
    tac_str_add(&text, "]}");
    const char *path = test_write("shared.json", tac_str_text(&text));
    tac_str_free(&text);
    return path;
}

/* How many edge walks of exactly `depth` edges there are, and a sum over their event names: at a
 * vertex, every edge of every vertex of the same shared state may be taken. */
static size_t walk_project(const struct project *project, int vertex, int depth, uint64_t path,
                           uint64_t *sum)
{
    if (depth == 0) {
        *sum += tac_hash_u64(path);
        return 1;
    }
    size_t walks = 0;
    for (int e = 0; e < MODELS * EDGES; e++) {
        int from = project->source[e];
        if (from == vertex ||
            (project->shared[from] >= 0 && project->shared[from] == project->shared[vertex]))
            walks += walk_project(project, project->target[e], depth - 1,
                                  path * 8 + 1 + (uint64_t)project->event[e], sum);
    }
    return walks;
}

static size_t walk_model(const tac_model *model, uint32_t node, int depth, uint64_t path,
                         uint64_t *sum)
{
    if (depth == 0) {
        *sum += tac_hash_u64(path);
        return 1;
    }
    size_t walks = 0;
    const tac_model_node *at = &model->nodes[node];
    for (uint32_t t = at->first_out; t < at->first_out + at->out_count; t++)
        walks += walk_model(
            model, model->transitions[t].to, depth - 1,
            path * 8 + 1 + (uint64_t)(model->events[model->transitions[t].event][1] - '0'), sum);
    return walks;
}

TEST(shared_states_give_the_walks_of_graphwalker)
{
    tac_random random;
    tac_random_seed(&random, 3);
    for (size_t round = 0; round < test_scale(500); round++) {
        struct project project;
        tac_error err;
        draw_project(&random, &project);
        tac_model *model = import(write_project(&project), "graphwalker", NULL, &err);
        REQUIRE(model != NULL);
        uint32_t start = TAC_MODEL_NONE;
        for (uint32_t m = 0; m < model->machine_count; m++)
            if (model->machines[m].external)
                start = model->machines[m].initial;
        for (int depth = 1; depth <= DEPTH; depth++) {
            uint64_t wanted_sum = 0, sum = 0;
            size_t wanted = walk_project(&project, 0, depth, 0, &wanted_sum);
            CHECK_EQ(walk_model(model, start, depth, 0, &sum), wanted);
            CHECK(sum == wanted_sum);
        }
        tac_model_free(model);
    }
}

TEST(graphwalker_details_are_kept_or_reported)
{
    tac_diagnostics findings = {0};
    tac_error err;
    const char *path = test_write(
        "gw.json",
        "{\"name\":\"My project\",\"models\":[{\"name\":\"Login page\",\"startElementId\":\"e0\",\n"
        "\"vertices\":[{\"id\":\"n1\",\"name\":\"v one\"},{\"id\":\"n2\",\"name\":\"v one\","
        "\"sharedState\":\"X\"},{\"id\":\"n3\",\"properties\":{\"blocked\":true}}],\n"
        "\"edges\":[{\"id\":\"e0\",\"name\":\"init\",\"targetVertexId\":\"n1\"},\n"
        "{\"id\":\"e1\",\"name\":\"go\",\"guard\":\"x>1\",\"actions\":[\"y=2;\"],\"weight\":0.5,"
        "\"sourceVertexId\":\"n1\",\"targetVertexId\":\"n2\"},\n"
        "{\"id\":\"e2\",\"sourceVertexId\":\"n2\",\"targetVertexId\":\"n1\"},\n"
        "{\"id\":\"e3\",\"name\":\"b\",\"sourceVertexId\":\"n2\",\"targetVertexId\":\"n3\"}]}]} "
        "trailing");
    tac_model *model = import(path, NULL, &findings, &err);
    REQUIRE(model != NULL);
    CHECK_STR(model->machines[0].name, "Login_page");
    CHECK_STR(model->nodes[0].name, "v_one");
    CHECK_STR(model->nodes[1].name, "v_one_2");
    CHECK_STR(model->nodes[model->machines[0].initial].name, "Start");
    CHECK_EQ(model->transition_count, 3);
    CHECK_STR(model->notes[model->transitions[0].guard], "x>1");
    CHECK_STR(model->notes[model->transitions[0].update], "y=2;");
    CHECK_NEAR(model->transitions[0].weight, 0.5, 0);
    CHECK(warned(&findings, "the variable 'x' of the guards is never set"));
    CHECK(warned(&findings, "shared state 'X' is unknown elsewhere"));
    CHECK(warned(&findings, "1 edge without a name"));
    CHECK(warned(&findings, "blocked"));
    CHECK(warned(&findings, "8 bytes after the end"));
    tac_diagnostics_free(&findings);
    tac_model_free(model);
}

static const char yed[] =
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:y=\"http://y\">\n"
    "<graph edgedefault=\"directed\" id=\"G\">\n"
    "<node id=\"n0\"><data key=\"d\"><y:ShapeNode><y:NodeLabel>Start</y:NodeLabel></y:ShapeNode>"
    "</data></node>\n"
    "<node id=\"n1\"><data key=\"d\"><y:NodeLabel>v_Browse\nSHARED:In</y:NodeLabel></data></node>\n"
    "<node id=\"n2\"><data key=\"d\"><y:NodeLabel>v_Off BLOCKED</y:NodeLabel></data></node>\n"
    "<edge id=\"e0\" source=\"n0\" target=\"n1\"><data key=\"e\"><y:EdgeLabel>e_Init/a=1;b=2;"
    "</y:EdgeLabel></data></edge>\n"
    "<edge id=\"e1\" source=\"n1\" target=\"n1\"><data key=\"e\"><y:EdgeLabel>e_Play [a&gt;=1] / "
    "b++;\nweight=0.25</y:EdgeLabel></data></edge>\n"
    "<edge id=\"e2\" source=\"n1\" target=\"n2\"/>\n"
    "</graph></graphml>\n";

TEST(graphml_of_yed_is_understood)
{
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model = import(test_write("login.graphml", yed), NULL, &findings, &err);
    REQUIRE(model != NULL);
    CHECK_EQ(model->node_count, 2);
    CHECK_STR(model->machines[0].name, "login");
    CHECK_STR(model->nodes[model->machines[0].initial].name, "Start");
    CHECK_STR(model->nodes[1].name, "v_Browse");
    CHECK_EQ(model->transition_count, 2);
    CHECK_STR(model->events[0], "e_Init");
    CHECK_STR(model->events[1], "e_Play");
    CHECK_STR(model->notes[model->transitions[0].update], "a=1;b=2;");
    CHECK_STR(model->notes[model->transitions[1].guard], "a>=1");
    CHECK_STR(model->notes[model->transitions[1].update], "b++;");
    CHECK_NEAR(model->transitions[1].weight, 0.25, 0);
    CHECK(warned(&findings, "'In' is unknown elsewhere"));
    CHECK(warned(&findings, "blocked"));
    tac_diagnostics_free(&findings);
    tac_model_free(model);
}

TEST(plain_graphml_uses_its_label_keys)
{
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model =
        import(test_write("plain.graphml",
                          "<graphml><key id=\"k\" for=\"all\" attr.name=\"label\"/>"
                          "<graph id=\"first\" edgedefault=\"undirected\"><node id=\"a\"/>"
                          "<node id=\"b\"><data key=\"k\">Home screen</data></node>"
                          "<edge source=\"b\" target=\"a\"><data key=\"k\">back</data></edge>"
                          "</graph></graphml>"),
               "graphml", &findings, &err);
    REQUIRE(model != NULL);
    CHECK_STR(model->machines[0].name, "first");
    CHECK_STR(model->nodes[0].name, "a");
    CHECK_STR(model->nodes[model->machines[0].initial].name, "Home");
    CHECK_STR(model->events[0], "back");
    CHECK(warned(&findings, "undirected"));
    CHECK(warned(&findings, "no model says where it starts"));
    tac_diagnostics_free(&findings);
    tac_model_free(model);
}

#define NODE(id, label)                                                                            \
    "{\"id\":\"" id "\",\"label\":\"" label "\",\"activity\":\".Main\",\"state_str\":\"" id "\"}"
#define TOUCH(view, text)                                                                          \
    "{\"event_type\":\"touch\",\"event_str\":\"TouchEvent(state=q, view=" view                     \
    "(Main/Button-" text "))\"}"

TEST(droidbot_names_controls_once_and_counts_events)
{
    tac_diagnostics findings = {0};
    tac_error err;
    const char *path = test_write(
        "utg.js",
        "var utg = "
        "\n{\"app_package\":\"org.x\",\"app_main_activity\":\"org.x.Main\",\"nodes\":"
        "[" NODE("aaaaaaaa1", "A") "," NODE("bbbbbbbb2", "B<FIRST>") "," NODE(
            "aaaaaaaa3",
            "C") "],\n"
                 "\"edges\":[{\"from\":\"bbbbbbbb2\",\"to\":\"aaaaaaaa1\",\"events\":"
                 "[" TOUCH("h1", "OK (yes)") "," TOUCH("h1", "OK (yes)") "," TOUCH(
                     "h2", "OK (yes)") "]},\n"
                                       "{\"from\":\"aaaaaaaa1\",\"to\":\"bbbbbbbb2\","
                                       "\"events\":[" TOUCH(
                                           "h1",
                                           "OK (yes)") ","
                                                       "{\"event_type\":\"key\",\"event_str\":"
                                                       "\"KeyEvent(state=q, name=BACK)\"},"
                                                       "{\"event_type\":\"scroll\",\"event_"
                                                       "str\":\"ScrollEvent(state=q, "
                                                       "view=h3(Main/List-), "
                                                       "direction=DOWN)\"},"
                                                       "{\"event_type\":\"set_text\",\"event_"
                                                       "str\":\"SetTextEvent(state=q, "
                                                       "view=h4(Main/Edit-a), "
                                                       "text=Hello (you), text=x)\"},"
                                                       "{\"event_type\":\"intent\",\"event_"
                                                       "str\":\"IntentEvent(intent='am start "
                                                       "org.x/.Main')\"},"
                                                       "{\"event_type\":\"mystery\",\"event_"
                                                       "str\":\"?\"}]},\n"
                                                       "{\"from\":\"aaaaaaaa1\",\"to\":"
                                                       "\"aaaaaaaa3\",\"events\":[]},"
                                                       "{\"from\":\"aaaaaaaa1\",\"to\":\"zz\","
                                                       "\"events\":[]}]};\n");
    tac_model *model = import(path, NULL, &findings, &err);
    REQUIRE(model != NULL);
    CHECK_STR(model->nodes[0].name, "Main_aaaaaa");
    CHECK_STR(model->nodes[2].name, "Main_aaaaaaaa3");
    CHECK_STR(model->nodes[model->machines[0].initial].name, "Main_bbbbbb");
    CHECK_EQ(model->transition_count, 8);
    CHECK_EQ(model->event_count, 7);
    const tac_model_node *first = &model->nodes[model->machines[0].initial];
    CHECK_EQ(first->out_count, 2);
    const tac_model_transition *twice = &model->transitions[first->first_out];
    CHECK_STR(model->events[twice->event], "touch_Button_OK_(yes)");
    CHECK_STR(model->events[twice[1].event], "touch_Button_OK_(yes)_2");
    CHECK_NEAR(twice->weight, 2, 0);
    CHECK_STR(model->actions[twice->first_action].xpath,
              "//*[contains(@class,'Button') and starts-with(@text,'OK (yes)')]");
    const tac_model_transition *others = &model->transitions[model->nodes[0].first_out];
    CHECK_EQ(others[0].event, twice->event);
    CHECK_EQ(model->actions[others[1].first_action].kind, TAC_ACTION_BACK);
    CHECK_STR(model->actions[others[2].first_action].value, "down");
    CHECK_STR(model->actions[others[3].first_action].value, "Hello (you), text=x");
    CHECK_STR(model->actions[others[3].first_action].xpath,
              "//*[contains(@class,'Edit') and starts-with(@text,'a')]");
    CHECK_STR(model->events[others[4].event], "launch");
    CHECK_STR(model->actions[others[4].first_action].value, "am start org.x/.Main");
    CHECK_STR(model->events[others[5].event], "mystery");
    CHECK(warned(&findings, "1 edge without an event"));
    CHECK(warned(&findings, "1 edge is left out: it is from or to a node"));
    tac_diagnostics_free(&findings);
    tac_model_free(model);
}

TEST(odd_and_broken_files_give_clear_messages)
{
    static const struct {
        const char *name, *text, *format, *message;
    } files[] = {
        {"empty.js", "", NULL, "the file is empty"},
        {"blank.js", " \n", "droidbot", "no JSON object"},
        {"half.js", "var utg = {\"nodes\": [", NULL, "not valid JSON"},
        {"nonodes.js", "var utg = {\"edges\": []}", NULL, "non-empty array \"nodes\""},
        {"noedges.js", "var utg = {\"nodes\": [{\"id\":\"a\"}]}", NULL, "array \"edges\""},
        {"noid.js", "var utg = {\"nodes\": [{}],\"edges\":[]}", NULL, "has no \"id\""},
        {"twice.js", "var utg = {\"nodes\":[{\"id\":\"a\"},{\"id\":\"a\"}],\"edges\":[]}", NULL,
         "two nodes"},
        {"list.json", "[]", NULL, "no JSON object"},
        {"nomodels.json", "{}", NULL, "not a GraphWalker project"},
        {"novertices.json", "{\"models\":[{}]}", NULL, "no array \"vertices\""},
        {"novertex.json", "{\"models\":[{\"vertices\":[]}]}", NULL, "no vertices"},
        {"noend.json",
         "{\"models\":[{\"vertices\":[{\"id\":\"a\"}],\"edges\":[{\"id\":\"e\","
         "\"sourceVertexId\":\"a\",\"targetVertexId\":\"b\"}]}]}",
         NULL, "'b' is not a vertex"},
        {"own.json", "{\"models\":[{\"properties\":{\"tactus\":{}}}]}", NULL, "properties say no"},
        {"other.graphml", "<svg/>", NULL, "not GraphML"},
        {"cut.graphml", "<graphml><graph>", NULL, ""},
        {"noedge.graphml",
         "<graphml><graph><node id=\"a\"/><edge source=\"a\" target=\"b\"/></graph></graphml>",
         NULL, "is not a node"},
        {"nothing.graphml", "<graphml/>", NULL, "no vertices"},
        {"format.json", "{}", "visio", "unknown format"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        tac_error err;
        tac_model *model =
            import(test_write(files[i].name, files[i].text), files[i].format, NULL, &err);
        if (model)
            test_fail(__FILE__, __LINE__, "%s was imported", files[i].name);
        CHECK(err.status != TAC_OK);
        CHECK_CONTAINS(err.message, files[i].message);
        tac_model_free(model);
    }
}

TEST(a_droidbot_graph_without_events_is_a_model_with_a_warning)
{
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model =
        import(test_write("quiet.js", "var utg = {\"nodes\":[" NODE("a", "A") "],"
                                                                              "\"edges\":[]}"),
               NULL, &findings, &err);
    REQUIRE(model != NULL);
    CHECK_EQ(model->transition_count, 0);
    CHECK(warned(&findings, "nothing to do"));
    tac_diagnostics_free(&findings);
    tac_model_free(model);
}

static void check_corpus(const char *name, uint32_t states, uint32_t transitions)
{
    const char *path = test_corpus(name);
    tac_error err;
    if (!path)
        SKIP("the public corpus is not here (%s)", name);
    tac_model *model = import(path, NULL, NULL, &err);
    REQUIRE(model != NULL);
    CHECK_EQ(model->node_count, states);
    CHECK_EQ(model->transition_count, transitions);
    char *text = model_text(model);
    tac_model *again = model_of(text, NULL);
    REQUIRE(again != NULL);
    const char *why;
    CHECK(models_equal(model, again, &why));
    check_graphwalker_round_trip(model);
    free(text);
    tac_model_free(again);
    tac_model_free(model);
}

TEST(corpus_airunlocker)
{
    check_corpus("models/airunlocker.utg.js", 16, 21);
}
TEST(corpus_droidbotexp)
{
    check_corpus("models/droidbotexp.utg.js", 43, 38);
}
TEST(corpus_onelist)
{
    check_corpus("models/onelist.utg.js", 74, 302);
}
TEST(corpus_login)
{
    check_corpus("models/login.graphwalker.json", 4, 9);
}
TEST(corpus_petclinic)
{
    check_corpus("models/petclinic.graphwalker.json", 12, 25);
}
