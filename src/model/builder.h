/* What a model is made of before its names are resolved, and the steps that resolve it.
 *
 * Every text is interned once: a name is an id, and two names are equal when their ids are. The
 * steps of tac_model_builder_finish (finish.c) run in this order and all of them run even
 * when an earlier one found errors, so that a broken file is reported whole:
 *   layout.c  children of one parent become consecutive, nodes by kind
 *   names.c   names inside one machine: duplicates, initial, returns, transitions
 *   calls.c   what connections call
 *   silent.c  cycles of calls and returns that never reach a state
 *   check.c   accessible starts, unreachable states, channels */
#pragma once

#include "base/data/map.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "model/model.h"

struct build_device {
    uint32_t name, serial, line, file;
};

struct build_application {
    uint32_t name, code_name, package, device, line, file;
    bool external;
};

struct build_activity {
    uint32_t name, application, line;
    bool external;
};

struct build_machine {
    uint32_t name, activity, line;
    uint32_t initial, initial_line; /* name, or TAC_NONE */
    bool external, several_initials;
};

struct build_node {
    uint32_t name, machine, line;
    uint32_t call;                           /* index into calls, or TAC_NONE */
    uint32_t labels, image, expect, untried; /* names, or TAC_NONE */
    tac_node_kind kind;
    bool leaves;
};

struct build_call {
    uint32_t calls, returns; /* names */
    uint32_t enters;         /* name, or TAC_NONE when it is not a jump */
    bool reuse, auto_return;
};

/* What few transitions have, kept apart so that the many stay small. */
struct build_extra {
    double time, weight;
    uint32_t sends, receives, note, guard, update, labels, expect; /* names, or TAC_NONE */
    double dependency;                                             /* negative: not given */
    int kind; /* below 0: by the event's name */
};

struct build_transition {
    uint32_t machine, from, event, to; /* names; names.c replaces from and to by nodes */
    uint32_t line;
    uint32_t extra; /* index into extras, or TAC_NONE */
};

struct build_action {
    uint32_t transition, xpath, resource_id, text, value, area; /* names, or TAC_NONE */
    tac_action_kind kind;
    bool fragile;
};

struct tac_model_builder {
    tac_names names;
    uint32_t name, setup;
    TAC_VEC(uint32_t) files; /* names; the last one is being read. `file` above is an index */
    TAC_VEC(struct build_device) devices;
    TAC_VEC(struct build_application) applications;
    TAC_VEC(struct build_activity) activities;
    TAC_VEC(struct build_machine) machines;
    TAC_VEC(struct build_node) nodes;
    TAC_VEC(struct build_call) calls;
    TAC_VEC(struct build_transition) transitions;
    TAC_VEC(struct build_extra) extras;
    TAC_VEC(struct build_action) actions;
    bool names_are_checked; /* by the schema, while reading */
    const char *misuse;     /* a call of the builder that made no sense, or NULL */
};

/* The work of finishing: the builder, the model under construction, and where findings go.
 * place[i] of a kind is the index in the model of the builder's element i. */
struct finishing {
    tac_model_builder *builder;
    tac_model *model;
    tac_diagnostics *diagnostics;
    /* The model's arrays, writable. */
    tac_model_device *devices;
    tac_model_application *applications;
    tac_model_activity *activities;
    tac_model_machine *machines;
    tac_model_node *nodes;
    tac_model_transition *transitions;
    tac_model_call *calls;
    tac_model_action *actions;
    uint32_t *application_place, *activity_place, *machine_place, *node_place;
    uint32_t *machine_source, *node_source; /* the inverse of place */
    uint32_t *scratch;                      /* one entry per name, all TAC_NONE between uses */
    size_t suggestion_budget;               /* name comparisons still allowed for "did you mean" */
    size_t room; /* findings kept; a few places stay free for the later steps */
};

struct tac_model_storage {
    tac_arena texts;
};

/* Groups `count` children by parent[i] (below parent_count) and keeps their order. Writes each
 * parent's first child and number of children; returns place[], the caller's. */
uint32_t *tac_model_group(const uint32_t *parent, uint32_t count, uint32_t parent_count,
                          uint32_t *first, uint32_t *counts);
void tac_model_lay_out(struct finishing *work);
void tac_model_resolve_names(struct finishing *work);
void tac_model_resolve_calls(struct finishing *work);
void tac_model_find_silent_cycles(struct finishing *work);
void tac_model_check_filled(struct finishing *work);
void tac_model_check_starts(struct finishing *work);
void tac_model_check_reachable(struct finishing *work);
void tac_model_check_channels(struct finishing *work);
void tac_model_check_repeats(struct finishing *work);
void tac_model_check_scripts(struct finishing *work);
void tac_model_check_actions(struct finishing *work);

/* Adds a finding about something inside an application (index in the model; TAC_NONE: the first
 * file). */
void tac_model_report(struct finishing *work, tac_severity severity, uint32_t application,
                      uint32_t line, const char *format, ...) TAC_PRINTF(5, 6);
uint32_t tac_model_application_of(const struct finishing *work, uint32_t machine);
/* tac_meant, but "" when the budget is spent, so that a file full of wrong names is still checked
 * in linear time. */
tac_meaning tac_model_meant(struct finishing *work, const char *word, const char *const *candidates,
                            size_t count);
const char *tac_model_name_text(const struct finishing *work, uint32_t name);
const char *tac_model_node_word(tac_node_kind kind); /* "state", "connection", "final" */
bool tac_model_machine_is_start(const tac_model *model, uint32_t machine);
