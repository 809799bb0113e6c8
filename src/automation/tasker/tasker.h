/* Reading Tasker exports: one context, profiles in read.c, tasks in task.c, conditions in
 * condition.c, contexts in context.c.
 *
 * Codes and arguments are those of public documentation and of exports themselves; a code that is
 * not known here is an effect named by its number. */
#pragma once

#include "automation/model/model.h"
#include "base/io/xml.h"

struct tasker {
    tac_automation_model *model;
    xmlNodePtr root;
    tac_automation_reading reading; /* of the profile being read */
    struct text_set reasons;
    const char *task; /* the name of the one being read; NULL: none */
    unsigned depth;   /* of tasks that perform tasks, and of blocks */
};

struct place tasker_place(xmlNodePtr node);
bool tasker_named(xmlNodePtr node, const char *name);
xmlNodePtr tasker_child(xmlNodePtr node, const char *name);
/* The texts below are kept in the model's arena; NULL: absent. */
const char *tasker_text(struct tasker *t, xmlNodePtr node, const char *child);
const char *tasker_attribute(struct tasker *t, xmlNodePtr node, const char *name);
/* argN of an action or context: a text, or the value of an Int; NULL for a variable. */
const char *tasker_argument(struct tasker *t, xmlNodePtr node, int index);
bool tasker_is_variable(struct tasker *t, xmlNodePtr node, int index);
/* All arguments of an event or state, each after a blank: what tells one from another. */
const char *tasker_arguments(struct tasker *t, xmlNodePtr node);
/* Whether a variable, without a capital in its name, belongs to the task that uses it. */
bool tasker_is_local(const char *variable);
long tasker_number(const char *text, long otherwise);
void tasker_abstract(struct tasker *t, tac_automation_reading reading, const char *reason);

struct cond *tasker_conditions(struct tasker *t, xmlNodePtr list);
/* context.c: what holds while the context does; what begins it, or ends it. */
struct cond *tasker_context(struct tasker *t, xmlNodePtr context);
void tasker_context_trigger(struct tasker *t, xmlNodePtr context, bool enter,
                            struct trigger *trigger);
/* The steps of the task whose child `key` says `id`, and what happens when it runs already. */
enum run_mode tasker_task(struct tasker *t, const char *key, const char *id, struct branch *out);

/* Reads the file into the model. */
tac_status tasker_read(tac_automation_model *model, const char *path, tac_error *err);
