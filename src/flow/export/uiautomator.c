/* UiAutomator: a Java class in the manner of the 2015 energy paper, Listing 1.1: one method per
 * event that finds its control, performs it and logs, and one test per flow that calls them in
 * order. A flow of several devices becomes one test per device, named after it, since a test runs
 * on one device. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "flow/export/exporter.h"
#include <ctype.h>
#include <string.h>

static void begin(tac_exporter *exporter)
{
    tac_str *out = &exporter->text;
    tac_str_add(out, "// Flows for UiAutomator, to be run on the device as instrumented tests.\n"
                     "import android.util.Log;\n"
                     "import androidx.test.platform.app.InstrumentationRegistry;\n"
                     "import androidx.test.uiautomator.UiDevice;\n"
                     "import androidx.test.uiautomator.UiObject;\n"
                     "import androidx.test.uiautomator.UiObjectNotFoundException;\n"
                     "import androidx.test.uiautomator.UiScrollable;\n"
                     "import androidx.test.uiautomator.UiSelector;\n"
                     "import org.junit.Before;\n"
                     "import org.junit.Test;\n\n"
                     "public class ");
    tac_str class = {0};
    add_identifier(&class, exporter->name);
    class.text[0] = (char)toupper((unsigned char)class.text[0]);
    tac_str_addf(out, "%s", tac_str_text(&class));
    tac_str_free(&class);
    tac_str_add(
        out, " {\n    private static final long WAIT = 10000;\n"
             "    private UiDevice device;\n\n"
             "    @Before\n    public void prepare() {\n"
             "        device = "
             "UiDevice.getInstance(InstrumentationRegistry.getInstrumentation());\n"
             "    }\n\n"
             "    private UiObject control(UiSelector selector) throws "
             "UiObjectNotFoundException {\n"
             "        UiObject control = device.findObject(selector);\n"
             "        if (!control.waitForExists(WAIT))\n"
             "            throw new UiObjectNotFoundException(selector.toString());\n"
             "        return control;\n"
             "    }\n\n"
             "    private String started;\n\n"
             "    private void launch(String application) {\n"
             "        started = application;\n"
             "        android.content.Context context =\n"
             "            InstrumentationRegistry.getInstrumentation().getContext();\n"
             "        android.content.Intent intent =\n"
             "            context.getPackageManager().getLaunchIntentForPackage(application);\n"
             "        intent.addFlags(android.content.Intent.FLAG_ACTIVITY_CLEAR_TASK);\n"
             "        context.startActivity(intent);\n"
             "    }\n\n"
             "    private void swipeScreen(String way) {\n"
             "        int x = device.getDisplayWidth() / 2, y = device.getDisplayHeight() / 2;\n"
             "        int dx = way.equals(\"left\") ? -x / 2 : way.equals(\"right\") ? x / 2 : 0;\n"
             "        int dy = way.equals(\"up\") ? -y / 2 : way.equals(\"down\") ? y / 2 : 0;\n"
             "        device.swipe(x - dx, y - dy, x + dx, y + dy, 20);\n"
             "    }\n\n"
             "    private void pause(long milliseconds) {\n"
             "        try {\n            Thread.sleep(milliseconds);\n"
             "        } catch (InterruptedException stopped) {\n"
             "            Thread.currentThread().interrupt();\n        }\n    }\n");
}

static void end(tac_exporter *exporter)
{
    tac_str_add(&exporter->text, "}\n");
}

static void add_call(tac_str *out, const char *method, const char *value)
{
    if (!value)
        return;
    tac_str_addf(out, ".%s(", method);
    add_quoted(out, value);
    tac_str_add(out, ")");
}

/* "new UiSelector()..."; false when the element cannot be selected. */
static bool add_selector(tac_str *out, const tac_model_action *action)
{
    struct locator locator;
    locator_of(action, &locator);
    bool known = locator.complete &&
                 (locator.resource_id || locator.text || locator.description || locator.class_name);
    if (known) {
        tac_str_add(out, "new UiSelector()");
        add_call(out, "className", locator.class_name);
        add_call(out, "resourceId", locator.resource_id);
        add_call(out, "text", locator.text);
        add_call(out, "description", locator.description);
        if (locator.index >= 0)
            tac_str_addf(out, ".instance(%d)", locator.index);
    }
    locator_free(&locator);
    return known;
}

static void on_control(tac_exporter *exporter, const tac_model_action *action, const char *call)
{
    tac_str selector = {0};
    tac_str *out = &exporter->text;
    if (add_selector(&selector, action)) {
        tac_str_addf(out, "        control(%s)%s;\n", tac_str_text(&selector), call);
    } else {
        exporter->unsaid++;
        tac_str_add(out, "        if (true)\n            throw new UiObjectNotFoundException(");
        add_quoted(out, action->xpath ? action->xpath : "the model names no element");
        tac_str_add(out, "); // not expressible as a UiSelector\n");
    }
    tac_str_free(&selector);
}

/* Where the finger goes: scrolling down moves it up. */
static const char *way_on_screen(const tac_model_action *action)
{
    static const char *const ways[] = {"up", "down", "left", "right"};
    bool scroll = action->kind == TAC_ACTION_SCROLL;
    for (size_t i = 0; action->value && i < 4; i++)
        if (!strcmp(action->value, ways[i]))
            return ways[scroll ? i ^ 1 : i];
    return "up";
}

