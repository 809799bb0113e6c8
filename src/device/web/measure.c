/* What a browser measures: bytes (webdriver_traffic.c), heap, processor time, response time, long
 * tasks; and the network it lives in. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/scenario.h"
#include "device/web/webdriver.h"
#include <math.h>
#include <string.h>
#include <time.h>

int64_t wd_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* What each end can tell: Chromium's drivers have a performance log and DevTools, the processes are
 * known only when we started them. */
static bool can_measure(const struct webdriver *w, enum wd_quantity quantity)
{
    if (w->native.here)
        return quantity == WD_RESPONSE;
    switch (quantity) {
    case WD_RX:
    case WD_TX:
        return w->performance_log;
    case WD_HEAP:
        return w->chromium;
    case WD_CPU:
        return w->process > 0;
    case WD_LONG_TASKS:
        return w->chromium;
    default:
        return true;
    }
}

const tac_probe *wd_probes(tac_device *device, size_t *count)
{
    static const tac_probe known[WD_QUANTITIES] = {
        [WD_RX] = {"rxData", "B", true},
        [WD_TX] = {"txData", "B", true},
        [WD_HEAP] = {"heap", "B", false},
        [WD_CPU] = {"cpuTime", "s", true},
        [WD_RESPONSE] = {"responseTime", "s", false},
        [WD_LOAD] = {"loadTime", "s", false},
        [WD_LONG_TASKS] = {"longTasks", "s", false},
    };
    struct webdriver *w = device->state;
    if (!w->probe_count)
        for (enum wd_quantity quantity = 0; quantity < WD_QUANTITIES; quantity++)
            if (can_measure(w, quantity)) {
                w->probes[w->probe_count] = known[quantity];
                w->quantities[w->probe_count++] = quantity;
            }
    *count = w->probe_count;
    return w->probes;
}

tac_status wd_measure(tac_device *device, double deadline, double *values, int64_t *time,
                      tac_error *err)
{
    struct webdriver *w = device->state;
    tac_status status = TAC_OK;
    double all[WD_QUANTITIES] = {[WD_RESPONSE] = w->traffic.response,
                                 [WD_LOAD] = w->traffic.load,
                                 [WD_LONG_TASKS] = w->traffic.long_tasks,
                                 [WD_RX] = w->traffic.rx,
                                 [WD_TX] = w->traffic.tx,
                                 [WD_HEAP] = NAN};
    if (w->chromium && !w->hung) {
        json_t *usage = NULL;
        if (w->performance_log)
            status = wd_count_traffic(w, deadline, err);
        if (status == TAC_OK)
            status = wd_devtools(w, "read the heap", "Runtime.getHeapUsage", NULL, &usage, err);
        all[WD_HEAP] = json_number_value(json_object_get(usage, "usedSize"));
        all[WD_RX] = w->traffic.rx;
        all[WD_TX] = w->traffic.tx;
        json_decref(usage);
    }
    if (w->process)
        all[WD_CPU] = chromedriver_cpu_seconds(w);
    size_t count;
    wd_probes(device, &count);
    for (size_t i = 0; i < count; i++)
        values[i] = all[w->quantities[i]];
    *time = wd_now();
    return status;
}

/* A driver holds one state of the network: the mean over the scenario's time. */
static tac_status mean_network(const char *name_or_file, double *latency, double *down, double *up,
                               tac_error *err)
{
    struct scenario *network;
    tac_status status = scenario_open(name_or_file, &network, err);
    if (status != TAC_OK)
        return status;
    *latency = *down = *up = 0;
    for (size_t i = 0; i < network->count; i++) {
        double end = i + 1 < network->count ? network->segments[i + 1].start : network->length;
        double share = network->length > 0 ? (end - network->segments[i].start) / network->length
                                           : 1.0 / (double)network->count;
        *latency += share * network->segments[i].delay * 2000;
        *down += share * network->segments[i].down / 8;
        *up += share * network->segments[i].up / 8;
    }
    scenario_free(network);
    return TAC_OK;
}

tac_status wd_scenario(tac_device *device, const char *name_or_file, tac_error *err)
{
    struct webdriver *w = device->state;
    double latency, down, up;
    if (!strcmp(name_or_file, "ideal") && !w->throttled)
        return TAC_OK;
    tac_status status = mean_network(name_or_file, &latency, &down, &up, err);
    if (status != TAC_OK)
        return status;
    if (!w->chromium)
        return tac_fail(err, TAC_E_USAGE,
                        "the network cannot be changed here: %s at %s has no network conditions, "
                        "which only drivers of Chromium have; drive it without a network scenario",
                        w->browser, w->base);
    if (w->network != name_or_file) { /* a browser that is started anew is given its own again */
        free(w->network);
        w->network = tac_strdup(name_or_file);
    }
    if (!strcmp(name_or_file, "ideal")) {
        w->throttled = false;
        return wd_call(w, "free the network", "DELETE", "/chromium/network_conditions", NULL, 10,
                       NULL, err);
    }
    w->throttled = true;
    json_t *conditions = json_pack("{s:b,s:f,s:f,s:f}", "offline", down <= 0, "latency", latency,
                                   "download_throughput", down, "upload_throughput", up);
    return wd_call(w, "change the network", "POST", "/chromium/network_conditions",
                   json_pack("{s:o}", "network_conditions", conditions), 10, NULL, err);
}
