/* The instruments of an Android device, all read in one command. Bytes come from xt_qtaguid where
 * the kernel still has it, else from netstats (`--poll` brings it up to date and prints nothing
 * else; `--full` prints every bucket); energy from batterystats at the nominal voltage of a
 * lithium cell, and, as power of the whole phone, from the battery's own gauge; processor time from
 * /proc; frames from gfxinfo; signal from the telephony and Wi-Fi services; launch times from the
 * last `am start -W`. What the device does not give is NaN. */
#include "base/data/text.h"
#include "device/android/adb.h"
#include <math.h>
#include <string.h>
#include <time.h>

/* 3.85 V; a milliampere-hour is 3.6 coulombs. */
#define JOULES_PER_MAH (3.6 * 3.85)

static const tac_probe probe_list[] = {
    {"rxData", "B", true},      {"txData", "B", true},        {"energy", "J", true},
    {"power", "W", false},      {"batteryEnergy", "J", true}, {"current", "A", false},
    {"charge", "mAh", false},   {"pss", "B", false},          {"heap", "B", false},
    {"cpuTime", "s", true},     {"responseTime", "s", false}, {"launchTime", "s", false},
    {"launchWait", "s", false}, {"coldLaunch", "", false},    {"frames", "", true},
    {"jankyFrames", "", true},  {"frameTime90", "s", false},  {"slowestFrame", "s", false},
    {"signal", "dBm", false},   {"signalLevel", "", false}};

const tac_probe *adb_probes(tac_device *device, size_t *count)
{
    (void)device;
    *count = sizeof probe_list / sizeof *probe_list;
    return probe_list;
}

/* The trapezoids between the readings are the energy; a gap adds nothing. */
static void integrate_power(struct adb *a, double watts, int64_t time)
{
    if (!isnan(watts) && isnan(a->battery_joules))
        a->battery_joules = 0;
    if (!isnan(watts) && !isnan(a->power) && time > a->power_time)
        a->battery_joules += (watts + a->power) / 2 * (double)(time - a->power_time) * 1e-9;
    a->power = watts;
    a->power_time = time;
}

/* From xt_qtaguid where the kernel has it, else from the kernel's map that newer netstats print,
 * else from its histories. They count from different moments, so the one that spoke first is kept:
 * when it is silent, there is no value. */
static struct android_network read_network(struct adb *a)
{
    struct android_network sources[3];
    size_t size;
    const char *text = adb_part(a, "tags", &size);
    android_read_qtaguid(text, size, a->uid, &sources[0]);
    text = adb_part(a, "net", &size);
    android_read_netstats(text, size, a->uid, &sources[2], &sources[1]);
    for (int i = 0; i < 3 && !a->network_source; i++)
        a->network_source = sources[i].found ? i + 1 : 0;
    struct android_network network = {false, NAN, NAN};
    if (a->network_source && sources[a->network_source - 1].found)
        network = sources[a->network_source - 1];
    return network;
}

static void read_radio(struct adb *a)
{
    size_t telephony_size, wifi_size;
    const char *telephony = adb_part(a, "radio", &telephony_size);
    const char *wifi = adb_part(a, "wifi", &wifi_size);
    android_read_radio(telephony, telephony_size, wifi, wifi_size, &a->radio);
}

static void read_values(struct adb *a, double *values, int64_t time)
{
    size_t size;
    struct android_memory memory;
    struct android_frames frames;
    const char *text = adb_part(a, "memory", &size);
    android_read_meminfo(text, size, &memory);
    text = adb_part(a, "frames", &size);
    android_read_frames_of(text, size, a->package ? a->package : "", &frames);
    text = adb_part(a, "battery", &size);
    double charge = android_read_battery(text, size, a->uid);
    text = adb_part(a, "power", &size);
    struct android_gauge gauge;
    android_read_gauge(text, size, &gauge);
    integrate_power(a, gauge.power, time);
    text = adb_part(a, "cpu", &size);
    struct android_network network = read_network(a);
    read_radio(a);
    const char *state = a->launch.state;
    const double readings[] = {network.rx,
                               network.tx,
                               charge * JOULES_PER_MAH,
                               a->power,
                               a->battery_joules,
                               gauge.current,
                               gauge.charge,
                               memory.pss,
                               memory.java_heap,
                               android_read_processor_time(text, size),
                               a->response,
                               a->launch.total_seconds,
                               a->launch.wait_seconds,
                               *state ? !strcmp(state, "COLD") : NAN,
                               frames.total,
                               frames.janky,
                               frames.percentile[1],
                               frames.slowest,
                               a->radio.signal,
                               a->radio.level};
    memcpy(values, readings, sizeof readings);
}

tac_status adb_measure(tac_device *device, double deadline, double *values, int64_t *time,
                       tac_error *err)
{
    struct adb *a = adb_of(device);
    tac_status st = adb_do(
        a, "measure", deadline, err,
        "date +%%s%%N; echo ==memory; dumpsys meminfo %s; echo ==tags; "
        "cat /proc/net/xt_qtaguid/stats; echo ==net; dumpsys netstats --poll; "
        "dumpsys netstats detail --full; echo ==battery; "
        "dumpsys batterystats --checkin; echo ==power; "
        "grep \"\" /sys/class/power_supply/battery/status "
        "/sys/class/power_supply/battery/current_now /sys/class/power_supply/battery/voltage_now "
        "/sys/class/power_supply/battery/charge_counter; "
        "dumpsys battery; echo ==frames; dumpsys gfxinfo %s framestats; echo ==cpu; "
        "cat /proc/%llu/stat; echo ==radio; dumpsys telephony.registry | grep -E "
        "'Phone Id=|mServiceState=|mSignalStrength=|mCellIdentity=|mCellLocation='; "
        "echo ==wifi; dumpsys wifi | grep 'WifiInfo'",
        a->package, a->package, (unsigned long long)a->pid);
    if (st)
        return st;
    *time = adb_part_date(a, "");
    read_values(a, values, *time);
    return TAC_OK;
}

/* With a virtual clock there is no host to compare with; the phone tells its virtual host's time.
 */
tac_status adb_clock(tac_device *device, tac_clock_reading *out, tac_error *err)
{
    struct adb *a = adb_of(device);
    int64_t before = tac_clock(CLOCK_REALTIME);
    tac_status st = adb_do(a, "clock", device->deadline, err,
                           "date +%%s%%N; echo ==host; getprop ro.tactus.host_time");
    if (st)
        return st;
    int64_t now = adb_part_date(a, "");
    *out = (tac_clock_reading){now, before, tac_clock(CLOCK_REALTIME)};
    if (a->virtual_time) {
        int64_t host = adb_part_date(a, "host");
        *out = (tac_clock_reading){now, host - 500000, host + 500000};
    }
    return TAC_OK;
}

bool adb_radio(tac_device *device, tac_radio *out)
{
    const struct adb *a = adb_of(device);
    *out = (tac_radio){.type = a->radio.type, .cell = a->radio.cell};
    return true;
}
