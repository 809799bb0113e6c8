/* Automations in one form, whatever format they come from.
 *
 * Entities are numbered; an attribute is an entity of its own, named "light.hall.brightness". An
 * automation is a set of triggers, a condition and a tree of steps. What the reader did not
 * understand is a free condition (COND_FREE, one number per text: the same text has the same
 * truth), an unknown value, or an opaque effect; each is counted, so that whoever reasons about the
 * model knows where it is exact. Everything lives in the model's arena. */
#pragma once

#include "automation/automation.h"
#include "automation/yaml/tree.h"
#include "base/data/arena.h"
#include "base/data/map.h"
#include "base/data/vec.h"
#include <stdbool.h>
#include <stdint.h>

struct place {
    uint32_t file, line; /* file: of the tree library */
};

/* A state of an entity: a text; a number when the text reads as one. */
struct value {
    const char *text;
    double number;
    bool is_number;
};

struct text_set {
    const char **at;
    size_t count;
};

enum cond_kind {
    COND_TRUE,
    COND_FALSE,
    COND_AND,
    COND_OR,
    COND_NOT,
    COND_STATE,   /* entity's state is one of texts */
    COND_NUMBER,  /* entity's state is a number within (above, below) or [above, below] */
    COND_HELD,    /* entity has not changed for `seconds` */
    COND_CLOCK,   /* a part of the present moment is within [above, below]; see part */
    COND_TRIGGER, /* what the trigger says of itself (see aspect) is one of texts */
    COND_FREE     /* not understood */
};

enum clock_part { CLOCK_SECOND_OF_DAY, CLOCK_WEEKDAY, CLOCK_MONTH, CLOCK_DAY, CLOCK_PARTS };
/* ASPECT_NUMBER: its place among the automation's triggers, which no two share. */
enum trigger_aspect {
    ASPECT_ID,
    ASPECT_ENTITY,
    ASPECT_TO,
    ASPECT_FROM,
    ASPECT_PLATFORM,
    ASPECT_NUMBER
};

struct cond {
    enum cond_kind kind;
    struct place place;
    uint32_t entity;       /* STATE, NUMBER, HELD */
    struct text_set texts; /* STATE, TRIGGER */
    double above, below;   /* NUMBER, CLOCK; -inf and +inf where open */
    bool above_closed, below_closed;
    double seconds; /* HELD */
    enum clock_part part;
    enum trigger_aspect aspect;
    uint32_t free; /* FREE: its number */
    struct cond **at;
    size_t count; /* AND, OR, NOT */
    bool grows;   /* AND, OR, while they are read: a further operand is one of them */
};

enum trigger_kind {
    TRIGGER_STATE,  /* entity changes: to, from, not_to, not_from; none of them: any change */
    TRIGGER_NUMBER, /* entity crosses into (above, below) */
    TRIGGER_TIME,   /* at `seconds` of the day */
    TRIGGER_START,  /* the system starts */
    TRIGGER_EVENT   /* something else happens, named by key */
};

/* Hours, minutes and seconds: those divisible by `step`, or `at` alone; both -1: any. */
struct clock_pattern {
    int step[3], at[3];
};

struct trigger {
    enum trigger_kind kind;
    struct place place;
    const char *id; /* "0", "1", ... where none is given */
    const char *platform;
    const char *number;  /* see ASPECT_NUMBER; NULL where no condition asks for it */
    struct cond *guard;  /* must hold when it fires; NULL: none. See trigger_guards */
    uint32_t entity;     /* STATE, NUMBER; TAC_NONE otherwise */
    uint32_t first;      /* the first trigger of the same mapping: several entities share one */
    bool of_some_entity; /* EVENT: it may be about an entity, which is not known */
    const char *owner;   /* whose attribute it watches; NULL: it watches a state */
    bool has_to, has_from, has_not_to, has_not_from;
    struct text_set to, from, not_to, not_from;
    double above, below;
    double seconds;                      /* TIME */
    const struct clock_pattern *pattern; /* EVENT: when it happens; NULL: not known */
    double hold;                         /* `for`, in seconds; 0: none; -1: not known */
    const char *key;
    bool abstract; /* when it fires is not fully known */
    bool disabled;
};

