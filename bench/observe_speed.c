/* What observables cost: a look at a page with none, with 20 by css and with 20 by XPath, in turns;
 * medians in milliseconds. The peer is the look without any, in the same run. */
#include "device/device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 41, WAYS = 3, OBSERVABLES = 20 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void die(const tac_error *err)
{
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

int main(int argc, char **argv)
{
    static const tac_observe_kind kinds[] = {
        TAC_OBSERVE_TEXTS,   TAC_OBSERVE_COUNT,   TAC_OBSERVE_TEXT,    TAC_OBSERVE_NUMBER,
        TAC_OBSERVE_VISIBLE, TAC_OBSERVE_ENABLED, TAC_OBSERVE_CHECKED, TAC_OBSERVE_VALUE};
    static char css[OBSERVABLES][80], xpath[OBSERVABLES][120];
    tac_observable lists[WAYS][OBSERVABLES];
    double times[WAYS][ROUNDS];
    tac_device *device;
    tac_error err;
    tac_device_options options = {.deadline = 120};
    if (argc != 2)
        return 2;
    for (int i = 0; i < OBSERVABLES; i++) {
        snprintf(css[i], sizeof css[i], "li.kind%d", i);
        snprintf(xpath[i], sizeof xpath[i], "//node[@text='row %d' or @resource-id='k%d']", i, i);
        lists[1][i] = (tac_observable){.name = "x", .kind = kinds[i % 8], .css = css[i]};
        lists[2][i] = (tac_observable){.name = "x", .kind = kinds[i % 8], .xpath = xpath[i]};
    }
    if (tac_device_open(argv[1], &options, &device, &err) || tac_device_launch(device, 0, &err))
        die(&err);
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < WAYS; way++) {
            tac_observed values[OBSERVABLES];
            size_t count = way ? OBSERVABLES : 0;
            double start = now();
            if (tac_device_observe(device, lists[way], count, 0, values, NULL, &err))
                die(&err);
            times[way][round] = (now() - start) * 1e3;
            tac_observed_clear(values, count);
        }
    for (int way = 0; way < WAYS; way++)
        qsort(times[way], ROUNDS, sizeof(double), compare);
    double bare = times[0][ROUNDS / 2];
    printf(
        "a look at the page: %.1f ms; 20 observables by css: %+.1f ms; by XPath: %+.1f ms (at most "
        "10)\n",
        bare, times[1][ROUNDS / 2] - bare, times[2][ROUNDS / 2] - bare);
    tac_device_free(device);
    return 0;
}
