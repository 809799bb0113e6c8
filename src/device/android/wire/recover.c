/* Getting back to a device after the adb server was restarted or the connection went away.
 *
 * A request that has not reached the device yet may be asked again: nothing was done. So opening a
 * service is tried until its deadline, with pauses of FIRST_PAUSE doubled up to LONGEST_PAUSE.
 * Between two tries the server is started when none answers, and a serial of the form HOST:PORT,
 * which a new server does not know, is connected again; one that is offline is disconnected before,
 * because the server takes it for connected. A phone on a cable comes back by itself; one that asks
 * its owner is waited for. An address that refuses connections is that of a phone whose adb daemon
 * has ended: a daemon that only starts again is there within REFUSED_PAUSE. */
#include "base/data/text.h"
#include "device/android/wire/client.h"
#include <math.h>
#include <string.h>
#include <time.h>

static const double first_pause = 0.05, longest_pause = 2, closed_pause = 1, refused_pause = 5;

bool adb_is_address(const char *serial)
{
    const char *colon = strrchr(serial, ':');
    uint64_t port;
    return colon && colon > serial && tac_parse_u64(colon + 1, &port) && port && port < 65536;
}

enum adb_trouble adb_judge_refusal(const char *why)
{
    if (strstr(why, "not found"))
        return ADB_UNKNOWN;
    if (strstr(why, "offline"))
        return ADB_OFFLINE;
    if (strstr(why, "unauthorized") || strstr(why, "still authorizing") ||
        strstr(why, "still connecting"))
        return ADB_WAITING;
    return !strcmp(why, "closed") ? ADB_CLOSED : ADB_FINAL;
}

/* Whether it helped shows the next try; true: nobody listens at the address. */
static bool ask(const struct adb_client *client, const char *verb, double deadline)
{
    tac_str answer = {0};
    tac_error ignored;
    char *request = tac_format("host:%s:%s", verb, client->serial);
    adb_host(client, request, fmin(deadline, 10), &answer, &ignored);
    bool refused = strstr(tac_str_text(&answer), "refused") != NULL;
    free(request);
    tac_str_free(&answer);
    return refused;
}

/* Starts the server and connects the device again, where that may help. True: nobody listens at the
 * device's address. */
static bool adb_recover(const struct adb_client *client, enum adb_trouble trouble, double deadline)
{
    tac_error ignored;
    if (trouble == ADB_NO_SERVER)
        adb_start_server(client, deadline, &ignored);
    if (!adb_is_address(client->serial) || trouble == ADB_WAITING || trouble == ADB_FINAL)
        return false;
    if (trouble == ADB_OFFLINE)
        ask(client, "disconnect", deadline);
    return ask(client, "connect", deadline);
}

void adb_pause_start(struct adb_pause *pause, double limit)
{
    *pause = (struct adb_pause){.limit = limit, .seconds = first_pause, .started = tac_now()};
}

bool adb_pause(struct adb_pause *pause, const struct adb_client *client, enum adb_trouble trouble)
{
    double now = tac_now(), left = pause->limit - now;
    bool once = trouble == ADB_CLOSED && now - pause->started > closed_pause;
    if (trouble == ADB_FINAL || once || left <= pause->seconds)
        return false;
    if (adb_recover(client, trouble, left) && now - pause->started > refused_pause)
        return false;
    struct timespec rest = {.tv_sec = (time_t)pause->seconds,
                            .tv_nsec = (long)(fmod(pause->seconds, 1) * 1e9)};
    nanosleep(&rest, NULL);
    pause->seconds = fmin(pause->seconds * 2, longest_pause);
    return tac_now() < pause->limit;
}
