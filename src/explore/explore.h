/* Extracting an interaction model from a running app (interaction-model paper, section 5.1).
 *
 * The explorer drives a device: it performs every event that every screen accepts, tells screens
 * apart by the matching criterion of section 5.1.2.1, follows the back stack, and writes what it
 * saw as an interaction model. Four strategies: depth first and breadth first as in the paper
 * (close, launch and replay to backtrack); `nearest`, which walks over known transitions to the
 * closest screen with something untried and restarts only when there is no such way; `novelty` does
 * so too, but first tries what it has never tried on any screen: for small budgets. */
#pragma once

#include "device/device.h"
#include "tactus/verdict.h"

typedef enum tac_strategy {
    TAC_EXPLORE_NEAREST,
    TAC_EXPLORE_DFS,
    TAC_EXPLORE_BFS,
    TAC_EXPLORE_NOVELTY
} tac_strategy;

typedef struct tac_explore_options {
    tac_strategy strategy;
    uint32_t depth; /* most events from the launch to a screen that is explored; 0 = no limit */
    uint32_t list_items;       /* items of a list that are explored and compared; 0 = 1 */
    unsigned gestures;         /* bits 1 << tac_action_kind; 0 = click, text, back */
    const char *const *inputs; /* of tac_system_inputs: also tried on every screen */
    size_t input_count;
    const char *const *ignore; /* XPaths: these elements and what is inside are left alone */
    size_t ignore_count;
    const char *const *texts; /* "XPATH=VALUE": what is entered; other fields are left alone */
    size_t text_count;
    const char *rename;     /* a JSON file {"name": "better name"} for events, or NULL */
    const char *resume;     /* a checkpoint to go on from, or NULL */
    const char *checkpoint; /* where to write checkpoints, or NULL */
    double watch_seconds;   /* how long a new screen is watched for changing by itself;
                               0 = 1, and 5 on virtual time */
    uint32_t tries;         /* how often an event with several outcomes is tried; 0 = 4 */
    bool stable_names;      /* states are named by what they are, not numbered: for merging */
    bool deny_permissions;  /* answer of permission dialogs; false = allow */
    uint64_t seed;        /* given to tac_device_reset at every launch + launch number; 0 = none */
    double deadline;      /* of each call on the device, seconds; 0 = the device's default */
    uint64_t most_events; /* stop after so many events, keep what was found; 0 = 1,000,000 */
    tac_device *const *more; /* devices like the first that explore with it and share the model;
                                nearest and novelty only */
    size_t more_count;
    const char *pictures; /* a folder, made when absent: a picture of every screen, as far as the
                             device gives them; NULL: none */
    const char *picture_prefix; /* the model names the files so, with this before their names: the
                                   way from the model to the folder, such as "app.pictures/" */
} tac_explore_options;

typedef struct tac_exploration tac_exploration;

/* Explores the device's app. On TAC_E_INTERRUPTED (the watch) what was found so far is in the
 * checkpoint, if one was asked for. A device that fails after the first launch leaves the model of
 * what was seen until then: TAC_OK, and tac_exploration_failure tells. An event that the device
 * cannot perform or finish is given up and listed, not the exploration. options may be NULL. */
tac_status tac_explore(tac_device *device, const tac_explore_options *options, tac_watch *watch,
                       tac_exploration **out, tac_error *err);
void tac_exploration_free(tac_exploration *exploration);

/* What ended the exploration early, or NULL; borrowed. */
const tac_error *tac_exploration_failure(const tac_exploration *exploration);
/* The extracted model; borrowed. */
const tac_model *tac_exploration_model(const tac_exploration *exploration);
typedef struct tac_exploration_figures {
    uint64_t events_performed, launches;
    double virtual_seconds;
    bool complete; /* neither the limit on events nor the depth left anything untried */
    uint32_t unreached_events;
} tac_exploration_figures;
tac_exploration_figures tac_exploration_look(const tac_exploration *exploration);

/* What a person should know about an exploration besides its model. */
typedef enum tac_exploration_note {
    TAC_NOTE_NONDETERMINISTIC, /* what: an event; where: the state that it leads differently from */
    TAC_NOTE_EXTERNAL_APP,     /* what: the package that was opened */
    TAC_NOTE_FIELD_WITHOUT_TEXT, /* what: the field that nothing was entered into */
    TAC_NOTE_UNUSED_IGNORE,      /* what: an XPath of the options that no element matched */
    TAC_NOTE_UNUSED_TEXT         /* the same */
} tac_exploration_note;
/* Calls tell for every note of a kind, in the order they were found; where is "" but for the first
 * kind, and the texts are the exploration's. */
void tac_exploration_each(const tac_exploration *exploration, tac_exploration_note kind,
                          void (*tell)(void *context, const char *what, const char *where),
                          void *context);
/* {"activities","machines","states","transitions","events_performed","launches","virtual_seconds",
 * "nondeterministic","unmatched_options",...}; the caller's. */
json_t *tac_exploration_json(const tac_exploration *exploration);
/* What was found, for people: violated when the app crashed, inconclusive when the limit on events
 * ended the exploration, else holds; what the depth or chance left untried is said in words. */
void tac_exploration_verdict(const tac_exploration *exploration, tac_verdict *out);

/* An element of a screen that accepts something. */
typedef struct tac_screen_element {
    uint32_t node;     /* index into the snapshot's nodes */
    unsigned gestures; /* as tac_ui_gestures tells them */
    const char *xpath; /* selects it alone */
    const char *label; /* its text or description, or the first of those inside it; "" for none */
    const char *event; /* the name that an extracted model gives to the first gesture, before names
                          are made unique */
} tac_screen_element;

typedef struct tac_screen_elements {
    const tac_ui *ui;             /* borrowed: it lives at least as long */
    const tac_screen_element *at; /* in document order */
    size_t count;
} tac_screen_elements;

/* What a screen accepts; the caller's. */
tac_screen_elements *tac_screen_find_elements(const tac_ui *ui);
void tac_screen_elements_free(tac_screen_elements *elements); /* NULL is fine */
/* {"nodes","rotation","elements":[{"xpath","label","event","gestures","class","resourceId","text",
 * "description","bounds"}]}; the caller's. */
json_t *tac_screen_json(const tac_screen_elements *elements);
