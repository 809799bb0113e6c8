/* The built-in phone behind the protocol of Android's adb daemon, so that the real `adb connect`
 * and everything built on adb can talk to it.
 *
 * Time stays virtual: commands advance it (`sleep 60` returns at once, a minute later), between
 * commands the phone stands still. `getprop ro.tactus.virtual_time` tells a client so. */
#pragma once

#include "device/device.h"

/* Where built-in phones exchange messages (docs/app-files.md, channels). Phones opened with one
 * exchange hear each other; with a folder also those of other processes that use the same folder.
 * An exchange outlives its phones. Errors: TAC_E_IO or TAC_E_USAGE, naming the folder. */
tac_status tac_exchange_open(const char *folder, tac_exchange **out, tac_error *err);
void tac_exchange_free(tac_exchange *exchange); /* NULL is fine */
/* Seconds that a message takes at least. */
#define TAC_EXCHANGE_LEAST_DELAY 0.05

typedef struct tac_phone_options {
    tac_device_options device; /* of the built-in phone */
    uint16_t port;             /* on 127.0.0.1; 0 = any free one */
    const char *exchange;      /* a folder: phones that share it hear each other; may be NULL */
    const char *replay; /* a folder of recorded outputs that are answered first; may be NULL */
    unsigned android;   /* version whose formats it speaks, 7 to 15; 0 = 9 */
    bool unauthorized;  /* never accept the computer's key */
    bool offline;       /* take connections and answer nothing */
    /* Called once with the port when connections are taken. May be NULL. */
    void (*listening)(uint16_t port, void *context);
    /* Called when a connection was dropped because it broke the protocol. May be NULL. */
    void (*dropped)(const char *why, void *context);
    void *context;
} tac_phone_options;

/* Serves one connection after the other until the watch asks to stop (TAC_OK), or the phone dies of
 * an injected fault (TAC_E_DEVICE). uri is "sim:APPFILE". */
tac_status tac_phone_serve(const char *uri, const tac_phone_options *options, tac_watch *watch,
                           tac_error *err);
