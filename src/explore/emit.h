/* Between the two halves of writing the model: which machines there are, and what is in them. */
#pragma once

#include "explore/explorer.h"
#include "model/model.h"

typedef TAC_VEC(uint32_t) number_list;

struct machine {
    uint32_t entry, index; /* index: in the builder */
    const char *name;
    number_list members;
    bool *contains; /* per screen */
    /* a copy for calls that come back to different screens: of the controls in `known` only those
     * in `allowed` may end it (keys, sorted) */
    bool copy;
    number_list allowed, known;
};

struct connection {
    uint32_t machine; /* number in `machines` it belongs to */
    const char *calls, *returns;
    bool reuse;
};

struct emitter {
    struct explorer *ex;
    struct emitted *out;
    tac_model_builder *builder;
    uint32_t application;
    TAC_VEC(struct machine) machines;
    uint32_t *entry_machine; /* per screen: number of the machine that begins with it, or NOWHERE */
    number_list order;       /* screens by their number */
    TAC_VEC(struct connection) connections;
    const char **away_machines; /* per away app: what a connection calls */
    size_t first_connection;    /* of the machine being written */
    uint32_t current;           /* the machine being written */
    bool *crash_written;        /* per crash, in this machine */
    bool left_written;          /* the final that leaves the app, in this machine */
    tac_names written;          /* "from event to" of this machine: renamed events may coincide */
};

/* --- emit_machines.c --- */
void emit_number_screens(struct emitter *em);
void emit_find_machines(struct emitter *em);
void emit_build_machines(struct emitter *em);
/* The machine that a call enters when it is to come back to this screen. */
uint32_t emit_called_machine(const struct emitter *em, const struct explore_outcome *call,
                             uint32_t landing_screen);
bool emit_may_end(const struct machine *m, uint32_t key);
void emit_free_machines(struct emitter *em);
