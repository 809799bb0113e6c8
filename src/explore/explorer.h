/* The explorer's knowledge and its place in the app.
 *
 * Screens are numbered by the order of discovery; each has the controls it accepts, and each
 * control the outcomes that were seen. The place in the app is the current screen and a shadow of
 * the back stack: one frame per activity instance, each remembering the call that left it. A return
 * is credited to that call, so one "back" that goes to four places is four calls and one return. */
#pragma once

#include "base/data/arena.h"
#include "base/data/map.h"
#include "base/data/vec.h"
#include "explore/explore.h"

#define NOWHERE UINT32_MAX

enum {
    MAX_SCREENS = 100000,
    MAX_FRAMES = 200,
    MAX_ATTEMPTS = 25,
    MAX_REFUSALS = 2, /* then a control is given up */
    MAX_FAILURES = 6  /* events in a row that the device could not finish: then it is given up */
};

enum outcome_kind {
    WENT,     /* to another screen of the same activity instance */
    CALLED,   /* a new activity instance came to the front */
    RETURNED, /* one or more instances were finished; the one below is in front again */
    LEFT,     /* the app is no longer in front */
    AWAY,     /* another application came to the front */
    CRASHED
};

struct landing { /* where a call came back to, and by which control it was ended */
    uint32_t screen;
    uint32_t by; /* key; NOWHERE for other applications */
    uint32_t count;
};

struct explore_outcome {
    enum outcome_kind kind;
    uint32_t target; /* WENT, CALLED: screen. AWAY: index into away. CRASHED: index into crashes.
                        RETURNED over several: the screen that the instance in front began with */
    uint32_t pops;   /* RETURNED: instances finished. CALLED: instances finished before the call */
    uint32_t count;  /* times seen */
    uint32_t attempts;                /* CALLED: how often its return was looked for */
    bool deep;                        /* LEFT although there were activities below */
    bool forgotten;                   /* it led to a screen that is forgotten */
    bool looks_differ;                /* it was seen from several looks of its screen */
    uint64_t look;                    /* the look of its screen when it was first seen */
    double delay;                     /* system events: seconds until it happened */
    TAC_VEC(struct landing) landings; /* CALLED, AWAY: screens it came back to */
};

struct control {
    uint32_t key;   /* into keys: which control and gesture it is, in every screen */
    uint32_t rank;  /* of its node among those that are compared; NOWHERE: it has none */
    uint32_t order; /* place in the document; back first, system events last */
    tac_action_kind kind;
    bool system;
    const char *xpath, *resource_id, *value; /* arena; NULL when absent */
    uint32_t tries, attempts;
    bool leaves;         /* seems to lead out of the app */
    bool leads;          /* a link to another place of the app */
    bool claimed;        /* one of several devices is on its way to it */
    uint32_t refusals;   /* times that it could not be performed although its screen was there;
                            of a system event: times in a row that it did not come */
    const char *refused; /* why it was given up; NULL: it was not */
    TAC_VEC(struct explore_outcome) outcomes;
};

struct screen {
    uint32_t activity;    /* into names */
    uint32_t depth;       /* fewest known events from the launch */
    bool watched, launch; /* launch: seen right after a launch */
    bool forgotten;       /* it was not what it was taken for (forget.c) */
    bool variant;         /* differs from a screen that was known in what is chosen alone */
    bool pictured;        /* nobody needs to take its picture any more (pictures.c) */
    uint32_t found_from,
        found_by;   /* the screen and control that first led here; NOWHERE: a launch */
    uint64_t texts; /* what it said when its controls were last located */
    TAC_VEC(struct control) controls;
};

struct call_site {
    uint32_t screen, control, outcome; /* NOWHERE: none */
};

struct explore_frame {
    uint64_t instance; /* 0 where the device does not tell */
    uint32_t activity;
    uint32_t entry;           /* the screen it began with */
    struct call_site left_by; /* the call that went on from here; none for the topmost frame */
};

