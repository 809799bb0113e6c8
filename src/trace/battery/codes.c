/* See codes.h. The tables are those of Android's BatteryStats. */
#include "trace/battery/codes.h"
#include <stdio.h>
#include <string.h>

static const struct {
    const char *code, *name;
} codes[] = {{"r", "running"},
             {"w", "wake_lock"},
             {"wr", "wake_reason"},
             {"s", "sensor"},
             {"g", "gps"},
             {"Wl", "wifi_full_lock"},
             {"Ws", "wifi_scan"},
             {"Wm", "wifi_multicast"},
             {"Wr", "wifi_radio"},
             {"Pr", "mobile_radio"},
             {"Psc", "phone_scanning"},
             {"a", "audio"},
             {"S", "screen"},
             {"BP", "plugged"},
             {"Sd", "screen_doze"},
             {"Pcl", "phone_in_call"},
             {"W", "wifi"},
             {"Ww", "wifi_running"},
             {"b", "bluetooth"},
             {"ch", "charging"},
             {"v", "video"},
             {"lp", "low_power"},
             {"ca", "camera"},
             {"bles", "ble_scan"},
             {"fl", "flashlight"},
             {"ps", "power_save"},
             {"Ud", "usb_data"},
             {"Chtp", "cellular_high_tx_power"},
             {"di", "device_idle"},
             {"Wss", "wifi_signal_strength"},
             {"Wsp", "wifi_suppl"},
             {"Gss", "gps_signal_quality"},
             {"nrs", "nr_state"},
             {"Bl", "level"},
             {"Bv", "volt"},
             {"Bt", "temp"},
             {"Bcc", "charge"},
             {"Mrc", "modemRailChargemAh"},
             {"Wrc", "wifiRailChargemAh"},
             {"Bs", "status"},
             {"Bh", "health"},
             {"Bp", "plug"},
             {"Sb", "brightness"},
             {"Pss", "phone_signal_strength"},
             {"Pst", "phone_state"},
             {"Pcn", "data_conn"},
             {"Etp", "top"},
             {"Epr", "proc"},
             {"Efg", "fg"},
             {"Ejb", "job"},
             {"Esy", "sync"},
             {"Ewl", "wake_lock_in"},
             {"Eur", "user"},
             {"Euf", "userfg"},
             {"Ecn", "conn"},
             {"Ewa", "wakeupap"},
             {"Esm", "motion"},
             {"Eac", "active"},
             {"Epi", "pkginst"},
             {"Epu", "pkgunin"},
             {"Eal", "alarm"},
             {"Est", "stats"},
             {"Eai", "pkginactive"},
             {"Eaa", "pkgactive"},
             {"Esw", "screenwake"},
             {"Eec", "est_capacity"},
             {"Etw", "tmpwhitelist"},
             {"Elw", "longwake"}};

static const struct {
    const char *code, *value, *word;
} values[] = {{"Bs", "?", "unknown"},
              {"Bs", "c", "charging"},
              {"Bs", "d", "discharging"},
              {"Bs", "n", "not-charging"},
              {"Bs", "f", "full"},
              {"Bh", "?", "unknown"},
              {"Bh", "g", "good"},
              {"Bh", "h", "overheat"},
              {"Bh", "d", "dead"},
              {"Bh", "v", "over-voltage"},
              {"Bh", "f", "failure"},
              {"Bh", "c", "cold"},
              {"Bp", "n", "none"},
              {"Bp", "a", "ac"},
              {"Bp", "u", "usb"},
              {"Bp", "w", "wireless"},
              {"Sb", "0", "dark"},
              {"Sb", "1", "dim"},
              {"Sb", "2", "medium"},
              {"Sb", "3", "light"},
              {"Sb", "4", "bright"},
              {"Pss", "0", "none"},
              {"Pss", "1", "poor"},
              {"Pss", "2", "moderate"},
              {"Pss", "3", "good"},
              {"Pss", "4", "great"},
              {"Pst", "em", "emergency"},
              {"nrs", "0", "none"},
              {"nrs", "1", "restricted"},
              {"nrs", "2", "not_restricted"},
              {"nrs", "3", "connected"},
              {"Wsp", "inv", "invalid"},
              {"Wsp", "dsc", "disconn"},
              {"Wsp", "dis", "disabled"},
              {"Wsp", "inact", "inactive"},
              {"Wsp", "scan", "scanning"},
              {"Wsp", "auth", "authenticating"},
              {"Wsp", "ascing", "associating"},
              {"Wsp", "asced", "associated"},
              {"Wsp", "4-way", "4-way-handshake"},
              {"Wsp", "group", "group-handshake"},
              {"Wsp", "compl", "completed"},
              {"Wsp", "dorm", "dormant"}};

static bool is(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && !memcmp(word, text, length);
}

const char *history_code_name(const char *code, size_t length)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (is(codes[i].code, code, length))
            return codes[i].name;
    return NULL;
}

const char *history_code_value(const char *code, size_t length, const char *value,
                               size_t value_length)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (is(values[i].code, code, length) && is(values[i].value, value, value_length))
            return values[i].word;
    return NULL;
}

bool history_code_is_pooled(const char *code, size_t length)
{
    return (length && *code == 'E') || is("w", code, length) || is("wr", code, length);
}

void history_uid_text(unsigned long uid, char *buffer, size_t size)
{
    enum { USER = 100000, APPS = 10000, ISOLATED = 99000 };
    unsigned long app = uid % USER;
    if (uid < APPS)
        snprintf(buffer, size, "%lu", uid);
    else if (app >= ISOLATED)
        snprintf(buffer, size, "u%lui%lu", uid / USER, app - ISOLATED);
    else if (app >= APPS)
        snprintf(buffer, size, "u%lua%lu", uid / USER, app - APPS);
    else
        snprintf(buffer, size, "u%lus%lu", uid / USER, app);
}
