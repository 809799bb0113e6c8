/* The devices of one run, moved through it together.
 *
 * Time. A device whose time is virtual stands still between calls, so whatever passes on one device
 * has to pass on the others: run_team_sleep lets time pass on all
 * of them in steps so short that no message of one can be late for another, run_team_align brings
 * those up that stayed behind while one of them was used. Real devices need neither: their time
 * passes by itself. */
#pragma once

#include "device/device.h"

struct run_member {
    const char *name; /* the model's device that it plays; "" when there is only one */
    tac_device *device;
    bool virtual_time; /* its time passes when it is told to, at no cost */
    bool own_process;  /* its time passes by itself; false: it has to be called now and then */
    int64_t start;     /* the host's time that counts as 0; 0 before the run */
};

struct run_team {
    struct run_member *members;
    size_t count;
    tac_exchange *exchange; /* between built-in phones */
};

/* Who is to be opened: one entry per member. */
struct team_devices {
    size_t count;
    const char *const *names;
    const char *const *uris;
    /* What each drives on a phone with many apps, when the options do not say it; "" = unknown. */
    const char *const *packages;
};

/* Nothing is left open on failure. */
tac_status run_team_open(struct run_team *team, const struct team_devices *devices,
                         const tac_device_options *options, tac_error *err);
void run_team_close(struct run_team *team); /* a zeroed team is fine */

tac_status run_team_sleep(const struct run_team *team, double seconds, tac_error *err);
tac_status run_team_align(const struct run_team *team, tac_error *err);
/* A system event of one member, while time passes for all. */
tac_status run_team_await(const struct run_team *team, size_t member, double seconds,
                          tac_arrival *out, tac_error *err);