struct away_app {
    const char *package, *activity;
};
struct crash_seen {
    const char *exception, *message, *frame;
};

/* What became of a control, on whatever screen it was tried. */
struct key_record {
    uint32_t tries, moves; /* moves: the screen became another one of the app */
    uint32_t finds;        /* and that was not known before */
};

struct explorer {
    tac_device *device;
    struct explore_crew *crew;          /* several devices (crew.h), or NULL */
    TAC_VEC(struct key_record) records; /* by key; may be shorter than keys */
    tac_explore_options options;
    tac_watch *watch;
    tac_arena arena;
    tac_names signatures; /* id = screen number */
    tac_names names;      /* activities */
    tac_names keys;       /* identities of controls */
    TAC_VEC(struct screen) screens;
    tac_names counted; /* beginnings of ids, up to numbers that somebody counts up (reconsider.c) */
    tac_names shapes;  /* signatures without what is chosen */
    tac_names finer;   /* signatures of screens that are compared by their look too */
    uint64_t look;     /* of the current screen: what the criterion does not compare */
    uint64_t forgotten; /* screens */
    TAC_VEC(struct away_app) away;
    TAC_VEC(struct crash_seen) crashes;
    const char *package, *app_name, *app_code, *device_name, *serial;

    TAC_VEC(struct explore_frame) frames; /* empty: the app is not in front */
    uint32_t at;                          /* the current screen, or NOWHERE */
    uint32_t landed;       /* where the last event led, before the screen changed by itself */
    uint32_t device_depth; /* as the device said last; 0 = unknown */

    uint64_t events, launches, snapshots;
    double seconds; /* on the device's clock, earlier parts of a resumed exploration included */
    int64_t clock_start;
    bool *ignore_used, *text_used;
    tac_names fields;   /* editable fields without a text */
    bool limited;       /* the depth limit left something out */
    uint32_t unreached; /* controls that could not be reached again */
    uint32_t failures;  /* events in a row that the device could not finish */
    tac_error failure;  /* of the last of them */
    uint64_t unsettled; /* events after which the screen did not come to rest */
    double last_checkpoint;
    uint64_t checkpoint_events;
};

/* --- screen_match.c: which screen is it, what does it accept --- */
tac_status screen_match(struct explorer *ex, const tac_ui *ui, const char *activity,
                        uint32_t *number, tac_error *err);
uint32_t screen_control(struct explorer *ex, uint32_t number, const char *key, tac_action_kind kind,
                        bool system, uint32_t order);

/* --- reconsider.c: what one event says about the screens that it led to --- */
/* After an event: forgets screens whose matching has proved wrong. */
void reconsider(struct explorer *ex, uint32_t from, uint32_t control_index);
bool reconsider_counted(const struct explorer *ex, const char *id, size_t length);

/* --- forget.c --- */
void explorer_forget(struct explorer *ex, const bool *which);
/* Some screen that was seen right after a launch is not forgotten. */
bool explorer_knows_launch(const struct explorer *ex);
/* Gives the screens that are left their numbers; nobody may be walking any more. */
void explorer_compact(struct explorer *ex);

/* --- observe.c: what is in front --- */
struct sight {
    bool in_app, running, crashed;
    uint32_t screen; /* in_app only */
    const char *package, *activity;
    uint32_t depth;
    uint64_t instance;
};
tac_status observe(struct explorer *ex, struct sight *out, tac_error *err);

/* --- shadow.c: the back stack as the explorer believes it to be, and what events did --- */
/* The app is nowhere. */
void shadow_clear(struct explorer *ex);
/* The sight is of a new frame, on top. */
void shadow_enter(struct explorer *ex, const struct sight *s);
/* The frame that the sight belongs to, or SIZE_MAX when it is a new one. */
size_t shadow_frame(const struct explorer *ex, const struct sight *s);
/* Records what the event did and moves the shadow there. */
void shadow_record(struct explorer *ex, uint32_t from, uint32_t control_index,
                   const struct sight *s, double delay);
