/* adb_speed SERIAL COUNT: what one call costs through the adb server's socket, in milliseconds. The
 * lines are "NAME MILLISECONDS"; bench_adb puts them beside the adb program. */
#include "base/text.h"
#include "device/adb_client.h"
#include "tactus/device.h"
#include <stdio.h>
#include <stdlib.h>

static void fail(const tac_error *err)
{
    fprintf(stderr, "adb_speed: %s\n", err->message);
    exit(4);
}

static void show(const char *name, double started, unsigned count)
{
    printf("%s %.4f\n", name, (tac_now() - started) * 1000 / count);
}

static void time_shell(const char *serial, unsigned count)
{
    adb_client client;
    adb_result result = {0};
    tac_error err;
    if (adb_client_open(&client, serial, 10, &err))
        fail(&err);
    double started = tac_now();
    for (unsigned i = 0; i < count; i++)
        if (adb_shell(&client, "bench", "echo x", 10, &result, &err))
            fail(&err);
    show("shell", started, count);
    tac_str_free(&result.output);
}

/* Calls of the device interface: each is one or more commands. */
static void time_device(const char *serial, unsigned count)
{
    char uri[200];
    tac_device *device = NULL;
    tac_error err;
    tac_crash crash;
    tac_log_line line;
    double values[64];
    int64_t when;
    bool more = true;
    snprintf(uri, sizeof uri, "adb:%s", serial);
    if (tac_device_open(uri, NULL, &device, &err) || tac_device_launch(device, 0, &err))
        fail(&err);
    const tac_gesture key = {.kind = TAC_ACTION_KEY, .value = "A"};
    double started = tac_now();
    for (unsigned i = 0; i < count; i++)
        if (tac_device_perform(device, &key, 0, &err))
            fail(&err);
    show("key", started, count);
    started = tac_now();
    for (unsigned i = 0; i < count; i++)
        if (tac_device_crash(device, &crash, &err))
            fail(&err);
    show("crash", started, count);
    started = tac_now();
    for (unsigned i = 0; i < count; i++)
        do
            if (tac_device_log(device, &line, &more, &err))
                fail(&err);
        while (more);
    show("log", started, count);
    started = tac_now();
    for (unsigned i = 0; i < count; i++)
        if (tac_device_measure(device, 0, values, &when, &err))
            fail(&err);
    show("measure", started, count);
    tac_device_free(device);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    unsigned count = (unsigned)atoi(argv[2]);
    time_shell(argv[1], count);
    time_device(argv[1], count);
    return 0;
}
