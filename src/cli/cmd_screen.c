/* tactus screen [DUMP.xml]: what a screen accepts, and how to name it. */
#include "base/io/input.h"
#include "cli/command.h"
#include "cli/device_options.h"
#include "tactus/explore.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_DUMP = 64 << 20 };

static const char *text_of(const json_t *element, const char *key)
{
    return json_string_value(json_object_get(element, key));
}

static void write_elements(FILE *out, void *context)
{
    const json_t *document = context, *elements = json_object_get(document, "elements"), *element;
    size_t i, k, count = json_array_size(elements);
    fprintf(out, "%zu of %lld elements accept something\n", count,
            (long long)json_integer_value(json_object_get(document, "nodes")));
    json_array_foreach(elements, i, element)
    {
        const json_t *gestures = json_object_get(element, "gestures"), *gesture;
        const char *class_name = text_of(element, "class"), *dot = strrchr(class_name, '.');
        const char *label = text_of(element, "label");
        fprintf(out, "%s\n    %s", text_of(element, "xpath"), dot ? dot + 1 : class_name);
        if (*label)
            fprintf(out, " \"%s\"", label);
        json_array_foreach(gestures, k, gesture)
            fprintf(out, "%s%s", k ? ", " : ": ", json_string_value(gesture));
        fputc('\n', out);
    }
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
    json_t *document = tac_screen_json(ui);
    if (in->json)
        return finish_json(in, document, 0);
    int code = finish_text(in, write_elements, document, 0);
    json_decref(document);
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
    {.name = "device",
     .meaning = "what runs the app",
     .kind = OPTION_TEXT,
     .argument = "URI",
     .help = "look at this device instead of a file: sim:APPFILE, adb:SERIAL, ..."},
    {.name = "app",
     .meaning = "the app that is driven",
     .kind = OPTION_TEXT,
     .argument = "NAME",
     .help = "package, package/activity or URL to drive (default: what the device's URI names)"},
    DEVICE_CALL_DEADLINE,
    {0},
};

const struct command cmd_screen = {
    .noun = "screen",
    .args = "[DUMP.xml]",
    .least_args = 0,
    .most_args = 1,
    .summary = "list what a screen accepts, with an XPath for each element",
    .description =
        "Reads a dump of UiAutomator (plain, .gz or .xz), or the screen that a device shows, and "
        "lists every element that accepts a click, long click, text or scrolling. The XPath "
        "selects that element and no other; it is what --ignore and --text of 'tactus explore' "
        "take. An app that does not run on the device is launched first.\n\n"
        "With --json also the event's name in extracted models, ids and bounds.",
    .example = "tactus screen --device sim:examples/apps/player.json",
    .options = screen_options,
    .common = HAS_JSON | HAS_OUTPUT,
    .drives_devices = true,
    .run = screen_run,
};
