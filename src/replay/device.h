/* A device whose apps can be recorded, as a subject (see subject.h). */
#pragma once

#include "replay/subject.h"

/* A callback that has happened since the start. */
struct seen_callback {
    char *label;
    size_t step;    /* of the witness, while which it happened; SIZE_MAX before the first */
    bool taken;     /* a step has found itself in it */
    bool user;      /* brought about by a gesture */
    size_t gesture; /* which, from 1; 0 = none */
};

struct recorded_device {
    tac_device *device;
    const struct subject_log *log;
    bool held;
    size_t gesture; /* the latest, from 1 */
    json_t *by;     /* that gesture, as recordings have it; or NULL */
    size_t step;    /* of the witness, while replaying */
    bool restless;  /* the page did not settle: it is not waited for long any more */
    TAC_VEC(struct seen_callback) seen;
};

/* Everything that the recorder has told goes to the log. */
tac_status device_collect(struct recorded_device *d, tac_error *err);
/* Performs a gesture that a person could; TAC_E_LIMIT: its element is not there. Then waits until
 * the page has come to rest, which may not happen, and collects. */
tac_status device_gesture(struct recorded_device *d, const tac_gesture *gesture, tac_error *err);

tac_status device_drive(void *state, const tac_driving *how, uint64_t seed, tac_error *err);
tac_status device_perform(void *state, const struct subject_step *step, struct step_outcome *out,
                          tac_error *err);
tac_status device_let_go(void *state, double seconds, tac_error *err);

/* Are they one label, but for an ordinal ("timer app.js:40" of "timer app.js:40 #2")? */
bool same_base(const char *one, const char *other);
