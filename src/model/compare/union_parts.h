/* What a union of models is made of: filled by union.c, turned into a model by
 * union_build.c. `seen` counts the added models that have the element, `last` is the last of
 * them. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "model/compare/union.h"

struct union_place { /* a device, an application, an activity */
    uint32_t parent, name;
    const char *serial, *code_name, *package;
    bool external;
};

struct union_machine {
    uint32_t activity, name, initial;
    uint32_t seen, last;
    bool external;
};

struct union_node {
    uint32_t machine, name, seen, last;
    const char *labels, *image, *expect, *untried;
    uint32_t target, returns; /* connections: machine or activity of the union, node */
    tac_node_kind kind;
    bool leaves, calls_activity, reuse, auto_return, jumps; /* jumps: returns is the node entered */
};

struct union_transition {
    uint32_t from, event, to, seen, last;
    uint32_t first_action, action_count;
    const char *sends, *receives, *note, *guard, *update, *labels, *expect;
    double dependency;
    double time, weight;
    double timed; /* the weight of those that give a time */
    tac_event_kind kind;
};

struct union_twins { /* connections that do the same, met so far in one model */
    uint32_t model, next;
};

struct model_union {
    tac_arena arena;
    const char *name, *file, *setup;
    uint32_t models;
    tac_names texts;
    tac_names meanings; /* what transitions are told apart by, beside their ends and event */
    tac_names keys;     /* one table for all kinds; in step with key_index */
    TAC_VEC(uint32_t) key_index;
    TAC_VEC(struct union_place) devices, applications, activities;
    TAC_VEC(struct union_machine) machines;
    TAC_VEC(struct union_node) nodes;
    TAC_VEC(struct union_twins) twins;
    TAC_VEC(struct union_transition) transitions;
    TAC_VEC(tac_model_action) actions;
};
