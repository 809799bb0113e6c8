/* Packages: `pm list packages -3`, `dumpsys package NAME`, `cmd package resolve-activity --brief`.
 */
#include "device/android/dump/parse.h"
#include <stdio.h>
#include <string.h>

char *android_only_package(const char *text, size_t size, size_t *count)
{
    struct android_lines lines = {.at = text, .end = text + size};
    char *name = NULL;
    *count = 0;
    while (android_next_line(&lines))
        if (android_starts(&lines, "package:") && lines.length > 8 && ++*count == 1)
            name = tac_strndup(lines.line + 8, lines.length - 8);
    if (*count == 1)
        return name;
    free(name);
    return NULL;
}

uint64_t android_read_user_id(const char *text, size_t size)
{
    struct android_lines lines = {.at = text, .end = text + size};
    uint64_t id = 0;
    while (!id && android_next_line(&lines))
        if (android_starts(&lines, "userId=") || android_starts(&lines, "appId="))
            android_count(android_after(&lines, "="), lines.line + lines.length, &id);
    return id;
}

void android_read_app_version(const char *text, size_t size, char *out, size_t room)
{
    struct android_lines lines = {.at = text, .end = text + size};
    *out = '\0';
    while (!*out && android_next_line(&lines))
        if (android_starts(&lines, "versionName=") && strncmp(lines.line + 12, "null", 4) != 0)
            snprintf(out, room, "%.*s", (int)(lines.length - 12), lines.line + 12);
}

char *android_read_launcher(const char *text, size_t size, const char *package)
{
    struct android_lines lines = {.at = text, .end = text + size};
    size_t n = strlen(package);
    while (android_next_line(&lines))
        if (android_starts(&lines, package) && lines.length > n + 1 && lines.line[n] == '/' &&
            !memchr(lines.line, '\'', lines.length))
            return tac_strndup(lines.line, lines.length);
    return NULL;
}
