/* jansson with caps and line-exact errors. See json.h. */
#include "base/io/json.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/io/input.h"
#include <math.h>
#include <string.h>

/* jansson allows 2048 levels; refuse deeper than our cap before it parses. Brackets inside strings
 * do not count. */
static bool depth_is_fine(const char *text, size_t size, size_t *line)
{
    size_t depth = 0;
    bool in_string = false;
    *line = 1;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (c == '\n')
            ++*line;
        if (in_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > TAC_JSON_MAX_DEPTH)
                return false;
        } else if ((c == '}' || c == ']') && depth > 0) {
            depth--;
        }
    }
    return true;
}

/* Takes text. */
static tac_status parse_owned(const char *name, char *text, size_t size, tac_json *out,
                              tac_error *err)
{
    size_t line;
    if (!depth_is_fine(text, size, &line)) {
        free(text);
        return tac_fail_at(err, TAC_E_LIMIT, name, line, 0, "nested deeper than %d levels",
                           TAC_JSON_MAX_DEPTH);
    }
    json_error_t problem;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);
    if (!root) {
        free(text);
        return tac_fail_at(err, TAC_E_INPUT, name, problem.line > 0 ? (size_t)problem.line : 0,
                           problem.column > 0 ? (size_t)problem.column : 0, "not valid JSON: %s",
                           problem.text);
    }
    *out = (tac_json){.root = root, .text = text, .size = size, .name = tac_strdup(name)};
    return TAC_OK;
}

tac_status tac_json_parse(const char *name, const char *text, size_t size, tac_json *out,
                          tac_error *err)
{
    return parse_owned(name, tac_strndup(text, size), size, out, err);
}

tac_status tac_json_load(const char *path, size_t max_size, tac_json *out, tac_error *err)
{
    char *text;
    size_t size;
    tac_status status = tac_input_slurp(path, max_size, &text, &size, err);
    if (status != TAC_OK)
        return status;
    /* as editors of Windows write it */
    size_t mark = tac_byte_order_mark(text, size);
    memmove(text, text + mark, size - mark + 1);
    size -= mark;
    return parse_owned(strcmp(path, "-") ? path : "<stdin>", text, size, out, err);
}

void tac_json_free(tac_json *json)
{
    json_decref(json->root);
    free(json->text);
    free(json->name);
    *json = (tac_json){0};
}

tac_status tac_json_fail(const tac_json *json, const char *pointer, tac_error *err,
                         const char *format, ...)
{
    size_t line, column;
    tac_json_locate(json, pointer, &line, &column);
    va_list args;
    va_start(args, format);
    tac_fail_va(err, TAC_E_INPUT, json->name, line, column, format, args);
    va_end(args);
    return TAC_E_INPUT;
}

static const char *key_of(const void *known, size_t size, size_t i)
{
    return *(const char *const *)(const void *)((const char *)known + i * size);
}

bool tac_json_next_stray(const json_t *object, const void *known, size_t size,
                         tac_json_stray *stray)
{
    json_t *of = (json_t *)(uintptr_t)object;
    stray->at = stray->at ? json_object_iter_next(of, stray->at) : json_object_iter(of);
    for (; stray->at; stray->at = json_object_iter_next(of, stray->at)) {
        size_t i = 0;
        stray->key = json_object_iter_key(stray->at);
        while (key_of(known, size, i) && strcmp(key_of(known, size, i), stray->key) != 0)
            i++;
        if (key_of(known, size, i) || (stray->comments && stray->key[0] == '#'))
            continue;
        const char **keys = tac_calloc(i + 1, sizeof *keys);
        for (size_t k = 0; k < i; k++)
            keys[k] = key_of(known, size, k);
        stray->meant = tac_meant(stray->key, keys, i);
        free(keys);
        return true;
    }
    return false;
}

json_t *tac_json_string_n(const char *text, size_t length)
{
    json_t *value = json_stringn(text, length);
    if (value)
        return value;
    tac_str clean = {0};
    tac_utf8_clean(text, length, &clean);
    value = json_stringn(tac_str_text(&clean), clean.length);
    tac_str_free(&clean);
    if (!value)
        tac_out_of_memory(length);
    return value;
}

json_t *tac_json_string(const char *text)
{
    return tac_json_string_n(text, strlen(text));
}

json_t *tac_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}
