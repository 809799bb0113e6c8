/* The instruments of an Android device, all read in one command. Bytes come from xt_qtaguid where
 * the kernel still has it, else from netstats; energy from batterystats at the nominal voltage of a
 * lithium cell; processor time from /proc. What the device does not give is NaN. */
#include "base/text.h"
#include "device/adb.h"
#include <math.h>
#include <string.h>
#include <time.h>

/* 3.85 V; a milliampere-hour is 3.6 coulombs. */
#define JOULES_PER_MAH (3.6 * 3.85)

static const tac_probe probe_list[] = {
    {"rxData", "B", true}, {"txData", "B", true},  {"energy", "J", true},       {"pss", "B", false},
    {"heap", "B", false},  {"cpuTime", "s", true}, {"responseTime", "s", false}};

const tac_probe *adb_probes(tac_device *device, size_t *count)
{
    (void)device;
    *count = sizeof probe_list / sizeof *probe_list;
    return probe_list;
}

/* Fields 14 and 15 of /proc/PID/stat, in hundredths of a second; the name may hold blanks and
 * brackets, so count from the last ')'. */
static double processor_time(const char *text, size_t size)
{
    const char *end = text + size;
    const char *at = size ? memrchr(text, ')', size) : NULL;
    uint64_t user = 0, system = 0;
    if (!at)
        return NAN;
    for (int field = 2; field < 14 && at < end; field++) {
        at++;
        while (at < end && *at != ' ')
            at++;
    }
    const char *next = at < end ? memchr(at + 1, ' ', (size_t)(end - at - 1)) : NULL;
    if (!next || !android_count(at, end, &user) || !android_count(next, end, &system))
        return NAN;
    return (double)(user + system) / 100;
}

tac_status adb_measure(tac_device *device, double deadline, double *values, int64_t *time,
                       tac_error *err)
{
    adb *a = adb_of(device);
    tac_status st = adb_do(
        a, "measure", deadline, err,
        "date +%%s%%N; echo ==memory; dumpsys meminfo %s; echo ==tags; "
        "cat /proc/net/xt_qtaguid/stats; echo ==net; dumpsys netstats detail; echo ==battery; "
        "dumpsys batterystats --checkin; echo ==cpu; cat /proc/%llu/stat",
        a->package, (unsigned long long)a->pid);
    if (st)
        return st;
    size_t size;
    android_memory memory;
    android_network network;
    const char *text = adb_part(a, "memory", &size);
    android_read_meminfo(text, size, &memory);
    text = adb_part(a, "tags", &size);
    android_read_qtaguid(text, size, a->uid, &network);
    if (!network.found) {
        text = adb_part(a, "net", &size);
        android_read_netstats(text, size, a->uid, &network);
    }
    text = adb_part(a, "battery", &size);
    double charge = android_read_battery(text, size, a->uid);
    text = adb_part(a, "cpu", &size);
    const double readings[] = {network.found ? network.rx : NAN,
                               network.found ? network.tx : NAN,
                               charge * JOULES_PER_MAH,
                               memory.pss,
                               memory.java_heap,
                               processor_time(text, size),
                               a->response};
    memcpy(values, readings, sizeof readings);
    *time = adb_date(tac_str_text(&a->result.output));
    return TAC_OK;
}

static int64_t host_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* With a virtual clock there is no host to compare with; the phone tells its virtual host's time.
 */
tac_status adb_clock(tac_device *device, tac_clock_reading *out, tac_error *err)
{
    adb *a = adb_of(device);
    int64_t before = host_now();
    tac_status st = adb_do(a, "clock", device->deadline, err,
                           "date +%%s%%N; echo ==host; getprop ro.tactus.host_time");
    if (st)
        return st;
    int64_t now = adb_date(tac_str_text(&a->result.output));
    *out = (tac_clock_reading){now, before, host_now()};
    if (a->virtual_time) {
        size_t size;
        int64_t host = adb_date(adb_part(a, "host", &size));
        *out = (tac_clock_reading){now, host - 500000, host + 500000};
    }
    return TAC_OK;
}
