/* Exports are read by their own readers: libyaml, node --check, javac against stand-ins of the used
 * API, a JSON parser; and nothing of a flow is lost on the way. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/process/process.h"
#include "flow/export.h"
#include "flow_helpers.h"
#include "quick_cc.h"
#include "tactus_test.h"
#include <yaml.h>

/* A flow file of a covering suite; static path. */
static const char *suite_of(const char *model_path, uint32_t length, const char *name)
{
    tac_model *model = load_model(test_source(model_path));
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = length});
    tac_cover_suite suite;
    const char *path = test_temporary(name);
    FILE *out = fopen(path, "w");
    tac_cover_options options = {.goal = TAC_COVER_TRANSITIONS};
    CHECK_EQ(tac_flow_cover(engine, &options, &suite, NULL), TAC_OK);
    for (size_t i = 0; i < suite.flow_count; i++)
        CHECK_EQ(tac_flow_write(tac_flow_describe(engine, &suite.flows[i].path), out, NULL),
                 TAC_OK);
    fclose(out);
    tac_cover_suite_free(&suite);
    tac_flow_engine_free(engine);
    tac_model_free(model);
    return path;
}

/* The export of a flow file, written to `name` in the test's folder as well; the caller's. */
static char *export_of(const char *flows, tac_export_format format, const char *name)
{
    char *text = NULL;
    size_t size;
    uint64_t unsaid = 0;
    tac_error err;
    FILE *out = open_memstream(&text, &size);
    if (tac_flow_export_to(flows, &(tac_export_options){.format = format}, flows, out, &unsaid,
                           &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s", err.message);
    fclose(out);
    test_write(name, text);
    return text;
}

static int run_script(const char *script, char **output)
{
    const char *argv[] = {"sh", "-c", script, NULL};
    size_t size;
    int code = -1;
    if (tac_process_run(argv, "", NULL, 0, 120, output, &size, &code, NULL) != TAC_OK)
        *output = tac_strdup("");
    return code;
}

static const char *const models[] = {"examples/uamp/uamp.model.xml",
                                     "examples/chat/chat.model.xml"};

/* Documents of a YAML stream, or -1 when it does not parse. */
static int yaml_documents(const char *text, size_t *sequences)
{
    yaml_parser_t parser;
    yaml_document_t document;
    int documents = 0;
    *sequences = 0;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    for (;;) {
        if (!yaml_parser_load(&parser, &document)) {
            documents = -1;
            break;
        }
        yaml_node_t *root = yaml_document_get_root_node(&document);
        bool more = root != NULL;
        if (more) {
            documents++;
            *sequences += root->type == YAML_SEQUENCE_NODE;
        }
        yaml_document_delete(&document);
        if (!more)
            break;
    }
    yaml_parser_delete(&parser);
    return documents;
}

TEST(maestro_is_yaml_with_two_documents_a_flow_and_device)
{
    for (int m = 0; m < 2; m++) {
        const char *flows = suite_of(models[m], 10, "flows.jsonl");
        char *text = export_of(flows, TAC_EXPORT_MAESTRO, "flows.yaml");
        size_t sequences;
        int documents = yaml_documents(text, &sequences);
        CHECK(documents > 0 && documents % 2 == 0);
        CHECK_EQ(sequences, documents / 2);
        CHECK_CONTAINS(text, "- launchApp");
        if (m == 1) {
            CHECK_CONTAINS(text, "inputText: \"Are you <there> & awake?\"");
            CHECK_CONTAINS(text, "timeout: 2500");
            CHECK_CONTAINS(text, "is on bob");
            CHECK_CONTAINS(text, "(system event)");
        }
        free(text);
    }
}

TEST(wdio_passes_node_check)
{
    if (!tac_process_on_path("node"))
        SKIP("node is not installed");
    for (int m = 0; m < 2; m++) {
        free(export_of(suite_of(models[m], 10, "flows.jsonl"), TAC_EXPORT_WDIO, "flows.js"));
        char *output;
        char *script = tac_format("cd %s && node --check flows.js 2>&1", test_folder);
        CHECK_EQ(run_script(script, &output), 0);
        CHECK_STR(output, "");
        free(script);
        free(output);
    }
}

TEST(webdriver_is_one_json_document)
{
    for (int m = 0; m < 2; m++) {
        char *text =
            export_of(suite_of(models[m], 10, "flows.jsonl"), TAC_EXPORT_WEBDRIVER, "flows.json");
        json_t *document = json_loads(text, 0, NULL);
        REQUIRE(document);
        json_t *flows = json_object_get(document, "flows");
        CHECK(json_array_size(flows) > 0);
        json_t *flow, *command;
        size_t i, k;
        json_array_foreach(flows, i, flow)
        {
            json_t *commands = json_object_get(flow, "commands");
            size_t events = 0;
            CHECK(json_array_size(commands) > 0);
            json_array_foreach(commands, k, command)
            {
                CHECK_CONTAINS(json_string_value(json_object_get(command, "path")),
                               "/session/{session}/");
                CHECK(json_is_object(json_object_get(command, "body")) ||
                      !strcmp(json_string_value(json_object_get(command, "method")), "DELETE"));
                events += json_is_string(json_object_get(command, "event"));
            }
            CHECK(events > 0);
        }
        if (m == 1) {
            CHECK_CONTAINS(text, "\"pause\":2.5");
            CHECK_CONTAINS(text, "\"device\":\"bob\"");
            CHECK_CONTAINS(text, "\"system\":true");
        }
        json_decref(document);
        free(text);
    }
}

/* Just enough of the API that the exported class uses. */
static const char *const stand_ins[][2] = {
    {"android/util/Log.java", "package android.util; public class Log { public static int v(String "
                              "t, String m) { return 0; } }"},
    {"android/view/KeyEvent.java",
     "package android.view; public class KeyEvent { public static final int KEYCODE_CAMERA = 27, "
     "KEYCODE_UNKNOWN = 0, KEYCODE_ENTER = 66; }"},
    {"android/content/Intent.java",
     "package android.content; public class Intent { public static "
     "final int FLAG_ACTIVITY_CLEAR_TASK "
     "= 1, FLAG_ACTIVITY_NEW_TASK = 2; public Intent addFlags(int f) "
     "{ return this; } }"},
    {"android/content/pm/PackageManager.java",
     "package android.content.pm; public class PackageManager { public android.content.Intent "
     "getLaunchIntentForPackage(String p) { return null; } }"},
    {"android/content/Context.java",
     "package android.content; public class Context { public android.content.pm.PackageManager "
     "getPackageManager() { return null; } public void startActivity(Intent i) {} }"},
    {"android/app/Instrumentation.java", "package android.app; public class Instrumentation { "
                                         "public android.content.Context getContext() "
                                         "{ return null; } }"},
    {"androidx/test/platform/app/InstrumentationRegistry.java",
     "package androidx.test.platform.app; public class InstrumentationRegistry { public static "
     "android.app.Instrumentation getInstrumentation() { return null; } }"},
    {"androidx/test/uiautomator/UiObjectNotFoundException.java",
     "package androidx.test.uiautomator; public class UiObjectNotFoundException extends Exception "
     "{ "
     "public UiObjectNotFoundException(String m) { super(m); } }"},
    {"androidx/test/uiautomator/UiSelector.java",
     "package androidx.test.uiautomator; public class UiSelector { public UiSelector "
     "className(String "
     "s) { return this; } public UiSelector resourceId(String s) { return this; } public "
     "UiSelector "
     "text(String s) { return this; } public UiSelector description(String s) { return this; } "
     "public "
     "UiSelector instance(int i) { return this; } }"},
    {"androidx/test/uiautomator/UiObject.java",
     "package androidx.test.uiautomator; public class UiObject { public boolean waitForExists(long "
     "t) "
     "{ return true; } public boolean click() throws UiObjectNotFoundException { return true; } "
     "public "
     "boolean longClick() throws UiObjectNotFoundException { return true; } public boolean "
     "setText(String s) throws UiObjectNotFoundException { return true; } public boolean "
     "swipeLeft(int "
     "n) throws UiObjectNotFoundException { return true; } public boolean swipeRight(int n) throws "
     "UiObjectNotFoundException { return true; } public boolean swipeUp(int n) throws "
     "UiObjectNotFoundException { return true; } public boolean swipeDown(int n) throws "
     "UiObjectNotFoundException { return true; } public boolean pinchIn(int p, int n) throws "
     "UiObjectNotFoundException { return true; } public boolean pinchOut(int p, int n) throws "
     "UiObjectNotFoundException { return true; } public String getText() throws "
     "UiObjectNotFoundException { return null; } public boolean dragTo(UiObject o, int n) throws "
     "UiObjectNotFoundException { return true; } public boolean isEnabled() throws "
     "UiObjectNotFoundException { return true; } public boolean isChecked() throws "
     "UiObjectNotFoundException { return true; } }"},
    {"androidx/test/uiautomator/UiScrollable.java",
     "package androidx.test.uiautomator; public class UiScrollable extends UiObject { public "
     "UiScrollable(UiSelector s) {} public UiScrollable setAsHorizontalList() { return this; } "
     "public "
     "UiScrollable setAsVerticalList() { return this; } public boolean scrollForward() throws "
     "UiObjectNotFoundException { "
     "return true; } public boolean scrollBackward() throws UiObjectNotFoundException { return "
     "true; } "
     "}"},
    {"androidx/test/uiautomator/BySelector.java",
     "package androidx.test.uiautomator; public class BySelector { }"},
    {"androidx/test/uiautomator/By.java",
     "package androidx.test.uiautomator; public class By { public static BySelector depth(int d) { "
     "return null; } }"},
    {"androidx/test/uiautomator/Direction.java",
     "package androidx.test.uiautomator; public enum Direction { LEFT, RIGHT, UP, DOWN }"},
    {"androidx/test/uiautomator/SearchCondition.java",
     "package androidx.test.uiautomator; public class SearchCondition<U> { }"},
    {"androidx/test/uiautomator/Until.java",
     "package androidx.test.uiautomator; public class Until { public static "
     "SearchCondition<UiObject2> findObject(BySelector s) { return null; } }"},
    {"androidx/test/uiautomator/UiObject2.java",
     "package androidx.test.uiautomator; public class UiObject2 { public UiObject2 "
     "wait(SearchCondition<UiObject2> s, long t) { return null; } }"},
    {"androidx/test/uiautomator/UiDevice.java",
     "package androidx.test.uiautomator; public class UiDevice { public UiObject2 "
     "wait(SearchCondition<UiObject2> s, long t) { return null; } public static UiDevice "
     "getInstance(android.app.Instrumentation i) { return null; } public UiObject "
     "findObject(UiSelector s) { return null; } public boolean pressBack() { return true; } public "
     "boolean pressHome() { return true; } public boolean pressKeyCode(int k) { return true; } "
     "public "
     "int getDisplayWidth() { return 0; } public int getDisplayHeight() { return 0; } public "
     "boolean "
     "swipe(int a, int b, int c, int d, int n) { return true; } }"},
    {"org/junit/Test.java", "package org.junit; public @interface Test {}"},
    {"org/junit/Before.java", "package org.junit; public @interface Before {}"},
};

TEST(uiautomator_compiles_against_stand_ins)
{
    if (!tac_process_on_path("javac"))
        SKIP("javac is not installed");
    char *output, *script;
    test_temporary("x");
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++) {
        script = tac_format("mkdir -p %s/java/$(dirname %s)", test_folder, stand_ins[i][0]);
        CHECK_EQ(run_script(script, &output), 0);
        free(script);
        free(output);
        char *name = tac_format("java/%s", stand_ins[i][0]);
        test_write(name, stand_ins[i][1]);
        free(name);
    }
    free(export_of(suite_of(models[0], 10, "player.jsonl"), TAC_EXPORT_UIAUTOMATOR,
                   "java/Player.java"));
    char *text =
        export_of(suite_of(models[1], 10, "chat.jsonl"), TAC_EXPORT_UIAUTOMATOR, "java/Chat.java");
    CHECK_CONTAINS(text, "public void flow1_on_alice()");
    CHECK_CONTAINS(text, "setText(\"Are you <there> & awake?\")");
    CHECK_CONTAINS(text, "pause(2500)");
    CHECK_CONTAINS(text, "done(\"openChat\")");
    free(text);
    script = tac_format("cd %s/java && javac -Xlint:-options -d out $(find . -name '*.java') 2>&1",
                        test_folder);
    CHECK_EQ(run_script(script, &output), 0);
    CHECK_STR(output, "");
    free(script);
    free(output);
}

TEST(flows_as_promela_are_performed_by_spin)
{
    if (!tac_process_on_path("spin"))
        SKIP("spin is not installed");
    free(export_of(suite_of(models[0], 6, "flows.jsonl"), TAC_EXPORT_PROMELA, "flows.pml"));
    char *output,
        *script = tac_format("cd %s && spin -a flows.pml 2>&1 && " QUICK_CC " -w -DSAFETY -DPRINTF "
                             "-o pan pan.c && ./pan -w16 | grep -c '^FLOW'",
                             test_folder);
    CHECK_EQ(run_script(script, &output), 0);
    CHECK(atoi(output) > 3);
    free(script);
    free(output);
}

/* Hostile texts stay inside their quotes and comments. */
TEST(texts_are_quoted)
{
    const char *flows = test_write(
        "odd.jsonl",
        "{\"kind\":\"exit\",\"steps\":[{\"event\":\"a\\\"b*/\\nc\\\\u0041\",\"device\":\"x\\\"y\","
        "\"actions\":[{\"kind\":\"text\",\"xpath\":\"//a[@text='\\\"']/b\",\"value\":\"\\\"); "
        "\\u0001${x}\"}]}]}\n");
    size_t sequences;
    char *text = export_of(flows, TAC_EXPORT_MAESTRO, "odd.yaml");
    CHECK_EQ(yaml_documents(text, &sequences), 2);
    free(text);
    if (tac_process_on_path("node")) {
        free(export_of(flows, TAC_EXPORT_WDIO, "odd.js"));
        char *output, *script = tac_format("node --check %s/odd.js 2>&1", test_folder);
        CHECK_EQ(run_script(script, &output), 0);
        free(script);
        free(output);
    }
}

/* What an element holds is said level by level; what Maestro cannot select by is marked. */
TEST(maestro_names_elements_by_what_they_hold)
{
    static const struct {
        const char *xpath, *yaml;
    } samples[] = {
        {"//node[@resource-id='row'][node/@text='Song 1']",
         "- tapOn:\n    id: \"row\"\n    containsChild:\n      text: \"Song 1\"\n"},
        {"//node[node/node/@content-desc='Play']",
         "- tapOn:\n    containsChild:\n      containsChild:\n        text: \"Play\"\n"},
        {"//node[@class='Row'][node/@text='x']",
         "- assertTrue:\n    condition: ${false}\n    label: \"not expressible in Maestro: click"},
        {"//node[@resource-id='list']/node[node/@text='x']",
         "- assertTrue:\n    condition: ${false}\n    label: \"not expressible in Maestro: click"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char *line = tac_format("{\"kind\":\"exit\",\"steps\":[{\"event\":\"a\",\"device\":\"x\","
                                "\"actions\":[{\"kind\":\"click\",\"xpath\":\"%s\","
                                "\"fragile\":false}]}]}\n",
                                samples[i].xpath);
        char *text = export_of(test_write("held.jsonl", line), TAC_EXPORT_MAESTRO, "held.yaml");
        size_t sequences;
        CHECK_EQ(yaml_documents(text, &sequences), 2);
        CHECK_CONTAINS(text, samples[i].yaml);
        free(text);
        free(line);
    }
}
