/* Whose code a frame is: the kept list of libraries, platforms and runtimes. */
#include "mining/crash/crash.h"

bool has_prefix(const char *text, size_t length, const char *prefixes)
{
    while (prefixes && *prefixes) {
        const char *comma = strchr(prefixes, ',');
        size_t size = comma ? (size_t)(comma - prefixes) : strlen(prefixes);
        if (size && size <= length && memcmp(text, prefixes, size) == 0)
            return true;
        prefixes = comma ? comma + 1 : NULL;
    }
    return false;
}

bool is_library_name(const char *name)
{
    static const char *const prefixes[] = {
#define LIBRARY(prefix) prefix,
#include "mining/crash/libraries.def"
#undef LIBRARY
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}
