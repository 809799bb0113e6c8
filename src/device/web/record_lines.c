/* The recorder's records as lines of a recording (docs/protocol.md). Fields are separated by
 * U+001F, records end with U+001E; web/recorder/core.ts writes them:
 *
 *   b label cause class method flags count value...   a top-level callback begins
 *   e | x type message                                it ends; it ends in an exception
 *   c class method place count value...               a call and its return
 *   t class method place count value... type message  a call that throws
 *   f kind type message stack                         something failed
 *   u what | d count                                  not seen; not kept
 *   p                                                 another document begins
 *
 * A value is 0 (null), i12, sTEXT or oID:type. A page can write what it likes: whatever does not
 * have this shape is left out. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "device/web/webdriver.h"
#include <string.h>

enum { MOST_FIELDS = 32 };

/* What is given on, and of which document: names of objects and labels count per document. */
struct teller {
    const tac_recorder_sink *sink;
    struct wd_told *told;
};

struct record {
    const char *fields[MOST_FIELDS];
    size_t lengths[MOST_FIELDS];
    size_t count;
};

static struct record split(const char *text, size_t size)
{
    struct record record = {.count = 0};
    const char *end = text + size;
    while (text <= end && record.count < MOST_FIELDS) {
        const char *stop = memchr(text, '\x1f', (size_t)(end - text));
        if (!stop)
            stop = end;
        record.fields[record.count] = text;
        record.lengths[record.count++] = (size_t)(stop - text);
        text = stop + 1;
    }
    return record;
}

static json_t *text_field(const struct record *record, size_t index)
{
    assert(index < record->count);
    return tac_json_string_n(record->fields[index], record->lengths[index]);
}

/* An object's type is told by its name, so that it is the same in every message. */
static const char *type_of(char prefix)
{
    switch (prefix) {
    case 'n':
        return "web.Node";
    case 't':
        return "web.Timer";
    case 'r':
    case 'x':
        return "web.Request";
    case 'l':
        return "web.Listener";
    case 'd':
        return "web.Document";
    default:
        return "web.Target";
    }
}

static json_t *value_of(const char *text, size_t size, unsigned document)
{
    if (size > 1 && text[0] == 'o') {
        const char *colon = memchr(text, ':', size);
        size_t length = colon ? (size_t)(colon - text) - 1 : size - 1;
        char *name = document > 1 ? tac_format("%.*s/%u", (int)length, text + 1, document)
                                  : tac_strndup(text + 1, length);
        json_t *value =
            json_pack("{s:o,s:s}", "object", tac_json_string(name), "type", type_of(text[1]));
        free(name);
        return value;
    }
    if (size && text[0] == 's')
        return tac_json_string_n(text + 1, size - 1);
    if (size > 1 && text[0] == 'i')
        return json_integer((json_int_t)strtod(text + 1, NULL));
    return json_null();
}

/* The values behind their number at `at`; *next is the field after them. NULL when they are cut. */
static json_t *values_of(const struct record *record, size_t at, unsigned document, size_t *next)
{
    size_t count = at < record->count ? (size_t)strtoul(record->fields[at], NULL, 10) : MOST_FIELDS;
    if (count > MOST_FIELDS || at + 1 + count > record->count)
        return NULL;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list, value_of(record->fields[at + 1 + i], record->lengths[at + 1 + i], document));
    *next = at + 1 + count;
    return list;
}

static void give(const tac_recorder_sink *sink, json_t *message)
{
    sink->message(sink->context, message);
    json_decref(message);
}

/* "click //a #1", of later documents "click //a #1 @2". */
static json_t *label_field(const struct record *record, size_t index, unsigned document)
{
    if (document <= 1)
        return text_field(record, index);
    char *label =
        tac_format("%.*s @%u", (int)record->lengths[index], record->fields[index], document);
    json_t *json = tac_json_string(label);
    free(label);
    return json;
}

static bool has_flag(const struct record *record, size_t index, char flag)
{
    return memchr(record->fields[index], flag, record->lengths[index]) != NULL;
}

/* A script of a later document runs after somebody has touched an earlier one: a task, as scripts
 * after the first touch of a document are (rules/web/document.spec). */
static json_t *method_field(const struct record *record, unsigned document)
{
    static const char script[] = "void script(String)";
    bool is_script = record->lengths[4] == sizeof script - 1 &&
                     !memcmp(record->fields[4], script, sizeof script - 1);
    return document > 1 && is_script ? json_string("void task(String)") : text_field(record, 4);
}

/* A page that is left tells its last callback while it runs; its end may go with the page. */
static void end_what_is_open(const struct teller *teller)
{
    if (teller->told->open)
        give(teller->sink, json_pack("{s:s}", "type", "callback_exit"));
    teller->told->open = false;
}