/* The screen is not the expected one: the shadow takes the place as it is, crediting no event. */
void shadow_follow(struct explorer *ex, const struct sight *s);
/* The screen can be reached within so many events, by a control of another one. */
void shadow_nearer(struct explorer *ex, uint32_t screen_number, uint32_t depth, uint32_t from,
                   uint32_t by);
/* Where the app came back after an outcome that had led away from it. */
void shadow_landing(struct explore_outcome *o, uint32_t screen_number, uint32_t by);
/* From which look of its screen an outcome was seen. */
void shadow_look(struct control *c, uint32_t target, uint64_t look);

/* --- walk.c: moving through the app --- */
tac_status walk_launch(struct explorer *ex, tac_error *err);
/* Looks where the app is, without having done anything. */
tac_status walk_look(struct explorer *ex, tac_error *err);
/* Performs a control of the current screen. *moved is false when the screen was not what it seemed
 * and nothing was performed. */
tac_status walk_perform(struct explorer *ex, uint32_t control_index, bool *moved, tac_error *err);
/* Watches a new screen for changing by itself. */
tac_status walk_watch(struct explorer *ex, tac_error *err);

/* --- plan.c: the way to something untried --- */
struct explore_plan {
    TAC_VEC(uint32_t) controls; /* one per step; the last one is the goal */
    TAC_VEC(uint32_t) screens;  /* where each step is expected to start */
    struct call_site returning; /* the goal is to see where this call comes back to; or none */
};
/* From the current place, or from a fresh launch. False: there is no way. */
bool plan_find(struct explorer *ex, bool from_launch, struct explore_plan *out);
bool control_differs(const struct control *c); /* nondeterminism was seen */
/* The same, but the least dull thing first: what no screen has tried yet, near or less near. */
bool plan_find_novel(struct explorer *ex, bool from_launch, struct explore_plan *out);
bool plan_wanted(const struct explorer *ex, uint32_t screen_number, const struct control *c);
void plan_free(struct explore_plan *p);

/* --- strategies --- */
tac_status explore_nearest(struct explorer *ex, bool always_restart, tac_error *err);
tac_status explore_depth_first(struct explorer *ex, tac_error *err);
tac_status explore_breadth_first(struct explorer *ex, tac_error *err);

/* --- event_names.c --- */
/* One name per key, stable between runs; texts live in the arena. */
tac_status event_names(struct explorer *ex, const char ***names, tac_error *err);

/* --- emit_model.c --- */
struct approximation { /* texts of the arena, or constant */
    const char *state, *event, *reason;
};
struct emitted {
    tac_model *model;
    uint32_t *number;                          /* screen -> its number in the canonical order */
    const char **states;                       /* screen -> its name */
    const char **names;                        /* key -> event name */
    TAC_VEC(struct approximation) approximate; /* where the model allows more than was seen */
};
tac_status emit_model(struct explorer *ex, struct emitted *out, tac_error *err);

/* --- pictures.c: what screens look like --- */
/* Takes a picture of the screen that is shown, if it is wanted and there is none. Best effort. */
void picture_take(struct explorer *ex, uint32_t screen_number);
/* What the model names it by, NULL when there is none; arena. */
const char *picture_name(struct explorer *ex, uint32_t screen_number);

/* --- checkpoint.c --- */
tac_status checkpoint_write(struct explorer *ex, tac_error *err);
tac_status checkpoint_read(struct explorer *ex, const char *path, tac_error *err);

/* explorer_check.c: the outcome that a call site names exists and is a call. */
bool explorer_has_call(const struct explorer *ex, struct call_site site);
/* Every number stays within what it counts, and depths are shortest. Cost: all that is known. */
bool explorer_is_whole(const struct explorer *ex);

void explorer_free(struct explorer *ex);
/* The known fewest events from the launch have changed. */
void explorer_relax(struct explorer *ex);
