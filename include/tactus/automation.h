/* Automations as people have them (Home Assistant, Tasker): what is wrong with them, shown by a
 * story that a separate simulator has played. See docs/automation.md. */
#ifndef TACTUS_AUTOMATION_H
#define TACTUS_AUTOMATION_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/watch.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

TAC_BEGIN_DECLARATIONS

typedef enum tac_automation_format {
    TAC_AUTOMATION_HOME_ASSISTANT,
    TAC_AUTOMATION_TASKER,
    TAC_AUTOMATION_PLAIN /* our own text form */
} tac_automation_format;

/* How much of an automation is understood. */
typedef enum tac_automation_reading {
    TAC_READ_EXACT,      /* triggers, conditions and writes are all plain */
    TAC_READ_ABSTRACTED, /* something is taken as "may hold" or "may write" */
    TAC_READ_NOT         /* its target or its code is not known */
} tac_automation_reading;

typedef enum tac_automation_class {
    TAC_IMPOSSIBLE_VALUE,
    TAC_NEVER_FIRES,
    TAC_DEAD_TRIGGER,
    TAC_DEAD_BRANCH,
    TAC_DUPLICATE_ID,
    TAC_OPPOSITE_WRITES,
    TAC_RETRIGGER_IGNORED,
    TAC_NO_HYSTERESIS,
    TAC_LOOP,
    TAC_REDUNDANT,
    TAC_UNKNOWN_ENTITY,
    TAC_AUTOMATION_CLASSES
} tac_automation_class;

/* "impossible-value", ...; and back, TAC_AUTOMATION_CLASSES when the name is not one. */
const char *tac_automation_class_name(tac_automation_class which);
const char *tac_automation_class_text(tac_automation_class which); /* what findings of it are */
tac_automation_class tac_automation_class_of(const char *name);

typedef struct tac_automation_model tac_automation_model;

/* Reads a folder or a file. Broken files are diagnostics, the rest is read; TAC_E_INPUT when the
 * path holds no automations at all. *out is the caller's. */
tac_status tac_automation_load(const char *path, tac_diagnostics *diagnostics,
                               tac_automation_model **out, tac_error *err);
void tac_automation_free(tac_automation_model *model);

typedef struct tac_automation_place {
    const char *file; /* relative to the path that was loaded */
    size_t line;
    const char *id, *alias; /* of the automation; NULL where it has none */
} tac_automation_place;

typedef struct tac_automation_moment {
    double t;      /* seconds since the story's first moment */
    char *event;   /* what happens */
    char **fires;  /* automations that start; count fire_count */
    char **writes; /* "light.hall := on"; count write_count */
    size_t fire_count, write_count;
} tac_automation_moment;

typedef struct tac_automation_repair {
    char *description;
    const char *file;
    size_t line;
    char *patch; /* a unified diff of the file */
    char *fixed; /* the whole file after it */
} tac_automation_repair;

typedef struct tac_automation_finding {
    tac_automation_class which;
    bool exact; /* false: possible, something on its way is abstracted */
    char *message;
    tac_automation_place *places; /* the automation, then the others concerned */
    size_t place_count;
    const char **entities;
    size_t entity_count;
    tac_automation_moment *story;
    size_t moment_count;
    tac_automation_repair *repairs;
    size_t repair_count;
} tac_automation_finding;

typedef struct tac_automation_findings {
    size_t automations, exact, abstracted, unreadable, disabled;
    size_t incomplete;          /* questions given up for their size; 0: every answer is complete */
    tac_automation_finding *at; /* exact ones first, then by file and line */
    size_t count;
} tac_automation_findings;

typedef struct tac_automation_options {
    bool possible;    /* also findings that rest on something abstracted */
    bool repairs;     /* propose repairs */
    unsigned classes; /* 1 << class for each wanted; 0 = all */
    tac_watch *watch;
} tac_automation_options;

tac_status tac_automation_check(const tac_automation_model *model,
                                const tac_automation_options *options,
                                tac_automation_findings **out, tac_error *err);
void tac_automation_findings_free(tac_automation_findings *findings);

/* The normal form: entities with their values, automations with triggers, condition and steps. */
void tac_automation_show(const tac_automation_model *model, FILE *out);
/* Why automations are not exact: reason by reason with counts, one line each. */
void tac_automation_show_reading(const tac_automation_model *model, FILE *out);

/* Plays a file of events: see docs/automation.md for its lines. *out: the moments, the caller's. */
tac_status tac_automation_simulate(const tac_automation_model *model, const char *events_path,
                                   tac_watch *watch, tac_automation_moment **out, size_t *count,
                                   tac_error *err);
void tac_automation_moments_free(tac_automation_moment *moments, size_t count);

TAC_END_DECLARATIONS

#endif
