/* Private: for every state a shortest run that never ends and a shortest race, at any size.
 *
 * The machine as a graph (engine/graph.h) says where such runs can be and how long they are at
 * least; a search over its paths (search.c) asks the diagrams of the rules whether some input takes
 * a path; witness.c goes through the states, shares what was found and replays every witness. */
#pragma once

#include "rules/engine/graph.h"

typedef TAC_VEC(uint32_t) edge_path;

struct witness_search {
    struct rules_run *run;
    const struct witness_graph *graph;
    const tac_rules *rules;
    struct window window; /* of the states whose sets the present start state needed */
    /* by edge and by state, valid while the stamp equals the window's: what triggers the edge, what
     * triggers anything, constraints left out */
    tac_bdd *trigger, *enabled;
    uint32_t *stamp;
    /* the present path: states has one more than edges; sets and cubes are built for the first
     * `built` edges */
    edge_path states, edges;
    TAC_VEC(tac_bdd) sets;  /* first inputs that take the path so far; kept */
    TAC_VEC(tac_bdd) cubes; /* what actions have set; kept */
    size_t built;
    size_t cut;       /* edges that some input takes when the path as a whole is taken by none */
    size_t loop;      /* of a run that never ends: the place that came again */
    uint32_t begun;   /* 1 + the start state that the window belongs to */
    uint32_t *place;  /* by state: 1 + its last place on the path, 0 = not on it */
    tac_arena memory; /* of these arrays */
    bool race;        /* a race is sought, else a run that never ends */
    uint32_t limit;   /* transitions of the runs sought */
    bool limited;     /* some path was left because of the limit */
    uint64_t steps, most_steps, start, most_nodes;
    bool stopped; /* the budget of this search is used up */
};

void rules_search_open(struct witness_search *x, struct rules_run *run,
                       const struct witness_graph *graph);
void rules_search_close(struct witness_search *x);

enum search_result {
    SEARCH_FOUND,   /* the path stands in x, with its sets */
    SEARCH_NONE,    /* no run of this length */
    SEARCH_NEVER,   /* no run of any length */
    SEARCH_STOPPED, /* the budget is used up */
};

/* A new start state: forgets the window and starts the budget. */
void rules_search_begin(struct witness_search *x, uint32_t start, bool race);
/* A run of exactly `length` transitions, the shorter ones being excluded already. */
enum search_result rules_search(struct witness_search *x, uint32_t length);
/* Whether some input takes these edges from the start state, as a run of the kind that is sought;
 * then the path stands in x. */
bool rules_search_accepts(struct witness_search *x, const uint32_t *edges, size_t count);
/* The path in x as a witness; `out` is empty. */
void rules_search_take(struct witness_search *x, tac_rules_witness *out);

/* Of every state, into run->out. TAC_E_INTERRUPTED when the watch says so. */
tac_status rules_find_witnesses(struct rules_run *run, tac_error *err);
