/* adb_speed SERIAL COUNT: what one call costs through the adb server's socket. The lines are "NAME
 * MILLISECONDS", the best mean of ROUNDS rounds; bench_adb puts them beside the adb program. */
#include "base/data/text.h"
#include "device/android/wire/client.h"
#include "device/device.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 10 };

typedef struct bench {
    struct adb_client client;
    struct adb_result result;
    tac_device *device;
    tac_error err;
} bench;

static tac_status do_shell(bench *b)
{
    return adb_shell(&b->client, "bench", "echo x", 10, &b->result, &b->err);
}

static tac_status do_key(bench *b)
{
    const tac_gesture key = {.kind = TAC_ACTION_KEY, .value = "A"};
    return tac_device_perform(b->device, &key, 0, &b->err);
}

static tac_status do_crash(bench *b)
{
    tac_crash crash;
    return tac_device_crash(b->device, &crash, &b->err);
}

static tac_status do_step(bench *b)
{
    tac_status st = tac_device_sleep(b->device, 0, &b->err);
    return st ? st : do_crash(b);
}

static tac_status do_log(bench *b)
{
    tac_log_line line;
    bool more = true;
    tac_status st = TAC_OK;
    while (!st && more)
        st = tac_device_log(b->device, &line, &more, &b->err);
    return st;
}

static tac_status do_measure(bench *b)
{
    double values[64];
    int64_t when;
    return tac_device_measure(b->device, 0, values, &when, &b->err);
}

static const struct {
    const char *name;
    tac_status (*run)(bench *b);
} calls[] = {{"shell", do_shell}, {"key", do_key}, {"step", do_step},
             {"crash", do_crash}, {"log", do_log}, {"measure", do_measure}};

static int fail(const bench *b)
{
    fprintf(stderr, "adb_speed: %s\n", b->err.message);
    return 4;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    unsigned count = (unsigned)atoi(argv[2]) / ROUNDS;
    bench b = {0};
    char uri[200];
    snprintf(uri, sizeof uri, "adb:%s", argv[1]);
    if (adb_client_open(&b.client, argv[1], 10, false, &b.err) ||
        tac_device_open(uri, NULL, &b.device, &b.err) || tac_device_launch(b.device, 0, &b.err))
        return fail(&b);
    enum { CALLS = sizeof calls / sizeof *calls };
    double best[CALLS];
    for (size_t k = 0; k < CALLS; k++)
        best[k] = INFINITY;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t k = 0; k < CALLS; k++) {
            double started = tac_now();
            for (unsigned i = 0; i < count; i++)
                if (calls[k].run(&b))
                    return fail(&b);
            best[k] = fmin(best[k], (tac_now() - started) * 1000 / count);
        }
    for (size_t k = 0; k < CALLS; k++)
        printf("%s %.4f\n", calls[k].name, best[k]);
    tac_str_free(&b.result.output);
    tac_device_free(b.device);
    return 0;
}