static void add_move(tac_exporter *exporter, const tac_model_action *action)
{
    const char *way = action->value ? action->value : "";
    const char *swipe = !strcmp(way, "left")    ? ".swipeLeft(20)"
                        : !strcmp(way, "right") ? ".swipeRight(20)"
                        : !strcmp(way, "down")  ? ".swipeDown(20)"
                                                : ".swipeUp(20)";
    tac_str selector = {0};
    if (!action->xpath && !action->resource_id && !action->text) {
        tac_str_addf(&exporter->text, "        swipeScreen(\"%s\");\n", way_on_screen(action));
    } else if (action->kind == TAC_ACTION_SWIPE) {
        on_control(exporter, action, swipe);
    } else if (add_selector(&selector, action)) {
        tac_str_addf(&exporter->text, "        new UiScrollable(%s).scroll%s();\n",
                     tac_str_text(&selector), !strcmp(way, "up") ? "Backward" : "Forward");
    } else {
        on_control(exporter, action, "");
    }
    tac_str_free(&selector);
}

static void add_key(tac_exporter *exporter, const char *value)
{
    tac_str key = {0};
    for (; *value; value++)
        tac_str_add_char(&key, isalnum((unsigned char)*value) ? (char)toupper((unsigned char)*value)
                                                              : '_');
    tac_str_addf(&exporter->text,
                 "        device.pressKeyCode(android.view.KeyEvent.KEYCODE_%s);\n",
                 key.length ? tac_str_text(&key) : "UNKNOWN");
    tac_str_free(&key);
}

static void add_action(tac_exporter *exporter, const tac_model_action *action)
{
    tac_str *out = &exporter->text;
    tac_str call = {0};
    switch (action->kind) {
    case TAC_ACTION_CLICK:
        on_control(exporter, action, ".click()");
        break;
    case TAC_ACTION_LONG_CLICK:
        on_control(exporter, action, ".longClick()");
        break;
    case TAC_ACTION_TEXT:
        tac_str_add(&call, ".setText(");
        add_quoted(&call, action->value ? action->value : "");
        tac_str_add(&call, ")");
        on_control(exporter, action, tac_str_text(&call));
        break;
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
        add_move(exporter, action);
        break;
    case TAC_ACTION_PINCH:
        on_control(exporter, action,
                   action->value && !strcmp(action->value, "out") ? ".pinchOut(80, 20)"
                                                                  : ".pinchIn(80, 20)");
        break;
    case TAC_ACTION_BACK:
        tac_str_add(out, "        device.pressBack();\n");
        break;
    case TAC_ACTION_HOME:
        tac_str_add(out, "        device.pressHome();\n");
        break;
    case TAC_ACTION_LAUNCH:
        tac_str_add(out, "        launch(started);\n");
        break;
    case TAC_ACTION_KEY:
        add_key(exporter, action->value ? action->value : "");
        break;
    case TAC_ACTION_WAIT:
        if (action->xpath || action->resource_id || action->text)
            on_control(exporter, action, "");
        else
            tac_str_add(out, "        pause(1000);\n");
        break;
    }
    tac_str_free(&call);
}

static void add_step_name(tac_exporter *exporter, const tac_flow_step *step, size_t number)
{
    tac_str_addf(&exporter->text, "flow%llu_", (unsigned long long)exporter->flows);
    for (const char *c = step->event; *c; c++)
        tac_str_add_char(&exporter->text, isalnum((unsigned char)*c) ? *c : '_');
    tac_str_addf(&exporter->text, "%zu", number);
}

static void add_step(tac_exporter *exporter, const tac_flow_step *step, size_t number)
{
    tac_str *out = &exporter->text;
    tac_model_action stand_in;
    size_t count;
    const tac_model_action *actions = step_actions(step, &stand_in, &count);
    tac_str_add(out, "\n    // ");
    add_comment(out, step->event);
    tac_str_add(out, step->kind == TAC_EVENT_SYSTEM ? " (system event) to " : " to ");
    add_comment(out, step->state_count ? step->states[step->state_count - 1] : "");
    tac_str_add(out, "\n    private void ");
    add_step_name(exporter, step, number);
    tac_str_add(out, "() throws UiObjectNotFoundException {\n");
    for (size_t i = 0; i < count; i++)
        add_action(exporter, &actions[i]);
    tac_str_add(out, "        Log.v(\"TESTCASEGENERATOR\", ");
    char *log = tac_format("CONTROL-%s", step->event);
    add_quoted(out, log);
    free(log);
    tac_str_add(out, ");\n");
    if (step->time > 0)
        tac_str_addf(out, "        pause(%.0f);\n", step->time * 1000);
    tac_str_add(out, "    }\n");
}

static void flow(tac_exporter *exporter, const tac_flow *flow)
{
    const char *devices[64];
    size_t count = flow_devices(flow, devices, 64);
    tac_str *out = &exporter->text;
    for (size_t i = 0; i < flow->step_count; i++)
        add_step(exporter, &flow->steps[i], i + 1);
    for (size_t d = 0; d < count; d++) {
        tac_str_addf(out, "\n    @Test\n    public void flow%llu",
                     (unsigned long long)exporter->flows);
        if (count > 1) {
            tac_str_add(out, "_on_");
            add_identifier(out, devices[d]);
        }
        tac_str_add(out, "() throws UiObjectNotFoundException {\n        launch(");
        add_quoted(out, flow_package(flow, devices[d]));
        tac_str_add(out, ");\n");
        for (size_t i = 0; i < flow->step_count; i++) {
            bool here = !strcmp(flow->steps[i].device, devices[d]);
            tac_str_add(out, here ? "        " : "        // on the other device: ");
            add_step_name(exporter, &flow->steps[i], i + 1);
            tac_str_add(out, "();\n");
        }
        tac_str_add(out, "    }\n");
    }
}

const struct export_format export_uiautomator = {
    .name = "uiautomator", .suffix = ".java", .begin = begin, .flow = flow, .end = end};
