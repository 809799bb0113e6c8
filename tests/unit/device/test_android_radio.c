/* The network of a phone, from dumps in the formats of Android 8 to 15. */
#include "device/android/dump/parse.h"
#include "tactus_test.h"
#include <math.h>
#include <string.h>

static struct android_radio read_dumps(const char *telephony, const char *wifi)
{
    struct android_radio radio;
    android_read_radio(telephony, strlen(telephony), wifi, strlen(wifi), &radio);
    return radio;
}

#define NO_NR                                                                                      \
    "mNr=CellSignalStrengthNr:{ csiRsrp = 2147483647 ssRsrp = 2147483647 ssSinr = 2147483647 "     \
    "level = 0 parametersUseForLevel = 0 }"
#define LTE                                                                                        \
    "last known state:\n  Phone Id=0\n"                                                            \
    "    mServiceState={mVoiceRegState=0(IN_SERVICE), mDataRegState=0(IN_SERVICE), "               \
    "getRilVoiceRadioTechnology=14(LTE), getRilDataRadioTechnology=14(LTE), nrState=NONE}\n"       \
    "    mSignalStrength=SignalStrength:{mCdma=CellSignalStrengthCdma: cdmaDbm=2147483647 "        \
    "level=0,mGsm=CellSignalStrengthGsm: rssi=2147483647 ber=2147483647 mLevel=0,"                 \
    "mLte=CellSignalStrengthLte: rssi=-71 rsrp=-98 rsrq=-7 rssnr=15 cqi=2147483647 level=3 "       \
    "parametersUseForLevel=0," NO_NR ",primary=CellSignalStrengthLte}\n"                           \
    "    mCellIdentity=CellIdentityLte:{ mCi=27447 mPci=130 mTac=4001 mEarfcn=1300 mBands=[3] "    \
    "mMcc=262 mMnc=02 mAlphaLong=Op}\n"

TEST(lte_on_newer_androids)
{
    struct android_radio radio = read_dumps(LTE, "");
    CHECK_STR(radio.type, "LTE");
    CHECK_STR(radio.cell, "262-02 4001/27447");
    CHECK(radio.signal == -98 && radio.level == 3);
}

TEST(fifth_generation)
{
    struct android_radio radio = read_dumps(
        "mServiceState={mDataRegState=0(IN_SERVICE), getRilDataRadioTechnology=20(NR_SA)}\n"
        "mSignalStrength=SignalStrength:{mLte=CellSignalStrengthLte: rsrp=2147483647,"
        "mNr=CellSignalStrengthNr:{ csiRsrp = 2147483647 ssRsrp = -73 ssRsrq = -11 level = 3 },"
        "primary=CellSignalStrengthNr}\n"
        "mCellIdentity=CellIdentityNr:{ mPci = 879 mTac = 6970371 mMcc = 460 mMnc = 11 mNci = "
        "8123456789 }\n",
        "");
    CHECK_STR(radio.type, "NR");
    CHECK_STR(radio.cell, "460-11 6970371/8123456789");
    CHECK(radio.signal == -73 && radio.level == 3);
    radio = read_dumps("mServiceState={mDataRegState=0(IN_SERVICE), "
                       "getRilDataRadioTechnology=14(LTE), nrState=CONNECTED}\n",
                       "");
    CHECK_STR(radio.type, "LTE+NR");
    CHECK(isnan(radio.signal) && !*radio.cell);
}

TEST(wifi_counts_when_it_is_connected)
{
    const char connected[] =
        "mWifiInfo SSID: \"net, with comma\", BSSID: 02:00:00:00:01:00, MAC: 02:00:00:44:55:66, "
        "Supplicant state: COMPLETED, RSSI: -50, Link speed: 58Mbps, Frequency: 2447MHz\n";
    struct android_radio radio = read_dumps(LTE, connected);
    CHECK_STR(radio.type, "wifi");
    CHECK_STR(radio.cell, "02:00:00:00:01:00");
    CHECK(radio.signal == -50 && isnan(radio.level));
    radio = read_dumps(LTE, "mWifiInfo SSID: <unknown ssid>, BSSID: <none>, Supplicant state: "
                            "DISCONNECTED, RSSI: -127\n");
    CHECK_STR(radio.type, "LTE");
    radio =
        read_dumps("", "WifiInfo: SSID: \"a\", BSSID: 02:00:00:00:00:01, Supplicant state: "
                       "COMPLETED, Wi-Fi standard: 11ax, RSSI: -56, AP MLO links: [MloLink{RSSI: "
                       "-127}]\n");
    CHECK(radio.signal == -56);
}

TEST(two_cards_and_no_service)
{
    const char second[] =
        "  Phone Id=1\n    mServiceState={mDataRegState=0(IN_SERVICE), "
        "getRilDataRadioTechnology=3(UMTS)}\n    "
        "mSignalStrength=SignalStrength:{mWcdma=CellSignalStrengthWcdma: ss=-80 rscp=-91 "
        "level=2,primary=CellSignalStrengthWcdma}\n";
    char both[4000];
    snprintf(both, sizeof both,
             "  Phone Id=0\n    mServiceState={mDataRegState=1(OUT_OF_SERVICE), "
             "getRilDataRadioTechnology=0(Unknown)}\n%s",
             second);
    struct android_radio radio = read_dumps(both, "");
    CHECK_STR(radio.type, "UMTS");
    CHECK(radio.signal == -91 && radio.level == 2);
    snprintf(both, sizeof both, "%s%s", LTE, second); /* the first in service counts */
    CHECK_STR(read_dumps(both, "").type, "LTE");
    CHECK_STR(read_dumps("mServiceState={mDataRegState=1(OUT_OF_SERVICE)}\n", "").type, "none");
}

TEST(androids_up_to_nine)
{
    struct android_radio radio = read_dumps(
        "  mServiceState=0 0 voice home data home Op Op 26202  LTE LTE CSS not supported 0 0\n"
        "  mSignalStrength=SignalStrength: 99 0 -120 -160 -120 -1 -1 20 -95 -9 50 2147483647\n"
        "  mCellLocation=Bundle[{mPsc=-1, lac=4001, cid=27}]\n",
        "");
    CHECK_STR(radio.type, "LTE");
    CHECK_STR(radio.cell, "4001/27");
    CHECK(radio.signal == -95);
    radio = read_dumps("mServiceState=0 0 voice home data home Op Op 26202  EDGE EDGE CSS not\n"
                       "mSignalStrength=SignalStrength: 15 0 -1 -1 -1 -1 -1 99 2147483647 x\n",
                       "");
    CHECK_STR(radio.type, "EDGE");
    CHECK(radio.signal == -83);
}

TEST(nothing_is_made_up)
{
    struct android_radio radio = read_dumps("Can't find service: telephony.registry\n", "\0");
    CHECK(!*radio.type && !*radio.cell && isnan(radio.signal) && isnan(radio.level));
    radio = read_dumps("mServiceState={mDataRegState=0(IN_SERVICE), getRilDataRadioTechnology=14(",
                       "mWifiInfo SSID: BSSID: RSSI: state: COMPLETED");
    CHECK(!*radio.cell && isnan(radio.signal));
    radio = read_dumps(
        "mCellIdentity=CellIdentityLte:{ mCi=2147483647 mTac=1 }\nmServiceState={}\n", "");
    CHECK(!*radio.cell);
}
