/* See studio.h; trace/log/studio.h shows the form. Each message becomes what the window shows of
 * it, "DATE PID-TID  TAG  PACKAGE  LEVEL  MESSAGE", times in UTC. */
#include "figures/android/studio.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "trace/log/studio.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text && *text ? text : "?";
}

static long long number_at(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static void add_message(const json_t *one, tac_str *out)
{
    const json_t *header = json_object_get(one, "header");
    const json_t *stamp = json_object_get(header, "timestamp");
    time_t seconds = (time_t)number_at(stamp, "seconds");
    struct tm tm;
    char date[40] = "1970-01-01 00:00:00";
    if (gmtime_r(&seconds, &tm) && tm.tm_year >= 70 && tm.tm_year < 8000)
        strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &tm);
    long long milliseconds = number_at(stamp, "nanos") / 1000000 % 1000;
    tac_str_addf(out, "%s.%03lld %lld-%lld  %s  %s  %c  ", date,
                 milliseconds < 0 ? 0 : milliseconds, number_at(header, "pid"),
                 number_at(header, "tid"), text_at(header, "tag"), text_at(header, "applicationId"),
                 studio_level(text_at(header, "logLevel")));
    const char *message = json_string_value(json_object_get(one, "message"));
    tac_str_add(out, message ? message : "");
    tac_str_add_char(out, '\n');
}

tac_status studio_plain_text(const char *path, char **text, size_t *size, tac_error *err)
{
    json_error_t where;
    json_t *root = json_loadb(*text, *size, 0, &where);
    size_t index;
    const json_t *one;
    free(*text);
    *text = NULL;
    if (!root)
        return tac_fail_at(err, TAC_E_INPUT, path, where.line > 0 ? (size_t)where.line : 0, 0,
                           "the log that Android Studio exported is not whole: %s", where.text);
    tac_str out = {0};
    json_array_foreach(json_object_get(root, "logcatMessages"), index, one)
    {
        add_message(one, &out);
    }
    json_decref(root);
    *size = out.length;
    *text = out.length ? tac_str_take(&out) : tac_strdup("");
    tac_str_free(&out);
    return TAC_OK;
}
