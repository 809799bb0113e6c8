/* Apple's crash reports since iOS 15: a line of JSON about the report, then a document with the
 * threads, their frames by image and offset, and the images. The frames are named as in the
 * reports of text, so that a crash is one cluster in both. What is not as expected is left out;
 * a text that is not such a report is not touched. Cost: the document, once. */
#include "base/check.h"
#include "base/io/json.h"
#include "mining/crash/frame_forms.h"
#include "mining/crash/stack_parser.h"
#include <ctype.h>

enum { LARGEST = 64 << 20 };

/* The second document of the text, or the only one. */
static json_t *report_of(const char *text)
{
    tac_error err;
    tac_json json;
    while (isspace((unsigned char)*text))
        text++;
    if (*text != '{' || !strstr(text, "\"threads\"") || !strstr(text, "\"usedImages\"") ||
        strnlen(text, LARGEST) == LARGEST)
        return NULL;
    const char *line = strchr(text, '\n');
    for (int i = 0; i < 2; i++) {
        const char *from = i ? text : line ? line : text;
        if (tac_json_parse("report", from, strlen(from), &json, &err))
            continue;
        json_t *root = json_incref(json.root);
        tac_json_free(&json);
        return root;
    }
    return NULL;
}

static void add_frame(struct stack_parser *p, const json_t *frame, const json_t *images)
{
    json_int_t index = json_integer_value(json_object_get(frame, "imageIndex"));
    const json_t *image = index >= 0 ? json_array_get(images, (size_t)index) : NULL;
    const char *name = tac_json_get_text(image, "name"),
               *symbol = tac_json_get_text(frame, "symbol");
    const char *path = tac_json_get_text(image, "path");
    tac_str hold = {0};
    tac_str_add(&hold, *name ? name : "???");
    if (*symbol)
        tac_str_addf(&hold, "!%s", symbol);
    else
        tac_str_addf(&hold, "+%lld",
                     (long long)json_integer_value(json_object_get(frame, "imageOffset")));
    struct stack_frame out = {.name = tac_arena_strdup(p->arena, hold.text),
                              .complete = true,
                              .library = !*name || is_apple_image(name, strlen(name)) ||
                                         has_prefix(path, strlen(path), "/System/,/usr/lib/") ||
                                         is_library_symbol(symbol, symbol + strlen(symbol))};
    tac_str_free(&hold);
    parser_add(p, &out);
}

/* The thread that crashed: the one that says so, else the one that the report names. */
static const json_t *crashed_thread(const json_t *report)
{
    const json_t *threads = json_object_get(report, "threads");
    size_t i;
    json_t *thread;
    json_array_foreach(
        threads, i, thread) if (json_is_true(json_object_get(thread, "triggered"))) return thread;
    json_int_t named = json_integer_value(json_object_get(report, "faultingThread"));
    return named >= 0 ? json_array_get(threads, (size_t)named) : NULL;
}

static void note_exception(struct stack_parser *p, const json_t *report)
{
    const json_t *exception = json_object_get(report, "exception");
    const char *thrown = tac_json_get_text(json_object_get(report, "exceptionReason"), "name");
    const char *signal = tac_json_get_text(exception, "signal"),
               *type = tac_json_get_text(exception, "type");
    const char *said = *thrown ? thrown : *signal ? signal : type;
    if (*said)
        p->signal = parser_keep(p, said, strlen(said));
    const char *bundle =
        tac_json_get_text(json_object_get(report, "bundleInfo"), "CFBundleIdentifier");
    if (*bundle)
        p->process = parser_keep(p, bundle, strlen(bundle));
}

bool read_apple_json(struct stack_parser *p, const char *text)
{
    json_t *report = report_of(text);
    if (!report)
        return false;
    const json_t *frames = json_object_get(report, "lastExceptionBacktrace");
    if (!json_array_size(frames))
        frames = json_object_get(crashed_thread(report), "frames");
    bool found = json_array_size(frames) > 0;
    if (found) {
        size_t i;
        json_t *frame;
        parser_open(p);
        note_exception(p, report);
        json_array_foreach(frames, i, frame)
            add_frame(p, frame, json_object_get(report, "usedImages"));
        assert(p->section_count == 1);
    }
    json_decref(report);
    return found;
}
