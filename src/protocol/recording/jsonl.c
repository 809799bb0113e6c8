/* Our own form of a recording: JSON Lines, one message per line, easy to write from any recorder.
 * docs/protocol.md describes it. What is left out takes its obvious value: ids count lines, every
 * message is of the UI thread, and a callback without "overrides" matches rules by its own class.
 */
#include "base/check.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "protocol/recording/recording.h"
#include <string.h>

#define MAX_LINE ((size_t)64 << 20)

struct line_reader {
    const char *name;
    size_t line;
    TAC_VEC(struct raw_value) params;
    TAC_VEC(struct raw_override) overrides;
    struct raw_value result;
    tac_arena texts; /* numbers and booleans as text, for one line */
    tac_error *err;
};

static const char *const type_names[] = {"",
                                         "app",
                                         "callin_entry",
                                         "callin_exit",
                                         "callin_exception",
                                         "callback_entry",
                                         "callback_exit",
                                         "callback_exception"};

static tac_status wrong(struct line_reader *r, const char *key, const char *expected)
{
    return tac_fail_at(r->err, TAC_E_INPUT, r->name, r->line, 0, "\"%s\" must be %s", key,
                       expected);
}

static tac_status take_text(struct line_reader *r, const json_t *object, const char *key,
                            const char **out)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return TAC_OK;
    if (json_is_integer(value)) {
        *out = tac_arena_format(&r->texts, "%lld", (long long)json_integer_value(value));
        return TAC_OK;
    }
    if (!json_is_string(value))
        return wrong(r, key, "a text");
    *out = json_string_value(value);
    return TAC_OK;
}

/* null | true | false | number | text | {"object", "type", "framework_type", "value"} */
static tac_status take_value(struct line_reader *r, const char *key, const json_t *value,
                             struct raw_value *out)
{
    assert(key && out);
    char number[32];
    *out = (struct raw_value){0};
    switch (json_typeof(value)) {
    case JSON_NULL:
        out->is_null = true;
        return TAC_OK;
    case JSON_TRUE:
    case JSON_FALSE:
        out->value = json_is_true(value) ? "true" : "false";
        return TAC_OK;
    case JSON_STRING:
        out->value = json_string_value(value);
        return TAC_OK;
    case JSON_INTEGER:
        out->value = tac_arena_format(&r->texts, "%lld", (long long)json_integer_value(value));
        return TAC_OK;
    case JSON_REAL:
        out->value = tac_arena_strdup(
            &r->texts, tac_double_text(json_real_value(value), number, sizeof number));
        return TAC_OK;
    case JSON_OBJECT: {
        tac_status status = take_text(r, value, "object", &out->object_id);
        if (status == TAC_OK)
            status = take_text(r, value, "type", &out->type);
        if (status == TAC_OK)
            status = take_text(r, value, "framework_type", &out->framework_type);
        if (status == TAC_OK)
            status = take_text(r, value, "value", &out->value);
        if (status == TAC_OK && !out->object_id && !out->value)
            return wrong(r, key, "null, a plain value, or {\"object\": id, \"type\": class}");
        return status;
    }
    case JSON_ARRAY:
        break;
    }
    return wrong(r, key, "null, a plain value, or {\"object\": id, \"type\": class}");
}

static tac_status take_params(struct line_reader *r, const json_t *line, struct raw_message *raw)
{
    const json_t *list = json_object_get(line, "params");
    r->params.count = 0;
    if (list && !json_is_array(list))
        return wrong(r, "params", "a list: the receiver first (null for a static method)");
    if (!list) /* a static method without parameters */
        tac_vec_push(&r->params, (struct raw_value){.is_null = true});
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct raw_value value;
        tac_status status = take_value(r, "params", json_array_get(list, i), &value);
        if (status != TAC_OK)
            return status;
        tac_vec_push(&r->params, value);
    }
    raw->params = r->params.at;
    raw->param_count = r->params.count;
    return TAC_OK;
}

