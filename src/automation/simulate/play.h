/* A timed simulator of automations: states are texts, as in the real system, and time is seconds.
 *
 * It shares nothing with the solver but the model: it is what a finding must convince. A condition
 * that is not understood is unknown; an automation whose condition is unknown does not start, and
 * what such a condition decides inside a run is left out (see play_doubts). When one event starts
 * several automations, all conditions are tested before any acts, because nothing orders them.
 * Writes take effect at once and are events in turn. */
#pragma once

#include "automation/model/model.h"

/* What happened, in order. */
enum record_kind {
    RECORD_EVENT,
    RECORD_FIRE,
    RECORD_IGNORED,
    RECORD_UNKNOWN,
    RECORD_WRITE,
    RECORD_ENDLESS
};

struct record {
    enum record_kind kind;
    double time;
    uint32_t automation;       /* FIRE, IGNORED, UNKNOWN, WRITE */
    uint32_t run;              /* FIRE, WRITE: which run of it */
    uint32_t entity;           /* WRITE */
    const char *slot, *text;   /* WRITE: the value, NULL not known; EVENT: what */
    bool changed;              /* WRITE: the state was another before */
    const struct step *open;   /* UNKNOWN: a choice that was passed by; NULL: none */
    const struct branch *rest; /* UNKNOWN: the sequence that was left, before its step `from` */
    size_t from;
};

struct play_frame {
    const struct branch *steps;
    size_t next;
    bool script;
};

struct play_run {
    uint32_t automation, number;
    const struct trigger *trigger;
    const char *from, *to;
    struct play_frame frames[40];
    size_t depth;
    const struct step *waiting; /* NULL: it does not, or for time alone */
    uint32_t serial;            /* of its last wait or delay */
    bool done;
};

struct play_pending {
    double time;
    enum { PENDING_HOLD, PENDING_RESUME, PENDING_TIMEOUT } kind;
    uint32_t automation, trigger; /* HOLD */
    const char *from;             /* HOLD */
    struct play_run *run;         /* RESUME, TIMEOUT */
    uint32_t serial;              /* RESUME, TIMEOUT: of the wait that it is for */
    const struct trigger *wait;   /* RESUME: what has to be held; NULL: a delay */
    bool cancelled;
};

struct play_change {
    uint32_t entity; /* TAC_NONE: an event */
    const char *from, *to, *key;
    bool start;
};

struct play {
    const tac_automation_model *model;
    tac_arena arena;
    const char **states; /* by entity; NULL: not known */
    double *changed;     /* by entity: when */
    double now;          /* seconds since 1970, UTC */
    TAC_VEC(struct record) log;
    TAC_VEC(struct play_pending) pending;
    TAC_VEC(struct play_run *) runs;
    TAC_VEC(struct play_change) changes; /* to be handled at this instant */
    size_t next_change;
    uint32_t *listeners, *listener_from; /* automations by entity they listen to */
    uint32_t *fires_now;                 /* by automation: starts at this instant */
    uint32_t next_run;
    size_t log_limit;
    bool patterns; /* times that come again and again are played, too */
    bool endless;
};

void play_open(struct play *sim, const tac_automation_model *model, double start);
void play_close(struct play *sim);
/* Before the play: a state and since when. */
void play_assume(struct play *sim, uint32_t entity, const char *text, double since);
/* Each lets everything that follows at the same instant happen. */
void play_set(struct play *sim, uint32_t entity, const char *text);
void play_event(struct play *sim, const char *key); /* NULL: the system starts */
/* Lets time pass: holds, delays, times of day and patterns of time come in order. */
void play_advance(struct play *sim, double until);

/* evaluate.c: 1 holds, 0 does not, -1 not known. */
int play_condition(const struct play *sim, const struct cond *cond, const struct play_run *run);
bool play_fires(const struct trigger *trigger, const char *from, const char *to);

/* execute.c */
void play_start(struct play *sim, uint32_t automation, const struct trigger *trigger,
                const char *from, const char *to);
void play_continue(struct play *sim, struct play_run *run);

/* wait.c: begins a wait (true: it is over at once); ends it; ends all that a change ends. */
bool play_wait(struct play *sim, struct play_run *run, const struct step *step);
void play_resume(struct play *sim, struct play_run *run);
void play_wake(struct play *sim, const struct play_change *change);

/* doubt.c: whether something that is not understood decides about a write like this one in what the
 * automation did; going_on: or about whether and when it went on. */
bool play_doubts(const struct play *sim, uint32_t automation, const struct record *write,
                 bool going_on);

/* file.c: the log as moments, with so many things told of each; the caller's. */
void play_moments(const struct play *sim, double origin, size_t most, tac_automation_moment **out,
                  size_t *count);
const char *automation_name(const struct automation *automation);
