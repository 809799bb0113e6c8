/* One run on a team of devices: a flow step by step, or random events on a single one. */
#pragma once

#include "base/data/pattern.h"
#include "run/deeds.h"
#include "run/expect.h"
#include "run/kept/kept.h"
#include "run/kept/live.h"
#include "run/probe_set.h"
#include "run/recorder.h"
#include "run/run.h"
#include "run/team.h"
#include "tactus/flow_file.h"

/* How a run ended, apart from failures of a device itself. */
enum run_end { RUN_PASS, RUN_FAIL, RUN_CRASH, RUN_ABORTED };

/* An event that a member's log announced. */
struct heard {
    struct run_moment when;
    size_t member;
    char *event;
};

struct run_context {
    const tac_run_options *options;
    struct run_team *team;
    const struct instrument_set *instruments; /* instruments beside the team */
    struct probe_set probes;                  /* the team's devices come first, in order */
    struct run_recorder recorder;
    tac_pattern *const *patterns; /* compiled, options->pattern_count of them */
    int64_t id;                   /* of the run in its campaign */
    uint64_t seed;
    json_t *coverage; /* what an adaptive run covered, for its row (adaptive.c); NULL otherwise */
    json_t *acted;    /* how often its actions were done, likewise (actions/tally.h) */
    enum run_end end;
    size_t failed_member; /* the member whose step failed, or whose app crashed */
    size_t steps;         /* events performed */
    uint64_t ignored;     /* which of options->ignore matched something */
    size_t returns;       /* times that the app was left and brought back */
    char message[1400];
    char lost[400]; /* what a built-in phone said about a message that reached nobody */
    TAC_VEC(struct heard) heard;
    struct run_deeds deeds; /* of random and adaptive runs */
    double longest_wait;    /* seconds that an element of a flow's step let wait */
    struct log_tail log;
    struct live_view *live; /* who watches; NULL: nobody */
    const char *scenario;   /* its name, for those who watch */
    double sample, think, deadline;
    double rest; /* seconds that a screen may take to come to rest */
    /* What is read from every screen: of the properties (these are recorded), then of the guards.
     */
    const tac_observable *observables;
    size_t observable_count, recorded_count;
    tac_observed *readings;      /* the last ones */
    int64_t looked_at;           /* when, in nanoseconds since the start */
    struct action_file *actions; /* NULL: none; borrowed */
    const tac_model *model;      /* screens are compared with its states; NULL: they are not */
    const tac_model *expecting;  /* the model of the expectations */
    struct expectations *expectations; /* NULL: none; borrowed */
    bool elsewhere;                    /* the app went another way of the model: the flow is over */
    bool observes;                     /* events of the user stand in the state after them */
};

const char *run_end_name(enum run_end end);

/* Executes the flow. TAC_OK whatever the app did (context->end and message tell); an error is a
 * failure of a device or of recording, which leaves no verdict. */
tac_status run_flow(struct run_context *context, const tac_flow *flow, tac_error *err);
tac_status run_monkey(struct run_context *context, tac_error *err);
/* Covers the model of the options, events chosen on the way (flow/adaptive.h). */
tac_status run_adaptive(struct run_context *context, tac_error *err);

/* Guarded actions, chosen at random among those that make sense (actions.c). */
tac_status run_actions(struct run_context *context, tac_error *err);
/* A monkey for single events among others: does one on this screen and lets it settle. *event (the
 * caller's) is its name, NULL when nothing was done. */
struct monkey;
struct monkey *monkey_new(struct run_context *context);
tac_status monkey_act(struct monkey *monkey, const tac_ui *ui, char **event, tac_error *err);
void monkey_free(struct monkey *monkey); /* NULL is fine */
/* Names the screen that is shown, keeps it, and tells the recorder. */
void run_name_screen(struct run_context *context, const tac_ui *ui, const char *activity);

/* --- observe.c: shared by both --- */

/* A step between states of the model; from and event are TAC_MODEL_NONE and NULL at the start. */
struct run_move {
    uint32_t from, to; /* nodes, or TAC_MODEL_NONE where the model has none */
    const char *event;
    size_t member; /* of the team: who moved */
};
/* Allows what the member's phone asks for, one question after the other, as exploration does: the
 * model has the screens behind them. Does nothing where no screen is compared with a model. */
tac_status run_answer_questions(struct run_context *context, size_t member, tac_error *err);
/* Compares the screen with the state of the model that the move leads to, named by its path for the
 * message; what differs fails the run at this step. */
tac_status run_conform(struct run_context *context, const struct run_move *move, const char *path,
                       size_t step, tac_error *err);
/* Whether the screen is as the model expects it after the move; what is not fails the run. */
tac_status run_expect(struct run_context *context, const struct run_move *move, size_t step,
                      tac_error *err);
/* The parts of it: judges every condition by the member's screen, and tells whether that rules out
 * that this transition (TAC_MODEL_NONE: that of the move) led to the node. What does so fails the
 * run where a move is given. */
tac_status run_expect_read(struct run_context *context, size_t member, tac_error *err);
bool run_expect_excludes(struct run_context *context, uint32_t transition, uint32_t node,
                         const struct run_move *move, size_t step);
void run_expect_anew(struct run_context *context); /* another run begins */
/* Tells what gestures chose: the last text and the last element. */
void run_note_choice(struct run_context *context, const tac_model_action *actions, size_t count);

/* Turns what the logs have announced since the last time into events, in the order of time. */
tac_status run_hear(struct run_context *context, tac_error *err);
/* Hears, measures, records one state, sees a crash or a violation
 * (context->end then is no longer RUN_PASS). event NULL = none, else what happened on the member.
 */
tac_status run_observe(struct run_context *context, size_t member, const char *event,
                       tac_error *err);
/* Whether an app has crashed (context->end and failed_member tell). */
tac_status run_see_crash(struct run_context *context, tac_error *err);
/* Lets seconds pass on all devices, observing every sample. */
tac_status run_wait(struct run_context *context, double seconds, tac_error *err);
/* Looks where a member's app is now. */
tac_status run_locate(struct run_context *context, size_t member, const char *place,
                      tac_error *err);
/* Tells those who watch, if it is time. */
void run_tell(struct run_context *context, size_t member, struct run_moment now);
/* Keeps what the member's screen shows under the place where it is, if pictures are wanted. */
void run_keep_place(struct run_context *context, size_t member);
void run_context_free(struct run_context *context);
