/* Keys of all devices; see keys.h. */
#include "device/keys.h"
#include "base/data/text.h"
#include "device/android_keys.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool device_key_exists(const char *name)
{
    return web_key_exists(name) || android_key_exists(name);
}

static const char *closest_in(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcasecmp(name, list[i]))
            return list[i];
    return strlen(name) > 2 ? tac_closest(name, list, count) : NULL;
}

static const char *closest_key(const char *name)
{
    size_t web, android;
    const char *const *of_web = web_key_names(&web), *const *of_android =
                                                         android_key_names(&android);
    bool prefixed = !strncasecmp(name, "KEYCODE_", 8);
    const char *close = prefixed ? NULL : closest_in(name, of_web, web);
    return close ? close : closest_in(name + (prefixed ? 8 : 0), of_android, android);
}

const char *device_key_closest(const char *name, char *out, size_t size)
{
    size_t count, used = 0;
    const char *const *modifiers = web_modifier_names(&count);
    *out = '\0';
    for (const char *plus; (plus = strchr(name, '+')) && plus > name && plus[1]; name = plus + 1) {
        char modifier[24];
        snprintf(modifier, sizeof modifier, "%.*s", (int)(plus - name < 23 ? plus - name : 23),
                 name);
        const char *close = closest_in(modifier, modifiers, count);
        if (!close || used + strlen(close) + 2 > size) {
            *out = '\0';
            return out;
        }
        used += (size_t)snprintf(out + used, size - used, "%s+", close);
    }
    const char *close = web_key_exists(name) ? name : closest_key(name);
    if (close)
        snprintf(out + used, size - used, "%s", close);
    else
        *out = '\0';
    return out;
}
