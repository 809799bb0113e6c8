/* The network a phone is in: `dumpsys telephony.registry` and `dumpsys wifi`, of which these lines
 * matter (one phone each from "Phone Id="; later Androids print what came before below, so the
 * first of a kind counts):
 *
 *     mServiceState={..., mDataRegState=0(IN_SERVICE), ..., getRilDataRadioTechnology=14(LTE), ...}
 *     mServiceState=0 0 voice home data home Op Op 26202  LTE LTE CSS not supported   up to 9
 *     mSignalStrength=SignalStrength:{...,mLte=CellSignalStrengthLte: rssi=-71 rsrp=-98 ... level=4
 *         ...,mNr=CellSignalStrengthNr:{ ... ssRsrp = -73 ... level = 3
 * },primary=CellSignalStrengthLte} mSignalStrength=SignalStrength: 99 0 -120 -160 -120 -1 -1 20 -95
 * -9 ...         up to 9 mCellIdentity=CellIdentityLte:{ mCi=27 mPci=130 mTac=4001 ... mMcc=262
 * mMnc=02 ...} mCellLocation=Bundle[{... lac=4001, cid=27 ...}]                                up
 * to 9 mWifiInfo SSID: "x", BSSID: 02:00:00:00:01:00, ..., Supplicant state: COMPLETED, RSSI: -50,
 * ...
 *
 * A phone that is connected to Wi-Fi uses it. 2147483647, and for the cells of
 * the fifth generation 9223372036854775807, is "not known". */
#include "base/data/alloc.h"
#include "device/android/dump/parse.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A line as text of its own: searching for keys then needs no ends. */
enum { MOST_LINE = 16000 };

struct phone_lines {
    char service[MOST_LINE], signal[MOST_LINE], cell[MOST_LINE];
};

static void keep(char *to, const struct android_lines *lines)
{
    size_t length = lines->length < MOST_LINE - 1 ? lines->length : MOST_LINE - 1;
    if (*to)
        return;
    memcpy(to, lines->line, length);
    to[length] = '\0';
    for (size_t i = 0; i < length; i++) /* a NUL inside would hide what follows */
        to[i] = to[i] ? to[i] : ' ';
}

/* The number behind KEY, which may stand as "KEY=-98" or "KEY = -98"; NaN when it is not known. */
static double number_after(const char *text, const char *key)
{
    const char *at = text ? strstr(text, key) : NULL;
    if (!at)
        return NAN;
    at += strlen(key);
    at += strspn(at, " =:");
    char *end;
    double value = strtod(at, &end);
    return end == at || value == 2147483647 || fabs(value) > 1e15 ? NAN : value;
}

/* Characters up to one of `stops`. */
static void word_after(const char *text, const char *key, const char *stops, char *out, size_t size)
{
    const char *at = text ? strstr(text, key) : NULL;
    *out = '\0';
    if (!at)
        return;
    at += strlen(key);
    at += strspn(at, " =\"");
    size_t length = strcspn(at, stops);
    snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), at);
}

static bool is_plain(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || (unsigned char)*text > '~')
            return false;
    return true;
}

/* "20(NR_SA)" or the word before "CSS"; "none" out of service; "" when nobody says. */
static void read_type(const char *service, char *out, size_t size)
{
    const char *css = strstr(service, " CSS");
    double data = number_after(service, "mDataRegState");
    *out = '\0';
    if (isnan(data) && css) { /* mServiceState=VOICE DATA ... */
        const char *second = strchr(service, ' ');
        data = second ? strtod(second, NULL) : NAN;
        const char *from = css;
        while (from > service && from[-1] != ' ')
            from--;
        snprintf(out, size, "%.*s", (int)(css - from < 20 ? css - from : 20), from);
    } else {
        char raw[40];
        word_after(service, "getRilDataRadioTechnology=", ",}", raw, sizeof raw);
        const char *open = strchr(raw, '(');
        if (open)
            snprintf(out, size, "%.*s", (int)strcspn(open + 1, ")"), open + 1);
    }
    if (!isnan(data) && data != 0)
        snprintf(out, size, "none");
    else if (!strcmp(out, "NR_SA"))
        snprintf(out, size, "NR");
    else if (!strcmp(out, "LTE") && strstr(service, "nrState=CONNECTED"))
        snprintf(out, size, "LTE+NR");
    if (!is_plain(out) || strchr(out, '"'))
        *out = '\0';
}

/* The technologies in the order of strength of evidence where `primary` does not say. */
static const struct {
    const char *name, *power;
} technologies[] = {{"CellSignalStrengthNr", "ssRsrp"},  {"CellSignalStrengthLte", "rsrp"},
                    {"CellSignalStrengthWcdma", "rscp"}, {"CellSignalStrengthTdscdma", "rscp"},
                    {"CellSignalStrengthGsm", "rssi"},   {"CellSignalStrengthCdma", "cdmaDbm"}};
enum { TECHNOLOGIES = sizeof technologies / sizeof *technologies };

static void read_technology(const char *signal, size_t index, double *power, double *level)
{
    char part[600], key[60];
    snprintf(key, sizeof key, "=%s:", technologies[index].name);
    const char *at = strstr(signal, key);
    *power = *level = NAN;
    if (!at)
        return;
    snprintf(part, sizeof part, "%.*s", (int)strcspn(at + 1, ","), at + 1);
    snprintf(key, sizeof key, " %s", technologies[index].power); /* not csiRsrp, not rssnr */
    *power = number_after(part, key);
    *level = number_after(part, strstr(part, "mLevel") ? "mLevel" : " level");
}

