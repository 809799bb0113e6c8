/* App user flow requirements: what a flow must and must not do.
 *
 * A requirement has invariants, which hold at every step, and a sequence of constraints, which are
 * met in order, at most one per step. The file format is the published XML of the namespace
 * http://www.morse.uma.es/appuserflowrequirement. A requirement names things of a model but is
 * read, built and written without one; names are resolved when flows are generated. docs/flows.md
 * has the meaning in full. */
#ifndef TACTUS_REQUIREMENT_H
#define TACTUS_REQUIREMENT_H

#include "tactus/api.h"
#include "tactus/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

TAC_BEGIN_DECLARATIONS

#define TAC_UNBOUNDED UINT32_MAX

typedef enum tac_atom_kind { TAC_ATOM_STATE, TAC_ATOM_EVENT, TAC_ATOM_VIEW } tac_atom_kind;

/* What is looked at in one step: the event, or the state (or its activity or state machine) that
 * the step settles in. */
typedef struct tac_requirement_atom {
    tac_atom_kind kind;
    bool visit;           /* false: elsewhere at that step */
    char *name;           /* of the state, event, activity or state machine */
    char *view, *machine; /* states only: where it is; NULL when not given */
    size_t line;          /* in the file; 0 when built in memory */
} tac_requirement_atom;

typedef struct tac_requirement_constraint {
    tac_requirement_atom *atoms; /* all of them at the same step */
    size_t atom_count;
    size_t line;
} tac_requirement_constraint;

/* A bound on an event; time is the delay after each occurrence in seconds, negative = not given. */
typedef struct tac_requirement_event {
    char *name;
    uint32_t max; /* occurrences, or TAC_UNBOUNDED */
    double time;
    size_t line;
} tac_requirement_event;

typedef enum tac_loop_kind {
    TAC_LOOP_TRANSITION, /* a transition that the flow has executed before */
    TAC_LOOP_STATE,      /* entering a settled state seen before */
    TAC_LOOP_CONSECUTIVE /* the same transition twice running */
} tac_loop_kind;

typedef struct tac_requirement_loop {
    tac_loop_kind kind;
    uint32_t min; /* asked of completed flows only */
    uint32_t max; /* or TAC_UNBOUNDED */
    size_t line;
} tac_requirement_loop;

typedef struct tac_requirement_name {
    char *name;
    size_t line;
} tac_requirement_name;

/* Everything is owned by the requirement. Change it only through the functions below. */
typedef struct tac_requirement {
    char *name, *description;      /* "" when absent */
    char *file;                    /* for messages; "" when built in memory */
    tac_requirement_name *devices; /* watched: serial number or name; none = all */
    size_t device_count;
    tac_requirement_name *applications; /* watched: code name or name; none = all */
    size_t application_count;
    tac_requirement_atom *forbidden; /* states and views that no step may settle in */
    size_t forbidden_count;
    tac_requirement_event *events;
    size_t event_count;
    tac_requirement_loop *loops;
    size_t loop_count;
    tac_requirement_constraint *sequence;
    size_t constraint_count;
} tac_requirement;

/* Reads and validates against the schema. All findings go to diagnostics (not NULL); any error
 * gives TAC_E_INPUT and no requirement. */
tac_status tac_requirement_load(const char *path, tac_diagnostics *diagnostics,
                                tac_requirement **out, tac_error *err);
void tac_requirement_free(tac_requirement *requirement); /* NULL is fine */

TAC_END_DECLARATIONS

#endif
