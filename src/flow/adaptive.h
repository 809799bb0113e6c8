/* Covering an app while it runs: the next event is chosen from where the app is, not from a plan
 * made beforehand, because the app may answer an event in several ways and the tester cannot choose
 * which.
 *
 *   loop: tac_adaptive_next says which event to perform, or to start the app again, or that it is
 * over; whoever drives the app performs it and tells tac_adaptive_landed where the app is now.
 *
 * The planner learns how often each answer comes and takes, at every step, the event from which the
 * next uncovered item of its goal is expected soonest. */
#pragma once

#include "tactus/model.h"
#include "tactus/requirement.h"

typedef struct tac_adaptive tac_adaptive;

typedef enum tac_adaptive_step {
    TAC_ADAPTIVE_EVENT,   /* perform this transition's event */
    TAC_ADAPTIVE_START,   /* start the app (again) */
    TAC_ADAPTIVE_COVERED, /* everything is covered */
    TAC_ADAPTIVE_OVER     /* what is left cannot be reached any more */
} tac_adaptive_step;

typedef struct tac_adaptive_figures {
    size_t covered, total; /* items of the goal that some flow has */
    size_t unmodelled;     /* landings that the model does not have for the event */
    uint64_t events, starts;
} tac_adaptive_figures;

typedef enum tac_adaptive_goal {
    TAC_ADAPTIVE_TRANSITIONS,
    TAC_ADAPTIVE_STATES,     /* settled ones */
    TAC_ADAPTIVE_PAIRS,      /* two transitions in a row */
    TAC_ADAPTIVE_REQUIREMENT /* a way that meets it */
} tac_adaptive_goal;

/* "transitions", "states", "pairs", "requirement"; of other words false. */
const char *tac_adaptive_goal_name(tac_adaptive_goal goal);
bool tac_adaptive_goal_parse(const char *name, tac_adaptive_goal *out);

typedef struct tac_adaptive_options {
    tac_adaptive_goal goal;
    const tac_requirement *requirement; /* of that goal; borrowed for the call */
    uint32_t restart_cost;              /* in events; 0 = 10 */
} tac_adaptive_options;

/* The model is borrowed. One device. TAC_E_LIMIT when the model has no end of configurations,
 * TAC_E_INPUT when the requirement names what it does not have. */
tac_status tac_adaptive_new_for(const tac_model *model, const tac_adaptive_options *options,
                                tac_adaptive **out, tac_error *err);
/* The same for all transitions. */
tac_status tac_adaptive_new(const tac_model *model, uint32_t restart_cost, tac_adaptive **out,
                            tac_error *err);
void tac_adaptive_free(tac_adaptive *planner); /* NULL is fine */

/* What to do next. For TAC_ADAPTIVE_EVENT *transition is one of the model whose event and actions
 * are meant; which of the transitions of that event is taken is the app's choice. */
tac_adaptive_step tac_adaptive_next(tac_adaptive *planner, uint32_t *transition);
/* The app now shows this state (a node of the model): after a start or after the event asked for.
 * TAC_MODEL_NONE: a screen that the model does not have, so the app must be started again; a final
 * node: the app was left. False when the model has no transition of that event to there, which is
 * counted and not learned. */
bool tac_adaptive_landed(tac_adaptive *planner, uint32_t node);
/* A state that the screen may show, and how well: the greater the better. */
typedef struct tac_adaptive_sight {
    uint32_t node;
    int fit;
} tac_adaptive_sight;
/* Does what is seen rule out that this transition (TAC_MODEL_NONE: the start) led to this node? */
typedef bool (*tac_adaptive_excluded)(void *context, uint32_t transition, uint32_t node);

typedef enum tac_adaptive_landing {
    TAC_ADAPTIVE_POSSIBLE,   /* as the model says */
    TAC_ADAPTIVE_UNMODELLED, /* the model has no such answer, but it was not known for certain where
                                the app was */
    TAC_ADAPTIVE_REFUTED, /* from no state where the app may have been the event leads to one that
                             the screen may show: the app is not as the model says */
    TAC_ADAPTIVE_EXCLUDED /* some do, and all of them are excluded */
} tac_adaptive_landing;

/* As tac_adaptive_landed, where screens of several states look alike: all that the screen may show
 * are given. The planner keeps the set of the configurations that are possible, chooses events that
 * tell them apart, and takes an item as covered when it is certain. excluded may be NULL. *likely
 * (may be NULL): the node that the app most likely shows, TAC_MODEL_NONE when none is possible; of
 * TAC_ADAPTIVE_EXCLUDED the one that was excluded. */
tac_adaptive_landing tac_adaptive_saw(tac_adaptive *planner, const tac_adaptive_sight *sights,
                                      size_t count, tac_adaptive_excluded excluded, void *context,
                                      uint32_t *likely);
/* The event could not be performed: its element was not there. It is not tried here again. */
void tac_adaptive_refused(tac_adaptive *planner);
/* The nodes that the last event may lead to, by the model, the most frequent first; at most `most`.
 * For telling which of them the app shows. */
size_t tac_adaptive_expected(const tac_adaptive *planner, uint32_t *nodes, size_t most);
void tac_adaptive_report(const tac_adaptive *planner, tac_adaptive_figures *out);
/* What is not covered, and why: calls visit for each item, those that no flow has first. */
typedef void (*tac_adaptive_visit)(void *context, const char *item, const char *why);
void tac_adaptive_left(const tac_adaptive *planner, tac_adaptive_visit visit, void *context);
