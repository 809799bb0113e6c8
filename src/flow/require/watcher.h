/* A requirement bound to a model, as a small machine that reads the steps of a flow.
 *
 * A state of the watcher is a short array of words, interned to a dense id, so that the product
 * with configurations compares one number:
 *
 *   progress | count of each bounded event ... | (count, memory) of each loop ...
 *
 * progress is how many constraints of the sequence are met. The memory of a loop is the interned
 * set of transitions or states seen (kinds transition and state) or the last transition
 * (consecutive), and is forgotten as soon as it cannot matter any more. */
#pragma once

#include "base/data/map.h"
#include "base/data/str.h"
#include "flow/requirement.h"
#include "model/model.h"

#define WATCHER_REJECTS UINT32_MAX

struct bound_atom {
    tac_atom_kind kind;
    bool visit;
    uint32_t id;        /* state: node; event: event; view: unused */
    uint64_t *machines; /* view: bit set over machines; owned */
};

struct bound_constraint {
    struct bound_atom *atoms;
    size_t count;
};

struct watcher {
    const tac_requirement *requirement;
    const tac_model *model;
    bool *device_watched, *application_watched;
    uint64_t *forbidden; /* bit set over nodes */
    uint32_t *limit_of;  /* event: index into limits, or TAC_NONE */
    uint32_t *limits;    /* most occurrences */
    size_t limit_count;
    double *time_of; /* event: overriding delay, negative = none */
    struct bound_constraint *constraints;
    size_t constraint_count;
    size_t width;           /* words of a state */
    uint32_t *scratch;      /* one state */
    tac_names states, sets; /* interned states, interned sorted sets */
};

/* One step: the transition taken and the node the device settled in. */
struct watcher_step {
    uint32_t transition, node;
};

/* Resolves names; every unknown or ambiguous one is reported in diagnostics with its line. */
tac_status watcher_bind(const tac_requirement *requirement, const tac_model *model,
                        tac_diagnostics *diagnostics, struct watcher **out, tac_error *err);
void watcher_free(struct watcher *watcher);
/* The state after step 0, in which every device stands on its first settled node. */
uint32_t watcher_start(struct watcher *watcher, const uint32_t *nodes, size_t count);
uint32_t watcher_after(struct watcher *watcher, uint32_t state, struct watcher_step step);
/* The whole sequence is met. */
bool watcher_met(const struct watcher *watcher, uint32_t state);
/* A flow may end here: the sequence is met and every loop has its minimum. */
bool watcher_accepts(const struct watcher *watcher, uint32_t state);
/* The delay that the requirement sets after this transition's event, negative when none. */
double watcher_time(const struct watcher *watcher, uint32_t transition);
/* Whether a step's transition (else: the node it settles in) is among what is watched. */
bool watcher_counts(const struct watcher *watcher, bool by_transition, struct watcher_step step);
/* Does the step meet that constraint of the sequence? */
bool watcher_meets(const struct watcher *watcher, uint32_t constraint, struct watcher_step step);
size_t watcher_memory(const struct watcher *watcher);

/* --- observe.c: what a watcher can tell of the order of steps --- */

/* How many constraints are met; all of them where the watcher rejects. */
uint32_t watcher_progress(const struct watcher *watcher, uint32_t state);
/* Appends what the watcher sees of a transition, of a settled node. Steps with equal classes are
 * the same to the sequence. */
void watcher_class_of_transition(const struct watcher *watcher, uint32_t transition, tac_str *key);
void watcher_class_of_node(const struct watcher *watcher, uint32_t node, tac_str *key);
/* The number of constraints met from which on both orders of two steps lead to the same state, now
 * and later; TAC_NONE: never. */
uint32_t watcher_commute_from(const struct watcher *watcher, struct watcher_step a,
                              struct watcher_step b, bool witness);