static void begin_callback(const struct record *record, const struct teller *teller)
{
    size_t next;
    json_t *values =
        record->count > 6 ? values_of(record, 6, teller->told->documents, &next) : NULL;
    if (!values)
        return;
    json_t *message =
        json_pack("{s:s,s:o,s:o,s:o,s:o}", "type", "callback_entry", "class", text_field(record, 3),
                  "method", method_field(record, teller->told->documents), "params", values,
                  "event", label_field(record, 1, teller->told->documents));
    if (has_flag(record, 5, 'i'))
        json_object_set_new(message, "overrides",
                            json_pack("[s,s]", "web.Element", "web.InsertedElement"));
    if (record->lengths[2])
        json_object_set_new(message, "cause", label_field(record, 2, teller->told->documents));
    if (has_flag(record, 5, 'u'))
        json_object_set_new(message, "user", json_true());
    end_what_is_open(teller);
    teller->told->open = true;
    give(teller->sink, message);
}

static void end_callback(const struct record *record, const struct teller *teller)
{
    bool raised = record->fields[0][0] == 'x' && record->count > 2;
    if (!teller->told->open)
        return;
    teller->told->open = false;
    json_t *message = json_pack("{s:s}", "type", raised ? "callback_exception" : "callback_exit");
    if (raised) {
        json_object_set_new(message, "exception", text_field(record, 1));
        json_object_set_new(message, "message", text_field(record, 2));
    }
    give(teller->sink, message);
}

static void call(const struct record *record, const struct teller *teller)
{
    size_t next = 0;
    bool throws = record->fields[0][0] == 't';
    json_t *values =
        record->count > 4 ? values_of(record, 4, teller->told->documents, &next) : NULL;
    if (!values)
        return;
    json_t *entry =
        json_pack("{s:s,s:o,s:o,s:o}", "type", "callin_entry", "class", text_field(record, 1),
                  "method", text_field(record, 2), "params", values);
    const char *place = record->fields[3];
    size_t length = record->lengths[3], file = length;
    while (file > 0 && place[file - 1] >= '0' && place[file - 1] <= '9')
        file--;
    if (file > 1 && place[file - 1] == ':') {
        json_object_set_new(entry, "caller", tac_json_string_n(place, file - 1));
        json_object_set_new(entry, "line", tac_json_string_n(place + file, length - file));
    }
    json_t *leave = json_pack("{s:s}", "type", throws ? "callin_exception" : "callin_exit");
    if (throws && next + 1 < record->count) {
        json_object_set_new(leave, "exception", text_field(record, next));
        json_object_set_new(leave, "message", text_field(record, next + 1));
    }
    give(teller->sink, entry);
    give(teller->sink, leave);
}

static void fail(const struct record *record, const tac_recorder_sink *sink)
{
    char *texts[4];
    for (size_t i = 0; i < 4; i++)
        texts[i] = tac_strndup(i + 1 < record->count ? record->fields[i + 1] : "",
                               i + 1 < record->count ? record->lengths[i + 1] : 0);
    sink->failure(sink->context, texts[0], texts[1], texts[2], texts[3]);
    for (size_t i = 0; i < 4; i++)
        free(texts[i]);
}

static void take(const char *text, size_t size, const struct teller *teller)
{
    const tac_recorder_sink *sink = teller->sink;
    struct record record = split(text, size);
    char *what;
    if (record.lengths[0] != 1)
        return;
    switch (record.fields[0][0]) {
    case 'b':
        begin_callback(&record, teller);
        break;
    case 'e':
    case 'x':
        end_callback(&record, teller);
        break;
    case 'c':
    case 't':
        call(&record, teller);
        break;
    case 'f':
        fail(&record, sink);
        break;
    case 'u':
        what = record.count > 1 ? tac_strndup(record.fields[1], record.lengths[1]) : NULL;
        if (what)
            sink->unseen(sink->context, what);
        free(what);
        break;
    case 'p':
        end_what_is_open(teller);
        ++teller->told->documents;
        break;
    case 'd':
        if (record.count > 1)
            sink->dropped(sink->context, strtoull(record.fields[1], NULL, 10));
        break;
    default:
        break;
    }
}

void wd_recorded_lines(const char *text, size_t size, struct wd_told *told,
                       const tac_recorder_sink *sink)
{
    struct teller teller = {sink, told};
    for (const char *at = text, *end = text + size; at < end;) {
        const char *stop = memchr(at, '\x1e', (size_t)(end - at));
        if (!stop)
            return;
        take(at, (size_t)(stop - at), &teller);
        at = stop + 1;
    }
}