/* A text is a class or interface with the same method; an object can name another method. */
static tac_status take_overrides(struct line_reader *r, const json_t *line, struct raw_message *raw)
{
    const json_t *list = json_object_get(line, "overrides");
    r->overrides.count = 0;
    if (!list)
        tac_vec_push(&r->overrides, (struct raw_override){raw->class_name, raw->method, true});
    else if (!json_is_array(list))
        return wrong(r, "overrides", "a list of class names");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        struct raw_override o = {.method = raw->method, .is_interface = true};
        tac_status status = TAC_OK;
        if (json_is_string(item)) {
            o.class_name = json_string_value(item);
        } else if (json_is_object(item)) {
            status = take_text(r, item, "class", &o.class_name);
            if (status == TAC_OK)
                status = take_text(r, item, "method", &o.method);
            const json_t *interface = json_object_get(item, "interface");
            o.is_interface = !interface || json_is_true(interface);
        } else {
            return wrong(r, "overrides", "a list of class names");
        }
        if (status != TAC_OK)
            return status;
        tac_vec_push(&r->overrides, o);
    }
    raw->overrides = r->overrides.at;
    raw->override_count = r->overrides.count;
    return TAC_OK;
}

static tac_status take_head(struct line_reader *r, const json_t *line, struct raw_message *raw)
{
    const char *type = NULL;
    tac_status status = take_text(r, line, "type", &type);
    if (status != TAC_OK)
        return status;
    for (int i = 1; type && i < (int)(sizeof type_names / sizeof *type_names); i++)
        if (!strcmp(type, type_names[i]))
            raw->type = (enum raw_type)i;
    if (!raw->type)
        return tac_fail_at(r->err, TAC_E_INPUT, r->name, r->line, 0,
                           "\"type\" must be one of callback_entry, callback_exit, "
                           "callback_exception, callin_entry, callin_exit, callin_exception, app%s",
                           tac_meant(type ? type : "", type_names + 1, type ? 7 : 0).text);
    const json_t *id = json_object_get(line, "id"), *ui = json_object_get(line, "ui");
    if (id && (!json_is_integer(id) || json_integer_value(id) < 0))
        return wrong(r, "id", "a whole number from 0 on");
    if (ui && !json_is_boolean(ui))
        return wrong(r, "ui", "true or false");
    raw->id = id ? (uint64_t)json_integer_value(id) : r->line;
    raw->ui_thread = !ui || json_is_true(ui);
    const json_t *thread = json_object_get(line, "thread");
    if (thread && (!json_is_integer(thread) || json_integer_value(thread) < 0))
        return wrong(r, "thread", "a whole number from 0 on");
    raw->thread = (uint64_t)json_integer_value(thread);
    raw->place = r->line;
    return TAC_OK;
}

/* Keys that mean nothing here: a typo would otherwise take its default in silence. */
static void warn_of_unknown_keys(struct line_reader *r, const json_t *object,
                                 const char *const *known, struct recording_builder *builder)
{
    tac_json_stray stray = {0};
    while (tac_json_next_stray(object, known, sizeof *known, &stray))
        recording_builder_warn(builder, r->line, "the key '%.60s' is not known and ignored%s",
                               stray.key, stray.meant.text);
}

static void warn_of_keys(struct line_reader *r, const json_t *line,
                         struct recording_builder *builder)
{
    static const char *const keys[] = {
        "type",    "id",     "ui",   "thread", "class",    "method",    "super",
        "event",   "caller", "line", "params", "value",    "overrides", "exception",
        "message", "cause",  "user", "by",     "recorder", "failure",   NULL};
    static const char *const value_keys[] = {"object", "type", "framework_type", "value", NULL};
    size_t i;
    json_t *item;
    warn_of_unknown_keys(r, line, keys, builder);
    json_array_foreach(json_object_get(line, "params"), i, item) if (json_is_object(item))
        warn_of_unknown_keys(r, item, value_keys, builder);
    item = json_object_get(line, "value");
    if (json_is_object(item))
        warn_of_unknown_keys(r, item, value_keys, builder);
}