/* Up to Android 9: positions; an LTE power, or the strength of GSM in steps of 2 dB. */
static double read_positions(const char *signal)
{
    double at[9];
    char *end = NULL;
    for (size_t i = 0; i < 9; i++) {
        at[i] = strtod(i ? end : signal, &end);
        if (i && end == signal)
            return NAN;
    }
    if (at[8] <= -40 && at[8] >= -145)
        return at[8];
    return at[0] >= 0 && at[0] <= 31 ? 2 * at[0] - 113 : NAN;
}

static void read_signal(const char *signal, struct android_radio *out)
{
    char primary[40];
    word_after(signal, "primary=", ",}", primary, sizeof primary);
    for (size_t i = 0; i < TECHNOLOGIES && isnan(out->signal); i++) {
        double power, level;
        if (*primary && strcmp(primary, technologies[i].name) != 0)
            continue;
        read_technology(signal, i, &power, &level);
        out->signal = power;
        out->level = isnan(power) ? NAN : level;
    }
    const char *positions = strstr(signal, "SignalStrength: ");
    if (isnan(out->signal) && positions && !strchr(signal, '{'))
        out->signal = read_positions(positions + 16);
}

/* Area and cell, with the operator where it is told: "262-02 4001/27". */
static void read_cell(const char *cell, char *out, size_t size)
{
    static const char *const ids[] = {"mNci", "mCi", "mCid", "mBasestationId", "cid"};
    static const char *const areas[] = {"mTac", "mLac", "lac"};
    double id = NAN, area = NAN;
    char country[8], operator_code[8], text[96];
    for (size_t i = 0; i < sizeof ids / sizeof *ids && isnan(id); i++)
        id = number_after(cell, ids[i]);
    for (size_t i = 0; i < sizeof areas / sizeof *areas && isnan(area); i++)
        area = number_after(cell, areas[i]);
    word_after(cell, "mMcc", " ,}", country, sizeof country);
    word_after(cell, "mMnc", " ,}", operator_code, sizeof operator_code);
    *out = '\0';
    if (isnan(id) || id < 0 || id > 1e12)
        return;
    if (country[0] >= '0' && country[0] <= '9')
        snprintf(out, size, "%.3s-%.3s ", country, operator_code);
    if (!isnan(area) && area >= 0 && area <= 1e9)
        snprintf(text, sizeof text, "%.0f/%.0f", area, id);
    else
        snprintf(text, sizeof text, "%.0f", id);
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s", text);
}

static bool read_wifi(const char *text, size_t size, struct android_radio *out)
{
    struct android_lines lines = {.at = text, .end = text + size};
    char *line = tac_calloc(MOST_LINE, 1);
    bool connected = false;
    while (!connected && android_next_line(&lines)) {
        if (!android_after(&lines, "WifiInfo") || !android_after(&lines, "SSID:"))
            continue;
        *line = '\0';
        keep(line, &lines);
        double rssi = number_after(line, " RSSI:");
        connected = strstr(line, "state: COMPLETED") && rssi > -127;
        if (connected) {
            snprintf(out->type, sizeof out->type, "wifi");
            word_after(line, "BSSID:", ",", out->cell, sizeof out->cell);
            out->signal = rssi;
            out->level = NAN;
        }
    }
    free(line);
    if (!is_plain(out->cell))
        out->cell[0] = '\0';
    return connected;
}

/* Whether a phone's data is in service, so that of two cards the one that is used counts. */
static bool in_service(const struct phone_lines *phone)
{
    char type[24];
    read_type(phone->service, type, sizeof type);
    return *type && strcmp(type, "none") != 0;
}

static void take_phone(const struct phone_lines *phone, struct android_radio *out)
{
    read_type(phone->service, out->type, sizeof out->type);
    read_signal(phone->signal, out);
    read_cell(phone->cell, out->cell, sizeof out->cell);
}

void android_read_radio(const char *telephony, size_t telephony_size, const char *wifi,
                        size_t wifi_size, struct android_radio *out)
{
    struct android_lines lines = {.at = telephony, .end = telephony + telephony_size};
    *out = (struct android_radio){.signal = NAN, .level = NAN};
    if (read_wifi(wifi, wifi_size, out))
        return;
    struct phone_lines *phone = tac_calloc(2, sizeof *phone); /* [1]: the one that is read */
    while (android_next_line(&lines)) {
        if (android_starts(&lines, "Phone Id=")) {
            if (!in_service(&phone[0]) && *phone[1].service)
                phone[0] = phone[1];
            memset(&phone[1], 0, sizeof phone[1]);
        } else if (android_starts(&lines, "mServiceState=")) {
            keep(phone[1].service, &lines);
        } else if (android_starts(&lines, "mSignalStrength=")) {
            keep(phone[1].signal, &lines);
        } else if (android_starts(&lines, "mCellIdentity=") ||
                   android_starts(&lines, "mCellLocation=")) {
            keep(phone[1].cell, &lines);
        }
    }
    if (!in_service(&phone[0]) && *phone[1].service)
        phone[0] = phone[1];
    take_phone(&phone[0], out);
    free(phone);
}
