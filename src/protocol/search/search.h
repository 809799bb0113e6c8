/* Deciding whether a prohibited call is reachable: what the engines share. */
#pragma once

#include "protocol/system/cone.h"

enum search_verdict { SEARCH_UNKNOWN, SEARCH_SAFE, SEARCH_UNSAFE };

/* The answer for one target of a cone. */
struct target_result {
    uint32_t bit; /* global; TAC_NONE: a message after a conflict */
    enum search_verdict verdict;
    u32_vec events;    /* a shortest witness: events of the system, the last one violates */
    uint32_t position; /* of the violating letter in the last event */
};

struct search_result {
    TAC_VEC(struct target_result) targets;
    uint64_t states; /* reached states, over all cones */
    bool counted;    /* states is exact */
    bool used_bdd;
    size_t cones;
};

/* All reachable states of a cone, packed; the evidence of safety. */
struct state_set {
    uint64_t *words; /* count * cone->words */
    size_t count;
};

#define SEARCH_STATE_BUDGET ((size_t)1 << 13)
#define REFINE_STATE_BUDGET ((size_t)1 << 15)

/* Breadth first. Results go to targets[], one per cone->targets. *complete tells whether the whole
 * space was seen within the budget. If states is given and the search is complete it gets the
 * reached set (the caller's). */
tac_status search_bfs(const struct cone *cone, size_t budget, tac_watch *watch,
                      struct target_result *targets, bool *complete, uint64_t *reached,
                      struct state_set *states, tac_error *err);
/* The same with decision diagrams; complete unless memory runs out (then verdicts stay unknown). */
tac_status search_bdd(const struct cone *cone, tac_watch *watch, struct target_result *targets,
                      bool *complete, double *reached, tac_error *err);

enum engine { ENGINE_AUTO, ENGINE_BFS, ENGINE_BDD };

struct search_options {
    enum engine engine;
    const char *target; /* only messages whose signature holds this text; NULL = all */
    size_t budget;      /* states per cone before auto turns to diagrams; 0 = the default */
    tac_watch *watch;
};

/* Targets with equal closures. */
struct target_group {
    u32_vec closure; /* sorted members */
    u32_vec bits;
};
struct target_group *search_groups(const struct system *system, const char *target, size_t *count);
void search_groups_free(struct target_group *groups, size_t count);

/* Explicit search over growing abstractions; see refine.c. When *complete, cone and states
 * (the caller's, cone_free and free) are the last abstraction and what was reached in it: evidence
 * of safety if every target is safe. Otherwise they are untouched and some targets undecided. */
tac_status search_refine(const struct system *system, const struct target_group *group,
                         size_t budget, tac_watch *watch, struct target_result *targets,
                         bool *complete, uint64_t *reached, struct cone *cone,
                         struct state_set *states, tac_error *err);

tac_status search_all(const struct system *system, const struct search_options *options,
                      struct search_result *out, tac_error *err);
/* UNSAFE if any target is, else UNKNOWN if any is, else SAFE; *shortest is the target with the
 * shortest witness, or SIZE_MAX. */
enum search_verdict search_overall(const struct search_result *result, size_t *shortest);
void search_result_free(struct search_result *result);
