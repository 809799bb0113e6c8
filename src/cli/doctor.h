/* What works on this machine, for `tactus doctor`: findings with the one command that mends each.
 */
#pragma once

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "device/device.h"
#include <stdbool.h>

enum doctor_kind {
    DOCTOR_PROGRAM, /* of others, that some commands start */
    DOCTOR_DEVICE,  /* a kind of device or subject */
    DOCTOR_PHONE,   /* connected by adb */
    DOCTOR_STEP     /* of trying one device */
};

/* Texts are the doctor's, or constants, and never NULL; found: a version, a state, what was seen.
 */
struct doctor_item {
    enum doctor_kind kind;
    bool works;
    const char *name, *found, *problem, *remedy, *use;
};

struct doctor_measure {
    const char *name, *unit;
    double value; /* NaN: not measurable now */
};

struct doctor {
    tac_arena texts;
    TAC_VEC(struct doctor_item) items;
    TAC_VEC(struct doctor_measure) measures; /* of the device that was tried */
    bool has_clock;
    double clock_offset, clock_uncertainty; /* seconds, device minus this machine */
};

/* A text that lasts as long as the doctor. */
#define doctor_text(d, ...) tac_arena_format(&(d)->texts, __VA_ARGS__)
/* Adds an item; problem and remedy are "" when it works. use: what needs it, or "". */
void doctor_add(struct doctor *d, enum doctor_kind kind, const char *name, const char *found,
                const char *problem, const char *remedy, const char *use);
/* NULL when there is no such item. */
const struct doctor_item *doctor_find(const struct doctor *d, enum doctor_kind kind,
                                      const char *name);
void doctor_free(struct doctor *d);

void doctor_look_at_programs(struct doctor *d);
void doctor_look_at_phones(struct doctor *d);
/* After the two: the kinds of devices that they make possible. */
void doctor_look_at_devices(struct doctor *d);
/* Opens the device, starts the app, looks, presses Escape, listens and measures. */
void doctor_try_device(struct doctor *d, const char *uri, const tac_device_options *options);
