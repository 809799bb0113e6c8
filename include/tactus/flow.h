/* App user flows of a model: counted, listed, sampled, and chosen to cover something.
 *
 * An engine holds one model, one bound and one set of options. It builds configurations when they
 * are needed, so making one is cheap; it remembers them, so asking twice is cheaper. An engine is
 * not for several threads at once. */
#ifndef TACTUS_FLOW_H
#define TACTUS_FLOW_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/flow_file.h"
#include "tactus/model.h"
#include "tactus/requirement.h"
#include "tactus/watch.h"
#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

TAC_BEGIN_DECLARATIONS

#define TAC_FLOW_UNBOUNDED UINT32_MAX

typedef struct tac_flow_options {
    uint32_t length;                            /* at most so many events per flow; covering may
                                                   do without: TAC_FLOW_UNBOUNDED */
    const tac_requirement *const *requirements; /* all of them are met; borrowed, must outlive */
    size_t requirement_count;
    unsigned kinds;               /* of tac_flow_kind; 0 = TAC_FLOW_ANY */
    bool witness;                 /* minimal prefixes that meet the sequences, instead of flows */
    bool distinct;                /* fold flows with equal events */
    bool requirements_watch_only; /* they do not restrict the flows; for covering */
    bool all_interleavings;       /* of several devices; otherwise one representative per class */
    size_t memory_limit;          /* bytes of configurations; 0 = 1 GiB */
    tac_watch *watch;             /* may be NULL */
} tac_flow_options;

typedef struct tac_flow_engine tac_flow_engine;

/* The model must outlive the engine. Names of requirements that the model does not have are errors
 * in diagnostics (not NULL), each with its line. */
tac_status tac_flow_engine_new(const tac_model *model, const tac_flow_options *options,
                               tac_diagnostics *diagnostics, tac_flow_engine **out, tac_error *err);
void tac_flow_engine_free(tac_flow_engine *engine); /* NULL is fine */

/* --- Counting --- */

/* flows counts the kinds asked for, the others every flow of their kind. With `witness`
 * flows and witnesses are the number of witnesses, the others 0. With `distinct` each is a number
 * of event sequences, and one sequence may be of several kinds. */
typedef struct tac_flow_counts {
    mpz_t flows, exit, stuck, truncated, witnesses;
    mpz_t prefixes; /* beginnings of flows that the requirements do not rule out, the empty one
                       too: what a search that remembers no state would visit */
} tac_flow_counts;

void tac_flow_counts_init(tac_flow_counts *counts);
void tac_flow_counts_clear(tac_flow_counts *counts);
/* Exact, by dynamic programming: O(length * edges of the configuration graph), no enumeration. */
tac_status tac_flow_count(tac_flow_engine *engine, tac_flow_counts *counts, tac_error *err);

/* {"flows","exit","stuck","truncated"} or {"witnesses"}, decimal texts; the caller's. */
json_t *tac_flow_counts_json(const tac_flow_counts *counts, bool witness);

/* --- Listing --- */

/* A flow inside an engine; borrowed, valid during the callback. */
typedef struct tac_flow_path {
    tac_flow_kind kind;
    uint32_t root;         /* index of the start */
    uint32_t length;       /* events */
    const uint32_t *edges; /* of the engine's graph, length of them */
} tac_flow_path;

/* Returning false stops the listing, which is then no error. */
typedef bool (*tac_flow_visit)(void *context, const tac_flow_path *path);

/* Depth first, in the order of the model file. limit 0 = all. *listed (may be NULL) is set also on
 * failure. Memory does not depend on the number of flows. */
tac_status tac_flow_list(tac_flow_engine *engine, uint64_t limit, tac_flow_visit visit,
                         void *context, uint64_t *listed, tac_error *err);
/* One flow a line, events separated by one space. */
tac_status tac_flow_list_text(tac_flow_engine *engine, uint64_t limit, FILE *out, uint64_t *listed,
                              tac_error *err);
/* One JSON object a line (flow_file.h). */
tac_status tac_flow_list_jsonl(tac_flow_engine *engine, uint64_t limit, FILE *out, uint64_t *listed,
                               tac_error *err);

/* The event printed for step i of a path, "DEVICE:event" when there are several devices. */
const char *tac_flow_path_event(const tac_flow_engine *engine, const tac_flow_path *path,
                                uint32_t i);
/* The whole flow with states, actions and times; borrowed, valid until the next call. */
const tac_flow *tac_flow_describe(tac_flow_engine *engine, const tac_flow_path *path);

/* --- Sampling --- */

