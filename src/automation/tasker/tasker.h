/* Reading Tasker exports: one context, profiles in read.c, tasks in task.c, conditions in
 * condition.c.
 *
 * Codes and arguments are those of public documentation and of exports themselves; a code that is
 * not known here is an effect named by its number. */
#ifndef TAC_AUTOMATION_TASKER_H
#define TAC_AUTOMATION_TASKER_H

#include "automation/model/load.h"
#include "base/io/xml.h"

struct tasker {
    tac_automation_model *model;
    xmlNodePtr root;
    tac_automation_reading reading; /* of the profile being read */
    struct text_set reasons;
    unsigned depth; /* of tasks that perform tasks, and of blocks */
};

struct place tasker_place(xmlNodePtr node);
bool tasker_named(xmlNodePtr node, const char *name);
xmlNodePtr tasker_child(xmlNodePtr node, const char *name);
/* The texts below are kept in the model's arena; NULL: absent. */
const char *tasker_text(struct tasker *t, xmlNodePtr node, const char *child);
const char *tasker_attribute(struct tasker *t, xmlNodePtr node, const char *name);
/* argN of an action or context: a text, or the value of an Int; NULL for a variable. */
const char *tasker_argument(struct tasker *t, xmlNodePtr node, int index);
long tasker_number(const char *text, long otherwise);
void tasker_abstract(struct tasker *t, tac_automation_reading reading, const char *reason);

struct cond *tasker_conditions(struct tasker *t, xmlNodePtr list);
/* The steps of the task whose child `key` says `id`. */
void tasker_task(struct tasker *t, const char *key, const char *id, struct branch *out);

#endif
