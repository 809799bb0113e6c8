/* The built-in phone behind the protocol of Android's adb daemon, so that the real `adb connect`
 * and everything built on adb can talk to it.
 *
 * Time stays virtual: commands advance it (`sleep 60` returns at once, a minute later), between
 * commands the phone stands still. `getprop ro.tactus.virtual_time` tells a client so. */
#ifndef TACTUS_PHONE_H
#define TACTUS_PHONE_H

#include "tactus/api.h"
#include "tactus/device.h"
#include "tactus/error.h"
#include "tactus/watch.h"
#include <stdint.h>

TAC_BEGIN_DECLARATIONS

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

TAC_END_DECLARATIONS

#endif