enum step_kind {
    STEP_WRITE,  /* entity.slot := value, or an unknown value (value.text NULL) */
    STEP_EFFECT, /* something that is no write: a message, a call that is not understood */
    STEP_DELAY,  /* seconds, -1: not known */
    STEP_WAIT,   /* until something happens; nothing known of it: for some time */
    STEP_CONDITION,
    STEP_CHOOSE, /* the first branch whose condition holds, else the last without one */
    STEP_REPEAT,
    STEP_PARALLEL,
    STEP_SCRIPT, /* the steps of a script, in its own place */
    STEP_STOP
};

struct branch {
    struct cond *cond; /* NULL: otherwise */
    struct step **at;
    size_t count;
    struct place place;
};

struct step {
    enum step_kind kind;
    struct place place;
    uint32_t entity;       /* WRITE */
    const char *slot;      /* WRITE: "" the state, else what is set: "brightness", "power" */
    struct value value;    /* WRITE */
    bool uncertain;        /* WRITE: may or may not happen, or its target is not sure */
    const char *text;      /* WRITE, EFFECT: the call in a normal form, for comparing */
    const char *data;      /* WRITE: what else the call says; NULL: nothing */
    bool harmless;         /* EFFECT: changes no entity that automations can see (a message) */
    double seconds;        /* DELAY */
    struct cond *cond;     /* CONDITION; WAIT: until it holds, or NULL */
    struct trigger *waits; /* WAIT: until one of them fires */
    size_t wait_count;
    double timeout; /* WAIT: seconds, 0: none; -1: not known */
    bool ends_late; /* WAIT: the timeout ends the run */
    struct branch *branches;
    size_t branch_count;
};

enum run_mode { MODE_SINGLE, MODE_RESTART, MODE_QUEUED, MODE_PARALLEL };

struct automation {
    const char *id;                 /* NULL: none */
    const char *alias;              /* NULL: none */
    struct place place, mode_place; /* mode_place.line 0: the mode is not written */
    bool disabled;
    bool called; /* another one runs it, whatever its triggers and conditions say */
    enum run_mode mode;
    uint32_t most_runs; /* queued and parallel, at once; 0: any number */
    struct trigger *triggers;
    size_t trigger_count;
    struct cond *cond;
    struct branch steps;
    tac_automation_reading reading;
    struct text_set reasons; /* why it is not exact */
};

enum domain_kind { DOMAIN_OPEN, DOMAIN_CLOSED, DOMAIN_NUMBER };

struct entity {
    const char *name;
    enum domain_kind domain;
    const char **states; /* DOMAIN_CLOSED */
    size_t state_count;
    const char *domain_source;       /* where the states were taken from, for messages */
    struct text_set impossible;      /* mentioned texts that it can never have */
    TAC_VEC(const char *) mentioned; /* texts it is compared with or set to */
    TAC_VEC(double) cuts;            /* numbers it is compared with */
    struct value *values;            /* representatives: see values.c */
    size_t value_count;
    size_t proof_count; /* >= value_count; those behind it matter to proofs only: 'unavailable' */
    bool may_vanish;    /* it can be unavailable, whether or not anybody asks for that */
    bool more_values;   /* too many: some values have no representative */
    bool watched;       /* some trigger listens to it */
};

/* A state without quotes that YAML reads as a boolean. */
struct bare_word {
    struct place place;
    uint32_t automation;
    const char *key, *text; /* "to", "Yes" as it is written */
    const char *meant;      /* "on" */
};

struct script {
    const char *name;
    struct branch steps;
    struct place place;
    enum run_mode mode;
};

