/* --device [NAME=]URI: the '=' of a name stands before the URI's scheme. */
#include "cli/device_list.h"
#include <string.h>

bool read_devices(const struct invocation *in, struct device_list *list)
{
    list->count = option_count(in, "device");
    for (size_t i = 0; i < list->count && i < MOST_DEVICES; i++) {
        const char *text = option_value(in, "device", i);
        size_t name = strcspn(text, "=:");
        list->at[i] = (tac_run_device){.uri = text};
        if (text[name] != '=')
            continue;
        snprintf(list->names[i], sizeof list->names[i], "%.*s", (int)name, text);
        list->at[i] = (tac_run_device){list->names[i], text + name + 1};
    }
    return list->count <= MOST_DEVICES;
}
