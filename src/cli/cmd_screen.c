/* tactus screen [DUMP.xml]: what a screen accepts, and how to name it. */
#include "base/io/input.h"
#include "base/print/print.h"
#include "cli/device_options.h"
#include "explore/described.h"
#include "explore/explore.h"
#include "model/model.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_DUMP = 64 << 20 };

static void write_element(FILE *out, const tac_ui *ui, const tac_screen_element *element)
{
    const char *class_name = ui->nodes[element->node].class_name, *dot = strrchr(class_name, '.');
    const char *before = ": ";
    tac_print(out, "%s\n    %s", element->xpath, dot ? dot + 1 : class_name);
    if (*element->label)
        tac_print(out, " \"%s\"", element->label);
    for (unsigned kind = TAC_ACTION_CLICK; kind <= TAC_ACTION_DRAG; kind++)
        if (element->gestures & 1u << kind) {
            tac_print(out, "%s%s", before, tac_action_kind_name((tac_action_kind)kind));
            before = ", ";
        }
    fputc('\n', out);
}

static void write_elements(FILE *out, void *context)
{
    const tac_screen_elements *elements = context;
    tac_print(out, "%zu of %lu elements accept something\n", elements->count,
              (unsigned long)elements->ui->count);
    for (size_t i = 0; i < elements->count; i++)
        write_element(out, elements->ui, &elements->at[i]);
}

static tac_status read_dump(const char *path, tac_ui **out, tac_error *err)
{
    char *text = NULL;
    size_t size = 0;
    tac_status st = tac_input_slurp(path, MOST_DUMP, &text, &size, err);
    if (!st)
        st = tac_ui_from_xml(path, text, size, out, err);
    free(text);
    return st;
}

/* The screen in front; an app that does not run is launched. The snapshot is the device's. */
static tac_status look(tac_device *device, const tac_ui **out, tac_error *err)
{
    tac_foreground now;
    tac_status st = tac_device_foreground(device, 0, &now, err);
    if (!st && (!now.running || !*now.package)) /* a browser runs before it shows the app */
        st = tac_device_launch(device, 0, err);
    return st ? st : tac_device_snapshot(device, 0, out, err);
}

static int show(struct invocation *in, const tac_ui *ui)
{
    tac_screen_elements *elements = tac_screen_find_elements(ui);
    int code = in->json ? finish_json(in, tac_screen_json(elements), 0)
                        : finish_text(in, write_elements, elements, 0);
    tac_screen_elements_free(elements);
    return code;
}

static int screen_run(struct invocation *in)
{
    tac_error err;
    const char *uri = option_text(in, "device");
    if ((uri != NULL) == (in->arg_count > 0))
        return fail_usage(in, "give either a dump (adb shell uiautomator dump) or --device URI");
    if (!uri) {
        tac_ui *ui = NULL;
        int code = read_dump(in->args[0], &ui, &err) ? fail(in, &err) : show(in, ui);
        tac_ui_free(ui);
        return code;
    }
    tac_device_options options = {
        .app = option_text(in, "app"), .seed = 1, .deadline = option_real(in, "deadline", 0)};
    tac_device *device = NULL;
    const tac_ui *ui = NULL;
    tac_status st = tac_device_open(uri, &options, &device, &err);
    if (!st)
        st = look(device, &ui, &err);
    int code = st ? fail(in, &err) : show(in, ui);
    tac_device_free(device);
    return code;
}

static const struct option screen_options[] = {
    TEXT("device", "URI", "look at this device instead of a file: sim:APPFILE, adb:SERIAL, ...",
         .meaning = "what runs the app"),
    TEXT("app", "NAME",
         "package, package/activity or URL to drive (default: what the device's URI names)",
         .meaning = "the app that is driven"),
    DEVICE_CALL_DEADLINE,
    {0},
};

const struct command cmd_screen = {
    .noun = "screen",
    .group = GROUP_TEST,
    .args = "[DUMP.xml]",
    .summary = "list what a screen accepts, with an XPath for each element",
    .description =
        "Reads a dump of UiAutomator (plain, .gz or .xz), or the screen that a device shows, and "
        "lists every element that accepts a click, long click, text or scrolling. The XPath "
        "selects that element and no other; it is what --ignore and --text of 'tactus explore' "
        "take. An app that does not run on the device is launched first.\n\n"
        "With --json also the event's name in extracted models, ids and bounds.",
    .example = "tactus screen --device sim:examples/apps/player.json",
    .options = screen_options,
    .documents = DOCUMENTS(&explore_screen_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .drives_devices = true,
    .run = screen_run,
};
