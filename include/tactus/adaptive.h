/* Covering an app while it runs: the next event is chosen from where the app is, not from a plan
 * made beforehand, because the app may answer an event in several ways and the tester cannot choose
 * which.
 *
 *   loop: tac_adaptive_next says which event to perform, or to start the app again, or that it is
 * over; whoever drives the app performs it and tells tac_adaptive_landed where the app is now.
 *
 * The planner learns how often each answer comes and takes, at every step, the event from which the
 * next uncovered transition is expected soonest. */
#ifndef TACTUS_ADAPTIVE_H
#define TACTUS_ADAPTIVE_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/model.h"
#include <stdbool.h>
#include <stdint.h>

TAC_BEGIN_DECLARATIONS

typedef struct tac_adaptive tac_adaptive;

typedef enum tac_adaptive_step {
    TAC_ADAPTIVE_EVENT,   /* perform this transition's event */
    TAC_ADAPTIVE_START,   /* start the app (again) */
    TAC_ADAPTIVE_COVERED, /* everything is covered */
    TAC_ADAPTIVE_OVER     /* what is left cannot be reached any more */
} tac_adaptive_step;

typedef struct tac_adaptive_figures {
    size_t covered, total; /* transitions that some flow has */
    size_t unmodelled;     /* landings that the model does not have for the event */
    uint64_t events, starts;
} tac_adaptive_figures;

/* The model is borrowed. One device; restart_cost in events (0 = 10). TAC_E_LIMIT when the model
 * has no end of configurations. */
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
/* The event could not be performed: its element was not there. It is not tried here again. */
void tac_adaptive_refused(tac_adaptive *planner);
/* The nodes that the last event may lead to, by the model, the most frequent first; at most `most`.
 * For telling which of them the app shows. */
size_t tac_adaptive_expected(const tac_adaptive *planner, uint32_t *nodes, size_t most);
void tac_adaptive_report(const tac_adaptive *planner, tac_adaptive_figures *out);
bool tac_adaptive_has(const tac_adaptive *planner, uint32_t transition); /* covered? */

TAC_END_DECLARATIONS

#endif
