/* Reads flow files: JSON Lines, one flow a line, each line checked on its own.
 *
 * Memory holds one line and its flow. The arrays of a flow live in one arena, its texts are
 * borrowed from the parsed line. */
#include "flow/file.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/arena.h"
#include "base/io/input.h"
#include "base/io/json.h"
#include "model/model.h"
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#define MAX_LINE ((size_t)64 << 20)

struct tac_flow_file {
    tac_input *input;  /* NULL: a text in memory */
    char *text, *name; /* of such a text; text NULL when it was read */
    size_t size;
    tac_json line;
    bool has_line;
    tac_arena arena;
    tac_flow flow;
};

/* A value and where it stands, for messages. */
struct place {
    tac_flow_file *file;
    const json_t *value;
    char pointer[96]; /* JSON pointer inside the line */
    tac_error *err;
};

tac_status tac_flow_file_open(const char *path, tac_flow_file **out, tac_error *err)
{
    tac_input *input;
    tac_status status = tac_input_open(path, &input, err);
    if (status != TAC_OK)
        return status;
    *out = tac_calloc(1, sizeof **out);
    (*out)->input = input;
    return TAC_OK;
}

tac_flow_file *tac_flow_file_of_text(const char *name, const char *text, size_t size)
{
    tac_flow_file *file = tac_calloc(1, sizeof *file);
    file->text = tac_alloc(size + 1);
    memcpy(file->text, text, size);
    file->text[size] = '\0';
    file->size = size;
    file->name = tac_strdup(name);
    return file;
}

static void drop_line(tac_flow_file *file)
{
    if (file->has_line)
        tac_json_free(&file->line);
    file->has_line = false;
    tac_arena_free(&file->arena);
}

void tac_flow_file_close(tac_flow_file *file)
{
    if (!file)
        return;
    drop_line(file);
    tac_input_close(file->input);
    free(file->text);
    free(file->name);
    free(file);
}

size_t tac_flow_file_line(const tac_flow_file *file)
{
    return file->input ? tac_input_line_number(file->input) : 1;
}

/* An error at a place; the line is the file's, the column the value's. */
__attribute__((format(printf, 2, 3))) static tac_status complain(const struct place *at,
                                                                 const char *format, ...)
{
    tac_error local;
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    tac_error *err = at->err ? at->err : &local;
    tac_json_fail(&at->file->line, at->pointer, err, "%s", message);
    err->line = tac_flow_file_line(at->file);
    return err->status;
}

static struct place member(const struct place *at, const char *key)
{
    struct place found = {
        .file = at->file, .value = json_object_get(at->value, key), .err = at->err};
    snprintf(found.pointer, sizeof found.pointer, "%.70s/%s", at->pointer, key);
    return found;
}

static struct place element(const struct place *at, size_t i)
{
    struct place found = {.file = at->file, .value = json_array_get(at->value, i), .err = at->err};
    snprintf(found.pointer, sizeof found.pointer, "%.70s/%zu", at->pointer, i);
    return found;
}

/* A text, or `otherwise` when the key is absent (NULL: the key is required). */
static tac_status read_text(const struct place *at, const char *key, bool required,
                            const char *otherwise, const char **out)
{
    struct place found = member(at, key);
    if (!found.value && required)
        return complain(at, "\"%s\" is missing", key);
    if (found.value && !json_is_string(found.value))
        return complain(&found, "\"%s\" must be a text", key);
    *out = found.value ? json_string_value(found.value) : otherwise;
    if (strlen(*out ? *out : "") != (found.value ? json_string_length(found.value) : 0) && *out &&
        found.value)
        return complain(&found, "\"%s\" contains a NUL character", key);
    return TAC_OK;
}

static tac_status read_texts(const struct place *at, const char *key, const char *const **out,
                             size_t *count)
{
    struct place found = member(at, key);
    if (found.value && !json_is_array(found.value))
        return complain(&found, "\"%s\" must be an array of texts", key);
    *count = json_array_size(found.value);
    const char **texts = tac_arena_alloc(&at->file->arena, (*count + 1) * sizeof *texts);
    for (size_t i = 0; i < *count; i++) {
        struct place entry = element(&found, i);
        if (!json_is_string(entry.value))
            return complain(&entry, "\"%s\" must be an array of texts", key);
        texts[i] = json_string_value(entry.value);
    }
    *out = texts;
    return TAC_OK;
}

/* A key that nothing has is a slip: what it says would be lost. */
static tac_status check_keys(const struct place *at, const char *what, const char *const *known)
{
    tac_json_stray stray = {0};
    if (!tac_json_next_stray(at->value, known, sizeof *known, &stray))
        return TAC_OK;
    return complain(at, "%s has no '%.100s'%s", what, stray.key, stray.meant.text);
}

