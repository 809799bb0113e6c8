/* What is known from executions: a trie over the steps of candidates, one root per scenario.
 *
 * One execution says something about every prefix of its candidate: the app had not crashed there,
 * or it had. So each node counts the executions that its sequence has had, as itself or as the
 * beginning of a longer one, and how they failed. A property is judged at the end of a run, so for
 * properties only the executions of exactly that sequence count (`own`). A step that could not be
 * done blocks every candidate that begins with the same steps.
 *
 * Invariant: a node's `tried` is at least its `own` and at least any count of a failure. */
#pragma once

#include "reproduce/known/steps.h"
#include "run/run_one.h"

/* How often one failure was seen, and in the search for which cause first. */
struct failure_count {
    uint32_t failure, count, cause;
};

struct known_node {
    uint32_t parent, step, depth; /* the sequence is the parent's and this step; a root has none */
    uint32_t tried, own, passed, replays;     /* passed: of `own`, those that came to their end */
    uint32_t blocked;                         /* executions whose last step, this, was not done */
    TAC_VEC(struct failure_count) failed;     /* of `tried` */
    TAC_VEC(struct failure_count) own_failed; /* of `own` */
    TAC_VEC(struct failure_count) replay_failed;
};

struct knowledge {
    struct step_table steps;
    tac_names failures;            /* "crash CLUSTER", "property NAME", "step ..." */
    TAC_VEC(const char *) details; /* per failure: what was said when it was first seen */
    tac_names scenarios;           /* the root of scenario i is node roots[i] */
    TAC_VEC(uint32_t) roots;
    TAC_VEC(struct known_node) nodes;
    tac_u64map children; /* node << 32 | step: node */
    tac_names causes;
    TAC_VEC(uint64_t) executions, searching; /* per cause: all, and those for the search */
    uint64_t total;
    double longest_wait;    /* seconds that an element let wait, of all executions */
    tac_u64map seeds;       /* that executions have had: none has one twice */
    uint32_t left, left_at; /* of the last execution's batch, and the node of its candidate */
    tac_arena arena;
};

/* One execution. */
struct trial {
    struct script script; /* borrowed */
    const char *scenario, *cause;
    bool replay, experiment; /* neither: it was for the search */
    enum run_end end;
    size_t done;         /* steps that were done */
    const char *failure; /* how it crashed or which step failed; "" for neither */
    const char *detail;  /* what was said */
    const char *const *violated;
    size_t violated_count;
    double wait;
    uint64_t seed;
    uint32_t left; /* executions that were asked for together with it and have not ended yet */
};

void knowledge_add(struct knowledge *known, const struct trial *trial);
uint32_t knowledge_failure(struct knowledge *known, const char *failure);

/* What is known about a candidate and one failure. */
struct known {
    uint32_t tried, failed;           /* as itself or as a beginning */
    uint32_t own, own_failed, passed; /* as itself */
    uint32_t replays, replays_failed;
    uint32_t blocked; /* most often seen of its beginnings */
    uint32_t left;    /* tries that were asked for and have not been made: a kill came between */
};
struct known knowledge_of(struct knowledge *known, const struct script *script,
                          const char *scenario, uint32_t failure);
/* The shortest sequence on which the failure was seen (at its end: in executions of just it) while
 * another cause was searched for, before `cause` was; false when there is none. The caller's. It
 * does not depend on what the search for `cause` itself has done, so that one which continues
 * begins where it began. */
bool knowledge_shortest(const struct knowledge *known, const char *scenario, uint32_t failure,
                        bool at_the_end, const char *cause, struct script *out);
uint64_t knowledge_executions(const struct knowledge *known, const char *cause);
uint64_t knowledge_searching(const struct knowledge *known, const char *cause);
void knowledge_free(struct knowledge *known);
