/* What a browser measures: bytes (traffic.c), heap, processor time, response time, long
 * tasks. */
#include "base/data/text.h"
#include "device/web/webdriver.h"
#include <math.h>
#include <time.h>

/* What each end can tell: Chromium's drivers have a performance log and DevTools, the processes are
 * known only when we started them. */
static bool can_measure(const struct webdriver *w, enum wd_quantity quantity)
{
    if (w->native.here)
        return quantity == WD_RESPONSE;
    switch (quantity) {
    case WD_RX:
    case WD_TX:
        return w->performance_log || w->network;
    case WD_HEAP:
        return w->chromium;
    case WD_CPU:
        return w->process > 0;
    case WD_LONG_TASKS:
        return w->chromium;
    case WD_RX_CONTENT:
    case WD_TX_CONTENT:
        return w->network && w->performance_log;
    case WD_RX_ARRIVED:
    case WD_RATE:
    case WD_RATE_UP:
    case WD_DELAY:
    case WD_LOSS:
        return w->network;
    case WD_RESPONSE:
    case WD_LOAD:
    case WD_QUANTITIES:
        break;
    }
    return true;
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
        [WD_RX_CONTENT] = {"rxContent", "B", true},
        [WD_TX_CONTENT] = {"txContent", "B", true},
        [WD_RX_ARRIVED] = {"rxArrived", "B", true},
        [WD_RATE] = {"rate", "bps", false},
        [WD_RATE_UP] = {"rateUp", "bps", false},
        [WD_DELAY] = {"delay", "s", false},
        [WD_LOSS] = {"loss", "", false},
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

/* On the wire: every packet that was sent, with its headers, also those that were lost and sent
 * again; each way as the sender's interface counts. */
static tac_status measure_network(struct webdriver *w, double *all, tac_error *err)
{
    tac_network_state state;
    tac_status status = tac_network_look(w->network, &state, err);
    all[WD_RX] = (double)state.down_count.bytes;
    all[WD_TX] = (double)state.up_count.bytes;
    all[WD_RX_ARRIVED] = (double)state.down_count.arrived_bytes;
    all[WD_RATE] = state.down;
    all[WD_RATE_UP] = state.up;
    all[WD_DELAY] = state.delay;
    all[WD_LOSS] = state.loss;
    return status;
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
    all[WD_RX_CONTENT] = all[WD_RX];
    all[WD_TX_CONTENT] = all[WD_TX];
    if (w->network && status == TAC_OK)
        status = measure_network(w, all, err);
    if (w->process)
        all[WD_CPU] = chromedriver_cpu_seconds(w);
    size_t count;
    wd_probes(device, &count);
    for (size_t i = 0; i < count; i++)
        values[i] = all[w->quantities[i]];
    *time = tac_clock(CLOCK_REALTIME);
    return status;
}
