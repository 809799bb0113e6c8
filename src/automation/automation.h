/* What other modules use of this one beside tactus/automation.h. */
#pragma once

#include "tactus/automation.h"
#include <stdio.h>

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

const char *tac_automation_class_text(tac_automation_class which); /* what findings of it are */
tac_automation_class tac_automation_class_of(const char *name);

/* The normal form: entities with their values, automations with triggers, condition and steps. */
void tac_automation_show(const tac_automation_model *model, FILE *out);
/* Why automations are not exact: reason by reason with counts, one line each. */
void tac_automation_show_reading(const tac_automation_model *model, FILE *out);

/* Plays a file of events: see docs/automation.md for its lines. *out: the moments, the caller's. */
tac_status tac_automation_simulate(const tac_automation_model *model, const char *events_path,
                                   tac_watch *watch, tac_automation_moment **out, size_t *count,
                                   tac_error *err);
void tac_automation_moments_free(tac_automation_moment *moments, size_t count);