static tac_status read_action(const struct place *at, tac_model_action *out)
{
    static const char *const keys[] = {"kind",  "xpath", "resourceId", "text",
                                       "value", "area",  "fragile",    NULL};
    const char *kind;
    double area[4];
    tac_status status = TAC_OK;
    if (!json_is_object(at->value))
        return complain(at, "an action must be an object");
    if ((status = check_keys(at, "an action", keys)) != TAC_OK ||
        (status = read_text(at, "kind", true, NULL, &kind)) != TAC_OK ||
        (status = read_text(at, "xpath", false, NULL, &out->xpath)) != TAC_OK ||
        (status = read_text(at, "resourceId", false, NULL, &out->resource_id)) != TAC_OK ||
        (status = read_text(at, "text", false, NULL, &out->text)) != TAC_OK ||
        (status = read_text(at, "value", false, NULL, &out->value)) != TAC_OK ||
        (status = read_text(at, "area", false, NULL, &out->area)) != TAC_OK)
        return status;
    struct place fragile = member(at, "fragile");
    if (fragile.value && !json_is_boolean(fragile.value))
        return complain(&fragile, "\"fragile\" must be true or false");
    out->fragile = json_is_true(fragile.value);
    if (out->area && !tac_action_area_parse(out->area, area)) {
        struct place found = member(at, "area");
        return complain(&found, "an area is left, top, right and bottom in percent, not '%.100s'",
                        out->area);
    }
    if (!tac_action_kind_parse(kind, &out->kind)) {
        struct place found = member(at, "kind");
        return complain(&found, "unknown kind of action '%.100s'", kind);
    }
    return TAC_OK;
}

static tac_status read_actions(const struct place *at, tac_flow_step *step)
{
    struct place found = member(at, "actions");
    if (found.value && !json_is_array(found.value))
        return complain(&found, "\"actions\" must be an array");
    size_t count = json_array_size(found.value);
    tac_model_action *actions = tac_arena_calloc(&at->file->arena, count + 1, sizeof *actions);
    for (size_t i = 0; i < count; i++) {
        struct place entry = element(&found, i);
        tac_status status = read_action(&entry, &actions[i]);
        if (status != TAC_OK)
            return status;
    }
    step->actions = actions;
    step->action_count = count;
    return TAC_OK;
}

static tac_status read_time(const struct place *at, double *out)
{
    struct place found = member(at, "time");
    *out = -1;
    if (!found.value)
        return TAC_OK;
    double value = json_number_value(found.value);
    if (!json_is_number(found.value) || !(value >= 0) || !(value <= 1e9))
        return complain(&found, "\"time\" must be a number of seconds from 0 to 1e9");
    assert(value >= 0);
    *out = value;
    return TAC_OK;
}

static tac_status read_abandoned(const struct place *at, uint32_t *out)
{
    struct place found = member(at, "abandoned");
    json_int_t value = json_integer_value(found.value);
    *out = 0;
    if (!found.value)
        return TAC_OK;
    if (!json_is_integer(found.value) || value < 0 || value > 1000000)
        return complain(&found, "\"abandoned\" must be a whole number from 0 to 1000000");
    *out = (uint32_t)value;
    return TAC_OK;
}

static tac_status read_screen(const struct place *at, tac_flow_screen *out)
{
    tac_status status = read_texts(at, "expect", &out->expects, &out->expect_count);
    return status == TAC_OK ? read_texts(at, "shows", &out->shows, &out->show_count) : status;
}

static tac_status read_step(const struct place *at, tac_flow_step *out)
{
    static const char *const keys[] = {"event",     "device", "kind",     "actions",
                                       "states",    "sends",  "receives", "time",
                                       "abandoned", "expect", "shows",    NULL};
    const char *kind;
    tac_status status = TAC_OK;
    if (!json_is_object(at->value))
        return complain(at, "a step must be an object");
    if ((status = check_keys(at, "a step", keys)) != TAC_OK ||
        (status = read_text(at, "event", true, NULL, &out->event)) != TAC_OK ||
        (status = read_text(at, "device", false, "", &out->device)) != TAC_OK ||
        (status = read_text(at, "kind", false, "user", &kind)) != TAC_OK ||
        (status = read_text(at, "sends", false, NULL, &out->sends)) != TAC_OK ||
        (status = read_text(at, "receives", false, NULL, &out->receives)) != TAC_OK ||
        (status = read_time(at, &out->time)) != TAC_OK ||
        (status = read_abandoned(at, &out->abandoned)) != TAC_OK ||
        (status = read_screen(at, &out->screen)) != TAC_OK ||
        (status = read_texts(at, "states", &out->states, &out->state_count)) != TAC_OK)
        return status;
    if (strcmp(kind, "user") != 0 && strcmp(kind, "system") != 0) {
        struct place found = member(at, "kind");
        return complain(&found, "the kind of a step is \"user\" or \"system\"");
    }
    out->kind = *kind == 's' ? TAC_EVENT_SYSTEM : TAC_EVENT_USER;
    return read_actions(at, out);
}

