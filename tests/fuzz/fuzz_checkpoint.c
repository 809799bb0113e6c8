/* Checkpoints of explorations: read, and gone on from for a few events. */
#include "explore/explore.h"
#include "fuzz_memory_file.h"
#include "fuzz_target.h"

static const char app[] =
    "{\"tactus-app\":1,\"name\":\"A\",\"package\":\"a\",\"main\":\"M\",\"activities\":{\"M\":{"
    "\"screens\":{\"s\":{\"widgets\":[{\"class\":\"Button\",\"id\":\"b\",\"text\":\"t\",\"click\":"
    "[]}]}}}}}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file file = memory_file_of(data, size);
    struct memory_file phone = memory_file_of((const uint8_t *)app, sizeof app - 1);
    char uri[60];
    tac_device *device = NULL;
    tac_exploration *found = NULL;
    tac_error err;
    tac_explore_options options = {.resume = file.path, .most_events = 3};
    snprintf(uri, sizeof uri, "sim:%s", phone.path);
    if (tac_device_open(uri, &(tac_device_options){.seed = 1}, &device, &err) == TAC_OK)
        tac_explore(device, &options, NULL, &found, &err);
    tac_exploration_free(found);
    tac_device_free(device);
    close(file.descriptor);
    close(phone.descriptor);
    return 0;
}
