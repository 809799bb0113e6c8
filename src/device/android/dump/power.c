/* Power that the whole phone draws from its battery, from the kernel's power supply class
 * (/sys/class/power_supply/battery: files read with `grep ""`, or uevent) and `dumpsys battery`:
 *
 *     /sys/class/power_supply/battery/status:Discharging        POWER_SUPPLY_STATUS=Discharging
 *     /sys/class/power_supply/battery/current_now:-352000       POWER_SUPPLY_CURRENT_NOW=-352000
 *     /sys/class/power_supply/battery/voltage_now:3850000       POWER_SUPPLY_VOLTAGE_NOW=3850000
 *     /sys/class/power_supply/battery/charge_counter:2345678    POWER_SUPPLY_CHARGE_COUNTER=2345678
 *     status: 3 (discharging)      current now: -352      voltage: 3850      Charge counter:
 * 2345678
 *
 * The kernel asks for microamperes, negative while discharging; makers differ in both. So the sign
 * is dropped, and a current below 20,000 counts as milliamperes: a phone with its screen on draws
 * more than 20 mA and less than 20 A. Volts come in micro- or millivolts. While the battery is
 * charged the current says nothing about use: no value. The first place that says something counts.
 */
#include "device/android/dump/parse.h"
#include <math.h>
#include <string.h>

struct found {
    double current, voltage, charge;
    int charging; /* -1 unknown */
};

/* A number, with a sign, that may stand behind blanks. */
static bool read_signed(const char *at, const char *end, double *out)
{
    uint64_t value;
    while (at < end && (*at == ' ' || *at == '-' || *at == '+'))
        at++;
    if (!android_count(at, end, &value))
        return false;
    *out = (double)value;
    return true;
}

/* Behind the name, in any of the three spellings. */
static const char *value_of(const struct android_lines *lines, const char *file,
                            const char *variable, const char *dumped)
{
    const char *at = android_after(lines, file);
    if (!at && android_starts(lines, variable))
        at = lines->line + strlen(variable);
    if (!at && android_starts(lines, dumped))
        at = lines->line + strlen(dumped);
    return at;
}

static void take_status(struct found *f, const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    size_t n = (size_t)(end - at);
    if (f->charging >= 0 || !n)
        return;
    bool digit = *at >= '2' && *at <= '5' && n == 1;
    if (n >= 8 && !memcmp(at, "Charging", 8))
        f->charging = 1;
    else if (n >= 4 && !memcmp(at, "Full", 4))
        f->charging = 1;
    else if (digit) /* 2 charging, 3 discharging, 4 not charging, 5 full */
        f->charging = *at == '2' || *at == '5';
    else if (n >= 11 && (!memcmp(at, "Discharging", 11) || !memcmp(at, "Not chargin", 11)))
        f->charging = 0;
}

void android_read_gauge(const char *text, size_t size, struct android_gauge *out)
{
    struct android_lines lines = {.at = text, .end = text + size};
    struct found f = {NAN, NAN, NAN, -1};
    while (android_next_line(&lines)) {
        const char *end = lines.line + lines.length, *at;
        double value;
        if ((at = value_of(&lines, "/status:", "POWER_SUPPLY_STATUS=", "status:")))
            take_status(&f, at, end);
        else if ((at = value_of(&lines,
                                "/current_now:", "POWER_SUPPLY_CURRENT_NOW=", "current now:"))) {
            if (isnan(f.current) && read_signed(at, end, &value))
                f.current = value < 20000 ? value / 1e3 : value / 1e6;
        } else if ((at = value_of(&lines,
                                  "/voltage_now:", "POWER_SUPPLY_VOLTAGE_NOW=", "voltage:"))) {
            if (isnan(f.voltage) && read_signed(at, end, &value) && value >= 1000)
                f.voltage = value < 100000 ? value / 1e3 : value / 1e6;
        } else if ((at = value_of(&lines, "/charge_counter:", "POWER_SUPPLY_CHARGE_COUNTER=",
                                  "Charge counter:"))) {
            if (isnan(f.charge) && read_signed(at, end, &value) && value > 0)
                f.charge = value / 1e3;
        }
    }
    double current = f.charging == 1 ? NAN : f.current;
    *out = (struct android_gauge){current, f.voltage, current * f.voltage, f.charge};
}