static tac_status read_steps(const struct place *at, tac_flow *flow)
{
    struct place found = member(at, "steps");
    if (!json_is_array(found.value))
        return complain(found.value ? &found : at, "\"steps\" must be an array of steps");
    flow->step_count = json_array_size(found.value);
    tac_flow_step *steps = tac_arena_calloc(&at->file->arena, flow->step_count + 1, sizeof *steps);
    for (size_t i = 0; i < flow->step_count; i++) {
        struct place entry = element(&found, i);
        tac_status status = read_step(&entry, &steps[i]);
        if (status != TAC_OK)
            return status;
    }
    flow->steps = steps;
    return TAC_OK;
}

static tac_status read_starts(const struct place *at, tac_flow *flow)
{
    struct place found = member(at, "start");
    if (found.value && !json_is_array(found.value))
        return complain(&found, "\"start\" must be an array");
    flow->start_count = json_array_size(found.value);
    tac_flow_start *starts =
        tac_arena_calloc(&at->file->arena, flow->start_count + 1, sizeof *starts);
    for (size_t i = 0; i < flow->start_count; i++) {
        struct place entry = element(&found, i);
        static const char *const keys[] = {"device", "application", "package", "states",
                                           "expect", "shows",       NULL};
        tac_status status;
        if (!json_is_object(entry.value))
            return complain(&entry, "a start must be an object");
        if ((status = check_keys(&entry, "a start", keys)) != TAC_OK ||
            (status = read_text(&entry, "device", true, NULL, &starts[i].device)) != TAC_OK ||
            (status = read_text(&entry, "application", false, "", &starts[i].application)) !=
                TAC_OK ||
            (status = read_text(&entry, "package", false, "", &starts[i].package)) != TAC_OK ||
            (status = read_texts(&entry, "states", &starts[i].states, &starts[i].state_count)) !=
                TAC_OK ||
            (status = read_screen(&entry, &starts[i].screen)) != TAC_OK)
            return status;
    }
    flow->starts = starts;
    return TAC_OK;
}

static tac_status read_flow(const struct place *at, tac_flow *flow)
{
    static const char *const keys[] = {"kind", "model", "start", "steps", NULL};
    const char *kind;
    tac_status status;
    *flow = (tac_flow){0};
    if (!json_is_object(at->value))
        return complain(at, "expected one flow, an object with \"kind\" and \"steps\"");
    if ((status = check_keys(at, "a flow", keys)) != TAC_OK ||
        (status = read_text(at, "kind", true, NULL, &kind)) != TAC_OK ||
        (status = read_text(at, "model", false, "", &flow->model)) != TAC_OK)
        return status;
    if (!tac_flow_kind_parse(kind, &flow->kind)) {
        struct place found = member(at, "kind");
        return complain(&found,
                        "the kind of a flow is exit, stuck, truncated or witness, not "
                        "'%.100s'",
                        kind);
    }
    status = read_starts(at, flow);
    return status == TAC_OK ? read_steps(at, flow) : status;
}

static bool is_blank(const char *line)
{
    return line[strspn(line, " \t\r")] == '\0';
}

/* The next line that is not blank; *text is NULL at the end, else valid until the next call. */
static tac_status next_line(tac_flow_file *file, char **text, size_t *length, tac_error *err)
{
    tac_status status = TAC_OK;
    if (!file->input) {
        *text = file->size ? file->text : NULL;
        *length = file->size;
        file->size = 0;
        return TAC_OK;
    }
    do
        status = tac_input_line(file->input, MAX_LINE, text, length, err);
    while (status == TAC_OK && *text && *length == strlen(*text) && is_blank(*text));
    bool first = status == TAC_OK && *text && tac_input_line_number(file->input) == 1;
    if (first && *length >= 3 && !memcmp(*text, "\xef\xbb\xbf", 3)) { /* of the byte order */
        *text += 3;
        *length -= 3;
    }
    return status;
}

tac_status tac_flow_file_next(tac_flow_file *file, const tac_flow **flow, tac_error *err)
{
    char *text;
    size_t length;
    drop_line(file);
    tac_status status = next_line(file, &text, &length, err);
    if (status != TAC_OK)
        return status;
    if (!text) {
        *flow = NULL;
        return TAC_OK;
    }
    status = tac_json_parse(file->input ? tac_input_name(file->input) : file->name, text, length,
                            &file->line, err);
    if (status != TAC_OK) {
        if (err)
            err->line = tac_flow_file_line(file);
        return status;
    }
    assert(!file->has_line); /* the line before was dropped with its flow */
    file->has_line = true;
    struct place root = {.file = file, .value = file->line.root, .err = err};
    status = read_flow(&root, &file->flow);
    if (status == TAC_OK)
        *flow = &file->flow;
    return status;
}
