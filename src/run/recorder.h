/* What happens during one run, as states of an enriched trace.
 *
 * States are kept in memory until the run has ended, because the devices' clocks can only be
 * corrected then; the properties are checked while they arrive, on the times that the clocks'
 * first readings give.
 *
 * With one device the variables are `event`, `activity`, the place, the `segment` of a network
 * scenario and the probes. With several,
 * `event` is "DEVICE:EVENT" as in flow files, and everything else there is once per device, as
 * "DEVICE.activity" and so on. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "device/device.h"
#include "property/check/judge.h"
#include "run/team.h"
#include "run/timeline.h"

struct run_recorder {
    struct probe_set *probes; /* borrowed */
    size_t party_count, probe_count;
    size_t per_party;            /* symbols of a member: activity, place, and what follows */
    size_t segment_at;           /* among them, in a scenario; 0 = none */
    size_t radio_at;             /* type of the network, then the cell, of a phone; 0 = none */
    const struct run_team *team; /* borrowed */
    tac_names symbols;
    TAC_VEC(struct record) records;
    TAC_VEC(uint32_t) places; /* per record and member: activity, place, segment */
    TAC_VEC(double) numbers;  /* probe_count per record */
    double *current;          /* the probes' last readings, counters from the run's start on */
    uint32_t *current_places; /* per member, in the same way */
    uint32_t *looked_places;  /* as they were at the last look; NULL before the first */
    tac_trace_variable *variables;
    size_t variable_count;
    tac_names variable_names;
    size_t observed_count; /* observables; after them typed, target, abandoned */
    bool acting;
    const tac_observable *observables; /* borrowed */
    double *observed_numbers;          /* of the state that is shown or written */
    struct timeline shown;             /* what the monitor has seen */
    struct trace_judge judge;          /* of the run's properties, when there are any */
    size_t property_count;
    bool watch_alarms; /* early alarms stop the run */
    bool violated;     /* a property is violated, or an alarm was raised */
};

struct recorder_options {
    const char *place_name;           /* "state" or "screen" */
    const tac_properties *properties; /* may be NULL */
    const char *property_file;        /* for messages */
    bool watch_alarms;
    const char *name;                  /* of the run, for verdicts */
    const tac_observable *observables; /* read from every screen; outlive the recorder */
    size_t observable_count;
    bool acting;                       /* `typed` and `target` say what an action chose */
    const struct action_file *actions; /* whose names are events; may be NULL */
};

/* The prefix of a member's variables: "" or "NAME."; the caller's. */
char *recorder_prefix(const struct run_team *team, size_t member);
/* The first sources of the probe set are the team's devices, in order. Both outlive the recorder.
 */
tac_status recorder_start(struct run_recorder *recorder, const struct run_team *team,
                          struct probe_set *probes, const struct recorder_options *options,
                          tac_error *err);
/* Reads every probe and says when. */
tac_status recorder_measure(struct run_recorder *recorder, struct run_moment *when, tac_error *err);
/* Where the member's app is from now on; NULL keeps what was. */
void recorder_set(struct run_recorder *recorder, size_t member, const char *activity,
                  const char *place);
/* What the screen shows from now on: one reading per observable. */
void recorder_see(struct run_recorder *recorder, const tac_observed *values);
/* What the action chose that is told next; NULL = nothing. Only when `acting`. */
void recorder_chose(struct run_recorder *recorder, const char *typed, const char *target);
/* The step at which it was abandoned, from 1; 0 = none; -1 = none, but the screen did not rest. */
void recorder_abandoned(struct run_recorder *recorder, double step);
/* Where the member's app is now, as it was last set; "" before. Borrowed. */
const char *recorder_place(const struct run_recorder *recorder, size_t member);
/* One state with the current values; event NULL = none, else what happened on the member. Times
 * never go back: an earlier one is moved up to the last. */
tac_status recorder_add(struct run_recorder *recorder, struct run_moment when, size_t member,
                        const char *event, tac_error *err);
/* The screen has been looked at, and the state is told: what is announced from now on stands on
 * this look, without what was chosen then. */
void recorder_looked(struct run_recorder *recorder);
/* The state of an event that the app announced between two looks: all that is known of the screen,
 * and where the app is, are of the earlier one. */
tac_status recorder_add_announced(struct run_recorder *recorder, struct run_moment when,
                                  size_t member, const char *event, tac_error *err);
/* How many events there were up to this state. */
int64_t recorder_events(const struct run_recorder *recorder, uint64_t state);
/* The run has ended and the probe set is finished: shows the monitor what it has not seen yet. */
tac_status recorder_finish(struct run_recorder *recorder, tac_error *err);
/* After that: the judge's results are final. cut: the run was ended before its end. */
void recorder_judge(struct run_recorder *recorder, bool cut);
/* Nanoseconds since the run's start, as far as the clocks have been read. */
int64_t recorder_since(const struct run_recorder *recorder, struct run_moment when);
/* The whole trace as JSON Lines, times corrected by the clocks of the probe set; late is meta data
 * known only now. */
tac_status recorder_write(const struct run_recorder *recorder, const char *path, bool durable,
                          const json_t *meta, const json_t *late, tac_error *err);
void recorder_free(struct run_recorder *recorder);