static tac_status take_line(struct line_reader *r, const json_t *line,
                            struct recording_builder *builder)
{
    assert(r->line > 0);
    struct raw_message raw = {0};
    if (!json_is_object(line))
        return tac_fail_at(r->err, TAC_E_INPUT, r->name, r->line, 0,
                           "each line must be a JSON object, such as {\"type\": "
                           "\"callback_entry\", ...}");
    struct {
        const char *key;
        const char **text;
    } const texts[] = {
        {"class", &raw.class_name},         {"method", &raw.method},
        {"super", &raw.first_super},        {"event", &raw.label},
        {"caller", &raw.caller_class},      {"line", &raw.caller_line},
        {"exception", &raw.exception_type}, {"message", &raw.exception_text},
    };
    warn_of_keys(r, line, builder);
    tac_status status = take_head(r, line, &raw);
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == TAC_OK; i++)
        status = take_text(r, line, texts[i].key, texts[i].text);
    if (status == TAC_OK)
        status = take_params(r, line, &raw);
    const json_t *result = json_object_get(line, "value");
    if (status == TAC_OK && result) {
        status = take_value(r, "value", result, &r->result);
        raw.result = &r->result;
    }
    bool entry = raw.type == RAW_CALLBACK_ENTRY || raw.type == RAW_CALLIN_ENTRY;
    if (status == TAC_OK && entry && (!raw.method || !strchr(raw.method, '(')))
        return wrong(r, "method",
                     "the return type, name and types: \"void onClick(android.view.View)\"");
    bool named_by_others = raw.type == RAW_CALLIN_ENTRY && json_object_get(line, "overrides");
    if (status == TAC_OK && (raw.type == RAW_CALLBACK_ENTRY || named_by_others))
        status = take_overrides(r, line, &raw);
    return status == TAC_OK ? recording_builder_add(builder, &raw, r->err) : status;
}

/* Does the text break off inside an object? A crashing app leaves such a last line. */
static bool is_cut(const char *text, const char *end)
{
    size_t depth = 0;
    bool quoted = false;
    for (; text < end; text++) {
        if (*text == '"')
            quoted = !quoted;
        else if (quoted)
            text += *text == '\\';
        else if (*text == '{' || *text == '[')
            depth++;
        else if ((*text == '}' || *text == ']') && depth)
            depth--;
    }
    return quoted || depth;
}

/* What is wrong with a line that jansson did not take; the slow reader knows. */
static tac_status explain(struct line_reader *r, const char *text, size_t size)
{
    tac_json json;
    tac_error why = {0};
    tac_status status = tac_json_parse(r->name, text, size, &json, &why);
    if (status != TAC_OK)
        return tac_fail_at(r->err, status, r->name, r->line, why.column, "%s", why.message);
    tac_json_free(&json);
    return tac_fail_at(r->err, TAC_E_INPUT, r->name, r->line, 0, "not a JSON object");
}

tac_status recording_read_jsonl(const char *name, const char *text, size_t size,
                                struct recording_builder *builder, bool *truncated, tac_error *err)
{
    struct line_reader r = {.name = name, .err = err};
    tac_status status = TAC_OK;
    for (const char *at = text, *end = text + size; at < end && status == TAC_OK;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        r.line++;
        size_t blanks = 0;
        while (at + blanks < stop && strchr(" \t\r", at[blanks]) && at[blanks])
            blanks++;
        if (stop > at && stop[-1] == '\r')
            recording_builder_warn(builder, r.line, "lines end in carriage return and line feed");
        if (at + blanks < stop && !newline && r.line > 1 && is_cut(at, stop)) {
            *truncated = true;
        } else if (at + blanks < stop && (size_t)(stop - at) <= MAX_LINE) {
            json_t *line = json_loadb(at, (size_t)(stop - at), JSON_REJECT_DUPLICATES, NULL);
            status = line ? take_line(&r, line, builder) : explain(&r, at, (size_t)(stop - at));
            json_decref(line);
            if (r.texts.used) {
                tac_arena_free(&r.texts);
                r.texts = (tac_arena){0};
            }
        } else if (at + blanks < stop) {
            status = tac_fail_at(err, TAC_E_LIMIT, name, r.line, 0, "a line over 64 MiB");
        }
        at = newline ? newline + 1 : end;
    }
    tac_vec_free(&r.params);
    tac_vec_free(&r.overrides);
    tac_arena_free(&r.texts);
    return status;
}
