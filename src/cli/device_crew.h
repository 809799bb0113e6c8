/* Several devices of one kind, opened at once: a browser takes seconds to start. */
#pragma once

#include "device/device.h"

struct device_crew;

/* count devices at the same address, or none and the first failure. Release with
 * device_crew_close, which also frees the devices. */
tac_status device_crew_open(const char *uri, const tac_device_options *options, size_t count,
                            struct device_crew **out, tac_error *err);
tac_device *device_crew_at(const struct device_crew *crew, size_t index);
void device_crew_close(struct device_crew *crew);
