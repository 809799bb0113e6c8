/* See studio.h. */
#include "trace/log/studio.h"
#include "trace/json/items.h"
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

bool studio_take(const json_t *element, struct studio_message *out)
{
    const json_t *header = json_object_get(element, "header");
    const json_t *stamp = json_object_get(header, "timestamp");
    const json_t *tag = json_object_get(header, "tag");
    const json_t *level = json_object_get(header, "logLevel");
    const json_t *text = json_object_get(element, "message");
    double seconds = json_loose_number(json_object_get(stamp, "seconds"), -1e12);
    double nanos = json_loose_number(json_object_get(stamp, "nanos"), 0);
    double pid = json_loose_number(json_object_get(header, "pid"), 0);
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
