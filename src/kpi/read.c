/* See read.h. */
#include "kpi/read.h"
#include "base/data/visible.h"
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

tac_status kpi_fail(const struct kpi_object *object, const char *key, tac_error *err,
                    const char *format, ...)
{
    char pointer[224], message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    snprintf(pointer, sizeof pointer, "%s%s%.100s", object->at, *key ? "/" : "", key);
    return tac_json_fail(object->file, pointer, err, "%s", message);
}

tac_status kpi_object_open(const tac_json *file, const json_t *json, const char *at,
                           const char *what, tac_arena *arena, struct kpi_object *out,
                           tac_error *err)
{
    *out = (struct kpi_object){.file = file, .json = json, .arena = arena};
    snprintf(out->at, sizeof out->at, "%s", at);
    return json_is_object(json) ? TAC_OK : tac_json_fail(file, at, err, "%s is an object", what);
}

static bool is_one_of(const char *keys, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = strstr(keys, key); length && at; at = strstr(at + 1, key))
        if ((at == keys || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

tac_status kpi_refuse_unknown(const struct kpi_object *object, const char *keys, tac_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object->json, key, value)
    {
        if (key[0] != '#' && !is_one_of(keys, key))
            return kpi_fail(object, key, err, "'%.60s' is not a key here; the keys are: %s", key,
                            keys);
    }
    return TAC_OK;
}

static bool is_line(const char *text)
{
    return text && strlen(text) <= KPI_MAX_TEXT && !strchr(text, '\n') &&
           tac_text_is_plain(text, strlen(text));
}

tac_status kpi_read_text(const struct kpi_object *object, const char *key, bool needed,
                         const char **out, tac_error *err)
{
    const json_t *value = json_object_get(object->json, key);
    const char *text = json_string_value(value);
    if (!value && !needed) {
        *out = "";
        return TAC_OK;
    }
    if (!is_line(text) || (needed && !*text))
        return kpi_fail(object, value ? key : "", err,
                        "\"%s\" is needed: a text of one line, at most %d characters", key,
                        KPI_MAX_TEXT);
    *out = tac_arena_strdup(object->arena, text);
    return TAC_OK;
}

bool kpi_is_name(const char *text)
{
    size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return *text && length == strlen(text) && length <= 60 && !isdigit((unsigned char)*text);
}

tac_status kpi_read_name(const struct kpi_object *object, const char *key, const char **out,
                         tac_error *err)
{
    tac_status status = kpi_read_text(object, key, true, out, err);
    if (status == TAC_OK && !kpi_is_name(*out))
        status = kpi_fail(object, key, err,
                          "a name has letters, digits and '_', at most 60, and no digit first");
    return status;
}

tac_status kpi_read_texts(const struct kpi_object *object, const char *key, kpi_texts *out,
                          tac_error *err)
{
    const json_t *list = json_object_get(object->json, key);
    tac_status status = TAC_OK;
    if (list && (!json_is_array(list) || json_array_size(list) > KPI_MAX_LIST))
        return kpi_fail(object, key, err, "\"%s\" is a list of at most %d texts", key,
                        KPI_MAX_LIST);
    for (size_t i = 0; i < json_array_size(list) && status == TAC_OK; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (is_line(text) && *text)
            tac_vec_push(out, tac_arena_strdup(object->arena, text));
        else
            status = kpi_fail(object, key, err, "\"%s\" is a list of texts of one line", key);
    }
    return status;
}
