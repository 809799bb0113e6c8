/* What other modules use of this one beside tactus/rules.h. */
#pragma once

#include "tactus/rules.h"

#define TAC_RULES_MAX_BYTES ((size_t)64 << 20) /* of a file */
#define TAC_RULES_MAX_PRIORITY 0x7fffffffu     /* the largest that a file may write */
#define TAC_RULES_LOWEST_PRIORITY 0x80000000u  /* of a rule without a priority */

/* tac_rules_write that keeps the source's words and comments wherever the rule set is as the source
 * says; a source in JSON is written afresh. */
tac_status tac_rules_rewrite(const char *text, size_t size, const tac_rules *rules, FILE *out,
                             tac_error *err);

bool tac_rules_faulty(const tac_rules_findings *findings);

/* The input of a witness, one '0' or '1' per variable; the caller's. */
char *tac_rules_witness_input(const tac_rules *rules, const tac_rules_findings *findings,
                              const tac_rules_witness *witness);
/* How many inputs race or cycle from the state where the exact number is not known: at least and at
 * most so many. race tells which. */
void tac_rules_bounds(const tac_rules_findings *findings, uint32_t state, bool race,
                      tac_rules_count *least, tac_rules_count *most);

const char *tac_rules_engine_name(tac_rules_engine engine);

/* "A_gps, not B_gps, speed=30", or a JSON object of names and values: what is not named stays as it
 * is in input. */
tac_status tac_rules_set_all(const tac_rules *rules, const char *text, char *input, tac_error *err);

typedef struct tac_rules_event {
    uint64_t time_ms;
    char *change; /* '0', '1', or '*' for what stays as it was */
    uint32_t line;
} tac_rules_event;

/* What happens in the world, in the order of time. */
typedef struct tac_rules_events {
    tac_rules_event *at;
    size_t count;
} tac_rules_events;

/* One event a line, "TIME CHANGE, CHANGE, ...", with # comments; or a JSON array of
 * {"time": SECONDS, "set": {NAME: VALUE}}. Errors go to diagnostics (not NULL). */
tac_status tac_rules_events_load(const tac_rules *rules, const char *path,
                                 tac_diagnostics *diagnostics, tac_rules_events **out,
                                 tac_error *err);
tac_status tac_rules_events_parse(const tac_rules *rules, const char *name, const char *text,
                                  size_t size, tac_diagnostics *diagnostics, tac_rules_events **out,
                                  tac_error *err);
void tac_rules_events_free(tac_rules_events *events);

typedef struct tac_rules_simulation {
    uint32_t state;                 /* at the start */
    const char *input;              /* at the start; NULL = everything off */
    const tac_rules_events *events; /* may be NULL */
    uint32_t max_steps;             /* transitions in all; 0 = 1,000,000 */
    tac_watch *watch;
} tac_rules_simulation;

/* The rule leads from `from` to its target; `together` other rules fired with it, and it was taken
 * because it comes first in the file. */
typedef struct tac_rules_transition {
    uint32_t from, rule;
    uint32_t *others;
    size_t together;
} tac_rules_transition;

/* The app has read some groups anew; it then adapts until it rests. */
typedef struct tac_rules_moment {
    uint64_t time_ms;
    uint32_t *groups; /* read anew; none at the start */
    size_t group_count;
    char *input; /* as the app sees it then */
    bool valid;  /* it satisfies the constraints */
    tac_rules_transition *transitions;
    size_t count;
    bool never_rests; /* the last transition leads to a state and input of this moment once more */
    size_t loop;      /* then: transitions before that state */
    uint32_t state;   /* where the app is afterwards */
    uint32_t *may_rest; /* states in which it may rest when chance chooses otherwise */
    size_t may_rest_count;
    bool may_never_rest, may_known;
} tac_rules_moment;

typedef struct tac_rules_timeline {
    tac_rules_moment *at;
    size_t count;
    uint32_t start;
} tac_rules_timeline;

/* The world is as `input` says, then changes by the events; the app sees a group as it was when it
 * was last refreshed: every so often, or at once when the group has no rate, and only when it has
 * stood still for the group's hold time. Groups that are due at the same time are read together. */
tac_status tac_rules_simulate(const tac_rules *rules, const tac_rules_simulation *simulation,
                              tac_rules_timeline **out, tac_error *err);
void tac_rules_timeline_free(tac_rules_timeline *timeline);
json_t *tac_rules_timeline_json(const tac_rules *rules, const tac_rules_timeline *timeline);
void tac_rules_timeline_text(const tac_rules *rules, const tac_rules_timeline *timeline, FILE *out);

void tac_rules_repairs_text(const tac_rules *rules, const tac_rules_repair_options *options,
                            const tac_rules_repairs *repairs, FILE *out);
const char *tac_rules_fault_name(tac_rules_fault fault);

typedef struct tac_rules_shape {
    uint32_t states, rules, variables;
    uint64_t seed;
} tac_rules_shape;

/* A random rule set as in section 5.1 of the paper. TAC_E_USAGE when no rule set has this shape. */
tac_status tac_rules_generate(const tac_rules_shape *shape, tac_rules **out, tac_error *err);
/* Graphviz text; edges and states with faults are marked. findings may be NULL. The caller's. */
char *tac_rules_dot(const tac_rules *rules, const tac_rules_findings *findings);
/* A part of the machine: the state in focus with its neighbours and the ways of its witnesses; or,
 * with focus TAC_RULES_NONE, the states of the shortest cycles and of the other faults, at most
 * `most` of them (0 = all). */
char *tac_rules_dot_part(const tac_rules *rules, const tac_rules_findings *findings, uint32_t focus,
                         uint32_t most);