struct tac_automation_model {
    tac_arena arena;
    struct tree_library library;
    tac_names entity_names, free_names;
    TAC_VEC(struct entity) entities;
    TAC_VEC(struct automation) automations;
    TAC_VEC(struct script) scripts;
    TAC_VEC(struct bare_word) bare_words;
    TAC_VEC(double) clock_cuts[CLOCK_PARTS];
    tac_names known_entities;   /* from .storage; empty: not known */
    tac_names defined;          /* by the files, of whatever domain: what follows the point */
    bool knows_entities, whole; /* whole: nothing of the files was left out */
    tac_automation_format format;
    tac_diagnostics *diagnostics;
    const char *overlay_path, *overlay_text; /* for re-reading with one file changed; may be NULL */
    char *path;                              /* what was loaded */
};

/* The number of an entity, made on first mention. */
uint32_t model_entity(tac_automation_model *model, const char *name);
uint32_t model_attribute(tac_automation_model *model, const char *entity, const char *attribute);
/* The entity may be compared with, or set to, this text or number. */
void model_mention(tac_automation_model *model, uint32_t entity, const char *text);
void model_cut(tac_automation_model *model, uint32_t entity, double at);

struct value value_of(const char *text);
bool set_has(const struct text_set *set, const char *text);
void set_add(tac_automation_model *model, struct text_set *set, const char *text);

struct cond *cond_new(tac_automation_model *model, enum cond_kind kind, struct place place);
struct cond *cond_join(tac_automation_model *model, enum cond_kind kind, struct place place,
                       struct cond **at, size_t count); /* copies the array; simplifies */
struct cond *cond_pair(tac_automation_model *model, enum cond_kind kind, struct place place,
                       struct cond *left, struct cond *right);
/* (when and yes) or (not when and no) */
struct cond *cond_if(tac_automation_model *model, struct place place, struct cond *when,
                     struct cond *yes, struct cond *no);
/* `left kind right` as texts have it: operands in a row are one condition. A condition in brackets
 * grows no more. */
struct cond *cond_grow(tac_automation_model *model, enum cond_kind kind, struct place place,
                       struct cond *left, struct cond *right);
struct cond *cond_not(tac_automation_model *model, struct cond *cond);
struct cond *cond_free(tac_automation_model *model, struct place place, const char *text);
struct cond *cond_clock(tac_automation_model *model, struct place place, enum clock_part part,
                        double from, double to);
/* Between two seconds of the day, the second excluded; or over midnight. */
struct cond *cond_hours(tac_automation_model *model, struct place place, double from, double to,
                        bool night);
/* 0 to 6 for "mon" to "sun"; 7 for anything else. */
int weekday_of(const char *name);
typedef TAC_VEC(struct step *) step_list;
typedef TAC_VEC(struct branch) branch_list;
struct step *step_new(tac_automation_model *model, enum step_kind kind, struct place place);
/* A list that was read becomes the branch's steps, or the step's branches, and is empty. */
void branch_take(tac_automation_model *model, struct branch *branch, step_list *steps);
void step_take(tac_automation_model *model, struct step *step, branch_list *branches);
/* The automation's condition with the guards of its triggers: each asked of its own trigger only.
 */
struct cond *trigger_guards(tac_automation_model *model, const struct automation *automation);
/* Whether it is known what the trigger says of this: an attribute's trigger says the states of its
 * entity, which are not at hand. */
bool trigger_tells(const struct trigger *trigger, enum trigger_aspect aspect);
/* What it says whatever has happened; NULL for its states, and where it says nothing. */
const char *trigger_text(const tac_automation_model *model, const struct trigger *trigger,
                         enum trigger_aspect aspect);
/* Whether a free condition occurs in it. */
bool cond_is_abstract(const struct cond *cond);

/* After reading: values that only a trigger's states are compared with; then the representatives
 * of every entity's values. */
void model_mention_aspects(tac_automation_model *model);
void model_finish(tac_automation_model *model);

/* "HH:MM:SS" of a second of the day. */
const char *clock_text(double second, char *buffer, size_t size);
