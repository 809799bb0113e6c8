/* The adb server's own protocol, spoken over its socket: one connection per request, no process per
 * command. Requests are "%04x" of their length and the text; answers OKAY or FAIL and a message.
 *
 * Every call has a deadline in seconds of the monotonic clock and ends with TAC_E_DEVICE past it.
 * When no server listens, it is started once with the `adb` program. */
#pragma once

#include "base/data/alloc.h"
#include "base/data/str.h"
#include "device/android/wire/wire.h"
#include "tactus/error.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct adb_client {
    uint16_t port;
    char serial[128]; /* "" until chosen */
};

/* The port is that of ANDROID_ADB_SERVER_PORT, or 5037. Starts the server when none runs, chooses
 * the device: `serial`, or the only one when it is "". An address that is not there is waited for
 * unless `once`. */
tac_status adb_client_open(struct adb_client *client, const char *serial, double deadline,
                           bool once, tac_error *err);

/* The URIs of all devices that are ready, the caller's; TAC_E_DEVICE when there is none. */
tac_status adb_client_list(double deadline, char ***uris, size_t *count, tac_error *err);

/* A host request whose answer is one text ("host:version", "host:devices"). */
tac_status adb_host(const struct adb_client *client, const char *request, double deadline,
                    tac_str *answer, tac_error *err);

/* The output of a shell command (standard output, then whatever went to standard error) and its
 * exit code. step names the call in messages. The output may be binary. */
struct adb_result {
    tac_str output;
    int exit_code;
    bool broken; /* the connection broke while the command ran: nobody knows how far it came */
};
tac_status adb_shell(const struct adb_client *client, const char *step, const char *command,
                     double deadline, struct adb_result *out, tac_error *err);

/* Files. mode as in chmod. */
tac_status adb_push(const struct adb_client *client, const char *local, const char *remote,
                    unsigned mode, double deadline, tac_error *err);

/* --- recover.c: coming back --- */
/* Why a device could not be reached, as far as it decides what to do about it. */
enum adb_trouble {
    ADB_FINAL,     /* trying again does not help */
    ADB_NO_SERVER, /* or it went away while it was asked */
    ADB_UNKNOWN,   /* the server does not know the serial */
    ADB_OFFLINE,
    ADB_WAITING, /* for its owner's answer, or for the server */
    ADB_CLOSED   /* the service was closed at once */
};
struct adb_pause {
    double limit, seconds, started;
};
bool adb_is_address(const char *serial); /* HOST:PORT */
enum adb_trouble adb_judge_refusal(const char *why);
void adb_pause_start(struct adb_pause *pause, double limit);
/* Recovers and waits, longer each time. False: the limit is near, or it does not help. */
bool adb_pause(struct adb_pause *pause, const struct adb_client *client, enum adb_trouble trouble);
tac_status adb_start_server(const struct adb_client *client, double deadline, tac_error *err);

/* --- inside the client --- */
/* A connection that has been switched to the chosen device and then to `service`. A device that is
 * away for a while is waited for (recover.c), up to the limit. */
tac_status adb_connect_service(const struct adb_client *client, const char *step,
                               const char *service, double limit, int *fd, tac_error *err);
/* The error of a stream that ended too early. */
tac_status adb_gone(const char *step, tac_error *err);
/* *got 0 at the end of the stream. */
tac_status adb_read_some(int fd, const char *step, void *data, size_t size, double limit,
                         size_t *got, tac_error *err);
tac_status adb_write_all(int fd, const char *step, const void *data, size_t size, double limit,
                         tac_error *err);
/* Chooses from the text of "host:devices-l" or "host:devices". */
tac_status adb_choose(struct adb_client *client, const char *wanted, const char *list, size_t size,
                      tac_error *err);
