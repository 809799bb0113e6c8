/* Interaction models: nested state machines of what a user can do (the interaction-model paper).
 * device > application > activity > state machine > nodes and transitions.
 *
 * A loaded model is read-only and lives in flat arrays; everything refers to everything by index.
 * Children of one parent are consecutive: an application's activities are
 * activities[first_activity .. first_activity + activity_count - 1], and so on down.
 * A million states take about 100 bytes each. */
#ifndef TACTUS_MODEL_H
#define TACTUS_MODEL_H

#include "tactus/api.h"
#include "tactus/error.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

TAC_BEGIN_DECLARATIONS

#define TAC_MODEL_NONE UINT32_MAX

typedef enum tac_node_kind { TAC_NODE_STATE, TAC_NODE_CONNECTION, TAC_NODE_FINAL } tac_node_kind;
typedef enum tac_event_kind { TAC_EVENT_USER, TAC_EVENT_SYSTEM } tac_event_kind;
typedef enum tac_action_kind {
    TAC_ACTION_CLICK,
    TAC_ACTION_LONG_CLICK,
    TAC_ACTION_TEXT,
    TAC_ACTION_SCROLL,
    TAC_ACTION_SWIPE,
    TAC_ACTION_PINCH,
    TAC_ACTION_BACK,
    TAC_ACTION_HOME,
    TAC_ACTION_LAUNCH,
    TAC_ACTION_KEY,
    TAC_ACTION_WAIT,
    TAC_ACTION_DOUBLE_CLICK,
    TAC_ACTION_HOVER,
    TAC_ACTION_DRAG
} tac_action_kind;

typedef struct tac_model_device {
    const char *name, *serial; /* serial "" when absent */
    uint32_t first_application, application_count, line;
} tac_model_device;

typedef struct tac_model_application {
    const char *name, *code_name, *package; /* "" when absent */
    uint32_t device, first_activity, activity_count, line;
    bool external;
} tac_model_application;

typedef struct tac_model_activity {
    const char *name;
    uint32_t application, first_machine, machine_count, line;
    bool external;
} tac_model_activity;

typedef struct tac_model_machine {
    const char *name;
    uint32_t activity, first_node, node_count, first_transition, transition_count;
    uint32_t initial; /* node index: a state or a final of this machine */
    uint32_t line;
    bool external;
} tac_model_machine;

/* A state, a connection (call) or a final state. */
typedef struct tac_model_node {
    const char *name;
    uint32_t machine, line;
    /* transitions leaving this node, consecutive in file order:
     * transitions[first_out .. first_out + out_count - 1]; 0 for connections and finals */
    uint32_t first_out, out_count;
    uint32_t call; /* connections: index into calls; else TAC_MODEL_NONE */
    /* Indices into notes, or TAC_MODEL_NONE. labels: requirements, separated by commas. image: the
     * name of a picture file of the screen, as whoever recorded it gave it. expect: what the screen
     * must show, conditions of the property language, one per line. untried: XPaths of elements
     * that were on the screen and that whoever explored it did not act on, one per line. */
    uint32_t labels, image, expect, untried;
    tac_node_kind kind;
    bool leaves; /* finals: the app is left, whatever called the machine */
} tac_model_node;

/* What a connection calls. Exactly one of machine and activity is set. A jump enters a state of the
 * machine other than its initial, and does not come back: nothing is pushed, so the flow goes on as
 * if both machines were one. */
typedef struct tac_model_call {
    uint32_t machine;  /* the called machine, or TAC_MODEL_NONE */
    uint32_t activity; /* the called activity: any of its machines that is external */
    uint32_t returns; /* node (state or final) of the calling machine; jumps: its initial, unused */
    uint32_t enters;  /* jumps: node (state or final) of the called machine; else TAC_MODEL_NONE */
    bool reuse, auto_return;
} tac_model_call;

typedef struct tac_model_transition {
    uint32_t from, to; /* nodes of the same machine; from is a state */
    uint32_t event;    /* index into events */
    uint32_t first_action, action_count;
    uint32_t sends, receives; /* index into channels, or TAC_MODEL_NONE */
    /* Indices into notes, or TAC_MODEL_NONE. note: what another tool said. guard: the transition
     * may be taken only while this expression over the model's variables is true. update: what
     * taking it does to them. labels: requirements that it meets, separated by commas. expect:
     * what the screen must show after it, conditions one per line. */
    uint32_t note, guard, update, labels, expect;
    double dependency; /* how much a tester depends on it, 0 to 100; negative = not given */
    double time;       /* seconds until the next event; negative = not given */
    double weight;     /* for random generation; 1 when not given */
    uint32_t line;
    tac_event_kind kind;
} tac_model_transition;

/* How an event is performed. Texts are NULL when absent. area: where the element was on the screen
 * when it was recorded, "LEFT TOP RIGHT BOTTOM" in percent, for tools that cannot select it. */
typedef struct tac_model_action {
    const char *xpath, *resource_id, *text, *value, *area;
    tac_action_kind kind;
    bool fragile; /* finds its element by its place, or was said to be so */
} tac_model_action;

typedef struct tac_model {
    const char *name;  /* of the model; "" when absent */
    const char *file;  /* where it was read from, for messages */
    const char *setup; /* updates that give the variables their first values; "" when absent */
    const tac_model_device *devices;
    const tac_model_application *applications;
    const tac_model_activity *activities;
    const tac_model_machine *machines;
    const tac_model_node *nodes;             /* by machine; states, connections, finals */
    const tac_model_transition *transitions; /* grouped by machine, then by `from` node */
    const tac_model_call *calls;
    const tac_model_action *actions;
    const char *const *events; /* distinct event names in order of first use */
    const char *const *channels;
    const char *const *notes;
    uint32_t device_count, application_count, activity_count, machine_count, node_count,
        transition_count, call_count, action_count, event_count, channel_count, note_count;
    struct tac_model_storage *storage; /* private */
} tac_model;

typedef struct tac_model_statistics {
    uint32_t devices, applications, activities, machines, states, connections, finals, transitions,
        events;
} tac_model_statistics;

/* Reads and validates (schema and meaning). All errors and warnings go to diagnostics (not NULL)
 * with their lines; any error gives TAC_E_INPUT and no model. */
tac_status tac_model_load(const char *path, tac_diagnostics *diagnostics, tac_model **out,
                          tac_error *err);
/* Several files become one model: applications of a device of the same name are combined, other
 * devices are added. */
tac_status tac_model_load_many(const char *const *paths, size_t count, tac_diagnostics *diagnostics,
                               tac_model **out, tac_error *err);
void tac_model_free(tac_model *model);
void tac_model_count(const tac_model *model, tac_model_statistics *out);
/* The model file, in the order of the arrays; reading it back gives an equal model. */
tac_status tac_model_write(const tac_model *model, FILE *out, tac_error *err);

/* {"devices","applications","activities","machines","states","connections","finals","transitions",
 * "events"}; the caller's. */
json_t *tac_model_statistics_json(const tac_model *model);

TAC_END_DECLARATIONS

#endif