typedef struct tac_flow_sampling {
    uint64_t count, seed;
    bool weighted; /* a random walk by transition weights; otherwise uniform over all flows */
} tac_flow_sampling;

/* Calls visit count times (with repetition, as independent draws are); none when there is no flow.
 */
tac_status tac_flow_sample(tac_flow_engine *engine, const tac_flow_sampling *sampling,
                           tac_flow_visit visit, void *context, tac_error *err);

/* --- Covering --- */

typedef enum tac_cover_goal {
    TAC_COVER_STATES,      /* settled states */
    TAC_COVER_TRANSITIONS, /* transitions of the model */
    TAC_COVER_TUPLES,      /* `tuple` consecutive transitions of a flow; 2 = pairs */
    TAC_COVER_EDGES,       /* (configuration of the device, transition) */
    TAC_COVER_REQUIREMENTS /* each requirement by a flow that meets it */
} tac_cover_goal;

typedef struct tac_cover_options {
    tac_cover_goal goal;
    uint32_t tuple;   /* TAC_COVER_TUPLES: how many, 1 or more */
    const char *only; /* one state or transition event alone, by name; NULL = all of the goal */
    double percent;   /* enough at this share of the feasible items; 0 = 100 */
    double budget;    /* seconds of execution; 0 = none. Steps without a time take one second */
    uint32_t diverse; /* this many flows, each as far from the others as possible; 0 = off */
    uint32_t restart_cost; /* of one more flow, in events, when tours are compared; 0 = 10 */
    uint64_t seed;         /* of the ties */
} tac_cover_options;

typedef struct tac_cover_flow {
    tac_flow_path path; /* inside the suite's engine */
    double seconds;     /* how long it takes to execute */
    uint32_t gain;      /* items that no flow before it covers */
} tac_cover_flow;

typedef struct tac_cover_suite {
    tac_flow_engine *engine; /* the paths belong to it; owned by the suite when requirements are
                                the goal, otherwise the caller's */
    bool owns_engine;
    tac_cover_flow *flows;
    size_t flow_count;
    size_t covered, total; /* total: the items that are feasible within the length */
    size_t events;
    double seconds;
    char **infeasible; /* items that no flow within the length has */
    size_t infeasible_count;
    /* events, and the restart cost for every flow but the first; what any suite that covers as much
     * costs at least (0 = not known); whether that is reached, so that no suite is better */
    uint64_t cost, lower_bound;
    bool optimal;
    bool cut;         /* without a bound: variables count on, the search ended before all was seen.
                         total is what was found, infeasible is empty, optimal is false */
    char **not_found; /* of a cut search: items that may lie farther, or nowhere */
    size_t not_found_count;
    const char *method;                /* "postman", "walk" or "greedy" */
    struct tac_cover_storage *storage; /* private */
} tac_cover_suite;

/* Chooses flows of the engine. For TAC_COVER_REQUIREMENTS the engine's requirements are the items
 * and do not restrict the flows. An `only` that does not exist is TAC_E_USAGE; one that cannot be
 * reached is TAC_E_INPUT, before anything is searched, one that a cut search does not find
 * TAC_E_LIMIT. */
tac_status tac_flow_cover(tac_flow_engine *engine, const tac_cover_options *options,
                          tac_cover_suite *suite, tac_error *err);
void tac_cover_suite_free(tac_cover_suite *suite);
/* {"goal","covered","total","flows":[[event,..],..],"events","seconds","infeasible","cost",
 * "lower_bound","optimal","method"}; of a cut search also "cut":true and "not_found":[item,..] */
json_t *tac_cover_suite_json(const tac_cover_suite *suite, const char *goal);

/* --- Goals as text --- */

/* What a goal or a GraphWalker generator asks for. */
typedef struct tac_flow_goal {
    bool covers;             /* cover.goal is to be covered, to cover.percent */
    tac_cover_options cover; /* goal, tuple, only and percent are set */
    bool weighted;           /* weighted_random(...) */
    bool postman;            /* directed_chinese_postman(...) */
    uint32_t length;         /* length(N); 0 = not given */
    char only[256];          /* storage of cover.only */
} tac_flow_goal;

/* "states", "transitions", "pairs", "edges", "tuples:K", "requirements", or a GraphWalker string
 * such as "random(edge_coverage(100))" or "a_star(reached_vertex(S6))". TAC_E_USAGE with what is
 * understood otherwise. The result must not be copied (cover.only points into it). */
tac_status tac_flow_goal_parse(const char *text, tac_flow_goal *out, tac_error *err);

TAC_END_DECLARATIONS

#endif
