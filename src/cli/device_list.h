/* --device [NAME=]URI, as often as it is given. */
#pragma once

#include "cli/command.h"
#include "run/run.h"

enum { MOST_DEVICES = 64 };

struct device_list {
    tac_run_device at[MOST_DEVICES];
    char names[MOST_DEVICES][128];
    size_t count;
};

/* False when there are too many. The texts are those of the invocation, and of the list itself,
 * which must not be moved. */
bool read_devices(const struct invocation *in, struct device_list *list);
