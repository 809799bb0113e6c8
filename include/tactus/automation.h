/* Automations as people have them (Home Assistant, Tasker): what is wrong with them, shown by a
 * story that a separate simulator has played. See docs/automation.md. */
#ifndef TACTUS_AUTOMATION_H
#define TACTUS_AUTOMATION_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/watch.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

TAC_BEGIN_DECLARATIONS

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
/* The document of `tactus automation check --json`; the caller's. */
json_t *tac_automation_findings_json(const tac_automation_findings *findings);

TAC_END_DECLARATIONS

#endif
