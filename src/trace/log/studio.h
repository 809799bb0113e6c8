/* Logs that Android Studio exports (.logcat): JSON with what was recorded, since 2022.
 *
 *     {"metadata": {...}, "logcatMessages": [
 *       {"header": {"logLevel": "ERROR", "pid": 4242, "tid": 4243, "applicationId": "com.example",
 *                   "processName": "com.example", "tag": "Tag",
 *                   "timestamp": {"seconds": 1700000000, "nanos": 123000000}},
 *        "message": "one line\nor several"}]} */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Texts are borrowed from the element. */
struct studio_message {
    int64_t time; /* nanoseconds since 1970 */
    char level;   /* as logcat prints it */
    uint32_t pid;
    const char *tag, *text;
    size_t tag_length, text_length;
};

/* Whether a text, or its beginning, is one. */
bool studio_is_export(const char *text);
/* The letter of a logLevel; "ASSERT" is printed as F. */
char studio_level(const char *word);
/* False: the element is not a message with a time. */
bool studio_take(const json_t *element, struct studio_message *out);
