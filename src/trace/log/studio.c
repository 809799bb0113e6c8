/* See studio.h. */
#include "trace/log/studio.h"
#include <string.h>

bool studio_is_export(const char *text)
{
    text += strspn(text, " \t\r\n");
    const char *messages = *text == '{' ? strstr(text, "\"logcatMessages\"") : NULL;
    return messages && messages[16 + strspn(messages + 16, " \t\r\n")] == ':';
}

char studio_level(const char *word)
{
    return *word == 'A' ? 'F' : *word && strchr("VDIWEF", *word) ? *word : 'I';
}

static double number_at(const json_t *object, const char *key, double otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

bool studio_take(const json_t *element, struct studio_message *out)
{
    const json_t *header = json_object_get(element, "header");
    const json_t *stamp = json_object_get(header, "timestamp");
    const json_t *tag = json_object_get(header, "tag");
    const json_t *level = json_object_get(header, "logLevel");
    const json_t *text = json_object_get(element, "message");
    double seconds = number_at(stamp, "seconds", -1e12), nanos = number_at(stamp, "nanos", 0);
    double pid = number_at(header, "pid", 0);
    if (!(seconds > -4e9 && seconds < 4.5e9 && nanos >= 0 && nanos < 1e9))
        return false;
    *out = (struct studio_message){
        .time = (int64_t)seconds * 1000000000 + (int64_t)nanos,
        .level = studio_level(json_is_string(level) ? json_string_value(level) : ""),
        .pid = pid > 0 && pid < 4294967295.0 ? (uint32_t)pid : 0,
        .tag = json_is_string(tag) ? json_string_value(tag) : "",
        .tag_length = json_string_length(tag),
        .text = json_is_string(text) ? json_string_value(text) : "",
        .text_length = json_string_length(text)};
    return true;
}
