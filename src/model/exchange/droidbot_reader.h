/* Between the parts of the DroidBot importer: droidbot_read.c reads screens and edges,
 * droidbot_steps.c makes transitions of the events. */
#pragma once

#include "base/io/json.h"
#include "model/exchange/droidbot_event.h"
#include "model/exchange/droidbot_folder.h"

struct droidbot_node {
    const char *state, *package; /* borrowed from the file */
    const char *name;            /* of the state in the model; NULL for other packages' screens */
    uint32_t machine;            /* index into machines, when own */
    bool own;
};

struct droidbot_machine {
    const char *path; /* Application/Activity/Machine */
    uint32_t index;   /* in the builder */
    bool has_initial; /* a state of it is where it begins */
};

/* An event between two screens, on one control. */
struct droidbot_step {
    uint32_t from, to; /* nodes */
    const char *event; /* its name in the model */
    struct droidbot_event what;
    const char *resource_id; /* when it alone selects the control */
    const char *area;        /* where it was on the screen (model.h), or NULL */
    double times;
    uint64_t order; /* DroidBot's number of the event */
};

struct droidbot_reader {
    const tac_json *json;
    tac_diagnostics *diagnostics;
    tac_model_builder *builder;
    tac_arena arena;
    struct droidbot_folder folder;
    const char *package, *application_name;
    uint32_t application;
    uint32_t first; /* the node labelled <FIRST>, or TAC_NONE */
    tac_names ids;  /* node ids; in step with nodes */
    TAC_VEC(struct droidbot_node) nodes;
    tac_names activities; /* in step with machines */
    TAC_VEC(struct droidbot_machine) machines;
    tac_names taken_states;
    tac_names event_keys; /* in step with event_names */
    TAC_VEC(char *) event_names;
    tac_names taken_events;
    tac_names foreign;     /* other packages */
    tac_names connections; /* "MACHINE NAME" of finals and jumps already built */
    TAC_VEC(struct droidbot_step) steps;
    size_t edges_without_events, edges_to_nowhere, events, foreign_screens, foreign_events,
        separated, ambiguous, without_tree, positional, without_locator;
};

/* Adds the steps of one edge. */
void droidbot_read_events(struct droidbot_reader *reader, const json_t *events, uint32_t from,
                          uint32_t to);
/* Transitions, initials and the ways out and between machines. */
void droidbot_build_steps(struct droidbot_reader *reader);
